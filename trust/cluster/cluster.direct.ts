// Batches that go straight to their workers lose what they go through: the service, a worker, the coordinator, or one of their connections. Whatever claims on
// references are left behind then, the references are free.
import { setTimeout as sleep } from 'node:timers/promises'
import { signal } from '../../server/src/testing/testing.programs.ts'
import type { PostgresServer } from '../../server/src/testing/testing.standby.ts'
import { startLoad } from '../faults/load/load.ts'
import type { Judge } from '../faults/load/orders.ts'
import { World } from '../faults/load/world.ts'
import { startAgain } from './cluster.killed.ts'
import type { Options, Scene } from './cluster.types.ts'

type Fault = (scene: Scene, worker: PostgresServer) => Promise<void>

const faults: Readonly<Record<string, Fault>> = {
  'the service': async ({ setup: { bank } }) => {
    await bank.killService()
    await bank.start()
  },
  'a connection to a worker': async (_, worker) => {
    // Not those of the coordinator, and none of them says goodbye.
    await worker.asOwner((client) =>
      client.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'vostro' and state <> 'idle' order by random() limit 2`,
      ),
    )
  },
  'a worker': async (_, worker) => {
    await worker.kill()
    await startAgain(worker)
  },
  'the coordinator': async ({ cluster: { coordinator } }) => {
    await coordinator.kill()
    await startAgain(coordinator)
  },
  'a connection that hangs': async (_, worker) => {
    const stopped = await worker.asOwner(async (client) => {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'vostro' and state <> 'idle' and xact_start is not null order by random() limit 1`,
      )
      return rows[0]?.pid
    })
    if (stopped === undefined) return
    signal(stopped, 'SIGSTOP')
    await sleep(4_000)
    signal(stopped, 'SIGCONT')
  },
}

/** A request that is repeated while the first one has not ended, because what carries it out hangs or has to be looked for, is told to wait. */
const stillRunning: Judge = ({ status, code }) => (status === 409 && code === 'idempotency_key_in_use' ? 'again' : undefined)

type Left = { reference: string }

/** Claims without a transfer, and how many claims were made ahead at all. */
async function claimsOf({ coordinator }: Scene['cluster']): Promise<{ all: number; ahead: number; left: Left[] }> {
  return coordinator.asOwner(async (client) => {
    const { rows: counts } = await client.query<{ all: number; ahead: number }>(
      'select count(*)::int as "all", count(attempt)::int as ahead from transfer_references',
    )
    const { rows: left } = await client.query<Left>(
      `select claim.unique_reference as reference
       from transfer_references claim left join transfers on transfers.venture_id = claim.venture_id and transfers.id = claim.transfer_id
       where transfers.id is null order by 1`,
    )
    return { all: 0, ahead: 0, ...counts[0], left }
  })
}

export const goneStraight =
  ({ kills }: Options) =>
  async (scene: Scene): Promise<void> => {
    const { context, cluster, setup } = scene
    const { results } = context
    const load = startLoad(context, setup, { clients: 24, judge: stillRunning })
    const names = Object.keys(faults)
    const rounds = Math.max(kills, names.length) * 2
    try {
      for (let number = 0; number < rounds; number++) {
        await context.pause(300, 2_500)
        const name = names[number % names.length] as string
        await faults[name]?.(scene, context.random.pick(cluster.workers))
        results.faults++
        await setup.bank.untilReady()
        context.say(`lost ${name}, fault ${number + 1} of ${rounds}, ${results.acknowledged} acknowledged`)
      }
    } finally {
      await load.stop()
    }
    const { all, ahead, left } = await claimsOf(cluster)
    if (ahead === 0) results.broken.push('no batch went straight to its worker')
    // By a venture that had nothing to do with them, and whose transfers nobody counts.
    const { accounts } = await World.create(setup.bank, { ventures: 1, accounts: 2 })
    const [account] = accounts
    for (const { reference } of left) {
      const body = {
        ...{ account_id: account?.id, beneficiary_id: account?.beneficiaries.values().next().value, unique_reference: reference },
        ...{ debit_amount: '0.01', purpose: 'Left behind' },
      }
      const reply = await setup.bank.caller.send({ method: 'POST', path: '/api/v1/transfers', key: account?.venture.api_key ?? '', body })
      if (reply.kind !== 'answer' || reply.status !== 201)
        results.broken.push(`the reference ${reference} is not free: ${reply.kind === 'answer' ? JSON.stringify(reply.body) : reply.kind}`)
    }
    const after = await claimsOf(cluster)
    if (after.left.length > 0) results.broken.push(`${after.left.length} claims still lead nowhere`)
    results.notes.push(`${ahead} of ${all} claims were made ahead; ${left.length} led nowhere, and their references were used again`)
  }
