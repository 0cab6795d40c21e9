// How much card money can be paid out, and how much can be given back to payers.
import type { Reader, Tx } from '../../platform/database/database.ts'
import { formatMoney, fromNumeric, type Money, moneyText } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import { type Funds, type SettingsRow, selectFunds, selectPayoutAccount } from './payments.payouts.sql.ts'

/** What the bank has decided about payouts. `card_fee` is the share of a payout that the bank keeps, such as 0.014. */
export type PayoutPolicy = { card_fee: string; payout_delay_days: number }

const day_ms = 86_400_000

/** What was paid after this time is too recent to be paid out. Null if there is no delay. */
export function cutoffOf({ payout_delay_days }: PayoutPolicy, now = Date.now()): string | null {
  return payout_delay_days === 0 ? null : new Date(now - payout_delay_days * day_ms).toISOString()
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

/**
 * Refuses to give back more than is payable to the venture or available on its payout account. The bank could not get the rest back. The
 * settings must be locked, so that of two such requests one sees the other; a venture without settings was never paid anything, so all of
 * its card money is here.
 */
export async function requireFunds(
  tx: Tx,
  settings: SettingsRow | undefined,
  { currency, amount }: { currency: string; amount: Money },
): Promise<void> {
  if (settings === undefined || amount === 0n) return
  const { venture_id, payout_account_id } = settings
  const [all, account] = await Promise.all([
    fundsOf(tx, venture_id, null),
    payout_account_id === null ? undefined : tx.first(selectPayoutAccount(venture_id, payout_account_id)),
  ])
  const funds = all.get(currency)
  const payable = funds === undefined ? 0n : fromNumeric(funds.payable) - fromNumeric(funds.leaving)
  const balance = account?.currency === currency ? fromNumeric(account.available) : 0n
  const covered = payable + (balance > 0n ? balance : 0n)
  if (amount <= covered) return
  refuse('payable_insufficient', {
    detail:
      `${moneyText(amount, currency)} would go back to the payer, but only ${moneyText(payable, currency)} of card money is payable ` +
      `and ${moneyText(balance > 0n ? balance : 0n, currency)} is available on the payout account.`,
    payable: formatMoney(payable, currency),
    available_balance: formatMoney(balance, currency),
  })
}
