// What a failover could lose: each scenario loses or replaces the primary of a pair of servers, and then compares what was
// acknowledged with what the new primary has.
import { setTimeout as sleep } from 'node:timers/promises'
import { TcpProxy } from '../../server/src/testing/testing.proxy.ts'
import { Pair } from '../../server/src/testing/testing.standby.ts'
import type { Context, Experiment } from '../faults/experiment.ts'
import { describe } from '../faults/load/caller.ts'
import { withSetup } from '../faults/with-setup.ts'
import { resolveOrders, type Scene, sendOrders, underLoad, watchingSilence } from './standby.load.ts'

export type Options = {
  /** The folder with the PostgreSQL programs (default: those of the embedded one). */
  binaries?: string
  /** How many orders are sent, one after the other, while the standby is away. */
  orders: number
}

export type Scenario = Experiment & {
  /** The longest time without an acknowledgement, of each failure. */
  silent_ms: number[]
}

/** How the service reaches the pair: both hosts are in its URL, or a balancer is, which forwards to one of them. */
type Access = 'hosts' | 'balancer'

type PairScene = Scene & { pair: Pair; balancer: TcpProxy }

type Run = (scene: PairScene) => Promise<void>

export function scenarios(options: Options): Scenario[] {
  const scenario = (name: string, about: string, run: Run, access: Access = 'hosts'): Scenario => {
    const silent_ms: number[] = []
    return { name, about, silent_ms, run: (context) => withPair(context, options, access, (scene) => run({ ...scene, silent_ms })) }
  }
  return [
    scenario('primary-lost', 'the primary is lost under load, with the standby in reach, which is promoted', primaryLost),
    scenario('switchover', 'under load the primary is stopped in order, the standby promoted, and the old primary follows it', switchover),
    scenario('standby-away', 'orders while the standby is away; it comes back', standbyAway(options)),
    scenario('commit-cancelled', 'the standby is away, each COMMIT is cancelled, then the primary is lost', commitCancelled(options)),
    scenario(
      'crash-restart',
      'the standby is away, the primary crashes in each COMMIT and restarts, then it is lost',
      crashRestart(options),
    ),
    scenario('balancer-astray', 'under load the balancer points at the standby for a while', balancerAstray, 'balancer'),
  ]
}

async function withPair(
  context: Context,
  { binaries }: Options,
  access: Access,
  use: (scene: Omit<PairScene, 'silent_ms'>) => Promise<void>,
): Promise<void> {
  context.say('starting two servers')
  const pair = await Pair.open(binaries === undefined ? {} : { binaries })
  const balancer = await TcpProxy.open(pair.primary.url('service'))
  const close = async () => {
    balancer.close()
    await pair.close()
  }
  await context.withCleanup(close, () => {
    const hosting = { serviceUrl: access === 'hosts' ? pair.url('service') : balancer.url, ownerUrl: pair.url('owner') }
    return withSetup(context, { hosting }, (setup) => use({ context, setup, pair, balancer }))
  })
}

const primaryLost: Run = (scene) =>
  underLoad(scene, async ({ context, pair }) => {
    await pair.primary.kill()
    context.results.faults++
    await pair.promote()
    await scene.setup.bank.untilReady()
    await context.pause(500, 1_000)
    // A new copy: the lost primary may have commits without a response.
    await pair.replaceStandby()
  })

const switchover: Run = (scene) =>
  underLoad(scene, async ({ context, pair, setup }) => {
    await pair.primary.stop()
    context.results.faults++
    await pair.promote()
    await pair.rejoin()
    await setup.bank.untilReady()
  })

const standbyAway =
  ({ orders }: Options): Run =>
  (scene) =>
    watchingSilence(scene, async () => {
      const { context, setup, pair } = scene
      await pair.standby.kill()
      context.results.faults++
      const unknown = await sendOrders(scene, orders)
      await pair.startStandby()
      await pair.primary.untilStandbyIsThere()
      await resolveOrders(scene, unknown)
      await setup.bank.untilReady()
    })

const commitCancelled = ({ orders }: Options): Run =>
  failingCommits(orders, async ({ pair }, pid) => {
    await pair.primary.cancel(pid)
  })

const crashRestart = ({ orders }: Options): Run =>
  failingCommits(orders, async ({ pair }, pid) => {
    // PostgreSQL ends all other backends, recovers, and shows the commit that the standby does not have.
    process.kill(pid, 'SIGKILL')
    await pair.primary.untilAnswering()
  })

/** The standby is away; `fail` happens to each COMMIT that waits for it; then the primary is lost and the standby is promoted. */
function failingCommits(orders: number, fail: (scene: PairScene, pid: number) => Promise<void>): Run {
  return (scene) =>
    watchingSilence(scene, async () => {
      const { context, setup, pair } = scene
      await pair.standby.kill()
      const unknown = await sendOrders(scene, orders, async () => {
        const [pid = 0] = await pair.primary.untilCommitsWait()
        await fail(scene, pid)
        context.results.faults++
      })
      await pair.primary.kill()
      await pair.startStandby()
      await pair.promote()
      await setup.bank.untilReady()
      await resolveOrders(scene, unknown)
    })
}

const balancerAstray: Run = (scene) =>
  underLoad(scene, async ({ context, pair, setup, balancer }) => {
    balancer.pointAt(pair.standby.url('service'))
    balancer.cut()
    context.results.faults++
    await sleep(1_000)
    for (const path of ['/readyz', '/api/v1/transfers']) {
      const reply = await setup.bank.caller.send({ method: 'GET', path, key: setup.world.ventures[0]?.api_key ?? '' })
      if (describe(reply) !== '503 unavailable')
        context.results.broken.push(`GET ${path} on a standby was answered with ${describe(reply)}`)
    }
    balancer.pointAt(pair.primary.url('service'))
    balancer.cut()
    await setup.bank.untilReady()
  })
