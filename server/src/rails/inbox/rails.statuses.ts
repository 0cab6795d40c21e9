// pacs.002: the outcome of messages and payments that we sent, and of instant payments that we have accepted.

import { type Message, meaningOf, reasonOf, type StatusReport } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import type { Companion } from '../../platform/companions.ts'
import type { Tx } from '../../platform/database/database.ts'
import { connector, type Walk, walkOf } from '../../processing/processing.ts'
import { isInstant } from '../../schemes/schemes.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { terminalStatuses } from '../../transfers/life/transfers.status.ts'
import { type UnappliedPayment, updateTransfer } from '../../transfers/transfers.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'
import { houseId } from '../../ventures/ventures.ts'
import { applyToInstant, findMeant } from '../instants/rails.instants.settle.ts'
import type { RailPayment } from '../packs/rails.attempts.sql.ts'
import { movingPayment } from '../packs/rails.packing.ts'
import { insertPayments } from '../packs/rails.packs.sql.ts'
import { judgeStatus, type Mark, type Said, type Verdict } from './rails.answers.ts'
import { type Applying, applied, conclude, findNamed, openProblem, type Place, placeAbout, type Unit } from './rails.apply.ts'
import { findPack, findSealed, type Outcome, type Pack, type StoredMessage, selectPaymentsOf, writePackState } from './rails.inbox.sql.ts'
import { orKnown, orProblem } from './rails.problems.ts'

type Report = Message<'pacs.002.001.10'>
type Group = NonNullable<Report['group']>

/** Payments that get their status from the whole message have positions of their own, after those of all transactions. */
const behind = 10_000

export async function unitsOfStatuses(context: Applying, _stored: StoredMessage, report: Report): Promise<Unit[]> {
  const { group, transactions } = report
  const units: Unit[] = transactions.map((said, index) => ({
    position: index + 1,
    apply: (place) => applyStatus(context, place, { original_message_id: group?.original_message_id, ...said }),
  }))
  return group === undefined ? units : [...units, ...(await unitsOfGroup(context, group, transactions))]
}

/** The status of a whole message applies to each of its payments without a status of its own. */
async function unitsOfGroup(context: Applying, group: Group, transactions: readonly StatusReport[]): Promise<Unit[]> {
  const pack = await findPack(context.database, group.original_message_id)
  const meaning = group.status === undefined ? 'pending' : meaningOf(group.status)
  const differs = pack !== undefined && totalDiffers(pack, group)
  const payments = pack === undefined || differs ? [] : await selectPaymentsOf(context.database, pack.id)
  const named = new Set(
    transactions.flatMap(({ original_tx_id, original_end_to_end_id }) => original_tx_id ?? original_end_to_end_id ?? []),
  )
  const unnamed = payments.filter(({ tx_id, end_to_end_id }) => !named.has(tx_id) && !named.has(end_to_end_id))
  const isRefused = meaning === 'rejected'
  const concerned = isRefused || ((meaning === 'settled' || meaning === 'accepted') && transactions.length === 0) ? unnamed : []
  const units = concerned.map(
    (payment): Unit => ({
      position: behind + (payment.position ?? 0),
      apply: (place) => {
        const refusedWhole = isRefused && !isInstant(payment.rail)
        return refusedWhole ? applyRefusal(context, place, payment, group) : applyToPayment(context, place, payment, group)
      },
    }),
  )
  const isDetailed = transactions.length > 0
  return [
    ...units,
    { position: 0, last: true, apply: (place) => applyToPack(context, place, { group, pack, meaning, differs, isDetailed }) },
  ]
}

/** The totals that the other bank reports must match what we sent. */
function totalDiffers(pack: Pack, { original_count, original_sum }: Group): boolean {
  if (original_count !== undefined && original_count !== pack.count) return true
  return original_sum !== undefined && original_sum !== fromNumeric(pack.total)
}

/** `isDetailed`: the message also has statuses of single payments. */
type PackAnswer = { group: Group; pack: Pack | undefined; meaning: ReturnType<typeof meaningOf>; differs: boolean; isDetailed: boolean }

async function applyToPack(context: Applying, place: Place, { group, pack, meaning, differs, isDetailed }: PackAnswer): Promise<void> {
  const about = { original_message_id: group.original_message_id, status: group.status ?? null }
  if (pack === undefined) return applyToMessage(context, place, group, isDetailed)
  if (meaning === undefined)
    return openProblem(context, place, 'unknown_status', { detail: `The status of the message is ${group.status}.`, about })
  if (differs) {
    const detail = `The message had ${pack.count} payments of together ${pack.total}; the answer says ${group.original_count} of ${group.original_sum}.`
    return openProblem(context, place, 'other_amount', { detail, about })
  }
  const state = meaning === 'rejected' ? 'REFUSED' : 'ACKNOWLEDGED'
  const reason = reasonOf(group.reasons)?.code ?? null
  return conclude(context, place, 'applied', (tx, now) => writePackState(tx, { id: pack.id, state, reason, now }))
}

