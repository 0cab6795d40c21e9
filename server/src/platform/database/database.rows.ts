// Rows come from the driver as lists of values and become objects here. The driver itself would copy an empty object and fill it field
// by field: 12 µs for the fifty columns of a transfer, where an object that is written out takes 0.1 µs.
import type pg from 'pg'

type Make = (values: readonly unknown[]) => object

const makers = new Map<string, Make>()

export function rowsOf<Row extends object>({ fields, rows }: pg.QueryArrayResult<unknown[]>): Row[] {
  if (rows.length === 0) return []
  // No name has a NUL in it.
  const columns = fields.map(({ name }) => name).join('\0')
  let make = makers.get(columns)
  if (make === undefined) {
    // The names are those of the columns in our own statements, and quoted.
    make = new Function('values', `return {${fields.map(({ name }, index) => `${JSON.stringify(name)}: values[${index}]`)}}`) as Make
    makers.set(columns, make)
  }
  return rows.map(make) as Row[]
}
