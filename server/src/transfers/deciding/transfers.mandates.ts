// The mandate of a collection. Only the bank's side, and ventures that process their own transfers, may collect without one.
import { type MandateRow, refuseInactive } from '../../mandates/mandates.ts'
import { refuse } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { methods } from '../life/transfers.methods.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import type { TransferMethod } from '../life/transfers.status.ts'
import type { Batch, BatchAccount } from './transfers.batch.ts'

type Collection = Pick<TransferRow, 'direction' | 'transfer_type'> & { method: TransferMethod | undefined }

/** Whether a method collects incoming money by direct debit. */
export const collects = (method: TransferMethod): boolean => methods[method].flow.INBOUND === 'collecting'

/** The mandate that an order names, after checking that it allows the order; undefined if the order names none. */
export function mandateFor(
  batch: Batch,
  account: BatchAccount,
  order: Pick<TransferOrder, 'mandate_id' | 'dr_name' | 'dr_iban'>,
  { direction, transfer_type, method }: Collection,
): MandateRow | undefined {
  if (order.mandate_id == null) return undefined
  const { venture_id } = account
  const mandate = batch.mandate(venture_id, order.mandate_id) ?? refuseMandate('The venture has no mandate with this id.')
  if (direction !== 'INBOUND' || transfer_type !== 'PAYMENT' || (method !== undefined && !collects(method)))
    refuseMandate('A mandate is for a collection: an INBOUND PAYMENT over SDD. Leave direction, transfer_type and method out.')
  if (mandate.account_id !== account.id) refuseMandate('The mandate is for another account.')
  requireSame('dr_iban', order.dr_iban, mandate.debtor_iban)
  requireSame('dr_name', order.dr_name, mandate.debtor_name)
  if (mandate.state !== 'ACTIVE') refuseInactive(mandate.state)
  if (mandate.sequence_type === 'OOFF' && batch.isUsed(mandate))
    refuseMandate('The mandate is for one collection, and another transfer has used it. Ask the debtor for another mandate.')
  return mandate
}

/** Order and mandate must name the same debtor. */
function requireSame(field: 'dr_iban' | 'dr_name', given: string | null | undefined, signed: string): void {
  if (given != null && given !== signed) refuseMandate(`${field} is not that of the debtor who signed the mandate: leave it out.`)
}

function refuseMandate(detail: string): never {
  refuse('mandate_invalid', { detail })
}
