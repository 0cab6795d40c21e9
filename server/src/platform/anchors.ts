// An anchor is a line about a seal or a revocation. It is kept outside the database, where an owner of the tables cannot change it. Each
// anchor goes to standard output, and to a file if one is configured.
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Tx } from './database/database.ts'
import { type Handlers, sendJobs } from './jobs.ts'
import type { Logger } from './log.ts'

/** The tables of what can be revoked for good. Restoring an older backup would undo a revocation. */
export const revocable = ['api_keys', 'bank_keys', 'passkeys'] as const
export type Revocable = (typeof revocable)[number]

type Row = { venture_id: string; id: string }

/** A seal, and the audit entries that it covers. */
export type Root = { anchor: 'root'; number: number; at: string; rows: number; root: string; audit_log: readonly Row[] }
export type Revocation = { anchor: 'revocation'; table: Revocable; at: string } & Row
export type Anchor = Root | Revocation

const job = 'anchor'

type Options = {
  /** The file that anchors are appended to. */
  file: string | undefined
  log: Logger
  sandbox: boolean
}

export class Anchors {
  readonly #file: string | undefined
  readonly #log: Logger
  readonly #output: Logger
  #isTorn = false
  /** How many anchors could not be written to the file. */
  failures = 0

  constructor({ file, log, sandbox }: Options) {
    this.#file = file
    this.#log = log
    // Outside the sandbox, anchors are logged even if the log level only lets errors through.
    this.#output = sandbox || log.level === 'silent' ? log : log.child({}, { level: 'info' })
  }

  /** Returns false if the file could not be written, which is also logged and counted in the metrics. */
  async write(anchor: Anchor): Promise<boolean> {
    this.#output.info(anchor, 'anchored')
    if (this.#file === undefined) return true
    try {
      // Starts a new line if an earlier one was cut off, so that this one stays readable.
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

/** Several instances may append to one file. A pipe without a reader is refused, because opening it would wait. */
async function append(file: string, line: string): Promise<void> {
  const handle = await open(file, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK, 0o640)
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is not a file')
    // Writes the whole line, or throws.
    await handle.appendFile(line)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes the anchors of what this transaction revokes, once it has committed. */
export function anchorRevocations(tx: Tx, table: Revocable, at: string, rows: readonly Row[]): void {
  sendJobs(
    tx,
    rows.map(({ venture_id, id }) => ({ kind: job, payload: { anchor: 'revocation', table, venture_id, id, at } satisfies Revocation })),
  )
}

/** Retries anchors that could not be written to the file. */
export function anchorJobs(anchors: Anchors): Handlers {
  return {
    [job]: {
      async run(anchor: Revocation) {
        if (!(await anchors.write(anchor))) throw new Error('the anchor could not be written to ANCHOR_FILE')
      },
    },
  }
}
