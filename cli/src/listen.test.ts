// `vostro listen`: the receiver gets every event, those of each resource in order, and none unsigned: through kill −9 of the service and of the
// command, a cut network, a target that is down, and resends.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type Vostro, verifyWebhook } from '@vostro/sdk'
import { FaultyProxy } from '../../sdk/src/proxy.testing.ts'
import { type Arrival, openReceiver } from '../../server/src/testing/testing.receiver.ts'
import { eventually } from '../../server/src/testing/testing.waits.ts'
import { openService, run, someFolder } from './cli.testing.ts'
import type { Environment } from './config.ts'

const bin = fileURLToPath(new URL('../bin/vostro.js', import.meta.url))
const service = await openService()
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
})

class Listening {
  readonly child: ChildProcess
  stdout = ''
  stderr = ''
  readonly ended: Promise<number | null>

  constructor(args: readonly string[], environment: Environment) {
    this.child = spawn(process.execPath, [bin, 'listen', ...args], { env: { ...environment }, stdio: ['ignore', 'pipe', 'pipe'] })
    children.push(this.child)
    this.child.stdout?.on('data', (text) => {
      this.stdout += text
    })
    this.child.stderr?.on('data', (text) => {
      this.stderr += text
    })
    this.ended = once(this.child, 'close').then(([code]) => code)
  }

  async ready(): Promise<string> {
    await eventually(() => /secret that signs them: \S+/.test(this.stdout) || this.child.exitCode !== null)
    return /secret that signs them: (\S+)/.exec(this.stdout)?.[1] ?? assert.fail(this.stderr)
  }

  async stop(signal: 'SIGINT' | 'SIGKILL'): Promise<number | null> {
    this.child.kill(signal)
    return this.ended
  }
}

/** Makes events of several resources: each link is created, and then changed some times. */
async function happen(vostro: Vostro, links: number, changes: number): Promise<void> {
  const made = await Promise.all(Array.from({ length: links }, () => vostro.paymentLinks.create({ amount: '1.00', currency: 'EUR' })))
  for (let change = 0; change < changes; change++)
    for (const { id } of made) await vostro.paymentLinks.update(id, { description: `Change ${change}` })
}

/** Asserts that everything that happened after the given events has arrived, in order for each resource, and signed. */
async function assertComplete(vostro: Vostro, arrivals: readonly Arrival[], secret: string, before: ReadonlySet<string>): Promise<void> {
  const all = (await vostro.events.list({ since: 'start' }).toArray()).filter(({ id }) => !before.has(id))
  assert.deepEqual([...new Set(arrivals.map(({ event }) => event.id))].sort(), all.map(({ id }) => id).sort())
  for (const { body, headers, event } of arrivals) assert.equal((await verifyWebhook(body, headers, secret)).id, event.id)
  const first = new Map(arrivals.map(({ event }) => [event.id, event]).reverse() as [string, Arrival['event']][])
  const sequences = new Map<string, number[]>()
  for (const event of [...first.values()].reverse()) {
    const { id } = event.data.object
    sequences.set(id, [...(sequences.get(id) ?? []), event.sequence])
  }
  for (const [id, numbers] of sequences)
    assert.deepEqual(
      numbers,
      [...numbers].sort((a, b) => a - b),
      id,
    )
  const [some] = all
  const shown = arrivals.find(({ event }) => event.id === some?.id)
  assert.deepEqual(JSON.parse(shown?.body ?? ''), some)
}

const idsOf = async (vostro: Vostro) => new Set((await vostro.events.list({ since: 'start' }).toArray()).map(({ id }) => id))

