// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { foreignKeysBetween, globalNames, reasons as placed, places } from '../../platform/database/database.tables.ts'
import { writtenIn } from '../../platform/database/database.written.ts'
import { openBank } from '../../testing/testing.ts'
import { folderOf, outsideTheOrder, source, sourceFiles } from '../source/order.ts'
import { sqlTexts, usesOf } from '../source/sql.ts'
import { statementsOf } from '../source/statements.ts'
import { findingsInCatalogue, readCatalogue, tenantTables } from './distributed.catalogue.ts'
import { exceptions, exceptionsLeft } from './distributed.exceptions.ts'
import { type Finding, rules } from './distributed.rules.ts'
import { judge } from './distributed.statements.ts'

const { owner } = await openBank()
const catalogue = await readCatalogue(owner)
const tenants = tenantTables(catalogue)

const files = (await sourceFiles()).filter((file) => !file.endsWith('.test.ts') && !outsideTheOrder.has(folderOf(file)))
const code = new Map(await Promise.all(files.map(async (file) => [file, await readFile(join(source, file), 'utf8')] as const)))
const statements = statementsOf(code)
const judged = statements.map((statement) => judge(statement, tenants))

const findings = [...findingsInCatalogue(catalogue), ...judged.flatMap(({ findings }) => findings)]

/** Findings without an exception, and exceptions without a finding. */
function differences(found: readonly Finding[], allowed: typeof exceptions): string[] {
  const isAllowed = ({ rule, where }: Finding) => allowed[rule][where] !== undefined
  const news = found.filter((finding) => !isAllowed(finding)).map(({ rule, where }) => `${where} breaks a rule: ${rules[rule]}`)
  const stale = Object.entries(allowed).flatMap(([rule, places]) =>
    Object.keys(places)
      .filter((where) => !found.some((finding) => finding.rule === rule && finding.where === where))
      .map((where) => `${where} now follows the rule "${rule}": remove it from the exceptions and lower their count`),
  )
  return [...news, ...stale]
}

test('every table and every statement is ready to be distributed by venture, except for the listed exceptions', () => {
  assert.deepEqual(differences(findings, exceptions), [])
})

test('the exceptions are as many as were left, each with its reason', () => {
  const reasons = Object.values(exceptions).flatMap((places) => Object.values(places))
  assert.equal(reasons.length, exceptionsLeft)
  for (const reason of [...reasons, ...Object.values(placed)]) assert.match(reason, /^[A-Z].{20,}\.$/)
})

