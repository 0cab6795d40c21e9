// The database dies, slows down, hangs, or has no connection to spare.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Bank, Hosting } from '../bank.ts'
import { disturb, type Fault } from '../disturb.ts'
import type { Scene } from '../scene.ts'
import type { Experiment, Stage } from '../stage.ts'

const databaseBound_ms = 3_000

export const backendKilled: Experiment = {
  name: 'backend-killed',
  about: 'kill -9 of a PostgreSQL backend of the service, upon which PostgreSQL ends all others and recovers',
  readyWithin_ms: databaseBound_ms,
  run: (stage) => disturb(stage, { bank: { hosting: 'embedded' }, fault: killBackend }),
}

export const killBackend: Fault = async ({ bank }, stage) => killOfDatabase(bank, stage, await someBackend(bank, stage))

async function killOfDatabase(bank: Bank, { tally }: Stage, pid: number): Promise<void> {
  const { end } = bank.databaseLog()
  const killed = performance.now()
  process.kill(pid, 'SIGKILL')
  tally.faults++
  const ready_ms = await bank.untilReady(killed)
  tally.ready_ms.push(ready_ms)
  // Seldom enough that the next run may not show it again: what is needed to find out why is kept.
  if (ready_ms > databaseBound_ms) tally.notes.push(`${(ready_ms / 1000).toFixed(2)} s: ${told(bank.databaseLog(end).text)}`)
}

/** The log without what each connection says for itself. */
function told(log: string): string {
  const lines = log.split('\n').filter((line) => /LOG:|PANIC:|FATAL: {2}(?!the database system|terminating)/.test(line))
  return lines.slice(0, 20).join('\n      ')
}

/** One that is at work, if there is one. */
async function someBackend(bank: Bank, stage: Stage): Promise<number> {
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ pid: number; busy: boolean }>(
      `select pid, state <> 'idle' as busy from pg_stat_activity where application_name = 'vostro' order by pid`,
    ),
  )
  const busy = rows.filter(({ busy }) => busy)
  return stage.random.pick(busy.length > 0 ? busy : rows).pid
}

function postmasterKilled(name: string, hosting: Hosting, about: string): Experiment {
  return {
    name,
    about,
    readyWithin_ms: databaseBound_ms,
    run: (stage) =>
      disturb(stage, {
        bank: { hosting },
        fault: ({ bank }) => killOfDatabase(bank, stage, bank.postmasterPid),
      }),
  }
}

export const embeddedPostmasterKilled = postmasterKilled(
  'postmaster-killed',
  'embedded',
  'kill -9 of the embedded PostgreSQL, which the service starts again',
)

export const givenPostmasterKilled = postmasterKilled(
  'given-postmaster-killed',
  'given',
  'kill -9 of a PostgreSQL that the service was given, and that somebody else starts again',
)

export const connectionsCut: Experiment = {
  name: 'connections-cut',
  about: 'all connections to the database cut at once, and sometimes no new ones for a while',
  readyWithin_ms: databaseBound_ms,
  run: (stage) =>
    disturb(stage, {
      bank: { hosting: 'given' },
      async fault({ bank }) {
        const away_ms = stage.random.chance(0.5) ? 0 : stage.random.integer(100, 3_000)
        if (away_ms > 0) bank.proxy.refuse()
        bank.proxy.cut()
        stage.tally.faults++
        await sleep(away_ms)
        await bank.proxy.accept()
        stage.tally.ready_ms.push(await bank.untilReady())
      },
    }),
}

export const slowDatabase: Experiment = {
  name: 'slow-database',
  about: 'every answer of the database comes later, by milliseconds up to more than the service endures',
  run: (stage) =>
    disturb(stage, {
      bank: { hosting: 'given' },
      async fault({ bank }) {
        stage.tally.faults++
        bank.proxy.slowDown(stage.random.pick([5, 50, 400, 1_500, 4_000]))
        await stage.pause(1_000, 4_000)
        bank.proxy.slowDown(0)
        await bank.untilReady()
      },
    }),
}

export const stalledDatabase: Experiment = {
  name: 'stalled-database',
  about: 'the database hangs for seconds and goes on where it was',
  readyWithin_ms: databaseBound_ms,
  run: (stage) =>
    disturb(stage, {
      bank: { hosting: 'given' },
      async fault({ bank }) {
        bank.proxy.stall()
        stage.tally.faults++
        await stage.pause(500, 7_000)
        bank.proxy.resume()
        stage.tally.ready_ms.push(await bank.untilReady())
      },
    }),
}

/** What is locked from outside: everything, or only what transfers write. */
const locks = ['lock table accounts, transfers, ventures in access exclusive mode', 'select from accounts for update']

export const poolExhausted: Experiment = {
  name: 'pool-exhausted',
  about: 'locks held from outside until every connection of the service waits for them',
  run: (stage) =>
    disturb(stage, {
      bank: { hosting: 'embedded' },
      load: { clients: 64 },
      async fault(scene) {
        const before = stage.tally.refused
        await holdLocks(scene, stage)
        stage.tally.faults++
        if (stage.tally.refused === before) stage.tally.broken.push('nobody was refused while all connections waited')
        await scene.bank.untilReady()
      },
    }),
}

async function holdLocks({ bank }: Scene, stage: Stage): Promise<void> {
  await bank.asOwner(async (owner) => {
    await owner.query('begin')
    await owner.query(stage.random.pick(locks))
    await stage.pause(3_000, 7_000)
    // The process itself is well, and says so without the database.
    const health = await bank.caller.send({ method: 'GET', path: '/healthz', key: '' })
    if (health.kind !== 'answer' || health.status !== 200) stage.tally.broken.push('/healthz did not answer while all connections waited')
    await owner.query('rollback')
  })
}
