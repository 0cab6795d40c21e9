// Durable jobs: work outside the database that starts from a row written in the same transaction as its cause. A job may run twice, but
// never zero times. Any number of instances may work on the queue.
import { setTimeout as sleep } from 'node:timers/promises'
import { onJump } from './clock.ts'
import { type Companion, type CompanionKind, companion } from './companions.ts'
import { untilSettled } from './database/database.shards.ts'
import type { Database, Tx } from './database/database.ts'
import { listen } from './database/listen.ts'
import { read, write } from './database/sql.ts'
import { uuidv7 } from './ids.ts'
import type { Logger } from './log.ts'

/** What a kind of job does, and how often it is retried. */
export type Handler = {
  run(payload: never): Promise<void>
  /** After this many attempts the job is dead: it is kept, counted in the metrics, and left to the operator. */
  attempts?: number
  /** How many jobs of this kind run concurrently in a process, so that a hanging partner does not block every slot. */
  most?: number
  /** The delay after the n-th failed attempt, before jitter. */
  delay_ms?(attempt: number): number
}

export type Handlers = Record<string, Handler>

type Job = { id: string; kind: string; venture_id: string; payload: never; attempts: number }

const defaultMost = 8
/** The share of a kind's slots that the jobs of one venture may use, so that another venture's job finds one free. */
const shareOfOne = 0.75
/** Jobs without a venture share a turn, as if they belonged to the same venture. */
const noVenture = '00000000-0000-0000-0000-000000000000'
const channel = 'vostro_jobs'
/**
 * A worker that has not finished by then is presumed dead, and its job is given to another. That includes a running job when the test clock
 * jumps.
 */
const lease_ms = 60_000
const hour_ms = 3_600_000
/** When to check again whether everything that a job needs is there. */
const unsettled_ms = 5_000

/** Doubles from one second to one hour: twenty attempts take about eight hours. */
const exponentially = (attempt: number): number => Math.min(1_000 * 2 ** (attempt - 1), hour_ms)

/** `payload`: its `venture_id` is the venture of the job. */
export async function enqueue(
  tx: Tx,
  kind: string,
  payload: { venture_id?: string; [field: string]: unknown },
  delay_ms = 0,
): Promise<void> {
  const { venture_id = noVenture } = payload
  await tx.run(write`
    insert into jobs (id, kind, venture_id, payload, created_at, due_at)
    values (${uuidv7()}, ${kind}, ${venture_id}, ${JSON.stringify(payload)}, bank_now(), bank_now() + ${delay_ms} * interval '1 millisecond')`)
  await notifyWorkers(tx)
}

/** The same for several jobs at once, sent together with COMMIT. */
export function sendJobs(tx: Tx, jobs: readonly NewJob[]): void {
  if (jobs.length === 0) return
  tx.send(write`
    insert into jobs (id, kind, venture_id, payload, created_at, due_at)
    select id, kind, venture_id, payload::json, bank_now(), bank_now() from unnest(
      ${jobs.map(() => uuidv7())}::uuid[],
      ${jobs.map(({ kind }) => kind)}::text[],
      ${jobs.map(({ payload }) => payload.venture_id)}::uuid[],
      ${jobs.map(({ payload }) => JSON.stringify(payload))}::text[]) as job (id, kind, venture_id, payload)`)
  tx.send(write`select pg_notify(${channel}, '')`)
}

type NewJob = { kind: string; payload: { venture_id: string; [field: string]: unknown } }

const newJobs: CompanionKind<NewJob, object> = {
  name: 'jobs',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write(tx, granted) {
    sendJobs(
      tx,
      granted.map(({ row }) => row),
    )
  },
}

/** A job that is enqueued if and only if a command is carried out. */
export function enqueuing(kind: string, payload: NewJob['payload'] & object): Companion {
  return companion(newJobs, { kind, payload })
}

/** Tells the workers that a job has become due. */
export async function notifyWorkers(tx: Tx): Promise<void> {
  await tx.rows(write`select pg_notify(${channel}, '')`)
}

type Options = {
  database: Database
  handlers: Handlers
  log: Logger
  /** How often to poll for due jobs, even without a notification. */
  poll_ms?: number
}

