// The couriers of one instance: find endpoints with something to deliver, lease them, and run rounds for each concurrently, so a slow or
// dead receiver delays only its own deliveries.
import { randomUUID } from 'node:crypto'
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { listen } from '../platform/database/listen.ts'
import { read, write } from '../platform/database/sql.ts'
import type { Logger } from '../platform/log.ts'
import type { Outgoing } from '../platform/outgoing/outgoing.ts'
import { Refusal } from '../values/refusals.ts'
import { deliverRound, LeaseLost } from './webhooks.courier.ts'
import type { Endpoint, Lease } from './webhooks.pending.ts'
import { endpointsChanged } from './webhooks.ts'

/** How often couriers poll. Writing an event notifies nobody, because notifications would slow down every write. */
const poll_ms = 200
/** The same if the data is on several servers and there is nothing to deliver: every poll costs one query per shard. */
const rarePoll_ms = 1_000
/** Other instances take over the endpoints of a dead instance after this time; a live instance renews its leases earlier. */
const lease_ms = 5_000
const renewal_ms = 1_500
/** How many endpoints an instance serves concurrently, and how many of them may be failing. */
const maxEndpoints = 32
const maxFailing = 12

type Leased = Lease & { failing: boolean }
/** How many more endpoints there is room for, and how many of them may be failing. */
type Room = { free: number; failing: number }
type Running = { leased: Leased; stopping: AbortController; done: Promise<void> }

export class Couriers {
  readonly #database: Database
  readonly #outgoing: Outgoing
  readonly #log: Logger
  readonly #idlePoll_ms: number
  /** By lease: an endpoint lost to another instance may come back while its last round is still running. */
  readonly #running = new Map<string, Running>()
  #stopped = true
  /** Whether a round has found something to do since this was reset. */
  #busy = false
  #loop: Promise<void> = Promise.resolve()
  #wake: () => void = () => {}
  #unlisten: () => Promise<void> = async () => {}

  constructor({ database, outgoing, log }: { database: Database; outgoing: Outgoing; log: Logger }) {
    this.#database = database
    this.#outgoing = outgoing
    this.#log = log
    this.#idlePoll_ms = database.placement.either({ together: () => poll_ms, apart: () => rarePoll_ms })
  }

  start(): void {
    this.#stopped = false
    this.#unlisten = listen(this.#database, endpointsChanged, (endpoint_id) => this.#abortRounds(endpoint_id))
    this.#loop = this.#work()
  }

