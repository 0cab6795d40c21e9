// How many of a venture's clients are being verified.
import type { Reader } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import type { KycStatus } from './clients.schemas.ts'

const undecided: readonly KycStatus[] = ['CREATED', 'PROCESSING', 'PENDING_REVIEW']

/** Counts only up to `most`. */
export async function countClientsInVerification(reader: Reader, venture_id: string, most: number): Promise<number> {
  const counted = await reader.first(read<{ count: number }>`
    select count(*)::int as count
    from (select from clients where venture_id = ${venture_id} and kyc_status = any(${undecided}) limit ${most}) as undecided`)
  return counted?.count ?? 0
}
