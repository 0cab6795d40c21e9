// How much card money is payable, and how much of it can be paid out.
import { now } from '../../platform/clock.ts'
import type { Reader } from '../../platform/database/database.ts'
import { fromNumeric, type Money } from '../../values/money.ts'
import { type Funds, selectFunds } from './payments.payouts.sql.ts'

/** The bank's settings for payouts. `card_fee` is the share of a payout that the bank keeps, such as 0.014. */
export type PayoutPolicy = { card_fee: string; payout_delay_days: number }

const day_ms = 86_400_000

/** Money that was paid after this time is too recent to be paid out. Null if there is no delay. */
export function cutoffOf({ payout_delay_days }: PayoutPolicy, at_ms = now().getTime()): string | null {
  return payout_delay_days === 0 ? null : new Date(at_ms - payout_delay_days * day_ms).toISOString()
}

export async function fundsOf(reader: Reader, venture_id: string, cutoff: string | null): Promise<Map<string, Funds>> {
  const rows = await reader.rows(selectFunds([venture_id], cutoff))
  return new Map(rows.map((row) => [row.currency, row]))
}

/** What can be paid out now. */
export function ripeOf(funds: Funds | undefined): Money {
  if (funds === undefined) return 0n
  const ripe = fromNumeric(funds.payable) - fromNumeric(funds.recent) - fromNumeric(funds.leaving_ripe)
  return ripe > 0n ? ripe : 0n
}

/** What is payable and not about to be refunded. Below zero if the gateway gave back more than was left. */
export function payableOf(funds: Funds | undefined): Money {
  return funds === undefined ? 0n : fromNumeric(funds.payable) - fromNumeric(funds.leaving)
}

/** The part of a payout without a fee: its money was paid out before, and taken back for nothing. */
export function freeOf(funds: Funds | undefined, amount: Money): Money {
  const free = funds === undefined ? 0n : fromNumeric(funds.free)
  return free < amount ? free : amount
}
