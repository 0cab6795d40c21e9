// Starts the parts in their order and stops them in reverse.
import { createApp } from './app.ts'
import type { Config } from './config.ts'
import { comesFromAnotherCluster } from './events/events.ts'
import { Database } from './platform/database/database.ts'
import { migrate } from './platform/database/migrate.ts'
import { read } from './platform/database/sql.ts'
import { startEmbeddedPostgres } from './platform/embedded/embedded.ts'
import { createLog } from './platform/log.ts'
import { keepSecret, type Secret } from './platform/secrets.ts'
import { makeSecret } from './platform/standard-webhooks.ts'
import { StartupError } from './platform/startup-error.ts'
import { openServices } from './services.ts'
import { Refusal } from './values/refusals.ts'
import { makeKey } from './ventures/ventures.keys.ts'
import { createCouriers, createWorker } from './workers.ts'

/** What was in flight when the stop began gets this long to finish. */
const stopping_ms = 10_000

export type Service = { url: string; adminKey: Secret | undefined; hasAdmin: boolean; stop(): Promise<void> }

export async function startService(given: Config): Promise<Service> {
  const stops: (() => Promise<void>)[] = []
  const stop = async () => {
    for (const end of stops.splice(0).reverse()) await end()
  }
  try {
    const log = createLog(given.logLevel)
    const { config, ownerUrl, serviceUrl, adminKey, stopDatabase } = await prepareDatabase(given, (line) => log.warn(line))
    stops.push(stopDatabase)
    await migrate({ ownerUrl, serviceUrl, onApplied: (name) => log.debug(`applied ${name}`) })

    const database = new Database({
      url: serviceUrl,
      poolSize: config.databasePoolSize,
      wait_ms: config.databaseWait_ms,
      onLost: (error) => log.warn({ err: error }, 'lost an idle database connection'),
    })
    stops.push(() => database.close())
    await requireAnswer(database)
    if (await comesFromAnotherCluster(database)) {
      throw new StartupError(
        'The events in this database come from another PostgreSQL cluster, which has higher transaction numbers: see "Restoring" in docs/running.md.',
      )
    }

    if (config.verifier === 'sandbox' && !config.sandbox) {
      log.warn('VERIFIER is not set and the sandbox is off: onboarding details are accepted, but nobody verifies them')
    }
    const services = openServices({ config, database, log })
    const app = await createApp(services)
    const url = await listen(app, config)
    services.self.listensOn(url)

    const worker = createWorker(services)
    worker.start()
    const couriers = createCouriers(services)
    couriers.start()
    // Together with the last requests; a job that takes longer is given up, and taken again when its lease is over.
    stops.push(() => withinTime(Promise.all([app.close(), worker.stop(), couriers.stop()])))
    return { url, adminKey, hasAdmin: config.adminApiKey !== undefined, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

type Prepared = { config: Config; ownerUrl: string; serviceUrl: string; adminKey?: Secret; stopDatabase(): Promise<void> }

/** The given database, or our own with the secrets that go with it. */
async function prepareDatabase(config: Config, onLog: (line: string) => void): Promise<Prepared> {
  if (config.databaseUrl !== undefined) {
    const ownerUrl = config.migrationDatabaseUrl ?? config.databaseUrl
    return {
      config: config.sandbox ? withSandboxSecrets(config) : config,
      ownerUrl,
      serviceUrl: config.databaseUrl,
      stopDatabase: async () => {},
    }
  }
  const { ownerUrl, serviceUrl, stop: stopDatabase } = await startEmbeddedPostgres({ dataDir: config.dataDir, onLog })
  try {
    return { ...(await fillInSecrets(config)), ownerUrl, serviceUrl, stopDatabase }
  } catch (error) {
    await stopDatabase()
    throw error
  }
}

/** The sandbox's verifier speaks to nobody but this process, so what they share need not outlive it. */
function withSandboxSecrets(config: Config): Config {
  const { kycApiKey = makeKey('kyc'), kycWebhookSecrets } = config
  return { ...config, kycApiKey, kycWebhookSecrets: kycWebhookSecrets.length > 0 ? kycWebhookSecrets : [makeSecret()] }
}

/** What a setting does not say is made at the first start and kept. */
async function fillInSecrets(config: Config): Promise<{ config: Config; adminKey?: Secret }> {
  const { dataDir, adminApiKey, kycApiKey, kycWebhookSecrets } = config
  const adminKey = adminApiKey === undefined ? await keepSecret(dataDir, 'admin-key', () => makeKey('admin')) : undefined
  const kycKey = kycApiKey ?? (await keepSecret(dataDir, 'kyc-key', () => makeKey('kyc'))).value
  const secrets = kycWebhookSecrets.length > 0 ? kycWebhookSecrets : [(await keepSecret(dataDir, 'kyc-webhook-secret', makeSecret)).value]
  return {
    config: { ...config, adminApiKey: adminApiKey ?? adminKey?.value, kycApiKey: kycKey, kycWebhookSecrets: secrets },
    ...(adminKey ? { adminKey } : {}),
  }
}

/** Migrations may have had another login, so that only a statement of our own tells whether we can work. */
async function requireAnswer(database: Database): Promise<void> {
  try {
    await database.rows(read<{ one: number }>`select 1 as one`)
  } catch (error) {
    const { message } = (error instanceof Refusal ? error.details['cause'] : error) as Error
    throw new StartupError(`The database cannot be used with the login of DATABASE_URL: ${message}.`)
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

async function withinTime(ending: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, stopping_ms)
  await Promise.race([ending, late])
  clearTimeout(timer)
}
