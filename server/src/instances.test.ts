// Several instances behind one port, as processes that are killed, restarted and stopped.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type ClientRequest, request } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from './platform/embedded/embedded.postmaster.ts'
import { ServiceProcess as Process, stopProcesses } from './testing/testing.process.ts'
import { findTestServer, urlOf } from './testing/testing.server.ts'
import { openBank } from './testing/testing.ts'
import { eventually } from './testing/testing.waits.ts'

const adminKey = 'k'.repeat(40)

afterEach(stopProcesses)

/** A service with two instances on its own database. */
async function open(settings: Record<string, string> = {}): Promise<{ service: Process; url: string }> {
  const { owner } = await openBank()
  const server = findTestServer()
  const service = new Process({
    INSTANCES: '2',
    PORT: '0',
    ADMIN_API_KEY: adminKey,
    BUILD_CONSOLE: 'off',
    LOG_LEVEL: 'warn',
    DATABASE_URL: urlOf(server.serviceUrl, owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, owner.database ?? ''),
    ...settings,
  })
  return { service, url: await service.ready() }
}

/** The processes of the instances. */
function instancesOf({ child }: Process): number[] {
  try {
    return execFileSync('pgrep', ['-P', String(child.pid), '-f', 'instances.one'], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map(Number)
  } catch {
    // Exit code 1: there are none.
    return []
  }
}

/**
 * Whether both instances have been replaced. A single check has to show it, because between two checks, an instance may end before the next
 * one starts.
 */
function areReplaced(service: Process, before: number[]): boolean {
  const now = instancesOf(service)
  return now.length === 2 && !now.some((pid) => before.includes(pid))
}

type Answer = { status: number; body: string }

/** A request on a new connection, so that the next one may reach another instance. */
async function send(url: string, { method = 'GET', body }: { method?: string; body?: object } = {}): Promise<Answer> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = { 'x-api-key': adminKey, ...(text !== undefined && { 'content-type': 'application/json' }) }
  const sent: ClientRequest = request(url, { method, agent: false, headers })
  sent.end(text)
  const [response] = await once(sent, 'response')
  let answer = ''
  for await (const piece of response) answer += piece
  return { status: response.statusCode, body: answer }
}

/** Registers ventures one after the other, on several connections at once, until it is stopped. */
function startLoad(url: string) {
  let isStopping = false
  const registered: string[] = []
  const failed: string[] = []
  const client = async (number: number) => {
    for (let count = 0; !isStopping; count++) {
      try {
        const answer = await send(`${url}/api/v1/ventures`, { method: 'POST', body: { name: `Venture ${number}-${count}` } })
        if (answer.status === 201) registered.push(JSON.parse(answer.body).id)
        else failed.push(`${answer.status} ${answer.body}`)
      } catch (error) {
        failed.push((error as NodeJS.ErrnoException).code ?? String(error))
      }
    }
  }
  const running = Promise.all([1, 2, 3, 4].map(client))
  return {
    registered,
    failed,
    async stop() {
      isStopping = true
      await running
    },
  }
}

const registrations = /^http_request_duration_seconds_count\{method="POST",route="\/api\/v1\/ventures",status="201"\} (\d+)$/m

async function countedOf(url: string): Promise<number> {
  const { body } = await send(`${url}/metrics`)
  return Number(registrations.exec(body)?.[1] ?? 0)
}

async function listedOf(url: string): Promise<Set<string>> {
  const ids = new Set<string>()
  for (let after = ''; ; ) {
    const page = JSON.parse((await send(`${url}/api/v1/ventures?limit=100${after}`)).body) as { id: string }[]
    for (const { id } of page) ids.add(id)
    if (page.length < 100) return ids
    after = `&after=${page.at(-1)?.id}`
  }
}

test('an instance that is killed is replaced, nothing acknowledged is lost, and no sum of the metrics falls', async () => {
  const { service, url } = await open()
  const before = instancesOf(service)
  assert.equal(before.length, 2)
  const load = startLoad(url)
  await eventually(() => load.registered.length >= 40)
  const counted = await countedOf(url)
  assert.ok(counted > 0)
  process.kill(before[0] as number, 'SIGKILL')
  await eventually(() => instancesOf(service).some((pid) => !before.includes(pid)))
  const killed = load.registered.length
  await eventually(() => load.registered.length >= killed + 40)
  await load.stop()
  // Only the requests of the dead instance have failed.
  assert.ok(load.failed.length <= 4, load.failed.join(', '))
  const listed = await listedOf(url)
  assert.deepEqual(
    load.registered.filter((id) => !listed.has(id)),
    [],
  )
  assert.ok((await countedOf(url)) > counted)
  assert.match(service.stdout, /an instance has died and is being replaced/)
})

