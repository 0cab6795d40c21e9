// What a signature covers: the amounts, the payee and the date shown to the signer. The service refuses the hash of anything else.
import type { Transfer } from '@vostro/sdk'

const signedFields = [
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
] as const satisfies readonly (keyof Transfer)[]

export type Signed = Pick<Transfer, (typeof signedFields)[number]>

export async function signedHashOf(transfer: Signed): Promise<string> {
  const text = signedFields.map((field) => transfer[field] ?? '').join('\n')
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
