// An independent model of money and statuses: what a reader of the design's table would write down with pencil and paper after each
// accepted command. It shares only types with the deciding code, and adds everything up from the beginning.

import type { Transfer } from '../../server/src/transfers/life/transfers.schemas.ts'
import { nextStatuses, type TransferStatus } from '../../server/src/transfers/life/transfers.status.ts'
import { fromNumeric, type Money } from '../../server/src/values/money.ts'
import { insist } from './simulation.world.ts'

/** What is recorded of a transfer in addition to its order. */
export type Noted = {
  transfer: Transfer
  venture_id: string
  receiver_account_id: string | null
  /** Created by the bank's side to book a fact. */
  exempt: boolean
  status: TransferStatus
  /** Its status before it was put ON_HOLD. */
  before_hold: TransferStatus | null
  received: boolean
  sent: boolean
  /** It has had a hold. */
  held: boolean
  hold: Money
  suspended: Money
  /** What of it counts against the limits, and on which day. */
  counts: Count[]
  /** The bank ordered it, and the bank put it ON_HOLD. */
  orderedByBank: boolean
  heldByBank: boolean
  /** When the bank's rate ends for it. */
  rateUntil: number | undefined
}

type Owner = Pick<Noted, 'venture_id' | 'receiver_account_id' | 'exempt'>

type Count = { on: string; amount: Money }

/** A credit to an account; a debit is negative. System accounts are identified by their venture and name. */
type Gain = { account: string; currency: string; amount: Money }

/** A record that the service is expected to create. */
export type Expected = Pick<Transfer, 'account_id' | 'direction' | 'transfer_type' | 'parent_transaction_id'>

/** The consequences of a move: records that the service creates, and transfers that are now fully returned. */
export type Consequences = { records: Expected[]; returned: string[] }

