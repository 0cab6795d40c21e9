// Moves the events of a month out of the database into a compressed file, whose digest goes into the audit log, even while the service runs.
//   npm run archive -- --to FOLDER [--month 2026-08]    without a month: all that are older than EVENT_RETENTION
//   npm run archive -- --check FOLDER                   compares the files in the folder with the seals
//
// The file is written and read back first. Then, in one transaction, a partition with the few events that the database keeps replaces the
// month's. A failure before that changes nothing.
import { createHash } from 'node:crypto'
import { existsSync, rmSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { keptKinds, unpack } from '../events/events.ts'
import { type Progress, progressOf } from '../platform/backup/backup.ts'
import { moveAhead, now } from '../platform/clock.ts'
import { loadEnvFile, processEnvironment, readSettings } from '../platform/config.ts'
import { troubleOf } from '../platform/database/database.errors.ts'
import { openPrimary } from '../platform/database/database.primary.ts'
import { requireMigrated, requireRole } from '../platform/distribute/distribute.checks.ts'
import { openOwnedServer } from '../platform/embedded/embedded.owner.ts'
import { uuidv7 } from '../platform/ids.ts'
import { type PlatformConfig, platformConfig, platformSettings } from '../platform/platform.settings.ts'
import { StartupError, withSentence } from '../platform/startup-error.ts'
import { findMisfits, placesOf, rowsOf } from '../verify/verify.ts'
import { ArchivedFiles, selectHashes } from './archive.check.ts'
import { type ArchivedEvent, digestOf, fileOf, readFile, type WrittenFile, writeFile } from './archive.file.ts'
import { archiveConfig, archiveSettings } from './archive.settings.ts'
import {
  countEvents,
  countPending,
  endArchiving,
  type Range,
  type Row,
  selectArchives,
  selectEndpointsBehind,
  selectEvents,
  selectMonths,
  selectRange,
  unsealedAfter,
} from './archive.sql.ts'

export type Archived = { month: string; path: string; rows: number; kept: number; bytes: number; digest: string }

type Options = {
  url: string
  folder: string
  onProgress?: (progress: Progress) => void
  onArchived?: (archived: Archived) => void
  lockAttempts?: number
  pause_ms?: number
}

const nothingChanged = 'Nothing was changed.'

/** Only one archive runs at a time. */
const archiveKey = 5_648_776

export async function archiveMonth(month: string, options: Options): Promise<Archived> {
  return withArchive(options.url, async (client) => archiveOne(client, month, options))
}

/** All months that are older than this many, oldest first. */
export async function archiveOlder(months: number, options: Options): Promise<Archived[]> {
  return withArchive(options.url, async (client) => {
    const found = await rowsOf(client, selectMonths)
    const done = new Set((await rowsOf(client, selectArchives)).map(({ month }) => month))
    const due = found.filter(({ month, present }) => !done.has(month) && monthsBetween(month, present) > months)
    const archived: Archived[] = []
    for (const { month } of due) {
      const next = await archiveOne(client, month, options).catch((error: Error) => {
        if (!(error instanceof StartupError) || archived.length === 0) throw error
        const before = `${archived.map((one) => one.month).join(', ')} ${archived.length === 1 ? 'was' : 'were'} archived before`
        throw new StartupError(error.message.replace(nothingChanged, `${before}; nothing else was changed.`))
      })
      archived.push(next)
    }
    return archived
  })
}

const numberOf = (month: string): number => Number(month.slice(0, 4)) * 12 + Number(month.slice(5))
const monthsBetween = (from: string, to: string): number => numberOf(to) - numberOf(from)

async function withArchive<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await openPrimary(url, 'vostro archive')
  try {
    await requireMigrated(client)
    await requireRole(client)
    const { rows } = await client.query<{ free: boolean }>(`select pg_try_advisory_lock(${archiveKey}) as free`)
    if (!rows[0]?.free) throw new StartupError(`Another archive is running: wait until it has ended. ${nothingChanged}`)
    const clock = await client.query<{ ahead_s: number }>('select ahead_s from test_clock')
    moveAhead(clock.rows[0]?.ahead_s ?? 0)
    return await use(client)
  } finally {
    await client.end()
  }
}

