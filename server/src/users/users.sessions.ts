// Sessions of signed-in people: 12 hours at most, and 30 minutes without use. Only the SHA-256 of a token is stored. Sessions follow real
// time, so that moving the test clock signs nobody out.

import { randomBytes } from 'node:crypto'
import { aheadBy_s } from '../platform/clock.ts'
import { coalesce } from '../platform/coalesce.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { uuidv7 } from '../platform/ids.ts'
import { LastUses } from '../platform/last-uses.ts'
import type { Logger } from '../platform/log.ts'
import { inSteps } from '../platform/retention.ts'
import { refuse } from '../values/refusals.ts'
import { hashOf, type Venture } from '../ventures/ventures.ts'
import { refuseSession, sessionLife_s } from './users.browser.ts'
import { note } from './users.record.ts'
import type { OwnSession, Session } from './users.schemas.ts'
import {
  bankId,
  deleteSession,
  deleteSessionOf,
  deleteSessionsOf,
  type FoundSession,
  insertSession,
  lockUser,
  pruneSessions,
  renewSession,
  selectMemberships,
  selectSession,
  selectSessionsOf,
  selectToken,
  writeSessionUses,
} from './users.sql.ts'

/** A valid session. All requests of an event loop turn share its row, and everything derived from it. */
export type CheckedSession = FoundSession & {
  /**
   * The venture that the request acts for, if it names an existing one. It lacks the prefix of the venture's key, unless the whole venture
   * was requested.
   */
  readonly venture: Venture | undefined
  /** The person and the ventures that they may act for, for the log. */
  readonly logged: Readonly<Record<string, string>>
}

export type Sessions = {
  /**
   * The valid session with this token, and the venture that it asks for. All calls in an event loop turn share one query and the hash of
   * the token; nothing is cached.
   */
  find(token: string, venture?: { id?: string | undefined; whole?: boolean }): Promise<CheckedSession | undefined>
  /** When sessions were last used, by the hash of the token. */
  uses: LastUses
}

export function openSessions(database: Database, log: Logger): Sessions {
  const findOne = async (key: string): Promise<readonly [string, CheckedSession][]> => {
    const asked = { token_hash: hashOf(key.slice(37, 80)), venture_id: key.slice(0, 36), whole: key.length > 80 }
    return (await database.rows(selectSession(asked))).map((row) => [key, checked(row)])
  }
  const find = coalesce<string, CheckedSession>(async (keys) => new Map((await Promise.all(keys.map(findOne))).flat()), {
    wait_ms: database.limits.answer_ms,
  })
  const write = async (uses: Parameters<typeof writeSessionUses>[1]) =>
    void (await database.transaction((tx) => writeSessionUses(tx, uses)))
  return {
    find: (token, { id = bankId, whole = false } = {}) => find(whole ? `${id}/${token}/whole` : `${id}/${token}`),
    uses: new LastUses({ log, write, clock: realTime }),
  }
}

function checked(row: FoundSession): CheckedSession {
  const { id, name, status, control, created_at, api_key_prefix, user_id, bank_role, venture_role } = row
  return {
    ...row,
    venture: id === null ? undefined : ({ id, name, status, control, created_at, api_key_prefix } as Venture),
    logged: id === null || (bank_role ?? venture_role) === null ? { user_id } : { user_id, venture_id: id },
  }
}

const realTime = () => new Date()
const freshFor_ms = 600_000

/** Whether the person has authenticated recently enough. */
export function isFresh({ authenticated_at }: FoundSession): boolean {
  return realTime().getTime() - Date.parse(authenticated_at) <= freshFor_ms
}

function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Begins a session. */
export async function beginSession(
  tx: Tx,
  user_id: string,
  { by_passkey }: { by_passkey: boolean },
): Promise<{ token: string; session_id: string }> {
  const token = makeToken()
  const session_id = uuidv7()
  const now_ms = realTime().getTime()
  const at = new Date(now_ms).toISOString()
  await insertSession(tx, {
    token_hash: hashOf(token),
    id: session_id,
    user_id,
    by_passkey,
    created_at: at,
    authenticated_at: at,
    last_seen_at: at,
    expires_at: new Date(now_ms + sessionLife_s * 1_000).toISOString(),
  })
  return { token, session_id }
}

/** Records that the person has reauthenticated. Returns the new token of the session. */
export async function continueSession(tx: Tx, token_hash: string, { by_passkey }: { by_passkey: boolean }): Promise<string> {
  const token = makeToken()
  const renewed = await renewSession(tx, { token_hash, renewed: hashOf(token), by_passkey, at: realTime().toISOString() })
  return renewed === 1 ? token : refuseSession()
}

/**
 * Ends all sessions of the person except the current one, which must still be valid, after a change of the password or a passkey. The
 * person is locked, so that two changes cannot overtake each other.
 */
export async function endOtherSessions(tx: Tx, { user_id, token_hash }: Pick<FoundSession, 'user_id' | 'token_hash'>): Promise<void> {
  await tx.first(lockUser(user_id))
  if ((await tx.first(selectToken(token_hash))) === undefined) refuseSession()
  await deleteSessionsOf(tx, user_id, token_hash)
}

/** Signs the person out. */
export async function endSession(database: Database, { token_hash, user_id, session_id }: FoundSession, address: string): Promise<void> {
  await database.transaction(async (tx) => {
    const ended = await deleteSession(tx, token_hash)
    if (ended === 1) await note(tx, { user_id, what: 'SIGNED_OUT', address, session_id })
  })
}

export function listSessions(database: Database, { user_id, token_hash }: FoundSession): Promise<OwnSession[]> {
  return database.rows(selectSessionsOf(user_id, token_hash))
}

/** Ends any session of the person. */
export async function endOwnSession(
  database: Database,
  { user_id }: FoundSession,
  { id, address }: { id: string; address: string },
  companions?: Companions,
): Promise<void> {
  const end = async (tx: Tx): Promise<{ id: string }> => {
    if ((await deleteSessionOf(tx, user_id, id)) === 0) refuse('session_not_found')
    await note(tx, { user_id, what: 'SESSION_ENDED', address, session_id: id })
    return { id }
  }
  await database.transaction((tx) => accompanied(tx, companions, () => end(tx)))
}

/** A session as the API shows it. `sandbox`: whether the clock of the service can be moved. */
export async function describeSession(
  database: Database,
  found: FoundSession,
  { sandbox, passkeysRequired, hasVerifier }: { sandbox: boolean; passkeysRequired: boolean; hasVerifier: boolean },
): Promise<Session> {
  const memberships = await database.rows(selectMemberships(found.user_id))
  return {
    id: found.session_id,
    user: { id: found.user_id, email: found.email, name: found.user_name },
    bank_role: found.bank_role,
    memberships: memberships
      .filter(({ venture_id }) => venture_id !== bankId)
      .map(({ venture_id, role }) => ({ venture_id, role: role as Session['memberships'][number]['role'] })),
    by_passkey: found.by_passkey,
    has_passkey: found.has_passkey,
    passkey_required: passkeysRequired && found.lacks_passkey,
    created_at: found.session_created_at,
    authenticated_at: found.authenticated_at,
    expires_at: found.expires_at,
    has_verifier: hasVerifier,
    clock_ahead_s: sandbox ? aheadBy_s() : null,
  }
}

/** For the retention of rows. */
export function pruneEndedSessions(database: Database, step = 1_000): AsyncIterable<number> {
  return inSteps(step, () => database.transaction((tx) => pruneSessions(tx, realTime().toISOString(), step)))
}
