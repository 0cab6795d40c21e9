// What a call throws: the service refused it, or there is no answer of the service.
import type { Problem, ProblemCode } from './types.made.ts'

/** The service has refused a call. `code` says why; the page /docs/errors of the service has the cause and the remedy of each. */
export class VostroProblem extends Error {
  override readonly name = 'VostroProblem'
  readonly code: ProblemCode
  readonly status: number
  readonly title: string
  readonly detail: string
  /** The fields that are wrong, if the request was not valid. */
  readonly errors: readonly { field: string; message: string }[]
  /** What the operator of the service needs to find the request. */
  readonly request_id: string
  /** Everything that the service has said. */
  readonly problem: Problem
  /** True if an earlier attempt of the same call got no answer, so that it may have done what this one was refused. */
  readonly uncertain: boolean
  /** How many seconds to wait before sending it again, if the service has said so. */
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

/** There is no answer of the service: the network failed, or something on the way has answered in its place. */
export class VostroUnreachable extends Error {
  override readonly name = 'VostroUnreachable'
  /** The status of the answer, if something on the way has answered. */
  readonly status: number | undefined
  /** Under this key a call that creates something can be sent again later, within 24 hours, without creating it twice. */
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
