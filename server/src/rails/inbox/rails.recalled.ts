// camt.056 and camt.029: another bank asks for a payment that we received, or answers our own request.

import { type Message, type RecallAnswer, type RecallRequest, reasonOf } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'
import { type RecallRow, selectRecalls, sendRecall, writeAnswer } from '../recalls/rails.recalls.sql.ts'
import { dueFrom } from '../recalls/rails.recalls.ts'
import { type Applying, conclude, findNamed, openProblem, type Place, type Unit } from './rails.apply.ts'
import { findReceivedByTx, type Received, type StoredMessage } from './rails.inbox.sql.ts'

type Requests = Message<'camt.056.001.08'>
type Answers = Message<'camt.029.001.09'>

/** The case about a payment that another bank wants back. */
export const recallCase = 'recall'

export async function unitsOfRecalls(context: Applying, stored: StoredMessage, message: Requests): Promise<Unit[]> {
  return message.transactions.map((request, index) => ({
    position: index + 1,
    apply: (place) => applyRecall(context, place, message.from_bic ?? stored.sender, request),
  }))
}

/** The payment that a request means. Two banks may use the same id, so the original message decides, or else the requesting bank. */
function meantBy(found: readonly Received[], { original_message_id }: RecallRequest, from_bic: string): Received | undefined {
  const payments = found.filter(({ message_type }) => message_type.startsWith('pacs.008'))
  const inMessage = original_message_id === undefined ? payments : payments.filter(({ message_id }) => message_id === original_message_id)
  if (inMessage.length <= 1) return inMessage[0]
  const ofBank = inMessage.filter(({ sender }) => sender === from_bic.padEnd(11, 'X'))
  return ofBank.length === 1 ? ofBank[0] : undefined
}

async function applyRecall(context: Applying, told: Place, from_bic: string, request: RecallRequest): Promise<void> {
  const { cancellation_id, original_tx_id, original_amount, original_currency } = request
  const about = { cancellation_id, original_tx_id: original_tx_id ?? null, from_bic }
  const found = original_tx_id === undefined ? [] : await findReceivedByTx(context.database, original_tx_id)
  const received = meantBy(found, request, from_bic)
  if (received === undefined) return openProblem(context, told, 'unknown_reference', { about })
  const place = { ...told, about: received.id }
  if (original_currency !== undefined && original_currency !== received.currency)
    return openProblem(context, place, 'other_currency', { about })
  if (original_amount !== undefined && original_amount !== fromNumeric(received.amount)) {
    const detail = `The recall says ${formatMoney(original_amount, received.currency)}, but the payment is ${received.amount}.`
    return openProblem(context, place, 'other_amount', { detail, about })
  }
  const { venture_id, id: transfer_id } = received
  const before = await selectRecalls(context.database, { venture_id, id: transfer_id })
  const isKnown = ({ direction, state, case_reference, other_bic }: RecallRow) =>
    direction === 'IN' && (state === 'REQUESTED' || (case_reference === cancellation_id && other_bic === from_bic))
  if (before.some(isKnown)) return conclude(context, place, 'known')
  const moment = now()
  const row: RecallRow = {
    id: uuidv7(),
    venture_id,
    transfer_id,
    direction: 'IN',
    case_reference: cancellation_id,
    other_bic: from_bic,
    reason: reasonOf(request.reasons)?.code ?? 'MS03',
    state: 'REQUESTED',
    answer_reason: null,
    due_on: dueFrom(moment),
    created_at: moment.toISOString(),
    updated_at: moment.toISOString(),
  }
  await conclude(context, place, 'applied', (tx) => {
    sendRecall(tx, row)
    context.transfers.openCase(tx, {
      venture_id,
      kind: recallCase,
      resource_id: row.id,
      due_h: hoursUntil(row.due_on ?? '', moment),
      payload: { transfer_id, from_bic, reason: row.reason, information: request.reasons?.[0]?.information ?? [] },
    })
  })
}

const hour_ms = 3_600_000

const hoursUntil = (day: string, moment: Date): number => Math.ceil((Date.parse(`${day}T00:00:00Z`) - moment.getTime()) / hour_ms)

export async function unitsOfRecallAnswers(context: Applying, _stored: StoredMessage, message: Answers): Promise<Unit[]> {
  const { transactions, from_bic, status } = message
  // Without a transaction, the recall does not say which payment it means.
  if (transactions.length === 0)
    return [
      {
        position: 0,
        apply: (place) =>
          openProblem(context, place, 'unknown_reference', { about: { from_bic: from_bic ?? null, status: status ?? null } }),
      },
    ]
  return transactions.map((answer, index) => ({ position: index + 1, apply: (place) => applyRecallAnswer(context, place, answer) }))
}

/** Changes only the state of the recall: the money comes back by other messages, in any order. */
async function applyRecallAnswer(context: Applying, told: Place, answer: RecallAnswer): Promise<void> {
  const { original_message_id: message_id, original_tx_id: tx_id, original_end_to_end_id: end_to_end_id, status } = answer
  const payment = await findNamed(context, { message_id, tx_id, end_to_end_id })
  const about = { original_tx_id: tx_id ?? null, status: status ?? null }
  const place = payment === undefined ? told : { ...told, about: payment.transfer_id }
  const asked =
    payment === undefined ? [] : await selectRecalls(context.database, { venture_id: payment.venture_id, id: payment.transfer_id })
  const recall = asked.filter(({ direction }) => direction === 'OUT').at(-1)
  if (recall === undefined) return openProblem(context, place, 'unknown_reference', { about })
  if (status === 'PDCR' || status === undefined) return conclude(context, place, 'noted')
  const state = status === 'ACCR' ? 'ACCEPTED' : 'REFUSED'
  if (recall.state === state) return conclude(context, place, 'known')
  if (recall.state !== 'REQUESTED') return openProblem(context, place, 'other_answer', { about })
  const answer_reason = reasonOf(answer.reasons)?.code ?? null
  const { venture_id, id } = recall
  await conclude(context, place, 'applied', (tx, at) => writeAnswer(tx, { venture_id, id, state, answer_reason }, at))
}
