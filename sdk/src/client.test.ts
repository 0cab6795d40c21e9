// The client against the real service, over HTTP.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { somePerson } from '../../server/src/testing/testing.people.ts'
import { openBank } from '../../server/src/testing/testing.ts'
import { type Approval, Vostro, VostroProblem, VostroUnreachable } from './sdk.ts'

const bank = await openBank()
const baseUrl = await bank.listen()
const admin = new Vostro({ key: bank.config.adminApiKey ?? '', baseUrl })
const { id: venture_id, api_key } = await admin.ventures.register({ name: 'Acme' })
const vostro = new Vostro({ key: api_key, baseUrl })

const personOf = (changes: object = {}) =>
  somePerson({ kyc_level: 'NOT_REQUIRED', ...changes }) as Parameters<typeof vostro.clients.registerPerson>[0]

test('creates, reads, changes and lists', async () => {
  const client = await vostro.clients.registerPerson(personOf({ first_name: 'Ada' }))
  assert.equal(client.first_name, 'Ada')
  const account = await vostro.accounts.create({ client_id: client.id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' })
  const active = await vostro.accounts.activate(account.id)
  assert.equal(active.status, 'ACTIVE')
  await vostro.sandbox.accounts.deposit(account.id, { amount: '100.00' })
  const changed = await vostro.accounts.update(account.id, { account_name: 'Savings' })
  assert.deepEqual([changed.account_name, changed.current_balance], ['Savings', '100.00'])
  assert.deepEqual(await vostro.accounts.list({ client_id: client.id }).toArray(), [await vostro.accounts.get(account.id)])
})

test('a list asks for its pages as the loop needs them', async () => {
  const created: string[] = []
  const email = (number: number) => `page-${number}@example.com`
  for (let number = 0; number < 5; number++) {
    created.unshift((await vostro.clients.registerPerson(personOf({ first_name: 'Page', email: email(number) }))).id)
  }
  const asked: string[] = []
  const watched = new Vostro({
    key: api_key,
    baseUrl,
    fetch: (input, init) => {
      asked.push(new URL(String(input)).search)
      return fetch(input, init)
    },
  })
  const list = watched.clients.list({ search: 'page-', limit: 2 })
  assert.deepEqual(asked, [])
  const seen: string[] = []
  for await (const { id } of list) {
    seen.push(id)
    if (seen.length === 2) assert.equal(asked.length, 1)
  }
  assert.deepEqual(seen, created)
  assert.deepEqual(asked, [
    '?search=page-&limit=2',
    `?search=page-&limit=2&after=${created[1]}`,
    `?search=page-&limit=2&after=${created[3]}`,
  ])

  const first = await list.page()
  assert.deepEqual([first.items.map(({ id }) => id), first.next], [created.slice(0, 2), created[1]])
  const last = await watched.clients.list({ search: 'page-', limit: 2, after: String(created[3]) }).page()
  assert.deepEqual([last.items.map(({ id }) => id), last.next], [created.slice(4), undefined])
  assert.deepEqual(
    (await list.toArray()).map(({ id }) => id),
    created,
  )
})

test('a refusal is a VostroProblem with its code, its fields and the id of the request', async () => {
  const refused = await vostro.clients.registerPerson(personOf({ date_of_birth: 'yesterday', first_name: 7 })).catch((error) => error)
  assert.ok(refused instanceof VostroProblem)
  assert.deepEqual([refused.code, refused.status, refused.uncertain], ['invalid_request', 400, false])
  assert.deepEqual(refused.errors.map(({ field }) => field).sort(), ['date_of_birth', 'first_name'])
  assert.match(refused.message, /\(invalid_request\); .*date_of_birth /)
  assert.ok(bank.logLines.some((line) => line.includes(refused.request_id)))
  const missing = await vostro.transfers.get(venture_id).catch((error) => error)
  assert.ok(missing instanceof VostroProblem && missing.code === 'transfer_not_found')
})

test('the admin key acts for a venture that the client or the call names', async () => {
  assert.equal((await admin.venture.get({ venture: venture_id })).id, venture_id)
  const own = new Vostro({ key: bank.config.adminApiKey ?? '', baseUrl, venture: venture_id })
  assert.equal((await own.venture.get()).name, 'Acme')
  await assert.rejects(admin.venture.get(), VostroProblem)
})

test('an id that would lead to another path is refused before anything is sent', async () => {
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    assert.throws(() => vostro.transfers.get(id), { name: 'TypeError', message: 'transfer_id is missing.' })
  }
  const odd = await vostro.transfers.get('../accounts?x=#').catch((error) => error)
  assert.ok(odd instanceof VostroProblem)
  assert.equal(odd.problem.instance, '/api/v1/transfers/..%2Faccounts%3Fx%3D%23')
})

test('what is not JSON is a Blob, and nothing is undefined', async () => {
  const { id: client_id } = await vostro.clients.registerPerson(personOf())
  const { id } = await vostro.accounts.create({ client_id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' })
  const day = new Date().toISOString().slice(0, 10)
  const statement = await vostro.accounts.getStatement(id, { from: day, to: day })
  assert.equal(statement.account_id, id)
  const csv = await vostro.accounts.getStatement(id, { from: day, to: day, format: 'csv' })
  assert.match(csv.type, /^text\/csv/)
  assert.match(await csv.text(), /\w/)
  const pdf = await vostro.accounts.getStatement(id, { from: day, to: day, format: 'pdf' })
  assert.deepEqual(new Uint8Array(await pdf.arrayBuffer()).subarray(0, 5), new TextEncoder().encode('%PDF-'))
  const { id: endpoint_id } = await vostro.webhookEndpoints.create({ url: 'http://127.0.0.1:9/' })
  assert.equal(await vostro.webhookEndpoints.delete(endpoint_id), undefined)
})

test('a client without an address, or with an empty key, does not come into being', () => {
  assert.throws(() => new Vostro({ key: 'some', baseUrl: '' }), /baseUrl is missing/)
  assert.throws(() => new Vostro<'session'>({}), /baseUrl is missing/)
  assert.throws(() => new Vostro({ key: '', baseUrl }), /The key is empty/)
})

/** A server other than Vostro; once closed, nothing listens at its address. */
async function openOther(status: number, headers: Record<string, string>) {
  const server = createServer((_, response) => response.writeHead(status, headers).end('<h1>Hello</h1>'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => new Promise((resolve) => server.close(resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
}

test('an address where nothing listens, and one that is no service, are VostroUnreachable', async () => {
  const { url, close } = await openOther(301, { location: 'https://elsewhere.example/', 'content-type': 'text/html' })
  const other = new Vostro({ key: api_key, baseUrl: url, maxRetries: 0 })
  const redirected = await other.venture.get().catch((error) => error)
  assert.ok(redirected instanceof VostroUnreachable)
  assert.equal(redirected.status, 301)
  assert.match(redirected.message, /^GET \/api\/v1\/venture: status 301, .* It leads to https:\/\/elsewhere\.example\/\.$/)
  await close()
  const order = { client_id: venture_id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' } as const
  const unreachable = await other.accounts.create(order, { idempotencyKey: 'order-1' }).catch((error) => error)
  assert.ok(unreachable instanceof VostroUnreachable)
  assert.deepEqual([unreachable.status, unreachable.idempotencyKey], [undefined, 'order-1'])
  assert.match(unreachable.message, /^POST \/api\/v1\/accounts: no answer\. .*ECONNREFUSED/)
})

test('a client with a key refuses to work in a page or a worker of a browser', () => {
  for (const name of ['document', 'importScripts']) {
    Object.defineProperty(globalThis, name, { value: () => {}, configurable: true })
    try {
      assert.throws(() => new Vostro({ key: api_key, baseUrl }), /An API key must not be used in a browser/)
      assert.ok(new Vostro<'session'>({ baseUrl }))
    } finally {
      Reflect.deleteProperty(globalThis, name)
    }
  }
})

test('an answer that takes too long is VostroUnreachable', async () => {
  const never = new Vostro({
    key: api_key,
    baseUrl,
    fetch: (_, init) => new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason))),
  })
  await assert.rejects(never.venture.get({ timeout_ms: 5, maxRetries: 1 }), {
    name: 'VostroUnreachable',
    message: /There was no answer within 5 ms/,
  })
})

test('a call ends as soon as its signal is aborted, with the reason of the signal', async () => {
  const { url, close } = await openOther(503, {})
  after(close)
  const refusing = new Vostro({ key: api_key, baseUrl: url, maxRetries: 1_000_000 })
  const reason = new Error('enough')
  const stop = new AbortController()
  const call = refusing.venture.get({ signal: stop.signal })
  setTimeout(() => stop.abort(reason), 20)
  await assert.rejects(call, reason)
  await assert.rejects(refusing.venture.get({ signal: stop.signal }), reason)
})

test('what cannot be sent is a mistake of the caller, and nothing is tried again', async () => {
  let sent = 0
  const counted: typeof fetch = (input, init) => {
    sent++
    return fetch(input, init)
  }
  const circular: Record<string, unknown> = {}
  circular['self'] = circular
  const client = new Vostro({ key: api_key, baseUrl, fetch: counted })
  for (const body of [circular, { amount: 1n }])
    await assert.rejects(client.request('POST', '/api/v1/payment-links', { body, idempotencyKey: 'k' }), TypeError)
  await assert.rejects(new Vostro({ key: 'schlüssel→', baseUrl, fetch: counted }).venture.get(), TypeError)
  await assert.rejects(client.venture.get({ headers: { 'x-note': 'two\nlines' } }), TypeError)
  assert.equal(sent, 0)
})

test('rows that are added while a list is read are neither repeated nor in the way of the others', async () => {
  const { api_key: key } = await admin.ventures.register({ name: 'Growing' })
  const growing = new Vostro({ key, baseUrl })
  const add = async () => (await growing.paymentLinks.create({ amount: '1.00', currency: 'EUR' })).id
  const before: string[] = []
  for (let count = 0; count < 7; count++) before.unshift(await add())
  const seen: string[] = []
  for await (const { id } of growing.paymentLinks.list({ limit: 2 })) {
    seen.push(id)
    await add()
  }
  assert.deepEqual(seen, before, 'newest first, as they were when the list was begun')
})

test('only a client with a session can be told to wait for a second person', () => {
  type Result<Client extends { ventures: { replaceKey: (id: string) => Promise<unknown> } }> = Awaited<
    ReturnType<Client['ventures']['replaceKey']>
  >
  type Waits<Type> = Approval extends Type ? true : false
  const byKey: Waits<Result<Vostro>> = false
  const bySession: Waits<Result<Vostro<'session'>>> = true
  assert.deepEqual([byKey, bySession], [false, true])
})
