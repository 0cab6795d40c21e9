// A Citus cluster on loopback for tests: a coordinator and its workers, with the PostgreSQL that CITUS_PG_CONFIG names.
import { execFileSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { chooseAccount } from '../platform/embedded/embedded.account.ts'
import { freePort } from '../platform/embedded/embedded.postmaster.ts'
import { makeDataFolder } from './testing.folders.ts'
import { logins } from './testing.postgres.ts'
import { givenPgConfig } from './testing.server.ts'
import { PostgresServer } from './testing.standby.ts'

/** The folder with the programs of a PostgreSQL that has Citus, or why there is none. */
export function findCitus(): { binaries: string } | { missing: string } {
  const program = givenPgConfig()
  if (program === undefined)
    return { missing: 'CITUS_PG_CONFIG is not set: give it the path of pg_config of a PostgreSQL that has Citus installed.' }
  try {
    const ask = (flag: string) => execFileSync(program, [flag], { encoding: 'utf8', stdio: 'pipe' }).trim()
    if (!existsSync(join(ask('--pkglibdir'), 'citus.so')))
      return { missing: `The PostgreSQL of ${program} does not have Citus: install it there, or give CITUS_PG_CONFIG another path.` }
    return { binaries: ask('--bindir') }
  } catch (error) {
    return { missing: `CITUS_PG_CONFIG does not work: ${(error as Error).message.split('\n')[0]}` }
  }
}

const settings = (shards: number) => [
  `shared_preload_libraries = 'citus'`,
  'max_connections = 300',
  'max_prepared_transactions = 300',
  // A transaction that distributes all tables locks every shard of each.
  'max_locks_per_transaction = 1024',
  `citus.node_conninfo = 'sslmode=disable'`,
  `citus.shard_count = ${shards}`,
  // Ends transactions soon that a crash has left prepared.
  `citus.recover_2pc_interval = '2s'`,
]

type Options = { binaries: string; workers?: number; shards?: number; more?: readonly string[] }

export class Cluster {
  readonly coordinator: PostgresServer
  readonly workers: readonly PostgresServer[]
  readonly #folder: string

  private constructor(folder: string, [coordinator, ...workers]: [PostgresServer, ...PostgresServer[]]) {
    this.#folder = folder
    this.coordinator = coordinator
    this.workers = workers
  }

  /** `more`: further lines for the postgresql.conf of all servers. */
  static async open({ binaries, workers = 2, shards = 8, more = [] }: Options): Promise<Cluster> {
    const account = chooseAccount()
    const folder = makeDataFolder('cluster')
    const make = async (name: string) =>
      new PostgresServer({
        port: await freePort({ from: 20_000, below: 30_000 }),
        binaries,
        account,
        folder: join(folder, name),
        settings: [...settings(shards), ...more],
      })
    const servers: PostgresServer[] = []
    const start = async (name: string) => {
      const server = await make(name)
      servers.push(server)
      await server.initialise({ auth: 'trust' })
      await server.start()
      await server.asOwner((client) => client.query(`create role ${logins.service} login`), 'postgres')
      return server
    }
    try {
      const cluster = new Cluster(folder, [await start('coordinator'), ...(await inTurn(workers, (n) => start(`worker${n}`)))])
      await cluster.createDatabase('vostro')
      return cluster
    } catch (error) {
      for (const server of servers) await server.kill()
      rmSync(folder, { recursive: true, force: true })
      throw error
    }
  }

  get servers(): PostgresServer[] {
    return [this.coordinator, ...this.workers]
  }

  /** An empty database that knows the workers. */
  async createDatabase(name: string): Promise<void> {
    for (const server of this.servers) {
      await server.asOwner((client) => client.query(`create database ${name}`), 'postgres')
      await server.asOwner((client) => client.query('create extension citus'), name)
    }
    await this.coordinator.asOwner(async (client) => {
      await client.query(`select citus_set_coordinator_host('127.0.0.1', $1)`, [this.coordinator.port])
      for (const { port } of this.workers) await client.query(`select citus_add_node('127.0.0.1', $1)`, [port])
    }, name)
  }

  /** Where the rows of a venture are: the shard of a table, its worker, and the worker's group. */
  async placeOf(table: string, venture_id: string): Promise<{ shard: string; group: number; worker: PostgresServer }> {
    const place = await this.coordinator.asOwner(async (client) => {
      const { rows } = await client.query<{ shard: string; group: number; port: number }>(
        `select $1 || '_' || shardid as shard, groupid as "group", nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
         where shardid = get_shard_id_for_distribution_column($1::text::regclass, $2::uuid)`,
        [table, venture_id],
      )
      return rows[0]
    })
    const worker = this.workers.find(({ port }) => port === place?.port)
    if (place === undefined || worker === undefined) throw new Error(`the venture ${venture_id} has no worker`)
    return { shard: place.shard, group: place.group, worker }
  }

  async close(): Promise<void> {
    for (const server of this.servers) await server.kill()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

async function inTurn<Result>(times: number, act: (number: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let number = 1; number <= times; number++) results.push(await act(number))
  return results
}