test('through kill −9 of the service and of the command, a cut network and a target that is down, everything arrives', async () => {
  const { vostro, key } = await service.venture()
  const proxy = await FaultyProxy.open(service.url)
  after(() => proxy.refuse().catch(() => {}))
  const receiver = await openReceiver()
  // Whatever is not known to have arrived is sent again.
  const arrived = () => new Set(receiver.arrivals.map(({ event }) => event.id)).size
  const folder = someFolder()
  const environment = { VOSTRO_URL: proxy.url, VOSTRO_KEY: key, VOSTRO_CONFIG: folder }
  await happen(vostro, 2, 0)
  // An event is listed once all transactions before it have ended.
  let before = new Set<string>()
  await eventually(async () => {
    before = await idsOf(vostro)
    return before.size === 2
  })
  const target = `${receiver.url.replace('http://', '')}?x=y&z=%20`

  const first = new Listening(['--forward-to', target], environment)
  const secret = await first.ready()
  await happen(vostro, 3, 2)
  await eventually(() => arrived() === 9)

  // The network is cut, answers break off, and something on the way answers in place of the service.
  proxy.plan = ['unsent', 'cut', 502, 'unanswered', 429, 'pass', 'cut']
  await happen(vostro, 2, 2)
  await proxy.refuse()
  await happen(vostro, 2, 1)
  await eventually(() => /The service does not answer, trying again/.test(first.stderr))
  await proxy.accept()
  await eventually(() => arrived() === 19)

  // The service is killed, and events are made before listen has found it again.
  await service.killAndRestart()
  await happen(vostro, 3, 1)
  await eventually(() => arrived() === 25)

  // The target is down, and the command is killed while events wait for it.
  await receiver.goDown()
  await happen(vostro, 3, 3)
  await eventually(() => /cannot be reached, retrying/.test(first.stderr))
  await first.stop('SIGKILL')
  await happen(vostro, 1, 1)
  await receiver.comeBack()
  const second = new Listening(['--forward-to', target], environment)
  assert.equal(await second.ready(), secret, 'the secret stays')
  await eventually(() => arrived() === 39)

  // A resend by hand, without any webhook endpoint.
  const { event } = receiver.arrivals.at(-1) ?? assert.fail()
  const seen = receiver.arrivals.length
  const resent = await run(['events', 'resend', event.id, '--json'], environment)
  assert.deepEqual([resent.code, resent.json.event_id], [0, event.id], resent.stderr)
  await eventually(() => receiver.arrivals.length === seen + 1)
  assert.equal(receiver.arrivals.at(-1)?.event.id, event.id)
  await eventually(() => /\(resent\)/.test(second.stdout))

  assert.equal(await second.stop('SIGINT'), 0)
  assert.match(second.stderr, /Stopped\. The next `vostro listen` to this address continues from here\.\n$/)
  // What happens while nobody listens is forwarded by the next start, a resend as well.
  await happen(vostro, 1, 0)
  await vostro.events.resend(event.id)
  const third = new Listening(['--forward-to', target], environment)
  await eventually(() => receiver.arrivals.length === seen + 3)
  await third.stop('SIGINT')
  await assertComplete(vostro, receiver.arrivals, secret, before)
  for (const { path } of receiver.arrivals) assert.equal(path, '/hooks?x=y&z=%20')
  const [state = ''] = readdirSync(join(folder, 'listen'))
  assert.equal(statSync(join(folder, 'listen', state)).mode & 0o777, 0o600)
})

