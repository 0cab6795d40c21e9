// The real service in its own process, with its own database and the sandbox in place of all partners.

import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createApp } from '../../server/src/app.ts'
import { readConfig } from '../../server/src/config.ts'
import { Database } from '../../server/src/platform/database/database.ts'
import { startEmbeddedPostgres } from '../../server/src/platform/embedded/embedded.ts'
import type { Route } from '../../server/src/platform/http/http.ts'
import { createLog } from '../../server/src/platform/log.ts'
import { makeSecret } from '../../server/src/platform/standard-webhooks.ts'
import { openServices } from '../../server/src/services.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import { ServiceProcess } from '../../server/src/testing/testing.process.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'
import { troublesIn } from './fuzz.log.ts'
import type { Bank } from './fuzz.world.ts'

export type Service = {
  bank: Bank
  owner: pg.Client
  routes: Route[]
  /** The log of a request that failed with a 5xx. */
  logOf(request_id: string): string | undefined
  /** Failures in the background. */
  troubles(): string[]
  stop(): Promise<void>
}

export async function openService(): Promise<Service> {
  const dataDir = makeDataFolder('fuzz')
  // Nothing has to survive a power failure.
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false })
  const owner = new pg.Client({ connectionString: postgres.ownerUrl })
  const keys = { admin: makeKey('admin'), relay: makeKey('kyc'), webhookSecret: makeSecret() }
  const service = new ServiceProcess({
    PORT: '0',
    DATABASE_URL: postgres.serviceUrl,
    MIGRATION_DATABASE_URL: postgres.ownerUrl,
    SANDBOX: 'true',
    REQUEST_LOG: 'on',
    LOG_LEVEL: 'warn',
    PAY_PAGE_LIMIT_PER_MINUTE: '1000000',
    ADMIN_API_KEY: keys.admin,
    KYC_API_KEY: keys.relay,
    KYC_WEBHOOK_SECRET: keys.webhookSecret,
  })
  const stop = async () => {
    await service.stop('SIGTERM')
    await owner.end()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    const url = await service.ready()
    await owner.connect()
    const logOf = (request_id: string) => service.stdout.split('\n').find((line) => line.includes('"err"') && line.includes(request_id))
    return {
      bank: { url, keys, turn: () => sleep(50) },
      owner,
      routes: await routeTable(),
      logOf,
      troubles: () => troublesIn(service.stdout.split('\n')),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Read from an application that gets no requests, so it never connects to its database. */
async function routeTable(): Promise<Route[]> {
  const database = new Database({ url: 'postgres://nobody@127.0.0.1/nothing' })
  const app = await createApp(openServices({ config: readConfig({}), database, log: createLog('silent') }))
  await app.ready()
  const routes = app.routeTable
  await app.close()
  await database.close()
  return routes
}
