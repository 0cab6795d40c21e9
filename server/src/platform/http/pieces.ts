// How a list is read. Most lists are one statement, and an index finds the rows of the page. If no index does (a search for two letters, a
// combination of filters that matches nothing, an offset of a million), the statement would have to read all rows. It is cancelled, and the
// list is read in pieces instead: the rows of the venture from the newest to the oldest, some thousands at a time. A piece is short, and
// between pieces the lists of other ventures get their turn.
import { refuse } from '../../values/refusals.ts'
import { troubleOf } from '../database/database.errors.ts'
import type { Database, Lists } from '../database/database.ts'
import { every, type Fragment, fragment, named, read } from '../database/sql.ts'
import { type Filters, given, idRange, type PageQuery, pageWith, plainPage, usualLimit } from './lists.ts'

export type Listing<Query extends PageQuery> = {
  /** The venture of the list. Lists of different ventures take turns. */
  venture_id: string
  query: Query
  filters: Filters<NoInfer<Query>>
  /** Selects `what` from the rows of the list that satisfy `rest`. An index must have their ids in order. */
  select(what: Fragment, rest: Fragment): Fragment
  columns: Fragment
  /** Filters for which an index has the ids of matching rows in order. The pieces then consist of these rows only. */
  ordered?: readonly (keyof Filters<NoInfer<Query>>)[]
  /** No index can help, so the list is read in pieces from the start. */
  needsPieces?: boolean
  /**
   * Selects the ids that an index finds for one of the filters, including all matches. It is only worth asking if there are few of them.
   */
  index?: { filter: keyof Filters<NoInfer<Query>>; ids: Fragment } | undefined
  /** The name of a list whose contents depend only on the venture and the query. Callers that wait for the same list share one reading. */
  sharedAs?: string
  /** The list is always completed. Other lists are refused as too broad when their time is up. */
  isAlwaysCompleted?: boolean
}

/** Reads the rows of a page, and one more if there is a next page. */
export function readList<Row extends object, Query extends PageQuery>(database: Database, listing: Listing<Query>): Promise<Row[]> {
  const { venture_id, query, filters, columns, needsPieces = false, index, isAlwaysCompleted = false, sharedAs } = listing
  const { limit = usualLimit } = query
  const conditions = given(query, filters)
  // Refuses a contradictory query, however the list is then read.
  const page = pageWith(query, conditions)
  // Without filters, rows are found in the order of their ids, whatever the parameters are. Planning would take longer than reading.
  const isPlain = conditions.length === 0 && query.offset === undefined
  const work = async (lists: Lists): Promise<Row[]> => {
    const end_ms = performance.now() + database.limits.answer_ms
    if (!needsPieces && (query.offset ?? 0) <= nearOffset) {
      const rows = await inTime(async () => {
        if (isPlain) return (await lists.rows(named(read<Row>`${listing.select(columns, plainPage(query))}`))).slice(0, limit + 1)
        if (index === undefined) return lists.rows(read<Row>`${listing.select(columns, page)}`)
        const found = (await isRare(lists, listing, index.filter)) ? await readByIndex<Row, Query>(lists, listing, index.ids) : undefined
        if (found !== undefined) return found
        return lists.rows(read<Row>`${pageWithCommon(listing, index.filter)}`)
      })
      if (rows !== undefined) return rows
    }
    return readPieces(lists, listing, end_ms)
  }
  if (sharedAs === undefined) return database.list(venture_id, work)
  return database.sharedList(venture_id, JSON.stringify([sharedAs, venture_id, isAlwaysCompleted, query]), work)
}

/** How many of the newest rows are sampled to estimate how many rows match a filter. Less than one in twenty counts as few. */
const sampleSize = 100
const mostOfSample = sampleSize / 20

/**
 * Whether few rows match a filter. If many match, they are found among the rows that are read anyway; an index would first list all of
 * them, which took 0.3 s for a word in five million transfers.
 */
async function isRare<Query extends PageQuery>(lists: Lists, listing: Listing<Query>, filter: PropertyKey): Promise<boolean> {
  const { select, filters, ordered = [], query } = listing
  const rest = every([...given(query, filters, ordered), ...idRange(query)])
  const matches = every(given(query, filters, [filter]))
  const sample = select(fragment`(${matches}) as matches`, fragment`${rest} order by id desc limit ${sampleSize}`)
  const found = await inTime(() =>
    lists.rows(read<{ found: number }>`select count(*) filter (where matches)::int as found from (${sample}) as sample`),
  )
  // A sample that takes too long says nothing, and the index may be quick.
  return (found?.[0]?.found ?? 0) < mostOfSample
}

const following = (after: string | undefined): Fragment[] => (after === undefined ? [] : [fragment`id < ${after}`])

/**
 * The page for a filter that many rows match: from the rows that match all other filters, in the order of the list. PostgreSQL does not
 * look into a subquery with an offset, so this filter does not change how the others are used. Otherwise PostgreSQL, which knows nothing
 * about words, would expect few matches and read and sort all rows; that took more than a second for a word in 300,000 transfers. A
 * subquery whose rows are sorted again is planned as if all of them were needed, so the rows are counted off first.
 */
export function pageWithCommon<Query extends PageQuery>(
  { select, columns, query, filters }: Listing<Query>,
  filter: keyof Filters<NoInfer<Query>>,
): Fragment {
  const { limit = usualLimit, offset = 0, after } = query
  const others = Object.keys(filters).filter((name) => name !== filter)
  const wanted = every([...given(query, filters, others), ...following(after)])
  const matches = every(given(query, filters, [filter]))
  const rows = select(fragment`*, (${matches}) as matches`, fragment`${wanted} order by id desc offset 0`)
  return fragment`select ${columns} from (select * from (${rows}) as row where matches limit ${limit + 1} offset ${offset}) as page order by id desc`
}