test('the metrics add up all instances, and show what the database says only once', async () => {
  const { url } = await open()
  const requests = Array.from({ length: 30 }, (_, index) =>
    send(`${url}/api/v1/ventures`, { method: 'POST', body: { name: `Venture ${index}` } }),
  )
  for (const { status } of await Promise.all(requests)) assert.equal(status, 201)
  // A busy instance answers late; until then, its last answer counts.
  let counted = 0
  await eventually(async () => {
    counted = await countedOf(url)
    return counted >= 30
  })
  assert.equal(counted, 30)
  const { body } = await send(`${url}/metrics`)
  const shownOnce = /^events_open_transactions (\d+)$/m.exec(body)
  assert.ok(shownOnce !== null && Number(shownOnce[1]) < 10_000)
  const ready = /^screening_ready ([01])$/m.exec(body)
  assert.ok(ready !== null, 'two instances that are ready count as one')
})

test('SIGHUP replaces all instances one after the other, and no request fails', async () => {
  const { service, url } = await open()
  const before = instancesOf(service)
  const load = startLoad(url)
  await eventually(() => load.registered.length >= 10)
  service.child.kill('SIGHUP')
  await eventually(() => areReplaced(service, before))
  const done = load.registered.length
  await eventually(() => load.registered.length >= done + 10)
  await load.stop()
  assert.deepEqual(load.failed, [])
})

test('an instance that dies while others are replaced is replaced, too', async () => {
  const { service } = await open()
  const before = instancesOf(service)
  service.child.kill('SIGHUP')
  // The successor of the first instance has been launched, so the second one is still serving.
  await eventually(() => instancesOf(service).length === 3)
  process.kill(before[1] as number, 'SIGKILL')
  await eventually(() => areReplaced(service, before))
  await sleep(500)
  assert.equal(instancesOf(service).length, 2)
})

test('SIGHUP ends nothing while the instances start or stop, and stops a service of one', async () => {
  const { owner } = await openBank()
  const server = findTestServer()
  const start = (instances: string) =>
    new Process({
      INSTANCES: instances,
      PORT: '0',
      ADMIN_API_KEY: adminKey,
      BUILD_CONSOLE: 'off',
      LOG_LEVEL: 'info',
      DATABASE_URL: urlOf(server.serviceUrl, owner.database ?? ''),
      MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, owner.database ?? ''),
    })
  const two = start('2')
  await eventually(() => instancesOf(two).length > 0)
  two.child.kill('SIGHUP')
  const url = await two.ready()
  assert.equal((await send(`${url}/readyz`)).status, 200)
  const ended = two.stop('SIGTERM')
  two.child.kill('SIGHUP')
  assert.deepEqual(await ended, { code: 0, signal: null })
  const one = start('1')
  await one.ready()
  assert.deepEqual(await one.stop('SIGHUP'), { code: 0, signal: null })
})

test('SIGTERM lets running requests finish and ends every instance; the database ends last', async () => {
  const { service, url } = await open()
  const pids = instancesOf(service)
  const load = startLoad(url)
  await eventually(() => load.registered.length >= 10)
  const ended = service.stop('SIGTERM')
  // Requests that arrive now are refused.
  await eventually(() => load.failed.length > 0)
  await load.stop()
  assert.deepEqual(await ended, { code: 0, signal: null })
  assert.ok(load.failed.every((reason) => reason === 'ECONNREFUSED' || reason === 'ECONNRESET'))
  assert.deepEqual(pids.filter(isAlive), [])
  assert.equal(service.stderr, '')
})

test('the instances end with the main process, even if it is killed', async () => {
  const { service } = await open()
  const pids = instancesOf(service)
  assert.equal(pids.length, 2)
  await service.stop('SIGKILL')
  await eventually(() => !pids.some(isAlive))
})

test('a port in use is refused with one sentence, and no instance stays', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  try {
    await assert.rejects(open({ PORT: String(port) }), new RegExp(`Port ${port} on 127\\.0\\.0\\.1 is in use: [^\n]*\\.\n$`))
  } finally {
    other.close()
  }
})
