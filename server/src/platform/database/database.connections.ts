// The connections to PostgreSQL: how callers queue for one, and how connections that stop responding are cut.
import pg from 'pg'
import { Hosts, hostUrls } from '../hosts.ts'
import { Queue } from '../queue.ts'
import { troubleOf } from './database.errors.ts'
import { type Limits, limitsOf } from './database.limits.ts'
import { type Inside, PrimaryClient } from './database.primary.ts'
import { parsers } from './database.types.ts'

/** All rights of the service are granted to this role. The login role is only a member of it. */
export const serviceRole = 'vostro_service'

export type ConnectionOptions = {
  /** May contain several hosts; see hosts.ts. */
  url: string
  /** The maximum number of connections. */
  poolSize?: number
  /** Every caller gets a response within this time; see database.limits.ts. */
  wait_ms?: number
  /** Connections for lists and searches only, whose statements get less time. */
  forLists?: boolean
  onLost?: (error: Error) => void
}

/** A connection of the pool. */
export type PooledClient = PrimaryClient & pg.PoolClient

type Use = { since_ms: number; received_bytes: number; silentChecks: number }

export class Connections {
  readonly pool: pg.Pool
  readonly limits: Limits
  /** The maximum number of connections. */
  readonly size: number
  readonly #hosts: Hosts
  readonly #queue: Queue<() => void>
  readonly #inUse = new Map<pg.PoolClient, Use>()
  readonly #check_ms: number
  #free: number
  #timer: NodeJS.Timeout | undefined

  constructor({ url, poolSize = 12, wait_ms = 5_000, forLists = false, onLost = () => {} }: ConnectionOptions) {
    this.limits = limitsOf(wait_ms)
    this.#check_ms = wait_ms / 100
    this.size = poolSize
    this.#free = poolSize
    this.#queue = new Queue(this.limits.queue_ms)
    const split = hostUrls(url).map(splitOptions)
    this.#hosts = new Hosts(split.map(({ address }) => address))
    this.pool = new pg.Pool({
      Client: PrimaryClient,
      max: poolSize,
      types: parsers,
      // Statements of a transaction are pipelined without waiting for each other's results, which gives 2.0–2.5 times the throughput.
      pipeline: true,
      application_name: 'vostro',
      options: [split[0]?.givenOptions, ...sessionSettings(this.limits, forLists).map((setting) => `-c ${setting}`)].join(' '),
      // Limits only the opening of a connection. Nobody waits in the pool's own queue, because at most as many callers are admitted as
      // there are connections. Each of several hosts gets its share of the time.
      connectionTimeoutMillis: Math.ceil(this.limits.connect_ms / this.#hosts.count),
      keepAlive: true,
      // Lets a connection that waits indefinitely, for a notification or a standby, notice that its server is gone.
      keepAliveInitialDelayMillis: 10_000,
    })
    // The pool replaces an idle connection that breaks. Without a listener, the error would end the process.
    this.pool.on('error', onLost)
  }

  /** How many callers wait for a connection. */
  get waiting(): number {
    return this.#queue.length
  }

  /**
   * Waits for permission to use one connection, which the caller must release. Returns undefined if a connection was free immediately.
   * `since_ms`: when the caller started to wait for a response.
   */
  enter(since_ms: number): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return undefined
    }
    return new Promise((resolve, reject) => this.#queue.join(resolve, reject, since_ms))
  }

  leave(): void {
    const [next] = this.#queue.take(1)
    if (next === undefined) this.#free++
    else next()
  }

  async connect(since_ms: number): Promise<PooledClient> {
    const client = await this.#atPrimary((url) => {
      // The pool reads its options each time it opens a connection.
      this.pool.options.connectionString = url
      return this.pool.connect() as Promise<PooledClient>
    })
    this.#inUse.set(client, { since_ms, received_bytes: 0, silentChecks: 0 })
    this.#watch()
    return client
  }

  /** Opens a connection outside the pool, which may wait as long as its user wants. */
  openOwn(application_name: string): Promise<PrimaryClient> {
    return this.#atPrimary(async (connectionString) => {
      const client = new PrimaryClient({ ...this.pool.options, connectionString, application_name, pipeline: false })
      await client.connect()
      return client
    })
  }

  /** Tries one host after the other, beginning with the last known primary. */
  async #atPrimary<Client>(open: (url: string) => Promise<Client>): Promise<Client> {
    const failures: unknown[] = []
    for (const url of this.#hosts.urls) {
      try {
        const client = await open(url)
        this.#hosts.prefer(url)
        return client
      } catch (error) {
        failures.push(error)
      }
    }
    // While the primary is unreachable, errors of the other hosts do not matter.
    throw failures.find((failure) => troubleOf(failure) !== undefined) ?? failures[0]
  }

  /** Releases a connection; a `broken` one is replaced. */
  release(client: pg.PoolClient, broken: Error | undefined): void {
    this.#inUse.delete(client)
    client.release(broken)
  }

  async close(): Promise<void> {
    // Errors no longer matter: all connections are about to be closed.
    this.pool.removeAllListeners('error')
    this.pool.on('error', () => {})
    await this.pool.end()
  }

  /** One timer for all connections: a timer for each statement would cost more than some statements do. */
  #watch(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      for (const [client, use] of this.#inUse) this.#check(client as unknown as Inside, use)
      if (this.#inUse.size > 0) this.#watch()
    }, this.#check_ms).unref()
  }

  /**
   * Closes a connection that has stopped responding. Silence is counted in checks, not by the clock: a pause in which this process was too
   * busy to read its sockets counts as one check and is not mistaken for silence of the database.
   */
  #check({ readyForQuery, connection: { stream } }: Inside, use: Use): void {
    if (readyForQuery || stream.bytesRead !== use.received_bytes) {
      use.received_bytes = stream.bytesRead
      use.silentChecks = 0
      return
    }
    const silent_ms = ++use.silentChecks * this.#check_ms
    const isLate = performance.now() - use.since_ms > this.limits.answer_ms
    if (silent_ms < (isLate ? this.limits.lateSilence_ms : this.limits.silence_ms)) return
    const silence = new Error(`the database has not answered for ${Math.round(silent_ms)} ms`)
    stream.destroy(Object.assign(silence, { code: 'ETIMEDOUT' }))
  }
}

function sessionSettings({ statement_ms, list_ms, lock_ms, idle_ms }: Limits, forLists: boolean): string[] {
  return [
    `role=${serviceRole}`,
    'timezone=UTC',
    // JIT compilation takes longer than any of our statements.
    'jit=off',
    `statement_timeout=${forLists ? list_ms : statement_ms}`,
    // A list reads its rows in the order of an index. It must neither scan a whole table nor occupy a second processor.
    ...(forLists ? ['enable_seqscan=off', 'max_parallel_workers_per_gather=0'] : []),
    // In a distributed database, one connection to each worker is enough for a session. A statement about all shards would open and close
    // up to sixteen, which took 100 ms. Other databases ignore the setting.
    'citus.max_adaptive_executor_pool_size=1',
    `lock_timeout=${lock_ms}`,
    `idle_in_transaction_session_timeout=${idle_ms}`,
    // The warning that a COMMIT no longer waits for the standby must reach us.
    'client_min_messages=warning',
  ]
}

/** Options in the URL would replace ours, including the role of the service. Ours are appended last, so they take precedence. */
function splitOptions(url: string): { address: string; givenOptions: string } {
  const address = new URL(url)
  const givenOptions = address.searchParams.get('options') ?? ''
  address.searchParams.delete('options')
  return { address: address.href, givenOptions }
}
