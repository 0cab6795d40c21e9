// Why a list file is refused. A file is refused whole: part of a list would let through whoever stands in the rest.

export class ListRefusal extends Error {
  override name = 'ListRefusal'

  /** One sentence that names the file and, where there is one, the line. */
  constructor(file: string, line: number | undefined, reason: string) {
    super(`${file}${line === undefined ? '' : `, line ${line}`}: ${reason}.`)
  }
}

/** Refuses at a place in the file. */
export type RefuseAt = (line: number | undefined, reason: string) => never

export function refuserOf(file: string): RefuseAt {
  return (line, reason) => {
    throw new ListRefusal(file, line, reason)
  }
}
