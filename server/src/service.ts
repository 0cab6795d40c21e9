// Starts the parts in their order and stops them in reverse.
import { createApp } from './app.ts'
import type { Config } from './platform/config.ts'
import { Database } from './platform/database.ts'
import { startEmbeddedPostgres } from './platform/embedded.ts'
import { createLog } from './platform/log.ts'
import { migrate } from './platform/migrate.ts'
import { keepSecret, type Secret } from './platform/secrets.ts'
import { read } from './platform/sql.ts'
import { StartupError } from './platform/startup-error.ts'
import { Refusal } from './values/refusals.ts'
import { makeKey } from './ventures/ventures.keys.ts'

/** What was in flight when the stop began gets this long to finish. */
const stopping_ms = 10_000

export type Service = { url: string; adminKey: Secret | undefined; stop(): Promise<void> }

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

    const database = new Database({ url: serviceUrl, onLost: (error) => log.warn({ err: error }, 'lost an idle database connection') })
    stops.push(() => database.close())
    await requireAnswer(database)

    const app = await createApp({ config, database, log })
    stops.push(() => withinTime(app.close()))
    return { url: await listen(app, config), adminKey, stop }
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
    return { config, ownerUrl, serviceUrl: config.databaseUrl, stopDatabase: async () => {} }
  }
  const { ownerUrl, serviceUrl, stop: stopDatabase } = await startEmbeddedPostgres({ dataDir: config.dataDir, onLog })
  if (config.adminApiKey !== undefined) return { config, ownerUrl, serviceUrl, stopDatabase }
  try {
    const adminKey = await keepSecret(config.dataDir, 'admin-key', () => makeKey('admin'))
    return { config: { ...config, adminApiKey: adminKey.value }, ownerUrl, serviceUrl, adminKey, stopDatabase }
  } catch (error) {
    await stopDatabase()
    throw error
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
    if (code === 'EADDRINUSE') throw new StartupError(`Port ${port} on ${host} is in use: stop what listens there, or set PORT to another.`)
    throw new StartupError(`Cannot listen on ${host}, port ${port}: ${message}.`)
  }
}

async function withinTime(ending: Promise<unknown>): Promise<void> {
  const { promise: late, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, stopping_ms)
  await Promise.race([ending, late])
  clearTimeout(timer)
}