async function archiveOne(client: pg.Client, month: string, options: Options): Promise<Archived> {
  await requireMonth(client, month)
  const [range = { from: '', below: '' }] = await rowsOf(client, selectRange(month))
  await requireUnneeded(client, month, range)
  if (!existsSync(options.folder) || !statSync(options.folder).isDirectory())
    throw new StartupError(`There is no folder ${options.folder}: create it first. ${nothingChanged}`)
  const file = await writeMonth(client, month, range, options)
  const archived = await replaceMonth(client, { month, range, file }, options)
  options.onArchived?.(archived)
  return archived
}

/** The month has to be over, and the next one to archive. */
async function requireMonth(client: pg.Client, month: string): Promise<void> {
  if (!/^\d{4}-(0[1-9]|1[0-2])$/.test(month)) throw new StartupError(`"${month}" is not a month: write it as 2026-08. ${nothingChanged}`)
  const archives = await rowsOf(client, selectArchives)
  const before = archives.find((archive) => archive.month === month)
  if (before !== undefined)
    throw new StartupError(
      `${month} was already archived at ${new Date(before.archived_at).toISOString()}, as a file with the SHA-256 ${before.digest}. ${nothingChanged}`,
    )
  const months = await rowsOf(client, selectMonths)
  const present = months[0]?.present ?? ''
  if (month >= present) throw new StartupError(`${month} is not over yet: it can be archived from ${nextOf(month)} on. ${nothingChanged}`)
  const last = archives.at(-1)?.month ?? ''
  const [next] = months.filter((known) => known.month > last)
  if (next?.month === month) return
  const wanted = months.find((known) => known.month >= month)?.month
  if (month < last || wanted === undefined) throw new StartupError(`There are no events of ${month} to archive. ${nothingChanged}`)
  if (wanted !== month)
    throw new StartupError(
      `The events of ${month} are in one partition with all others up to ${wanted}: archive them with --month ${wanted}. ${nothingChanged}`,
    )
  throw new StartupError(
    `Months are archived in order, and ${next?.month} has not been archived yet: begin with --month ${next?.month}. ${nothingChanged}`,
  )
}

function nextOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 12 ? `${year + 1}-01` : `${year}-${String(number + 1).padStart(2, '0')}`
}

/** Refuses, with the reason, while the events are still needed. */
async function requireUnneeded(client: pg.Client, month: string, range: Range): Promise<void> {
  const behind = await rowsOf(client, selectEndpointsBehind(range))
  const [first] = behind
  if (first !== undefined) {
    const others = behind.length === 1 ? '' : ` and ${behind.length === 100 ? 'at least 99' : behind.length - 1} more`
    const remedy = first.status === 'DISABLED' ? 'enable it, or delete it' : 'wait until it has'
    throw new StartupError(
      `${month} is still needed: the webhook endpoint ${first.id} of the venture ${first.venture_id}, which is ${first.status}${others}, has not received all of its events. Please ${remedy}. ${nothingChanged}`,
    )
  }
  await requireDelivered(client, month, range)
  const id = await findUnsealed(client, range)
  if (id !== undefined)
    throw new StartupError(
      `${month} is still needed: the event ${id} has not been sealed. A running service seals once a minute; wait until it has. ${nothingChanged}`,
    )
}

