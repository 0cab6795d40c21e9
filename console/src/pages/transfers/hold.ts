// Whether the account holds money for a transfer. A hold is not a ledger entry, so it is derived from the history.
import type { Transfer } from '@vostro/sdk'
import { sumOf } from '../../ui/amounts.ts'
import { money } from '../../ui/words.ts'
import { phases, type Step } from './machine.ts'

/** Final statuses. */
export const ends: readonly string[] = phases.find(([name]) => name === 'End')?.[1] ?? []

type Held = Pick<Transfer, 'direction' | 'status' | 'transfer_type' | 'debit_amount' | 'debit_currency' | 'fx_fee_amount'>

/** The total debit: amount plus fee. */
export const totalOf = ({ debit_amount, debit_currency, fx_fee_amount }: Omit<Held, 'direction' | 'status' | 'transfer_type'>): string =>
  money(sumOf([debit_amount, fx_fee_amount ?? '0']), debit_currency)

export function holdOf(transfer: Held, history: readonly Step[]): string | null {
  if (transfer.direction !== 'OUTBOUND' || !history.some(({ to_status }) => to_status === 'RESERVED')) return null
  if (transfer.status === 'COMPLETED') return transfer.transfer_type === 'CARD_AUTH' ? 'Used by clearings' : 'Booked'
  if (ends.includes(transfer.status)) return 'Released'
  return transfer.transfer_type === 'CARD_AUTH' ? `Up to ${totalOf(transfer)}, minus cleared amounts` : totalOf(transfer)
}
