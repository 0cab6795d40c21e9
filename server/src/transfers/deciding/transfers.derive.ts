// Derives a new transfer from an order. Account, reference, beneficiary and amount are enough to derive direction, method, type, both sides
// and dates. Fields of the order stay unchanged; the beneficiary decides where the money goes.
import type { MandateRow } from '../../mandates/mandates.ts'
import type { Participations, RailBook } from '../../schemes/schemes.ts'
import { refuse } from '../../values/refusals.ts'
import { edition, type TransferRow } from '../life/transfers.columns.ts'
import type { TransferDetails } from '../life/transfers.details.ts'
import { isBookType } from '../life/transfers.flows.ts'
import { newStanding } from '../life/transfers.guards.ts'
import { earliestSettlement, methods } from '../life/transfers.methods.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import type { TransferDirection, TransferMethod, TransferType } from '../life/transfers.status.ts'
import type { Amounts } from './transfers.amounts.ts'
import type { BatchAccount, BatchBeneficiary, BatchClient, Quotes } from './transfers.batch.ts'
import { chooseMethod } from './transfers.choose.ts'
import { isReclaiming } from './transfers.parents.ts'

/** `participations`: how the bank takes part in schemes. Absent where nothing leaves it, as in a simulation. */
export type BankIdentity = { bic: string; name: string; participations?: Participations }

export function directionOf(order: Pick<TransferOrder, 'direction' | 'cr_iban' | 'mandate_id'>, account: BatchAccount): TransferDirection {
  return order.direction ?? (order.mandate_id != null || order.cr_iban === account.account_number ? 'INBOUND' : 'OUTBOUND')
}

export function typeOf(order: Pick<TransferOrder, 'transfer_type'>): TransferType {
  return order.transfer_type ?? 'PAYMENT'
}

type Sides = {
  account: BatchAccount
  client: BatchClient
  bank: BankIdentity
  beneficiary: BatchBeneficiary | undefined
  /** The account of the same venture that has the beneficiary's IBAN. */
  receiver: BatchAccount | undefined
  parent: TransferRow | undefined
  /** The mandate of a collection. */
  mandate?: MandateRow | undefined
  /** The bank's rates and rails, for the transfers that it processes. */
  quotes: Quotes
  rails: RailBook
}

/**
 * `exempt`: the transfer books a fact. `arrived`: it books money that another bank sent, unchanged. `on_us`: incoming money comes from
 * within the bank; false for outgoing money that must leave it. `ordered`: it can still be refused for what the bank cannot send.
 */
type Moment = {
  id: string
  now: Date
  today: string
  ordered_by_bank: boolean
  ordered_by?: string | null
  /** People of the bank have ordered the payment. `approval_id`: set with four-eyes approval. */
  agreed?: { approval_id: string | null } | undefined
  exempt?: boolean
  arrived?: boolean
  ordered?: boolean
  on_us?: boolean | undefined
  details?: TransferDetails | undefined
}

export function derive(order: TransferOrder, sides: Sides, moment: Moment): TransferRow {
  const { account, beneficiary, receiver, parent } = sides
  const direction = directionOf(order, account)
  const transfer_type = typeOf(order)
  const rates = account.managed ? sides.quotes.rates : undefined
  const taking = account.managed && moment.ordered === true ? { book: sides.rails, now: moment.now } : undefined
  const parties = { direction, transfer_type, account, beneficiary, receiver, parent, rates, arrived: moment.arrived ?? false, taking }
  return newTransfer(order, sides, moment, chooseMethod(order, parties))
}

/** What an order may leave out, and what the transfer copies from it. */
function toldBy(order: Omit<TransferOrder, 'account_id'>) {
  const { purpose = null, beneficiary_id = null, parent_transaction_id = null } = order
  const { category_purpose_code = null, purpose_code = null, structured_reference = null, structured_reference_issuer = null } = order
  return {
    purpose,
    beneficiary_id,
    parent_transaction_id,
    category_purpose_code,
    purpose_code,
    structured_reference,
    structured_reference_issuer,
  }
}

