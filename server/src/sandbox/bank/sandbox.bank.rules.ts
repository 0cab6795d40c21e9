// What the simulated bank does with a message and at a cycle. Pure: its knowledge goes in, its actions come out.
import {
  type CreditTransfer,
  type DirectDebit,
  meaningOf,
  paymentTypeOf,
  type ReadMessage,
  type Return,
  type StatusReport,
} from '../../iso20022/iso20022.ts'
import { collectingRails, debitRail, instantRails, plainRail, type Rail, railOfPayment } from '../../schemes/schemes.ts'
import { methods } from '../../transfers/life/transfers.methods.ts'
import { todayUtc } from '../../values/calendar.ts'
import { answersTo, messageRefused, messageTypeOf, recallAnswered, reportOf, returnsOf, statusAnswer } from './sandbox.bank.answers.ts'
import { type Behaviour, behaviourOf, confirmationOf, recallAnswerOf, usual } from './sandbox.bank.behaviours.ts'
import { type BankEntry, type BankPayment, type BankRecall, type Circumstances, emptyPlan, type Plan } from './sandbox.bank.payments.ts'

/** The time from a payment's arrival to the next automatic cycle. */
export const cycle_ms = 500

const hour_ms = 3_600_000

/** The delay of a late answer after settlement: longer than our bank waits. */
export const late_ms = { instant: 30_000, other: 26 * hour_ms }

const isInstant = ({ rail }: Pick<BankPayment, 'rail'>): boolean => instantRails.includes(rail)

/** The payments and recalls that the bank needs to process a message. */
export type Concerned = { tx_ids: readonly string[]; message_ids: readonly string[] }

export function concernedBy(given: ReadMessage): Concerned {
  const named = (ids: readonly (string | undefined)[]) => [...new Set(ids.filter((id) => id !== undefined))]
  switch (given.type) {
    case 'pacs.008.001.08':
    case 'pacs.003.001.08':
      return { tx_ids: named(given.message.transactions.map(({ tx_id }) => tx_id)), message_ids: [] }
    case 'pacs.004.001.09': {
      const { transactions } = given.message
      return { tx_ids: named(transactions.flatMap(({ return_id, original_tx_id }) => [return_id, original_tx_id])), message_ids: [] }
    }
    case 'pacs.002.001.10':
    case 'camt.056.001.08':
    case 'camt.029.001.09':
      return { tx_ids: named(given.message.transactions.map(({ original_tx_id }) => original_tx_id)), message_ids: [] }
    case 'pacs.028.001.03': {
      const { group, transactions } = given.message
      const wholeMessage = transactions.length === 0 ? [group?.original_message_id] : []
      return { tx_ids: named(transactions.map(({ original_tx_id }) => original_tx_id)), message_ids: named(wholeMessage) }
    }
    default:
      return { tx_ids: [], message_ids: [] }
  }
}

export type Known = { payments: readonly BankPayment[]; recalls: readonly BankRecall[] }

