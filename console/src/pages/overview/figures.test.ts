import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Statistics } from '@vostro/sdk'
import { atLeast, currenciesOf, daysFrom, isEmpty, tasksOf, totalOf, volumesOf } from './figures.ts'

const volume = (date: string, currency: string, direction: 'INBOUND' | 'OUTBOUND', amount: string, count = 1) => ({
  date,
  currency,
  direction,
  amount,
  count,
})

const statistics: Pick<Statistics, 'since' | 'volumes' | 'balances'> = {
  since: '2027-02-27',
  volumes: [
    volume('2027-02-27', 'EUR', 'OUTBOUND', '10.50'),
    volume('2027-03-01', 'EUR', 'OUTBOUND', '0.25'),
    volume('2027-03-01', 'USD', 'INBOUND', '99.00', 3),
  ],
  balances: [{ currency: 'CHF', accounts: 1, current_balance: '1.00', reserved_balance: '0.00', available_balance: '1.00' }],
}

test('days follow each other, over the end of a month', () => {
  assert.deepEqual(daysFrom('2027-02-27', 3), ['2027-02-27', '2027-02-28', '2027-03-01'])
})

test('volumes have every day, in and out', () => {
  const [received, sent] = volumesOf(statistics, { currency: 'EUR', days: 3 })
  assert.deepEqual(
    sent?.points.map(({ value }) => value),
    ['10.50', '0', '0.25'],
  )
  assert.ok(sent && received)
  assert.equal(totalOf(sent), '10.75')
  assert.equal(totalOf(received), '0')
})

test('the most used currency is first', () => {
  assert.deepEqual(currenciesOf(statistics), ['USD', 'EUR', 'CHF'])
})

test('only what waits is a task, and counts say where they stop', () => {
  const attention = { transfers: 3, transfers_to_sign: 0, failed_deliveries: 100, disabled_endpoints: 1, clients_in_verification: 0 }
  assert.deepEqual(
    tasksOf({ attention }).map(({ text }) => text),
    ['3 transfers stuck', '100 or more webhook deliveries failed', '1 webhook endpoint disabled'],
  )
  assert.equal(atLeast(1, 'client'), '1 client')
})

test('a venture is empty until it has an account or a transfer', () => {
  assert.ok(isEmpty({ balances: [], transfers_by_status: [] }))
  assert.ok(!isEmpty({ balances: statistics.balances, transfers_by_status: [] }))
})
