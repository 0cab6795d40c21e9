// Sends requests, checks the answers, and counts.
import { type Checks, type Finding, type findingKinds, findingsIn, isAccepted } from './fuzz.checks.ts'
import type { Answer, Wire } from './fuzz.wire.ts'
import type { Request } from './requests/fuzz.request.ts'

export type RouteCount = { requests: number; accepted: number; slow: number; statuses: Map<number, number>; findings: Map<string, number> }

const slow_ms = 1_000
/** How many findings are kept for the report; all are counted. */
const mostKept = 500

export class Run {
  readonly #wire: Wire
  readonly #checks: Checks
  readonly #onAccepted: (request: Request, answer: Answer) => void
  readonly routes = new Map<string, RouteCount>()
  readonly findings: Finding[] = []
  readonly slowest: { request: Request; duration_ms: number }[] = []
  requests = 0
  found = 0

  constructor({
    wire,
    checks,
    onAccepted = () => {},
  }: { wire: Wire; checks: Checks; onAccepted?: (request: Request, answer: Answer) => void }) {
    this.#wire = wire
    this.#checks = checks
    this.#onAccepted = onAccepted
  }

  async send(request: Request): Promise<Answer> {
    const answer = await this.#wire.send(request)
    this.#count(request, answer)
    for (const finding of findingsIn(this.#checks, request, answer)) this.report(finding)
    if (isAccepted(answer) && answer.none === undefined) this.#onAccepted(request, answer)
    return answer
  }

  /** Runs `lanes` requests concurrently, until none are left. */
  async sendAll(next: () => Request | undefined, lanes: number): Promise<void> {
    const lane = async () => {
      for (let request = next(); request !== undefined; request = next()) await this.send(request)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
  }

  report(finding: Finding): void {
    this.found++
    const { findings } = this.#routeOf(finding.request)
    findings.set(finding.kind, (findings.get(finding.kind) ?? 0) + 1)
    if (this.findings.length < mostKept) this.findings.push(finding)
  }

  countOf(kind: (typeof findingKinds)[number]): number {
    return [...this.routes.values()].reduce((sum, { findings }) => sum + (findings.get(kind) ?? 0), 0)
  }

  #count(request: Request, answer: Answer): void {
    this.requests++
    const route = this.#routeOf(request)
    route.requests++
    route.statuses.set(answer.status, (route.statuses.get(answer.status) ?? 0) + 1)
    if (isAccepted(answer) && answer.none === undefined) route.accepted++
    if (answer.duration_ms > slow_ms) {
      route.slow++
      this.slowest.push({ request, duration_ms: answer.duration_ms })
      this.slowest.sort((a, b) => b.duration_ms - a.duration_ms).splice(10)
    }
  }

  #routeOf({ target }: Request): RouteCount {
    const known = this.routes.get(target.id) ?? { requests: 0, accepted: 0, slow: 0, statuses: new Map(), findings: new Map() }
    this.routes.set(target.id, known)
    return known
  }
}
