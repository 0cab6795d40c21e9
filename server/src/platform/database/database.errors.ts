// What an error of the PostgreSQL client means for us.

/**
 * conflict: serialization failure or deadlock; not done, may be tried again.
 * lost: the database could not be reached or went away; done only if COMMIT was under way and arrived.
 * slow: a statement or a lock took too long; not done, and trying again would only take longer.
 * full: the disk or the memory of the database is used up; not done, and there is no more of it a moment later.
 */
export type Trouble = 'conflict' | 'lost' | 'slow' | 'full'

const conflicts = new Set(['40001', '40P01'])
const slow = new Set(['57014', '55P03'])
const full = new Set(['53000', '53100', '53200', '53400', '58030'])

/** Class 08 is connection trouble; 57P0x and 25P0x a server or a session that ends; 53300 too many connections. */
const lost = /^(08...|57P0[1-5]|25P0[34]|53300)$/

const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** The client's own errors carry no code, only these words. */
const clientWords =
  /connection terminated|connection ended|not queryable|timeout exceeded when trying to connect|query read timeout|pool after calling end/i

/** What kind of trouble an error is; undefined when the database answered and the answer is no. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (conflicts.has(code)) return 'conflict'
  if (slow.has(code)) return 'slow'
  if (full.has(code)) return 'full'
  if (lost.test(code) || socketCodes.has(code) || clientWords.test(error.message)) return 'lost'
  return undefined
}
