// People of the bank and of ventures: who they are, what they may do, and who lets them in.
import type { Actor, By } from '../platform/actor.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { emailKey } from '../values/email.ts'
import { refuse } from '../values/refusals.ts'
import type { Console } from './users.browser.ts'
import { revokeInvitationRow, revokeLinksMadeBy, revokeOpenLinks, selectInvitation, selectInvitations } from './users.links.sql.ts'
import { isMember, makeLink } from './users.links.ts'
import type {
  BankInvitation,
  BankUserUpdate,
  Link,
  LinkWithUrl,
  User,
  UserList,
  VentureInvitation,
  VentureUser,
  VentureUserUpdate,
} from './users.schemas.ts'
import {
  bankId,
  deleteMembership,
  deleteSessionsOf,
  lockBankAdmins,
  lockUser,
  selectByEmail,
  selectMemberships,
  selectUser,
  selectUsers,
  selectVentureUser,
  selectVentureUsers,
  writeMembership,
  writeStatus,
} from './users.sql.ts'

export type People = { database: Database; console: Console }

/** With this many admins the bank needs the admin key no more to let another one in. */
const enoughAdmins = 2

// The bank.

export function listUsers({ database }: People, query: UserList): Promise<User[]> {
  return database.rows(selectUsers(query))
}

export async function getUser({ database }: People, id: string): Promise<User> {
  return (await database.first(selectUser(id))) ?? refuse('user_not_found')
}

export function inviteBankUser(
  { database, console }: People,
  { email, role }: BankInvitation,
  { actor, companions }: By,
): Promise<LinkWithUrl> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const admins = await tx.rows(lockBankAdmins)
      if (isAdminKey(actor) && role === 'admin' && admins.length >= enoughAdmins) refuse('bank_has_admins')
      return invite(tx, console, { venture_id: bankId, email: emailKey(email), role }, actor)
    }),
  )
}

/** The admin key is nobody in particular. */
const isAdminKey = (actor: Actor): boolean => actor.kind === 'operator' && actor.id === null

async function invite(
  tx: Tx,
  console: Console,
  target: { venture_id: string; email: string; role: string },
  actor: Actor,
): Promise<LinkWithUrl> {
  const known = await tx.first(selectByEmail(target.email))
  if (known !== undefined && (await isMember(tx, known.id, target.venture_id))) refuse('already_member')
  return makeLink(tx, console, { kind: 'INVITATION', ...target }, actor)
}

/** A role of null removes the person from the bank. The last active admin of the bank stays. */
export function updateUser({ database }: People, id: string, update: BankUserUpdate, companions?: Companions): Promise<User> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const admins = await tx.rows(lockBankAdmins)
      const current = (await tx.first(lockUser(id))) && (await tx.first(selectUser(id)))
      if (current === undefined) return refuse('user_not_found')
      const { status = current.status, bank_role = current.bank_role } = update
      if (status === current.status && bank_role === current.bank_role) return current
      const staysAdmin = status === 'ACTIVE' && bank_role === 'admin'
      if (!staysAdmin && admins.every(({ user_id }) => user_id === id) && admins.length > 0) refuse('last_admin')
      const at = new Date().toISOString()
      if (bank_role === null) await deleteMembership(tx, { user_id: id, venture_id: bankId })
      else if (bank_role !== current.bank_role) await writeMembership(tx, { user_id: id, venture_id: bankId, role: bank_role }, at)
      await writeStatus(tx, id, status, at)
      if (status === 'DISABLED') {
        await deleteSessionsOf(tx, id)
        await revokeOpenLinks(tx, { kind: 'RESET', user_id: id }, at)
        await revokeLinksMadeBy(tx, { user_id: id }, at)
      } else if (bank_role !== 'admin') await revokeLinksMadeBy(tx, { user_id: id, venture_id: bankId }, at)
      return (await tx.first(selectUser(id))) ?? refuse('user_not_found')
    }),
  )
}

/** A link with which the person chooses another password. */
export function resetUser({ database, console }: People, id: string, { actor, companions }: By): Promise<LinkWithUrl> {
  return database.transaction((tx) => accompanied(tx, companions, () => reset(tx, console, id, actor)))
}

async function reset(tx: Tx, console: Console, id: string, actor: Actor): Promise<LinkWithUrl> {
  const user = (await tx.first(lockUser(id))) ?? refuse('user_not_found')
  await revokeOpenLinks(tx, { kind: 'RESET', user_id: id }, new Date().toISOString())
  return makeLink(tx, console, { kind: 'RESET', user_id: id, email: user.email }, actor)
}

// Ventures.

export function listVentureUsers({ database }: People, venture_id: string, query: UserList): Promise<VentureUser[]> {
  return database.rows(selectVentureUsers(venture_id, query))
}

export async function getVentureUser({ database }: People, venture_id: string, id: string): Promise<VentureUser> {
  return (await database.first(selectVentureUser(venture_id, id))) ?? refuse('user_not_found')
}

export function inviteVentureUser(
  { database, console }: People,
  venture_id: string,
  { email, role }: VentureInvitation,
  { actor, companions }: By,
): Promise<LinkWithUrl> {
  return database.transaction((tx) =>
    accompanied(tx, companions, () => invite(tx, console, { venture_id, email: emailKey(email), role }, actor)),
  )
}

export function updateVentureUser(
  { database }: People,
  { venture_id, id }: { venture_id: string; id: string },
  { role }: VentureUserUpdate,
  companions?: Companions,
): Promise<VentureUser> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const current = await lockMember(tx, venture_id, id)
      const at = new Date().toISOString()
      if (role !== current.role) await writeMembership(tx, { user_id: id, venture_id, role }, at)
      if (role !== 'admin') await revokeLinksMadeBy(tx, { user_id: id, venture_id }, at)
      return { ...current, role }
    }),
  )
}

export function removeVentureUser(
  { database }: People,
  { venture_id, id }: { venture_id: string; id: string },
  companions?: Companions,
): Promise<VentureUser> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const current = await lockMember(tx, venture_id, id)
      await deleteMembership(tx, { user_id: id, venture_id })
      await revokeLinksMadeBy(tx, { user_id: id, venture_id }, new Date().toISOString())
      return current
    }),
  )
}

async function lockMember(tx: Tx, venture_id: string, id: string): Promise<VentureUser> {
  await tx.first(lockUser(id))
  return (await tx.first(selectVentureUser(venture_id, id))) ?? refuse('user_not_found')
}

/** Only of a person who belongs to this venture alone: whoever chooses the password of somebody else could become them elsewhere. */
export function resetVentureUser(
  { database, console }: People,
  { venture_id, id }: { venture_id: string; id: string },
  { actor, companions }: By,
): Promise<LinkWithUrl> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      await lockMember(tx, venture_id, id)
      if (actor.kind !== 'operator' && (await tx.rows(selectMemberships(id))).length > 1) refuse('user_elsewhere')
      return reset(tx, console, id, actor)
    }),
  )
}

// Invitations into a venture, or into the bank.

export function listInvitations({ database }: People, venture_id: string, query: UserList): Promise<Link[]> {
  return database.rows(selectInvitations(venture_id, query))
}

/** One that was used is over, and stays as it is. */
export function revokeInvitation({ database }: People, venture_id: string, id: string, companions?: Companions): Promise<Link> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const revoked = await revokeInvitationRow(tx, venture_id, id, new Date().toISOString())
      if (revoked !== undefined) return revoked
      const used = await tx.first(selectInvitation(venture_id, id))
      return refuse(used === undefined ? 'link_not_found' : 'link_expired')
    }),
  )
}
