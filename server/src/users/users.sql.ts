// SQL statements for people, memberships and sessions.
import { anchorRevocations } from '../platform/anchors.ts'
import { now } from '../platform/clock.ts'
import type { Tx } from '../platform/database/database.ts'
import { fixed, read, stated, write } from '../platform/database/sql.ts'
import { type BankRole, rolesWithPasskey, type VentureRole } from '../platform/http/access.ts'
import { pageOf } from '../platform/http/lists.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import type { Use } from '../platform/last-uses.ts'
import { oldestPrefix, type Venture, ventureColumns } from '../ventures/ventures.ts'
import type { OwnSession, User, UserList, VentureUser } from './users.schemas.ts'

/** Stands for the bank where a membership or invitation expects a venture. */
export { bankId }

// People.

export type UserRow = {
  id: string
  email: string
  name: string
  password_hash: string
  status: 'ACTIVE' | 'DISABLED'
  created_at: string
  updated_at: string
  /** Counts the changes of the password, of the status, and of the roles at the bank and in ventures. */
  sequence: number
}

export const selectByEmail = (email: string) => read<UserRow>`
  select id, email, name, password_hash, status, created_at, updated_at, sequence from users where email = ${email}`

export const lockUser = (id: string) => read<UserRow>`
  select id, email, name, password_hash, status, created_at, updated_at, sequence from users where id = ${id} for update`

export const lockByEmail = (email: string) => read<{ id: string }>`select id from users where email = ${email} for update`

const userColumns = fixed`person.id, person.email, person.name, person.status, bank.role as bank_role, person.created_at, person.updated_at`

export const selectUser = (id: string) => read<User>`
  select ${userColumns} from users person left join memberships bank on bank.user_id = person.id and bank.venture_id = ${bankId}::uuid
  where person.id = ${id}`

export const selectUsers = (query: UserList) => read<User>`
  select * from (
    select ${userColumns} from users person left join memberships bank on bank.user_id = person.id and bank.venture_id = ${bankId}::uuid) as listed
  ${pageOf(query, {})}`

const memberColumns = fixed`person.id, person.email, person.name, person.status, membership.role, membership.created_at`

export const selectVentureUser = (venture_id: string, id: string) => read<VentureUser>`
  select ${memberColumns} from memberships membership join users person on person.id = membership.user_id
  where membership.venture_id = ${venture_id} and person.id = ${id}`

export const selectVentureUsers = (venture_id: string, query: UserList) => read<VentureUser>`
  select * from (
    select ${memberColumns} from memberships membership join users person on person.id = membership.user_id
    where membership.venture_id = ${venture_id}) as listed
  ${pageOf(query, {})}`

export function insertUser(tx: Tx, row: UserRow): Promise<number> {
  return tx.run(stated`
    insert into users (id, email, name, password_hash, status, created_at, updated_at, sequence)
    values (${row.id}, ${row.email}, ${row.name}, ${row.password_hash}, ${row.status}, ${row.created_at}, ${row.updated_at}, ${row.sequence})
    on conflict (email) do nothing`)
}

export function writePassword(tx: Tx, id: string, password_hash: string, at: string): Promise<number> {
  return tx.run(stated`
    update users set password_hash = ${password_hash}, updated_at = ${at}, sequence = sequence + 1 where id = ${id}`)
}

export function writeStatus(tx: Tx, id: string, status: string, at: string): Promise<number> {
  return tx.run(stated`update users set status = ${status}, updated_at = ${at}, sequence = sequence + 1 where id = ${id}`)
}

/**
 * Deletes all passkeys of a person, who then registers a new one. All sessions of the person must end as well. Returns how many passkeys
 * there were.
 */
export async function deletePasskeysOf(tx: Tx, user_id: string): Promise<number> {
  const deleted = await tx.rows(stated<{ id: string }>`delete from passkeys where user_id = ${user_id} returning id`)
  anchorPasskeys(tx, deleted)
  return deleted.length
}

/** Deletes one of a person's own passkeys. Returns how many were deleted. */
export async function deletePasskey(tx: Tx, { user_id, id }: { user_id: string; id: string }): Promise<number> {
  const deleted = await tx.rows(stated<{ id: string }>`delete from passkeys where user_id = ${user_id} and id = ${id} returning id`)
  anchorPasskeys(tx, deleted)
  return deleted.length
}

function anchorPasskeys(tx: Tx, deleted: readonly { id: string }[]): void {
  anchorRevocations(
    tx,
    'passkeys',
    now().toISOString(),
    deleted.map(({ id }) => ({ venture_id: bankId, id })),
  )
}

/** For a restored database: deletes a passkey that has been removed since, and the person's sessions that began with a passkey. */
export async function deletePasskeyAgain(tx: Tx, id: string): Promise<number> {
  await tx.run(write`delete from sessions where by_passkey and user_id in (select user_id from passkeys where id = ${id})`)
  return tx.run(stated`delete from passkeys where id = ${id}`)
}

