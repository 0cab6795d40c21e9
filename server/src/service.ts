// Starts the parts of the service in order, and stops them in reverse order.
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApp } from './app.ts'
import { expireRequests } from './audit/audit.ts'
import type { Config } from './config.ts'
import { keepEra } from './events/events.ts'
import { theService } from './platform/actor.ts'
import { moveAhead } from './platform/clock.ts'
import { Database } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { read } from './platform/database/sql.ts'
import { startEmbeddedPostgres } from './platform/embedded/embedded.ts'
import { createLog, type Logger } from './platform/log.ts'
import type { Siblings } from './platform/metrics.ts'
import { keepSecret, type Secret } from './platform/secrets.ts'
import { makeSecret } from './platform/standard-webhooks.ts'
import { StartupError } from './platform/startup-error.ts'
import { readAhead, TestClock } from './platform/test-clock.ts'
import { provideSandboxNostro } from './sandbox/bank/sandbox.bank.nostro.ts'
import { wasSandbox } from './sandbox/sandbox.past.ts'
import { findGaps } from './service.gaps.ts'
import { openServices, type Services } from './services.ts'
import type { AdminKeyStep } from './users/users.adminkey.rules.ts'
import { recordReopening, reopensSetUp, stepOfAdminKey } from './users/users.adminkey.ts'
import { hasBankAdmin, makeSetUpLink } from './users/users.links.ts'
import { Refusal } from './values/refusals.ts'
import { makeKey } from './ventures/ventures.keys.ts'
import { listManagedIds } from './ventures/ventures.ts'
import { sealedFromTheFuture } from './verify/verify.seals.ts'
import { endpointFromTheFuture } from './webhooks/webhooks.ts'
import { createCouriers, createDailyRuns, createRetention, createSealing, createWorker } from './workers.ts'

/** How long running requests and jobs may take to finish after a stop was requested. */
export const stopTimeout_ms = 10_000

/** How long a leaving instance still answers on its existing connections. */
const leave_ms = 1_000

export type Service = {
  url: string
  adminKey: Secret | undefined
  /** How much the admin key may do; undefined if there is none. */
  adminKeyMay: AdminKeyStep | undefined
  /** Whether an admin of the bank can sign in. */
  hasBankAdmin: boolean
  /** For the first admin of a bank on the embedded database. */
  setUpUrl: string | undefined
  /** Builds the console if that is needed and possible here. Nobody waits for it. */
  buildConsole(): void
  stop(): Promise<void>
}

/** Starts the service in one process. */
export async function startService(settings: Config): Promise<Service> {
  const log = createLog(settings.logLevel)
  const prepared = await prepareService(settings, log)
  try {
    const instance = await startInstance(prepared, { log, first: true })
    const stop = async () => {
      await instance.stop()
      await prepared.stopDatabase()
    }
    const { url, setUpUrl, adminKeyMay, hasBankAdmin, buildConsole } = instance
    return { adminKey: prepared.adminKey, url, setUpUrl, adminKeyMay, hasBankAdmin, buildConsole, stop }
  } catch (error) {
    await prepared.stopDatabase()
    throw error
  }
}

/** What all instances of one start share. It can be sent to another process. */
export type Start = { config: Config; serviceUrl: string; adminKey: Secret | undefined }

export type Prepared = Start & { stopDatabase(): Promise<void> }

/** What is done only once, however many instances there will be: preparing the database with its migrations, and the secrets. */
export async function prepareService(settings: Config, log: Logger): Promise<Prepared> {
  const { ownerUrl, ...prepared } = await prepareDatabase(settings, (line) => log.warn(line))
  try {
    await migrate({ ownerUrl, serviceUrl: prepared.serviceUrl, onApplied: (name) => log.debug(`applied ${name}`) })
    return prepared
  } catch (error) {
    await prepared.stopDatabase()
    throw error
  }
}

/** What is printed about a start. */
export type StartReport = Pick<Service, 'url' | 'setUpUrl' | 'adminKeyMay' | 'hasBankAdmin'>

export type Instance = StartReport &
  Pick<Service, 'buildConsole' | 'stop'> & {
    /** Stops while other instances continue, without losing a request. */
    leave(): Promise<void>
  }

/** `first`: no other instance of this start is running yet, so this one continues the order of events and offers the set-up. */
type InstanceOptions = { log: Logger; first: boolean; siblings?: Siblings }

