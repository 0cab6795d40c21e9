// The machine's clock jumps forwards and backwards, by minutes up to weeks.
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDeliveries, type Followed, follow, watch } from '../deliveries.ts'
import type { Context, Experiment } from '../experiment.ts'
import { startLoad } from '../load/load.ts'
import { Orders } from '../load/orders.ts'
import type { Account, Venture } from '../load/world.ts'
import { Receiver } from '../receiver.ts'
import type { Setup } from '../setup.ts'
import { withSetup } from '../with-setup.ts'

const [minute_ms, hour_ms, day_ms] = [60_000, 3_600_000, 86_400_000]
const jumps_ms = [0, 5 * minute_ms, -5 * minute_ms, hour_ms, -hour_ms, day_ms, -2 * day_ms, -400 * day_ms]
/** How far the clock advances, sometimes not at all. Limits apply to calendar days, and a past day never returns. */
const steps_days = [0, 0, 0, 1, 1, 2, 31]

/** The daily limit, in euros. */
const limit = 50

export const clockJumps: Experiment = {
  name: 'clock-jumps',
  about: "the service's clock jumps forth and back by minutes to a year, while events are followed, webhooks sent, limits counted",
  async run(context) {
    const folder = mkdtempSync(join(tmpdir(), 'vostro-faults-clock-'))
    const clock = new Clock(join(folder, 'offset'))
    const receiver = await Receiver.open()
    const close = async () => {
      await receiver.goDown()
      rmSync(folder, { recursive: true, force: true })
    }
    await context.withCleanup(close, () =>
      withSetup(context, { hosting: 'embedded', ventures: 1, settings: clock.settings }, (setup) => play(context, setup, clock, receiver)),
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

async function play(context: Context, setup: Setup, clock: Clock, receiver: Receiver): Promise<void> {
  const [venture] = setup.world.ventures
  const [payee] = setup.world.accounts
  if (venture === undefined || payee === undefined) throw new Error('there is no account')
  const limited = await setup.world.openAccount(venture, 10_000_000n, { daily_limit: limit.toFixed(2) })
  await setup.world.addBeneficiary(limited, payee)
  const watched = await watch(setup, venture, receiver)
  const load = startLoad(context, setup, {
    clients: 6,
    resting_ms: 60,
    accounts: setup.world.accounts.filter((account) => account !== limited),
  })
  const stopping = new AbortController()
  const spending = spend(context, setup, { limited, payee }, stopping.signal)
  const following = followLive(setup, venture, stopping.signal)
  try {
    for (let days = 0; context.another(); days += context.random.pick(steps_days)) {
      clock.jump(days * day_ms + context.random.pick(jumps_ms))
      context.results.faults++
      context.say(`fault ${context.results.faults}`)
      await context.pause(600, 1_500)
    }
  } finally {
    clock.jump(0)
    await load.stop()
    // The last events become visible when no older transaction is open.
    await sleep(500)
    stopping.abort()
  }
  await spending
  checkFollowed(context, await following, await follow(setup, venture))
  await checkDeliveries(setup, context.results, watched)
  await checkLimits(context, setup, limited)
}

/** Sends orders from an account with a daily limit until one is refused, and again on another day. */
async function spend(
  context: Context,
  { bank, book }: Setup,
  { limited, payee }: Record<'limited' | 'payee', Account>,
  signal: AbortSignal,
): Promise<void> {
  const judge = ({ code }: { code: string }) => (code === 'limit_exceeded' ? ('declined' as const) : undefined)
  const orders = new Orders({ caller: bank.caller, book, results: context.results, random: context.random.fork('spending'), judge })
  while (!signal.aborted) {
    await orders.carryOut({ venture: limited.venture, kind: 'internal', account: limited, to: payee, amount: 700n })
    await sleep(20)
  }
}

/** Reads events like a follower that keeps a copy: always after the last event it saw. */
async function followLive(setup: Setup, venture: Venture, signal: AbortSignal): Promise<Followed[]> {
  const seen: Followed[] = []
  for (let last = false; !last; ) {
    last = signal.aborted
    seen.push(...(await follow(setup, venture, seen.at(-1)?.id)))
    await sleep(30)
  }
  return seen
}

function checkFollowed({ results }: Context, live: readonly Followed[], all: readonly Followed[]): void {
  const seen = new Set(live.map(({ id }) => id))
  const missed = all.filter(({ id }) => !seen.has(id))
  if (missed.length > 0) results.lost.push(`${missed.length} events were never shown to somebody who followed them`)
  if (seen.size !== live.length) results.doubled.push(`${live.length - seen.size} events were shown twice to somebody who followed them`)
  const sequences = new Map<string, number>()
  for (const { sequence, data } of live) {
    const before = sequences.get(data.object.id) ?? 0
    if (sequence !== before + 1) results.broken.push(`a follower saw the event ${sequence} of a resource after ${before}`)
    sequences.set(data.object.id, sequence)
  }
}

/** No more than the limit was sent on any day, whichever days the clock has shown. */
async function checkLimits({ results }: Context, { bank }: Setup, { id }: Account): Promise<void> {
  const { rows } = await bank.asOwner((owner) =>
    owner.query<{ day: string; sum: string }>(
      `select counted_on::text as day, sum(debit_amount)::text as sum from transfers
       where account_id = $1 and counted_on is not null group by counted_on order by counted_on`,
      [id],
    ),
  )
  for (const { day, sum } of rows) {
    if (Number(sum) > limit) results.broken.push(`on ${day} ${sum} was sent, with a limit of ${limit}`)
  }
  results.notes.push(`a daily limit was used on ${rows.length} days of the service's calendar`)
}
