// Checks the invariants of a whole database, even while a service runs on it: one read-only transaction sees one consistent snapshot.
//   npm run verify
//   npm run verify -- --anchored FILE

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { keepMonths, keepMonthsHere } from '../events/events.ts'
import type { Anchor } from '../platform/anchors.ts'
import { moveAhead, now } from '../platform/clock.ts'
import { loadEnvFile, processEnvironment, readSettings } from '../platform/config.ts'
import { serviceRole } from '../platform/database/database.connections.ts'
import type { Placement } from '../platform/database/database.placement.ts'
import { openPrimary } from '../platform/database/database.primary.ts'
import { readMigrations } from '../platform/database/migrate.ts'
import { beginChecking, continueChecking, withCheck } from '../platform/distribute/distribute.checking.ts'
import { startEmbeddedPostgres } from '../platform/embedded/embedded.ts'
import { uuidv7 } from '../platform/ids.ts'
import { type PlatformConfig, platformConfig, platformSettings } from '../platform/platform.settings.ts'
import { barOf, redraw } from '../platform/progress.ts'
import { StartupError, withSentence } from '../platform/startup-error.ts'
import { findUnanchored, readAnchors } from './verify.anchored.ts'
import { type ArchivedRows, findMisfits, placesOf, rowsOf } from './verify.chain.ts'
import { claimInvariants } from './verify.claims.ts'
import { type Invariant, invariants } from './verify.invariants.ts'
import { inOrder, isUpto, leafOf, type Place, rowOf } from './verify.seals.ts'

export type { ArchivedRows, Place }
export { findMisfits, inOrder, isUpto, leafOf, placesOf, readAnchors, rowOf, rowsOf }

export type Finding = {
  name: string
  meaning: string
  /** The number of rows that break the invariant. */
  violations: number
  /** Some of these rows, as JSON. */
  examples: string[]
  seconds: number
}

export type Progress = { done: number; of: number; name: string }

const maxExamples = 5
const sealsName = 'seals fit'
const anchorsName = 'anchors fit'
/** Each of these rows is listed for a person who has to explain it. */
const maxMisfits = 1_000

/**
 * Checks all invariants of the database. It is consistent if no finding has violations. `anchors`: those that were kept outside the database, if any.
 */
export async function verifyDatabase(
  url: string,
  onProgress: (progress: Progress) => void = () => {},
  anchors?: readonly Anchor[],
): Promise<Finding[]> {
  const client = await openPrimary(url, 'vostro verify')
  try {
    // The service's login may have only the rights of this role. The owner of the tables does not need the role.
    await client.query(`do $$ begin if pg_has_role('${serviceRole}', 'member') then set role ${serviceRole}; end if; end $$`)
    await requireSchema(client)
    const placement = await beginChecking(client)
    await client.query(keepMonths.text)
    // The times of the run are those of the bank, in the sandbox too.
    const { rows } = await client.query<{ ahead_s: number }>('select ahead_s from test_clock')
    moveAhead(rows[0]?.ahead_s ?? 0)
    const of = invariantsOf(placement).length + 1 + (anchors === undefined ? 0 : 1)
    const findings = await checkInvariants(client, (progress) => onProgress({ ...progress, of }))
    onProgress({ done: findings.length, of, name: sealsName })
    await continueChecking(client)
    await client.query(keepMonthsHere.text, keepMonthsHere.values)
    findings.push(await checkSeals(client))
    if (anchors !== undefined) {
      onProgress({ done: findings.length, of, name: anchorsName })
      findings.push(await checkAnchors(client, anchors))
    }
    return findings
  } finally {
    await client.end()
  }
}

const brokenIn = (findings: readonly Finding[]) => findings.filter(({ violations }) => violations > 0)

/** The stored part of the findings: broken invariants, without the time each took. */
export const keptOf = (findings: readonly Finding[]) => ({
  broken: brokenIn(findings).map(({ name }) => name),
  findings: JSON.stringify(brokenIn(findings).map(({ seconds: _, ...finding }) => finding)),
})