  /** Starts no more rounds and waits for the running ones. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake()
    for (const { stopping } of this.#running.values()) stopping.abort()
    await this.#unlisten()
    await this.#loop
    await Promise.all([...this.#running.values()].map(({ done }) => done))
    await this.#outgoing.close()
  }

  /** For tests, instead of start(): delivers until nothing is due. */
  async runDue(): Promise<void> {
    this.#stopped = false
    do {
      this.#busy = false
      await this.#leaseEndpoints()
      await Promise.all([...this.#running.values()].map(({ done }) => done))
    } while (this.#busy)
    this.#stopped = true
  }

  /** Stops sending for an endpoint that was changed or deleted; the next round starts with its new state. */
  #abortRounds(endpoint_id: string | undefined): void {
    for (const { leased, stopping } of this.#running.values()) {
      // Without an id, notifications may have been lost, so any endpoint may have changed.
      if (endpoint_id === undefined || leased.endpoint_id === endpoint_id) stopping.abort()
    }
  }

  async #work(): Promise<void> {
    let renewed = performance.now()
    while (!this.#stopped) {
      try {
        if (performance.now() - renewed > renewal_ms) {
          await this.#renew()
          renewed = performance.now()
        }
        await this.#leaseEndpoints()
      } catch (error) {
        this.#log.warn({ err: error }, 'webhook endpoints could not be looked at')
      }
      await this.#pause()
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped) return resolve()
      const isIdle = this.#running.size === 0
      const timer = setTimeout(resolve, isIdle ? this.#idlePoll_ms : poll_ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #leaseEndpoints(): Promise<void> {
    const failing = [...this.#running.values()].filter(({ leased }) => leased.failing).length
    const room = { free: maxEndpoints - this.#running.size, failing: maxFailing - failing }
    if (room.free <= 0) return
    await this.#database.placement.either({
      together: async () => {
        for (const leased of await this.#lease(room)) this.#begin(leased)
      },
      apart: () => this.#leaseEach(room),
    })
  }

  #begin(leased: Leased): void {
    const stopping = new AbortController()
    this.#running.set(leased.lease, { leased, stopping, done: this.#serve(leased, stopping) })
  }

  /** Leases working endpoints first, so failing ones cannot take all places. */
  async #lease({ free, failing }: Room): Promise<Leased[]> {
    const leaseThose = (those: { failing: boolean; limit: number }) =>
      this.#database.transaction(async (tx) => {
        const leases = await tx.rows(lease({ ...those, at: now().toISOString() }))
        return leases.map((one) => ({ ...one, failing: those.failing }))
      })
    const healthy = await leaseThose({ failing: false, limit: free })
    const rest = Math.min(free - healthy.length, failing)
    return rest <= 0 ? healthy : [...healthy, ...(await leaseThose({ failing: true, limit: rest }))]
  }

  /** The same, but one statement cannot lock rows of several servers: the candidates are leased one by one, and served at once. */
  async #leaseEach(room: Room): Promise<void> {
    let failing = 0
    for (const found of await this.#database.rows(candidates({ limit: room.free, at: now().toISOString() }))) {
      if (found.failing && failing >= room.failing) return
      const taken = await this.#database.transaction((tx) => tx.first(leaseOne(found, randomUUID())))
      if (taken === undefined) continue
      if (found.failing) failing++
      this.#begin({ ...taken, failing: found.failing })
    }
  }

  /** Runs rounds while there is work, then releases the endpoint. If other endpoints may be waiting, it releases it after each round. */
  async #serve(lease: Leased, stopping: AbortController): Promise<void> {
    try {
      let more = true
      while (more && !this.#stopped && !stopping.signal.aborted) {
        more = await deliverRound({ database: this.#database, outgoing: this.#outgoing, lease, signal: stopping.signal })
        this.#busy ||= more
        if (this.#running.size === maxEndpoints || lease.failing) more = false
      }
      await this.#database.transaction((tx) => tx.run(release(lease)))
    } catch (error) {
      if (error instanceof LeaseLost) this.#busy = true
      // Let the lease expire: otherwise a round that cannot be recorded would be repeated without a pause.
      else this.#log.warn({ err: causeOf(error), endpoint_id: lease.endpoint_id }, 'a round of webhook deliveries failed')
    } finally {
      this.#running.delete(lease.lease)
    }
  }

  async #renew(): Promise<void> {
    const leases = [...this.#running.keys()]
    if (leases.length > 0) await this.#database.transaction((tx) => tx.run(renew(leases)))
  }
}

function causeOf(error: unknown): unknown {
  return error instanceof Refusal ? (error.details['cause'] ?? error) : error
}

/**
 * Leases free endpoints with something to deliver: the first endpoint of each venture before the second of any, and those that have waited
 * longest first. Disabled ventures get no deliveries.
 */
const lease = ({ failing, limit, at }: { failing: boolean; limit: number; at: string }) => write<Lease>`
  update webhook_progress set lease = gen_random_uuid(), lease_until = now() + ${lease_ms} * interval '1 millisecond'
  where (venture_id, endpoint_id) in (
    select venture_id, endpoint_id from webhook_progress
    where (venture_id, endpoint_id) in (
      select progress.venture_id, progress.endpoint_id
      from webhook_progress progress
      join webhook_endpoints endpoint on endpoint.venture_id = progress.venture_id and endpoint.id = progress.endpoint_id
      join ventures venture on venture.id = progress.venture_id
      left join lateral (
        select true as is_there from events event
        where event.venture_id = progress.venture_id and (event.era, event.xid, event.id) > (progress.era, progress.xid, progress.event_id)
          and (event.era, event.xid) < ((select era from event_era), pg_snapshot_xmin(pg_current_snapshot()))
        order by event.era, event.xid, event.id limit 1) as fresh on true
      where endpoint.status = 'ACTIVE' and venture.status = 'ACTIVE' and (progress.lease is null or progress.lease_until < now())
        and (progress.failing_since is not null) = ${failing} and (progress.waking or progress.next_due_at <= ${at} or fresh.is_there)
      order by row_number() over (partition by progress.venture_id order by progress.lease_until), progress.lease_until
      limit ${limit})
    and (lease is null or lease_until < now())
    order by endpoint_id for update skip locked)
  returning venture_id, endpoint_id, lease`

/**
 * The same endpoints on several servers, without a lock: working ones before failing ones. Every poll costs one query per shard, so there
 * is only one.
 */
const candidates = ({ limit, at }: { limit: number; at: string }) => read<Endpoint & { failing: boolean }>`
  select venture_id, endpoint_id, failing from (
    select progress.venture_id, progress.endpoint_id, progress.lease_until, progress.failing_since is not null as failing,
      row_number() over (partition by progress.venture_id, progress.failing_since is not null order by progress.lease_until) as place
    from webhook_progress progress
    join webhook_endpoints endpoint on endpoint.venture_id = progress.venture_id and endpoint.id = progress.endpoint_id
    join ventures venture on venture.id = progress.venture_id
    where endpoint.status = 'ACTIVE' and venture.status = 'ACTIVE' and (progress.lease is null or progress.lease_until < now())
      and (progress.waking or progress.next_due_at <= ${at} or exists (
        select from events event
        where event.venture_id = progress.venture_id and (event.era, event.xid, event.id) > (progress.era, progress.xid, progress.event_id)
          and (event.era, event.xid) < ((select era from event_era), pg_snapshot_xmin(pg_current_snapshot()))))) as due
  order by failing, place, lease_until limit ${limit}`

const leaseOne = ({ venture_id, endpoint_id }: Endpoint, lease: string) => write<Lease>`
  update webhook_progress set lease = ${lease}, lease_until = now() + ${lease_ms} * interval '1 millisecond'
  where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and (lease is null or lease_until < now())
  returning venture_id, endpoint_id, lease`

const renew = (leases: readonly string[]) => write`
  update webhook_progress set lease_until = now() + ${lease_ms} * interval '1 millisecond' where lease = any(${leases})`

const release = ({ venture_id, endpoint_id, lease }: Lease) => write`
  update webhook_progress set lease = null, lease_until = now()
  where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and lease = ${lease}`
