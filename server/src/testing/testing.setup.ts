// Runs once around all test files: a PostgreSQL (our own, or the one in DATABASE_URL) with a migrated template database, from which
// openBank() clones a fresh database for each test file, and a temporary folder for all of them.
// database, from which openBank() clones a fresh database for each test file, and a temporary folder for all of them.

import { rm } from 'node:fs/promises'
import pg from 'pg'
import { readConfig } from '../config.ts'
import { migrate } from '../platform/database/migrate.ts'
import { distribute } from '../platform/distribute/distribute.ts'
import { hostUrls } from '../platform/hosts.ts'
import { Cluster, findCitus } from './testing.cluster.ts'
import { buildForTests } from './testing.console.ts'
import { createDatabase, passTemporaryFolder, passTestServer, type TestServer, urlOf, wantsCluster } from './testing.server.ts'
import { startServer } from './testing.servers.ts'

let tearDown = async () => {}
let folder: string | undefined

export async function globalSetup(): Promise<void> {
  folder = passTemporaryFolder()
  // Pages are tested as users get them.
  const built = buildForTests()
  if (wantsCluster()) await openClusterForTests()
  else await openServerForTests()
  await built
}

async function openServerForTests(): Promise<void> {
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
  passTestServer(urls)
}

/** Every test database is a copy of the distributed template, on the coordinator and on the workers. */
async function openClusterForTests(): Promise<void> {
  const found = findCitus()
  if ('missing' in found) throw new Error(found.missing)
  const cluster = await Cluster.open(found)
  tearDown = () => cluster.close()
  const template = 'vostro_template'
  await cluster.createDatabase(template)
  const [ownerUrl, serviceUrl] = [cluster.coordinator.url('owner', 'postgres'), cluster.coordinator.url('service', 'postgres')]
  await migrate({ ownerUrl: urlOf(ownerUrl, template), serviceUrl })
  await distribute(urlOf(ownerUrl, template))
  // Citus has a process in each database, which would keep it from being copied.
  for (const server of cluster.servers) {
    await server.asOwner(async (client) => {
      await client.query(`alter database ${template} allow_connections false`)
      await client.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [template])
    }, 'postgres')
  }
  passTestServer({ ownerUrl, serviceUrl, template, workerUrls: cluster.workers.map((worker) => worker.url('owner', 'postgres')) })
}

export async function globalTeardown(): Promise<void> {
  await tearDown()
  // Whatever tests, and the processes that they killed, have left there.
  if (folder !== undefined) await rm(folder, { recursive: true, force: true })
}
