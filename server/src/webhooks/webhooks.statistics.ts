// Deliveries that do not arrive.
import type { Reader } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'

/** Counts no further than `most`. */
export async function countUndelivered(
  reader: Reader,
  venture_id: string,
  most: number,
): Promise<{ failed_deliveries: number; disabled_endpoints: number }> {
  const [failed, disabled] = await Promise.all([
    reader.first(read<{ count: number }>`
      select count(*)::int as count
      from (select from webhook_deliveries where venture_id = ${venture_id} and status = 'FAILED' limit ${most}) as failed`),
    reader.first(read<{ count: number }>`
      select count(*)::int as count
      from (select from webhook_endpoints where venture_id = ${venture_id} and status = 'DISABLED' limit ${most}) as disabled`),
  ])
  return { failed_deliveries: failed?.count ?? 0, disabled_endpoints: disabled?.count ?? 0 }
}
