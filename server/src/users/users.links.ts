// Links: the first admin sets up the bank with one, people are invited with one, and a person who has forgotten the password gets one. A
// link works once. Its secret follows the # of the URL, which browsers do not send, and only its hash is stored.

import { randomBytes } from 'node:crypto'
import type { Actor } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { read } from '../platform/database/sql.ts'
import type { BankRole, VentureRole } from '../platform/http/access.ts'
import { uuidv7 } from '../platform/ids.ts'
import { emailKey } from '../values/email.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import { hashOf } from '../ventures/ventures.ts'
import { enoughAdmins } from './users.adminkey.rules.ts'
import { type AdminKeyRules, isAdminKey, isRetired, reopensSetUp } from './users.adminkey.ts'
import type { Console } from './users.browser.ts'
import { codeHashOf } from './users.codes.ts'
import { insertLink, type LinkRow, lockLink, revokeInvitationsOf, revokeOpenLinks, writeUse } from './users.links.sql.ts'
import { hashPassword, requireStrong } from './users.passwords.ts'
import { note } from './users.record.ts'
import { letInByWeaker } from './users.relations.sql.ts'
import type { Link, LinkUse, LinkWithUrl, UsedLink } from './users.schemas.ts'
import {
  bankId,
  deletePasskeysOf,
  deleteSessionsOf,
  insertUser,
  lockBankAdmins,
  lockByEmail,
  lockSetUp,
  lockUser,
  lockVentureAdmins,
  selectBankAdmins,
  selectByEmail,
  selectMemberships,
  type UserRow,
  writeMembership,
  writePassword,
} from './users.sql.ts'
import { hasOwnAdmin, isResetByItsVenture } from './users.ventureadmins.ts'

const hour_ms = 3_600_000
const kinds: Record<Link['kind'], { path: string; life_ms: number }> = {
  SET_UP: { path: 'set-up', life_ms: 24 * hour_ms },
  INVITATION: { path: 'invitation', life_ms: 72 * hour_ms },
  RESET: { path: 'reset', life_ms: hour_ms },
}

type Target = Pick<LinkRow, 'kind'> & Partial<Pick<LinkRow, 'venture_id' | 'role' | 'email' | 'user_id'>>

/**
 * Who creates a link, and who approved it, if that is another person; in that case there is also the hash of a code, without which the link
 * does not work. `id`: generated here unless the caller has to know it beforehand.
 */
type Maker = { maker: Actor; checker_id?: string | null; code_hash?: string | undefined; id?: string }

export async function makeLink(
  tx: Tx,
  console: Console,
  target: Target,
  { maker, checker_id = null, code_hash, id = uuidv7() }: Maker,
): Promise<LinkWithUrl> {
  const { path, life_ms } = kinds[target.kind]
  const secret = randomBytes(32).toString('base64url')
  const now_ms = now().getTime()
  const link: Link = {
    id,
    kind: target.kind,
    email: target.email ?? null,
    role: target.role ?? null,
    created_at: new Date(now_ms).toISOString(),
    expires_at: new Date(now_ms + life_ms).toISOString(),
    used_at: null,
    revoked_at: null,
  }
  const { venture_id = null, user_id = null } = target
  const { kind: made_by, id: made_by_id } = maker
  await insertLink(tx, { ...link, secret_hash: secretHashOf(secret, code_hash), venture_id, user_id, made_by, made_by_id, checker_id })
  return { ...link, url: `${console.origin}/console/${path}#${secret}` }
}

/** The secret or the code alone does not find the link. */
function secretHashOf(secret: string, code_hash?: string): string {
  return hashOf(code_hash === undefined ? secret : `${code_hash}.${secret}`)
}

export async function hasBankAdmin(reader: Reader): Promise<boolean> {
  return (await reader.first(selectBankAdmins)) !== undefined
}

/** For the first admin of the bank, or for a new one if the admin key may let one in again. Earlier set-up links stop working. */
export function makeSetUpLink({ database, console, adminKey }: SetUp, by: Actor, companions?: Companions): Promise<LinkWithUrl> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      await lockSetUp(tx)
      const isReopened = reopensSetUp(adminKey) && isAdminKey(by)
      if (!isReopened && (await hasBankAdmin(tx))) refuse('already_set_up')
      await revokeOpenLinks(tx, { kind: 'SET_UP' }, now().toISOString())
      return makeLink(tx, console, { kind: 'SET_UP' }, { maker: by })
    }),
  )
}

