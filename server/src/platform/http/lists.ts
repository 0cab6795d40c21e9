// Lists are bare arrays, newest first. One row more than requested is read, to find out whether there is a next page.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isDate } from '../../values/calendar.ts'
import { refuse } from '../../values/refusals.ts'
import { any, every, Fixed, type Fragment, fragment } from '../database/sql.ts'

export type PageQuery = { limit?: number; offset?: number; after?: string }

export const usualLimit = 50

/** One condition for each filter of a list. A declared filter without a condition does not compile. */
export type Filters<Query extends PageQuery> = {
  readonly [Name in Exclude<keyof Query, keyof PageQuery>]-?: (value: NonNullable<Query[Name]>) => Fragment
}

/** The conditions of the given filters, or of some of them. */
export function given<Query extends PageQuery>(
  query: Query,
  filters: Filters<NoInfer<Query>>,
  names: readonly PropertyKey[] = Object.keys(filters),
): Fragment[] {
  return Object.entries<(value: never) => Fragment>(filters).flatMap(([name, condition]) => {
    const value = query[name as keyof Query]
    return value === undefined || !names.includes(name) ? [] : [condition(value as never)]
  })
}

export function equals(column: Fragment): (value: string | boolean) => Fragment {
  return (value) => fragment`${column} = ${value}`
}

/** The order of a list: its columns, and the condition for rows that follow the one with a given id. */
export type Order = { columns: Fragment; follow(id: string): Fragment }

/** Ids are UUIDv7, so they are in the order of creation. */
const byId: Order = { columns: fragment`id desc`, follow: (id) => fragment`id < ${id}` }

/** For rows whose ids say nothing about the time. `placeOf`: selects `created_at`, which never changes, and `id` of a row. */
export const byTime = (placeOf: (id: string) => Fragment): Order => ({
  columns: fragment`created_at desc, id desc`,
  follow: (id) => fragment`(created_at, id) < (${placeOf(id)})`,
})

/** The end of a list's statement: which rows, in which order, and how many. */
export function pageOf<Query extends PageQuery>(query: Query, filters: Filters<NoInfer<Query>>, order?: Order): Fragment {
  return fragment`where ${pageWith(query, given(query, filters), order)}`
}

/** The same after WHERE, with the conditions of the filters. */
export function pageWith(
  { limit = usualLimit, offset, after }: PageQuery,
  conditions: readonly Fragment[],
  { columns, follow }: Order = byId,
): Fragment {
  if (after !== undefined && offset !== undefined) {
    refuse('invalid_request', {
      detail: 'Use after or offset, not both.',
      errors: [{ field: 'after', message: 'cannot be used together with offset' }],
    })
  }
  const wanted = after === undefined ? conditions : [...conditions, follow(after)]
  return fragment`${every(wanted)} order by ${columns} limit ${limit + 1} offset ${offset ?? 0}`
}

/** Limits, including the extra row, as part of a statement's text. With a parameter, PostgreSQL would plan the statement each time. */
const readLimits = [21, 51, 101].map((limit) => ({ limit, text: new Fixed(String(limit)) }))

/** The end of a list's statement without filters and offset. It may read more rows than the page has. */
export function plainPage({ limit = usualLimit, after }: Omit<PageQuery, 'offset'>): Fragment {
  const wanted = after === undefined ? [] : [byId.follow(after)]
  const read = readLimits.find((one) => one.limit > limit)?.text ?? limit + 1
  return fragment`${every(wanted)} order by ${byId.columns} limit ${read}`
}

/**
 * Removes the extra row, and links to the next page if there was one. `cursor` is the parameter for the start of a page, and `place` its
 * value.
 */
export function sendPage<Row extends { id: string }>(
  request: FastifyRequest<{ Querystring: PageQuery }>,
  reply: FastifyReply,
  rows: Row[],
  cursor = 'after',
  place: (row: Row) => string = ({ id }) => id,
): Row[] {
  const { limit = usualLimit } = request.query
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (rows.length > limit && last !== undefined) {
    const next = new URL(request.url, 'http://path')
    next.searchParams.delete('offset')
    next.searchParams.set(cursor, place(last))
    reply.header('link', `<${next.pathname}${next.search}>; rel="next"`)
  }
  return page
}

/** Searches for a text anywhere in one of the columns, ignoring case. `%` and `_` are ordinary characters. */
export function contains(columns: readonly Fragment[]): (text: string) => Fragment {
  return (text) => {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
    return any(columns.map((column) => fragment`${column} ilike ${pattern}`))
  }
}

/** Filters rows whose `time`, which is also the time of their id, lies between two days or timestamps, both included. */
export function between(time: Fragment) {
  return {
    date_from: (text: string) => {
      const from = startOf(text)
      return fragment`${time} >= ${from} and id >= ${idAt(from, -grace_ms)}`
    },
    date_to: (text: string) => {
      const to = endOf(text)
      return fragment`${time} < ${to} and id < ${idAt(to, grace_ms)}`
    },
  }
}

/** The range of ids of rows that were created between the dates of a query, within the tolerance. */
export function idRange({ date_from, date_to }: PageQuery & { date_from?: string; date_to?: string }): Fragment[] {
  return [
    ...(date_from === undefined ? [] : [fragment`id >= ${idAt(startOf(date_from), -grace_ms)}`]),
    ...(date_to === undefined ? [] : [fragment`id < ${idAt(endOf(date_to), grace_ms)}`]),
  ]
}

/** The first moment of a date or time. */
export function startOf(text: string): string {
  return isDate(text) ? `${text}T00:00:00.000Z` : new Date(text).toISOString()
}

/** The first moment after a date or time. A date includes its whole day, a time its own millisecond. */
export function endOf(text: string): string {
  const end = isDate(text) ? Date.parse(`${text}T00:00:00Z`) + 86_400_000 : new Date(text).getTime() + 1
  // Nothing follows the last possible day.
  return new Date(Math.min(end, lastTime_ms)).toISOString()
}

const lastTime_ms = Date.parse('9999-12-31T23:59:59.999Z')

/** The tolerance between the time of an id and that of its row, which also covers clocks that are set back a little. */
const grace_ms = 60_000

/**
 * The smallest UUIDv7 of a given time. Ids begin with their time, so a period is, within the tolerance, a range of ids, which the primary
 * key finds without reading other rows. `created_at` gives the exact bounds.
 */
export function idAt(time: string, offset_ms = 0): string {
  const hex = Math.max(0, Date.parse(time) + offset_ms)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

export function timeOf(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString()
}

/** What a list that looks through many rows can be refused with. */
export const listing = ['query_too_broad', 'too_many_lists'] as const
