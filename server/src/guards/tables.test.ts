// Every table has one owner, the folder whose rules it follows. Only the owner writes it, so that all of its rules are in one place; and a
// folder reads only its own tables and those to its left, so that it depends on nothing that it may not import.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openBank } from '../testing/testing.ts'
import { folderOf, isToTheRight, order, outsideTheOrder, source, sourceFiles } from './source/order.ts'
import { hidesTable, sqlTexts, usesOf } from './source/sql.ts'

const owners: Record<string, string> = {
  migrations: 'platform',
  jobs: 'platform',
  test_clock: 'platform',
  demo_run: 'sandbox',
  idempotency_keys: 'platform',
  stored_files: 'platform',
  events: 'events',
  event_era: 'events',
  event_resends: 'events',
  event_archives: 'events',
  audit_log: 'audit',
  client_reads: 'audit',
  approvals: 'audit',
  entries: 'ledger',
  ventures: 'ventures',
  api_keys: 'ventures',
  users: 'users',
  memberships: 'users',
  admin_key_steps: 'users',
  bank_keys: 'users',
  sessions: 'users',
  links: 'users',
  pair_clearings: 'users',
  sign_in_failures: 'users',
  sign_ins: 'users',
  passkeys: 'users',
  passkey_challenges: 'users',
  policies: 'policies',
  rates: 'rates',
  watchlists: 'screening',
  watchlist_versions: 'screening',
  watchlist_entries: 'screening',
  screenings: 'screening',
  screening_hits: 'screening',
  screening_runs: 'screening',
  cleared_pairs: 'screening',
  processing_delays: 'processing',
  cases: 'cases',
  case_notes: 'cases',
  case_files: 'cases',
  case_links: 'cases',
  case_questions: 'cases',
  clients: 'clients',
  client_emails: 'clients',
  onboarding_details: 'onboarding',
  kyc_event_conflicts: 'kyc',
  kyc_events: 'kyc',
  kyc_conclusions: 'kyc',
  beneficiaries: 'beneficiaries',
  accounts: 'accounts',
  payee_verifications: 'payees',
  vop_exchanges: 'payees',
  mandates: 'mandates',
  transfers: 'transfers',
  transfer_moves: 'transfers',
  transfer_references: 'transfers',
  transfer_texts: 'transfers',
  transfer_details: 'transfers',
  account_activity: 'transfers',
  account_payees: 'transfers',
  inbound_claims: 'transfers',
  unapplied_payments: 'transfers',
  breaks: 'transfers',
  payments: 'payments',
  payment_links: 'payments',
  payment_refunds: 'payments',
  payouts: 'payments',
  payout_settings: 'payments',
  webhook_endpoints: 'webhooks',
  webhook_progress: 'webhooks',
  webhook_deliveries: 'webhooks',
  requests: 'requests',
  verification_runs: 'verify',
  seals: 'verify',
  row_states: 'platform',
  sandbox_applications: 'sandbox',
  sandbox_orders: 'sandbox',
  sandbox_refunds: 'sandbox',
  sandbox_bank_files: 'sandbox',
  sandbox_bank_payments: 'sandbox',
  sandbox_bank_entries: 'sandbox',
  sandbox_bank_statements: 'sandbox',
  sandbox_bank_recalls: 'sandbox',
  rail_packs: 'rails',
  rail_messages: 'rails',
  rail_payments: 'rails',
  rail_applied: 'rails',
  participations: 'schemes',
  calendar_years: 'schemes',
  reachable_banks: 'rails',
  recalls: 'rails',
  nostros: 'reconciliation',
  nostro_rails: 'reconciliation',
  nostro_statements: 'reconciliation',
  nostro_entries: 'reconciliation',
  nostro_matches: 'reconciliation',
  rail_received: 'rails',
  rail_instants: 'rails',
}
const tables = new Set(Object.keys(owners))

/**
 * Folders that use the driver, or build SQL from names, and so could bypass the tags. verify builds SQL that reads every table, and archive works with the
 * login of the owner.
 */
