// Checks the chain of seals against the rows, and names what was changed, removed or inserted.
import type pg from 'pg'
import { archivedBefore } from '../events/events.ts'
import { type Read, read } from '../platform/database/sql.ts'
import {
  type Covered,
  inOrder,
  type Listed,
  listedBy,
  listedIn,
  type Place,
  parseRanges,
  rootOf,
  rowsBetween,
  rowsOutside,
  type Seal,
  type SealedTable,
  sealedTables,
  selectForgottenSeals,
  selectSeals,
  selectStraySeals,
} from './verify.seals.ts'

/** What does not match: a row, or the seal itself. `upto`: the last of several consecutive seals that were removed. */
export type Misfit = {
  table: SealedTable | 'seals'
  was: 'changed' | 'removed' | 'inserted'
  seal: number | null
  upto?: number
  venture_id?: string
  id?: string
}

/**
 * Archived rows of events that are no longer in the database, in the order and form of seals. `upto` returns those up to a place that it
 * has not returned before.
 */
export type ArchivedRows = { upto(place: Place): Promise<Buffer> }

/** What is known about archives: the smallest id that cannot be in one, and how many rows they have taken out of the database. */
type Archives = { before: string; rows: number }

/**
 * The state of the check as it moves along the seals. `files`: the archived rows, if they are checked too. `missing`: how many rows counted
 * as archived.
 */
type Search = { client: pg.Client; archives: Archives; files: ArchivedRows | undefined; missing: number }

const sealsAtOnce = 200
const noRoot = '0'.repeat(64)

/**
 * Uses the current transaction of the connection, which must see one snapshot. Without the files of archives, rows that may be archived are
 * only counted, and the root of a seal over such rows is not recomputed.
 */
export async function* findMisfits(client: pg.Client, files?: ArchivedRows): AsyncIterable<Misfit> {
  const [archives = { before: '', rows: 0 }] = await rowsOf(client, selectArchives)
  const search: Search = { client, archives, files, missing: 0 }
  let before: Seal | undefined
  for (;;) {
    const seals: Seal[] = await rowsOf(client, selectSeals(before === undefined ? 0 : before.number + 1, sealsAtOnce))
    for (const seal of seals) {
      yield* chainMisfits(seal, before)
      yield* before === undefined ? firstMisfits(client, seal) : rowMisfits(search, seal, before)
      before = seal
    }
    if (seals.length < sealsAtOnce) break
  }
  if (before === undefined) yield { table: 'seals', was: 'removed', seal: 0 }
  if (files === undefined && search.missing > archives.rows) yield { table: 'events', was: 'removed', seal: null }
  if (files === undefined && search.missing < archives.rows) yield { table: 'events', was: 'inserted', seal: null }
  for (const { number } of await rowsOf(client, selectStraySeals)) yield { table: 'seals', was: 'inserted', seal: Number(number) }
  for (const { number, changed } of await rowsOf(client, selectForgottenSeals))
    yield { table: 'seals', was: changed ? 'changed' : 'removed', seal: Number(number) }
}

const selectArchives = read<Archives>`
  select (${archivedBefore})::text as before, (select coalesce(sum(rows), 0) from event_archives)::float8 as rows`

export async function rowsOf<Row extends object>(client: pg.Client, { text, values }: Read<Row>): Promise<Row[]> {
  return (await client.query<Row>(text, values)).rows
}

function* chainMisfits({ number, previous_root }: Seal, before: Seal | undefined): Iterable<Misfit> {
  const expected = before === undefined ? 0 : before.number + 1
  if (number > expected) yield { table: 'seals', was: 'removed', seal: expected, ...(number > expected + 1 && { upto: number - 1 }) }
  else if (previous_root !== (before?.root ?? noRoot)) yield { table: 'seals', was: 'changed', seal: number }
}

const noRows = Buffer.alloc(0)
const nothing = Object.fromEntries(sealedTables.map((table) => [table, noRows])) as Covered

