// Were all events delivered, and in order? What the service lists for followers is what a receiver must have got.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Venture } from './load/world.ts'
import type { Receiver } from './receiver.ts'
import type { Scene } from './scene.ts'
import type { Tally } from './tally.ts'

export type Followed = { id: string; type: string; sequence: number; data: { object: { id: string } } }

/** All events behind one, as a follower reads them. */
export async function follow({ bank }: Scene, { api_key }: Venture, since = 'start'): Promise<Followed[]> {
  const events: Followed[] = []
  for (let last = since; ; last = events.at(-1)?.id ?? since) {
    const path = `/api/v1/events?limit=100&since=${last}`
    const page: Followed[] = await bank.caller.must({ method: 'GET', path, key: api_key })
    events.push(...page)
    if (page.length < 100) return events
  }
}

export type Watched = { receiver: Receiver; endpoint_id: string; venture: Venture; since: string }

/** Registers a receiver for everything that happens from now on. */
export async function watch(scene: Scene, venture: Venture, receiver: Receiver): Promise<Watched> {
  const since = (await follow(scene, venture)).at(-1)?.id ?? 'start'
  const { id } = await scene.world.post(venture, '/webhook-endpoints', { url: receiver.url })
  return { receiver, endpoint_id: id, venture, since }
}

/** Waits until everything was taken, and checks that each resource's events came first in their order and always with the same body. */
export async function checkDeliveries(scene: Scene, tally: Tally, watched: Watched, patience_ms = 40_000): Promise<void> {
  const { receiver } = watched
  const events = await follow(scene, watched.venture, watched.since)
  const deadline = performance.now() + patience_ms
  const missing = () => events.filter(({ id }) => !receiver.taken.has(id))
  while (missing().length > 0 && performance.now() < deadline) await sleep(100)
  for (const { type } of missing()) tally.lost.push(`an event ${type} was not delivered within ${patience_ms / 1000} s`)
  checkOrder(tally, receiver)
  tally.notes.push(`${events.length.toLocaleString('en')} events, ${receiver.arrivals.length.toLocaleString('en')} deliveries of them`)
}

function checkOrder(tally: Tally, { arrivals }: Receiver): void {
  const bodies = new Map<string, string>()
  const sequences = new Map<string, number>()
  for (const { path, id, resource, sequence, body } of arrivals) {
    if (path !== '/hooks') tally.broken.push(`a webhook arrived at ${path}`)
    const before = bodies.get(id)
    if (before !== undefined) {
      if (before !== body) tally.broken.push('an event was delivered twice with different bodies')
      continue
    }
    bodies.set(id, body)
    // What is older than the endpoint has earlier events that were never for it.
    const last = sequences.get(resource) ?? sequence - 1
    if (sequence !== last + 1) tally.broken.push(`an event with sequence ${sequence} was first delivered after the one with ${last}`)
    sequences.set(resource, sequence)
  }
}
