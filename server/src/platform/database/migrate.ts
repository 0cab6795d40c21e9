// Migrates a database to the newest schema: numbered SQL files, forward only, each applied once in its own transaction. The service does
// this when it starts. If the service only has its own login, the owner does it beforehand:
//   npm run migrate
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { loadEnvFile, processEnvironment, readSettings } from '../config.ts'
import { hostUrls } from '../hosts.ts'
import { platformConfig, platformSettings } from '../platform.settings.ts'
import { StartupError, withSentence } from '../startup-error.ts'
import { serviceRole } from './database.connections.ts'
import { openPrimary, type PrimaryClient } from './database.primary.ts'

export type Migration = { number: number; name: string; checksum: string; text: string }

type Applied = Omit<Migration, 'text'>

export const migrationsFolder = fileURLToPath(new URL('../../../migrations', import.meta.url))

/** An arbitrary number that every Vostro must share. */
export const lockKey = 5_648_767

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name, index) => {
      const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
      if (number !== index + 1) {
        throw new StartupError(
          `The migration file ${name} is out of order: files are numbered 0001_name.sql, 0002_name.sql and so on, without gaps.`,
        )
      }
      const text = await readFile(`${folder}/${name}`, 'utf8')
      return { number, name, checksum: createHash('sha256').update(text).digest('hex'), text }
    }),
  )
}

type Options = {
  ownerUrl: string
  /** The login of the service, which becomes a member of the service's role. */
  serviceUrl: string
  migrations?: Migration[]
  onApplied?: (name: string) => void
}

export async function migrate({ ownerUrl, serviceUrl, migrations, onApplied = () => {} }: Options): Promise<void> {
  const files = migrations ?? (await readMigrations())
  const client = await openPrimary(ownerUrl, 'vostro migrate')
  try {
    await requireVersion(client)
    // Instances that start together wait here for the first one. The lock ends with the session.
    await takeTurn(client)
    await ensureServiceRole(client, serviceUrl)
    if (await belongsToAnother(client)) return await requireMigrated(client, files)
    await client.query(`create table if not exists migrations (
      number int primary key, name text not null, checksum text not null, applied_at timestamptz(3) not null default now())`)
    await client.query(`grant select on migrations to ${serviceRole}`)
    const { rows } = await client.query<Applied>('select number, name, checksum from migrations order by number')
    for (const applied of rows) requireUnchanged(applied, files[applied.number - 1])
    for (const file of files.slice(rows.length)) {
      await apply(client, file)
      onApplied(file.name)
    }
    requireConfirmed(client)
  } catch (error) {
    if (error instanceof StartupError) throw error
    throw new StartupError(`The database could not be prepared: ${(error as Error).message}.`)
  } finally {
    await client.end()
  }
}

