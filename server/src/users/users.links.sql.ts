// SQL statements for links.
import type { Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { pageOf } from '../platform/http/lists.ts'
import { Link, type UserList } from './users.schemas.ts'

export type LinkRow = Link & {
  secret_hash: string
  venture_id: string | null
  user_id: string | null
  made_by: string
  made_by_id: string | null
  /** The approver, who also answers for the link. */
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

/** Revokes the links of a kind that could still be used. For a reset, only those of one person. */
export function revokeOpenLinks(
  tx: Tx,
  { kind, user_id = null }: { kind: Link['kind']; user_id?: string | null },
  at: string,
): Promise<number> {
  return tx.run(write`
    update links set revoked_at = ${at}
    where kind = ${kind} and used_at is null and revoked_at is null and (${user_id}::uuid is null or user_id = ${user_id})`)
}

/**
 * Revokes the open invitations of a person to a venture or the bank, optionally except one. The person then needs another invitation to
 * come in.
 */
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

/** Revokes the open links that a person created or approved who may no longer let people in. With a venture, only links into it. */
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
