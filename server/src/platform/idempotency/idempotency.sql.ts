// The statements about idempotency keys.
import { now } from '../clock.ts'
import { rowsByVenture } from '../database/database.placement.ts'
import { atWorker } from '../database/database.shards.ts'
import type { Database, Reader, Tx } from '../database/database.ts'
import { fixed, read, write } from '../database/sql.ts'
import { inSteps } from '../retention.ts'

/**
 * The venture and operation that a key was sent for, and its owner: the same key means something else for another venture, operation or
 * owner. `owner_id`: the person; the venture, for all of its API keys; or the id that stands for the bank, for the admin key. So nobody is
 * shown a response that was made for another owner.
 */
export type Scope = { venture_id: string; owner_id: string; operation: string; key: string }

export type Answer = { status: number; location: string | null; body: string }

/** A request that was carried out. Without a stored response, only `resource_id` says what it did. */
export type Kept = Scope & { request_hash: string; resource_id: string } & { [Field in keyof Answer]: Answer[Field] | null }

/** How long a request is recognised. */
const kept_ms = 86_400_000

const oldest = () => new Date(now().getTime() - kept_ms).toISOString()

const ventures = (scopes: readonly Scope[]) => scopes.map(({ venture_id }) => venture_id)
const owners = (scopes: readonly Scope[]) => scopes.map(({ owner_id }) => owner_id)
const operations = (scopes: readonly Scope[]) => scopes.map(({ operation }) => operation)
const keys = (scopes: readonly Scope[]) => scopes.map(({ key }) => key)

/** Rows older than a day count as gone, whether or not they have been deleted. */
export const selectKept = ({ placement }: Pick<Reader, 'placement'>, scopes: readonly Scope[]) => read<Kept>`
    select venture_id, owner_id, operation, key, request_hash, resource_id, status, location, body from idempotency_keys
    where (venture_id, owner_id, operation, key) in (
        select * from unnest(${ventures(scopes)}::uuid[], ${owners(scopes)}::uuid[], ${operations(scopes)}::text[], ${keys(scopes)}::text[]))
      and created_at > ${oldest()} ${placement.narrow(fixed`venture_id`, scopes)}`

export function findKept(reader: Reader, scopes: readonly Scope[]): Promise<Kept[]> {
  return rowsByVenture(reader, scopes, (some) => reader.rows(selectKept(reader, some)))
}

/** Takes those locks that nobody else holds, without waiting for the others, until the transaction ends. */
export async function tryLocks(tx: Tx, numbers: readonly string[]): Promise<Set<string>> {
  const locked = await tx.rows(read<{ number: string }>`
    select number::text from unnest(${numbers}::bigint[]) as number where pg_try_advisory_xact_lock(number)`)
  return new Set(locked.map(({ number }) => number))
}

/** The same for locks that belong to ventures: they last until the row of the key is visible, even on another server. */
export async function tryLocksOf(tx: Tx, locks: readonly { venture_id: string; number: string }[]): Promise<Set<string>> {
  const locked = await rowsByVenture(tx, locks, (some) =>
    tx.rows(read<{ number: string }>`
      select number::text from unnest(${some.map(({ number }) => number)}::bigint[]) as number ${atWorker(tx, some[0]?.venture_id)}
      where pg_try_advisory_xact_lock(number)`),
  )
  return new Set(locked.map(({ number }) => number))
}

/** Takes the locks in the order of their numbers, waiting for those that others hold. */
export async function waitForLocks(tx: Tx, numbers: readonly string[]): Promise<void> {
  await tx.rows(read`
    select pg_advisory_xact_lock(number) from (select number from unnest(${numbers}::bigint[]) as number order by number) as sorted`)
}

/** The locks of the keys are held, so the only row that can be in the way has expired. */
export function insertKept(tx: Tx, rows: readonly Kept[]): void {
  tx.send(write`
    insert into idempotency_keys (venture_id, owner_id, operation, key, request_hash, resource_id, status, location, body, created_at)
    select *, ${now().toISOString()}::timestamptz from unnest(
      ${ventures(rows)}::uuid[],
      ${owners(rows)}::uuid[],
      ${operations(rows)}::text[],
      ${keys(rows)}::text[],
      ${rows.map(({ request_hash }) => request_hash)}::text[],
      ${rows.map(({ resource_id }) => resource_id)}::text[],
      ${rows.map(({ status }) => status)}::smallint[],
      ${rows.map(({ location }) => location)}::text[],
      ${rows.map(({ body }) => body)}::text[])
    on conflict (venture_id, owner_id, operation, key) do update set
      request_hash = excluded.request_hash, resource_id = excluded.resource_id, status = excluded.status, location = excluded.location,
      body = excluded.body, created_at = excluded.created_at`)
}

export function writeAnswer(tx: Tx, { venture_id, owner_id, operation, key }: Scope, { status, location, body }: Answer): void {
  tx.send(write`
    update idempotency_keys set status = ${status}, location = ${location}, body = ${body}
    where venture_id = ${venture_id} and owner_id = ${owner_id} and operation = ${operation} and key = ${key} and body is null`)
}

/** How many ventures one statement covers. */
const venturesAtOnce = 100

/**
 * Deletes the expired rows of these ventures, a limited number in each transaction, and yields how many rows each has deleted. The age is
 * compared again outside the subquery, because a key that is reused in the meantime is no longer old.
 */
export async function* pruneIdempotencyKeys(database: Database, venture_ids: readonly string[], step = 1_000): AsyncIterable<number> {
  const before = oldest()
  for (let start = 0; start < venture_ids.length; start += venturesAtOnce) {
    const some = venture_ids.slice(start, start + venturesAtOnce)
    yield* inSteps(step, () =>
      database.transaction((tx) =>
        tx.run(write`
          delete from idempotency_keys where venture_id = any(${some}) and created_at <= ${before} and (venture_id, owner_id, operation, key) in (
            select venture_id, owner_id, operation, key from idempotency_keys
            where venture_id = any(${some}) and created_at <= ${before} limit ${step})`),
      ),
    )
  }
}
