// How invariants are checked in a distributed database (`npm run distribute`). Every server checks its own shards. What Citus cannot check there,
// because it also concerns tables of the coordinator, is checked over copies of the shards on the coordinator, which end with the transaction.
import pg from 'pg'
import { askShape } from '../platform/database/database.ts'
import { tablesAt } from '../platform/distribute/distribute.tables.ts'

type Statement = { text: string; values: unknown[] }

/** Runs a statement that reads. */
export type Check = <Row extends object>(statement: Statement) => Promise<Row[]>

export async function isDistributed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ distributed: boolean }>(askShape.text)
  return rows[0]?.distributed === true
}

/** "feature not supported": Citus cannot plan the statement. */
const unsupported = '0A000'

/** Gives `use` a way to run statements over all tables, in the current transaction of the connection, or in one of its own that is rolled back. */
export async function withCheck<Result>(client: pg.Client, use: (check: Check, distributed: boolean) => Promise<Result>): Promise<Result> {
  const direct: Check = async <Row extends object>({ text, values }: Statement) => (await client.query<Row>(text, values)).rows
  if (!(await isDistributed(client))) return use(direct, false)
  const own = !(await isInTransaction(client))
  if (own) await client.query('begin')
  try {
    return await use(overCopies(client, direct), true)
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
