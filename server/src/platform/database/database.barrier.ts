// Proves that a failover cannot undo a row. After a crash, PostgreSQL shows commits that never reached the standby. A later commit that
// waited for the standby, the barrier, proves that everything before it has arrived there.
import type { Connections } from './database.connections.ts'
import { troubleOf } from './database.errors.ts'
import type { PrimaryClient } from './database.primary.ts'
import type { Read } from './sql.ts'

type Waiting = { evidence: Read<object>; resolve(confirmed: boolean): void; reject(error: unknown): void }

/** A transaction that changes no table, but whose COMMIT waits for the standby like any other. Every role may call this function. */
export const barrierStatement = `select pg_logical_emit_message(true, 'vostro', '')`

export class Barrier {
  readonly #connections: Connections
  readonly #waiting = new Set<Waiting>()
  #client: PrimaryClient | undefined
  #running = false
  #closed = false

  constructor(connections: Connections) {
    this.#connections = connections
  }

  /** Whether the row that `evidence` finds is safe; false if that could not be proved by `deadline_ms`. */
  confirms(evidence: Read<object>, deadline_ms: number): Promise<boolean> {
    const { promise, resolve, reject } = Promise.withResolvers<boolean>()
    const waiting = { evidence, resolve, reject }
    const timer = setTimeout(() => resolve(false), deadline_ms - performance.now())
    this.#waiting.add(waiting)
    void this.#run()
    return promise.finally(() => {
      clearTimeout(timer)
      this.#waiting.delete(waiting)
    })
  }

  close(): void {
    this.#closed = true
    void this.#client?.end()
  }

  /**
   * One barrier runs at a time, for all callers that asked before it began. It waits for the standby for as long as that takes: a backend
   * that waits for a standby does not notice that its client left, so giving up and trying again would fill the server with such backends.
   */
  async #run(): Promise<void> {
    if (this.#running) return
    this.#running = true
    while (this.#waiting.size > 0 && !this.#closed) {
      const group = [...this.#waiting]
      this.#waiting.clear()
      await this.#pass(group)
    }
    this.#running = false
  }

  async #pass(group: readonly Waiting[]): Promise<void> {
    try {
      const client = await this.#connections.openOwn('vostro barrier')
      this.#client = client
      if (this.#closed) return
      const seen = await this.#findRows(client, group)
      await client.query(this.#inTime({ text: 'begin' }))
      await client.query(this.#inTime({ text: barrierStatement }))
      await client.query('commit')
      for (const { resolve } of seen) resolve(!client.unconfirmed)
    } catch (error) {
      for (const { resolve, reject } of group) {
        if (troubleOf(error) === undefined) reject(error)
        else resolve(false)
      }
    } finally {
      await this.#client?.end()
      this.#client = undefined
    }
  }

  /**
   * The callers have already seen their rows, but perhaps on another server, before a failover. A barrier only proves something about rows
   * that were on its own server before it.
   */
  async #findRows(client: PrimaryClient, group: readonly Waiting[]): Promise<Waiting[]> {
    const seen: Waiting[] = []
    for (const waiting of group) {
      const { rows } = await client.query<unknown[]>(this.#inTime(waiting.evidence))
      if (rows.length === 0) waiting.resolve(false)
      else seen.push(waiting)
    }
    return seen
  }

  #inTime<Query extends object>(query: Query): Query {
    return { ...query, query_timeout: this.#connections.limits.silence_ms }
  }
}