test('a delivery that is repeated at a webhook endpoint is forwarded again', async () => {
  const { vostro, environment } = await service.venture()
  const [endpoint, receiver] = [await openReceiver(), await openReceiver()]
  const { id } = await vostro.webhookEndpoints.create({ url: endpoint.url })
  const stop = new AbortController()
  const listening = run(['listen', '--forward-to', receiver.url, '--json'], { ...environment, VOSTRO_CONFIG: someFolder() }, stop.signal)
  const folder = someFolder()
  const chosen = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  const filtered = run(
    ['listen', '--forward-to', `${receiver.url}/filtered`, '--types', 'payment_link.updated', '--secret', chosen, '--since', 'start'],
    { ...environment, VOSTRO_CONFIG: folder },
    stop.signal,
  )
  await eventually(async () => {
    await happen(vostro, 1, 1)
    return receiver.arrivals.some(({ path }) => path === '/hooks') && receiver.arrivals.some(({ path }) => path === '/hooks/filtered')
  })
  // One that has arrived at both, so that what arrives next is the resend.
  const hasArrived = (event_id: string) => receiver.arrivals.some(({ path, event }) => path === '/hooks' && event.id === event_id)
  const deliveries = async () =>
    (await vostro.webhookEndpoints.listDeliveries(id).page()).items.filter(({ event_id }) => hasArrived(event_id))
  await eventually(async () => (await deliveries()).length > 0)
  const delivery = (await deliveries())[0] ?? assert.fail()
  const arrived = () => receiver.arrivals.filter(({ path, event }) => path === '/hooks' && event.id === delivery.event_id).length
  const had = arrived()
  const repeated = await run(['events', 'resend', delivery.event_id, '--endpoint', id, '--json'], environment)
  assert.deepEqual([repeated.code, repeated.json.id], [0, delivery.id], repeated.stderr)
  await eventually(() => arrived() === had + 1)
  stop.abort()
  const [{ code, json }, other] = await Promise.all([listening, filtered])
  assert.deepEqual([code, other.code], [0, 0], other.stderr)
  assert.equal(json[0].ready, true)
  assert.ok(
    json.some(
      ({ event_id, resent, status }: { event_id: string; resent: boolean; status: number }) =>
        resent && status === 200 && event_id === delivery.event_id,
    ),
  )
  const ofType = receiver.arrivals.filter(({ path }) => path === '/hooks/filtered')
  assert.ok(ofType.length > 0 && ofType.every(({ event }) => event.type === 'payment_link.updated'))
  await verifyWebhook(ofType[0]?.body ?? '', ofType[0]?.headers ?? {}, chosen)
})

test('failed deliveries that are repeated together are forwarded again', async () => {
  const { id: venture_id, vostro, environment } = await service.venture()
  const receiver = await openReceiver()
  await happen(vostro, 1, 0)
  // One that nobody listens at.
  const { id } = await vostro.webhookEndpoints.create({ url: 'http://127.0.0.1:9/' })
  await happen(vostro, 2, 1)
  const failed = () =>
    service.bank.owner.query("update webhook_deliveries set status = 'FAILED', next_attempt_at = null where venture_id = $1", [venture_id])
  await eventually(async () => (await vostro.webhookEndpoints.listDeliveries(id).toArray()).length === 4)
  await failed()
  const stop = new AbortController()
  const listening = run(['listen', '--forward-to', receiver.url, '--json'], { ...environment, VOSTRO_CONFIG: someFolder() }, stop.signal)
  await eventually(async () => {
    await happen(vostro, 1, 0)
    return receiver.arrivals.length > 0
  })
  const { redelivered } = await vostro.webhookEndpoints.redeliverFailed(id, { since: '2020-01-01T00:00:00Z' })
  assert.ok(redelivered >= 4)
  const resent = async () => (await vostro.events.listResends().toArray()).map(({ event_id }) => event_id)
  await eventually(async () => {
    const arrived = receiver.arrivals.map(({ event }) => event.id)
    return (await resent()).every((event_id) => arrived.includes(event_id))
  })
  assert.equal((await resent()).length, redelivered)
  stop.abort()
  assert.equal((await listening).code, 0)
})