/** Everything that serves requests and works in the background, in this process. */
export async function startInstance({ config, serviceUrl }: Start, { log, first, siblings }: InstanceOptions): Promise<Instance> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const database = new Database({
      url: serviceUrl,
      poolSize: config.databasePoolSize,
      listPoolSize: config.databaseListPoolSize,
      wait_ms: config.databaseWait_ms,
      hasSiblings: config.instances > 1,
      onLost: (error) => log.warn({ err: error }, 'lost an idle database connection'),
    })
    stops.push(() => database.close())
    await requireUsable(database)
    await patiently(() => database.findPlacement())
    await patiently(() => setClock(database, config))
    await patiently(() => requireNoSandbox(database, config))
    const era = first ? await keepCurrentEra(database) : undefined
    if (era !== undefined) {
      log.warn({ era }, 'this database was restored from a dump of another PostgreSQL cluster: the order of events continues in a new era')
    }
    await requireFourEyes(database, config)

    if (first && reopensSetUp(config)) {
      log.warn('ADMIN_API_KEY_SCOPE names set-up: the holder of the admin key can add another admin of the bank')
      await patiently(() => recordReopening(database))
    }
    const services = openServices({ config, database, log })
    const gaps = first ? await patiently(() => findGaps(services)) : []
    for (const { what, waits, remedy } of gaps) log.warn(`${what} ${waits} ${remedy}`)
    // Before requests arrive, which may need all connections.
    if (services.simulatedBank !== undefined) await patiently(() => provideSandboxNostro(database))
    const app = await createApp(services, siblings)
    const { listener } = services.vop
    if (listener !== undefined) {
      stops.push(() => listener.stop())
      log.info({ url: await listener.start() }, 'listening for questions of other banks about payees')
    }
    stops.push(async () => services.payees.directory?.close?.())
    const url = await listen(app, config)
    services.self.listensOn(url)

    if (config.sandbox) {
      const clock = new TestClock({ database, log })
      clock.start()
      stops.push(() => clock.stop())
    }
    services.lists.start()
    services.participations.start(log)
    const worker = createWorker(services)
    worker.start()
    const couriers = createCouriers(services)
    couriers.start()
    const retention = createRetention(services)
    retention.start()
    const sealing = createSealing(services)
    sealing.start()
    const dailyRuns = createDailyRuns(services)
    dailyRuns.start()
    const { processing, sending, inbox, simulatedBank } = services
    processing.start()
    sending.start()
    inbox?.start()
    simulatedBank?.start()
    // A job that takes longer is abandoned, and another worker runs it again after its lease has expired.
    stops.push(() =>
      withTimeout(
        Promise.all([
          app.close(),
          worker.stop(),
          couriers.stop(),
          retention.stop(),
          sealing.stop(),
          dailyRuns.stop(),
          processing.stop(),
          sending.stop(),
          inbox?.stop(),
          services.lists.stop(),
          services.participations.stop(),
          services.verifications.stop(),
        ]),
      ).then(async () => {
        await services.messages.close()
        await services.files?.close()
        await simulatedBank?.close()
      }),
    )
    // New connections still get an answer, because their request may be in transit.
    const leave = async () => {
      NetServer.prototype.close.call(app.server)
      void listener?.leave()
      await sleep(leave_ms)
      await stop()
    }
    const setUpUrl = first && config.databaseUrl === undefined ? await offerSetUp(services) : undefined
    const buildConsole = () => (config.buildConsole ? services.desk.build() : undefined)
    const adminKeyMay = config.adminApiKey === undefined ? undefined : await patiently(() => stepOfAdminKey(database, config))
    return { url, setUpUrl, adminKeyMay, hasBankAdmin: await patiently(() => hasBankAdmin(database)), buildConsole, leave, stop }
  } catch (error) {
    await stop()
    if (!(error instanceof Refusal) || error.code !== 'unavailable') throw error
    throw new StartupError(`The database cannot be reached or is overloaded: ${causeOf(error).message}.`)
  }
}

/** On a busy machine, a connection may take longer than a request would wait for it. */
async function patiently<Result>(act: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (attempt === startAttempts || !(error instanceof Refusal) || !causeOf(error).message.includes('timeout')) throw error
    }
  }
}

const startAttempts = 5

const causeOf = (refusal: Refusal): Error => (refusal.details['cause'] ?? refusal) as Error

/**
 * Each start creates a new link, as long as the bank has no admin. The service is already running and may be busy, so it does not depend on
 * the link.
 */
async function offerSetUp({ config, database, console, log }: Services): Promise<string | undefined> {
  try {
    return (await hasBankAdmin(database)) ? undefined : (await makeSetUpLink({ database, console, adminKey: config }, theService)).url
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    log.warn({ err: error }, 'the set-up link could not be made: POST /api/v1/operator/users/set-up makes one')
    return undefined
  }
}

