// Tar archives (the POSIX format ustar) as streams: enough for the regular files and folders of a database.
import { createHash } from 'node:crypto'

const block = 512

export type TarEntry = { name: string; type: 'file' | 'folder'; size: number }

/** The last member of our archives. It contains the digest of all bytes before it, so an archive without it is incomplete. */
export const lastMember = 'backup.json'

/** What is wrong with an archive, as the end of a sentence. */
export class BadArchive extends Error {}

export function headerOf({ name, type, size }: TarEntry): Buffer {
  const header = Buffer.alloc(block)
  const path = type === 'folder' ? `${name}/` : name
  if (Buffer.byteLength(path) > 100) throw new Error(`the name ${path} is too long for the archive`)
  header.write(path, 0)
  header.write(type === 'folder' ? '0000700\0' : '0000600\0', 100)
  header.write('0000000\0', 108)
  header.write('0000000\0', 116)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write(`${Math.floor(Date.now() / 1000).toString(8)}\0`, 136)
  header.write(type === 'folder' ? '5' : '0', 156)
  header.write('ustar\x0000', 257)
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Contents are padded to whole blocks. */
export function paddingOf(size: number): Buffer {
  return Buffer.alloc((block - (size % block)) % block)
}

export const endOfArchive: Buffer = Buffer.alloc(2 * block)

/** The sum of all bytes of the header, with spaces in place of the sum itself. */
function sumOf(header: Buffer): number {
  return header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 32 : byte), 0)
}

export type Member = TarEntry & {
  /** Must be read to the end before the next member. */
  content: AsyncIterable<Buffer>
  /** The digest of all bytes before the last member; undefined for other members. */
  digestBefore: string | undefined
}

export async function* readTar(chunks: AsyncIterable<Buffer>): AsyncIterable<Member> {
  const source = new Source(chunks)
  for (;;) {
    const header = await source.take(block)
    if (header.every((byte) => byte === 0)) return await source.requireEnd()
    const entry = entryOf(header)
    const digestBefore = entry.name === lastMember ? source.digest() : undefined
    source.count(header)
    let left = entry.size
    async function* content(): AsyncIterable<Buffer> {
      while (left > 0) {
        const chunk = await source.takeUpTo(left)
        source.count(chunk)
        left -= chunk.length
        yield chunk
      }
    }
    yield { ...entry, digestBefore, content: content() }
    if (left > 0) throw new Error(`the content of ${entry.name} was not read`)
    source.count(await source.take(paddingOf(entry.size).length))
  }
}

function entryOf(header: Buffer): TarEntry {
  const text = (start: number, length: number) => header.toString('utf8', start, start + length).replace(/\0.*$/s, '')
  if (text(257, 5) !== 'ustar' || Number.parseInt(text(148, 8), 8) !== sumOf(header)) throw new BadArchive('is damaged')
  const name = text(0, 100).replace(/\/$/, '')
  const type = header.toString('latin1', 156, 157)
  // A name that leads out of the folder could overwrite files anywhere on the machine.
  if (name.split('/').some((part) => part === '' || part === '.' || part === '..')) throw new BadArchive(`contains the name ${name}`)
  if (type !== '0' && type !== '5') throw new BadArchive(`contains ${name}, which is neither a file nor a folder`)
  return { name, type: type === '5' ? 'folder' : 'file', size: Number.parseInt(text(124, 12), 8) }
}

function refuseIncomplete(): never {
  throw new BadArchive('is not complete')
}

/** Returns exactly as many bytes as asked for, and computes the digest of the counted ones. */
class Source {
  readonly #chunks: AsyncIterator<Buffer>
  readonly #hash = createHash('sha256')
  #rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]()
  }

  async takeUpTo(most: number): Promise<Buffer> {
    if (this.#rest.length === 0) {
      this.#rest = (await this.#next()) ?? refuseIncomplete()
    }
    const taken = this.#rest.subarray(0, most)
    this.#rest = this.#rest.subarray(taken.length)
    return taken
  }

  async take(count: number): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let left = count; left > 0; ) {
      const part = await this.takeUpTo(left)
      left -= part.length
      parts.push(part)
    }
    return Buffer.concat(parts)
  }

  /** Reads the rest, which must be the archive's padding. Only reaching the end of the stream proves that all of it was intact. */
  async requireEnd(): Promise<void> {
    for (let rest: Buffer | undefined = this.#rest; rest !== undefined; rest = await this.#next()) {
      if (rest.some((byte) => byte !== 0)) throw new BadArchive('contains more data after its end')
    }
  }

  async #next(): Promise<Buffer | undefined> {
    const { done, value } = await this.#chunks.next()
    return done ? undefined : value
  }

  count(bytes: Buffer): void {
    this.#hash.update(bytes)
  }

  digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
