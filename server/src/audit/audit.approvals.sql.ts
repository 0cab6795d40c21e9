// SQL statements for approvals.
import { now } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, type Fragment, fragment, read, stated } from '../platform/database/sql.ts'
import { equals, type Filters, given, pageWith } from '../platform/http/lists.ts'
import { type ApprovalList, type StoredApproval, storedApproval } from './audit.schemas.ts'

const columns = columnsOf({ properties: storedApproval })

export const selectApproval = (id: string) => read<StoredApproval>`select ${columns} from approvals where id = ${id}`

/** A request that nobody decided in time stays PENDING in the table until a new request takes its place. */
function isIn(state: string): Fragment {
  const at = now().toISOString()
  if (state === 'CLOSED') return fragment`(state <> 'PENDING' or expires_at <= ${at})`
  if (state === 'EXPIRED') return fragment`(state = 'EXPIRED' or (state = 'PENDING' and expires_at <= ${at}))`
  return state === 'PENDING' ? fragment`state = 'PENDING' and expires_at > ${at}` : fragment`state = ${state}`
}

/** What determines who could approve a request. */
export type Waiting = Pick<StoredApproval, 'maker_id' | 'action' | 'state'>

/** `asking`: the person who asks; null for the admin key. `stuck`: the requests that nobody could approve. */
type Known = { asking: string | null; stuck: readonly Waiting[] }

const filtersFor = ({ asking, stuck }: Known): Filters<ApprovalList> => ({
  state: isIn,
  venture_id: equals(fragment`venture_id`),
  action: equals(fragment`action`),
  resource_id: equals(fragment`resource_id`),
  // The admin key is not a person, so every request comes from another caller.
  maker_id: (id) => (id === 'others' ? fragment`maker_id is distinct from ${asking}::uuid` : fragment`maker_id = ${id}`),
  stuck: (isWanted) => {
    const [makers, actions] = [stuck.map(({ maker_id }) => maker_id), stuck.map(({ action }) => action)]
    const isStuck = fragment`(${isIn('PENDING')} and (maker_id, action) in (select * from unnest(${makers}::uuid[], ${actions}::text[])))`
    return isWanted ? isStuck : fragment`not ${isStuck}`
  },
})

export function selectApprovals(database: Database, query: ApprovalList, known: Known): Promise<StoredApproval[]> {
  return database.rows(read<StoredApproval>`select ${columns} from approvals where ${pageWith(query, given(query, filtersFor(known)))}`)
}

/** The open requests, without duplicates of maker, action and state. */
export function selectWaiting(database: Database): Promise<Waiting[]> {
  return database.rows(read<Waiting>`select distinct maker_id, action, state from approvals where ${isIn('PENDING')}`)
}

/** Locks approvals in the order of their ids. Without `wait`, skips those that another transaction has locked. */
export function lockApprovals(tx: Tx, ids: readonly string[], wait: boolean): Promise<StoredApproval[]> {
  return wait
    ? tx.rows(read<StoredApproval>`select ${columns} from approvals where id = any(${ids}) order by id for update`)
    : tx.rows(read<StoredApproval>`select ${columns} from approvals where id = any(${ids}) order by id for update skip locked`)
}

/** The condition for requests that block a new one: about the same resource, or with the same reference. */
const sameAs = ({ venture_id, action, resource_id, reference }: StoredApproval): Fragment =>
  fragment`venture_id = ${venture_id} and (resource_id = ${resource_id} or (action = ${action} and reference = ${reference})) and state = 'PENDING'`

export function expireOthers(tx: Tx, approval: StoredApproval): Promise<number> {
  return tx.run(stated`update approvals set state = 'EXPIRED' where ${sameAs(approval)} and expires_at <= ${approval.created_at}`)
}

/**
 * Returns whether the request was stored. The resource or the reference may already have an open request. Ids of identical requests that
 * one person makes within a millisecond are equal, so an equal id can be the obstacle too.
 */
export async function insertApproval(tx: Tx, approval: StoredApproval): Promise<boolean> {
  const inserted = await tx.run(stated`
    insert into approvals (${columns}) select ${columns} from json_populate_record(null::approvals, ${JSON.stringify(approval)})
    on conflict do nothing`)
  return inserted === 1
}

/** How many requests of a person are open, including those of other transactions: they are counted one after the other. */
export async function countOpen(tx: Tx, { maker_id, created_at }: StoredApproval): Promise<number> {
  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${`requests ${maker_id}`}, 0))`)
  const counted = await tx.first(read<{ count: number }>`
    select count(*)::int as count from approvals where maker_id = ${maker_id} and state = 'PENDING' and expires_at > ${created_at}`)
  return counted?.count ?? 0
}

/** An arbitrary number that every Vostro must share. */
const peopleLock = 5_648_773

/**
 * Waits until nobody is deciding. Called before a bank role is taken away, and before two people are, or are no longer, allowed to approve
 * for each other.
 */
export async function whileNobodyDecides(tx: Tx): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(${peopleLock})`)
}

/**
 * Keeps the rights of the two people as they are until the end of a transaction that decides. Without `wait`, returns whether the lock was
 * free.
 */
export async function holdPeople(tx: Tx, wait: boolean): Promise<boolean> {
  if (!wait) return (await tx.first(read<{ got: boolean }>`select pg_try_advisory_xact_lock_shared(${peopleLock}) as got`))?.got === true
  await tx.rows(read`select pg_advisory_xact_lock_shared(${peopleLock})`)
  return true
}

/** The open request, preferably the one with the same reference. */
export const selectPending = (approval: StoredApproval) => read<StoredApproval>`
  select ${columns} from approvals where ${sameAs(approval)} order by reference is not distinct from ${approval.reference} desc`

export type Decision = Pick<StoredApproval, 'id' | 'state' | 'checker_id' | 'reason' | 'reason_code' | 'decided_at'>

const decide = ({ id, state, checker_id, reason, reason_code, decided_at }: Decision) => stated`
  update approvals set state = ${state}, checker_id = ${checker_id}, reason = ${reason}, reason_code = ${reason_code}, decided_at = ${decided_at}
  where id = ${id} and state = 'PENDING'`

/** Proves that the decision was committed. */
export const selectDecided = ({ id, state, checker_id }: Decision) =>
  read`select id from approvals where id = ${id} and state = ${state} and checker_id is not distinct from ${checker_id}`

/** All open requests of a person. Expired ones stay expired. */
export function withdrawAll(tx: Tx, { maker_id, reason, at }: { maker_id: string; reason: string; at: string }): Promise<number> {
  return tx.run(stated`
    update approvals set state = 'WITHDRAWN', reason = ${reason}, decided_at = ${at}
    where maker_id = ${maker_id} and state = 'PENDING' and expires_at > ${at}`)
}

/**
 * In a restored database, a request may be open that was decided after the dump was made, and nobody remembers what it was about. So it has
 * to be made again.
 */
export function expireRequests(tx: Tx): Promise<number> {
  return tx.run(stated`update approvals set state = 'EXPIRED' where state = 'PENDING'`)
}

/** Only for a locked approval that is PENDING. */
export function writeDecision(tx: Tx, decision: Decision): void {
  tx.send(decide(decision))
}

/** Returns whether the approval was still PENDING. */
export async function decideApproval(tx: Tx, decision: Decision): Promise<boolean> {
  return (await tx.run(decide(decision))) === 1
}
