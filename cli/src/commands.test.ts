// Every command, against a real service: its output and its exit code.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { FaultyProxy } from '../../sdk/src/proxy.testing.ts'
import { someList } from '../../server/src/testing/testing.lists.ts'
import { openReceiver } from '../../server/src/testing/testing.receiver.ts'
import { eventually } from '../../server/src/testing/testing.waits.ts'
import { nobodysUrl, openService, type Ran, run, someFolder } from './cli.testing.ts'
import type { Environment } from './config.ts'
import { commands } from './main.ts'

const bin = fileURLToPath(new URL('../bin/vostro.js', import.meta.url))
const service = await openService({ REQUEST_LOG: 'on' })
const { admin } = service
const { id: venture_id, key, environment, vostro } = await service.venture()

/** The commands that have worked. */
const worked = new Set<string>()

/** Runs a command that has to work. */
async function good(args: readonly string[], by: Environment = environment): Promise<Ran> {
  const ran = await run(args, by)
  assert.equal(ran.code, 0, `${args.join(' ')}: ${ran.stderr}`)
  const command = commands
    .filter(({ words }) => words.every((word, at) => args[at] === word))
    .sort((a, b) => b.words.length - a.words.length)[0]
  worked.add(command?.words.join(' ') ?? '')
  return ran
}

/** The same for a person and for a program. */
async function both(args: readonly string[], by: Environment = environment): Promise<{ text: string; json: Ran['json'] }> {
  const { stdout: text } = await good(args, by)
  return { text, json: (await good([...args, '--json'], by)).json }
}

async function bad(args: readonly string[], code: number, message: RegExp, by: Environment = environment): Promise<void> {
  const ran = await run(args, by)
  assert.deepEqual([ran.code, ran.stdout], [code, ''], `${args.join(' ')}: ${ran.stderr}`)
  assert.match(ran.stderr, message)
  assert.equal(ran.stderr.trimEnd().split('\n').length, 1, 'one sentence')
}

const made = async (args: readonly string[], by?: Environment): Promise<string> => (await good([...args, '--json'], by)).json.id

const person = [
  'first_name=Ada',
  'last_name=Lovelace',
  'date_of_birth=1990-12-10',
  'nationality=FRA',
  'birth_country=GBR',
  'organization_id:=1',
  'country_of_tax_residence=FRA',
  'country_code=FRA',
  'address=1 rue de la Paix',
  'city=Paris',
  'postcode=75002',
]
const someone = () => [...person, `email=${randomUUID()}@example.com`]

let client_id = ''
let account_id = ''

test('clients: created, shown, listed by the filters of the contract', async () => {
  client_id = await made(['clients', 'create', ...someone()])
  const { text, json } = await both(['clients', 'get', client_id])
  assert.match(text, new RegExp(`^id +${client_id}$`, 'm'))
  assert.match(text, /^middle_name +–$/m)
  assert.deepEqual([json.id, json.last_name, json.organization_id], [client_id, 'Lovelace', 1])
  const listed = await both(['clients', 'list', '--kyc-status', 'CREATED', '--search', 'Lovelace'])
  assert.deepEqual(
    listed.json.map(({ id }: { id: string }) => id),
    [client_id],
  )
  assert.match(listed.text, /^id +created_at +kyc_status +first_name +last_name +email +country_code\n/)
  assert.match((await good(['clients', 'list', '--search', 'Nobody'])).stdout, /^Nothing found\.\n$/)
  await vostro.clients.submitOnboardingDetails(client_id, {
    account_purposes_input: ['SALARY'],
    occupation: 'ENGINEER',
    occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
    is_us_person: false,
    expected_monthly_incoming_volume: 'LESS_THAN1000',
    expected_monthly_outgoing_volume: 'LESS_THAN1000',
    source_of_funds: 'SAVINGS_FROM_SALARY',
  })
  assert.equal((await good(['clients', 'verify', client_id, 'APPROVED', '--json'])).json.outcome, 'APPROVED')
  await eventually(async () => (await good(['clients', 'get', client_id, '--json'])).json.kyc_status === 'VALIDATED')
  const folder = someFolder()
  const archive = join(folder, 'client.zip')
  assert.equal((await good(['clients', 'export', client_id, archive, '--json'])).json.bytes, readFileSync(archive).length)
  assert.equal(readFileSync(archive).toString('latin1', 0, 2), 'PK')
  await bad(['clients', 'export', client_id, archive], 2, /cannot be written: EEXIST/)
  await bad(['clients', 'export', randomUUID(), join(folder, 'none.zip')], 1, /\(client_not_found\)/)
  await bad(['clients', 'create', 'first_name=Ada'], 1, /\(invalid_request\)/)
  await bad(['clients', 'get', randomUUID()], 1, /\(client_not_found\) \[request \S+\]$/m)
  await bad(['clients', 'verify', client_id, 'MAYBE'], 2, /^OUTCOME must be one of APPROVED, DECLINED, REVIEW, ABORTED, not MAYBE\./)
})

