// Derives a new transfer from an order. An account, a reference, a beneficiary and an amount are enough to derive direction, method,
// type, both sides and the dates. Fields in the order are kept unchanged; the beneficiary decides where the money goes.
import { isSepaIban, parseIban } from '../../values/iban.ts'
import { fromNumeric, moneyText } from '../../values/money.ts'
import { either, refuse } from '../../values/refusals.ts'
import { isBookType } from '../life/transfers.flows.ts'
import { newStanding } from '../life/transfers.guards.ts'
import { amountFault, carriersOf, methods } from '../life/transfers.methods.ts'
import type { TransferDirection, TransferMethod, TransferType } from '../life/transfers.status.ts'
import type { TransferRow } from '../transfers.columns.ts'
import type { TransferOrder } from '../transfers.schemas.ts'
import { type Amounts, amountsOf } from './transfers.amounts.ts'
import type { BatchAccount, BatchBeneficiary, BatchClient } from './transfers.batch.ts'

export type BankIdentity = { bic: string; name: string }

export function directionOf(order: TransferOrder, account: BatchAccount): TransferDirection {
  return order.direction ?? (order.cr_iban === account.account_number ? 'INBOUND' : 'OUTBOUND')
}

export function typeOf(order: TransferOrder): TransferType {
  return order.transfer_type ?? 'PAYMENT'
}

type Sides = {
  account: BatchAccount
  client: BatchClient
  bank: BankIdentity
  beneficiary: BatchBeneficiary | undefined
  /** The account of the same venture that has the beneficiary's IBAN. */
  receiver: BatchAccount | undefined
}

type Moment = { id: string; now: Date; today: string }

export function derive(
  order: TransferOrder,
  { account, client, bank, beneficiary, receiver }: Sides,
  { id, now, today }: Moment,
): TransferRow {
  const direction = directionOf(order, account)
  const transfer_type = typeOf(order)
  const method = methodOf(order, { direction, transfer_type, account, beneficiary, receiver })
  const { internal, instant, settlementDate } = methods[method]
  if (direction === 'OUTBOUND') requireReachable(method, { account, beneficiary, receiver })
  requireBeneficiaryIban(order, direction, beneficiary)
  requireValidIbans(order, method)
  const amounts = amountsOf(order, { direction, currency: account.currency, otherCurrency: internal ? receiver?.currency : undefined })
  requireCarriedAmount(method, direction, amounts)
  return {
    id,
    account_id: account.id,
    unique_reference: order.unique_reference,
    direction,
    method,
    transfer_type,
    is_instant: instant || (order.is_instant ?? false),
    purpose: order.purpose ?? null,
    settlement_date: order.settlement_date ?? settlementDate(today),
    ...amounts,
    ...creditorOf(order, { direction, account, client, bank, beneficiary }),
    ...debtorOf(order, { direction, account, client, bank }),
    beneficiary_id: order.beneficiary_id ?? null,
    parent_transaction_id: order.parent_transaction_id ?? null,
    category_purpose_code: order.category_purpose_code ?? null,
    purpose_code: order.purpose_code ?? null,
    structured_reference: order.structured_reference ?? null,
    structured_reference_issuer: order.structured_reference_issuer ?? null,
    ...unsetUpdateFields,
    created_at: now.toISOString(),
    updated_at: now.toISOString(),
    ...newStanding,
    venture_id: account.venture_id,
    sequence: 1,
    hold: 0n,
    suspended: 0n,
    counted_on: null,
    receiver_account_id: internal ? (receiver?.id ?? null) : null,
  }
}

/** Fields that are null until a later update sets them. */
export const unsetUpdateFields = {
  bank_partner_id: null,
  bank_partner_trx_id: null,
  signed_at: null,
  status_reason: null,
  status_reason_code: null,
  third_party_status: null,
  third_party_status_code: null,
  third_party_status_reason: null,
}

type MethodInputs = {
  direction: TransferDirection
  transfer_type: TransferType
  account: BatchAccount
  beneficiary: BatchBeneficiary | undefined
  receiver: BatchAccount | undefined
}

function methodOf(order: TransferOrder, { direction, transfer_type, account, beneficiary, receiver }: MethodInputs): TransferMethod {
  const { method } = order
  if (method != null) {
    const { ordered, carries } = methods[method]
    if (!ordered.includes(direction)) {
      refuse('transfer_method_invalid', {
        detail: `A transfer over ${method} is created on the account that pays: it must be ${either(ordered)}.`,
      })
    }
    if (!carries.has(transfer_type)) {
      const carriers = either(carriersOf(transfer_type))
      refuse('transfer_method_invalid', { detail: `A transfer of type ${transfer_type} needs the method ${carriers}, not ${method}.` })
    }
    return method
  }
  if (transfer_type.startsWith('CARD_')) return 'CARD'
  if (order.is_instant) return 'INST'
  // A fee or an adjustment is booked on the venture's own accounts, whatever beneficiary the order names.
  if (direction === 'OUTBOUND' && receiver !== undefined && !isBookType(transfer_type)) return 'INTERNAL'
  const iban = direction === 'OUTBOUND' ? beneficiary?.iban : (order.dr_iban ?? account.account_number)
  const currency = (direction === 'OUTBOUND' ? order.credit_currency : order.debit_currency) ?? account.currency
  if (currency === 'EUR' && iban != null && parseIban(iban) !== undefined && isSepaIban(iban)) return 'SEPA'
  return beneficiary?.routing_number != null ? 'DOMESTIC' : 'SWIFT'
}

