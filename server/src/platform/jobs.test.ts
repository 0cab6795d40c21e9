import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { standInForCitus } from '../testing/testing.citus.ts'
import { notOnCluster } from '../testing/testing.server.ts'
import { openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'
import { onOneServer, onSeveralServers } from './database/database.placement.ts'
import { untilSettled } from './database/database.shards.ts'
import type { Reader } from './database/database.ts'
import { enqueue, type Handlers, JobWorker } from './jobs.ts'
import { createLog } from './log.ts'

const bank = await openBank()
const log = createLog('silent')
const workerFor = (handlers: Handlers, more: object = {}) => new JobWorker({ database: bank.database, handlers, log, ...more })
const put = (kind: string, payload: Record<string, unknown>, delay_ms = 0) =>
  bank.database.transaction((tx) => enqueue(tx, kind, payload, delay_ms))

async function jobs(kind: string) {
  const { rows } = await bank.owner.query('select attempts, state, last_error, due_at > now() as waits from jobs where kind = $1', [kind])
  return rows
}

test('a job is done once it is due, and is deleted afterwards', async () => {
  const seen: unknown[] = []
  const worker = workerFor({ 'a.now': { run: async (payload: { n: number }) => void seen.push(payload) } })
  await put('a.now', { n: 1 })
  await put('a.now', { n: 2 }, 60_000)
  await worker.runDue()
  assert.deepEqual(seen, [{ n: 1 }])
  assert.deepEqual(await jobs('a.now'), [{ attempts: 0, state: 'READY', last_error: null, waits: true }])
})

test('a job enqueued in a transaction that rolls back does not exist', async () => {
  await assert.rejects(
    bank.database.transaction(async (tx) => {
      await enqueue(tx, 'b.undone', {})
      throw new Error('changed my mind')
    }),
  )
  assert.deepEqual(await jobs('b.undone'), [])
})

test('a failed job waits and is retried; after its last attempt it is dead, kept and not run again', async () => {
  let attempts = 0
  const worker = workerFor({
    'c.fails': {
      attempts: 3,
      delay_ms: () => 1_000_000,
      run: async () => {
        attempts++
        throw new Error('no luck')
      },
    },
  })
  await put('c.fails', {})
  for (const state of ['READY', 'READY', 'DEAD', 'DEAD']) {
    await worker.runDue()
    const [job] = await jobs('c.fails')
    assert.equal(job.state, state)
    assert.match(job.last_error, /no luck/)
    assert.equal(job.attempts, attempts)
    await bank.owner.query(`update jobs set due_at = now() where kind = 'c.fails'`)
  }
  assert.equal(attempts, 3)
  const { text } = await bank.admin.send({ method: 'GET', url: '/metrics' })
  assert.match(text, /jobs\{kind="c.fails",state="dead"\} 1/)
  assert.match(text, /jobs\{kind="a.now",state="ready"\} 1/)
  assert.match(text, /jobs_oldest_due_seconds\{kind="a.now"\} 0/)
})

test('a worker leaves jobs of unknown kinds to others', async () => {
  await put('d.strange', {})
  await workerFor({ 'd.other': { run: async () => {} } }).runDue()
  assert.equal((await jobs('d.strange')).length, 1)
})

test('several workers share the jobs: each job is done by one of them', async () => {
  const done: number[] = []
  const handlers: Handlers = {
    'e.shared': {
      run: async ({ n }: { n: number }) => {
        await sleep(1)
        done.push(n)
      },
    },
  }
  await bank.database.transaction(async (tx) => {
    for (let n = 0; n < 100; n++) await enqueue(tx, 'e.shared', { n })
  })
  await Promise.all([workerFor(handlers), workerFor(handlers), workerFor(handlers)].map((worker) => worker.runDue()))
  assert.deepEqual(
    done.toSorted((a, b) => a - b),
    Array.from({ length: 100 }, (_, n) => n),
  )

  // Also a job that takes long.
  const [begun, twice, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let runs = 0
  const long: Handlers = {
    'e.long': {
      run: () => {
        const { resolve } = ++runs === 1 ? begun : twice
        resolve()
        return end.promise
      },
    },
  }
  await put('e.long', {})
  const first = workerFor(long).runDue()
  await begun.promise
  const second = workerFor(long).runDue()
  await Promise.race([second, twice.promise])
  end.resolve()
  await Promise.all([first, second])
  assert.equal(runs, 1)
})

test('a job whose worker died is given to another when its lease expires', async () => {
  const started = Promise.withResolvers<void>()
  const dying = workerFor({
    'f.lease': {
      run: () => {
        started.resolve()
        return new Promise(() => {})
      },
    },
  })
  await put('f.lease', {})
  void dying.runDue()
  await started.promise
  const heir: string[] = []
  const worker = workerFor({ 'f.lease': { run: async () => void heir.push('done') } })
  await worker.runDue()
  assert.deepEqual(heir, [])
  await bank.owner.query(`update jobs set due_at = now() where kind = 'f.lease'`)
  await worker.runDue()
  assert.deepEqual(heir, ['done'])
  assert.deepEqual(await jobs('f.lease'), [])
})

test('a new job wakes a running worker long before it would poll', async () => {
  const seen: number[] = []
  const worker = workerFor({ 'g.woken': { run: async ({ n }: { n: number }) => void seen.push(n) } }, { poll_ms: 10_000_000 })
  worker.start()
  await put('g.woken', { n: 1 })
  await eventually(() => seen.length === 1)
  await put('g.woken', { n: 2 }, 50)
  await eventually(() => seen.length === 2)
  await worker.stop()
  assert.deepEqual(seen, [1, 2])
})

test('a worker is woken although it still waits for what it asked the database before a job ended', async () => {
  const [asked, ended, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let questions = 0
  const database = new Proxy(bank.database, {
    get(target, name) {
      const value = Reflect.get(target, name, target)
      if (name !== 'first') return typeof value === 'function' ? value.bind(target) : value
      return async (query: never) => {
        if (++questions === 1) {
          asked.resolve()
          await answered.promise
        }
        return target.first(query)
      }
    },
  })
  const seen: number[] = []
  const run = async ({ n }: { n: number }) => {
    if (n === 1) await ended.promise
    seen.push(n)
  }
  const worker = workerFor({ 'g.late': { run } }, { database, poll_ms: 10_000_000 })
  worker.start()
  await put('g.late', { n: 1 })
  // The worker runs the first job and asks when the next one is due; the job ends before the answer arrives.
  await asked.promise
  ended.resolve()
  await eventually(() => questions > 1)
  await sleep(200)
  answered.resolve()
  await sleep(200)
  await put('g.late', { n: 2 })
  for (let tries = 0; tries < 600 && seen.length < 2; tries++) await sleep(50)
  assert.deepEqual(seen, [1, 2])
  await worker.stop()
})

test('a worker that was not notified polls', async () => {
  const seen: string[] = []
  const worker = workerFor({ 'h.quiet': { run: async () => void seen.push('seen') } }, { poll_ms: 20 })
  worker.start()
  await sleep(50)
  // Inserted directly, so that nobody is notified.
  await bank.owner.query(`insert into jobs (id, kind, payload, due_at) values (gen_random_uuid(), 'h.quiet', '{}', now())`)
  await eventually(() => seen.length === 1)
  await worker.stop()
})

test('a worker whose connections were cut receives notifications again', async () => {
  const seen: number[] = []
  const worker = workerFor({ 'i.cut': { run: async ({ n }: { n: number }) => void seen.push(n) } }, { poll_ms: 50 })
  worker.start()
  await put('i.cut', { n: 1 })
  await eventually(() => seen.length === 1)
  await bank.owner.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
  )
  await put('i.cut', { n: 2 })
  await eventually(() => seen.length === 2)
  await worker.stop()
})

test('a kind whose partner hangs does not block other kinds', async () => {
  const gate = Promise.withResolvers<void>()
  const done: string[] = []
  const worker = workerFor({
    'k.hangs': { most: 2, run: () => gate.promise },
    'k.works': { run: async () => void done.push('done') },
  })
  worker.start()
  for (let n = 0; n < 5; n++) await put('k.hangs', {})
  for (let n = 0; n < 5; n++) await put('k.works', {})
  await eventually(() => done.length === 5)
  const { rows } = await bank.owner.query(`select count(*) filter (where attempts > 0)::int as begun from jobs where kind = 'k.hangs'`)
  assert.equal(rows[0].begun, 2)
  gate.resolve()
  await eventually(() => true)
  await worker.stop()
})

/** Many jobs that are due now, without a notification for each. */
const putMany = (kind: string, venture_id: string, count: number) =>
  bank.owner.query(
    `insert into jobs (id, kind, venture_id, payload, due_at)
     select gen_random_uuid(), $1, $2, json_build_object('venture_id', $2::uuid), now() - interval '1 hour' from generate_series(1, $3)`,
    [kind, venture_id, count],
  )

test('1,490 jobs of one venture do not delay those of another', async () => {
  const [many, few] = [randomUUID(), randomUUID()]
  const begun: string[] = []
  const worker = workerFor({ 'l.fair': { most: 4, run: async ({ venture_id }: { venture_id: string }) => void begun.push(venture_id) } })
  await putMany('l.fair', many, 1_490)
  for (let n = 0; n < 3; n++) await put('l.fair', { venture_id: few })
  worker.start()
  await eventually(() => begun.filter((venture_id) => venture_id === few).length === 3)
  await worker.stop()
  const before = begun.slice(0, begun.lastIndexOf(few)).filter((venture_id) => venture_id === many)
  assert.ok(before.length <= 12, `${before.length} jobs of the other venture went first`)
})

test('hanging jobs of one venture leave a place to the jobs of others', async () => {
  const gate = Promise.withResolvers<void>()
  const [hanging, other] = [randomUUID(), randomUUID()]
  const begun: string[] = []
  const worker = workerFor({
    'm.places': {
      most: 4,
      run: async ({ venture_id }: { venture_id: string }) => {
        begun.push(venture_id)
        if (venture_id === hanging) await gate.promise
      },
    },
  })
  await putMany('m.places', hanging, 10)
  worker.start()
  const begunOf = (one: string) => begun.filter((venture_id) => venture_id === one).length
  await eventually(() => begun.length >= 3)
  for (let n = 0; n < 5; n++) await put('m.places', { venture_id: other })
  await eventually(() => begunOf(other) === 5 || begunOf(hanging) > 3)
  assert.equal(begunOf(hanging), 3)
  const stopped = worker.stop()
  gate.resolve()
  await stopped
})

test('jobs without a venture are taken like those of one', async () => {
  const seen: unknown[] = []
  const worker = workerFor({ 'n.nobody': { run: async ({ n }: { n: number }) => void seen.push(n) } })
  for (let n = 0; n < 10; n++) await put('n.nobody', { n })
  await worker.runDue()
  assert.equal(seen.length, 10)
})

test('stopping waits for running jobs and takes no new ones', async () => {
  const gate = Promise.withResolvers<void>()
  const log: string[] = []
  const worker = workerFor({
    'j.slow': {
      // With a single slot, the worker takes nothing while the first job runs, not even in a round that began before the stop.
      most: 1,
      run: async () => {
        log.push('begun')
        await gate.promise
        log.push('done')
      },
    },
  })
  worker.start()
  await put('j.slow', {})
  await eventually(() => log.length === 1)
  const stopped = worker.stop().then(() => log.push('stopped'))
  await put('j.slow', {})
  gate.resolve()
  await stopped
  assert.deepEqual(log, ['begun', 'done', 'stopped'])
  assert.equal((await jobs('j.slow')).length, 1)
})

test('on a cluster a job runs when the worker has committed what was written together with it', {
  skip: notOnCluster('citus'),
}, async () => {
  const own = await openBank()
  const { database, owner } = own
  await standInForCitus(owner)
  database.placement = onSeveralServers
  const venture_id = randomUUID()
  let runs = 0
  const handlers: Handlers = { 'z.settled': { run: async () => void runs++ } }
  const worker = new JobWorker({ database, log, handlers })
  const enqueued = (payload: object) => database.transaction((tx) => enqueue(tx, 'z.settled', { ...payload }))
  const left = async () => (await owner.query('select attempts, state, last_error from jobs')).rows

  // The coordinator has not committed the first, the worker has already committed the second, and the third belongs to another worker.
  await owner.query(`insert into prepared values ('under way'), ('elsewhere')`)
  await owner.query(`insert into pg_dist_transaction values (1, 'long ago'), (1, 'decided'), (2, 'elsewhere')`)
  await enqueued({ venture_id })
  await worker.runDue()
  assert.deepEqual([runs, await left()], [1, []])

  await owner.query(`insert into prepared values ('decided')`)
  await enqueued({ venture_id })
  const waiting = worker.runDue()
  await eventually(async () => runs > 1 || (await left())[0]?.attempts === 1)
  await sleep(200)
  assert.equal(runs, 1)
  // Transactions prepared and decided from now on have nothing to do with the job.
  await owner.query(`insert into pg_dist_transaction values (1, 'later')`)
  await owner.query(`update prepared set gid = 'later' where gid = 'decided'`)
  await waiting
  assert.deepEqual([runs, await left()], [2, []])

  // A worker that does not respond may have prepared what the job is about. The job has not been attempted, so it does not die.
  await owner.query(`update pg_dist_node set nodeport = 5433`)
  await enqueued({ venture_id })
  await worker.runDue()
  const [job] = await left()
  assert.deepEqual([runs, job?.attempts, job?.state], [2, 0, 'READY'])
  assert.match(job?.last_error, /a worker does not say what it has prepared/)

  // A job without a venture waits for no worker.
  await enqueued({})
  await worker.runDue()
  assert.equal(runs, 3)
})

test('on a cluster somebody who waits for a worker that does not commit is told after a while', async () => {
  const answers: Record<string, object[]> = {
    pg_dist_placement: [{ name: 'worker', port: 5432, group: 1 }],
    pg_dist_transaction: [{ gid: 'decided' }],
    master_run_on_worker: [{ success: true, result: '["decided"]' }],
  }
  const rows = async ({ text }: { text: string }) => Object.entries(answers).find(([word]) => text.includes(word))?.[1] ?? []
  const reader = {
    placement: onSeveralServers,
    rows,
    first: async (query: { text: string }) => (await rows(query))[0],
  } as unknown as Reader
  await assert.rejects(untilSettled(reader, randomUUID(), { patience_ms: 30 }), /a worker has not committed 1 transactions in time/)
  answers['pg_dist_placement'] = []
  await assert.rejects(untilSettled(reader, randomUUID()), /has no worker/)
  await untilSettled({ ...reader, placement: onOneServer }, randomUUID())
})
