// The connections to PostgreSQL: how callers queue for one, and how connections that stop responding are cut.
import type { Socket } from 'node:net'
import pg from 'pg'
import { Queue } from '../queue.ts'
import { type Limits, limitsOf } from './database.limits.ts'
import { parsers } from './database.types.ts'

/** All rights of the service are granted to this role; the login role is only a member of it. */
export const serviceRole = 'vostro_service'

export type ConnectionOptions = {
  url: string
  /** The maximum number of connections. */
  poolSize?: number
  /** Every caller gets a response within this time; see database.limits.ts. */
  wait_ms?: number
  onLost?: (error: Error) => void
}

/** Properties of pg's client that its type definitions lack. */
type Inside = {
  /** False while a statement has been sent and its result is incomplete. */
  readyForQuery: boolean
  connection: { stream: Socket }
}

type Use = { since_ms: number; received_bytes: number; silentChecks: number }

export class Connections {
  readonly pool: pg.Pool
  readonly limits: Limits
  readonly #queue: Queue<() => void>
  readonly #inUse = new Map<pg.PoolClient, Use>()
  readonly #check_ms: number
  #free: number
  #timer: NodeJS.Timeout | undefined

  constructor({ url, poolSize = 12, wait_ms = 5_000, onLost = () => {} }: ConnectionOptions) {
    this.limits = limitsOf(wait_ms)
    this.#check_ms = wait_ms / 100
    this.#free = poolSize
    this.#queue = new Queue(this.limits.queue_ms)
    const { address, givenOptions } = splitOptions(url)
    this.pool = new pg.Pool({
      connectionString: address,
      max: poolSize,
      types: parsers,
      // Statements of a transaction are pipelined, without waiting for each other's results: 2.0–2.5 times the throughput.
      pipeline: true,
      application_name: 'vostro',
      options: [givenOptions, ...sessionSettings(this.limits).map((setting) => `-c ${setting}`)].join(' '),
      // Limits only the opening of a connection: nobody waits in the pool's own queue, as no more callers are admitted than connections.
      connectionTimeoutMillis: this.limits.connect_ms,
      keepAlive: true,
    })
    // The pool replaces an idle connection that breaks; without a listener the error would end the process.
    this.pool.on('error', onLost)
    // A connection that breaks while in use fails its statements, which is where we handle it; but the event also needs a listener.
    this.pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** How many callers wait for a connection. */
  get waiting(): number {
    return this.#queue.length
  }

  /**
   * Waits for permission to use one connection; the caller must release it. Returns undefined if a connection was free immediately.
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

  async connect(since_ms: number): Promise<pg.PoolClient> {
    const client = await this.pool.connect()
    this.#inUse.set(client, { since_ms, received_bytes: 0, silentChecks: 0 })
    this.#watch()
    return client
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
   * Cuts a connection that stopped responding. Silence is counted in checks and not by the clock: a pause in which this process was too
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

function sessionSettings({ statement_ms, lock_ms, idle_ms }: Limits): string[] {
  return [
    `role=${serviceRole}`,
    'timezone=UTC',
    // JIT compilation takes longer than any of our statements.
    'jit=off',
    `statement_timeout=${statement_ms}`,
    `lock_timeout=${lock_ms}`,
    `idle_in_transaction_session_timeout=${idle_ms}`,
  ]
}

/** Options in the URL would replace ours, including the role of the service; appended last, ours take precedence. */
function splitOptions(url: string): { address: string; givenOptions: string } {
  const address = new URL(url)
  const givenOptions = address.searchParams.get('options') ?? ''
  address.searchParams.delete('options')
  return { address: address.href, givenOptions }
}
