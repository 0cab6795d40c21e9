// pacs.002 of ours: our answer to another bank's payment or direct debit.
import type { CreditTransfer, DirectDebit } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import { makeMessageId, prepareMessage, type SealedMessage } from '../rails.messages.ts'
import type { Applying } from './rails.apply.ts'
import type { StoredMessage } from './rails.inbox.sql.ts'

type Answered = { stored: StoredMessage; rail: string; payment: CreditTransfer | DirectDebit; to: string; fault: string | undefined }

/** Our answer, ready to be sealed. `fault`: why we refuse it. */
export function prepareAnswer(context: Applying, { stored, rail, payment, to, fault }: Answered): Promise<SealedMessage> {
  const { tx_id, end_to_end_id } = payment
  const about = { message_type: stored.type, message_id: stored.message_id, rail, tx_id, end_to_end_id, to }
  return statusMessage(context, about, fault === undefined ? { status: 'ACCP' } : { status: 'RJCT', code: fault })
}

export type AnsweredPayment = { message_type: string; message_id: string; rail: string; tx_id: string; end_to_end_id: string; to: string }

/** `id`: the row's id, so that an answer that is prepared twice is sealed once. */
export async function statusMessage(
  { database, transfers: { bank, participations } }: Pick<Applying, 'database' | 'transfers'>,
  { message_type, message_id, rail, tx_id, end_to_end_id, to }: AnsweredPayment,
  { status, code, id }: { status: 'ACCP' | 'RJCT'; code?: string; id?: string },
): Promise<SealedMessage> {
  const made = now()
  const message = {
    message_id: await makeMessageId(database, { bic: bank.bic, letter: 'A', now: made }),
    created_at: made.toISOString(),
    instructing_bic: bank.bic,
    instructed_bic: to,
    transactions: [
      {
        original_message_id: message_id,
        original_message_type: message_type,
        original_end_to_end_id: end_to_end_id,
        original_tx_id: tx_id,
        status,
        ...(code && { reasons: [{ originator_bic: bank.bic, code }] }),
      },
    ],
  }
  const envelope = (await participations.current()).termsOf(rail, made)?.envelope
  return prepareMessage({ type: 'pacs.002.001.10', message, envelope }, bank.bic, id)
}
