// What follows from another bank's answer about a payment that we sent. Plain data in, a verdict out: order and repetition of answers do
// not affect the books.
import {
  meaningOf,
  type ReasonCode,
  type Return,
  reasonOf,
  reasonWords,
  type StatusMeaning,
  type StatusReport,
} from '../../iso20022/iso20022.ts'
import { type Answer, settle, type Walk } from '../../processing/processing.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { type TransferStatus, terminalStatuses } from '../../transfers/life/transfers.status.ts'
import { formatMoney, fromNumeric, type Money } from '../../values/money.ts'
import type { RailPayment } from '../packs/rails.attempts.sql.ts'
import { type PaymentState, unsentStates } from '../packs/rails.payments.ts'

/** Why a transaction of a message cannot be applied and needs a person. Stored with cases, so never renamed. */
export const problems = {
  unknown_reference: 'No payment of ours has the reference that the message names.',
  not_sent: 'The payment that the message names has not been sent.',
  other_amount: 'The message names another amount than the payment has.',
  other_currency: 'The message names another currency than the payment has.',
  other_account: 'The message names another account than the payment has.',
  unknown_status: 'The message has a status that is not known here.',
  unexpected: 'A message of this kind cannot be about such a payment.',
  already_returned: 'The payment has come back before.',
  repetition: 'The payment was refused as a repetition, so an earlier attempt may have been carried out.',
  already_decided: 'The break about the payment has been decided before the money came back.',
  other_answer: 'The recall has been answered before, in another way.',
  settled_refused: 'The clearing system has settled a payment that we had refused.',
  refused: 'The message cannot be booked.',
} as const
export type Problem = keyof typeof problems

/** A new state of a payment on its rail, with its details. */
export type Mark = { state: PaymentState; reason: string | null; settled_on: string | null }

export type Verdict =
  /** There is nothing to do. known: it was known before. noted: nothing has been decided yet. */
  | { kind: 'nothing'; outcome: 'known' | 'noted' }
  | { kind: 'problem'; problem: Problem; detail: string }
  /** The transfer is moved. */
  | { kind: 'walk'; walk: Walk; mark: Mark }
  /** Only the state on the rail changes: the transfer is already where it should be. */
  | { kind: 'mark'; mark: Mark }
  /** It was settled although the transfer has ended otherwise: the client got the money back, so the bank has paid. */
  | { kind: 'late_settlement'; mark: Mark }
  /** It was rejected although it had been settled. */
  | { kind: 'contradiction'; mark: Mark | undefined; explanation: string }
  /** Money that the bank wanted to return has come back. */
  | { kind: 'return_refused'; mark: Mark }
  /** A payment has come back. `completes`: the walk to make first, because money can only come back after it left. */
  | { kind: 'returned'; completes: Walk | undefined; amount: Money; mark: Mark }
  /** A payment has come back whose money the client already has. */
  | { kind: 'returned_late'; mark: Mark }

const problem = (what: Problem, detail = problems[what] as string): Verdict => ({ kind: 'problem', problem: what, detail })
const known: Verdict = { kind: 'nothing', outcome: 'known' }
const noted: Verdict = { kind: 'nothing', outcome: 'noted' }

/** What is known about a payment: its row, and its transfer unless it is a return of the house. */
export type Known = { payment: RailPayment; transfer: Pick<TransferRow, 'status' | 'method' | 'on_hold_from'> | undefined }

const unsent: ReadonlySet<PaymentState> = new Set(unsentStates)
const ended: ReadonlySet<TransferStatus> = new Set(terminalStatuses)

/** The reason with which the scheme refuses a transaction id that it has seen before. */
const duplicate = 'AM05' satisfies ReasonCode

/** The status that a message gives to a payment. A group status without payments applies to each payment of the group. */
export type Said = Pick<StatusReport, 'status' | 'reasons' | 'settled_on'> & { original?: StatusReport['original'] }

