import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { updateClient } from '../clients/clients.ts'
import { openApplicationJob } from '../onboarding/onboarding.ts'
import { makeSecret, sign } from '../platform/standard-webhooks.ts'
import { ManagedVenture, operator } from '../testing/testing.managed.ts'
import { someOnboarding } from '../testing/testing.people.ts'
import { type Answer, Caller, openBank, type VentureCaller } from '../testing/testing.ts'
import { kycJobs } from './kyc.ts'

const bank = await openBank()
const url = await bank.listen()
const relay = new Caller(bank.app, { 'x-api-key': bank.config.kycApiKey ?? '' })
const secret = bank.config.kycWebhookSecrets[0] ?? ''
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

type Sent = { type?: string; application_id?: string; client_id?: string; sequence?: number; [field: string]: unknown }

function envelope(fields: Sent): Sent {
  return { id: randomUUID(), type: 'verification.approved', created_at: new Date().toISOString(), data: {}, ...fields }
}

type Signing = { with?: string; at?: number; headers?: Record<string, string>; payload?: string }

/** Sends an event as a verifier does. `body` is signed; if `payload` is given, it is sent instead. */
function deliver(
  caller: Caller,
  body: string,
  { with: by = secret, at = Math.floor(Date.now() / 1000), headers = {}, payload = body }: Signing = {},
): Promise<Answer> {
  const signature = sign(by, { id: 'msg_1', timestamp: at, body })
  return caller.send({
    method: 'POST',
    url: '/api/v1/kyc/webhook',
    payload,
    headers: {
      'content-type': 'application/json',
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(at),
      'webhook-signature': signature,
      ...headers,
    },
  })
}

const tell = (fields: Sent) => deliver(relay, JSON.stringify(envelope(fields)))

async function onboarded(venture: VentureCaller, changes: object = {}) {
  const client = await venture.registerClient(changes)
  await venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)
  await bank.runJobs()
  const { body: details } = await venture.get(`/clients/${client.id}/onboarding/details`)
  return { client, details }
}

test('without a verifier nothing is sent, and a verifier that is configured later opens the application', async () => {
  const real = await openBank({ sandbox: false })
  const venture = await real.registerVenture()
  const detailsOf = async (id: string) => (await venture.get(`/clients/${id}/onboarding/details`)).body
  const [waiting, known] = [await venture.registerClient(), await venture.registerClient()]
  for (const { id } of [waiting, known]) assert.equal((await venture.post(`/clients/${id}/onboarding/details`, someOnboarding)).status, 201)
  await real.runJobs()
  const jobs = async () =>
    (await real.owner.query(`select payload->>'client_id' as id, state, attempts, last_error, due_at > now() as waits from jobs`)).rows
  const left = { state: 'READY', attempts: 0, last_error: null, waits: true }
  const enqueued = await jobs()
  for (const { id, ...job } of enqueued) assert.deepEqual(job, left, id)
  assert.deepEqual(new Set(enqueued.map(({ id }) => id)), new Set([waiting.id, known.id]))
  assert.deepEqual(
    real.logLines.filter((line) => line.includes('job')),
    [],
  )
  assert.equal((await detailsOf(waiting.id)).kyc_link, null)
  const body = JSON.stringify(envelope({ client_id: known.id }))
  const told = await deliver(new Caller(real.app, { 'x-api-key': real.config.kycApiKey ?? '' }), body, {
    with: real.config.kycWebhookSecrets[0] ?? '',
  })
  assert.equal(told.body.verdict, 'APPLIED', told.text)
  await real.owner.query('update jobs set due_at = now()')
  await real.runJobs()
  assert.deepEqual(
    (await jobs()).map(({ id }) => id),
    [waiting.id],
  )
  const application = { id: randomUUID(), link: 'https://verifier.example/1' }
  const verifier = { ...real.services.verifier, openApplication: async () => application }
  const { [openApplicationJob]: job } = kycJobs({ database: real.database, verifier })
  await job?.run({ venture_id: venture.venture.id, client_id: waiting.id } as never)
  const { kyc_link, kyc_application_id } = await detailsOf(waiting.id)
  assert.deepEqual([kyc_link, kyc_application_id], [application.link, application.id])
})

