// Distributes the tables of a database by venture over the workers of a Citus cluster. Everything happens in one transaction, so it is
// either done or nothing has changed. When it is run again, it distributes the tables that migrations have added since.
import pg from 'pg'
import { serviceRole } from '../database/database.connections.ts'
import { troubleOf } from '../database/database.errors.ts'
import { openPrimary } from '../database/database.primary.ts'
import { foreignKeysBetween, globalNames, type Kind, kindOf, numberedTables, places, tablesAt } from '../database/database.tables.ts'
import { aloneKey } from '../database/database.ts'
import { lockKey } from '../database/migrate.ts'
import { StartupError } from '../startup-error.ts'
import { requireCitus, requireMigrated, requireRole, requireWorkers } from './distribute.checks.ts'

/** What was distributed; nothing if everything already was. */
export type Distributed = { tables: string[]; workers: number }

export async function distribute(ownerUrl: string): Promise<Distributed> {
  const client = await openPrimary(ownerUrl, 'vostro distribute')
  try {
    await requireCitus(client)
    const { length: workers } = await requireWorkers(client)
    await requireMigrated(client)
    await requireRole(client)
    await client.query('begin')
    await requireNobodyElse(client)
    const tables = await missingTables(client)
    if (tables.length > 0) {
      await letServiceIn(client)
      await distributeTables(client, tables)
    }
    await commit(client)
    await requireAccess(client)
    return { tables, workers }
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (error instanceof StartupError) throw error
    throw new StartupError(`Nothing was distributed: ${(error as Error).message}.`)
  } finally {
    await client.end()
  }
}

/** If the connection is lost during COMMIT, the outcome is unknown. */
async function commit(client: pg.Client): Promise<void> {
  await client.query('commit').catch((error: Error) => {
    if (troubleOf(error) !== 'lost') throw error
    throw new StartupError(
      `The connection was lost while the tables were being distributed (${error.message}): run "npm run distribute" again, which does whatever is left to do.`,
    )
  })
}

