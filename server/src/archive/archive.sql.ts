// SQL statements for the archive. All are about a range of event ids, which is that of one partition.
import { archivedBefore, firstData } from '../events/events.ts'
import type { Question, Strand, Stretch } from '../platform/database/database.strands.ts'
import { Fragment, read } from '../platform/database/sql.ts'
import type { Place } from '../verify/verify.ts'

export type Archive = { month: string; rows: number; kept: number; bytes: number; digest: string; archived_at: string }

export const selectArchives = read<Archive>`
  select to_char(month, 'YYYY-MM') as month, rows::float8 as rows, kept::float8 as kept, bytes::float8 as bytes, digest, archived_at
  from event_archives order by month`

/** Months with a partition, oldest first, and the bank's current month. */
export const selectMonths = read<{ month: string; present: string }>`
  select to_char(to_date(substr(relname, 8), 'YYYY_MM'), 'YYYY-MM') as month, to_char(bank_now() at time zone 'UTC', 'YYYY-MM') as present
  from pg_inherits join pg_class on pg_class.oid = inhrelid
  where inhparent = 'public.events'::regclass and relname ~ '^events_\\d{4}_\\d\\d$' order by relname`

/** From the first id that was not archived to the first one after the month. */
export type Range = { from: string; below: string }

export const selectRange = (month: string) => read<Range>`
  select (${archivedBefore})::text as "from", first_id_of((to_date(${month}, 'YYYY-MM') + interval '1 month')::date)::text as below`

/** Endpoints that have not received all events yet, even disabled ones: they continue where they stopped. */
export const selectEndpointsBehind = ({ from, below }: Range) => read<{ venture_id: string; id: string; status: string }>`
  select endpoint.venture_id, endpoint.id, endpoint.status
  from webhook_progress progress join webhook_endpoints endpoint
    on endpoint.venture_id = progress.venture_id and endpoint.id = progress.endpoint_id
  where exists (
    select from events event
    where event.venture_id = progress.venture_id and event.id >= ${from}::uuid and event.id < ${below}::uuid
      and (event.era, event.xid, event.id) > (progress.era, progress.xid, progress.event_id))
  order by endpoint.id limit 100`

/** Deliveries that will be tried again. */
export const countPending = ({ from, below }: Range) => read<{ count: number }>`
  select count(*)::int as count from webhook_deliveries where status = 'PENDING' and event_id >= ${from}::uuid and event_id < ${below}::uuid`

/** The id of an event that is younger than the place which seals have reached in its strand, as bytes. */
export const unsealedAfter = ({ from, below }: Range, strand: Strand, { era, xid }: Place): Question => ({
  strand,
  ask: ({ relation, within }) => read<Stretch>`
    select pg_snapshot_xmin(pg_current_snapshot())::text as xmin, (
      ${new Fragment([`select uuid_send(id) from ${relation}`], [])}
      where ${within} and id >= ${from}::uuid and id < ${below}::uuid and (era, xid) > (${era}::int, ${xid}::xid8) limit 1) as bytes`,
})

export type Row = {
  id: string
  type: string
  timestamp: string
  venture_id: string
  sequence: number
  actor: string | null
  actor_id: string | null
  resource_id: string
  era: number
  xid: string
  data: string
  first: unknown
}

export const countEvents = ({ from, below }: Range) => read<{ count: number }>`
  select count(*)::float8 as count from events event where event.id >= ${from}::uuid and event.id < ${below}::uuid`

/** In the order of the seals. */
export const selectEvents = ({ from, below }: Range) => read<Row>`
  select event.id, event.type, to_char(event.timestamp at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as timestamp, event.venture_id,
    event.sequence, event.actor, event.actor_id, event.resource_id, event.era, event.xid::text as xid, event.data::text as data, ${firstData} as first
  from events event where event.id >= ${from}::uuid and event.id < ${below}::uuid
  order by event.era, event.xid, event.venture_id, event.id`

export type Ended = { month: string; rows: number; kinds: readonly string[]; bytes: number; digest: string; at: string; audit_id: string }

export const endArchiving = ({ month, rows, kinds, bytes, digest, at, audit_id }: Ended) => read<{ kept: number }>`
  select archive_event_month(to_date(${month}, 'YYYY-MM'), ${rows}, ${kinds}::text[], ${bytes}, ${digest}, ${at}::timestamptz, ${audit_id}::uuid)::float8
    as kept`
