// Checks on the access that routes declare, beyond what the compiler checks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lookUps } from '../desk/desk.find.ts'
import {
  alone,
  anybody,
  changesAtBank,
  readsAtBank,
  relayOnly,
  rolesWithPasskey,
  themselves,
  ventureRoles,
} from '../platform/http/access.ts'
import { createHttp } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { openBank } from '../testing/testing.ts'
import { adminKeyScopes, adminKeySteps } from '../users/users.adminkey.rules.ts'

const bank = await openBank()
const { operations } = bank.services

test('a route that does not say who may call it, or is closed and has no operationId, is refused when it is registered', () => {
  const app = createHttp(createLog('silent'))
  const add =
    (config: object, schema: object = {}) =>
    () =>
      (app.get as (path: string, options: object, handler: () => null) => void)(`/${Math.random()}`, { config, schema }, () => null)
  assert.throws(add({}), /does not say who may call it: declare its access/)
  for (const access of [readsAtBank, themselves, changesAtBank(alone('It protects.'))])
    assert.throws(add({ access }), /is not open to everybody and has no operationId/)
  for (const access of [anybody, relayOnly]) add({ access })()
  add({ access: readsAtBank }, { operationId: 'lookAround' })()
})

test('these operations are open to everybody, and no others', () => {
  const open = operations.list().filter(([, { access }]) => access.door === 'none')
  assert.deepEqual(
    open.map(([name, { access }]) => `${name}${access.fromConsole === true ? ', from the console' : ''}`),
    [
      'getHealth',
      'getReadiness',
      'signIn, from the console',
      'useLink, from the console',
      'startPasskeySignIn, from the console',
      'signInWithPasskey, from the console',
      'returnFromPayment',
    ],
  )
})

test('these pages and hidden routes are open to everybody or to the relay, and no others', () => {
  const hidden = bank.app.routeTable.filter(({ schema }) => schema.operationId === undefined)
  assert.deepEqual(hidden.map(({ method, url, key }) => `${method} ${url} ${key}`).sort(), [
    'GET / none',
    'GET /console none',
    'GET /console/* none',
    'GET /console/assets/* none',
    'GET /docs none',
    'GET /docs/ none',
    'GET /docs/errors none',
    'GET /docs/guides none',
    'GET /docs/guides/* none',
    'GET /docs/js/* none',
    'GET /openapi.json none',
    'GET /pay/* none',
    'GET /pay/:token none',
    'GET /pay/:token/:payment_id none',
    'GET /pay/:token/qr.svg none',
    'GET /sandbox/gateway/acs/:order_id none',
    'GET /sandbox/gateway/form/:order_id none',
    'GET /sandbox/verifier/:token none',
    'POST /pay/:token none',
    'POST /sandbox/gateway/acs/:order_id none',
    'POST /sandbox/gateway/form/:order_id none',
    'POST /sandbox/gateway/payment/rest/decline.do none',
    'POST /sandbox/gateway/payment/rest/getOrderStatusExtended.do none',
    'POST /sandbox/gateway/payment/rest/refund.do none',
    'POST /sandbox/gateway/payment/rest/register.do none',
    'POST /sandbox/gateway/payment/rest/reverse.do none',
    'POST /sandbox/receiver none',
    'POST /sandbox/verifier/:token none',
    'POST /sandbox/verifier/applications relay',
  ])
})

test('whatever changes something is closed to auditors and viewers, and what reads is open to all people', () => {
  for (const [name, { access, method }] of operations.list()) {
    const { door, reads, venture = [], bank: atBank = [] } = access
    if (door !== 'venture' && door !== 'operator') continue
    assert.equal(reads, method === 'GET', name)
    if (reads) assert.ok(atBank.includes('auditor'), name)
    else assert.ok(!venture.includes('viewer') && !atBank.includes('auditor'), name)
  }
})

test('the roles that need a passkey are those that may call what empowers', () => {
  const empowering = operations.list().flatMap(([, { access }]) => (access.empowers === true ? (access.venture ?? []) : []))
  assert.deepEqual(
    ventureRoles.filter((role) => empowering.includes(role)),
    rolesWithPasskey,
  )
})

test('what a key finds is what it may list', () => {
  const lists: Record<keyof typeof lookUps, string> = {
    transfer: 'listTransfers',
    client: 'listClients',
    account: 'listAccounts',
    beneficiary: 'listBeneficiaries',
    payment: 'listPayments',
    payment_link: 'listPaymentLinks',
    event: 'listEvents',
    mandate: 'listMandates',
    webhook_endpoint: 'listWebhookEndpoints',
  }
  for (const [kind, { access }] of Object.entries(lookUps)) {
    assert.deepEqual(access, operations.accessOf(lists[kind as keyof typeof lookUps]), kind)
  }
})

test('what the admin key may still do are operations', () => {
  const named = [...Object.values(adminKeyScopes).flat(), ...Object.values(adminKeySteps).flatMap(({ may }) => may ?? [])]
  for (const operation of named) assert.ok(operations.accessOf(operation).bank?.includes('admin'), operation)
  assert.throws(() => operations.accessOf('openTheVault'), /there is no operation openTheVault/)
})
