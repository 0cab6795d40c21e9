// The baseline: the same rows as POST /transfers writes, with one transaction for each, by pgbench on the same database.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import type { Figures } from './report.ts'

const run = promisify(execFile)
const script = fileURLToPath(new URL('bare.sql', import.meta.url))

export type BenchAccount = { venture_id: string; account_id: string; client_id: string; beneficiary_id: string }

/** Tells the script which accounts there are, and what a transfer of each and its event look like. */
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
  // Ids that rise with time, as those of the service do: random ones would make the indexes slower than they have to be.
  await owner.query(`create function bare_id(run bigint, n bigint, client bigint) returns uuid language sql immutable return
    (lpad(to_hex(run), 8, '0') || '-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8' || lpad(to_hex((n / 4096) % 16), 3, '0')
     || '-' || lpad(to_hex(client), 12, '0'))::uuid`)
  await owner.query('analyze')
}

/** Where pgbench is, if it is anywhere. */
export async function findPgbench(): Promise<string | undefined> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const candidates = [
    'pgbench',
    ...versions
      .toSorted()
      .reverse()
      .map((version) => `/usr/lib/postgresql/${version}/bin/pgbench`),
  ]
  for (const candidate of candidates) {
    const found = await run(candidate, ['--version']).then(
      () => true,
      () => false,
    )
    if (found) return candidate
  }
  return undefined
}

/** The script with the names of the columns, which the table knows. */
async function writeScript(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ columns: string }>(`select string_agg(column_name, ', ') as columns from information_schema.columns
    where table_name = 'transfers' and column_name not in ('id', 'unique_reference')`)
  await client.end()
  const file = join(await mkdtemp(join(tmpdir(), 'vostro-bare-')), 'bare.sql')
  await writeFile(file, (await readFile(script, 'utf8')).replaceAll('{columns}', rows[0]?.columns ?? ''))
  return file
}

export async function runBare(
  url: string,
  { accounts, clients, seconds }: { accounts: number; clients: number; seconds: number },
): Promise<Figures> {
  const pgbench = await findPgbench()
  if (pgbench === undefined) throw new Error('pgbench is needed for the baseline: install the contrib package of PostgreSQL')
  const number = Math.floor(Date.now() / 1000)
  const definitions = { n: 0, run: number, accounts }
  const { stdout } = await run(pgbench, [
    ...[
      '-n',
      '-M',
      'prepared',
      '-f',
      await writeScript(url),
      '-c',
      String(clients),
      '-j',
      String(Math.min(clients, 2)),
      '-T',
      String(seconds),
    ],
    ...Object.entries(definitions).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    url,
  ])
  const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN)
  const failed = figure(/number of failed transactions: (\d+)/)
  if (failed > 0) throw new Error(`pgbench failed ${failed} times`)
  const latency = figure(/latency average = ([\d.]+) ms/)
  return { perSecond: figure(/tps = ([\d.]+)/), p50_ms: latency, p99_ms: latency }
}
