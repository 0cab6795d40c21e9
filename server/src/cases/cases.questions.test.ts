// Questions to ventures: the venture sees the question alone, and no question tips off a person whom a case is about.
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openScreener } from '../processing/processing.screener.ts'
import { sendFileTo, someNote } from '../testing/testing.files.ts'
import { TestList } from '../testing/testing.lists.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { houseId } from '../ventures/ventures.ts'
import { openCase } from './cases.ts'

const bank = await openBank({}, { screener: { screen: (all) => screener.screen(all) } })
const screener = openScreener(bank.database, bank.rescreening.comparison)
const venture = await ManagedVenture.open(bank)
const { id: venture_id } = venture.venture
const ann = await openBanker(bank, 'operator')

const open = (changes: object = {}): Promise<string> =>
  bank.database.transaction((tx) => openCase(tx, { venture_id, kind: 'test', resource_id: randomUUID(), payload: {}, ...changes }))

const ask = (id: string, text = 'What was the payment for?', due_on = '2099-11-20') =>
  ann.post(`/operator/cases/${id}/questions`, { text, due_on })

const file = () => ({ name: 'invoice.txt', type: 'text/plain', content: someNote() })

test('the venture gets the question alone, and answers it once with its files', async () => {
  const id = await open()
  const { status, body: asked, text } = await ask(id)
  assert.deepEqual([status, asked.state, asked.venture_id, asked.asked_by, asked.answer], [201, 'OPEN', venture_id, ann.id, null], text)
  const [event] = (await venture.get('/events?type=case.question')).body
  assert.deepEqual([event.data.object.id, event.actor, event.actor_id], [asked.id, 'operator', null])
  const { body: listed } = await venture.get('/questions?state=OPEN')
  const { body: seen, text: shown } = await venture.get(`/questions/${asked.id}`)
  assert.deepEqual([listed[0], event.data.object], [seen, seen])
  const fields = ['id', 'text', 'due_on', 'state', 'answer', 'file_ids', 'created_at', 'answered_at']
  assert.deepEqual(Object.keys(seen), fields)
  for (const secret of [id, ann.id]) assert.ok(!shown.includes(secret) && !JSON.stringify(event).includes(secret))

  const files = [file(), file()]
  const ids: string[] = []
  for (const one of files) ids.push((await sendFileTo(venture, `/questions/${asked.id}/files`, one)).body.id)
  const answer = 'The rent for November.'
  const { status: answered, body } = await venture.post(`/questions/${asked.id}/answer`, { answer })
  assert.deepEqual([answered, body.state, body.answer, body.file_ids], [200, 'ANSWERED', answer, ids])
  assert.ok(body.answered_at !== null)
  const { questions, files: stored } = (await ann.get(`/operator/cases/${id}`)).body
  assert.deepEqual([questions[0].answer, questions[0].file_ids], [answer, ids])
  assert.deepEqual(
    stored.map((one: Loose) => [one.id, one.question_id, one.created_by]),
    ids.map((one) => [one, asked.id, null]),
  )
  const download = await ann.send({ method: 'GET', url: `/api/v1/operator/cases/${id}/files/${ids[0]}` })
  assert.equal(download.text, files[0]?.content)

  const audited = (await bank.admin.get(`/operator/audit-log?resource=${asked.id}&limit=1`)).body[0]
  assert.deepEqual([audited.action, audited.fields], ['answerQuestion', ['answer', `sha256:${hash('sha256', answer)}`]])
  const again = await venture.post(`/questions/${asked.id}/answer`, { answer: 'Something else.' })
  assert.deepEqual([again.status, again.problem?.code], [409, 'question_answered'])
  assert.equal((await sendFileTo(venture, `/questions/${asked.id}/files`, file())).problem?.code, 'question_answered')
  assert.deepEqual((await venture.get('/questions?state=OPEN')).body, [])
})

test('two answers at the same moment are one', async () => {
  const { body: asked } = await ask(await open())
  const answers = await Promise.all(['One.', 'Two.'].map((answer) => venture.post(`/questions/${asked.id}/answer`, { answer })))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
})

