// What follows from what another bank says about a payment that we sent. Plain data in, a verdict out: the order and the repetition of answers make
// no difference to the books.
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

/** Why a transaction of a message cannot be applied, so that somebody has to look at it. Stored with cases, so never renamed. */
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
  refused: 'The message cannot be booked.',
} as const
export type Problem = keyof typeof problems

/** A new state of a payment on its rail, with what is noted about it. */
export type Mark = { state: PaymentState; reason: string | null; settled_on: string | null }

export type Verdict =
  /** There is nothing to do. known: it is old news. noted: nothing has been decided yet. */
  | { kind: 'nothing'; outcome: 'known' | 'noted' }
  | { kind: 'problem'; problem: Problem; detail: string }
  /** The transfer is moved. */
  | { kind: 'walk'; walk: Walk; mark: Mark }
  /** Only the payment on its rail changes: the transfer is where it should be. */
  | { kind: 'mark'; mark: Mark }
  /** It was settled although the transfer has ended otherwise: the client has the money back, and the bank has paid. */
  | { kind: 'late_settlement'; mark: Mark }
  /** It was rejected although it had been settled. */
  | { kind: 'contradiction'; mark: Mark | undefined; explanation: string }
  /** Money that the bank wanted to return is here again. */
  | { kind: 'return_refused'; mark: Mark }
  /** A payment has come back. `completes`: the walk that comes first, because what comes back has left. */
  | { kind: 'returned'; completes: Walk | undefined; amount: Money; mark: Mark }
  /** A payment has come back of which the client has the money already. */
  | { kind: 'returned_late'; mark: Mark }

const problem = (what: Problem, detail = problems[what] as string): Verdict => ({ kind: 'problem', problem: what, detail })
const known: Verdict = { kind: 'nothing', outcome: 'known' }
const noted: Verdict = { kind: 'nothing', outcome: 'noted' }

/** What is known about a payment: its row, and its transfer unless it is a return of the house. */
export type Known = { payment: RailPayment; transfer: Pick<TransferRow, 'status' | 'method' | 'on_hold_from'> | undefined }

const unsent: ReadonlySet<PaymentState> = new Set(unsentStates)
const ended: ReadonlySet<TransferStatus> = new Set(terminalStatuses)

/** The reason for which the scheme refuses a transaction id that it has seen before. */
const duplicate = 'AM05' satisfies ReasonCode

/** What a status of a payment says. A group that has a status and names no payments says it about each of them. */
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
  // All attempts have the same transaction id, by which the scheme knows an attempt that was said not to have happened: the money may have left.
  if (meaning === 'rejected' && payment.attempt > 1 && reason?.code === duplicate) return problem('repetition')
  // What goes back out of suspense has ended before it left. A return of credited money has a life of its own.
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

/** What a further answer says about a payment of which the scheme has said what became of it. */
function judgeAgain(meaning: StatusMeaning, about: Known, marking: Marking): Verdict {
  const { state } = about.payment
  if (state === 'SETTLED' || state === 'RETURNED') return meaning === 'rejected' ? marking.rejectedLate : known
  if (state === 'REJECTED') return meaning === 'settled' ? settledLate(about, marking) : known
  // This attempt did not happen, and the payment may have left again.
  return meaning === 'settled' ? contradiction(undefined, 'It was settled although its message had been refused.') : known
}

/** What an answer says about a payment whose transfer has ended. */
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
    return problem('other_currency', `The message says ${currency}, and the payment is in ${payment.currency}.`)
  if (amount !== undefined && amount !== fromNumeric(payment.amount)) {
    const said = formatMoney(amount, payment.currency)
    return problem('other_amount', `The message says ${said} ${payment.currency}, and the payment is ${payment.amount}.`)
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
  // Whoever gives a recalled payment back may keep a charge for it.
  const charged = charges.reduce((total, charge) => (charge.currency === currency ? total + charge.amount : total), 0n)
  const isWhole = amount === whole
  const otherAmount = amountFault(payment, amount, currency) ?? problem('other_amount')
  return !isWhole && (amount > whole || amount + charged !== whole) ? otherAmount : undefined
}

/** What follows from the return of a payment that we sent, or of a direct debit that we collected. */
export function judgeReturn(said: Return, { payment, transfer }: Known): Verdict {
  const { amount } = said
  const fault = returnFault(said, payment)
  if (fault !== undefined) return fault
  const isWhole = amount === fromNumeric(payment.amount)
  const otherAmount = amountFault(payment, amount, said.currency) ?? problem('other_amount')
  if (unsent.has(payment.state) || payment.state === 'REFUSED') return problem('not_sent')
  if (payment.kind === 'RETURN') return problem('unexpected')
  const mark: Mark = { state: 'RETURNED', reason: reasonOf(said.reasons)?.code ?? null, settled_on: payment.settled_on }
  // What the house has paid out.
  if (transfer === undefined) {
    if (payment.state === 'RETURNED' || payment.state === 'REJECTED') return known
    return isWhole ? { kind: 'return_refused', mark } : otherAmount
  }
  // The claim on the return tells whether it is this one again.
  if (payment.state === 'RETURNED') return { kind: 'returned', completes: undefined, amount, mark }
  if (ended.has(transfer.status) && transfer.status !== 'COMPLETED') {
    if (payment.kind !== 'CREDIT_TRANSFER') return contradiction(mark, 'It came back although it had been rejected.')
    // The house has paid the whole of it, so people decide who pays the charge.
    return isWhole ? { kind: 'returned_late', mark } : otherAmount
  }
  const completes = transfer.status === 'COMPLETED' ? undefined : settle(transfer, { status: 'COMPLETED', third_party_status: 'ACSC' })
  return { kind: 'returned', completes, amount, mark }
}

/** The words for what another bank gave as its reason. */
export function wordsOf(reasons: Return['reasons']): string {
  const reason = reasonOf(reasons)
  return reason === undefined ? reasonWords('MS03') : reason.words
}