test('accounts: opened, activated, with money, frozen and closed', async () => {
  const order = ['account_name=Main', 'account_type=CURRENT', 'currency=EUR']
  account_id = await made(['accounts', 'create', `client_id=${client_id}`, ...order])
  assert.equal((await good(['accounts', 'activate', account_id, '--json'])).json.status, 'ACTIVE')
  assert.equal((await good(['accounts', 'deposit', account_id, '100.00', '--json'])).json.status, 'COMPLETED')
  assert.equal((await both(['accounts', 'get', account_id])).json.current_balance, '100.00')
  assert.match((await both(['accounts', 'list', '--currency', 'EUR', '--client-id', client_id])).text, /100\.00/)
  const { json, text } = await both(['accounts', 'entries', account_id])
  assert.equal(json[0].amount, '100.00')
  assert.match(text, /^id +created_at +amount /)
  const other = await made(['accounts', 'create', `client_id=${client_id}`, ...order])
  await good(['accounts', 'activate', other])
  assert.equal((await good(['accounts', 'freeze', other, '--json'])).json.status, 'SUSPENDED')
  assert.equal((await good(['accounts', 'close', other, '--json'])).json.status, 'CLOSED')
  await bad(['accounts', 'close', other], 1, /\(account_\w+\)/)
  await bad(['accounts', 'list', '--currency', 'EURO'], 1, /currency.*\(invalid_request\)/)
})

