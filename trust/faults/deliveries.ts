// Checks that all events were delivered in order: a receiver must have got what the service lists for followers.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Venture } from './load/world.ts'
import type { Receiver } from './receiver.ts'
import type { Results } from './results.ts'
import type { Setup } from './setup.ts'

export type Followed = { id: string; type: string; sequence: number; data: { object: { id: string } } }

/** All events after a given one, as a follower reads them. */
export async function follow({ bank }: Setup, { api_key }: Venture, since = 'start'): Promise<Followed[]> {
  const events: Followed[] = []
  for (let last = since; ; last = events.at(-1)?.id ?? since) {
    const path = `/api/v1/events?limit=100&since=${last}`
    const page: Followed[] = await bank.caller.must({ method: 'GET', path, key: api_key })
    events.push(...page)
    if (page.length < 100) return events
  }
}

export type Watched = { receiver: Receiver; endpoint_id: string; venture: Venture; since: string }

/** Registers a receiver for all events from now on. */
export async function watch(setup: Setup, venture: Venture, receiver: Receiver): Promise<Watched> {
  const since = (await follow(setup, venture)).at(-1)?.id ?? 'start'
  const { id } = await setup.world.post(venture, '/webhook-endpoints', { url: receiver.url })
  return { receiver, endpoint_id: id, venture, since }
}

/** Waits until all events were accepted, and checks that each resource's events first arrived in order and always with the same body. */
export async function checkDeliveries(setup: Setup, results: Results, watched: Watched, timeout_ms = 40_000): Promise<void> {
  const { receiver } = watched
  const events = await follow(setup, watched.venture, watched.since)
  const deadline = performance.now() + timeout_ms
  const missing = () => events.filter(({ id }) => !receiver.taken.has(id))
  while (missing().length > 0 && performance.now() < deadline) await sleep(100)
  for (const { type } of missing()) results.lost.push(`an event ${type} was not delivered within ${timeout_ms / 1000} s`)
  checkOrder(results, receiver)
  results.notes.push(`${events.length.toLocaleString('en')} events, ${receiver.arrivals.length.toLocaleString('en')} deliveries of them`)
}

function checkOrder(results: Results, { arrivals }: Receiver): void {
  const bodies = new Map<string, string>()
  const sequences = new Map<string, number>()
  for (const { path, id, resource, sequence, body } of arrivals) {
    if (path !== '/hooks') results.broken.push(`a webhook arrived at ${path}`)
    const before = bodies.get(id)
    if (before !== undefined) {
      if (before !== body) results.broken.push('an event was delivered twice with different bodies')
      continue
    }
    bodies.set(id, body)
    // A resource older than the endpoint has earlier events that were never sent to it.
    const last = sequences.get(resource) ?? sequence - 1
    if (sequence !== last + 1) results.broken.push(`an event with sequence ${sequence} was first delivered after the one with ${last}`)
    sequences.set(resource, sequence)
  }
}
