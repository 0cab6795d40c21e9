// The text of a QR code that requests a credit transfer to an account, according to the guidelines EPC069-12, version 002. The payer's
// banking app reads it and fills in the form.
import { parseCreditorReference } from '../values/creditor-reference.ts'
import { isSepaIban } from '../values/iban.ts'
import { decimalsRule, formatMoney, parseMoney } from '../values/money.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import type { EpcQr } from './accounts.schemas.ts'
import type { AccountRow } from './accounts.sql.ts'

type Payee = Pick<AccountRow, 'account_number' | 'currency' | 'status'> & { holder_name: string; bic: string }

/** The guidelines allow 331 bytes, the capacity of a QR code of version 13 with error correction level M. */
const mostBytes = 331
/**
 * The guidelines allow 70 characters. Rare characters take four bytes, and everything except the purpose must fit together with the name.
 */
const mostName = { characters: 70, bytes: 200 }
const largest = '999999999.99'

/** One line for each element, in the order of the guidelines. Empty elements at the end are left out. */
export function epcText(payee: Payee, query: EpcQr): string {
  requireReachable(payee)
  if (query.purpose !== undefined && query.structured_reference !== undefined)
    refuseField('purpose', 'cannot be used together with structured_reference')
  const elements = [
    'BCD',
    '002',
    // The character set: UTF-8.
    '1',
    'SCT',
    payee.bic,
    nameOf(payee.holder_name),
    payee.account_number,
    query.amount === undefined ? '' : `EUR${amountOf(query.amount)}`,
    query.purpose_code ?? '',
    parseCreditorReference(query.structured_reference ?? '') ?? '',
    query.purpose ?? '',
  ]
  const text = elements.join('\n').trimEnd()
  const excess = Buffer.byteLength(text) - mostBytes
  if (excess > 0) refuseField('purpose', `must be ${excess} bytes shorter in UTF-8, so that the QR code is not too large`)
  return text
}

function nameOf(holder: string): string {
  const characters = Array.from(holder).slice(0, mostName.characters)
  while (Buffer.byteLength(characters.join('')) > mostName.bytes) characters.pop()
  return characters.join('').trim()
}

function requireReachable({ account_number, currency, status }: Payee): void {
  if (currency !== 'EUR') refuse('epc_qr_not_possible', { detail: `The account is in ${currency}, but an EPC QR code requests euros.` })
  if (status !== 'ACTIVE') refuse('epc_qr_not_possible', { detail: `The account is ${status}. Only an ACTIVE account receives payments.` })
  if (!isSepaIban(account_number)) refuse('epc_qr_not_possible', { detail: `SEPA does not reach the account number ${account_number}.` })
}

function amountOf(text: string): string {
  const amount = parseMoney(text, 'EUR') ?? refuseField('amount', decimalsRule('EUR'))
  if (amount === 0n || amount > (parseMoney(largest, 'EUR') ?? 0n)) refuseField('amount', `must be between 0.01 and ${largest}`)
  return formatMoney(amount, 'EUR')
}
