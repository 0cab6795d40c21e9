// The methods. One record defines everything that depends on a transfer's method. A method added to the list in transfers.status.ts does not
// compile until its record is complete.
import type { Beneficiary } from '../../beneficiaries/beneficiaries.ts'
import type { SystemAccount } from '../../ledger/ledger.ts'
import { addTargetDays, subtractTargetDays } from '../../values/calendar.ts'
import { isEeaIban, isSepaIban } from '../../values/iban.ts'
import { fromNumeric, type Money } from '../../values/money.ts'
import {
  type Flow,
  type TransferDirection,
  type TransferMethod,
  type TransferStatus,
  type TransferType,
  transferMethods,
  transferTypes,
  typeGroups,
} from './transfers.status.ts'

export type Method = {
  /** What it is, where its name does not say it. */
  meaning: string | null
  /** The flow in each direction, except for types that are booked on the venture's own accounts. */
  flow: Record<TransferDirection, Flow>
  /** The directions that an order may have. The service itself records the receiving side of an internal transfer. */
  ordered: readonly TransferDirection[]
  carries: ReadonlySet<TransferType>
  /** Further types, which only the service records, already completed. No order can have them. */
  records: ReadonlySet<TransferType>
  /** Types that only reduce the hold of their parent. A hold of their own would require funds in order to release funds. */
  releases: ReadonlySet<TransferType>
  /** The currencies that may leave or enter the bank. */
  currencies: 'any' | readonly string[]
  /** Whether the amount on the account may be in another currency than the amount that leaves or enters the bank. */
  exchanges: boolean
  /** The largest amount that may leave or enter the bank; null if the rail has no limit. */
  largest: Money | null
  /** Both sides are accounts of the same venture. */
  internal: boolean
  instant: boolean
  /** Transfers must be screened before they complete. */
  screened: boolean
  /** IBANs in an order must be valid, and the other side's must be of a SEPA country. Other rails accept any text. */
  sepa: boolean
  /** The orders without a method for which it is tried. */
  derived: readonly Derivation[]
  /** How money finds the other side: by IBAN, by account number and bank, by IBAN where there is one, or by the card. */
  address: 'iban' | 'number' | 'iban_or_number' | 'card'
  /** What a beneficiary lacks for the rail to reach it; undefined if nothing. */
  missing(destination: Destination): string | undefined
  /** How many TARGET days before its settlement date a transfer is sent. */
  lead_days: number
  /** Whether a venture may order payments over this rail if the bank processes its transfers. */
  ventureOrders: boolean
  /** For how many days after settlement a venture may reclaim a debit; null if it may not. */
  refund_days: number | null
  /** The venture's system account on the other side when money leaves or enters the bank. */
  settlement: SystemAccount
  /** How ISO 20022 calls what comes in and what goes out, on a statement. */
  codes: { credit: StatementCode; debit: StatementCode }
}

/** What an order without a method may be. */
export type Derivation = 'card' | 'mandate' | 'instant' | 'withinVenture' | TransferDirection

export type StatementCode = readonly [family: string, subfamily: string]

export type Destination = {
  beneficiary: Pick<Beneficiary, 'iban' | 'account_number' | 'routing_number' | 'bic' | 'swift_code'>
  paying_account_id: string
  /** The account of the same venture that has the beneficiary's IBAN. */
  receiver_account_id: string | undefined
}

const bothDirections: readonly TransferDirection[] = ['INBOUND', 'OUTBOUND']
const outboundOnly: readonly TransferDirection[] = ['OUTBOUND']

const payments = transferTypes.filter((type) => typeGroups[type] === 'payment')
const bookings = transferTypes.filter((type) => typeGroups[type] === 'booking')
const cards = transferTypes.filter((type) => typeGroups[type] === 'card')

const noType: ReadonlySet<TransferType> = new Set()

const euros: readonly string[] = ['EUR']
const dollars: readonly string[] = ['USD']
/** The largest amount of a SEPA message. */
const largestOfSepa = fromNumeric('999999999.99')

function missingSepaIban({ beneficiary: { iban } }: Destination): string | undefined {
  if (iban === null) return 'it has no IBAN'
  return isSepaIban(iban) ? undefined : 'its IBAN is not of a SEPA country'
}

function missingSepaIbanOrBic(destination: Destination): string | undefined {
  const { iban, bic, swift_code } = destination.beneficiary
  const missing = missingSepaIban(destination)
  if (missing !== undefined || iban === null || isEeaIban(iban)) return missing
  return bic === null && swift_code === null ? 'it has no BIC, and its IBAN is of a country outside the EEA' : undefined
}

