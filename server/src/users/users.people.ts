// People of the bank and of ventures: who they are, what they may do, and who lets them in.
import { uuidv7 } from 'uuidv7'
import { type Approval, type ApprovalHandler, type Approvals, actOrRequest, requireSequence } from '../audit/audit.ts'
import type { Actor, By } from '../platform/actor.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { emailKey } from '../values/email.ts'
import { refuse } from '../values/refusals.ts'
import type { Console } from './users.browser.ts'
import {
  changeAction,
  revokeInvitationRow,
  revokeInvitationsOf,
  revokeLinksMadeBy,
  revokeOpenLinks,
  selectInvitation,
  selectInvitations,
} from './users.links.sql.ts'
import { enoughAdmins, isMember, makeLink } from './users.links.ts'
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

type Doors = { database: Database; console: Console }

export type People = Doors & { approvals: Approvals }

// The bank.

export function listUsers({ database }: People, query: UserList): Promise<User[]> {
  return database.rows(selectUsers(query))
}

export async function getUser({ database }: People, id: string): Promise<User> {
  return (await database.first(selectUser(id))) ?? refuse('user_not_found')
}

const inviteAction = 'invite-bank-user'
const resetAction = 'reset-bank-user'

/** With four eyes, two people let somebody into the bank, and whoever approves gets the link. */
export function inviteBankUser({ approvals, ...doors }: People, invitation: BankInvitation, by: By): Promise<LinkWithUrl | Approval> {
  const id = uuidv7()
  const wanted = { venture_id: bankId, action: inviteAction, resource_id: id, payload: invitation }
  return actOrRequest(approvals, wanted, by, (allowed) => inviteToBank(doors, id, invitation, allowed))
}

/** The admin key invites the first two admins by itself, because there are no two people yet. */
function inviteToBank({ database, console }: Doors, id: string, { email, role }: BankInvitation, by: By): Promise<LinkWithUrl> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const isFirst = isAdminKey(by.actor) && role === 'admin'
      if (isFirst && (await tx.rows(lockBankAdmins)).length >= enoughAdmins) refuse('bank_has_admins')
      const target = { venture_id: bankId, email: emailKey(email), role }
      await requireStranger(tx, target)
      // An invitation that does not exist yet has not been changed by anybody.
      if (!isFirst && !by.approved) refuse('approval_required', { sequence: 0 })
      return makeLink(tx, console, { kind: 'INVITATION', ...target }, { ...makersOf(by), id })
    }),
  )
}

/** The admin key is nobody in particular. */
const isAdminKey = (actor: Actor): boolean => actor.kind === 'operator' && actor.id === null

/** Who answers for a link: whoever made it, or the two who made it together. */
function makersOf({ actor, maker_id }: By): { maker: Actor; checker_id: string | null } {
  return maker_id === undefined ? { maker: actor, checker_id: null } : { maker: { kind: 'operator', id: maker_id }, checker_id: actor.id }
}

async function requireStranger(tx: Tx, { email, venture_id }: { email: string; venture_id: string }): Promise<void> {
  const known = await tx.first(selectByEmail(email))
  if (known !== undefined && (await isMember(tx, known.id, venture_id))) refuse('already_member')
}

/**
 * A role of null removes the person from the bank. The last active admin of the bank stays. What takes rights away is one person's act; with four
 * eyes, two people give a role at the bank, and access to it again.
 */
export function updateUser({ approvals, database }: People, id: string, update: BankUserUpdate, by: By): Promise<User | Approval> {
  const wanted = { venture_id: bankId, action: changeAction, resource_id: id, payload: update }
  return actOrRequest(approvals, wanted, by, (allowed) => changeUser(database, id, update, allowed))
}

