// Durable jobs: work outside the database that starts from a row written in the same transaction as its cause. A job may run
// twice, never zero times. Any number of instances may work on one queue.
import { uuidv7 } from 'uuidv7'
import type { Database, Tx } from './database/database.ts'
import { listen } from './database/listen.ts'
import { read, write } from './database/sql.ts'
import type { Logger } from './log.ts'

/** What a kind of job does, and how often it is retried. */
export type Handler = {
  run(payload: never): Promise<void>
  /** After this many attempts the job is dead: kept, counted in the metrics, and left to the operator. */
  attempts?: number
  /** How many jobs of this kind run concurrently in a process, so that one hanging partner does not block every slot. */
  most?: number
  /** The delay after the n-th failed attempt, before jitter. */
  delay_ms?(attempt: number): number
}

export type Handlers = Record<string, Handler>

type Job = { id: string; kind: string; payload: never; attempts: number }

const defaultMost = 8
const channel = 'vostro_jobs'
/** A worker that has not finished by then is presumed dead, and its job is given to another. */
const lease_ms = 60_000
const hour_ms = 3_600_000

/** Doubles from one second to one hour: twenty attempts span about eight hours. */
const exponentially = (attempt: number): number => Math.min(1_000 * 2 ** (attempt - 1), hour_ms)

export async function enqueue(tx: Tx, kind: string, payload: object, delay_ms = 0): Promise<void> {
  await tx.run(write`
    insert into jobs (id, kind, payload, due_at)
    values (${uuidv7()}, ${kind}, ${JSON.stringify(payload)}, now() + ${delay_ms} * interval '1 millisecond')`)
  await tx.rows(write`select pg_notify(${channel}, '')`)
}

type Options = {
  database: Database
  handlers: Handlers
  log: Logger
  /** Polls for due jobs this often even without a notification. */
  poll_ms?: number
}

export class JobWorker {
  readonly #database: Database
  readonly #handlers: Handlers
  readonly #log: Logger
  readonly #poll_ms: number
  readonly #running = new Set<Promise<void>>()
  readonly #runningOf = new Map<string, number>()
  #stopped = true
  #woken = false
  #loop: Promise<void> = Promise.resolve()
  #wake: () => void = () => {}
  #unlisten: () => Promise<void> = async () => {}

  constructor({ database, handlers, log, poll_ms = 2_000 }: Options) {
    this.#database = database
    this.#handlers = handlers
    this.#log = log
    this.#poll_ms = poll_ms
  }

  start(): void {
    this.#stopped = false
    this.#unlisten = listen(this.#database, channel, () => this.#wakeUp())
    this.#loop = this.#work()
  }

  /** Takes no more jobs and waits for those under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#wakeUp()
    await this.#unlisten()
    await this.#loop
    await Promise.all(this.#running)
  }

  /** Runs due jobs, and the jobs that become due meanwhile, until there are none. For tests, instead of start(). */
  async runDue(): Promise<void> {
    while ((await this.#takeSome()) > 0) await Promise.all(this.#running)
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      this.#woken = false
      const taken = await this.#takeSome().catch((error: unknown) => {
        this.#log.warn({ err: error }, 'jobs could not be taken')
        return 0
      })
      if (taken > 0) continue
      // Both a freed slot and anything that ends the sleep are reasons to poll again.
      await Promise.race([this.#sleep(), ...this.#running])
    }
  }

  async #takeSome(): Promise<number> {
    const slots = this.#freeSlots()
    if (slots.length === 0) return 0
    const jobs = (await this.#database.transaction((tx) => Promise.all(slots.map(({ kind, free }) => takeDue(tx, kind, free))))).flat()
    for (const job of jobs) {
      const run = this.#run(job).finally(() => {
        this.#running.delete(run)
        this.#runningOf.set(job.kind, (this.#runningOf.get(job.kind) ?? 1) - 1)
      })
      this.#running.add(run)
      this.#runningOf.set(job.kind, (this.#runningOf.get(job.kind) ?? 0) + 1)
    }
    return jobs.length
  }

  /** How many jobs of each kind may start now. */
  #freeSlots(): { kind: string; free: number }[] {
    return Object.entries(this.#handlers)
      .map(([kind, { most = defaultMost }]) => ({ kind, free: most - (this.#runningOf.get(kind) ?? 0) }))
      .filter(({ free }) => free > 0)
  }

  async #run(job: Job): Promise<void> {
    const { run, attempts = 20, delay_ms = exponentially } = this.#handlers[job.kind] as Handler
    try {
      await run(job.payload)
      await this.#database.transaction((tx) => tx.run(write`delete from jobs where id = ${job.id}`))
    } catch (error) {
      const dead = job.attempts >= attempts
      const wait_ms = delay_ms(job.attempts) * (0.8 + 0.4 * Math.random())
      this.#log[dead ? 'error' : 'warn'](
        { err: error, job_id: job.id, kind: job.kind, attempt: job.attempts },
        dead ? 'a job is dead' : 'a job failed',
      )
      await this.#database
        .transaction((tx) => putBack(tx, job.id, { dead, wait_ms, last_error: String(error).slice(0, 1000) }))
        // The lease expires by itself; until then nothing can be done.
        .catch(() => {})
    }
  }

  /** Waits until woken, until a job falls due, or until the next poll. */
  async #sleep(): Promise<void> {
    const next_ms = await untilNext(
      this.#database,
      this.#freeSlots().map(({ kind }) => kind),
    ).catch(() => this.#poll_ms)
    if (this.#woken || this.#stopped) return
    await new Promise<void>((resolve) => {
      // If a finished job ends the sleep early, this timer is still set; it must not keep the process alive.
      const timer = setTimeout(resolve, Math.min(this.#poll_ms, Math.max(next_ms, 10))).unref()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #wakeUp(): void {
    this.#woken = true
    this.#wake()
  }
}

function takeDue(tx: Tx, kind: string, most: number): Promise<Job[]> {
  return tx.rows(write<Job>`
    update jobs set attempts = attempts + 1, due_at = now() + ${lease_ms} * interval '1 millisecond'
    where id in (
      select id from jobs where state = 'READY' and due_at <= now() and kind = ${kind}
      order by due_at limit ${most} for update skip locked)
    returning id, kind, payload, attempts`)
}

function putBack(
  tx: Tx,
  id: string,
  { dead, wait_ms, last_error }: { dead: boolean; wait_ms: number; last_error: string },
): Promise<number> {
  return tx.run(write`
    update jobs set state = ${dead ? 'DEAD' : 'READY'}, last_error = ${last_error}, due_at = now() + ${wait_ms} * interval '1 millisecond'
    where id = ${id}`)
}

async function untilNext(database: Database, kinds: string[]): Promise<number> {
  const next = await database.first(read<{ ms: number | null }>`
    select extract(epoch from min(due_at) - now())::float8 * 1000 as ms from jobs where state = 'READY' and kind = any(${kinds})`)
  return next?.ms ?? Number.POSITIVE_INFINITY
}

/** For the metrics: how many jobs wait, how long the oldest due job has waited, and how many are dead. */
export async function countJobs(database: Database): Promise<{ kind: string; ready: number; dead: number; oldest_s: number }[]> {
  return database.rows(read<{ kind: string; ready: number; dead: number; oldest_s: number }>`
    select kind, count(*) filter (where state = 'READY')::int as ready, count(*) filter (where state = 'DEAD')::int as dead,
      coalesce(extract(epoch from now() - min(due_at) filter (where state = 'READY' and due_at < now())), 0)::float8 as oldest_s
    from jobs group by kind`)
}
