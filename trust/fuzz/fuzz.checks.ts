// The checks of every response: no 5xx, no hang, nothing that openapi.json does not describe, nothing of another venture's.
import { readFileSync } from 'node:fs'
import { Ajv, type ValidateFunction } from 'ajv'
import type { Answer } from './fuzz.wire.ts'
import type { Request } from './requests/fuzz.request.ts'

export const findingKinds = ['5xx', 'no answer', 'contract', 'leak', 'injected', 'accepted', 'misleading', 'stored'] as const
export type FindingKind = (typeof findingKinds)[number]
export type Finding = { kind: FindingKind; request: Request; answer: Answer; what: string }

type Json = { [name: string]: unknown }
type Operation = { responses: Record<string, { content?: Record<string, { schema: Json }> }>; 'x-refusals': string[] }

const contractFile = new URL('../../openapi.json', import.meta.url)

/** Compares responses with the contract and reports deviations. */
export class Contract {
  readonly #ajv = new Ajv({ strict: false, allErrors: false })
  /** By operation, status and content type. Only JSON has a schema that is compared. */
  readonly #operations = new Map<string, Map<string, Map<string, ValidateFunction | undefined>>>()
  /** The codes with which each operation can be refused. */
  readonly #refusals = new Map<string, ReadonlySet<string>>()
  readonly #problem: ValidateFunction