const overTheOutside = ['SEPA', 'INST', 'SWIFT', 'DOMESTIC']
export const booksOnly: readonly string[] = ['FEE', 'FEE_CANCELLATION', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING']

/** Types with which a client spends money; a clearing spends what its authorisation did not. */
const spending = ['PAYMENT', 'CARD_AUTH', 'CARD_ADVICE']

const takingBack = [
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'FEE_CANCELLATION',
  'CARD_REVERSAL',
]

export const isOver = (status: TransferStatus): boolean => nextStatuses[status].length === 0
const less = (a: Money, b: Money): Money => (a < b ? a : b)

export class Model {
  readonly noted = new Map<string, Noted>()
  readonly gains: Gain[] = []
  /** The last day on which the usage of an account's limits changed. */
  readonly #days = new Map<string, string>()
  /** The client of each account, and the clients who may not pay. */
  readonly #owners = new Map<string, string>()
  readonly #barred = new Set<string>()
  /** Those of them who are blacklisted. */
  readonly #sanctioned = new Set<string>()
  /** The accounts that the bank has frozen. */
  readonly #frozen = new Set<string>()
  readonly #debts = new Map<string, Money>()

  open(account_id: string, client_id: string): void {
    this.#owners.set(account_id, client_id)
  }

  /** A client is blocked, blacklisted or declined, or no longer any of these. */
  bar(client_id: string, { barred, sanctioned }: { barred: boolean; sanctioned: boolean }): void {
    if (barred) this.#barred.add(client_id)
    else this.#barred.delete(client_id)
    if (sanctioned) this.#sanctioned.add(client_id)
    else this.#sanctioned.delete(client_id)
  }

  freeze(account_id: string, frozen: boolean): void {
    if (frozen) this.#frozen.add(account_id)
    else this.#frozen.delete(account_id)
  }

  /** Whether the bank has frozen the money of a transfer before it was sent. */
  isFrozen(noted: Noted): boolean {
    const { transfer, sent, exempt } = noted
    if (transfer.direction === 'INBOUND' || sent) return false
    return exempt ? this.#isSanctionedPayout(noted, transfer.account_id) : this.#frozen.has(transfer.account_id)
  }

  /** Whether the bank pays out, and the client of the account is blacklisted. Nothing else stops bookings of the bank's side. */
  #isSanctionedPayout({ transfer, exempt }: Noted, account_id: string | null): boolean {
    const pays = transfer.direction === 'OUTBOUND' && transfer.transfer_type === 'PAYMENT' && transfer.beneficiary_id !== null
    return exempt && pays && this.isSanctioned(account_id)
  }

  isSanctioned(account_id: string | null): boolean {
    return account_id !== null && this.#sanctioned.has(this.#owners.get(account_id) ?? '')
  }

  isBarred(account_id: string | null): boolean {
    return account_id !== null && this.#barred.has(this.#owners.get(account_id) ?? '')
  }

  create(transfer: Transfer, owner: Owner, byBank = false, rateUntil?: number): void {
    const { exempt } = owner
    insist(transfer.status === 'CREATED', 'a new transfer is CREATED', transfer.id)
    const spends = !exempt && transfer.direction === 'OUTBOUND' && spending.includes(transfer.transfer_type)
    this.#note(transfer, owner)
    const noted = this.get(transfer.id)
    noted.orderedByBank = byBank
    noted.rateUntil = rateUntil
    if (spends) this.#count(noted, fromNumeric(transfer.debit_amount), transfer.created_at)
    const barred = transfer.direction === 'OUTBOUND' && this.isBarred(transfer.account_id) && !this.#freesFrozenMoney(noted)
    insist(!barred || exempt, 'a client who is barred orders nothing but the way out of frozen money', transfer)
    insist(!this.isBarred(owner.receiver_account_id) || exempt, 'nobody pays a client of the venture who is barred', transfer)
  }

  /** Records of the service end immediately and move nothing: the transfer that caused them booked their money. */
  record(transfer: Transfer, venture_id: string): void {
    insist(transfer.status === 'COMPLETED', 'what the service records is COMPLETED', transfer.id)
    this.#note(transfer, { venture_id, receiver_account_id: null, exempt: false })
    const noted = this.get(transfer.id)
    noted.orderedByBank = this.parentOf(noted)?.orderedByBank ?? false
  }

  #note(transfer: Transfer, owner: Owner): void {
    const nothing = { before_hold: null, received: false, sent: false, held: false, hold: 0n, suspended: 0n, counts: [] }
    const bank = { orderedByBank: false, heldByBank: false, rateUntil: undefined }
    const { venture_id, receiver_account_id, exempt } = owner
    this.noted.set(transfer.id, { transfer, status: transfer.status, ...nothing, ...bank, venture_id, receiver_account_id, exempt })
  }

  #count(noted: Noted, amount: Money, now: string): void {
    if (amount > 0n) noted.counts.push({ on: this.#turnTo(noted.transfer.account_id, now), amount })
  }

  /** Takes an amount out of what a transfer counts, and returns it with its days. */
  #uncount(noted: Noted, amount: Money): Count[] {
    const taken: Count[] = []
    let left = amount
    for (const count of noted.counts) {
      const part = less(left, count.amount)
      count.amount -= part
      left -= part
      if (part > 0n) taken.push({ on: count.on, amount: part })
    }
    noted.counts = noted.counts.filter((count) => count.amount > 0n)
    return taken
  }

  /** What no longer counts on an account changes its usage now. */
  #giveBack(noted: Noted, amount: Money, now: string): void {
    if (this.#uncount(noted, amount).length > 0) this.#turnTo(noted.transfer.account_id, now)
  }

  /** The day on which usage counts for an account: today, or a later one that has already begun. */
  dayOf(account_id: string, now: string): string {
    const [today, begun] = [now.slice(0, 10), this.#days.get(account_id) ?? '']
    return today > begun ? today : begun
  }

  #turnTo(account_id: string, now: string): string {
    const day = this.dayOf(account_id, now)
    this.#days.set(account_id, day)
    return day
  }

  get(id: string): Noted {
    const noted = this.noted.get(id)
    insist(noted !== undefined, 'only known transfers move', id)
    return noted
  }

  parentOf({ transfer }: Noted): Noted | undefined {
    return transfer.parent_transaction_id === null ? undefined : this.noted.get(transfer.parent_transaction_id)
  }

  /** Records an accepted move with its effect on money, and returns what the service should do because of it. */
  move(id: string, to: TransferStatus, now: string, byBank = false): Consequences {
    const noted = this.get(id)
    const from = noted.status
    const back = from === 'ON_HOLD' && to === noted.before_hold
    insist(!isOver(from), 'what has ended never changes:', from, to)
    if (from === 'ON_HOLD' && to === 'ON_HOLD') {
      insist(byBank && !noted.heldByBank, 'only the bank takes over a hold, and only that of the venture')
      noted.heldByBank = true
      return { records: [], returned: [] }
    }
    insist(back || nextStatuses[from].includes(to), 'a status follows in the table:', from, to)
    insist(back || !this.isStopped(noted, to), 'a client who is barred starts nothing:', from, to)
    insist(back || !this.isHalted(noted, to), 'nothing leaves a frozen account:', from, to)
    insist(to !== 'COMPLETED' || !isAuthorisation(noted) || noted.hold === 0n, 'an authorisation that holds money does not complete')
    noted.status = to
    noted.before_hold = to === 'ON_HOLD' ? from : null
    noted.heldByBank = to === 'ON_HOLD' && byBank
    if (!back && isOver(to) && to !== 'COMPLETED') this.#giveBack(noted, sumOf(noted.counts), now)
    const records = back ? [] : this.#moveMoney(noted, { from, to, now })
    const returned = from === 'TO_RETURN' && to === 'REJECTED' ? [id] : to === 'COMPLETED' ? this.#takeBack(noted, now) : []
    for (const authorisation of [noted, this.parentOf(noted)]) endIfUsed(authorisation)
    return { records, returned }
  }

  /** Whether a barred client, of the account or of the receiver, forbids a move: before money leaves, but not once it has been sent. */
  isStopped(noted: Noted, to: TransferStatus): boolean {
    const { transfer, receiver_account_id, exempt } = noted
    const bars = (account_id: string | null) => (exempt ? this.#isSanctionedPayout(noted, account_id) : this.isBarred(account_id))
    return ((bars(transfer.account_id) && !this.#takesNothing(noted)) || bars(receiver_account_id)) && this.#startsPaying(noted, to)
  }

  /** Whether the bank's freeze of the account forbids a move, in the same way. */
  isHalted(noted: Noted, to: TransferStatus): boolean {
    return !noted.exempt && this.isFrozen(noted) && !this.#takesNothing(noted) && this.#startsPaying(noted, to)
  }

  #takesNothing(noted: Noted): boolean {
    const lessens = noted.transfer.transfer_type === 'CARD_REVERSAL' && isAuthorisation(this.parentOf(noted))
    return this.#freesFrozenMoney(noted) || lessens || isUsed(noted)
  }

  #startsPaying({ transfer, status, sent }: Noted, to: TransferStatus): boolean {
    if (transfer.direction === 'INBOUND' || sent) return false
    if (to === 'COMPLETED')
      return booksOnly.includes(transfer.transfer_type) || ['INTERNAL', 'SDD_INTERNAL', 'CARD'].includes(transfer.method)
    if (to === 'READY_TO_CLEAR') return status !== 'SENT_TO_PACK' && status !== 'PACKED'
    return ['RESERVED', 'SENT_TO_PACK', 'PACKED', 'SENT_TO_CLEAR'].includes(to)
  }

  /** Returned amounts no longer count. Returns the transfers that are now fully returned: the parent, and the internal transfer that it mirrors. */
  #takeBack(noted: Noted, now: string): string[] {
    const parent = this.parentOf(noted)
    if (parent === undefined || !isTakingBack(noted, parent)) return []
    const amount = fromNumeric(noted.transfer.credit_amount)
    const mirrors = parent.transfer.direction === 'INBOUND' && ['INTERNAL', 'SDD_INTERNAL'].includes(parent.transfer.method)
    const origin = mirrors ? this.parentOf(parent) : undefined
    if (noted.transfer.direction === 'INBOUND') this.#giveBack(parent, amount, now)
    else if (origin?.transfer.account_id === noted.receiver_account_id && origin !== undefined) this.#giveBack(origin, amount, now)
    const done = this.childrenOf(parent).filter((child) => child.status === 'COMPLETED' && isTakingBack(child, parent))
    if (done.reduce((sum, child) => sum + outside(child), 0n) !== outside(parent)) return []
    return [parent, origin].flatMap((one) => one?.transfer.id ?? [])
  }

  #moveMoney(noted: Noted, { from, to, now }: { from: TransferStatus; to: TransferStatus; now: string }): Expected[] {
    if (to === 'RESERVED') this.#reserve(noted, now)
    if (to === 'RECEIVED') this.#receive(noted)
    if (to === 'SENT_TO_CLEAR') noted.sent = true
    if (to === 'TO_RESEND') noted.sent = false
    if (to === 'COMPLETED') return this.#complete(noted, now)
    if (!isOver(to)) return []
    noted.hold = 0n
    return from === 'TO_RETURN' && to === 'REJECTED' ? this.#return(noted) : []
  }

  /** What reserving a transfer now would take from the account. */
  neededFor(noted: Noted): Money {
    if (this.#freesFrozenMoney(noted)) return 0n
    return costOf(noted) - this.#takenOver(noted)
  }

  #takenOver(noted: Noted): Money {
    const parent = this.parentOf(noted)
    return noted.transfer.transfer_type === 'CARD_CLEARING' && isAuthorisation(parent) ? less(parent.hold, costOf(noted)) : 0n
  }

  /** What reserving a clearing would count on top of what its authorisation has counted. */
  countedAbove(noted: Noted): Money {
    if (noted.exempt || noted.transfer.direction !== 'OUTBOUND' || noted.transfer.transfer_type !== 'CARD_CLEARING') return 0n
    const amount = fromNumeric(noted.transfer.debit_amount)
    return amount - less(amount, this.#spentOf(noted))
  }

  /** The part of the hold of its authorisation, without the fee, that a clearing takes over. */
  #spentOf(noted: Noted): Money {
    const parent = this.parentOf(noted)
    if (parent === undefined) return 0n
    return withoutFee(parent, parent.hold) - withoutFee(parent, parent.hold - this.#takenOver(noted))
  }

  #reserve(noted: Noted, now: string): void {
    noted.held = true
    if (this.#freesFrozenMoney(noted)) return
    const [taken, above, spent, parent] = [this.#takenOver(noted), this.countedAbove(noted), this.#spentOf(noted), this.parentOf(noted)]
    noted.hold = costOf(noted)
    this.#count(noted, above, now)
    if (parent === undefined || taken === 0n) return
    const covered = less(spent, fromNumeric(noted.transfer.debit_amount))
    this.#giveBack(parent, spent - covered, now)
    noted.counts.push(...this.#uncount(parent, covered))
    parent.hold -= taken
  }

  #receive(noted: Noted): void {
    noted.received = true
    if (!isReceiving(noted)) return
    const { debit_currency, debit_amount, method } = noted.transfer
    noted.suspended = fromNumeric(debit_amount)
    this.#gain(noted, `settlement:${method}`, debit_currency, -noted.suspended)
    this.#gain(noted, 'suspense', debit_currency, noted.suspended)
  }

  #return(noted: Noted): Expected[] {
    if (noted.suspended === 0n) return []
    const { id, account_id, debit_currency, method } = noted.transfer
    this.#gain(noted, 'suspense', debit_currency, -noted.suspended)
    this.#gain(noted, `settlement:${method}`, debit_currency, noted.suspended)
    noted.suspended = 0n
    return [{ account_id, direction: 'OUTBOUND', transfer_type: 'PAYMENT_RETURN', parent_transaction_id: id }]
  }

  #complete(noted: Noted, now: string): Expected[] {
    noted.hold = 0n
    const { id, transfer_type, direction } = noted.transfer
    const parent = this.parentOf(noted)
    if (isAuthorisation(noted)) return []
    if (transfer_type === 'CARD_REVERSAL' && isAuthorisation(parent)) {
      const amount = less(parent.hold, onAccount(noted))
      this.#giveBack(parent, withoutFee(parent, parent.hold) - withoutFee(parent, parent.hold - amount), now)
      parent.hold -= amount
      return []
    }
    if (parent !== undefined && this.#freesFrozenMoney(noted)) this.#free(noted, parent)
    else if (direction === 'OUTBOUND') this.#debit(noted)
    else this.#credit(noted)
    if (direction === 'INBOUND' || noted.receiver_account_id === null) return []
    return [{ account_id: noted.receiver_account_id, direction: 'INBOUND', transfer_type, parent_transaction_id: id }]
  }

  #debit(noted: Noted): void {
    const { account_id, debit_amount, debit_currency, credit_amount, credit_currency, fx_fee_amount } = noted.transfer
    const fee = fromNumeric(fx_fee_amount ?? '0')
    this.gains.push({ account: account_id, currency: debit_currency, amount: -costOf(noted) })
    this.#gain(noted, 'fees', debit_currency, fee)
    this.#exchange(noted)
    const amount = fromNumeric(credit_amount)
    if (noted.receiver_account_id !== null) this.gains.push({ account: noted.receiver_account_id, currency: credit_currency, amount })
    else this.#gain(noted, otherSideOf(noted), credit_currency, amount)
    insist(costOf(noted) === fromNumeric(debit_amount) + fee, 'a debit costs its amount and its fee')
  }

  #credit(noted: Noted): void {
    const { account_id, debit_amount, debit_currency, credit_amount, credit_currency } = noted.transfer
    this.#gain(noted, isReceiving(noted) ? 'suspense' : otherSideOf(noted), debit_currency, -fromNumeric(debit_amount))
    this.#exchange(noted)
    this.gains.push({ account: account_id, currency: credit_currency, amount: fromNumeric(credit_amount) })
    noted.suspended = 0n
  }

  #exchange(noted: Noted): void {
    const { debit_amount, debit_currency, credit_amount, credit_currency } = noted.transfer
    if (debit_currency === credit_currency) return
    this.#gain(noted, 'fx', debit_currency, fromNumeric(debit_amount))
    this.#gain(noted, 'fx', credit_currency, -fromNumeric(credit_amount))
  }

  #free(noted: Noted, parent: Noted): void {
    const { account_id, direction, credit_amount, credit_currency, debit_amount, debit_currency } = noted.transfer
    const amount = fromNumeric(direction === 'INBOUND' ? debit_amount : credit_amount)
    const currency = direction === 'INBOUND' ? debit_currency : credit_currency
    parent.suspended -= amount
    insist(parent.suspended >= 0n, 'no more leaves suspense than came')
    this.#gain(noted, 'suspense', currency, -amount)
    if (direction === 'OUTBOUND') {
      this.#gain(noted, otherSideOf(noted), currency, amount)
    } else {
      this.#exchange(noted)
      this.gains.push({ account: account_id, currency: credit_currency, amount: fromNumeric(credit_amount) })
    }
  }

  #freesFrozenMoney(noted: Noted): boolean {
    const parent = this.parentOf(noted)
    return parent !== undefined && isFrozen(parent) && freesFrozenMoney(noted.transfer)
  }

  #gain({ venture_id }: Noted, name: string, currency: string, amount: Money): void {
    this.gains.push({ account: `${venture_id}/${name}:${currency}`, currency, amount })
  }

  /** The balance of every account, including system accounts, added up from the first booking on. */
  balances(): Map<string, Money> {
    const balances = new Map<string, Money>()
    for (const { account, amount } of this.gains) balances.set(account, (balances.get(account) ?? 0n) + amount)
    return balances
  }

  /** The debt of an account: how much its holds exceed its balance. */
  debtOn(account_id: string): Money {
    const missing = this.reservedOn(account_id) - (this.balances().get(account_id) ?? 0n)
    return missing > 0n ? missing : 0n
  }

  /** After each command: debt has grown only if the command was forced. Returns whether it has grown. */
  settleDebts(account_ids: readonly string[], forced: boolean): boolean {
    let grown = false
    for (const id of account_ids) {
      const [before, after] = [this.#debts.get(id) ?? 0n, this.debtOn(id)]
      insist(forced || after <= before, 'debt grows in forced commands only:', id, before, after)
      if (after > before) grown = true
      this.#debts.set(id, after)
    }
    return grown
  }

  /** The reserved balance of an account. */
  reservedOn(account_id: string): Money {
    return this.#sum((noted) => (noted.transfer.account_id === account_id ? noted.hold : 0n))
  }

  /** The usage of an account's limits on the days with this prefix: a day, a month or a year. */
  usedOn(account_id: string, days: string): Money {
    return this.#sum(({ transfer, counts }) =>
      transfer.account_id === account_id ? sumOf(counts.filter(({ on }) => on.startsWith(days))) : 0n,
    )
  }

  /** The children of a transfer that have not failed. One whose money was frozen has arrived. */
  childrenOf({ transfer }: Noted): Noted[] {
    return [...this.noted.values()].filter(
      (child) =>
        child.transfer.parent_transaction_id === transfer.id && (!isOver(child.status) || child.status === 'COMPLETED' || isFrozen(child)),
    )
  }

  #sum(amountOf: (noted: Noted) => Money): Money {
    let sum = 0n
    for (const noted of this.noted.values()) sum += amountOf(noted)
    return sum
  }
}

