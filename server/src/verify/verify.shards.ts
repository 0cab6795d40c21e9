// How invariants are checked in a distributed database (`npm run distribute`). Every server checks its own shards. What Citus cannot check there,
// because it also concerns tables of the coordinator, is checked over copies of the shards on the coordinator, which end with the transaction.
import pg from 'pg'
import { askShape } from '../platform/database/database.ts'
import { tablesAt } from '../platform/distribute/distribute.tables.ts'

type Statement = { text: string; values: unknown[] }

/** Returns the first row of a statement. */
export type Check = <Row extends object>(client: pg.Client, statement: Statement) => Promise<Row | undefined>

export async function isDistributed(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ distributed: boolean }>(askShape.text)
  return rows[0]?.distributed === true
}

/** "feature not supported": Citus cannot plan the statement. */
const unsupported = '0A000'

const direct: Check = async <Row extends object>(client: pg.Client, { text, values }: Statement) =>
  (await client.query<Row>(text, values)).rows[0]

export async function checkerOf(client: pg.Client): Promise<Check> {
  if (!(await isDistributed(client))) return direct
  const copied = new Set<string>()
  return async <Row extends object>(same: pg.Client, statement: Statement) => {
    await same.query('savepoint invariant')
    try {
      // Tables that are copied already would hide the shards from it, which does no harm: they have the same rows.
      const row = await direct<Row>(same, statement)
      await same.query('release savepoint invariant')
      return row
    } catch (error) {
      if ((error as pg.DatabaseError).code !== unsupported) throw error
      await same.query('rollback to savepoint invariant')
    }
    for (const table of tablesIn(statement.text)) {
      if (copied.has(table)) continue
      await copy(same, table)
      copied.add(table)
    }
    return direct<Row>(same, statement)
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
