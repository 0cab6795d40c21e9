// Why a list file is refused. A file is always refused as a whole, because part of a list would let everyone in the rest pass.

export class ListRefusal extends Error {
  override name = 'ListRefusal'

  /** A sentence that names the file and, if there is one, the line. */
  constructor(file: string, line: number | undefined, reason: string) {
    super(`${file}${line === undefined ? '' : `, line ${line}`}: ${reason}.`)
  }
}

/** Refuses at a position in the file. */
export type RefuseAt = (line: number | undefined, reason: string) => never

export function refuserOf(file: string): RefuseAt {
  return (line, reason) => {
    throw new ListRefusal(file, line, reason)
  }
}
