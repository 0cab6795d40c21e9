// Writes the request log in batches, off the path of the requests. The buffer is bounded: if the database is slow or unavailable, rows are
// dropped and counted, and no request is delayed.
import type { Database } from '../platform/database/database.ts'
import { RowIds } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import { Refusal } from '../values/refusals.ts'
import { insertRequests, makeDays, type Unwritten } from './requests.sql.ts'

/** Without id and time, which are assigned when the request is recorded. */
export type Recorded = Omit<Unwritten, 'id' | 'at_ms'>

type Options = {
  database: Database
  log: Logger
  /** How many rows may wait. */
  most?: number
  /** How many rows one statement writes. */
  batchSize?: number
  /** How long rows are collected before they are written. */
  collect_ms?: number
  /** How long to wait after a failure. */
  retry_ms?: number
}

export class RequestLog {
  readonly #database: Database
  readonly #log: Logger
  readonly #most: number
  readonly #batchSize: number
  readonly #collect_ms: number
  readonly #retry_ms: number
  readonly #ids = new RowIds()
  readonly #waiting: Unwritten[] = []
  /** The first waiting rows, from when they are first sent until they are written or dropped. */
  #batch: readonly Unwritten[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined
  #isOn = false
  #dropped = 0
  /** The last day that is known to have a partition. */
  #lastDay = ''

  constructor({ database, log, most = 10_000, batchSize = 1_000, collect_ms = 500, retry_ms = 1_000 }: Options) {
    this.#database = database
    this.#log = log
    this.#most = most
    this.#batchSize = batchSize
    this.#collect_ms = collect_ms
    this.#retry_ms = retry_ms
  }

  start(): void {
    this.#isOn = true
  }

  get isOn(): boolean {
    return this.#isOn
  }

  /** How many requests this instance could not record. */
  get dropped(): number {
    return this.#dropped
  }

  /** How many rows wait to be written. */
  get waiting(): number {
    return this.#waiting.length
  }

  record(request: Recorded): void {
    if (!this.#isOn) return
    if (this.#waiting.length >= this.#most) {
      this.#dropped++
      return
    }
    this.#waiting.push({ ...request, ...this.#ids.next() })
    this.#wake(this.#collect_ms)
  }

  /** Takes no more rows, and writes the waiting ones unless the database is unavailable. */
  async stop(): Promise<void> {
    this.#isOn = false
    await this.flush()
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#waiting.length > 0) this.#drop(this.#waiting.length)
  }

  /** Writes the waiting rows. If that fails, the rest keeps waiting. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing ??= this.#writeAll().then((isAway) => {
      this.#writing = undefined
      if (this.#waiting.length > 0) this.#wake(isAway ? this.#retry_ms : this.#collect_ms)
    })
    await this.#writing
  }

  /** Writes batch after batch until nothing waits. Returns whether the database is unavailable. */
  async #writeAll(): Promise<boolean> {
    let isAway = false
    while (this.#waiting.length > 0 && !isAway) {
      if (this.#batch.length === 0) this.#batch = this.#waiting.slice(0, this.#batchSize)
      try {
        await this.#write(this.#batch)
        this.#waiting.splice(0, this.#batch.length)
        this.#batch = []
      } catch (error) {
        // The database never refuses what it could take later.
        isAway = error instanceof Refusal
        if (!isAway) this.#drop(this.#batch.length)
        this.#log.warn({ err: error }, isAway ? 'requests cannot be logged at the moment' : 'requests could not be logged')
      }
    }
    return isAway
  }

  /** A batch whose outcome is unknown is sent again with the same rows. One statement writes it, so either all of its rows are there or none. */
  async #write(batch: readonly Unwritten[]): Promise<void> {
    const newest = new Date(batch.at(-1)?.at_ms ?? 0).toISOString().slice(0, 10)
    if (newest > this.#lastDay) this.#lastDay = await makeDays(this.#database)
    await this.#database
      .transaction(async (tx) => insertRequests(tx, batch))
      .catch((error: unknown) => {
        if (!isDuplicate(error)) throw error
      })
  }

  #wake(delay_ms: number): void {
    if (this.#timer !== undefined || this.#writing !== undefined) return
    this.#timer = setTimeout(() => void this.flush(), delay_ms).unref()
  }

  #drop(count: number): void {
    this.#waiting.splice(0, count)
    this.#batch = []
    this.#dropped += count
  }
}

function isDuplicate(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505'
}
