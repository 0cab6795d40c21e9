// Archiving a month of events: nothing that is needed is lost, and everything can still be proved.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import { eventMonths } from '../events/events.ts'
import { exportClient } from '../exports/exports.ts'
import { now } from '../platform/clock.ts'
import { makeDataFolder } from '../testing/testing.folders.ts'
import { openReceiver } from '../testing/testing.receiver.ts'
import { findTestServer, notOnCluster, urlOf } from '../testing/testing.server.ts'
import { openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'
import { unzip } from '../testing/testing.zip.ts'
import { verifyDatabase } from '../verify/verify.ts'
import { readFile } from './archive.file.ts'
import { archiveMonth, archiveOlder, checkArchives } from './archive.ts'

const monthNow = () => now().toISOString().slice(0, 7)

// One bank for all tests, because its clock only goes forward: each test begins in a new month, and archives it.
const bank = await openBank()
const venture = await bank.registerVenture()
const account = await venture.openAccount({ balance: '100.00' })
const url = urlOf(findTestServer().ownerUrl, String(bank.owner.database))
const folder = makeDataFolder('archive')

/** To the middle of the next month, so that none is skipped. */
async function nextMonth(): Promise<void> {
  const at = now()
  const days = Math.round((Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 15) - at.getTime()) / 86_400_000)
  const { status, text } = await bank.admin.post('/sandbox/clock', { advance: `P${days}D` })
  assert.equal(status, 200, text)
  for await (const _ of eventMonths(bank.database).steps());
}

/** The files of a month. */
const filesOf = (month: string) => readdirSync(folder).filter((name) => name.includes(month))

const options = { url, folder, lockAttempts: 20, pause_ms: 20 }

async function broken(): Promise<string[]> {
  return (await verifyDatabase(url))
    .filter(({ violations }) => violations > 0)
    .map(({ name, examples }) => `${name}: ${examples.join(' ')}`)
}

const eventsIn = (path: string): Record<string, unknown>[] =>
  gunzipSync(readFileSync(path))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

test('a month is archived: the file has every event as it was shown, the database keeps what answers are made of, and everything fits', async () => {
  const month = monthNow()
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
  await venture.put(`/transfers/${transfer.id}`, { status: 'RESERVED' })
  const verification = (await venture.get(`/clients/${account.client_id}/kyc-history`)).body
  const { body: shown } = await venture.get('/events?limit=100')
  await nextMonth()
  await venture.put(`/transfers/${transfer.id}`, { status: 'CANCELLED' })
  await bank.seal()
  await assert.rejects(
    archiveMonth('2020-01', options),
    new RegExp(`in one partition with all others up to ${month}: archive them with --month ${month}`),
  )

  const archived = await archiveMonth(month, options)
  const lines = eventsIn(archived.path)
  assert.equal(archived.rows, lines.length)
  assert.equal(archived.digest, createHash('sha256').update(readFileSync(archived.path)).digest('hex'))
  const ids = new Set(shown.map(({ id }: { id: string }) => id))
  assert.deepEqual(
    lines
      .filter(({ id }) => ids.has(id))
      .map(({ resource_id: _, era: __, xid: ___, stored: ____, kept: _____, ...event }) => event)
      .sort((a, b) => (String(a['id']) < String(b['id']) ? 1 : -1)),
    shown,
  )
  // The database keeps the events of clients that make up the history of their verification.
  const left = (await venture.get('/events?limit=100')).body.map(({ type }: { type: string }) => type)
  assert.ok(left.length > 1 && left.every((type: string) => type.startsWith('client.') || type === 'transfer.failed'), left.join())
  assert.deepEqual((await venture.get(`/clients/${account.client_id}/kyc-history`)).body, verification)
  const kept = lines.filter(({ kept }) => kept).length
  assert.equal(archived.kept, kept)
  // The audit log has the digest, and so do the seals.
  const { rows } = await bank.owner.query(`select action, resource, actor from audit_log order by id desc limit 1`)
  assert.deepEqual(rows, [{ action: 'archiveEvents', resource: `${month} sha256:${archived.digest}`, actor: 'service' }])
  await bank.seal()
  assert.deepEqual(await broken(), [])
  assert.deepEqual(await checkArchives(url, folder), { months: 1, problems: [] })

  // The service continues, even for what began in the archived month.
  await venture.deposit(account.id, '1.00')
  await bank.seal()
  assert.deepEqual(await broken(), [])
  for (const answer of [
    await venture.get(`/events/${shown[0].id}`),
    await venture.get(`/events?since=${shown[0].id}`),
    await venture.post(`/events/${shown[0].id}/resend`),
  ])
    assert.deepEqual([answer.status, answer.problem.code], [404, 'event_not_found'], answer.text)
  const followed = (await venture.get('/events?since=start&limit=100')).body
  assert.equal(followed.length, (await venture.get('/events?limit=100')).body.length)
})

