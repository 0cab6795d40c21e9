// Ids that are bound to what they identify: their second half is a hash of it. Sealed rows contain the id, so `npm run verify` finds it if
// the row that the id stands for is changed, although that row itself is not sealed. The first half is that of a UUID of version 7,
// so these ids are also ordered by time.
import { hash } from 'node:crypto'
import { Fixed } from './database/sql.ts'
import { uuidv7 } from './ids.ts'

/** A UUID of version 8, with 60 bits of the hash. */
export function boundId(...contents: readonly string[]): string {
  const id = uuidv7()
  const start = `${id.slice(0, 14)}8${id.slice(15, 18)}`
  const digits = `a${hash('sha256', JSON.stringify([start, ...contents])).slice(0, 15)}`
  return `${start}-${digits.slice(0, 4)}-${digits.slice(4)}`
}

/** The UUID of version 8 of a name, which is always the same. */
export function idOfName(name: string): string {
  const bytes = hash('sha256', name, 'buffer').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** An SQL condition: the id is bound, but not to these contents. Earlier versions used ids of version 7, which are not bound. */
export function isBoundToOther(id: string, contents: readonly string[]): Fixed {
  const texts = [`left(${id}::text, 18)`, ...contents.map((column) => `${column}::text`)]
  const bytes = `convert_to(array_to_json(array[${texts.join(', ')}])::text, 'UTF8')`
  return new Fixed(
    `(substr(${id}::text, 15, 1) = '8' and right(replace(${id}::text, '-', ''), 16) <> 'a' || left(encode(sha256(${bytes}), 'hex'), 15))`,
  )
}