function changeUser(database: Database, id: string, update: BankUserUpdate, by: By): Promise<User> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const admins = await tx.rows(lockBankAdmins)
      const { sequence } = (await tx.first(lockUser(id))) ?? refuse('user_not_found')
      requireSequence({ sequence }, by.sequence)
      const current = (await tx.first(selectUser(id))) ?? refuse('user_not_found')
      const { status = current.status, bank_role = current.bank_role } = update
      if (status === current.status && bank_role === current.bank_role) return current
      const staysAdmin = status === 'ACTIVE' && bank_role === 'admin'
      if (!staysAdmin && admins.every(({ user_id }) => user_id === id) && admins.length > 0) refuse('last_admin')
      const givesRole = bank_role !== null && bank_role !== current.bank_role
      const givesAccess = status === 'ACTIVE' && current.status !== 'ACTIVE' && current.bank_role !== null
      if ((givesRole || givesAccess) && !by.approved) refuse('approval_required', { sequence })
      const at = new Date().toISOString()
      if (bank_role === null) await deleteMembership(tx, { user_id: id, venture_id: bankId })
      else if (givesRole) await writeMembership(tx, { user_id: id, venture_id: bankId, role: bank_role }, at)
      await writeStatus(tx, id, status, at)
      // Whoever gets a role could be taken over with an older link, and whoever loses one could come back with it.
      if (bank_role !== current.bank_role) await revokeInvitationsOf(tx, current.email, at)
      if (status === 'DISABLED' || givesRole) await revokeOpenLinks(tx, { kind: 'RESET', user_id: id }, at)
      if (status === 'DISABLED') {
        await deleteSessionsOf(tx, id)
        await revokeLinksMadeBy(tx, { user_id: id }, at)
      } else if (bank_role !== 'admin') await revokeLinksMadeBy(tx, { user_id: id, venture_id: bankId }, at)
      return (await tx.first(selectUser(id))) ?? refuse('user_not_found')
    }),
  )
}

/** A link with which the person chooses another password. With four eyes, two people reset somebody of the bank, and whoever approves gets the link. */
export function resetUser({ approvals, ...doors }: People, id: string, by: By): Promise<LinkWithUrl | Approval> {
  const wanted = { venture_id: bankId, action: resetAction, resource_id: id, payload: {} }
  return actOrRequest(approvals, wanted, by, (allowed) => makeReset(doors, id, allowed))
}

function makeReset({ database, console }: Doors, id: string, by: By): Promise<LinkWithUrl> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const { sequence } = (await tx.first(lockUser(id))) ?? refuse('user_not_found')
      requireSequence({ sequence }, by.sequence)
      if (!by.approved && (await isMember(tx, id, bankId))) refuse('approval_required', { sequence })
      return reset(tx, console, id, by)
    }),
  )
}

async function reset(tx: Tx, console: Console, id: string, by: By): Promise<LinkWithUrl> {
  const user = (await tx.first(lockUser(id))) ?? refuse('user_not_found')
  await revokeOpenLinks(tx, { kind: 'RESET', user_id: id }, new Date().toISOString())
  return makeLink(tx, console, { kind: 'RESET', user_id: id, email: user.email }, makersOf(by))
}

/** What the bank's people do about each other only together. */
export function userApprovals(doors: Doors): ApprovalHandler[] {
  return [
    {
      action: inviteAction,
      carryOut: ({ resource_id, payload }, by) => inviteToBank(doors, resource_id, payload as BankInvitation, { ...by, approved: true }),
    },
    {
      action: changeAction,
      carryOut: ({ resource_id, payload, sequence }, by) =>
        changeUser(doors.database, resource_id, payload as BankUserUpdate, { ...by, approved: true, sequence }),
    },
    {
      action: resetAction,
      carryOut: ({ resource_id, sequence }, by) => makeReset(doors, resource_id, { ...by, approved: true, sequence }),
    },
  ]
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
  const target = { venture_id, email: emailKey(email), role }
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      await requireStranger(tx, target)
      return makeLink(tx, console, { kind: 'INVITATION', ...target }, { maker: actor })
    }),
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

/**
 * Only of a person who belongs to this venture alone: whoever chooses the password of somebody else could become them elsewhere. The bank may do it
 * for people of several ventures, but its own people are reset by two, through another route.
 */
export function resetVentureUser(
  { database, console }: People,
  { venture_id, id }: { venture_id: string; id: string },
  by: By,
): Promise<LinkWithUrl> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      await lockMember(tx, venture_id, id)
      if (by.actor.kind !== 'operator' && (await tx.rows(selectMemberships(id))).length > 1) refuse('user_elsewhere')
      if (await isMember(tx, id, bankId)) refuse('user_elsewhere')
      return reset(tx, console, id, by)
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
