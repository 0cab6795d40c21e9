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
  /** The names of the files that wait to be read, oldest first. */
  list(): Promise<readonly string[]>
  /** Throws FileTooLarge beyond the limit, without reading the file. */
  read(name: string, limit: number): Promise<Uint8Array>
  /** Puts a file away that has been read: `taken`, or `failed` if it was refused. Nothing happens if it is gone already. */
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
  constructor(file: string, limit: number) {
    super(`${file} is larger than ${limit} bytes`)
  }
}
