// A bank on its own embedded database, for runs outside of the tests.
import { rm } from 'node:fs/promises'
import pg from 'pg'
import { createApp } from '../../../server/src/app.ts'
import { readConfig } from '../../../server/src/config.ts'
import { Database } from '../../../server/src/platform/database/database.ts'
import { migrate } from '../../../server/src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../../../server/src/platform/embedded/embedded.ts'
import { createLog } from '../../../server/src/platform/log.ts'
import { openServices } from '../../../server/src/services.ts'
import { makeDataFolder } from '../../../server/src/testing/testing.folders.ts'
import type { ManagedBank } from '../../../server/src/testing/testing.managed.ts'
import { Caller } from '../../../server/src/testing/testing.ts'
import { makeKey } from '../../../server/src/ventures/ventures.keys.ts'

/** Opens a bank, runs `use` on it, and always removes it. */
export async function withBank<Result>(use: (bank: ManagedBank) => Promise<Result>): Promise<Result> {
  const dataDir = makeDataFolder('simulation')
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    await migrate(postgres)
    const adminApiKey = makeKey('admin')
    const config = { ...readConfig({}), adminApiKey, requestLog: false }
    // On a busy machine everything takes longer, and that is not a difference.
    const database = new Database({ url: postgres.serviceUrl, wait_ms: 60_000 })
    const app = await createApp(openServices({ config, database, log: createLog('silent') }))
    await app.ready()
    const owner = new pg.Client({ connectionString: postgres.ownerUrl })
    await owner.connect()
    try {
      return await use({ app, config, database, owner, admin: new Caller(app, { authorization: `Bearer ${adminApiKey}` }) })
    } finally {
      await owner.end()
      await app.close()
      await database.close()
    }
  } finally {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
