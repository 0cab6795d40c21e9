// Accounts with a history, for tests: entries at any time, booked in any order, as instances with different clocks would.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { idAt } from '../platform/http/lists.ts'
import { formatMoney, fromNumeric, type Money } from '../values/money.ts'
import type { Bank, VentureCaller } from './testing.ts'

export type Booking = { at: string; amount: Money }
export type HistoryAccount = { venture: VentureCaller; id: string; currency: string }

/** The id of an entry: its time and something random. */
export const entryIdAt = (time: string): string => idAt(time).slice(0, 19) + randomUUID().slice(19)

/** Books amounts against the venture's adjustments, in one statement, because the database checks that each is balanced. */
export async function bookHistory(bank: Bank, { venture, id, currency }: HistoryAccount, bookings: readonly Booking[]): Promise<void> {
  if (bookings.length === 0) return
  const { rows } = await bank.owner.query('select current_balance from accounts where id = $1', [id])
  let balance = fromNumeric(rows[0].current_balance)
  const cause = randomUUID()
  const entries = bookings.flatMap(({ at, amount }) => {
    balance += amount
    const journal_id = randomUUID()
    const shared = { venture_id: venture.venture.id, journal_id, cause_kind: 'transfer', cause_id: cause, currency, created_at: at }
    const own = { ...shared, id: entryIdAt(at), account_id: id, system_account: null }
    const other = { ...shared, id: randomUUID(), account_id: null, system_account: `adjustments:${currency}`, balance: null }
    return [
      { ...own, amount: formatMoney(amount, currency), balance: formatMoney(balance, currency) },
      { ...other, amount: formatMoney(-amount, currency) },
    ]
  })
  await bank.owner.query(
    `insert into entries (venture_id, id, journal_id, cause_kind, cause_id, account_id, system_account, currency, amount, balance, created_at)
     select venture_id, id, journal_id, cause_kind, cause_id, account_id, system_account, currency, amount, balance, created_at
     from json_populate_recordset(null::entries, $1)`,
    [JSON.stringify(entries)],
  )
  const current = formatMoney(balance, currency)
  const { rowCount } = await bank.owner.query(
    'update accounts set current_balance = $2, debt = greatest(0, reserved_balance - $2) where id = $1',
    [id, current],
  )
  assert.equal(rowCount, 1)
}
