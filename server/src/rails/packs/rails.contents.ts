// The content of a payment's message. A transfer in, a transaction out, or the reason why the scheme could not carry it. Plain data, for
// the dry run and the collecting step.
import {
  addressIncomplete,
  type CreditTransfer,
  type DirectDebit,
  endToEndIdOf,
  findTransactionFault,
  hybridAddress,
  isSepaReference,
  needsAddress,
  type Return,
  sepaName,
  sepaRemittance,
  sepaText,
  txIdOf,
} from '../../iso20022/iso20022.ts'
import { profileOf, type Rail } from '../../schemes/schemes.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import type { PaymentParty } from '../../transfers/life/transfers.details.ts'
import { methods } from '../../transfers/life/transfers.methods.ts'
import { fromNumeric, type Money } from '../../values/money.ts'
import type { PackKind } from './rails.payments.ts'

/** Amount and currency are stored in columns of their own. */
type Content<Transaction> = Omit<Transaction, 'amount' | 'currency'>

export type Contents = { CREDIT_TRANSFER: Content<CreditTransfer>; DIRECT_DEBIT: Content<DirectDebit>; RETURN: Content<Return> }

export type Leaving = { amount: Money; currency: string }

/** `code`: the `status_reason_code` of a transfer that becomes INVALID. */
export type ContentFault = { code: string; reason: string }

export type Composed<Kind extends PackKind> = { content: Contents[Kind] } | { fault: ContentFault }

/** The banks that a rail reaches, by the first eight characters of their BIC; undefined if it reaches all. */
export type Reachable = ReadonlySet<string> | undefined

/** What a collection needs from its mandate. */
export type CollectionMandate = {
  mandate_reference: string
  mandate_signed_on: string
  creditor_id: string
  scheme: 'CORE' | 'B2B'
  sequence_type: 'FRST' | 'RCUR' | 'FNAL' | 'OOFF'
}

const fault = (code: string, reason: string): { fault: ContentFault } => ({ fault: { code, reason } })

/** The side outside the bank: the account's side may be in another currency. */
export function amountOf(
  transfer: Pick<TransferRow, 'direction' | 'credit_amount' | 'credit_currency' | 'debit_amount' | 'debit_currency'>,
): Leaving {
  return transfer.direction === 'OUTBOUND'
    ? { amount: fromNumeric(transfer.credit_amount), currency: transfer.credit_currency }
    : { amount: fromNumeric(transfer.debit_amount), currency: transfer.debit_currency }
}

function amountFault(transfer: TransferRow): { fault: ContentFault } | undefined {
  const { amount, currency } = amountOf(transfer)
  const { currencies, largest } = methods[transfer.method]
  if (currencies !== 'any' && !currencies.includes(currency))
    return fault('currency_not_carried', `${transfer.method} carries no ${currency}.`)
  return largest !== null && amount > largest
    ? fault('amount_too_large', `The amount is larger than ${transfer.method} carries.`)
    : undefined
}

type Side = { name: string; address?: NonNullable<ReturnType<typeof hybridAddress>> }

function sideOf(transfer: TransferRow, side: 'cr' | 'dr'): Side | undefined {
  const name = sepaName(transfer[`${side}_name`] ?? '')?.sent
  const address = hybridAddress({
    address: transfer[`${side}_address`],
    city: transfer[`${side}_city`],
    postal_code: transfer[`${side}_postal_code`],
    country: transfer[`${side}_country_code`],
  })
  return name === undefined ? undefined : { name, ...(address && { address }) }
}

/** The creditor's reference or the payer's text: the schemes carry only one of them. */
function remittanceOf({
  structured_reference,
  structured_reference_issuer,
  purpose,
}: TransferRow): Pick<CreditTransfer, 'remittance' | 'references'> {
  if (structured_reference !== null && isSepaReference(structured_reference)) {
    const issuer = sepaText(structured_reference_issuer ?? '', 35)?.sent
    return { references: [{ type: 'SCOR', ...(issuer !== undefined && { issuer }), reference: structured_reference }] }
  }
  const words = sepaRemittance(purpose ?? '')?.sent
  return words === undefined ? {} : { remittance: [words] }
}

/** Codes of the external lists have four characters. Others are not sent. */
function purposeCode(code: string | null): string | undefined {
  return code !== null && /^[A-Z0-9]{1,4}$/.test(code) ? code : undefined
}

const bicOf = (bic: string | null): string | undefined => (bic === null ? undefined : bic.toUpperCase())

/** If only the IBAN of a bank is known, the scheme finds the bank. */
function isUnreachable(bic: string | undefined, reachable: Reachable): boolean {
  return bic !== undefined && reachable !== undefined && !reachable.has(bic.slice(0, 8))
}

/** An order may name its own reference for the payee. */
function idsOf({ id, unique_reference, details }: TransferRow): { tx_id: string; end_to_end_id: string } {
  const tx_id = txIdOf(id)
  return { tx_id, end_to_end_id: details?.end_to_end_id ?? endToEndIdOf(unique_reference, tx_id) }
}

/** The parties for which payer and payee act. The schemes carry a BIC or an LEI. */
function ultimateParties({ details: { ultimate_debtor, ultimate_creditor } = {} }: TransferRow) {
  const [debtor, creditor] = [ultimateParty(ultimate_debtor), ultimateParty(ultimate_creditor)]
  return { ...(debtor && { ultimate_debtor: debtor }), ...(creditor && { ultimate_creditor: creditor }) }
}