test('beneficiaries and transfers: ordered, moved, and what a move needs is said', async () => {
  const file = join(someFolder(), 'beneficiary.json')
  writeFileSync(file, JSON.stringify({ client_id, name: 'Somebody', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }))
  const beneficiary_id = await made(['beneficiaries', 'create', '--data', file, 'name=Charles Babbage'])
  assert.equal((await both(['beneficiaries', 'get', beneficiary_id])).json.name, 'Charles Babbage')
  assert.match((await both(['beneficiaries', 'list', '--client-id', client_id])).text, /Charles Babbage/)
  const order = [`account_id=${account_id}`, `beneficiary_id=${beneficiary_id}`, 'debit_amount=30.00', 'is_instant:=true']
  const id = await made(['transfers', 'create', ...order, `unique_reference=${randomUUID()}`])
  assert.equal((await both(['transfers', 'get', id])).json.status, 'CREATED')
  assert.match((await both(['transfers', 'transitions', id])).text, /RESERVED/)
  const moved = await good(['transfers', 'move', id, 'reserved', '--reason', 'By hand', '--json'])
  assert.deepEqual([moved.json.status, moved.json.status_reason], ['RESERVED', 'By hand'])
  assert.match((await both(['transfers', 'history', id])).text, /RESERVED/)
  const { text, json } = await both(['transfers', 'list', '--status', 'RESERVED', '--account-id', account_id])
  assert.equal(json[0].id, id)
  assert.match(text, /30\.00 +EUR +Charles Babbage/)
  const many = (changes: object) => ({ account_id, beneficiary_id, debit_amount: '1.00', unique_reference: randomUUID(), ...changes })
  const orders = `transfers:=${JSON.stringify([many({}), many({ account_id: randomUUID() })])}`
  await bad(['transfers', 'create-many', orders], 1, /bulk_refused/)
  const { stdout } = await good(['transfers', 'create-many', orders, 'atomic:=false'])
  assert.match(stdout, /0 +CREATED[\s\S]*1 +account_not_found/)
  const answer = await good(['transfers', 'create-many', `transfers:=${JSON.stringify([many({})])}`, '--json'])
  assert.deepEqual([answer.json.created, answer.json.results[0].transfer.status], [1, 'CREATED'])
  await bad(['transfers', 'move', id, 'completed'], 1, /\((transfer_transition_not_allowed|not_\w+|screening_required)\)/)
  await bad(['transfers', 'move', id], 2, /^STATUS is missing\. /)
  for (const wrong of ['account_id', 'a b=c', 'is_instant:=yes']) await bad(['transfers', 'create', wrong], 2, /is not (a field|JSON)/)
  await bad(['transfers', 'create', '--data', '/nowhere.json'], 2, /cannot be read: ENOENT/)
  writeFileSync(file, Buffer.from('{"name": "Zo\xeb"}', 'latin1'))
  await bad(['beneficiaries', 'create', '--data', file], 2, /beneficiary\.json is not UTF-8 text\./)
  for (const [content, message] of [
    ['[1]', /must contain a JSON object/],
    ['{', /is not JSON: \{$/m],
  ] as const) {
    writeFileSync(file, content)
    await bad(['beneficiaries', 'create', '--data', file], 2, message)
  }
  for (const nothing of ['', ' ', '.', '..']) await bad(['transfers', 'get', nothing], 2, /^ID is missing\. /)
})

test('questions of the bank: listed, shown, answered once', async () => {
  const { boss: bank } = service
  const { id } = await bank.operator.cases.open({ venture_id, about: 'client', resource_id: client_id, reason: 'A letter.' })
  const asked = await bank.operator.cases.ask(id, { text: 'Where does the client work?', due_on: '2099-11-20' })
  assert.match((await both(['questions', 'list', '--state', 'OPEN'])).text, /Where does the client work/)
  assert.equal((await both(['questions', 'get', asked.id])).json.state, 'OPEN')
  const { json } = await good(['questions', 'answer', asked.id, 'answer=At the university.', '--json'])
  assert.deepEqual([json.state, json.answer], ['ANSWERED', 'At the university.'])
  await bad(['questions', 'answer', asked.id, 'answer=Elsewhere.'], 1, /question has already been answered/)
})

test('payments and payment links: created, listed, refunded, canceled', async () => {
  const order = ['amount=12.50', 'currency=EUR', 'success_url=https://shop.example/ok', 'fail_url=https://shop.example/no']
  const id = await made(['payments', 'create', ...order])
  assert.equal((await both(['payments', 'get', id])).json.status, 'PENDING')
  assert.equal((await good(['payments', 'cancel', id, '--json'])).json.status, 'CANCELED')
  assert.match((await both(['payments', 'list', '--status', 'CANCELED'])).text, new RegExp(id))
  const { json: paid } = await good(['trigger', 'payment.paid', '--json'])
  const refunded = await good(['payments', 'refund', paid.data.object.id, '2.50', '--json'])
  assert.equal(refunded.json.refunded_amount, '2.50')
  await bad(['payments', 'refund', paid.data.object.id, '99.00'], 1, /\(refund_exceeds_payment\)/)
  const link = await made(['payment-links', 'create', 'amount=5.00', 'currency=EUR', 'description=Two books'])
  assert.equal((await both(['payment-links', 'get', link])).json.active, true)
  assert.equal((await good(['payment-links', 'deactivate', link, '--json'])).json.active, false)
  assert.match((await both(['payment-links', 'list', '--active', 'false'])).text, /Two books/)
})

test('webhooks and events: made, tested, delivered, repeated, deleted', async () => {
  const receiver = await openReceiver()
  const { json: endpoint } = await good(['webhooks', 'create', receiver.url, 'description=Shop', '--json'])
  assert.match(endpoint.secret, /^whsec_/)
  assert.equal((await both(['webhooks', 'get', endpoint.id])).json.description, 'Shop')
  assert.match((await both(['webhooks', 'list', '--status', 'ACTIVE'])).text, /Shop/)
  const { json: event } = await good(['webhooks', 'test', endpoint.id, '--json'])
  await eventually(() => receiver.arrivals.length === 1)
  await eventually(async () => (await good(['webhooks', 'deliveries', endpoint.id, '--status', 'DELIVERED', '--json'])).json.length === 1)
  const { json: deliveries } = await both(['webhooks', 'deliveries', endpoint.id, '--event-id', event.id])
  assert.equal((await good(['webhooks', 'redeliver', endpoint.id, deliveries[0].id, '--json'])).json.id, deliveries[0].id)
  await eventually(() => receiver.arrivals.length === 2)
  assert.equal((await both(['events', 'get', event.id])).json.type, 'webhook_endpoint.test')
  assert.equal((await both(['events', 'list', '--type', 'webhook_endpoint.test'])).json[0].id, event.id)
  assert.equal((await both(['events', 'resend', event.id])).json.event_id, event.id)
  await bad(['events', 'resend', randomUUID()], 1, /\(event_not_found\)/)
  const [{ id: foreign }] = (await good(['events', 'list', '--type', 'client.created', '--json'])).json
  await bad(['events', 'resend', foreign, '--endpoint', endpoint.id], 1, /^This event was never sent to the webhook endpoint/)
  assert.equal((await good(['webhooks', 'disable', endpoint.id, '--json'])).json.status, 'DISABLED')
  assert.equal((await good(['webhooks', 'enable', endpoint.id, '--json'])).json.status, 'ACTIVE')
  assert.deepEqual((await good(['webhooks', 'delete', endpoint.id, '--json'])).json, { id: endpoint.id, deleted: true })
  await bad(['webhooks', 'get', endpoint.id], 1, /\(endpoint_not_found\)/)
})

test('a list goes on page by page, as far as it is wanted', async () => {
  for (let count = 0; count < 5; count++) await vostro.paymentLinks.create({ amount: '1.00', currency: 'EUR', description: 'Many' })
  const first = await run(['payment-links', 'list', '--limit', '2'], environment)
  const [, after] = /^More items: --after (\S+), or --all\.\n$/.exec(first.stderr) ?? []
  assert.ok(after !== undefined && first.stdout.includes(after))
  const { json: rest } = await good(['payment-links', 'list', '--limit', '2', '--after', after, '--json'])
  assert.equal(rest.length, 2)
  assert.ok(rest.every(({ id }: { id: string }) => id < after))
  assert.ok((await good(['payment-links', 'list', '--all', '--json'])).json.length >= 6)
  for (const wrong of ['0', '-1', 'x', '1.5'])
    await bad(['payment-links', 'list', `--limit=${wrong}`], 2, /^--limit must be a whole number/)
})

test('logs tail: the requests of the venture by their status, and those to come', async () => {
  await bad(['transfers', 'get', randomUUID()], 1, /transfer_not_found/)
  await eventually(async () =>
    (await run(['logs', 'tail', '--status', '4xx'], environment)).stdout.includes('/{transfer_id}  transfer_not_found'),
  )
  const { stdout } = await good(['logs', 'tail', '--status', '404', '--limit', '5'])
  assert.match(stdout, / {2}404 {2}GET {5}\/api\/v1\/transfers\/\{transfer_id\} {2}transfer_not_found {2}\d/)
  const stop = new AbortController()
  const printed: string[] = []
  const wanted = ['--code', 'account_not_found', '--limit', '1']
  const following = run(['logs', 'tail', '--follow', '--json', ...wanted], environment, stop.signal, (text) => void printed.push(text))
  await eventually(async () => {
    await run(['accounts', 'get', randomUUID()], environment)
    return printed.length >= 5
  })
  stop.abort()
  const { json, code } = await following
  assert.equal(code, 0)
  assert.ok([json].flat().length >= 2 && [json].flat().every(({ code }: { code: string }) => code === 'account_not_found'))
  assert.equal(new Set([json].flat().map(({ id }: { id: string }) => id)).size, [json].flat().length, 'none twice')
  assert.match((await good(['logs', 'tail', '--all-ventures', '--route', '/api/v1/ventures'], admin)).stdout, /201 {2}POST/)
  const none = await run(['logs', 'tail', '--status', '500'], environment)
  assert.deepEqual([none.code, none.stdout, none.stderr], [0, '', 'No matching requests.\n'])
  const byBank = await run(['logs', 'tail', '--status', '500'], { ...admin, VOSTRO_VENTURE: venture_id })
  assert.deepEqual(
    [byBank.code, byBank.stderr],
    [0, 'No matching requests. Requests of the bank for a venture are in the log of the bank: --all-ventures.\n'],
  )
  await bad(['logs', 'tail', '--status', 'bad'], 1, /must be an HTTP status/)
})

test('logs tail: as many as are wanted, also behind its own requests, and over an interruption', async () => {
  const { environment: by, vostro: own, key: ownKey } = await service.venture()
  for (let count = 0; count < 105; count++) await own.venture.get({ headers: { 'x-request-id': `wanted-${count}` } })
  // As if the log had been followed for two minutes.
  for (let count = 0; count < 120; count++) await own.venture.get({ headers: { 'x-request-id': `vostro-logs-${count}` } })
  const route = '/api/v1/venture'
  await eventually(async () => (await own.requests.list({ route }).toArray()).length === 225)
  const many = await good(['logs', 'tail', '--limit', '103', '--route', route, '--json'], by)
  assert.deepEqual(
    many.json.map(({ request_id }: { request_id: string }) => request_id),
    Array.from({ length: 103 }, (_, at) => `wanted-${at + 2}`),
  )
  const proxy = await FaultyProxy.open(service.url)
  after(() => proxy.refuse().catch(() => {}))
  const stop = new AbortController()
  const [printed, complained]: [string[], string[]] = [[], []]
  const following = run(
    ['logs', 'tail', '--follow', '--limit', '1'],
    { ...by, VOSTRO_URL: proxy.url, VOSTRO_KEY: ownKey },
    stop.signal,
    (text) => void printed.push(text),
    (text) => void complained.push(text),
  )
  await eventually(() => printed.length === 1)
  await proxy.refuse()
  await eventually(() => complained.some((text) => /^The service does not answer, trying again: /.test(text)))
  await own.venture.get({ headers: { 'x-request-id': 'meanwhile' } })
  await proxy.accept()
  await eventually(() => printed.some((text) => text.includes('meanwhile')))
  assert.ok(complained.includes('Connected again.\n'))
  stop.abort()
  assert.equal((await following).code, 0)
})

test('the bank: ventures, people, watch lists, the clock and the verification', async () => {
  const { json: made } = await good(['ventures', 'create', 'Beta', '--control', 'MANAGED', '--json'], admin)
  assert.equal(made.control, 'MANAGED')
  assert.equal((await both(['ventures', 'get', made.id], admin)).json.name, 'Beta')
  assert.match((await both(['ventures', 'list'], admin)).text, /Beta/)
  await bad(['ventures', 'list'], 1, /\(forbidden\)/)

  const email = `${randomUUID()}@example.com`
  const invited = await both(['users', 'invite', email, '--role', 'auditor'], admin)
  assert.match(invited.text, /^url +http/m)
  const member = await good(['users', 'invite', `${randomUUID()}@example.com`, '--role', 'viewer', '--venture', made.id, '--json'], admin)
  assert.equal(member.json.role, 'viewer')
  const toBank = await good(
    ['users', 'invite', `${randomUUID()}@example.com`, '--role', 'operator', '--venture', made.id, '--bank', '--json'],
    admin,
  )
  assert.equal(toBank.json.role, 'operator')
  await bad(['users', 'invite', email], 2, /^--role is missing/, admin)
  await bad(['users', 'invite', 'nobody', '--role', 'admin'], 1, /\(invalid_request\)/, admin)

  const folder = someFolder()
  const file = join(folder, 'list.csv')
  writeFileSync(file, someList('Zelda Quillfeather', 'Somebody Else'))
  await bad(['lists', 'import', file, '--list', 'ours'], 1, /^There is no list ours\. Add --format to create it\./, admin)
  const imported = await run(['lists', 'import', file, '--list', 'ours', '--format', 'OPENSANCTIONS', '--activate'], admin)
  assert.equal(imported.code, 0, imported.stderr)
  assert.match(imported.stdout, /^Version \S+ of ours: 2 entries, 2 names\. It is active\.\n$/)
  assert.match(imported.stderr, /100 %/)
  writeFileSync(file, someList('Zelda Quillfeather', 'Somebody Else', 'A Third'))
  assert.equal((await good(['lists', 'import', file, '--list', 'ours', '--json'], admin)).json.entries, 3)
  assert.match((await both(['lists'], admin)).text, /^\S+ +ours +OPENSANCTIONS/m)
  await bad(['lists', 'import', join(folder, 'none.csv'), '--list', 'ours'], 2, /cannot be read: ENOENT/, admin)
  await bad(['lists', 'import', file], 2, /^--list is missing\. Existing lists: .*ours/, admin)
  await bad(['lists', 'import', file, file, '--list', 'ours'], 2, /has exactly one file/, admin)
  mkdirSync(join(folder, 'ofac'))
  const sdn = join(folder, 'ofac', 'sdn.csv')
  writeFileSync(sdn, '36,"AEROCARIBBEAN AIRLINES",-0- ,"CUBA",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n')
  await bad(['lists', 'import', file, '--list', 'ofac', '--format', 'OFAC'], 2, /is not a file of OFAC/, admin)
  await bad(['lists', 'import', sdn, '--list', 'ofac'], 1, /^There is no list ofac/, admin)
  assert.match((await good(['lists', 'import', sdn, '--list', 'ofac', '--format', 'OFAC'], admin)).stdout, /: 1 entry, 1 name\./)
  await bad(['lists', 'import', file, '--list', 'ofac', '--format', 'UN'], 1, /^The list ofac has the format OFAC, not UN\./, admin)

  assert.match((await both(['clock'], admin)).text, /^ahead_s +0$/m)
  assert.equal((await good(['clock', 'advance', 'p1d', '--json'], admin)).json.ahead_s, 86_400)
  assert.equal((await good(['clock', 'advance', '60', '--json'], admin)).json.ahead_s, 86_460)
  await bad(['clock', 'advance', 'tomorrow'], 2, /is not a duration/, admin)
  await bad(['clock', 'advance', 'P20Y'], 1, /ten years/, admin)

  const verified = await good(['verify'], admin)
  assert.doesNotMatch(verified.stderr, / $/m)
  assert.match(verified.stdout, /^All \d+ invariants hold\.\n$/)
  assert.match(verified.stderr, /%/)
  await service.bank.owner.query('update accounts set current_balance = current_balance + 1 where id = $1', [account_id])
  const broken = await run(['verify'], admin)
  assert.equal(broken.code, 1)
  assert.match(broken.stdout, new RegExp(`${account_id}[\\s\\S]*\\d+ of \\d+ invariants are broken\\.\\n$`))
  assert.equal((await run(['verify', '--json'], admin)).json.findings.length > 0, true)
  await service.bank.owner.query('update accounts set current_balance = current_balance - 1 where id = $1', [account_id])
  await bad(['verify'], 1, /\(forbidden\)/)
})

test('the admin key acts for a venture that is named', async () => {
  const named = await good(['transfers', 'list', '--venture', venture_id, '--json'], admin)
  assert.ok(named.json.length > 0)
  assert.equal((await good(['accounts', 'get', account_id, '--json'], { ...admin, VOSTRO_VENTURE: venture_id })).json.id, account_id)
  await bad(
    ['transfers', 'list'],
    1,
    /^This operation needs a venture's key\. With the admin key, name the venture: --venture ID\. \(forbidden\)/,
    admin,
  )
})

test('demo: started with its seed, followed to its end, and why it failed', async () => {
  const asked: string[] = []
  let runs: object[] = []
  const standIn = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    asked.push(`${request.method} ${request.url} ${body}`)
    const isStart = request.method === 'POST'
    const answer = isStart ? runs[0] : runs.length > 1 ? runs.shift() : runs[0]
    response.writeHead(isStart ? 202 : 200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve))
  after(() => standIn.close())
  const by = { ...admin, VOSTRO_URL: `http://127.0.0.1:${(standIn.address() as AddressInfo).port}` }
  const running = { seed: 7, status: 'RUNNING', done: 0, total: 4, step: 'ventures', digest: null, detail: null }
  const done = { ...running, status: 'DONE', done: 4, step: 'done', digest: 'abc' }
  runs = [running, { ...running, done: 2, step: 'clients' }, done]
  const { stdout, stderr } = await good(['demo', '--seed', '7'], by)
  assert.equal(stdout, 'The demo bank is ready (seed 7, digest abc). Take a look: vostro ventures list\n')
  assert.match(stderr, /^0 % {2}ventures\n50 % {2}clients\n100 %/)
  assert.equal(asked[0], 'POST /api/v1/sandbox/demo {"seed":7}')
  runs = [done]
  assert.equal((await good(['demo', '--json'], by)).json.digest, 'abc')
  assert.ok(asked.includes('POST /api/v1/sandbox/demo {}'))
  runs = [{ ...running, status: 'FAILED', detail: 'The service is not empty.' }]
  const failed = await run(['demo'], by)
  assert.deepEqual([failed.code, failed.stderr.split('\n').at(-2)], [1, 'The demo bank could not be created: The service is not empty.'])
  await bad(['demo', '--seed', 'x'], 2, /^--seed must be a whole number/, by)
})

