// Checks the chain of seals against the rows, and names what was changed, removed or inserted.
import type pg from 'pg'
import { archivedBefore } from '../events/events.ts'
import { Strands } from '../platform/database/database.strands.ts'
import { type Read, read } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import {
  inOrder,
  inTheirOrder,
  isUpto,
  type KnownRanges,
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
  selectLastSeal,
  selectSeals,
  selectStraySeals,
  tableOf,
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
 * Rows of events that were archived and are not in the database any more, in the order of seals and as these have them: those of a strand up to a place
 * that were not returned before.
 */
export type ArchivedRows = { upto(place: Place, strand: string): Promise<Buffer> }

/** What is known about archives: the smallest id that cannot be in one, and how many rows they have taken out of the database. */
type Archives = { before: string; rows: number }

/**
 * Up to now, as the seals go by. `files`: the rows, if they are checked as well. `missing`: how many rows were taken for archived. `beginnings`: where the
 * rows of each table begin.
 */
type Search = {
  strands: Strands
  archives: Archives
  files: ArchivedRows | undefined
  missing: number
  beginnings: Map<SealedTable, Place | undefined>
}

/** The strands of a table, and the places that seals have reached in them. */
export async function placesOf(client: pg.Client, table: SealedTable) {
  const [last] = await rowsOf(client, selectLastSeal)
  const ranges = JSON.parse(last?.ranges ?? '{}') as KnownRanges
  const strands = await Strands.find((query) => rowsOf(client, query), [table])
  const reached = strands.all.map((strand) => ({ strand, place: ranges[strand.name] ?? ranges[table] ?? nowhere }))
  return { strands, reached }
}

const nowhere: Place = { era: -1, xid: '0', venture_id: bankId, id: bankId }

const sealsAtOnce = 200
const noRoot = '0'.repeat(64)

/**
 * Uses the current transaction of the connection, which must see one snapshot. Without the files of archives, rows that may be archived are
 * only counted, and the root of a seal over such rows is not recomputed.
 */
export async function* findMisfits(client: pg.Client, files?: ArchivedRows): AsyncIterable<Misfit> {
  const [archives = { before: '', rows: 0 }] = await rowsOf(client, selectArchives)
  const strands = await Strands.find((query) => rowsOf(client, query), sealedTables)
  const search: Search = { strands, archives, files, missing: 0, beginnings: new Map() }
  let before: Seal | undefined
  for (;;) {
    const seals: Seal[] = await rowsOf(client, selectSeals(before === undefined ? 0 : before.number + 1, sealsAtOnce))
    for (const seal of seals) {
      yield* chainMisfits(seal, before)
      yield* before === undefined ? firstMisfits(search, seal) : rowMisfits(search, seal, before)
      before = seal
    }
    if (seals.length < sealsAtOnce) break
  }
  // At the end: on several servers this transaction locks the tables there, and queries to the workers, which are not part of it, would wait for sessions
  // that wait for these locks.
  for (const [table, place] of search.beginnings) if (place !== undefined) yield* outsiders(client, table, place)
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

/** The first seal covers no rows and says where the others begin. */
function* firstMisfits({ beginnings }: Search, seal: Seal): Iterable<Misfit> {
  if (rootOf(seal, {}) !== seal.root) yield { table: 'seals', was: 'changed', seal: seal.number }
  const places = parseRanges(seal.ranges)
  for (const table of sealedTables) beginnings.set(table, places?.[table])
}

async function* outsiders(client: pg.Client, table: SealedTable, place: Place): AsyncIterable<Misfit> {
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
  const stretches = stretchesBetween(search, from, to)
  if (stretches === undefined) {
    // A missing seal before has already been reported.
    if (seal.number === before.number + 1) yield { table: 'seals', was: 'changed', seal: seal.number }
    return
  }
  const found = await rowsOfStretches(search, stretches)
  let fits = true
  for (const [index, { name }] of stretches.entries()) {
    const table = tableOf(name)
    for (const misfit of compare(expected[name] ?? [], listedIn(found[index] ?? noRows))) {
      fits = false
      if (isArchived(search, table, misfit)) continue
      yield { table, seal: seal.number, ...misfit }
    }
  }
  const covered = Object.fromEntries(stretches.map(({ name }, index) => [name, found[index] ?? noRows]))
  // The list has 8 bytes of each leaf; the root covers all of them, but not the list.
  if (fits && rootOf(seal, covered) !== seal.root) yield { table: 'seals', was: 'changed', seal: seal.number }
}

type Stretch = { name: string; start: Place; end: Place }

/** What a seal covers of each table. Undefined if the two seals do not name the same tables. */
function stretchesBetween(search: Search, from: KnownRanges, to: KnownRanges): Stretch[] | undefined {
  const stretches: Stretch[] = []
  for (const name of inTheirOrder(new Set([...Object.keys(from), ...Object.keys(to)]))) {
    const table = tableOf(name)
    // The shards of a table continue where it was when it was distributed.
    const [start, end] = [from[name] ?? from[table], to[name]]
    // A table begins in a seal without rows of it; from then on, every seal says how far it reaches.
    const isBeginning = start === undefined && (end?.rows ?? 0) === 0
    if (isBeginning) search.beginnings.set(table, end)
    else if (start === undefined || end === undefined) return undefined
    else if (end.rows > 0 || !isSame(start, end)) stretches.push({ name, start, end })
  }
  return stretches
}

const isSame = (one: Place, other: Place): boolean => isUpto(one, other) && isUpto(other, one)

/** Whether a row is missing because its month was archived, as far as can be told without the file. */
function isArchived(search: Search, table: SealedTable, { was, id }: Pick<Misfit, 'was' | 'id'>): boolean {
  if (table !== 'events' || was !== 'removed' || search.files !== undefined || (id ?? '') >= search.archives.before) return false
  search.missing++
  return true
}

async function rowsOfStretches({ strands, files }: Search, stretches: readonly Stretch[]): Promise<Buffer[]> {
  const answers = await strands.read(stretches.map(({ name, start, end }) => rowsBetween(strands.named(name), start, end)))
  const found: Buffer[] = []
  for (const [index, { name, end }] of stretches.entries()) {
    const parts = (answers[index] ?? []).map(({ bytes }) => bytes ?? noRows)
    if (tableOf(name) === 'events' && files !== undefined) parts.push(await files.upto(end, name))
    found.push(parts.length === 1 ? (parts[0] ?? noRows) : inOrder(parts))
  }
  return found
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