test('only people and keys of the venture answer, and no other venture sees the question', async () => {
  const id = await open()
  const { body: asked } = await ask(id)
  const other = await bank.registerVenture()
  const [operator, viewer] = [await openMember(bank, venture_id, 'operator'), await openMember(bank, venture_id, 'viewer')]
  const paths = [`/questions/${asked.id}/answer`]
  for (const path of paths) {
    assert.equal((await other.post(path, { answer: 'No.' })).problem?.code, 'question_not_found')
    assert.equal((await viewer.post(path, { answer: 'No.' })).status, 403)
    assert.equal((await ann.actingFor(venture_id).post(path, { answer: 'No.' })).status, 403)
  }
  assert.equal((await other.get(`/questions/${asked.id}`)).problem?.code, 'question_not_found')
  assert.equal((await sendFileTo(other, `/questions/${asked.id}/files`, file())).problem?.code, 'question_not_found')
  assert.equal((await viewer.get(`/questions/${asked.id}`)).status, 200)
  assert.equal((await ann.actingFor(venture_id).get(`/questions/${asked.id}`)).status, 200)
  assert.equal((await venture.get(`/operator/cases/${id}`)).status, 403)
  assert.equal((await operator.post(`/questions/${asked.id}/answer`, { answer: 'Yes.' })).status, 200)
  const { questions } = (await ann.get(`/operator/cases/${id}`)).body
  assert.equal(questions[0].answered_by, operator.id)
})

test('a question needs an open case, a venture and a day that is not over, and takes at most 20 files', async () => {
  const id = await open()
  assert.equal((await ask(id, 'Why?', '2020-01-01')).status, 400)
  assert.equal((await ask(randomUUID())).problem?.code, 'case_not_found')
  const house = await open({ venture_id: houseId })
  const refused = await ask(house)
  assert.deepEqual([refused.status, refused.problem?.code], [409, 'question_not_possible'])
  const payment = { venture_id, id: randomUUID() }
  const named = await open({ venture_id: houseId, payload: { payment } })
  assert.equal((await ask(named)).body.venture_id, venture_id, 'the venture of the payment is asked')
  assert.equal((await ann.get(`/operator/cases/${named}`)).body.questions.length, 1)
  const { body: asked } = await ask(id)
  for (let number = 0; number < 20; number++) assert.equal((await sendFileTo(venture, `/questions/${asked.id}/files`, file())).status, 201)
  const more = await sendFileTo(venture, `/questions/${asked.id}/files`, file())
  assert.deepEqual([more.status, more.problem?.code], [409, 'too_many_files'])
  await ann.post(`/operator/cases/${id}/decisions`, { decision: 'note' })
  assert.equal((await ask(id)).problem?.code, 'case_decided')
})

test('a question that names a listed person of the case is refused, however it is written', async () => {
  const list = await TestList.open(bank)
  await list.publish({ name: 'Mortimer Grimshade', id: 'm' }, { name: 'Zelda Quillfeather', id: 'z' })
  const account = await venture.openAccount({ balance: '100.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, {
    name: 'Mortimer Grimshade',
    iban: 'DE89370400440532013000',
  })
  const { id: resource_id } = await venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount: '10.00' })
  await bank.runProcessing()
  const [hit] = (await bank.admin.get(`/operator/cases?resource_id=${resource_id}`)).body
  assert.equal(hit?.kind, 'hit')
  const linked = await open()
  await ann.post(`/operator/cases/${linked}/links`, { other_case_id: hit.id })
  const before = [await bank.count('case_questions'), await bank.count('events')]
  const named = [
    'Do you know Mortimer Grimshade?',
    'Is the payee GRIMSHADE, Mortimer of this town?',
    'Is MortimerGrimshade the payee?',
    'Is M.o.r.t.i.m.e.r G.r.i.m.s.h.a.d.e the payee?',
    'Is Ｍｏｒｔｉｍｅｒ Ｇｒｉｍｓｈａｄｅ the payee?',
    'Is Mörtimer Grímshade the payee?',
    'Is Мortimer Grimshade the payee?',
    'Is M0rtimer Gr1mshade the payee?',
    "Grimshade's friend Mortimer?",
  ]
  for (const text of named)
    for (const id of [hit.id, linked]) {
      const { status, problem } = await ask(id, text)
      assert.deepEqual([status, problem?.code], [422, 'question_tips_off'], text)
    }
  assert.deepEqual([await bank.count('case_questions'), await bank.count('events')], before)
  for (const text of ['What was the payment of 10.00 EUR for?', 'Is Zelda Quillfeather your client?'])
    assert.equal((await ask(hit.id, text)).status, 201, 'an entry that the case is not about may be named')
})
