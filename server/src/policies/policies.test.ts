// The bank's policies: one set of values in versions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operator } from '../testing/testing.managed.ts'
import { openBank } from '../testing/testing.ts'
import { currentPolicy, policyApprovals } from './policies.ts'

const bank = await openBank()
const put = (changes: object) => bank.admin.put('/operator/policies', changes)
const get = async () => (await bank.admin.get('/operator/policies')).body

test('a new bank has the first version', async () => {
  const { created_at: _, ...policy } = await get()
  assert.deepEqual(policy, { version: 1, card_fee: '0', payout_delay_days: 0, rate_hold_s: 60, actor: 'service', actor_id: null })
})

test('a change is a new version, which keeps the other fields and who made it', async () => {
  const { status, body } = await put({ rate_hold_s: 90 })
  assert.equal(status, 200)
  assert.deepEqual([body.version, body.rate_hold_s, body.card_fee, body.actor], [2, 90, '0', 'operator'])
  assert.deepEqual(await get(), body)
  assert.equal((await put({ rate_hold_s: 90 })).body.version, 2, 'nothing has changed')
  assert.equal((await put({})).body.version, 2)
  assert.equal((await put({ card_fee: '0.015', payout_delay_days: 2 })).body.version, 3)
  const { body: fourth } = await put({ rate_hold_s: 91 })
  assert.deepEqual([fourth.version, fourth.card_fee, fourth.payout_delay_days, fourth.rate_hold_s], [4, '0.015', 2, 91])
  assert.equal(await bank.count('policies'), 4)
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
  assert.equal(await bank.count('policies'), 4)
})

test('of two changes at the same moment, one is refused or both are made, one after the other', async () => {
  const before = (await get()).version
  const answers = await Promise.all([70, 80, 95, 100].map((rate_hold_s) => put({ rate_hold_s })))
  const done = answers.filter(({ status }) => status === 200)
  for (const { status, problem } of answers) assert.ok(status === 200 || problem.code === 'policies_changed')
  assert.ok(done.length > 0)
  assert.equal((await get()).version, before + done.length)
})

test('versions are kept', async () => {
  await assert.rejects(bank.owner.query('delete from policies'))
})

test('what two people have approved counts', async () => {
  const [change] = policyApprovals(bank.database)
  const { version } = await currentPolicy(bank.database)
  const approval = { venture_id: '', resource_id: '', sequence: version, payload: { rate_hold_s: 30 } }
  assert.deepEqual(await change?.carryOut(approval, { actor: operator, companions: undefined }), { id: String(version + 1) })
  assert.equal((await currentPolicy(bank.database)).rate_hold_s, 30)
  await assert.rejects(async () => change?.carryOut(approval, { actor: operator, companions: undefined }), { code: 'resource_changed' })
})
