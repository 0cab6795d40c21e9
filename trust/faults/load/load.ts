// The load: concurrent clients that each order, move, cancel, deposit and read, one thing after the other, until stopped.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../experiment.ts'
import type { Setup } from '../setup.ts'
import { type Intent, type Order, type OrderKind, paths } from './book.ts'
import { type Judge, Orders } from './orders.ts'
import type { Random } from './random.ts'
import type { Account } from './world.ts'

export type LoadOptions = {
  clients?: number
  /** The accounts to use; all by default. */
  accounts?: readonly Account[]
  /** An account that takes part in every order. */
  hot?: Account
  /** The longest pause of a client between two orders. */
  resting_ms?: number
  judge?: Judge
}

export type Load = { stop(): Promise<void> }

export function startLoad(context: Context, setup: Setup, options: LoadOptions = {}): Load {
  const { clients = 16, resting_ms = 0, judge } = options
  const { bank, book } = setup
  const stopping = new AbortController()
  const client = async (number: number) => {
    const random = context.random.fork(`client ${number}`)
    const orders = new Orders({ caller: bank.caller, book, results: context.results, random, ...(judge === undefined ? {} : { judge }) })
    const own: Order[] = []
    while (!stopping.signal.aborted) {
      if (own.length > 0 && random.chance(0.3)) await read(context, setup, random.pick(own), random)
      else own.push(await orders.carryOut(chooseOrder(setup, options, random)))
      if (resting_ms > 0) await sleep(random.integer(0, resting_ms))
    }
  }
  const running = Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  // stop() reports an error of the load; until then its rejection must not count as unhandled.
  running.catch(() => {})
  return {
    async stop() {
      stopping.abort()
      await running
    },
  }
}

const kinds: readonly OrderKind[] = ['internal', 'internal', 'internal', 'deposit', 'cancelled']

function chooseOrder({ world }: Setup, { accounts = world.accounts, hot }: LoadOptions, random: Random): Intent {
  const kind = random.pick(kinds)
  const first = hot ?? random.pick(accounts)
  const others = accounts.filter((account) => account !== first && account.venture === first.venture && account.beneficiaries.has(first))
  const second = random.pick(others)
  // In both directions, so that locks are requested in both orders.
  const [account, to] = random.chance(0.5) ? [first, second] : [second, first]
  return { venture: account.venture, kind, account, to: kind === 'deposit' ? undefined : to, amount: BigInt(random.integer(1, 500)) }
}

/** Acknowledged changes must be visible from then on. */
async function read(context: Context, { bank }: Setup, { venture, id, kind, done, account }: Order, random: Random): Promise<void> {
  const key = venture.api_key
  if (id === undefined || random.chance(0.3)) {
    const path = random.pick([`/api/v1/accounts/${account.id}`, '/api/v1/transfers?limit=10', '/api/v1/events?limit=10'])
    return void (await bank.caller.send({ method: 'GET', path, key }))
  }
  const reply = await bank.caller.send({ method: 'GET', path: `/api/v1/transfers/${id}`, key })
  if (reply.kind !== 'answer') return
  if (reply.status === 404) context.results.lost.push(`a ${kind} transfer is not found while everything runs`)
  if (reply.status === 200 && paths[kind].indexOf(reply.body.status) + 1 < done) {
    context.results.lost.push(`a ${kind} transfer is shown as ${reply.body.status} after ${paths[kind][done - 1]} was acknowledged`)
  }
}
