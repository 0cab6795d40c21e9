// Verification runs: the service runs one at a time, in a separate thread with its own connection; `npm run verify` only records its runs.
import { Worker } from 'node:worker_threads'
import { now } from '../platform/clock.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { fragment, read, write } from '../platform/database/sql.ts'
import { type PageQuery, pageOf } from '../platform/http/lists.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Logger } from '../platform/log.ts'
import { refuse } from '../values/refusals.ts'
import type { VerificationReport, VerificationRun } from './verify.schemas.ts'
import { type Finding, keptOf, type Progress } from './verify.ts'
import type { FromVerification } from './verify.worker.ts'

/** How often a run reports that it is alive, and its progress. */
const beat_ms = 1_000
const lease_s = 30

const abandonedDetail = 'The instance of the service that ran it has ended.'

type Row = VerificationReport & { abandoned: boolean }

const columns = fragment`id, status, started_at, ended_at, invariants, done, step, detail, broken,
  (status = 'RUNNING' and lease_until < now()) as abandoned`

/** A run whose instance is gone counts as failed, although nothing could record that. */
function shownRun<Shown extends VerificationRun>({ abandoned, ...run }: Shown & { abandoned: boolean }): Shown {
  const failed = abandoned ? { status: 'FAILED', detail: abandonedDetail } : {}
  return { ...run, ...failed, done: run.status === 'DONE' ? run.invariants : run.done } as unknown as Shown
}

export async function listRuns(database: Database, query: PageQuery): Promise<VerificationRun[]> {
  const rows = await database.rows(read<VerificationRun & { abandoned: boolean }>`
    select ${columns} from verification_runs ${pageOf(query, {})}`)
  return rows.map(shownRun)
}

export async function getRun(database: Database, id: string): Promise<VerificationReport> {
  const row = await database.first(read<Row>`
    select ${columns}, coalesce(findings, '[]') as findings from verification_runs where id = ${id}`)
  return shownRun(row ?? refuse('verification_not_found'))
}

type Options = { database: Database; log: Logger; file?: URL }

export class Verifications {
  readonly #database: Database
  readonly #log: Logger
  readonly #file: URL
  #ending: Promise<void> | undefined
  #worker: Worker | undefined
  #isStopping = false

  /** `file`: the program of the thread; tests use another one. */
  constructor({ database, log, file = new URL('./verify.worker.ts', import.meta.url) }: Options) {
    this.#database = database
    this.#log = log
    this.#file = file
  }

  /** Returns as soon as the run has started. */
  async start(invariants: number, companions?: Companions): Promise<VerificationRun> {
    const id = uuidv7()
    const started_at = now().toISOString()
    const begin = async (tx: Tx): Promise<VerificationRun> => {
      tx.evidence = read`select id from verification_runs where id = ${id}`
      await tx.run(write`
        update verification_runs set status = 'FAILED', detail = ${abandonedDetail}, step = null, ended_at = ${started_at}, lease_until = null
        where status = 'RUNNING' and lease_until < now()`)
      const inserted = await tx.run(write`
        insert into verification_runs (id, started_at, status, invariants, broken, lease_until)
        values (${id}, ${started_at}, 'RUNNING', ${invariants}, '{}', now() + ${lease_s} * interval '1 second')
        on conflict do nothing`)
      if (inserted === 0) refuse('verification_running')
      return { id, status: 'RUNNING', started_at, ended_at: null, invariants, done: 0, step: null, detail: null, broken: [] }
    }
    const run = await this.#database.transaction((tx) => accompanied(tx, companions, () => begin(tx)))
    this.#ending = this.#carryOut(id).catch((error) => this.#log.warn({ err: error }, 'the end of a verification could not be recorded'))
    return run
  }

  /** Ends the current run as failed. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#worker?.terminate()
    await this.#ending
  }

  async #carryOut(id: string): Promise<void> {
    let progress: Progress | undefined
    const beat = setInterval(() => {
      this.#touch(id, progress).catch((error) => this.#log.warn({ err: error }, 'the progress of a verification could not be recorded'))
    }, beat_ms)
    try {
      const findings = await this.#verify((made) => {
        progress = made
      })
      await this.#finish(id, findings)
    } catch (error) {
      if (!this.#isStopping) this.#log.warn({ err: error }, 'a verification failed')
      await this.#fail(id, this.#isStopping ? abandonedDetail : `The verification could not be carried out: ${(error as Error).message}`)
    } finally {
      clearInterval(beat)
    }
  }

  #verify(onProgress: (progress: Progress) => void): Promise<Finding[]> {
    const { promise, resolve, reject } = Promise.withResolvers<Finding[]>()
    const worker = new Worker(this.#file, { workerData: { url: this.#database.url } })
    this.#worker = worker
    worker.on('message', (message: FromVerification) => {
      if ('progress' in message) onProgress(message.progress)
      else if ('findings' in message) resolve(message.findings)
      else reject(new Error(message.failure))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('its thread has ended without a result.')))
    return promise
  }

  #touch(id: string, progress: Progress | undefined): Promise<unknown> {
    return this.#database.transaction((tx) =>
      tx.run(write`
        update verification_runs set done = ${progress?.done ?? 0}, step = ${progress?.name ?? null},
          lease_until = now() + ${lease_s} * interval '1 second'
        where id = ${id} and status = 'RUNNING'`),
    )
  }

  #finish(id: string, found: readonly Finding[]): Promise<unknown> {
    const { broken, findings } = keptOf(found)
    return this.#database.transaction(async (tx) => {
      tx.evidence = read`select id from verification_runs where id = ${id} and status <> 'RUNNING'`
      await tx.run(write`
        update verification_runs set status = 'DONE', ended_at = ${now().toISOString()}, invariants = ${found.length}, done = ${found.length},
          step = null, broken = ${broken}, findings = ${findings}, lease_until = null,
          (seal_number, seal_root) = (select number, root from seals order by number desc limit 1)
        where id = ${id} and status = 'RUNNING'`)
    })
  }

  #fail(id: string, detail: string): Promise<unknown> {
    return this.#database.transaction((tx) =>
      tx.run(write`
        update verification_runs set status = 'FAILED', ended_at = ${now().toISOString()}, step = null, detail = ${detail}, lease_until = null
        where id = ${id} and status = 'RUNNING'`),
    )
  }
}
