import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { makeDataFolder } from '../../testing/testing.folders.ts'
import { type CommitLoss, TcpProxy } from '../../testing/testing.proxy.ts'
import { findTestServer, notOnCluster, urlOf } from '../../testing/testing.server.ts'
import { openBank } from '../../testing/testing.ts'
import { Refusal, type RefusalCode } from '../../values/refusals.ts'
import { startEmbeddedPostgres } from '../embedded/embedded.ts'
import { onSeveralServers } from './database.placement.ts'
import { type Inside, PrimaryClient } from './database.primary.ts'
import { Database, type Tx } from './database.ts'
import { migrate } from './migrate.ts'
import { read, write } from './sql.ts'

const { owner } = await openBank()
const url = urlOf(findTestServer().serviceUrl, owner.database ?? '')

// Nothing here is unique, so a row that is written twice appears twice.
await owner.query(`
  create table notes (id uuid not null);
  grant select, insert on notes to vostro_service;
  create table counters (name text primary key, value int not null);
  grant select, insert, update on counters to vostro_service;
  create table moments (at timestamptz(3) not null, day date not null);
  grant select, insert on moments to vostro_service;
  create function raise_error(code text) returns void language plpgsql as $$ begin raise exception using errcode = code; end $$`)

const one = read<{ one: number }>`select 1 as one`
const findNote = (id: string) => read<{ id: string }>`select id from notes where id = ${id}`
const raise = (code: string) => write`select raise_error(${code})`
const addNote = (id: string) => write`insert into notes (id) values (${id})`

async function notes(id: string): Promise<number> {
  return (await owner.query('select from notes where id = $1', [id])).rowCount ?? 0
}

/** A generous limit against hangs, unless a test is about waiting. */
function open(options: Partial<ConstructorParameters<typeof Database>[0]> = {}): Database {
  const database = new Database({ url, wait_ms: 60_000, ...options })
  after(() => database.close())
  return database
}

async function openProxy(): Promise<TcpProxy> {
  const proxy = await TcpProxy.open(url)
  after(() => proxy.close())
  return proxy
}

