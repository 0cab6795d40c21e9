// What must hold on a distributed database as on a single PostgreSQL. Each scene has a cluster of its own: a coordinator and two workers on loopback.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '../../server/src/platform/database/migrate.ts'
import { distribute } from '../../server/src/platform/distribute/distribute.ts'
import { Cluster } from '../../server/src/testing/testing.cluster.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import type { PostgresServer } from '../../server/src/testing/testing.standby.ts'
import type { Context, Experiment } from '../faults/experiment.ts'
import { startLoad } from '../faults/load/load.ts'
import type { Setup } from '../faults/setup.ts'
import { withSetup } from '../faults/with-setup.ts'

export type Options = {
  /** The folder with the programs of a PostgreSQL that has Citus. */
  binaries: string
  /** How many transactions are followed. */
  transactions: number
  /** How often a worker is killed at least. */
  kills: number
}

type Scene = { context: Context; cluster: Cluster; setup: Setup }

const run = promisify(execFile)

export function scenes(options: Options): Experiment[] {
  const scene = (name: string, about: string, act: (scene: Scene) => Promise<void>): Experiment => ({
    name,
    about,
    run: (context) => withCluster(context, options, (given) => act({ context, ...given })),
  })
  return [
    { name: 'distribute', about: 'the command refuses what it must, and changes nothing when it is run again', run: refusals(options) },
    scene('session', 'the first session of the documentation, with a signed webhook', session),
    scene('followers', 'under load, followers of events pass over none', followers(options)),
    scene(
      'worker-killed',
      'under load a worker is killed, also between PREPARE and COMMIT PREPARED, and comes back',
      workerKilled(options),
    ),
  ]
}

async function withCluster(context: Context, { binaries }: Options, use: (scene: Omit<Scene, 'context'>) => Promise<void>): Promise<void> {
  context.say('starting three servers')
  const cluster = await Cluster.open({ binaries })
  await context.withCleanup(
    () => cluster.close(),
    async () => {
      const hosting = { serviceUrl: cluster.coordinator.url('service'), ownerUrl: cluster.coordinator.url('owner') }
      await migrate(hosting)
      await distribute(hosting.ownerUrl)
      await withSetup(context, { hosting, ventures: 4, settings: { SANDBOX: 'true' } }, (setup) => use({ cluster, setup }))
    },
  )
}

function refusals({ binaries }: Options): Experiment['run'] {
  return async (context) => {
    const cluster = await Cluster.open({ binaries })
    const [ownerUrl, serviceUrl] = [cluster.coordinator.url('owner'), cluster.coordinator.url('service')]
    const mustRefuse = async (what: string, url: string, text: RegExp) => {
      const before = await shapeOf(cluster.coordinator)
      const refused = await distribute(url).then(
        () => 'it was distributed',
        (error: Error) => error.message,
      )
      if (!text.test(refused)) context.results.broken.push(`${what}: ${refused}`)
      if ((await shapeOf(cluster.coordinator)) !== before) context.results.broken.push(`${what}: something was changed`)
      context.results.faults++
    }
    await context.withCleanup(
      () => cluster.close(),
      async () => {
        await mustRefuse('without tables', ownerUrl, /has 0 of \d+ migrations: run "npm run migrate" first\. Nothing was changed\.$/)
        await migrate({ ownerUrl, serviceUrl })
        await mustRefuse('on a worker', cluster.workers[0]?.url('owner') ?? '', /^This is a worker of the cluster/)
        await mustRefuse('without the owner', serviceUrl, /^The tables belong to vostro_owner/)
        await cluster.coordinator.asOwner(async (client) => {
          await client.query(`set application_name = 'vostro'`)
          await mustRefuse('while the service runs', ownerUrl, /^Vostro is running on this database .* stop all of its instances first/)
        })
        await cluster.coordinator.asOwner((client) => client.query(`select create_distributed_table('sign_in_failures', 'id')`))
        await mustRefuse(
          'with a table elsewhere',
          ownerUrl,
          /^The table sign_in_failures is distributed in another way than Vostro needs it/,
        )
        await cluster.coordinator.asOwner((client) => client.query(`select undistribute_table('sign_in_failures')`))
        const first = await distribute(ownerUrl)
        const shape = await shapeOf(cluster.coordinator)
        const second = await distribute(ownerUrl)
        if (first.tables.length === 0 || second.tables.length > 0 || (await shapeOf(cluster.coordinator)) !== shape)
          context.results.broken.push('run again, it has changed something')
        context.results.acknowledged = first.tables.length
      },
    )
  }
}

