// What must hold on a distributed database as on a single PostgreSQL. Each scene has its own cluster: a coordinator and two workers on loopback.
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Migration, migrate, readMigrations } from '../../server/src/platform/database/migrate.ts'
import { move } from '../../server/src/platform/distribute/distribute.move.ts'
import { distribute } from '../../server/src/platform/distribute/distribute.ts'
import { Cluster } from '../../server/src/testing/testing.cluster.ts'
import { makeDataFolder } from '../../server/src/testing/testing.folders.ts'
import type { PostgresServer } from '../../server/src/testing/testing.standby.ts'
import type { Context, Experiment } from '../faults/experiment.ts'
import { withSetup } from '../faults/with-setup.ts'
import { coordinatorKilled } from './cluster.coordinator.ts'
import { followers } from './cluster.followers.ts'
import { jobsWait } from './cluster.jobs.ts'
import { workerKilled } from './cluster.killed.ts'
import { moved, others } from './cluster.move.ts'
import { eraIn, sealed } from './cluster.seals.ts'
import type { Options, Scene } from './cluster.types.ts'
import { verified } from './cluster.verify.ts'

const run = promisify(execFile)

export function scenes(options: Options): Experiment[] {
  const scene = (name: string, about: string, act: (scene: Scene) => Promise<void>, world: WorldOptions = { ventures: 4 }): Experiment => ({
    name,
    about,
    run: (context) => withCluster(context, options, world, (given) => act({ context, ...given })),
  })
  return [
    { name: 'distribute', about: 'the command refuses what it must, and changes nothing when it is run again', run: refusals(options) },
    scene('session', 'the first session of the documentation, with a signed webhook', session),
    scene('followers', 'under load, followers of events pass over none', followers(options), { ventures: 12, accounts: 2 }),
    scene(
      'worker-killed',
      'under load a worker is killed, also between PREPARE and COMMIT PREPARED, and comes back',
      workerKilled(options),
    ),
    scene(
      'coordinator-killed',
      'the coordinator is killed while transactions write on it and on a worker, and none is there by half',
      coordinatorKilled(options),
    ),
    scene('jobs', 'a job finds what a worker has only prepared when it becomes due', jobsWait),
    scene('move', 'under load shards move to other workers, and followers pass over no event', moved),
    scene(
      'seals',
      'rows are sealed in their shards, also in one that moves, and what is done to them on a worker is found',
      sealed(options),
      {
        ventures: 4,
        accounts: 2,
        distributed: false,
      },
    ),
    scene('verify', 'damages that a single PostgreSQL would refuse are found', verified),
  ]
}

/** `distributed`: false for a scene that distributes the tables itself. */
type WorldOptions = { ventures: number; accounts?: number; distributed?: boolean }

async function withCluster(
  context: Context,
  { binaries }: Options,
  { distributed = true, ...world }: WorldOptions,
  use: (scene: Omit<Scene, 'context'>) => Promise<void>,
): Promise<void> {
  context.say('starting three servers')
  const cluster = await Cluster.open({ binaries })
  await context.withCleanup(
    () => cluster.close(),
    async () => {
      const hosting = { serviceUrl: cluster.coordinator.url('service'), ownerUrl: cluster.coordinator.url('owner') }
      await migrate(hosting)
      if (distributed) await distribute(hosting.ownerUrl)
      await withSetup(context, { hosting, ...world, settings: { SANDBOX: 'true' } }, (setup) => use({ cluster, setup }))
    },
  )
}

/** Several statements about tables that are distributed, as later versions will have them. */
async function withLaterMigration(): Promise<Migration[]> {
  const migrations = await readMigrations()
  const text = `
    create index texts_of_later on transfer_texts (id);
    alter index texts_of_later rename to texts_of_later_still;
    alter index transfer_texts_by_words alter column 2 set statistics 50;
    alter table events_later set (autovacuum_analyze_scale_factor = 2);
    alter table transfers add column later text;
    alter table transfers add constraint later_is_no_sign check (later <> ';');`
  return [...migrations, { number: migrations.length + 1, name: 'later.sql', checksum: '', text }]
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
        const unmoved = await move(ownerUrl, 'balance', others).catch((error: Error) => error.message)
        if (typeof unmoved !== 'string' || !/^The tables are not distributed: run "npm run distribute" first\./.test(unmoved))
          context.results.broken.push(`a move before that: ${JSON.stringify(unmoved)}`)
        await mustRefuse('on a worker', cluster.workers[0]?.url('owner') ?? '', /^This is a worker of the cluster/)
        await mustRefuse('without the owner', serviceUrl, /^The tables belong to vostro_owner/)
        await cluster.coordinator.asOwner(async (client) => {
          await client.query(`set application_name = 'vostro'`)
          await mustRefuse('while the service runs', ownerUrl, /^Vostro is running on this database .* stop all of its instances first/)
        })
        await cluster.coordinator.asOwner((client) => client.query(`select create_distributed_table('sign_in_failures', 'id')`))
        await mustRefuse('with a table elsewhere', ownerUrl, /^The table sign_in_failures is not distributed as Vostro needs it/)
        await cluster.coordinator.asOwner((client) => client.query(`select undistribute_table('sign_in_failures')`))
        const first = await distribute(ownerUrl)
        const shape = await shapeOf(cluster.coordinator)
        const second = await distribute(ownerUrl)
        if (first.tables.length === 0 || second.tables.length > 0 || (await shapeOf(cluster.coordinator)) !== shape)
          context.results.broken.push('run again, it has changed something')
        context.results.acknowledged = first.tables.length
        const era = await eraIn(cluster)
        await upgradeFromBefore(cluster.coordinator, { ownerUrl, serviceUrl })
        if ((await shapeOf(cluster.coordinator)) !== shape || (await eraIn(cluster)) !== era + 1)
          context.results.broken.push('what an earlier version has distributed is not numbered by its workers after the upgrade')
        await migrate({ ownerUrl, serviceUrl, migrations: await withLaterMigration() })
        if (!(await shapeOf(cluster.coordinator)).includes('texts_of_later_still'))
          context.results.broken.push('a migration of a distributed database has changed nothing')
      },
    )
  }
}

/** Upgrades a database as the version before rows were sealed in their shards has left it. What later migrations made stays, and is recorded again. */
async function upgradeFromBefore(coordinator: PostgresServer, urls: { ownerUrl: string; serviceUrl: string }): Promise<void> {
  const migrations = await readMigrations()
  const number = migrations.findIndex(({ name }) => name === '0039_seals_of_shards.sql') + 1
  await coordinator.asOwner(async (client) => {
    await client.query('set citus.enable_unsafe_triggers to on')
    for (const table of ['policies', 'screenings', 'screening_hits']) await client.query(`drop trigger ${table}_are_numbered on ${table}`)
    const { rows } = await client.query('delete from migrations where number >= $1 returning number, name, checksum', [number])
    await migrate({ ...urls, migrations: migrations.slice(0, number) })
    for (const later of rows.filter((row) => row.number > number))
      await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [later.number, later.name, later.checksum])
  })
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