// Memberships.

export type Membership = { user_id: string; venture_id: string; role: BankRole | VentureRole }

export const selectMemberships = (user_id: string) => read<Membership>`
  select user_id, venture_id, role from memberships where user_id = ${user_id} order by venture_id`

/** The bank role of an active person. */
export const selectActiveBanker = (user_id: string) => read<{ role: BankRole }>`
  select membership.role from memberships membership join users person on person.id = membership.user_id
  where membership.user_id = ${user_id} and membership.venture_id = ${bankId}::uuid and person.status = 'ACTIVE'`

/** Every active person of the bank. */
export const selectActiveBankers = read<{ user_id: string; role: BankRole }>`
  select membership.user_id, membership.role from memberships membership join users person on person.id = membership.user_id
  where membership.venture_id = ${bankId}::uuid and person.status = 'ACTIVE' order by membership.user_id`

/**
 * The active admins of the bank, locked, so that two requests cannot remove the last two. The people are locked together with their roles,
 * so a transaction that waits here sees who was disabled in the meantime.
 */
export const lockBankAdmins = read<{ user_id: string }>`
  select membership.user_id from memberships membership join users person on person.id = membership.user_id
  where membership.venture_id = ${bankId}::uuid and membership.role = 'admin' and person.status = 'ACTIVE'
  order by membership.user_id for update of membership, person`

/** Whether the bank processes for a venture. */
export const selectManaged = (venture_id: string) => read`select id from ventures where id = ${venture_id} and control = 'MANAGED'`

/** The MANAGED ventures that a person is an admin of. */
export const selectManagedBy = (user_id: string) => read<{ venture_id: string }>`
  select membership.venture_id from memberships membership join ventures venture on venture.id = membership.venture_id
  where membership.user_id = ${user_id} and membership.role = 'admin' and venture.control = 'MANAGED' order by membership.venture_id`

export const selectVentureAdmins = (venture_id: string) => read<{ user_id: string }>`
  select membership.user_id from memberships membership join users person on person.id = membership.user_id
  where membership.venture_id = ${venture_id} and membership.role = 'admin' and person.status = 'ACTIVE'`

export const selectBankAdmins = read<{ user_id: string }>`
  select membership.user_id from memberships membership join users person on person.id = membership.user_id
  where membership.venture_id = ${bankId}::uuid and membership.role = 'admin' and person.status = 'ACTIVE'`

