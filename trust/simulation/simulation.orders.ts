// What a reader of the design would object to in an order: an independent statement of the rules for new transfers. It shares only types and
// formats with the deciding code. An accepted order must have no objection, and a refusal must be one of them.
import type { BatchAccount, BatchBeneficiary } from '../../server/src/transfers/deciding/transfers.batch.ts'
import type { TransferOrder } from '../../server/src/transfers/life/transfers.schemas.ts'
import { decimalsOf } from '../../server/src/values/currency.ts'
import { parseIban } from '../../server/src/values/iban.ts'
import { fromNumeric, type Money } from '../../server/src/values/money.ts'
import type { RefusalCode } from '../../server/src/values/refusals.ts'
import { booksOnly, freesFrozenMoney, isFrozen, isOver, type Noted } from './simulation.model.ts'
import { rates } from './simulation.world.ts'

export type Scene = {
  order: TransferOrder
  account: BatchAccount
  beneficiary: BatchBeneficiary | undefined
  receiver: BatchAccount | undefined
  /** The order's parent; undefined if it names none, or one that the venture does not have. */
  parent: Noted | undefined
  /** The children of the parent that have not failed; for facts, only those whose money has moved or that the bank is responsible for. */
  siblings: readonly Noted[]
  /** The bank's side books a fact. */
  exempt: boolean
  /** The bank is asked for an instant payment, and takes no other method for it. */
  demanded: boolean
}

/** The codes with which the order may be refused, as far as this file knows them, and the method that it must get if it is not. */
export type Opinion = { objections: ReadonlySet<RefusalCode>; method: string | undefined }

/** The codes that this file explains completely. */
export const explained: readonly RefusalCode[] = [
  'transfer_method_invalid',
  'beneficiary_invalid',
  'beneficiary_mismatch',
  'beneficiary_required',
  'receiver_not_active',
  'parent_invalid',
  'invalid_iban',
]

const payments = ['PAYMENT', 'PAYMENT_RETURN', 'PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION']
const cards = ['CARD_AUTH', 'CARD_ADVICE', 'CARD_CLEARING', 'CARD_REVERSAL']
const takingBack = [...payments.slice(1), 'FEE_CANCELLATION', 'CARD_REVERSAL']

const carried: Record<string, readonly string[]> = {
  SEPA: [...payments, ...booksOnly],
  INST: [...payments, ...booksOnly],
  SDD: [...payments, ...booksOnly],
  DOMESTIC: [...payments, ...booksOnly],
  SWIFT: [...payments, ...booksOnly],
  INTERNAL: payments,
  SDD_INTERNAL: payments,
  CARD: cards,
}

const mostOfSepa = fromNumeric('999999999.99')
const sepaIban = /^(A[DLT]|B[EG]|C[HYZ]|D[EK]|E[ES]|F[IR]|G[BIR]|H[RU]|I[EST]|L[ITUV]|M[CDEKT]|N[LO]|P[LT]|R[OS]|S[EIKM]|VA)/
const outsideEea = /^(A[DL]|CH|G[BI]|M[CDEK]|RS|SM|VA)/

/** An order as this file reads it. */
class Reading {
  readonly scene: Scene
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly type: string
  readonly objections = new Set<RefusalCode>()

  constructor(scene: Scene) {
    this.scene = scene
    const { order } = scene
    this.direction = directionOf(scene)
    this.type = order.transfer_type ?? 'PAYMENT'
  }

  get isBooking(): boolean {
    return booksOnly.includes(this.type)
  }

  /** The currency outside the account. */
  currencyOutside(method: string): string {
    const { order, account, receiver } = this.scene
    const inside = method.endsWith('INTERNAL') ? receiver?.currency : undefined
    return (this.direction === 'OUTBOUND' ? order.credit_currency : order.debit_currency) ?? inside ?? account.currency
  }

