import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { readConfig } from '../../config.ts'
import { startService } from '../../service.ts'
import { createDatabase, findTestServer, urlOf, wantsCluster } from '../../testing/testing.server.ts'
import { reportOf, verifyDatabase } from '../../verify/verify.ts'
import { StartupError } from '../startup-error.ts'
import { type Migration, migrate, readMigrations, statementsIn } from './migrate.ts'

const server = findTestServer()
const admin = new pg.Client({ connectionString: server.ownerUrl })
await admin.connect()
after(() => admin.end())

/** An empty database, dropped after the tests. */
async function emptyDatabase() {
  const name = `vostro_test_${randomBytes(8).toString('hex')}`
  await createDatabase(admin, name)
  const ownerUrl = urlOf(server.ownerUrl, name)
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  after(async () => {
    await owner.end()
    await admin.query(`drop database ${name} with (force)`)
  })
  const serviceUrl = urlOf(server.serviceUrl, name)
  const applied: string[] = []
  return {
    owner,
    ownerUrl,
    serviceUrl,
    applied,
    migrate: (migrations: Migration[]) => migrate({ ownerUrl, serviceUrl, migrations, onApplied: (file) => applied.push(file) }),
    async column(text: string): Promise<unknown[]> {
      const { rows } = await owner.query<unknown[]>({ text, rowMode: 'array' })
      return rows.map(([value]) => value)
    },
  }
}