export function judgeStatus(said: Said, about: Known): Verdict {
  const { payment, transfer } = about
  const meaning = said.status === undefined ? undefined : meaningOf(said.status)
  if (said.status === undefined || meaning === undefined) return problem('unknown_status', `The status is ${said.status ?? 'missing'}.`)
  const fault = amountFault(payment, said.original?.amount, said.original?.currency)
  if (fault !== undefined) return fault
  if (unsent.has(payment.state)) return problem('not_sent')
  const reason = reasonOf(said.reasons)
  const mark = (state: PaymentState): Mark => ({ state, reason: reason?.code ?? payment.reason, settled_on: said.settled_on ?? null })
  const rejectedLate = contradiction(undefined, `It was rejected although it had been settled. ${reason?.words ?? ''}`.trim())
  if (isOver(payment.state)) return judgeAgain(meaning, about, { mark, rejectedLate })
  if (meaning === 'pending' || meaning === 'partly') return noted
  // All attempts have the same transaction id. If the scheme knows it, an attempt that supposedly did not happen may have sent the money.
  if (meaning === 'rejected' && payment.attempt > 1 && reason?.code === duplicate) return problem('repetition')
  // A return from suspense ended before it left. A return of credited money is a transfer of its own.
  if (transfer === undefined || !payment.walks) return judgeReturnOfHouse(meaning, payment, mark)
  if (ended.has(transfer.status)) return judgeEnded(meaning, about, { mark, rejectedLate })
  const walk = settle(transfer, answerOf(meaning, said.status, reason))
  if (walk !== undefined) return { kind: 'walk', walk, mark: mark(stateOf[meaning]) }
  return meaning === 'accepted' && payment.state !== 'ACCEPTED' ? { kind: 'mark', mark: mark('ACCEPTED') } : known
}

function answerOf(meaning: Decided, third_party_status: string, reason: ReturnType<typeof reasonOf>): Answer {
  return { status: statusOf[meaning], third_party_status, ...(reason && { reason_code: reason.code, reason: reason.words }) }
}

type Marking = { mark(state: PaymentState): Mark; rejectedLate: ReturnType<typeof contradiction> }

const isOver = (state: PaymentState): boolean => state === 'SETTLED' || state === 'RETURNED' || state === 'REJECTED' || state === 'REFUSED'

/** The verdict on a further answer about a payment that the scheme has already decided. */
function judgeAgain(meaning: StatusMeaning, about: Known, marking: Marking): Verdict {
  const { state } = about.payment
  if (state === 'SETTLED' || state === 'RETURNED') return meaning === 'rejected' ? marking.rejectedLate : known
  if (state === 'REJECTED') return meaning === 'settled' ? settledLate(about, marking) : known
  // This attempt did not happen, and the payment may have left again.
  return meaning === 'settled' ? contradiction(undefined, 'It was settled although its message had been refused.') : known
}

/** The verdict on an answer about a payment whose transfer has ended. */
function judgeEnded(meaning: Decided, about: Known, marking: Marking): Verdict {
  if (meaning === 'accepted') return known
  const { mark, rejectedLate } = marking
  const isSettled = about.transfer?.status === 'COMPLETED'
  if (meaning === 'settled') return isSettled ? { kind: 'mark', mark: mark('SETTLED') } : settledLate(about, marking)
  return isSettled ? { ...rejectedLate, mark: mark('REJECTED') } : { kind: 'mark', mark: mark('REJECTED') }
}

function settledLate({ payment, transfer }: Known, { mark }: Marking): Verdict {
  return payment.kind === 'CREDIT_TRANSFER' && transfer !== undefined
    ? { kind: 'late_settlement', mark: mark('SETTLED') }
    : contradiction(undefined, 'It was settled although it had been rejected.')
}