/** The row of a new transfer whose method and amounts have been chosen. */
export function newTransfer(
  order: Omit<TransferOrder, 'account_id'>,
  { account, client, bank, beneficiary, receiver, parent, mandate, quotes, rails }: Sides,
  { id, now, today, ordered_by_bank, ordered_by = null, agreed, exempt = false, on_us, details }: Moment,
  { method, amounts, quoted }: { method: TransferMethod; amounts: Amounts; quoted: boolean },
): TransferRow {
  const direction = directionOf(order, account)
  const transfer_type = typeOf(order)
  const { internal, instant } = methods[method]
  const byTerms = account.managed ? rails.earliestSettlement(method, today, now) : undefined
  const earliest_settlement_date = byTerms ?? earliestSettlement(method, today)
  const settlement_date = order.settlement_date ?? earliest_settlement_date
  if (quoted && settlement_date > earliest_settlement_date) refuse('exchange_not_today', { earliest_settlement_date })
  const returned = isReclaiming(transfer_type) && !isBookType(transfer_type) ? parent : undefined
  const creditor = creditorOf(order, { direction, account, client, bank, beneficiary, returned })
  const debtor = debtorOf(order, { direction, account, client, bank, returned, mandate })
  const told = toldBy(order)
  const created_at = now.toISOString()
  // Written field by field: each spread would add properties one by one and change the shape of the object each time.
  return {
    id,
    account_id: account.id,
    unique_reference: order.unique_reference,
    direction,
    method,
    transfer_type,
    is_instant: instant,
    purpose: told.purpose,
    settlement_date,
    debit_amount: amounts.debit_amount,
    debit_currency: amounts.debit_currency,
    credit_amount: amounts.credit_amount,
    credit_currency: amounts.credit_currency,
    exchange_rate: amounts.exchange_rate,
    fx_fee_amount: amounts.fx_fee_amount,
    cr_name: creditor.cr_name,
    cr_iban: creditor.cr_iban,
    cr_bank_bic: creditor.cr_bank_bic,
    cr_account_id: creditor.cr_account_id,
    cr_address: creditor.cr_address,
    cr_bank_name: creditor.cr_bank_name,
    cr_city: creditor.cr_city,
    cr_country_code: creditor.cr_country_code,
    cr_postal_code: creditor.cr_postal_code,
    dr_name: debtor.dr_name,
    dr_iban: debtor.dr_iban,
    dr_bank_bic: debtor.dr_bank_bic,
    dr_account_id: debtor.dr_account_id,
    dr_address: debtor.dr_address,
    dr_bank_name: debtor.dr_bank_name,
    dr_city: debtor.dr_city,
    dr_country_code: debtor.dr_country_code,
    dr_postal_code: debtor.dr_postal_code,
    beneficiary_id: told.beneficiary_id,
    parent_transaction_id: told.parent_transaction_id,
    mandate_id: mandate?.id ?? null,
    authentication: agreed ? 'BANK' : null,
    approval_id: agreed?.approval_id ?? null,
    category_purpose_code: told.category_purpose_code,
    purpose_code: told.purpose_code,
    structured_reference: told.structured_reference,
    structured_reference_issuer: told.structured_reference_issuer,
    bank_partner_id: null,
    bank_partner_trx_id: null,
    signed_at: null,
    signed_hash: null,
    status_reason: null,
    status_reason_code: null,
    third_party_status: null,
    third_party_status_code: null,
    third_party_status_reason: null,
    created_at,
    updated_at: created_at,
    status: newStanding.status,
    on_hold_from: newStanding.on_hold_from,
    scanned: newStanding.scanned,
    screened: newStanding.screened,
    held: newStanding.held,
    sent: newStanding.sent,
    received: newStanding.received,
    venture_id: account.venture_id,
    sequence: 1,
    notes: 0,
    findings: 0,
    hold: 0n,
    suspended: 0n,
    counted_on: null,
    counted_amount: 0n,
    authorised_on: null,
    authorised_amount: 0n,
    edition,
    receiver_account_id: internal ? (receiver?.id ?? null) : null,
    managed: account.managed,
    ordered_by_bank,
    exempt,
    on_hold_by_bank: false,
    ordered_by: account.managed ? ordered_by : null,
    payee_verification_id: null,
    details,
    detailed: details !== undefined,
    on_us: isBookType(transfer_type)
      ? false
      : direction === 'INBOUND'
        ? on_us === true
        : on_us !== false && account.managed && staysInBank(method, { beneficiary, returned }),
    rate_until: quoted ? new Date(now.getTime() + quotes.holdOf(account.venture_id) * 1000).toISOString() : null,
  }
}