function requireReachable(
  method: TransferMethod,
  { account, beneficiary = refuse('beneficiary_required'), receiver }: Pick<MethodInputs, 'account' | 'beneficiary' | 'receiver'>,
): void {
  const { missing, internal } = methods[method]
  const lacks = missing({ beneficiary, paying_account_id: account.id, receiver_account_id: receiver?.id })
  if (lacks !== undefined) refuse('beneficiary_invalid', { detail: `${method} cannot reach this beneficiary: ${lacks}.` })
  const current_status = receiver?.status
  if (!internal || current_status === 'ACTIVE') return
  const remedy = current_status === 'CLOSED' ? 'Choose another beneficiary.' : 'Activate it, or choose another beneficiary.'
  refuse('receiver_not_active', { detail: `The receiving account is ${current_status}, not ACTIVE. ${remedy}`, current_status })
}

/** Checks the amount that leaves or enters the bank. */
function requireCarriedAmount(method: TransferMethod, direction: TransferDirection, amounts: Amounts): void {
  const side = direction === 'OUTBOUND' ? 'credit' : 'debit'
  const currency = amounts[`${side}_currency`]
  const fault = amountFault(methods[method], fromNumeric(amounts[`${side}_amount`]), currency)
  if (fault === undefined) return
  const detail =
    fault.kind === 'currency'
      ? `${method} carries ${either(fault.currencies)}, not ${currency}.`
      : `${method} carries at most ${moneyText(fault.largest, currency)} in one transfer.`
  refuse('transfer_method_invalid', { detail })
}

function requireBeneficiaryIban({ cr_iban }: TransferOrder, direction: TransferDirection, beneficiary: BatchBeneficiary | undefined): void {
  if (direction === 'OUTBOUND' && cr_iban != null && cr_iban !== beneficiary?.iban) refuse('beneficiary_mismatch')
}

function requireValidIbans({ cr_iban, dr_iban }: TransferOrder, method: TransferMethod): void {
  if (!methods[method].requiresValidIbans) return
  for (const [field, iban] of Object.entries({ cr_iban, dr_iban })) {
    if (iban == null || parseIban(iban) !== undefined) continue
    const message = `must be a valid IBAN, because the method is ${method}`
    refuse('invalid_iban', { detail: `${field} ${message}.`, errors: [{ field, message }] })
  }
}

type Party = {
  direction: TransferDirection
  account: BatchAccount
  client: BatchClient
  bank: BankIdentity
  beneficiary?: BatchBeneficiary | undefined
}

function creditorOf(order: TransferOrder, { direction, account, client, bank, beneficiary }: Party) {
  const defaults = direction === 'INBOUND' ? ownSide(account, client, bank) : beneficiarySide(beneficiary)
  return {
    cr_name: order.cr_name ?? defaults.name,
    cr_iban: order.cr_iban ?? defaults.iban,
    cr_bank_bic: order.cr_bank_bic ?? defaults.bank_bic,
    cr_account_id: defaults.account_id,
    cr_address: order.cr_address ?? defaults.address,
    cr_bank_name: order.cr_bank_name ?? defaults.bank_name,
    cr_city: order.cr_city ?? defaults.city,
    cr_country_code: order.cr_country_code ?? defaults.country_code,
    cr_postal_code: order.cr_postal_code ?? defaults.postal_code,
  }
}

function debtorOf(order: TransferOrder, { direction, account, client, bank }: Party) {
  const defaults = direction === 'OUTBOUND' ? ownSide(account, client, bank) : emptySide
  return {
    dr_name: order.dr_name ?? defaults.name,
    dr_iban: order.dr_iban ?? defaults.iban,
    dr_bank_bic: order.dr_bank_bic ?? defaults.bank_bic,
    dr_account_id: defaults.account_id,
    dr_address: order.dr_address ?? defaults.address,
    dr_bank_name: order.dr_bank_name ?? defaults.bank_name,
    dr_city: order.dr_city ?? defaults.city,
    dr_country_code: order.dr_country_code ?? defaults.country_code,
    dr_postal_code: order.dr_postal_code ?? defaults.postal_code,
  }
}

type Side = Record<
  'name' | 'iban' | 'bank_bic' | 'account_id' | 'address' | 'bank_name' | 'city' | 'country_code' | 'postal_code',
  string | null
>

const emptySide: Side = {
  name: null,
  iban: null,
  bank_bic: null,
  account_id: null,
  address: null,
  bank_name: null,
  city: null,
  country_code: null,
  postal_code: null,
}

function ownSide({ account_number }: BatchAccount, client: BatchClient, bank: BankIdentity): Side {
  return {
    // First and last name may have 140 characters each, so together they may be too long. Cut by code points: half a surrogate pair
    // would be refused by the database.
    name: Array.from(`${client.first_name} ${client.last_name}`).slice(0, 140).join(''),
    iban: account_number,
    bank_bic: bank.bic,
    account_id: null,
    address: client.address,
    bank_name: bank.name,
    city: client.city,
    country_code: client.country_code,
    postal_code: client.postcode,
  }
}

function beneficiarySide(beneficiary: BatchBeneficiary | undefined): Side {
  if (beneficiary === undefined) return emptySide
  const { name, iban, bic, swift_code, account_number, address, bank_name, city, country_code, postal_code } = beneficiary
  return { name, iban, bank_bic: bic ?? swift_code, account_id: account_number, address, bank_name, city, country_code, postal_code }
}