/** Everything that the command changes, as one text. */
async function shapeOf(coordinator: PostgresServer): Promise<string> {
  return coordinator.asOwner(async (client) => {
    const { rows } = await client.query(`select
      (select json_agg(conrelid::regclass || ' ' || conname order by conrelid::regclass::text, conname) from pg_constraint where conrelid <> 0) as constraints,
      (select json_agg(tgrelid::regclass || ' ' || tgname order by tgrelid::regclass::text, tgname) from pg_trigger where not tgisinternal) as triggers,
      (select json_agg(relname order by relname) from pg_class where relnamespace = 'public'::regnamespace) as tables,
      (select json_agg(logicalrelid::text || partmethod::text order by logicalrelid::text) from pg_dist_partition) as distributed`)
    return JSON.stringify(rows)
  })
}

const quickstart = fileURLToPath(new URL('../../docs/quickstart.ts', import.meta.url))

async function session({ context, setup: { bank } }: Scene): Promise<void> {
  const folder = makeDataFolder('session')
  mkdirSync(join(folder, 'data'))
  writeFileSync(join(folder, 'data/admin-key'), bank.adminKey)
  const { stdout } = await run(process.execPath, ['--conditions=@vostro/source', quickstart, bank.caller.url], {
    cwd: folder,
    timeout: 300_000,
  })
  context.results.notes.push(...stdout.trim().split('\n'))
  context.results.acknowledged++
}

const page = 100

/** Reads the events of all ventures from the start while they are written, and in the end compares what each follower got with what there is. */
const followers =
  ({ transactions }: Options) =>
  async ({ context, cluster, setup }: Scene): Promise<void> => {
    const { bank, world } = setup
    const seen = new Map(world.ventures.map(({ id }) => [id, [] as string[]]))
    let done = false
    const follow = async ({ id, api_key }: { id: string; api_key: string }) => {
      const got = seen.get(id) as string[]
      for (;;) {
        const last = done
        const path = `/api/v1/events?since=${got.at(-1) ?? 'start'}&limit=${page}`
        const events: { id: string }[] = await bank.caller.must({ method: 'GET', path, key: api_key })
        got.push(...events.map((event) => event.id))
        if (last && events.length === 0) return
        if (events.length === 0) await sleep(5)
      }
    }
    const following = Promise.all(world.ventures.map(follow))
    const load = startLoad(context, setup, { clients: 24 })
    const written = async () =>
      cluster.coordinator.asOwner(async (client) => {
        const { rows } = await client.query<{ count: number }>('select count(distinct (venture_id, xid))::int as count from events')
        return rows[0]?.count ?? 0
      })
    while ((await written()) < transactions) await sleep(1_000)
    await load.stop()
    await sleep(3_000)
    done = true
    await following
    const stored = await cluster.coordinator.asOwner(async (client) => {
      const { rows } = await client.query<{ venture_id: string; id: string }>('select venture_id, id from events')
      return rows
    })
    const passedOver = stored.filter(({ venture_id, id }) => seen.has(venture_id) && !new Set(seen.get(venture_id)).has(id))
    const twice = [...seen.values()].reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0)
    if (passedOver.length > 0) context.results.broken.push(`followers passed over ${passedOver.length} of ${stored.length} events`)
    if (twice > 0) context.results.broken.push(`followers got ${twice} events twice`)
    context.results.notes.push(`${await written()} transactions, ${stored.length} events, ${passedOver.length} passed over`)
  }

const mostKills = 12

const workerKilled =
  ({ kills }: Options) =>
  async ({ context, cluster, setup }: Scene): Promise<void> => {
    const load = startLoad(context, setup, { clients: 16 })
    let prepared = 0
    try {
      for (let number = 0; number < kills || (prepared === 0 && number < mostKills); number++) {
        await context.pause(300, 1_500)
        const worker = context.random.pick(cluster.workers)
        await untilPrepared(worker)
        await worker.kill()
        context.results.faults++
        await startAgain(worker)
        prepared += await preparedOn(worker)
        await setup.bank.untilReady()
      }
    } finally {
      await load.stop()
    }
    for (const worker of cluster.workers) while ((await preparedOn(worker)) > 0) await sleep(200)
    context.results.notes.push(`${prepared} transactions were between PREPARE and COMMIT PREPARED`)
    await setup.bank.untilReady()
  }

/** For a moment after its death the number of a process still counts as taken. */
async function startAgain(worker: PostgresServer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await worker.start()
    } catch (error) {
      if (attempt === 20) throw error
      await sleep(250)
    }
  }
}

/** Waits for a moment in which a transaction is prepared, for as long as that makes sense. */
async function untilPrepared(worker: PostgresServer): Promise<void> {
  await worker.asOwner(async (client) => {
    const end = performance.now() + 5_000
    for (;;) {
      const { rowCount } = await client.query('select from pg_prepared_xacts limit 1')
      if (rowCount === 1 || performance.now() > end) return
    }
  })
}

function preparedOn(worker: PostgresServer): Promise<number> {
  return worker.asOwner(async (client) => {
    const { rows } = await client.query<{ count: number }>(
      'select count(*)::int as count from pg_prepared_xacts where database = current_database()',
    )
    return rows[0]?.count ?? 0
  })
}