/** `lacksPasskey`: the person needs or has a passkey, and has not used it. */
type SignedIn = { user_id: string; lacksPasskey: boolean }
type SetUp = { database: Database; console: Console; adminKey: AdminKeyRules }

type Use = {
  use: LinkUse
  adminKey: AdminKeyRules
  fourEyes: boolean
  /** The person who is signed in where the link was opened: an invitation of an existing person can only be accepted by that person. */
  signedInAs: SignedIn | undefined
  address: string
  /** The user of a link is unknown until the link is found, so the audit entry is created in the transaction. */
  auditOf(by: { actor: Actor; venture_id: string }): Companions
}

/** Uses a link, which then no longer works. */
export async function useLink(database: Database, { use, adminKey, fourEyes, signedInAs, address, auditOf }: Use): Promise<UsedLink> {
  // Hashing takes long, so it happens before the transaction, and not at all for a link that does not exist.
  const secret_hash = secretHashOf(use.secret, use.code === undefined ? undefined : codeHashOf(use.code))
  const seen =
    (await database.first(read<Pick<LinkRow, 'kind' | 'email' | 'venture_id' | 'checker_id'> & { is_open: boolean }>`
    select kind, email, venture_id, checker_id, used_at is null and revoked_at is null and expires_at > bank_now() as is_open from links where secret_hash = ${secret_hash}`)) ??
    refuse('link_not_found')
  if (!seen.is_open) refuse('link_expired')
  const password_hash = use.password === undefined ? undefined : await strongHash(use, seen.email)
  return database.transaction(async (tx) => {
    if (seen.checker_id !== null) await lockVentureAdmins(tx)
    if (seen.venture_id === bankId) await tx.rows(lockBankAdmins)
    if (seen.email !== null) await tx.first(lockByEmail(seen.email))
    // Comes before the lock of the link: a new set-up link takes this lock first, and then revokes earlier links.
    if (seen.kind === 'SET_UP' || seen.venture_id === bankId) await lockSetUp(tx)
    const link = (await lockLink(tx, secret_hash)) ?? refuse('link_not_found')
    const at = now().toISOString()
    if (link.used_at !== null || link.revoked_at !== null || link.expires_at <= at) refuse('link_expired')
    if (fourEyes && isByOneOfTheBank(link)) refuse('link_expired')
    const user = await carryOut[link.kind](tx, link, { use, adminKey, password_hash, signedInAs, address, at })
    await writeUse(tx, link.id, user.id, at)
    const actor: Actor = { kind: (await isMember(tx, user.id, bankId)) ? 'operator' : 'user', id: user.id }
    await accompanied(tx, auditOf({ actor, venture_id: link.venture_id ?? bankId }), async () => ({ id: link.id }))
    return { kind: link.kind, user_id: user.id, email: user.email }
  })
}

async function strongHash({ password = '', email }: LinkUse, invited: string | null): Promise<string> {
  requireStrong(password, emailKey(invited ?? email ?? ''))
  return hashPassword(password)
}

type Given = {
  use: LinkUse
  adminKey: AdminKeyRules
  password_hash: string | undefined
  signedInAs: SignedIn | undefined
  address: string
  at: string
}
type Person = { id: string; email: string }