/** Stores the findings for the operator's list, and the last seal, so that later runs notice if it is gone. */
export async function recordRun(url: string, started_at: Date, findings: readonly Finding[]): Promise<void> {
  const { broken, findings: kept } = keptOf(findings)
  const client = await openPrimary(url, 'vostro verify')
  try {
    await client.query('begin')
    await client.query(`do $$ begin if pg_has_role('${serviceRole}', 'member') then set local role ${serviceRole}; end if; end $$`)
    await client.query(
      `insert into verification_runs (id, started_at, ended_at, invariants, done, broken, findings, seal_number, seal_root)
       select $1, $2, $3, $4, $4, $5, $6, number, root from (select 1) as one left join (
         select number, root from seals order by number desc limit 1) as last on true`,
      [uuidv7(), started_at.toISOString(), now().toISOString(), findings.length, broken, kept],
    )
    await client.query('commit')
  } finally {
    await client.end()
  }
}

const invariantsOf = ({ either }: Placement): readonly Invariant[] =>
  either({ together: () => invariants, apart: () => [...invariants, ...claimInvariants] })

type Violations = { violations: number; examples: string[] }

const violationsOf = ({ broken: { text, values }, mostExamples = maxExamples }: Invariant) => ({
  text: `with broken as materialized (${text})
       select (select count(*)::int from broken) as violations,
         array(select row_to_json(broken)::text from broken limit ${mostExamples}) as examples`,
  values,
})

/** Uses the current transaction of the connection. */
export async function checkInvariants(client: pg.Client, onProgress: (progress: Progress) => void = () => {}): Promise<Finding[]> {
  return withCheck(client, async (check, placement) => {
    const findings: Finding[] = []
    const all = invariantsOf(placement)
    for (const invariant of all) {
      const { name, meaning } = invariant
      onProgress({ done: findings.length, of: all.length, name })
      const start = performance.now()
      const [{ violations, examples } = { violations: 0, examples: [] }] = await check<Violations>(violationsOf(invariant))
      findings.push({ name, meaning, violations, examples, seconds: (performance.now() - start) / 1000 })
    }
    return findings
  })
}

/** Uses the current transaction of the connection. */
export function checkSeals(client: pg.Client): Promise<Finding> {
  return gathered(findMisfits(client), { name: sealsName, meaning: 'A sealed row was changed, removed or inserted, or a seal was.' })
}

/** Uses the current transaction of the connection. */
function checkAnchors(client: pg.Client, anchors: readonly Anchor[]): Promise<Finding> {
  return gathered(findUnanchored(client, anchors), {
    name: anchorsName,
    meaning: 'The database differs from its anchors: a seal is missing or has changed, or something revoked works again.',
  })
}

async function gathered(misfits: AsyncIterable<object>, about: Pick<Finding, 'name' | 'meaning'>): Promise<Finding> {
  const start = performance.now()
  let violations = 0
  const examples: string[] = []
  for await (const misfit of misfits) {
    violations++
    if (examples.length < maxMisfits) examples.push(JSON.stringify(misfit))
  }
  return { ...about, violations, examples, seconds: (performance.now() - start) / 1000 }
}

/** The invariants need the current schema and would fail with confusing errors on another one. */
async function requireSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ known: boolean }>(`select to_regclass('migrations') is not null as known`)
  if (!rows[0]?.known) throw new StartupError('This database does not contain the tables of Vostro: check DATABASE_URL.')
  const { rowCount } = await client.query('select from migrations')
  const { length } = await readMigrations()
  if (rowCount === length) return
  const remedy = (rowCount ?? 0) < length ? 'start this version once to apply the others' : 'use the version that applied them'
  throw new StartupError(`The database has ${rowCount} migrations, but this version of Vostro has ${length}: ${remedy}.`)
}

