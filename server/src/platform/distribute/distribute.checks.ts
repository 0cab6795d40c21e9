// What the owner's commands check before they change anything.
import type pg from 'pg'
import { readMigrations } from '../database/migrate.ts'
import { StartupError } from '../startup-error.ts'

export async function requireCitus(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ installed: boolean; preloaded: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as installed,
       current_setting('citus.shard_count', true) is not null as preloaded`,
  )
  if (rows[0]?.installed) return
  throw new StartupError(
    rows[0]?.preloaded
      ? 'This database does not have the extension Citus: run "create extension citus;" in it, on the coordinator and on every worker. Nothing was changed.'
      : 'This PostgreSQL does not run Citus, so its tables cannot be distributed: install Citus and add it to shared_preload_libraries, on the coordinator and on every worker. Nothing was changed.',
  )
}

export type Node = { nodename: string; nodeport: number; groupid: number; isactive: boolean }

/** The workers. Refuses if one of them is not active. */
export async function requireWorkers(client: pg.Client): Promise<Node[]> {
  const { rows: local } = await client.query<{ groupid: number }>('select groupid from pg_dist_local_group')
  if (local[0]?.groupid !== 0)
    throw new StartupError('This is a worker of the cluster: give the URL of the coordinator in DATABASE_URL. Nothing was changed.')
  const { rows: nodes } = await client.query<Node>(
    `select nodename, nodeport, groupid, isactive from pg_dist_node where noderole = 'primary' order by groupid`,
  )
  if (!nodes.some(({ groupid }) => groupid === 0))
    throw new StartupError(
      `The coordinator does not know its own address: run "select citus_set_coordinator_host('<its name>', <its port>);" on it. Nothing was changed.`,
    )
  const workers = nodes.filter(({ groupid }) => groupid !== 0)
  if (workers.length === 0)
    throw new StartupError(
      `The cluster has no worker: run "select citus_add_node('<its name>', <its port>);" on the coordinator for each of them. Nothing was changed.`,
    )
  const away = workers.filter(({ isactive }) => !isactive)
  if (away.length > 0)
    throw new StartupError(
      `A worker is not active: ${away.map(({ nodename, nodeport }) => `${nodename}, port ${nodeport}`).join('; ')}. Run "select citus_activate_node(…);" for it, or remove it. Nothing was changed.`,
    )
  return workers
}

export async function requireMigrated(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ is: boolean }>(`select to_regclass('public.migrations') is not null as is`)
  const applied = rows[0]?.is ? (await client.query<{ number: number }>('select number from migrations')).rows.length : 0
  const of = (await readMigrations()).length
  if (applied > of)
    throw new StartupError(
      `The database has ${applied} migrations, and this version knows ${of}: use the version that has migrated it. Nothing was changed.`,
    )
  if (applied < of)
    throw new StartupError(`The database has ${applied} of ${of} migrations: run "npm run migrate" first. Nothing was changed.`)
}

/** Only their owner can change the tables. */
export async function requireRole(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select pg_get_userbyid(relowner)::text as name from pg_class where oid = 'public.events'::regclass and not pg_has_role(relowner, 'usage')`,
  )
  if (rows[0] !== undefined)
    throw new StartupError(
      `The tables belong to ${rows[0].name}: give the URL of this login in MIGRATION_DATABASE_URL. Nothing was changed.`,
    )
}
