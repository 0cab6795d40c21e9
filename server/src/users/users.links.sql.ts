// SQL statements for links.
import type { Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { pageOf } from '../platform/http/lists.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { enoughAdmins } from './users.adminkey.rules.ts'
import { Link, type Pair, type UserList } from './users.schemas.ts'

export type LinkRow = Link & {
  secret_hash: string
  venture_id: string | null
  user_id: string | null
  made_by: string
  made_by_id: string | null
  /** The second person who answers for the link: whoever approved it. */
  checker_id: string | null
}

const columns = columnsOf(Link)

export function insertLink(tx: Tx, row: LinkRow): Promise<number> {
  return tx.run(write`
    insert into links (id, secret_hash, kind, venture_id, role, email, user_id, made_by, made_by_id, checker_id, created_at, expires_at)
    values (${row.id}, ${row.secret_hash}, ${row.kind}, ${row.venture_id}, ${row.role}, ${row.email}, ${row.user_id}, ${row.made_by}, ${row.made_by_id},
      ${row.checker_id}, ${row.created_at}, ${row.expires_at})`)
}

export function lockLink(tx: Tx, secret_hash: string): Promise<LinkRow | undefined> {
  return tx.first(read<LinkRow>`
    select ${columns}, secret_hash, venture_id, user_id, made_by, made_by_id, checker_id from links where secret_hash = ${secret_hash} for update`)
}

export function writeUse(tx: Tx, id: string, user_id: string, at: string): Promise<number> {
  return tx.run(write`update links set used_at = ${at}, user_id = ${user_id} where id = ${id}`)
}

/** The links of a kind that somebody could still use. For a reset, those of one person. */
export function revokeOpenLinks(
  tx: Tx,
  { kind, user_id = null }: { kind: Link['kind']; user_id?: string | null },
  at: string,
): Promise<number> {
  return tx.run(write`
    update links set revoked_at = ${at}
    where kind = ${kind} and used_at is null and revoked_at is null and (${user_id}::uuid is null or user_id = ${user_id})`)
}

/** The open invitations of somebody to a venture, or to the bank, who then needs another one to come in; but for one if it is given. */
export function revokeInvitationsOf(
  tx: Tx,
  { email, venture_id, except = null }: { email: string; venture_id: string; except?: string | null },
  at: string,
): Promise<number> {
  return tx.run(write`
    update links set revoked_at = ${at}
    where kind = 'INVITATION' and venture_id = ${venture_id} and email = ${email} and used_at is null and revoked_at is null
      and id is distinct from ${except}::uuid`)
}

/** The open links that somebody made or approved who may no longer let people in. With a venture, only those into it. */
export function revokeLinksMadeBy(
  tx: Tx,
  { user_id, venture_id = null }: { user_id: string; venture_id?: string | null },
  at: string,
): Promise<number> {
  return tx.run(write`
    update links set revoked_at = ${at}
    where ${user_id} in (made_by_id, checker_id) and used_at is null and revoked_at is null
      and (${venture_id}::uuid is null or venture_id = ${venture_id})`)
}

export const selectInvitation = (venture_id: string, id: string) => read<Link>`
  select ${columns} from links where venture_id = ${venture_id} and id = ${id} and kind = 'INVITATION'`

export const selectInvitations = (venture_id: string, query: UserList) => read<Link>`
  select ${columns} from (select * from links where venture_id = ${venture_id} and kind = 'INVITATION') as invitation ${pageOf(query, {})}`

export function revokeInvitationRow(tx: Tx, venture_id: string, id: string, at: string): Promise<Link | undefined> {
  return tx.first(write<Link>`
    update links set revoked_at = coalesce(revoked_at, ${at})
    where venture_id = ${venture_id} and id = ${id} and kind = 'INVITATION' and used_at is null returning ${columns}`)
}

/** What two people do about the role at the bank and the status of a person. */
export const changeAction = 'change-bank-user'

/** That somebody has, or may have, a hold on a person. `tie`: the link or the approval that says so. `how`: what it was. */
export type Hold = { user_id: string; id: string; tie: string; how: Relating }

/** What relates two people, as the API says it. */
export type Relating = Pair['related_by'][number]

/** Everybody who let one of these people in, gave them a new password, a role at the bank or access again, and whoever approved it. */
export const selectSponsors = (user_ids: readonly string[]) => read<Hold>`
  select sponsor.user_id, sponsor.id, sponsor.tie, sponsor.how from (
    select unnest(array[made_by_id, checker_id]) as id, user_id, id as tie, case kind when 'RESET' then 'RESET' else 'INVITATION' end as how
      from links where user_id = any(${user_ids}) and used_at is not null
    union select unnest(array[maker_id, checker_id]), resource_id, id, 'ROLE' from approvals
      where venture_id = ${bankId} and resource_id = any(${user_ids}) and action = ${changeAction} and state = 'APPROVED') as sponsor
  where sponsor.id is not null`

/**
 * Who has let one of these people in or reset them alone, and so may have chosen the password; null stands for the admin key. Admins of the bank whom
 * the admin key has let in do not count: to them `selectColleaguesAtEntry` applies.
 */
export const selectLoneSponsors = (user_ids: readonly string[]) => read<Omit<Hold, 'id'> & { id: string | null }>`
  select user_id, made_by_id as id, id as tie, 'SAME_PERSON' as how from links
  where user_id = any(${user_ids}) and used_at is not null and checker_id is null and (kind = 'RESET'
      or (kind = 'INVITATION' and (venture_id <> ${bankId} or role <> 'admin' or made_by_id is not null)))`

/**
 * Somebody who has let this person in or reset them alone, and so may have registered a passkey for them, but may not give roles in the venture, or at
 * the bank. The active admins of a venture may; so may one person of the bank whose link was not made by two. At the bank nobody does it alone.
 */
export const selectWeakSponsor = (user_id: string, venture_id: string) => read<{ id: string }>`
  select id from links
  where user_id = ${user_id} and used_at is not null and checker_id is null and kind in ('INVITATION', 'RESET')
    and (${venture_id} = ${bankId} or not (made_by = 'operator' or exists (
      select from memberships giver join users person on person.id = giver.user_id
      where giver.user_id = made_by_id and giver.venture_id = ${venture_id}::uuid and giver.role = 'admin' and person.status = 'ACTIVE')))
  limit 1`

/**
 * Whoever belonged to the bank when the admin key let one of these people in, by an invitation or to set the bank up, and that was after the given
 * time. The first three people of the bank are left out while all of them are there: the admin key is meant to let them in, and nobody gains a second
 * approver by putting colleagues out. A set-up is for the first one alone, so one person before is enough. With four eyes, the admin key lets in nobody
 * but admins.
 */
export const selectColleaguesAtEntry = (user_ids: readonly string[], after: string) => read<Hold>`
  select entry.user_id, colleague.user_id as id, entry.id as tie, 'ADMIN_KEY' as how
  from links entry join memberships colleague on colleague.venture_id = ${bankId} and colleague.created_at <= entry.used_at
  where entry.user_id = any(${user_ids}) and entry.used_at > ${after} and colleague.user_id <> entry.user_id
    and (entry.kind = 'SET_UP' or (entry.kind = 'INVITATION' and entry.venture_id = ${bankId} and entry.role = 'admin'
      and entry.made_by = 'operator' and entry.made_by_id is null))
    and (
      select count(*) >= case entry.kind when 'SET_UP' then 1 else ${enoughAdmins} end or bool_or(not earlier.is_there)
      from (
        select came.user_id, exists (
          select from memberships still join users person on person.id = still.user_id
          where still.venture_id = ${bankId} and still.user_id = came.user_id and person.status = 'ACTIVE') as is_there
        from (
          select let_in.user_id from links let_in
          where let_in.used_at <= entry.used_at and (let_in.kind = 'SET_UP' or (let_in.kind = 'INVITATION' and let_in.venture_id = ${bankId}))
          union select member.user_id from memberships member where member.venture_id = ${bankId} and member.created_at <= entry.used_at) as came
        where came.user_id <> entry.user_id) as earlier)`
