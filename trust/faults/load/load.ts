// The load: clients that order, move, cancel, deposit and read, each one thing after the other, until they are told to stop.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scene } from '../scene.ts'
import type { Stage } from '../stage.ts'
import { type Order, type OrderKind, paths, type Wish } from './book.ts'
import { type Judge, Orders } from './orders.ts'
import type { Random } from './random.ts'
import type { Account } from './world.ts'

export type LoadOptions = {
  clients?: number
  /** Among which accounts; not said: all. */
  accounts?: readonly Account[]
  /** Takes part in every order. */
  hot?: Account
  /** How long a client rests between two orders at most. */
  resting_ms?: number
  judge?: Judge
}

export type Load = { stop(): Promise<void> }

export function startLoad(stage: Stage, scene: Scene, options: LoadOptions = {}): Load {
  const { clients = 16, resting_ms = 0, judge } = options
  const { bank, book } = scene
  const stopping = new AbortController()
  const client = async (number: number) => {
    const random = stage.random.fork(`client ${number}`)
    const orders = new Orders({ caller: bank.caller, book, tally: stage.tally, random, ...(judge === undefined ? {} : { judge }) })
    const own: Order[] = []
    while (!stopping.signal.aborted) {
      if (own.length > 0 && random.chance(0.3)) await read(stage, scene, random.pick(own), random)
      else own.push(await orders.carryOut(chooseOrder(scene, options, random)))
      if (resting_ms > 0) await sleep(random.integer(0, resting_ms))
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  // Whoever stops the load hears of what went wrong in it; until then it must not count as unhandled.
  running.catch(() => {})
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const kinds: readonly OrderKind[] = ['internal', 'internal', 'internal', 'deposit', 'cancelled']

function chooseOrder({ world }: Scene, { accounts = world.accounts, hot }: LoadOptions, random: Random): Wish {
  const kind = random.pick(kinds)
  const first = hot ?? random.pick(accounts)
  const others = accounts.filter((account) => account !== first && account.venture === first.venture && account.beneficiaries.has(first))
  const second = random.pick(others)
  // There and back, so that locks are asked for in both orders.
  const [account, to] = random.chance(0.5) ? [first, second] : [second, first]
  return { venture: account.venture, kind, account, to: kind === 'deposit' ? undefined : to, amount: BigInt(random.integer(1, 500)) }
}

/** Somebody who was told that something is done must find it so from then on. */
async function read(stage: Stage, { bank }: Scene, { venture, id, kind, done, account }: Order, random: Random): Promise<void> {
  const key = venture.api_key
  if (id === undefined || random.chance(0.3)) {
    const path = random.pick([`/api/v1/accounts/${account.id}`, '/api/v1/transfers?limit=10', '/api/v1/events?limit=10'])
    return void (await bank.caller.send({ method: 'GET', path, key }))
  }
  const reply = await bank.caller.send({ method: 'GET', path: `/api/v1/transfers/${id}`, key })
  if (reply.kind !== 'answer') return
  if (reply.status === 404) stage.tally.lost.push(`a ${kind} transfer is not found while everything runs`)
  if (reply.status === 200 && paths[kind].indexOf(reply.body.status) + 1 < done) {
    stage.tally.lost.push(`a ${kind} transfer is shown as ${reply.body.status} after ${paths[kind][done - 1]} was acknowledged`)
  }
}
