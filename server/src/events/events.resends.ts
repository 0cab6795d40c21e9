// Resends: events that are to be processed again. Followers see each event once, so this list tells them which ones to repeat.
import { type Static, Type } from 'typebox'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, every, fragment, read, write } from '../platform/database/sql.ts'
import { equals, type Filters, given, usualLimit } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { described, Id, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { uuidv7 } from '../platform/ids.ts'
import { refuse } from '../values/refusals.ts'

const largest = 2 ** 31 - 1

export const EventResend = Resource('EventResend', {
  id: described(Id, 'The id of the resend.'),
  number: Type.Integer({ description: 'The number of this resend within the venture, starting at 1.' }),
  event_id: described(Id, 'The event that was sent again.'),
  resent_at: described(Timestamp, 'When it was sent again, in UTC.'),
})
export type EventResend = Static<typeof EventResend>

export const EventResendList = Query({
  event_id: Type.Optional(described(Id, 'Returns only resends of the event with this id.')),
  since_number: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: largest,
      description:
        'Follows resends, oldest first: returns those after the one with this `number`, or all of them with `0`. Cannot be combined with `after` ' +
        'or `offset`.',
    }),
  ),
  ...Paging,
})
export type EventResendList = Static<typeof EventResendList>

type EventKey = { venture_id: string; id: string }

const columns = columnsOf(EventResend)
const filters: Filters<Omit<EventResendList, 'since_number'>> = { event_id: equals(fragment`event_id`) }

export function resendEvent(database: Database, event: EventKey, companions?: Companions): Promise<EventResend> {
  const resend = async (tx: Tx): Promise<EventResend> => {
    await requireEvent(tx, event)
    return recordResend(tx, event)
  }
  return database.transaction((tx) => accompanied(tx, companions, () => resend(tx)))
}

/** An archived event cannot be sent again. */
export async function requireEvent(tx: Tx, { venture_id, id }: EventKey): Promise<void> {
  const found = await tx.first(read`select id from events where venture_id = ${venture_id} and id = ${id}`)
  if (found === undefined) refuse('event_not_found')
}

export async function recordResend(tx: Tx, { venture_id, id }: EventKey): Promise<EventResend> {
  const [made] = await recordResends(tx, venture_id, [id])
  return made as EventResend
}

/**
 * Numbers are assigned one transaction after the other, so that followers miss none. This lock is the last that its transaction takes. The
 * events get their numbers in the given order.
 */
export async function recordResends(tx: Tx, venture_id: string, event_ids: readonly string[]): Promise<EventResend[]> {
  const ids = event_ids.map(() => uuidv7())
  const [first] = ids
  if (first === undefined) return []
  tx.evidence ??= read`select id from event_resends where venture_id = ${venture_id} and id = ${first}`
  await tx.rows(write`select pg_advisory_xact_lock(hashtextextended(${venture_id}, 1))`)
  return tx.rows(write<EventResend>`
    insert into event_resends (venture_id, id, number, event_id, resent_at)
    select ${venture_id}::uuid, made.id, last.number + made.place, made.event_id, ${now().toISOString()}::timestamptz
    from unnest(${ids}::uuid[], ${event_ids}::uuid[]) with ordinality as made (id, event_id, place),
      (select coalesce(max(number), 0) as number from event_resends where venture_id = ${venture_id}) as last
    returning ${columns}`)
}

export async function listResends(
  database: Database,
  venture_id: string,
  { since_number, ...query }: EventResendList,
): Promise<EventResend[]> {
  const own = fragment`venture_id = ${venture_id}`
  if (since_number === undefined) {
    return readList(database, {
      venture_id,
      query,
      filters,
      columns,
      select: (what, rest) => fragment`select ${what} from event_resends where ${own} and ${rest}`,
    })
  }
  const { after, offset, limit = usualLimit } = query
  const other = after === undefined ? (offset === undefined ? undefined : 'offset') : 'after'
  if (other !== undefined) {
    const errors = [{ field: 'since_number', message: `cannot be used together with ${other}` }]
    refuse('invalid_request', { detail: `Use since_number or ${other}, not both.`, errors })
  }
  const conditions = [own, fragment`number > ${since_number}`, ...given(query, filters)]
  return database.rows(
    read<EventResend>`select ${columns} from event_resends where ${every(conditions)} order by number limit ${limit + 1}`,
  )
}