/** Whether sent money goes to an account in this bank whose transfers the bank processes. Money that came from within the bank goes back there. */
function staysInBank(
  method: TransferMethod,
  { beneficiary, returned }: { beneficiary: BatchBeneficiary | undefined; returned: TransferRow | undefined },
): boolean {
  if (returned !== undefined) return returned.on_us
  const { flow, address } = methods[method]
  return flow.OUTBOUND === 'sending' && address !== 'number' && beneficiary?.on_us === true
}

type Party = {
  direction: TransferDirection
  account: BatchAccount
  client: BatchClient
  bank: BankIdentity
  beneficiary?: BatchBeneficiary | undefined
  /** The transfer whose money comes back. */
  returned?: TransferRow | undefined
  mandate?: MandateRow | undefined
}

function creditorOf(order: Omit<TransferOrder, 'account_id'>, { direction, account, client, bank, beneficiary, returned }: Party) {
  // The bank's side names no beneficiary when it takes money back.
  const other = beneficiary === undefined && returned !== undefined ? debitSide(returned) : beneficiarySide(beneficiary)
  const defaults = direction === 'INBOUND' ? ownSide(account, client, bank) : other
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

function debtorOf(order: Omit<TransferOrder, 'account_id'>, { direction, account, client, bank, returned, mandate }: Party) {
  const other = mandate === undefined ? emptySide : { ...emptySide, name: mandate.debtor_name, iban: mandate.debtor_iban }
  const defaults = direction === 'OUTBOUND' ? ownSide(account, client, bank) : returned === undefined ? other : creditSide(returned)
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
    name: cutName(`${client.first_name} ${client.last_name}`),
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

/**
 * First and last name may have 140 characters each, so together they may be too long. Cut by code points: the database would refuse half a
 * surrogate pair.
 */
function cutName(name: string): string {
  return name.length <= mostInName ? name : Array.from(name).slice(0, mostInName).join('')
}

const mostInName = 140

/** Returned money comes from the side it went to. */
function creditSide(transfer: TransferRow): Side {
  return {
    name: transfer.cr_name,
    iban: transfer.cr_iban,
    bank_bic: transfer.cr_bank_bic,
    account_id: transfer.cr_account_id,
    address: transfer.cr_address,
    bank_name: transfer.cr_bank_name,
    city: transfer.cr_city,
    country_code: transfer.cr_country_code,
    postal_code: transfer.cr_postal_code,
  }
}

/** Money that is taken back goes to the side it came from. */
function debitSide(transfer: TransferRow): Side {
  return {
    name: transfer.dr_name,
    iban: transfer.dr_iban,
    bank_bic: transfer.dr_bank_bic,
    account_id: transfer.dr_account_id,
    address: transfer.dr_address,
    bank_name: transfer.dr_bank_name,
    city: transfer.dr_city,
    country_code: transfer.dr_country_code,
    postal_code: transfer.dr_postal_code,
  }
}

function beneficiarySide(beneficiary: BatchBeneficiary | undefined): Side {
  if (beneficiary === undefined) return emptySide
  const { name, iban, bic, swift_code, account_number, address, bank_name, city, country_code, postal_code } = beneficiary
  return { name, iban, bank_bic: bic ?? swift_code, account_id: account_number, address, bank_name, city, country_code, postal_code }
}
