import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Door } from '../platform/http.ts'
import { Caller, openBank } from '../testing.ts'
import { makeKey } from '../ventures/ventures.keys.ts'

const bank = await openBank()

// Who may enter where. A route that is not listed here fails the build: decide, then add it.
const doors: Record<string, Door> = {
  'GET /healthz': 'none',
  'GET /readyz': 'none',
  'GET /metrics': 'admin',
  'GET /openapi.json': 'none',
  'GET /docs': 'none',
  'GET /docs/': 'none',
  'GET /docs/errors': 'none',
  'GET /docs/js/scalar.js': 'none',
  'POST /api/v1/ventures': 'admin',
  'GET /api/v1/ventures': 'admin',
  'GET /api/v1/ventures/:venture_id': 'admin',
  'PUT /api/v1/ventures/:venture_id': 'admin',
  'POST /api/v1/ventures/:venture_id/rotate-key': 'admin',
  'GET /api/v1/venture': 'venture',
  'POST /api/v1/venture/rotate-key': 'venture',
  'GET /api/v1/events': 'venture',
  'GET /api/v1/events/:event_id': 'venture',
  'POST /api/v1/webhook-endpoints': 'venture',
  'GET /api/v1/webhook-endpoints': 'venture',
  'GET /api/v1/webhook-endpoints/:endpoint_id': 'venture',
  'PUT /api/v1/webhook-endpoints/:endpoint_id': 'venture',
  'DELETE /api/v1/webhook-endpoints/:endpoint_id': 'venture',
  'POST /api/v1/webhook-endpoints/:endpoint_id/rotate-secret': 'venture',
  'POST /api/v1/webhook-endpoints/:endpoint_id/test': 'venture',
  'GET /api/v1/webhook-endpoints/:endpoint_id/deliveries': 'venture',
  'GET /api/v1/webhook-endpoints/:endpoint_id/deliveries/:delivery_id': 'venture',
  'POST /api/v1/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/redeliver': 'venture',
  'POST /api/v1/webhook-endpoints/:endpoint_id/redeliver-failed': 'venture',
  'POST /api/v1/payments': 'venture',
  'GET /api/v1/payments': 'venture',
  'GET /api/v1/payments/:payment_id': 'venture',
  'POST /api/v1/payments/:payment_id/cancel': 'venture',
  'POST /api/v1/payments/:payment_id/refund': 'venture',
  'GET /api/v1/payments/:payment_id/return': 'none',
  'POST /api/v1/payment-links': 'venture',
  'GET /api/v1/payment-links': 'venture',
  'GET /api/v1/payment-links/:link_id': 'venture',
  'PUT /api/v1/payment-links/:link_id': 'venture',
  'GET /pay/:token': 'none',
  'POST /pay/:token': 'none',
  'GET /pay/:token/qr.svg': 'none',
  'GET /pay/:token/:payment_id': 'none',
  'GET /pay/*': 'none',
  'POST /sandbox/gateway/payment/rest/register.do': 'none',
  'POST /sandbox/gateway/payment/rest/getOrderStatusExtended.do': 'none',
  'POST /sandbox/gateway/payment/rest/refund.do': 'none',
  'POST /sandbox/gateway/payment/rest/reverse.do': 'none',
  'POST /sandbox/gateway/payment/rest/decline.do': 'none',
  'GET /sandbox/gateway/form/:order_id': 'none',
  'POST /sandbox/gateway/form/:order_id': 'none',
  'GET /sandbox/gateway/acs/:order_id': 'none',
  'POST /sandbox/gateway/acs/:order_id': 'none',
  'POST /api/v1/clients/person': 'venture',
  'GET /api/v1/clients': 'venture',
  'GET /api/v1/clients/:client_id': 'venture',
  'PUT /api/v1/clients/:client_id': 'venture',
  'POST /api/v1/clients/:client_id/onboarding/details': 'venture',
  'GET /api/v1/clients/:client_id/onboarding/details': 'venture',
  'POST /api/v1/transfers': 'venture',
  'GET /api/v1/transfers': 'venture',
  'GET /api/v1/accounts/:account_id/transfers': 'venture',
  'GET /api/v1/transfers/:transfer_id': 'venture',
  'PUT /api/v1/transfers/:transfer_id': 'venture',
  'GET /api/v1/transfers/:transfer_id/transitions': 'venture',
  'GET /api/v1/transfers/:transfer_id/history': 'venture',
  'POST /api/v1/sandbox/accounts/:account_id/deposits': 'venture',
  'POST /api/v1/sandbox/transfers/:transfer_id/settle': 'venture',
  'POST /api/v1/kyc/webhook': 'verifier',
  'GET /api/v1/kyc/unmatched-events': 'admin',
  'POST /api/v1/sandbox/clients/:client_id/verification': 'venture',
  'POST /sandbox/verifier/applications': 'relay',
  'GET /sandbox/verifier/:token': 'none',
  'POST /sandbox/verifier/:token': 'none',
  'POST /api/v1/beneficiaries': 'venture',
  'GET /api/v1/beneficiaries': 'venture',
  'GET /api/v1/beneficiaries/:beneficiary_id': 'venture',
  'PUT /api/v1/beneficiaries/:beneficiary_id': 'venture',
  'POST /api/v1/accounts': 'venture',
  'GET /api/v1/accounts': 'venture',
  'GET /api/v1/accounts/:account_id': 'venture',
  'PUT /api/v1/accounts/:account_id': 'venture',
  'POST /api/v1/accounts/:account_id/activate': 'venture',
  'POST /api/v1/accounts/:account_id/freeze': 'venture',
  'POST /api/v1/accounts/:account_id/close': 'venture',
  'GET /api/v1/accounts/:account_id/entries': 'venture',
}

