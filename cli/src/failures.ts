// Why a command ended, and its exit code.
import { VostroProblem, VostroUnreachable } from '@vostro/sdk'

/** `interrupted` is the code that shells use for Ctrl-C. */
export const exits = { ok: 0, refused: 1, usage: 2, unreachable: 3, interrupted: 130 } as const

/** The command was called incorrectly. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command was called correctly, but cannot do its work. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** Ctrl-C ended the command before its work was done. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

export type Failure = { exit: number; message: string; code?: string; request_id?: string }

/** A sentence for people, and fields for programs. Any other error is a bug and is rethrown. */
export function failureOf(error: unknown, url: string): Failure {
  if (error instanceof UsageError) return { exit: exits.usage, message: error.message }
  if (error instanceof Refused) return { exit: exits.refused, message: error.message }
  if (error instanceof Interrupted) return { exit: exits.interrupted, message: error.message }
  if (error instanceof VostroUnreachable)
    return { exit: exits.unreachable, message: `The service cannot be reached at ${url}: ${reasonOf(error)}` }
  if (error instanceof VostroProblem) {
    const { code, request_id } = error
    return { exit: exits.refused, message: `${wordsOf(error)} [request ${request_id}]`, code, request_id }
  }
  throw error
}

/** The detail often covers the only invalid field, which is then not repeated. */
function wordsOf({ detail, code, errors }: VostroProblem): string {
  const others = errors.map(({ field, message }) => `${field} ${message}`).filter((text) => !detail.includes(text))
  return [`${detail}${hintOf(detail)} (${code})`, ...others].join('; ')
}

/** The service does not know which option of the CLI names the venture. */
const hintOf = (detail: string): string =>
  /needs a venture's key\.$/.test(detail) ? ' With the admin key, name the venture: --venture ID.' : ''

/** The network's own reason, such as `connect ECONNREFUSED 127.0.0.1:8080`. */
export function reasonOf(error: Error): string {
  const { cause } = error
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  if (!(inner instanceof Error)) return error.message
  // Several failed attempts are reported as one error without a message.
  const [first] = (inner as AggregateError).errors ?? []
  const text = inner.message || (first instanceof Error ? first.message : '') || ((inner as NodeJS.ErrnoException).code ?? error.message)
  return text.endsWith('.') ? text : `${text}.`
}