const carryOut: Record<Link['kind'], (tx: Tx, link: LinkRow, given: Given) => Promise<Person>> = {
  async SET_UP(tx, _link, given) {
    if (!reopensSetUp(given.adminKey) && (await hasBankAdmin(tx))) refuse('link_expired')
    const email = given.use.email ?? refuseField('email', 'is required')
    if ((await tx.first(selectByEmail(emailKey(email)))) !== undefined) refuse('user_exists')
    const user = await createUser(tx, emailKey(email), given)
    await writeMembership(tx, { user_id: user.id, venture_id: bankId, role: 'admin' }, given.at)
    return user
  },
  async INVITATION(tx, link, given) {
    const { email, venture_id, role } = link
    if (isByAdminKey(link)) await requireFewAdmins(tx, given.adminKey)
    // Two people of the bank have created it, and may have kept it in reserve until the venture has its own admin.
    if (link.checker_id !== null && (await hasOwnAdmin(tx, venture_id ?? ''))) refuse('link_expired')
    const known = await tx.first(selectByEmail(email ?? ''))
    if (known !== undefined && known.id !== given.signedInAs?.user_id) refuse('user_exists')
    if (known !== undefined && given.signedInAs?.lacksPasskey === true) refuse('passkey_required')
    if (known !== undefined && (await isMember(tx, known.id, venture_id ?? ''))) refuse('already_member')
    const user = known ?? (await createUser(tx, email ?? '', given))
    if (known !== undefined && role !== 'viewer') await forgetOthers(tx, { user_id: known.id, venture_id: venture_id ?? '' }, given.at)
    await writeMembership(tx, { user_id: user.id, venture_id: venture_id ?? '', role: role as BankRole | VentureRole }, given.at)
    await revokeInvitationsOf(tx, { email: user.email, venture_id: venture_id ?? '', except: link.id }, given.at)
    return user
  },
  async RESET(tx, { user_id, checker_id }, { password_hash, address, at }) {
    const user = (await tx.first(lockUser(user_id ?? ''))) ?? refuse('link_not_found')
    if (checker_id !== null && (await isResetByItsVenture(tx, user.id))) refuse('link_expired')
    if (password_hash === undefined) refuseField('password', 'is required')
    await writePassword(tx, user.id, password_hash, at)
    // A passkey may be lost or belong to another person: anyone who can reset a person could register one.
    await deletePasskeysOf(tx, user.id)
    await deleteSessionsOf(tx, user.id)
    await note(tx, { user_id: user.id, what: 'PASSWORD_RESET', factor: 'PASSWORD', address })
    await revokeOpenLinks(tx, { kind: 'RESET', user_id: user.id }, at)
    return user
  },
}

/** Whether one person of the bank created it while four-eyes approval was off, and it was kept until they are on. */
function isByOneOfTheBank(link: LinkRow): boolean {
  return link.kind !== 'SET_UP' && link.made_by === 'operator' && link.checker_id === null && !isByAdminKey(link)
}

function isByAdminKey({ venture_id, role, made_by, made_by_id }: LinkRow): boolean {
  return venture_id === bankId && role === 'admin' && made_by === 'operator' && made_by_id === null
}

/** An invitation that was kept in reserve lets nobody in once the admin key no longer may. */
async function requireFewAdmins(tx: Tx, { sandbox }: AdminKeyRules): Promise<void> {
  if ((await tx.rows(selectBankAdmins)).length >= enoughAdmins) refuse('link_expired')
  if (!sandbox && (await isRetired(tx))) refuse('link_expired')
}

/**
 * Called when a person gets more rights, in a venture or at the bank. Others may have a reset link or a session of this person and would
 * get those rights too, so the links and all sessions end. Passkeys stay, because without one, the password alone could register the next.
 * Passkeys are only removed if a person who may not give these rights alone could have registered them. For people of the bank nobody
 * could, because only two people reset them.
 */
export async function forgetOthers(tx: Tx, { user_id, venture_id }: { user_id: string; venture_id: string }, at: string): Promise<void> {
  await revokeOpenLinks(tx, { kind: 'RESET', user_id }, at)
  if ((await deleteSessionsOf(tx, user_id)) > 0) await note(tx, { user_id, what: 'SESSIONS_ENDED', address: null })
  if (await isMember(tx, user_id, bankId)) return
  if ((await tx.first(letInByWeaker(user_id, venture_id))) === undefined) return
  if ((await deletePasskeysOf(tx, user_id)) > 0) await note(tx, { user_id, what: 'PASSKEY_REMOVED', factor: 'PASSKEY', address: null })
}

async function createUser(tx: Tx, email: string, { use, password_hash, at }: Given): Promise<UserRow> {
  const name = use.name ?? refuseField('name', 'is required')
  if (password_hash === undefined) refuseField('password', 'is required')
  const user: UserRow = { id: uuidv7(), email, name, password_hash, status: 'ACTIVE', created_at: at, updated_at: at, sequence: 1 }
  if ((await insertUser(tx, user)) === 0) refuse('user_exists')
  return user
}

/** Whether a person is a member of the venture, or of the bank. */
export async function isMember(reader: Reader, user_id: string, venture_id: string): Promise<boolean> {
  return (await reader.rows(selectMemberships(user_id))).some((membership) => membership.venture_id === venture_id)
}
