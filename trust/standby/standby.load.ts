// What all scenarios do while a server is lost or replaced: load, or single orders, and the time in which nothing was acknowledged.
import type { Context } from '../faults/experiment.ts'
import type { Order } from '../faults/load/book.ts'
import { describe } from '../faults/load/caller.ts'
import { startLoad } from '../faults/load/load.ts'
import { Orders } from '../faults/load/orders.ts'
import { cents } from '../faults/load/world.ts'
import type { Setup } from '../faults/setup.ts'

export type Scene = {
  context: Context
  setup: Setup
  /** The longest time without an acknowledgement, of each failure. */
  silent_ms: number[]
}

/** Repeats a failure under load, at least once. */
export async function underLoad<Kind extends Scene>(scene: Kind, fault: (scene: Kind) => Promise<void>): Promise<void> {
  const { context, setup } = scene
  const load = startLoad(context, setup, { clients: 8 })
  try {
    while (context.another()) {
      await context.pause(500, 1_000)
      await watchingSilence(scene, async () => {
        await fault(scene)
        await context.pause(500, 1_000)
      })
    }
  } finally {
    await load.stop()
  }
  await setup.bank.untilReady()
}

/** Measures the longest time in which nothing was acknowledged. */
export async function watchingSilence({ context: { results }, silent_ms }: Omit<Scene, 'setup'>, use: () => Promise<void>): Promise<void> {
  let [count, since, longest] = [results.acknowledged, performance.now(), 0]
  const look = () => {
    longest = Math.max(longest, performance.now() - since)
    if (results.acknowledged === count) return
    count = results.acknowledged
    since = performance.now()
  }
  const timer = setInterval(look, 5)
  try {
    await use()
    look()
  } finally {
    clearInterval(timer)
  }
  silent_ms.push(longest)
}

/** Sends orders one by one, each once; returns those with an unknown outcome. */
export async function sendOrders({ context, setup }: Scene, count: number, during: () => Promise<void> = async () => {}): Promise<Order[]> {
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
      // Acknowledged orders must exist at the end.
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
export async function resolveOrders({ context, setup }: Scene, unknown: readonly Order[]): Promise<void> {
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
