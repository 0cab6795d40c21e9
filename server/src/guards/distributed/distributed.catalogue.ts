// Checks the tables of a migrated database against the rules of distribution: their keys, their indexes and their defaults.
import type pg from 'pg'
import { claimed, kindOf } from '../../platform/database/database.tables.ts'
import type { Finding } from './distributed.rules.ts'

type Table = { name: string; key: string[] }
/** A constraint or an index other than a primary key. An expression does not count as a column. */
type Unique = { table: string; name: string; columns: string[] }
type ForeignKey = { table: string; name: string; columns: string[]; to: string; to_columns: string[] }
/** A column whose default is not constant. */
type Default = { table: string; column: string }

export type Catalogue = { tables: Table[]; uniques: Unique[]; foreignKeys: ForeignKey[]; defaults: Default[] }

const ours = `relation.relnamespace = 'public'::regnamespace and relation.relkind in ('r', 'p') and not relation.relispartition`

/** The names of columns given by number, in the order of the numbers. */
const namesOf = (table: string, numbers: string) => `array(
  select attname::text from unnest(${numbers}) with ordinality as wanted (number, place)
  join pg_attribute on attrelid = ${table} and attnum = wanted.number order by place)`

const tables = `
  select relname::text as name, coalesce(${namesOf('relation.oid', 'conkey')}, '{}') as key
  from pg_class relation left join pg_constraint on conrelid = relation.oid and contype = 'p' where ${ours} order by relname`

const uniques = `
  select relname::text as "table", indexrelid::regclass::text as name, ${namesOf('indrelid', '(indkey::int2[])[:indnkeyatts - 1]')} as columns
  from pg_index join pg_class relation on relation.oid = indrelid
  where (indisunique or indisexclusion) and not indisprimary and ${ours} order by 1, 2`

const foreignKeys = `
  select relname::text as "table", conname::text as name, ${namesOf('conrelid', 'conkey')} as columns,
    confrelid::regclass::text as "to", ${namesOf('confrelid', 'confkey')} as to_columns
  from pg_constraint join pg_class relation on relation.oid = conrelid where contype = 'f' and conparentid = 0 and ${ours} order by 1, 2`

// Functions that are not immutable, looked up by name; functions that are written without parentheses; and sequences.
const defaults = `
  select relname::text as "table", attname::text as column
  from pg_attribute join pg_class relation on relation.oid = attrelid
  left join pg_attrdef on adrelid = attrelid and adnum = attnum
  where ${ours} and attnum > 0 and not attisdropped and attgenerated = '' and (attidentity <> ''
    or pg_get_expr(adbin, adrelid) ~ '\\m(CURRENT_(DATE|TIME|TIMESTAMP)|LOCALTIME(STAMP)?)\\M'
    or exists (select from regexp_matches(pg_get_expr(adbin, adrelid), '(\\w+)\\(', 'g') as called (names)
      join pg_proc on proname = names[1] where provolatile <> 'i'))
  order by 1, 2`

export async function readCatalogue(owner: pg.Client): Promise<Catalogue> {
  return {
    tables: (await owner.query<Table>(tables)).rows,
    uniques: (await owner.query<Unique>(uniques)).rows,
    foreignKeys: (await owner.query<ForeignKey>(foreignKeys)).rows,
    defaults: (await owner.query<Default>(defaults)).rows,
  }
}

/** The distributed tables. */
export function tenantTables({ tables }: Catalogue): string[] {
  return tables.map(({ name }) => name).filter((name) => kindOf(name) === 'shards')
}

export function findingsInCatalogue({ tables, uniques, foreignKeys, defaults }: Catalogue): Finding[] {
  const isTenants = ({ table }: { table: string }) => kindOf(table) === 'shards'
  const find = (rule: Finding['rule'], where: readonly string[]): Finding[] => where.map((place) => ({ rule, where: place }))
  return [
    ...find(
      'key',
      tables.filter(({ name, key }) => kindOf(name) === 'shards' && key[0] !== 'venture_id').map(({ name }) => name),
    ),
    ...find(
      'claim',
      tables.filter(({ name, key }) => name in claimed && key.join() !== claimed[name]).map(({ name }) => name),
    ),
    ...find(
      'unique',
      uniques.filter((unique) => isTenants(unique) && !unique.columns.includes('venture_id')).map(({ table, name }) => `${table}: ${name}`),
    ),
    ...find(
      'reference',
      foreignKeys.filter((foreignKey) => !staysOnServer(foreignKey)).map(({ table, name }) => `${table}: ${name}`),
    ),
    ...find(
      'default',
      defaults.filter(isTenants).map(({ table, column }) => `${table}.${column}`),
    ),
  ]
}

/** Whether both rows are always on the same server. */
function staysOnServer({ table, columns, to, to_columns }: ForeignKey): boolean {
  const [from, target] = [kindOf(table), kindOf(to)]
  if (from === 'shards' && target === 'shards')
    return columns.some((column, at) => column === 'venture_id' && to_columns[at] === 'venture_id')
  return from === target || (from === 'shards' && target === 'everywhere')
}