async function findUnsealed(client: pg.Client, range: Range): Promise<string | undefined> {
  const places = await placesOf(client, 'events')
  const answers = await places.strands.read(places.reached.map(({ strand, place }) => unsealedAfter(range, strand, place)))
  const found = answers.flat().find(({ bytes }) => bytes !== null)
  return found?.bytes?.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

async function requireDelivered(client: pg.Client, month: string, range: Range): Promise<void> {
  const [pending] = await rowsOf(client, countPending(range))
  if (pending !== undefined && pending.count > 0)
    throw new StartupError(
      `${month} is still needed: ${pending.count} webhook ${pending.count === 1 ? 'delivery' : 'deliveries'} of its events will be tried again. Wait until they have succeeded or failed. ${nothingChanged}`,
    )
}

async function writeMonth(
  client: pg.Client,
  month: string,
  range: Range,
  { folder, onProgress = () => {} }: Options,
): Promise<WrittenFile> {
  try {
    await client.query('begin isolation level repeatable read, read only')
    const [counted] = await rowsOf(client, countEvents(range))
    const of = counted?.count ?? 0
    const path = fileOf(folder, month)
    const file = await writeFile(path, counting(eventsOf(client, range), of, onProgress))
    await client.query('commit')
    await requireWhole(file)
    return file
  } catch (error) {
    await client.query('rollback').catch(() => {})
    if (error instanceof StartupError) throw error
    throw new StartupError(`The file of ${month} could not be written: ${(error as Error).message}. ${nothingChanged}`)
  }
}

async function* counting(
  events: AsyncIterable<ArchivedEvent>,
  of: number,
  onProgress: (progress: Progress) => void,
): AsyncIterable<ArchivedEvent> {
  let done = 0
  for await (const event of events) {
    yield event
    if (++done % 1_000 === 0 || done === of) onProgress({ done, of })
  }
}

const rowsAtOnce = 1_000

async function* eventsOf(client: pg.Client, range: Range): AsyncIterable<ArchivedEvent> {
  const { text, values } = selectEvents(range)
  await client.query(`declare months no scroll cursor for ${text}`, values)
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${rowsAtOnce} from months`)
    for (const row of rows) yield eventOf(row)
    if (rows.length < rowsAtOnce) break
  }
  await client.query('close months')
}

/** The event as shown to the venture, without people of the bank, followed by the rest of the row. */
function eventOf({ data: stored, first, era, xid, resource_id, ...row }: Row): ArchivedEvent {
  const { type, timestamp } = row
  const data = unpack({ type, timestamp, data: JSON.parse(stored), first })
  const isKept = keptKinds.includes(type.slice(0, type.indexOf('.')))
  return {
    ...row,
    data,
    resource_id,
    era,
    xid,
    ...(JSON.stringify(data) !== stored && { stored }),
    ...(isKept && { kept: true }),
  } as ArchivedEvent
}

/** Reads back what was written before anything is removed. */
async function requireWhole({ path, rows, digest }: WrittenFile): Promise<void> {
  const hash = createHash('sha256')
  let read = 0
  for await (const _ of readFile(path, hash)) read++
  if (read === rows && hash.digest('hex') === digest) return
  rmSync(path, { force: true })
  throw new StartupError(`The file ${path} differed from what was written when it was read back: check the disk. ${nothingChanged}`)
}

/** The SQLSTATE for a lock that was not free in time. */
const lockNotAvailable = '55P03'

type Ending = { month: string; range: Range; file: WrittenFile }

async function replaceMonth(client: pg.Client, { month, range, file }: Ending, options: Options): Promise<Archived> {
  const { lockAttempts = 120, pause_ms = 500 } = options
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query('begin')
      const ended = { month, kinds: keptKinds, at: now().toISOString(), audit_id: uuidv7(), ...file }
      const [made] = await rowsOf(client, endArchiving(ended))
      // Events are now locked: this sees redeliveries requested since the first check, and no more can be requested.
      await requireDelivered(client, month, range)
      await client.query('commit')
      return { month, ...file, kept: made?.kept ?? 0 }
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (error instanceof StartupError) {
        rmSync(file.path, { force: true })
        throw error
      }
      const { code, message } = error as pg.DatabaseError
      if (code === lockNotAvailable && attempt < lockAttempts) {
        await sleep(pause_ms)
        continue
      }
      // The answer was lost with the connection.
      if (troubleOf(error) === 'lost')
        throw new StartupError(
          `The connection was lost while ${month} was being archived (${message}). Keep the file ${file.path}, and run the command again: it tells whether the month is archived.`,
        )
      rmSync(file.path, { force: true })
      const reason =
        code === lockNotAvailable ? 'another program reads events all the time, such as npm run verify; try again later' : message
      throw new StartupError(`${month} could not be archived: ${reason}. ${nothingChanged}`)
    }
  }
}

type Checked = { months: number; problems: string[] }

/** Compares the files of all archives with the database's records of them, and all seals with the rows in files and database. */
export async function checkArchives(url: string, folder: string): Promise<Checked> {
  const client = await openPrimary(url, 'vostro archive')
  try {
    await requireMigrated(client)
    await client.query('begin isolation level repeatable read, read only')
    const archives = await rowsOf(client, selectArchives)
    const problems: string[] = []
    for (const { month, digest } of archives) {
      const path = fileOf(folder, month)
      if (!existsSync(path)) problems.push(`The file ${path} is missing.`)
      else {
        const found = await digestOf(path).catch((error: Error) => error)
        if (found instanceof Error) problems.push(`The file ${path} cannot be read: ${found.message}.`)
        else if (found !== digest) problems.push(`The file ${path} was changed: its SHA-256 is not ${digest}.`)
      }
    }
    if (problems.length > 0) return { months: archives.length, problems }
    const files = new ArchivedFiles(
      archives.map(({ month }) => fileOf(folder, month)),
      await rowsOf(client, selectHashes),
    )
    for await (const misfit of findMisfits(client, files)) problems.push(`A seal does not match: ${JSON.stringify(misfit)}`)
    return { months: archives.length, problems }
  } finally {
    await client.end()
  }
}

async function withOwner(
  { databaseUrl, migrationDatabaseUrl, dataDir }: PlatformConfig,
  use: (url: string) => Promise<void>,
): Promise<void> {
  if (databaseUrl !== undefined) return use(migrationDatabaseUrl ?? databaseUrl)
  const server = await openOwnedServer(dataDir)
  try {
    await use(server.urlOf('vostro'))
  } finally {
    await server.close()
  }
}

const usage = 'Use: npm run archive -- --to FOLDER [--month 2026-08], or: npm run archive -- --check FOLDER'

function readArguments(): { to?: string; month?: string; check?: string } {
  try {
    const { values } = parseArgs({ options: { to: { type: 'string' }, month: { type: 'string' }, check: { type: 'string' } } })
    return values as { to?: string; month?: string; check?: string }
  } catch (error) {
    throw new StartupError(`${(error as Error).message}. ${usage}`)
  }
}

async function main(): Promise<void> {
  loadEnvFile()
  const { to, month, check } = readArguments()
  const given = readSettings({ ...platformSettings, ...archiveSettings }, processEnvironment())
  const { eventRetention_months } = archiveConfig(given)
  if ((to === undefined) === (check === undefined)) throw new StartupError(`Name one folder. ${usage}`)
  if (check !== undefined && month !== undefined) throw new StartupError(`A check covers all months. ${usage}`)
  if (to !== undefined && month === undefined && eventRetention_months === undefined)
    throw new StartupError(`Name a month, or set EVENT_RETENTION to the number of months that events stay in the database. ${usage}`)
  await withOwner(platformConfig(given), async (url) => {
    if (check !== undefined) return reportCheck(await checkArchives(url, check))
    const options = { url, folder: to ?? '', onProgress: progressOf('archiving'), onArchived: report }
    if (month !== undefined) return void (await archiveMonth(month, options))
    const archived = await archiveOlder(eventRetention_months ?? 0, options)
    if (archived.length === 0) console.log(`There is no month older than ${eventRetention_months} months to archive.`)
  })
}

function report({ rows, month, path, bytes, digest, kept }: Archived): void {
  console.log(
    `Archived ${rows} events of ${month} into ${path}, ${(bytes / 1024 ** 2).toFixed(1)} MB, SHA-256 ${digest}; the database keeps ${kept} of them.`,
  )
}

function reportCheck({ months, problems }: Checked): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
  else if (months === 0) console.log('No month has been archived yet, so there is nothing to check.')
  else if (months === 1) console.log('The file of one archived month is whole, and fits the seals.')
  else console.log(`The files of ${months} archived months are whole, and fit the seals.`)
}

if (import.meta.main) await withSentence(main)
