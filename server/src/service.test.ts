// Tests the real process, started as an operator starts it.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { request } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { readConfig } from './config.ts'
import { aloneKey } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { freePort } from './platform/embedded/embedded.postmaster.ts'
import { startEmbeddedPostgres } from './platform/embedded/embedded.ts'
import { startService } from './service.ts'
import { asRestored } from './testing/testing.events.ts'
import { makeDataFolder } from './testing/testing.folders.ts'
import { servicePorts } from './testing/testing.ports.ts'
import { fetchPatiently, main, ServiceProcess as Process, stopProcesses } from './testing/testing.process.ts'
import { findTestServer, urlOf } from './testing/testing.server.ts'
import { openBank } from './testing/testing.ts'
import { listeningFor, makeCertificates, sendTo } from './testing/testing.vop.ts'
import { eventually } from './testing/testing.waits.ts'

const folders: string[] = []

afterEach(async () => {
  await stopProcesses()
  for (const folder of folders.splice(0)) {
    // Otherwise, a PostgreSQL left by a killed process would run forever.
    for (const pid of postmasters(folder)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
})

function temporaryFolder(): string {
  const folder = makeDataFolder('test')
  folders.push(folder)
  return folder
}

/** The PostgreSQL processes of a data folder, from its pid file. */
function postmasters(dataDir: string): number[] {
  const file = join(dataDir, 'postgres', 'postmaster.pid')
  if (!existsSync(file)) return []
  const pid = Number.parseInt(readFileSync(file, 'utf8'), 10)
  try {
    process.kill(pid, 0)
    return [pid]
  } catch {
    return []
  }
}

async function send(url: string, key: string, method = 'GET', body?: object) {
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetchPatiently(url, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> & Record<string, string>[] }
}

/** Starts with settings that must be refused: the process prints one sentence and nothing else. */
async function refusedStart(settings: Record<string, string>, sentence: RegExp): Promise<void> {
  const process = new Process(settings)
  assert.deepEqual(await process.ended, { code: 1, signal: null })
  assert.match(process.stderr, sentence)
  assert.match(process.stderr, /^[^\n]+\.\n$/)
  assert.doesNotMatch(process.stdout, /ready/)
}

test('the service reports that it is ready, keeps its data and key for the next start, and prints the key only once', async () => {
  const dataDir = temporaryFolder()
  const first = new Process({ DATA_DIR: dataDir, PORT: '0' })
  const url = await first.ready()
  assert.deepEqual(await send(`${url}/readyz`, ''), { status: 200, body: { status: 'ready' } })
  const file = join(dataDir, 'admin-key')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const adminKey = readFileSync(file, 'utf8').trim()
  const banner = first.stdout
  assert.ok(banner.startsWith(`Creating the database in ${dataDir}.\n`))
  assert.ok(banner.includes(`Admin key    ${adminKey} (kept in ${file})`))
  assert.ok(banner.includes(`curl ${url}/api/v1/ventures -H "X-API-Key: ${adminKey}"`))
  const { body: venture } = await send(`${url}/api/v1/ventures`, adminKey, 'POST', { name: 'Acme' })
  assert.equal((await send(`${url}/api/v1/venture`, venture['api_key'] ?? '')).body['id'], venture['id'])
  assert.deepEqual(await first.stop('SIGTERM'), { code: 0, signal: null })
  assert.deepEqual(postmasters(dataDir), [])
  const logged = first.stdout.slice(banner.length)
  assert.ok(logged.includes('"route":"/api/v1/venture"'), 'the requests were not logged')
  const prefix = venture['api_key_prefix'] ?? ''
  assert.ok(
    logged.includes(`"venture_id":"${venture['id']}","key_prefix":"${prefix}"`),
    'the venture and the prefix of its key were not logged',
  )
  assert.doesNotMatch(logged.replaceAll(prefix, ''), /vk_/)
  assert.equal(first.stderr, '')

  const second = new Process({ DATA_DIR: dataDir, PORT: '0' })
  const again = await second.ready()
  assert.equal((await send(`${again}/api/v1/venture`, venture['api_key'] ?? '')).body['id'], venture['id'])
  const { body: ventures } = await send(`${again}/api/v1/ventures`, adminKey)
  assert.deepEqual(
    ventures.map(({ id }) => id),
    [venture['id']],
  )
  assert.ok(second.stdout.includes(`Admin key    in ${file}`))
  assert.ok(!second.stdout.includes('Creating the database'))
  assert.deepEqual(await second.stop('SIGTERM'), { code: 0, signal: null })
  assert.doesNotMatch((second.stdout + second.stderr).replaceAll(prefix, ''), /vk_/)
})

test('on SIGTERM the service finishes the running request, accepts no new ones, and exits', async () => {
  const dataDir = temporaryFolder()
  const adminKey = 'k'.repeat(40)
  const service = new Process({ DATA_DIR: dataDir, PORT: '0', ADMIN_API_KEY: adminKey })
  const url = await service.ready()
  const body = JSON.stringify({ name: 'Acme' })
  const inFlight = request(`${url}/api/v1/ventures`, {
    method: 'POST',
    agent: false,
    headers: { 'x-api-key': adminKey, 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' },
  })
  inFlight.flushHeaders()
  const answer = once(inFlight, 'response')
  // The service has accepted the request and is waiting for its body.
  await once(inFlight, 'continue')
  service.child.kill('SIGTERM')
  while (await acceptsConnections(Number(new URL(url).port))) await sleep(5)
  inFlight.end(body)
  const [response] = await answer
  assert.equal(response.statusCode, 201)
  response.resume()
  assert.deepEqual(await service.ended, { code: 0, signal: null })
  assert.deepEqual(postmasters(dataDir), [])
  assert.ok(!service.stdout.includes(adminKey), 'a key that was given is not shown')
})

test('a data folder in use is refused, and after kill -9 the next start has everything that was acknowledged', async () => {
  const dataDir = temporaryFolder()
  const killed = new Process({ DATA_DIR: dataDir, PORT: '0' })
  const url = await killed.ready()
  const adminKey = readFileSync(join(dataDir, 'admin-key'), 'utf8').trim()
  await refusedStart(
    { DATA_DIR: dataDir, PORT: '0' },
    /^The data folder \S+ is in use by another Vostro: stop it, or set DATA_DIR to another folder\.$/m,
  )
  const registered = Array.from({ length: 20 }, (_, index) =>
    send(`${url}/api/v1/ventures`, adminKey, 'POST', { name: `V${index}` }).then(({ body }) => body['id']),
  )
  await Promise.any(registered)
  assert.deepEqual(await killed.stop('SIGKILL'), { code: null, signal: 'SIGKILL' })
  const outcomes = await Promise.allSettled(registered)
  const acknowledged = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
  assert.ok(acknowledged.length > 0)

  const next = new Process({ DATA_DIR: dataDir, PORT: '0' })
  const { body: ventures } = await send(`${await next.ready()}/api/v1/ventures?limit=100`, adminKey)
  const found = new Set(ventures.map(({ id }) => id))
  for (const id of acknowledged) assert.ok(found.has(id ?? ''), `${id} was acknowledged and is gone`)
  assert.deepEqual(await next.stop('SIGTERM'), { code: 0, signal: null })
  assert.deepEqual(postmasters(dataDir), [])
})

test('a port in use is refused, and no PostgreSQL keeps running', async () => {
  const dataDir = temporaryFolder()
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  try {
    await refusedStart({ DATA_DIR: dataDir, PORT: String(port) }, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use: `))
  } finally {
    other.close()
  }
  assert.ok(existsSync(join(dataDir, 'postgres', 'PG_VERSION')), 'PostgreSQL was not even started')
  assert.deepEqual(postmasters(dataDir), [])
})

test('an invalid setting or an unusable database prints one sentence and exits with code 1', async () => {
  const { owner } = await openBank()
  const server = findTestServer()
  const ownerUrl = urlOf(server.ownerUrl, owner.database ?? '')
  const serviceUrl = urlOf(server.serviceUrl, owner.database ?? '')
  const nowhere = new URL(serviceUrl)
  nowhere.port = '1'
  await Promise.all([
    refusedStart({ PORT: 'eighty' }, /^The setting PORT must be a whole number/),
    refusedStart({ DATABASE_URL: 'postgres://a:hunter2@127.0.0.1:1/b' }, /^The database cannot be reached: (?!.*hunter2)/),
    refusedStart({ DATABASE_URL: 'postgres://a:%e9@127.0.0.1:1/b' }, /^The database cannot be reached: /),
    // The owner can log in and finds nothing to migrate, but the service cannot log in.
    refusedStart(
      { PORT: '0', DATABASE_URL: nowhere.href, MIGRATION_DATABASE_URL: ownerUrl },
      /^The database cannot be used with the login of DATABASE_URL: /,
    ),
    refusedStart({ DATA_DIR: main }, /^The data folder \S+ is a file, not a folder: set DATA_DIR to a folder that can be used\.$/m),
    refusedStart(
      { HOST: 'no-such-host.invalid', PORT: '0', DATABASE_URL: serviceUrl, MIGRATION_DATABASE_URL: ownerUrl },
      /^Cannot listen on no-such-host\.invalid, port 0: /,
    ),
  ])
})

test('outside the sandbox, four eyes cannot be off once the bank processes for a venture', async () => {
  const { owner, registerVenture } = await openBank()
  const { venture } = await registerVenture()
  const server = findTestServer()
  const settings = {
    DATABASE_URL: urlOf(server.serviceUrl, owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, owner.database ?? ''),
    PORT: '0',
  }
  const alone = { ...settings, SANDBOX: 'false', FOUR_EYES: 'off' }
  const open = new Process(alone)
  await open.ready()
  await open.stop('SIGTERM')
  assert.match(open.stdout, /"msg":"BANK_CODE, BANK_BIC, BANK_NAME not set: the bank has an invented identity/)
  assert.match(
    open.stdout,
    /"msg":"No watch list is active: nothing can be screened. Payments of MANAGED ventures wait in READY_FOR_SCREENING/,
  )
  await owner.query("update ventures set control = 'MANAGED' where id = $1", [venture.id])
  const started = startService(readConfig(alone)).then(
    async (service) => service.stop(),
    ({ message }) => message,
  )
  assert.match((await started) ?? 'It was started.', /^FOUR_EYES cannot be off/)
  await refusedStart(alone, /^FOUR_EYES cannot be off outside the sandbox while a venture is MANAGED, /)
  for (const fitting of [{ FOUR_EYES: 'on' }, { SANDBOX: 'true' }]) {
    const started = new Process({ ...alone, ...fitting, BANK_CODE: '12345', BANK_BIC: 'OWNBLT21', BANK_NAME: 'Own Bank' })
    await started.ready()
    await started.stop('SIGTERM')
    assert.doesNotMatch(started.stdout, /an invented identity/)
  }
})

test('outside the sandbox, a database that was a sandbox is refused', async () => {
  const { owner } = await openBank()
  const server = findTestServer()
  const settings = {
    DATABASE_URL: urlOf(server.serviceUrl, owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, owner.database ?? ''),
    PORT: '0',
  }
  const real = { ...settings, SANDBOX: 'false' }
  const open = new Process(real)
  await open.ready()
  await open.stop('SIGTERM')
  const sandbox = new Process({ ...settings, SANDBOX: 'true' })
  await sandbox.ready()
  await eventually(async () => (await owner.query('select from watchlist_versions')).rows.length > 0)
  await sandbox.stop('SIGTERM')
  const sentence = /^This database was a sandbox, .* set SANDBOX=true, or use a new database\.$/m
  await refusedStart(real, sentence)
  // As in a bank that had its own nostro before it became a sandbox.
  await owner.query('delete from nostro_rails; delete from nostros')
  await refusedStart(real, sentence)
})

async function acceptsConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}

test('a service that is too busy to make its set-up link starts without it and says how to get one', async () => {
  const dataDir = temporaryFolder()
  const { ownerUrl, serviceUrl, stop } = await startEmbeddedPostgres({ dataDir })
  await migrate({ ownerUrl, serviceUrl })
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  await owner.query(`
    create function wait_long() returns trigger language plpgsql as $$ begin perform pg_sleep(60); return new; end $$;
    create trigger links_are_slow before insert on links for each row execute function wait_long()`)
  await owner.end()
  await stop()
  const service = new Process({ DATA_DIR: dataDir, PORT: '0', DATABASE_WAIT_MS: '5000' })
  const url = await service.ready()
  assert.equal((await fetch(`${url}/readyz`)).status, 200)
  assert.match(service.stdout, /"msg":"the set-up link could not be made: POST \/api\/v1\/operator\/users\/set-up makes one"/)
  assert.doesNotMatch(service.stdout, /Set-up link/)
})

test('the service deletes old deliveries by itself, from its start on', async () => {
  const { owner, registerVenture, count } = await openBank()
  const { venture } = await registerVenture()
  const created = new Date(Date.now() - 31 * 86_400_000)
  const hex = created.getTime().toString(16).padStart(12, '0')
  const insert = (status: string, sequence: number, delivered_at: Date | null) =>
    owner.query(
      `insert into webhook_deliveries (venture_id, id, endpoint_id, event_id, event_type, resource_id, sequence, status, attempts, tries, created_at, delivered_at)
       values ($1, $2, $1, $2, 'client.created', $1, $3, $4, '[]', 1, $5, $6)`,
      [venture.id, `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-00000000000${sequence}`, sequence, status, created, delivered_at],
    )
  await insert('DELIVERED', 1, created)
  await insert('FAILED', 2, null)
  const server = findTestServer()
  const service = await startService(
    readConfig({
      DATABASE_URL: urlOf(server.serviceUrl, owner.database ?? ''),
      MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, owner.database ?? ''),
      PORT: '0',
      LOG_LEVEL: 'silent',
    }),
  )
  await eventually(async () => (await count('webhook_deliveries')) <= 1)
  await service.stop()
  assert.deepEqual((await owner.query('select status from webhook_deliveries')).rows, [{ status: 'FAILED' }])
})

test('a database with events of another cluster begins a new era and says so, once no other instance writes', async () => {
  const { owner, registerVenture } = await openBank()
  const { venture } = await registerVenture()
  await asRestored(
    owner,
    `insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data, xid)
     values (1, $1, $1, 'client.created', $1, 1, now(), '{}', '900000000000')`,
    [venture.id],
  )
  await owner.query(
    `insert into approvals (venture_id, id, action, resource_id, payload, payload_hash, sequence, maker_id, state, created_at, expires_at)
     values ($1, $1, 'enable-venture', $1, '{}', repeat('0', 64), 1, $1, 'PENDING', now(), now() + interval '72 hours')`,
    [venture.id],
  )
  const server = findTestServer()
  const settings = {
    DATABASE_URL: urlOf(server.serviceUrl, owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, owner.database ?? ''),
    PORT: '0',
  }
  // Another instance is in the middle of a transaction, and does not end it.
  await owner.query('select pg_advisory_lock_shared($1)', [aloneKey])
  await refusedStart(
    { ...settings, DATABASE_WAIT_MS: '5000' },
    /^This database was restored .* could not be continued \(.*lock timeout\): stop all instances that use the database, and start again\.$/m,
  )
  await owner.query('select pg_advisory_unlock_shared($1)', [aloneKey])
  const first = new Process(settings)
  await first.ready()
  assert.deepEqual((await owner.query('select state from approvals')).rows, [{ state: 'EXPIRED' }])
  assert.match(first.stdout, /"era":2,"msg":"this database was restored from a dump of another PostgreSQL cluster/)
  await first.stop('SIGTERM')
  const second = new Process(settings)
  await second.ready()
  assert.doesNotMatch(second.stdout, /another PostgreSQL cluster/)
  assert.deepEqual((await owner.query('select era from event_era')).rows, [{ era: 2 }])
})

test('questions of other banks reach the running service on a listener of its own', async () => {
  const { server, client } = makeCertificates()
  const { vopListen } = listeningFor(temporaryFolder(), server, [client])
  const port = await freePort(servicePorts)
  const settings = {
    VOP_LISTEN: `127.0.0.1:${port}`,
    VOP_LISTEN_CERTIFICATE_FILE: vopListen?.certificateFile ?? '',
    VOP_LISTEN_KEY_FILE: vopListen?.keyFile ?? '',
    VOP_TRUST_FILE: vopListen?.trustFile ?? '',
  }
  const service = new Process({ DATA_DIR: temporaryFolder(), PORT: '0', ...settings })
  await service.ready()
  const { status, body } = await sendTo(`https://127.0.0.1:${port}`, {
    headers: { 'content-type': 'application/json', 'x-request-id': randomUUID(), 'x-request-timestamp': new Date().toISOString() },
    body: {
      party: { name: 'Ada Lovelace' },
      partyAccount: { iban: 'DE89370400440532013000' },
      requestingAgent: { financialInstitutionId: { bicfi: 'COBADEFFXXX' } },
    },
    tls: { ca: server.cert, cert: client.cert, key: client.key },
  })
  assert.deepEqual([status, body], [200, { partyNameMatch: 'NOAP' }])
  await refusedStart({ DATA_DIR: temporaryFolder(), PORT: '0', ...settings }, /^Cannot listen for other banks on 127\.0\.0\.1, port \d+: /m)
  assert.deepEqual(await service.stop('SIGTERM'), { code: 0, signal: null })
})
