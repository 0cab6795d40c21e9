// Policies: what the bank has agreed with each venture, in versions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { operator } from '../testing/testing.managed.ts'
import { openBank } from '../testing/testing.ts'
import { houseId } from '../ventures/ventures.ts'
import { policyApprovals, policyOf } from './policies.ts'

const bank = await openBank()
const venture_id = (await bank.registerVenture()).venture.id
const path = `/ventures/${venture_id}/policy`
const put = (changes: object) => bank.admin.put(path, changes)
const get = async () => (await bank.admin.get(path)).body

test('a new venture has the built-in policy', async () => {
  const values = { card_fee: '0', payout_delay_days: 0, rate_hold_s: 60 }
  assert.deepEqual(await get(), { venture_id, version: 0, ...values, actor: null, actor_id: null, created_at: null })
})

test('the house and a venture that does not exist have no policy', async () => {
  for (const id of [houseId, randomUUID()]) {
    assert.equal((await bank.admin.get(`/ventures/${id}/policy`)).problem?.code, 'venture_not_found')
    assert.equal((await bank.admin.put(`/ventures/${id}/policy`, { rate_hold_s: 90 })).problem?.code, 'venture_not_found')
  }
})

test('a change is a new version, which keeps the other fields and who made it', async () => {
  const { status, body } = await put({ rate_hold_s: 90 })
  assert.equal(status, 200)
  assert.deepEqual([body.version, body.rate_hold_s, body.card_fee, body.actor], [1, 90, '0', 'operator'])
  assert.deepEqual(await get(), body)
  assert.equal((await put({ rate_hold_s: 90 })).body.version, 1, 'nothing has changed')
  assert.equal((await put({})).body.version, 1)
  assert.equal((await put({ card_fee: '0.015', payout_delay_days: 2 })).body.version, 2)
  const { body: third } = await put({ rate_hold_s: 91 })
  assert.deepEqual([third.version, third.card_fee, third.payout_delay_days, third.rate_hold_s], [3, '0.015', 2, 91])
  assert.equal(await bank.count('policies'), 3)
})

test('a change concerns one venture only', async () => {
  const { venture } = await bank.registerVenture()
  const { body } = await bank.admin.get(`/ventures/${venture.id}/policy`)
  assert.deepEqual([body.version, body.rate_hold_s], [0, 60])
})

test('a policy that makes no sense is refused', async () => {
  for (const changes of [
    { rate_hold_s: 0 },
    { rate_hold_s: 86_401 },
    { rate_hold_s: '60' },
    { card_fee: '1' },
    { card_fee: '-0.1' },
    { card_fee: 0.1 },
    { payout_delay_days: -1 },
    { payout_delay_days: 366 },
    { version: 7 },
  ])
    assert.equal((await put(changes)).problem?.code, 'invalid_request', JSON.stringify(changes))
  assert.equal(await bank.count('policies'), 3)
})

test('of two changes at the same moment, one is refused or both are made, one after the other', async () => {
  const before = (await get()).version
  const answers = await Promise.all([70, 80, 95, 100].map((rate_hold_s) => put({ rate_hold_s })))
  const done = answers.filter(({ status }) => status === 200)
  for (const { status, problem } of answers) assert.ok(status === 200 || problem.code === 'policy_changed')
  assert.ok(done.length > 0)
  assert.equal((await get()).version, before + done.length)
})

test('versions are kept', async () => {
  await assert.rejects(bank.owner.query('delete from policies'))
})

test('what two people have approved counts', async () => {
  const [change] = policyApprovals(bank.database)
  const { version } = await policyOf(bank.database, venture_id)
  const approval = { venture_id, resource_id: venture_id, sequence: version, payload: { rate_hold_s: 30 } }
  assert.deepEqual(await change?.carryOut(approval, { actor: operator, companions: undefined }), { id: venture_id })
  const { version: next, rate_hold_s } = await policyOf(bank.database, venture_id)
  assert.deepEqual([next, rate_hold_s], [version + 1, 30])
  await assert.rejects(async () => change?.carryOut(approval, { actor: operator, companions: undefined }), { code: 'resource_changed' })
})