type OpenDatabase = { url: string; close(): Promise<void> }

/** The configured database, or the embedded one, which runs until the command ends. */
export async function openDatabase({ databaseUrl, dataDir }: PlatformConfig, command: string): Promise<OpenDatabase> {
  if (databaseUrl !== undefined) return { url: databaseUrl, close: async () => {} }
  if (!existsSync(join(dataDir, 'postgres'))) {
    throw new StartupError(`There is no database in ${dataDir}: set DATA_DIR to the folder of a database, or DATABASE_URL to its URL.`)
  }
  try {
    const { serviceUrl, stop } = await startEmbeddedPostgres({ dataDir, onLog: (line) => console.error(line) })
    return { url: serviceUrl, close: stop }
  } catch (error) {
    if (error instanceof StartupError && /in use by another Vostro/.test(error.message)) {
      const running = `DATABASE_URL="${urlOfRunning(dataDir)}" ${command}`
      throw new StartupError(`A Vostro is running on ${dataDir}. To read its database meanwhile, use: ${running}`)
    }
    throw error
  }
}

/** The command reads the password from its file, so it appears neither here nor in the shell's history. */
function urlOfRunning(dataDir: string): string {
  const password = `$(sed -n 's/.*"service": "\\(.*\\)".*/\\1/p' ${dataDir}/postgres.json)`
  const port = `$(sed -n 4p ${dataDir}/postgres/postmaster.pid)`
  return `postgres://vostro_login:${password}@127.0.0.1:${port}/vostro?sslmode=disable`
}

function showProgress({ done, of, name }: Progress): void {
  const line = `${String(done + 1).padStart(2)} of ${of}  ${name}`
  if (process.stderr.isTTY) redraw(`${barOf({ done, of })} ${line}`)
  else process.stderr.write(`${line}\n`)
}

/** A table of all invariants, followed by examples of rows that break one. */
export function reportOf(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ name }) => name.length))
  const lines = findings.map(
    ({ name, violations, seconds }) =>
      `${violations === 0 ? ' ' : '!'} ${name.padEnd(width)}  ${String(violations).padStart(10)}  ${seconds.toFixed(2).padStart(7)}`,
  )
  const broken = findings.filter(({ violations }) => violations > 0)
  const details = broken.flatMap(({ name, meaning, examples }) => ['', `! ${name}: ${meaning}`, ...examples.map((row) => `    ${row}`)])
  const verdict =
    broken.length === 0 ? `All ${findings.length} invariants hold.` : `${broken.length} of ${findings.length} invariants are broken.`
  return [`  ${'invariant'.padEnd(width)}  ${'violations'.padStart(10)}  seconds`, ...lines, ...details, '', verdict].join('\n')
}

async function main(): Promise<number> {
  const anchored = readArguments()
  const anchors = anchored === undefined ? undefined : await readAnchors(anchored)
  loadEnvFile()
  const command = anchored === undefined ? 'npm run verify' : `npm run verify -- --anchored ${anchored}`
  const { url, close } = await openDatabase(platformConfig(readSettings(platformSettings, processEnvironment())), command)
  try {
    const start_ms = performance.now()
    const findings = await verifyDatabase(url, showProgress, anchors)
    await recordRun(url, new Date(now().getTime() - (performance.now() - start_ms)), findings)
    if (process.stderr.isTTY) redraw('')
    console.log(reportOf(findings))
    return findings.every(({ violations }) => violations === 0) ? 0 : 1
  } finally {
    await close()
  }
}

/** The file with the anchors, if one is named. */
function readArguments(): string | undefined {
  try {
    return parseArgs({ options: { anchored: { type: 'string' } } }).values.anchored
  } catch {
    throw new StartupError('npm run verify takes only -- --anchored FILE')
  }
}

if (import.meta.main)
  await withSentence(async () => {
    process.exitCode = await main()
  })
