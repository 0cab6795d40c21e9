// The audit log as the admins of a venture see it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { type Loose, openBank } from '../testing/testing.ts'

const bank = await openBank()
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

const person = await openBanker(bank, 'admin')

/** A venture with an admin, and a person of the bank who has read and changed one of its clients. */
async function openVenture() {
  const venture = await bank.registerVenture()
  const { id: venture_id } = venture.venture
  const { id: client_id } = await venture.registerClient()
  const admin = await openMember(bank, venture_id, 'admin')
  const banker = person.actingFor(venture_id)
  assert.equal((await admin.put(`/clients/${client_id}`, { city: 'Lyon' })).status, 200)
  assert.equal((await banker.get(`/clients/${client_id}`)).status, 200)
  assert.equal((await banker.put(`/clients/${client_id}`, { city: 'Nice' })).status, 200)
  assert.equal((await person.put(`/ventures/${venture_id}`, { name: 'Renamed' })).status, 200)
  return { venture, venture_id, client_id, admin }
}

test("the admins of a venture see its changes, and the bank's people without their ids and addresses", async () => {
  const { admin, client_id } = await openVenture()
  const { status, body, text } = await admin.get('/venture/audit-log')
  assert.equal(status, 200)
  const updates = body.filter(({ action }: Loose) => action === 'updateClient')
  assert.deepEqual(
    updates.map(({ actor, actor_id, address, resource, fields }: Loose) => ({ actor, actor_id, address, resource, fields })),
    [
      { actor: 'operator', actor_id: null, address: null, resource: client_id, fields: ['city'] },
      { actor: 'user', actor_id: admin.id, address: '127.0.0.1', resource: client_id, fields: ['city'] },
    ],
  )
  assert.ok(!text.includes(person.id))
  assert.ok(!('venture_id' in body[0]))
})

test('a venture does not see what the bank has read, nor what the bank does about it on its own side', async () => {
  const { admin, venture_id } = await openVenture()
  const { body } = await admin.get('/venture/audit-log')
  const { body: all } = await bank.admin.get(`/operator/audit-log?venture_id=${venture_id}`)
  for (const action of ['getClient', 'updateVenture']) {
    assert.ok(
      all.some((entry: Loose) => entry.action === action),
      action,
    )
    assert.ok(!body.some((entry: Loose) => entry.action === action), action)
  }
})

test("the log is narrowed by actor, person, action, resource and time, never finds the bank's people by their id, and has pages", async () => {
  const { admin, client_id } = await openVenture()
  const actions = async (query: string) => {
    const { status, body, text } = await admin.get(`/venture/audit-log?${query}`)
    assert.equal(status, 200, text)
    return body.map(({ actor, action }: Loose) => `${actor} ${action}`)
  }
  assert.deepEqual(await actions(`actor=user&resource=${client_id}`), ['user updateClient'])
  assert.deepEqual(await actions(`actor_id=${admin.id}&action=updateClient`), ['user updateClient'])
  assert.deepEqual(await actions(`actor_id=${person.id}`), [])
  assert.deepEqual(await actions(`resource=${client_id}`), ['operator updateClient', 'user updateClient'])
  assert.deepEqual(await actions('date_to=2020-01-01'), [])
  const page = await admin.get(`/venture/audit-log?resource=${client_id}&limit=1`)
  const next = page.headers['link']?.match(/^<\/api\/v1(.*)>; rel="next"$/)?.[1] ?? ''
  assert.deepEqual(
    (await admin.get(next)).body.map(({ actor }: Loose) => actor),
    ['user'],
  )
})

test('a venture sees nothing of another one', async () => {
  const { client_id } = await openVenture()
  const other = await openMember(bank, (await bank.registerVenture()).venture.id, 'admin')
  assert.deepEqual((await other.get(`/venture/audit-log?resource=${client_id}`)).body, [])
})

test('only admins of the venture and people of the bank read the log, and invalid filters are refused', async () => {
  const { venture, venture_id, admin } = await openVenture()
  for (const role of ['operator', 'viewer'] as const) {
    const { problem } = await (await openMember(bank, venture_id, role)).get('/venture/audit-log')
    assert.equal(problem.code, 'forbidden', role)
  }
  assert.equal((await venture.get('/venture/audit-log')).problem.code, 'forbidden')
  assert.equal((await (await openBanker(bank, 'auditor', venture_id)).get('/venture/audit-log')).status, 200)
  for (const query of [
    'actor=nobody',
    'actor_id=1',
    'limit=0',
    'date_from=soon',
    `venture_id=${venture_id}`,
    `after=${unknownId}&offset=1`,
  ])
    assert.equal((await admin.get(`/venture/audit-log?${query}`)).problem.code, 'invalid_request', query)
})
