// Runs once around all test files: a PostgreSQL (our own, or the one DATABASE_URL names) with one migrated template
// database, from which openBank() clones a fresh database for each test file.

import pg from 'pg'
import { readConfig } from '../config.ts'
import { hostUrls } from '../platform/database/database.hosts.ts'
import { migrate } from '../platform/database/migrate.ts'
import { buildForTests } from './testing.console.ts'
import { createDatabase, passTestServer, type TestServer, urlOf } from './testing.server.ts'
import { startServer } from './testing.servers.ts'

let tearDown = async () => {}

export async function globalSetup(): Promise<void> {
  // Pages are tested as people get them.
  const built = buildForTests()
  const { databaseUrl } = readConfig()
  if (databaseUrl !== undefined && hostUrls(databaseUrl).length > 1) throw new Error('Tests need a DATABASE_URL with a single host.')
  const server =
    databaseUrl === undefined ? await startServer('test') : { ownerUrl: databaseUrl, serviceUrl: databaseUrl, stop: async () => {} }
  const template = `vostro_template_${process.pid}`
  const urls: TestServer = { ownerUrl: server.ownerUrl, serviceUrl: server.serviceUrl, template }
  const owner = new pg.Client({ connectionString: server.ownerUrl })
  await owner.connect()
  await owner.query(`drop database if exists ${template}`)
  await createDatabase(owner, template)
  tearDown = async () => {
    await owner.query(`drop database ${template}`)
    await owner.end()
    await server.stop()
  }
  await migrate({ ownerUrl: urlOf(urls.ownerUrl, template), serviceUrl: server.serviceUrl })
  await built
  passTestServer(urls)
}

export async function globalTeardown(): Promise<void> {
  await tearDown()
}
