// SQL statements for ventures.
import type { Tx } from '../platform/database/database.ts'
import { columnsOf, read, write } from '../platform/database/sql.ts'
import { pageOf } from '../platform/http/lists.ts'
import { Venture, type VentureList, type VentureUpdate } from './ventures.schemas.ts'

type Key = { api_key_hash: string; api_key_prefix: string }

/** A venture as stored: the shown fields and its number of events. */
export type VentureRow = Venture & { sequence: number }

const columns = columnsOf(Venture)

/** The key of a disabled venture is not found, because it is not valid. */
export const selectByKeyHashes = (hashes: string[]) =>
  read<Venture & { api_key_hash: string }>`
    select ${columns}, api_key_hash from ventures where api_key_hash = any(${hashes}) and status = 'ACTIVE'`

export const selectVenture = (id: string) => read<Venture>`select ${columns} from ventures where id = ${id}`

export const selectVentureIds = read<{ id: string }>`select id from ventures order by id`

export const lockVenture = (id: string) => read<Venture>`select ${columns} from ventures where id = ${id} for update`

export const selectVentures = (query: VentureList) => read<Venture>`select ${columns} from ventures ${pageOf(query, {})}`

export function insertVenture(tx: Tx, venture: Venture, key: Key): Promise<number> {
  return tx.run(write`
    insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at)
    values (${venture.id}, ${venture.name}, ${venture.status}, ${key.api_key_hash}, ${key.api_key_prefix}, ${venture.created_at})`)
}

export function updateVentureRow(tx: Tx, id: string, { name, status }: VentureUpdate): Promise<VentureRow | undefined> {
  return tx.first(write<VentureRow>`
    update ventures set name = coalesce(${name}, name), status = coalesce(${status}, status), sequence = sequence + 1 where id = ${id}
    returning ${columns}, sequence`)
}

/** With `replacing`, only if that key is still valid: of two concurrent rotations with one key, only one succeeds. */
export function updateKey(tx: Tx, id: string, key: Key, replacing: string | null): Promise<VentureRow | undefined> {
  return tx.first(write<VentureRow>`
    update ventures set api_key_hash = ${key.api_key_hash}, api_key_prefix = ${key.api_key_prefix}, sequence = sequence + 1
    where id = ${id} and (${replacing}::text is null or (api_key_hash = ${replacing} and status = 'ACTIVE'))
    returning ${columns}, sequence`)
}
