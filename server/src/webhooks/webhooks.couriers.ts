// The couriers of one instance: looks which endpoints have something to be delivered, leases them, and runs rounds for each, side by
// side, so that a receiver that is slow or dead holds up nobody but itself.
import { uuidv7 } from 'uuidv7'
import type { Database } from '../platform/database.ts'
import { listen } from '../platform/listen.ts'
import type { Logger } from '../platform/log.ts'
import type { Outgoing } from '../platform/outgoing.ts'
import { write } from '../platform/sql.ts'
import { deliverRound, LeaseLost } from './webhooks.courier.ts'
import { endpointsChanged } from './webhooks.ts'

/** How often we look for something to deliver. Events tell nobody that they are there: what listens would slow down what writes. */
const poll_ms = 200
/** An instance that dies loses its endpoints to others after this long; one that lives renews its leases in good time. */
const lease_ms = 5_000
const renewal_ms = 1_500
/** To how many endpoints an instance delivers at once. */
const most = 32

type Endpoint = { venture_id: string; endpoint_id: string }

export class Couriers {
  readonly #database: Database
  readonly #outgoing: Outgoing
  readonly #log: Logger
  readonly #owner = uuidv7()
  readonly #running = new Map<string, { endpoint: Endpoint; stopping: AbortController; done: Promise<void> }>()
  #stopped = true
  /** Whether a round has found something to do since this was last looked at. */
  #busy = false
  #loop: Promise<void> = Promise.resolve()
  #wake: () => void = () => {}
  #unlisten: () => Promise<void> = async () => {}

  constructor({ database, outgoing, log }: { database: Database; outgoing: Outgoing; log: Logger }) {
    this.#database = database
    this.#outgoing = outgoing
    this.#log = log
  }

  start(): void {
    this.#stopped = false
    this.#unlisten = listen(this.#database, endpointsChanged, (endpoint_id) => this.#changed(endpoint_id))
    this.#loop = this.#work()
  }

  /** Begins no more rounds and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#wake()
    for (const { stopping } of this.#running.values()) stopping.abort()
    await this.#unlisten()
    await this.#loop
    await Promise.all([...this.#running.values()].map(({ done }) => done))
    await this.#outgoing.close()
  }

  /** Delivers what there is, and what is due after that, until nothing is. For tests, instead of start(). */
  async runDue(): Promise<void> {
    this.#stopped = false
    do {
      this.#busy = false
      await this.#takeSome()
      await Promise.all([...this.#running.values()].map(({ done }) => done))
    } while (this.#busy)
    this.#stopped = true
  }

  /** What is queued for an endpoint that was changed or deleted is not sent any more; the next round begins with what is true now. */
  #changed(endpoint_id: string | undefined): void {
    if (endpoint_id !== undefined) this.#running.get(endpoint_id)?.stopping.abort()
  }

  async #work(): Promise<void> {
    let renewed = performance.now()
    while (!this.#stopped) {
      try {
        if (performance.now() - renewed > renewal_ms) {
          await this.#renew()
          renewed = performance.now()
        }
        await this.#takeSome()
      } catch (error) {
        this.#log.warn({ err: error }, 'webhook endpoints could not be looked at')
      }
      await this.#rest()
    }
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#stopped) return resolve()
      const timer = setTimeout(resolve, poll_ms)
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  async #takeSome(): Promise<void> {
    const free = most - this.#running.size
    if (free <= 0) return
    const taken = await this.#database.transaction((tx) => tx.rows(lease(this.#owner, free)))
    for (const endpoint of taken) {
      const stopping = new AbortController()
      const done = this.#serve(endpoint, stopping)
      this.#running.set(endpoint.endpoint_id, { endpoint, stopping, done })
    }
  }

  /** One round after another while there is work; then the endpoint is given back. Where others wait, it is given back after each round. */
  async #serve(endpoint: Endpoint, stopping: AbortController): Promise<void> {
    try {
      let more = true
      while (more && !this.#stopped && !stopping.signal.aborted) {
        more = await deliverRound({
          database: this.#database,
          outgoing: this.#outgoing,
          endpoint: { ...endpoint, owner: this.#owner },
          signal: stopping.signal,
        })
        this.#busy ||= more
        if (this.#running.size === most) more = false
      }
    } catch (error) {
      if (!(error instanceof LeaseLost)) this.#log.warn({ err: error, ...endpoint }, 'a round of webhook deliveries failed')
    } finally {
      // If this fails, the lease runs out.
      await this.#database.transaction((tx) => tx.run(release(this.#owner, endpoint))).catch(() => {})
      this.#running.delete(endpoint.endpoint_id)
    }
  }

  async #renew(): Promise<void> {
    const endpoints = [...this.#running.values()].map(({ endpoint }) => endpoint.endpoint_id)
    if (endpoints.length > 0) await this.#database.transaction((tx) => tx.run(renew(this.#owner, endpoints)))
  }
}

/** Endpoints that nobody serves and that have something to be delivered, those first that were served the longest time ago. */
const lease = (owner: string, limit: number) => write<Endpoint>`
  update webhook_progress set lease_owner = ${owner}, lease_until = now() + ${lease_ms} * interval '1 millisecond'
  where (venture_id, endpoint_id) in (
    select progress.venture_id, progress.endpoint_id
    from webhook_progress progress join webhook_endpoints endpoint
      on endpoint.venture_id = progress.venture_id and endpoint.id = progress.endpoint_id
    join ventures venture on venture.id = progress.venture_id
    where endpoint.status = 'ACTIVE' and venture.status = 'ACTIVE' and (progress.lease_owner is null or progress.lease_until < now()) and (
      progress.waking
      or exists (
        select from events event
        where event.venture_id = progress.venture_id and (event.xid, event.id) > (progress.xid, progress.event_id)
          and event.xid < pg_snapshot_xmin(pg_current_snapshot()))
      or exists (
        select from webhook_deliveries delivery
        where delivery.venture_id = progress.venture_id and delivery.endpoint_id = progress.endpoint_id and delivery.next_attempt_at <= now()))
    order by progress.lease_until limit ${limit} for update of progress skip locked)
  returning venture_id, endpoint_id`

const renew = (owner: string, endpoints: readonly string[]) => write`
  update webhook_progress set lease_until = now() + ${lease_ms} * interval '1 millisecond'
  where lease_owner = ${owner} and endpoint_id = any(${endpoints})`

const release = (owner: string, { venture_id, endpoint_id }: Endpoint) => write`
  update webhook_progress set lease_owner = null, lease_until = now()
  where venture_id = ${venture_id} and endpoint_id = ${endpoint_id} and lease_owner = ${owner}`
