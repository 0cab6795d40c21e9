// People of the bank and of ventures: who they are, what they may do, and who lets them in.

import {
  type Approval,
  type ApprovalHandler,
  type ApprovalPeople,
  type Approvals,
  type ApprovalWithCode,
  actOrRequest,
  isApproval,
  requireSequence,
  whileNobodyDecides,
  withdrawRequestsOf,
} from '../audit/audit.ts'
import type { Actor, By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { isAbove } from '../platform/http/access.ts'
import type { Operations } from '../platform/http/operations.ts'
import { uuidv7 } from '../platform/ids.ts'
import { emailKey } from '../values/email.ts'
import { refuse } from '../values/refusals.ts'
import { enoughAdmins } from './users.adminkey.rules.ts'
import { type AdminKeyRules, isAdminKey, recordStepsFor } from './users.adminkey.ts'
import type { Console } from './users.browser.ts'
import { codeHashOf, makeCode } from './users.codes.ts'
import {
  revokeInvitationRow,
  revokeInvitationsOf,
  revokeLinksMadeBy,
  revokeOpenLinks,
  selectInvitation,
  selectInvitations,
} from './users.links.sql.ts'
import { forgetOthers, isMember, makeLink } from './users.links.ts'
import { areRelated, rolesBeside } from './users.pairs.ts'
import { note } from './users.record.ts'
import { changeAction } from './users.relations.sql.ts'
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
  lockVentureAdmins,
  selectActiveBanker,
  selectByEmail,
  selectManagedBy,
  selectMemberships,
  selectUser,
  selectUsers,
  selectVentureUser,
  selectVentureUsers,
  writeMembership,
  writeStatus,
} from './users.sql.ts'
import { findAdminsOf, hasOwnAdmin, isResetByItsVenture, lockAdminsOf } from './users.ventureadmins.ts'

type Doors = { database: Database; console: Console }

export type People = Doors & { approvals: Approvals; adminKey: AdminKeyRules }

// The bank.

export function listUsers({ database }: People, query: UserList): Promise<User[]> {
  return database.rows(selectUsers(query))
}

export async function getUser({ database }: People, id: string): Promise<User> {
  return (await database.first(selectUser(id))) ?? refuse('user_not_found')
}

const inviteAction = 'invite-bank-user'
const resetAction = 'reset-user'
const inviteToVentureAction = 'invite-venture-user'
const promoteAction = 'promote-venture-user'
const removeAction = 'remove-venture-user'

/** What the payload of a request for a link contains in addition to what was requested. */
type Coded = { code_hash?: string }

/**
 * Creates a link, or requests one. A link that two people create is split: the requester gets a code, the approver gets the URL, and it
 * works only with both.
 */
async function linkOrRequest(
  approvals: Approvals,
  wanted: Parameters<typeof actOrRequest>[1],
  by: By,
  make: (by: By) => Promise<LinkWithUrl>,
): Promise<LinkWithUrl | ApprovalWithCode> {
  const code = makeCode()
  const payload = { ...wanted.payload, code_hash: codeHashOf(code) }
  const made = await actOrRequest(approvals, { ...wanted, payload }, by, make)
  return isApproval(made) ? { ...made, code } : made
}

/** With four-eyes approval, it takes two people to let a person into the bank. */
export function inviteBankUser(
  { approvals, ...doors }: People,
  invitation: BankInvitation,
  by: By,
): Promise<LinkWithUrl | ApprovalWithCode> {
  const id = uuidv7()
  const wanted = { venture_id: bankId, action: inviteAction, resource_id: id, payload: invitation }
  return linkOrRequest(approvals, wanted, by, (allowed) => inviteToBank(doors, id, invitation, allowed))
}

