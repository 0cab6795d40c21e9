// Instant payments without an answer in time: an inquiry is sent, people get a case, and the money is kept or given back, as agreed with the
// venture. The time counts from the order, as the payment's own message states it (Art. 5a of Regulation 260/2012).

import { openFirstCase } from '../cases/cases.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companion, type CompanionKind, companion } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { listed, read } from '../platform/database/sql.ts'
import type { Logger } from '../platform/log.ts'
import { connector, type Walk, walkOf } from '../processing/processing.ts'
import { instantRails } from '../schemes/schemes.ts'
import { findStandings, type Transfers, updateTransfer } from '../transfers/transfers.ts'
import { Refusal } from '../values/refusals.ts'
import { houseId } from '../ventures/ventures.ts'
import { execution_ms } from './packs/rails.contents.ts'
import { messageOf } from './packs/rails.kinds.ts'
import { type InstantTimeout, movingPayment, type TimeoutsOf } from './packs/rails.packing.ts'
import { type PaymentRow, writeUnanswered } from './packs/rails.packs.sql.ts'
import { withholdMessage } from './rails.delivery.ts'
import { insertSealed, makeMessageId, prepareMessage, type SealedMessage } from './rails.messages.ts'

export type TimingOut = {
  database: Database
  transfers: Transfers
  log: Logger
  timeoutsOf: TimeoutsOf
}

const instant = listed(instantRails)

type Unanswered = PaymentRow & { pack_id: string; message_id: string; pack_created_at: string; delivered_at: string | null }

/**
 * Sent and not answered in time, oldest first. The message says when the order was received. Returns have no guarantee of an answer within
 * seconds: inquiries about them follow the rules of packs.
 */
const selectUnanswered = (before: string, limit: number) => read<Unanswered>`
  select payment.venture_id, payment.transfer_id, payment.attempt, payment.tx_id, payment.end_to_end_id, payment.rail, payment.kind,
    payment.pack_id, payment.position, payment.amount, payment.currency, payment.walks, payment.state, payment.updated_at,
    pack.message_id, pack.created_at as pack_created_at, pack.delivered_at
  from rail_payments payment join rail_packs pack on pack.id = payment.pack_id
  where payment.rail in (${instant}) and payment.kind <> 'RETURN' and payment.state = 'SENT'
    and coalesce((payment.content ->> 'accepted_at')::timestamptz, payment.updated_at) <= ${before}
  order by payment.updated_at limit ${limit}`

const most = 256

/** Returns how many payments have timed out now. */
export async function timeOutInstants(timing: TimingOut): Promise<number> {
  const before = new Date(now().getTime() - execution_ms).toISOString()
  const unanswered = await timing.database.rows(selectUnanswered(before, most))
  if (unanswered.length === 0) return 0
  const timeouts = await timing.timeoutsOf([...new Set(unanswered.map(({ venture_id }) => venture_id))])
  const done = await Promise.all(unanswered.map((payment) => timeOut(timing, payment, timeouts.get(payment.venture_id) ?? 'hold')))
  return done.filter(Boolean).length
}

/** `isOver`: the client has the money back, so a message that has not left yet must not leave any more. */
type Silence = { payment: Unanswered; question: SealedMessage; isOver: boolean }

/** What follows a timeout besides the walk: the inquiry, an UNKNOWN pack, and a case in which people may declare it not sent. */
const silences: CompanionKind<Silence, unknown> = {
  name: 'rail_silences',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write(tx, granted) {
    for (const { row } of granted) {
      const { payment, question, isOver } = row
      const { pack_id: resource_id, message_id } = payment
      insertSealed(tx, question, now())
      writeUnanswered(tx, resource_id, now().toISOString())
      if (isOver)
        withholdMessage(tx, { pack_id: resource_id, message_id }, 'The time of the payment was over before the message left.', now())
      const payload = { message_id, question: question.message_id, unanswered: 1 }
      openFirstCase(tx, { venture_id: houseId, kind: 'delivery', resource_id, payload, due_h: 24 })
    }
  },
}

const reason = { status_reason: 'The other bank has not answered in time.', status_reason_code: 'no_answer' }

/** The walk, the state of the payment and the inquiry are one transaction. */
async function timeOut(timing: TimingOut, payment: Unanswered, timeout: InstantTimeout): Promise<boolean> {
  const { database, transfers, log } = timing
  const { venture_id, transfer_id } = payment
  try {
    const question = await questionAbout(timing, payment)
    const move = movingPayment({ ...payment, from: ['SENT'], to: 'UNKNOWN', reason: 'no_answer', now: now().toISOString() })
    const companions: Companion[] = [move, companion(silences, { payment, question, isOver: timeout === 'restore' && payment.walks })]
    const [standing] = payment.walks ? await findStandings(transfers, [{ venture_id, id: transfer_id }]) : []
    const walk = standing === undefined ? undefined : walkFrom(standing.transfer.status, timeout)
    if (standing === undefined || walk === undefined) await database.transaction((tx) => accompanied(tx, companions, async () => ({})))
    else await updateTransfer(transfers, { ...walkOf(standing.transfer, walk, connector), companions })
    return true
  } catch (error) {
    // It was answered at the last moment, or the next round retries it.
    if (!(error instanceof Refusal)) log.warn({ err: error, transfer_id, venture_id }, 'an instant payment could not be timed out')
    return false
  }
}

/** A payment that is being cancelled already waits for its end. The table leads to REJECTED over SOME_PROBLEMS as well. */
function walkFrom(status: string, timeout: InstantTimeout): Walk | undefined {
  if (status !== 'SENT_TO_CLEAR') return undefined
  if (timeout === 'hold') return { steps: ['SOME_PROBLEMS'], reason }
  return { steps: ['SOME_PROBLEMS', 'REJECTED'], reason, third_party_status: 'TIMEOUT' }
}

async function questionAbout({ database, transfers: { bank, participations } }: TimingOut, payment: Unanswered): Promise<SealedMessage> {
  const moment = now()
  const message_id = await makeMessageId(database, { bic: bank.bic, letter: 'Q', now: moment })
  const message = {
    message_id,
    created_at: moment.toISOString(),
    instructing_bic: bank.bic,
    transactions: [
      {
        status_request_id: message_id,
        original_message_id: payment.message_id,
        original_message_type: messageOf(payment),
        original_created_at: payment.pack_created_at,
        original_end_to_end_id: payment.end_to_end_id,
        original_tx_id: payment.tx_id,
      },
    ],
  }
  const envelope = (await participations.current()).inForce(payment.rail, moment)?.envelope
  return { ...prepareMessage({ type: 'pacs.028.001.03', message, envelope }, bank.bic), pack_id: payment.pack_id }
}
