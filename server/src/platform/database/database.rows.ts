// Turns the lists of values that the driver returns into objects, and objects into those that are sent to it. The driver itself would copy an empty object
// and fill it field by field: 12 µs for the fifty columns of a transfer; a generated object literal takes 0.1 µs.
import type pg from 'pg'

type Make = (values: readonly unknown[]) => object

const makers = new Map<string, Make>()

export function rowsOf<Row extends object>({ fields, rows }: pg.QueryArrayResult<unknown[]>): Row[] {
  if (rows.length === 0) return []
  // A column name never contains NUL.
  const columns = fields.map(({ name }) => name).join('\0')
  let make = makers.get(columns)
  if (make === undefined) {
    // The names are the columns of our own statements, and they are quoted.
    make = new Function('values', `return {${fields.map(({ name }, index) => `${JSON.stringify(name)}: values[${index}]`)}}`) as Make
    makers.set(columns, make)
  }
  return rows.map(make) as Row[]
}

/**
 * Returns a function that copies columns of a row, for JSON: nulls become undefined, which JSON leaves out and the database reads as null. `conversions`:
 * of the columns whose value is sent in another form.
 */
export function copierOf<Row extends object>(
  columns: readonly (keyof Row & string)[],
  conversions: { readonly [Column in keyof Row]?: (value: Row[Column]) => unknown },
): (row: Row) => object {
  // The names are columns of ours, and they are quoted.
  const fields = columns.map((column) => {
    const name = JSON.stringify(column)
    return `${name}: ${column in conversions ? `conversions[${name}](row[${name}])` : `row[${name}]`} ?? undefined`
  })
  return new Function('conversions', `return (row) => ({${fields}})`)(conversions) as (row: Row) => object
}