/** The effects of a message from our bank. */
export function receive(given: ReadMessage, known: Known, circumstances: Circumstances): Plan {
  switch (given.type) {
    case 'pacs.008.001.08': {
      const { message } = given
      const payments = message.transactions.map((transaction, index) => {
        const rail = railOfPayment(paymentTypeOf(message, transaction)?.local_instrument)
        return creditTransfer(transaction, { ...placeOf(message, index), rail, direction: 'OUT' })
      })
      return accept(payments, known, circumstances)
    }
    case 'pacs.003.001.08': {
      const { message } = given
      const debits = message.transactions.map((debit, index) => directDebit(debit, { ...placeOf(message, index), direction: 'OUT' }))
      return accept(debits, known, circumstances)
    }
    case 'pacs.004.001.09': {
      const { message } = given
      const returned = message.transactions.map((back, index) => returnOf(back, placeOf(message, index), known))
      const plan = accept(returned, known, circumstances)
      const backIds = new Set(returned.filter(({ state }) => state === 'WAITING').map(({ original_tx_id }) => original_tx_id))
      plan.recalls.push(...concluded(known, 'ACCEPTED', (tx_id) => backIds.has(tx_id)))
      return plan
    }
    case 'pacs.002.001.10':
      return ownAnswer(given.message.transactions, known, circumstances)
    case 'pacs.028.001.03':
      return statusAsked(given, known, circumstances)
    case 'camt.056.001.08':
      return recalled(given, known, circumstances)
    case 'camt.029.001.09': {
      const plan = emptyPlan()
      for (const state of ['ACCEPTED', 'REFUSED'] as const) {
        const code = state === 'ACCEPTED' ? 'ACCR' : 'RJCR'
        const { transactions, status: whole } = given.message
        const ids = new Set(transactions.filter(({ status = whole }) => status === code).map(({ original_tx_id }) => original_tx_id))
        plan.recalls.push(...concluded(known, state, (tx_id) => ids.has(tx_id)))
      }
      return plan
    }
    default: {
      const plan = emptyPlan()
      plan.answers.push(messageRefused(circumstances, { message_id: given.message.message_id, type: given.type }, { code: 'FF01' }))
      return plan
    }
  }
}

type Place = Pick<BankPayment, 'message_id' | 'position' | 'message_count'>

function placeOf({ message_id, transactions }: { message_id: string; transactions: readonly unknown[] }, index: number): Place {
  return { message_id, position: index + 1, message_count: transactions.length }
}

/** The initial state of a payment. */
const untouched = {
  original_tx_id: null,
  due_on: null,
  state: 'WAITING',
  reason: null,
  settled_on: null,
  next: null,
  next_at: null,
} as const

type Side = Pick<BankPayment, 'direction'>

export function creditTransfer(payment: CreditTransfer, place: Place & Side & { rail: Rail }): BankPayment {
  const { tx_id, end_to_end_id, amount, currency } = payment
  return {
    ...untouched,
    ...place,
    kind: 'CREDIT_TRANSFER',
    tx_id,
    end_to_end_id,
    amount,
    currency,
    ...partiesOf(payment),
    effect: place.direction === 'OUT' ? -amount : amount,
  }
}

export function directDebit(debit: DirectDebit, place: Place & Side): BankPayment {
  const { tx_id, end_to_end_id, amount, currency, collection_date } = debit
  return {
    ...untouched,
    ...place,
    kind: 'DIRECT_DEBIT',
    rail: debitRail,
    tx_id,
    end_to_end_id,
    amount,
    currency,
    ...partiesOf(debit),
    effect: place.direction === 'OUT' ? amount : -amount,
    due_on: collection_date,
  }
}

function partiesOf({ debtor, debtor_iban, creditor, creditor_iban, remittance }: CreditTransfer | DirectDebit) {
  return {
    debtor: debtor.name,
    debtor_iban: debtor_iban ?? null,
    creditor: creditor.name,
    creditor_iban: creditor_iban ?? null,
    remittance: remittance?.[0] ?? null,
  }
}

/** A return from our bank, of a payment or direct debit that it received. */
function returnOf(given: Return, place: Place, known: Known): BankPayment {
  const { return_id, original_tx_id = null, amount, currency } = given
  const original = known.payments.find(({ direction, tx_id }) => direction === 'IN' && tx_id === original_tx_id)
  const earlier = known.payments.some(
    (payment) => payment.direction === 'OUT' && payment.original_tx_id === original_tx_id && isEffective(payment),
  )
  const base: BankPayment = {
    ...untouched,
    ...place,
    direction: 'OUT',
    kind: 'RETURN',
    tx_id: return_id,
    original_tx_id,
    amount,
    currency,
    end_to_end_id: given.original_end_to_end_id ?? return_id,
    effect: original !== undefined && original.effect < 0n ? amount : -amount,
    rail: original?.rail ?? plainRail,
    debtor: original?.creditor ?? null,
    debtor_iban: original?.creditor_iban ?? null,
    creditor: original?.debtor ?? null,
    creditor_iban: original?.debtor_iban ?? null,
    remittance: null,
  }
  const refuse = (reason: string): BankPayment => ({ ...base, state: 'REJECTED', reason })
  if (original === undefined || original.state === 'REJECTED' || original.amount < amount) return refuse('MS03')
  return earlier || original.state === 'RETURNED' ? refuse('AM05') : base
}

