// Cases: they open together with their cause, and are decided once, by two people if the decision releases something.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { type Caller, type Loose, openBank } from '../testing/testing.ts'
import { lockRow, untilBlocked } from '../testing/testing.waits.ts'
import { openCase } from './cases.ts'

const bank = await openBank({ fourEyes: true })
const venture = await bank.registerVenture()
const { id: venture_id } = venture.venture
const [maker, checker] = [await openBanker(bank, 'admin'), await openBanker(bank, 'operator')]

const open = (kind = 'test', resource_id: string = randomUUID()): Promise<string> =>
  bank.database.transaction((tx) => openCase(tx, { venture_id, kind, resource_id, payload: { note: 'Look at this.' } }))

const get = async (id: string): Promise<Loose> => (await bank.admin.get(`/operator/cases/${id}`)).body

const decide = (id: string, body: object, by: Caller = maker) => by.post(`/operator/cases/${id}/decisions`, body)

const approve = ({ id }: { id: string }, by: Caller = checker) => by.post(`/operator/approvals/${id}/approve`)

const nothingAdded = { notes: [], files: [], links: [], questions: [] }

test('a case is opened with its cause, and a rolled back cause leaves none', async () => {
  const resource_id = randomUUID()
  const id = await open('test', resource_id)
  const found = await get(id)
  assert.deepEqual(
    { ...found, created_at: '', updated_at: '', due_at: '' },
    {
      id,
      venture_id,
      kind: 'test',
      resource_id,
      payload: { note: 'Look at this.' },
      severity: 'NORMAL',
      due_at: '',
      state: 'OPEN',
      assignee_id: null,
      decision: null,
      comment: null,
      decided_by: null,
      decided_at: null,
      created_at: '',
      updated_at: '',
      subject: { note: 'As it is.' },
      allowed_decisions: ['note', 'release', 'refuse'],
      ...nothingAdded,
    },
  )
  const before = await bank.count('cases')
  await assert.rejects(
    bank.database.transaction(async (tx) => {
      await openCase(tx, { venture_id, kind: 'test', resource_id: randomUUID(), payload: {} })
      throw new Error('no')
    }),
  )
  assert.equal(await bank.count('cases'), before)
})

test('a resource has one open case of a kind, and another one after the decision', async () => {
  const resource_id = randomUUID()
  const id = await open('test', resource_id)
  assert.equal(await open('test', resource_id), id)
  assert.notEqual(await open('test-venture', resource_id), id)
  assert.equal((await decide(id, { decision: 'note' })).status, 200)
  assert.notEqual(await open('test', resource_id), id)
})

test('cases are listed by state, kind, venture, resource and assignee', async () => {
  const resource_id = randomUUID()
  const id = await open('test', resource_id)
  await maker.put(`/operator/cases/${id}`, { assignee_id: checker.id })
  const list = async (query: string) => (await bank.admin.get(`/operator/cases?${query}`)).body.map((one: Loose) => one.id)
  assert.deepEqual(await list(`resource_id=${resource_id}`), [id])
  assert.deepEqual(await list(`resource_id=${resource_id}&state=OPEN&kind=test&venture_id=${venture_id}&assignee_id=${checker.id}`), [id])
  assert.deepEqual(await list(`resource_id=${resource_id}&state=DECIDED`), [])
  assert.deepEqual(await list(`resource_id=${resource_id}&assignee_id=none`), [])
  const nobodys = await open('test-venture', resource_id)
  assert.deepEqual(await list(`resource_id=${resource_id}&assignee_id=none`), [nobodys])
  assert.deepEqual(await list(`resource_id=${resource_id}&assignee_id=${maker.id}`), [])
  assert.deepEqual(await list(`resource_id=${resource_id}&kind=other`), [])
  assert.equal((await bank.admin.get('/operator/cases?state=CLOSED')).status, 400)
  for (const wrong of ['nobody', 'NONE', 'none,none', `{${checker.id}}`])
    assert.match((await bank.admin.get(`/operator/cases?assignee_id=${wrong}`)).problem.errors[0].message, /must be a UUID, or "none"/)
  assert.equal((await bank.admin.get(`/operator/cases/${randomUUID()}`)).problem.code, 'case_not_found')
})

