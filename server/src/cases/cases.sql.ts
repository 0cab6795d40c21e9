// SQL statements for cases.
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, fragment, read, write } from '../platform/database/sql.ts'
import type { BankRole } from '../platform/http/access.ts'
import { equals, type Filters, pageOf } from '../platform/http/lists.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { Case, type CaseList } from './cases.schemas.ts'

/** A case as stored: the shown fields and how often it has changed. */
export type CaseRow = Case & { sequence: number }

const columns = columnsOf(Case)

export const selectCase = (id: string) => read<CaseRow>`select ${columns}, sequence from cases where id = ${id}`

export const selectCasesOf = (ids: readonly string[]) => read<CaseRow>`select ${columns}, sequence from cases where id = any(${ids})`

export const selectOpenCases = ({
  venture_id,
  resource_id,
  kinds,
}: {
  venture_id: string
  resource_id: string
  kinds: readonly string[]
}) =>
  read<Pick<CaseRow, 'id' | 'kind' | 'severity' | 'sequence' | 'payload'>>`
    select id, kind, severity, sequence, payload from cases
    where venture_id = ${venture_id} and resource_id = ${resource_id} and state = 'OPEN' and kind = any(${kinds}) order by id`

type About = { venture_id: string; resource_id: string }

/** Which of these resources have an open case that is waiting for a statement. */
export const selectAwaiting = (about: readonly About[]) => read<About>`
  select venture_id, resource_id from cases
  where (venture_id, resource_id) in (select * from unnest(
      ${about.map(({ venture_id }) => venture_id)}::uuid[], ${about.map(({ resource_id }) => resource_id)}::uuid[]))
    and state = 'OPEN' and payload ->> 'awaits' = 'statement'`

/** The open cases of a kind about these resources. */
export const selectOpenCasesAbout = ({
  venture_id,
  resource_ids,
  kind,
}: {
  venture_id: string
  resource_ids: readonly string[]
  kind: string
}) =>
  read<Pick<CaseRow, 'id' | 'kind' | 'severity' | 'sequence' | 'resource_id'>>`
    select id, kind, severity, sequence, resource_id from cases
    where venture_id = ${venture_id} and resource_id = any(${resource_ids}) and state = 'OPEN' and kind = ${kind} order by id`

/** Proves that a change was committed. */
export const selectCaseAt = ({ id, sequence }: CaseRow) => read`select id from cases where id = ${id} and sequence >= ${sequence}`

const filters: Filters<CaseList> = {
  state: equals(fragment`state`),
  severity: equals(fragment`severity`),
  kind: equals(fragment`kind`),
  venture_id: equals(fragment`venture_id`),
  resource_id: equals(fragment`resource_id`),
  assignee_id: (id) => (id === 'none' ? fragment`assignee_id is null` : fragment`assignee_id = ${id}`),
}

export function selectCases(database: Database, query: CaseList): Promise<Case[]> {
  return database.rows(read<Case>`select ${columns} from cases ${pageOf(query, filters)}`)
}

/** Leaves an existing open case of this kind about the resource unchanged. */
export function insertFirstCase(tx: Tx, row: CaseRow): void {
  tx.send(write`
    insert into cases (${columns}, sequence) select ${columns}, sequence from json_populate_record(null::cases, ${JSON.stringify(row)})
    on conflict (venture_id, resource_id, kind) where state = 'OPEN' do nothing`)
}

/** Returns the id of the resource's open case of this kind, which may be an earlier one. */
export async function insertCase(tx: Tx, row: CaseRow): Promise<string> {
  const inserted = await tx.first(write<{ id: string }>`
    insert into cases (${columns}, sequence) select ${columns}, sequence from json_populate_record(null::cases, ${JSON.stringify(row)})
    on conflict (venture_id, resource_id, kind) where state = 'OPEN' do nothing returning id`)
  if (inserted !== undefined) return inserted.id
  const open = await tx.first(read<{ id: string }>`
    select id from cases
    where venture_id = ${row.venture_id} and resource_id = ${row.resource_id} and kind = ${row.kind} and state = 'OPEN'`)
  return open?.id ?? insertCase(tx, row)
}

/** Locks cases in the order of their ids. Without `wait`, skips those that another transaction has locked. */
export function lockCases(tx: Tx, ids: readonly string[], wait: boolean): Promise<CaseRow[]> {
  return wait
    ? tx.rows(read<CaseRow>`select ${columns}, sequence from cases where id = any(${ids}) order by id for update`)
    : tx.rows(read<CaseRow>`select ${columns}, sequence from cases where id = any(${ids}) order by id for update skip locked`)
}

/** An active person of the bank with one of these roles. */
export const selectBanker = (id: string, roles: readonly BankRole[]) => read`
  select person.id from users person join memberships membership on membership.user_id = person.id
  where person.id = ${id} and person.status = 'ACTIVE' and membership.venture_id = ${bankId}::uuid and membership.role = any(${roles})`

export function writeAssignee(tx: Tx, { id, assignee_id, updated_at, sequence }: CaseRow): void {
  tx.send(write`update cases set assignee_id = ${assignee_id}, updated_at = ${updated_at}, sequence = ${sequence} where id = ${id}`)
}

export type Decided = Pick<CaseRow, 'id' | 'comment' | 'decided_by' | 'sequence'> & { decision: string; decided_at: string }

/** Only for a locked case that is OPEN. */
export function writeDecided(tx: Tx, { id, decision, comment, decided_by, decided_at, sequence }: Decided): void {
  tx.send(write`
    update cases set state = 'DECIDED', decision = ${decision}, comment = ${comment}, decided_by = ${decided_by}, decided_at = ${decided_at},
      updated_at = ${decided_at}, sequence = ${sequence}
    where id = ${id} and state = 'OPEN'`)
}

export type Raised = Pick<CaseRow, 'id' | 'severity' | 'due_at' | 'payload' | 'updated_at' | 'sequence'>

/** Only for a locked case that is OPEN. */
export function writeRaised(tx: Tx, { id, severity, due_at, payload, updated_at, sequence }: Raised): void {
  tx.send(write`
    update cases set severity = ${severity}, due_at = least(due_at, ${due_at}), payload = ${JSON.stringify(payload)}, updated_at = ${updated_at},
      sequence = ${sequence}
    where id = ${id} and state = 'OPEN'`)
}

export type OpenCases = Pick<Case, 'kind' | 'severity'> & { open: number; overdue: number }

export function countOpenCases(reader: Reader): Promise<OpenCases[]> {
  return reader.rows(read<OpenCases>`
    select kind, severity, count(*)::int as open, (count(*) filter (where due_at < bank_now()))::int as overdue from cases
    where state = 'OPEN' group by kind, severity`)
}