test('months are archived one after the other, when they are over, and once', async () => {
  const [first, later] = [monthNow(), '2999-01']
  const refused = async (month: string, reason: RegExp) => {
    await assert.rejects(archiveMonth(month, options), reason, month)
    assert.deepEqual(filesOf(month), [])
    assert.equal(await bank.count('event_archives'), 1)
  }
  await refused('August', /"August" is not a month: write it as 2026-08\. Nothing was changed\./)
  await refused('2026-13', /is not a month/)
  await refused(first, /is not over yet: it can be archived from \d{4}-\d\d on/)
  await refused(later, /is not over yet/)
  await nextMonth()
  const second = monthNow()
  await venture.deposit(account.id, '1.00')
  await nextMonth()
  await bank.seal()
  await refused(second, new RegExp(`${first} has not been archived yet: begin with --month ${first}`))
  await refused('2020-01', /There are no events of 2020-01 to archive/)
  await assert.rejects(archiveMonth(first, { ...options, folder: join(folder, 'none') }), /There is no folder .*none: create it first/)
  const path = join(folder, `events-${first}.jsonl.gz`)
  writeFileSync(path, 'something else')
  await assert.rejects(archiveMonth(first, options), /already exists: choose another folder, or move the file away/)
  assert.equal(readFileSync(path, 'utf8'), 'something else')
  rmSync(path)
  const archived = await archiveMonth(first, options)
  await assert.rejects(
    archiveMonth(first, options),
    new RegExp(`${first} was already archived at .*, as a file with the SHA-256 ${archived.digest}`),
  )
  await archiveMonth(second, options)
  await bank.seal()
  assert.deepEqual(await broken(), [])
  assert.deepEqual(await checkArchives(url, folder), { months: 3, problems: [] })
})

test('a month that somebody still needs is refused with the reason', async () => {
  const receiver = await openReceiver()
  const month = monthNow()
  const { body: endpoint } = await venture.post('/webhook-endpoints', { url: receiver.url, event_types: ['transfer.completed'] })
  receiver.status = 500
  await venture.deposit(account.id, '1.00')
  await nextMonth()
  const refused = (reason: RegExp) => assert.rejects(archiveMonth(month, options), reason)
  await refused(
    new RegExp(
      `${month} is still needed: the webhook endpoint ${endpoint.id} of the venture ${venture.venture.id}, which is ACTIVE, has not received all`,
    ),
  )
  await venture.put(`/webhook-endpoints/${endpoint.id}`, { status: 'DISABLED' })
  await refused(/which is DISABLED, has not received all of its events\. Please enable it, or delete it\. Nothing was changed\./)
  await venture.put(`/webhook-endpoints/${endpoint.id}`, { status: 'ACTIVE' })
  await bank.runDeliveries()
  await refused(/1 webhook delivery of its events will be tried again/)
  await bank.owner.query(`update webhook_deliveries set status = 'FAILED', next_attempt_at = null where status = 'PENDING'`)
  await refused(/has not been sealed\. A running service seals once a minute/)
  await bank.seal()
  assert.deepEqual(filesOf(month), [])
  if (notOnCluster('locks') === false) {
    // While the archive waits for its lock, a failed delivery is requested again.
    const { body: failed } = await venture.get(`/webhook-endpoints/${endpoint.id}/deliveries`)
    const archives = await bank.count('event_archives')
    await bank.owner.query('begin')
    await bank.owner.query('lock table events in access share mode')
    const archiving = archiveMonth(month, { ...options, pause_ms: 20, lockAttempts: 10_000 }).then(
      () => 'archived',
      (error: Error) => error.message,
    )
    await eventually(() => filesOf(month).includes(`events-${month}.jsonl.gz`))
    const asked = await venture.post(`/webhook-endpoints/${endpoint.id}/deliveries/${failed[0].id}/redeliver`)
    assert.ok(asked.status < 300, asked.text)
    await bank.owner.query('commit')
    assert.match(await archiving, /is still needed: 1 webhook delivery of its events will be tried again\..* Nothing was changed\.$/)
    assert.deepEqual([filesOf(month), await bank.count('event_archives')], [[], archives])
    await bank.owner.query(`update webhook_deliveries set status = 'FAILED', next_attempt_at = null where status = 'PENDING'`)
  }
  await archiveMonth(month, options)
  // A failed delivery can be sent again only as long as its event exists.
  const { body: deliveries } = await venture.get(`/webhook-endpoints/${endpoint.id}/deliveries`)
  assert.deepEqual([deliveries.length, deliveries[0].status], [1, 'FAILED'])
  const again = await venture.post(`/webhook-endpoints/${endpoint.id}/deliveries/${deliveries[0].id}/redeliver`)
  assert.deepEqual([again.status, again.problem?.code], [404, 'event_not_found'], again.text)
  const all = await venture.post(`/webhook-endpoints/${endpoint.id}/redeliver-failed`, { since: '2026-01-01T00:00:00Z' })
  assert.deepEqual([all.status < 300, all.body], [true, { redelivered: 0 }], all.text)
  assert.equal((await venture.get(`/webhook-endpoints/${endpoint.id}/deliveries`)).body[0].status, 'FAILED')
  receiver.status = 200
  const { id } = await venture.deposit(account.id, '2.00')
  await bank.runDeliveries()
  assert.deepEqual(receiver.arrivals.at(-1)?.event.data.object.id, id)
  await venture.delete(`/webhook-endpoints/${endpoint.id}`)
})

