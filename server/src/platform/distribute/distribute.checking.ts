// How a whole database is checked that may be on several servers. Every server checks its own shards. What Citus cannot check there,
// because it also concerns tables of the coordinator, is checked over copies of the shards on the coordinator, which end with the transaction.
import pg from 'pg'
import { findPlacement, type Placement } from '../database/database.placement.ts'
import { tablesAt } from '../database/database.tables.ts'

type Statement = { text: string; values: unknown[] }

/** Runs a statement that reads. */
export type Check = <Row extends object>(statement: Statement) => Promise<Row[]>

export function placementOf(client: pg.Client): Promise<Placement> {
  return findPlacement(async ({ text }) => (await client.query(text)).rows)
}

/** Begins the transaction in which a database is checked: all rows of a venture are of one moment. */
export async function beginChecking(client: pg.Client): Promise<Placement> {
  const placement = await placementOf(client)
  // Copies of shards are written.
  await client.query(`begin isolation level repeatable read${placement.isSpread ? '' : ' read only'}`)
  // With one connection to each server, its rows are of one moment.
  if (placement.isSpread) await client.query('set local citus.max_adaptive_executor_pool_size to 1')
  return placement
}

/**
 * For what asks the workers outside of the transaction: locks that it holds there would make a deadlock with whoever waits for them, which no server can
 * see.
 */
export async function continueChecking(client: pg.Client): Promise<void> {
  if (!(await placementOf(client)).isSpread) return
  await client.query('commit')
  await beginChecking(client)
}

/** "feature not supported": Citus cannot plan the statement. */
const unsupported = '0A000'

/** Gives `use` a way to run statements over all tables, in the current transaction of the connection, or in one of its own that is rolled back. */
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

/** Copies need one: they end with it. */
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
      // Tables that are copied already would hide the shards from it, which does no harm: they have the same rows.
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

/** Statements that are made from the names of tables. */
const carryOut = (client: pg.Client, statement: string) => client.query(statement)

/** A temporary table goes before the one of the same name. */
async function copy(client: pg.Client, table: string): Promise<void> {
  const name = pg.escapeIdentifier(table)
  await carryOut(client, `create temporary table ${name} (like public.${name} including indexes including generated) on commit drop`)
  await carryOut(client, `insert into pg_temp.${name} select * from public.${name}`)
  await carryOut(client, `analyze pg_temp.${name}`)
}
