// The rails. One record defines everything that depends on the method of a transfer. A method added to the list in transfers.status.ts
// does not compile until its entry here is complete.
import type { Beneficiary } from '../../beneficiaries/beneficiaries.ts'
import type { SystemAccount } from '../../ledger/ledger.ts'
import { addTargetDays, nextTargetDay } from '../../values/calendar.ts'
import type { Money } from '../../values/money.ts'
import {
  type Flow,
  type TransferDirection,
  type TransferMethod,
  type TransferType,
  transferMethods,
  transferTypes,
} from './transfers.status.ts'

export type Method = {
  /** The flow in each direction, except for types that are booked on the venture's own accounts. */
  flow: Record<TransferDirection, Flow>
  /** The directions that an order may have. The service itself records the receiving side of an internal transfer. */
  ordered: readonly TransferDirection[]
  carries: ReadonlySet<TransferType>
  /** Types that only reduce the hold of their parent. A hold of their own would require funds in order to release funds. */
  releases: ReadonlySet<TransferType>
  currencies: 'any' | readonly string[]
  /** The largest amount that may leave or enter the bank; null if the rail has no limit. */
  largest: Money | null
  /** Both sides are accounts of the same venture. */
  internal: boolean
  instant: boolean
  /** Transfers must be screened before they complete. */
  screened: boolean
  /** IBANs in an order must be valid. Other rails accept any text. */
  requiresValidIbans: boolean
  /** What the rail needs to reach a beneficiary and is missing; undefined if nothing is missing. */
  missing(destination: Destination): string | undefined
  /** The default settlement date. */
  settlementDate(today: string): string
  /** The venture's system account on the other side when money leaves or enters the bank. */
  settlement: SystemAccount
}

export type Destination = {
  beneficiary: Pick<Beneficiary, 'iban' | 'account_number' | 'routing_number' | 'bic' | 'swift_code'>
  paying_account_id: string
  /** The account of the same venture that has the beneficiary's IBAN. */
  receiver_account_id: string | undefined
}

const bothDirections: readonly TransferDirection[] = ['INBOUND', 'OUTBOUND']
const outboundOnly: readonly TransferDirection[] = ['OUTBOUND']

const everyType: ReadonlySet<TransferType> = new Set(transferTypes)
// Only cards use a hold instead of a journal. With a card type, money received over a network would stay in suspense forever.
const noCardTypes: ReadonlySet<TransferType> = new Set(transferTypes.filter((type) => !type.startsWith('CARD_')))

const noType: ReadonlySet<TransferType> = new Set()

const missingIban = ({ beneficiary }: Destination) => (beneficiary.iban === null ? 'it has no IBAN' : undefined)

function missingAccount({ paying_account_id, receiver_account_id }: Destination): string | undefined {
  if (receiver_account_id === undefined) return 'its IBAN does not belong to an account of this venture'
  return receiver_account_id === paying_account_id ? 'it is the paying account itself' : undefined
}

const sameDay = (today: string) => today
const inTwoDays = (today: string) => addTargetDays(today, 2)

const network = {
  flow: { OUTBOUND: 'sending', INBOUND: 'receiving' },
  ordered: bothDirections,
  carries: noCardTypes,
  releases: noType,
  internal: false,
} as const
const book = { flow: { OUTBOUND: 'book', INBOUND: 'book' } } as const

export const methods: Record<TransferMethod, Method> = {
  SEPA: {
    ...network,
    currencies: 'any',
    largest: null,
    instant: false,
    screened: true,
    requiresValidIbans: true,
    missing: missingIban,
    settlementDate: nextTargetDay,
    settlement: 'settlement:SEPA',
  },
  INST: {
    ...network,
    currencies: 'any',
    largest: null,
    instant: true,
    screened: true,
    requiresValidIbans: true,
    missing: missingIban,
    settlementDate: sameDay,
    settlement: 'settlement:INST',
  },
  SWIFT: {
    ...network,
    currencies: 'any',
    largest: null,
    instant: false,
    screened: true,
    requiresValidIbans: false,
    missing: ({ beneficiary: { iban, bic, swift_code, routing_number } }) =>
      [iban, bic, swift_code, routing_number].every((detail) => detail === null)
        ? 'it needs an IBAN, or an account number with a BIC, a SWIFT code or a routing number'
        : undefined,
    settlementDate: inTwoDays,
    settlement: 'settlement:SWIFT',
  },
  DOMESTIC: {
    ...network,
    currencies: 'any',
    largest: null,
    instant: false,
    screened: true,
    requiresValidIbans: false,
    missing: ({ beneficiary: { routing_number, account_number } }) =>
      routing_number === null || account_number === null ? 'it needs a routing number and an account number' : undefined,
    settlementDate: inTwoDays,
    settlement: 'settlement:DOMESTIC',
  },
  SDD: {
    ...network,
    flow: { OUTBOUND: 'collected', INBOUND: 'collecting' },
    currencies: 'any',
    largest: null,
    instant: false,
    screened: true,
    requiresValidIbans: false,
    missing: missingIban,
    settlementDate: nextTargetDay,
    settlement: 'settlement:SDD',
  },
  INTERNAL: {
    ...book,
    ordered: outboundOnly,
    carries: noCardTypes,
    releases: noType,
    currencies: 'any',
    largest: null,
    internal: true,
    instant: false,
    screened: true,
    requiresValidIbans: false,
    missing: missingAccount,
    settlementDate: sameDay,
    settlement: 'settlement:INTERNAL',
  },
  SDD_INTERNAL: {
    ...book,
    ordered: outboundOnly,
    carries: noCardTypes,
    releases: noType,
    currencies: 'any',
    largest: null,
    internal: true,
    instant: false,
    screened: true,
    requiresValidIbans: false,
    missing: missingAccount,
    settlementDate: sameDay,
    settlement: 'settlement:SDD_INTERNAL',
  },
  CARD: {
    ...book,
    ordered: bothDirections,
    carries: everyType,
    releases: new Set<TransferType>(['CARD_REVERSAL']),
    currencies: 'any',
    largest: null,
    internal: false,
    instant: false,
    // The card scheme screens merchants, and an authorisation cannot wait.
    screened: false,
    requiresValidIbans: false,
    missing: () => undefined,
    settlementDate: sameDay,
    settlement: 'settlement:CARD',
  },
}

/** The methods that carry a type of transfer. */
export function carriersOf(type: TransferType): TransferMethod[] {
  return transferMethods.filter((method) => methods[method].carries.has(type))
}

/** Why a rail cannot carry an amount; undefined if it can. */
export function amountFault(
  { currencies, largest }: Pick<Method, 'currencies' | 'largest'>,
  amount: Money,
  currency: string,
): AmountFault | undefined {
  if (currencies !== 'any' && !currencies.includes(currency)) return { kind: 'currency', currencies }
  return largest !== null && amount > largest ? { kind: 'amount', largest } : undefined
}

export type AmountFault = { kind: 'currency'; currencies: readonly string[] } | { kind: 'amount'; largest: Money }
