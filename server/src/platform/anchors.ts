// An anchor is a line about a seal or a revocation. It is kept outside the database, so that an owner of the tables cannot change it. Each one goes to standard
// output, and to a file if there is one.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Tx } from './database/database.ts'
import { type Handlers, sendJobs } from './jobs.ts'
import type { Logger } from './log.ts'

/** The tables of what can be revoked for good. A restored backup from before would bring it back. */
export const revocable = ['api_keys', 'bank_keys', 'passkeys'] as const
export type Revocable = (typeof revocable)[number]

type Row = { venture_id: string; id: string }

/** A seal, with the audit entries that it covers. */
export type Root = { anchor: 'root'; number: number; at: string; rows: number; root: string; audit_log: readonly Row[] }
export type Revocation = { anchor: 'revocation'; table: Revocable; at: string } & Row
export type Anchor = Root | Revocation

const job = 'anchor'

type Options = {
  /** Lines are appended to it. */
  file: string | undefined
  log: Logger
  sandbox: boolean
}

export class Anchors {
  readonly #file: string | undefined
  readonly #log: Logger
  readonly #output: Logger
  #isTorn = false
  /** How many lines could not be written to the file. */
  failures = 0

  constructor({ file, log, sandbox }: Options) {
    this.#file = file
    this.#log = log
    // Outside the sandbox, a log of errors only has them as well.
    this.#output = sandbox || log.level === 'silent' ? log : log.child({}, { level: 'info' })
  }

  /** False if the file did not take it, which the log and the metrics say. */
  async write(anchor: Anchor): Promise<boolean> {
    this.#output.info(anchor, 'anchored')
    if (this.#file === undefined) return true
    try {
      // A line that was cut off before does not spoil this one.
      await append(this.#file, `${this.#isTorn ? '\n' : ''}${JSON.stringify(anchor)}\n`)
      this.#isTorn = false
      return true
    } catch (error) {
      this.failures++
      this.#isTorn = true
      this.#log.error({ err: error }, 'an anchor could not be written to ANCHOR_FILE')
      return false
    }
  }
}

const { O_WRONLY, O_APPEND, O_CREAT, O_NONBLOCK } = constants

/** Several instances may append to one file. A pipe that nobody reads is refused instead of waited for. */
async function append(file: string, line: string): Promise<void> {
  const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o640)
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is not a file')
    // Writes all of it, or throws.
    await handle.appendFile(line)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The anchors of what this transaction revokes. They are written once it is committed. */
export function anchorRevocations(tx: Tx, table: Revocable, at: string, rows: readonly Row[]): void {
  sendJobs(
    tx,
    rows.map(({ venture_id, id }) => ({ kind: job, payload: { anchor: 'revocation', table, venture_id, id, at } satisfies Revocation })),
  )
}

/** What the file did not take is tried again. */
export function anchorJobs(anchors: Anchors): Handlers {
  return {
    [job]: {
      async run(anchor: Revocation) {
        if (!(await anchors.write(anchor))) throw new Error('the anchor could not be written to ANCHOR_FILE')
      },
    },
  }
}
