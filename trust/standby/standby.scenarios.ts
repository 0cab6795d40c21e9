// What a failover could take back: each scenario loses or replaces the primary of a pair of servers, and then compares what was
// acknowledged with what the new primary has.
import { setTimeout as sleep } from 'node:timers/promises'
import { TcpProxy } from '../../server/src/testing/testing.proxy.ts'
import { Pair } from '../../server/src/testing/testing.standby.ts'
import type { Context, Experiment } from '../faults/experiment.ts'
import type { Order } from '../faults/load/book.ts'
import { describe } from '../faults/load/caller.ts'
import { startLoad } from '../faults/load/load.ts'
import { Orders } from '../faults/load/orders.ts'
import { cents } from '../faults/load/world.ts'
import type { Results } from '../faults/results.ts'
import type { Setup } from '../faults/setup.ts'
import { withSetup } from '../faults/with-setup.ts'

export type Options = {
  /** The folder with the programs of PostgreSQL; those of the embedded one if not given. */
  binaries?: string
  /** How many orders are sent, one after the other, while the standby is away. */
  orders: number
}

export type Scenario = Experiment & {
  /** The longest time under load without an acknowledgement, of each failover. */
  silent_ms: number[]
}

/** How the service reaches the pair: both hosts are in its URL, or a balancer is, which forwards to one of them. */
type Access = 'hosts' | 'balancer'

type Scene = { context: Context; setup: Setup; pair: Pair; balancer: TcpProxy; silent_ms: number[] }

type Run = (scene: Scene) => Promise<void>

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
  use: (scene: Omit<Scene, 'silent_ms'>) => Promise<void>,
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

async function underLoad(scene: Scene, fault: Run): Promise<void> {
  const { context, setup, silent_ms } = scene
  const load = startLoad(context, setup, { clients: 8 })
  try {
    while (context.another()) {
      await context.pause(500, 1_000)
      const watch = watchSilence(context.results)
      await fault(scene)
      await context.pause(500, 1_000)
      silent_ms.push(watch.stop())
    }
  } finally {
    await load.stop()
  }
  await setup.bank.untilReady()
}

/** Measures the longest time in which nothing was acknowledged. */
function watchSilence(results: Results): { stop(): number } {
  let [count, since, longest] = [results.acknowledged, performance.now(), 0]
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - since)
    if (results.acknowledged === count) return
    count = results.acknowledged
    since = performance.now()
  }, 5)
  return {
    stop() {
      clearInterval(timer)
      return longest
    },
  }
}

const standbyAway =
  ({ orders }: Options): Run =>
  async (scene) => {
    const { context, setup, pair } = scene
    await pair.standby.kill()
    context.results.faults++
    const unknown = await sendOrders(scene, orders, async () => {})
    await pair.startStandby()
    await pair.primary.untilStandbyIsThere()
    await resolveOrders(scene, unknown)
    await setup.bank.untilReady()
  }

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
function failingCommits(orders: number, fail: (scene: Scene, pid: number) => Promise<void>): Run {
  return async (scene) => {
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
  }
}

/** Sends orders one after the other, each once; returns those whose outcome is unknown. */
async function sendOrders({ context, setup }: Scene, count: number, during: () => Promise<void>): Promise<Order[]> {
  const { bank, book, world } = setup
  const unknown: Order[] = []
  for (let number = 0; number < count; number++) {
    const account = context.random.pick(world.accounts)
    const order = book.add({ venture: account.venture, kind: 'deposit', account, to: undefined, amount: 100n })
    const body = {
      account_id: account.id,
      unique_reference: order.reference,
      direction: 'INBOUND',
      credit_amount: cents(order.amount),
      dr_name: 'Sandbox',
    }
    context.say(`order ${number + 1} of ${count}`)
    const sent = bank.caller.send({ method: 'POST', path: '/api/v1/transfers', key: account.venture.api_key, body })
    const [reply] = await Promise.all([sent, during()])
    if (reply.kind === 'answer' && reply.status === 201) {
      // What is acknowledged must be there at the end.
      context.results.acknowledged++
      order.id = reply.body.id
      order.done = 1
    } else if (reply.kind === 'answer' && reply.code === 'outcome_unknown') {
      unknown.push(order)
    } else {
      context.results.broken.push(`an order while the standby was away was answered with ${describe(reply)}`)
    }
  }
  return unknown
}

/** Repeats the orders whose outcome is unknown, as their clients would: each is there once in the end. */
async function resolveOrders({ context, setup }: Scene, unknown: readonly Order[]): Promise<void> {
  const { results } = context
  const orders = new Orders({ caller: setup.bank.caller, book: setup.book, results, random: context.random.fork('repeated') })
  for (const order of unknown) {
    results.unknown++
    if (await orders.isThere({ order, at: 0 })) {
      order.done = 1
      results.foundDone++
    } else if (await orders.take({ order, at: 0 })) {
      results.foundNotDone++
    } else {
      results.broken.push('an order whose outcome was unknown could not be repeated')
    }
  }
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