/** Whether received money of a transfer was frozen. */
export function isFrozen(noted: Noted): boolean {
  return isReceiving(noted) && noted.received && noted.status === 'AML_REJECTED'
}

/** Whether a child of a frozen transfer moves its money out of suspense. */
export function freesFrozenMoney({ direction, transfer_type }: { direction: string; transfer_type?: string | null | undefined }): boolean {
  return transfer_type === 'ADJUSTMENT' || (transfer_type === 'PAYMENT_RETURN' && direction === 'OUTBOUND')
}

export function isReceiving({ transfer: { direction, method, transfer_type } }: Noted): boolean {
  return direction === 'INBOUND' && overTheOutside.includes(method) && !booksOnly.includes(transfer_type)
}

type Authorisation = Noted & { transfer: { transfer_type: 'CARD_AUTH' | 'CARD_ADVICE' } }

function isAuthorisation(noted: Noted | undefined): noted is Authorisation {
  return noted?.transfer.transfer_type === 'CARD_AUTH' || noted?.transfer.transfer_type === 'CARD_ADVICE'
}

/** Nothing of its hold is left. */
function isUsed(noted: Noted): boolean {
  return isAuthorisation(noted) && noted.held && noted.hold === 0n
}

/** An authorisation ends when nothing of its hold is left, if it can complete from where it is, or from where it was before ON_HOLD. */
function endIfUsed(noted: Noted | undefined): void {
  if (noted === undefined || !isUsed(noted) || !nextStatuses[noted.before_hold ?? noted.status].includes('COMPLETED')) return
  noted.status = 'COMPLETED'
  noted.before_hold = null
  noted.heldByBank = false
}

