// Where files are exchanged with the clearing system: a folder, a server over SFTP, or the simulated bank of the sandbox.

/** A file under its final name. Name and bytes belong together for ever. */
export type OutgoingFile = { name: string; bytes: Uint8Array; sha256: string }

export type FileExchange = {
  /**
   * Hands a file over. It is repeated after a crash: if the file is there already with the same bytes, it counts as handed over; with other bytes, it
   * throws DifferentFile. After it returns, the file survives a crash of the machine.
   */
  send(file: OutgoingFile): Promise<void>
  /** How many files may be handed over at the same time; one unless it says so. */
  readonly atOnce?: number
  /** The names of the files that wait to be read, oldest first. A name that is not UTF-8 is listed as `nameOf` has it. */
  list(): Promise<readonly string[]>
  /**
   * Throws FileTooLarge beyond the limit, without reading the file, and UnusableFile if the file is not to be read. The time that it may take is
   * bounded.
   */
  read(name: string, limit: number): Promise<Uint8Array>
  /**
   * Puts a file away that has been read: `taken`, or `failed` if it was refused. It overwrites nothing: a name that is taken gets a number. Nothing
   * happens if the file is gone already.
   */
  putAway(name: string, where: 'taken' | 'failed'): Promise<void>
  /** Calls back when there may be a new file; without it, the exchange is looked at in rounds. Returns how to stop it. */
  watch?(onFile: () => void): () => void
  close(): Promise<void>
}

export class DifferentFile extends Error {
  constructor(file: string) {
    super(`${file} has been handed over before with other bytes`)
  }
}

export class FileTooLarge extends Error {
  /** As that of UnusableFile. */
  readonly identity: string

  constructor(file: string, limit: number, identity: string) {
    super(`${shownName(file)} is larger than ${limit} bytes`)
    this.identity = identity
  }
}

/** Why the bytes of a file are not read. The words are stored with it, so a reason is never renamed. */
export const fileFaults = {
  not_a_file: 'It is no regular file. A link, a pipe or a device may lead anywhere.',
  several_names: 'The file has another name as well, under which it may be changed.',
  being_written: 'The file changed while it was read.',
  too_slow: 'The file could not be read in time.',
  name_not_utf8: 'The name of the file is not UTF-8.',
} as const
export type FileFault = keyof typeof fileFaults

/** Somebody may be about to finish the file, or the disk may be busy. */
const passing: ReadonlySet<FileFault> = new Set<FileFault>(['several_names', 'being_written', 'too_slow'])

export class UnusableFile extends Error {
  readonly reason: FileFault
  /** Tells the file from another one that has the same name later. The same file has the same identity each time it is looked at. */
  readonly identity: string

  constructor(file: string, reason: FileFault, identity: string) {
    super(`${shownName(file)} is not read: ${fileFaults[reason]}`)
    this.reason = reason
    this.identity = identity
  }

  /** Whether the file may be read if it is looked at again. */
  get mayPass(): boolean {
    return passing.has(this.reason)
  }
}

/** A name as text. One that is not UTF-8 keeps its bytes: those above 127 become halves of characters, which no text has. */
export function nameOf(bytes: Buffer): string {
  const text = bytes.toString()
  if (Buffer.from(text).equals(bytes)) return text
  return Array.from(bytes, (byte) => String.fromCharCode(byte < 128 ? byte : 0xdc00 + byte)).join('')
}

/** The bytes of a name that `nameOf` has made. */
export function bytesOf(name: string): Buffer {
  return name.isWellFormed() ? Buffer.from(name) : Buffer.from(name, 'latin1')
}

/**
 * As people see a name. What would hide or reorder its letters, and bytes that are no letters, are written as in an address of the web. So is `%`:
 * two names never look the same.
 */
export function shownName(name: string): string {
  return name.replace(/[%\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, (character) =>
    character.isWellFormed() ? encodeURIComponent(character) : `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase()}`,
  )
}

/** The longest name of a file that leaves room for a number. */
const longest_bytes = 240

/** The name under which a file is put away: its own, cut if it is too long, with a number unless it is the first of that name. */
export function awayName(name: string, number: number): string {
  const bytes = Buffer.from(shownName(name))
  const cut = bytes.subarray(0, longest_bytes).toString()
  // The cut may have gone through a letter.
  const short = bytes.length > longest_bytes ? cut.replace(/\uFFFD$/, '') : cut
  return number === 1 ? short : `${short}.${number}`
}

/** Waits no longer than so many milliseconds. What was begun goes on, and nobody waits for it. */
export async function within<Result>(ms: number, work: Promise<Result>, late: () => Error): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(late()), ms)
  work.catch(() => {})
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}
