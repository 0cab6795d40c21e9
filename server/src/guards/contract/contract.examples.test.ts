// Every example of the contract works when pasted into a shell: the shell expands the command, with the ids of the fixtures in variables, and the service
// must accept the request.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { contractOf } from '../../platform/docs/openapi.ts'
import type { Route } from '../../platform/http/http.ts'
import { formOf } from '../../testing/testing.lists.ts'
import { consoleOrigin, PersonCaller } from '../../testing/testing.sessions.ts'
import { Caller, openBank } from '../../testing/testing.ts'
import { rightCaller } from '../matrix/matrix.cases.ts'
import { Fixtures } from '../matrix/matrix.fixtures.ts'
import type { Parts } from '../matrix/matrix.parts.ts'
import { complete } from '../matrix/matrix.requests.ts'
import { rowOf } from '../matrix/matrix.rows.ts'
import { operationsIn } from './contract.faults.ts'

const bank = await openBank()
// Payments and verifications reach the sandbox's gateway and verifier over HTTP.
await bank.listen()
const fixtures = await Fixtures.open(bank)
const documented = operationsIn(JSON.parse(contractOf(bank.app)))
const routes = new Map(bank.app.routeTable.map((route) => [route.schema.operationId, route]))

/** The arguments of curl, after the shell has expanded the command. */
function expand(command: string, variables: Record<string, string>): string[] {
  const settings = Object.entries(variables).map(([name, value]) => `${name}='${value.replaceAll("'", "'\\''")}'`)
  const curl = `curl() {\n  for word in "$@"; do\n    if [ "$word" = @- ]; then word=$(cat); fi\n    printf '%s\\0' "$word"\n  done\n}`
  return execFileSync('sh', ['-euc', [...settings, curl, command].join('\n')], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
    .split('\0')
    .slice(0, -1)
}

/** The request that curl would send, with the cookies and files of the fixtures. */
function requestOf(words: readonly string[], { cookie, files }: { cookie: string; files: Record<string, string> }): InjectOptions {
  const [target = '', ...options] = words
  assert.ok(target.startsWith(consoleOrigin), target)
  const request = {
    method: 'GET',
    url: target.slice(consoleOrigin.length),
    headers: {} as Record<string, string>,
    payload: undefined as unknown,
  }
  for (let at = 0; at < options.length; at += 2) {
    const [option, value = ''] = options.slice(at)
    const [name = '', ...rest] = value.split(': ')
    if (option === '-X') request.method = value
    else if (option === '-H') request.headers[name.toLowerCase()] = rest.join(': ')
    else if (option === '-b') request.headers['cookie'] = cookie
    else if (option === '-d') request.payload = value
    else if (option === '-F')
      Object.assign(request, mergeForm(request.headers, { [value.split('=')[0] ?? '']: files[value.split('=')[0] ?? ''] ?? '' }))
    else assert.equal(option, '-c', `curl has an option that is not known here: ${option}`)
  }
  return request as InjectOptions
}

function mergeForm(headers: Record<string, string>, files: Record<string, string>) {
  const form = formOf(files)
  return { payload: form.payload, headers: { ...headers, ...form.headers } }
}

/** The values that only the fixtures know, by variable name. */
function variablesOf({ config }: Route, parts: Parts): Record<string, string> {
  const own = config?.example?.own ?? []
  const known = { ...fixtures.ids, ...parts.params, ...parts.body, ...parts.signed } as Record<string, unknown>
  const named = Object.entries(known).filter(([name]) => /_id$/.test(name) || own.includes(name))
  return Object.fromEntries(named.map(([name, value]) => [name.toUpperCase(), typeof value === 'string' ? value : JSON.stringify(value)]))
}

function credentials(caller: Caller): Record<string, string> {
  const { authorization = '', 'x-api-key': key = authorization.replace('Bearer ', '') } = caller.headers
  const [kycSecret = ''] = bank.config.kycWebhookSecrets
  return {
    VOSTRO_URL: consoleOrigin,
    VOSTRO_KEY: key,
    VOSTRO_ADMIN_KEY: bank.config.adminApiKey ?? '',
    VOSTRO_KYC_SECRET: kycSecret,
  }
}

let sent = 0

for (const { operationId, 'x-codeSamples': samples = [], method, path } of documented) {
  test(`${operationId}: the example is accepted`, async () => {
    const route: Route = routes.get(operationId) ?? assert.fail(`no route for ${method} ${path}`)
    const row = rowOf(route)
    const [make = () => ({})] = row.makers
    const parts = await complete(route, row, make, fixtures)
    const caller = rightCaller(row, parts, fixtures)
    const variables = { ...variablesOf(route, parts), ...credentials(caller) }
    const cookie = caller instanceof PersonCaller ? (caller.headers['cookie'] ?? '') : ''
    for (const { source } of samples) {
      const request = requestOf(expand(source, variables), { cookie, files: parts.files ?? {} })
      const answer = await new Caller(bank.app, {}).send(request)
      const expected = Object.keys(route.schema.response ?? {}).map(Number)
      assert.ok(expected.includes(answer.status), `${answer.status} ${answer.text}\n${source}`)
      sent++
    }
  })
}

test('every operation had an example', () => {
  assert.equal(sent, documented.length)
})

test('a command that names an id which nobody has set is not sent', () => {
  assert.throws(() => expand('curl "$VOSTRO_URL/api/v1/accounts/$ACCOUNT_ID"', { VOSTRO_URL: consoleOrigin }), /ACCOUNT_ID/)
})