type Decided = Exclude<StatusMeaning, 'pending' | 'partly'>
const statusOf: Record<Decided, Answer['status']> = { settled: 'COMPLETED', accepted: 'ACCEPTED', rejected: 'REJECTED' }
const stateOf: Record<Decided, PaymentState> = { settled: 'SETTLED', accepted: 'ACCEPTED', rejected: 'REJECTED' }

const contradiction = (mark: Mark | undefined, explanation: string) => ({ kind: 'contradiction', mark, explanation }) as const

function judgeReturnOfHouse(meaning: Decided, payment: RailPayment, mark: (state: PaymentState) => Mark): Verdict {
  if (meaning === 'rejected') return { kind: 'return_refused', mark: mark('REJECTED') }
  return meaning === 'accepted' && payment.state === 'ACCEPTED' ? known : { kind: 'mark', mark: mark(stateOf[meaning]) }
}

function amountFault(payment: RailPayment, amount: Money | undefined, currency: string | undefined): Verdict | undefined {
  if (currency !== undefined && currency !== payment.currency)
    return problem('other_currency', `The message says ${currency}, but the payment is in ${payment.currency}.`)
  if (amount !== undefined && amount !== fromNumeric(payment.amount)) {
    const said = formatMoney(amount, payment.currency)
    return problem('other_amount', `The message says ${said} ${payment.currency}, but the payment is ${payment.amount}.`)
  }
  return undefined
}

/** What is wrong with the amounts of a return. */
function returnFault(
  { amount, currency, original_amount, original_currency, charges = [] }: Return,
  payment: RailPayment,
): Verdict | undefined {
  const whole = fromNumeric(payment.amount)
  const fault = amountFault(payment, original_amount, original_currency) ?? amountFault(payment, undefined, currency)
  if (fault !== undefined) return fault
  // The returning bank may deduct a charge from a recalled payment.
  const charged = charges.reduce((total, charge) => (charge.currency === currency ? total + charge.amount : total), 0n)
  const isWhole = amount === whole
  const otherAmount = amountFault(payment, amount, currency) ?? problem('other_amount')
  return !isWhole && (amount > whole || amount + charged !== whole) ? otherAmount : undefined
}

/** The verdict on a return of a payment that we sent, or of a direct debit that we collected. */
export function judgeReturn(said: Return, { payment, transfer }: Known): Verdict {
  const { amount } = said
  const fault = returnFault(said, payment)
  if (fault !== undefined) return fault
  const isWhole = amount === fromNumeric(payment.amount)
  const otherAmount = amountFault(payment, amount, said.currency) ?? problem('other_amount')
  if (unsent.has(payment.state) || payment.state === 'REFUSED') return problem('not_sent')
  if (payment.kind === 'RETURN') return problem('unexpected')
  const mark: Mark = { state: 'RETURNED', reason: reasonOf(said.reasons)?.code ?? null, settled_on: payment.settled_on }
  // A payment of the house.
  if (transfer === undefined) {
    if (payment.state === 'RETURNED' || payment.state === 'REJECTED') return known
    return isWhole ? { kind: 'return_refused', mark } : otherAmount
  }
  // The claim on the return tells whether this one was already applied.
  if (payment.state === 'RETURNED') return { kind: 'returned', completes: undefined, amount, mark }
  if (ended.has(transfer.status) && transfer.status !== 'COMPLETED') {
    if (payment.kind !== 'CREDIT_TRANSFER') return contradiction(mark, 'It came back although it had been rejected.')
    // The house paid the whole amount, so people decide who bears the charge.
    return isWhole ? { kind: 'returned_late', mark } : otherAmount
  }
  const completes = transfer.status === 'COMPLETED' ? undefined : settle(transfer, { status: 'COMPLETED', third_party_status: 'ACSC' })
  return { kind: 'returned', completes, amount, mark }
}

/** The words for another bank's reason. */
export function wordsOf(reasons: Return['reasons']): string {
  const reason = reasonOf(reasons)
  return reason === undefined ? reasonWords('MS03') : reason.words
}
