// A worker is killed under load and comes back: at any moment, and between PREPARE and COMMIT PREPARED, before and after the coordinator has committed.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from '../../server/src/testing/testing.cluster.ts'
import { signal } from '../../server/src/testing/testing.programs.ts'
import type { PostgresServer } from '../../server/src/testing/testing.standby.ts'
import { startLoad } from '../faults/load/load.ts'
import type { Options, Scene } from './cluster.types.ts'

type Kill = (cluster: Cluster, worker: PostgresServer) => Promise<number>

/** How a worker is killed. Each returns how many transactions were prepared on it at that moment, as far as that is known. */
const ways: Readonly<Record<string, Kill>> = {
  'at any moment': async (_, worker) => {
    await worker.kill()
    return 0
  },

  /**
   * A COMMIT on the coordinator that waits for a standby has prepared the transaction on the workers, is decided, and has not told them. The standby
   * does not exist, so every COMMIT waits.
   */
  'after the decision': async ({ coordinator }, worker) => {
    await coordinator.setSynchronous(true)
    try {
      await coordinator.untilCommitsWait()
      const prepared = await untilPrepared(worker)
      await worker.kill()
      return prepared
    } finally {
      await coordinator.setSynchronous(false)
    }
  },

  /** The name of a prepared transaction contains the coordinator process that prepared it. A process stopped there cannot continue. */
  'in between': async (_, worker) => {
    const stopped = await stopPrepared(worker)
    await worker.kill()
    if (stopped !== undefined) signal(stopped, 'SIGCONT')
    return stopped === undefined ? 0 : 1
  },
}

export const workerKilled =
  ({ kills }: Options) =>
  async ({ context, cluster, setup }: Scene): Promise<void> => {
    const load = startLoad(context, setup, { clients: 16 })
    const names = Object.keys(ways)
    const counts = new Map(names.map((name) => [name, { kills: 0, prepared: 0, left: 0 }]))
    try {
      for (let number = 0; number < kills; number++) {
        await context.pause(300, 1_500)
        const worker = context.random.pick(cluster.workers)
        const name = names[number % names.length] as string
        const count = counts.get(name) as { kills: number; prepared: number; left: number }
        count.prepared += await (ways[name] as Kill)(cluster, worker)
        count.kills++
        context.results.faults++
        await startAgain(worker)
        count.left += await preparedOn(worker)
        await setup.bank.untilReady()
        context.say(`killed ${number + 1} of ${kills} times, ${context.results.acknowledged} acknowledged`)
      }
    } finally {
      await load.stop()
    }
    for (const worker of cluster.workers) while ((await preparedOn(worker)) > 0) await sleep(200)
    for (const [name, { kills, prepared, left }] of counts) {
      context.results.notes.push(
        `killed ${name}: ${kills} times, ${prepared} transactions prepared before, ${left} found prepared after the restart`,
      )
    }
    if ([...counts.values()].every(({ left }) => left === 0)) {
      context.results.broken.push('no worker was killed between PREPARE and COMMIT PREPARED')
    }
    await setup.bank.untilReady()
  }

/** For a moment after its death the number of a process still counts as taken. */
export async function startAgain(worker: PostgresServer): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await worker.start()
    } catch (error) {
      if (attempt === 20) throw error
      await sleep(250)
    }
  }
}

/** Transactions are prepared all the time. A worker on which none is by then gets no writes. */
const patience_ms = 5_000

const prepared = `select gid from pg_prepared_xacts where database = current_database()`

/** Waits for a transaction that is prepared, and returns how many are. */
function untilPrepared(worker: PostgresServer): Promise<number> {
  return worker.asOwner(async (client) => {
    const end = performance.now() + patience_ms
    for (;;) {
      const { rowCount } = await client.query(prepared)
      if ((rowCount ?? 0) > 0 || performance.now() > end) return rowCount ?? 0
    }
  })
}

/** Stops a process of the coordinator whose transaction is prepared on the worker and stays so. Returns its id, or undefined if none could be caught. */
function stopPrepared(worker: PostgresServer): Promise<number | undefined> {
  return worker.asOwner(async (client) => {
    const end = performance.now() + patience_ms
    while (performance.now() < end) {
      const { rows } = await client.query<{ gid: string }>(prepared)
      for (const { gid } of rows) {
        const pid = Number(/^citus_\d+_(\d+)_/.exec(gid)?.[1])
        signal(pid, 'SIGSTOP')
        // Earlier requests have arrived by then.
        await sleep(50)
        const { rowCount } = await client.query('select from pg_prepared_xacts where gid = $1', [gid])
        if (rowCount === 1) return pid
        signal(pid, 'SIGCONT')
      }
    }
    return undefined
  })
}

export function preparedOn(worker: PostgresServer): Promise<number> {
  return worker.asOwner(async (client) => (await client.query(prepared)).rowCount ?? 0)
}
