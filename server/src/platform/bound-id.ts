// Ids that are bound to what they name: the second half is a hash of it. Sealed rows name the id, so whoever changes what it stands for is found by
// `npm run verify`, although the row itself is not sealed. The first half is that of a UUID of version 7, so such ids are in the order of time too.
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

/** A UUID of version 8 that a name always has. */
export function idOfName(name: string): string {
  const bytes = hash('sha256', name, 'buffer').subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** A bound id in SQL: whether an id is bound, and not to these contents. Earlier versions made ids of version 7, which are not bound. */
export function isBoundToOther(id: string, contents: readonly string[]): Fixed {
  const texts = [`left(${id}::text, 18)`, ...contents.map((column) => `${column}::text`)]
  const bytes = `convert_to(array_to_json(array[${texts.join(', ')}])::text, 'UTF8')`
  return new Fixed(
    `(substr(${id}::text, 15, 1) = '8' and right(replace(${id}::text, '-', ''), 16) <> 'a' || left(encode(sha256(${bytes}), 'hex'), 15))`,
  )
}
