// The audit log: who changed what. An entry is a companion in the transaction of the change, so neither exists without the other.

import type { Actor } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { type Companion, type CompanionKind, type Companions, companion } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { inSteps } from '../platform/retention.ts'
import type { AuditEntry, AuditList, VentureAuditEntry, VentureAuditList } from './audit.schemas.ts'
import { deleteReadsBefore, insertAuditEntries, insertReads, selectAuditEntries, selectVentureAuditEntries } from './audit.sql.ts'

/** A request that is audited if it is carried out. Without a resource, it is about the resource that it creates. */
export type AuditedRequest = Readonly<Omit<AuditEntry, 'id' | 'at' | 'fields'>> & { readonly fields: readonly string[] }

const auditEntries: CompanionKind<AuditedRequest, { id?: string }> = {
  name: 'audit_log',
  ofEach: true,
  acquire: async (_tx, requests) => requests.map(() => 'granted'),
  write(tx, granted) {
    const at = now().toISOString()
    insertAuditEntries(
      tx,
      granted.map(({ row, result }) => ({
        ...row,
        fields: [...row.fields],
        id: uuidv7(),
        at,
        resource: row.resource ?? result.id ?? null,
      })),
    )
  },
}

export function auditOf(request: AuditedRequest): Companions {
  return [companion(auditEntries, request)]
}

/**
 * The same companions, with the audited request filed under another venture, which an operator's route only knows after it has read the
 * resource.
 */
export function concerning(venture_id: string, companions: Companions): Companions {
  return changeAudited(companions, { venture_id })
}

/**
 * The same companions, with the resource that the audited request is about, if that is not what its transaction returns. A resource in the
 * path takes precedence: the resource of a decision is the approval.
 */
export function about(resource: string, companions: Companions): Companions {
  return companions?.map((one) => (isAudited(one) && one.row.resource === null ? companion(auditEntries, { ...one.row, resource }) : one))
}

const isAudited = (one: Companion): one is Companion & { row: AuditedRequest } => one.kind.name === auditEntries.name

/** The same companions, with the fields of one command of the audited request. */
export function naming(fields: readonly string[], companions: Companions): Companions {
  return changeAudited(companions, { fields })
}

/** The same companions. The audit entry also has the SHA-256 of what is written, so nobody can change it later without being found. */
export function hashed(sha256: string, companions: Companions): Companions {
  return companions?.map((one) =>
    isAudited(one) ? companion(auditEntries, { ...one.row, fields: [...one.row.fields, `sha256:${sha256}`] }) : one,
  )
}

function changeAudited(companions: Companions, changes: Partial<AuditedRequest>): Companions {
  return companions?.map((one) =>
    one.kind.name === auditEntries.name ? companion(auditEntries, { ...(one.row as AuditedRequest), ...changes }) : one,
  )
}

export function listAuditLog(database: Database, query: AuditList): Promise<AuditEntry[]> {
  return selectAuditEntries(database, query)
}

/** `visible`: the operations of the bank's people that the venture sees. */
export function listVentureAuditLog(
  database: Database,
  whose: { venture_id: string; visible: readonly string[] },
  query: VentureAuditList,
): Promise<VentureAuditEntry[]> {
  return selectVentureAuditEntries(database, whose, query)
}

export type ClientReading = Omit<AuditedRequest, 'resource' | 'fields'> & { actor: Actor['kind'] }

/** Records which clients a person of the bank is about to see, once for each person, client and day. */
export class ClientReads {
  readonly #database: Database
  /** What this process has recorded on `#day`, so that reading a client again needs no transaction. */
  #recorded = new Set<string>()
  #day = ''

  constructor(database: Database) {
    this.#database = database
  }

  async record(reading: ClientReading, client_ids: readonly string[]): Promise<void> {
    const at = now().toISOString()
    const day = at.slice(0, 10)
    if (day !== this.#day || this.#recorded.size > mostRemembered) this.#recorded = new Set()
    this.#day = day
    const reader_id = reading.actor_id ?? bankId
    const nameOf = (client_id: string) => `${reader_id} ${reading.venture_id} ${client_id}`
    const fresh = [...new Set(client_ids)].filter((client_id) => !this.#recorded.has(nameOf(client_id)))
    if (fresh.length === 0) return
    const entries = fresh.map((resource) => ({ ...reading, id: uuidv7(), at, resource, fields: [] }))
    await this.#database.transaction((tx) => insertReads(tx, { reader_id, day }, entries))
    for (const client_id of fresh) this.#recorded.add(nameOf(client_id))
  }

  /** Records every time that a person is about to get everything about a client, or a file. */
  async recordDownload(reading: ClientReading, resource: string): Promise<void> {
    const entry = { ...reading, id: uuidv7(), at: now().toISOString(), resource, fields: [] }
    await this.#database.transaction(async (tx) => insertAuditEntries(tx, [entry]))
  }
}

const mostRemembered = 100_000

/** Deletes records from before yesterday. The day only decides whether another row is written, and clocks differ by less than a day. */
export function pruneClientReads(database: Database, step = 1_000): AsyncIterable<number> {
  const before = new Date(now().getTime() - 2 * 86_400_000).toISOString().slice(0, 10)
  return inSteps(step, () => database.transaction((tx) => deleteReadsBefore(tx, before, step)))
}
