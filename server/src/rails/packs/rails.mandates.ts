// The mandates of collections that are to be sent. A mandate that has expired or was cancelled since the order no longer allows a collection.
import { findMandates } from '../../mandates/mandates.ts'
import { now } from '../../platform/clock.ts'
import type { Reader } from '../../platform/database/database.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { todayUtc } from '../../values/calendar.ts'
import type { CollectionMandate } from './rails.contents.ts'

/** The active ones, keyed by the id of the transfer. */
export async function activeMandates(
  reader: Reader,
  collections: readonly Pick<TransferRow, 'venture_id' | 'id' | 'mandate_id'>[],
): Promise<Map<string, CollectionMandate>> {
  const keys = collections.flatMap(({ venture_id, mandate_id }) => (mandate_id === null ? [] : [{ venture_id, id: mandate_id }]))
  const found = await findMandates(reader, keys, todayUtc(now()))
  const active = new Map(found.filter(({ state }) => state === 'ACTIVE').map((mandate) => [`${mandate.venture_id}/${mandate.id}`, mandate]))
  return new Map(
    collections.flatMap(({ venture_id, id, mandate_id }) => {
      const mandate = active.get(`${venture_id}/${mandate_id}`)
      if (mandate === undefined) return []
      const { reference: mandate_reference, signed_on: mandate_signed_on, creditor_id, scheme, sequence_type } = mandate
      return [[id, { mandate_reference, mandate_signed_on, creditor_id, scheme, sequence_type }]]
    }),
  )
}
