// What the service reports about its writes while a synchronous standby is away, and where it connects after a failover. Uses two real
// servers.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { TcpProxy } from '../../testing/testing.proxy.ts'
import { Pair, type PostgresServer } from '../../testing/testing.standby.ts'
import { eventually } from '../../testing/testing.waits.ts'
import { Refusal, type RefusalCode } from '../../values/refusals.ts'
import { verifyDatabase } from '../../verify/verify.ts'
import { StartupError } from '../startup-error.ts'
import { Database, type Tx } from './database.ts'
import { listen } from './listen.ts'
import { migrate, readMigrations } from './migrate.ts'
import { read, write } from './sql.ts'

/** How long an outcome is looked for, which is long enough for a crash restart. */
const outcome_ms = 5_000

const pair = await Pair.open()
const closing: (() => unknown)[] = []
after(async () => {
  for (const close of closing) await close()
  await pair.close()
})

/** The URL of both hosts, with the standby first, so it has to be skipped. */
const standbyFirst = (role: 'owner' | 'service') => pair.url(role, [pair.standby, pair.primary])

before(async () => {
  await migrate({ ownerUrl: pair.primary.url('owner'), serviceUrl: pair.url('service') })
  await pair.primary.asOwner((owner) =>
    owner.query('create table notes (id uuid not null); grant select, insert on notes to vostro_service'),
  )
})

/** Every test begins with a connected standby. */
beforeEach(async () => {
  if (!pair.standby.isRunning) await pair.startStandby()
  await pair.primary.untilStandbyIsThere()
})

function open(options: Partial<ConstructorParameters<typeof Database>[0]> = {}): Database {
  const database = new Database({ url: pair.url('service'), wait_ms: 60_000, outcome_ms, ...options })
  closing.unshift(() => database.close())
  return database
}

async function openProxy(url: string): Promise<TcpProxy> {
  const proxy = await TcpProxy.open(url)
  closing.push(() => proxy.close())
  return proxy
}

const findNote = (id: string) => read<{ id: string }>`select id from notes where id = ${id}`

/** Writes one note with its evidence, and counts the attempts. */
function noting(id: string) {
  const work = async (tx: Tx) => {
    work.runs++
    tx.evidence = findNote(id)
    await tx.run(write`insert into notes (id) values (${id})`)
    return id
  }
  work.runs = 0
  return work
}

async function notes(server: PostgresServer, id: string): Promise<number> {
  return server.asOwner(async (owner) => (await owner.query('select from notes where id = $1', [id])).rowCount ?? 0)
}

async function refused(attempt: Promise<unknown>, code: RefusalCode): Promise<void> {
  const outcome = await attempt.then(
    () => assert.fail(`it was done, not refused as ${code}`),
    (error: unknown) => error,
  )
  assert.ok(outcome instanceof Refusal, `it was not refused, but failed: ${outcome}`)
  assert.equal(outcome.code, code)
}

async function done<Result>(attempt: Promise<Result>): Promise<Result> {
  return attempt.catch((error: unknown) => assert.fail(`it was not done: ${error}`))
}

/** On a busy machine a connection may take too long to open, so this retries until one works. */
async function untilUsable(database: Database): Promise<void> {
  for (;;) {
    try {
      return void (await database.rows(read`select 1 as one`))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await sleep(50)
    }
  }
}

test('a standby serves neither reads nor writes: nothing is done, and the caller may try again', async () => {
  const database = open({ url: pair.standby.url('service') })
  const work = noting(randomUUID())
  await refused(database.rows(read`select 1 as one`), 'unavailable')
  await refused(database.transaction(work), 'unavailable')
  assert.equal(work.runs, 0)
})

test('of several hosts the primary is used, whatever their order, also to listen, to migrate and to verify', async () => {
  const database = open({ url: standbyFirst('service') })
  const id = randomUUID()
  await done(database.transaction(noting(id)))
  assert.equal(await notes(pair.primary, id), 1)

  const heard = Promise.withResolvers<string>()
  const stop = listen(database, 'test_standby', (payload) => {
    // A notification without a payload means that listening has begun.
    if (payload === undefined) void pair.primary.asOwner((owner) => owner.query(`select pg_notify('test_standby', 'heard')`))
    else heard.resolve(payload)
  })
  assert.equal(await heard.promise, 'heard')
  await stop()

  await done(migrate({ ownerUrl: standbyFirst('owner'), serviceUrl: standbyFirst('service') }))
  const findings = await done(verifyDatabase(standbyFirst('service')))
  assert.deepEqual(
    findings.filter(({ violations }) => violations > 0),
    [],
  )
})

