// Deletes payee verifications that nobody can rely on or claim about any more.
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { inSteps, type Pruning } from '../platform/retention.ts'
import { listVentureIds } from '../ventures/ventures.ts'
import { deleteVerifications } from './payees.sql.ts'

const stepSize = 1_000
const day_ms = 86_400_000

export function verificationPruning(database: Database, { days }: { days: number }): Pruning {
  return { name: 'verifications of payees', steps: () => pruneVerifications(database, new Date(now().getTime() - days * day_ms)) }
}

async function* pruneVerifications(database: Database, until: Date): AsyncIterable<number> {
  for (const venture_id of await listVentureIds(database))
    yield* inSteps(stepSize, () => database.transaction((tx) => deleteVerifications(tx, { venture_id, until, limit: stepSize })))
}