  /** The amounts on the account and outside it; undefined if the order does not tell. */
  amounts(method: string): { inside: Money; outside: Money } | undefined {
    const { order, account } = this.scene
    const [own, other] = this.direction === 'OUTBOUND' ? (['debit', 'credit'] as const) : (['credit', 'debit'] as const)
    const [inside, outside] = [moneyOf(order[`${own}_amount`]), moneyOf(order[`${other}_amount`])]
    if (this.currencyOutside(method) === account.currency) {
      const either = inside ?? outside
      return either === undefined ? undefined : { inside: inside ?? either, outside: outside ?? either }
    }
    if (inside === undefined) return undefined
    if (outside !== undefined) return { inside, outside }
    const quote = quoteOf(this.scene, method.endsWith('INTERNAL'))
    if (quote !== undefined && quote !== 'missing')
      return { inside, outside: exchanged(inside, quote.rate, this.currencyOutside(method), 'down') }
    const rate = order.exchange_rate
    return rate == null ? undefined : { inside, outside: exchanged(inside, rate, this.currencyOutside(method), 'half to even') }
  }

  /** What a method requires of both sides, apart from the amount. */
  reaches(method: string): boolean {
    const { order, account } = this.scene
    const currency = this.currencyOutside(method)
    if ((method === 'SEPA' || method === 'INST') && (currency !== 'EUR' || account.currency !== 'EUR')) return false
    if (method.startsWith('SDD') && currency !== 'EUR') return false
    if (method === 'DOMESTIC' && currency !== 'USD') return false
    const debtorFits = order.dr_iban == null || sepaIban.test(order.dr_iban)
    if (isSepa(method) && this.direction === 'INBOUND' && !debtorFits) return false
    if (isSepa(method) && !ibansAreValid(order)) return false
    return this.direction === 'INBOUND' || this.finds(method)
  }

  /** Whether a method finds the beneficiary. */
  finds(method: string): boolean {
    const { order, beneficiary, receiver, account, exempt } = this.scene
    if (beneficiary === undefined) return exempt && order.beneficiary_id == null && !method.endsWith('INTERNAL')
    const { iban, bic, swift_code, routing_number, account_number } = beneficiary
    const bank = bic ?? swift_code
    const near = receiver !== undefined && receiver.id !== account.id
    if (method === 'SEPA' || method === 'INST') return iban !== null && sepaIban.test(iban) && (bank !== null || !outsideEea.test(iban))
    if (method === 'SDD') return iban !== null && sepaIban.test(iban)
    if (method === 'SDD_INTERNAL') return iban !== null && sepaIban.test(iban) && near
    if (method === 'INTERNAL') return near
    if (method === 'DOMESTIC') return routing_number !== null && account_number !== null
    if (method === 'SWIFT') return iban !== null || bank !== null || routing_number !== null
    return true
  }

  isTooLarge(method: string): boolean {
    return isSepa(method) && (this.amounts(method)?.outside ?? 0n) > mostOfSepa
  }
}

const isSepa = (method: string): boolean => ['SEPA', 'INST', 'SDD', 'SDD_INTERNAL'].includes(method)

const ibansAreValid = ({ cr_iban, dr_iban }: TransferOrder): boolean =>
  [cr_iban, dr_iban].every((iban) => iban == null || parseIban(iban) !== undefined)

const moneyOf = (text: string | null | undefined): Money | undefined => (text == null ? undefined : fromNumeric(text))

/** An amount times a rate, to the smallest unit of a currency. */
export function exchanged(amount: Money, rate: string, currency: string, rounding: 'down' | 'half to even'): Money {
  const [whole = '', decimals = ''] = rate.split('.')
  const unit = 10n ** BigInt(4 - decimalsOf(currency)) * 10n ** BigInt(decimals.length)
  const product = amount * BigInt(whole + decimals)
  const [units, rest] = [product / unit, (product % unit) * 2n]
  const up = rounding !== 'down' && (rest > unit || (rest === unit && units % 2n === 1n))
  return (units + (up ? 1n : 0n)) * 10n ** BigInt(4 - decimalsOf(currency))
}

