// The sanctions list of the United Kingdom as comma-separated values: the UK Sanctions List of the Foreign Office, and OFSI's Consolidated
// List (ConList.csv), which it replaced in 2026. Both have a line with a date, a header, and a record for each name and address of an
// entry.
import type { EntryKind } from '../screening.entries.ts'
import { Collector, type EntryParts, type Imported } from './screening.collector.ts'
import { type Row, readCsv, rowsOf } from './screening.csv.ts'
import { refuserOf } from './screening.refusal.ts'
import { textOf } from './screening.text.ts'

/** Which columns contain what. In both lists, names are in Name 1 to Name 6. */
type Layout = Record<'id' | 'kind' | 'nameType' | 'quality' | 'otherScript' | 'topic', string> &
  Record<'births' | 'countries' | 'identifiers', readonly string[]>

const layouts: readonly Layout[] = [
  {
    id: 'Unique ID',
    kind: 'Designation Type',
    nameType: 'Name type',
    quality: 'Alias strength',
    otherScript: 'Name non-latin script',
    topic: 'Regime Name',
    births: ['D.O.B'],
    countries: ['Nationality(/ies)', 'Address Country', 'Current believed flag of ship'],
    identifiers: ['National Identifier number', 'Passport number', 'Business registration number (s)', 'IMO number'],
  },
  {
    id: 'Group ID',
    kind: 'Group Type',
    nameType: 'Alias Type',
    quality: 'Alias Quality',
    otherScript: 'Name Non-Latin Script',
    topic: 'Regime',
    births: ['DOB'],
    countries: ['Nationality', 'Country'],
    identifiers: ['Passport Number', 'National Identification Number'],
  },
]

const kinds: Readonly<Record<string, EntryKind>> = { individual: 'person', entity: 'organisation', ship: 'vessel' }

const nameColumns = ['Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5', 'Name 6']

export function readUk({ list }: { list: Uint8Array }): Imported {
  const refuseAt = refuserOf('the UK list')
  const [first, ...records] = readCsv(textOf(list, refuseAt), refuseAt)
  if (!/^(?:Report Date|Last Updated)\b/.test(first?.fields[0] ?? '')) return refuseAt(1, 'the first line is not the date of the list')
  const header = records[0]?.fields.map((name) => name.trim()) ?? []
  const layout = layouts.find(({ id }) => header.includes(id))
  if (layout === undefined) return refuseAt(2, 'this is not the header of a UK list: it has neither Unique ID nor Group ID')
  const { births, countries, identifiers, ...single } = layout
  const collector = new Collector(refuseAt)
  const needed = [...Object.values(single), ...births, ...countries, ...identifiers, ...nameColumns]
  for (const row of rowsOf(records, needed, refuseAt)) {
    const id = row.get(layout.id)
    const kind = kinds[row.get(layout.kind).toLowerCase()] ?? refuseAt(row.line, `${row.get(layout.kind)} is not a known type of entry`)
    readRow(row, layout, collector.find(id) ?? collector.begin(id, row.line, kind))
  }
  return collector.end()
}

function readRow(row: Row, layout: Layout, entry: EntryParts): void {
  const name = nameColumns.map((column) => row.get(column)).join(' ')
  if (/^primary name$/i.test(row.get(layout.nameType))) entry.primary(name)
  else entry.alias(name, { weak: /^low/i.test(row.get(layout.quality)) })
  entry.alias(row.get(layout.otherScript))
  entry.topic(row.get(layout.topic))
  const each = (columns: readonly string[], use: (value: string) => void) => {
    for (const column of columns) for (const value of severalIn(row.get(column))) use(value)
  }
  each(layout.births, (value) => entry.birthDate(value.replace(/^dd\/mm\//i, '').replace(/^dd\//i, '00/')))
  each(layout.countries, (value) => entry.country(value))
  each(layout.identifiers, (value) => entry.identifier(value))
}

/** Several values are numbered, (1) one (2) another, or separated by bars. */
function severalIn(field: string): string[] {
  return field.split(/\(\d{1,2}\)|\|/).map((value) => value.trim())
}
