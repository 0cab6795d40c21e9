// The sender of deliveries dies; the receiver is down, slow, or worse.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeliveries, type Watched, watch } from '../deliveries.ts'
import type { Context, Experiment } from '../experiment.ts'
import { startLoad } from '../load/load.ts'
import { type Arrival, type Manner, obliging, Receiver } from '../receiver.ts'
import type { Setup } from '../setup.ts'
import { withSetup } from '../with-setup.ts'

/** As much as a receiver can handle while an experiment watches each delivery. */
const gentle = { clients: 4, resting_ms: 100 }

export const courierKilled: Experiment = {
  name: 'courier-killed',
  about: 'the service killed between sending a webhook and writing down that it was sent',
  readyWithin_ms: 2_000,
  run: (context) =>
    withReceiver(context, async (setup, { receiver }) => {
      while (context.another()) {
        await context.pause(300, 900)
        const killed = await killAtDelivery(context, setup, receiver)
        await setup.bank.start()
        context.results.ready_ms.push(await setup.bank.untilReady(killed))
        context.results.faults++
        context.say(`fault ${context.results.faults}`)
        await expectRepetition(context, receiver)
      }
    }),
}

/** A delivery that was sent but not recorded is sent again once the lease of the dead courier has expired. */
async function expectRepetition({ results }: Context, { arrivals }: Receiver): Promise<void> {
  const deadline = performance.now() + 20_000
  const before = repetitions(arrivals)
  while (repetitions(arrivals) === before && performance.now() < deadline) await sleep(100)
  if (repetitions(arrivals) === before) results.broken.push('what was sent when the service was killed was not sent again')
}

function repetitions(arrivals: readonly Arrival[]): number {
  return arrivals.length - new Set(arrivals.map(({ id }) => id)).size
}

/** Kills the service during a delivery, right before or right after the response; returns when. */
async function killAtDelivery(context: Context, { bank }: Setup, receiver: Receiver): Promise<number> {
  const answers = context.random.chance(0.5)
  const { promise, resolve } = Promise.withResolvers<number>()
  let armed = true
  receiver.manner = async (response, arrival) => {
    if (!armed) return obliging(response, arrival)
    armed = false
    if (answers) {
      response.writeHead(200).end('thank you')
      await once(response, 'finish')
    }
    const killed = performance.now()
    await bank.killService()
    receiver.manner = obliging
    resolve(killed)
    return answers
  }
  return promise
}

/** A receiver with its own misbehaviour, until stopped. */
type Misbehaviour = {
  begin(receiver: Receiver, context: Context): Promise<void>
  end(setup: Setup, watched: Watched, context: Context): Promise<void>
}

function misbehaving(name: string, about: string, { begin, end }: Misbehaviour): Experiment {
  return {
    name,
    about,
    run: (context) =>
      withReceiver(context, async (setup, watched) => {
        while (context.another()) {
          await context.pause(300, 900)
          await begin(watched.receiver, context)
          await context.pause(2_000, 6_000)
          await end(setup, watched, context)
          context.results.faults++
          context.say(`fault ${context.results.faults}`)
          await context.pause(500, 1_000)
        }
      }),
  }
}

const behaving = (manner: Manner): Misbehaviour => ({
  async begin(receiver) {
    receiver.manner = manner
  },
  async end(_scene, { receiver }) {
    receiver.manner = obliging
  },
})

export const receiverDown = misbehaving('receiver-down', 'nobody listens at the address of a webhook for seconds', {
  begin: (receiver) => receiver.goDown(),
  end: (_scene, { receiver }) => receiver.comeBack(),
})

export const receiverSlow = misbehaving(
  'receiver-slow',
  'a receiver takes seconds for each answer',
  behaving(async (response, arrival) => {
    await sleep(3_000)
    return obliging(response, arrival)
  }),
)

export const receiverEndless = misbehaving(
  'receiver-endless',
  'a receiver answers with a body that never ends',
  behaving((response, { sequence }) => {
    const good = sequence % 2 === 0
    response.writeHead(good ? 200 : 500)
    const pour = () => {
      while (!response.destroyed && response.write('x'.repeat(64 * 1024)));
    }
    response.on('drain', pour)
    pour()
    return good
  }),
)

export const receiverRedirecting = misbehaving(
  'receiver-redirecting',
  'a receiver sends webhooks elsewhere, where none may arrive',
  behaving((response) => {
    response.writeHead(307, { location: '/elsewhere' }).end()
    return false
  }),
)

export const receiverGone = misbehaving('receiver-gone', 'a receiver says 410 and is disabled, until its venture enables it again', {
  async begin(receiver) {
    receiver.manner = (response) => {
      response.writeHead(410).end()
      return false
    }
  },
  async end({ bank }, { receiver, endpoint_id, venture }, { results }) {
    const deadline = performance.now() + 20_000
    const question = { path: `/api/v1/webhook-endpoints/${endpoint_id}`, key: venture.api_key }
    // The load continues, so that there are deliveries to fail.
    while ((await bank.caller.must({ ...question, method: 'GET' })).status === 'ACTIVE' && performance.now() < deadline) await sleep(50)
    if (performance.now() >= deadline) results.broken.push('an endpoint that answers 410 was not disabled')
    receiver.manner = obliging
    await bank.caller.must({ ...question, method: 'PUT', body: { status: 'ACTIVE' } })
  },
})

/** Load, a receiver of its events, and an independent receiver that must not be affected. */
async function withReceiver(context: Context, play: (setup: Setup, watched: Watched) => Promise<void>): Promise<void> {
  const [receiver, neighbour] = [await Receiver.open(), await Receiver.open()]
  const close = async () => {
    await receiver.goDown()
    await neighbour.goDown()
  }
  await context.withCleanup(close, () =>
    withSetup(context, { hosting: 'embedded', ventures: 1 }, async (setup) => {
      const [venture] = setup.world.ventures
      if (venture === undefined) throw new Error('there is no venture')
      const watched = [await watch(setup, venture, receiver), await watch(setup, venture, neighbour)] as const
      const load = startLoad(context, setup, gentle)
      try {
        await play(setup, watched[0])
      } finally {
        await load.stop()
      }
      await setup.bank.untilReady()
      for (const each of watched) await checkDeliveries(setup, context.results, each)
    }),
  )
}