/** The admin key alone invites the first three admins, because there are no two people yet. */
function inviteToBank(
  { database, console }: Doors,
  id: string,
  { email, role, code_hash }: BankInvitation & Coded,
  by: By,
): Promise<LinkWithUrl> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const isFirst = isAdminKey(by.actor) && role === 'admin'
      if (isFirst && (await tx.rows(lockBankAdmins)).length >= enoughAdmins) refuse('bank_has_admins')
      const target = { venture_id: bankId, email: emailKey(email), role }
      await requireStranger(tx, target)
      // An invitation that does not exist yet has no changes, so the sequence is 0.
      if (!isFirst && !by.approved) refuse('approval_required', { sequence: 0 })
      return makeLink(tx, console, { kind: 'INVITATION', ...target }, { ...makersOf(by), code_hash, id })
    }),
  )
}

/** Who answers for a link: its creator, or the two people who created it together. */
function makersOf({ actor, maker_id }: By): { maker: Actor; checker_id: string | null } {
  return maker_id === undefined ? { maker: actor, checker_id: null } : { maker: { kind: 'operator', id: maker_id }, checker_id: actor.id }
}

async function requireStranger(tx: Tx, { email, venture_id }: { email: string; venture_id: string }): Promise<void> {
  const known = await tx.first(selectByEmail(email))
  if (known !== undefined && (await isMember(tx, known.id, venture_id))) refuse('already_member')
}

/**
 * A role of null removes the person from the bank. The last active admin of the bank stays. One person can take rights away; with four
 * eyes, it takes two to give a role at the bank or to restore access to it.
 */
export function updateUser({ approvals, database }: People, id: string, update: BankUserUpdate, by: By): Promise<User | Approval> {
  const wanted = { venture_id: bankId, action: changeAction, resource_id: id, payload: update }
  return actOrRequest(approvals, wanted, by, (allowed) => changeUser(database, id, update, allowed))
}

function changeUser(database: Database, id: string, update: BankUserUpdate, by: By): Promise<User> {
  return database.transaction(async (tx) => {
    await whileNobodyDecides(tx)
    return accompanied(tx, by.companions, async () => {
      const at = now().toISOString()
      if (update.status === 'DISABLED' || update.bank_role === null) await withdrawRequestsOf(tx, id, at)
      const leavesVenture = update.status === 'DISABLED' && (await isLastAnywhere(tx, id))
      const admins = await tx.rows(lockBankAdmins)
      const { sequence } = (await tx.first(lockUser(id))) ?? refuse('user_not_found')
      requireSequence({ sequence }, by.sequence)
      const current = (await tx.first(selectUser(id))) ?? refuse('user_not_found')
      const { status = current.status, bank_role = current.bank_role } = update
      if (status === current.status && bank_role === current.bank_role) return current
      const staysAdmin = status === 'ACTIVE' && bank_role === 'admin'
      if (!staysAdmin && admins.every(({ user_id }) => user_id === id) && admins.length > 0) refuse('last_admin')
      const givesRole = bank_role !== null && bank_role !== current.bank_role
      const givesAccess = status === 'ACTIVE' && current.status !== 'ACTIVE' && (await isPowerful(tx, id))
      // A person of the bank is disabled immediately, whatever else they are.
      const takesVenture = leavesVenture && status !== current.status && current.bank_role === null
      if ((givesRole || givesAccess || takesVenture) && !by.approved) refuse('approval_required', { sequence })
      await writeStanding(tx, current, { status, bank_role }, at)
      return (await tx.first(selectUser(id))) ?? refuse('user_not_found')
    })
  })
}

/** Writes status and role, and ends what the person, or somebody in their place, could still do with the old ones. */
async function writeStanding(tx: Tx, current: User, { status, bank_role }: Pick<User, 'status' | 'bank_role'>, at: string): Promise<void> {
  const { id, email } = current
  const changesRole = bank_role !== current.bank_role
  const givesRole = changesRole && bank_role !== null
  if (givesRole) {
    await forgetOthers(tx, { user_id: id, venture_id: bankId }, at)
    await writeMembership(tx, { user_id: id, venture_id: bankId, role: bank_role }, at)
  } else if (bank_role === null) await deleteMembership(tx, { user_id: id, venture_id: bankId })
  await writeStatus(tx, id, status, at)
  if (givesRole || status === 'ACTIVE') await recordStepsFor(tx, id)
  // A person who gets a role could be taken over with an older link, and a person who loses a role could come back with one.
  if (changesRole) await revokeInvitationsOf(tx, { email, venture_id: bankId }, at)
  if (status === 'DISABLED') {
    await revokeOpenLinks(tx, { kind: 'RESET', user_id: id }, at)
    await deleteSessionsOf(tx, id)
  }
  if (status === 'DISABLED' || (current.bank_role === 'admin' && changesRole)) await revokeLinksMadeBy(tx, { user_id: id }, at)
}

