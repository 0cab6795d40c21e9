// Checks the chain of seals against the rows, and names what was changed, removed or inserted.
import type pg from 'pg'
import type { Read } from '../platform/database/sql.ts'
import {
  type Covered,
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

/** What does not fit: a row, or the seal itself. `upto`: the last one of several seals in a row that were removed. */
export type Misfit = {
  table: SealedTable | 'seals'
  was: 'changed' | 'removed' | 'inserted'
  seal: number | null
  upto?: number
  venture_id?: string
  id?: string
}

const sealsAtOnce = 200
const noRoot = '0'.repeat(64)

/** Uses the current transaction of the connection, which must see one snapshot. */
export async function* findMisfits(client: pg.Client): AsyncIterable<Misfit> {
  let before: Seal | undefined
  for (;;) {
    const seals: Seal[] = await rowsOf(client, selectSeals(before === undefined ? 0 : before.number + 1, sealsAtOnce))
    for (const seal of seals) {
      yield* chainMisfits(seal, before)
      yield* before === undefined ? firstMisfits(client, seal) : rowMisfits(client, seal, before)
      before = seal
    }
    if (seals.length < sealsAtOnce) break
  }
  if (before === undefined) yield { table: 'seals', was: 'removed', seal: 0 }
  for (const { number } of await rowsOf(client, selectStraySeals)) yield { table: 'seals', was: 'inserted', seal: Number(number) }
  for (const { number, changed } of await rowsOf(client, selectForgottenSeals))
    yield { table: 'seals', was: changed ? 'changed' : 'removed', seal: Number(number) }
}

async function rowsOf<Row extends object>(client: pg.Client, { text, values }: Read<Row>): Promise<Row[]> {
  return (await client.query<Row>(text, values)).rows
}

function* chainMisfits({ number, previous_root }: Seal, before: Seal | undefined): Iterable<Misfit> {
  const expected = before === undefined ? 0 : before.number + 1
  if (number > expected) yield { table: 'seals', was: 'removed', seal: expected, ...(number > expected + 1 && { upto: number - 1 }) }
  else if (previous_root !== (before?.root ?? noRoot)) yield { table: 'seals', was: 'changed', seal: number }
}

const nothing: Covered = { entries: Buffer.alloc(0), transfer_moves: Buffer.alloc(0), events: Buffer.alloc(0), audit_log: Buffer.alloc(0) }

/** The first seal covers no rows and says where the others begin. */
async function* firstMisfits(client: pg.Client, seal: Seal): AsyncIterable<Misfit> {
  if (rootOf(seal, nothing) !== seal.root) yield { table: 'seals', was: 'changed', seal: seal.number }
  const places = parseRanges(seal.ranges)
  if (places === undefined) return
  for (const table of sealedTables) {
    for (const row of await rowsOf(client, rowsOutside(table, places[table]))) yield { table, was: 'inserted', seal: null, ...row }
  }
}

async function* rowMisfits(client: pg.Client, seal: Seal, before: Seal): AsyncIterable<Misfit> {
  const [from, to] = [parseRanges(before.ranges), parseRanges(seal.ranges)]
  const expected = listedBy(seal)
  if (to === undefined || expected === undefined) {
    yield { table: 'seals', was: 'changed', seal: seal.number }
    return
  }
  // Where the seal begins is not known, because the seal before was changed. That one has been named.
  if (from === undefined) return
  const covered = {} as Covered
  let fits = true
  for (const table of sealedTables) {
    covered[table] = await bytesBetween(client, table, from[table], to[table])
    for (const misfit of compare(expected[table], listedIn(covered[table]))) {
      fits = false
      yield { table, seal: seal.number, ...misfit }
    }
  }
  // The list names 8 bytes of each leaf; the root has all of them, and the list is not part of it.
  if (fits && rootOf(seal, covered) !== seal.root) yield { table: 'seals', was: 'changed', seal: seal.number }
}

async function bytesBetween(client: pg.Client, table: SealedTable, from: Place, to: Place): Promise<Buffer> {
  const [row] = await rowsOf(client, rowsBetween(table, from, to))
  return row?.bytes ?? Buffer.alloc(0)
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