export function directionOf({ order, account }: Pick<Scene, 'order' | 'account'>): 'INBOUND' | 'OUTBOUND' {
  return order.direction ?? (order.cr_iban === account.account_number ? 'INBOUND' : 'OUTBOUND')
}

/** The rate and the fee that an order gets from the bank; undefined if it brings its own, or needs none. */
export function quoteOf(scene: Scene, internal: boolean): { rate: string; fee: Money } | 'missing' | undefined {
  const { order, account, receiver } = scene
  const to = order.credit_currency ?? (internal ? receiver?.currency : undefined) ?? account.currency
  const isAsked = directionOf(scene) === 'OUTBOUND' && order.exchange_rate == null && order.credit_amount == null
  if (!account.managed || !isAsked || to === account.currency) return undefined
  const found = rates.find(({ from_currency, to_currency }) => from_currency === account.currency && to_currency === to)
  if (found === undefined) return 'missing'
  const fee =
    order.fx_fee_amount == null
      ? shareOf(fromNumeric(order.debit_amount ?? '0'), found.margin, account.currency)
      : fromNumeric(order.fx_fee_amount)
  return { rate: found.rate, fee }
}

/** A share of an amount, half up. */
function shareOf(amount: Money, share: string, currency: string): Money {
  const [, decimals = ''] = share.split('.')
  const minor = 10n ** BigInt(4 - decimalsOf(currency))
  const unit = minor * 10n ** BigInt(decimals.length)
  const product = amount * BigInt(`0${decimals}`)
  return ((product * 2n + unit) / (unit * 2n)) * minor
}

export function opinionOf(scene: Scene): Opinion {
  const reading = new Reading(scene)
  const { order, parent, beneficiary, receiver, account, exempt, demanded } = scene
  objectToParent(reading)
  if (reading.direction === 'OUTBOUND' && order.beneficiary_id == null && !exempt) reading.objections.add('beneficiary_required')
  if (order.beneficiary_id != null && beneficiary === undefined) reading.objections.add('beneficiary_invalid')
  const inherited = parent !== undefined && takingBack.includes(reading.type) && carried[parent.transfer.method]?.includes(reading.type)
  const named = inherited ? parent.transfer.method : order.method
  if (inherited && order.method != null && order.method !== named) reading.objections.add('transfer_method_invalid')
  const method = named ?? chosenMethod(reading)
  if (demanded && !inherited && method !== 'INST' && !cards.includes(reading.type)) reading.objections.add('transfer_method_invalid')
  if (!carried[method]?.includes(reading.type)) reading.objections.add('transfer_method_invalid')
  if (method.endsWith('INTERNAL') && reading.direction === 'INBOUND') reading.objections.add('transfer_method_invalid')
  if (inherited && beneficiary !== undefined) objectToDestination(reading, method)
  if (reading.direction === 'OUTBOUND' && !reading.isBooking) {
    if (!reading.finds(method)) reading.objections.add(order.beneficiary_id == null ? 'beneficiary_required' : 'beneficiary_invalid')
    if (method.endsWith('INTERNAL') && receiver?.status !== 'ACTIVE') reading.objections.add('receiver_not_active')
  }
  if (isSepa(method) && !ibansAreValid(order)) reading.objections.add('invalid_iban')
  const isExempt = reading.isBooking || inherited
  if (!isExempt && (!carriesCurrency(reading, method) || reading.isTooLarge(method))) reading.objections.add('transfer_method_invalid')
  if (isSepa(method) && reading.direction === 'INBOUND' && order.dr_iban != null && !sepaIban.test(order.dr_iban))
    reading.objections.add('transfer_method_invalid')
  objectToCreditor(reading, method)
  if (parent !== undefined) objectToAmount(reading, method, parent)
  const frees = parent !== undefined && isFrozen(parent) && freesFrozenMoney({ ...order, direction: reading.direction })
  // Frozen money gets out of an account that was closed too early, but not onto it.
  const books = (account.status === 'SUSPENDED' || account.status === 'PENDING') && exempt
  const isOpen = books || account.status === 'ACTIVE' || (account.status === 'CLOSED' && frees && reading.direction === 'OUTBOUND')
  if (!isOpen) return { objections: reading.objections, method: undefined }
  return { objections: reading.objections, method }
}