/** Whether this person may do more than read a venture. */
async function isPowerful(tx: Tx, id: string): Promise<boolean> {
  return (await tx.rows(selectMemberships(id))).some(({ role }) => role !== 'viewer')
}

/**
 * A link with which the person chooses a new password. With four-eyes approval, two people of the bank create it, because one of them alone could
 * use it.
 */
export function resetUser({ approvals, ...doors }: People, id: string, by: By): Promise<LinkWithUrl | ApprovalWithCode> {
  return linkOrRequest(approvals, resetOf(id), by, (allowed) => makeReset(doors, id, {}, allowed))
}

/** Signs the person out everywhere. They may sign in again. One person can do this, because it protects. */
export function endUserSessions({ database }: People, id: string, companions?: Companions): Promise<{ id: string }> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      if ((await tx.first(lockUser(id))) === undefined) refuse('user_not_found')
      await endAllSessions(tx, id)
      return { id }
    }),
  )
}

/** The audit log has the person who did it. */
async function endAllSessions(tx: Tx, user_id: string): Promise<void> {
  await deleteSessionsOf(tx, user_id)
  await note(tx, { user_id, what: 'SESSIONS_ENDED', address: null })
}

/** Both operations use the same action and resource, so a person has at most one open reset request. */
const resetOf = (id: string) => ({ venture_id: bankId, action: resetAction, resource_id: id, payload: {} })

function makeReset({ database, console }: Doors, id: string, coded: Coded, by: By): Promise<LinkWithUrl> {
  return database.transaction((tx) => accompanied(tx, by.companions, () => reset(tx, console, id, { ...by, ...coded })))
}

async function reset(tx: Tx, console: Console, id: string, by: By & Coded): Promise<LinkWithUrl> {
  const { email, sequence } = (await tx.first(lockUser(id))) ?? refuse('user_not_found')
  requireSequence({ sequence }, by.sequence)
  if (isUnderFourEyes(by) && (await isResetByItsVenture(tx, id))) refuse('venture_has_admin')
  if (needsTwo(by)) refuse('approval_required', { sequence })
  await revokeOpenLinks(tx, { kind: 'RESET', user_id: id }, now().toISOString())
  return makeLink(tx, console, { kind: 'RESET', user_id: id, email }, { ...makersOf(by), code_hash: by.code_hash })
}

/** People of the bank and the admin key, but not ventures, which act for themselves. */
const needsTwo = ({ actor, approved = false }: By): boolean => actor.kind === 'operator' && !approved

/** The same, and also two people of the bank who act together. While four-eyes approval is off, one of them may do everything. */
const isUnderFourEyes = (by: By): boolean => needsTwo(by) || (by.actor.kind === 'operator' && by.maker_id !== undefined)

const isLast = (admins: readonly string[], id: string): boolean => admins.length === 1 && admins[0] === id

async function isLastAnywhere(tx: Tx, id: string): Promise<boolean> {
  await lockVentureAdmins(tx)
  for (const { venture_id } of await tx.rows(selectManagedBy(id))) if (isLast(await findAdminsOf(tx, venture_id), id)) return true
  return false
}

