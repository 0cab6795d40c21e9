// SQL statements of the processing.
import type { Reader, Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'

export type Key = { venture_id: string; id: string }

/** Transfers that may have to be taken further, oldest first, after a given one. The list of statuses is that of the index. */
export function selectDue(reader: Reader, { now, after, limit }: { now: string; after: string; limit: number }): Promise<Key[]> {
  return reader.rows(read<Key>`
    select transfer.venture_id, transfer.id from transfers transfer left join processing_delays delay
      on delay.venture_id = transfer.venture_id and delay.transfer_id = transfer.id and delay.sequence = transfer.sequence
    where transfer.managed and transfer.id > ${after} and (delay.until is null or delay.until <= ${now})
      and transfer.status in ('CREATED', 'SIGNED', 'TO_RESERVE', 'RESERVED', 'RECEIVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING',
        'AML_SCANNING', 'AML_APPROVED', 'READY_TO_CLEAR', 'TO_RESEND', 'TO_CANCEL', 'ON_HOLD', 'SENT_TO_PACK', 'PACKED', 'SENT_TO_CLEAR',
        'ACCEPTED')
    order by transfer.id limit ${limit}`)
}

export type Delay = { venture_id: string; transfer_id: string; sequence: number; until: string }

export function writeDelays(tx: Tx, delays: readonly Delay[]): void {
  if (delays.length === 0) return
  tx.send(write`
    insert into processing_delays (venture_id, transfer_id, sequence, until)
    select venture_id, transfer_id, sequence, until from json_populate_recordset(null::processing_delays, ${JSON.stringify(delays)})
    order by venture_id, transfer_id
    on conflict (venture_id, transfer_id) do update set sequence = excluded.sequence, until = excluded.until`)
}

/** Delays that are long over: their transfers have gone on or ended. */
export function deleteDelays(tx: Tx, before: string, limit: number): Promise<number> {
  return tx.run(write`
    delete from processing_delays where (venture_id, transfer_id) in (
      select venture_id, transfer_id from processing_delays where until < ${before} order by until limit ${limit})`)
}