/** An answer to an inquiry, a recall or another message that moves no money. A person has to see a refusal. */
async function applyToMessage(context: Applying, place: Place, group: Group, isDetailed: boolean): Promise<void> {
  const instant = await findMeant(context, group)
  if (instant !== undefined) return isDetailed ? conclude(context, place, 'noted') : applyToInstant(context, place, instant, group)
  const sealed = await findSealed(context.database, group.original_message_id)
  const about = { original_message_id: group.original_message_id, status: group.status ?? null }
  if (sealed === undefined) return openProblem(context, place, 'unknown_reference', { about })
  if (meaningOf(group.status ?? '') === 'rejected') {
    const reason = reasonOf(group.reasons)
    return openProblem(context, place, 'refused', { detail: `Our ${sealed.type} was refused. ${reason?.words ?? ''}`.trim(), about })
  }
  return conclude(context, place, 'noted')
}

async function applyStatus(context: Applying, place: Place, said: StatusReport): Promise<void> {
  const { original_message_id: message_id, original_tx_id: tx_id, original_end_to_end_id: end_to_end_id } = said
  const payment = await findNamed(context, { message_id, tx_id, end_to_end_id })
  const about = { original_message_id: message_id ?? null, original_tx_id: tx_id ?? null, status: said.status ?? null }
  if (payment !== undefined) return applyToPayment(context, place, payment, said, about)
  const instant = await findMeant(context, said)
  return instant === undefined ? openProblem(context, place, 'unknown_reference', { about }) : applyToInstant(context, place, instant, said)
}

async function applyToPayment(context: Applying, place: Place, payment: RailPayment, said: Said, about: object = {}): Promise<void> {
  const transfer = await transferOf(context, payment)
  await carryOut(
    context,
    await placeAbout(context, place, payment),
    { payment, transfer, about: { ...about, transfer_id: payment.transfer_id } },
    judgeStatus(said, { payment, transfer }),
  )
}

/** A return of the house has no transfer. */
export function transferOf(context: Applying, { venture_id, transfer_id: id }: RailPayment): Promise<TransferRow | undefined> {
  return venture_id === houseId ? Promise.resolve(undefined) : context.findTransfer({ venture_id, id })
}

const ended: ReadonlySet<string> = new Set(terminalStatuses)

/** From which status a payment is freed after the scheme has refused the whole message. */
const freed: Partial<Record<TransferRow['status'], Walk['steps']>> = {
  SENT_TO_CLEAR: ['TO_RESEND'],
  SOME_PROBLEMS: ['TO_RESEND'],
  ACCEPTED: ['SOME_PROBLEMS', 'TO_RESEND'],
  MANUAL_ACTION: ['TO_RESEND'],
  TO_CANCEL: ['CANCELLED'],
}

/** The scheme has refused the whole message, so the payment never happened and may leave again, as another attempt. */
async function applyRefusal(context: Applying, place: Place, payment: RailPayment, group: Group): Promise<void> {
  const transfer = await transferOf(context, payment)
  const reason = reasonOf(group.reasons)
  const mark: Mark = { state: 'REFUSED', reason: reason?.code ?? null, settled_on: null }
  const isOpen = payment.state === 'SENT' || payment.state === 'ACCEPTED' || payment.state === 'UNKNOWN'
  const steps = transfer === undefined ? undefined : freed[transfer.status]
  if (!isOpen || (transfer !== undefined && !ended.has(transfer.status) && steps === undefined)) {
    // An answer to the single payment is judged like any other.
    return applyToPayment(context, place, payment, group)
  }
  if (transfer !== undefined && steps !== undefined) {
    const walk: Walk = {
      steps,
      reason: { status_reason: reason?.words ?? 'The scheme has refused the message.', status_reason_code: reason?.code ?? null },
      third_party_status: group.status ?? 'RJCT',
    }
    return carryOut(context, { ...place, about: payment.transfer_id }, { payment, transfer, about: {} }, { kind: 'walk', walk, mark })
  }
  if (payment.kind !== 'RETURN' || payment.walks) return applyToPayment(context, place, payment, group)
  // A return from suspense has no transfer that could wait for the next pack. A return of credited money that has ended was given up.
  const collect = (tx: Tx, created_at: string) => {
    const next = { pack_id: null, position: null, state: 'COLLECTED', reason: null, created_at, updated_at: created_at } as const
    insertPayments(tx, [{ ...payment, ...next, attempt: payment.attempt + 1 }])
  }
  return conclude(context, { ...place, about: payment.transfer_id }, 'applied', collect, marking(payment, mark))
}

/**
 * The new state of a payment. It was judged without a lock: if the payment has changed since, because two messages about it are applied at
 * the same time, the message is judged again.
 */
export function marking(payment: RailPayment, mark: Mark | undefined): Companion[] {
  if (mark === undefined) return []
  const { state: to, reason, settled_on } = mark
  const noted = { reason: reason ?? payment.reason, settled_on: settled_on ?? payment.settled_on }
  return [movingPayment({ ...payment, ...noted, from: [payment.state], to, now: now().toISOString() })]
}

