// Recalls: the bank asks another bank to give a payment back (camt.056), or is asked to. A recall has a state of its own, which an answer
// (camt.029) changes; the money comes back only as a return.

import { type CreditTransfer, txIdOf } from '../../iso20022/iso20022.ts'
import type { By } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { accompanied, type Companions } from '../../platform/companions.ts'
import type { Database } from '../../platform/database/database.ts'
import { shown } from '../../platform/http/shown.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { getTransfer, type Key, type Transfers } from '../../transfers/transfers.ts'
import { addTargetDays, todayUtc } from '../../values/calendar.ts'
import { fromNumeric } from '../../values/money.ts'
import { refuse } from '../../values/refusals.ts'
import { findPayment } from '../packs/rails.attempts.sql.ts'
import type { PaymentState } from '../packs/rails.payments.ts'
import { insertSealed, makeMessageId, prepareMessage, type SealedMessage } from '../rails.messages.ts'
import { Recall, type RecallRequest } from './rails.recalls.schemas.ts'
import { insertRecall, type RecallRow, selectRecalls } from './rails.recalls.sql.ts'

export type Recalls = { database: Database; transfers: Transfers }

/** How many TARGET days a bank has to answer a recall. */
const answer_days = 15

export const dueFrom = (moment: Date): string => addTargetDays(todayUtc(moment), answer_days)

/** Why a payment in this state cannot be recalled; undefined if it can. */
const faults: Record<PaymentState, string | undefined> = {
  COLLECTED: 'It has not been sent, so it can be cancelled.',
  PACKED: 'It has not been sent, so it can be cancelled.',
  DROPPED: 'It has not been sent, so it can be cancelled.',
  REFUSED: 'The scheme has refused its message.',
  SENT: undefined,
  ACCEPTED: undefined,
  UNKNOWN: undefined,
  SETTLED: undefined,
  REJECTED: 'It has been rejected, so the client has the money.',
  RETURNED: 'It has already come back.',
}

const show = (row: RecallRow): Recall => shown(Recall, row)

export async function listRecalls({ database, transfers }: Recalls, venture_id: string, id: string): Promise<Recall[]> {
  const rows = await selectRecalls(database, { venture_id, id })
  if (rows.length === 0) await getTransfer(transfers, venture_id, id)
  return rows.map(show)
}

/** Asks for a payment that was sent. The request and its message are one transaction. */
export async function recallTransfer(
  { database, transfers }: Recalls,
  key: Key,
  request: RecallRequest,
  { companions }: Pick<By, 'companions'>,
): Promise<Recall> {
  const { venture_id, id: transfer_id } = key
  const { status } = await getTransfer(transfers, venture_id, transfer_id)
  const payment = await findPayment(database, key)
  if (payment === undefined || payment.kind !== 'CREDIT_TRANSFER')
    refuse('recall_not_possible', { detail: `The transfer is ${status} and has not been sent to another bank.`, current_status: status })
  const fault = faults[payment.state]
  if (fault !== undefined) refuse('recall_not_possible', { detail: `The transfer is ${status}. ${fault}`, current_status: status })
  const moment = now()
  const { bic } = transfers.bank
  const sent = payment.content as Omit<CreditTransfer, 'amount' | 'currency'>
  const id = uuidv7()
  const row: RecallRow = {
    id,
    venture_id,
    transfer_id,
    direction: 'OUT',
    case_reference: txIdOf(id),
    other_bic: sent.creditor_bic ?? bic,
    reason: request.reason,
    state: 'REQUESTED',
    answer_reason: null,
    due_on: dueFrom(moment),
    created_at: moment.toISOString(),
    updated_at: moment.toISOString(),
  }
  const { debtor, debtor_iban, debtor_bic, creditor, creditor_iban, creditor_bic } = sent
  const message = {
    message_id: await makeMessageId(database, { bic, letter: 'C', now: moment }),
    created_at: moment.toISOString(),
    // If the other bank is unknown, the clearing system finds it by the payment.
    from_bic: bic,
    to_bic: row.other_bic,
    transactions: [
      {
        cancellation_id: row.case_reference,
        original_message_id: payment.message_id ?? '',
        original_message_type: 'pacs.008.001.08',
        original_end_to_end_id: payment.end_to_end_id,
        original_tx_id: payment.tx_id,
        original_amount: fromNumeric(payment.amount),
        original_currency: payment.currency,
        original_settlement_date: payment.settlement_date,
        reasons: [
          { originator_bic: bic, code: request.reason, ...(request.information != null && { information: [request.information] }) },
        ],
        original: { debtor, debtor_iban, debtor_bic, creditor, creditor_iban, creditor_bic },
      },
    ],
  }
  // Its row has the id of the recall, so that the transfer's messages include it.
  const envelope = (await transfers.participations.current()).inForce(payment.rail, moment)?.envelope
  const sealed = prepareMessage({ type: 'camt.056.001.08', message, envelope }, bic, id)
  await store(database, row, sealed, companions)
  return show(row)
}

async function store(database: Database, row: RecallRow, sealed: SealedMessage, companions: Companions): Promise<void> {
  await database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      if (!(await insertRecall(tx, row))) refuse('recall_pending')
      insertSealed(tx, sealed, new Date(row.created_at))
      return row
    }),
  )
}
