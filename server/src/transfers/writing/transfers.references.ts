// References are unique over all ventures. A transfer claims its reference in the transaction that writes it.
import { untilSettled } from '../../platform/database/database.shards.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { read, write } from '../../platform/database/sql.ts'
import { refuse } from '../../values/refusals.ts'
import type { Claim } from '../deciding/transfers.batch.ts'

type ReferenceClaim = Claim & { unique_reference: string }

/**
 * Sorted, so that two batches cannot deadlock. Of two claims on one reference, the transfer with the smaller id gets it, which was ordered first. Returns the
 * ids of the transfers that got theirs.
 */
export async function claimReferences(tx: Tx, claims: readonly ReferenceClaim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  const granted = await tx.rows(write<{ transfer_id: string }>`
    insert into transfer_references (unique_reference, venture_id, transfer_id)
    select unique_reference, venture_id, transfer_id from unnest(
      ${claims.map(({ unique_reference }) => unique_reference)}::text[],
      ${claims.map(({ venture_id }) => venture_id)}::uuid[],
      ${claims.map(({ transfer_id }) => transfer_id)}::uuid[]
    ) as claim (unique_reference, venture_id, transfer_id)
    order by unique_reference, transfer_id
    on conflict do nothing
    returning transfer_id`)
  return new Set(granted.map(({ transfer_id }) => transfer_id))
}

/** Whoever is told of a claim finds its transfer. */
export async function findClaims(reader: Reader, references: readonly string[]): Promise<Map<string, Claim>> {
  const rows = await reader.rows(read<ReferenceClaim>`
    select unique_reference, venture_id, transfer_id from transfer_references where unique_reference = any(${references})`)
  for (const venture_id of new Set(rows.map((row) => row.venture_id)))
    await untilSettled(reader, venture_id, { patience_ms }).catch((cause) => refuse('unavailable', { retry_after_s: 1, cause }))
  return new Map(rows.map(({ unique_reference, ...claim }) => [unique_reference, claim]))
}

/** The transaction may hold locks of accounts meanwhile. */
const patience_ms = 2_000

export function releaseClaims(tx: Tx, claims: readonly ReferenceClaim[]): void {
  if (claims.length === 0) return
  const references = claims.map(({ unique_reference }) => unique_reference)
  tx.send(write`delete from transfer_references where unique_reference = any(${references})`)
}
