// Where files are exchanged with the clearing system: a folder, an SFTP server, or the simulated bank of the sandbox.

/** A file under its final name. A name always stands for the same bytes. */
export type OutgoingFile = { name: string; bytes: Uint8Array; sha256: string }

export type FileExchange = {
  /**
   * Delivers a file. After a crash it is called again: a file with the same bytes counts as delivered; one with other bytes throws
   * DifferentFile. Once it returns, the file survives a crash of the machine.
   */
  send(file: OutgoingFile): Promise<void>
  /** How many files may be delivered at the same time. Default: one. */
  readonly atOnce?: number
  /** The names of the files to read, oldest first. A name that is not UTF-8 is in the form of `nameOf`. */
  list(): Promise<readonly string[]>
  /** Throws FileTooLarge above the limit without reading the file, and UnusableFile if the file must not be read. Takes a bounded time. */
  read(name: string, limit: number): Promise<Uint8Array>
  /**
   * Moves a file that has been read: to `taken`, or to `failed` if it was refused. Overwrites nothing: a name that is taken gets a number.
   * Does nothing if the file is already gone.
   */
  putAway(name: string, where: 'taken' | 'failed'): Promise<void>
  /** Calls back when there may be a new file; without it, the exchange is polled. Returns how to stop watching. */
  watch?(onFile: () => void): () => void
  close(): Promise<void>
}

export class DifferentFile extends Error {
  constructor(file: string) {
    super(`${file} has already been delivered with other bytes`)
  }
}

export class FileTooLarge extends Error {
  /** Like that of UnusableFile. */
  readonly identity: string

  constructor(file: string, limit: number, identity: string) {
    super(`${shownName(file)} is larger than ${limit} bytes`)
    this.identity = identity
  }
}

/** Why a file is not read. The code is stored with the file, so it is never renamed. */
export const fileFaults = {
  not_a_file: 'It is no regular file. A link, a pipe or a device may lead anywhere.',
  several_names: 'The file has another name as well, under which it may be changed.',
  being_written: 'The file changed while it was read.',
  too_slow: 'The file could not be read in time.',
  name_not_utf8: 'The name of the file is not UTF-8.',
} as const
export type FileFault = keyof typeof fileFaults

/** Faults that may go away: the file may be about to be finished, or the disk may be busy. */
const passing: ReadonlySet<FileFault> = new Set<FileFault>(['several_names', 'being_written', 'too_slow'])

export class UnusableFile extends Error {
  readonly reason: FileFault
  /** Distinguishes the file from a later one with the same name. It is the same each time the file is looked at. */
  readonly identity: string

  constructor(file: string, reason: FileFault, identity: string) {
    super(`${shownName(file)} is not read: ${fileFaults[reason]}`)
    this.reason = reason
    this.identity = identity
  }

  /** Whether a later look may find the file in order. */
  get mayPass(): boolean {
    return passing.has(this.reason)
  }
}

/** A name as text. A name that is not UTF-8 keeps its bytes: those above 127 become lone surrogates, which no valid text contains. */
export function nameOf(bytes: Buffer): string {
  const text = bytes.toString()
  if (Buffer.from(text).equals(bytes)) return text
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 128 ? byte : 0xdc00 + byte)).join('')
}

/** The bytes of a name in the form of `nameOf`. */
export function bytesOf(name: string): Buffer {
  return name.isWellFormed() ? Buffer.from(name) : Buffer.from(name, 'latin1')
}

/** A name for display. Characters that hide or reorder others, invalid bytes and `%` are percent-encoded, so two names never look the same. */
export function shownName(name: string): string {
  return name.replace(/[%\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase()}`,
  )
}

/** The longest file name that leaves room for a number. */
const longest_bytes = 240

/** The name under which a file is put away: its own, shortened if necessary, with a number unless it is the first of that name. */
export function awayName(name: string, number: number): string {
  const bytes = Buffer.from(shownName(name))
  const cut = bytes.subarray(0, longest_bytes).toString()
  // The cut may have split a character.
  const short = bytes.length > longest_bytes ? cut.replace(/\uFFFD$/, '') : cut
  return number === 1 ? short : `${short}.${number}`
}

/** Waits at most this many milliseconds. The work continues without anyone waiting for it. */
export async function within<Result>(ms: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  work.catch(() => {})
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
