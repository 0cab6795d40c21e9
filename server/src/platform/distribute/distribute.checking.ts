// Checks a whole database that may be on several servers. Every server checks its own shards. What Citus cannot check there, because it
// also involves tables of the coordinator, is checked over copies of the shards on the coordinator, which are dropped at the end of the
// transaction.
import pg from 'pg'
import { findPlacement, type Placement } from '../database/database.placement.ts'
import { tablesAt } from '../database/database.tables.ts'

type Statement = { text: string; values: unknown[] }

/** Runs a reading statement. */
export type Check = <Row extends object>(statement: Statement) => Promise<Row[]>

export function placementOf(client: pg.Client): Promise<Placement> {
  return findPlacement(async ({ text }) => (await client.query(text)).rows)
}

/** Begins the transaction in which a database is checked. All rows of a venture are from the same point in time. */
export async function beginChecking(client: pg.Client): Promise<Placement> {
  const placement = await placementOf(client)
  // Copies of shards are written, so it is not read-only.
  await client.query(`begin isolation level repeatable read${placement.isSpread ? '' : ' read only'}`)
  // With a single connection to each server, all of its rows are from the same point in time.
  if (placement.isSpread) await client.query('set local citus.max_adaptive_executor_pool_size to 1')
  return placement
}

/**
 * For queries to the workers outside the transaction: they would deadlock with sessions that wait for the transaction's locks there, and no server would
 * notice.
 */
export async function continueChecking(client: pg.Client): Promise<void> {
  if (!(await placementOf(client)).isSpread) return
  await client.query('commit')
  await beginChecking(client)
}

/** "feature not supported": Citus cannot plan the statement. */
const unsupported = '0A000'

/** Gives `use` a way to run statements over all tables, in the connection's current transaction, or in a new one that is rolled back. */
export async function withCheck<Result>(client: pg.Client, use: (check: Check, placement: Placement) => Promise<Result>): Promise<Result> {
  const direct: Check = async <Row extends object>({ text, values }: Statement) => (await client.query<Row>(text, values)).rows
  const placement = await placementOf(client)
  if (!placement.isSpread) return use(direct, placement)
  const own = !(await isInTransaction(client))
  if (own) await client.query('begin')
  try {
    return await use(overCopies(client, direct), placement)
  } finally {
    if (own) await client.query('rollback')
  }
}

/** Copies need a transaction, because they are dropped at its end. */
async function isInTransaction(client: pg.Client): Promise<boolean> {
  try {
    await client.query('savepoint known; release savepoint known')
    return true
  } catch (error) {
    // "no active transaction"
    if ((error as pg.DatabaseError).code === '25P01') return false
    throw error
  }
}

function overCopies(client: pg.Client, direct: Check): Check {
  const copied = new Set<string>()
  return async <Row extends object>(statement: Statement) => {
    await client.query('savepoint invariant')
    try {
      // Existing copies of tables would hide the shards from this statement, which does no harm: they have the same rows.
      const rows = await direct<Row>(statement)
      await client.query('release savepoint invariant')
      return rows
    } catch (error) {
      if ((error as pg.DatabaseError).code !== unsupported) throw error
      await client.query('rollback to savepoint invariant')
    }
    for (const table of tablesIn(statement.text)) {
      if (copied.has(table)) continue
      await copy(client, table)
      copied.add(table)
    }
    return direct<Row>(statement)
  }
}

const distributedTables = tablesAt('shards')

function tablesIn(text: string): string[] {
  const words = new Set(text.match(/[a-z_]+/g))
  return distributedTables.filter((table) => words.has(table))
}

/** Runs statements that are built from names of tables. */
const carryOut = (client: pg.Client, statement: string) => client.query(statement)

/** A temporary table takes precedence over the table of the same name. */
async function copy(client: pg.Client, table: string): Promise<void> {
  const name = pg.escapeIdentifier(table)
  await carryOut(client, `create temporary table ${name} (like public.${name} including indexes including generated) on commit drop`)
  await carryOut(client, `insert into pg_temp.${name} select * from public.${name}`)
  await carryOut(client, `analyze pg_temp.${name}`)
}