/** The maximum number of rows from an index, matching or not, that are checked one by one, which takes about 17 µs each. */
const mostCandidates = 30_000

/** The page, from the rows that an index finds; undefined if there are too many of them, which the sample does not always show. */
async function readByIndex<Row extends object, Query extends PageQuery>(
  lists: Lists,
  listing: Listing<Query>,
  ids: Fragment,
): Promise<Row[] | undefined> {
  const rows = await lists.rows(read<{ found: number } & Row>`${pageOfIndex(listing, ids)}`)
  if (rows.some(({ found }) => found > mostCandidates)) return undefined
  // If no row matches, the result is one row with only the number.
  return rows.flatMap(({ found: _, ...row }) => ('id' in row && row.id !== null ? [row as unknown as Row] : []))
}

/**
 * Checks candidates from the newest on, until there are enough. A condition that a row is among the candidates would read all of them. The
 * limit of one row keeps PostgreSQL from joining them in any other way.
 */
export function pageOfIndex<Query extends PageQuery>({ select, columns, query, filters }: Listing<Query>, ids: Fragment): Fragment {
  const { limit = usualLimit, offset = 0, after } = query
  const inRange = every([...idRange(query), ...following(after)])
  const row = select(columns, every([fragment`id = candidate.id`, ...given(query, filters)]))
  return fragment`with index as materialized (
      select array(select id from (${ids}) as found (id) where ${inRange} limit ${mostCandidates + 1}) as ids)
    select cardinality(index.ids) as found, page.* from index left join lateral (
      select row.* from (
        select distinct unnest(case when cardinality(index.ids) <= ${mostCandidates} then index.ids end) as id order by id desc
      ) as candidate cross join lateral (${row} limit 1) as row
      order by candidate.id desc limit ${limit + 1} offset ${offset}
    ) as page on true order by page.id desc`
}

/** Up to this offset, the skipped rows are simply read. */
const nearOffset = 10_000

/**
 * The number of rows in a piece. Pieces grow. If one takes too long, it is read again in smaller pieces, and later ones do not grow beyond
 * that.
 */
const [firstSize, largestSize, smallestSize] = [1_000, 50_000, 10]
const step = 4

async function readPieces<Row extends object, Query extends PageQuery>(
  lists: Lists,
  listing: Listing<Query>,
  end_ms: number,
): Promise<Row[]> {
  const { limit = usualLimit, offset = 0, after } = listing.query
  let wanted: Wanted = { before: after, skip: offset, count: limit + 1 }
  const ids: string[] = []
  let largest = largestSize
  for (let size = firstSize; ; ) {
    const piece = await inTime(() => readPiece(lists, listing, wanted, size))
    if (piece === undefined) {
      if (size === smallestSize) refuse('unavailable', { retry_after_s: 1 })
      size = Math.max(smallestSize, Math.floor(size / step))
      largest = size
    } else {
      ids.push(...piece.ids)
      if (piece.last === undefined || ids.length > limit) return ids.length === 0 ? [] : readRows(lists, listing, ids)
      wanted = { before: piece.last, skip: Math.max(0, wanted.skip - piece.found), count: limit + 1 - ids.length }
      size = Math.min(largest, size * step)
    }
    if (listing.isAlwaysCompleted !== true && performance.now() > end_ms) refuseTooBroad(listing.query)
  }
}

/** `before`: only rows with smaller ids. `skip`: how many matches are left out. `count`: how many are needed after these. */
type Wanted = { before: string | undefined; skip: number; count: number }

/** `last`: the last row of the piece, matching or not; undefined if no rows follow the piece. */
type Piece = { found: number; ids: string[]; last: string | undefined }

async function readPiece<Query extends PageQuery>(
  lists: Lists,
  listing: Listing<Query>,
  { before, skip, count }: Wanted,
  size: number,
): Promise<Piece> {
  const { select, filters, ordered = [], query } = listing
  const rest = [...given(query, filters, ordered), ...idRange(query), ...following(before)]
  // The conditions are not in WHERE, so that the rows are read in the order of their ids and no other index is used for a piece.
  const rows = select(fragment`id, (${every(given(query, filters))}) as matches`, fragment`${every(rest)} order by id desc limit ${size}`)
  const [piece] = await lists.rows(read<{ found: number; ids: string[] | null; last: string | null }>`
    select count(*) filter (where matches)::int as found,
      (array_agg(id) filter (where matches))[${skip + 1}::int:${skip + count}::int] as ids,
      (array_agg(id))[${size}::int] as last
    from (${rows}) as piece`)
  return { found: piece?.found ?? 0, ids: piece?.ids ?? [], last: piece?.last ?? undefined }
}

async function readRows<Row extends object, Query extends PageQuery>(
  lists: Lists,
  listing: Listing<Query>,
  ids: readonly string[],
): Promise<Row[]> {
  const { select, columns, query, filters } = listing
  // A row that has changed in the meantime must still match.
  const rest = fragment`${every([fragment`id = any(${ids})`, ...given(query, filters)])} order by id desc`
  const rows = await inTime(() => lists.rows(read<Row>`${select(columns, rest)}`))
  return rows ?? refuse('unavailable', { retry_after_s: 1 })
}

/** Undefined if a statement took too long. */
export async function inTime<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (troubleOf(error) === 'slow') return undefined
    throw error
  }
}

export function refuseTooBroad(query: object): never {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || name === 'limit' ? [] : [name]))
  refuse('query_too_broad', { parameters: given })
}
