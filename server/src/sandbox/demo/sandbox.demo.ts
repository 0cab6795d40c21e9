// The demo bank: fills an empty sandbox with ventures, clients, accounts and ninety days of a bank's business.
import { hash } from 'node:crypto'
import { aheadBy_s } from '../../platform/clock.ts'
import { accompanied, type Companions } from '../../platform/companions.ts'
import type { Database } from '../../platform/database/database.ts'
import type { App } from '../../platform/http/http.ts'
import { bankId } from '../../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../../platform/ids.ts'
import type { Logger } from '../../platform/log.ts'
import { Refusal, refuse } from '../../values/refusals.ts'
import { houseId, listVentureIds } from '../../ventures/ventures.ts'
import { DemoApi, DemoFailure } from './sandbox.demo.api.ts'
import { type DemoSize, planDemo } from './sandbox.demo.plan.ts'
import { DemoRun, type RunOptions } from './sandbox.demo.run.ts'
import type { DemoRunShown } from './sandbox.demo.schemas.ts'
import {
  evidenceOf,
  findRun,
  findVentures,
  insertRun,
  lockRun,
  type RunRow,
  type RunState,
  replaceRun,
  selectLines,
  selectLinesOfBank,
  silence_s,
  writeRun,
} from './sandbox.demo.sql.ts'

export type DemoOptions = {
  database: Database
  log: Logger
  size: DemoSize
  adminKey: string | undefined
  /** Why the settings do not allow filling the service, in words; undefined if they do. */
  obstacle: string | undefined
  /** The origin of the console, which people's requests have. */
  origin(): string
  /** The URL under which the service reaches itself. */
  url(): string
  /** Processes everything as far as possible now. */
  processNow(): Promise<void>
  sending: RunOptions['sending']
}

export const defaultSeed = 1
const beat_ms = 10_000

export class Demo {
  readonly #options: DemoOptions
  readonly #stopping = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: DemoOptions) {
    this.#options = options
  }

  async get(): Promise<DemoRunShown> {
    return shown((await findRun(this.#options.database)) ?? refuse('demo_not_started'))
  }

  /** Begins to fill the service without waiting for the end. While a run is in progress, another start returns that run. */
  async start(app: App, asked: number | undefined, companions: Companions): Promise<DemoRunShown> {
    const { database, obstacle } = this.#options
    if (obstacle !== undefined) refuse('demo_not_possible', { detail: obstacle })
    const fresh = { run_id: uuidv7(), seed: asked ?? defaultSeed, step: 'Starting' }
    const run = await database.transaction((tx) =>
      accompanied(tx, companions, async () => {
        if (!(await insertRun(tx, fresh))) {
          await lockRun(tx)
          const there = (await findRun(tx)) as RunRow
          if (there.status === 'RUNNING' && !there.silent) return sameAs(there, asked)
          await this.#requireEmpty()
          await replaceRun(tx, fresh)
        } else {
          await this.#requireEmpty()
        }
        tx.evidence ??= evidenceOf(fresh.run_id)
        return (await findRun(tx)) as RunRow
      }),
    )
    if (run.run_id === fresh.run_id) this.#running = this.#fill(app, run)
    return shown(run)
  }

  /** Ends the current run. */
  async stop(): Promise<void> {
    this.#stopping.abort(new DemoFailure('The service was stopped.'))
    await this.#running
  }

  async #requireEmpty(): Promise<void> {
    const others = (await listVentureIds(this.#options.database)).filter((id) => id !== houseId)
    if (others.length > 0) refuse('service_not_empty')
  }

  /** Never throws: an error is shown with the run. */
  async #fill(app: App, { run_id, seed }: RunRow): Promise<void> {
    const { database, log, adminKey = '', size, origin, url, processNow, sending } = this.#options
    const { signal } = this.#stopping
    const state: RunState = { run_id, status: 'RUNNING', done: 0, total: 0, step: 'Starting', digest: null, detail: null }
    const save = (changes: Partial<RunState>) => writeRun(database, Object.assign(state, changes))
    const beat = setInterval(() => void save({}).catch(() => {}), beat_ms)
    try {
      const run = new DemoRun({
        plan: planDemo(seed, size),
        api: new DemoApi(app, signal),
        database,
        processNow,
        sending,
        signal,
        admin: { authorization: `Bearer ${adminKey}` },
        origin: origin(),
        receiverUrl: `${url()}/sandbox/receiver`,
        onProgress: (done, total, step) => save({ done, total, step }),
      })
      await run.run()
      const digest = digestOf(await linesOf(database))
      clearInterval(beat)
      await save({ status: 'DONE', done: state.total, step: 'Done', digest })
      log.info({ seed, digest, ahead_s: aheadBy_s() }, 'the demo bank is complete')
    } catch (error) {
      clearInterval(beat)
      log.error({ err: error }, 'the demo bank could not be finished')
      const detail =
        error instanceof DemoFailure || error instanceof Refusal
          ? error.message
          : 'Something unexpected happened. The log of the service says what.'
      await save({ status: 'FAILED', detail }).catch((err: unknown) => log.error({ err }, 'the demo bank could not be marked as failed'))
    }
  }
}

function sameAs(run: RunRow, asked: number | undefined): RunRow {
  if (asked !== undefined && asked !== run.seed)
    refuse('demo_running', { detail: `The service is being filled with the seed ${run.seed}.` })
  return run
}

function shown({ silent, run_id: _, ...run }: RunRow): DemoRunShown {
  if (!silent) return run
  return {
    ...run,
    status: 'FAILED',
    detail: `The instance that filled the service has stopped: nothing was heard of it for ${silence_s} seconds.`,
  }
}

/** Equal for two demo banks with the same content. */
export function digestOf(lines: readonly string[]): string {
  return hash('sha256', lines.join('\n'))
}

/** The content of the demo bank, in a fixed order. Dates are days since the first one, and random parts of references are left out. */
export async function linesOf(database: Database): Promise<string[]> {
  const ventures = await findVentures(database)
  const [start = ''] = ventures.flatMap(({ id, since }) => (id === houseId ? [] : [since])).sort()
  const parts = [...ventures, { id: bankId, name: 'Bank' }].map(async ({ id, name }) =>
    (await selectLines(database, id)).map((line) => `${name}|${line}`),
  )
  const all = [...(await Promise.all(parts)).flat(), ...(await selectLinesOfBank(database)).map((line) => `Bank|${line}`)]
  return all
    .map((line) => line.replace(ids, '…').replace(dates, (date) => (date < start ? date : `day ${daysBetween(start, date)}`)))
    .sort()
}

const ids = /\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g
const dates = /\b\d{4}-\d\d-\d\d\b/g

function daysBetween(from: string, to: string): number {
  return (Date.parse(to) - Date.parse(from)) / 86_400_000
}
