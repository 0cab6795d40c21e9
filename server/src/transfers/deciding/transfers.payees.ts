// The payee verification that the bank may require before a venture's payment.
import { isFresh, type Verification } from '../../payees/payees.ts'
import type { Policy } from '../../policies/policies.ts'
import { refuse } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import type { Batch } from './transfers.batch.ts'

/** What an order stores about the check: the verification it relied on, and a note for later readers. */
export type CheckedPayee = { payee_verification_id?: string; status_reason?: string }

type Check = { order: Pick<TransferOrder, 'payee_check_accepted'>; policy: Pick<Policy, 'payee_check'>; now: Date }

/** Whether the payee of an order can be verified: only a payment to an IBAN. For money that goes back, the account is known from its arrival. */
export function isVerifiable({ direction, transfer_type, cr_iban }: Pick<TransferRow, 'direction' | 'transfer_type' | 'cr_iban'>): boolean {
  return direction === 'OUTBOUND' && transfer_type === 'PAYMENT' && cr_iban !== null
}

/** Refuses an order whose payee was not verified as the policy requires. */
export function checkPayee(batch: Batch, transfer: TransferRow, { order, policy, now }: Check): CheckedPayee {
  if (policy.payee_check === 'off' || !isVerifiable(transfer)) return {}
  const isRequired = policy.payee_check === 'require'
  const found = batch.verification(transfer)
  if (found === undefined || !isFresh(found, now)) {
    return isRequired ? refuse('payee_check_required') : { status_reason: 'The payee was not verified.' }
  }
  const { id: payee_verification_id, result, matched_name } = found
  const accepted = order.payee_check_accepted === true
  if (isRequired && !accepted && (result === 'CLOSE_MATCH' || result === 'NO_MATCH'))
    refuse('payee_check_not_accepted', { result, matched_name, payee_verification_id })
  const status_reason = noteOf(found, accepted)
  return { payee_verification_id, ...(status_reason === undefined ? {} : { status_reason }) }
}

function noteOf({ result, reason }: Verification, accepted: boolean): string | undefined {
  const by = accepted ? 'The payer has accepted it.' : 'The payer has been told.'
  switch (result) {
    case 'MATCH':
      return undefined
    case 'CLOSE_MATCH':
      return `The name of the payee is not quite that of the account. ${by}`
    case 'NO_MATCH':
      return `The name of the payee is not that of the account. ${by}`
    case 'NOT_POSSIBLE':
      return `The payee could not be verified (${reason}).`
  }
}
