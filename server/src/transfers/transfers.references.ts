// References are unique over all ventures. A transfer claims its reference in the transaction that writes it. In a distributed database that may be one of a
// worker, and the claims are on the coordinator: then they are committed there before the worker commits, and name its transaction. A claim whose
// transaction was not committed leads nowhere, and whoever wants the reference next takes it over.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { atWorker } from '../platform/database/database.shards.ts'
import type { Reader, Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import { refuse } from '../values/refusals.ts'
import type { Claim } from './deciding/transfers.batch.ts'
import { findExisting } from './transfers.sql.ts'

export type ReferenceClaim = Claim & { unique_reference: string }

/** By a transaction of a worker: `attempt` says which. */
export type AheadClaim = ReferenceClaim & { attempt: string }

/** How the transaction that writes transfers claims their references. */
export type References = {
  /** Of two claims on one reference, the transfer with the smaller id gets it, which was ordered first. Returns the ids of the transfers that got theirs. */
  claim(claims: readonly ReferenceClaim[]): Promise<Set<string>>
  find(references: readonly string[]): Promise<Map<string, Claim>>
  /** For transfers that nobody has ordered, and for those that get the reference of a refused one. The transaction fails if that is not possible. */
  claimMore(claims: readonly ReferenceClaim[]): Promise<void> | void
  release(claims: readonly ReferenceClaim[]): void
}

/** In the transaction itself. */
export const referencesIn = (tx: Tx): References => ({
  claim: (claims) => claimReferences(tx, claims),
  find: (references) => findClaims(tx, references),
  claimMore: (claims) => claimMore(tx, claims),
  release: (claims) => releaseClaims(tx, claims),
})

/** Sorted, so that two batches cannot deadlock. */
async function insertClaims(tx: Tx, claims: readonly ReferenceClaim[]): Promise<Set<string>> {
  const granted = await tx.rows(write<{ transfer_id: string }>`
    insert into transfer_references (unique_reference, venture_id, transfer_id)
    select unique_reference, venture_id, transfer_id from unnest(
      ${claims.map(({ unique_reference }) => unique_reference)}::text[],
      ${claims.map(({ venture_id }) => venture_id)}::uuid[],
      ${claims.map(({ transfer_id }) => transfer_id)}::uuid[]
    ) as claim (unique_reference, venture_id, transfer_id)
    order by unique_reference, transfer_id
    on conflict do nothing
    returning transfer_id`)
  return new Set(granted.map(({ transfer_id }) => transfer_id))
}

async function claimReferences(tx: Tx, claims: readonly ReferenceClaim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
  if (!tx.distributed) return insertClaims(tx, claims)
  // If all of them were inserted, a claim that somebody removes meanwhile would keep the first from its reference, and leave it to the second.
  return claimFree(tx, claims, { claim: (some) => insertClaims(tx, firstsOf(some)), free: (unused) => deleteUnused(tx, unused) })
}

/** Somebody else has claimed a reference that was free when the batch was decided. The transaction is run again, and finds the other transfer. */
class ClaimedMeanwhile extends Error {
  readonly code = '40001'
}

/**
 * What this transaction has claimed and released is its own to claim again, and on a single PostgreSQL nobody else can have the reference. In a distributed
 * database somebody may have claimed it ahead, so the answer has to be there before COMMIT is sent. It does not wait for others: accounts are locked by now.
 */
async function claimMore(tx: Tx, claims: readonly ReferenceClaim[]): Promise<void> {
  const claiming = insertClaims(tx, claims)
  if (!tx.distributed) tx.later(claiming)
  else if ((await claiming).size < claims.length) throw new ClaimedMeanwhile('a reference was claimed by somebody else meanwhile')
}

/**
 * Claims references, also those whose claims lead nowhere, until each is granted or leads to a transfer. Whoever has claimed a reference in between may still
 * fail, so nobody takes a transfer for created, or a reference for free, before that is decided.
 */
export async function claimFree(
  reader: Reader,
  claims: readonly ReferenceClaim[],
  { claim, free }: { claim: (claims: readonly ReferenceClaim[]) => Promise<Set<string>>; free: (unused: AheadClaim[]) => Promise<unknown> },
): Promise<Set<string>> {
  const end_ms = performance.now() + patience_ms
  const granted = new Set<string>()
  let open = claims
  for (;;) {
    for (const id of await claim(open)) granted.add(id)
    if (granted.size === claims.length) return granted
    const taken = new Set(claims.flatMap(({ transfer_id, unique_reference }) => (granted.has(transfer_id) ? [unique_reference] : [])))
    const refused = open.filter(({ unique_reference }) => !taken.has(unique_reference))
    const freed = await freeReferences(reader, [...new Set(refused.map(({ unique_reference }) => unique_reference))], { free, end_ms })
    open = refused.filter(({ unique_reference }) => freed.has(unique_reference))
    if (open.length === 0) return granted
  }
}

/** Of claims on one reference, that of the transfer with the smallest id. */
function firstsOf<Each extends ReferenceClaim>(claims: readonly Each[]): Each[] {
  const firsts = new Map<string, Each>()
  for (const claim of claims) {
    const { unique_reference, transfer_id } = claim
    const first = firsts.get(unique_reference)
    if (first === undefined || transfer_id < first.transfer_id) firsts.set(unique_reference, claim)
  }
  return [...firsts.values()]
}

/** Claims by transactions of workers, under a lock of the coordinator that nobody else waits for. A transfer that has its claim already gets it again. */
export async function claimAhead(tx: Tx, claims: readonly AheadClaim[]): Promise<Set<string>> {
  const each = firstsOf(claims)
  const [first] = each
  if (first === undefined) return new Set()
  tx.evidence = read`
    select attempt from transfer_references where unique_reference = ${first.unique_reference} and attempt = ${first.attempt}`
  const granted = await tx.rows(write<{ transfer_id: string }>`
    insert into transfer_references (unique_reference, venture_id, transfer_id, attempt)
    select unique_reference, venture_id, transfer_id, attempt from unnest(
      ${each.map(({ unique_reference }) => unique_reference)}::text[],
      ${each.map(({ venture_id }) => venture_id)}::uuid[],
      ${each.map(({ transfer_id }) => transfer_id)}::uuid[],
      ${each.map(({ attempt }) => attempt)}::text[]
    ) as claim (unique_reference, venture_id, transfer_id, attempt)
    order by unique_reference
    on conflict (unique_reference) do update set attempt = excluded.attempt
      where transfer_references.venture_id = excluded.venture_id and transfer_references.transfer_id = excluded.transfer_id
    returning transfer_id`)
  return new Set(granted.map(({ transfer_id }) => transfer_id))
}

/** The random part distinguishes transactions that get the same number because a crash took the first one back. */
export const attemptOf = (number: string): string => `${number}-${randomBytes(6).toString('hex')}`

const numberOf = (attempt: string): string => attempt.slice(0, attempt.indexOf('-'))

type StoredClaim = ReferenceClaim & { attempt: string | null }

const selectClaims = (references: readonly string[]) =>
  read<StoredClaim>`
    select unique_reference, venture_id, transfer_id, attempt from transfer_references where unique_reference = any(${references})`

/** The claims that lead to a transfer. On a single PostgreSQL nobody takes over what a cluster may have left there, so it counts as used. */
export async function findClaims(reader: Reader, references: readonly string[]): Promise<Map<string, Claim>> {
  const rows = await reader.rows(selectClaims(references))
  const ahead = reader.distributed ? rows.filter(({ attempt }) => attempt !== null) : []
  const existing = ahead.length === 0 ? new Set<string>() : await findExisting(reader, ahead.map(keyOf))
  return new Map(
    rows.flatMap(({ unique_reference, venture_id, transfer_id, attempt }) =>
      attempt === null || !reader.distributed || existing.has(transfer_id) ? [[unique_reference, { venture_id, transfer_id }]] : [],
    ),
  )
}

const keyOf = ({ venture_id, transfer_id: id }: Claim) => ({ venture_id, id })

function releaseClaims(tx: Tx, claims: readonly ReferenceClaim[]): void {
  if (claims.length === 0) return
  const references = claims.map(({ unique_reference }) => unique_reference)
  tx.send(write`delete from transfer_references where unique_reference = any(${references})`)
}

/** Those that have been claimed again since are somebody's. */
export async function deleteUnused(tx: Tx, unused: readonly AheadClaim[]): Promise<number> {
  return tx.run(write`
    delete from transfer_references claim using unnest(
      ${unused.map(({ unique_reference }) => unique_reference)}::text[],
      ${unused.map(({ transfer_id }) => transfer_id)}::uuid[],
      ${unused.map(({ attempt }) => attempt)}::text[]
    ) as unused (unique_reference, transfer_id, attempt)
    where claim.unique_reference = unused.unique_reference and claim.transfer_id = unused.transfer_id and claim.attempt = unused.attempt`)
}

/** How long somebody waits for a transaction of a worker that has claimed the same reference, and how long between two looks. */
const patience_ms = 2_000
const pause_ms = 10

/** Finds those references whose claims lead nowhere, and frees them. Waits until the transactions that have claimed them have ended. */
async function freeReferences(
  reader: Reader,
  references: readonly string[],
  { free, end_ms }: { free: (unused: AheadClaim[]) => Promise<unknown>; end_ms: number },
): Promise<Set<string>> {
  const freed = new Set<string>()
  let open: readonly string[] = references
  while (open.length > 0) {
    const rows = await reader.rows(selectClaims(open))
    const present = new Set(rows.map(({ unique_reference }) => unique_reference))
    // Whoever had claimed them has released them.
    for (const reference of open) if (!present.has(reference)) freed.add(reference)
    const running: string[] = []
    const unused: AheadClaim[] = []
    for (const [venture_id, claims] of Map.groupBy(rows, ({ venture_id }) => venture_id)) {
      const ahead = claims.flatMap(({ attempt, ...claim }) => (attempt === null ? [] : [{ ...claim, attempt }]))
      // First who still runs, and then what is there: a transaction that has ended shows what it has written.
      const numbers = ahead.length === 0 ? new Set<string>() : await findRunning(reader, venture_id, ahead)
      const existing = await findExisting(reader, claims.map(keyOf))
      for (const { attempt, ...claim } of claims) {
        // A claim that the coordinator has committed is there before the worker has heard of that, and nobody may be told of a transfer that is not there.
        const isRunning = attempt === null ? !existing.has(claim.transfer_id) : numbers.has(numberOf(attempt))
        if (isRunning) running.push(claim.unique_reference)
        else if (attempt !== null && !existing.has(claim.transfer_id)) unused.push({ ...claim, attempt })
      }
    }
    if (unused.length > 0) await free(unused)
    for (const { unique_reference } of unused) freed.add(unique_reference)
    // Also of what is free now: under load, others may be faster each time.
    if (performance.now() > end_ms && freed.size + running.length > 0) refuse('unavailable', { retry_after_s: 1 })
    open = running
    if (open.length > 0) await sleep(pause_ms)
  }
  return freed
}

/**
 * Those of the transactions that have not ended, as the worker that has the venture knows them. PostgreSQL says nothing about numbers that it has not given
 * out, which belong to transactions that a crash took back: it knows all numbers below that of this transaction. The transaction may have got its own before
 * others began, so of a larger number it is asked whether somebody holds it.
 */
async function findRunning(reader: Reader, venture_id: string, claims: readonly { attempt: string }[]): Promise<Set<string>> {
  const numbers = [...new Set(claims.map(({ attempt }) => numberOf(attempt)))]
  const rows = await reader.rows(read<{ number: string }>`
    select number from unnest(${numbers}::text[]) as number ${atWorker(reader, venture_id)}
    where case when number::xid8 < pg_current_xact_id() then pg_xact_status(number::xid8) = 'in progress'
      else exists (select from pg_lock_status() as held where held.locktype = 'transactionid' and held.transactionid = number::xid8::xid) end`)
  return new Set(rows.map(({ number }) => number))
}