/** The first seal covers no rows and says where the others begin. */
async function* firstMisfits(client: pg.Client, seal: Seal): AsyncIterable<Misfit> {
  if (rootOf(seal, nothing) !== seal.root) yield { table: 'seals', was: 'changed', seal: seal.number }
  const places = parseRanges(seal.ranges)
  if (places === undefined) return
  for (const table of sealedTables) yield* outsiders(client, table, places[table])
}

/** Rows outside every seal, checked at the beginning of a table. */
async function* outsiders(client: pg.Client, table: SealedTable, place: Place | undefined): AsyncIterable<Misfit> {
  if (place === undefined) return
  for (const row of await rowsOf(client, rowsOutside(table, place))) yield { table, was: 'inserted', seal: null, ...row }
}

async function* rowMisfits(search: Search, seal: Seal, before: Seal): AsyncIterable<Misfit> {
  const [from, to] = [parseRanges(before.ranges), parseRanges(seal.ranges)]
  const expected = listedBy(seal)
  if (to === undefined || expected === undefined) {
    yield { table: 'seals', was: 'changed', seal: seal.number }
    return
  }
  // The beginning of this seal is unknown, because the seal before was changed. That one has already been reported.
  if (from === undefined) return
  const covered = { ...nothing }
  let fits = true
  for (const table of sealedTables) {
    const [start, end] = [from[table], to[table]]
    // A table begins in a seal without rows of it; from then on, every seal says how far it reaches.
    const isBeginning = start === undefined && (end?.rows ?? 0) === 0
    if (isBeginning) yield* outsiders(search.client, table, end)
    else if (start === undefined || end === undefined) {
      // A missing seal before has already been reported.
      if (seal.number === before.number + 1) yield { table: 'seals', was: 'changed', seal: seal.number }
      return
    }
    if (start === undefined || end === undefined) continue
    covered[table] = await bytesBetween(search, table, start, end)
    for (const misfit of compare(expected[table], listedIn(covered[table]))) {
      fits = false
      if (isArchived(search, table, misfit)) continue
      yield { table, seal: seal.number, ...misfit }
    }
  }
  // The list has 8 bytes of each leaf; the root covers all of them, but not the list.
  if (fits && rootOf(seal, covered) !== seal.root) yield { table: 'seals', was: 'changed', seal: seal.number }
}

/** Whether a row is missing because its month was archived, as far as can be told without the file. */
function isArchived(search: Search, table: SealedTable, { was, id }: Pick<Misfit, 'was' | 'id'>): boolean {
  if (table !== 'events' || was !== 'removed' || search.files !== undefined || (id ?? '') >= search.archives.before) return false
  search.missing++
  return true
}

async function bytesBetween({ client, files }: Search, table: SealedTable, from: Place, to: Place): Promise<Buffer> {
  const [row] = await rowsOf(client, rowsBetween(table, from, to))
  const bytes = row?.bytes ?? Buffer.alloc(0)
  return table === 'events' && files !== undefined ? inOrder([bytes, await files.upto(to)]) : bytes
}

function* compare(expected: readonly Listed[], found: readonly Listed[]): Iterable<Pick<Misfit, 'was' | 'venture_id' | 'id'>> {
  const nameOf = ({ venture_id, id }: Listed) => `${venture_id} ${id}`
  const leaves = new Map(found.map((row) => [nameOf(row), row.leaf]))
  const listed = new Set(expected.map(nameOf))
  for (const { venture_id, id, leaf } of expected) {
    const now = leaves.get(nameOf({ venture_id, id, leaf }))
    if (now !== leaf) yield { was: now === undefined ? 'removed' : 'changed', venture_id, id }
  }
  for (const { venture_id, id, leaf } of found) {
    if (!listed.has(nameOf({ venture_id, id, leaf }))) yield { was: 'inserted', venture_id, id }
  }
}