function missingAccount({ paying_account_id, receiver_account_id }: Destination): string | undefined {
  if (receiver_account_id === undefined) return 'its IBAN does not belong to an account of this venture'
  return receiver_account_id === paying_account_id ? 'it is the paying account itself' : undefined
}

const network = {
  meaning: null,
  flow: { OUTBOUND: 'sending', INBOUND: 'receiving' },
  ordered: bothDirections,
  carries: new Set([...payments, ...bookings]),
  records: noType,
  releases: noType,
  internal: false,
  screened: true,
  ventureOrders: true,
  refund_days: null,
} as const
const book = { flow: { OUTBOUND: 'book', INBOUND: 'book' } } as const
const betweenAccounts = {
  ...book,
  meaning: null,
  ordered: outboundOnly,
  // A fee or an adjustment has no receiver: INTERNAL would credit another client without screening and outside the limits.
  carries: new Set(payments),
  records: noType,
  releases: noType,
  internal: true,
  instant: false,
  screened: true,
  address: 'iban',
  lead_days: 0,
  ventureOrders: true,
  refund_days: null,
} as const
const anyAmount = { currencies: 'any', exchanges: true, largest: null, sepa: false } as const

export const methods: Record<TransferMethod, Method> = {
  SEPA: {
    ...network,
    derived: bothDirections,
    currencies: euros,
    exchanges: false,
    largest: largestOfSepa,
    instant: false,
    sepa: true,
    address: 'iban',
    missing: missingSepaIbanOrBic,
    lead_days: 1,
    settlement: 'settlement:SEPA',
    codes: { credit: ['RCDT', 'ESCT'], debit: ['ICDT', 'ESCT'] },
  },
  INST: {
    ...network,
    derived: ['instant'],
    meaning: 'SEPA instant',
    currencies: euros,
    exchanges: false,
    largest: largestOfSepa,
    instant: true,
    sepa: true,
    address: 'iban',
    missing: missingSepaIbanOrBic,
    lead_days: 0,
    settlement: 'settlement:INST',
    codes: { credit: ['RRCT', 'ESCT'], debit: ['IRCT', 'ESCT'] },
  },
  DOMESTIC: {
    ...network,
    ...anyAmount,
    derived: outboundOnly,
    currencies: dollars,
    instant: false,
    address: 'number',
    missing: ({ beneficiary: { routing_number, account_number } }) =>
      routing_number === null || account_number === null ? 'it needs a routing number and an account number' : undefined,
    lead_days: 2,
    settlement: 'settlement:DOMESTIC',
    codes: { credit: ['RCDT', 'DMCT'], debit: ['ICDT', 'DMCT'] },
  },
  SWIFT: {
    ...network,
    ...anyAmount,
    derived: bothDirections,
    instant: false,
    address: 'iban_or_number',
    missing: ({ beneficiary: { iban, bic, swift_code, routing_number } }) =>
      [iban, bic, swift_code, routing_number].every((detail) => detail === null)
        ? 'it needs an IBAN, or an account number with a BIC, a SWIFT code or a routing number'
        : undefined,
    lead_days: 2,
    settlement: 'settlement:SWIFT',
    codes: { credit: ['RCDT', 'XBCT'], debit: ['ICDT', 'XBCT'] },
  },
  SDD: {
    ...network,
    derived: ['mandate'],
    meaning: 'SEPA direct debit',
    flow: { OUTBOUND: 'collected', INBOUND: 'collecting' },
    ventureOrders: false,
    // Eight weeks.
    refund_days: 56,
    currencies: euros,
    exchanges: true,
    largest: largestOfSepa,
    instant: false,
    sepa: true,
    address: 'iban',
    missing: missingSepaIban,
    lead_days: 1,
    settlement: 'settlement:SDD',
    codes: { credit: ['IDDT', 'ESDD'], debit: ['RDDT', 'ESDD'] },
  },
  INTERNAL: {
    ...betweenAccounts,
    ...anyAmount,
    derived: ['withinVenture'],
    meaning: 'between two accounts of the venture',
    missing: missingAccount,
    settlement: 'settlement:INTERNAL',
    codes: { credit: ['RCDT', 'BOOK'], debit: ['ICDT', 'BOOK'] },
  },
  SDD_INTERNAL: {
    ...betweenAccounts,
    derived: [],
    ventureOrders: false,
    currencies: euros,
    exchanges: true,
    largest: largestOfSepa,
    sepa: true,
    missing: (destination) => missingSepaIban(destination) ?? missingAccount(destination),
    settlement: 'settlement:SDD_INTERNAL',
    codes: { credit: ['IDDT', 'ESDD'], debit: ['RDDT', 'ESDD'] },
  },
  CARD: {
    ...book,
    ...anyAmount,
    derived: ['card'],
    meaning: null,
    ordered: bothDirections,
    carries: new Set(cards),
    // Card money paid out to the venture's account, or taken back from it.
    records: new Set<TransferType>(['PAYMENT']),
    releases: new Set<TransferType>(['CARD_REVERSAL']),
    internal: false,
    instant: false,
    // The card scheme screens merchants, and an authorisation cannot wait.
    screened: false,
    address: 'card',
    missing: () => undefined,
    lead_days: 0,
    ventureOrders: false,
    refund_days: null,
    settlement: 'settlement:CARD',
    codes: { credit: ['MCRD', 'POSP'], debit: ['CCRD', 'POSD'] },
  },
}

