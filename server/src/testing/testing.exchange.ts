// A file exchange in memory, with both of its sides: tests can read what the bank sends, and can deliver what another bank sends.
import { hash } from 'node:crypto'
import { DifferentFile, type FileExchange, FileTooLarge, type OutgoingFile } from '../rails/exchange/rails.exchange.ts'

export class MemoryExchange implements FileExchange {
  /** What the bank has sent, by name, in order. */
  readonly sent = new Map<string, Uint8Array>()
  readonly taken: string[] = []
  readonly failed: string[] = []
  readonly #waiting = new Map<string, Uint8Array>()
  readonly #watchers = new Set<() => void>()
  #number = 0

  /** Another bank delivers a file. */
  put(bytes: Uint8Array | string, name = `file-${++this.#number}.xml`): string {
    this.#waiting.set(name, typeof bytes === 'string' ? Buffer.from(bytes) : bytes)
    for (const watcher of this.#watchers) watcher()
    return name
  }

  async send({ name, bytes, sha256 }: OutgoingFile): Promise<void> {
    const there = this.sent.get(name)
    if (there !== undefined && hash('sha256', there) !== sha256) throw new DifferentFile(name)
    this.sent.set(name, bytes)
  }

  async list(): Promise<readonly string[]> {
    return [...this.#waiting.keys()]
  }

  async read(name: string, limit: number): Promise<Uint8Array> {
    const bytes = this.#waiting.get(name)
    if (bytes === undefined) throw new Error(`${name} is gone`)
    if (bytes.length > limit) throw new FileTooLarge(name, limit, hash('sha256', bytes))
    return bytes
  }

  async putAway(name: string, where: 'taken' | 'failed'): Promise<void> {
    if (this.#waiting.delete(name)) this[where].push(name)
  }

  watch(onFile: () => void): () => void {
    this.#watchers.add(onFile)
    return () => this.#watchers.delete(onFile)
  }

  async close(): Promise<void> {}
}
