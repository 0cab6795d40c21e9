// Checks in every test that an operation refuses only with codes that the contract lists for it.
import assert from 'node:assert/strict'
import { anyRefusals, refusalsOf } from '../contract.operations.ts'
import type { App, Route } from '../platform/http/http.ts'

const listedBy = new Map<string, ReadonlySet<string>>()

/** Throws if the operation at this path must not refuse with this code. Pages and the stand-ins of the sandbox are not in the contract. */
export function requireListed(app: App, { method, url }: { method: string; url: string }, code: string): void {
  const path = url.split('?', 1)[0] ?? ''
  const route = routeAt(app, method === 'HEAD' ? 'GET' : method, path)
  const { operationId, hide } = (route?.schema ?? {}) as { operationId?: string; hide?: boolean }
  if (route === undefined || operationId === undefined || hide === true) return
  const listed = listedBy.get(operationId) ?? codesOf(operationId, route)
  listedBy.set(operationId, listed)
  assert.ok(listed.has(code), `${operationId} refuses with ${code}: add it to the refusals of its route`)
}

function codesOf(operationId: string, { config = {}, schema }: Route): ReadonlySet<string> {
  const { own, ofKind } = refusalsOf(operationId, config, schema)
  return new Set<string>([...own, ...ofKind, ...anyRefusals])
}

/** Of several matching routes, the one with the fewest parameters, as the router chooses. */
function routeAt(app: App, method: string, path: string): Route | undefined {
  const parts = path.split('/')
  const found = patternsOf(app.routeTable).find(({ route, pattern }) => route.method === method && fits(pattern, parts))
  return found?.route
}

type Pattern = { route: Route; pattern: readonly string[] }

/** Tests refuse thousands of requests, so the table is taken apart once. */
const patternsByTable = new WeakMap<readonly Route[], readonly Pattern[]>()

function patternsOf(table: readonly Route[]): readonly Pattern[] {
  const parametersOf = ({ url }: Route) => url.split(/[:*]/).length
  const patterns =
    patternsByTable.get(table) ??
    table.toSorted((one, other) => parametersOf(one) - parametersOf(other)).map((route) => ({ route, pattern: route.url.split('/') }))
  patternsByTable.set(table, patterns)
  return patterns
}

function fits(pattern: readonly string[], parts: readonly string[]): boolean {
  return pattern.length === parts.length && pattern.every((part, index) => part.startsWith(':') || part === parts[index])
}
