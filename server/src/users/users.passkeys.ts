// Passkeys (WebAuthn): registering them and signing in with them. The library does the cryptography. Challenges are our own, and each can
// be used once.

import { randomBytes } from 'node:crypto'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, read, stated, write } from '../platform/database/sql.ts'
import { checkShape } from '../platform/http/validation.ts'
import { uuidv7 } from '../platform/ids.ts'
import { refuse } from '../values/refusals.ts'
import { hashOf } from '../ventures/ventures.ts'
import { recordStepsFor } from './users.adminkey.ts'
import type { Console } from './users.browser.ts'
import { type Attempted, note } from './users.record.ts'
import { NewCredential, Passkey, type PasskeyProof, type PasskeyRegistration, UsedCredential } from './users.schemas.ts'
import { beginSession, continueSession, endOtherSessions } from './users.sessions.ts'
import { deletePasskey, deleteSession, type FoundSession, forgetPasskeyUse, lockUser } from './users.sql.ts'
import { forgetAttempt, type Throttle } from './users.throttle.ts'

export type PasskeyKeeper = { database: Database; console: Console; throttle: Throttle }

const challengeLife_ms = 300_000
const mostPasskeys = 20
const columns = columnsOf(Passkey)

type Stored = { credential_id: string; user_id: string; public_key: Buffer; counter: number }

// Loaded only when passkeys are used, because the library takes as long as the rest of a route module.
const library = () => import('@simplewebauthn/server')

const checkNew = checkShape<NewCredential>(NewCredential)
const checkUsed = checkShape<UsedCredential>(UsedCredential)

export function listPasskeys(database: Database, user_id: string): Promise<Passkey[]> {
  return database.rows(read<Passkey>`select ${columns} from passkeys where user_id = ${user_id} order by id desc`)
}

export async function startPasskeyRegistration(
  { database, console }: PasskeyKeeper,
  session: FoundSession,
): Promise<{ challenge: string }> {
  const { generateRegistrationOptions } = await library()
  const known = await database.rows(read<{ credential_id: string }>`
    select credential_id from passkeys where user_id = ${session.user_id}`)
  return generateRegistrationOptions({
    rpName: 'Vostro',
    rpID: console.hostname,
    userID: new TextEncoder().encode(session.user_id),
    userName: session.email,
    userDisplayName: session.user_name,
    challenge: await makeChallenge(database, 'REGISTER', session.user_id),
    excludeCredentials: known.map(({ credential_id }) => ({ id: credential_id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
}

/** From then on, the session counts as one with a passkey, and it gets a new token. All other sessions of the person end. */
export async function registerPasskey(
  { database, console }: PasskeyKeeper,
  session: FoundSession,
  { name, credential: given, address }: PasskeyRegistration & { address: string },
  companions?: Companions,
): Promise<{ passkey: Passkey; token: string }> {
  const credential = checkNew(given)
  const { verifyRegistrationResponse } = await library()
  const expectedChallenge = await takeChallenge(database, credential.response.clientDataJSON, 'REGISTER', session.user_id)
  if (expectedChallenge === undefined) refuse('passkey_refused')
  const verified = await verifyRegistrationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: console.origin,
    expectedRPID: console.hostname,
  }).catch(() => undefined)
  if (verified?.verified !== true) return refuse('passkey_refused')
  const { id: credential_id, publicKey, counter, transports = [] } = verified.registrationInfo.credential
  const passkey: Passkey = { id: uuidv7(), name, created_at: now().toISOString(), last_used_at: null }
  const register = async (tx: Tx) => {
    await endOtherSessions(tx, session)
    const inserted = await tx.run(stated`
      insert into passkeys (credential_id, id, user_id, name, public_key, counter, transports, created_at)
      select ${credential_id}, ${passkey.id}, ${session.user_id}, ${name}, ${Buffer.from(publicKey)}, ${counter}, ${transports}, ${passkey.created_at}
      where (select count(*) from passkeys where user_id = ${session.user_id}) < ${session.by_passkey ? mostPasskeys : 1}
      on conflict (credential_id) do nothing`)
    if (inserted === 0) refuse('passkey_refused')
    await recordStepsFor(tx, session.user_id)
    await note(tx, { ...noted(session), what: 'PASSKEY_ADDED', address })
    return { id: passkey.id, passkey, token: await continueSession(tx, session.token_hash, { by_passkey: true }) }
  }
  return database.transaction((tx) => accompanied(tx, companions, () => register(tx)))
}

/** Ends all other sessions of the person. */
export async function removePasskey(
  database: Database,
  session: FoundSession,
  { id, address }: { id: string; address: string },
  companions?: Companions,
): Promise<void> {
  await database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      await endOtherSessions(tx, session)
      const removed = await deletePasskey(tx, { user_id: session.user_id, id })
      if (removed === 0) refuse('passkey_not_found')
      await forgetPasskeyUse(tx, session.user_id)
      await note(tx, { ...noted(session), what: 'PASSKEY_REMOVED', address })
      return { id }
    }),
  )
}

const noted = ({ user_id, session_id }: FoundSession) => ({ user_id, session_id, factor: 'PASSKEY' }) as const

export async function startPasskeySignIn({ database, console, throttle }: PasskeyKeeper, address: string): Promise<{ challenge: string }> {
  await throttle.countChallenge(address)
  const { generateAuthenticationOptions } = await library()
  return generateAuthenticationOptions({
    rpID: console.hostname,
    challenge: await makeChallenge(database, 'SIGN_IN', null),
    userVerification: 'required',
  })
}