/** Whether the payment has settled, or still may. */
function isEffective({ state }: BankPayment): boolean {
  return state !== 'REJECTED' && state !== 'REFUSED'
}

/** The behaviour of a payment. Only payments of our bank make the simulated one misbehave; but its statements may be wrong about any payment. */
export function behaviourFor({ direction, kind, amount }: Pick<BankPayment, 'direction' | 'kind' | 'amount'>): Behaviour {
  const behaviour = behaviourOf(amount)
  if (direction === 'IN') return { ...usual, entries: behaviour.outcome === 'settles' ? behaviour.entries : 1 }
  // A return is not returned again.
  return kind === 'RETURN' && behaviour.returned ? usual : behaviour
}

/** Accepts the payments of a message: instant ones at once, all others for the next cycle. A payment that is already known is rejected. */
function accept(given: readonly BankPayment[], known: Known, circumstances: Circumstances): Plan {
  const [first] = given
  const plan = emptyPlan()
  if (first === undefined) return plan
  const earlier = known.payments.filter(({ direction }) => direction === 'OUT')
  const wasRefused = new Set(earlier.filter(({ state }) => state === 'REFUSED').map(({ tx_id }) => tx_id))
  const taken = new Set(earlier.filter(({ state }) => state !== 'REFUSED').map(({ tx_id }) => tx_id))
  const refusing = given.find((payment) => behaviourFor(payment).outcome === 'message_refused' && !wasRefused.has(payment.tx_id))
  if (refusing !== undefined) {
    const code = behaviourFor(refusing).reason ?? 'FF01'
    plan.payments.push(...given.map((payment) => ({ ...payment, state: 'REFUSED', reason: code }) as const))
    plan.answers.push(messageRefused(circumstances, { message_id: first.message_id, type: messageTypeOf[first.kind] }, { code }))
    return plan
  }
  const accepted = given.map((payment): BankPayment => {
    const isTaken = taken.has(payment.tx_id)
    taken.add(payment.tx_id)
    const isRejected = isTaken || payment.state === 'REJECTED' || behaviourFor(payment).outcome === 'rejected'
    const scheduled = { ...payment, next: 'SETTLE', next_at: nextCycle(isRejected ? null : payment.due_on, circumstances) } as const
    return isTaken
      ? { ...scheduled, state: 'REJECTED', reason: 'AM05', due_on: null }
      : { ...scheduled, due_on: isRejected ? null : payment.due_on }
  })
  if (accepted.every(isInstant)) {
    const { changes, ...done } = proceed(accepted, circumstances)
    return { ...done, payments: [...changes, ...done.payments], changes: [] }
  }
  plan.payments.push(...accepted)
  // A payment that settles on a later day is accepted first.
  const today = todayUtc(circumstances.at)
  const announced = accepted.filter((payment) => {
    const { answer } = behaviourFor(payment)
    return payment.due_on !== null && payment.due_on > today && (answer === 'once' || answer === 'twice')
  })
  if (announced.length > 0)
    plan.answers.push(
      statusAnswer(
        circumstances,
        first,
        announced.map((payment) => reportOf(payment)),
      ),
    )
  return plan
}

export function nextCycle(due_on: string | null, { at }: Circumstances): Date {
  const soon = at.getTime() + cycle_ms
  return new Date(due_on === null ? soon : Math.max(soon, Date.parse(`${due_on}T00:00:00Z`)))
}