test('the table of doors lists exactly the routes that exist', () => {
  assert.deepEqual(Object.fromEntries(bank.app.routeTable.map(({ method, url, key }) => [`${method} ${url}`, key])), doors)
})

test('every operation of the API has an id, a summary and a tag of its own', () => {
  const routes = bank.app.routeTable.filter(({ url }) => url.startsWith('/api/v1/'))
  const ids = routes.map(({ schema }) => schema.operationId)
  assert.ok(ids.every((id) => typeof id === 'string'))
  assert.equal(new Set(ids).size, ids.length)
  for (const { schema } of routes) assert.ok('summary' in schema && 'tags' in schema)
})

test('every route answers every kind of key as its door says, whatever the body and the path hold', async () => {
  const venture = await bank.registerVenture()
  const disabled = await bank.registerVenture()
  await bank.admin.put(`/ventures/${disabled.venture.id}`, { status: 'DISABLED' })
  const rotated = await bank.registerVenture()
  await rotated.post('/venture/rotate-key')
  const key = venture.venture.api_key
  const callers: Record<string, { caller: Caller; as: 'nobody' | 'venture' | 'admin' | 'relay' }> = {
    'no key': { caller: bank.stranger, as: 'nobody' },
    'unknown key': { caller: new Caller(bank.app, { 'x-api-key': makeKey('test') }), as: 'nobody' },
    'malformed key': { caller: new Caller(bank.app, { authorization: 'Bearer hello' }), as: 'nobody' },
    'not a bearer': { caller: new Caller(bank.app, { authorization: `Basic ${key}` }), as: 'nobody' },
    'two different keys': { caller: new Caller(bank.app, { authorization: `Bearer ${key}`, 'x-api-key': makeKey('test') }), as: 'nobody' },
    'disabled venture': { caller: disabled, as: 'nobody' },
    'rotated-away key': { caller: rotated, as: 'nobody' },
    'unknown admin key': { caller: new Caller(bank.app, { 'x-api-key': makeKey('admin') }), as: 'nobody' },
    venture: { caller: venture, as: 'venture' },
    admin: { caller: bank.admin, as: 'admin' },
    relay: { caller: new Caller(bank.app, { 'x-api-key': bank.config.kycApiKey ?? '' }), as: 'relay' },
  }
  const opens = (door: Door, as: string) => door === 'none' || as === door || (door === 'verifier' && (as === 'venture' || as === 'relay'))
  let refusals = 0
  for (const { method, url, key: door } of bank.app.routeTable) {
    for (const [name, { caller, as }] of Object.entries(callers)) {
      if (opens(door, as)) continue
      const expected = as === 'nobody' ? 401 : 403
      for (const payload of [undefined, '{', '{"surprise":1}']) {
        const answer = await caller.send({
          method: method as 'GET',
          url: url.replace(/:[a-z_]+/g, 'not-an-id'),
          ...(payload === undefined ? {} : { payload, headers: { 'content-type': 'application/json' } }),
        })
        assert.equal(answer.status, expected, `${method} ${url} with ${name}`)
        assert.equal(answer.problem.code, expected === 401 ? 'unauthorized' : 'forbidden')
        assert.equal(answer.headers['www-authenticate'], expected === 401 ? 'Bearer realm="vostro"' : undefined)
        refusals++
      }
    }
  }
  assert.ok(refusals >= 100, `only ${refusals} refusals were looked at`)
})

test('the same key in both headers is one key', async () => {
  const { venture } = await bank.registerVenture()
  const caller = new Caller(bank.app, { authorization: `Bearer ${venture.api_key}`, 'x-api-key': venture.api_key })
  assert.equal((await caller.get('/venture')).body.id, venture.id)
})

test('without an admin key the admin routes do not exist, with any key and with none', async () => {
  const closed = await bank.openInstance({ adminApiKey: undefined })
  const { venture } = await bank.registerVenture()
  for (const { method, url } of closed.routeTable.filter(({ key }) => key === 'admin')) {
    for (const headers of [{}, { 'x-api-key': venture.api_key }, { 'x-api-key': bank.config.adminApiKey ?? '' }]) {
      const answer = await new Caller(closed, headers).send({ method: method as 'GET', url: url.replace(/:[a-z_]+/g, venture.id) })
      assert.equal(answer.status, 404, `${method} ${url}`)
      assert.equal(answer.problem.code, 'route_not_found')
    }
  }
})
