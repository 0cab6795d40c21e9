// OFAC's list of Specially Designated Nationals (United States), as comma-separated files without headers: sdn.csv with one record for each
// entry, alt.csv with other names, add.csv with addresses. `-0-` stands for an absent value. Everything else that is known about an entry
// is in the text of its remarks.
import type { EntryKind } from '../screening.entries.ts'
import { Collector, type EntryParts, type Imported } from './screening.collector.ts'
import { type CsvRecord, readCsv, requireFields } from './screening.csv.ts'
import { yearsOf } from './screening.dates.ts'
import { type RefuseAt, refuserOf } from './screening.refusal.ts'
import { textOf } from './screening.text.ts'

export type OfacFiles = { sdn: Uint8Array; alt?: Uint8Array; add?: Uint8Array }

const kinds: Readonly<Record<string, EntryKind>> = {
  '': 'organisation',
  individual: 'person',
  vessel: 'vessel',
  aircraft: 'aircraft',
}

/** The published files end with the end-of-file character of MS-DOS. */
const endOfFile = String.fromCharCode(26)

export function readOfac({ sdn, alt, add }: OfacFiles): Imported {
  const refuseAt = refuserOf('sdn.csv')
  const collector = new Collector(refuseAt)
  for (const { line, fields } of recordsOf(sdn, 12, refuseAt)) {
    const [id = '', name = '', type = '', program = '', , , , , , flag = '', , remarks = ''] = fields
    const kind = kinds[type.toLowerCase()] ?? refuseAt(line, `${type} is not a known type of entry`)
    const entry = collector.begin(id, line, kind)
    entry.primary(inOrder(name, kind))
    for (const topic of program.split(/\]\s*\[/)) entry.topic(topic.replace(/[[\]]/g, ''))
    entry.country(flag)
    readRemarks(remarks, entry)
  }
  if (alt !== undefined)
    for (const [entry, fields] of additions('alt.csv', alt, 5, collector)) entry.alias(inOrder(fields[3] ?? '', entry.kind))
  if (add !== undefined) for (const [entry, fields] of additions('add.csv', add, 6, collector)) entry.country(fields[4] ?? '')
  return collector.end()
}

/** The records of a file, each of which must belong to an entry of sdn.csv. */
function additions(file: string, bytes: Uint8Array, columns: number, collector: Collector): [EntryParts, string[]][] {
  const refuseAt = refuserOf(file)
  return recordsOf(bytes, columns, refuseAt).map(({ line, fields }) => {
    const [id = ''] = fields
    const missing = `the entry ${id} is not in sdn.csv; take all files from the same edition`
    return [collector.find(id) ?? refuseAt(line, missing), fields]
  })
}

function recordsOf(bytes: Uint8Array, columns: number, refuseAt: RefuseAt): CsvRecord[] {
  const whole = textOf(bytes, refuseAt)
  const text = whole.endsWith(endOfFile) ? whole.slice(0, -1) : whole
  if (!text.endsWith('\n')) return refuseAt(undefined, 'the file does not end with a line break, so it may be truncated')
  return readCsv(text, refuseAt).map(({ line, fields }) => {
    requireFields(line, fields, columns, refuseAt)
    const values = fields.map((field) => (field.trim() === '-0-' ? '' : field.trim()))
    if (!/^\d+$/.test(values[0] ?? ''))
      return refuseAt(line, `${values[0]} is not the number of an entry, so this file does not belong to this list`)
    return { line, fields: values }
  })
}

/** People are listed family name first: DOE, John. */
function inOrder(name: string, kind: EntryKind): string {
  const comma = name.indexOf(',')
  return kind === 'person' && comma > 0 ? `${name.slice(comma + 1)} ${name.slice(0, comma)}` : name
}

const country = /^(?:alt\. )?(?:nationality(?: of registration)?|citizen)\s+(.+)$/i
/** The maximum length of a remark with one or two dates. Searching longer texts would take minutes. */
const longestDate = 100
const birth = /^(?:alt\. )?DOB\s+(.+)$/i
/** Numbers of documents and registrations, and addresses of wallets. The issuing country follows in brackets. */
const identifier =
  /(?:passport|national id no\.|cedula no\.|tax id no\.|identification number|registration (?:id|number)|imo|mmsi|ssn|d-u-n-s number|swift\/bic|license no\.|serial number|\bcurrency address - [a-z0-9]+|\b(?:c\.?u\.?i\.?t|n\.?i\.?e|n\.?i\.?t|r\.?f\.?c|r\.?i\.?f|d\.?n\.?i|c\.?u\.?r\.?p)\.?(?: no\.| #)?)\s+([A-Z0-9][A-Z0-9./-]{3,})/i

function readRemarks(remarks: string, entry: EntryParts): void {
  for (const part of remarks.split(';')) {
    const remark = part.trim().replace(/\.$/, '')
    const alias = /^(?:a\.k\.a\.|f\.k\.a\.) '(.+)'$/.exec(remark)
    const date = remark.length > longestDate ? undefined : birth.exec(remark)?.[1]
    if (alias !== null) entry.alias(inOrder(alias[1] ?? '', entry.kind), { weak: true })
    else if (date !== undefined) {
      const [, from = '', to = ''] = /^(?:circa )?(?:.* )?(\d{4}) to (?:circa )?(?:.* )?(\d{4})$/.exec(date) ?? []
      if (from === '') entry.birthDate(date)
      else for (const year of yearsOf(from, to)) entry.birthDate(year)
    } else {
      entry.country(country.exec(remark)?.[1] ?? '')
      entry.identifier(identifier.exec(remark)?.[1] ?? '')
    }
  }
}
