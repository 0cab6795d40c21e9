// Every POST either creates something and can be repeated with an Idempotency-Key, or is named here with the reason why it cannot.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { contractOf } from '../platform/docs/openapi.ts'
import { type Answer, openBank } from '../testing/testing.ts'
import { rightCaller } from './matrix/matrix.cases.ts'
import { Fixtures } from './matrix/matrix.fixtures.ts'
import { complete, hasWorked, nameOf, optionsOf } from './matrix/matrix.requests.ts'
import { type Parts, rows } from './matrix/matrix.rows.ts'
import { openWatch } from './matrix/matrix.watch.ts'

const bank = await openBank()
// Payments and verifications reach the sandbox's gateway and verifier over HTTP.
await bank.listen()
const [own, foreign] = [await Fixtures.open(bank), await Fixtures.open(bank)]
const watch = await openWatch(bank)

const creatingNothing: Record<string, string> = {
  'POST /api/v1/ventures/:venture_id/rotate-key': 'It replaces a key. Whoever lost the response has to replace the key again.',
  'POST /api/v1/venture/rotate-key': 'It replaces a key, and a repetition with the old key is refused.',
  'POST /api/v1/venture/keys/:key_id/revoke': 'A key is revoked once.',
  'POST /api/v1/venture/invitations/:invitation_id/revoke': 'An invitation is revoked once.',
  'POST /api/v1/operator/invitations/:invitation_id/revoke': 'An invitation is revoked once.',
  'POST /api/v1/venture/users/:user_id/reset': 'It replaces a link. Whoever lost the response has to ask for another.',
  'POST /api/v1/operator/users/:user_id/reset': 'It replaces a link. Whoever lost the response has to ask for another.',
  'POST /api/v1/operator/users/set-up': 'It replaces a link. Whoever lost the response has to ask for another.',
  'POST /api/v1/operator/watchlists/:watchlist_id/versions': 'The same files are recognised by their hash.',
  'POST /api/v1/operator/watchlists/:watchlist_id/versions/:version_id/activate': 'A version that is active stays as it is.',
  'POST /api/v1/operator/verifications': 'One runs at a time, and a second one does no harm.',
  'POST /api/v1/operator/end-of-day': 'A day that has ended stays as it is.',
  'POST /api/v1/operator/keys/:bank_key_id/revoke': 'A key is revoked once.',
  'POST /api/v1/operator/jobs/:job_id/retry': 'The state of the job decides.',
  'POST /api/v1/session': 'Whoever lost the response signs in again.',
  'POST /api/v1/session/links': 'A link works once.',
  'POST /api/v1/session/reauthentication': 'It may be repeated with the new cookie.',
  'POST /api/v1/session/reauthentication/passkey': 'A challenge is signed once.',
  'POST /api/v1/session/passkeys': 'A challenge is signed once.',
  'POST /api/v1/session/passkeys/options': 'It makes a challenge, which ends after some minutes.',
  'POST /api/v1/session/passkey': 'A challenge is signed once.',
  'POST /api/v1/session/passkey/options': 'It makes a challenge, which ends after some minutes.',
  'POST /api/v1/webhook-endpoints/:endpoint_id/rotate-secret': 'It replaces a secret. Whoever lost the response has to replace it again.',
  'POST /api/v1/webhook-endpoints/:endpoint_id/test': 'A test may be repeated.',
  'POST /api/v1/webhook-endpoints/:endpoint_id/deliveries/:delivery_id/redeliver': 'It restarts a delivery, which may be repeated.',
  'POST /api/v1/webhook-endpoints/:endpoint_id/redeliver-failed': 'It restarts deliveries, and finds nothing to restart the second time.',
  'POST /api/v1/events/:event_id/resend': 'It may be repeated: those who follow take the event once more.',
  'POST /api/v1/payments/:payment_id/cancel': 'The status of the payment decides: it is canceled once.',
  'POST /api/v1/mandates/:mandate_id/cancel': 'The state of the mandate decides: it is cancelled once.',
  'POST /api/v1/accounts/:account_id/activate': 'The status of the account decides.',
  'POST /api/v1/accounts/:account_id/freeze': 'The status of the account decides.',
  'POST /api/v1/accounts/:account_id/close': 'The status of the account decides.',
  'POST /api/v1/operator/approvals/:approval_id/approve': 'The state of the approval decides: it is approved once.',
  'POST /api/v1/operator/approvals/:approval_id/reject': 'The state of the approval decides: it is rejected once.',
  'POST /api/v1/operator/cases/:case_id/decisions': 'The state of the case decides: it is decided once.',
  'POST /api/v1/operator/packs/:pack_id/declare-not-sent': 'The state of the pack decides: it is declared once.',
  'POST /api/v1/operator/pairs/clearings/:clearing_id/take-back': 'A clearing is taken back once.',
  'POST /api/v1/transfers/dry-run': 'It stores nothing.',
  'POST /api/v1/vop/requests': 'It stores nothing.',
  'POST /api/v1/kyc/webhook': 'Events have ids of their own, by which a repeated one is recognised.',
  'POST /api/v1/sandbox/clock': 'Whoever lost the response reads the clock before moving it again.',
  'POST /api/v1/sandbox/demo': 'There is one demo bank: a repeated start returns the run that is there.',
  'POST /api/v1/sandbox/transfers/:transfer_id/settle': 'The status of the transfer decides.',
  'POST /api/v1/sandbox/bank/cycle': 'It may be repeated: the next cycle takes further what waits by then.',
  'POST /api/v1/sandbox/bank/day-end': 'It may be repeated: the next statement shows what followed the one before, if anything.',
  'POST /api/v1/sandbox/clients/:client_id/verification': 'It decides an application, which may be decided again.',
  'POST /pay/:token': 'The form of the payer contains the attempt, by which a repeated one is recognised.',
  'POST /sandbox/receiver': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/verifier/applications': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/verifier/:token': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/gateway/payment/rest/register.do': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/gateway/payment/rest/getOrderStatusExtended.do': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/gateway/payment/rest/refund.do': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/gateway/payment/rest/reverse.do': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/gateway/payment/rest/decline.do': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/gateway/form/:order_id': 'It stands in for a partner, which knows no such header.',
  'POST /sandbox/gateway/acs/:order_id': 'It stands in for a partner, which knows no such header.',
}