/** Lets only one transaction at a time decide about the admins of the bank and what the admin key may do. */
export async function lockSetUp(tx: Tx): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(${setUpLock})`)
}
const setUpLock = 5_648_774

/**
 * Lets only one transaction at a time remove an admin of a MANAGED venture, or let in a person of the bank's choice because there is no
 * admin. Row locks are not enough: an admin can leave by role or by status, and a person can become an admin in the meantime. Taken before
 * people are locked.
 */
export async function lockVentureAdmins(tx: Tx): Promise<void> {
  await tx.rows(read`select pg_advisory_xact_lock(${ventureAdminsLock})`)
}
const ventureAdminsLock = 5_648_777

export async function writeMembership(tx: Tx, { user_id, venture_id, role }: Membership, at: string): Promise<void> {
  await tx.run(stated`
    insert into memberships (user_id, venture_id, role, created_at) values (${user_id}, ${venture_id}, ${role}, ${at})
    on conflict (user_id, venture_id) do update set role = excluded.role`)
  await countChange(tx, user_id)
}

export async function deleteMembership(tx: Tx, { user_id, venture_id }: Omit<Membership, 'role'>): Promise<void> {
  await tx.run(stated`delete from memberships where user_id = ${user_id} and venture_id = ${venture_id}`)
  await countChange(tx, user_id)
}

/** Counts a change, so that nobody approves a request about a person whose roles have changed since. */
function countChange(tx: Tx, user_id: string): Promise<number> {
  return tx.run(write`update users set sequence = sequence + 1 where id = ${user_id}`)
}

// Sessions.

export type SessionRow = {
  token_hash: string
  id: string
  user_id: string
  by_passkey: boolean
  created_at: string
  authenticated_at: string
  last_seen_at: string
  expires_at: string
}

/** A valid session, with the venture that the request acts for, if it names an existing one. */
export type FoundSession = {
  token_hash: string
  session_id: string
  user_id: string
  email: string
  user_name: string
  by_passkey: boolean
  /** Whether the person has registered a passkey. */
  has_passkey: boolean
  /** Whether the person has a role that needs a passkey, and has not used one in this session. */
  lacks_passkey: boolean
  session_created_at: string
  authenticated_at: string
  expires_at: string
  bank_role: BankRole | null
  venture_role: VentureRole | null
} & { [Field in keyof Venture]: Venture[Field] | null }

/** `whole`: whether the prefix of the venture's key is needed. Only the route that shows the venture needs it. */
export type AskedSession = { token_hash: string; venture_id: string; whole: boolean }

/**
 * Looked up for each request, so that a disabled person is out immediately. One query finds the session, the person, their roles and the
 * venture. It asks for a single session, because a query for several takes the database more than twice as long, and few people are signed
 * in at the same time.
 */
export const selectSession = ({ token_hash, venture_id, whole }: AskedSession) => read<FoundSession>`
  select session.token_hash, session.id as session_id, session.user_id, person.email, person.name as user_name, session.by_passkey,
    session.by_passkey or exists (select from passkeys kept where kept.user_id = session.user_id) as has_passkey,
    not session.by_passkey and (bank.role is not null or exists (
      select from memberships held where held.user_id = session.user_id and held.role = any(${rolesWithPasskey})
    )) as lacks_passkey, session.created_at as session_created_at, session.authenticated_at, session.expires_at, bank.role as bank_role, member.role as venture_role,
    ${ventureColumns}, case when ${whole}::boolean then ${oldestPrefix} end as api_key_prefix
  from sessions session
  join users person on person.id = session.user_id and person.status = 'ACTIVE'
  left join memberships bank on bank.user_id = session.user_id and bank.venture_id = ${bankId}::uuid
  left join memberships member on member.user_id = session.user_id and member.venture_id = ${venture_id}::uuid
  left join ventures venture on venture.id = ${venture_id}::uuid
  where session.token_hash = ${token_hash} and session.expires_at > now() and session.last_seen_at > now() - interval '30 minutes'`

export function insertSession(tx: Tx, row: SessionRow): Promise<number> {
  return tx.run(write`
    insert into sessions (token_hash, id, user_id, by_passkey, created_at, authenticated_at, last_seen_at, expires_at)
    values (${row.token_hash}, ${row.id}, ${row.user_id}, ${row.by_passkey}, ${row.created_at}, ${row.authenticated_at}, ${row.last_seen_at},
      ${row.expires_at})`)
}

/** Changes the token, so that one that was stolen earlier becomes worthless. */
export function renewSession(
  tx: Tx,
  { token_hash, renewed, by_passkey, at }: { token_hash: string; renewed: string; by_passkey: boolean; at: string },
): Promise<number> {
  return tx.run(write`
    update sessions set token_hash = ${renewed}, authenticated_at = ${at}, last_seen_at = ${at}, by_passkey = by_passkey or ${by_passkey}
    where token_hash = ${token_hash}`)
}

/** Once the last passkey is gone, no session of the person counts as one with a passkey. */
export function forgetPasskeyUse(tx: Tx, user_id: string): Promise<number> {
  return tx.run(write`
    update sessions set by_passkey = false
    where user_id = ${user_id} and by_passkey and not exists (select from passkeys where passkeys.user_id = ${user_id})`)
}

export function deleteSession(tx: Tx, token_hash: string): Promise<number> {
  return tx.run(write`delete from sessions where token_hash = ${token_hash}`)
}

/** The valid sessions of a person, newest first. */
export const selectSessionsOf = (user_id: string, token_hash: string) => read<OwnSession>`
  select id, token_hash = ${token_hash} as current, by_passkey, created_at, authenticated_at, last_seen_at, expires_at
  from sessions
  where user_id = ${user_id} and expires_at > now() and last_seen_at > now() - interval '30 minutes'
  order by id desc limit 100`

export function deleteSessionOf(tx: Tx, user_id: string, id: string): Promise<number> {
  return tx.run(write`delete from sessions where user_id = ${user_id} and id = ${id}`)
}

export const selectToken = (token_hash: string) => read<{ id: string }>`select id from sessions where token_hash = ${token_hash}`

/** Deletes all sessions of a person, optionally except one. */
export function deleteSessionsOf(tx: Tx, user_id: string, except = ''): Promise<number> {
  return tx.run(write`delete from sessions where user_id = ${user_id} and token_hash <> ${except}`)
}

export function writeSessionUses(tx: Tx, uses: readonly Use[]): Promise<number> {
  return tx.run(write`
    update sessions set last_seen_at = greatest(last_seen_at, used.at)
    from unnest(${uses.map(({ name }) => name)}::text[], ${uses.map(({ at }) => at)}::timestamptz[]) as used (token_hash, at)
    where sessions.token_hash = used.token_hash`)
}

export function pruneSessions(tx: Tx, before: string, most: number): Promise<number> {
  return tx.run(write`
    delete from sessions where token_hash in (select token_hash from sessions where expires_at < ${before} order by expires_at limit ${most})`)
}
