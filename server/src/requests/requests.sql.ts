// SQL statements for the request log.
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, type Fragment, fragment, read, write } from '../platform/database/sql.ts'
import { between, equals, type Filters } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { LoggedRequest, OperatorLoggedRequest, type OperatorRequestList, type RequestList } from './requests.schemas.ts'

const columns = columnsOf(LoggedRequest)
const operatorColumns = columnsOf(OperatorLoggedRequest)

const filters: Filters<RequestList> = {
  request_id: equals(fragment`request_id`),
  method: equals(fragment`method`),
  route: equals(fragment`route`),
  status: hasStatus,
  code: equals(fragment`code`),
  key_prefix: equals(fragment`key_prefix`),
  ...between(fragment`at`),
}

const operatorFilters: Filters<OperatorRequestList> = { ...filters, venture_id: equals(fragment`venture_id`) }

/** `4xx` matches 400 to 499. */
function hasStatus(text: string): Fragment {
  const first = Number(text.replace('xx', '00'))
  return text.endsWith('xx') ? fragment`status between ${first} and ${first + 99}` : fragment`status = ${first}`
}

export function selectRequests(database: Database, venture_id: string, query: RequestList): Promise<LoggedRequest[]> {
  return readList(database, {
    venture_id,
    query,
    filters,
    columns,
    ordered: ['request_id'],
    select: (what, rest) => fragment`select ${what} from requests where venture_id = ${venture_id} and ${rest}`,
  })
}

export function selectAllRequests(database: Database, query: OperatorRequestList): Promise<OperatorLoggedRequest[]> {
  return readList(database, {
    venture_id: bankId,
    query,
    filters: operatorFilters,
    columns: operatorColumns,
    ordered: ['venture_id', 'request_id'],
    select: (what, rest) => fragment`select ${what} from requests where ${rest}`,
  })
}

export function selectRequest(database: Database, venture_id: string, id: string): Promise<LoggedRequest | undefined> {
  return database.first(read<LoggedRequest>`select ${columns} from requests where venture_id = ${venture_id} and id = ${id}`)
}

export function selectAnyRequest(database: Database, id: string): Promise<OperatorLoggedRequest | undefined> {
  return database.first(read<OperatorLoggedRequest>`select ${operatorColumns} from requests where id = ${id}`)
}

/** `at_ms`: the time in its id. */
export type Unwritten = Omit<OperatorLoggedRequest, 'at'> & { at_ms: number }

/** The fields that many requests share. They are sent once for all of them; otherwise they would make up most of a batch. */
const commonNames = ['venture_id', 'method', 'route', 'status', 'code', 'actor', 'key_prefix'] as const

/**
 * Writes rows that are not there yet, all of them or none. A database crash may lose the last moments of the log, so that nobody waits for
 * its disk. The rows are sent as columns, and the long columns as texts: encoding an array would take the driver longer than inserting the
 * rows takes the database.
 */
export function insertRequests(tx: Tx, rows: readonly Unwritten[]): void {
  const { kinds, numbers } = kindsIn(rows)
  const [venture_ids, methods, routes, statuses, codes, actors, key_prefixes] = commonNames.map((name) => kinds.map((kind) => kind[name]))
  const ids = arrayOf(rows.map(({ id }) => id))
  const times_ms = arrayOf(rows.map(({ at_ms }) => at_ms))
  const durations_ms = arrayOf(rows.map(({ duration_ms }) => duration_ms))
  // A request id contains no spaces.
  const request_ids = rows.map(({ request_id }) => request_id).join(' ')
  tx.send(write`select set_config('synchronous_commit', 'off', true)`)
  tx.send(write`
    insert into requests (${operatorColumns})
    select ${operatorColumns} from (
      select id, to_timestamp(at_ms / 1000) as at, kind, duration_ms, request_id
      from unnest(${ids}::uuid[], ${times_ms}::float8[], ${arrayOf(numbers)}::int[], ${durations_ms}::real[], string_to_array(${request_ids}, ' '))
        as each(id, at_ms, kind, duration_ms, request_id)
    ) as request
    join unnest(${venture_ids}::uuid[], ${methods}::text[], ${routes}::text[], ${statuses}::smallint[], ${codes}::text[], ${actors}::text[],
      ${key_prefixes}::text[]) with ordinality as common(venture_id, method, route, status, code, actor, key_prefix, kind) using (kind)`)
}

/** For numbers and ids, which need no quotes. */
function arrayOf(values: readonly (string | number)[]): string {
  return `{${values.join(',')}}`
}

/** The distinct combinations of those fields, and for each row the number of its combination, from 1. */
function kindsIn(rows: readonly Unwritten[]): { kinds: Unwritten[]; numbers: number[] } {
  const kinds: Unwritten[] = []
  const known = new Map<string, number>()
  const numbers = rows.map((row) => {
    const { venture_id, method, route, status, code, actor, key_prefix } = row
    const name = `${venture_id} ${method} ${route} ${status} ${code} ${actor} ${key_prefix}`
    let number = known.get(name)
    if (number === undefined) {
      number = kinds.push(row)
      known.set(name, number)
    }
    return number
  })
  return { kinds, numbers }
}

/** Creates the partitions of the days around today, and returns the last day that has one. */
export async function makeDays(database: Database): Promise<string> {
  const made = await database.transaction((tx) => tx.first(write<{ last: string }>`select make_request_days()::text as last`))
  return made?.last ?? ''
}

/** Returns whether there was a day to drop. */
export async function dropOldestDay(database: Database): Promise<boolean> {
  const dropped = await database.transaction((tx) => tx.first(write<{ was: boolean }>`select drop_request_day() as was`))
  return dropped?.was ?? false
}