function ultimateParty(party: PaymentParty | undefined) {
  if (party === undefined) return undefined
  const { name = '', lei, bic } = party
  const sent = sepaName(name)?.sent
  return { ...(sent !== undefined && { name: sent }), ...(lei !== undefined ? { lei } : bic !== undefined && { bic }) }
}

/** How long the scheme gives an instant payment, from its order to the answer. */
export const execution_ms = 10_000

/**
 * When an instant payment was received, which its message states: with its order. If it has waited for its day, for money, for a signature or for people, with
 * the end of that.
 */
export function receivedAt({ created_at, updated_at }: Pick<TransferRow, 'created_at' | 'updated_at'>): string {
  return Date.parse(updated_at) - Date.parse(created_at) <= execution_ms ? created_at : updated_at
}

export function composeCreditTransfer(transfer: TransferRow, reachable: Reachable): Composed<'CREDIT_TRANSFER'> {
  const wrongAmount = amountFault(transfer)
  if (wrongAmount !== undefined) return wrongAmount
  const { dr_iban, cr_iban } = transfer
  if (dr_iban === null || cr_iban === null) return fault('iban_missing', 'The payment lacks the IBAN of the payer or the payee.')
  const [debtor, creditor] = [sideOf(transfer, 'dr'), sideOf(transfer, 'cr')]
  if (debtor === undefined || creditor === undefined)
    return fault('name_missing', 'The name of the payer or the payee has no letter that the scheme carries.')
  if (needsAddress(dr_iban, cr_iban) && debtor.address === undefined)
    return fault(addressIncomplete, 'The scheme requires the address of the payer, with town and country.')
  const creditor_bic = bicOf(transfer.cr_bank_bic)
  if (isUnreachable(creditor_bic, reachable))
    return fault('bank_unreachable', `${transfer.method} does not reach the bank ${creditor_bic}.`)
  const { instant } = methods[transfer.method]
  const category_purpose = purposeCode(transfer.category_purpose_code)
  const purpose = purposeCode(transfer.purpose_code)
  const content: Contents['CREDIT_TRANSFER'] = {
    ...idsOf(transfer),
    payment_type: {
      ...profileOf(transfer.method as Rail).payment_type,
      ...(category_purpose !== undefined && { category_purpose }),
    },
    ...(instant && { accepted_at: receivedAt(transfer) }),
    charge_bearer: 'SLEV',
    debtor,
    debtor_iban: dr_iban,
    debtor_bic: transfer.dr_bank_bic ?? undefined,
    creditor,
    creditor_iban: cr_iban,
    creditor_bic,
    ...(purpose !== undefined && { purpose }),
    ...ultimateParties(transfer),
    ...remittanceOf(transfer),
  }
  return checked('pacs.008.001.08', content, transfer)
}

export function composeDirectDebit(
  transfer: TransferRow,
  mandate: CollectionMandate | undefined,
  reachable: Reachable,
): Composed<'DIRECT_DEBIT'> {
  const wrongAmount = amountFault(transfer)
  if (wrongAmount !== undefined) return wrongAmount
  if (mandate === undefined) return fault('mandate_missing', 'The collection has no active mandate.')
  const { dr_iban, cr_iban } = transfer
  if (dr_iban === null || cr_iban === null) return fault('iban_missing', 'The collection lacks the IBAN of the debtor or the creditor.')
  const [debtor, creditor] = [sideOf(transfer, 'dr'), sideOf(transfer, 'cr')]
  if (debtor === undefined || creditor === undefined)
    return fault('name_missing', 'The name of the debtor or the creditor has no letter that the scheme carries.')
  if (needsAddress(dr_iban, cr_iban) && debtor.address === undefined)
    return fault(addressIncomplete, 'The scheme requires the address of the debtor, with town and country.')
  const debtor_bic = bicOf(transfer.dr_bank_bic)
  if (isUnreachable(debtor_bic, reachable)) return fault('bank_unreachable', `${transfer.method} does not reach the bank ${debtor_bic}.`)
  const { scheme, sequence_type, ...named } = mandate
  const purpose = purposeCode(transfer.purpose_code)
  const content: Contents['DIRECT_DEBIT'] = {
    ...idsOf(transfer),
    payment_type: { ...profileOf(transfer.method as Rail).payment_type, local_instrument: scheme, sequence_type },
    charge_bearer: 'SLEV',
    collection_date: transfer.settlement_date,
    ...named,
    creditor,
    creditor_iban: cr_iban,
    creditor_bic: transfer.cr_bank_bic ?? undefined,
    debtor,
    debtor_iban: dr_iban,
    debtor_bic,
    ...(purpose !== undefined && { purpose }),
    ...ultimateParties(transfer),
    ...remittanceOf(transfer),
  }
  return checked('pacs.003.001.08', content, transfer)
}

/** Finds everything that the message could not carry before the payment is in a pack with others. */
function checked<Kind extends PackKind>(
  type: 'pacs.008.001.08' | 'pacs.003.001.08',
  content: Contents[Kind],
  transfer: TransferRow,
): Composed<Kind> {
  const found = findTransactionFault(type, { ...content, ...amountOf(transfer) } as never)
  return found === undefined ? { content } : fault('message_invalid', found.message)
}