test('an urgent case is found by its severity, and each case says by when it is due', async () => {
  const resource_id = randomUUID()
  const id = await bank.database.transaction((tx) =>
    openCase(tx, { venture_id, kind: 'test', resource_id, payload: {}, severity: 'URGENT', due_h: 4 }),
  )
  const usual = await open('test-venture', resource_id)
  const { body: urgent } = await bank.admin.get(`/operator/cases?resource_id=${resource_id}&severity=URGENT`)
  assert.deepEqual(
    urgent.map((one: Loose) => one.id),
    [id],
  )
  const { body: normal } = await bank.admin.get(`/operator/cases?resource_id=${resource_id}&severity=NORMAL`)
  assert.deepEqual(
    normal.map((one: Loose) => one.id),
    [usual],
  )
  assert.equal((await bank.admin.get('/operator/cases?severity=HIGH')).status, 400)
  const hoursOf = ({ due_at, created_at }: Loose) => (Date.parse(due_at) - Date.parse(created_at)) / 3_600_000
  assert.deepEqual([hoursOf(urgent[0]), hoursOf(normal[0])], [4, 72])
})

test('a case is assigned and given back while it is open', async () => {
  const id = await open()
  const path = `/operator/cases/${id}`
  assert.equal((await maker.put(path, { assignee_id: maker.id })).body.assignee_id, maker.id)
  assert.equal((await maker.put(path, { assignee_id: null })).body.assignee_id, null)
  assert.equal((await maker.put(path, { assignee_id: 'me' })).status, 400)
  const member = await openMember(bank, venture_id, 'admin')
  const disabled = await openBanker(bank, 'operator')
  await bank.owner.query("update users set status = 'DISABLED' where id = $1", [disabled.id])
  for (const assignee_id of [randomUUID(), (await openBanker(bank, 'auditor')).id, member.id, disabled.id]) {
    const { status, problem } = await maker.put(path, { assignee_id })
    assert.deepEqual([status, problem?.code, problem?.errors[0].field], [422, 'assignee_invalid', 'assignee_id'])
  }
  assert.equal((await get(id)).assignee_id, null)
  assert.equal((await maker.put(path, {})).status, 400)
  assert.equal((await maker.put(`/operator/cases/${randomUUID()}`, { assignee_id: null })).problem.code, 'case_not_found')
  await decide(id, { decision: 'note' })
  assert.deepEqual((await maker.put(path, { assignee_id: maker.id })).problem.code, 'case_decided')
  const { body: entries } = await bank.admin.get(`/operator/audit-log?resource=${id}&action=assignCase`)
  assert.deepEqual(
    entries.map((entry: Loose) => [entry.venture_id, entry.fields]),
    [
      [venture_id, ['assignee_id']],
      [venture_id, ['assignee_id']],
    ],
  )
})

test("a decision that releases nothing is one person's, also of the admin key", async () => {
  const id = await open()
  const { status, body } = await decide(id, { decision: 'note', comment: 'Seen.' })
  assert.deepEqual([status, body.state, body.decision, body.comment, body.decided_by], [200, 'DECIDED', 'note', 'Seen.', maker.id])
  assert.deepEqual(await get(id), { ...body, subject: { note: 'As it is.' }, allowed_decisions: [], ...nothingAdded })
  const again = await decide(id, { decision: 'note' }, checker)
  assert.deepEqual([again.status, again.problem.code, again.problem.decision], [409, 'case_decided', 'note'])
  const other = await open()
  assert.equal((await decide(other, { decision: 'note' }, bank.admin)).body.decided_by, null)
})

test('a decision that the kind does not offer, an unknown case and a wrong body are refused', async () => {
  const id = await open()
  const { status, problem } = await decide(id, { decision: 'burn' })
  assert.deepEqual([status, problem.code, problem.allowed], [422, 'decision_not_offered', ['note', 'release', 'refuse']])
  assert.equal((await decide(randomUUID(), { decision: 'note' })).problem.code, 'case_not_found')
  assert.equal((await decide(id, {})).status, 400)
  const detailed = await decide(id, { decision: 'note', details: {} })
  assert.deepEqual(
    [detailed.status, detailed.problem?.code, detailed.problem?.errors[0].field],
    [422, 'decision_details_invalid', 'details'],
  )
  assert.equal((await decide(id, { decision: 'note', details: 'all' })).status, 400)
  assert.equal((await get(id)).state, 'OPEN')
})