/** The migrations in a folder with these files. */
async function migrationsOf(files: Record<string, string>): Promise<Migration[]> {
  const folder = await mkdtemp(join(tmpdir(), 'vostro-test-'))
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    return await readMigrations(folder)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function refused(attempt: Promise<unknown>, sentence: RegExp): Promise<void> {
  await assert.rejects(attempt, (error) => {
    assert.ok(error instanceof StartupError, String(error))
    assert.match(error.message, sentence)
    assert.match(error.message, /^[^\n]+\.$/)
    return true
  })
}

const notes = {
  '0001_notes.sql': 'create table notes (id int); grant select on notes to vostro_service;',
  '0002_first_note.sql': 'insert into notes values (1);',
  '0003_rename.sql': 'alter table notes rename to remarks;',
}

test('files are applied in order, each once, and a second run does nothing', async () => {
  const database = await emptyDatabase()
  const files = await migrationsOf(notes)
  await database.migrate(files.slice(0, 1))
  assert.deepEqual(database.applied, ['0001_notes.sql'])
  await database.migrate(files)
  assert.deepEqual(database.applied, Object.keys(notes))
  await database.migrate(files)
  assert.deepEqual(database.applied, Object.keys(notes))
  assert.deepEqual(await database.column('select id from remarks'), [1])
  assert.deepEqual(await database.column('select name from migrations order by number'), Object.keys(notes))
})

test('a file is applied statement by statement, and a semicolon within a text, a name, a body or a comment ends none', async () => {
  const statements = [
    'create table notes (id int, text text)',
    `insert into notes values (1, 'a;b''c;'), (2, E'\\';\\\\'), (3, '--'), (4, '/*')`,
    'create table "odd;""name" (id int)',
    "create function raised() returns void language plpgsql as $$ begin perform 1; perform '$x$;'; end $$",
    'create function other() returns text language sql as $body$ select $$;$$ $body$',
  ]
  const text = `-- a comment; with a semicolon\n${statements.join('; /* one; more */\n')};\n\n;\n-- the end;`
  assert.deepEqual(statementsIn(text), statements)
  assert.deepEqual(statementsIn('-- nothing\n'), [])
  const database = await emptyDatabase()
  await database.migrate(await migrationsOf({ '0001_notes.sql': text }))
  assert.deepEqual(await database.column('select text from notes order by id'), ["a;b'c;", "';\\", '--', '/*'])
  assert.deepEqual(await database.column('select other()'), [';'])
})

test('the migrations of this version are in order and apply to an empty database', async () => {
  const database = await emptyDatabase()
  const files = await readMigrations()
  assert.ok(files.length > 0)
  await database.migrate(files)
  assert.deepEqual(
    database.applied,
    files.map(({ name }) => name),
  )
})

/** A venture with a client whose account received 10.00 by one adjustment, in the schema before 0014. */
const bookedBefore0014 = `
  insert into ventures (id, name, status, api_key_hash, api_key_prefix, created_at)
    values ('${'1'.repeat(32)}', 'Acme', 'ACTIVE', '${'0'.repeat(64)}', 'vk_test_1234', now());
  insert into clients (venture_id, id, first_name, last_name, date_of_birth, nationality, birth_country, country_of_tax_residence, country_code,
      address, city, postcode, email, organization_id, kyc_level, kyc_status, risk_level, blocked, is_blacklisted, created_at, updated_at, sequence)
    select id, '${'4'.repeat(32)}', 'Ada', 'Lovelace', '1990-12-10', 'GBR', 'GBR', 'GBR', 'GBR', '1 Square', 'London', 'W1', 'ada@example.com', 1, 'NOT_REQUIRED',
      'NOT_STARTED', 'Low', false, false, now(), now(), 1 from ventures;
  insert into client_emails select email, venture_id, id from clients;
  insert into accounts (venture_id, id, client_id, account_name, account_number, account_type, currency, current_balance, reserved_balance, status,
      opened_date, created_at, updated_at, sequence, used_on, used_day, used_month, used_year)
    select venture_id, '${'2'.repeat(32)}', id, 'Main', 'FR7630006000011234567890189', 'CURRENT', 'EUR', 10.00, 0.00, 'ACTIVE',
      now(), now(), now(), 1, now(), 0, 0, 0 from clients;
  insert into transfers (venture_id, id, account_id, unique_reference, direction, method, transfer_type, status, is_instant, settlement_date,
      credit_amount, debit_amount, credit_currency, debit_currency, created_at, updated_at, sequence, scanned, screened, held, sent, received,
      hold, suspended)
    select venture_id, '${'3'.repeat(32)}', id, '33333333-3333-3333-3333-333333333333', 'INBOUND', 'SEPA', 'ADJUSTMENT', 'COMPLETED', true, now(),
      10.00, 10.00, 'EUR', 'EUR', now(), now(), 1, false, false, false, false, false, 0, 0 from accounts;
  insert into transfer_references select unique_reference, venture_id, id from transfers;
  insert into transfer_moves (venture_id, id, transfer_id, from_status, to_status, actor, created_at)
    select venture_id, id, id, null, 'CREATED', 'venture', now() from transfers
    union all select venture_id, gen_random_uuid(), id, 'CREATED', 'COMPLETED', 'venture', now() from transfers;
  insert into entries (venture_id, id, journal_id, transfer_id, account_id, system_account, currency, amount, balance, created_at)
    select venture_id, gen_random_uuid(), id, id, account_id, null, 'EUR', 10.00, 10.00, now() from transfers
    union all
    select venture_id, gen_random_uuid(), id, id, null, 'adjustments:EUR', 'EUR', -10.00, null, now() from transfers;
  insert into events (venture_id, id, type, resource_id, sequence, timestamp, data)
    select venture_id, id, 'client.created', id, 1, now(), '{}'::json from clients
    union all select venture_id, id, 'account.created', id, 1, now(), '{}' from accounts
    union all select venture_id, id, 'transfer.completed', id, 1, now(), '{}' from transfers;`

test('entries booked for transfers keep them as their cause, without being rewritten, and the books still balance', async () => {
  const database = await emptyDatabase()
  const files = await readMigrations()
  await database.migrate(files.slice(0, 13))
  await database.owner.query(bookedBefore0014)
  const entries = (columns: string) => `select array[id, journal_id, account_id, ${columns}]::text from entries order by id`
  const before = await database.column(entries('transfer_id'))
  const [file] = await database.column(`select pg_relation_filenode('entries')`)
  assert.equal(before.length, 2)

  await database.migrate(files.slice(0, 14))
  assert.equal(database.applied.at(-1), '0014_entry_causes.sql')
  assert.deepEqual(await database.column(entries('cause_id')), before)
  assert.deepEqual(await database.column('select distinct cause_kind from entries'), ['transfer'])
  assert.deepEqual(await database.column(`select pg_relation_filenode('entries')`), [file])
  await assert.rejects(database.owner.query(`update entries set cause_kind = 'transfer'`), /never changed/)
  await database.migrate(files)
  const findings = await verifyDatabase(database.serviceUrl)
  assert.ok(
    findings.every(({ violations }) => violations === 0),
    reportOf(findings),
  )
})

test('a file that was edited after it was applied is refused by name, and nothing further is applied', async () => {
  const database = await emptyDatabase()
  await database.migrate((await migrationsOf(notes)).slice(0, 2))
  const edited = await migrationsOf({ ...notes, '0002_first_note.sql': 'insert into notes values (2);' })
  await refused(database.migrate(edited), /^The migration file 0002_first_note\.sql was edited after it had been applied: /)
  assert.deepEqual(await database.column('select id from notes'), [1])
})

test('a database that is ahead of this version, or has another history, is refused', async () => {
  const database = await emptyDatabase()
  const files = await migrationsOf(notes)
  await database.migrate(files)
  await refused(
    database.migrate(files.slice(0, 2)),
    /^The database has the migration 0003_rename\.sql, which this version .* does not know: /,
  )
  const { '0003_rename.sql': text, ...others } = notes
  await refused(
    database.migrate(await migrationsOf({ ...others, '0003_other.sql': text })),
    /^The database has the migration 0003_rename\.sql/,
  )
})

test('files with a gap, a duplicate or a wrong name are refused, and files other than SQL are ignored', async () => {
  const lines: [Record<string, string>, string][] = [
    [{ '0001_a.sql': '', '0003_c.sql': '' }, '0003_c.sql'],
    [{ '0002_b.sql': '' }, '0002_b.sql'],
    [{ '0001_a.sql': '', '0001_b.sql': '' }, '0001_b.sql'],
    [{ '0001_a.sql': '', '2_b.sql': '' }, '2_b.sql'],
    [{ '0001_A.sql': '' }, '0001_A.sql'],
  ]
  for (const [files, name] of lines) await refused(migrationsOf(files), new RegExp(`^The migration file ${name} is out of order: `))
  assert.deepEqual(
    (await migrationsOf({ '0001_a.sql': 'select 1', 'README.md': '' })).map(({ number, name, text }) => [number, name, text]),
    [[1, '0001_a.sql', 'select 1']],
  )
})

test('a migration that fails is named and leaves nothing behind, earlier ones stay, and a corrected one continues from there', async () => {
  const database = await emptyDatabase()
  const broken = {
    '0001_a.sql': 'create table a (id int)',
    '0002_b.sql': 'create table b (id int); insert into a values (1); select 1 / 0;',
  }
  await refused(database.migrate(await migrationsOf(broken)), /^The migration 0002_b\.sql failed and was rolled back: division by zero\.$/)
  assert.deepEqual(database.applied, ['0001_a.sql'])
  assert.deepEqual(await database.column('select name from migrations'), ['0001_a.sql'])
  assert.deepEqual(await database.column(`select to_regclass('b')`), [null])
  assert.deepEqual(await database.column('select id from a'), [])

  await database.migrate(await migrationsOf({ ...broken, '0002_b.sql': 'create table b (id int)' }))
  assert.deepEqual(database.applied, ['0001_a.sql', '0002_b.sql'])
})

test('instances that start together all succeed, and each file is applied once', async () => {
  const database = await emptyDatabase()
  const files = await migrationsOf({ ...notes, '0004_slow.sql': 'select pg_sleep(0.1); create table slow (id int);' })
  await Promise.all(Array.from({ length: 4 }, () => database.migrate(files)))
  assert.deepEqual(
    database.applied,
    files.map(({ name }) => name),
  )
  assert.deepEqual(await database.column('select id from remarks'), [1])
})

test('the role of the service exists, owns nothing, cannot log in, and has what the migrations granted', async () => {
  const database = await emptyDatabase()
  await database.migrate(await migrationsOf(notes))
  const { rows } = await database.owner.query(
    `select rolcanlogin, rolsuper, rolcreaterole, rolcreatedb, rolbypassrls from pg_roles where rolname = 'vostro_service'`,
  )
  // On a cluster, all databases share the role, which can log in to the workers.
  assert.deepEqual(rows, [{ rolcanlogin: wantsCluster(), rolsuper: false, rolcreaterole: false, rolcreatedb: false, rolbypassrls: false }])
  assert.deepEqual(
    await database.column(
      `select relname::text from pg_class where relowner = (select oid from pg_roles where rolname = 'vostro_service')`,
    ),
    [],
  )
  const service = new pg.Client({ connectionString: database.serviceUrl })
  await service.connect()
  try {
    await service.query('set role vostro_service')
    assert.equal((await service.query('select id from remarks')).rows.length, 1)
    assert.equal((await service.query('select name from migrations')).rows.length, 3)
    await assert.rejects(service.query('insert into remarks values (2)'), { code: '42501' })
    await assert.rejects(service.query('delete from migrations'), { code: '42501' })
  } finally {
    await service.end()
  }
})

test('a missing login role of the service is refused with what an administrator has to do', async () => {
  const { ownerUrl } = await emptyDatabase()
  const stranger = new URL(ownerUrl)
  stranger.username = 'no_such_login'
  await refused(
    migrate({ ownerUrl, serviceUrl: stranger.href, migrations: [] }),
    /could not be set up \(role "no_such_login" does not exist\): .*"grant vostro_service to "no_such_login";"\.$/,
  )
})

test('a login that does not own the tables is enough if nothing is left to apply, and otherwise the error says what to do', async () => {
  const { ownerUrl, owner, column } = await emptyDatabase()
  const name = `vostro_login_${randomBytes(4).toString('hex')}`
  await owner.query(`create role ${name} login password 'login'`)
  try {
    const login = new URL(ownerUrl)
    login.username = name
    login.password = 'login'
    const files = await migrationsOf(notes)
    const byLogin = (migrations: Migration[]) => migrate({ ownerUrl: login.href, serviceUrl: login.href, migrations })
    await migrate({ ownerUrl, serviceUrl: login.href, migrations: files.slice(0, 2) })
    await byLogin(files.slice(0, 2))
    await refused(
      byLogin(files),
      /^The database has 2 of 3 migrations, and only the owner of its tables can apply the others: .* npm run migrate /,
    )
    await refused(byLogin(files.slice(0, 1)), /^The database has the migration 0002_first_note\.sql, which this version .* does not know: /)
    const edited = await migrationsOf({ ...notes, '0002_first_note.sql': 'insert into notes values (2);' })
    await refused(byLogin(edited), /^The migration file 0002_first_note\.sql was edited /)
    assert.deepEqual(await column('select name from migrations order by number'), Object.keys(notes).slice(0, 2))
  } finally {
    await owner.query(`drop role ${name}`)
  }
})

test('npm run migrate applies what is missing with the login of the owner, and the service starts without that login', async () => {
  const { ownerUrl, serviceUrl, column } = await emptyDatabase()
  const names = (await readMigrations()).map(({ name }) => name)
  const run = (settings: Record<string, string>) => {
    const command = fileURLToPath(new URL('migrate.ts', import.meta.url))
    const { status, stdout, stderr } = spawnSync(process.execPath, [command], { env: settings, cwd: tmpdir(), encoding: 'utf8' })
    return { status, stdout, stderr }
  }
  assert.deepEqual(run({}), {
    status: 1,
    stdout: '',
    stderr: 'DATABASE_URL is not set: the embedded database is migrated by the service, when it starts.\n',
  })
  const done = `The database has all ${names.length} migrations of this version.\n`
  const settings = { DATABASE_URL: serviceUrl, MIGRATION_DATABASE_URL: ownerUrl }
  assert.deepEqual(run(settings), { status: 0, stdout: names.map((name) => `Applied ${name}\n`).join('') + done, stderr: '' })
  assert.deepEqual(run(settings), { status: 0, stdout: done, stderr: '' })
  assert.deepEqual(await column('select name from migrations order by number'), names)
  const service = await startService(readConfig({ DATABASE_URL: serviceUrl, PORT: '0', LOG_LEVEL: 'silent' }))
  assert.equal((await fetch(`${service.url}/readyz`)).status, 200)
  await service.stop()
})

test('an owner who may not create tables gets a one-sentence error', async () => {
  const { ownerUrl, owner, serviceUrl } = await emptyDatabase()
  const weak = `vostro_weak_${randomBytes(4).toString('hex')}`
  await owner.query(`create role ${weak} login password 'weak'`)
  try {
    const url = new URL(ownerUrl)
    url.username = weak
    url.password = 'weak'
    await refused(
      migrate({ ownerUrl: url.href, serviceUrl, migrations: [] }),
      /^The database could not be prepared: permission denied for schema public\.$/,
    )
  } finally {
    await owner.query(`drop role ${weak}`)
  }
})

test('a database that cannot be reached, or rejects the login, is reported in one sentence without the password', async () => {
  const { ownerUrl } = await emptyDatabase()
  const wrong = (change: (url: URL) => void) => {
    const url = new URL(ownerUrl)
    url.password = 'hunter2'
    change(url)
    return url.href
  }
  const urls = [
    // Nothing listens on port 1.
    wrong((url) => {
      url.port = '1'
    }),
    wrong((url) => {
      url.hostname = 'no-such-host.invalid'
    }),
    wrong((url) => {
      url.pathname = '/no_such_database'
      url.password = new URL(ownerUrl).password
    }),
    wrong((url) => {
      url.password = 'hunter2%e9'
    }),
    wrong((url) => url.searchParams.set('sslrootcert', '/no/such/file')),
  ]
  for (const url of urls) {
    await refused(
      migrate({ ownerUrl: url, serviceUrl: url, migrations: [] }),
      /^The database cannot be reached: (?!.*hunter2).+\. Check its URL, and that PostgreSQL is running\.$/,
    )
  }
})