/** For each creating operation, a field that makes it another request. */
const changes: Record<string, object> = {
  registerVenture: { name: 'Another name' },
  createKey: { name: 'Another name' },
  createVentureKey: { name: 'Another name' },
  createBankKey: { name: 'Another name' },
  inviteBankUser: { role: 'auditor' },
  inviteVentureUser: { role: 'operator' },
  registerPerson: { first_name: 'Augusta' },
  submitOnboardingDetails: { other_occupation: 'Translator' },
  createBeneficiary: { name: 'Another name' },
  createAccount: { account_name: 'Another name' },
  createMandate: { debtor_name: 'Another name' },
  createTransfer: { purpose: 'Another purpose' },
  createTransfers: { atomic: false },
  verifyPayee: { name: 'Another name' },
  createPayment: { amount: '6.00' },
  refundPayment: { amount: '0.20' },
  createPaymentLink: { amount: '6.00' },
  createPayout: { description: 'Another description' },
  createWebhookEndpoint: { description: 'Another endpoint' },
  depositInSandbox: { amount: '2.00' },
  payFromSandboxBank: { amount: '2.00' },
  debitFromSandboxBank: { amount: '2.00' },
  recallFromSandboxBank: { reason: 'TECH' },
  recallTransfer: { reason: 'TECH' },
  reportInboundPayment: { amount: '2.00' },
  reportReturnedPayment: { amount: '0.02' },
  forceDebit: { amount: '0.02' },
  payOutBlockedClient: { purpose: 'Another purpose' },
  createWatchlist: { format: 'UN' },
  createNostro: { name: 'Another name' },
  clearPair: { reason: 'Another reason' },
}