test('a decision that releases something waits for a second person', async () => {
  const id = await open()
  const { status, body: approval } = await decide(id, { decision: 'release', comment: 'Clean.' })
  assert.deepEqual([status, approval.action, approval.state], [202, 'decide-case', 'PENDING'])
  const { resource_id } = await get(id)
  assert.equal(approval.resource_id, resource_id)
  assert.equal((await get(id)).state, 'OPEN')
  assert.equal((await approve(approval, maker)).problem.code, 'own_approval')
  assert.equal((await decide(id, { decision: 'release' }, bank.admin)).problem.code, 'person_needed')
  assert.equal((await decide(id, { decision: 'release' }, checker)).problem.code, 'approval_pending')
  assert.equal((await approve(approval)).body.state, 'APPROVED')
  const decided = await get(id)
  assert.deepEqual([decided.state, decided.decision, decided.comment, decided.decided_by], ['DECIDED', 'release', 'Clean.', checker.id])
})

test('what happened to the case since the first person decided makes the approval fail', async () => {
  const id = await open()
  const { body: approval } = await decide(id, { decision: 'release' })
  await decide(id, { decision: 'note' }, checker)
  const { body } = await approve(approval)
  assert.equal(body.state, 'FAILED')
  assert.equal((await get(id)).decision, 'note')

  const assigned = await open()
  const { body: second } = await decide(assigned, { decision: 'release' })
  await maker.put(`/operator/cases/${assigned}`, { assignee_id: maker.id })
  assert.equal((await approve(second)).body.state, 'FAILED')
  assert.equal((await get(assigned)).state, 'OPEN')
})

test('a resource that has changed makes the approval fail and leaves the case open, and one that refuses is not asked about', async () => {
  const { venture: own } = await bank.registerVenture()
  const id = await open('test-venture', own.id)
  const { body: approval } = await decide(id, { decision: 'release' })
  await bank.admin.put(`/ventures/${own.id}`, { name: 'Changed' })
  const failed = (await approve(approval)).body
  assert.deepEqual([failed.state, failed.checker_id], ['FAILED', checker.id])
  assert.equal((await get(id)).state, 'OPEN')
  assert.equal((await approve((await decide(id, { decision: 'release' })).body)).body.state, 'APPROVED')

  // What would be refused now is not requested at all.
  const other = await open()
  const before = await bank.count('approvals')
  const { status, problem } = await decide(other, { decision: 'refuse' })
  assert.deepEqual([status, problem?.code, await bank.count('approvals')], [409, 'account_not_empty', before])
  assert.equal((await get(other)).state, 'OPEN')
})

test('with four eyes off, one person decides; a refused effect leaves the case open', async () => {
  const app = await bank.openInstance({ fourEyes: false })
  const send = (id: string, decision: string) =>
    app.inject({ method: 'POST', url: `/api/v1/operator/cases/${id}/decisions`, payload: { decision }, headers: maker.headers })
  const id = await open()
  assert.equal((await send(id, 'refuse')).statusCode, 409)
  assert.equal((await get(id)).state, 'OPEN')
  assert.equal((await send(id, 'release')).statusCode, 200)
  assert.equal((await get(id)).decision, 'release')
})

test('of many decisions at once, one is carried out', async () => {
  const id = await open()
  // Nobody decides before two of them have found the case open.
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'cases', id, 'update')
  const deciding = Promise.all(Array.from({ length: 8 }, () => decide(id, { decision: 'note' })))
  await untilBlocked(bank.owner, deciding, { behind: true })
  await bank.owner.query('commit')
  const answers = await deciding
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(409)])
  const { body: entries } = await bank.admin.get(`/operator/audit-log?resource=${id}&action=decideCase`)
  assert.equal(entries.length, 1)
})
