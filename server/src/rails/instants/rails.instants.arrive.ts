// pacs.008 over an instant rail: within the seconds there is only yes or no. Everything is decided before we answer, and the answer is
// sealed together with what it books.
import type { CreditTransfer } from '../../iso20022/iso20022.ts'
import { boundId, idOfName } from '../../platform/bound-id.ts'
import { now } from '../../platform/clock.ts'
import type { Companion } from '../../platform/companions.ts'
import { connector, payerFault } from '../../processing/processing.ts'
import type { Said } from '../../transfers/life/transfers.details.ts'
import type { InboundReport } from '../../transfers/transfers.ts'
import { fromNumeric } from '../../values/money.ts'
import { Refusal } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import { type Applying, applied, conclude, openProblem, type Place } from '../inbox/rails.apply.ts'
import { insertReceivedPayment, type NewReceived, type StoredMessage } from '../inbox/rails.inbox.sql.ts'
import { passing } from '../inbox/rails.problems.ts'
import { type Also, bookedOnce, concludeBooked } from '../inbox/rails.repeated.ts'
import { prepareAnswer } from '../inbox/rails.replies.ts'
import { insertSealed, type SealedMessage } from '../rails.messages.ts'
import { findInstants, type InstantRow, insertAccepted, insertRefused, type NewInstant } from './rails.instants.sql.ts'
import { timeOf } from './rails.instants.ts'

/** `to`: who gets the answer. `accepted_at`: the time in the message, from which the scheme's seconds count. */
export type Arriving = {
  stored: StoredMessage
  payment: CreditTransfer
  to: string
  accepted_at: string
  received: NewReceived
  report: InboundReport
  said: Said
  about: object
}

export async function applyInstant(context: Applying, place: Place, arriving: Arriving): Promise<void> {
  const { received, report, said, about } = arriving
  const earlier = await findEarlier(context, received)
  if (earlier !== undefined) {
    const problem = differs(earlier, arriving)
    if (problem !== undefined)
      return openProblem(context, place, problem, { detail: 'Another payment with this id has been answered.', about })
    // The same payment has the same answer.
    return conclude(context, place, 'known', sealing(await answerWith(context, arriving, earlier.code ?? undefined)))
  }
  const id = boundId(report.sender, report.kind, report.tx_id)
  const { code, companions } = await decide(context, id, arriving)
  if (code !== undefined) return refuseInstant(context, place, arriving, code, companions)
  const { confirms } = context.instant
  const answer = await answerWith(context, arriving, undefined)
  const accept =
    (state: InstantRow['state']): Also =>
    (tx, at) => {
      insertReceivedPayment(tx, received, at)
      insertAccepted(tx, { ...rowOf(arriving), answer_id: answer.message_id, code: null, state }, at)
      insertSealed(tx, answer, new Date(at))
    }
  try {
    await bookedOnce(
      () =>
        context.facts.reportInboundPayment(
          report,
          { actor: connector, companions: [...applied(place, 'applied', accept(confirms ? 'AWAITED' : 'CONFIRMED')), ...companions] },
          { instant: confirms ? 'awaited' : 'final', id, said },
        ),
      // People have booked it before its message came, so nothing is left to confirm.
      (booked) => concludeBooked(context, place, { received, about, also: accept('CONFIRMED'), booked }),
    )
  } catch (error) {
    if (!(error instanceof Refusal) || passing.has(error.code)) throw error
    // What cannot be booked cannot be accepted.
    return refuseInstant(context, place, arriving, 'MS03', [])
  }
}

async function findEarlier({ database }: Applying, { tx_id, sender }: NewReceived): Promise<InstantRow | undefined> {
  return (await findInstants(database, { tx_id })).find((row) => row.sender === sender)
}

function differs(earlier: InstantRow, { received, report }: Arriving): 'other_amount' | 'other_account' | undefined {
  if (fromNumeric(earlier.amount) !== fromNumeric(received.amount) || earlier.currency !== received.currency) return 'other_amount'
  return earlier.creditor_iban === report.iban ? undefined : 'other_account'
}

type Decision = { code: string | undefined; companions: readonly Companion[] }

/** Yes, or no with a code of the scheme: by the message's own time, by the account, by what the message says about the payer, and by what is known about the client. */
async function decide(context: Applying, id: string, { accepted_at, report }: Arriving): Promise<Decision> {
  const time = timeOf(accepted_at, now(), context.instant)
  if (time === 'late') return { code: 'AB05', companions: [] }
  if (time === 'ahead') {
    context.clock.off++
    context.log.warn({ accepted_at, tx_id: report.tx_id }, 'an instant payment comes from the future: one of two clocks is wrong')
  }
  const account = await context.facts.findPayeeAccount(report.iban, report.currency)
  if (account.fault !== undefined) return { code: account.fault, companions: [] }
  const gap = payerFault(report)
  if (gap !== undefined) return { code: gap, companions: [] }
  return context.screenArriving({ ...account, id, report })
}

/** Nothing is booked. */
async function refuseInstant(
  context: Applying,
  place: Place,
  arriving: Arriving,
  code: string,
  companions: readonly Companion[],
): Promise<void> {
  const answer = await answerWith(context, arriving, code)
  const row = { ...rowOf(arriving), answer_id: answer.message_id, code, state: 'REFUSED' as const }
  const id = idOfName(`instant ${row.sender} ${row.tx_id}`)
  const also: Also = (tx, at) => {
    insertRefused(tx, { ...row, venture_id: houseId, id }, at)
    insertSealed(tx, answer, new Date(at))
  }
  return conclude(context, place, 'refused', also, companions)
}

const sealing =
  (answer: SealedMessage): Also =>
  (tx, at) =>
    insertSealed(tx, answer, new Date(at))

const answerWith = (context: Applying, { stored, received: { rail }, payment, to }: Arriving, fault: string | undefined) =>
  prepareAnswer(context, { stored, rail, payment, to, fault })

function rowOf({ received, report }: Arriving): Omit<NewInstant, 'answer_id' | 'code' | 'state'> {
  const { sender, message_type, message_id, tx_id, end_to_end_id, amount, currency } = received
  return { sender, message_type, message_id, tx_id, end_to_end_id, creditor_iban: report.iban, amount, currency }
}
