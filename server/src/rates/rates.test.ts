import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { uuidv7 } from 'uuidv7'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { operator } from '../testing/testing.managed.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { findRates, rateApprovals } from './rates.ts'

const bank = await openBank()
const put = (changes: object) =>
  bank.admin.put('/operator/rates', { from_currency: 'EUR', to_currency: 'USD', rate: '1.0825', margin: '0.005', ...changes })
const pair = { from_currency: 'EUR', to_currency: 'USD' }
const list = async () => (await bank.admin.get('/operator/rates')).body
const later = (ms: number) => new Date(Date.now() + ms).toISOString()

test('a rate is set for one direction, from now on, and shown', async () => {
  const { status, body } = await put({ rate: '1.08250', from_currency: 'eur' })
  assert.equal(status, 200)
  const { id: _, created_at, ...rate } = body
  assert.deepEqual(rate, {
    ...pair,
    rate: '1.0825',
    margin: '0.005',
    valid_from: created_at,
    valid_until: null,
    actor: 'operator',
    actor_id: null,
  })
  assert.deepEqual(await list(), [body])
  assert.deepEqual(await findRates(bank.database, [pair], new Date()), [{ ...pair, rate: '1.0825', margin: '0.005' }])
  assert.deepEqual(await findRates(bank.database, [{ from_currency: 'USD', to_currency: 'EUR' }], new Date()), [])
})

test('the rate that was set last counts, only while it is valid, and a later one from its beginning', async () => {
  await put({ rate: '1.09', valid_until: later(3_600_000) })
  await put({ rate: '1.2', valid_from: later(7_200_000) })
  const at = async (ms: number) => (await findRates(bank.database, [pair], new Date(Date.now() + ms))).map(({ rate }) => rate)
  assert.deepEqual([await at(0), await at(3_700_000), await at(7_300_000)], [['1.09'], ['1.0825'], ['1.2']])
  const shown = (await list()).map(({ rate }: Loose) => rate)
  assert.deepEqual(shown, ['1.09', '1.2'])
})

test('a rate that makes no sense is refused, and nothing is stored', async () => {
  const before = await bank.count('rates')
  const bad: [object, string][] = [
    [{ rate: '0' }, 'rate'],
    [{ rate: '-1' }, 'rate'],
    [{ rate: 1.1 }, 'rate'],
    [{ rate: '1.00000000001' }, 'rate'],
    [{ margin: '1' }, 'margin'],
    [{ margin: '-0.1' }, 'margin'],
    [{ margin: undefined }, 'margin'],
    [{ to_currency: 'EUR' }, 'to_currency'],
    [{ to_currency: 'XXQ' }, 'to_currency'],
    [{ valid_until: '2026-01-01T00:00:00Z' }, 'valid_until'],
    [{ valid_from: '2100-01-02T00:00:00Z', valid_until: '2100-01-01T00:00:00Z' }, 'valid_until'],
    [{ valid_from: 'tomorrow' }, 'valid_from'],
    [{ inverse: true }, 'inverse'],
  ]
  for (const [changes, field] of bad) {
    const { status, problem, text } = await put(changes)
    assert.equal(status, 400, text)
    assert.deepEqual(
      problem.errors.map((error: Loose) => error.field),
      [field],
      text,
    )
  }
  assert.equal(await bank.count('rates'), before)
})

test('rates are kept', async () => {
  await assert.rejects(bank.owner.query('update rates set rate = 2'), /append-only|kept|never/)
})

test('what two people have approved is set', async () => {
  const [set] = rateApprovals(bank.database)
  const payload = { from_currency: 'EUR', to_currency: 'CHF', rate: '0.95', margin: '0' }
  const resource_id = randomUUID()
  await set?.carryOut({ venture_id: bankId, resource_id, sequence: 0, payload }, { actor: operator, companions: undefined })
  assert.deepEqual((await findRates(bank.database, [{ from_currency: 'EUR', to_currency: 'CHF' }], new Date())).length, 1)
})

test('the rate that was approved last counts, also if somebody had asked for it first', async () => {
  const [set] = rateApprovals(bank.database)
  const between = { from_currency: 'GBP', to_currency: 'EUR' }
  const [first, second] = [uuidv7(), uuidv7()]
  const approve = (resource_id: string, rate: string) =>
    set?.carryOut(
      { venture_id: bankId, resource_id, sequence: 0, payload: { ...between, rate, margin: '0' } },
      { actor: operator, companions: undefined },
    )
  await approve(second, '1.2')
  // Only their ids would order two rates that are set within the same millisecond.
  while ((await list()).some(({ created_at }: Loose) => created_at >= new Date().toISOString()));
  await approve(first, '1.1')
  assert.deepEqual(
    (await findRates(bank.database, [between], new Date())).map(({ rate }) => rate),
    ['1.1'],
  )
  const shown = (await list()).filter(({ from_currency }: Loose) => from_currency === 'GBP')
  assert.deepEqual(
    shown.map(({ id, rate }: Loose) => [id, rate]),
    [[first, '1.1']],
  )
})
