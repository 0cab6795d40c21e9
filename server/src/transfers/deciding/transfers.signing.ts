// Signatures: which orders need one, who may sign, and what the signature binds. The hash binds it to what the signer has seen: the
// amounts, the payee and the date of this one transfer.
import { hash } from 'node:crypto'
import type { Actor } from '../../platform/actor.ts'
import type { Policy } from '../../policies/policies.ts'
import { fromNumeric } from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { flowVariantOf } from '../life/transfers.flows.ts'
import type { TransferUpdate } from '../life/transfers.schemas.ts'

/** The signed fields, in order. They never change. `verify` recomputes the hash. */
export const signedFields = [
  'id',
  'debit_amount',
  'debit_currency',
  'credit_amount',
  'credit_currency',
  'cr_name',
  'cr_iban',
  'cr_account_id',
  'cr_bank_bic',
  'cr_bank_name',
  'settlement_date',
] as const satisfies readonly (keyof TransferRow)[]

type Signed = Pick<TransferRow, (typeof signedFields)[number]>

/** One field per line, an empty line for null. No field can contain a line break, so two transfers never have the same text. */
export function signedHashOf(transfer: Signed): string {
  return hash('sha256', signedFields.map((field) => transfer[field] ?? '').join('\n'))
}

/** Whether an order of a venture needs a signature before the bank carries it out. The amount is compared in its own currency. */
export function needsSignature(transfer: TransferRow, { sign_above }: Pick<Policy, 'sign_above'>): boolean {
  const canBeSigned = flowVariantOf(transfer).next.CREATED.includes('TO_SIGN')
  return canBeSigned && sign_above !== null && fromNumeric(transfer.debit_amount) > fromNumeric(sign_above)
}

/** Why an actor may not sign a transfer; undefined if it may. */
export function signerFault(
  { id, ordered_by }: Pick<TransferRow, 'id' | 'ordered_by'>,
  { signer }: Pick<Policy, 'signer'>,
  actor: Actor,
): string | undefined {
  if (signer === 'any') return undefined
  if (signer === 'user' && actor.kind !== 'user') return 'A person of the venture has to sign it in a session; a key cannot.'
  if (actor.id === null || actor.id === ordered_by) return 'The signer must not be the person or key that ordered the transfer.'
  // Ids begin with the time. Without this check, the orderer could rotate the key and sign with the new one.
  if (actor.kind === 'venture' && actor.id > id) return 'The key was made after the order, so it may belong to the orderer.'
  return undefined
}

export function requireSigner(transfer: TransferRow, policy: Pick<Policy, 'signer'>, actor: Actor): void {
  const detail = signerFault(transfer, policy, actor)
  if (detail !== undefined) refuse('signer_not_allowed', { detail, signer: policy.signer })
}

/** A signer who sends the hash of what they have seen signs exactly that. */
export function requireSameHash(transfer: TransferRow, { status, signed_hash }: TransferUpdate): void {
  if (signed_hash == null) return
  if (status !== 'SIGNED') refuseField('signed_hash', 'is only allowed with the status SIGNED')
  if (signed_hash !== signedHashOf(transfer)) refuse('signature_mismatch')
}