/** What the bank's people can do about each other only together. */
export function userApprovals(doors: Doors): ApprovalHandler[] {
  return [
    {
      action: inviteAction,
      operations: ['inviteBankUser'],
      carryOut: ({ resource_id, payload }, by) =>
        inviteToBank(doors, resource_id, payload as BankInvitation & Coded, { ...by, approved: true }),
    },
    {
      action: changeAction,
      operations: ['updateUser'],
      carryOut: ({ resource_id, payload, sequence }, by) =>
        changeUser(doors.database, resource_id, payload as BankUserUpdate, { ...by, approved: true, sequence }),
    },
    {
      action: resetAction,
      operations: ['resetUser', 'resetVentureUser'],
      carryOut: ({ resource_id, payload, sequence }, by) => makeReset(doors, resource_id, payload, { ...by, approved: true, sequence }),
    },
    {
      action: inviteToVentureAction,
      operations: ['inviteVentureUser'],
      carryOut: ({ venture_id, resource_id: id, payload }, by) =>
        inviteToVenture(doors, { venture_id, id }, payload as VentureInvitation & Coded, { ...by, approved: true }),
    },
    {
      action: promoteAction,
      operations: ['updateVentureUser'],
      carryOut: ({ venture_id, resource_id: id, payload, sequence }, by) =>
        changeVentureUser(doors.database, { venture_id, id }, payload as VentureUserUpdate, { ...by, approved: true, sequence }),
    },
    {
      action: removeAction,
      operations: ['removeVentureUser'],
      carryOut: ({ venture_id, resource_id: id, sequence }, by) =>
        removeMember(doors.database, { venture_id, id }, { ...by, approved: true, sequence }),
    },
  ]
}

/** What approvals need to know about people. */
export function approvalPeople(operations: Operations): ApprovalPeople {
  return {
    roleOf: async (reader, id) => (await reader.first(selectActiveBanker(id)))?.role,
    rolesFor: (operation) => operations.accessOf(operation).bank ?? [],
    areRelated,
    rolesBeside,
  }
}

// Ventures.

export function listVentureUsers({ database }: People, venture_id: string, query: UserList): Promise<VentureUser[]> {
  return database.rows(selectVentureUsers(venture_id, query))
}

export async function getVentureUser({ database }: People, venture_id: string, id: string): Promise<VentureUser> {
  return (await database.first(selectVentureUser(venture_id, id))) ?? refuse('user_not_found')
}

type MemberKey = { venture_id: string; id: string }

/**
 * With four-eyes approval, it takes two people of the bank to let a person into a venture, because one of them alone could be that person. A venture
 * can do it itself; if a MANAGED venture has an admin, only the venture can.
 */
export function inviteVentureUser(
  { approvals, ...doors }: People,
  venture_id: string,
  invitation: VentureInvitation,
  by: By,
): Promise<LinkWithUrl | ApprovalWithCode> {
  const id = uuidv7()
  const wanted = { venture_id, action: inviteToVentureAction, resource_id: id, payload: invitation }
  return linkOrRequest(approvals, wanted, by, (allowed) => inviteToVenture(doors, { venture_id, id }, invitation, allowed))
}

function inviteToVenture(
  { database, console }: Doors,
  { venture_id, id }: MemberKey,
  { email, role, code_hash }: VentureInvitation & Coded,
  by: By,
): Promise<LinkWithUrl> {
  const target = { venture_id, email: emailKey(email), role }
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      await requireStranger(tx, target)
      if (isUnderFourEyes(by) && (await hasOwnAdmin(tx, venture_id))) refuse('venture_has_admin')
      if (needsTwo(by)) refuse('approval_required', { sequence: 0 })
      return makeLink(tx, console, { kind: 'INVITATION', ...target }, { ...makersOf(by), code_hash, id })
    }),
  )
}

/**
 * With four-eyes approval, it takes two people of the bank to give a person more rights in a venture, or to take the last admin away from a MANAGED
 * one. A venture can do it itself.
 */
export function updateVentureUser(
  { approvals, database }: People,
  key: MemberKey,
  update: VentureUserUpdate,
  by: By,
): Promise<VentureUser | Approval> {
  const wanted = { venture_id: key.venture_id, action: promoteAction, resource_id: key.id, payload: update }
  return actOrRequest(approvals, wanted, by, (allowed) => changeVentureUser(database, key, update, allowed))
}