test('open: the address of the console, at an object', async () => {
  assert.equal((await both(['open'])).text, `${service.url}/console\n`)
  assert.deepEqual((await both(['open', account_id])).json, { url: `${service.url}/console/find/${account_id}` })
  assert.equal((await good(['open', 'INV 1/2'])).stdout, `${service.url}/console/find/INV%201%2F2\n`)
})

test('login keeps a key that works, for its owner alone; config shows where it comes from; logout forgets it', async () => {
  await vostro.paymentLinks.create({ amount: '1.00', currency: 'EUR' })
  const folder = join(someFolder(), 'deep')
  const by = { VOSTRO_CONFIG: folder, VOSTRO_URL: service.url }
  const file = join(folder, 'config.json')
  await bad(['login', '--key', 'vk_test_wrong'], 1, /\(unauthorized\)/, by)
  await bad(['login', '--key', 'two words'], 2, /^--key is not a key\. A key is one line without spaces\./, by)
  await bad(['transfers', 'list'], 2, /^No API key\. /, by)
  const kept = await good(['login', '--key', key], by)
  assert.equal(kept.stdout, `This is a key of the venture Acme, at ${service.url}. Stored in ${file}.\n`)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.equal(statSync(folder).mode & 0o777, 0o700)
  assert.ok((await good(['payment-links', 'list', '--json'], { VOSTRO_CONFIG: folder })).json.length > 0, 'with the address of the file')
  const { json } = await both(['config'], { VOSTRO_CONFIG: folder })
  assert.deepEqual(json, { url: service.url, key: `${key.slice(0, 12)}…`, key_from: file, venture: null, file })
  assert.equal((await good(['config', '--json'], { VOSTRO_CONFIG: folder, VOSTRO_KEY: 'other' })).json.key_from, 'VOSTRO_KEY')
  assert.equal((await good(['config', '--json', '--key', 'k'], { VOSTRO_CONFIG: folder, VOSTRO_KEY: 'other' })).json.key_from, '--key')
  assert.match((await good(['login', '--key', service.adminKey], by)).stdout, /^This is the admin key of the bank, /)
  assert.match(
    (await good(['login', '--key', service.adminKey, '--venture', venture_id], by)).stdout,
    /^This is the admin key, for the venture Acme/,
  )
  assert.ok((await good(['payment-links', 'list', '--json'], { VOSTRO_CONFIG: folder })).json.length > 0, 'with the venture of the file')
  writeFileSync(file, readFileSync(file, 'utf8'), { mode: 0o644 })
  const { chmodSync } = await import('node:fs')
  chmodSync(file, 0o644)
  assert.match((await run(['config'], { VOSTRO_CONFIG: folder })).stderr, /other users can read\. Run chmod 600/)
  await good(['logout'], by)
  await bad(['transfers', 'list'], 2, /^No API key\. /, by)
  writeFileSync(file, 'nonsense')
  await bad(['config'], 2, /is not a vostro config file\. Delete it with `vostro logout`/, by)
  // It is in the way of nothing that does not need it.
  for (const args of [['help'], ['completion', 'bash'], ['logout']]) await good(args, by)
  assert.equal((await good(['config', '--json'], by)).json.key, null)
})

