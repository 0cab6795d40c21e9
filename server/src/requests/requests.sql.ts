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

/** `4xx` stands for all from 400 to 499. */
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

/** Writes what is not there yet. A crash of the database may lose the last moments of the log, so that nobody waits for its disk. */
export function insertRequests(tx: Tx, rows: readonly OperatorLoggedRequest[]): void {
  tx.send(write`select set_config('synchronous_commit', 'off', true)`)
  tx.send(write`
    insert into requests (${operatorColumns})
    select ${operatorColumns} from json_populate_recordset(null::requests, ${JSON.stringify(rows)})
    on conflict do nothing`)
}

/** Makes the partitions of the days around today, and returns the last day that has one. */
export async function makeDays(database: Database): Promise<string> {
  const made = await database.transaction((tx) => tx.first(write<{ last: string }>`select make_request_days()::text as last`))
  return made?.last ?? ''
}

/** Whether there was a day to drop. */
export async function dropOldestDay(database: Database): Promise<boolean> {
  const dropped = await database.transaction((tx) => tx.first(write<{ was: boolean }>`select drop_request_day() as was`))
  return dropped?.was ?? false
}
