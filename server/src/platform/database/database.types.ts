// Parses PostgreSQL's values directly into the form that the API shows, so no other layer has to convert them.
import pg from 'pg'

const { builtins } = pg.types

/** `2026-11-15 04:55:25.12+00` (sessions run in UTC) becomes `2026-11-15T04:55:25.120Z`. */
export function timestamp(text: string): string {
  const fraction = text.slice(20, text.indexOf('+', 19)).padEnd(3, '0')
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3)}Z`
}

const asIs = (text: string): string => text

const own = new Map<number, (text: string) => unknown>([
  [builtins.TIMESTAMPTZ, timestamp],
  [builtins.DATE, asIs],
  // Only safe integers are ever stored.
  [builtins.INT8, Number],
])

export const parsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: string) => own.get(oid) ?? pg.types.getTypeParser(oid, format as 'text'),
}
