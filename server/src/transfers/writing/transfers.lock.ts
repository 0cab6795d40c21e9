// Claims the references of a batch, locks its rows, and reads what decides under the locks.
import { untilSettled } from '../../platform/database/database.shards.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { read, write } from '../../platform/database/sql.ts'
import { refuse } from '../../values/refusals.ts'
import type { Claim } from '../deciding/transfers.batch.ts'
import type { TransferRow } from '../life/transfers.columns.ts'
import { lockAccounts, lockOwners, lockTransfers, type Owners } from './transfers.lock.sql.ts'
import type { Plan } from './transfers.plan.ts'
import { selectChildRows, selectTransferRows } from './transfers.rows.sql.ts'

/** The rows that a batch is decided over. */
export type Locked = {
  /** The transfers that got their references. */
  granted: ReadonlySet<string>
  lockedAccounts: ReadonlySet<string>
  lockedTransfers: ReadonlySet<string>
  owners: Owners
  transfers: readonly TransferRow[]
  children: readonly TransferRow[]
}

/** Without `wait`, rows that another transaction has locked are skipped. */
export async function lockAndRead(tx: Tx, plan: Plan, { turn, wait }: { turn: Turn | undefined; wait: boolean }): Promise<Locked> {
  const [granted, , , lockedAccounts, lockedTransfers, owners, transfers, children] = await Promise.all([
    claimReferences(tx, plan.claims),
    turn === undefined ? undefined : holdTurn(tx, turn),
    turn === undefined ? undefined : takeTurn(tx, turn),
    lockAccounts(tx, plan.accounts, wait),
    lockTransfers(tx, plan.transfers, wait),
    lockOwners(tx, plan.accounts),
    selectTransferRows(tx, plan.transfers),
    selectChildRows(tx, plan.parents),
  ])
  return { granted, lockedAccounts, lockedTransfers, owners, transfers, children }
}

/**
 * For a speculative batch, whose other locks are sent together with the writes: if one of them cannot be taken, nothing sent after it is carried out.
 */
export async function claimOnly(tx: Tx, plan: Plan, turn: Turn, { accounts, clients }: Owners): Promise<Locked> {
  const [granted] = await Promise.all([claimReferences(tx, plan.claims), holdTurn(tx, turn)])
  // Deciding changes accounts, but those of the snapshot must not change.
  const copies = accounts.map((account) => ({ ...account }))
  const lockedAccounts = new Set(accounts.map(({ id }) => id))
  return { granted, lockedAccounts, lockedTransfers: new Set(), owners: { accounts: copies, clients }, transfers: [], children: [] }
}

/** The current claims on the references. Only those that were not granted need a query; usually all are granted. */
export async function claimsOf(tx: Tx, wanted: Plan['claims'], granted: ReadonlySet<string>): Promise<Map<string, Claim>> {
  const refused = wanted.filter(({ transfer_id }) => !granted.has(transfer_id)).map(({ unique_reference }) => unique_reference)
  const claims = refused.length === 0 ? new Map<string, Claim>() : await findClaims(tx, refused)
  for (const { unique_reference, venture_id, transfer_id } of wanted) {
    if (granted.has(transfer_id)) claims.set(unique_reference, { venture_id, transfer_id })
  }
  return claims
}

// References are unique across ventures. A transfer claims its reference in the transaction that writes it.

type ReferenceClaim = Claim & { unique_reference: string }

/**
 * Sorted, so that two batches cannot deadlock. If two transfers claim one reference, the smaller id gets it, because it was ordered first.
 * Returns the ids of the transfers that got theirs.
 */
export async function claimReferences(tx: Tx, claims: readonly ReferenceClaim[]): Promise<Set<string>> {
  if (claims.length === 0) return new Set()
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

/** Waits until the transfers of the claims are committed, so that a caller who is told of a claim can find its transfer. */
export async function findClaims(reader: Reader, references: readonly string[]): Promise<Map<string, Claim>> {
  const rows = await reader.rows(read<ReferenceClaim>`
    select unique_reference, venture_id, transfer_id from transfer_references where unique_reference = any(${references})`)
  for (const venture_id of new Set(rows.map((row) => row.venture_id)))
    await untilSettled(reader, venture_id, { patience_ms }).catch((cause) => refuse('unavailable', { retry_after_s: 1, cause }))
  return new Map(rows.map(({ unique_reference, ...claim }) => [unique_reference, claim]))
}

/** Short, because the transaction may be holding locks of accounts. */
const patience_ms = 2_000

export function releaseClaims(tx: Tx, claims: readonly ReferenceClaim[]): void {
  if (claims.length === 0) return
  const references = claims.map(({ unique_reference }) => unique_reference)
  tx.send(write`delete from transfer_references where unique_reference = any(${references})`)
}

// How overlapping batches take turns in the database: each holds an advisory lock of its own until its transaction ends, and waits for that
// of the batch before. With one shared lock, a batch could overtake a slower one, and the state that it was decided over would never exist.

export type Turn = { readonly key: string; readonly after: string | undefined; isReached: boolean }

/**
 * Takes this batch's own lock, on which the next batch waits; this must happen before the next batch begins. The references are claimed by
 * now: two batches that want the same ones must not wait for each other in two places.
 */
export async function holdTurn(tx: Tx, { key }: Turn): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/**
 * Waits until the batch before has committed. Statements sent after this one wait too, and continue before the service hears of the commit.
 * No decision depends on it: rows that the batch before holds would be skipped, and their commands run again.
 */
export async function takeTurn(tx: Tx, turn: Turn): Promise<void> {
  if (turn.after !== undefined) await tx.rows(read`select pg_advisory_xact_lock_shared(hashtextextended(${turn.after}, 0))`)
  turn.isReached = true
}