/** Begins a session and returns its token. */
export async function signInWithPasskey(
  { database, console, throttle }: PasskeyKeeper,
  proof: PasskeyProof,
  { address, session }: { address: string; session: FoundSession | undefined },
): Promise<string> {
  const attempt = await throttle.begin(address)
  const { user_id, credential_id, counter } = await prove({ database, console, throttle }, proof, { what: 'SIGN_IN_FAILED', address })
  const begun = await database.transaction(async (tx) => {
    if ((await tx.first(lockUser(user_id)))?.status !== 'ACTIVE') refuse('sign_in_failed')
    await writeUse(tx, credential_id, counter)
    await forgetAttempt(tx, attempt)
    if (session !== undefined) await deleteSession(tx, session.token_hash)
    const { token, session_id } = await beginSession(tx, user_id, { by_passkey: true })
    await note(tx, { user_id, what: 'SIGNED_IN', factor: 'PASSKEY', address, session_id })
    return token
  })
  throttle.count('signed_in')
  return begun
}

/** Returns the new token of the session. */
export async function reauthenticateWithPasskey(
  { database, console, throttle }: PasskeyKeeper,
  session: FoundSession,
  { proof, address }: { proof: PasskeyProof; address: string },
): Promise<string> {
  const attempt = await throttle.begin(address)
  const { user_id, credential_id, counter } = await prove({ database, console, throttle }, proof, { what: 'PROOF_FAILED', address })
  if (user_id !== session.user_id) return fail({ database, throttle }, { user_id: session.user_id, what: 'PROOF_FAILED', address })
  const continued = await database.transaction(async (tx) => {
    await writeUse(tx, credential_id, counter)
    await forgetAttempt(tx, attempt)
    await note(tx, { ...noted(session), what: 'PROVED', address })
    return continueSession(tx, session.token_hash, { by_passkey: true })
  })
  throttle.count('proved')
  return continued
}

/** A failure with a known passkey, or in a person's session, which the person can see. */
async function fail(
  { database, throttle }: Pick<PasskeyKeeper, 'database' | 'throttle'>,
  { user_id, what, address }: { user_id: string; what: Attempted; address: string },
): Promise<never> {
  throttle.count(what === 'PROOF_FAILED' ? 'proof_failed' : 'failed')
  await database.transaction((tx) => note(tx, { user_id, what, factor: 'PASSKEY', address }))
  return refuse('sign_in_failed')
}

async function prove(
  { database, console, throttle }: PasskeyKeeper,
  proof: PasskeyProof,
  attempted: { what: Attempted; address: string },
): Promise<{ user_id: string; credential_id: string; counter: number }> {
  const credential = checkUsed(proof.credential)
  const { verifyAuthenticationResponse } = await library()
  const expectedChallenge = await takeChallenge(database, credential.response.clientDataJSON, 'SIGN_IN', null)
  const stored = await database.first(read<Stored>`
    select credential_id, user_id, public_key, counter from passkeys where credential_id = ${credential.id}`)
  if (stored === undefined) {
    throttle.count('unknown')
    return refuse('sign_in_failed')
  }
  const failed = () => fail({ database, throttle }, { user_id: stored.user_id, ...attempted })
  if (expectedChallenge === undefined) return failed()
  const verified = await verifyAuthenticationResponse({
    response: { ...credential, clientExtensionResults: {} },
    expectedChallenge,
    expectedOrigin: console.origin,
    expectedRPID: console.hostname,
    credential: { id: stored.credential_id, publicKey: new Uint8Array(stored.public_key), counter: stored.counter },
  }).catch(() => undefined)
  if (verified?.verified !== true) return failed()
  return { user_id: stored.user_id, credential_id: stored.credential_id, counter: verified.authenticationInfo.newCounter }
}

/** The passkey may have been removed while its signature was being checked. */
async function writeUse(tx: Tx, credential_id: string, counter: number): Promise<void> {
  const written = await tx.run(write`
    update passkeys set counter = ${counter}, last_used_at = ${now().toISOString()} where credential_id = ${credential_id}`)
  if (written === 0) refuse('sign_in_failed')
}

type Purpose = 'SIGN_IN' | 'REGISTER'

async function makeChallenge(database: Database, purpose: Purpose, user_id: string | null): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = randomBytes(32)
  const now_ms = now().getTime()
  await database.transaction(async (tx) => {
    // Nobody can answer an expired challenge, so there are never more of them than were created within minutes.
    tx.send(write`delete from passkey_challenges where expires_at < ${new Date(now_ms).toISOString()}`)
    tx.send(write`
      insert into passkey_challenges (challenge_hash, purpose, user_id, expires_at)
      values (${hashOf(challenge.toString('base64url'))}, ${purpose}, ${user_id}, ${new Date(now_ms + challengeLife_ms).toISOString()})`)
  })
  return new Uint8Array(challenge)
}

/** The challenge that the browser has signed, if it is one of ours. It cannot be used again. */
async function takeChallenge(
  database: Database,
  clientDataJSON: string,
  purpose: Purpose,
  user_id: string | null,
): Promise<string | undefined> {
  const challenge = challengeIn(clientDataJSON)
  if (challenge === undefined) return undefined
  const taken = await database.transaction((tx) =>
    tx.run(write`
      delete from passkey_challenges where challenge_hash = ${hashOf(challenge)} and purpose = ${purpose}
        and user_id is not distinct from ${user_id} and expires_at > ${now().toISOString()}`),
  )
  return taken === 1 ? challenge : undefined
}

function challengeIn(clientDataJSON: string): string | undefined {
  try {
    const { challenge } = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : undefined
  } catch {
    return undefined
  }
}
