// Writes a ZIP archive as a stream, file by file, without knowing sizes in advance: each file is followed by its sizes and its checksum
// (APPNOTE 6.3, sections 4.3 and 4.4.4). Every system opens such archives without another program.
import { pipeline, Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'

export type ZipFile = { name: string; content: AsyncIterable<string> | Iterable<string> }

type Written = { name: Buffer; crc: number; size: number; compressed: number; offset: number }

/** Sizes and offsets have 32 bits. */
const largest = 2 ** 32 - 1

const version = 20
/** The sizes follow the content, and the name is UTF-8. */
const flags = 0x0808
const deflated = 8

export async function* zipOf(files: AsyncIterable<ZipFile>, at: Date): AsyncGenerator<Buffer> {
  const written: Written[] = []
  let offset = 0
  const sent = (bytes: Buffer): Buffer => {
    offset += bytes.length
    if (offset > largest) throw new Error('the archive is too large')
    return bytes
  }
  for await (const { name: text, content } of files) {
    const file: Written = { name: Buffer.from(text), crc: 0, size: 0, compressed: 0, offset }
    yield sent(Buffer.concat([localHeader(file, at), file.name]))
    for await (const part of deflate(counted(content, file))) {
      file.compressed += part.length
      yield sent(part)
    }
    yield sent(descriptor(file))
    written.push(file)
  }
  const start = offset
  for (const file of written) yield sent(Buffer.concat([centralHeader(file, at), file.name]))
  yield sent(end({ count: written.length, start, size: offset - start }))
}

async function* counted(content: ZipFile['content'], file: Written): AsyncGenerator<Buffer> {
  for await (const text of content) {
    const bytes = Buffer.from(text)
    file.crc = crc32(bytes, file.crc)
    file.size += bytes.length
    if (file.size > largest) throw new Error(`the file ${file.name} is too large`)
    yield bytes
  }
}

/** When the reader stops, the source stops; an error of the source is thrown here. */
function deflate(content: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  return pipeline(Readable.from(content, { objectMode: false }), createDeflateRaw(), () => {})
}

/** The time in the format of MS-DOS, in UTC: seconds have 5 bits, so they are even. */
function timeOf(at: Date): [time: number, date: number] {
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1)
  return [time, ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()]
}

function localHeader({ name }: Written, at: Date): Buffer {
  const header = Buffer.alloc(30)
  const [time, date] = timeOf(at)
  header.writeUInt32LE(0x04034b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(flags, 6)
  header.writeUInt16LE(deflated, 8)
  header.writeUInt16LE(time, 10)
  header.writeUInt16LE(date, 12)
  header.writeUInt16LE(name.length, 26)
  return header
}

function descriptor({ crc, size, compressed }: Written): Buffer {
  const bytes = Buffer.alloc(16)
  bytes.writeUInt32LE(0x08074b50, 0)
  bytes.writeUInt32LE(crc, 4)
  bytes.writeUInt32LE(compressed, 8)
  bytes.writeUInt32LE(size, 12)
  return bytes
}

function centralHeader({ name, crc, size, compressed, offset }: Written, at: Date): Buffer {
  const header = Buffer.alloc(46)
  const [time, date] = timeOf(at)
  header.writeUInt32LE(0x02014b50, 0)
  header.writeUInt16LE(version, 4)
  header.writeUInt16LE(version, 6)
  header.writeUInt16LE(flags, 8)
  header.writeUInt16LE(deflated, 10)
  header.writeUInt16LE(time, 12)
  header.writeUInt16LE(date, 14)
  header.writeUInt32LE(crc, 16)
  header.writeUInt32LE(compressed, 20)
  header.writeUInt32LE(size, 24)
  header.writeUInt16LE(name.length, 28)
  header.writeUInt32LE(offset, 42)
  return header
}

function end({ count, start, size }: { count: number; start: number; size: number }): Buffer {
  const bytes = Buffer.alloc(22)
  bytes.writeUInt32LE(0x06054b50, 0)
  bytes.writeUInt16LE(count, 8)
  bytes.writeUInt16LE(count, 10)
  bytes.writeUInt32LE(size, 12)
  bytes.writeUInt32LE(start, 16)
  return bytes
}