export class JobWorker {
  readonly #database: Database
  readonly #handlers: Handlers
  readonly #log: Logger
  readonly #poll_ms: number
  readonly #running = new Map<Job, Promise<void>>()
  #stopped = true
  #loop: Promise<void> = Promise.resolve()
  #wake: () => void = () => {}
  #unlisten: () => Promise<void> = async () => {}
  #unwatch: () => void = () => {}

  constructor({ database, handlers, log, poll_ms = 2_000 }: Options) {
    this.#database = database
    this.#handlers = handlers
    this.#log = log
    this.#poll_ms = poll_ms
  }

  start(): void {
    this.#stopped = false
    this.#unlisten = listen(this.#database, channel, () => this.#wake())
    this.#unwatch = onJump(() => this.#wake())
    this.#loop = this.#work()
  }

  /** Takes no more jobs, and waits for the running ones. */
  async stop(): Promise<void> {
    this.#stopped = true
    this.#unwatch()
    this.#wake()
    await this.#unlisten()
    await this.#loop
    await Promise.all(this.#running.values())
  }

  /** Runs due jobs, and those that become due in the meantime, until there are none. For tests, instead of start(). */
  async runDue(): Promise<void> {
    while ((await this.#takeSome()) > 0) await Promise.all(this.#running.values())
  }

  async #work(): Promise<void> {
    while (!this.#stopped) {
      // Each turn has its own promise, so that a pending wait of an earlier turn cannot consume this turn's call.
      const woken = Promise.withResolvers<void>()
      this.#wake = woken.resolve
      const taken = await this.#takeSome().catch((error: unknown) => {
        this.#log.warn({ err: error }, 'jobs could not be taken')
        return 0
      })
      if (taken > 0) continue
      // A call, a freed slot, and a job that becomes due are reasons to look again.
      const turn = new AbortController()
      await Promise.race([woken.promise, this.#sleep(turn.signal), ...this.#running.values()])
      turn.abort()
    }
  }

  async #takeSome(): Promise<number> {
    const slots = this.#freeSlots()
    if (slots.length === 0) return 0
    const jobs = (await this.#database.transaction((tx) => Promise.all(slots.map((slot) => takeDue(tx, slot))))).flat()
    const settled = new Map<string, Promise<void>>()
    for (const job of jobs) {
      const run = this.#runSettled(job, settled).finally(() => this.#running.delete(job))
      this.#running.set(job, run)
    }
    return jobs.length
  }

  /** How many jobs of each kind may start now, and which ventures have running jobs. */
  #freeSlots(): Slots[] {
    const running = [...this.#running.keys()]
    return Object.entries(this.#handlers)
      .map(([kind, { most = defaultMost }]) => {
        const ventures = running.filter((job) => job.kind === kind).map(({ venture_id }) => venture_id)
        return { kind, free: most - ventures.length, mostOfOne: Math.ceil(most * shareOfOne), ventures }
      })
      .filter(({ free }) => free > 0)
  }

  /**
   * Makes sure that everything written together with a job is visible before it runs. `all`: by venture, for jobs that were taken together.
   */
  async #runSettled(job: Job, all: Map<string, Promise<void>>): Promise<void> {
    const settled = all.get(job.venture_id) ?? this.#settled(job.venture_id)
    all.set(job.venture_id, settled)
    const trouble = await settled.then(
      () => undefined,
      (error: unknown) => error,
    )
    if (trouble === undefined) return this.#run(job)
    this.#log.warn({ err: trouble, job_id: job.id, kind: job.kind }, 'a job waits for a database server')
    // This does not count as an attempt.
    await this.#putBack(job, trouble, { dead: false, wait_ms: unsettled_ms, tried: false })
  }

  async #putBack({ id }: Job, error: unknown, how: Omit<PutBack, 'last_error'>): Promise<void> {
    await this.#database
      .transaction((tx) => putBack(tx, id, { ...how, last_error: String(error).slice(0, 1000) }))
      // Nothing else can be done; the lease expires on its own.
      .catch(() => {})
  }

  /** Rows without a venture are on a single server. */
  #settled(venture_id: string): Promise<void> {
    return venture_id === noVenture ? Promise.resolve() : untilSettled(this.#database, venture_id)
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
      await this.#putBack(job, error, { dead, wait_ms })
    }
  }

