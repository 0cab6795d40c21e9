// The database dies, slows down, hangs, or runs out of connections.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Bank, Hosting } from '../bank.ts'
import type { Context, Experiment } from '../experiment.ts'
import { type Fault, injectFaults } from '../inject-faults.ts'
import type { Setup } from '../setup.ts'

const databaseBound_ms = 3_000

export const backendKilled: Experiment = {
  name: 'backend-killed',
  about: 'kill -9 of a PostgreSQL backend of the service, upon which PostgreSQL ends all others and recovers',
  readyWithin_ms: databaseBound_ms,
  run: (context) => injectFaults(context, { bank: { hosting: 'embedded' }, fault: killBackend }),
}

export const killBackend: Fault = async ({ bank }, context) => killOfDatabase(bank, context, await someBackend(bank, context))

async function killOfDatabase(bank: Bank, { results }: Context, pid: number): Promise<void> {
  const { end } = bank.databaseLog()
  const killed = performance.now()
  process.kill(pid, 'SIGKILL')
  results.faults++
  const ready_ms = await bank.untilReady(killed)
  results.ready_ms.push(ready_ms)
  // Too rare to reproduce, so this keeps the evidence for finding the cause.
  if (ready_ms > databaseBound_ms) results.notes.push(`${(ready_ms / 1000).toFixed(2)} s: ${messagesIn(bank.databaseLog(end).text)}`)
}

/** The log without the messages of individual connections. */
function messagesIn(log: string): string {
  const lines = log.split('\n').filter((line) => /LOG:|PANIC:|FATAL: {2}(?!the database system|terminating)/.test(line))
  return lines.slice(0, 20).join('\n      ')
}

/** A backend that is executing a statement, if there is one. */
async function someBackend(bank: Bank, context: Context): Promise<number> {
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ pid: number; busy: boolean }>(
      `select pid, state <> 'idle' as busy from pg_stat_activity where application_name = 'vostro' order by pid`,
    ),
  )
  const busy = rows.filter(({ busy }) => busy)
  return context.random.pick(busy.length > 0 ? busy : rows).pid
}

function postmasterKilled(name: string, hosting: Hosting, about: string): Experiment {
  return {
    name,
    about,
    readyWithin_ms: databaseBound_ms,
    run: (context) =>
      injectFaults(context, {
        bank: { hosting },
        fault: ({ bank }) => killOfDatabase(bank, context, bank.postmasterPid),
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
  run: (context) =>
    injectFaults(context, {
      bank: { hosting: 'given' },
      async fault({ bank }) {
        const away_ms = context.random.chance(0.5) ? 0 : context.random.integer(100, 3_000)
        if (away_ms > 0) bank.proxy.refuse()
        bank.proxy.cut()
        context.results.faults++
        await sleep(away_ms)
        await bank.proxy.accept()
        context.results.ready_ms.push(await bank.untilReady())
      },
    }),
}

export const slowDatabase: Experiment = {
  name: 'slow-database',
  about: 'every answer of the database comes later, by milliseconds up to more than the service endures',
  run: (context) =>
    injectFaults(context, {
      bank: { hosting: 'given' },
      async fault({ bank }) {
        context.results.faults++
        bank.proxy.slowDown(context.random.pick([5, 50, 400, 1_500, 4_000]))
        await context.pause(1_000, 4_000)
        bank.proxy.slowDown(0)
        await bank.untilReady()
      },
    }),
}

export const stalledDatabase: Experiment = {
  name: 'stalled-database',
  about: 'the database hangs for seconds and goes on where it was',
  readyWithin_ms: databaseBound_ms,
  run: (context) =>
    injectFaults(context, {
      bank: { hosting: 'given' },
      async fault({ bank }) {
        bank.proxy.stall()
        context.results.faults++
        await context.pause(500, 7_000)
        bank.proxy.resume()
        context.results.ready_ms.push(await bank.untilReady())
      },
    }),
}

/** What the outside session locks: everything, or only tables that transfers write. */
const locks = ['lock table accounts, transfers, ventures in access exclusive mode', 'select from accounts for update']

export const poolExhausted: Experiment = {
  name: 'pool-exhausted',
  about: 'locks held from outside until every connection of the service waits for them',
  run: (context) =>
    injectFaults(context, {
      bank: { hosting: 'embedded' },
      load: { clients: 64 },
      async fault(setup) {
        const before = context.results.refused
        await holdLocks(setup, context)
        context.results.faults++
        if (context.results.refused === before) context.results.broken.push('nobody was refused while all connections waited')
        await setup.bank.untilReady()
      },
    }),
}

/** A session that locks in another order may be chosen as the deadlock victim; it then tries again. */
async function lockFromOutside(owner: Client, statement: string): Promise<void> {
  for (;;) {
    try {
      await owner.query('begin')
      await owner.query(statement)
      return
    } catch (error) {
      if ((error as { code?: string }).code !== '40P01') throw error
      await owner.query('rollback')
    }
  }
}

async function holdLocks({ bank }: Setup, context: Context): Promise<void> {
  await bank.asOwner(async (owner) => {
    await lockFromOutside(owner, context.random.pick(locks))
    await context.pause(3_000, 7_000)
    // The process is alive and reports so without the database.
    const health = await bank.caller.send({ method: 'GET', path: '/healthz', key: '' })
    if (health.kind !== 'answer' || health.status !== 200)
      context.results.broken.push('/healthz did not answer while all connections waited')
    await owner.query('rollback')
  })
}