/** Writes that `Written` would miss, so that a transaction on several servers would not be prepared. */
function unnoticed(sql: string, tables: ReadonlySet<string>): string[] {
  const noticed = new Set(writtenIn(sql))
  const written = usesOf(sql, tables).filter(({ writes, table }) => writes && !noticed.has(table))
  const events = noticed.has('events') && /\binto events\b/.test(sql) && !/\bselect\b.*\bfrom unnest\(/s.test(sql)
  return [...written.map(({ table }) => table), ...(events ? ['events that do not pass through the coordinator'] : [])]
}

test('a transaction notices every table that a statement writes', () => {
  const tables = new Set([...catalogue.tables.map(({ name }) => name), 'claims'])
  const writes = [...code].flatMap(([file, text]) =>
    sqlTexts(text).flatMap(({ kind, text, line }) => (kind === 'write' ? [{ file, text, line }] : [])),
  )
  assert.ok(writes.length > 200)
  for (const { file, text, line } of writes) assert.deepEqual(unnoticed(text, tables), [], `${file}, line ${line}`)
  // The check finds these.
  const planted = [
    'insert into public.jobs (id) values ($)',
    'insert into\n  jobs (id) values ($)',
    'UPDATE jobs SET id = $',
    'truncate jobs',
    'insert into events (id) values ($)',
  ]
  for (const text of planted) assert.notDeepEqual(unnoticed(text, tables), [], text)
})

/** Only `Placement` knows where rows are. */
const asks = (text: string): boolean => /\bisSpread\b|\bon(?:OneServer|SeveralServers)\b/.test(text)

test('only platform/ asks on how many servers a database is', () => {
  const asking = [...code].filter(([file, text]) => folderOf(file) !== 'platform' && asks(text)).map(([file]) => file)
  assert.deepEqual(asking, [], 'use the methods of Placement')
  assert.ok(asks('if (database.placement.isSpread) return') && asks('tx.placement === onOneServer'))
})

test('every table has a place in a distributed database, and every place a table', () => {
  const names = catalogue.tables.map(({ name }) => name)
  assert.deepEqual(Object.keys(places).sort(), names.sort(), 'name the place of each table in platform/database/database.tables.ts')
})

test('what distributing gives up exists, and is all that the rules find in tables', () => {
  const given = [
    ...globalNames.map(({ table, constraint }) => `unique ${table}: ${constraint}`),
    ...foreignKeysBetween.map(({ table, constraint }) => `reference ${table}: ${constraint}`),
  ]
  const found = findingsInCatalogue(catalogue).flatMap(({ rule, where }) => (rule === 'default' ? [] : [`${rule} ${where}`]))
  assert.deepEqual(found.sort(), given.sort())
})

test('the guard has checked all tables and statements', (t) => {
  const looked = {
    tenants: tenants.length,
    uniques: catalogue.uniques.length,
    foreignKeys: catalogue.foreignKeys.length,
    defaults: catalogue.defaults.length,
    files: files.length,
    statements: statements.length,
    parts: judged.reduce((sum, { parts }) => sum + parts, 0),
    locks: judged.reduce((sum, { locks }) => sum + locks, 0),
  }
  t.diagnostic(JSON.stringify(looked))
  const least = { tenants: 15, uniques: 7, foreignKeys: 14, defaults: 5, files: 160, statements: 195, parts: 145, locks: 14 }
  for (const [what, count] of Object.entries(least)) {
    assert.ok(looked[what as keyof typeof looked] >= count, `${what}: looked at fewer than ${count}: ${JSON.stringify(looked)}`)
  }
  // Every table occurs in a statement; otherwise the guard would be missing statements.
  assert.deepEqual(
    tenants.filter((table) => !statements.some((statement) => judge(statement, [table]).parts > 0)),
    [],
  )
})

/** The places where a schema change breaks a rule; the change is rolled back. */
async function breaksOf(change: string): Promise<string[]> {
  await owner.query('begin')
  try {
    await owner.query(change)
    return newFindings(findingsInCatalogue(await readCatalogue(owner)))
  } finally {
    await owner.query('rollback')
  }
}

function newFindings(found: readonly Finding[]): string[] {
  return found.filter(({ rule, where }) => exceptions[rule][where] === undefined).map(({ rule, where }) => `${rule} ${where}`)
}

test('the guard finds a table that cannot be distributed', async () => {
  const notes = (columns: string) => `create table notes (${columns})`
  const rest = 'venture_id uuid, id uuid, primary key (venture_id, id)'
  const changes: Record<string, string[]> = {
    [notes('venture_id uuid not null, id uuid primary key')]: ['key notes'],
    [notes('venture_id uuid, id uuid, primary key (id, venture_id)')]: ['key notes'],
    [notes('venture_id uuid, id uuid, unique (venture_id, id)')]: ['key notes'],
    [notes('id uuid primary key')]: ['key notes'],
    [notes(rest)]: [],
    'alter table client_emails drop constraint client_emails_pkey, add primary key (email, venture_id)': ['claim client_emails'],
    [notes(`${rest}, name text unique`)]: ['unique notes: notes_name_key'],
    [notes(`${rest}, name text, unique (venture_id, name)`)]: [],
    [`${notes(`${rest}, name text`)}; create unique index by_name on notes (lower(name))`]: ['unique notes: by_name'],
    [`${notes(`${rest}, name text`)}; create unique index by_name on notes (name) include (venture_id)`]: ['unique notes: by_name'],
    [notes(`${rest}, name text, exclude (name with =)`)]: ['unique notes: notes_name_excl'],
    [notes(`${rest}, payment_id uuid references payments (id)`)]: ['reference notes: notes_payment_id_fkey'],
    [notes(`${rest}, constraint crossed foreign key (id, venture_id) references clients (venture_id, id)`)]: ['reference notes: crossed'],
    [notes(`${rest}, foreign key (venture_id, id) references clients (venture_id, id)`)]: [],
    [notes(`${rest}, foreign key (venture_id) references ventures (id)`)]: [],
    [notes(`${rest}, order_id uuid references sandbox_orders (id)`)]: ['reference notes: notes_order_id_fkey'],
    'alter table jobs add client_id uuid, add constraint ours foreign key (venture_id, client_id) references clients': [
      'reference jobs: ours',
    ],
    'alter table ventures add payment_id uuid references payments (id)': ['reference ventures: ventures_payment_id_fkey'],
    'alter table clients alter created_at set default now()': ['default clients.created_at'],
    'alter table clients alter created_at set default current_timestamp - interval $$1 day$$': ['default clients.created_at'],
    'alter table clients alter date_of_birth set default current_date': ['default clients.date_of_birth'],
    'alter table clients alter id set default gen_random_uuid()': ['default clients.id'],
    'alter table clients add number serial': ['default clients.number'],
    'alter table clients add number int generated always as identity': ['default clients.number'],
    'alter table clients add number int default 7, add note text default lower($$A$$)': [],
    'alter table jobs add woken_at timestamptz default clock_timestamp()': [],
  }
  for (const [change, expected] of Object.entries(changes)) assert.deepEqual(await breaksOf(change), expected, change)
})

/** The rules that the statements of a file break. */
function rulesBrokenBy(code: string, file = 'clients/clients.sql.ts', more: Record<string, string> = {}): string {
  const all = statementsOf(new Map([...Object.entries(more), [file, code]]))
  return all.flatMap((statement) => judge(statement, tenants).findings.map(({ rule }) => rule)).join()
}

test('the guard finds a statement that generates times or random values itself', () => {
  const broken = [
    'write`insert into clients (venture_id, id, created_at) values (${venture_id}, ${id}, now())`',
    'write`update clients set updated_at = CURRENT_TIMESTAMP where venture_id = ${venture_id}`',
    "write`update clients set updated_at = 'now'::timestamptz where venture_id = ${venture_id}`",
    'write`update clients set id = gen_random_uuid() where venture_id = ${venture_id}`',
    'write`delete from clients where venture_id = ${venture_id} and created_at < clock_timestamp()`',
    'write`with old as (select 1 from clients where venture_id = ${v} and created_at < now()) delete from jobs using old`',
    'read`select coalesce(updated_at, now()) from clients where venture_id = ${venture_id}`',
    'read`select id from clients where venture_id = ${v} and case when blocked then random() < 0.5 else (created_at < ${time}) end`',
    'read`select coalesce((select max(created_at) from clients where venture_id = ${v} and created_at < localtimestamp), ${time})`',
    'const age = fragment`coalesce(now() - created_at, ${none})`\nread`select ${age} from clients where venture_id = ${venture_id}`',
    'export const age = fragment`case when created_at < now() then 1 end`',
  ]
  for (const code of broken) assert.equal(rulesBrokenBy(code), 'time', code)
  const allowed = [
    'write`insert into clients (venture_id, id, created_at) values (${venture_id}, ${id}, ${now()})`',
    "write`update clients set kyc_note = 'now()' where venture_id = ${venture_id} -- now()`",
    'read`select id, coalesce(blocked, false) from clients where venture_id = ${venture_id} and created_at < now() for update`',
    'read`select case when blocked then 1 end as one from clients where venture_id = ${venture_id} and created_at < now()`',
    'read`select coalesce(xid < pg_snapshot_xmin(pg_current_snapshot()), false) from events where venture_id = ${venture_id}`',
    'write`update jobs set due_at = now() where id = ${id}`',
  ]
  for (const code of allowed) assert.equal(rulesBrokenBy(code), '', code)
})

test('the guard finds a lock that may span several shards', () => {
  const broken = [
    'read`select id from clients where venture_id = (select venture_id from jobs) and id = ${id} for update`',
    'read`select id from clients where (venture_id, id) in (select venture_id, client_id from jobs limit 10) for no key update skip locked`',
    'read`select client.id from clients client join ventures venture on client.venture_id = venture.id where venture.id = ${v} for share`',
    'write`update jobs set attempts = 1 where id in (select id from clients where venture_id in (select id from ventures) for key share)`',
    'read`select from accounts account join clients client on client.venture_id = account.venture_id where account.venture_id = ${v} for update`',
  ]
  for (const code of broken) assert.equal(rulesBrokenBy(code), 'lock', code)
  const allowed = [
    'read`select id from clients where venture_id = ${venture_id} and id = ${id} for update`',
    'read`select id from clients where venture_id = any(${ventures}) and id = any(${ids}) for share`',
    'read`select id from clients where (venture_id, id) in (select * from unnest(${a}::uuid[], ${b}::uuid[])) for no key update`',
    'read`select id from jobs order by due_at for update skip locked`',
    'read`select id from ventures where id = ${id} for update`',
  ]
  for (const code of allowed) assert.equal(rulesBrokenBy(code), '', code)
})

test('the guard finds a statement that does not restrict its ventures', () => {
  const broken = [
    'read`select id from clients where id = ${id}`',
    'read`select venture_id, id from clients where id = ${id} order by venture_id`',
    'read`select client.id from clients client join accounts account on account.client_id = client.id where client.venture_id = ${v}`',
    'read`select id from clients where venture_id = ${v} and exists (select from accounts where client_id = clients.id)`',
    'read`select id from clients where venture_id = ${v} union all select id from accounts where client_id = ${id}`',
    'read`select clients.id from ventures, clients where ventures.id = ${v}`',
    'read`select client.id from clients client join ventures venture on client.venture_id = venture.id where client.id = ${id}`',
    'read`select client.id from clients client join accounts account on account.venture_id = client.venture_id where account.id = ${id}`',
    'read`select id from clients join accounts using (venture_id, id) where id = ${id}`',
    'write`update clients set venture_id = ${v} where id = ${id}`',
    'write`delete from clients using unnest(${ids}::uuid[]) as gone (id) where clients.id = gone.id`',
    'write`insert into clients (${columns}) select ${columns} from json_populate_recordset(null::accounts, ${rows})`',
    'write`insert into clients (${columns}) select ${columns} from json_populate_recordset(json_populate_record(null::accounts, ${common}), ${rows})`',
    'write`insert into clients (era, xid, ${columns}) select (select era from event_era), pg_current_xact_id(), ${columns} from json_populate_record(null::accounts, ${row})`',
    'write`insert into clients (id) select * from json_to_recordset(${rows}) as new (venture_id uuid)`',
    'function list(status) {\n  const conditions = [fragment`status = ${status}`]\n  return read`select id from clients ${pageOf(page, conditions)}`\n}',
    'function one() {\n  const wanted = [fragment`venture_id = ${v}`]\n}\nfunction two() {\n  return read`select id from clients ${pageOf([])}`\n}',
  ]
  for (const code of broken) assert.equal(rulesBrokenBy(code), 'venture', code)
  const allowed = [
    'read`select id from clients where venture_id = ${venture_id}`',
    'read`select id from "clients" as client where ${venture_id} = client.venture_id`',
    'read`select id from clients where (id, venture_id) in (select * from unnest(${a}::uuid[], ${b}::uuid[]))`',
    'read`select id from clients join accounts using (venture_id, id) where venture_id = ${venture_id}`',
    'read`select client.id from ventures venture join clients client on client.venture_id = venture.id where venture.api_key_hash = any(${h})`',
    'read`select from clients a join accounts b on b.venture_id = a.venture_id join transfers c on b.venture_id = c.venture_id where c.venture_id = ${v}`',
    'read`select id from ventures where exists (select from clients where venture_id = ventures.id and blocked)`',
    'write`update clients set blocked = new.blocked from unnest(${a}::uuid[]) as new (venture_id) where clients.venture_id = new.venture_id`',
    'write`insert into clients select * from json_populate_recordset(null::clients, ${rows})`',
    'write`insert into clients (${columns}) select ${columns} from json_populate_recordset(null::clients, ${rows})`',
    'write`insert into clients (${columns}) select ${columns} from json_populate_recordset(json_populate_record(null::clients, ${common}), ${rows})`',
    'write`insert into clients (era, xid, ${columns}) select (select era from event_era), pg_current_xact_id(), ${columns} from json_populate_record(null::clients, ${row})`',
    'write`insert into clients (id, venture_id) values (${id}, ${venture_id}) on conflict do nothing`',
    'read`select count(*) as clients, clients.id from jobs as clients where state = ${state}`',
    'function list() {\n  const conditions = [\n    fragment`venture_id = ${v}`,\n  ]\n  return read`select id from clients ${pageOf(page, conditions)}`\n}',
    'const own = (v) => fragment`venture_id = ${v}`\nconst select = (v) => read`select id from clients where ${own(v)}`',
    'const listed = read`select id from clients where ${every([fragment`venture_id = ${venture_id}`])}`',
  ]
  for (const code of allowed) assert.equal(rulesBrokenBy(code), '', code)
})

test('the guard follows a fragment into the file it is imported from', () => {
  const more = {
    'platform/keys.ts': 'export function keysIn(keys) {\n  return fragment`venture_id = ${venture_id} and id = any(${ids})`\n}',
  }
  const code = (from: string) =>
    `import { keysIn, type Key } from '${from}'\nread\`select id from clients where \${keysIn(keys)} for share\``
  assert.equal(rulesBrokenBy(code('../platform/keys.ts'), 'clients/clients.sql.ts', more), '')
  assert.equal(rulesBrokenBy(code('../platform/others.ts'), 'clients/clients.sql.ts', more), 'lock,venture')
})

test('verify may read all ventures, but must keep them apart', () => {
  const apart = 'read`select venture_id, id from clients where blocked`'
  assert.equal(rulesBrokenBy(apart, 'verify/verify.invariants.ts'), '')
  assert.equal(rulesBrokenBy(apart), 'venture')
  assert.equal(rulesBrokenBy('read`select id from clients where blocked`', 'verify/verify.invariants.ts'), 'venture')
})

test('archive may read all ventures, and a lock of a table is one of all its shards', () => {
  const all = 'read`select count(*) from clients where blocked`'
  assert.equal(rulesBrokenBy(all, 'archive/archive.sql.ts'), '')
  assert.equal(rulesBrokenBy(all, 'clients/clients.sql.ts'), 'venture')
  assert.equal(rulesBrokenBy('read`lock table clients in access share mode`'), '')
})

test('the guard finds an exception that is no longer needed, and a new violation', () => {
  const [fixed, ...others] = findings
  assert.ok(fixed)
  assert.deepEqual(differences(others, exceptions), [
    `${fixed.where} now follows the rule "${fixed.rule}": remove it from the exceptions and lower their count`,
  ])
  const added: Finding = { rule: 'key', where: 'notes' }
  assert.deepEqual(differences([...findings, added], exceptions), [`notes breaks a rule: ${rules.key}`])
})
