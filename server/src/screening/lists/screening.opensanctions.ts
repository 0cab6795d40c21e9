// OpenSanctions, the file targets.simple.csv, with one record for each entry. Fields with several values separate them by semicolons; a
// value that contains one is quoted.
import type { EntryKind } from '../screening.entries.ts'
import { Collector, type Imported } from './screening.collector.ts'
import { readCsv, rowsOf } from './screening.csv.ts'
import { type RefuseAt, refuserOf } from './screening.refusal.ts'
import { textOf } from './screening.text.ts'

const columns = ['id', 'schema', 'name', 'aliases', 'birth_date', 'countries', 'identifiers', 'sanctions', 'dataset']

/** Includes columns that are not compared. A column that is not listed here might contain names or numbers that would be lost. */
const known: ReadonlySet<string> = new Set([
  ...columns,
  'addresses',
  'phones',
  'emails',
  'program_ids',
  'first_seen',
  'last_seen',
  'last_change',
])

/** All others are of unknown kind, such as a legal entity that may or may not be a person. */
const kinds: Readonly<Record<string, EntryKind>> = {
  Person: 'person',
  Company: 'organisation',
  Organization: 'organisation',
  PublicBody: 'organisation',
  Vessel: 'vessel',
  Airplane: 'aircraft',
}

export function readOpenSanctions({ list }: { list: Uint8Array }): Imported {
  const refuseAt = refuserOf('targets.simple.csv')
  const text = textOf(list, refuseAt)
  if (!text.endsWith('\n')) return refuseAt(undefined, 'the file does not end with a line break, so it may be truncated')
  const records = readCsv(text, refuseAt)
  const header = records[0]?.fields.map((name) => name.trim()) ?? []
  const unknown = columns.every((column) => header.includes(column)) ? header.find((name) => !known.has(name)) : undefined
  if (unknown !== undefined) return refuseAt(1, `the header has a column that this format does not know: ${unknown}`)
  const collector = new Collector(refuseAt)
  for (const { line, get } of rowsOf(records, columns, refuseAt)) {
    const valuesOf = (column: string) => severalIn(get(column), line, refuseAt)
    const entry = collector.begin(get('id'), line, kinds[get('schema')] ?? 'unknown')
    entry.primary(get('name'))
    for (const name of valuesOf('aliases')) entry.alias(name)
    for (const date of valuesOf('birth_date')) entry.birthDate(date)
    for (const country of valuesOf('countries')) entry.country(country)
    for (const identifier of valuesOf('identifiers')) entry.identifier(identifier)
    if (get('sanctions') !== '') entry.topic('sanction')
    for (const program of valuesOf('program_ids')) entry.topic(program)
  }
  return collector.end()
}

function severalIn(field: string, line: number, refuseAt: RefuseAt): string[] {
  const [values] = readCsv(field, (_, reason) => refuseAt(line, `in a field with several values, ${reason}`), ';')
  return values?.fields ?? []
}