/** A hold is not taken back but reduced, and an exchange fee is not the amount. */
function isTakingBack({ transfer: { transfer_type } }: Noted, parent: Noted): boolean {
  if (isAuthorisation(parent) || !takingBack.includes(transfer_type)) return false
  return transfer_type !== 'FEE_CANCELLATION' || parent.transfer.transfer_type === 'FEE'
}

/** What of a transfer leaves or enters the bank. */
function outside({ transfer: { direction, debit_amount, credit_amount } }: Noted): Money {
  return fromNumeric(direction === 'OUTBOUND' ? credit_amount : debit_amount)
}

function sumOf(counts: readonly Count[]): Money {
  return counts.reduce((sum, { amount }) => sum + amount, 0n)
}

function onAccount({ transfer: { direction, debit_amount, credit_amount } }: Noted): Money {
  return fromNumeric(direction === 'OUTBOUND' ? debit_amount : credit_amount)
}

/** A hold without the fee, which does not count against limits. */
function withoutFee({ transfer: { fx_fee_amount } }: Noted, hold: Money): Money {
  const fee = fromNumeric(fx_fee_amount ?? '0')
  return hold > fee ? hold - fee : 0n
}

function costOf({ transfer: { debit_amount, fx_fee_amount } }: Noted): Money {
  return fromNumeric(debit_amount) + fromNumeric(fx_fee_amount ?? '0')
}

function otherSideOf({ transfer: { transfer_type, method } }: Noted): string {
  if (transfer_type.startsWith('FEE')) return 'fees'
  if (transfer_type === 'ADJUSTMENT') return 'adjustments'
  if (transfer_type === 'CCY_EXCHANGE' || transfer_type === 'FX_POSITION_CLOSING') return 'fx'
  return `settlement:${method}`
}