/** Opens an application at the verifier that the service does not know yet. */
async function openApplication({ id: client_id }: { id: string }): Promise<string> {
  const application = await fetch(`${url}/sandbox/verifier/applications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': bank.config.kycApiKey ?? '' },
    body: JSON.stringify({ client_id, first_name: 'A', last_name: 'B' }),
  })
  return ((await application.json()) as { id: string }).id
}

async function statusOf(venture: VentureCaller, client: { id: string }): Promise<string> {
  return (await venture.get(`/clients/${client.id}`)).body.kyc_status
}

test('from registration to VALIDATED over HTTP only, by the page that stands in for a verifier', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture, { last_name: '<b>O’Neil</b>' })
  assert.match(details.kyc_application_id, /^[0-9a-f-]{36}$/)
  assert.ok(details.kyc_link.startsWith(`${url}/sandbox/verifier/`))
  assert.equal(await statusOf(venture, client), 'PROCESSING')

  const page = await fetch(details.kyc_link)
  const html = await page.text()
  assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
  assert.ok(html.includes('&lt;b&gt;O’Neil&lt;/b&gt;') && !html.includes('<script'))
  for (const outcome of ['APPROVED', 'DECLINED', 'REVIEW', 'ABORTED']) assert.ok(html.includes(`value="${outcome}"`))
  const decided = await fetch(details.kyc_link, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'outcome=APPROVED',
    redirect: 'manual',
  })
  assert.equal(decided.status, 303)
  await bank.runJobs()

  assert.equal(await statusOf(venture, client), 'VALIDATED')
  assert.deepEqual(await bank.eventTypes(venture), [
    'client.created',
    'onboarding.submitted',
    'onboarding.updated',
    'client.kyc_updated',
    'client.kyc_updated',
  ])
  assert.match(await (await fetch(details.kyc_link)).text(), /<h1 class="good">Application approved<\/h1>/)
})

test('a page or decision without a known application is refused', async () => {
  const unknown = await fetch(`${url}/sandbox/verifier/${'a'.repeat(32)}`)
  assert.equal(unknown.status, 404)
  assert.equal((await fetch(`${url}/sandbox/verifier/short`)).status, 400)
  const page = await fetch(`${url}/sandbox/verifier/short`, { headers: { accept: 'text/html' } })
  assert.match(await page.text(), /Application not found/)
  const venture = await bank.registerVenture()
  const { details } = await onboarded(venture)
  for (const body of ['outcome=MAYBE', '', 'outcome=APPROVED&more=1']) {
    const answer = await fetch(details.kyc_link, { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body })
    assert.equal(answer.status, 400, body)
  }
})

test('every outcome of the sandbox reaches its status, also by its own route and by magic names', async () => {
  const venture = await bank.registerVenture()
  for (const [outcome, status] of [
    ['APPROVED', 'VALIDATED'],
    ['DECLINED', 'DECLINED'],
    ['REVIEW', 'PENDING_REVIEW'],
    ['ABORTED', 'ABORTED'],
  ] as const) {
    const { client } = await onboarded(venture)
    const answer = await venture.post(`/sandbox/clients/${client.id}/verification`, { outcome })
    assert.equal(answer.status, 202)
    await bank.runJobs()
    assert.equal(await statusOf(venture, client), status)
    const magic = await onboarded(venture, { last_name: outcome.toLowerCase() })
    assert.equal(await statusOf(venture, magic.client), status)
  }
  const early = await venture.registerClient()
  const refused = await venture.post(`/sandbox/clients/${early.id}/verification`, { outcome: 'APPROVED' })
  assert.equal(refused.problem.code, 'application_not_found')
  assert.equal((await venture.post(`/sandbox/clients/${unknownId}/verification`, { outcome: 'APPROVED' })).problem.code, 'client_not_found')
  assert.equal((await venture.post(`/sandbox/clients/${early.id}/verification`, { outcome: 'MAYBE' })).problem.code, 'invalid_request')
})

test('a verifier that is down delays the application and loses nothing', async () => {
  const down = await openBank()
  const venture = await down.registerVenture()
  const client = await venture.registerClient()
  assert.equal((await venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)).status, 201)
  // The service does not listen yet, so the sandbox verifier cannot be reached.
  await down.runJobs()
  assert.equal((await venture.get(`/clients/${client.id}`)).body.kyc_status, 'CREATED')
  const { rows } = await down.owner.query('select attempts, last_error, state from jobs')
  assert.equal(rows.length, 1)
  assert.deepEqual([rows[0].attempts, rows[0].state], [1, 'READY'])
  assert.ok(rows[0].last_error.length > 0)
  await down.listen()
  await down.owner.query('update jobs set due_at = now()')
  await down.runJobs()
  assert.equal((await venture.get(`/clients/${client.id}`)).body.kyc_status, 'PROCESSING')
  assert.equal(await down.count('jobs'), 0)
})

test('an event is recorded once, with its bytes, and a duplicate gets the same response', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture)
  const body = JSON.stringify(envelope({ application_id: details.kyc_application_id, sequence: 1 }), null, 1)
  const first = await deliver(relay, body)
  assert.equal(first.status, 200)
  assert.deepEqual([first.body.verdict, first.body.client_id], ['APPLIED', client.id])
  const again = await deliver(relay, body)
  assert.deepEqual(again.body, first.body)
  const { rows } = await bank.owner.query('select raw, headers from kyc_events where id = $1', [first.body.id])
  assert.equal(rows.length, 1)
  assert.equal(rows[0].raw.toString(), body)
  assert.equal(rows[0].headers['webhook-id'], 'msg_1')
  assert.ok(!JSON.stringify(rows[0].headers).includes(bank.config.kycApiKey ?? ''))
})

test('fifty copies of one event at once are recorded once and move the client once', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture)
  const before = (await bank.eventTypes(venture)).length
  const body = JSON.stringify(envelope({ application_id: details.kyc_application_id }))
  const answers = await Promise.all(Array.from({ length: 50 }, () => deliver(relay, body)))
  assert.ok(answers.every(({ status }) => status === 200))
  assert.equal(await statusOf(venture, client), 'VALIDATED')
  assert.equal((await bank.eventTypes(venture)).length, before + 1)
})

test('an event without a valid signature is refused before it is parsed, and nothing is recorded', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture)
  const body = JSON.stringify(envelope({ application_id: details.kyc_application_id }))
  const before = await bank.count('kyc_events')
  const now = Math.floor(Date.now() / 1000)
  const signature = sign(secret, { id: 'msg_1', timestamp: now, body })
  const wrong: [string, Signing][] = [
    ['another secret', { with: makeSecret() }],
    ['stale', { at: now - 301 }],
    ['from the future', { at: now + 3_600 }],
    ['re-serialised', { payload: JSON.stringify(JSON.parse(body), null, 2) }],
    ['one byte more', { payload: `${body} ` }],
    ['truncated signature', { headers: { 'webhook-signature': signature.slice(0, -2) } }],
    ['no signature', { headers: { 'webhook-signature': '' } }],
    ['other id', { headers: { 'webhook-id': 'msg_2' } }],
    ['not JSON at all', { payload: '{' }],
    ['a string that holds something else', { payload: JSON.stringify(`${body} `) }],
    ['empty', { payload: '' }],
  ]
  for (const [name, signing] of wrong) {
    const answer = await deliver(relay, body, signing)
    assert.equal(answer.status, 401, name)
    assert.equal(answer.problem.code, 'invalid_signature')
  }
  assert.equal(await bank.count('kyc_events'), before)
  assert.equal(await statusOf(venture, client), 'PROCESSING')
})

test('without a secret every event is refused', async () => {
  const closed = await bank.openInstance({ kycWebhookSecrets: [] })
  const answer = await deliver(new Caller(closed, relay.headers), JSON.stringify(envelope({})), { with: 'whsec_' })
  assert.equal(answer.problem.code, 'invalid_signature')
})

test('both secrets of a rotation are accepted', async () => {
  const fresh = makeSecret()
  const rotating = await bank.openInstance({ kycWebhookSecrets: [fresh, secret] })
  for (const by of [fresh, secret]) {
    assert.equal(
      (await deliver(new Caller(rotating, relay.headers), JSON.stringify(envelope({ client_id: unknownId })), { with: by })).status,
      200,
    )
  }
})

test('an envelope wrapped into one JSON string is accepted, whether the string or its content was signed', async () => {
  const venture = await bank.registerVenture()
  for (const signTheString of [true, false]) {
    const { client, details } = await onboarded(venture)
    const inner = JSON.stringify(envelope({ application_id: details.kyc_application_id }))
    const wrapped = JSON.stringify(inner)
    const answer = await deliver(relay, signTheString ? wrapped : inner, { payload: wrapped })
    assert.equal(answer.status, 200)
    assert.equal(await statusOf(venture, client), 'VALIDATED')
  }
})

test('a signed body that is not an envelope is refused with the names of its fields', async () => {
  const before = await bank.count('kyc_events')
  for (const [body, code] of [
    ['[]', 'invalid_request'],
    ['{}', 'invalid_request'],
    [JSON.stringify(envelope({ created_at: 'yesterday' })), 'invalid_request'],
    [JSON.stringify(envelope({ sequence: -1 })), 'invalid_request'],
    [JSON.stringify(envelope({ data: { risk_level: 'LOW' } })), 'invalid_request'],
    [JSON.stringify(envelope({ data: { note: 'a\u0000' } })), 'invalid_request'],
    ['{"id":"a","id":"b"}', 'malformed_body'],
    ['nonsense', 'malformed_body'],
  ] as const) {
    const answer = await deliver(relay, body)
    assert.equal(answer.status, 400, body)
    assert.equal(answer.problem.code, code)
  }
  assert.equal(await bank.count('kyc_events'), before)
})

test('events of an unknown kind are recorded and change nothing', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture)
  const answer = await tell({ type: 'verification.celebrated', application_id: details.kyc_application_id })
  assert.deepEqual([answer.status, answer.body.verdict], [200, 'IGNORED'])
  assert.equal(await statusOf(venture, client), 'PROCESSING')
})

test('an event that matches no client is kept for the operator, and applied when its application becomes known', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient()
  await venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)
  // The verifier sends an event about the application before its response has reached us.
  const application_id = await openApplication(client)
  const answer = await tell({ application_id })
  assert.deepEqual([answer.status, answer.body.verdict, answer.body.client_id], [200, 'UNMATCHED', null])
  const listed = await bank.admin.get('/kyc/unmatched-events')
  assert.ok(
    listed.body.some(
      (event: { id: string; application_id: string }) => event.id === answer.body.id && event.application_id === application_id,
    ),
  )
  assert.equal(await statusOf(venture, client), 'CREATED')
  await bank.runJobs()
  assert.equal(await statusOf(venture, client), 'VALIDATED')
  const after = await bank.admin.get('/kyc/unmatched-events')
  assert.ok(after.body.every((event: { id: string }) => event.id !== answer.body.id))
})

test('a venture may send events about its own clients only', async () => {
  const [owner, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const { client, details } = await onboarded(owner)
  const body = JSON.stringify(envelope({ application_id: details.kyc_application_id, client_id: client.id }))
  const foreign = await deliver(other, body)
  assert.deepEqual([foreign.status, foreign.body.verdict], [200, 'UNMATCHED'])
  assert.equal(await statusOf(owner, client), 'PROCESSING')
  // The same id, delivered by its owner, is another event: nobody can use up the ids of others.
  const own = await deliver(owner, body)
  assert.equal(own.body.verdict, 'APPLIED')
  assert.equal(await statusOf(owner, client), 'VALIDATED')
})

test('a venture cannot ask the verifier for another venture’s application', async () => {
  const [owner, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const { client } = await onboarded(owner)
  const answer = await other.send({
    method: 'POST',
    url: '/sandbox/verifier/applications',
    payload: JSON.stringify({ client_id: client.id, first_name: 'A', last_name: 'B' }),
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(answer.status, 403)
})

test('an event may name its client by id alone', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient()
  const { body } = await tell({ client_id: client.id, type: 'verification.approved' })
  assert.equal(body.verdict, 'APPLIED')
  assert.equal(await statusOf(venture, client), 'VALIDATED')
  const other = await venture.registerClient()
  assert.equal((await tell({ client_id: other.id.toUpperCase() })).body.verdict, 'APPLIED')
  for (const client_id of ['not-a-uuid', unknownId]) assert.equal((await tell({ client_id })).body.verdict, 'UNMATCHED')
})

test('an event whose application and client do not belong together matches nobody', async () => {
  const venture = await bank.registerVenture()
  const [ada, bob] = [await onboarded(venture), await onboarded(venture)]
  const waiting = await venture.registerClient()
  const cases: [string, Sent][] = [
    ['the application of one client with the id of another', { application_id: ada.details.kyc_application_id, client_id: bob.client.id }],
    ['a known application with an unknown client', { application_id: ada.details.kyc_application_id, client_id: unknownId }],
    ['a known application with a client id that is not ours', { application_id: ada.details.kyc_application_id, client_id: 'bob' }],
    ['an unknown application of a client that has one', { application_id: randomUUID(), client_id: bob.client.id }],
  ]
  for (const [what, fields] of cases) {
    const { status, body } = await tell(fields)
    assert.deepEqual([status, body.verdict, body.client_id], [200, 'UNMATCHED', null], what)
    const listed = await bank.admin.get('/kyc/unmatched-events?limit=100')
    assert.ok(
      listed.body.some(({ id }: { id: string }) => id === body.id),
      what,
    )
  }
  for (const { client } of [ada, bob]) assert.equal(await statusOf(venture, client), 'PROCESSING')
  // Both agree, or only one of them is known.
  assert.equal((await tell({ application_id: ada.details.kyc_application_id, client_id: ada.client.id })).body.client_id, ada.client.id)
  assert.equal((await tell({ application_id: randomUUID(), client_id: waiting.id })).body.client_id, waiting.id)
})

test('an event that waited for its application is not counted for a client that it does not name', async () => {
  const venture = await bank.registerVenture()
  const [client, other] = [await venture.registerClient(), await onboarded(venture)]
  await venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)
  const application_id = await openApplication(client)
  const answer = await tell({ application_id, client_id: other.client.id })
  assert.equal(answer.body.verdict, 'UNMATCHED')
  await bank.runJobs()
  assert.equal(await statusOf(venture, client), 'PROCESSING')
  assert.equal(await statusOf(venture, other.client), 'PROCESSING')
})

test('an event from the future is refused and not recorded; a clock that is a little fast is tolerated', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture)
  const application_id = details.kyc_application_id
  const before = await bank.count('kyc_events')
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  const early = await tell({ application_id, created_at: inMinutes(6) })
  assert.deepEqual([early.status, early.problem?.errors?.[0]?.field], [400, 'created_at'])
  assert.equal(early.problem.code, 'invalid_request')
  assert.equal(await bank.count('kyc_events'), before)
  assert.equal(await statusOf(venture, client), 'PROCESSING')
  assert.equal((await tell({ application_id, created_at: inMinutes(4) })).body.verdict, 'APPLIED')
})

test('another event with a recorded id is refused, kept for the operator, and changes nothing', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture)
  const approved = envelope({ application_id: details.kyc_application_id, sequence: 1, data: { note: 'Seen' } })
  const first = await deliver(relay, JSON.stringify(approved))
  const shown = (await venture.get(`/clients/${client.id}`)).body
  const others = [
    { ...approved, type: 'verification.declined' },
    { ...approved, sequence: 2 },
    { ...approved, created_at: new Date(Date.parse(String(approved['created_at'])) - 1).toISOString() },
    { ...approved, client_id: client.id },
    { ...approved, data: { note: 'Not seen' } },
  ]
  for (const other of others) {
    const { status, problem } = await deliver(relay, JSON.stringify(other))
    assert.deepEqual([status, problem?.code], [409, 'kyc_event_conflict'], JSON.stringify(other))
  }
  assert.equal((await deliver(relay, JSON.stringify(others[0]))).status, 409, 'the same conflict again')
  const kept = (await bank.admin.get('/kyc/conflicting-events?limit=100')).body.filter(({ id }: { id: string }) => id === approved['id'])
  assert.deepEqual(kept.map(({ body }: { body: string }) => body).sort(), others.map((other) => JSON.stringify(other)).sort())
  assert.deepEqual((await venture.get(`/clients/${client.id}`)).body, shown)
  // The same content in other bytes is the same event.
  const again = await deliver(relay, JSON.stringify(approved, null, 2))
  assert.deepEqual([again.status, again.body], [200, first.body])
})

test('a watchlist hit blacklists once; a later event does not do it again', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture)
  const application_id = details.kyc_application_id
  await tell({ application_id, type: 'watchlist.hit', sequence: 1, data: { note: 'On a list', risk_level: 'High' } })
  const hit = (await venture.get(`/clients/${client.id}`)).body
  assert.deepEqual([hit.is_blacklisted, hit.blacklisted_comment, hit.risk_level, hit.kyc_status], [true, 'On a list', 'High', 'PROCESSING'])
  await venture.put(`/clients/${client.id}`, { is_blacklisted: false, blacklisted_comment: null, risk_level: 'Medium' })
  await tell({ application_id, type: 'verification.approved', sequence: 2 })
  const cleared = (await venture.get(`/clients/${client.id}`)).body
  assert.deepEqual(
    [cleared.is_blacklisted, cleared.blacklisted_comment, cleared.risk_level, cleared.kyc_status],
    [false, null, 'Medium', 'VALIDATED'],
  )
})

test('a watchlist hit in a managed venture stops the client as the bank does, and one person does not clear it', async () => {
  const venture = await ManagedVenture.open(bank)
  const account = await venture.openAccount({ balance: '10.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
  await venture.process(transfer, 'RESERVED')
  await tell({ client_id: account.client_id, type: 'watchlist.hit', sequence: 1 })
  const cancel = async () => (await venture.put(`/transfers/${transfer.id}`, { status: 'CANCELLED' })).problem?.code
  assert.equal(await cancel(), 'reserved_to_bank')
  await bank.runJobs()
  assert.equal((await venture.get(`/transfers/${transfer.id}`)).body.status, 'ON_HOLD')
  assert.equal(await cancel(), 'reserved_to_bank')
  const clear = updateClient(bank.database, venture.venture, account.client_id, { is_blacklisted: false }, { actor: operator })
  await assert.rejects(clear, { code: 'approval_required' })
  assert.equal((await venture.get(`/clients/${account.client_id}`)).body.is_blacklisted, true)
})

test('a watchlist hit that was waiting for its application stops the client of a managed venture, too', async () => {
  const venture = await ManagedVenture.open(bank)
  const client = await venture.registerClient()
  const application_id = await openApplication(client)
  await tell({ application_id, type: 'watchlist.hit', sequence: 1 })
  await venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)
  await bank.runJobs()
  const clear = updateClient(bank.database, venture.venture, client.id, { is_blacklisted: false }, { actor: operator })
  await assert.rejects(clear, { code: 'approval_required' })
})

test('a repeated watchlist hit does not blacklist a client who has been cleared since', async () => {
  const venture = await bank.registerVenture()
  const { client, details } = await onboarded(venture)
  const hit = JSON.stringify(envelope({ application_id: details.kyc_application_id, type: 'watchlist.hit', sequence: 1 }))
  assert.equal((await deliver(relay, hit)).status, 200)
  await venture.put(`/clients/${client.id}`, { is_blacklisted: false, blacklisted_comment: null })
  const cleared = (await venture.get(`/clients/${client.id}`)).body
  assert.equal((await deliver(relay, hit)).status, 200)
  assert.deepEqual((await venture.get(`/clients/${client.id}`)).body, cleared)
})

test('events in any order and with repetitions lead to the same client', async () => {
  const venture = await bank.registerVenture()
  const series: Sent[] = [
    { type: 'verification.started', sequence: 1 },
    { type: 'verification.review', sequence: 2, data: { note: 'look', risk_level: 'Medium' } },
    { type: 'watchlist.hit', sequence: 3, data: { note: 'first list' } },
    { type: 'verification.resubmission_requested', sequence: 4 },
    { type: 'watchlist.hit', sequence: 5, data: { note: 'second list' } },
    { type: 'verification.approved', sequence: 6, data: { risk_level: 'High' } },
    { type: 'verification.declined', sequence: 7, data: { note: 'no' } },
  ]
  const order = fc.shuffledSubarray([...series.keys(), ...series.keys()], { minLength: 2 * series.length })
  await fc.assert(
    fc.asyncProperty(order, async (arrivals) => {
      const client = await venture.registerClient()
      const bodies = series.map((fields) => JSON.stringify(envelope({ ...fields, client_id: client.id })))
      for (const index of arrivals) assert.equal((await deliver(relay, bodies[index] ?? '')).status, 200)
      const { body } = await venture.get(`/clients/${client.id}`)
      assert.deepEqual(
        [body.kyc_status, body.kyc_note, body.risk_level, body.is_blacklisted, body.blacklisted_comment],
        ['DECLINED', 'no', 'High', true, 'second list'],
      )
    }),
    { numRuns: 15 },
  )
})

test('concurrent events of one client are all applied', async () => {
  const venture = await bank.registerVenture()
  for (let round = 0; round < 5; round++) {
    const client = await venture.registerClient()
    await Promise.all(
      ['verification.started', 'verification.review', 'verification.approved', 'verification.declined'].map((type, index) =>
        tell({ type, client_id: client.id, sequence: index + 1 }),
      ),
    )
    assert.equal(await statusOf(venture, client), 'DECLINED')
  }
})

test('the history of a verification says what happened, by whom and why, oldest first, and nothing that the verifier has sent', async () => {
  const venture = await bank.registerVenture()
  const { client } = await onboarded(venture)
  await tell({ client_id: client.id, type: 'verification.review', data: { note: 'The picture is blurred.', reason_codes: ['BLURRED_77'] } })
  await tell({ client_id: client.id, type: 'verification.approved', data: { risk_level: 'Medium' } })
  const { status, body, text } = await venture.get(`/clients/${client.id}/kyc-history`)
  assert.equal(status, 200, text)
  assert.equal(body[0].from_status, null)
  for (const [index, move] of body.entries()) if (index > 0) assert.equal(move.from_status, body[index - 1].to_status)
  assert.deepEqual(
    body.map(({ to_status }: { to_status: string }) => to_status),
    ['CREATED', 'PROCESSING', 'PENDING_REVIEW', 'VALIDATED'],
  )
  const [created, , review, validated] = body
  assert.deepEqual([created.actor, created.actor_id !== null, created.reason], ['venture', true, null])
  assert.deepEqual([review.actor, review.actor_id, review.reason], ['connector', null, 'The picture is blurred.'])
  assert.deepEqual([validated.risk_level, validated.reason], ['Medium', 'The picture is blurred.'])
  assert.ok(!text.includes('BLURRED_77'))
})

test("the history of another venture's client is as unknown as that of one who does not exist", async () => {
  const venture = await bank.registerVenture()
  const { id } = await (await bank.registerVenture()).registerClient()
  for (const client_id of [id, unknownId]) {
    const { status, problem } = await venture.get(`/clients/${client_id}/kyc-history`)
    assert.equal(status, 404)
    assert.equal(problem.code, 'client_not_found')
  }
  assert.equal((await venture.get('/clients/nobody/kyc-history')).problem.code, 'invalid_request')
})