function chosenMethod(reading: Reading): string {
  const { order, receiver, demanded } = reading.scene
  if (cards.includes(reading.type)) return 'CARD'
  if (demanded) return 'INST'
  const fits = (method: string) => reading.reaches(method) && !reading.isTooLarge(method)
  if (order.is_instant && fits('INST')) return 'INST'
  const isInside = reading.direction === 'OUTBOUND' && receiver !== undefined && !reading.isBooking
  if (isInside) return 'INTERNAL'
  const wanted = reading.direction === 'OUTBOUND' ? ['SEPA', 'DOMESTIC'] : ['SEPA']
  return wanted.find(fits) ?? 'SWIFT'
}

function carriesCurrency(reading: Reading, method: string): boolean {
  const [inside, outside] = [reading.scene.account.currency, reading.currencyOutside(method)]
  if (method === 'SEPA' || method === 'INST') return inside === 'EUR' && outside === 'EUR'
  if (method.startsWith('SDD')) return outside === 'EUR'
  return method !== 'DOMESTIC' || outside === 'USD'
}

/** The beneficiary, and for an inbound transfer the account, decides where money goes. */
function objectToCreditor(reading: Reading, method: string): void {
  const { order, account, beneficiary } = reading.scene
  const expected = reading.direction === 'INBOUND' ? account.account_number : beneficiary?.iban
  const anyone = reading.direction === 'OUTBOUND' && order.beneficiary_id == null
  if (order.cr_iban != null && order.cr_iban !== expected && !anyone) reading.objections.add('beneficiary_mismatch')
  if (reading.direction === 'INBOUND' || order.cr_bank_bic == null || beneficiary === undefined) return
  const byBank = method === 'DOMESTIC' || (method === 'SWIFT' && beneficiary.iban === null)
  if (byBank && !banksOf(beneficiary).includes(headOffice(order.cr_bank_bic))) reading.objections.add('beneficiary_mismatch')
}

const headOffice = (bic: string): string => (bic.length === 8 ? `${bic}XXX` : bic)

const banksOf = ({ bic, swift_code }: BatchBeneficiary): string[] =>
  [bic, swift_code].flatMap((one) => (one === null ? [] : [headOffice(one)]))

/** Money taken back goes to where it came from. */
function objectToDestination(reading: Reading, method: string): void {
  const { beneficiary, parent } = reading.scene
  if (reading.direction === 'INBOUND' || reading.isBooking || method === 'CARD' || beneficiary === undefined || parent === undefined) return
  const { dr_iban, dr_account_id, dr_bank_bic } = parent.transfer
  const isByIban = method !== 'DOMESTIC' && beneficiary.iban !== null
  const number = beneficiary.account_number?.replace(/\W/g, '').toUpperCase()
  const isSameNumber = number !== undefined && number === (dr_account_id ?? dr_iban)
  const isThere = isByIban
    ? beneficiary.iban === dr_iban
    : isSameNumber && dr_bank_bic !== null && banksOf(beneficiary).includes(headOffice(dr_bank_bic))
  if (!isThere) reading.objections.add('beneficiary_mismatch')
}

