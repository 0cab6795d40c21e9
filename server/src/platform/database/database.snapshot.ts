// A snapshot: one read-only transaction, so everything read in it is from the same point in time. Its reader may be slow or disappear; a
// snapshot that is no longer read, or that takes too long, ends on its own and returns its connection.
import { refuse } from '../../values/refusals.ts'
import type { Connections, PooledClient } from './database.connections.ts'
import { troubleOf } from './database.errors.ts'
import type { Limits } from './database.limits.ts'
import { rowsOf } from './database.rows.ts'
import { type Read, read } from './sql.ts'

type SnapshotLimits = Pick<Limits, 'snapshotPause_ms' | 'snapshot_ms'>

export class Snapshot {
  readonly #client: PooledClient
  readonly #connections: Connections
  readonly #leave: () => void
  readonly #pause_ms: number
  readonly #end_ms: number
  #timer: NodeJS.Timeout | undefined
  #isReading = false
  #isClosed = false
  /** Called when the snapshot ends before it was closed, so that its reader learns that the rest is missing. */
  onExpired: () => void = () => {}

  /**
   * `first`: a statement that runs before the snapshot is taken. `leave`: returns the snapshot's place; it is called once, unless opening
   * fails.
   */
  static async open(
    connections: Connections,
    leave: () => void,
    { first, ...limits }: SnapshotLimits & { first?: Read<object> | undefined },
  ): Promise<Snapshot> {
    const client = await connections.connect(performance.now())
    try {
      await client.query('begin isolation level repeatable read, read only')
      if (first !== undefined) await client.query(first)
      // The server's own limit for idle transactions is for those that never pause.
      await client.query(read`select set_config('idle_in_transaction_session_timeout', ${String(2 * limits.snapshotPause_ms)}, true)`)
    } catch (error) {
      connections.release(client, error as Error)
      throw error
    }
    return new Snapshot(connections, client, leave, limits)
  }

  private constructor(connections: Connections, client: PooledClient, leave: () => void, limits: SnapshotLimits) {
    this.#connections = connections
    this.#client = client
    this.#leave = leave
    this.#pause_ms = limits.snapshotPause_ms
    this.#end_ms = performance.now() + limits.snapshot_ms
    this.#watch()
  }

  /** Only one call at a time. */
  async rows<Row extends object>(query: Read<Row>): Promise<Row[]> {
    if (this.#isClosed) throw new Error('the snapshot has ended')
    clearTimeout(this.#timer)
    this.#isReading = true
    try {
      return rowsOf(await this.#client.query<unknown[]>(query))
    } catch (error) {
      // For the first statement, nothing has been sent yet, so it can be refused like any other.
      if (troubleOf(error) !== undefined) refuse('unavailable', { retry_after_s: 1, cause: error })
      throw error
    } finally {
      this.#isReading = false
      if (!this.#isClosed) this.#watch()
    }
  }

  async first<Row extends object>(query: Read<Row>): Promise<Row | undefined> {
    return (await this.rows(query))[0]
  }

  /** May be called repeatedly. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    const broken = await this.#client.query('rollback').then(
      () => undefined,
      (error: Error) => error,
    )
    this.#connections.release(this.#client, broken)
    this.#leave()
  }

  #watch(): void {
    const left_ms = Math.max(0, Math.min(this.#pause_ms, this.#end_ms - performance.now()))
    this.#timer = setTimeout(() => {
      if (this.#isReading) return
      void this.close().then(() => this.onExpired())
    }, left_ms).unref()
  }
}