/** One sentence for each method whose name does not say what it is. */
export const methodMeanings: string = Object.entries(methods)
  .flatMap(([method, { meaning }]) => (meaning === null ? [] : [`${method}: ${meaning}.`]))
  .join(' ')

/** The methods that are tried for an order that names none, in the order of their records: nothing in an INBOUND order tells a domestic payment. */
export const candidates = Object.fromEntries(
  (['card', 'mandate', 'instant', 'withinVenture', 'INBOUND', 'OUTBOUND'] satisfies Derivation[]).map((order) => [
    order,
    (Object.keys(methods) as TransferMethod[]).filter((method) => methods[method].derived.includes(order)),
  ]),
) as unknown as Readonly<Record<Derivation, readonly [TransferMethod, ...TransferMethod[]]>>

/** The earliest settlement date of a transfer that is sent today: the default date of an order. */
export function earliestSettlement(method: TransferMethod, today: string): string {
  return addTargetDays(today, methods[method].lead_days)
}

/** The day on which a transfer must be sent to settle on its date. */
export function sendingDay({ method, settlement_date }: { method: TransferMethod; settlement_date: string }): string {
  return subtractTargetDays(settlement_date, methods[method].lead_days)
}

/** The methods by which money arrives in one of the flows. */
export function methodsOf(flow: Flow): TransferMethod[] {
  return transferMethods.filter((method) => methods[method].flow.INBOUND === flow)
}

/** An instant payment of another bank that we have accepted: it is final when the clearing system says so, and only then. */
export function awaitsScheme({ direction, method, transfer_type, status }: Awaiting): boolean {
  return direction === 'INBOUND' && methods[method].instant && transfer_type === 'PAYMENT' && status === 'ACCEPTED'
}

type Awaiting = { direction: TransferDirection; method: TransferMethod; transfer_type: TransferType; status: TransferStatus }

/** Whether its payments leave the bank or come from outside, so that a scheme has to carry them. */
export function leavesBank(method: TransferMethod): boolean {
  return methods[method].flow.OUTBOUND !== 'book'
}

/** The methods that carry a type of transfer. */
export function carriersOf(type: TransferType): TransferMethod[] {
  return transferMethods.filter((method) => methods[method].carries.has(type))
}

/** The method over which the service records a type that cannot be ordered there. */
export function recorderOf(type: TransferType): TransferMethod {
  const recorder = transferMethods.find((method) => methods[method].records.has(type))
  if (recorder === undefined) throw new Error(`no method records a ${type}`)
  return recorder
}

/** The amount that leaves or enters the bank, and the currency of the account. */
export type CarriedAmount = { amount: Money; currency: string; account_currency: string }

/** What a rail carries. `smallest`: only where the bank has set one. */
export type Carrying = Pick<Method, 'currencies' | 'exchanges' | 'largest'> & { smallest?: Money | null }

/** Why a rail cannot carry an amount; undefined if it can. */
export function amountFault(rail: Carrying, { amount, currency, account_currency }: CarriedAmount): AmountFault | undefined {
  if (!carriesCurrencies(rail, currency, account_currency)) return 'currency'
  return (rail.largest !== null && amount > rail.largest) || (rail.smallest != null && amount < rail.smallest) ? 'amount' : undefined
}

export function carriesCurrencies(
  { currencies, exchanges }: Pick<Method, 'currencies' | 'exchanges'>,
  currency: string,
  account_currency: string,
): boolean {
  return (currencies === 'any' || currencies.includes(currency)) && (exchanges || currency === account_currency)
}

/** The first rail over which another bank can send an amount. */
export function arrivesOver(amount: Money, currency: string): TransferMethod | undefined {
  return methodsOf('receiving').find(
    (method) => amountFault(methods[method], { amount, currency, account_currency: currency }) === undefined,
  )
}

export type AmountFault = 'currency' | 'amount'
