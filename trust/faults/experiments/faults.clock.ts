// The clock of the machine jumps, forth and back, by minutes up to weeks.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeliveries, type Followed, follow, watch } from '../deliveries.ts'
import { startLoad } from '../load/load.ts'
import { Orders } from '../load/orders.ts'
import type { Account, Venture } from '../load/world.ts'
import { onScene } from '../play.ts'
import { Receiver } from '../receiver.ts'
import type { Scene } from '../scene.ts'
import type { Experiment, Stage } from '../stage.ts'

const [minute_ms, hour_ms, day_ms] = [60_000, 3_600_000, 86_400_000]
const jumps_ms = [0, 5 * minute_ms, -5 * minute_ms, hour_ms, -hour_ms, day_ms, -2 * day_ms, -400 * day_ms]
/** By how much it goes on for good; sometimes by nothing. Limits count by days, and a day that has passed does not come again. */
const steps_days = [0, 0, 0, 1, 1, 2, 31]

/** Of a day, in euros. */
const limit = 50

export const clockJumps: Experiment = {
  name: 'clock-jumps',
  about: "the service's clock jumps forth and back by minutes to a year, while events are followed, webhooks sent, limits counted",
  async run(stage) {
    const folder = mkdtempSync(join(tmpdir(), 'vostro-faults-clock-'))
    const clock = new Clock(join(folder, 'offset'))
    const receiver = await Receiver.open()
    const close = async () => {
      await receiver.goDown()
      rmSync(folder, { recursive: true, force: true })
    }
    await stage.closing(close, () =>
      onScene(stage, { hosting: 'embedded', ventures: 1, settings: clock.settings }, (scene) => play(stage, scene, clock, receiver)),
    )
  },
}

class Clock {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
    this.jump(0)
  }

  jump(offset_ms: number): void {
    writeFileSync(`${this.#file}.new`, String(offset_ms))
    renameSync(`${this.#file}.new`, this.#file)
  }

  get settings(): Record<string, string> {
    const preload = new URL('clock.preload.ts', import.meta.url)
    preload.searchParams.set('file', this.#file)
    return { NODE_OPTIONS: `--import ${preload.href}` }
  }
}

async function play(stage: Stage, scene: Scene, clock: Clock, receiver: Receiver): Promise<void> {
  const [venture] = scene.world.ventures
  const [payee] = scene.world.accounts
  if (venture === undefined || payee === undefined) throw new Error('there is no account')
  const limited = await scene.world.openAccount(venture, 10_000_000n, { daily_limit: limit.toFixed(2) })
  await scene.world.acquaint(limited, payee)
  const watched = await watch(scene, venture, receiver)
  const load = startLoad(stage, scene, {
    clients: 6,
    resting_ms: 60,
    accounts: scene.world.accounts.filter((account) => account !== limited),
  })
  const stopping = new AbortController()
  const spending = spend(stage, scene, { limited, payee }, stopping.signal)
  const following = followLive(scene, venture, stopping.signal)
  try {
    for (let days = 0; stage.another(); days += stage.random.pick(steps_days)) {
      clock.jump(days * day_ms + stage.random.pick(jumps_ms))
      stage.tally.faults++
      stage.say(`fault ${stage.tally.faults}`)
      await stage.pause(600, 1_500)
    }
  } finally {
    clock.jump(0)
    await load.stop()
    // The last events are shown when no older transaction is open.
    await sleep(500)
    stopping.abort()
  }
  await spending
  checkFollowed(stage, await following, await follow(scene, venture))
  await checkDeliveries(scene, stage.tally, watched)
  await checkLimits(stage, scene, limited)
}

/** Orders from an account with a daily limit, until it is refused, and again when there is another day. */
async function spend(
  stage: Stage,
  { bank, book }: Scene,
  { limited, payee }: Record<'limited' | 'payee', Account>,
  signal: AbortSignal,
): Promise<void> {
  const judge = ({ code }: { code: string }) => (code === 'limit_exceeded' ? ('declined' as const) : undefined)
  const orders = new Orders({ caller: bank.caller, book, tally: stage.tally, random: stage.random.fork('spending'), judge })
  while (!signal.aborted) {
    await orders.carryOut({ venture: limited.venture, kind: 'internal', account: limited, to: payee, amount: 700n })
    await sleep(20)
  }
}

/** As somebody does who keeps a copy: always on from the last event that they saw. */
async function followLive(scene: Scene, venture: Venture, signal: AbortSignal): Promise<Followed[]> {
  const seen: Followed[] = []
  for (let last = false; !last; ) {
    last = signal.aborted
    seen.push(...(await follow(scene, venture, seen.at(-1)?.id)))
    await sleep(30)
  }
  return seen
}

function checkFollowed({ tally }: Stage, live: readonly Followed[], all: readonly Followed[]): void {
  const seen = new Set(live.map(({ id }) => id))
  const missed = all.filter(({ id }) => !seen.has(id))
  if (missed.length > 0) tally.lost.push(`${missed.length} events were never shown to somebody who followed them`)
  if (seen.size !== live.length) tally.doubled.push(`${live.length - seen.size} events were shown twice to somebody who followed them`)
  const sequences = new Map<string, number>()
  for (const { sequence, data } of live) {
    const before = sequences.get(data.object.id) ?? 0
    if (sequence !== before + 1) tally.broken.push(`a follower saw the event ${sequence} of a resource after ${before}`)
    sequences.set(data.object.id, sequence)
  }
}

/** On no day was more sent than the limit allows, whichever days the clock has named. */
async function checkLimits({ tally }: Stage, { bank }: Scene, { id }: Account): Promise<void> {
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ day: string; sum: string }>(
      `select counted_on::text as day, sum(debit_amount)::text as sum from transfers
       where account_id = $1 and counted_on is not null group by counted_on order by counted_on`,
      [id],
    ),
  )
  for (const { day, sum } of rows) {
    if (Number(sum) > limit) tally.broken.push(`on ${day} ${sum} was sent, with a limit of ${limit}`)
  }
  tally.notes.push(`a daily limit was used on ${rows.length} days of the service's calendar`)
}
