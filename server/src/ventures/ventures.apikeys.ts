// The API keys of ventures. A venture can have several, each with a name, scopes and an expiry.

import { requireSequence } from '../audit/audit.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { coalesce } from '../platform/coalesce.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import type { Scope } from '../platform/http/access.ts'
import { uuidv7 } from '../platform/ids.ts'
import { LastUses } from '../platform/last-uses.ts'
import type { Logger } from '../platform/log.ts'
import { refuse, refuseField } from '../values/refusals.ts'
import {
  countKeys,
  insertKey,
  type KeyKey,
  type KeyOfVenture,
  type NewKeyRow,
  renameKey,
  revokeKeyRow,
  selectByKeyHashes,
  selectKey,
  selectKeys,
  selectVenturesByKeyHashes,
  writeKeyUses,
} from './ventures.apikeys.sql.ts'
import { hashOf, type KeyKind, makeKey, prefixOf } from './ventures.keys.ts'
import type { ApiKey, ApiKeyList, ApiKeyUpdate, ApiKeyWithSecret, NewApiKey, Venture } from './ventures.schemas.ts'
import { lockVenture } from './ventures.sql.ts'

export type Bank = { database: Database; keyKind: KeyKind }

/** The maximum number of unrevoked keys of a venture. */
const mostKeys = 100

export type KeyRing = {
  /** The valid key with this hash, and its venture. All keys of an event loop turn share one query, and nothing is cached. */
  find(key_hash: string): Promise<KeyOfVenture | undefined>
  /** When keys were last used, by hash. */
  uses: LastUses
}

export function openKeyRing(database: Database, log: Logger): KeyRing {
  const find = coalesce<string, KeyOfVenture>(
    async (hashes) => {
      const rows = await database.rows(selectByKeyHashes(hashes))
      return new Map(rows.map((row) => [row.key_hash, row]))
    },
    { wait_ms: database.limits.answer_ms },
  )
  const write = async (uses: Parameters<typeof writeKeyUses>[1]) => void (await database.transaction((tx) => writeKeyUses(tx, uses)))
  return { find, uses: new LastUses({ log, write }) }
}

/** Finds the valid key with a hash together with the whole venture, for the route that shows it. */
export function openVenturesByKey(database: Database): (key_hash: string) => Promise<(KeyOfVenture & Venture) | undefined> {
  return coalesce(
    async (hashes: string[]) => {
      const rows = await database.rows(selectVenturesByKeyHashes(hashes))
      return new Map(rows.map((row) => [row.key_hash, row]))
    },
    { wait_ms: database.limits.answer_ms },
  )
}

type Wanted = Pick<ApiKey, 'name' | 'expires_at' | 'seen_by_bank'> & { venture_id: string; scopes: readonly Scope[] }

/** Creates a key. The caller has locked the venture or has just created it. */
export async function issueKey(tx: Tx, keyKind: KeyKind, { venture_id, scopes, ...wanted }: Wanted): Promise<ApiKeyWithSecret> {
  const api_key = makeKey(keyKind)
  const { name, expires_at, seen_by_bank } = wanted
  const made = { id: uuidv7(), prefix: prefixOf(api_key), created_at: now().toISOString() }
  const key = { ...made, name, scopes: [...scopes], expires_at, seen_by_bank }
  const row: NewKeyRow = { ...key, venture_id, key_hash: hashOf(api_key) }
  await insertKey(tx, row)
  return { ...key, revoked_at: null, last_used_at: null, api_key }
}

export function createKey(
  { database, keyKind }: Bank,
  venture_id: string,
  wanted: NewApiKey,
  { companions, sequence, seen_by_bank }: Pick<By, 'companions' | 'sequence'> & { seen_by_bank: boolean },
): Promise<ApiKeyWithSecret> {
  requireFuture(wanted)
  const { name, scopes, expires_at = null } = wanted
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      requireSequence((await lockVenture(tx, venture_id)) ?? refuse('venture_not_found'), sequence)
      if ((await countKeys(tx, venture_id)) >= mostKeys) refuse('key_limit')
      const key = await issueKey(tx, keyKind, { venture_id, name, scopes, expires_at, seen_by_bank })
      tx.evidence = selectKey({ venture_id, id: key.id })
      return key
    }),
  )
}

export function requireFuture({ expires_at }: NewApiKey): void {
  if (expires_at != null && Date.parse(expires_at) <= now().getTime()) refuseField('expires_at', 'must be in the future')
}

export function listKeys(database: Database, venture_id: string, query: ApiKeyList): Promise<ApiKey[]> {
  return selectKeys(database, venture_id, query)
}

export async function getKey(database: Database, key: KeyKey): Promise<ApiKey> {
  return (await database.first(selectKey(key))) ?? refuse('api_key_not_found')
}

export function updateKey(database: Database, key: KeyKey, { name }: ApiKeyUpdate, companions?: Companions): Promise<ApiKey> {
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => (await renameKey(tx, key, name)) ?? refuse('api_key_not_found')),
  )
}

/** The key stops working immediately and stays in the list. */
export function revokeKey(database: Database, key: KeyKey, companions?: Companions): Promise<ApiKey> {
  const at = now().toISOString()
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => (await revokeKeyRow(tx, key, at)) ?? refuse('api_key_not_found')),
  )
}