/** The context of a verdict: the connector acts, and writes the row of the transaction and the new state of the payment with the effect. */
export function carrying(place: Place, outcome: Outcome, payment: RailPayment, mark: Mark | undefined) {
  return { actor: connector, companions: [...applied(place, outcome), ...marking(payment, mark)] }
}

type About = { payment: RailPayment; transfer: TransferRow | undefined; about: object }

/** Carries out the verdict on an answer. Returns of payments are carried out elsewhere. */
export async function carryOut(context: Applying, place: Place, { payment, transfer, about }: About, verdict: Verdict): Promise<void> {
  const { facts, transfers } = context
  switch (verdict.kind) {
    case 'nothing':
      return conclude(context, place, verdict.outcome)
    case 'problem':
      return openProblem(context, place, verdict.problem, { detail: verdict.detail, about })
    case 'mark':
      return conclude(context, place, 'applied', undefined, marking(payment, verdict.mark))
    case 'walk':
      return orProblem(context, place, about, () =>
        updateTransfer(transfers, {
          ...walkOf(transfer as TransferRow, verdict.walk, connector),
          companions: carrying(place, 'applied', payment, verdict.mark).companions,
        }),
      )
    case 'late_settlement':
      return orKnown(context, place, about, () =>
        facts.reportLateSettlement(
          disagreement(context, payment, 'pacs.002', 'The payment was settled after the client had got the money back.'),
          carrying(place, 'break', payment, verdict.mark),
        ),
      )
    case 'contradiction':
      return contradict(context, place, payment, verdict)
    case 'return_refused':
      return orKnown(context, place, about, async () => {
        const iban = transfer?.cr_iban ?? (await facts.getUnapplied(payment.transfer_id)).iban
        const { rail, currency, tx_id } = payment
        const amount = amountText(payment)
        const message = { sender: transfers.bank.bic, kind: 'pacs.002', tx_id: `${tx_id}/${payment.attempt}` }
        const owner = await ownerOf(context, payment, transfer)
        await facts.reportRefusedReturn(
          { message, rail, amount, currency, iban: iban ?? '', ...owner },
          carrying(place, 'applied', payment, verdict.mark),
        )
      })
    case 'returned':
    case 'returned_late':
      throw new Error('a status says nothing about a return')
  }
}

type Debtor = Pick<
  UnappliedPayment,
  'dr_name' | 'dr_iban' | 'dr_bank_bic' | 'dr_address' | 'dr_city' | 'dr_country_code' | 'dr_postal_code' | 'purpose'
>

function debtorOf({ dr_name, dr_iban, dr_bank_bic, dr_address, dr_city, dr_country_code, dr_postal_code, purpose }: Debtor): Debtor {
  return { dr_name, dr_iban, dr_bank_bic, dr_address, dr_city, dr_country_code, dr_postal_code, purpose }
}

/** The owner of money that could not be returned or paid out: a client's money remains the client's. */
async function ownerOf({ facts }: Applying, { transfer_id }: RailPayment, transfer: TransferRow | undefined) {
  if (transfer !== undefined) return debtorOf(transfer)
  const unapplied = await facts.getUnapplied(transfer_id)
  const { client_venture_id, client_id, parent_transaction_id } = unapplied
  return { ...debtorOf(unapplied), client_venture_id, client_id, parent_transaction_id }
}

/** With the number of decimals of the currency. */
const amountText = ({ amount, currency }: RailPayment): string => formatMoney(fromNumeric(amount), currency)

function disagreement({ transfers }: Applying, payment: RailPayment, kind: string, explanation: string) {
  const { venture_id, transfer_id: id, rail, currency, tx_id } = payment
  const message = { sender: transfers.bank.bic, kind, tx_id: `${tx_id}/${payment.attempt}` }
  return { ...message, transfer: { venture_id, id }, rail, amount: amountText(payment), currency, explanation }
}

/** The claim of the booking for a late settlement. */
export const lateClaim = ({ transfers }: Applying, { tx_id, attempt }: RailPayment) => ({
  sender: transfers.bank.bic,
  kind: 'pacs.002',
  tx_id: `${tx_id}/${attempt}`,
})

/** Other banks contradict each other about a payment. A return of the house concerns no account, so it becomes a case. */
export async function contradict(
  context: Applying,
  place: Place,
  payment: RailPayment,
  { mark, explanation }: Extract<Verdict, { kind: 'contradiction' }>,
): Promise<void> {
  const about = { transfer_id: payment.transfer_id }
  if (payment.venture_id === houseId) return openProblem(context, place, 'unexpected', { detail: explanation, about })
  return orKnown(context, place, about, () =>
    context.facts.reportContradiction(
      disagreement(context, payment, 'pacs.002 other', explanation),
      carrying(place, 'break', payment, mark),
    ),
  )
}
