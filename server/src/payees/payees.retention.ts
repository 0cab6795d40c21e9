// Deletes verifications of payees, and what is kept of questions between banks, that nobody can rely on or claim about any more.
import { now } from '../platform/clock.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { inSteps, type Pruning } from '../platform/retention.ts'
import { houseId, listVentureIds } from '../ventures/ventures.ts'
import { deleteVerifications } from './payees.sql.ts'
import { deleteExchanges } from './vop/payees.vop.sql.ts'

const stepSize = 1_000
const day_ms = 86_400_000

type Delete = (tx: Tx, what: { venture_id: string; until: Date; limit: number }) => Promise<number>

export function verificationPruning(database: Database, { days }: { days: number }): Pruning {
  return { name: 'verifications of payees', steps: () => prune(database, days, deleteVerifications) }
}

export function exchangePruning(database: Database, { days }: { days: number }): Pruning {
  return { name: 'questions between banks about payees', steps: () => prune(database, days, deleteExchanges) }
}

/** The house has the questions about accounts that do not exist. */
async function* prune(database: Database, days: number, deleteSome: Delete): AsyncIterable<number> {
  const until = new Date(now().getTime() - days * day_ms)
  for (const venture_id of new Set([...(await listVentureIds(database)), houseId]))
    yield* inSteps(stepSize, () => database.transaction((tx) => deleteSome(tx, { venture_id, until, limit: stepSize })))
}