/** Whether the tables exist and this login does not own them. Without pending migrations, the service does not need the owner's login. */
async function belongsToAnother(client: pg.Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from pg_class where oid = to_regclass('migrations') and not pg_has_role(relowner, 'usage')`,
  )
  return rowCount !== 0
}

async function requireMigrated(client: pg.Client, files: readonly Migration[]): Promise<void> {
  await client.query(`set role ${serviceRole}`)
  const { rows } = await client.query<Applied>('select number, name, checksum from migrations order by number')
  for (const applied of rows) requireUnchanged(applied, files[applied.number - 1])
  if (rows.length < files.length)
    throw new StartupError(
      `The database has ${rows.length} of ${files.length} migrations, and only the owner of its tables can apply the others: set MIGRATION_DATABASE_URL to the login of the owner, or run npm run migrate with it.`,
    )
}

async function takeTurn(client: pg.Client): Promise<void> {
  await client.query(`set lock_timeout = '60s'`)
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey])
  } catch (error) {
    throw new StartupError(
      `Another Vostro has been migrating this database for a minute (${(error as Error).message}): start again when it is ready.`,
    )
  }
  await client.query('reset lock_timeout')
}

function requireUnchanged(applied: Applied, file: Migration | undefined): void {
  if (file === undefined || file.name !== applied.name) {
    throw new StartupError(
      `The database has the migration ${applied.name}, which this version of Vostro does not know: start a newer version.`,
    )
  }
  if (file.checksum !== applied.checksum) {
    throw new StartupError(
      `The migration file ${file.name} was edited after it had been applied: restore it, and put the change into a new file.`,
    )
  }
}

/** Comments, strings and quoted names, in which a semicolon ends nothing; then everything else. */
const sqlParts = /--[^\n]*|\/\*.*?\*\/|[eE]'(?:[^'\\]|\\.|'')*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(?<tag>\w*)\$.*?\$\k<tag>\$|\w+|./gs

/** The statements of a file. Citus passes on the text that it receives, and accepts one statement at a time. */
export function statementsIn(text: string): string[] {
  const statements = ['']
  for (const [part] of text.matchAll(sqlParts)) {
    if (part === ';') statements.push('')
    else if (!part.startsWith('--') && !part.startsWith('/*')) statements.push(`${statements.pop()}${part}`)
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

async function apply(client: pg.Client, file: Migration): Promise<void> {
  try {
    await client.query('begin')
    for (const statement of statementsIn(file.text)) await client.query(statement)
    await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [file.number, file.name, file.checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw new StartupError(`The migration ${file.name} failed and was rolled back: ${(error as Error).message}.`)
  }
}

/** A failover could undo the newest schema while a service expects it. */
function requireConfirmed(client: PrimaryClient): void {
  if (client.unconfirmed)
    throw new StartupError(
      'The migrations were applied, but the wait for the standby was cancelled: start again when the standby is connected, or remove it from synchronous_standby_names.',
    )
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(`select current_setting('server_version_num')::int as version`)
  const version = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (version < 15) throw new StartupError(`PostgreSQL ${version} is too old: Vostro needs PostgreSQL 15 or newer.`)
}

/** The role cannot log in, owns nothing, and has only what the migrations grant. The service's login role may assume it. */
async function ensureServiceRole(client: pg.Client, serviceUrl: string): Promise<void> {
  const login = new pg.Client({ connectionString: hostUrls(serviceUrl)[0] }).user ?? ''
  // An owner without these rights is fine if an administrator has already done both.
  const missing = [
    { statement: `create role ${serviceRole} nologin`, holds: 'select from pg_roles where rolname = $1 and $2::text is not null' },
    {
      statement: `grant ${serviceRole} to ${pg.escapeIdentifier(login)}`,
      holds: `select from pg_roles service, pg_roles login
              where service.rolname = $1 and login.rolname = $2 and pg_has_role(login.oid, service.oid, 'member')`,
    },
  ]
  const failures: { statement: string; message: string }[] = []
  for (const { statement, holds } of missing) {
    const error = await client.query(statement).then(
      () => undefined,
      (error: Error) => error,
    )
    const { rowCount } = await client.query(holds, [serviceRole, login])
    if (rowCount === 0) failures.push({ statement, message: error?.message ?? 'it had no effect' })
  }
  if (failures.length === 0) return
  const statements = failures.map(({ statement }) => `${statement};`).join(' ')
  throw new StartupError(
    `The role ${serviceRole} could not be set up (${failures[0]?.message}): ask an administrator to run "${statements}".`,
  )
}

async function main(): Promise<void> {
  loadEnvFile()
  const { databaseUrl, migrationDatabaseUrl } = platformConfig(readSettings(platformSettings, processEnvironment()))
  if (databaseUrl === undefined)
    throw new StartupError('DATABASE_URL is not set: the embedded database is migrated by the service, when it starts.')
  const onApplied = (name: string) => console.log(`Applied ${name}`)
  await migrate({ ownerUrl: migrationDatabaseUrl ?? databaseUrl, serviceUrl: databaseUrl, onApplied })
  console.log(`The database has all ${(await readMigrations()).length} migrations of this version.`)
}

if (import.meta.main) await withSentence(main)
