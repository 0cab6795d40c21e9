// Anchors: what must stay true whatever becomes of the database, as lines that leave it. One goes to standard output, where whoever collects the log keeps it,
// and one to a file, if there is one.
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
      await append(this.#file, `${JSON.stringify(anchor)}\n`)
      return true
    } catch (error) {
      this.failures++
      this.#log.error({ err: error }, 'an anchor could not be written to ANCHOR_FILE')
      return false
    }
  }
}

/** Everybody who appends to a file writes at its end. */
async function append(file: string, line: string): Promise<void> {
  const handle = await open(file, 'a', 0o640)
  try {
    await handle.write(line)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The anchors of what this transaction revokes. They are written once it is committed. */
export function anchorRevocations(tx: Tx, table: Revocable, at: string, rows: readonly Row[]): void {
  sendJobs(
    tx,
    rows.map(({ venture_id, id }) => ({ kind: job, payload: { anchor: 'revocation', table, venture_id, id, at } })),
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
