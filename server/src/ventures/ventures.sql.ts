// The statements about ventures.
import type { Tx } from '../platform/database.ts'
import { type PageQuery, pageOf } from '../platform/lists.ts'
import { fragment, read, write } from '../platform/sql.ts'
import type { Venture, VentureUpdate } from './ventures.schemas.ts'

type Key = { api_key_hash: string; api_key_prefix: string }

const columns = fragment`id, name, status, api_key_prefix, created_at`

export const selectByKeyHashes = (hashes: string[]) =>
  read<Venture & { api_key_hash: string }>`
    select id, name, status, api_key_prefix, created_at, api_key_hash from ventures where api_key_hash = any(${hashes})`

export const selectVenture = (id: string) =>
  read<Venture>`select id, name, status, api_key_prefix, created_at from ventures where id = ${id}`

export const selectVentures = (page: PageQuery) => read<Venture>`select ${columns} from ventures ${pageOf(page, [])}`

export function insertVenture(tx: Tx, venture: Venture, key: Key): Promise<number> {
  return tx.run(write`
    insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at)
    values (${venture.id}, ${venture.name}, ${venture.status}, ${key.api_key_hash}, ${key.api_key_prefix}, ${venture.created_at})`)
}

export function updateVentureRow(tx: Tx, id: string, { name, status }: VentureUpdate): Promise<Venture | undefined> {
  return tx.first(write<Venture>`
    update ventures set name = coalesce(${name}, name), status = coalesce(${status}, status) where id = ${id}
    returning id, name, status, api_key_prefix, created_at`)
}

/** With `replacing`, only if that is still the key: of two rotations at once, the second one's key is no longer valid. */
export function updateKey(tx: Tx, id: string, key: Key, replacing: string | null): Promise<Venture | undefined> {
  return tx.first(write<Venture>`
    update ventures set api_key_hash = ${key.api_key_hash}, api_key_prefix = ${key.api_key_prefix}
    where id = ${id} and (${replacing}::text is null or api_key_hash = ${replacing})
    returning id, name, status, api_key_prefix, created_at`)
}

export const selectKeyHolder = (id: string, hash: string) => read`select id from ventures where id = ${id} and api_key_hash = ${hash}`
