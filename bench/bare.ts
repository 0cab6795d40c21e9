// The baseline: pgbench writes the same rows to the same database, one transaction per operation. A service that does not share
// transactions cannot be faster.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Figures } from './figures.ts'

const run = promisify(execFile)

export type BenchAccount = { venture_id: string; account_id: string; client_id: string; beneficiary_id: string }

/** Fills in the accounts, and a sample transfer with its event for each. */
export async function prepareBare(ownerUrl: string, accounts: readonly BenchAccount[]): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    await fill(owner, accounts)
  } finally {
    await owner.end()
  }
}

async function fill(owner: pg.Client, accounts: readonly BenchAccount[]): Promise<void> {
  await owner.query(
    'create table bench_accounts (number int primary key, venture_id uuid, account_id uuid, client_id uuid, beneficiary_id uuid, event json)',
  )
  await owner.query(
    'insert into bench_accounts select row_number() over () - 1, account.* from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) account',
    (['venture_id', 'account_id', 'client_id', 'beneficiary_id'] as const).map((field) => accounts.map((account) => account[field])),
  )
  await owner.query(`create table bench_transfers as select distinct on (number) number, transfers.* from bench_accounts
    join transfers using (venture_id, account_id) where direction = 'OUTBOUND' order by number`)
  await owner.query('alter table bench_transfers add primary key (number)')
  await owner.query(`update bench_accounts set event = (select data from events join bench_transfers on events.resource_id = bench_transfers.id
    where bench_transfers.number = bench_accounts.number and events.sequence = 1)`)
  // Ids ascend with time, like those of the service; random ones would slow down the indexes.
  await owner.query(`create function bare_id(run bigint, n bigint, client bigint) returns uuid language sql immutable return
    (lpad(to_hex(run), 8, '0') || '-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8' || lpad(to_hex((n / 4096) % 16), 3, '0')
     || '-' || lpad(to_hex(client), 12, '0'))::uuid`)
  await owner.query('analyze')
}

/** The path of pgbench, if it is installed. */
async function findPgbench(): Promise<string> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const installed = versions.toSorted().reverse()
  for (const candidate of ['pgbench', ...installed.map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`)]) {
    if (
      await run(candidate, ['--version']).then(
        () => true,
        () => false,
      )
    )
      return candidate
  }
  throw new Error('pgbench is needed for the baseline: install the contrib package of PostgreSQL')
}

// Three moves of a life change only the status.
const plainMoves = [
  ['RESERVED', 'READY_FOR_SCREENING'],
  ['READY_FOR_SCREENING', 'AML_SCANNING'],
  ['AML_SCANNING', 'AML_APPROVED'],
].map(
  ([from, to], index) => `begin;
select accounts.* from accounts join bench_accounts on accounts.venture_id = bench_accounts.venture_id and accounts.id = account_id where number = :account for no key update of accounts;
select transfers.* from transfers join bench_accounts using (venture_id) where number = :account and id = bare_id(:run, :n, :client_id) for no key update of transfers;
update transfers set status = '${to}', scanned = true, screened = true, sequence = ${index + 3}, updated_at = now() from bench_accounts where number = :account and transfers.venture_id = bench_accounts.venture_id and id = bare_id(:run, :n, :client_id);
insert into transfer_moves select venture_id, bare_id(:run, :n * 16 + ${index + 2}, :client_id), bare_id(:run, :n, :client_id), '${from}', '${to}', 'venture', null, null, null, now() from bench_accounts where number = :account;
insert into events (era, venture_id, id, type, resource_id, sequence, timestamp, data) select 1, venture_id, bare_id(:run, :n * 16 + ${index + 2}, :client_id), 'transfer.status_changed', bare_id(:run, :n, :client_id), ${index + 3}, now(), event from bench_accounts where number = :account;
commit;`,
)

/** The script with the column names of the table filled in. */
async function scriptOf(url: string, name: 'bare.sql' | 'bare.life.sql'): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ columns: string }>(`select string_agg(column_name, ', ') as columns from information_schema.columns
    where table_name = 'transfers' and column_name not in ('id', 'unique_reference')`)
  await client.end()
  const text = await readFile(fileURLToPath(new URL(name, import.meta.url)), 'utf8')
  return text.replaceAll('{columns}', rows[0]?.columns ?? '').replace('{moves}', plainMoves.join('\n'))
}

type Options = { accounts: number; clients: number; seconds: number; script?: 'bare.sql' | 'bare.life.sql' }

let runs = Math.floor(Date.now() / 1000)

export async function runBare(url: string, { accounts, clients, seconds, script = 'bare.sql' }: Options): Promise<Figures> {
  const pgbench = await findPgbench()
  const folder = await mkdtemp(join(tmpdir(), 'vostro-bare-'))
  try {
    const file = join(folder, script)
    await writeFile(file, await scriptOf(url, script))
    const threads = String(Math.min(clients, 2))
    const settings = ['-n', '-M', 'prepared', '-f', file, '-c', String(clients), '-j', threads, '-T', String(Math.ceil(seconds))]
    const definitions = { n: 0, run: runs++, accounts }
    const { stdout } = await run(pgbench, [
      ...settings,
      '-l',
      '--log-prefix',
      join(folder, 'times'),
      ...Object.entries(definitions).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
      url,
    ])
    const failed = /number of failed transactions: (\d+)/.exec(stdout)?.[1] ?? '0'
    if (failed !== '0') throw new Error(`pgbench failed ${failed} times`)
    return { perSecond: Number(/tps = ([\d.]+)/.exec(stdout)?.[1]), ...(await quantiles(folder)) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** From pgbench's log, whose third column is the duration of a transaction in µs. */
async function quantiles(folder: string): Promise<{ p50_ms: number; p99_ms: number }> {
  const times_ms: number[] = []
  for (const name of (await readdir(folder)).filter((name) => name.startsWith('times'))) {
    const lines = (await readFile(join(folder, name), 'utf8')).trim().split('\n')
    for (const line of lines) times_ms.push(Number(line.split(' ')[2]) / 1000)
  }
  times_ms.sort((a, b) => a - b)
  const at = (share: number) => times_ms[Math.floor((times_ms.length - 1) * share)] ?? 0
  return { p50_ms: at(0.5), p99_ms: at(0.99) }
}
