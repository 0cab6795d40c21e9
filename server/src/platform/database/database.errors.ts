// Classifies errors of the PostgreSQL client.

/**
 * conflict: serialization failure or deadlock; not done, may be retried.
 * lost: the database could not be reached or the connection broke; done only if COMMIT was sent and arrived.
 * slow: a statement or a lock took too long; not done, and a retry would take as long.
 * full: the database ran out of disk or memory; not done, and an immediate retry would fail too.
 */
export type Trouble = 'conflict' | 'lost' | 'slow' | 'full'

const conflicts = new Set(['40001', '40P01'])
const slow = new Set(['57014', '55P03'])
const full = new Set(['53000', '53100', '53200', '53400', '58030'])

/**
 * Class 08 is a connection error; 57P0x and 25P0x mean that a server or session is ending; 53300 means too many connections; 25006 is a
 * write on a standby, to which a failover or a load balancer has connected us.
 */
const lost = /^(08...|57P0[1-5]|25P0[34]|25006|53300)$/

const socketCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'])

/** The client's own errors have no code, only these messages. */
const clientMessages =
  /connection terminated|connection ended|not queryable|timeout expired|timeout exceeded when trying to connect|query read timeout|pool after calling end/i

/** A distributed database that has lost a server does not always report that with a code of its own. */
const remoteMessages =
  /^failure on connection marked as essential|^connection to the remote node|^server closed the connection unexpectedly|^postmaster was shut down/

/** Our statements refuse by dividing by zero, because plain SQL has no other way to fail. */
export const isDivisionByZero = (error: unknown): boolean => (error as { code?: unknown }).code === '22012'

/** The kind of trouble; undefined if the database itself rejected the statement. */
export function troubleOf(error: unknown): Trouble | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  if (conflicts.has(code)) return 'conflict'
  if (slow.has(code)) return 'slow'
  if (full.has(code)) return 'full'
  if (lost.test(code) || socketCodes.has(code) || clientMessages.test(error.message)) return 'lost'
  if (code === 'XX000' && remoteMessages.test(error.message)) return 'lost'
  return undefined
}