test('an event that is refused is sent again, the ones behind it wait, others do not, and after the last attempt it is given up', async () => {
  const { vostro, environment } = await service.venture()
  const receiver = await openReceiver()
  const stop = new AbortController()
  const bad = await vostro.paymentLinks.create({ amount: '1.00', currency: 'EUR', description: 'bad' })
  receiver.onArrival = ({ event }) => {
    receiver.status = event.data.object.id === bad.id && event.sequence === 2 ? 500 : 204
  }
  const listening = run(
    ['listen', '--forward-to', receiver.url, '--attempts', '2', '--since', 'start'],
    { ...environment, VOSTRO_CONFIG: someFolder() },
    stop.signal,
  )
  await vostro.paymentLinks.update(bad.id, { description: 'worse' })
  await vostro.paymentLinks.update(bad.id, { description: 'worst' })
  await happen(vostro, 1, 0)
  await eventually(() => receiver.arrivals.filter(({ event }) => event.data.object.id === bad.id && event.sequence === 3).length === 1)
  stop.abort()
  const { code, stdout, stderr } = await listening
  assert.equal(code, 0)
  const ofBad = receiver.arrivals.filter(({ event }) => event.data.object.id === bad.id).map(({ event }) => event.sequence)
  assert.deepEqual(ofBad, [1, 2, 2, 3])
  const other = receiver.arrivals.findIndex(({ event }) => event.data.object.id !== bad.id)
  assert.ok(other >= 0 && other < receiver.arrivals.length - 1, 'another resource did not wait')
  assert.match(stdout, / {2}500 {2}payment_link\.updated .*\(attempt 2\)/)
  assert.match(stderr, /Gave up after 2 attempts\. To resend the event: vostro events resend [0-9a-f-]{36}\n/)
})

test('it says Ready only after the service has answered, and ends when the service refuses it', async () => {
  const { environment, vostro } = await service.venture()
  const proxy = await FaultyProxy.open(service.url)
  await proxy.refuse()
  const complained = Promise.withResolvers<string>()
  const stop = new AbortController()
  const receiver = await openReceiver()
  const listening = run(
    ['listen', '--forward-to', receiver.url],
    { ...environment, VOSTRO_URL: proxy.url, VOSTRO_CONFIG: someFolder() },
    stop.signal,
    undefined,
    complained.resolve,
  )
  await complained.promise
  await proxy.accept()
  await eventually(async () => {
    await happen(vostro, 1, 0)
    return receiver.arrivals.length > 0
  })
  stop.abort()
  const { code, stdout, stderr } = await listening
  await proxy.refuse()
  assert.equal(code, 0)
  assert.match(stderr, /^The service cannot be reached at http:\/\/127\.0\.0\.1:\d+, trying again: connect ECONNREFUSED/)
  assert.match(stdout, /^Ready: events of Acme go to http/)

  const stranger = await run(['listen', '--forward-to', receiver.url], { ...environment, VOSTRO_KEY: 'vk_test_wrong' })
  assert.deepEqual([stranger.code, stranger.stdout], [1, ''])
  assert.match(stranger.stderr, /\(unauthorized\) \[request \S+\]\n$/)
})

test('a target that hangs or redirects: the answer counts as it is, and Ctrl-C does not wait for it', async () => {
  const { vostro, environment } = await service.venture()
  const receiver = await openReceiver()
  const elsewhere = await openReceiver()
  receiver.status = 307
  receiver.headers = { location: elsewhere.url }
  const hanging = Promise.withResolvers<void>()
  receiver.onArrival = ({ event }) => (event.sequence === 2 ? hanging.promise : undefined)
  const listening = new Listening(['--forward-to', receiver.url, '--attempts', '1'], { ...environment, VOSTRO_CONFIG: someFolder() })
  await listening.ready()
  const { id } = await vostro.paymentLinks.create({ amount: '1.00', currency: 'EUR' })
  await eventually(() => / {2}307 {2}payment_link\.created/.test(listening.stdout))
  assert.deepEqual(elsewhere.arrivals, [], 'a redirect is not followed')
  await vostro.paymentLinks.update(id, { active: false })
  await eventually(() => receiver.arrivals.length === 2)
  // The receiver never answers; unless it is ended, the test would not end either.
  assert.equal(await listening.stop('SIGINT'), 0)
  assert.match(listening.stderr, /Stopped\. The next/)
  hanging.resolve()
  receiver.status = 200
})