test('login: the venture of an earlier key does not belong to the next one, and a key that cannot be sent is none', async () => {
  const folder = someFolder()
  const by = { VOSTRO_CONFIG: folder, VOSTRO_URL: service.url }
  await good(['login', '--key', service.adminKey, '--venture', venture_id], by)
  const login = spawnSync(process.execPath, [bin, 'login'], { env: by, input: `${key}\n`, encoding: 'utf8' })
  assert.deepEqual([login.status, login.stderr], [0, ''])
  assert.equal((await good(['config', '--json'], { VOSTRO_CONFIG: folder })).json.venture, null)
  const none = spawnSync(process.execPath, [bin, 'login'], { env: by, input: '', encoding: 'utf8' })
  assert.deepEqual([none.status, none.stderr], [2, 'This is not a key. A key is one line without spaces.\n'])
  await bad(['clients', 'list'], 2, /^VOSTRO_KEY is not a key/, { ...by, VOSTRO_KEY: 'schlüssel' })
  await bad(['clients', 'list', '--key', 'a\nb'], 2, /^--key is not a key/, by)
  await bad(['clients', 'list', '--venture', 'zwölf'], 2, /is not a venture id/, by)
})

test('output that nobody reads to its end, or that cannot be written', () => {
  const env = { ...environment }
  const shell = (command: string) =>
    spawnSync('bash', ['--norc', '-c', command], { env: { ...env, NODE: process.execPath, BIN: bin }, encoding: 'utf8' })
  const early = shell('set -o pipefail; "$NODE" "$BIN" help | head -1; echo "$?"')
  assert.deepEqual([early.stdout, early.stderr], ['The command line of Vostro.\n0\n', ''])
  const both = shell('{ "$NODE" "$BIN" trigger payment_link.updated 2>&1; echo "$?" >&3; } 3>&1 >/dev/null | cat')
  assert.equal(both.stdout, '0\n')
  if (!existsSync('/dev/full')) return
  const full = shell('"$NODE" "$BIN" help > /dev/full')
  assert.equal(full.status, 1)
  assert.match(full.stderr, /^The output cannot be written: .*ENOSPC/)
})