function changeVentureUser(database: Database, { venture_id, id }: MemberKey, { role }: VentureUserUpdate, by: By): Promise<VentureUser> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const admins = await lockAdminsOf(tx, venture_id)
      const { sequence, ...current } = await lockMember(tx, venture_id, id)
      requireSequence({ sequence }, by.sequence)
      if (role === current.role) return current
      if (isAbove(role, current.role) && needsTwo(by)) refuse('approval_required', { sequence })
      if (isLast(admins, id) && needsTwo(by)) refuse('approval_required', { sequence })
      const at = now().toISOString()
      await writeMembership(tx, { user_id: id, venture_id, role }, at)
      // A person who loses rights could come back with an older invitation.
      await revokeInvitationsOf(tx, { email: current.email, venture_id }, at)
      if (isAbove(role, current.role)) await forgetOthers(tx, { user_id: id, venture_id }, at)
      else await revokeLinksMadeBy(tx, { user_id: id, venture_id }, at)
      return { ...current, role }
    }),
  )
}

/** With four-eyes approval, it takes two people of the bank to take the last admin away from a MANAGED venture. */
export function removeVentureUser({ approvals, database }: People, key: MemberKey, by: By): Promise<VentureUser | Approval> {
  const wanted = { venture_id: key.venture_id, action: removeAction, resource_id: key.id, payload: {} }
  return actOrRequest(approvals, wanted, by, (allowed) => removeMember(database, key, allowed))
}

function removeMember(database: Database, { venture_id, id }: MemberKey, by: By): Promise<VentureUser> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const admins = await lockAdminsOf(tx, venture_id)
      const { sequence, ...current } = await lockMember(tx, venture_id, id)
      requireSequence({ sequence }, by.sequence)
      if (isLast(admins, id) && needsTwo(by)) refuse('approval_required', { sequence })
      const at = now().toISOString()
      await deleteMembership(tx, { user_id: id, venture_id })
      await revokeInvitationsOf(tx, { email: current.email, venture_id }, at)
      await revokeLinksMadeBy(tx, { user_id: id, venture_id }, at)
      return current
    }),
  )
}

/** A venture cannot sign out people of the bank. */
export function endVentureUserSessions({ database }: People, { venture_id, id }: MemberKey, by: By): Promise<{ id: string }> {
  return database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      await lockMember(tx, venture_id, id)
      if (by.actor.kind !== 'operator' && (await isMember(tx, id, bankId))) refuse('user_elsewhere')
      await endAllSessions(tx, id)
      return { id }
    }),
  )
}

async function lockMember(tx: Tx, venture_id: string, id: string): Promise<VentureUser & { sequence: number }> {
  const { sequence } = (await tx.first(lockUser(id))) ?? refuse('user_not_found')
  const member = (await tx.first(selectVentureUser(venture_id, id))) ?? refuse('user_not_found')
  return { ...member, sequence }
}

/**
 * Only for a person who belongs to this venture alone, because choosing a person's password would also give access elsewhere. Two people of
 * the bank may reset people of several ventures; the bank's own people are reset through another route.
 */
export function resetVentureUser(
  { approvals, database, console }: People,
  { venture_id, id }: MemberKey,
  by: By,
): Promise<LinkWithUrl | ApprovalWithCode> {
  return linkOrRequest(approvals, resetOf(id), by, (allowed) =>
    database.transaction((tx) =>
      accompanied(tx, allowed.companions, async () => {
        await lockMember(tx, venture_id, id)
        const memberships = await tx.rows(selectMemberships(id))
        const isOfBank = memberships.some((membership) => membership.venture_id === bankId)
        if (isOfBank || (by.actor.kind !== 'operator' && memberships.length > 1)) refuse('user_elsewhere')
        return reset(tx, console, id, allowed)
      }),
    ),
  )
}

// Invitations into a venture or into the bank.

export function listInvitations({ database }: People, venture_id: string, query: UserList): Promise<Link[]> {
  return database.rows(selectInvitations(venture_id, query))
}

/** A used invitation is over and stays as it is. */
export function revokeInvitation({ database }: People, venture_id: string, id: string, companions?: Companions): Promise<Link> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const revoked = await revokeInvitationRow(tx, venture_id, id, now().toISOString())
      if (revoked !== undefined) return revoked
      const used = await tx.first(selectInvitation(venture_id, id))
      return refuse(used === undefined ? 'link_not_found' : 'link_expired')
    }),
  )
}
