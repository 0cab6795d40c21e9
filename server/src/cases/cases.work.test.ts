// What people do with cases besides deciding them: open one by hand, add notes and files, link them.
import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { fileForm, sendFileTo, someNote } from '../testing/testing.files.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { openCase } from './cases.ts'

const bank = await openBank({ fourEyes: true })
const venture = await bank.registerVenture()
const { id: venture_id } = venture.venture
const [ann, auditor] = [await openBanker(bank, 'operator'), await openBanker(bank, 'auditor')]

const open = (of = venture_id): Promise<string> =>
  bank.database.transaction((tx) => openCase(tx, { venture_id: of, kind: 'test', resource_id: randomUUID(), payload: {} }))

const get = async (id: string): Promise<Loose> => (await ann.get(`/operator/cases/${id}`)).body

const sha256 = (content: string | Buffer) => hash('sha256', content)

/** The fields of the last audit entry about a resource. */
const auditedOf = async (resource: string): Promise<string[]> =>
  (await bank.admin.get(`/operator/audit-log?resource=${resource}&limit=1`)).body[0].fields

const text = { name: 'note.txt', type: 'text/plain' }

test('a person opens a case by hand about a transfer, a client, an account or nothing, and closes it alone', async () => {
  const account = await venture.openAccount({ balance: '10.00' })
  const [transfer] = (await venture.get('/transfers')).body
  const about = { transfer: transfer.id, client: account.client_id, account: account.id }
  for (const [kind, resource_id] of Object.entries(about)) {
    const wanted = { venture_id, about: kind, resource_id, reason: 'A request of the police.', severity: 'URGENT' }
    const { status, body, text: answer } = await ann.post('/operator/cases', wanted)
    assert.deepEqual([status, body.kind, body.severity, body.resource_id], [201, 'manual', 'URGENT', resource_id], answer)
    assert.deepEqual(body.payload, { about: kind, reason: wanted.reason, opened_by: ann.id })
    assert.deepEqual(await auditedOf(body.id), [...Object.keys(wanted), `sha256:${sha256(wanted.reason)}`])
    const shown = await get(body.id)
    assert.deepEqual([shown.subject.kind, shown.subject[kind].id, shown.allowed_decisions], [kind, resource_id, ['close']])
    const again = await ann.post('/operator/cases', wanted)
    assert.deepEqual([again.status, again.problem?.code, again.problem?.case_id], [409, 'case_open', body.id])
    assert.equal((await ann.post(`/operator/cases/${body.id}/decisions`, { decision: 'close' })).body.state, 'DECIDED')
    assert.equal((await ann.post('/operator/cases', wanted)).status, 201, 'another one after the decision')
  }
  const nothing = await ann.post('/operator/cases', { about: 'nothing', reason: 'A letter without a sender.' })
  assert.deepEqual([nothing.status, nothing.body.venture_id, nothing.body.resource_id], [201, bankId, nothing.body.id], nothing.text)
  assert.deepEqual((await get(nothing.body.id)).subject, { kind: 'nothing', id: nothing.body.id })
})

test('a case about something that does not exist, or that does not fit, is refused', async () => {
  const { id: resource_id } = await venture.registerClient()
  const other = await bank.registerVenture()
  const wanted = { venture_id, about: 'client', resource_id, reason: 'Why not.' }
  const refused: [object, number, string][] = [
    [{ ...wanted, resource_id: randomUUID() }, 404, 'client_not_found'],
    [{ ...wanted, venture_id: other.venture.id }, 404, 'client_not_found'],
    [{ ...wanted, venture_id: randomUUID() }, 404, 'venture_not_found'],
    [{ ...wanted, about: 'transfer' }, 404, 'transfer_not_found'],
    [{ ...wanted, about: 'account' }, 404, 'account_not_found'],
    [{ ...wanted, resource_id: null }, 400, 'invalid_request'],
    [{ ...wanted, about: 'nothing' }, 400, 'invalid_request'],
    [{ ...wanted, venture_id: null }, 400, 'invalid_request'],
    [{ ...wanted, reason: ' ' }, 400, 'invalid_request'],
    [{ ...wanted, due_at: '2020-01-01T00:00:00Z' }, 400, 'invalid_request'],
  ]
  const before = await bank.count('cases')
  for (const [body, status, code] of refused) {
    const answer = await ann.post('/operator/cases', body)
    assert.deepEqual([answer.status, answer.problem?.code], [status, code], JSON.stringify(body))
  }
  assert.equal((await auditor.post('/operator/cases', wanted)).status, 403)
  assert.equal(await bank.count('cases'), before)
  const due_at = '2099-01-01T00:00:00.000Z'
  assert.equal((await ann.post('/operator/cases', { ...wanted, due_at })).body.due_at, due_at)
})

