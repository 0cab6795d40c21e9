// The books are the same in whatever order, and however often, messages of other banks arrive.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Seen } from '../../testing/testing.otherbank.ts'
import { openRails } from '../../testing/testing.rails.ts'

const rails = await openRails()
const { other, bank, venture, rows, takeIn, booksAreRight } = rails

/** The fate of a payment at the other bank, and every message that reports it. */
const fates: Record<string, ((payment: Seen) => string)[]> = {
  paid: [
    (payment) => other.answer([payment], 'ACSP'),
    (payment) => other.answer([payment], 'ACSC'),
    (payment) => other.answerRecall(payment, 'RJCR'),
  ],
  rejected: [(payment) => other.answer([payment], 'ACTC'), (payment) => other.answer([payment], 'RJCT', { reason: 'AC04' })],
  returned: [
    (payment) => other.answer([payment], 'ACSP'),
    (payment) => other.answer([payment], 'ACSC'),
    (payment) => other.giveBack([payment], { return_id: `R${payment.tx_id}` }),
  ],
  recalled: [
    (payment) => other.answerRecall(payment, 'ACCR'),
    (payment) => other.answer([payment], 'ACSC'),
    (payment) => other.giveBack([payment], { return_id: `R${payment.tx_id}`, amount: '9.00', charges: '1.00', reason: 'FOCR' }),
  ],
}
const names = Object.keys(fates)

/** The final books of one payer. */
async function booksOf(account_id: string): Promise<object> {
  const [account] = await rows('select current_balance, reserved_balance from accounts where id = $1', account_id)
  const entries = await rows(
    `select system_account, sum(amount)::text as sum from entries
     where cause_id in (select id from transfers where account_id = $1) and system_account is not null group by system_account order by system_account`,
    account_id,
  )
  const transfers = await rows(
    'select status, transfer_type, debit_amount from transfers where account_id = $1 order by 1, 2, 3',
    account_id,
  )
  const payments = await rows(
    'select state, count(*)::int from rail_payments where transfer_id in (select id from transfers where account_id = $1) group by state order by state',
    account_id,
  )
  const asked = await rows(
    'select state, count(*)::int from recalls where transfer_id in (select id from transfers where account_id = $1) group by state order by state',
    account_id,
  )
  return { account, entries, transfers, payments, asked }
}

/** One payer with a payment for each fate. `schedule` gives the order of the messages as positions in a list, which may repeat and be shuffled. */
async function play(schedule: readonly number[]): Promise<object> {
  const payer = await rails.payer('1000.00')
  const { account_id, beneficiary_id } = payer
  const orders = []
  for (const name of names)
    orders.push({ name, transfer: await venture.createTransfer({ account_id, beneficiary_id, debit_amount: '10.00' }) })
  await rails.sendOut()
  const messages: (() => string)[] = []
  for (const { name, transfer } of orders) {
    const payment = await other.payment(transfer)
    await venture.post(`/transfers/${transfer.id}/recalls`, { reason: 'DUPL' })
    for (const message of fates[name] ?? []) messages.push(() => message(payment))
  }
  const order = schedule.map((place) => place % messages.length)
  // Everything arrives at least once.
  for (const place of [...order, ...messages.keys()]) {
    messages[place]?.()
    if (place % 3 === 0) await bank.runInbox()
  }
  await takeIn()
  return booksOf(account_id)
}

test('any order and repetition of answers, returns and answers to recalls gives the same books', async () => {
  const expected = await play([])
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(1_000), { minLength: 4, maxLength: 16 }), async (schedule) => {
      assert.deepEqual(await play(schedule), expected)
    }),
    { numRuns: 12 },
  )
  assert.equal((await rails.openCases('break')).length, 0)
  await booksAreRight()
})
