// Every route with every kind of caller: keys of each scope, people of each role, and invalid sessions. The expectations follow from the path and the
// method, not from the declarations that the service uses.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import type { Route } from '../../platform/http/http.ts'
import { openBanker, openMember, type PersonCaller, signIn } from '../../testing/testing.sessions.ts'
import { type Answer, Caller, openBank } from '../../testing/testing.ts'
import { scopes } from '../../ventures/ventures.ts'
import { nameOf } from './matrix.names.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const { id: venture_id } = venture.venture

/**
 * The area of a route. payouts: payout settings. secrets: webhook secrets. keys: API keys. log: the request log. audit: the audit log. people: users and
 * invitations. self: open to every key and every person.
 */
type Area =
  | 'payouts'
  | 'clients'
  | 'questions'
  | 'accounts'
  | 'transfers'
  | 'payments'
  | 'webhooks'
  | 'secrets'
  | 'keys'
  | 'log'
  | 'people'
  | 'audit'
  | 'self'
  | 'rotation'

const areas: readonly (readonly [RegExp, Area])[] = [
  [/^POST .*\/webhook-endpoints$|\/rotate-secret$/, 'secrets'],
  [/ \/venture\/rotate-key$/, 'rotation'],
  [/ \/venture\/keys/, 'keys'],
  [/ \/venture\/audit-log$/, 'audit'],
  [/ \/venture\/(users|invitations)/, 'people'],
  [/ \/(venture|find)$/, 'self'],
  // It shows data of all areas.
  [/ \/clients\/:client_id\/export$/, 'log'],
  [/ \/questions/, 'questions'],
  [/ \/(clients|kyc\/webhook|sandbox\/clients)/, 'clients'],
  [
    / \/(transfers|transfer-flows|schemes|beneficiaries|mandates|payee-verifications|sandbox\/accounts|sandbox\/transfers)|\/accounts\/:account_id\/transfers$/,
    'transfers',
  ],
  [/ \/accounts/, 'accounts'],
  [/^PUT \/payout-settings$/, 'payouts'],
  [/ \/(payments|payment-links|payouts|payout-settings|balance)/, 'payments'],
  [/ \/(webhook-endpoints|webhook-deliveries|events)/, 'webhooks'],
  [/ \/(requests|statistics)/, 'log'],
]

function areaOf(route: Route): Area {
  const name = nameOf(route).replace('/api/v1', '')
  return areas.find(([pattern]) => pattern.test(name))?.[1] ?? assert.fail(`${name} belongs to no area`)
}

const reads = ({ method }: Route) => method === 'GET'

/** Areas without a scope of their own. */
const scopeOfArea: Partial<Record<Area, string>> = { secrets: 'webhooks', payouts: 'payments', questions: 'clients' }

function mayKey(route: Route, scope: string): boolean {
  if (route.key !== 'venture' && route.key !== 'verifier') return false
  const area = areaOf(route)
  if (area === 'self' || area === 'rotation') return true
  if (area === 'keys' || area === 'people' || area === 'audit') return false
  const own = scopeOfArea[area] ?? area
  if (scope === own || (scope === 'read' && reads(route))) return true
  return scope === 'sign' && area === 'transfers' && (reads(route) || nameOf(route) === 'PUT /api/v1/transfers/:transfer_id')
}

const forAdminsOfVenture: readonly Area[] = ['keys', 'people', 'secrets', 'payouts']

function mayMember(route: Route, role: string): boolean {
  if (route.key === 'session') return true
  if (route.key !== 'venture') return false
  const area = areaOf(route)
  if (area === 'rotation') return false
  if (area === 'keys') return role === 'admin' || (role === 'operator' && reads(route))
  if (area === 'audit') return role === 'admin'
  if (reads(route)) return true
  return role === 'admin' || (role === 'operator' && !forAdminsOfVenture.includes(area))
}

/** Operations on the bank itself that only its admins may carry out. */
const forAdmins =
  /^(POST|PUT|DELETE) \/api\/v1\/(ventures|sandbox\/(?:clock|demo)|operator\/(users|invitations|keys|pairs|rates|nostros|watchlists$|watchlists\/.*\/activate$))/

function mayBanker(route: Route, role: string): boolean {
  if (route.key === 'session') return true
  if (route.key === 'verifier' || route.key === 'relay') return false
  if (reads(route)) return true
  if (role === 'auditor') return false
  if (route.key === 'operator') return role === 'admin' || !forAdmins.test(nameOf(route))
  const area = areaOf(route)
  // Nobody at the bank answers for a venture.
  if (area === 'rotation' || area === 'questions') return false
  return role === 'admin' || !forAdminsOfVenture.includes(area)
}

type Expected = 'may' | 401 | 403 | 404
type Kind = { caller: Caller; expects(route: Route): Expected }

const allowed = (may: boolean): Expected => (may ? 'may' : 403)

