// Following events across interruptions: each once, in order.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openBank } from '../../server/src/testing/testing.ts'
import { eventually } from '../../server/src/testing/testing.waits.ts'
import { FaultyProxy } from './proxy.testing.ts'
import { Vostro, VostroProblem } from './sdk.ts'

const bank = await openBank()
const baseUrl = await bank.listen()
const proxy = await FaultyProxy.open(baseUrl)
after(() => proxy.refuse())

async function openVenture() {
  const { venture } = await bank.registerVenture()
  const direct = new Vostro({ key: venture.api_key, baseUrl })
  const happen = async (count: number) => {
    for (let done = 0; done < count; done++) await direct.paymentLinks.create({ amount: '1.00', currency: 'EUR' })
  }
  return { direct, happen, key: venture.api_key }
}

test('over cuts, refused connections and pages of one hundred, every event arrives once and in order', async () => {
  const { direct, happen, key } = await openVenture()
  await happen(130)
  const stop = new AbortController()
  const seen: string[] = []
  const told: string[] = []
  const following = (async () => {
    const vostro = new Vostro({ key, baseUrl: proxy.url })
    const options = {
      since: 'start',
      signal: stop.signal,
      interval_ms: 5,
      onConnected: () => void told.push('connected'),
      onLost: (error: Error) => void told.push(error.name),
    }
    for await (const { id } of vostro.events.follow(options)) seen.push(id)
  })()
  await eventually(() => seen.length === 130)
  proxy.plan = ['unsent', 'pass', 'cut', 'pass', 'unanswered', 'pass', 502, 'pass', 429]
  await happen(10)
  await eventually(() => seen.length === 140)
  await proxy.refuse()
  await happen(10)
  await eventually(() => told.at(-1) === 'VostroUnreachable')
  await proxy.accept()
  await eventually(() => seen.length === 150)
  stop.abort()
  await following
  const all = await direct.events.list({ since: 'start' }).toArray()
  assert.deepEqual(
    seen,
    all.map(({ id }) => id),
  )
  assert.equal(all.length, 150)
  assert.equal(told[0], 'connected')
  assert.equal(told.at(-1), 'connected')
})

test('goes on after a given event, begins with the next one, and keeps to a type', async () => {
  const { direct, happen, key } = await openVenture()
  await happen(3)
  await bank.othersEnded()
  const [first, second, third] = await direct.events.list({ since: 'start' }).toArray()
  assert.ok(first && second && third)
  const vostro = new Vostro({ key, baseUrl })
  const one = async (options: Parameters<typeof vostro.events.follow>[0]) => {
    for await (const event of vostro.events.follow({ interval_ms: 5, ...options })) return event
    return undefined
  }
  assert.deepEqual((await one({}))?.id, first.id)
  assert.deepEqual((await one({ since: second.id }))?.id, third.id)
  let connected = () => {}
  const isConnected = new Promise<void>((resolve) => {
    connected = resolve
  })
  const next = one({ since: 'now', onConnected: connected })
  await isConnected
  await happen(1)
  const found = await next
  assert.ok(found !== undefined && ![first.id, second.id, third.id].includes(found.id))
  const updated = one({ type: 'payment_link.updated' })
  await direct.paymentLinks.update(String(third.data.object.id), { active: false })
  assert.equal((await updated)?.type, 'payment_link.updated')
})

test('ends without an error when the signal is aborted, and with one when the service refuses for good', async () => {
  const { key } = await openVenture()
  const stop = new AbortController()
  const vostro = new Vostro({ key, baseUrl })
  const options = { signal: stop.signal, onConnected: () => stop.abort() }
  for await (const event of vostro.events.follow(options)) assert.fail(event.id)
  const stranger = new Vostro({ key: `${key.slice(0, -4)}xxxx`, baseUrl })
  const refused = await stranger.events
    .follow()
    .next()
    .catch((error) => error)
  assert.ok(refused instanceof VostroProblem && refused.code === 'unauthorized')
})
