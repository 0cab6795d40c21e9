// Events: what happened to a resource, frozen as at that moment and written in the transaction of its cause.
import { uuidv7 } from 'uuidv7'
import type { Tx } from '../platform/database.ts'
import { read, write } from '../platform/sql.ts'

export type EventType =
  | 'client.created'
  | 'client.updated'
  | 'client.kyc_updated'
  | 'onboarding.submitted'
  | 'onboarding.updated'
  | 'beneficiary.created'
  | 'beneficiary.updated'
  | 'account.created'
  | 'account.updated'
  | 'account.activated'
  | 'account.frozen'
  | 'account.closed'
  | 'transfer.created'
  | 'transfer.updated'
  | 'transfer.status_changed'
  | 'transfer.completed'
  | 'transfer.failed'
  | 'transfer.returned'
  | 'venture.updated'
  | 'venture.key_rotated'

export type NewEvent = {
  venture_id: string
  type: EventType
  /** The resource as the API shows it. */
  object: { id: string }
  /** Rises by one with each event of the resource; the resource's row counts it. */
  sequence: number
  previous_status?: string
}

/** Writes events; nothing in the transaction may depend on their being there, for they travel with its COMMIT. */
export function emit(tx: Tx, ...events: NewEvent[]): void {
  const ids = events.map(() => uuidv7())
  // One of our own rows is what proves a commit whose answer was lost.
  tx.evidence ??= read`select id from events where venture_id = ${events[0]?.venture_id} and id = ${ids[0]}`
  tx.send(write`
    insert into events (venture_id, id, type, resource_id, sequence, timestamp, data)
    select * from unnest(
      ${events.map(({ venture_id }) => venture_id)}::uuid[],
      ${ids}::uuid[],
      ${events.map(({ type }) => type)}::text[],
      ${events.map(({ object }) => object.id)}::uuid[],
      ${events.map(({ sequence }) => sequence)}::int[],
      ${events.map(() => new Date().toISOString())}::timestamptz[],
      ${events.map(({ object, previous_status = null }) => JSON.stringify({ object, previous_status }))}::json[]
    )`)
}
