// The transactions of requests with many orders. Those of a venture that wait share one: most of what they read and lock is the same, and they
// would wait for each other's accounts. Ventures do not share, so nobody waits because another venture's request is refused.
import { Batches, SomeAlone } from '../../platform/batches.ts'
import { type Accompanied, acquireCompanions } from '../../platform/companions.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { Turns } from '../../platform/turns.ts'
import { Refusal } from '../../values/refusals.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import { mostOrders } from '../life/transfers.schemas.ts'
import type { ContinueNew } from './transfers.continue.ts'
import type { AccompaniedCommand } from './transfers.plan.ts'
import { type Changed, type Result, runBatch } from './transfers.run.ts'
import type { Reactions } from './transfers.schedule.ts'

/** A request with many orders, which are decided one after the other. `companions`: of all of them together, besides those of each. */
export type Bulk = Accompanied & {
  venture_id: string
  /** How many it has, with those that are refused because of their fields and are no commands. */
  orders: number
  commands: readonly AccompaniedCommand[]
  /** Makes of the results what the caller and the companions of all orders get. If it refuses, none of the orders is carried out. */
  conclude(results: readonly Result[]): object
}

export type BulkBatches = Batches<Bulk, object>

/** Bulks share a transaction up to as many orders as one of them may have. */
export function openBulkBatches(database: Database, bank: BankIdentity, { onManaged, continueNew }: Reactions): BulkBatches {
  const { queue_ms: wait_ms } = database.limits
  // Bulks wait for locks, and must not have all connections meanwhile. With one at a time, the service would idle while the database works.
  const transactions = new Turns({ places: 2, mostOfOne: 1, mostWaiting: 1, wait_ms, refusal: 'unavailable' })
  return new Batches<Bulk, object>(
    async (bulks, since_ms) => {
      // Those that are run again may have waited for too long meanwhile.
      if (performance.now() > since_ms + wait_ms) throw new Refusal('unavailable', { retry_after_s: 1 })
      const { venture_id } = bulks[0] as Bulk
      const turn = transactions.enter(venture_id)
      if (turn !== undefined) await turn
      try {
        const { made, managed } = await database.transaction((tx) => runBulks(tx, bank, bulks, continueNew()), since_ms)
        if (managed.length > 0) onManaged(managed)
        return made
      } finally {
        transactions.leave(venture_id)
      }
    },
    { size: mostOrders, weigh: ({ orders }) => orders, wait_ms, apart: ({ venture_id }) => venture_id },
  )
}

async function runBulks(
  tx: Tx,
  bank: BankIdentity,
  bulks: readonly Bulk[],
  continueNew: ContinueNew | undefined,
): Promise<{ made: object[]; managed: readonly Changed[] }> {
  const acquired = await acquireCompanions(tx, bulks, true)
  requireNoRefusal(bulks.map((_, index) => acquired.refusalOf(index)))
  const { results, managed } = await runBatch(tx, bank, { commands: bulks.flatMap(({ commands }) => commands), continueNew }, true)
  const next = results.values() as ArrayIterator<Result>
  const made = bulks.map(({ commands, conclude }) => {
    try {
      return conclude([...next.take(commands.length)])
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  })
  requireNoRefusal(made)
  acquired.conclude(tx, (index) => made[index])
  return { made, managed }
}

/** A bulk that is refused is run alone before its caller hears of it: what refuses it may be another that is not carried out after all. */
function requireNoRefusal(outcomes: readonly (object | undefined)[]): void {
  const refused = outcomes.flatMap((outcome, place) => (outcome instanceof Refusal ? [{ outcome, place }] : []))
  const [first] = refused
  if (first === undefined) return
  throw outcomes.length === 1 ? first.outcome : new SomeAlone(new Set(refused.map(({ place }) => place)))
}