  constructor() {
    const document = JSON.parse(readFileSync(contractFile, 'utf8')) as {
      paths: Record<string, Record<string, Operation>>
      components: Json
      'x-refusals': string[]
    }
    this.#ajv.addFormat('uuid', /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
    this.#ajv.addFormat('date', /^\d{4}-\d\d-\d\d$/)
    this.#ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    const components = closed(document.components)
    const compile = (schema: Json) => this.#ajv.compile({ ...(closed(schema) as Json), components })
    this.#problem = compile({ $ref: '#/components/schemas/Problem' })
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, { responses, 'x-refusals': refusals }] of Object.entries(methods)) {
        const statuses = Object.entries(responses).filter(([status]) => status !== 'default')
        const validators = statuses.map(([status, { content }]) => {
          const types = Object.entries(content ?? {}).map(
            ([type, { schema }]) => [type, type === 'application/json' ? compile(schema) : undefined] as const,
          )
          return [status, new Map(types)] as const
        })
        const name = `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
        this.#operations.set(name, new Map(validators))
        this.#refusals.set(name, new Set([...refusals, ...document['x-refusals']]))
      }
    }
  }

  mismatch({ target, method }: Request, { status, head, body }: Answer): string | undefined {
    const type = /\r\ncontent-type: ([^;\r\n]+)/i.exec(head)?.[1]
    const name = `${method} ${target.url}`
    if (type === 'application/problem+json') return this.#wrongProblem(name, status, body)
    const operation = this.#operations.get(name)
    // A route outside the contract responds with HTML, or in the format of the partner it stands in for.
    if (operation === undefined) return undefined
    if (status >= 400) return `a refusal of type ${type}`
    const types = operation.get(String(status))
    if (types === undefined) return `the status ${status} is not documented`
    if (types.size === 0) return body === '' ? undefined : 'a body where none is documented'
    if (type === undefined || !types.has(type)) return `the type ${type} is not documented`
    const validate = types.get(type)
    return validate === undefined ? undefined : this.#wrong(validate, body)
  }

  #wrongProblem(name: string, status: number, body: string): string | undefined {
    if (status < 400) return `a problem with the status ${status}`
    const wrong = this.#wrong(this.#problem, body)
    if (wrong !== undefined) return wrong
    const problem = JSON.parse(body)
    if (problem.status !== status) return `the problem says another status than ${status}`
    return (this.#refusals.get(name)?.has(problem.code) ?? true) ? undefined : `the operation does not list the code ${problem.code}`
  }

  #wrong(validate: ValidateFunction, body: string): string | undefined {
    try {
      return validate(JSON.parse(body)) ? undefined : this.#ajv.errorsText(validate.errors, { dataVar: 'answer' })
    } catch {
      return 'not JSON'
    }
  }
}

/** An undocumented field must not be in a response, so objects are closed unless they say otherwise. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]))
  const isOpen = copy['type'] === 'object' && typeof copy['properties'] === 'object' && copy['additionalProperties'] === undefined
  return isOpen ? { ...copy, additionalProperties: false } : copy
}

/** Finds the neighbour's data in responses to others. */
export class Canaries {
  readonly #pattern: RegExp

  /** `needles`: the neighbour's marker word, ids, numbers and tokens. */
  constructor(needles: readonly string[]) {
    if (needles.some((needle) => needle.length < 6)) throw new RangeError('a canary that short would sing by chance')
    this.#pattern = new RegExp([...needles].sort().map(RegExp.escape).join('|'), 'g')
  }

  /** The neighbour's data in the response that was not in the request. */
  leak(request: Request, { head, body }: Answer): string | undefined {
    const found = [...(body.match(this.#pattern) ?? []), ...(head.match(this.#pattern) ?? [])]
    if (found.length === 0) return undefined
    const asked = `${request.path} ${request.body === undefined ? '' : Buffer.from(request.body).toString('utf8')}`.toLowerCase()
    return found.find((needle) => !asked.includes(needle.toLowerCase()))
  }
}

/** Whether the service accepted the request. Stand-ins of partners refuse with status 200 and a code in the body. */
export function isAccepted({ status, body }: Answer): boolean {
  return status < 400 && !/^\{"errorCode":"[1-9]/.test(body)
}

export type Checks = { contract: Contract; canaries: Canaries }

export function findingsIn({ contract, canaries }: Checks, request: Request, answer: Answer): Finding[] {
  const findings: Finding[] = []
  const found = (kind: FindingKind, what: string) => findings.push({ kind, request, answer, what })
  if (answer.none !== undefined) found('no answer', answer.none === 'hung' ? 'no answer in time' : 'the connection was closed')
  else if (answer.status >= 500 && !isHonest(request, answer)) found('5xx', `${answer.status} ${answer.body.slice(0, 300)}`)
  else {
    const mismatch = contract.mismatch(request, answer)
    if (mismatch !== undefined) found('contract', mismatch)
    if (request.refused && isAccepted(answer)) found('accepted', `${answer.status} ${answer.body.slice(0, 300)}`)
    else if (request.field !== undefined && !names(answer, request.field))
      found('misleading', `${request.field} is not named: ${answer.body.slice(0, 300)}`)
  }
  const injected = injection.exec(answer.head)?.[0]
  if (injected !== undefined) found('injected', injected.trim())
  const leaked = request.as === 'admin' ? undefined : canaries.leak(request, answer)
  if (leaked !== undefined) found('leak', leaked)
  return findings
}

/** Their outcome may be unknown, for example because this attack also changes orders directly at the gateway. */
const askingTheGateway = ['POST /api/v1/payments/:payment_id/cancel', 'POST /api/v1/payments/:payment_id/refund']

function isHonest({ target }: Request, { body }: Answer): boolean {
  return askingTheGateway.includes(target.id) && body.includes('"code":"outcome_unknown"')
}

/** The service sets no cookie and never redirects to the host that requests here try to inject, so such a header came from a request. */
const injection = /\r\n(set-cookie:|location: [^\r]*evil\.invalid)[^\r]*/i

/** A refusal for the right reason names the field. */
function names({ status, body }: Answer, field: string): boolean {
  // Errors in one of many orders are reported by its position.
  if (status === 422 && field === 'transfers') return (JSON.parse(body) as { code: string }).code === 'bulk_refused'
  if (status !== 400) return false
  const { errors } = JSON.parse(body) as { errors?: { field: string }[] }
  return errors?.some(({ field: named }) => named === field || named.startsWith(`${field}.`)) ?? false
}
