// The era of the order of events. Transaction numbers start over when a logical dump is restored into another cluster. New events would
// then come before events that followers have already seen, so a new era begins.
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { type Read, read, write } from '../platform/database/sql.ts'

/**
 * What other folders contribute. `numbers`: queries for unreached transaction numbers in their tables. `begin`: what else must start anew
 * with an era.
 */
type Others = { numbers?: readonly Read<object>[]; begin?: (tx: Tx) => Promise<unknown> }

/** Begins a new era if the database contains transaction numbers that its cluster has not reached yet, and returns it. */
export async function keepEra(database: Database, { numbers = [], begin }: Others = {}): Promise<number | undefined> {
  const fromTheFuture = async (reader: Reader) => {
    for (const query of [eventFromTheFuture, ...numbers]) if ((await reader.first(query)) !== undefined) return true
    return false
  }
  if (!(await fromTheFuture(database))) return undefined
  // Another instance may have done it in the meantime.
  return startEra(database, { isNeeded: fromTheFuture, begin })
}

/** Begins another era and returns it, if it is needed. Events of the era before must not be committed any more once followers see the new one. */
export function startEra(
  database: Database,
  { isNeeded, begin }: { isNeeded: (reader: Reader) => Promise<boolean>; begin?: Others['begin'] },
): Promise<number | undefined> {
  return database.transactionAlone(async (tx) => {
    if (!(await isNeeded(tx))) return undefined
    const begun = await tx.first(beginEra)
    await begin?.(tx)
    tx.evidence = read`select era from event_era where era >= ${begun?.era}`
    return begun?.era
  })
}

/** Only for use while no transaction that writes events is running. */
export const beginEra = write<{ era: number }>`update event_era set era = era + 1 returning era`

// The numbers must be those of the server that has the rows.
const eventFromTheFuture = read`
  select id from events where era = (select era from event_era) and xid >= pg_snapshot_xmax(pg_current_snapshot()) limit 1`
