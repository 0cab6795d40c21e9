// A strict reader of comma-separated values (RFC 4180). It refuses what a spreadsheet would repair by guessing.
import type { RefuseAt } from './screening.refusal.ts'

/** `line`: the line in which the record begins. */
export type CsvRecord = { line: number; fields: string[] }

export function readCsv(text: string, refuseAt: RefuseAt, separator = ','): CsvRecord[] {
  const records: CsvRecord[] = []
  let [at, line] = [0, 1]
  while (at < text.length) {
    const record: CsvRecord = { line, fields: [] }
    for (;;) {
      if (text[at] === '"') {
        let [field, start] = ['', at + 1]
        for (;;) {
          const quote = text.indexOf('"', start)
          if (quote < 0) return refuseAt(record.line, 'a quoted field is not closed; the file may be truncated')
          field += text.slice(start, quote)
          at = quote + 1
          if (text[at] !== '"') break
          field += '"'
          start = at + 1
        }
        for (const letter of field) if (letter === '\n') line++
        record.fields.push(field)
      } else {
        const start = at
        while (at < text.length && text[at] !== separator && text[at] !== '\n' && text[at] !== '\r') {
          if (text[at] === '"') return refuseAt(line, 'there is a quote inside an unquoted field')
          at++
        }
        record.fields.push(text.slice(start, at))
      }
      if (text[at] !== separator) break
      at++
    }
    if (at < text.length) {
      const ending = text.startsWith('\r\n', at) ? 2 : text[at] === '\n' ? 1 : 0
      if (ending === 0) return refuseAt(line, 'there is text after a quoted field, or a carriage return without a line feed')
      at += ending
      line++
    }
    records.push(record)
  }
  return records
}

/** Records by the names in the header. Each has as many fields as the header. */
export type Row = { line: number; get: (column: string) => string }

/** All `columns` must be in the header. `get` returns an empty text for any other column that is not. */
export function rowsOf(records: readonly CsvRecord[], columns: readonly string[], refuseAt: RefuseAt): Row[] {
  const [header, ...rest] = records
  if (header === undefined) return refuseAt(undefined, 'the file has no header')
  const places = new Map<string, number>()
  for (const [place, name] of header.fields.entries()) if (!places.has(name.trim())) places.set(name.trim(), place)
  const missing = columns.filter((column) => !places.has(column))
  if (missing.length > 0) return refuseAt(header.line, `this is not the expected header: it lacks ${missing.join(', ')}`)
  return rest.map(({ line, fields }) => {
    requireFields(line, fields, header.fields.length, refuseAt)
    return { line, get: (column) => fields[places.get(column) ?? -1]?.trim() ?? '' }
  })
}

export function requireFields(line: number, fields: readonly string[], expected: number, refuseAt: RefuseAt): void {
  if (fields.length !== expected) refuseAt(line, `the record has ${fields.length} fields instead of ${expected}; the file may be truncated`)
}
