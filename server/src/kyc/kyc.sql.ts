// SQL statements for verification events.
import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../platform/database/database.ts'
import { every, fragment, read, write } from '../platform/database/sql.ts'
import { given, usualLimit } from '../platform/http/lists.ts'
import type { ConflictingEvent, KycEvent, KycMove, OperatorList, UnmatchedEvent } from './kyc.schemas.ts'
import type { RecordedEvent } from './kyc.status.ts'

export type Subject = { venture_id: string; client_id: string }

/** The sender of events that the verifier's relay delivers, and not a venture. */
export const relay = '00000000-0000-0000-0000-000000000000'

export type NewKycEvent = {
  received_by: string
  id: string
  type: string
  sequence: number | null
  created_at: string
  application_id: string | null
  subject_id: string | null
  data: object
  raw: Uint8Array
  headers: object
  received_at: string
  verdict: KycEvent['verdict']
  venture_id: string | null
  client_id: string | null
}

/** Serialises an event and the opening of its application, so that neither misses the other. */
export function lockApplication(tx: Tx, application_id: string): Promise<unknown> {
  return tx.rows(write`select pg_advisory_xact_lock(hashtextextended(${application_id}, 0))`)
}

// Verifiers send ids in any form. One that is not a UUID is not ours, and PostgreSQL would reject it as a parameter.
const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)

export async function findByApplication(tx: Reader, application_id: string): Promise<Subject | undefined> {
  if (!isUuid(application_id)) return undefined
  return tx.first(read<Subject>`select venture_id, client_id from onboarding_details where kyc_application_id = ${application_id}`)
}

export async function findByClient(tx: Reader, client_id: string): Promise<Subject | undefined> {
  if (!isUuid(client_id)) return undefined
  return tx.first(read<Subject>`select venture_id, id as client_id from clients where id = ${client_id}`)
}

/** The recorded event, in the fields of the envelope. */
export type Recorded = KycEvent & Pick<NewKycEvent, 'sequence' | 'created_at' | 'application_id' | 'subject_id' | 'data'>

export function findKycEvent(tx: Reader, received_by: string, id: string): Promise<Recorded | undefined> {
  return tx.first(read<Recorded>`
    select id, type, verdict, client_id, received_at, sequence::float8 as sequence, created_at, application_id, subject_id, data
    from kyc_events where received_by = ${received_by} and id = ${id}`)
}

export function insertConflict(tx: Tx, { received_by, id, raw, headers, received_at }: NewKycEvent): void {
  const digest = createHash('sha256').update(raw).digest()
  tx.send(write`
    insert into kyc_event_conflicts (received_by, id, digest, raw, headers, received_at)
    values (${received_by}, ${id}, ${digest}, ${raw}, ${JSON.stringify(headers)}, ${received_at})
    on conflict do nothing`)
}

export function selectConflicts(database: Reader, query: OperatorList): Promise<ConflictingEvent[]> {
  return database.rows(read<ConflictingEvent>`
    select id, nullif(received_by, ${relay}) as received_by, encode(raw, 'escape') as body, received_at
    from kyc_event_conflicts where ${every(given(query, {}))} order by received_at desc limit ${query.limit ?? usualLimit}`)
}

/** Returns zero if the event has already been recorded. */
export function insertKycEvent(tx: Tx, event: NewKycEvent): Promise<number> {
  return tx.run(write`
    insert into kyc_events (received_by, id, type, sequence, created_at, application_id, subject_id, data, raw, headers, received_at, verdict,
      venture_id, client_id)
    values (${event.received_by}, ${event.id}, ${event.type}, ${event.sequence}, ${event.created_at}, ${event.application_id},
      ${event.subject_id}, ${JSON.stringify(event.data)}, ${event.raw}, ${JSON.stringify(event.headers)}, ${event.received_at},
      ${event.verdict}, ${event.venture_id}, ${event.client_id})
    on conflict do nothing`)
}

export function selectAppliedEvents(tx: Reader, { venture_id, client_id }: Subject): Promise<RecordedEvent[]> {
  return tx.rows(read<RecordedEvent>`
    select id, type, sequence::float8 as sequence, created_at, data from kyc_events
    where venture_id = ${venture_id} and client_id = ${client_id}`)
}

/** Assigns the events that have been waiting for this application to its client, except those that name another client. */
export function matchWaitingEvents(tx: Tx, application_id: string, { venture_id, client_id }: Subject): Promise<RecordedEvent[]> {
  return tx.rows(write<RecordedEvent>`
    update kyc_events set verdict = 'APPLIED', venture_id = ${venture_id}, client_id = ${client_id}
    where verdict = 'UNMATCHED' and application_id = ${application_id} and received_by in (${relay}, ${venture_id})
      and (subject_id is null or subject_id = ${client_id}::text)
    returning id, type, sequence::float8 as sequence, created_at, data`)
}

export function findConclusion(
  tx: Reader,
  { venture_id, client_id }: Subject,
): Promise<{ risk_level: string | null; note: string | null } | undefined> {
  return tx.first(read<{ risk_level: string | null; note: string | null }>`
    select risk_level, note from kyc_conclusions where venture_id = ${venture_id} and client_id = ${client_id}`)
}

export function writeConclusion(
  tx: Tx,
  { venture_id, client_id }: Subject,
  { risk_level, note }: { risk_level: string | null; note: string | null },
) {
  return tx.run(write`
    insert into kyc_conclusions (venture_id, client_id, risk_level, note) values (${venture_id}, ${client_id}, ${risk_level}, ${note})
    on conflict (venture_id, client_id) do update set risk_level = excluded.risk_level, note = excluded.note`)
}

export function selectUnmatched(database: Reader, query: OperatorList): Promise<UnmatchedEvent[]> {
  const conditions = [fragment`verdict = 'UNMATCHED'`, ...given(query, {})]
  return database.rows(read<UnmatchedEvent>`
    select id, type, application_id, subject_id, nullif(received_by, ${relay}) as received_by, received_at
    from kyc_events where ${every(conditions)} order by received_at desc limit ${query.limit ?? usualLimit}`)
}

/** The status of a client and each of its changes, oldest first, from the events about them. */
export function selectKycMoves(reader: Reader, { venture_id, client_id }: Subject): Promise<KycMove[]> {
  return reader.rows(read<KycMove>`
    select id, data ->> 'previous_status' as from_status, data -> 'object' ->> 'kyc_status' as to_status, actor,
      case when actor <> 'operator' then actor_id end as actor_id, data -> 'object' ->> 'kyc_note' as reason,
      data -> 'object' ->> 'risk_level' as risk_level, timestamp as at
    from events
    where venture_id = ${venture_id} and resource_id = ${client_id} and type in ('client.created', 'client.kyc_updated')
    order by sequence limit ${mostMoves}`)
}

/** More than any client has. */
const mostMoves = 500