const creatingRoutes = bank.app.routeTable.filter(({ creates }) => creates)

test('every POST creates something with an idempotency key, or is named as creating nothing', () => {
  const posts = bank.app.routeTable.filter(({ method }) => method === 'POST')
  assert.deepEqual(
    posts
      .filter(({ creates }) => !creates)
      .map(nameOf)
      .sort(),
    Object.keys(creatingNothing).sort(),
  )
  assert.deepEqual(creatingRoutes.map(({ schema }) => schema.operationId).sort(), Object.keys(changes).sort())
  // The scope of a key is the venture or the bank, so nobody else may call such a route; and one status has one answer to keep.
  for (const { method, key, url, schema } of creatingRoutes) {
    assert.ok(method === 'POST' && (key === 'venture' || key === 'operator'), url)
    // 202: nothing has been made, because it waits for a second person.
    const made = Object.keys(schema.response ?? {}).filter((status) => status !== '202')
    assert.match(made.join(), /^20[01]$/, url)
  }
})

test('the contract describes the header, its refusals and the header of the response, on exactly these operations', () => {
  type Operation = {
    operationId?: string
    parameters?: { name: string; description?: string }[]
    responses: Record<string, { headers?: object }>
  }
  const { paths } = JSON.parse(contractOf(bank.app)) as { paths: Record<string, Record<string, Operation>> }
  const described = Object.values(paths)
    .flatMap((path) => Object.values(path))
    .filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
  assert.deepEqual(described.map(({ operationId }) => operationId).sort(), Object.keys(changes).sort())
  for (const { parameters = [], responses } of described) {
    const text = parameters.find(({ name }) => name === 'Idempotency-Key')?.description ?? ''
    for (const code of ['idempotency_key_in_use', 'idempotency_key_reused', 'idempotency_secret_shown']) assert.ok(text.includes(code))
    for (const status of ['200', '201']) {
      if (responses[status] !== undefined) assert.ok('Idempotency-Replayed' in (responses[status].headers ?? {}))
    }
  }
})

/** One key for everything: operations and ventures must not disturb each other. */
const key = randomUUID()

for (const route of creatingRoutes) {
  test(`${nameOf(route)}: the same request again has no second effect, and another request is refused`, async () => {
    const row = rows[nameOf(route)] ?? assert.fail()
    const [make] = row.makers
    const send = (fixtures: Fixtures, parts: Parts): Promise<Answer> => {
      const options = optionsOf(bank, route, parts)
      return rightCaller(row, parts, fixtures).send({ ...options, headers: { ...options.headers, 'idempotency-key': key } })
    }
    const parts = await complete(route, row, make ?? assert.fail(), own)
    const first = await send(own, parts)
    assert.ok(hasWorked(route, row, first), first.text)
    const before = await watch.position()
    const ventures = await bank.count('ventures')

    const again = await send(own, parts)
    if (again.status === 409) {
      assert.deepEqual([again.problem.code, again.problem.resource_id], ['idempotency_secret_shown', first.body.id])
    } else {
      assert.deepEqual([again.status, again.text, again.headers['location']], [first.status, first.text, first.headers['location']])
      assert.equal(again.headers['idempotency-replayed'], 'true')
    }
    const other = await send(own, { ...parts, body: { ...parts.body, ...changes[route.schema.operationId ?? ''] } })
    assert.deepEqual([other.status, other.problem?.code], [422, 'idempotency_key_reused'], other.text)
    assert.deepEqual([await watch.changesSince(before, own), await bank.count('ventures')], [[], ventures])

    if (row.door === 'operator') return
    const theirs = await send(foreign, await complete(route, row, make ?? assert.fail(), foreign))
    assert.ok(hasWorked(route, row, theirs), theirs.text)
    assert.equal(theirs.headers['idempotency-replayed'], undefined)
  })
}
