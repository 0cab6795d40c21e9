// The figures of transaction monitoring, updated with each batch: how much an account pays and receives per settlement day, and whom it has
// paid. They cover only payments that the bank processes, and leave out those that failed.
import type { Money } from '../../values/money.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { amountOnAccount, isMonitored, payeeOf } from '../life/transfers.monitored.ts'
import { isTerminal, type TransferDirection } from '../life/transfers.status.ts'
import type { Batch } from './transfers.batch.ts'

type OfAccount = { venture_id: string; account_id: string }

/** How much one day of an account changes. */
export type DayOfAccount = OfAccount & { direction: TransferDirection; day: string; payments: number; amount: Money }

export type PaidPayee = OfAccount & { payee: string }

export type Activity = { more: DayOfAccount[]; less: DayOfAccount[]; payees: PaidPayee[] }

/** What the moves of a batch change. The accounts of all moved transfers are locked. */
export function activityOf(batch: Pick<Batch, 'newMoves' | 'transfer'>): Activity {
  const [more, less] = [new Map<string, DayOfAccount>(), new Map<string, DayOfAccount>()]
  const payees = new Map<string, PaidPayee>()
  for (const { venture_id, transfer_id, from_status, to_status } of batch.newMoves) {
    const isEnd = isTerminal(to_status)
    if (from_status !== null && !isEnd) continue
    const transfer = batch.transfer(venture_id, transfer_id)
    if (transfer === undefined || !isMonitored(transfer)) continue
    if (from_status === null) count(more, transfer)
    if (isEnd && to_status !== 'COMPLETED') count(less, transfer)
    const payee = to_status === 'COMPLETED' && transfer.direction === 'OUTBOUND' ? payeeOf(transfer) : null
    const { account_id } = transfer
    if (payee !== null) payees.set(`${account_id} ${payee}`, { venture_id, account_id, payee })
  }
  return { more: [...more.values()], less: [...less.values()], payees: [...payees.values()] }
}

function count(days: Map<string, DayOfAccount>, transfer: TransferRow): void {
  const { venture_id, account_id, direction, settlement_date: day } = transfer
  const key = `${account_id} ${direction} ${day}`
  const { payments, amount } = days.get(key) ?? { payments: 0, amount: 0n }
  days.set(key, { venture_id, account_id, direction, day, payments: payments + 1, amount: amount + amountOnAccount(transfer) })
}