function objectToParent(reading: Reading): void {
  const { order, parent, account } = reading.scene
  const object = () => reading.objections.add('parent_invalid')
  const takesBack = takingBack.includes(reading.type)
  if (parent === undefined) {
    if (takesBack || order.parent_transaction_id != null) object()
    return
  }
  const { transfer, status, hold, held } = parent
  const frees = isFrozen(parent) && freesFrozenMoney({ ...order, direction: reading.direction })
  const isAuthorisation = transfer.transfer_type === 'CARD_AUTH' || transfer.transfer_type === 'CARD_ADVICE'
  const isOpenCard = isAuthorisation && hold > 0n
  // A late clearing may name an authorisation that has ended or whose hold is used up.
  if (reading.type === 'CARD_CLEARING' && !(isAuthorisation && (held || isOver(status)))) object()
  if ((takesBack || frees || reading.type === 'CARD_CLEARING') && transfer.account_id !== account.id) object()
  if (!takesBack || frees || (isOpenCard && reading.type === 'CARD_REVERSAL')) return
  if (status !== 'COMPLETED' || transfer.direction === reading.direction || isAuthorisation) object()
  if (reading.type === 'FEE_CANCELLATION') {
    if (transfer.transfer_type !== 'FEE' && fromNumeric(transfer.fx_fee_amount ?? '0') === 0n) object()
    return
  }
  if (booksOnly.includes(transfer.transfer_type) || parent.receiver_account_id !== null) object()
  if (takingBack.includes(transfer.transfer_type)) object()
  if (!carried[transfer.method]?.includes(reading.type)) object()
}

const sidesOf = ({ transfer }: Noted) => {
  const [debit, credit] = [fromNumeric(transfer.debit_amount), fromNumeric(transfer.credit_amount)]
  return transfer.direction === 'OUTBOUND'
    ? { inside: debit, outside: credit, currency: transfer.credit_currency }
    : { inside: credit, outside: debit, currency: transfer.debit_currency }
}

/** Nothing takes more than there is, neither outside nor on the account. */
function objectToAmount(reading: Reading, method: string, parent: Noted): void {
  const amounts = reading.amounts(method)
  const { siblings, order } = reading.scene
  const frees = isFrozen(parent) && freesFrozenMoney({ ...order, direction: reading.direction })
  if (amounts === undefined || !(frees || takingBack.includes(reading.type))) return
  const object = () => reading.objections.add('parent_invalid')
  const sum = (some: readonly Noted[], side: 'inside' | 'outside') => some.reduce((total, each) => total + sidesOf(each)[side], 0n)
  const whole = sidesOf(parent)
  const currency = reading.currencyOutside(method)
  if (frees) {
    const waiting = siblings.filter(({ transfer, status }) => status !== 'COMPLETED' && freesFrozenMoney(transfer))
    if (currency !== whole.currency || amounts.outside > parent.suspended - sum(waiting, 'outside')) object()
    // Released in another currency, it is worth at most what the account would have got.
    const released = siblings.filter(({ transfer }) => transfer.direction === 'INBOUND' && freesFrozenMoney(transfer))
    const exchanges = parent.transfer.debit_currency !== parent.transfer.credit_currency
    if (reading.direction === 'INBOUND' && exchanges && amounts.inside + sum(released, 'inside') > whole.inside) object()
    return
  }
  const ofFee = (type: string) => type === 'FEE_CANCELLATION' && parent.transfer.transfer_type !== 'FEE'
  const alike = siblings.filter(
    ({ transfer }) => takingBack.includes(transfer.transfer_type) && ofFee(transfer.transfer_type) === ofFee(reading.type),
  )
  if (ofFee(reading.type)) {
    const fee = fromNumeric(parent.transfer.fx_fee_amount ?? '0')
    if (currency !== parent.transfer.debit_currency || amounts.outside + sum(alike, 'outside') > fee) object()
    return
  }
  if (currency !== whole.currency) object()
  if (amounts.outside + sum(alike, 'outside') > whole.outside || amounts.inside + sum(alike, 'inside') > whole.inside) object()
}