test('while somebody reads events at one moment, a month waits, and an error leaves everything as it was', {
  skip: notOnCluster('locks'),
}, async () => {
  const month = monthNow()
  await nextMonth()
  await bank.seal()
  const counts = async () => [filesOf(month), await bank.count('events'), await bank.count('event_archives')]
  const before = await counts()
  const stream = await exportClient(bank.database, { venture_id: venture.venture.id, id: account.client_id }, 'venture')
  await assert.rejects(
    archiveMonth(month, { ...options, lockAttempts: 2 }),
    /another program reads events all the time.*try again later\. Nothing was changed\./,
  )
  assert.match(unzip(Buffer.concat(await stream.toArray())).get('events.json') ?? '', /client.created/)
  assert.deepEqual(await counts(), before)
  // The service's login may not archive.
  await assert.rejects(
    archiveMonth(month, { ...options, url: urlOf(findTestServer().serviceUrl, String(bank.owner.database)) }),
    /The tables belong to \w+: give the URL of this login in MIGRATION_DATABASE_URL\. Nothing was changed\./,
  )
  assert.deepEqual(await counts(), before)
  // Nor may two at a time.
  await bank.owner.query('select pg_advisory_lock(5648776)')
  await assert.rejects(archiveMonth(month, options), /Another archive is running/)
  await bank.owner.query('select pg_advisory_unlock(5648776)')
  assert.ok((await archiveMonth(month, options)).rows > 0)
})

test('months older than the retention are archived, the oldest first', async () => {
  const first = monthNow()
  await nextMonth()
  const second = monthNow()
  await venture.deposit(account.id, '1.00')
  await nextMonth()
  await bank.seal()
  const archivedBy = async (months: number) => (await archiveOlder(months, options)).map(({ month }) => month)
  assert.deepEqual(await archivedBy(2), [])
  assert.deepEqual(await archivedBy(1), [first])
  assert.deepEqual(await archivedBy(1), [])
  const third = monthNow()
  await nextMonth()
  await bank.seal()
  assert.deepEqual(await archivedBy(1), [second])
  await archiveMonth(third, options)
  assert.deepEqual([filesOf(first), filesOf(second)], [[`events-${first}.jsonl.gz`], [`events-${second}.jsonl.gz`]])
})

test('what was archived before an error is said, as soon as it is done', async () => {
  const first = monthNow()
  await nextMonth()
  const second = monthNow()
  for (let months = 0; months < 2; months++) await nextMonth()
  await bank.seal()
  writeFileSync(join(folder, `events-${second}.jsonl.gz`), '')
  const archived: string[] = []
  await assert.rejects(
    archiveOlder(1, { ...options, onArchived: ({ month }) => archived.push(month) }),
    new RegExp(`events-${second}.* ${first} was archived before; nothing else was changed\\.$`),
  )
  assert.deepEqual(archived, [first])
  rmSync(join(folder, `events-${second}.jsonl.gz`))
  await archiveOlder(0, options)
})

test('a database that is ahead of this version is refused', async () => {
  await bank.owner.query(`insert into migrations select max(number) + 1, '9999_later.sql', 'none' from migrations`)
  await assert.rejects(
    archiveMonth(monthNow(), options),
    /has \d+ migrations, and this version knows \d+: use the version that has migrated it/,
  )
  await bank.owner.query(`delete from migrations where name = '9999_later.sql'`)
})

test('a check says what it cannot read, and that there is nothing to check', async () => {
  const path = join(folder, filesOf('')[0] ?? '')
  const whole = readFileSync(path)
  rmSync(path)
  mkdirSync(path)
  assert.deepEqual((await checkArchives(url, folder)).problems, [
    `The file ${path} cannot be read: EISDIR: illegal operation on a directory, read.`,
  ])
  rmSync(path, { recursive: true })
  writeFileSync(path, whole)
  const other = await openBank()
  const check = (...more: string[]) =>
    spawnSync(process.execPath, [fileURLToPath(new URL('archive.ts', import.meta.url)), '--check', folder, ...more], {
      env: { DATABASE_URL: urlOf(findTestServer().ownerUrl, String(other.owner.database)) },
      encoding: 'utf8',
    })
  const { status, stdout } = check()
  assert.deepEqual([status, stdout], [0, 'No month has been archived yet, so there is nothing to check.\n'])
  const both = check('--month', '2026-08')
  assert.deepEqual([both.status, both.stderr.startsWith('A check covers all months. Use: npm run archive')], [1, true], both.stderr)
})