/** Moves payments on: settles, returns, and gives due answers. */
export function proceed(due: readonly BankPayment[], circumstances: Circumstances): Plan {
  const plan = emptyPlan()
  for (const payments of groupsOf(due)) {
    const settled = payments.filter(({ next }) => next === 'SETTLE').map((payment) => settle(payment, circumstances))
    const returned = payments
      .filter(({ next }) => next === 'RETURN')
      .map((payment): BankPayment => ({ ...payment, state: 'RETURNED', next: null, next_at: null }))
    const late = payments.filter(({ next }) => next === 'ANSWER').map((payment): BankPayment => ({ ...payment, next: null, next_at: null }))
    plan.changes.push(...settled, ...returned, ...late)
    plan.entries.push(
      ...entriesOf(
        settled.filter(({ state }) => state === 'SETTLED'),
        circumstances,
      ),
    )
    const [about] = payments
    if (about === undefined) continue
    const ours = settled.filter(({ direction }) => direction === 'OUT')
    plan.answers.push(...answersTo(circumstances, about, ours))
    if (late.length > 0)
      plan.answers.push(
        statusAnswer(
          circumstances,
          about,
          late.map((payment) => reportOf(payment)),
        ),
      )
    if (returned.length > 0) giveBack(plan, returned, circumstances)
  }
  return plan
}

function groupsOf(payments: readonly BankPayment[]): BankPayment[][] {
  const groups = Map.groupBy(payments, ({ message_id }) => message_id)
  return [...groups.values()]
}

export function settle(payment: BankPayment, { at }: Circumstances): BankPayment {
  const { outcome, reason = null, returned, answer } = behaviourFor(payment)
  const done = { ...payment, next: null, next_at: null }
  if (payment.state !== 'WAITING' || outcome === 'nothing') return done
  if (outcome === 'rejected') return { ...done, state: 'REJECTED', reason }
  const settled = { ...done, state: 'SETTLED', settled_on: todayUtc(at) } as const
  if (returned) return { ...settled, reason, next: 'RETURN', next_at: new Date(at.getTime() + cycle_ms) }
  if (answer === 'late')
    return { ...settled, next: 'ANSWER', next_at: new Date(at.getTime() + (isInstant(payment) ? late_ms.instant : late_ms.other)) }
  return settled
}

/** Returns settled payments: a message to our bank, and an entry each. */
function giveBack(plan: Plan, payments: readonly BankPayment[], circumstances: Circumstances): void {
  const [about] = payments
  if (about === undefined) return
  const { answer, returns, message_id } = returnsOf(circumstances, about, payments)
  plan.answers.push(answer)
  const back = payments.map(
    (payment, index): BankPayment => ({
      ...payment,
      ...placeOf({ message_id, transactions: payments }, index),
      direction: 'IN',
      kind: 'RETURN',
      tx_id: returns[index]?.return_id ?? '',
      original_tx_id: payment.tx_id,
      effect: -payment.effect,
      due_on: null,
      state: 'SETTLED',
      settled_on: todayUtc(circumstances.at),
      debtor: payment.creditor,
      debtor_iban: payment.creditor_iban,
      creditor: payment.debtor,
      creditor_iban: payment.debtor_iban,
    }),
  )
  plan.payments.push(...back)
  plan.entries.push(...entriesOf(back, circumstances))
}

const families: Record<BankPayment['kind'], (payment: BankPayment) => readonly [string, string]> = {
  CREDIT_TRANSFER: ({ direction, rail }) => methods[rail].codes[direction === 'OUT' ? 'debit' : 'credit'],
  DIRECT_DEBIT: ({ direction, rail }) => methods[rail].codes[direction === 'OUT' ? 'credit' : 'debit'],
  // A return that comes in belongs to a payment that went out.
  RETURN: ({ direction, rail }) => {
    if (collectingRails.includes(rail)) return [direction === 'IN' ? 'IDDT' : 'RDDT', 'UPDD']
    return [direction === 'IN' ? 'ICDT' : 'RCDT', 'RRTN']
  },
}

