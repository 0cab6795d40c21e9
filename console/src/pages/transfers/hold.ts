// Whether money of the account is held for a transfer. A hold is no entry, so the history says it.
import type { Transfer } from '@vostro/sdk'
import { sumOf } from '../../ui/amounts.ts'
import { money } from '../../ui/words.ts'
import { phases, type Step } from './machine.ts'

/** Statuses that nothing follows. */
export const ends: readonly string[] = phases.find(([name]) => name === 'End')?.[1] ?? []

type Held = Pick<Transfer, 'direction' | 'status' | 'transfer_type' | 'debit_amount' | 'debit_currency' | 'fx_fee_amount'>

/** What leaves the account: the amount and the fee. */
export const totalOf = ({ debit_amount, debit_currency, fx_fee_amount }: Omit<Held, 'direction' | 'status' | 'transfer_type'>): string =>
  money(sumOf([debit_amount, fx_fee_amount ?? '0']), debit_currency)

export function holdOf(transfer: Held, history: readonly Step[]): string | null {
  if (transfer.direction !== 'OUTBOUND' || !history.some(({ to_status }) => to_status === 'RESERVED')) return null
  if (transfer.status === 'COMPLETED') return transfer.transfer_type === 'CARD_AUTH' ? 'Used up by the clearings' : 'Booked'
  if (ends.includes(transfer.status)) return 'Released'
  return transfer.transfer_type === 'CARD_AUTH' ? `Up to ${totalOf(transfer)}, less what was cleared` : totalOf(transfer)
}