/** A running service has determined at startup where rows are, so none may be running. */
async function requireNobodyElse(client: pg.Client): Promise<void> {
  await client.query(`set local lock_timeout = '10s'`)
  try {
    // Waits for migrations, a service that is starting, and transactions of a service.
    await client.query('select pg_advisory_xact_lock($1), pg_advisory_xact_lock($2)', [lockKey, aloneKey])
  } catch {
    throw new StartupError('Vostro is using this database: stop all of its instances first. Nothing was changed.')
  }
  await client.query(`set local lock_timeout = 0`)
  const { rows } = await client.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::int as count from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and application_name like 'vostro%' group by 1 order by 1`,
  )
  if (rows.length > 0)
    throw new StartupError(
      `Vostro is running on this database (${rows.map(({ name, count }) => `${count} connections of ${name}`).join(', ')}): stop all of its instances first. Nothing was changed.`,
    )
}

/** The tables that are not yet where they belong, in the order in which they can be distributed. Refuses if one is in a wrong place. */
async function missingTables(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string; kind: Kind | 'otherwise' }>(
    `select relname::text as name,
       case when citus.logicalrelid is null then 'coordinator' when partmethod = 'n' and repmodel = 't' then 'everywhere'
         when partmethod = 'n' then 'coordinator'
         when partmethod = 'h' and column_to_column_name(logicalrelid, partkey) = 'venture_id' then 'shards' else 'otherwise' end as kind
     from pg_class relation left join pg_dist_partition citus on logicalrelid = relation.oid
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by relname`,
  )
  for (const { name, kind } of rows) {
    if (kind === kindOf(name) || kind === 'coordinator' || places[name] === undefined) continue
    throw new StartupError(
      `The table ${name} is not distributed as Vostro needs it: run "select undistribute_table('${name}', cascade_via_foreign_keys => true);" and then "npm run distribute" again. Nothing was changed.`,
    )
  }
  const missing = rows.filter(({ name, kind }) => kind === 'coordinator' && isElsewhere(name)).map(({ name }) => name)
  // Tables are distributed like the first one.
  return Object.keys(places).filter((name) => missing.includes(name))
}

const isElsewhere = (table: string): boolean => places[table] !== undefined && kindOf(table) !== 'coordinator'

/**
 * The coordinator connects to the workers as the role that runs a statement, so the service's role must be able to log in there. Citus
 * gives a role the same attributes everywhere, so it can then log in to the coordinator as well. It has no password: pg_hba.conf of every
 * server decides from where, and how, it can connect.
 */
async function letServiceIn(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ success: boolean; result: string; nodename: string; nodeport: number }>(
    'select success, result, nodename, nodeport from run_command_on_workers($1)',
    [
      `do $$ begin
        -- Each worker does it for itself.
        perform set_config('citus.enable_ddl_propagation', 'off', true);
        if not exists (select from pg_roles where rolname = '${serviceRole}') then create role ${serviceRole}; end if;
      end $$`,
    ],
  )
  const failed = rows.find(({ success }) => !success)
  const refuse = (where: string, reason: string): never => {
    throw new StartupError(
      `The role ${serviceRole} could not be prepared ${where} (${reason}): run "create role ${serviceRole};" on every worker and "alter role ${serviceRole} login;" on the coordinator as an administrator. Nothing was distributed.`,
    )
  }
  if (failed !== undefined) refuse(`on the worker ${failed.nodename}, port ${failed.nodeport}`, failed.result)
  const { rowCount } = await client.query('select from pg_roles where rolname = $1 and rolcanlogin', [serviceRole])
  if (rowCount === 1) return
  try {
    await client.query(`alter role ${serviceRole} login`)
  } catch (error) {
    refuse('on the coordinator', (error as Error).message)
  }
}

/** Runs statements that are built from names of tables. */
const carryOut = (client: pg.Client, statement: string, values?: unknown[]) => client.query(statement, values)

async function distributeTables(client: pg.Client, tables: readonly string[]): Promise<void> {
  // Foreign keys between the tables need the first setting. The second allows the triggers that keep rows from being changed; they work on
  // every shard separately.
  await client.query(`set local citus.multi_shard_modify_mode to 'sequential'; set local citus.enable_unsafe_triggers to on`)
  await client.query(`create table if not exists claims (
    kind text not null, name text not null, venture_id uuid not null, id uuid not null, primary key (kind, name))`)
  await client.query(`grant select, insert, update (name) on claims to ${serviceRole}`)
  for (const { table, constraint } of foreignKeysBetween) {
    await carryOut(client, `alter table ${table} drop constraint if exists ${constraint}`)
  }
  for (const { table, constraint, column, kind } of globalNames.filter(({ table }) => tables.includes(table))) {
    await carryOut(
      client,
      `insert into claims (kind, name, venture_id, id) select $1, ${column}, venture_id, id from ${table} where ${column} is not null`,
      [kind],
    )
    await carryOut(client, `alter table ${table} drop constraint ${constraint}`)
    await carryOut(client, `create index ${constraint} on ${table} (${column})`)
  }
  const foreignKeys = await dropForeignKeys(client, tables)
  for (const table of tables) {
    const name = pg.escapeLiteral(table)
    if (kindOf(table) === 'everywhere') await carryOut(client, `select create_reference_table(${name})`)
    else await carryOut(client, `select create_distributed_table(${name}, 'venture_id', colocate_with => ${colocation(table)})`)
  }
  for (const { table, name, definition } of foreignKeys) await carryOut(client, `alter table ${table} add constraint ${name} ${definition}`)
  if (tables.includes('events')) await numberOnShards(client)
}

type ForeignKey = { table: string; name: string; definition: string }

/**
 * A table that is distributed and one that is not cannot have foreign keys between them. They are added again when all tables are in place.
 */
async function dropForeignKeys(client: pg.Client, tables: readonly string[]): Promise<ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(
    `select conrelid::regclass::text as "table", quote_ident(conname) as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where contype = 'f' and conparentid = 0 and (conrelid = any($1::regclass[]) or confrelid = any($1::regclass[])) order by 1, 2`,
    [tables.map((table) => `public.${table}`)],
  )
  for (const { table, name } of rows) await carryOut(client, `alter table ${table} drop constraint ${name}`)
  return rows
}

const [firstTable = ''] = tablesAt('shards')

/** All tables have their shards in the same places, so the rows of a venture are on one server. */
const colocation = (table: string): string => pg.escapeLiteral(table === firstTable ? 'none' : firstTable)

/**
 * Followers read events, and seals cover rows, in the order of transaction numbers and below the oldest transaction that still runs. Both have to be those
 * of the server that has the rows: a number of the coordinator says nothing about when its transaction ends on a worker. The numbers of the workers begin
 * an era: they may be smaller than those of the server that had the rows before.
 */
async function numberOnShards(client: pg.Client): Promise<void> {
  const statements = [
    `create function number_row() returns trigger language plpgsql as $$
      begin new.xid := pg_current_xact_id(); return new; end $$`,
    ...numberedTables.map(
      (table) => `create trigger ${table}_are_numbered before insert on ${table} for each row execute function number_row()`,
    ),
    `create function place_endpoint() returns trigger language plpgsql as $$
      begin new.xid := pg_snapshot_xmin(pg_current_snapshot()); new.since := pg_current_snapshot(); return new; end $$`,
    'create trigger endpoints_are_placed before insert on webhook_progress for each row execute function place_endpoint()',
    'update event_era set era = era + 1',
  ]
  // One at a time, because Citus sends the text of the whole query to the workers.
  for (const statement of statements) await client.query(statement)
}

/**
 * Whether the service can use the workers. If not, the tables stay distributed, and the administrator of the workers must let the service
 * in.
 */
async function requireAccess(client: pg.Client): Promise<void> {
  try {
    await client.query(`begin; set local role ${serviceRole}`)
    await carryOut(client, `select count(*) from ${firstTable}`)
  } catch (error) {
    throw new StartupError(
      `The tables are distributed, but ${serviceRole} cannot use the workers (${(error as Error).message}): let it log in from the coordinator, in pg_hba.conf of every worker, and check with "npm run distribute" again.`,
    )
  } finally {
    await client.query('rollback').catch(() => {})
  }
}
