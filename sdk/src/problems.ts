// Errors of a call: a refusal by the service, or no response from it.
import type { Problem, ProblemCode } from './types.made.ts'

/** The service refused the call. `code` says why; the service's page /docs/errors explains the cause and remedy of each code. */
export class VostroProblem extends Error {
  override readonly name = 'VostroProblem'
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  readonly detail: string
  /** The invalid fields, if the request was not valid. */
  readonly errors: readonly { field: string; message: string }[]
  /** Identifies the request for the operator of the service. */
  readonly request_id: string
  /** The whole problem document. */
  readonly problem: Problem
  /** True if an earlier attempt of the same call got no response, and may have caused what this attempt was refused for. */
  readonly uncertain: boolean
  /** How many seconds to wait before a retry, if the service said so. */
  readonly retryAfter_s: number | undefined

  constructor(problem: Problem, { uncertain = false, retryAfter_s }: { uncertain?: boolean; retryAfter_s?: number | undefined } = {}) {
    const { errors = [] } = problem
    super([`${problem.detail} (${problem.code})`, ...errors.map(({ field, message }) => `${field} ${message}`)].join('; '))
    this.code = problem.code
    this.status = problem.status
    this.title = problem.title
    this.detail = problem.detail
    this.errors = errors
    this.request_id = problem.request_id
    this.problem = problem
    this.uncertain = uncertain
    this.retryAfter_s = retryAfter_s
  }
}

/** No response from the service: the network failed, or an intermediary answered instead. */
export class VostroUnreachable extends Error {
  override readonly name = 'VostroUnreachable'
  /** The status, if an intermediary answered. */
  readonly status: number | undefined
  /** The idempotency key with which the call can be repeated within 24 hours without creating anything twice. */
  readonly idempotencyKey: string | undefined

  constructor(
    message: string,
    { cause, status, idempotencyKey }: { cause?: unknown; status?: number; idempotencyKey?: string | undefined },
  ) {
    super(message, { cause })
    this.status = status
    this.idempotencyKey = idempotencyKey
  }
}
