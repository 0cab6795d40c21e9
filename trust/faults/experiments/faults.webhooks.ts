// Whoever delivers dies, and whoever receives is down, slow, or worse.
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeliveries, type Watched, watch } from '../deliveries.ts'
import { startLoad } from '../load/load.ts'
import { onScene } from '../play.ts'
import { type Arrival, type Manner, obliging, Receiver } from '../receiver.ts'
import type { Scene } from '../scene.ts'
import type { Experiment, Stage } from '../stage.ts'

/** As much as a receiver can take while somebody watches each delivery. */
const gentle = { clients: 4, resting_ms: 100 }

export const courierKilled: Experiment = {
  name: 'courier-killed',
  about: 'the service killed between sending a webhook and writing down that it was sent',
  readyWithin_ms: 2_000,
  run: (stage) =>
    withReceiver(stage, async (scene, { receiver }) => {
      while (stage.another()) {
        await stage.pause(300, 900)
        const killed = await killAtDelivery(stage, scene, receiver)
        await scene.bank.start()
        stage.tally.ready_ms.push(await scene.bank.untilReady(killed))
        stage.tally.faults++
        stage.say(`fault ${stage.tally.faults}`)
        await expectRepetition(stage, receiver)
      }
    }),
}

/** What was sent and not written down is sent again, once the lease of the courier that died has run out. */
async function expectRepetition({ tally }: Stage, { arrivals }: Receiver): Promise<void> {
  const deadline = performance.now() + 20_000
  const before = repetitions(arrivals)
  while (repetitions(arrivals) === before && performance.now() < deadline) await sleep(100)
  if (repetitions(arrivals) === before) tally.broken.push('what was sent when the service was killed was not sent again')
}

function repetitions(arrivals: readonly Arrival[]): number {
  return arrivals.length - new Set(arrivals.map(({ id }) => id)).size
}

/** Kills the service when a delivery is on its way, right before or right after it was answered; tells when. */
async function killAtDelivery(stage: Stage, { bank }: Scene, receiver: Receiver): Promise<number> {
  const answers = stage.random.chance(0.5)
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

/** A receiver that misbehaves in its own way until it is told to stop. */
type Misbehaviour = {
  begin(receiver: Receiver, stage: Stage): Promise<void>
  end(scene: Scene, watched: Watched, stage: Stage): Promise<void>
}

function misbehaving(name: string, about: string, { begin, end }: Misbehaviour): Experiment {
  return {
    name,
    about,
    run: (stage) =>
      withReceiver(stage, async (scene, watched) => {
        while (stage.another()) {
          await stage.pause(300, 900)
          await begin(watched.receiver, stage)
          await stage.pause(2_000, 6_000)
          await end(scene, watched, stage)
          stage.tally.faults++
          stage.say(`fault ${stage.tally.faults}`)
          await stage.pause(500, 1_000)
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
  async end({ bank }, { receiver, endpoint_id, venture }, { tally }) {
    const deadline = performance.now() + 20_000
    const question = { path: `/api/v1/webhook-endpoints/${endpoint_id}`, key: venture.api_key }
    // Load goes on, so that there is something to be refused sooner or later.
    while ((await bank.caller.must({ ...question, method: 'GET' })).status === 'ACTIVE' && performance.now() < deadline) await sleep(50)
    if (performance.now() >= deadline) tally.broken.push('an endpoint that answers 410 was not disabled')
    receiver.manner = obliging
    await bank.caller.must({ ...question, method: 'PUT', body: { status: 'ACTIVE' } })
  },
})

/** Load, a receiver of its events, and another one that minds its own business and must not notice anything. */
async function withReceiver(stage: Stage, play: (scene: Scene, watched: Watched) => Promise<void>): Promise<void> {
  const [receiver, neighbour] = [await Receiver.open(), await Receiver.open()]
  const close = async () => {
    await receiver.goDown()
    await neighbour.goDown()
  }
  await stage.closing(close, () =>
    onScene(stage, { hosting: 'embedded', ventures: 1 }, async (scene) => {
      const [venture] = scene.world.ventures
      if (venture === undefined) throw new Error('there is no venture')
      const watched = [await watch(scene, venture, receiver), await watch(scene, venture, neighbour)] as const
      const load = startLoad(stage, scene, gentle)
      try {
        await play(scene, watched[0])
      } finally {
        await load.stop()
      }
      await scene.bank.untilReady()
      for (const each of watched) await checkDeliveries(scene, stage.tally, each)
    }),
  )
}
