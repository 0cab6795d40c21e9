// Policies: what the bank has agreed with each venture, in versions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { ManagedVenture, operator } from '../testing/testing.managed.ts'
import { openBank } from '../testing/testing.ts'
import { houseId } from '../ventures/ventures.ts'
import { policyApprovals, policyOf } from './policies.ts'

const bank = await openBank()
const venture_id = (await bank.registerVenture()).venture.id
const path = `/ventures/${venture_id}/policy`
const put = (changes: object) => bank.admin.put(path, changes)
const get = async () => (await bank.admin.get(path)).body

test('a new venture has the built-in policy', async () => {
  const values = {
    card_fee: '0',
    payout_delay_days: 0,
    rate_hold_s: 60,
    sign_above: null,
    review_above: null,
    signer: 'any',
    screen_threshold: '0.85',
    block_threshold: '0.97',
    lists: null,
    screen_peps: false,
    payee_check: 'warn',
    funds_wait_h: 24,
    instant_timeout: 'restore',
    instant_screening: 'clients',
    rules: [],
  }
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

test('thresholds out of order are refused, also against the version before', async () => {
  const before = await bank.count('policies')
  for (const changes of [{ screen_threshold: '0.9', block_threshold: '0.89' }, { screen_threshold: '0.98' }, { block_threshold: '0.8' }]) {
    const { status, problem } = await put(changes)
    assert.deepEqual(
      [status, problem?.code, problem?.errors?.[0].field],
      [422, 'policy_invalid', 'block_threshold'],
      JSON.stringify(changes),
    )
  }
  assert.equal(await bank.count('policies'), before)
  const { status, body } = await put({ screen_threshold: '0.9', block_threshold: '0.9' })
  assert.deepEqual([status, body.screen_threshold, body.block_threshold], [200, '0.9', '0.9'])
})

test('rules of every kind are kept as they were sent', async () => {
  const rules = [
    { kind: 'amount', above: '5000' },
    { kind: 'sum', above: '10000.50', days: 7 },
    { kind: 'count', above: 20, days: 1 },
    { kind: 'new_payee', above: '1000' },
    { kind: 'expected_volume' },
    { kind: 'country', countries: ['PRK', 'IRN'] },
    { kind: 'just_below', threshold: '10000', share: '0.1', count: 3, days: 31 },
  ]
  const { status, body, text } = await put({ rules })
  assert.deepEqual([status, body?.rules], [200, rules], text)
  assert.deepEqual((await get()).rules, rules)
  assert.equal((await put({ rules })).body.version, body.version, 'nothing has changed')
})

test('rules of the wrong form are refused, and so are rules that make no sense', async () => {
  const before = (await get()).version
  const form: object[] = [
    { kind: 'moon' },
    { kind: 'amount' },
    { kind: 'amount', above: 5000 },
    { kind: 'amount', above: '-1' },
    { kind: 'amount', above: '5000', colour: 'red' },
    { kind: 'sum', above: '1', days: 32 },
    { kind: 'sum', above: '1', days: 0 },
    { kind: 'count', above: 0, days: 1 },
    { kind: 'country', countries: [] },
    { kind: 'country', countries: ['FR'] },
    { kind: 'just_below', threshold: '10000', share: '1', count: 3, days: 7 },
    { kind: 'just_below', threshold: '10000', share: '0.1', count: 1, days: 7 },
  ]
  for (const rule of form) assert.equal((await put({ rules: [rule] })).problem?.code, 'invalid_request', JSON.stringify(rule))
  const sense: [field: string, ...rules: object[]][] = [
    ['rules.0.above', { kind: 'sum', above: '0', days: 1 }],
    ['rules.1.countries', { kind: 'expected_volume' }, { kind: 'country', countries: ['FRA', 'FRA'] }],
    ['rules.0.threshold', { kind: 'just_below', threshold: '0', share: '0.1', count: 3, days: 7 }],
    ['rules.0.share', { kind: 'just_below', threshold: '10', share: '0', count: 3, days: 7 }],
    ['rules.1', { kind: 'amount', above: '1' }, { above: '1', kind: 'amount' }],
  ]
  for (const [field, ...rules] of sense) {
    const { status, problem } = await put({ rules })
    assert.deepEqual([status, problem?.code, problem?.errors[0].field], [422, 'policy_invalid', field], JSON.stringify(rules))
  }
  assert.equal((await put({ rules: Array.from({ length: 51 }, (_, index) => ({ kind: 'amount', above: `${index}` })) })).status, 400)
  assert.equal((await get()).version, before)
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

test('the migration to instant payments kept what MANAGED ventures without a policy of their own had', async () => {
  const file = await readFile(new URL('../../migrations/0045_instant_payments.sql', import.meta.url), 'utf8')
  const [kept, open] = [await ManagedVenture.open(bank), await bank.registerVenture()]
  const own = await ManagedVenture.open(bank)
  await bank.admin.put(`/ventures/${own.venture.id}/policy`, { funds_wait_h: 1 })
  await bank.owner.query(file.slice(file.indexOf('do $$')))
  const policyFor = async ({ venture: { id } }: { venture: { id: string } }) => {
    const { version, instant_timeout, instant_screening, actor } = (await bank.admin.get(`/ventures/${id}/policy`)).body
    return [version, instant_timeout, instant_screening, actor]
  }
  assert.deepEqual(await policyFor(kept), [1, 'hold', 'clients', 'service'])
  assert.deepEqual(await policyFor(own), [1, 'restore', 'clients', 'operator'])
  assert.deepEqual(await policyFor(open), [0, 'restore', 'clients', null])
})
