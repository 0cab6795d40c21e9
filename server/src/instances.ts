// Starts the service in one process, or in several behind one port. In that case, the main process serves no requests: it keeps the
// embedded database running, migrates, generates the secrets, and replaces instances that have died.
import cluster, { type Worker } from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Config } from './config.ts'
import type { FromInstance, ToInstance } from './instances.messages.ts'
import { MetricsOfAll } from './instances.metrics.ts'
import { createLog, type Logger } from './platform/log.ts'
import { StartupError } from './platform/startup-error.ts'
import { type Prepared, prepareService, type Service, type Start, type StartReport, startService, stopTimeout_ms } from './service.ts'

export function start(settings: Config): Promise<Service> {
  return settings.instances === 1 ? startService(settings) : startInstances(settings)
}

/** An instance that lived for less than this has died while starting, so the next one waits. */
const shortLife_ms = 5_000
const longestWait_ms = 10_000
/** An instance that has not stopped by then is hanging. */
const patience_ms = stopTimeout_ms + 5_000

async function startInstances(settings: Config): Promise<Service> {
  const log = createLog(settings.logLevel)
  let restart = () => {}
  // Before and after serving, SIGHUP has nothing to replace, and must not end this process.
  process.on('SIGHUP', () => restart())
  const prepared = await prepareService(settings, log)
  const instances = new Instances(prepared, log)
  const stop = async () => {
    await instances.stop()
    await prepared.stopDatabase()
  }
  try {
    const told = await instances.start()
    restart = () => instances.restart()
    return { ...told, adminKey: prepared.adminKey, buildConsole: () => instances.buildConsole(), stop }
  } catch (error) {
    await stop()
    throw error
  }
}

class Instances {
  readonly #log: Logger
  readonly #start: Start
  readonly #count: number
  readonly #metrics = new MetricsOfAll()
  readonly #serving = new Set<Worker>()
  /** Instances that were launched and are not serving yet. */
  readonly #starting = new Set<Worker>()
  #isStopping = false
  #restarting: Promise<void> | undefined

  constructor({ stopDatabase: _, ...start }: Prepared, log: Logger) {
    const { instances, databasePoolSize, databaseListPoolSize } = start.config
    const config = {
      ...start.config,
      // A batch needs one connection while the next one fills.
      databasePoolSize: Math.max(2, Math.ceil(databasePoolSize / instances)),
      databaseListPoolSize: Math.max(1, Math.ceil(databaseListPoolSize / instances)),
    }
    this.#start = { ...start, config }
    this.#count = instances
    this.#log = log
    // The instances accept connections themselves. Otherwise, a connection that is handed to an instance that is just dying would wait
    // forever.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ exec: fileURLToPath(new URL('./instances.one.ts', import.meta.url)), serialization: 'advanced' })
  }

  async start(): Promise<StartReport> {
    // The first instance does what must be done before others run.
    const first = await this.#launch({ first: true })
    await Promise.all(Array.from({ length: this.#count - 1 }, () => this.#launch({ first: false })))
    return first
  }

  buildConsole(): void {
    const [one] = this.#serving
    if (one !== undefined) send(one, { kind: 'build-console' })
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#restarting
    await Promise.all([...this.#serving].map((instance) => this.#end(instance, 'stop')))
  }

  /** Replaces all instances, one after the other. Each is stopped only once its successor is serving. */
  restart(): void {
    if (this.#restarting !== undefined || this.#isStopping) return
    this.#restarting = this.#replaceAll()
      .catch((error) => this.#log.error({ err: error }, 'the instances could not be restarted, and continue as they are'))
      .finally(() => {
        this.#restarting = undefined
        // While a successor and its predecessor were both serving, an instance that died seemed to be replaced already.
        void this.#refill(shortLife_ms)
      })
  }

  async #replaceAll(): Promise<void> {
    for (const instance of [...this.#serving]) {
      if (this.#isStopping) return
      // An instance that has died in the meantime needs no successor here, because all missing instances are launched at the end.
      if (!this.#serving.has(instance)) continue
      await this.#launch({ first: false })
      await this.#end(instance, 'leave')
    }
    this.#log.info('all instances were restarted')
  }

  /** Resolves when it is serving. */
  #launch({ first }: { first: boolean }): Promise<StartReport> {
    const instance = cluster.fork()
    const born_ms = performance.now()
    this.#starting.add(instance)
    const { promise, resolve, reject } = Promise.withResolvers<StartReport>()
    instance.on('message', (message: FromInstance) => {
      switch (message.kind) {
        case 'started':
          this.#starting.delete(instance)
          this.#serving.add(instance)
          this.#metrics.add(instance)
          return resolve(message.told)
        case 'refused':
          return reject(new StartupError(message.reason))
        case 'snapshot':
          return this.#metrics.receive(instance, message)
        case 'measure-all':
          return void this.#measureFor(instance, message.number)
      }
    })
    instance.once('exit', (code, signal) => {
      reject(new Error(`an instance ended while it started (${signal ?? `exit code ${code}`})`))
      this.#starting.delete(instance)
      this.#metrics.remove(instance)
      if (!this.#serving.delete(instance) || this.#isStopping) return
      this.#log.error({ pid: instance.process.pid, code, signal }, 'an instance has died and is being replaced')
      void this.#refill(performance.now() - born_ms)
    })
    send(instance, { kind: 'start', start: this.#start, first })
    return promise.catch((error) => {
      instance.kill('SIGKILL')
      throw error
    })
  }

  async #measureFor(instance: Worker, number: number): Promise<void> {
    send(instance, { kind: 'measured', number, snapshots: await this.#metrics.all() })
  }

  get #isFull(): boolean {
    return this.#serving.size + this.#starting.size >= this.#count
  }

  /** Launches instances until there are as many as there should be. A restart may already have launched a successor. */
  async #refill(lived_ms: number): Promise<void> {
    let wait_ms = lived_ms < shortLife_ms ? 500 : 0
    for (;;) {
      await sleep(wait_ms)
      if (this.#isStopping || this.#isFull) return
      try {
        await this.#launch({ first: false })
      } catch (error) {
        wait_ms = Math.min(longestWait_ms, Math.max(500, wait_ms * 2))
        this.#log.error({ err: error, wait_ms }, 'an instance could not be started, and another attempt follows')
      }
    }
  }

  async #end(instance: Worker, kind: 'leave' | 'stop'): Promise<void> {
    if (!this.#serving.delete(instance)) return
    const ended = new Promise<void>((resolve) => instance.once('exit', () => resolve()))
    send(instance, { kind })
    const hangs = setTimeout(() => instance.process.kill('SIGKILL'), patience_ms)
    await ended
    clearTimeout(hangs)
  }
}

function send(instance: Worker, message: ToInstance): void {
  // An instance that has just died is being replaced, and misses nothing.
  if (instance.isConnected()) instance.send(message)
}
