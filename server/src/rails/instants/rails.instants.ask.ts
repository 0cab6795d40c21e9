// Nothing was heard about an instant payment that we have accepted: the clearing system is asked once, and people get a case. Its money stays in suspense.
import { openFirstCase } from '../../cases/cases.ts'
import { now } from '../../platform/clock.ts'
import { accompanied, type CompanionKind, companion } from '../../platform/companions.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { instantRail } from '../../schemes/schemes.ts'
import type { Transfers } from '../../transfers/transfers.ts'
import { Refusal } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import { insertSealed, makeMessageId, prepareMessage, type SealedMessage } from '../rails.messages.ts'
import { movingInstant } from './rails.instants.settle.ts'
import { type InstantRow, selectSilent } from './rails.instants.sql.ts'
import { silence_ms } from './rails.instants.ts'

type Asking = { database: Database; transfers: Transfers; log: Logger }

const most = 256

/** Returns how many payments were asked about. */
export async function askAboutInstants(asking: Asking): Promise<number> {
  const before = new Date(now().getTime() - silence_ms).toISOString()
  const silent = await selectSilent(asking.database, before, most)
  const asked = await Promise.all(silent.map((instant) => ask(asking, instant)))
  return asked.filter(Boolean).length
}

type Question = { instant: InstantRow; sealed: SealedMessage }

const questions: CompanionKind<Question, unknown> = {
  name: 'rail_instant_questions',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write(tx, granted) {
    for (const { row } of granted) {
      const { instant, sealed } = row
      const { venture_id, id, message_id, tx_id } = instant
      insertSealed(tx, sealed, now())
      const payload = { message_id, question: sealed.message_id, original_tx_id: tx_id, venture_id, transfer_id: id }
      openFirstCase(tx, { venture_id: houseId, kind: 'delivery', resource_id: sealed.id, payload, due_h: 24 })
    }
  },
}

/** The question, its case and the note that it was asked are one transaction. */
async function ask({ database, transfers, log }: Asking, instant: InstantRow): Promise<boolean> {
  try {
    const sealed = await questionAbout({ database, transfers }, instant)
    const companions = [movingInstant(instant, { question_id: sealed.id }), companion(questions, { instant, sealed })]
    await database.transaction((tx) => accompanied(tx, companions, async () => ({})))
    return true
  } catch (error) {
    // It was answered at the last moment, another instance has asked, or the next round repeats it.
    if (!(error instanceof Refusal))
      log.warn({ err: error, tx_id: instant.tx_id }, 'the clearing system could not be asked about a payment')
    return false
  }
}

async function questionAbout(
  { database, transfers: { bank, participations } }: Pick<Asking, 'database' | 'transfers'>,
  instant: InstantRow,
) {
  const { message_id: original_message_id, message_type, end_to_end_id, tx_id } = instant
  const moment = now()
  const message_id = await makeMessageId(database, { bic: bank.bic, letter: 'Q', now: moment })
  const message = {
    message_id,
    created_at: moment.toISOString(),
    instructing_bic: bank.bic,
    transactions: [
      {
        status_request_id: message_id,
        original_message_id,
        original_message_type: message_type,
        original_end_to_end_id: end_to_end_id,
        original_tx_id: tx_id,
      },
    ],
  }
  const envelope = (await participations.current()).termsOf(instantRail, moment)?.envelope
  return prepareMessage({ type: 'pacs.028.001.03', message, envelope }, bank.bic)
}