test('a command that finds no primary says what each host answered', async () => {
  const { port } = pair.standby
  const nowhere = standbyFirst('owner').replace(`127.0.0.1:${pair.primary.port}`, '127.0.0.1:1')
  for (const command of [() => migrate({ ownerUrl: nowhere, serviceUrl: nowhere }), () => verifyDatabase(nowhere)]) {
    await assert.rejects(command(), (error) => {
      assert.ok(error instanceof StartupError)
      const reasons = `127.0.0.1, port ${port}: the server is a standby; 127.0.0.1, port 1: connect ECONNREFUSED 127.0.0.1:1`
      assert.equal(error.message, `The database cannot be reached: ${reasons}. Check its URL, and that PostgreSQL is running.`)
      return true
    })
  }
})

test('a write that reaches a standby after all is not done and is no bug, although a later statement fails for another reason', async () => {
  // Like a pooler whose server has become a standby: the connection was opened while it was a primary.
  const pretend = `create function public.pg_is_in_recovery() returns boolean language sql as 'select false'`
  await pair.primary.asOwner((owner) => owner.query(pretend))
  const deceived = new URL(pair.standby.url('service'))
  deceived.searchParams.set('options', '-c search_path=public,pg_catalog')
  const database = open({ url: deceived.href })
  try {
    // The function must reach the standby first.
    await untilUsable(database)
    const work = noting(randomUUID())
    await refused(database.transaction(work), 'unavailable')
    assert.ok(work.runs > 0, 'no statement was sent')
  } finally {
    await pair.primary.asOwner((owner) => owner.query('drop function public.pg_is_in_recovery()'))
  }
})

test('a COMMIT whose wait for the standby was cancelled has an unknown outcome', async () => {
  await pair.standby.kill()
  const id = randomUUID()
  const work = noting(id)
  const attempt = refused(open({ outcome_ms: 1_000 }).transaction(work), 'outcome_unknown')
  const [pid = 0] = await pair.primary.untilCommitsWait()
  await pair.primary.cancel(pid)
  await attempt
  assert.equal(work.runs, 1)
  // A failover now would undo it.
  assert.equal(await notes(pair.primary, id), 1)
})

/** The standby has stored what is confirmed, and shows it shortly after. */
const seenOnStandby = (id: string) => eventually(async () => (await notes(pair.standby, id)) === 1)

test('a row is confirmed only once it is on the standby', async () => {
  await pair.standby.kill()
  const id = randomUUID()
  const attempt = refused(open({ outcome_ms: 1_000 }).transaction(noting(id)), 'outcome_unknown')
  const [pid = 0] = await pair.primary.untilCommitsWait()
  await pair.primary.cancel(pid)
  await attempt
  await refused(open({ outcome_ms: 1_000 }).confirm(findNote(id)), 'outcome_unknown')
  const confirmed = done(open({ outcome_ms: 60_000 }).confirm(findNote(id)))
  await pair.startStandby()
  await confirmed
  await seenOnStandby(id)
  await refused(open({ outcome_ms: 1_000 }).confirm(findNote(randomUUID())), 'outcome_unknown')
})

test('after a crash restart, rows that never reached the standby are not called done; all of them share one barrier', async () => {
  await pair.standby.kill()
  const database = open()
  const ids = [randomUUID(), randomUUID(), randomUUID()]
  const attempts = ids.map((id) => refused(database.transaction(noting(id)), 'outcome_unknown'))
  const [pid = 0] = await pair.primary.untilCommitsWait(ids.length)
  // PostgreSQL ends all backends and recovers.
  process.kill(pid, 'SIGKILL')
  await Promise.all(attempts)
  for (const id of ids) assert.equal(await notes(pair.primary, id), 1)
  // It keeps waiting and is not repeated, although the callers have given up.
  assert.equal((await pair.primary.untilCommitsWait(1, 'vostro barrier')).length, 1)
})

