// The transactions of requests with many orders. Those of a venture that wait share one: most of what they read and lock is the same, and they
// would wait for each other's accounts. Ventures do not share, so nobody waits because another venture's request is refused.
import { Batches } from '../platform/batches.ts'
import { type Accompanied, claimCompanions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { Turns } from '../platform/turns.ts'
import { Refusal } from '../values/refusals.ts'
import type { BankIdentity } from './deciding/transfers.derive.ts'
import { type AccompaniedCommand, type Changed, type GoOn, type Reactions, type Result, runBatch } from './transfers.batches.ts'
import { mostOrders } from './transfers.schemas.ts'

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

/** Some of the bulks that share a transaction are refused, so nothing of it is carried out. */
class SomeRefused extends Error {
  readonly refused: ReadonlySet<Bulk>

  constructor(refused: ReadonlySet<Bulk>) {
    super('some of the bulks are refused')
    this.refused = refused
  }
}

/** Carries out bulks in one transaction. */
type Run = (bulks: readonly Bulk[]) => Promise<object[]>

/** Bulks share a transaction up to as many orders as one of them may have. */
export function openBulkBatches(database: Database, bank: BankIdentity, { onManaged, goOn }: Reactions): BulkBatches {
  const { queue_ms: wait_ms } = database.limits
  // Bulks wait for locks, and must not have all connections meanwhile. With one at a time, the service would idle while the database works.
  const transactions = new Turns({ places: 2, mostOfOne: 1, mostWaiting: 1, wait_ms, refusal: 'unavailable' })
  return new Batches<Bulk, object>(
    async (bulks, since_ms) => {
      const run: Run = async (some) => {
        if (performance.now() > since_ms + wait_ms) throw new Refusal('unavailable', { retry_after_s: 1 })
        const { made, managed } = await database.transaction((tx) => runBulks(tx, bank, some, goOn()), since_ms)
        if (managed.length > 0) onManaged(managed)
        return made
      }
      const { venture_id } = bulks[0] as Bulk
      const turn = transactions.enter(venture_id)
      if (turn !== undefined) await turn
      try {
        return await runUntilSettled(run, bulks)
      } finally {
        transactions.leave(venture_id)
      }
    },
    { size: mostOrders, weigh: ({ orders }) => orders, wait_ms, apart: ({ venture_id }) => venture_id },
  )
}

/**
 * If some are refused, the others are run again without them, and each of these alone: what refuses it may have been another that is not carried out
 * after all. From then on an error belongs to those that were run, because others may have been committed.
 */
async function runUntilSettled(run: Run, bulks: readonly Bulk[]): Promise<(object | Error)[]> {
  try {
    return await run(bulks)
  } catch (error) {
    if (!(error instanceof SomeRefused)) throw error
    const { refused } = error
    const others = bulks.filter((bulk) => !refused.has(bulk))
    const results = new Map(others.length === 0 ? [] : await settle(run, others))
    for (const bulk of refused) for (const [, result] of await settle(run, [bulk])) results.set(bulk, result)
    return bulks.map((bulk) => results.get(bulk) as object | Error)
  }
}

/** Like a batch that fails: a refusal is for all of them, and anything else is caused by one of them, so each is then run alone. */
async function settle(run: Run, bulks: readonly Bulk[]): Promise<[Bulk, object | Error][]> {
  try {
    const results = await runUntilSettled(run, bulks)
    return bulks.map((bulk, index) => [bulk, results[index] as object | Error])
  } catch (error) {
    if (error instanceof Refusal || bulks.length === 1) return bulks.map((bulk) => [bulk, error as Error])
    const settled: [Bulk, object | Error][] = []
    for (const bulk of bulks) settled.push(...(await settle(run, [bulk])))
    return settled
  }
}

async function runBulks(
  tx: Tx,
  bank: BankIdentity,
  bulks: readonly Bulk[],
  goOn: GoOn | undefined,
): Promise<{ made: object[]; managed: readonly Changed[] }> {
  const claims = await claimCompanions(tx, bulks, true)
  requireNoRefusal(
    bulks,
    bulks.map((_, index) => claims.refusalOf(index)),
  )
  const { results, managed } = await runBatch(tx, bank, { commands: bulks.flatMap(({ commands }) => commands), goOn }, true)
  const next = results.values() as ArrayIterator<Result>
  const made = bulks.map(({ commands, conclude }) => {
    try {
      return conclude([...next.take(commands.length)])
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  })
  requireNoRefusal(bulks, made)
  claims.conclude(tx, (index) => made[index])
  return { made, managed }
}

function requireNoRefusal(bulks: readonly Bulk[], outcomes: readonly (object | undefined)[]): void {
  const refusal = outcomes.find((outcome) => outcome instanceof Refusal)
  if (refusal === undefined) return
  throw bulks.length === 1 ? refusal : new SomeRefused(new Set(bulks.filter((_, index) => outcomes[index] instanceof Refusal)))
}