test('Ctrl-C ends the waiting for the demo bank and for a verification, and says that the service goes on', async () => {
  const running = { id: 'x', seed: 1, status: 'RUNNING', done: 1, total: 4, invariants: 4, step: 'clients', digest: null, detail: null }
  const standIn = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(running))
  })
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve))
  after(() => standIn.close())
  const by = { ...admin, VOSTRO_URL: `http://127.0.0.1:${(standIn.address() as AddressInfo).port}` }
  for (const name of ['demo', 'verify']) {
    const child = spawn(process.execPath, [bin, name], { env: by, stdio: ['ignore', 'pipe', 'pipe'] })
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += text
    })
    await eventually(() => /clients/.test(stderr))
    child.kill('SIGINT')
    const [code] = await once(child, 'close')
    assert.equal(code, 130, stderr)
    assert.match(stderr, new RegExp(`continues in the background\\. \`vostro ${name}\` shows the progress\\.\\n$`))
  }
})

test('texts of a service do not steer the terminal', async () => {
  const { id } = await service.boss.ventures.register({ name: 'Evil' })
  await service.bank.owner.query("update ventures set name = E'\\x1b[2Jgone' where id = $1", [id])
  const shown = await good(['login', '--key', service.adminKey, '--venture', id], { VOSTRO_CONFIG: someFolder(), VOSTRO_URL: service.url })
  assert.match(shown.stdout, /venture \ufffd\[2Jgone/)
})

test('a service that cannot be reached, an address that is none, and errors for programs', async () => {
  const nobody = await nobodysUrl()
  const { code, stderr } = await run(['clients', 'get', client_id], { ...environment, VOSTRO_URL: nobody })
  assert.deepEqual([code, stderr], [3, `The service cannot be reached at ${nobody}: connect ECONNREFUSED ${nobody.slice(7)}.\n`])
  await bad(['clients', 'list', '--url', 'bank.example'], 2, /^bank\.example is not a service address/)
  const refused = await run(['accounts', 'get', randomUUID(), '--json'], environment)
  const { error } = JSON.parse(refused.stderr)
  assert.deepEqual([refused.code, refused.stdout, error.code], [1, '', 'account_not_found'])
  assert.ok(error.request_id.length > 0)
})

test('help and completion', async () => {
  assert.match((await good(['help'])).stdout, /^The command line of Vostro\.\n[\s\S]*vostro listen +Forward events/)
  assert.match(
    (await good(['help', 'transfers', 'list'])).stdout,
    /^vostro transfers list\n[\s\S]*--account-id VALUE +Only transfers of this account\./,
  )
  assert.match((await good(['completion', 'bash'])).stdout, /complete -F _vostro vostro\n$/)
})

/** Tested in other files. */
const elsewhere = ['listen', 'trigger', 'backup', 'restore']

test('every command was tested', () => {
  const names = commands.map(({ words }) => words.join(' '))
  assert.equal(new Set(names).size, names.length)
  assert.deepEqual(
    names.filter((name) => !worked.has(name) && !elsewhere.includes(name)),
    [],
  )
})
