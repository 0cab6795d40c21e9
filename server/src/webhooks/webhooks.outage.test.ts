// A receiver that is down during many events, and a service that is killed during deliveries.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ServiceProcess, stopProcesses } from '../testing/testing.process.ts'
import { openReceiver } from '../testing/testing.receiver.ts'
import { findTestServer, urlOf } from '../testing/testing.server.ts'
import { openBank } from '../testing/testing.ts'

const clients = 1_000
const updates = 3

afterEach(stopProcesses)

test('a receiver that was down through 4,000 events gets them all, in order, though the service is killed twice', async () => {
  const bank = await openBank()
  const server = findTestServer()
  const settings = {
    DATABASE_URL: urlOf(server.serviceUrl, bank.owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, bank.owner.database ?? ''),
    WEBHOOK_ALLOW_PRIVATE_NETWORK: 'true',
    LOG_LEVEL: 'silent',
    PORT: '0',
  }
  const venture = await bank.registerVenture()
  const receiver = await openReceiver()
  await receiver.goDown()
  const endpoint = (await venture.post('/webhook-endpoints', { url: receiver.url })).body

  const first = new ServiceProcess(settings)
  await first.ready()
  await inParallel(50, clients, async () => {
    const { id } = await venture.registerClient()
    for (let update = 0; update < updates; update++) await venture.put(`/clients/${id}`, { city: `City ${update}` })
  })
  await first.stop('SIGKILL')

  await receiver.comeBack()
  const second = new ServiceProcess(settings)
  await second.ready()
  // The next event is delivered and wakes the failed deliveries.
  await venture.post(`/webhook-endpoints/${endpoint.id}/test`)
  const expected = clients * (1 + updates) + 1
  const arrived = () => new Set(receiver.arrivals.map(({ event }) => event.id)).size
  while (arrived() < expected / 2) await sleep(20)
  await second.stop('SIGKILL')
  assert.ok(arrived() < expected, 'it was killed too late to show anything')

  const third = new ServiceProcess(settings)
  await third.ready()
  while (arrived() < expected) await sleep(20)

  // An event may arrive twice, but its first arrival comes after those of all earlier events of the resource.
  const reached = new Map<string, number>()
  for (const { event } of receiver.arrivals) {
    const { id } = event.data.object
    const last = reached.get(id) ?? 0
    assert.ok(event.sequence <= last + 1, `event ${event.sequence} of ${id} came after ${last}`)
    reached.set(id, Math.max(last, event.sequence))
  }
  await waitFor(async () => {
    const open = (await venture.get(`/webhook-endpoints/${endpoint.id}/deliveries?status=PENDING`)).body
    return open.length === 0
  })
})

async function inParallel(workers: number, count: number, act: () => Promise<unknown>): Promise<void> {
  let left = count
  await Promise.all(
    Array.from({ length: workers }, async () => {
      while (left-- > 0) await act()
    }),
  )
}

async function waitFor(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50)
}