/** One entry for a whole message of our bank that settles normally, otherwise one for each payment. */
export function entriesOf(settled: readonly BankPayment[], { at, next }: Circumstances): BankEntry[] {
  const [first] = settled
  if (first === undefined) return []
  const booked_on = todayUtc(at)
  const [family, subfamily] = families[first.kind](first)
  const same = { booked_on, currency: first.currency, family, subfamily, message_id: first.message_id }
  const isWhole = first.direction === 'OUT' && settled.length > 1 && settled.length === first.message_count
  if (isWhole && settled.every((payment) => behaviourFor(payment).entries === 1 && payment.currency === first.currency)) {
    const amount = settled.reduce((sum, { effect }) => sum + effect, 0n)
    const nobody = { debtor: null, debtor_iban: null, creditor: null, creditor_iban: null, remittance: null }
    return [{ ...same, ...nobody, number: next(), amount, count: settled.length, tx_id: null, end_to_end_id: null, reason: null }]
  }
  return settled.flatMap((payment) => {
    const { effect, currency, tx_id, end_to_end_id, debtor, debtor_iban, creditor, creditor_iban, remittance, kind, reason } = payment
    const parties = { debtor, debtor_iban, creditor, creditor_iban, remittance }
    return Array.from({ length: behaviourFor(payment).entries }, () => ({
      ...same,
      ...parties,
      number: next(),
      amount: effect,
      currency,
      count: null,
      tx_id,
      end_to_end_id,
      reason: kind === 'RETURN' ? reason : null,
    }))
  })
}

/** Our bank reports the outcome of what it received. An instant payment settles when it is accepted, and our bank hears of it; refused money does not settle, or goes back. */
function ownAnswer(reports: readonly StatusReport[], { payments }: Known, circumstances: Circumstances): Plan {
  const plan = emptyPlan()
  for (const { original_tx_id, status, reasons } of reports) {
    const payment = payments.find(({ direction, kind, tx_id }) => direction === 'IN' && kind !== 'RETURN' && tx_id === original_tx_id)
    const meaning = status === undefined ? undefined : meaningOf(status)
    if (payment === undefined || meaning === undefined) continue
    const isAccepted = meaning === 'settled' || meaning === 'accepted'
    if (isAccepted && isInstant(payment) && payment.state === 'WAITING') {
      const { outcome, answer } = confirmationOf(payment.amount)
      const ended: BankPayment =
        outcome === 'settles'
          ? settle(payment, circumstances)
          : { ...payment, state: 'REJECTED', reason: 'AB06', next: null, next_at: null }
      plan.changes.push(ended)
      if (ended.state === 'SETTLED') plan.entries.push(...entriesOf([ended], circumstances))
      if (answer === 'once') plan.answers.push(statusAnswer(circumstances, ended, [reportOf(ended)]))
    }
    if (meaning !== 'rejected') continue
    const reason = reasons?.[0]?.code ?? 'MS03'
    if (payment.state === 'WAITING') plan.changes.push({ ...payment, state: 'REJECTED', reason, next: null, next_at: null })
    if (payment.state !== 'SETTLED') continue
    plan.changes.push({ ...payment, state: 'RETURNED', reason })
    plan.entries.push(...entriesOf([{ ...payment, effect: -payment.effect }], circumstances))
  }
  return plan
}

type Asked = Extract<ReadMessage, { type: 'pacs.028.001.03' }>

