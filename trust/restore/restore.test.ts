// A logical dump restored into another cluster: the service starts on it, followers and webhooks miss nothing, and the books verify.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readConfig } from '../../server/src/config.ts'
import { type Service, startService } from '../../server/src/service.ts'
import { somePerson } from '../../server/src/testing/testing.people.ts'
import { openReceiver } from '../../server/src/testing/testing.receiver.ts'
import { type Server, startServer, withClient } from '../../server/src/testing/testing.servers.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'
import { reportOf, verifyDatabase } from '../../server/src/verify/verify.ts'
import { copyRows, dumpAndRestore, findPrograms, startInstalled } from './restore.servers.ts'

const adminKey = makeKey('admin')

function start({ ownerUrl, serviceUrl }: Server): Promise<Service> {
  const settings = { PORT: '0', SANDBOX: 'true', ADMIN_API_KEY: adminKey, LOG_LEVEL: 'silent', DATABASE_WAIT_MS: '60000' }
  return startService(readConfig({ DATABASE_URL: serviceUrl, MIGRATION_DATABASE_URL: ownerUrl, ...settings }))
}

// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of an answer.
type Loose = any

async function call({ url }: Service, key: string, path: string, body?: object): Promise<Loose> {
  const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(`${url}/api/v1${path}`, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
  const text = await answer.text()
  assert.ok(answer.ok, `${path}: ${text}`)
  return JSON.parse(text)
}

/** The ids of the events after one of them, oldest first, once there are as many as expected. */
async function follow(service: Service, key: string, since: string, count: number): Promise<string[]> {
  for (;;) {
    const events = await call(service, key, `/events?since=${since}&limit=100`)
    if (events.length >= count) return events.map(({ id }: { id: string }) => id)
    await sleep(20)
  }
}

/** Uses up transaction numbers, as an older cluster has done. */
function useNumbers({ ownerUrl }: Server): Promise<void> {
  return withClient(ownerUrl, async (client) => {
    for (let count = 0; count < 3_000; count++) await client.query('select pg_current_xact_id()')
  })
}

/** Pending approvals. */
function ask({ ownerUrl }: Server): Promise<string> {
  return withClient(ownerUrl, async (client) => {
    const { rows } = await client.query(
      `insert into approvals (venture_id, id, action, resource_id, payload, payload_hash, sequence, maker_id, state, created_at, expires_at)
       values (gen_random_uuid(), gen_random_uuid(), 'enable-venture', gen_random_uuid(), '{}', repeat('0', 64), 1, gen_random_uuid(), 'PENDING', now(),
         now() + interval '72 hours') returning id`,
    )
    return rows[0].id
  })
}

function stateOf({ ownerUrl }: Server, id: string): Promise<Loose> {
  return withClient(ownerUrl, async (client) => (await client.query('select state, decided_at from approvals where id = $1', [id])).rows[0])
}

async function checkRestore(from: Server, to: Server, copy: () => Promise<void>): Promise<void> {
  const receiver = await openReceiver()
  const arrived = () => new Set(receiver.arrivals.map(({ event }) => event.id))
  const old = await start(from)
  const { api_key } = await call(old, adminKey, '/ventures', { name: 'Acme' })
  const register = (service: Service) => call(service, api_key, '/clients/person', somePerson())
  await call(old, api_key, '/webhook-endpoints', { url: receiver.url })
  await useNumbers(from)
  for (let count = 0; count < 3; count++) await register(old)
  const delivered = await follow(old, api_key, 'start', 3)
  while (arrived().size < 3) await sleep(20)
  // These events are followed, but not delivered any more.
  await receiver.goDown()
  for (let count = 0; count < 3; count++) await register(old)
  const followed = await follow(old, api_key, delivered.at(-1) ?? '', 3)
  await old.stop()
  const asked = await ask(from)

  await copy()
  const restored = await start(to)
  // Requests that are open in the dump may have been rejected since.
  assert.deepEqual(await stateOf(to, asked), { state: 'EXPIRED', decided_at: null })
  assert.deepEqual(await withClient(to.ownerUrl, async (client) => (await client.query('select era from event_era')).rows), [{ era: 2 }])
  await receiver.comeBack()
  for (let count = 0; count < 3; count++) await register(restored)
  const since = await follow(restored, api_key, followed.at(-1) ?? '', 3)
  assert.equal(since.length, 3)
  const all = [...delivered, ...followed, ...since]
  assert.deepEqual(await follow(restored, api_key, 'start', 9), all)
  assert.deepEqual(await follow(restored, api_key, delivered[0] ?? '', 8), all.slice(1))
  while (arrived().size < 9) await sleep(20)
  assert.deepEqual([...arrived()].sort(), all.toSorted())
  assert.deepEqual(
    receiver.arrivals
      .slice(0, 3)
      .map(({ event }) => event.id)
      .sort(),
    delivered.toSorted(),
  )
  await restored.stop()
  // The next start changes nothing.
  const again = await start(to)
  assert.deepEqual(await follow(again, api_key, 'start', 9), all)
  await again.stop()
  const findings = await verifyDatabase(to.serviceUrl)
  assert.ok(
    findings.every(({ violations }) => violations === 0),
    reportOf(findings),
  )
}

test('rows copied into another cluster: the service starts in a new era, and nobody misses an event', async () => {
  const [from, to] = [await startServer('restore'), await startServer('restore')]
  after(() => Promise.all([from.stop(), to.stop()]))
  await checkRestore(from, to, () => copyRows(from, to))
})

const bin = findPrograms()

test('pg_dump and pg_restore into another cluster: the service starts in a new era, and nobody misses an event', {
  skip: bin === undefined && 'there is no PostgreSQL with pg_dump below /usr/lib/postgresql',
}, async () => {
  const programs = bin ?? ''
  const [from, to] = [await startInstalled(programs), await startInstalled(programs)]
  after(() => Promise.all([from.stop(), to.stop()]))
  await checkRestore(from, to, () => dumpAndRestore(programs, from, to))
})
