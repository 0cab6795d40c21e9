// SQL statements for ventures.
import type { Tx } from '../platform/database/database.ts'
import { Columns, fixed, read, write } from '../platform/database/sql.ts'
import { lastCharacter } from '../platform/found.ts'
import { given, pageWith } from '../platform/http/lists.ts'
import { Venture, type VentureList, type VentureUpdate } from './ventures.schemas.ts'

/** The bank's own books, which hold what has no known owner yet. The house has no key, and nobody changes anything in it by hand. */
export const houseId = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

/** A venture as stored: the shown fields and its number of events. */
export type VentureRow = Venture & { sequence: number }

const { api_key_prefix: _, ...stored } = Venture.properties
/** Without the key prefix, which belongs to the key. */
export const ventureColumns = new Columns(Object.keys(stored), 'venture')

/** The prefix of a venture's oldest valid key. */
export const oldestPrefix = fixed`(
  select prefix from api_keys oldest
  where oldest.venture_id = venture.id and oldest.revoked_at is null and (oldest.expires_at is null or oldest.expires_at > bank_now())
  order by oldest.id limit 1)`

export const wholeVenture = fixed`${ventureColumns}, ${oldestPrefix} as api_key_prefix`

/** Runs for every request of an operator who acts for a venture. */
export const selectVenture = (id: string) => read<VentureRow>`select ${wholeVenture}, sequence from ventures venture where id = ${id}`

/** Keeps `control` of these ventures unchanged until the transaction ends. Other transactions may do the same concurrently. */
export async function holdControls(tx: Tx, ids: readonly string[]): Promise<Pick<Venture, 'id' | 'control'>[]> {
  return tx.placement.either({
    together: () =>
      tx.rows(read<Pick<Venture, 'id' | 'control'>>`select id, control from ventures where id = any(${ids}) order by id for key share`),
    // Every server has a copy of the row, and locking all copies would block everyone.
    apart: async () => {
      for (const id of ids.toSorted()) await tx.rows(read`select pg_advisory_xact_lock_shared(hashtextextended(${id}, ${controlLock}))`)
      return tx.rows(read<Pick<Venture, 'id' | 'control'>>`select id, control from ventures where id = any(${ids})`)
    },
  })
}

/** Distinguishes these locks from others that are derived from a venture's id. */
const controlLock = 2

export const selectManagedIds = read<{ id: string }>`select id from ventures where control = 'MANAGED' order by id`

/** Without the house: it has neither keys nor endpoints, so there is no work to do for it. */
export const selectVentureIds = read<{ id: string }>`select id from ventures where id <> ${houseId} order by id`

export async function lockVenture(tx: Tx, id: string): Promise<VentureRow | undefined> {
  return tx.placement.either({
    together: () =>
      tx.first(read<VentureRow>`
        select ${wholeVenture}, sequence from ventures venture where id = ${id} and id <> ${houseId} for update of venture`),
    apart: async () => {
      await tx.rows(read`select pg_advisory_xact_lock(hashtextextended(${id}, ${controlLock}))`)
      return tx.first(read<VentureRow>`select ${wholeVenture}, sequence from ventures venture where id = ${id} and id <> ${houseId}`)
    },
  })
}

export const selectVentures = (query: VentureList) =>
  read<Venture>`select ${wholeVenture} from ventures venture where id <> ${houseId} and ${pageWith(query, given(query, {}))}`

export function insertVenture(tx: Tx, venture: Venture): Promise<number> {
  return tx.run(write`
    insert into ventures (id, name, status, control, created_at)
    values (${venture.id}, ${venture.name}, ${venture.status}, ${venture.control}, ${venture.created_at})`)
}

export function updateVentureRow(tx: Tx, id: string, { name, status, control }: VentureUpdate): Promise<number> {
  return tx.run(write`
    update ventures set name = coalesce(${name}, name), status = coalesce(${status}, status), control = coalesce(${control}, control),
      sequence = sequence + 1
    where id = ${id}`)
}

/** A change of the venture's keys is an event of the venture. */
export function countKeyChange(tx: Tx, id: string): Promise<number> {
  return tx.run(write`update ventures set sequence = sequence + 1 where id = ${id}`)
}

/** Ventures whose name begins with this text. There are few ventures. */
export const selectVenturesByName = (name: string, limit: number) => read<{ id: string; name: string }>`
  select id, name from ventures
  where lower(name) ~>=~ lower(${name}) and lower(name) ~<~ (lower(${name}) || ${lastCharacter}) order by name, id limit ${limit}`
