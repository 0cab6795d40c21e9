// The Prometheus metrics: requests by route and status with their latency, the pool, and the process itself.
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from 'prom-client'
import { share } from './coalesce.ts'
import type { Database } from './database/database.ts'
import type { App } from './http/http.ts'
import { countJobs } from './jobs.ts'

/** Counts every request of `app`. `/metrics` shows the returned metrics, added up over all instances. */
export function measure(app: App, database: Database, siblings?: Siblings): Metrics {
  const registry = new Metrics(siblings)
  // Includes event loop lag (nodejs_eventloop_lag_*), CPU and memory.
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  })
  app.addHook('onResponse', async (request, reply) => {
    registry.recent.note()
    duration.observe(
      { method: request.method, route: request.routeOptions.url ?? 'unknown', status: reply.statusCode },
      reply.elapsedTime / 1000,
    )
  })
  new Gauge({
    name: 'database_pool_connections',
    help: 'Connections to the database by state; waiting counts requests without a connection.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { pool, waiting } = database.connections
      const { totalCount, idleCount } = pool
      this.set({ state: 'busy' }, totalCount - idleCount)
      this.set({ state: 'idle' }, idleCount)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  new Gauge({
    name: 'database_lists',
    help: 'Lists and searches that are running or waiting for their turn.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { running, waiting } = database.lists
      this.set({ state: 'running' }, running)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  measureJobs(registry, database)
  return registry
}

function measureJobs(registry: Registry, database: Database): void {
  const shared = share(() => countJobs(database), { wait_ms: database.limits.answer_ms })
  // The other metrics must be available even if the database is not.
  const count = async () => (await shared().catch(() => undefined)) ?? []
  new Gauge({
    name: 'jobs',
    help: 'Jobs that are waiting or dead, by kind.',
    labelNames: ['kind', 'state'],
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.reset()
      for (const { kind, ready, dead } of await count()) {
        this.set({ kind, state: 'ready' }, ready)
        this.set({ kind, state: 'dead' }, dead)
      }
    },
  })
  new Gauge({
    name: 'jobs_oldest_due_seconds',
    help: 'How long the oldest due job has been waiting, by kind.',
    labelNames: ['kind'],
    aggregator: 'first',
    registers: [registry],
    async collect() {
      this.reset()
      for (const { kind, oldest_s } of await count()) this.set({ kind }, oldest_s)
    },
  })
}

/** Counts events of the last 60 seconds, in real time. */
class LastMinute {
  readonly #counts = new Array<number>(60).fill(0)
  #second = 0

  note(): void {
    this.#forget()
    const place = this.#second % 60
    this.#counts[place] = (this.#counts[place] ?? 0) + 1
  }

  count(): number {
    this.#forget()
    return this.#counts.reduce((sum, each) => sum + each, 0)
  }

  /** Clears the seconds that have begun since the last call. */
  #forget(): void {
    const second = Math.floor(performance.now() / 1000)
    for (let passed = Math.max(this.#second, second - 60) + 1; passed <= second; passed++) this.#counts[passed % 60] = 0
    this.#second = second
  }
}

export type Measured = MetricObjectWithValues<MetricValue<string>>

/** The measurements of one instance, in a form that can be sent to another process. */
export type Snapshot = { metrics: readonly Measured[]; recent: number }

/** The instances that were started together and add up their measurements. */
export type Siblings = {
  /** Registers how this instance is asked. */
  answer(own: () => Promise<Snapshot>): void
  /** The measurements of every instance, including this one. */
  ask(): Promise<readonly Snapshot[]>
}

type Together = { registry: Registry; recent: number }

/** Each metric defines how it is added up: counters and histograms as sums, a gauge of the database only once. */
export function addUp(snapshots: readonly Snapshot[]): Together {
  return {
    registry: AggregatorRegistry.aggregate(snapshots.map(({ metrics }) => metrics as unknown as object)),
    recent: snapshots.reduce((sum, { recent }) => sum + recent, 0),
  }
}

/** The registry of this instance, and figures that a monitoring system would compute from it over time. */
export class Metrics extends Registry {
  readonly recent = new LastMinute()
  readonly #siblings: Siblings | undefined

  constructor(siblings?: Siblings) {
    super()
    this.#siblings = siblings
    siblings?.answer(() => this.snapshot())
  }

  async snapshot(): Promise<Snapshot> {
    return { metrics: (await this.getMetricsAsJSON()) as readonly Measured[], recent: this.recent.count() }
  }

  /** The measurements of all instances of this start. */
  async together(): Promise<Together> {
    return this.#siblings === undefined ? { registry: this, recent: this.recent.count() } : addUp(await this.#siblings.ask())
  }
}
