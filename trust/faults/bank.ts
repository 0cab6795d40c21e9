// The service as users run it, in its own process, with everything that an experiment may do to it and to its database.

import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openPrimary } from '../../server/src/platform/database/database.primary.ts'
import { freePort, isAlive, serverUrl, stopPostmaster } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded.ts'
import { makeSecret } from '../../server/src/platform/standard-webhooks.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { servicePorts } from '../../server/src/testing/testing.ports.ts'
import { ServiceProcess } from '../../server/src/testing/testing.process.ts'
import { TcpProxy } from '../../server/src/testing/testing.proxy.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'
import { Caller } from './load/caller.ts'
import type { Results } from './results.ts'

/** The URLs of a PostgreSQL that runs already, with one host or several. */
export type RunningDatabase = { serviceUrl: string; ownerUrl: string }

/** embedded: the service starts its own PostgreSQL. given: it connects through a proxy to one started here. */
export type Hosting = 'embedded' | 'given' | RunningDatabase

export type BankOptions = {
  hosting: Hosting
  /** An existing folder instead of a temporary one. */
  dataDir?: string
  /** Additional settings of the process. */
  settings?: Record<string, string>
}

/** How long the service must have been ready without interruption before it counts as recovered. */
const steady_ms = 500
/** After this time the recovery has failed. */
const hopeless_ms = 60_000

export class Bank {
  readonly hosting: Hosting
  readonly dataDir: string
  readonly adminKey = makeKey('admin')
  readonly kycKey = makeKey('kyc')
  readonly kycSecret = makeSecret()
  readonly caller: Caller
  readonly #settings: Record<string, string>
  readonly #temporary: boolean
  #postgres: EmbeddedPostgres | undefined
  #proxy: TcpProxy | undefined
  #service: ServiceProcess | undefined
  #closed = false
  readonly #errorsOfKilled: string[] = []

