// Lists are bare arrays, newest first. One row more than asked for tells whether a next page exists.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse } from '../values/refusals.ts'
import { any, every, type Fragment, fragment } from './sql.ts'

export type PageQuery = { limit?: number; offset?: number; after?: string }

export const usualLimit = 50

/** The end of a list's statement: which rows, in which order, and how many. Ids are UUIDv7, so their order is that of creation. */
export function pageOf({ limit = usualLimit, offset, after }: PageQuery, conditions: readonly Fragment[]): Fragment {
  if (after !== undefined && offset !== undefined) {
    refuse('invalid_request', {
      detail: 'Use after or offset, not both.',
      errors: [{ field: 'after', message: 'cannot be used together with offset' }],
    })
  }
  const wanted = after === undefined ? conditions : [...conditions, fragment`id < ${after}`]
  return fragment`where ${every(wanted)} order by id desc limit ${limit + 1} offset ${offset ?? 0}`
}

/** Cuts the extra row off and links to the next page if there was one. */
export function sendPage<Row extends { id: string }>(
  request: FastifyRequest<{ Querystring: PageQuery }>,
  reply: FastifyReply,
  rows: Row[],
): Row[] {
  const { limit = usualLimit } = request.query
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (rows.length > limit && last !== undefined) {
    const next = new URL(request.url, 'http://path')
    next.searchParams.delete('offset')
    next.searchParams.set('after', last.id)
    reply.header('link', `<${next.pathname}${next.search}>; rel="next"`)
  }
  return page
}

/** Finds a text anywhere in one of the columns, in any case; `%` and `_` are ordinary characters. */
export function contains(text: string, columns: readonly Fragment[]): Fragment {
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  return any(columns.map((column) => fragment`${column} ilike ${pattern}`))
}
