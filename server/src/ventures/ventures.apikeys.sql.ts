// SQL statements for the API keys of ventures.
import { anchorRevocations } from '../platform/anchors.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { columnsOf, fixed, fragment, read, stated, write } from '../platform/database/sql.ts'
import type { Scope } from '../platform/http/access.ts'
import { readList } from '../platform/http/pieces.ts'
import type { Use } from '../platform/last-uses.ts'
import { ApiKey, type ApiKeyList, type Venture } from './ventures.schemas.ts'
import { wholeVenture } from './ventures.sql.ts'

export type KeyKey = { venture_id: string; id: string }

/** A valid key, with what every request needs to know about its venture. */
export type KeyOfVenture = { key_hash: string; key_id: string; scopes: Scope[]; seen_by_bank: boolean } & Pick<Venture, 'id' | 'control'>

/** A key is not valid if it has been revoked, has expired, or belongs to a disabled venture. */
export const isValidKey = fixed`
  key.revoked_at is null and (key.expires_at is null or key.expires_at > bank_now()) and venture.status = 'ACTIVE'`

/** Runs for most requests, so it reads no more than they need. */
export const selectByKeyHashes = (hashes: string[]) => read<KeyOfVenture>`
  select key.key_hash, key.id as key_id, key.scopes, key.seen_by_bank, venture.id, venture.control
  from api_keys key join ventures venture on venture.id = key.venture_id
  where key.key_hash = any(${hashes}) and ${isValidKey}`

/** The same with the whole venture. */
export const selectVenturesByKeyHashes = (hashes: string[]) => read<KeyOfVenture & Venture>`
  select key.key_hash, key.id as key_id, key.scopes, key.seen_by_bank, ${wholeVenture}
  from api_keys key join ventures venture on venture.id = key.venture_id
  where key.key_hash = any(${hashes}) and ${isValidKey}`

const columns = columnsOf(ApiKey)

export type NewKeyRow = Pick<ApiKey, 'id' | 'name' | 'prefix' | 'scopes' | 'expires_at' | 'seen_by_bank' | 'created_at'> & {
  venture_id: string
  key_hash: string
}

export function insertKey(tx: Tx, row: NewKeyRow): Promise<number> {
  return tx.run(stated`
    insert into api_keys (key_hash, venture_id, id, name, prefix, scopes, expires_at, seen_by_bank, created_at)
    values (${row.key_hash}, ${row.venture_id}, ${row.id}, ${row.name}, ${row.prefix}, ${row.scopes}, ${row.expires_at}, ${row.seen_by_bank},
      ${row.created_at})`)
}

export const selectKey = ({ venture_id, id }: KeyKey) =>
  read<ApiKey>`select ${columns} from api_keys where venture_id = ${venture_id} and id = ${id}`

export function selectKeys(database: Database, venture_id: string, query: ApiKeyList): Promise<ApiKey[]> {
  return readList(database, {
    venture_id,
    query,
    filters: {},
    columns,
    select: (what, rest) => fragment`select ${what} from api_keys where venture_id = ${venture_id} and ${rest}`,
  })
}

/** How many unrevoked keys the venture has. */
export async function countKeys(tx: Tx, venture_id: string): Promise<number> {
  const counted = await tx.first(
    read<{ count: number }>`select count(*)::int as count from api_keys where venture_id = ${venture_id} and revoked_at is null`,
  )
  return counted?.count ?? 0
}

export function renameKey(tx: Tx, { venture_id, id }: KeyKey, name: string): Promise<ApiKey | undefined> {
  return tx.first(stated<ApiKey>`update api_keys set name = ${name} where venture_id = ${venture_id} and id = ${id} returning ${columns}`)
}

/** Returns the key if it was valid until now. */
export async function revokeValidKey(tx: Tx, { venture_id, id }: KeyKey, at: string): Promise<ApiKey | undefined> {
  const revoked = await tx.first(stated<ApiKey>`
    update api_keys set revoked_at = ${at}
    where venture_id = ${venture_id} and id = ${id} and revoked_at is null and (expires_at is null or expires_at > ${at})
    returning ${columns}`)
  if (revoked !== undefined) anchorRevocations(tx, 'api_keys', at, [{ venture_id, id }])
  return revoked
}

/** A key that has already been revoked keeps its time of revocation. */
export async function revokeKeyRow(tx: Tx, { venture_id, id }: KeyKey, at: string): Promise<ApiKey | undefined> {
  const revoked = await tx.first(stated<ApiKey>`
    update api_keys set revoked_at = coalesce(revoked_at, ${at}) where venture_id = ${venture_id} and id = ${id} returning ${columns}`)
  if (revoked !== undefined) anchorRevocations(tx, 'api_keys', revoked.revoked_at ?? at, [{ venture_id, id }])
  return revoked
}

export async function revokeAllKeys(tx: Tx, venture_id: string, at: string): Promise<void> {
  const revoked = await tx.rows(stated<KeyKey>`
    update api_keys set revoked_at = ${at} where venture_id = ${venture_id} and revoked_at is null returning venture_id, id`)
  anchorRevocations(tx, 'api_keys', at, revoked)
}

/** Revokes a key again in a restored database. Returns 1 if it was valid there, otherwise 0. */
export function revokeKeyAgain(tx: Tx, { venture_id, id, at }: KeyKey & { at: string }): Promise<number> {
  return tx.run(stated`update api_keys set revoked_at = ${at} where venture_id = ${venture_id} and id = ${id} and revoked_at is null`)
}

export function writeKeyUses(tx: Tx, uses: readonly Use[]): Promise<number> {
  return tx.run(write`
    update api_keys set last_used_at = greatest(last_used_at, used.at)
    from unnest(${uses.map(({ name }) => name)}::text[], ${uses.map(({ at }) => at)}::timestamptz[]) as used (key_hash, at)
    where api_keys.key_hash = used.key_hash`)
}
