// Signing in with a password, proving again who one is, and changing the password.
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database } from '../platform/database/database.ts'
import { emailKey } from '../values/email.ts'
import { refuse } from '../values/refusals.ts'
import { hashPassword, isRightPassword, requireStrong } from './users.passwords.ts'
import type { SignIn } from './users.schemas.ts'
import { beginSession, continueSession, endOtherSessions } from './users.sessions.ts'
import { deleteSession, type FoundSession, lockUser, selectByEmail, type UserRow, writePassword } from './users.sql.ts'
import { type Attempt, forgetAttempt, type Throttle } from './users.throttle.ts'

export type Doorway = { database: Database; throttle: Throttle }

/** Where the request comes from, and the session that its browser had before. */
type From = { address: string; session: FoundSession | undefined }

/** Begins a session and returns its token. The session that the browser had ends. */
export async function signIn({ database, throttle }: Doorway, { email, password }: SignIn, { address, session }: From): Promise<string> {
  const { user, attempt } = await prove({ database, throttle }, { email: emailKey(email), password, address })
  return database.transaction(async (tx) => {
    await requireUnchanged(await tx.first(lockUser(user.id)), user)
    await forgetAttempt(tx, attempt)
    if (session !== undefined) await deleteSession(tx, session.token_hash)
    return beginSession(tx, user.id, { by_passkey: false })
  })
}

/** Returns the new token of the session. Whoever has a passkey proves with it who they are. */
export async function reauthenticate(
  { database, throttle }: Doorway,
  { token_hash, email, has_passkey }: FoundSession,
  { password, address }: { password: string; address: string },
): Promise<string> {
  if (has_passkey) refuse('passkey_required')
  const { user, attempt } = await prove({ database, throttle }, { email, password, address })
  return database.transaction(async (tx) => {
    await requireUnchanged(await tx.first(lockUser(user.id)), user)
    await forgetAttempt(tx, attempt)
    return continueSession(tx, token_hash, { by_passkey: false })
  })
}

/** All other sessions of the person end. */
export async function changePassword(database: Database, session: FoundSession, password: string, companions?: Companions): Promise<void> {
  const { user_id, email } = session
  requireStrong(password, email)
  const password_hash = await hashPassword(password)
  await database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      await endOtherSessions(tx, session)
      await writePassword(tx, user_id, password_hash, now().toISOString())
      return { id: user_id }
    }),
  )
}

/** An unknown email, a wrong password and a disabled person take the same time and get the same refusal. */
async function prove(
  { database, throttle }: Doorway,
  { email, password, address }: { email: string; password: string; address: string },
): Promise<{ user: UserRow; attempt: Attempt }> {
  const attempt = await throttle.begin(address, email)
  const user = await database.first(selectByEmail(email))
  const isRight = await isRightPassword(user?.password_hash, password).catch(async (error: unknown) => {
    // Nobody knows whether the password was right: too many were waiting.
    await database.transaction((tx) => forgetAttempt(tx, attempt))
    throw error
  })
  if (user === undefined || !isRight || user.status !== 'ACTIVE') return refuse('sign_in_failed')
  return { user, attempt }
}

/** The password may have been changed, or the person disabled, while the hash was computed. */
async function requireUnchanged(now: UserRow | undefined, user: UserRow): Promise<void> {
  if (now?.password_hash !== user.password_hash || now.status !== 'ACTIVE') refuse('sign_in_failed')
}