/** On a busy machine a connection may take too long to open, so this retries until one works. */
async function answer(database: Database): Promise<{ one: number } | undefined> {
  for (;;) {
    try {
      return await database.first(one)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  }
}

async function refused(attempt: Promise<unknown>, code: RefusalCode): Promise<Refusal> {
  const outcome = await attempt.then(
    () => assert.fail(`it was done, not refused as ${code}`),
    (error: unknown) => error,
  )
  if (!(outcome instanceof Refusal)) throw outcome
  assert.equal(outcome.code, code)
  return outcome
}

/** Writes one note with its evidence, and counts the attempts. */
function noting(id: string, more: (tx: Tx, run: number) => Promise<unknown> = async () => {}) {
  const work = async (tx: Tx) => {
    work.runs++
    tx.evidence = findNote(id)
    await tx.run(addNote(id))
    await more(tx, work.runs)
    return id
  }
  work.runs = 0
  return work
}

test('batches overlap only if they leave a connection to others', () => {
  assert.deepEqual(
    [3, 4].map((poolSize) => open({ poolSize }).favoursOverlaps),
    [false, true],
  )
})

test('what a transaction wrote exists when it returns, and does not when it throws', async () => {
  const database = open()
  const [kept, dropped] = [randomUUID(), randomUUID()]
  assert.equal(await database.transaction(noting(kept)), kept)
  assert.equal(await notes(kept), 1)
  assert.deepEqual(await database.rows(findNote(kept)), [{ id: kept }])
  assert.deepEqual(await database.first(findNote(kept)), { id: kept })

  const work = noting(dropped, async (tx) => {
    assert.deepEqual(await tx.first(findNote(dropped)), { id: dropped })
    throw new Error('changed my mind')
  })
  await assert.rejects(database.transaction(work), /changed my mind/)
  assert.equal(await notes(dropped), 0)
  assert.equal(await database.first(findNote(dropped)), undefined)
  assert.equal(work.runs, 1)
})

test('a write returns how many rows it affected', async () => {
  const id = randomUUID()
  const touched = await open().transaction((tx) => tx.run(write`insert into notes (id) select ${id}::uuid from generate_series(1, 3)`))
  assert.equal(touched, 3)
})

test('statements of one turn are sent together, when it ends', async () => {
  const client = new PrimaryClient({ connectionString: url, pipeline: true })
  await client.connect()
  try {
    const { stream } = (client as unknown as Inside).connection
    for (let turn = 0; turn < 2; turn++) {
      const sent = stream.bytesWritten
      const answers = [1, 2, 3].map((number) => client.query<{ number: number }>({ text: 'select $1::int as number', values: [number] }))
      assert.equal(stream.bytesWritten - sent, stream.writableLength, 'nothing has left yet')
      assert.ok(stream.writableLength > 0)
      const rows = (await Promise.all(answers)).flatMap(({ rows }) => rows)
      assert.deepEqual(rows, [{ number: 1 }, { number: 2 }, { number: 3 }])
      assert.equal(stream.writableLength, 0)
    }
  } finally {
    await client.end()
  }
})

test('an error of a statement reaches the caller, and the connection stays usable', async () => {
  const database = open({ poolSize: 1 })
  await assert.rejects(database.rows(read`select 1 / 0`), { code: '22012' })
  await assert.rejects(
    database.transaction((tx) => tx.rows(read`select 1 / 0`)),
    { code: '22012' },
  )
  assert.deepEqual(await database.rows(one), [{ one: 1 }])
})

test('a transaction that swallows the error of a failed statement is not reported as committed', async () => {
  const id = randomUUID()
  const work = noting(id, (tx) => tx.rows(read`select 1 / 0`).catch(() => {}))
  await assert.rejects(open().transaction(work), /ended with ROLLBACK/)
  assert.equal(await notes(id), 0)
  assert.equal(work.runs, 1)
})

test('two transactions that deadlock both succeed, one of them at its second attempt', async () => {
  const database = open()
  await owner.query(`insert into counters values ('left', 0), ('right', 0)`)
  const bothHoldOne = Promise.withResolvers<void>()
  const oneIsDone = Promise.withResolvers<void>()
  let [holding, runs] = [0, 0]
  const increment = (tx: Tx, name: string) => tx.run(write`update counters set value = value + 1 where name = ${name}`)
  const crossing = (first: string, second: string) =>
    database.transaction(async (tx) => {
      // On a busy machine, the second attempt could lock its row again before the other transaction wakes up and gets it.
      if (++runs > 2) await oneIsDone.promise
      await increment(tx, first)
      if (++holding === 2) bothHoldOne.resolve()
      await bothHoldOne.promise
      await increment(tx, second)
    })
  await Promise.all([crossing('left', 'right').then(oneIsDone.resolve), crossing('right', 'left').then(oneIsDone.resolve)])
  assert.equal(runs, 3)
  const { rows } = await owner.query('select name, value from counters order by name')
  assert.deepEqual(rows, [
    { name: 'left', value: 2 },
    { name: 'right', value: 2 },
  ])
})

test('a serialization failure is retried, up to three attempts', async () => {
  const database = open()
  const fail = write`do $$ begin raise exception 'could not serialize' using errcode = '40001'; end $$`
  const [done, given] = [randomUUID(), randomUUID()]
  const lucky = noting(done, async (tx, run) => run < 3 && tx.run(fail))
  await database.transaction(lucky)
  assert.equal(lucky.runs, 3)
  assert.equal(await notes(done), 1)

  const unlucky = noting(given, (tx) => tx.run(fail))
  const { details } = await refused(database.transaction(unlucky), 'unavailable')
  assert.equal(unlucky.runs, 3)
  assert.equal(await notes(given), 0)
  assert.ok(Number(details['retry_after_s']) > 0)
})

test('a statement or a lock that takes too long is reported as unavailable, rolled back and not retried', async () => {
  const database = open({ wait_ms: 5_000 })
  assert.deepEqual(
    await database.first(read`select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock`),
    { statement: '2500ms', lock: '2s' },
  )
  const [asleep, locked] = [randomUUID(), randomUUID()]
  const sleeping = noting(asleep, async (tx) => {
    await tx.run(write`set local statement_timeout = '20ms'`)
    await tx.rows(read`select pg_sleep(30)`)
  })
  await refused(database.transaction(sleeping), 'unavailable')
  assert.equal(sleeping.runs, 1)

  await owner.query(`insert into counters values ('locked', 0)`)
  await owner.query(`begin; update counters set value = 1 where name = 'locked'`)
  const waiting = noting(locked, async (tx) => {
    await tx.run(write`set local lock_timeout = '20ms'`)
    await tx.run(write`update counters set value = 2 where name = 'locked'`)
  })
  await refused(database.transaction(waiting), 'unavailable').finally(() => owner.query('commit'))
  assert.equal(waiting.runs, 1)
  assert.deepEqual([await notes(asleep), await notes(locked)], [0, 0])
})

test('the role of the service cannot disable, change or remove what protects the data', async () => {
  const database = open()
  const forbidden = [
    write`alter table ventures disable trigger all`,
    write`alter table ventures drop constraint ventures_pkey`,
    write`alter table ventures add column x int`,
    write`drop table ventures`,
    write`truncate ventures`,
    write`delete from ventures`,
    write`update ventures set created_at = now()`,
    write`create trigger mine before insert on ventures for each row execute function suppress_redundant_updates_trigger()`,
    write`create table mine (id int)`,
    write`delete from migrations`,
    write`insert into migrations (number, name, checksum) values (9999, 'x', 'x')`,
    write`set session_replication_role = 'replica'`,
    write`create role mine`,
    write`copy ventures to program 'cat'`,
    write`select pg_read_file('/etc/passwd')`,
  ]
  for (const statement of forbidden) {
    await assert.rejects(
      database.transaction((tx) => tx.run(statement)),
      { code: '42501' },
      statement.text,
    )
  }
  assert.deepEqual(await database.rows(read`select name from ventures`), [{ name: 'House' }])
})

test('options in the database URL are kept and do not override ours', async () => {
  const other = new URL(url)
  other.searchParams.set('options', '-c work_mem=5MB')
  const settings = read`select current_user::text as role, current_setting('work_mem') as memory, current_setting('lock_timeout') as lock`
  assert.deepEqual(await open({ url: other.href, wait_ms: 5_000 }).first(settings), { role: 'vostro_service', memory: '5MB', lock: '2s' })
})

test('any timestamp with milliseconds is returned in the format of the API, and a date as its text', async () => {
  const database = open()
  const moments = fc.date({ min: new Date('0001-01-01T00:00:00.000Z'), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true })
  await fc.assert(
    fc.asyncProperty(fc.array(moments, { minLength: 1, maxLength: 100 }), async (dates) => {
      const times = dates.map((date) => date.toISOString())
      const days = times.map((time) => time.slice(0, 10))
      const rows = await database.transaction((tx) =>
        tx.rows(write<{ at: string; day: string }>`
          insert into moments select * from unnest(${times}::timestamptz[], ${days}::date[]) returning at, day`),
      )
      assert.deepEqual(
        rows,
        times.map((at, index) => ({ at, day: days[index] })),
      )
    }),
    { numRuns: 40 },
  )
})

test('a COMMIT that never reached the server is retried and done once', async () => {
  const proxy = await openProxy()
  const id = randomUUID()
  const work = noting(id)
  proxy.loseCommits('unsent')
  assert.equal(await open({ url: proxy.url }).transaction(work), id)
  assert.equal(proxy.lostCommits, 1)
  assert.equal(work.runs, 2)
  assert.equal(await notes(id), 1)
})

test('a COMMIT whose response was lost is found to be done and is not repeated', async () => {
  const proxy = await openProxy()
  const id = randomUUID()
  const work = noting(id)
  proxy.loseCommits('unanswered')
  assert.equal(await open({ url: proxy.url }).transaction(work), id)
  assert.equal(proxy.lostCommits, 1)
  assert.equal(work.runs, 1)
  assert.equal(await notes(id), 1)
})

test('a COMMIT that arrives late is waited for, because a transaction in progress proves nothing', async () => {
  const proxy = await openProxy()
  const id = randomUUID()
  const work = noting(id)
  proxy.loseCommits('late', { andThen: () => setTimeout(() => proxy.deliver(), 150) })
  assert.equal(await open({ url: proxy.url }).transaction(work), id)
  assert.equal(proxy.lostCommits, 1)
  assert.equal(work.runs, 1)
  assert.equal(await notes(id), 1)
})

test('a COMMIT that is in progress for longer than the limit has an unknown outcome', async () => {
  const proxy = await openProxy()
  const id = randomUUID()
  const work = noting(id)
  proxy.loseCommits('late')
  await refused(open({ url: proxy.url, outcome_ms: 150 }).transaction(work), 'outcome_unknown')
  assert.equal(work.runs, 1)
  assert.equal(await notes(id), 0)
})

test('a transaction that left no evidence is never reported as done on its number alone, nor repeated', async () => {
  const proxy = await openProxy()
  const database = open({ url: proxy.url })
  const [done, undone] = [randomUUID(), randomUUID()]
  const forget = async (tx: Tx) => {
    tx.evidence = undefined
  }
  const work = noting(done, forget)
  proxy.loseCommits('unanswered')
  await refused(database.transaction(work), 'outcome_unknown')
  assert.equal(work.runs, 1)
  assert.equal(await notes(done), 1)

  proxy.loseCommits('unsent')
  await database.transaction(noting(undone, forget))
  assert.equal(await notes(undone), 1)
})

for (const loss of ['unsent', 'unanswered'] satisfies CommitLoss[]) {
  test(`when every connection of the pool loses its COMMIT as ${loss}, all outcomes are found and each is done once`, async () => {
    const proxy = await openProxy()
    const database = open({ url: proxy.url, poolSize: 3 })
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    const allUnderWay = Promise.withResolvers<void>()
    let underWay = 0
    proxy.loseCommits(loss, { times: 3 })
    const work = ids.map((id) =>
      noting(id, async () => {
        if (++underWay === 3) allUnderWay.resolve()
        await allUnderWay.promise
      }),
    )
    assert.deepEqual(await Promise.all(work.map((each) => database.transaction(each))), ids)
    assert.equal(proxy.lostCommits, 3)
    for (const id of ids) assert.equal(await notes(id), 1)
  })
}

test('when the database cannot be queried for the outcome, it is unknown: neither repeated nor reported as a failure', async () => {
  const proxy = await openProxy()
  const database = open({ url: proxy.url, outcome_ms: 200 })
  const id = randomUUID()
  const work = noting(id)
  proxy.loseCommits('unanswered', { andThen: () => proxy.refuse() })
  const { details } = await refused(database.transaction(work), 'outcome_unknown')
  assert.ok(Number(details['retry_after_s']) > 0)
  assert.equal(work.runs, 1)
  await proxy.accept()
  assert.deepEqual(await database.rows(findNote(id)), [{ id }])
})

test('a result that is awaited with COMMIT may fail before, and fails the transaction', async () => {
  const late = open().transaction(async (tx) => {
    tx.later(Promise.reject(new Error('it failed early')))
    // An unhandled rejection in the meantime would fail the test.
    await tx.rows(one)
  })
  await assert.rejects(late, /it failed early/)
})

test('a connection that breaks in the middle of a transaction costs only a second attempt', async () => {
  const proxy = await openProxy()
  const database = open({ url: proxy.url })
  const [cut, killed] = [randomUUID(), randomUUID()]
  const cutting = noting(cut, async (tx, run) => {
    if (run === 1) proxy.cut()
    await tx.rows(one)
  })
  await database.transaction(cutting)
  assert.equal(cutting.runs, 2)

  const killing = noting(killed, async (tx, run) => {
    const backend = await tx.first(read<{ pid: number }>`select pg_backend_pid() as pid`)
    if (run === 1) await owner.query('select pg_terminate_backend($1::int)', [backend?.pid])
    await tx.rows(one)
  })
  await database.transaction(killing)
  assert.equal(killing.runs, 2)
  assert.deepEqual([await notes(cut), await notes(killed)], [1, 1])
})

test('a connection that breaks while `work` does something else is noticed at COMMIT at the latest', async () => {
  const proxy = await openProxy()
  const database = open({ url: proxy.url })
  const id = randomUUID()
  const work = noting(id, async (_tx, run) => {
    if (run > 1) return
    proxy.cut()
    await sleep(50)
  })
  await database.transaction(work)
  assert.equal(work.runs, 2)
  assert.equal(await notes(id), 1)
})

test('an idle connection that breaks is reported and replaced', async () => {
  const proxy = await openProxy()
  const lost = Promise.withResolvers<Error>()
  const database = open({ url: proxy.url, onLost: lost.resolve })
  await database.rows(one)
  proxy.cut()
  assert.ok((await lost.promise) instanceof Error)
  assert.deepEqual(await database.rows(one), [{ one: 1 }])
  assert.equal(proxy.connections, 2)
})

test('an unreachable database is reported as unavailable, and works again without a restart once it is back', async () => {
  const proxy = await openProxy()
  const database = open({ url: proxy.url })
  const id = randomUUID()
  await database.rows(one)
  proxy.refuse()
  proxy.cut()
  const work = noting(id)
  const { details } = await refused(database.rows(one), 'unavailable')
  assert.ok(Number(details['retry_after_s']) > 0)
  await refused(database.transaction(work), 'unavailable')
  assert.equal(work.runs, 0)

  await proxy.accept()
  assert.deepEqual(await database.rows(one), [{ one: 1 }])
  await database.transaction(work)
  assert.equal(await notes(id), 1)
})

test('a transaction that was lost with its number in a server crash is known not to be done', async () => {
  const dataDir = makeDataFolder('test')
  const server = await startEmbeddedPostgres({ dataDir })
  const proxy = await TcpProxy.open(server.serviceUrl)
  const database = new Database({ url: proxy.url, wait_ms: 60_000 })
  try {
    await migrate({ ownerUrl: server.ownerUrl, serviceUrl: server.serviceUrl })
    const postmaster = Number.parseInt(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
    proxy.loseCommits('unsent', { andThen: () => process.kill(postmaster, 'SIGKILL') })
    let runs = 0
    // The transaction wrote nothing, so it is not in the log from which the server recovers, and its number is free again.
    const attempt = database.transaction(async (tx) => {
      runs++
      tx.evidence = read`select id from clients`
      await tx.rows(one)
    })
    // A second attempt succeeds if the server is back soon enough; otherwise nothing was done.
    const outcome = await attempt.then(
      () => 'done',
      (error: unknown) => (error instanceof Refusal ? error.code : error),
    )
    assert.equal(outcome, runs === 2 ? 'done' : 'unavailable')
    assert.equal(proxy.lostCommits, 1)
  } finally {
    await database.close()
    proxy.close()
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
})

// Each of these waits for a time-out of four seconds, so they run concurrently.
suite('what takes too long', { concurrency: true }, () => {
  test('a pool without a free connection is unavailable until one is released', async () => {
    const database = open({ poolSize: 1, wait_ms: 5_000 })
    await answer(database)
    const holder = hold(database)
    await holder.begun
    const work = noting(randomUUID())
    await Promise.all([refused(database.rows(one), 'unavailable'), refused(database.transaction(work), 'unavailable')])
    assert.equal(work.runs, 0)
    // The holder has been idle for as long, but has no statement in progress.
    holder.letGo()
    await holder.done
    assert.deepEqual(await answer(database), { one: 1 })
  })

  test('a server that accepts connections but never responds is unavailable', async () => {
    const proxy = await openProxy()
    const database = open({ url: proxy.url, wait_ms: 5_000 })
    proxy.stall()
    await refused(database.rows(one), 'unavailable')
    proxy.resume()
    assert.deepEqual(await answer(database), { one: 1 })
  })

  test('while a server does not respond, what it has stored cannot be confirmed', async () => {
    const proxy = await openProxy()
    const database = open({ url: proxy.url, wait_ms: 5_000 })
    proxy.stall()
    await refused(database.confirm(one), 'outcome_unknown')
    proxy.resume()
    await database.confirm(one)
  })

  test('a server that stops responding in the middle of a transaction is unavailable, and nothing was done', async () => {
    const proxy = await openProxy()
    const database = open({ url: proxy.url, wait_ms: 5_000 })
    await answer(database)
    const id = randomUUID()
    const work = noting(id, async (tx) => {
      proxy.stall()
      await tx.rows(one)
    })
    await refused(database.transaction(work), 'unavailable')
    assert.equal(work.runs, 1)
    proxy.resume()
    assert.deepEqual(await answer(database), { one: 1 })
    assert.equal(await notes(id), 0)
  })

  test('a caller that has already waited for long learns sooner that the server stopped responding', async () => {
    const proxy = await openProxy()
    const database = open({ url: proxy.url, wait_ms: 5_000 })
    await answer(database)
    const bothBegun = Promise.withResolvers<void>()
    const reported: string[] = []
    let begun = 0
    const waiting = async (name: string, since_ms: number) => {
      const work = async (tx: Tx) => {
        await tx.rows(one)
        if (++begun === 2) {
          proxy.stall()
          bothBegun.resolve()
        }
        await bothBegun.promise
        await tx.rows(one)
      }
      await refused(database.transaction(work, since_ms), 'unavailable')
      reported.push(name)
    }
    await Promise.all([waiting('new', performance.now()), waiting('old', performance.now() - 5_000)])
    assert.deepEqual(reported, ['old', 'new'])
    proxy.resume()
  })
})

/** Occupies a connection, without sending a statement, until it is released. */
function hold(database: Database): { begun: Promise<void>; letGo(): void; done: Promise<void> } {
  const [begun, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const done = database.transaction(async (tx) => {
    await tx.rows(one)
    begun.resolve()
    await letGo.promise
  })
  return { begun: begun.promise, letGo: letGo.resolve, done }
}

test('callers get a connection in order of arrival, and those that waited elsewhere before go first', async () => {
  const database = open({ poolSize: 1 })
  const holder = hold(database)
  await holder.begun
  const served: number[] = []
  const note = (n: number) => async () => void served.push(n)
  const asked = [1, 2, 3, 4, 5].map((n) => database.transaction(note(n)))
  asked.push(database.transaction(note(0), performance.now() - 1_000))
  // Nobody waits in the pool's own queue, which has the limit for opening a connection.
  assert.deepEqual([database.connections.waiting, database.connections.pool.waitingCount], [6, 0])
  holder.letGo()
  await Promise.all([holder.done, ...asked])
  assert.deepEqual(served, [0, 1, 2, 3, 4, 5])
})

test('no more connections are in use than allowed, and all are free again after failures of every kind', async () => {
  const proxy = await openProxy()
  const database = open({ url: proxy.url, poolSize: 2 })
  let [running, most] = [0, 0]
  // Otherwise one connection could serve all of them before the other one is open.
  const twoRun = Promise.withResolvers<void>()
  const counted = async (tx: Tx) => {
    most = Math.max(most, ++running)
    if (running === 2) twoRun.resolve()
    await twoRun.promise
    await tx.rows(one).finally(() => running--)
  }
  await Promise.all(Array.from({ length: 8 }, () => database.transaction(counted)))
  assert.equal(most, 2)
  await assert.rejects(database.rows(read`select 1 / 0`), { code: '22012' })
  await assert.rejects(
    database.transaction(() => Promise.reject(new Error('changed my mind'))),
    /changed my mind/,
  )
  proxy.refuse()
  proxy.cut()
  await refused(database.rows(one), 'unavailable')
  await proxy.accept()
  await Promise.all(Array.from({ length: 8 }, () => database.transaction(counted)))
  assert.deepEqual([most, database.connections.waiting, database.connections.pool.totalCount], [2, 0, 2])
})

test('lists run on connections of their own, and their statements have less time', async () => {
  const database = open({ poolSize: 1, listPoolSize: 1 })
  const settings = read<{ role: string; statement_ms: number; workers: string }>`
    select current_user as role, extract(epoch from current_setting('statement_timeout')::interval)::int * 1000 as statement_ms,
      current_setting('max_parallel_workers_per_gather') as workers`
  // The only other connection is in use.
  await database.transaction(async (tx) => {
    const ofLists = await database.list('a', (lists) => lists.rows(settings)).catch((error: Error) => [error.message])
    assert.deepEqual(ofLists[0], { role: 'vostro_service', statement_ms: 12_000, workers: '0' })
    assert.equal((await tx.first(settings))?.statement_ms, 30_000)
  })
})

test('a list that fails ends its turn, and one that takes too long is left to its caller', async () => {
  const database = open({ listPoolSize: 1, wait_ms: 5_000 })
  await assert.rejects(
    database.list('a', (lists) => lists.rows(read`select 1 / 0`)),
    /division by zero/,
  )
  await assert.rejects(
    database.list('a', (lists) => lists.rows(read`select pg_sleep(600)`)),
    { code: '57014' },
  )
  await assert.rejects(
    database.list('a', async () => {
      throw new Error('no query at all')
    }),
    /no query at all/,
  )
  assert.deepEqual([database.lists.running, database.lists.waiting], [0, 0])
})

test('the statements of two lists alternate if they are of different ventures', async () => {
  const database = open({ listPoolSize: 1 })
  const done: string[] = []
  const list = (venture_id: string) =>
    database.list(venture_id, async (lists) => {
      for (let n = 0; n < 3; n++) {
        await lists.rows(one)
        done.push(venture_id)
      }
    })
  await Promise.all([list('a'), list('a'), list('b')])
  assert.deepEqual(done, ['a', 'b', 'a', 'b', 'a', 'b', 'a', 'a', 'a'])
})

test('those who wait for the same list share one reading, which begins after they have asked', async () => {
  const database = open({ listPoolSize: 1 })
  const begun: string[] = []
  const reading = (name: string, until: Promise<unknown> = Promise.resolve()) =>
    database.sharedList('a', name, async (lists) => {
      begun.push(name)
      await until
      return lists.rows(one)
    })
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  // It runs at once, so nobody can share it.
  const alone = reading('x', first.promise)
  const waiting = [reading('x', second.promise), reading('x'), reading('y'), reading('x')]
  assert.deepEqual(begun, ['x'])
  first.resolve()
  await alone
  while (begun.length < 2) await new Promise((resolve) => setImmediate(resolve))
  // A caller that asks during the read may have written something since it began.
  const late = reading('x')
  second.resolve()
  const [x, sameX, y, stillSameX] = await Promise.all(waiting)
  const lateX = await late
  assert.deepEqual(begun.toSorted(), ['x', 'x', 'x', 'y'])
  assert.ok(x === sameX && x === stillSameX && x !== y && x !== lateX)
})

test('a list that cannot be read fails for all who share it, and for nobody else', async () => {
  const database = open({ listPoolSize: 1 })
  const first = Promise.withResolvers<void>()
  const alone = database.sharedList('a', 'x', () => first.promise)
  const failing = [1, 2].map((number) =>
    database.sharedList('a', 'x', (lists) => {
      assert.equal(number, 1, 'it is read once')
      return lists.rows(read`select 1 / 0`)
    }),
  )
  first.resolve()
  await alone
  for (const failed of failing) await assert.rejects(failed, /division by zero/)
  assert.deepEqual(await database.sharedList('a', 'x', (lists) => lists.rows(one)), [{ one: 1 }])
  assert.deepEqual([database.lists.running, database.lists.waiting], [0, 0])
})

test('a process too busy to read its sockets does not mistake that for silence of the database', async () => {
  const database = open({ wait_ms: 2_000 })
  await answer(database)
  const asked = database.rows(one)
  // The statement has been sent; now this process is blocked for longer than the database may be silent.
  await new Promise((resolve) => setImmediate(resolve))
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, database.limits.answer_ms)
  assert.deepEqual(await asked, [{ one: 1 }])
})

test('a full database is unavailable; that is no bug, and it is not retried immediately', async () => {
  const id = randomUUID()
  const work = noting(id, (tx) => tx.rows(raise('53100')))
  await refused(open().transaction(work), 'unavailable')
  assert.equal(work.runs, 1)
  assert.equal(await notes(id), 0)
})

test('of several failures, the first statement’s is reported, even if a later one fails sooner', async () => {
  const work = async (tx: Tx) => {
    const first = tx.rows(raise('53100'))
    tx.underWay.push(
      first.catch(async (error: unknown) => {
        await sleep(20)
        throw error
      }),
    )
    // The transaction has already failed, so this statement's failure has no cause of its own.
    tx.send(addNote(randomUUID()))
  }
  await refused(open().transaction(work), 'unavailable')
})

test('a statement that is sent after the end of its transaction is refused', async () => {
  const database = open()
  let kept: Tx | undefined
  const late = () => assert.rejects(async () => kept?.rows(one), /after its transaction had ended/)
  await database.transaction(async (tx) => {
    kept = tx
  })
  await late()
  const failing = database.transaction(async (tx) => {
    kept = tx
    throw new Error('it fails')
  })
  await assert.rejects(failing, /it fails/)
  await late()
})

test('on several servers an answer is given again only if every worker can confirm what it has committed', {
  skip: notOnCluster('citus'),
}, async () => {
  const database = open()
  database.placement = onSeveralServers
  const workersSay = (success: boolean) =>
    owner.query(
      `create or replace function run_command_on_workers(command text) returns table (success boolean) language sql as 'select ${success}'`,
    )
  await workersSay(true)
  await database.confirm(one)
  await workersSay(false)
  await refused(database.confirm(one), 'outcome_unknown')
  await owner.query('drop function run_command_on_workers')
})
