// Signatures: which orders need one, who may give it, and what it binds. The hash binds the signature to what the signer has seen: the
// amounts, the payee and the date of this one transfer.
import { hash } from 'node:crypto'
import type { Actor } from '../../platform/actor.ts'
import type { Policy } from '../../policies/policies.ts'
import { fromNumeric } from '../../values/money.ts'
import { refuse, refuseField } from '../../values/refusals.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { flowVariantOf } from '../life/transfers.flows.ts'
import type { TransferUpdate } from '../life/transfers.schemas.ts'

/** What is signed, in this order. None of it ever changes. `verify` computes the hash again. */
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

/** One field in each line, an empty line for null. No field can contain a line break, so two transfers never have the same text. */
export function signedHashOf(transfer: Signed): string {
  return hash('sha256', signedFields.map((field) => transfer[field] ?? '').join('\n'))
}

/** Whether an order of a venture has to be signed before the bank carries it out. The amount is compared in its own currency. */
export function needsSignature(transfer: TransferRow, { sign_above }: Pick<Policy, 'sign_above'>): boolean {
  const canBeSigned = flowVariantOf(transfer).next.CREATED.includes('TO_SIGN')
  return canBeSigned && sign_above !== null && fromNumeric(transfer.debit_amount) > fromNumeric(sign_above)
}

/** Why somebody may not sign a transfer; undefined if they may. */
export function signerFault(
  { id, ordered_by }: Pick<TransferRow, 'id' | 'ordered_by'>,
  { signer }: Pick<Policy, 'signer'>,
  actor: Actor,
): string | undefined {
  if (signer === 'any') return undefined
  if (signer === 'user' && actor.kind !== 'user') return 'A person of the venture signs it, in a session, not a key.'
  if (actor.id === null || actor.id === ordered_by) return 'Somebody else than who ordered the transfer signs it.'
  // Ids begin with the time. Otherwise whoever has ordered could replace the key, and sign with the new one.
  if (actor.kind === 'venture' && actor.id > id) return 'The key was made after the order, so it may be that of who ordered the transfer.'
  return undefined
}

export function requireSigner(transfer: TransferRow, policy: Pick<Policy, 'signer'>, actor: Actor): void {
  const detail = signerFault(transfer, policy, actor)
  if (detail !== undefined) refuse('signer_not_allowed', { detail, signer: policy.signer })
}

/** Whoever sends the hash of what they have seen signs that and nothing else. */
export function requireSameHash(transfer: TransferRow, { status, signed_hash }: TransferUpdate): void {
  if (signed_hash == null) return
  if (status !== 'SIGNED') refuseField('signed_hash', 'is only allowed with the status SIGNED')
  if (signed_hash !== signedHashOf(transfer)) refuse('signature_mismatch')
}
