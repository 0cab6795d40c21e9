// The message of a payment that does not exist yet, and when it would leave. For the dry run: nothing is written.
import type { Database } from '../platform/database/database.ts'
import { isInstant, nextCutOff, type Participations, type Rail, type RailBook, railOf } from '../schemes/schemes.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { composeAll, findReachable, kindOf } from './packs/rails.collect.ts'
import type { ContentFault, Contents } from './packs/rails.contents.ts'
import { messageOf } from './packs/rails.kinds.ts'
import type { Sources } from './packs/rails.packing.ts'
import type { PackKind } from './packs/rails.payments.ts'

/** A text of the order, and what the message would contain. `sent`: null if the message has no such text. */
export type ForeseenText = {
  field: 'dr_name' | 'cr_name' | 'purpose' | 'structured_reference' | 'unique_reference'
  given: string
  sent: string | null
}

export type ForeseenMessage = {
  rail: Rail
  type: string
  texts: ForeseenText[]
  /** Null if the rail reaches all banks, or the bank is not named. */
  reachable: boolean | null
  cut_off: string | null
  fault: ContentFault | null
}

type Foreseeing = { database: Database; participations: Participations; sources: Sources }

/** Undefined for what no message would carry. */
export async function foreseeMessage(
  { database, participations, sources }: Foreseeing,
  transfer: TransferRow,
  now: Date,
): Promise<ForeseenMessage | undefined> {
  const rail = railOf(transfer.method)
  if (rail === undefined || transfer.on_us || !transfer.managed) return undefined
  const [reachable, book] = await Promise.all([findReachable({ database }, [rail]), participations.current()])
  const composed = (await composeAll({ sources }, [transfer], reachable)).get(transfer.id)
  const fault = composed !== undefined && 'fault' in composed ? composed.fault : null
  const content = composed !== undefined && 'content' in composed ? composed.content : undefined
  const bic = transfer[transfer.direction === 'OUTBOUND' ? 'cr_bank_bic' : 'dr_bank_bic']
  const banks = reachable[rail]
  return {
    rail,
    type: messageOf({ rail, kind: kindOf(transfer) }),
    texts: content === undefined ? [] : textsOf(transfer, content),
    reachable: banks === undefined || bic === null ? null : banks.has(bic.toUpperCase().slice(0, 8)),
    cut_off: cutOffOf(book, transfer, now),
    fault,
  }
}

/** When it leaves; null if it leaves at once. A payment for a future date is not packed before its sending day. */
function cutOffOf(book: RailBook, transfer: TransferRow, now: Date): string | null {
  const day = book.sendingDay(transfer, now)
  const sent = day === undefined ? now : new Date(`${day}T00:00:00Z`)
  const start = sent > now ? sent : now
  // The terms may have changed by then.
  const terms = book.termsOf(transfer.method, start)
  if (terms === undefined || isInstant(terms.rail)) return null
  return nextCutOff({ ...terms, days: book.daysOf(terms) }, start)?.toISOString() ?? null
}

/** A return names what it gives back, and carries no text of its order. */
function textsOf(transfer: TransferRow, content: Contents[PackKind]): ForeseenText[] {
  if ('return_id' in content) return []
  const { debtor, creditor, remittance, references, end_to_end_id } = content
  const sent: Record<ForeseenText['field'], string | null> = {
    dr_name: debtor.name,
    cr_name: creditor.name,
    purpose: remittance?.[0] ?? null,
    structured_reference: references?.[0]?.reference ?? null,
    unique_reference: end_to_end_id === transfer.unique_reference ? end_to_end_id : null,
  }
  return (Object.keys(sent) as ForeseenText['field'][]).flatMap((field) => {
    const given = transfer[field]
    return given === null ? [] : [{ field, given, sent: sent[field] }]
  })
}
