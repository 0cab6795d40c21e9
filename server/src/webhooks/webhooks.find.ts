// Looks webhook endpoints up by id.
import type { Reader } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import type { Found, Sought } from '../platform/found.ts'

export async function findEndpointsBy(reader: Reader, { ventures, id }: Sought): Promise<Found[]> {
  if (id === undefined) return []
  return reader.rows(read<Found>`
    select 'webhook_endpoint' as kind, id, venture_id, url as title, status as subtitle
    from webhook_endpoints where venture_id = any(${ventures}) and id = ${id}`)
}
