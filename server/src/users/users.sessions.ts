// Sessions of signed-in people: 12 hours at most, 30 minutes without use. Only the SHA-256 of a token is stored.
import { randomBytes } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { coalesce } from '../platform/coalesce.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { LastUses } from '../platform/last-uses.ts'
import type { Logger } from '../platform/log.ts'
import { inSteps } from '../platform/retention.ts'
import { hashOf } from '../ventures/ventures.ts'
import { refuseSession, sessionLife_s } from './users.browser.ts'
import type { Session } from './users.schemas.ts'
import {
  bankId,
  deleteSession,
  type FoundSession,
  insertSession,
  pruneSessions,
  renewSession,
  selectMemberships,
  selectSessions,
  writeSessionUses,
} from './users.sql.ts'

export type Sessions = {
  /** The valid session with this token, and the venture for which it asks. All of a turn of the event loop share one query; nothing is cached. */
  find(token_hash: string, venture?: { id?: string | undefined; whole?: boolean }): Promise<FoundSession | undefined>
  /** The times of use, by the hash of the token. */
  uses: LastUses
}

export function openSessions(database: Database, log: Logger): Sessions {
  const find = coalesce<string, FoundSession>(
    async (keys) => {
      const asked = keys.map((key) => ({ token_hash: key.slice(0, 64), venture_id: key.slice(65, 101), whole: key.length > 101 }))
      const rows = await database.rows(selectSessions(asked))
      return new Map(rows.map((row) => [keyOf(row.token_hash, row.asked_id, row.whole), row]))
    },
    { wait_ms: database.limits.answer_ms },
  )
  const write = async (uses: Parameters<typeof writeSessionUses>[1]) =>
    void (await database.transaction((tx) => writeSessionUses(tx, uses)))
  return {
    find: (token_hash, { id = bankId, whole = false } = {}) => find(keyOf(token_hash, id, whole)),
    uses: new LastUses({ log, write }),
  }
}

const keyOf = (token_hash: string, venture_id: string, whole: boolean) => `${token_hash}/${venture_id}${whole ? '/whole' : ''}`

function makeToken(): string {
  return randomBytes(32).toString('base64url')
}

/** Begins a session and returns its token. */
export async function beginSession(tx: Tx, user_id: string, { by_passkey }: { by_passkey: boolean }): Promise<string> {
  const token = makeToken()
  const now_ms = Date.now()
  const at = new Date(now_ms).toISOString()
  await insertSession(tx, {
    token_hash: hashOf(token),
    id: uuidv7(),
    user_id,
    by_passkey,
    created_at: at,
    authenticated_at: at,
    last_seen_at: at,
    expires_at: new Date(now_ms + sessionLife_s * 1_000).toISOString(),
  })
  return token
}

/** The person has proved again who they are. Returns the new token of the session. */
export async function continueSession(tx: Tx, token_hash: string, { by_passkey }: { by_passkey: boolean }): Promise<string> {
  const token = makeToken()
  const renewed = await renewSession(tx, { token_hash, renewed: hashOf(token), by_passkey, at: new Date().toISOString() })
  return renewed === 1 ? token : refuseSession()
}

export function endSession(database: Database, token_hash: string): Promise<number> {
  return database.transaction((tx) => deleteSession(tx, token_hash))
}

/** The session with this token as the API shows it. */
export async function showSession(database: Database, sessions: Sessions, token: string): Promise<Session> {
  return describeSession(database, (await sessions.find(hashOf(token))) ?? refuseSession())
}

export async function describeSession(database: Database, found: FoundSession): Promise<Session> {
  const memberships = await database.rows(selectMemberships(found.user_id))
  return {
    id: found.session_id,
    user: { id: found.user_id, email: found.email, name: found.user_name },
    bank_role: found.bank_role,
    memberships: memberships
      .filter(({ venture_id }) => venture_id !== bankId)
      .map(({ venture_id, role }) => ({ venture_id, role: role as Session['memberships'][number]['role'] })),
    by_passkey: found.by_passkey,
    created_at: found.session_created_at,
    authenticated_at: found.authenticated_at,
    expires_at: found.expires_at,
  }
}

/** For the retention. */
export function pruneEndedSessions(database: Database, step = 1_000): AsyncIterable<number> {
  return inSteps(step, () => database.transaction((tx) => pruneSessions(tx, new Date().toISOString(), step)))
}
