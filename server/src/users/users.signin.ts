// Signing in with a password, reauthentication, and changing the password.
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { emailKey } from '../values/email.ts'
import { refuse } from '../values/refusals.ts'
import { hashPassword, isRightPassword, requireStrong } from './users.passwords.ts'
import { type Attempted, note } from './users.record.ts'
import type { SignIn } from './users.schemas.ts'
import { beginSession, continueSession, endOtherSessions } from './users.sessions.ts'
import { deleteSession, type FoundSession, lockUser, selectByEmail, type UserRow, writePassword } from './users.sql.ts'
import { type Attempt, cancelAttempt, succeed, type Throttle } from './users.throttle.ts'

export type Doorway = { database: Database; throttle: Throttle }

/** Where the request comes from, and the previous session of its browser. */
type From = { address: string; session: FoundSession | undefined }

/** Begins a session and returns its token. The browser's previous session ends. */
export async function signIn({ database, throttle }: Doorway, { email, password }: SignIn, { address, session }: From): Promise<string> {
  const { user, attempt } = await prove({ database, throttle }, { email: emailKey(email), password, address, what: 'SIGN_IN_FAILED' })
  const begun = await database.transaction(async (tx) => {
    await requireUnchanged(await tx.first(lockUser(user.id)), user)
    if (session !== undefined) await deleteSession(tx, session.token_hash)
    const { token, session_id } = await beginSession(tx, user.id, { by_passkey: false })
    await succeed(tx, attempt, { what: 'SIGNED_IN', session_id })
    return token
  })
  throttle.count('signed_in')
  return begun
}

/** Returns the new token of the session. A person who has a passkey must use it instead. */
export async function reauthenticate(
  { database, throttle }: Doorway,
  { token_hash, session_id, email, has_passkey }: FoundSession,
  { password, address }: { password: string; address: string },
): Promise<string> {
  if (has_passkey) refuse('passkey_required')
  const { user, attempt } = await prove({ database, throttle }, { email, password, address, what: 'PROOF_FAILED' })
  const continued = await database.transaction(async (tx) => {
    await requireUnchanged(await tx.first(lockUser(user.id)), user)
    await succeed(tx, attempt, { what: 'PROVED', session_id })
    return continueSession(tx, token_hash, { by_passkey: false })
  })
  throttle.count('proved')
  return continued
}

/** Ends all other sessions of the person. */
export async function changePassword(
  database: Database,
  session: FoundSession,
  { password, address }: { password: string; address: string },
  companions?: Companions,
): Promise<void> {
  const { user_id, session_id, email } = session
  requireStrong(password, email)
  const password_hash = await hashPassword(password)
  await database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      await endOtherSessions(tx, session)
      await writePassword(tx, user_id, password_hash, now().toISOString())
      await note(tx, { user_id, what: 'PASSWORD_CHANGED', factor: 'PASSWORD', address, session_id })
      return { id: user_id }
    }),
  )
}

/** An unknown email, a wrong password and a disabled person take the same time and get the same refusal. */
async function prove(
  { database, throttle }: Doorway,
  { email, password, address, what }: { email: string; password: string; address: string; what: Attempted },
): Promise<{ user: UserRow; attempt: Attempt }> {
  const attempt = await throttle.begin(address, { email, what })
  const user = await database.first(selectByEmail(email))
  const isRight = await isRightPassword(user?.password_hash, password).catch(async (error: unknown) => {
    // Too many sign-ins were waiting, so the password was not checked.
    await database.transaction((tx) => cancelAttempt(tx, attempt))
    throw error
  })
  if (user === undefined || !isRight || user.status !== 'ACTIVE') {
    throttle.count(user === undefined ? 'unknown' : what === 'PROOF_FAILED' ? 'proof_failed' : 'failed')
    return refuse('sign_in_failed')
  }
  return { user, attempt }
}

/** The password may have changed, or the person may have been disabled, while the hash was computed. */
async function requireUnchanged(now: UserRow | undefined, user: UserRow): Promise<void> {
  if (now?.password_hash !== user.password_hash || now.status !== 'ACTIVE') refuse('sign_in_failed')
}