  private constructor(dataDir: string, port: number, results: Results, { hosting, dataDir: given, settings = {} }: BankOptions) {
    this.hosting = hosting
    this.dataDir = dataDir
    this.#temporary = given === undefined
    this.caller = new Caller(`http://127.0.0.1:${port}`, results)
    this.#settings = {
      DATA_DIR: dataDir,
      PORT: String(port),
      ADMIN_API_KEY: this.adminKey,
      KYC_API_KEY: this.kycKey,
      KYC_WEBHOOK_SECRET: this.kycSecret,
      // Tens of thousands of request logs are of no use.
      LOG_LEVEL: 'warn',
      ...settings,
    }
  }

  /** Starts nothing yet, so that the caller can close the bank at any moment from now on. */
  static async prepare(results: Results, options: BankOptions): Promise<Bank> {
    const dataDir = options.dataDir ?? makeDataFolder('faults')
    return new Bank(dataDir, await freePort(servicePorts), results, options)
  }

  async open(): Promise<void> {
    if (this.hosting === 'given') await this.#giveDatabase()
    else if (this.hosting !== 'embedded') this.#connectTo(this.hosting)
    await this.start()
  }

  #connectTo({ serviceUrl, ownerUrl }: RunningDatabase): void {
    this.#settings['DATABASE_URL'] = serviceUrl
    this.#settings['MIGRATION_DATABASE_URL'] = ownerUrl
    this.#settings['SANDBOX'] = 'true'
  }

  async #giveDatabase(): Promise<void> {
    this.#postgres = await startEmbeddedPostgres({ dataDir: this.dataDir })
    this.#proxy = await TcpProxy.open(this.#postgres.serviceUrl)
    this.#connectTo({ serviceUrl: this.#proxy.url, ownerUrl: this.#postgres.ownerUrl })
  }

  /** Starts the process and waits until it is ready. */
  async start(): Promise<void> {
    if (this.#closed) throw new Error('the bank was closed while it was to be started')
    this.#service = new ServiceProcess(this.#settings)
    await this.#service.ready()
  }

  get proxy(): TcpProxy {
    if (this.#proxy === undefined) throw new Error('this bank has no proxy in front of its database')
    return this.#proxy
  }

  /** The standard error output of the service. */
  get errorOutput(): string {
    return this.#service?.stderr ?? ''
  }

  /** The errors that the processes have logged, by where they were thrown. */
  get loggedErrors(): string[] {
    return [...this.#errorsOfKilled, ...this.#errorsOfRunning]
  }

  get #errorsOfRunning(): string[] {
    const lines = (this.#service?.stdout ?? '').split('\n').filter((line) => /^\{.*"(level":"?(50|60|error|fatal))/.test(line))
    return lines.map((line) => {
      const { err } = JSON.parse(line) as { err?: { message?: string; code?: string; stack?: string } }
      return `${err?.code ?? ''} ${err?.message ?? line}${err?.stack?.split('\n')[1] ?? ''}`.trim()
    })
  }

  /** The login of the service. Only if the service was given its database. */
  get serviceUrl(): string {
    return this.#settings['DATABASE_URL'] ?? ''
  }

  /** The login of the owner of the tables, on a connection that no fault affects. */
  get ownerUrl(): string {
    if (typeof this.hosting === 'object') return this.hosting.ownerUrl
    if (this.#postgres !== undefined) return this.#postgres.ownerUrl
    const { owner } = JSON.parse(readFileSync(join(this.dataDir, 'postgres.json'), 'utf8')) as { owner: string }
    const [, , , port] = this.#pidFile()
    return serverUrl(Number(port), 'vostro_owner', owner, 'vostro')
  }

  get postmasterPid(): number {
    return Number(this.#pidFile()[0])
  }

  #pidFile(): string[] {
    return readFileSync(join(this.dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')
  }

  /** What PostgreSQL has logged; `since` is the `end` of an earlier call. */
  databaseLog(since = 0): { text: string; end: number } {
    const bytes = readFileSync(join(this.dataDir, 'postgres.log'))
    return { text: bytes.subarray(since).toString(), end: bytes.length }
  }

  /** Queries the database directly. */
  async asOwner<Result>(look: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = await openPrimary(this.ownerUrl, 'vostro faults')
    try {
      return await look(client)
    } finally {
      await client.end().catch(() => {})
    }
  }

  async killService(): Promise<void> {
    await this.#service?.stop('SIGKILL')
    this.#errorsOfKilled.push(...this.#errorsOfRunning)
    this.#service = undefined
  }

  /** Waits until the service is ready and stays ready; returns the time from `since` to the beginning of that. */
  async untilReady(since = performance.now()): Promise<number> {
    let ready: number | undefined
    for (;;) {
      const reply = await this.caller.send({ method: 'GET', path: '/readyz', key: '' })
      const now = performance.now()
      if (reply.kind === 'answer' && reply.status === 200) ready ??= now
      else ready = undefined
      if (ready !== undefined && now - ready > steady_ms) return ready - since
      if (now - since > hopeless_ms) throw new Error(`not ready ${hopeless_ms / 1000} s after the fault: ${this.errorOutput.slice(-500)}`)
      await sleep(10)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    this.caller.close()
    this.#proxy?.resume()
    const stopping = this.#service?.stop('SIGTERM')
    const inTime = await Promise.race([stopping?.then(() => true) ?? true, sleep(20_000, false, { ref: false })])
    if (!inTime) await this.killService()
    this.#proxy?.close()
    await this.#postgres?.stop()
    await this.#stopLeftDatabase()
    if (this.#temporary) rmSync(this.dataDir, { recursive: true, force: true })
  }

  /** A killed service leaves its database running. */
  async #stopLeftDatabase(): Promise<void> {
    try {
      const pid = this.postmasterPid
      if (isAlive(pid)) await stopPostmaster({ pid, port: 0 })
    } catch {
      // Without the file, no server runs.
    }
  }
}
