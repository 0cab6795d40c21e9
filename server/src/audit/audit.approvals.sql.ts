// SQL statements for approvals.
import { now } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, type Fragment, fragment, read, stated } from '../platform/database/sql.ts'
import { equals, type Filters, given, pageWith } from '../platform/http/lists.ts'
import { type ApprovalList, type StoredApproval, storedApproval } from './audit.schemas.ts'

const columns = columnsOf({ properties: storedApproval })

export const selectApproval = (id: string) => read<StoredApproval>`select ${columns} from approvals where id = ${id}`

/** A request that nobody decided in time stays PENDING in the table until another one takes its place. */
function isIn(state: string): Fragment {
  const at = now().toISOString()
  if (state === 'CLOSED') return fragment`(state <> 'PENDING' or expires_at <= ${at})`
  if (state === 'EXPIRED') return fragment`(state = 'EXPIRED' or (state = 'PENDING' and expires_at <= ${at}))`
  return state === 'PENDING' ? fragment`state = 'PENDING' and expires_at > ${at}` : fragment`state = ${state}`
}

/** What decides who could approve a request. */
export type Waiting = Pick<StoredApproval, 'maker_id' | 'action' | 'state'>

/** `asking`: who wants to know; null for the admin key. `stuck`: what nobody could approve. */
type Known = { asking: string | null; stuck: readonly Waiting[] }

const filtersFor = ({ asking, stuck }: Known): Filters<ApprovalList> => ({
  state: isIn,
  venture_id: equals(fragment`venture_id`),
  action: equals(fragment`action`),
  resource_id: equals(fragment`resource_id`),
  // The admin key is nobody, so everybody is somebody else.
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

/** Who waits, and for what, each once. */
export function selectWaiting(database: Database): Promise<Waiting[]> {
  return database.rows(read<Waiting>`select distinct maker_id, action, state from approvals where ${isIn('PENDING')}`)
}

/** Locks approvals, in the order of their ids. Without `wait`, those that another transaction holds are left out. */
export function lockApprovals(tx: Tx, ids: readonly string[], wait: boolean): Promise<StoredApproval[]> {
  return wait
    ? tx.rows(read<StoredApproval>`select ${columns} from approvals where id = any(${ids}) order by id for update`)
    : tx.rows(read<StoredApproval>`select ${columns} from approvals where id = any(${ids}) order by id for update skip locked`)
}

/** What is in the way of a request: one about the same resource, or one that is recognised by the same reference. */
const sameAs = ({ venture_id, action, resource_id, reference }: StoredApproval): Fragment =>
  fragment`venture_id = ${venture_id} and (resource_id = ${resource_id} or (action = ${action} and reference = ${reference})) and state = 'PENDING'`

export function expireOthers(tx: Tx, approval: StoredApproval): Promise<number> {
  return tx.run(stated`update approvals set state = 'EXPIRED' where ${sameAs(approval)} and expires_at <= ${approval.created_at}`)
}

/**
 * Whether the request was stored: the resource or the reference may have an open one already. What one person requests several times in a millisecond has one id, so
 * another request may be in its way by that, too.
 */
export async function insertApproval(tx: Tx, approval: StoredApproval): Promise<boolean> {
  const inserted = await tx.run(stated`
    insert into approvals (${columns}) select ${columns} from json_populate_record(null::approvals, ${JSON.stringify(approval)})
    on conflict do nothing`)
  return inserted === 1
}

/** How many requests of a person wait, those of other transactions included: they are counted one after the other. */
export async function countOpen(tx: Tx, { maker_id, created_at }: StoredApproval): Promise<number> {
  await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${`requests ${maker_id}`}, 0))`)
  const counted = await tx.first(read<{ count: number }>`
    select count(*)::int as count from approvals where maker_id = ${maker_id} and state = 'PENDING' and expires_at > ${created_at}`)
  return counted?.count ?? 0
}

/** Any number works, as long as every Vostro uses the same one. */
const peopleLock = 5_648_773

/** For whoever takes a role at the bank away, or lets two people approve for each other, or no longer: waits until nobody is deciding. */
export async function whileNobodyDecides(tx: Tx): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(${peopleLock})`)
}

/** For whoever decides: what the two people may do stays so until the end of the transaction. Without `wait`, says whether that is certain. */
export async function holdPeople(tx: Tx, wait: boolean): Promise<boolean> {
  if (!wait) return (await tx.first(read<{ got: boolean }>`select pg_try_advisory_xact_lock_shared(${peopleLock}) as got`))?.got === true
  await tx.rows(read`select pg_advisory_xact_lock_shared(${peopleLock})`)
  return true
}

/** First the one that is recognised by the same reference. */
export const selectPending = (approval: StoredApproval) => read<StoredApproval>`
  select ${columns} from approvals where ${sameAs(approval)} order by reference is not distinct from ${approval.reference} desc`

export type Decision = Pick<StoredApproval, 'id' | 'state' | 'checker_id' | 'reason' | 'reason_code' | 'decided_at'>

const decide = ({ id, state, checker_id, reason, reason_code, decided_at }: Decision) => stated`
  update approvals set state = ${state}, checker_id = ${checker_id}, reason = ${reason}, reason_code = ${reason_code}, decided_at = ${decided_at}
  where id = ${id} and state = 'PENDING'`

/** Proves that the decision was committed. */
export const selectDecided = ({ id, state, checker_id }: Decision) =>
  read`select id from approvals where id = ${id} and state = ${state} and checker_id is not distinct from ${checker_id}`

/** All open requests of a person. What has expired stays so. */
export function withdrawAll(tx: Tx, { maker_id, reason, at }: { maker_id: string; reason: string; at: string }): Promise<number> {
  return tx.run(stated`
    update approvals set state = 'WITHDRAWN', reason = ${reason}, decided_at = ${at}
    where maker_id = ${maker_id} and state = 'PENDING' and expires_at > ${at}`)
}

/**
 * In a restored database a request may be open that somebody has decided since the dump was made, and nobody remembers what it was about. So it has
 * to be made again.
 */
export function expireRequests(tx: Tx): Promise<number> {
  return tx.run(stated`update approvals set state = 'EXPIRED' where state = 'PENDING'`)
}

/** For a locked approval that is PENDING. */
export function writeDecision(tx: Tx, decision: Decision): void {
  tx.send(decide(decision))
}

/** Whether the approval was still PENDING. */
export async function decideApproval(tx: Tx, decision: Decision): Promise<boolean> {
  return (await tx.run(decide(decision))) === 1
}
