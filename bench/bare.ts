// The baseline: the same rows as POST /transfers writes, with one transaction for each, by pgbench on the same database.
import { execFile } from 'node:child_process'
import { readdir } from 'node:fs/promises'
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
  await owner.query(
    'create table bench_accounts (number int primary key, venture_id uuid, account_id uuid, client_id uuid, beneficiary_id uuid, template transfers, event json)',
  )
  await owner.query(
    `insert into bench_accounts select row_number() over () - 1, account.*, transfers, events.data
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) account (venture_id, account_id, client_id, beneficiary_id),
     lateral (select * from transfers where transfers.venture_id = account.venture_id and transfers.account_id = account.account_id
              and direction = 'OUTBOUND' order by id desc limit 1) transfers
     join events on events.venture_id = transfers.venture_id and resource_id = transfers.id and events.sequence = 1`,
    (['venture_id', 'account_id', 'client_id', 'beneficiary_id'] as const).map((field) => accounts.map((account) => account[field])),
  )
  // Ids that rise with time, as those of the service do: random ones would make the indexes slower than they have to be.
  await owner.query(`create function bare_id(run bigint, n bigint, client bigint) returns uuid language sql immutable return
    (lpad(to_hex(run), 8, '0') || '-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8' || lpad(to_hex((n / 4096) % 16), 3, '0')
     || '-' || lpad(to_hex(client), 12, '0'))::uuid`)
  await owner.query('analyze')
  await owner.end()
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

export async function runBare(
  url: string,
  { accounts, clients, seconds }: { accounts: number; clients: number; seconds: number },
): Promise<Figures> {
  const pgbench = await findPgbench()
  if (pgbench === undefined) throw new Error('pgbench is needed for the baseline: install the contrib package of PostgreSQL')
  const number = Math.floor(Date.now() / 1000)
  const definitions = { n: 0, run: number, accounts }
  const { stdout } = await run(pgbench, [
    ...['-n', '-M', 'prepared', '-f', script, '-c', String(clients), '-j', String(Math.min(clients, 2)), '-T', String(seconds)],
    ...Object.entries(definitions).flatMap(([name, value]) => ['-D', `${name}=${value}`]),
    url,
  ])
  const figure = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? Number.NaN)
  const failed = figure(/number of failed transactions: (\d+)/)
  if (failed > 0) throw new Error(`pgbench failed ${failed} times`)
  const latency = figure(/latency average = ([\d.]+) ms/)
  return { perSecond: figure(/tps = ([\d.]+)/), p50_ms: latency, p99_ms: latency }
}