test('what was unknown is done once the standby has it, also for a caller that comes while a barrier waits', async () => {
  await pair.standby.kill()
  const database = open({ outcome_ms: 60_000 })
  const ids = [randomUUID(), randomUUID()]
  const attempts: Promise<string>[] = []
  for (const id of ids) {
    attempts.push(done(database.transaction(noting(id))))
    const [pid = 0] = await pair.primary.untilCommitsWait()
    await pair.primary.cancel(pid)
    await pair.primary.untilCommitsWait(1, 'vostro barrier')
  }
  await pair.startStandby()
  assert.deepEqual(await Promise.all(attempts), ids)
  for (const id of ids) await seenOnStandby(id)
})

test('a barrier whose own wait was cancelled proves nothing', async () => {
  await pair.standby.kill()
  const attempt = refused(open().transaction(noting(randomUUID())), 'outcome_unknown')
  const [pid = 0] = await pair.primary.untilCommitsWait()
  await pair.primary.cancel(pid)
  const [barrier = 0] = await pair.primary.untilCommitsWait(1, 'vostro barrier')
  await pair.primary.cancel(barrier)
  await attempt
})

test('a migration whose wait for the standby was cancelled does not let the service start', async () => {
  await pair.standby.kill()
  const migrations = await readMigrations()
  const number = migrations.length + 1
  migrations.push({ number, name: `${String(number).padStart(4, '0')}_later.sql`, checksum: 'x', text: 'create table later (id int)' })
  let running = true
  const attempt = migrate({ ownerUrl: pair.url('owner'), serviceUrl: pair.url('service'), migrations }).finally(() => {
    running = false
  })
  const refusal = assert.rejects(attempt, /the wait for the standby was cancelled: start again when the standby is connected/)
  const cancel = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep' and application_name = 'vostro migrate'`
  while (running) {
    await pair.primary.asOwner((owner) => owner.query(cancel))
    await sleep(20)
  }
  await refusal
  // Other tests migrate without that file.
  await pair.startStandby()
  await pair.primary.asOwner((owner) => owner.query('drop table later'))
  await pair.primary.asOwner((owner) => owner.query('delete from migrations where number = $1', [number]))
})

test('a row that was seen on the old primary is not confirmed by a barrier on the new one', async () => {
  // The standby has been promoted, and the old primary does not know it.
  await pair.primary.setSynchronous(false)
  await pair.standby.promote()
  const proxy = await openProxy(pair.primary.url('service'))
  const database = open({ url: proxy.url, outcome_ms: 1_000 })
  // Two connections: one loses its COMMIT, the other is used to ask for the outcome.
  await Promise.all([untilUsable(database), untilUsable(database)])
  const id = randomUUID()
  const work = noting(id)
  proxy.loseCommits('unanswered', { andThen: () => proxy.pointAt(pair.standby.url('service')) })
  await refused(database.transaction(work), 'outcome_unknown')
  assert.equal(work.runs, 1)
  assert.deepEqual([await notes(pair.primary, id), await notes(pair.standby, id)], [1, 0])
  await pair.standby.kill()
  await pair.replaceStandby()
})

test('after a failover the new primary is found, and a COMMIT that the old one did not answer is found there', async () => {
  const database = open()
  const [before, during, later] = [randomUUID(), randomUUID(), randomUUID()]
  await done(database.transaction(noting(before)))
  const proxy = await openProxy(pair.primary.url('service'))
  const url = pair.url('service').replace(`127.0.0.1:${pair.primary.port}`, new URL(proxy.url).host)
  const through = open({ url, outcome_ms: 60_000 })
  await untilUsable(through)
  const work = noting(during)
  const lost = Promise.withResolvers<void>()
  proxy.loseCommits('unanswered', { andThen: () => lost.resolve() })
  const attempt = done(through.transaction(work))
  await lost.promise
  await pair.primary.kill()
  await pair.promote()
  assert.equal(await attempt, during)
  assert.equal(work.runs, 1)
  assert.deepEqual([await notes(pair.primary, before), await notes(pair.primary, during)], [1, 1])
  await untilUsable(database)
  await done(database.transaction(noting(later)))
  assert.equal(await notes(pair.primary, later), 1)
  await pair.replaceStandby()
})
