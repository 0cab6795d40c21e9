// Passes the address of the database server and a temporary folder from the test runner to the test files, which are processes of their own.
import { chmodSync } from 'node:fs'
import pg, { type Client } from 'pg'
import { makeDataFolder } from './testing.folders.ts'

/** `workerUrls`: of the owner, if the server is the coordinator of a cluster. */
export type TestServer = { ownerUrl: string; serviceUrl: string; template: string; workerUrls?: readonly string[] }

const variable = 'VOSTRO_TEST_SERVER'

export function passTestServer(server: TestServer): void {
  process.env[variable] = JSON.stringify(server)
}

/** The temporary folder of this process and of those that it starts from now on. Like the usual one, it belongs to everybody. */
export function passTemporaryFolder(): string {
  const folder = makeDataFolder('tests')
  chmodSync(folder, 0o1777)
  process.env['TMPDIR'] = folder
  return folder
}

export function findTestServer(): TestServer {
  const passed = process.env[variable]
  if (passed === undefined) throw new Error('Tests need their database: run them with "npm run test:only -- <file>".')
  return JSON.parse(passed)
}

/** The same server and login, another database. */
export function urlOf(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

/** By default PostgreSQL also writes every page of the template to its log, which takes five times as long as copying the files. */
export async function createDatabase(creator: Client, name: string, template = 'template1'): Promise<void> {
  await creator.query(`create database ${name} template ${template} strategy file_copy`)
}

/** The pg_config of a PostgreSQL that has Citus. */
export const givenPgConfig = (): string | undefined => process.env['CITUS_PG_CONFIG']

/** Whether tests run on a cluster of Citus instead of a single PostgreSQL. */
export const wantsCluster = (): boolean => process.env['TEST_ON_CLUSTER'] !== undefined

/** What a test may do that a cluster cannot. Such a test says so, and runs on a single PostgreSQL only. */
const impossible = {
  triggers: 'The test puts triggers on tables, which a cluster does not allow on those that are on its shards.',
  numbers: 'The test opens transactions in an order, and on a worker a transaction has no number before it writes there.',
  migrations: 'The test migrates a database from an earlier version, and tables are distributed when all migrations are done.',
  locks: 'The test expects that a lock of a table is given up soon, and a cluster waits for it on its workers.',
  seals: 'The test damages sealed rows in a transaction that it takes back, and workers are asked for their rows outside of it.',
  views: 'The test puts a view in the place of a table that is on the shards.',
  plans: 'The test looks at plans, and those of the workers are made with settings of theirs.',
  citus: 'The test is about a PostgreSQL without Citus.',
} as const

/** For the option `skip` of a test: false on a single PostgreSQL. */
export const notOnCluster = (why: keyof typeof impossible): string | false => wantsCluster() && impossible[why]

/** Turns triggers and foreign keys off for the rest of the transaction. On a cluster they are those of each shard. */
export async function turnTriggersOff(owner: Client): Promise<void> {
  if (wantsCluster()) await owner.query(`set local citus.propagate_set_commands = 'local'`)
  await owner.query('set local session_replication_role = replica')
}

/** On every server of a cluster. */
export async function onServers({ ownerUrl, workerUrls = [] }: TestServer, act: (client: Client) => Promise<unknown>): Promise<void> {
  for (const connectionString of [ownerUrl, ...workerUrls]) {
    const client = new pg.Client({ connectionString })
    await client.connect()
    try {
      await act(client)
    } finally {
      await client.end()
    }
  }
}
