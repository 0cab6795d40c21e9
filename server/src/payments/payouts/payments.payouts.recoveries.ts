// Recoveries: payouts in the other direction. Money that is refunded after it was paid out is taken back from the payout account, immediately.

import type { Tx } from '../../platform/database/database.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { Transfer } from '../../transfers/life/transfers.schemas.ts'
import { recordRecovery, type Transfers } from '../../transfers/transfers.ts'
import { formatMoney, fromNumeric, type Money, moneyText } from '../../values/money.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import { fundsOf, payableOf } from './payments.payouts.funds.ts'
import { storePayouts } from './payments.payouts.row.ts'
import { type SettingsRow, selectPayoutAccount } from './payments.payouts.sql.ts'

/** `recovered_for`: the external_refund_id of the refund, or the id of the canceled payment. */
type GivenBack = { payment_id: string; recovered_for: string; currency: string; amount: Money }

/**
 * Makes sure that the bank has the money for a refund: what is not payable is taken from the payout account, or the request is refused. So
 * a venture can never take payable below zero; the gateway can by itself, and the venture's next refund, or its next payments, make up for
 * it. The settings must be locked, so that of two such requests one sees the other.
 */
export async function coverRefund(
  tx: Tx,
  transfers: Transfers,
  { venture_id, payout_account_id }: SettingsRow,
  { payment_id, recovered_for, currency, amount }: GivenBack,
): Promise<void> {
  if (amount === 0n) return
  const payable = payableOf((await fundsOf(tx, venture_id, null)).get(currency))
  if (amount <= payable) return
  const account = payout_account_id === null ? undefined : await tx.first(selectPayoutAccount(venture_id, payout_account_id))
  const missing = amount - payable
  const refused = (reason: string): never =>
    refuse('payable_insufficient', {
      detail:
        `${moneyText(amount, currency)} would go back to the payer, but only ${moneyText(payable, currency)} of card money is payable, and ` +
        `${moneyText(missing, currency)} cannot be taken from the payout account: ${reason}`,
      payable: formatMoney(payable, currency),
      available_balance: formatMoney(account?.currency === currency ? fromNumeric(account.available) : 0n, currency),
    })
  if (account === undefined) return refused('the venture has none.')
  if (account.currency !== currency) return refused(`it is in ${account.currency}.`)
  const recovery = { venture_id, account_id: account.id, amount: missing, purpose: 'Refund of card payments' }
  const { id: transfer_id, created_at } = await recordRecovery(tx, transfers, recovery).catch((error: unknown): Transfer => {
    if (error instanceof Refusal) return refused(error.message)
    throw error
  })
  const taken = formatMoney(-missing, currency)
  storePayouts(tx, [
    {
      venture_id,
      id: uuidv7(),
      account_id: account.id,
      transfer_id,
      payment_id,
      currency,
      amount: taken,
      fee_amount: formatMoney(0n, currency),
      net_amount: taken,
      description: null,
      run_on: null,
      created_at,
      sequence: 1,
      recovered_for,
      free_amount: formatMoney(0n, currency),
    },
  ])
}