async function openKinds(): Promise<Record<string, Kind>> {
  const kinds: Record<string, Kind> = { 'no key': { caller: bank.stranger, expects: () => 401 } }
  for (const scope of scopes) {
    const { body } = await venture.post('/venture/keys', { name: scope, scopes: [scope] })
    kinds[`a key with ${scope}`] = {
      caller: new Caller(bank.app, { 'x-api-key': body.api_key }),
      expects: (route) => allowed(mayKey(route, scope)),
    }
  }
  kinds['a key with all scopes'] = {
    caller: venture,
    expects: (route) => allowed((route.key === 'venture' && !['people', 'audit'].includes(areaOf(route))) || route.key === 'verifier'),
  }
  for (const role of ['admin', 'operator', 'viewer'] as const) {
    const member = await openMember(bank, venture_id, role)
    kinds[`${role} of the venture`] = { caller: member, expects: (route) => allowed(mayMember(route, role)) }
  }
  for (const role of ['admin', 'operator', 'auditor'] as const) {
    const banker = (await openBanker(bank, role)).actingFor(venture_id)
    kinds[`${role} of the bank`] = { caller: banker, expects: (route) => allowed(mayBanker(route, role)) }
  }
  kinds['the admin key for a venture'] = {
    caller: new Caller(bank.app, { ...bank.admin.headers, 'vostro-venture': venture_id }),
    expects: (route) => allowed(route.key !== 'session' && mayBanker(route, 'admin')),
  }
  kinds['the admin key for no venture'] = { caller: bank.admin, expects: (route) => allowed(route.key === 'operator') }

  const admin = await openMember(bank, venture_id, 'admin')
  kinds['a session without the console header'] = {
    caller: admin.with({ 'x-vostro-console': undefined }),
    expects: (route) => (reads(route) ? allowed(mayMember(route, 'admin')) : 403),
  }
  for (const [name, headers] of Object.entries({
    'a session from another origin': { 'sec-fetch-site': 'cross-site' },
    'a session from another site of the same owner': { 'sec-fetch-site': 'same-site' },
  })) {
    kinds[name] = { caller: admin.with(headers), expects: () => 403 }
  }
  kinds['a session whose Origin is another'] = {
    caller: admin.with({ origin: 'https://evil.example' }),
    expects: (route) => (reads(route) ? allowed(mayMember(route, 'admin')) : 403),
  }
  kinds['a session together with a key'] = { caller: admin.with({ ...venture.headers }), expects: () => 401 }
  kinds['a member of another venture'] = {
    caller: (await openMember(bank, (await bank.registerVenture()).venture.id, 'admin')).actingFor(venture_id),
    expects: (route) => (route.key === 'session' ? 'may' : route.key === 'operator' ? 403 : 404),
  }
  const disabled = await openMember(bank, venture_id, 'admin')
  await bank.admin.put(`/operator/users/${disabled.person.user_id}`, { status: 'DISABLED' })
  kinds['a disabled user'] = { caller: disabled, expects: () => 401 }
  for (const [name, change] of Object.entries({
    'an expired session': "expires_at = now() - interval '1 second'",
    'an idle session': "last_seen_at = now() - interval '31 minutes'",
  })) {
    kinds[name] = { caller: await changed(await signIn(bank, admin.person, venture_id), change), expects: () => 401 }
  }
  return kinds
}

async function changed(session: PersonCaller, change: string): Promise<PersonCaller> {
  await bank.owner.query(`update sessions set ${change} where token_hash = $1`, [hash('sha256', session.token)])
  return session
}

/** A route can accept the caller and still refuse the request for other reasons, such as a wrong signature. */
const refusals = new Set(['unauthorized', 'forbidden', 'foreign_origin', 'venture_not_found'])

const kinds = await openKinds()
let looked = 0

/** The path and the body are malformed, so that a permitted caller changes nothing. */
function send(caller: Caller, { method, url }: Route): Promise<Answer> {
  const path = url.replace(/:[a-z_]+/g, 'not-an-id')
  const body = method === 'GET' ? {} : { payload: '{"surprise":1}', headers: { 'content-type': 'application/json' } }
  return caller.send({ method: method as 'GET', url: path, ...body })
}

const routes = bank.app.routeTable.filter(({ key, url }) => key !== 'none' && key !== 'relay' && url.startsWith('/api/v1/'))

for (const route of routes) {
  test(nameOf(route), async () => {
    const before = await bank.count('api_keys')
    for (const [name, { caller, expects }] of Object.entries(kinds)) {
      const expected = expects(route)
      const { status, problem, text } = await send(caller, route)
      const refusal = refusals.has(problem?.code) ? status : 'may'
      assert.equal(refusal, expected, `${name}: ${status} ${text.slice(0, 300)}`)
      if (status === 403) assert.match(problem.detail, /^This operation needs |another site|Origin must|X-Vostro-Console/, name)
      looked++
    }
    assert.equal(await bank.count('api_keys'), before)
  })
}

test('the matrix has looked at every route with every kind of caller', (t) => {
  t.diagnostic(`${looked} pairs of ${routes.length} routes and ${Object.keys(kinds).length} kinds of callers`)
  assert.equal(looked, routes.length * Object.keys(kinds).length)
  assert.ok(routes.length >= 95 && Object.keys(kinds).length >= 26, `${routes.length} routes, ${Object.keys(kinds).length} kinds`)
})