const trusted = new Set(['platform', 'verify', 'archive'])
const pastTheTags = [
  /\bimport (?!type\b)[^;'"]*?from ['"]pg['"]|\bimport\(['"]pg['"]\)/,
  /\bnew (?:Fragment|Fixed)\(|\b(?:read|write|stated|fragment|fixed|Fragment|Fixed) as \w/,
  // The tags by another name, or called as functions.
  /\bimport \* as \w+ from ['"][^'"]*\/sql\.ts['"]|= (?:read|write|stated|fragment|fixed)\n|\b(?:read|write|stated|fragment|fixed)\((?=[['"`])/,
  /\.query(?:<[^\n]*>)?\((?!\s*['"`])/,
]

type Seen = { faults: string[]; texts: number; written: string[] }

function look(file: string, code: string): Seen {
  const folder = folderOf(file)
  const seen: Seen = { faults: [], texts: 0, written: [] }
  if (!trusted.has(folder) && pastTheTags.some((pattern) => pattern.test(code)))
    seen.faults.push(`${file} goes past the tags read, write, fragment and fixed`)
  for (const { line, text } of sqlTexts(code)) {
    const place = `${file}:${line}`
    seen.texts++
    if (hidesTable(text)) seen.faults.push(`${place} takes the name of a table from a value`)
    for (const { table, writes } of usesOf(text, tables)) {
      const owner = owners[table] ?? ''
      if (writes && owner !== folder) seen.faults.push(`${place} writes ${table}, which only ${owner} may write`)
      else if (isToTheRight(owner, folder) && folder !== 'verify')
        seen.faults.push(`${place} reads ${table} of ${owner}, which is to its right`)
      if (writes) seen.written.push(table)
    }
  }
  return seen
}

const faultsOf = (file: string, code: string): string => look(file, code).faults.join('\n')

test('a table is written only by its owner, and read only by its owner and by folders to the right of it', async () => {
  // The files at the top of src may import anything, but they own no table and use none.
  const files = (await sourceFiles()).filter((file) => !file.endsWith('.test.ts') && !outsideTheOrder.has(folderOf(file)))
  const faults: string[] = []
  const written = new Set<string>()
  let texts = 0
  for (const file of files) {
    const seen = look(file, await readFile(join(source, file), 'utf8'))
    faults.push(...seen.faults)
    for (const table of seen.written) written.add(table)
    texts += seen.texts
  }
  assert.deepEqual(faults, [])
  assert.ok(files.length >= 120 && texts >= 200, `looked at too little: ${files.length} files, ${texts} pieces of SQL`)
  assert.deepEqual(
    [...tables].filter((table) => !written.has(table)),
    // Written by the function archive_event_month of the owner, and by every statement with the tag `stated`.
    ['event_archives', 'row_states'],
    'nobody seems to write these tables, so some SQL was overlooked',
  )
})

test('every table of the database has an owner, and every owner has a folder', async () => {
  const bank = await openBank()
  const { rows } = await bank.owner.query<{ name: string }>(
    `select case nspname when 'public' then '' else nspname || '.' end || relname as name
     from pg_class join pg_namespace on pg_namespace.oid = relnamespace
     where relkind in ('r', 'p', 'v', 'm', 'f') and not relispartition and nspname !~ '^(pg_|information_schema$)'`,
  )
  assert.deepEqual(rows.map(({ name }) => name).sort(), [...tables].sort())
  assert.deepEqual(
    [...new Set(Object.values(owners))].filter((folder) => !order.includes(folder)),
    [],
  )
})

test('the guard finds a write to a foreign table', () => {
  const statements = [
    'update accounts set current_balance = 0',
    'UPDATE ONLY accounts AS account SET current_balance = 0',
    'insert into accounts select * from json_populate_record(null::accounts, ${row})',
    'insert into public.accounts values (${id})',
    'delete from accounts where id = ${id}',
    'merge into "accounts" using unnest(${ids}) as new (id) on true when matched then delete',
    'with gone as (delete from accounts returning id) select id from gone',
    'insert into transfers select ${id} from accounts on conflict do nothing; truncate accounts',
  ]
  for (const statement of statements) {
    assert.match(
      faultsOf('transfers/life/transfers.deep.ts', `\n  tx.send(write<{ id: string }>\`\n    ${statement}\`)`),
      /^transfers\/life\/transfers\.deep\.ts:2 writes accounts, which only accounts may write$/,
      statement,
    )
    assert.equal(faultsOf('accounts/accounts.sql.ts', `write\`${statement.replace('into transfers', 'into accounts')}\``), '', statement)
  }
})

test('the guard finds a read of a table to the right', () => {
  const pieces = [
    'read`select id from transfers`',
    'read<Map<string, () => void>>`select 1 from accounts, transfers where true`',
    'read`select ${fragment`exists (select from transfers)`} from accounts`',
    'read`select ${list.map((each) => `${each}}`)} from accounts account left join transfers transfer on true`',
    'fragment`(select count(*) from lateral (select from public.transfers for update) as each)`',
    "client.query('select id from transfers')",
    `client.query("select id from transfers where status = 'CREATED'")`,
    'client.query<{ id: string }>(\n  `select id from transfers`, [])',
  ]
  for (const piece of pieces) {
    assert.match(
      faultsOf('accounts/accounts.sql.ts', piece),
      /^accounts\/accounts\.sql\.ts:\d reads transfers of transfers, which is to its right$/,
    )
    for (const allowed of ['transfers/writing/transfers.rows.sql.ts', 'payments/payments.sql.ts', 'verify/verify.invariants.ts']) {
      assert.equal(faultsOf(allowed, piece), '', piece)
    }
  }
  assert.match(faultsOf('verify/verify.invariants.ts', 'write`delete from transfers`'), /writes transfers/)
  assert.match(faultsOf('service.ts', 'read`select from jobs`'), /reads jobs of platform/)
})

test('the guard is not misled by values, texts, comments, columns, aliases and locks', () => {
  const pieces = [
    "read`select 'from transfers' as kind, account.transfers from accounts account -- from transfers`",
    'read`select count(*) as transfers from accounts /* update transfers */ for no key update`',
    'read`select id from accounts where note = ${"from transfers"} and id = ${transfers.id}`',
    'write`insert into accounts (id) values (${id}) on conflict (id) do update set id = ${id} where accounts.id is distinct from ${id}`',
    'read`with recursive new as (select from unnest(${ids}::uuid[])) select * from new join json_to_recordset(${rows}) as row (id uuid) on true`',
    '// The tag `read` is for what is read from transfers, and `write`for the rest.',
    'thread`select from transfers`',
    'const read = "from transfers"',
  ]
  for (const piece of pieces) assert.equal(faultsOf('accounts/accounts.sql.ts', piece), '', piece)
})

test('the guard finds SQL that it cannot read', () => {
  for (const piece of [
    'read`select from ${table}`',
    'write`update ${table} set id = 1`',
    'read`select from accounts join only ${table} on true`',
  ]) {
    assert.match(faultsOf('accounts/accounts.sql.ts', piece), /takes the name of a table from a value/, piece)
  }
  const beside = [
    "import pg from 'pg'",
    "import {\n  Client,\n  Pool,\n} from 'pg'",
    "const { Client } = await import('pg')",
    "new Fragment(['select from transfers'], [])",
    "read`select ${new Fixed('(select count(*) from transfers)')}`",
    "import { read as ask } from '../sql.ts'",
    "import * as sql from '../platform/database/sql.ts'\nsql.read`select from transfers`",
    'const ask = read\nask`select from transfers`',
    "read(['select from transfers'])",
    "fixed(['select from transfers'])",
    "import { fixed as text } from '../sql.ts'",
    'client.query(statement)',
    "client.query<{ id: string }>({ text: 'select id from transfers' })",
  ]
  for (const code of beside) {
    assert.match(faultsOf('accounts/accounts.sql.ts', code), /goes past the tags/, code)
    assert.equal(faultsOf('platform/database/database.ts', code), '', code)
  }
  assert.equal(faultsOf('accounts/accounts.sql.ts', "import type pg from 'pg'"), '')
})