  /** Waits until a job becomes due, until the next poll, or until something else ends the turn. */
  async #sleep(signal: AbortSignal): Promise<void> {
    const next_ms = await untilNext(this.#database, this.#freeSlots()).catch(() => this.#poll_ms)
    await sleep(Math.min(this.#poll_ms, Math.max(next_ms, 10)), undefined, { ref: false, signal }).catch(() => {})
  }
}

/** `ventures`: the ventures of the running jobs, each as often as it has one. */
type Slots = { kind: string; free: number; mostOfOne: number; ventures: string[] }

/**
 * Takes the first due job of each venture before the second of any, counting running jobs as taken. However many jobs of one venture are
 * due, this reads few of them, because it goes from venture to venture in the index.
 */
function takeDue(tx: Tx, { kind, free, mostOfOne, ventures }: Slots): Promise<Job[]> {
  return tx.rows(write<Job>`
    with recursive tenant as (
      (select venture_id from jobs where state = 'READY' and kind = ${kind} order by venture_id limit 1)
      union all
      select (
        select venture_id from jobs where state = 'READY' and kind = ${kind} and venture_id > tenant.venture_id order by venture_id limit 1)
      from tenant where venture_id is not null),
    queued as (
      select job.id, job.due_at, job.place + (select count(*) from unnest(${ventures}::uuid[]) as busy where busy = tenant.venture_id) as turn
      from tenant cross join lateral (
        select id, due_at, row_number() over (order by due_at) as place from jobs
        where state = 'READY' and kind = ${kind} and venture_id = tenant.venture_id and due_at <= bank_now() order by due_at limit ${free}) as job),
    taken as (
      select id from jobs
      where id in (select id from queued where turn <= ${mostOfOne} order by turn, due_at limit ${free}) and state = 'READY' and due_at <= bank_now()
      for update skip locked)
    update jobs set attempts = attempts + 1, due_at = bank_now() + ${lease_ms} * interval '1 millisecond'
    where id in (select id from taken)
    returning id, kind, venture_id, payload, attempts`)
}

type PutBack = { dead: boolean; wait_ms: number; last_error: string; tried?: boolean }

function putBack(tx: Tx, id: string, { dead, wait_ms, last_error, tried = true }: PutBack): Promise<number> {
  return tx.run(write`
    update jobs set state = ${dead ? 'DEAD' : 'READY'}, attempts = attempts - ${tried ? 0 : 1}, last_error = ${last_error}, due_at = bank_now() + ${wait_ms} * interval '1 millisecond'
    where id = ${id}`)
}

/** Leaves out jobs of ventures that use all of their slots, because those wait for a running job and not for a time. */
async function untilNext(database: Database, slots: readonly Slots[]): Promise<number> {
  const full = slots.flatMap(({ kind, mostOfOne, ventures }) =>
    ventures.filter((one) => ventures.filter((other) => other === one).length >= mostOfOne).map((venture_id) => ({ kind, venture_id })),
  )
  const next = await database.first(read<{ ms: number | null }>`
    select extract(epoch from min(due_at) - bank_now())::float8 * 1000 as ms from jobs
    where state = 'READY' and kind = any(${slots.map(({ kind }) => kind)}) and (kind, venture_id) not in (
      select * from unnest(${full.map(({ kind }) => kind)}::text[], ${full.map(({ venture_id }) => venture_id)}::uuid[]))`)
  return next?.ms ?? Number.POSITIVE_INFINITY
}

/** For the metrics: how many jobs are waiting, how long the oldest due job has waited, and how many are dead. */
export async function countJobs(database: Database): Promise<{ kind: string; ready: number; dead: number; oldest_s: number }[]> {
  return database.rows(read<{ kind: string; ready: number; dead: number; oldest_s: number }>`
    select kind, count(*) filter (where state = 'READY')::int as ready, count(*) filter (where state = 'DEAD')::int as dead,
      coalesce(extract(epoch from bank_now() - min(due_at) filter (where state = 'READY' and due_at < bank_now())), 0)::float8 as oldest_s
    from jobs group by kind`)
}