test('notes stay as they are, and the audit log has their hash', async () => {
  const id = await open()
  const note = 'Called the branch: the client is known there.'
  const { status, body } = await ann.post(`/operator/cases/${id}/notes`, { text: note })
  assert.deepEqual([status, body.text, body.created_by, body.sha256], [201, note, ann.id, sha256(note)])
  assert.deepEqual(await auditedOf(id), ['text', `sha256:${body.sha256}`])
  await ann.post(`/operator/cases/${id}/decisions`, { decision: 'note' })
  assert.equal((await bank.admin.post(`/operator/cases/${id}/notes`, { text: 'Later.' })).body.created_by, null)
  assert.deepEqual(
    (await get(id)).notes.map((one: Loose) => one.text),
    [note, 'Later.'],
  )
  assert.equal((await ann.post(`/operator/cases/${id}/notes`, { text: '' })).status, 400)
  assert.equal((await ann.post(`/operator/cases/${randomUUID()}/notes`, { text: 'No.' })).problem?.code, 'case_not_found')
  for (const table of ['case_notes', 'case_files', 'case_links'])
    for (const change of [`update ${table} set created_at = now()`, `delete from ${table}`]) {
      await assert.rejects(bank.owner.query(`begin; set local role vostro_service; ${change}`), /permission denied/)
      await bank.owner.query('rollback')
    }
})

test('a file is served as a download of its stored type, and nothing of it runs in the console', async () => {
  const id = await open()
  const content = someNote()
  const { status, body } = await sendFileTo(ann, `/operator/cases/${id}/files`, { ...text, name: 'été "1".txt', content })
  assert.deepEqual(
    [status, body.name, body.type, body.size, body.sha256, body.created_by, body.question_id],
    [201, 'été "1".txt', 'text/plain', content.length, sha256(content), ann.id, null],
  )
  assert.deepEqual(await auditedOf(id), [`sha256:${body.sha256}`])
  assert.deepEqual((await get(id)).files, [body])
  const again = await sendFileTo(ann, `/operator/cases/${id}/files`, { ...text, name: 'again.txt', content })
  assert.deepEqual([again.status, again.body.id], [201, body.id], 'the same file is there once')
  const answer = await auditor.send({ method: 'GET', url: `/api/v1/operator/cases/${id}/files/${body.id}` })
  assert.deepEqual([answer.status, answer.text], [200, content])
  assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
  assert.equal(answer.headers['content-disposition'], `attachment; filename="_t___1_.txt"; filename*=UTF-8''%C3%A9t%C3%A9%20%221%22.txt`)
  assert.equal(answer.headers['x-content-type-options'], 'nosniff')
  assert.match(String(answer.headers['content-security-policy']), /default-src 'none'.*sandbox/)
  assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin')
  const [read] = (await bank.admin.get(`/operator/audit-log?resource=${body.id}`)).body
  assert.deepEqual([read.action, read.actor_id], ['getCaseFile', auditor.id], 'each download is recorded')
  const other = await open()
  assert.equal((await ann.get(`/operator/cases/${other}/files/${body.id}`)).problem?.code, 'file_not_found')
})

test('HTML, other types, false types and large files are refused, and nothing of them is stored', async () => {
  const id = await open()
  const path = `/operator/cases/${id}/files`
  const html = '<!doctype html><script>fetch("/api/v1/operator/cases")</script>'
  const before = [await bank.count('stored_files'), await bank.count('case_files')]
  for (const type of ['text/html', 'text/plain', 'image/png', 'application/pdf', 'application/xhtml+xml', 'image/svg+xml']) {
    const { status, problem } = await sendFileTo(ann, path, { name: 'page.html', type, content: html })
    assert.deepEqual([status, problem?.code], [422, 'file_type_invalid'], type)
  }
  const large = await sendFileTo(ann, path, { ...text, content: 'a'.repeat(10 * 2 ** 20 + 1) })
  assert.deepEqual([large.status, large.problem?.code], [413, 'file_too_large'])
  const larger = await sendFileTo(ann, path, { ...text, content: 'a'.repeat(11 * 2 ** 20) })
  assert.deepEqual([larger.status, larger.problem?.code], [413, 'body_too_large'])
  const form = { method: 'POST', url: `/api/v1${path}` } as const
  assert.equal((await sendFileTo(ann, path, { ...text, content: 'a' }, 'document')).problem?.code, 'malformed_body')
  const { payload, headers } = fileForm({ ...text, content: 'a' })
  assert.equal((await ann.send({ ...form, payload: payload.subarray(0, -9), headers })).problem?.code, 'malformed_body')
  assert.equal((await ann.post(path, { file: 'a' })).problem?.code, 'unsupported_media_type')
  assert.equal((await sendFileTo(ann, `/operator/cases/${randomUUID()}/files`, { ...text, content: 'a' })).problem?.code, 'case_not_found')
  assert.deepEqual([await bank.count('stored_files'), await bank.count('case_files')], before)
})

test('linked cases show each other, also over ventures, once', async () => {
  const [one, other] = [await open(), await open((await bank.registerVenture()).venture.id)]
  for (const [from, to] of [
    [one, other],
    [one, other],
    [other, one],
  ] as const) {
    const { status, body } = await ann.post(`/operator/cases/${from}/links`, { other_case_id: to })
    assert.deepEqual([status, body.id, body.state], [200, to, 'OPEN'])
  }
  const linked = async (id: string) => (await get(id)).links.map((link: Loose) => [link.id, link.kind, link.created_by])
  assert.deepEqual(await linked(one), [[other, 'test', ann.id]])
  assert.deepEqual(await linked(other), [[one, 'test', ann.id]])
  assert.equal((await ann.post(`/operator/cases/${one}/links`, { other_case_id: one })).status, 400)
  assert.equal((await ann.post(`/operator/cases/${one}/links`, { other_case_id: randomUUID() })).problem?.code, 'case_not_found')
})