/** Our bank inquires about payments, or about all payments of a message. */
function statusAsked({ message }: Asked, { payments }: Known, circumstances: Circumstances): Plan {
  const plan = emptyPlan()
  const { group, transactions } = message
  const sent = payments.filter(({ direction }) => direction === 'OUT')
  // The last one counts: a transaction that was refused may have been sent again.
  const lastOf = (tx_id: string | undefined) => sent.findLast((payment) => payment.tx_id === tx_id)
  const found =
    transactions.length === 0
      ? sent.filter(({ message_id }) => message_id === group?.original_message_id)
      : transactions.map(({ original_tx_id }) => lastOf(original_tx_id)).filter((payment) => payment !== undefined)
  const known = found.map((payment) => {
    if (behaviourFor(payment).answer !== 'when_asked' || payment.next !== 'SETTLE') return payment
    const settled = settle(payment, circumstances)
    plan.changes.push(settled)
    if (settled.state === 'SETTLED') plan.entries.push(...entriesOf([settled], circumstances))
    return settled
  })
  // What our bank has accepted, and asks about.
  const accepted = payments.filter(({ direction, tx_id, kind }) => {
    return direction === 'IN' && kind !== 'RETURN' && transactions.some(({ original_tx_id }) => original_tx_id === tx_id)
  })
  for (const payment of accepted.filter(({ amount }) => confirmationOf(amount).answer !== 'never'))
    plan.answers.push(statusAnswer(circumstances, payment, [reportOf(payment)]))
  const isAnswered = (payment: BankPayment) => behaviourFor(payment).answer !== 'never' && payment.next !== 'ANSWER'
  for (const answered of groupsOf(known.filter(isAnswered))) {
    const [about] = answered
    if (about === undefined) continue
    plan.answers.push(
      statusAnswer(
        circumstances,
        about,
        answered.map((payment) => reportOf(payment)),
      ),
    )
  }
  for (const { original_tx_id, original_end_to_end_id, original_message_id = group?.original_message_id } of transactions) {
    if (original_tx_id === undefined || lastOf(original_tx_id) !== undefined || accepted.some(({ tx_id }) => tx_id === original_tx_id))
      continue
    const report = {
      original_tx_id,
      original_end_to_end_id,
      status: 'RJCT',
      reasons: [{ code: 'AG09' }],
    }
    plan.answers.push(statusAnswer(circumstances, { message_id: original_message_id ?? 'UNKNOWN', kind: 'CREDIT_TRANSFER' }, [report]))
  }
  return plan
}

type Recalled = Extract<ReadMessage, { type: 'camt.056.001.08' }>

/** Our bank recalls payments. */
function recalled({ message }: Recalled, { payments }: Known, circumstances: Circumstances): Plan {
  const plan = emptyPlan()
  for (const request of message.transactions) {
    const { cancellation_id, original_tx_id, reasons } = request
    const payment = payments.findLast(({ direction, tx_id, kind }) => direction === 'OUT' && kind !== 'RETURN' && tx_id === original_tx_id)
    const note = (state: BankRecall['state']) =>
      plan.recalls.push({ cancellation_id, direction: 'OUT', tx_id: original_tx_id ?? '', reason: reasons?.[0]?.code ?? 'CUST', state })
    const answer = (code?: string) => {
      plan.answers.push(recallAnswered(circumstances, request, { about: message.message_id, cancellation_id, code }))
      note(code === undefined ? 'ACCEPTED' : 'REFUSED')
    }
    if (payment === undefined || !isEffective(payment)) {
      answer('NOOR')
      continue
    }
    if (payment.state === 'RETURNED' || payment.next === 'RETURN') {
      answer('ARDT')
      continue
    }
    const said = recallAnswerOf(payment.kind === 'DIRECT_DEBIT' ? payment.debtor : payment.creditor)
    if (said === 'no') answer('CUST')
    if (said === 'silent') note('REQUESTED')
    if (said !== 'yes') continue
    answer()
    if (payment.state === 'WAITING') {
      const stopped = { ...payment, state: 'REJECTED', reason: 'CUST', next: null, next_at: null } as const
      plan.changes.push(stopped)
      plan.answers.push(statusAnswer(circumstances, payment, [reportOf(stopped)]))
      continue
    }
    const returning: BankPayment = { ...payment, reason: 'FOCR', next: 'RETURN', next_at: nextCycle(null, circumstances) }
    if (!isInstant(payment)) {
      plan.changes.push(returning)
      continue
    }
    const done = proceed([returning], circumstances)
    for (const part of ['payments', 'changes', 'entries', 'answers'] as const) (plan[part] as unknown[]).push(...done[part])
  }
  return plan
}

/** The open recalls of other banks about these payments, with their outcome. */
function concluded({ recalls }: Known, state: BankRecall['state'], isAbout: (tx_id: string) => boolean): BankRecall[] {
  return recalls
    .filter((recall) => recall.direction === 'IN' && recall.state === 'REQUESTED' && isAbout(recall.tx_id))
    .map((recall) => ({ ...recall, state }))
}
