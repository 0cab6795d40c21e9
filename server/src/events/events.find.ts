// Looks up events by id.
import type { Reader } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import type { Found, Sought } from '../platform/found.ts'

export async function findEventsBy(reader: Reader, { ventures, id }: Sought): Promise<Found[]> {
  if (id === undefined) return []
  return reader.rows(read<Found>`
    select 'event' as kind, id, venture_id, type as title, resource_id::text as subtitle
    from events where venture_id = any(${ventures}) and id = ${id}`)
}