test('a month is archived under load: no request fails, and no event is lost', async () => {
  const month = monthNow()
  for (let count = 0; count < 40; count++) await venture.deposit(account.id, '1.00')
  await nextMonth()
  await bank.seal()
  const before = await bank.count('events')
  let isOver = false
  const [made, failures]: [string[], string[]] = [[], []]
  const seen = new Set<string>()
  const pay = async () => {
    while (!isOver) {
      const { status, text, body } = await venture.post(`/sandbox/accounts/${account.id}/deposits`, { amount: '1.00' })
      if (status < 300) made.push(body.id)
      else failures.push(text)
    }
  }
  const look = async () => {
    while (!isOver) {
      for (const path of ['/events?limit=5', '/transfers?limit=5', `/clients/${account.client_id}/kyc-history`]) {
        const { status, text } = await venture.get(path)
        if (status >= 300) failures.push(text)
      }
    }
  }
  const working = [pay(), pay(), pay(), look()]
  const archived = await archiveMonth(month, { ...options, lockAttempts: 1_000 })
  isOver = true
  await Promise.all(working)
  assert.deepEqual(failures, [])
  assert.ok(made.length > 0)
  await bank.othersEnded()
  for (let since = 'start'; ; ) {
    const { body } = await venture.get(`/events?since=${since}&limit=100`)
    for (const event of body) if (event.data.object.id !== undefined) seen.add(event.data.object.id)
    if (body.length < 100) break
    since = body.at(-1).id
  }
  assert.deepEqual(
    made.filter((id) => !seen.has(id)),
    [],
  )
  assert.ok(archived.rows <= before)
  await bank.seal()
  assert.deepEqual(await broken(), [])
  assert.deepEqual((await checkArchives(url, folder)).problems, [])
})

test('what somebody does to an archive, or to what the database keeps of it, is found', { skip: notOnCluster('seals') }, async () => {
  const month = monthNow()
  await venture.openAccount({ balance: '1.00' })
  await nextMonth()
  await venture.deposit(account.id, '1.00')
  await bank.seal()
  const { path } = await archiveMonth(month, options)
  await bank.seal()
  const problemsOf = async () => (await checkArchives(url, folder)).problems
  assert.deepEqual(await problemsOf(), [])

  const content = readFileSync(path)
  const lines = eventsIn(path)
  writeFileSync(path, gzipSync(lines.map((line) => JSON.stringify({ ...line, sequence: 7 })).join('\n')))
  assert.match((await problemsOf()).join(), /was changed: its SHA-256 is not/)
  // Changing the digest in the database as well is found by the seals.
  const forged = createHash('sha256').update(readFileSync(path)).digest('hex')
  await bank.owner.query('set session_replication_role = replica')
  const original = createHash('sha256').update(content).digest('hex')
  const setDigest = (digest: string) =>
    bank.owner.query(`update event_archives set digest = $1 where to_char(month, 'YYYY-MM') = $2`, [digest, month])
  await setDigest(forged)
  assert.match((await problemsOf()).join(), /A seal does not match: .*"changed"/)
  await setDigest(original)
  writeFileSync(path, content)
  assert.deepEqual(await problemsOf(), [])

  // A missing event that the database should have kept is found even without the file.
  const { rows } = await bank.owner.query(
    `delete from events where id = (select id from events where type like 'client.%' order by id limit 1) returning id`,
  )
  assert.equal(rows.length, 1)
  await bank.owner.query('set session_replication_role = origin')
  const found = (await broken()).join()
  assert.match(found, /seals fit: .*"events","was":"removed"/)
  assert.match((await problemsOf()).join(), new RegExp(`"removed".*${rows[0].id}`))
})

test('a file that is cut off, damaged or missing is an error, and not the end of the events', async () => {
  const path = join(folder, 'damaged.jsonl.gz')
  const readAll = async () => {
    for await (const _ of readFile(path));
  }
  await assert.rejects(readAll(), { code: 'ENOENT' })
  const whole = gzipSync(`${JSON.stringify({ id: 'x'.repeat(1_000) })}\n`.repeat(100))
  writeFileSync(path, whole.subarray(0, whole.length / 2))
  await assert.rejects(readAll(), { code: 'Z_BUF_ERROR' })
  writeFileSync(path, 'no archive')
  await assert.rejects(readAll(), { code: 'Z_DATA_ERROR' })
})
