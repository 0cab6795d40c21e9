// The transactions of requests with many orders. Waiting requests of one venture share a transaction: they mostly read and lock the same
// rows, and would wait for each other's accounts. Ventures do not share one, so nobody waits because another venture's request is refused.
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

/** A request with many orders, decided one after the other. `companions`: those of the whole request, besides those of each order. */
export type Bulk = Accompanied & {
  venture_id: string
  /** The number of its orders, including those that were refused for their fields and are not commands. */
  orders: number
  commands: readonly AccompaniedCommand[]
  /** Turns the results into the answer for the caller and for the request's companions. If it refuses, no order is carried out. */
  conclude(results: readonly Result[]): object
}

export type BulkBatches = Batches<Bulk, object>

/** Bulks share a transaction up to the number of orders that one bulk may have. */
export function openBulkBatches(database: Database, bank: BankIdentity, { onManaged, continueNew }: Reactions): BulkBatches {
  const { queue_ms: wait_ms } = database.limits
  // Bulks wait for locks, and must not occupy all connections meanwhile. With one at a time, the service would idle while the database works.
  const transactions = new Turns({ places: 2, mostOfOne: 1, mostWaiting: 1, wait_ms, refusal: 'unavailable' })
  return new Batches<Bulk, object>(
    async (bulks, since_ms) => {
      // A request that is run again may have waited too long meanwhile.
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

/** A refused bulk is run again alone before its caller hears of it: the cause may be another bulk that is not carried out after all. */
function requireNoRefusal(outcomes: readonly (object | undefined)[]): void {
  const refused = outcomes.flatMap((outcome, place) => (outcome instanceof Refusal ? [{ outcome, place }] : []))
  const [first] = refused
  if (first === undefined) return
  throw outcomes.length === 1 ? first.outcome : new SomeAlone(new Set(refused.map(({ place }) => place)))
}
