// The message of a payment that does not exist yet, and when it would leave. For the dry run: nothing is written.
import { endToEndIdOf, txIdOf } from '../iso20022/iso20022.ts'
import type { Database } from '../platform/database/database.ts'
import type { TransferRow } from '../transfers/life/transfers.columns.ts'
import { methods, sendingDay } from '../transfers/life/transfers.methods.ts'
import { type Rail, rails } from '../transfers/life/transfers.rails.ts'
import { composeAll, findReachable, kindOf } from './packs/rails.collect.ts'
import type { ContentFault, Contents } from './packs/rails.contents.ts'
import { nextCutOff } from './packs/rails.cycles.ts'
import { packMessages } from './packs/rails.kinds.ts'
import type { Sources } from './packs/rails.packing.ts'
import { selectCycles } from './packs/rails.packs.sql.ts'
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

type Foreseeing = { database: Database; sources: Sources }

/** Undefined for what no message would carry. */
export async function foreseeMessage(
  { database, sources }: Foreseeing,
  transfer: TransferRow,
  now: Date,
): Promise<ForeseenMessage | undefined> {
  const rail = rails.find((name) => name === transfer.method)
  if (rail === undefined || transfer.on_us || !transfer.managed) return undefined
  const [reachable, cycles] = await Promise.all([findReachable({ database }, [rail]), database.rows(selectCycles(rail))])
  const composed = (await composeAll({ sources }, [transfer], reachable)).get(transfer.id)
  const fault = composed !== undefined && 'fault' in composed ? composed.fault : null
  const content = composed !== undefined && 'content' in composed ? composed.content : undefined
  const bic = transfer[transfer.direction === 'OUTBOUND' ? 'cr_bank_bic' : 'dr_bank_bic']
  const banks = reachable[rail]
  return {
    rail,
    type: packMessages[kindOf(transfer)],
    texts: content === undefined ? [] : textsOf(transfer, content),
    reachable: banks === undefined || bic === null ? null : banks.has(bic.toUpperCase().slice(0, 8)),
    cut_off: methods[rail].instant
      ? null
      : (nextCutOff(
          cycles.map(({ cut_off }) => cut_off),
          startOf(transfer, now),
        )?.toISOString() ?? null),
    fault,
  }
}

/** A payment for a future date is not packed before its sending day. */
function startOf(transfer: TransferRow, now: Date): Date {
  const day = sendingDay(transfer)
  const start = day === null ? now : new Date(`${day}T00:00:00Z`)
  return start > now ? start : now
}

/** A return names what it gives back, and carries no text of its order. */
function textsOf(transfer: TransferRow, content: Contents[PackKind]): ForeseenText[] {
  if ('return_id' in content) return []
  const { debtor, creditor, remittance, references } = content
  const tx_id = txIdOf(transfer.id)
  const end_to_end_id = endToEndIdOf(transfer.unique_reference, tx_id)
  const sent: Record<ForeseenText['field'], string | null> = {
    dr_name: debtor.name,
    cr_name: creditor.name,
    purpose: remittance?.[0] ?? null,
    structured_reference: references?.[0]?.reference ?? null,
    unique_reference: end_to_end_id === tx_id ? null : end_to_end_id,
  }
  return (Object.keys(sent) as ForeseenText['field'][]).flatMap((field) => {
    const given = transfer[field]
    return given === null ? [] : [{ field, given, sent: sent[field] }]
  })
}
