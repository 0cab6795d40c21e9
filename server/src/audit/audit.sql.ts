// SQL statements for the audit log.
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, fragment, read, write } from '../platform/database/sql.ts'
import { between, equals, type Filters } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { AuditEntry, type AuditList, type VentureAuditEntry, type VentureAuditList } from './audit.schemas.ts'

const columns = columnsOf(AuditEntry)

const filters: Filters<AuditList> = {
  venture_id: equals(fragment`venture_id`),
  actor: equals(fragment`actor`),
  actor_id: equals(fragment`actor_id`),
  action: equals(fragment`action`),
  resource: equals(fragment`resource`),
  ...between(fragment`at`),
}

export function selectAuditEntries(database: Database, query: AuditList): Promise<AuditEntry[]> {
  return readList(database, {
    venture_id: bankId,
    query,
    filters,
    columns,
    ordered: ['venture_id', 'resource'],
    select: (what, rest) => fragment`select ${what} from audit_log where ${rest}`,
  })
}

/**
 * The log of one venture. Of what the bank's people do, the venture sees only what they do on its behalf, and not who they are: what they
 * read, and which cases and screenings they look at, would give away a suspicion.
 */
export async function selectVentureAuditEntries(
  database: Database,
  { venture_id, visible }: { venture_id: string; visible: readonly string[] },
  query: VentureAuditList,
): Promise<VentureAuditEntry[]> {
  const { venture_id: _, ...shared } = filters
  const entries = await readList<AuditEntry, VentureAuditList>(database, {
    venture_id,
    query,
    filters: { ...shared, actor_id: (id) => fragment`actor_id = ${id} and actor <> 'operator'` },
    columns,
    select: (what, rest) =>
      fragment`select ${what} from audit_log where venture_id = ${venture_id} and (actor <> 'operator' or action = any(${visible})) and ${rest}`,
  })
  return entries.map((entry) => (entry.actor === 'operator' ? { ...entry, actor_id: null, address: null } : entry))
}

/** Names of fields contain no comma, because a request with an unknown field has been refused. */
const listOf = (entries: readonly AuditEntry[]) => entries.map(({ fields }) => fields.join(','))

export function insertAuditEntries(tx: Tx, entries: readonly AuditEntry[]): void {
  const [first] = entries
  // If the response to COMMIT is lost, this row proves that the transaction was committed.
  tx.evidence ??= read`select id from audit_log where venture_id = ${first?.venture_id} and id = ${first?.id}`
  tx.send(write`
    insert into audit_log (era, xid, venture_id, id, at, actor, actor_id, action, resource, request_id, address, fields)
    select (select era from event_era), pg_current_xact_id(), venture_id, id, at, actor, actor_id, action, resource, request_id, address,
      string_to_array(fields, ',')
    from unnest(
      ${entries.map(({ venture_id }) => venture_id)}::uuid[],
      ${entries.map(({ id }) => id)}::uuid[],
      ${entries.map(({ at }) => at)}::timestamptz[],
      ${entries.map(({ actor }) => actor)}::text[],
      ${entries.map(({ actor_id }) => actor_id)}::uuid[],
      ${entries.map(({ action }) => action)}::text[],
      ${entries.map(({ resource }) => resource)}::text[],
      ${entries.map(({ request_id }) => request_id)}::text[],
      ${entries.map(({ address }) => address)}::text[],
      ${listOf(entries)}::text[]
    ) as given (venture_id, id, at, actor, actor_id, action, resource, request_id, address, fields)`)
}

/** Writes the entries of clients that this person has not read on this day. All entries have the same venture, actor and request. */
export async function insertReads(
  tx: Tx,
  { reader_id, day }: { reader_id: string; day: string },
  entries: readonly AuditEntry[],
): Promise<void> {
  const [first] = entries
  const found = await tx.rows(write<{ client_id: string }>`
    insert into client_reads (venture_id, client_id, reader_id, day)
    select ${first?.venture_id}::uuid, client_id, ${reader_id}::uuid, ${day}::date
    from unnest(${entries.map(({ resource }) => resource).sort()}::uuid[]) as client_id
    on conflict do nothing returning client_id`)
  const fresh = new Set(found.map(({ client_id }) => client_id))
  const wanted = entries.filter(({ resource }) => fresh.has(resource ?? ''))
  if (wanted.length > 0) insertAuditEntries(tx, wanted)
}

export function deleteReadsBefore(tx: Tx, day: string, step: number): Promise<number> {
  return tx.run(write`
    delete from client_reads where (venture_id, client_id, reader_id, day) in (
      select venture_id, client_id, reader_id, day from client_reads where day < ${day} limit ${step})`)
}
