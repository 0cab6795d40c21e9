// Writes all rows of a database as SQL statements, and loads them into another database with the same tables, like a logical dump.
import type pg from 'pg'

type Table = { name: string; columns: string; key: string; needs: string[] }

/**
 * Every database has what migrations fill, and the table about them. The request log is not dumped, because every service creates its days
 * anew.
 */
const ownTables = `
  select relname::text as name,
    (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
      where attrelid = relation.oid and attnum > 0 and not attisdropped) as columns,
    coalesce((select string_agg(quote_ident(attname), ', ' order by place)
      from pg_constraint, unnest(conkey) with ordinality as part (number, place)
      join pg_attribute on attnum = number where contype = 'p' and conrelid = relation.oid and attrelid = relation.oid), '1') as key,
    array(select confrelid::regclass::text from pg_constraint
      where contype = 'f' and conrelid = relation.oid and confrelid <> conrelid) as needs
  from pg_class relation
  where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace and relname not in ('migrations', 'requests')
  order by relname`

/** Tables that others refer to come first. */
function sorted(tables: readonly Table[]): Table[] {
  const done: Table[] = []
  const add = (table: Table, above: readonly Table[] = []) => {
    // Two tables may refer to each other through a deferred constraint.
    if (done.includes(table) || above.includes(table)) return
    for (const other of tables) if (table.needs.includes(other.name)) add(other, [...above, table])
    done.push(table)
  }
  for (const table of tables) add(table)
  return done
}

/** The positions of the sequences. */
const sequences = `
  select format('select setval(%L, %s);', sequencename, last_value) as text from pg_sequences
  where schemaname = 'public' and last_value is not null order by sequencename`

/** One statement for each table that has rows, with one line for each row, and one for each sequence. */
export async function dumpRows(client: pg.Client): Promise<string> {
  const statements: string[] = []
  for (const { name, columns, key } of sorted((await client.query<Table>(ownTables)).rows)) {
    const { rows } = await client.query<{ line: string }>(`select row_to_json(row)::text as line from ${name} row order by ${key}`)
    if (rows.length === 0) continue
    const lines = rows.map(({ line }) => line).join(',\n')
    if (lines.includes('$rows$')) throw new Error(`a row of ${name} contains the quotation mark of the dump`)
    statements.push(
      `insert into ${name} (${columns})\nselect ${columns} from json_populate_recordset(null::${name}, $rows$[\n${lines}\n]$rows$);\n`,
    )
  }
  for (const { text } of (await client.query<{ text: string }>(sequences)).rows) statements.push(`${text}\n`)
  return statements.join('\n')
}

/** Replaces the rows that migrations have created by those of a dump. */
export async function loadRows(client: pg.Client, dump: string): Promise<void> {
  await client.query('begin')
  await client.query('set constraints all deferred')
  for (const { name } of (await client.query<Table>(ownTables)).rows) {
    const { rowCount } = await client.query(`select from ${name} limit 1`)
    if (rowCount === 0) continue
    // Some of these rows can never be deleted otherwise.
    await client.query(`alter table ${name} disable trigger user`)
    await client.query(`delete from ${name}`)
    await client.query(`alter table ${name} enable trigger user`)
  }
  await client.query(dump)
  await client.query('commit')
}