/** The configured database, or the embedded one with its generated secrets. */
async function prepareDatabase(config: Config, onLog: (line: string) => void): Promise<Prepared & { ownerUrl: string }> {
  if (config.databaseUrl !== undefined) {
    const ownerUrl = config.migrationDatabaseUrl ?? config.databaseUrl
    return {
      config: config.sandbox ? withSandboxSecrets(config) : config,
      adminKey: undefined,
      ownerUrl,
      serviceUrl: config.databaseUrl,
      stopDatabase: async () => {},
    }
  }
  const { ownerUrl, serviceUrl, stop: stopDatabase } = await startEmbeddedPostgres({ dataDir: config.dataDir, onLog })
  try {
    return { ...(await withGeneratedSecrets(config)), ownerUrl, serviceUrl, stopDatabase }
  } catch (error) {
    await stopDatabase()
    throw error
  }
}

/** The sandbox verifier only talks to this process, so their shared secrets need not be stored. */
function withSandboxSecrets(config: Config): Config {
  const { kycApiKey = makeKey('kyc'), kycWebhookSecrets } = config
  return { ...config, kycApiKey, kycWebhookSecrets: kycWebhookSecrets.length > 0 ? kycWebhookSecrets : [makeSecret()] }
}

/** Secrets that are not configured are generated and stored at the first start. */
async function withGeneratedSecrets(config: Config): Promise<Pick<Start, 'config' | 'adminKey'>> {
  const { dataDir, adminApiKey, kycApiKey, kycWebhookSecrets } = config
  const adminKey = adminApiKey === undefined ? await keepSecret(dataDir, 'admin-key', () => makeKey('admin')) : undefined
  const kycKey = kycApiKey ?? (await keepSecret(dataDir, 'kyc-key', () => makeKey('kyc'))).value
  const secrets = kycWebhookSecrets.length > 0 ? kycWebhookSecrets : [(await keepSecret(dataDir, 'kyc-webhook-secret', makeSecret)).value]
  return {
    config: { ...config, adminApiKey: adminApiKey ?? adminKey?.value, kycApiKey: kycKey, kycWebhookSecrets: secrets },
    adminKey,
  }
}

/** Migrations may use another login, so this checks that the login of the service works. */
async function requireUsable(database: Database): Promise<void> {
  try {
    await patiently(() => database.rows(read<{ one: number }>`select 1 as one`))
  } catch (error) {
    const { message } = error instanceof Refusal ? causeOf(error) : (error as Error)
    throw new StartupError(`The database cannot be used with the login of DATABASE_URL: ${message}.`)
  }
}

/** Data from a future that only the sandbox has reached must not be used anywhere else. */
async function setClock(database: Database, { sandbox }: Config): Promise<void> {
  const ahead_s = await readAhead(database)
  if (ahead_s > 0 && !sandbox)
    throw new StartupError(
      `The clock of this database was moved ${ahead_s} seconds forwards in the sandbox, so it can be used only there: set SANDBOX=true, or use another database.`,
    )
  moveAhead(ahead_s)
}

/** Invented money must not count anywhere else. */
async function requireNoSandbox(database: Database, { sandbox }: Config): Promise<void> {
  if (!sandbox && (await wasSandbox(database)))
    throw new StartupError(
      'This database was a sandbox, whose money does not exist, so it can be used only there: set SANDBOX=true, or use a new database.',
    )
}

/** The bank processes for ventures with two people, or in the sandbox. */
async function requireFourEyes(database: Database, { sandbox, fourEyes }: Config): Promise<void> {
  if (sandbox || fourEyes) return
  const [managed] = await patiently(() => listManagedIds(database))
  if (managed !== undefined)
    throw new StartupError(
      "FOUR_EYES cannot be off outside the sandbox while a venture is MANAGED, because moving its clients' money takes two people: set FOUR_EYES=on.",
    )
}

/** Returns the era that this start has begun, if it had to. */
async function keepCurrentEra(database: Database): Promise<number | undefined> {
  try {
    return await patiently(() => keepEra(database, { numbers: [endpointFromTheFuture, ...sealedFromTheFuture], begin: expireRequests }))
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { message } = causeOf(error)
    throw new StartupError(
      `This database was restored from a dump of another PostgreSQL cluster, and the order of events could not be continued (${message}): stop all instances that use the database, and start again.`,
    )
  }
}

async function listen(app: Awaited<ReturnType<typeof createApp>>, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw new StartupError(`Port ${port} on ${host} is in use: stop the program that listens there, or set PORT to another port.`)
    throw new StartupError(`Cannot listen on ${host}, port ${port}: ${message}.`)
  }
}

async function withTimeout(promise: Promise<unknown>): Promise<void> {
  const { promise: timeout, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, stopTimeout_ms)
  await Promise.race([promise, timeout])
  clearTimeout(timer)
}