test('a second one to the same address says that events arrive twice', async () => {
  const { environment } = await service.venture()
  const receiver = await openReceiver()
  const by = { ...environment, VOSTRO_CONFIG: someFolder() }
  const first = new Listening(['--forward-to', receiver.url], by)
  const secret = await first.ready()
  const second = new Listening(['--forward-to', receiver.url], by)
  assert.equal(await second.ready(), secret)
  const twice = `Another \`vostro listen\` (process ${first.child.pid}) also forwards to this address, so events arrive twice.`
  await eventually(() => second.stderr.includes(twice))
  assert.equal(await second.stop('SIGINT'), 0)
  assert.equal(await first.stop('SIGINT'), 0)
  const third = new Listening(['--forward-to', receiver.url], by)
  await third.ready()
  assert.equal(await third.stop('SIGINT'), 0)
  assert.doesNotMatch(third.stderr, /Another/)
})

test('a place that is lost, or cannot be noted any more, is said', async () => {
  const { vostro, environment } = await service.venture()
  const receiver = await openReceiver()
  const by = { ...environment, VOSTRO_CONFIG: someFolder() }
  const stop = new AbortController()
  const isReady = Promise.withResolvers<string>()
  const first = run(['listen', '--forward-to', receiver.url], by, stop.signal, isReady.resolve)
  await isReady.promise
  stop.abort()
  assert.equal((await first).code, 0)
  const folder = join(by.VOSTRO_CONFIG, 'listen')
  writeFileSync(join(folder, readdirSync(folder)[0] ?? ''), '{"secret": "whsec_')
  const isReadyAgain = Promise.withResolvers<string>()
  const second = run(['listen', '--forward-to', receiver.url], by, undefined, isReadyAgain.resolve)
  await isReadyAgain.promise
  // A file in the place of the folder: nothing can be stored, whatever the user's rights.
  rmSync(folder, { recursive: true })
  writeFileSync(folder, '')
  await happen(vostro, 1, 0)
  const { code, stderr } = await second
  assert.equal(code, 2)
  assert.match(stderr, /which stores the position of the last run, cannot be read\. Only new events are forwarded, with a new secret\.\n/)
  assert.match(stderr, /cannot be written: .*Set VOSTRO_CONFIG to a writable folder\.\n$/)
})

test('after a change of the database it goes on with new events, and a wrong option is a wrong usage', async () => {
  const [{ environment, vostro, id }, folder] = [await service.venture(), someFolder()]
  const receiver = await openReceiver()
  const listen = async (work: () => Promise<void>) => {
    const stop = new AbortController()
    const listening = run(['listen', '--forward-to', receiver.url], { ...environment, VOSTRO_CONFIG: folder }, stop.signal)
    await work()
    stop.abort()
    return listening
  }
  await listen(() => eventually(() => readdirSync(folder).includes('listen')))
  const file = join(folder, 'listen', readdirSync(join(folder, 'listen'))[0] ?? '')
  const state = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, JSON.stringify({ ...state, events: { since: id, ahead: [] } }))
  const { code, stderr } = await listen(async () => {
    await eventually(async () => {
      await happen(vostro, 1, 0)
      return receiver.arrivals.length > 0
    })
  })
  assert.equal(code, 0)
  assert.match(stderr, /^The service does not know the last forwarded event/)
  for (const [args, message] of [
    [[], /^--forward-to is missing/],
    [['--forward-to', 'ftp://localhost/x'], /must use http or https/],
    [['--forward-to', 'http://[x'], /is not an address/],
    [['--forward-to', '3000'], /^3000 is not an address\. Use one such as localhost:3000\./],
    [['--forward-to', ':3000/hooks'], /^:3000\/hooks is not an address\. Use one such as localhost:3000\/hooks\./],
    [['--forward-to', 'localhost:1', '--types', 'transfer.done'], /^There are no events of the type transfer\.done/],
    [['--forward-to', 'localhost:1', '--since', 'yesterday'], /^--since must be start, now or the id of an event/],
    [['--forward-to', 'localhost:1', '--secret', 'secret'], /^--secret must be whsec_ followed/],
    [['--forward-to', 'localhost:1', '--attempts', '0'], /^--attempts must be a whole number/],
  ] as const) {
    const wrong = await run(['listen', ...args], environment)
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, message)
  }
})
