// SQL statements for the details of transfers, which few of them have. A statement with an empty list is not sent.

import { rowsByVenture } from '../../platform/database/database.placement.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { type Fragment, fixed, fragment, read, write } from '../../platform/database/sql.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import type { TransferDetails } from '../life/transfers.details.ts'
import { ids, type Key, ventures } from './transfers.keys.ts'

export function insertDetails(tx: Tx, rows: readonly TransferRow[]): void {
  const detailed = rows.filter((row) => row.detailed)
  if (detailed.length === 0) return
  tx.send(write`
    insert into transfer_details (era, xid, venture_id, transfer_id, content)
    select (select era from event_era), pg_current_xact_id(), * from unnest(
      ${ventures(detailed)}::uuid[],
      ${ids(detailed)}::uuid[],
      ${detailed.map(({ details }) => JSON.stringify(details))}::jsonb[])`)
}

type Detailed = Key & { detailed: boolean; details?: TransferDetails | undefined }

/** The rows, with the details of those that have any. */
export async function withDetails<Row extends Detailed>(reader: Reader, rows: Row[]): Promise<Row[]> {
  const detailed = rows.filter((row) => row.detailed)
  if (detailed.length === 0) return rows
  const found = await rowsByVenture(reader, detailed, (part) =>
    reader.rows(read<{ venture_id: string; transfer_id: string; content: TransferDetails }>`
      select venture_id, transfer_id, content from transfer_details
      where (venture_id, transfer_id) in (select * from unnest(${ventures(part)}::uuid[], ${ids(part)}::uuid[]))
        ${reader.placement.narrow(fixed`venture_id`, part)}`),
  )
  const contents = new Map(found.map(({ venture_id, transfer_id, content }) => [`${venture_id}/${transfer_id}`, content]))
  for (const row of detailed) row.details = contents.get(`${row.venture_id}/${row.id}`) ?? missing(row)
  return rows
}

/** They are written in the transaction that creates the transfer. */
function missing({ id }: Key): never {
  throw new Error(`the transfer ${id} has lost its details`)
}

/** Selects the transfers whose end-to-end id, UETR or id of the other bank is this text. Each of them has an index. */
export const namedInDetails = (ventures: readonly string[], text: string): Fragment => fragment`
  select transfer_id from transfer_details where venture_id = any(${ventures}::uuid[]) and (
    content ->> 'end_to_end_id' = ${text} or content ->> 'uetr' = ${text.toLowerCase()} or content ->> 'transaction_id' = ${text})`
