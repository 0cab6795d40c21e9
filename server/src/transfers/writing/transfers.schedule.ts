// When transfers are written. A request goes from top to bottom:
//
//             route                  one HTTP request is one command
//               │
//           orders/                  createTransfer, updateTransfer: what a caller may ask for
//               │ submit(command)
//     transfers.schedule.ts          the only file that knows about time: which commands share a batch, whether batches overlap, whether
//               │                    one is decided before it has its locks, and when a batch is run again
//               │ runBatch(tx, commands)
//       transfers.run.ts             one batch in one transaction:
//               │
//               ├─ transfers.plan.ts     which rows the commands need
//               ├─ transfers.lock.ts     claims references, locks the rows and reads them
//               ├─ deciding/             plain code over the rows of the batch (transfers.decide.ts; transfers.derive.ts makes a new row)
//               └─ transfers.write.ts    everything in one round trip, together with COMMIT (the INSERT is in transfers.rows.sql.ts)
//
// Requests with many orders have a schedule of their own (transfers.schedule.bulk.ts). The order of the locks is in docs/write-path.md.
import { randomUUID } from 'node:crypto'
import { Batches } from '../../platform/batches.ts'
import { troubleOf } from '../../platform/database/database.errors.ts'
import type { Database } from '../../platform/database/database.ts'
import { Refusal } from '../../values/refusals.ts'
import type { Command } from '../deciding/transfers.commands.ts'
import type { BankIdentity } from '../deciding/transfers.derive.ts'
import type { Transfer } from '../life/transfers.schemas.ts'
import type { ContinueNew } from './transfers.continue.ts'
import type { Key } from './transfers.keys.ts'
import type { Owners } from './transfers.lock.sql.ts'
import type { Turn } from './transfers.lock.ts'
import type { AccompaniedCommand, Plan } from './transfers.plan.ts'
import { type Changed, lockedElsewhere, type Outcome, type Result, runBatch } from './transfers.run.ts'
import { Snapshot, StaleSnapshot } from './transfers.snapshot.ts'

export type TransferBatches = Batches<AccompaniedCommand, Transfer>

export type Reactions = {
  /** Called after COMMIT with the open transfers of MANAGED ventures that were created or changed. It must not throw: callers would take the batch for failed. */
  onManaged(changed: readonly Changed[]): void
  /** How new managed transfers continue. */
  continueNew(): ContinueNew | undefined
}

/** `onSent`: called when all statements are sent and only the answers are missing. The next batch then begins. */
type Overlap = { turn: Turn; onSent(): void }

type RunOnce = (commands: readonly AccompaniedCommand[], wait: boolean, since_ms: number, overlap?: Overlap) => Promise<Outcome[]>

export function openTransferBatches(database: Database, bank: BankIdentity, { onManaged, continueNew }: Reactions): TransferBatches {
  /** The turn of the batch that began last, while it runs. */
  let last: Turn | undefined
  const speculation = new Speculation()
  const runOnce: RunOnce = async (commands, wait, since_ms, overlap) => {
    let turn = overlap?.turn
    try {
      const { results, managed, isSpeculative } = await database.transaction(async (tx) => {
        const once = turn
        // The transaction may be retried while its first try is still alive in the database.
        turn = undefined
        const decided = await runBatch(tx, bank, { commands, continueNew: continueNew(), turn: once, speculation }, wait)
        overlap?.onSent()
        return decided
      }, since_ms)
      if (isSpeculative) speculation.confirmed()
      if (managed.length > 0) onManaged(managed)
      return results
    } catch (error) {
      speculation.forget()
      throw error
    }
  }
  return new Batches<AccompaniedCommand, Transfer>(
    async (commands, since_ms, onSent) => {
      const turn: Turn = { key: randomUUID(), after: last?.key, isReached: false }
      last = turn
      const results = await runOnce(commands, false, since_ms, onSent && { onSent, turn })
        .finally(() => {
          // A transaction that the service gave up on may live on in the database; nobody should wait for it.
          if (last === turn) last = undefined
        })
        .catch((error) => {
          if (error instanceof StaleSnapshot) speculation.conflicted()
          // The batch before takes longer than the lock timeout. Rows that it does not hold need not wait for it.
          else if (onSent === undefined || turn.isReached || !isSlow(error)) throw error
          return runOnce(commands, false, since_ms)
        })
      const waiting = commands.filter((_, index) => results[index] === lockedElsewhere)
      const rerun = waiting.length === 0 ? [] : await runWaiting(runOnce, waiting, since_ms)
      return results.map((result) => (result === lockedElsewhere ? rerun.shift() : result) as Transfer | Error)
    },
    {
      wait_ms: database.limits.queue_ms,
      gathers: database.favoursLargeBatches,
      overlaps: database.favoursOverlaps,
      apart: database.placement.apart(({ venture_id }) => venture_id),
    },
  )
}

const isSlow = (error: unknown): boolean => error instanceof Refusal && troubleOf(error.details['cause']) === 'slow'

/**
 * Runs the commands whose rows another instance, or the batch before, had locked, and now waits for the locks. Locks are sorted, so there
 * is no deadlock. The rest of the batch has been committed, so an error here affects only these commands, each on its own.
 */
async function runWaiting(runOnce: RunOnce, commands: readonly AccompaniedCommand[], since_ms: number): Promise<(Transfer | Error)[]> {
  try {
    return (await runOnce(commands, true, since_ms)) as Result[]
  } catch (error) {
    if (error instanceof Refusal || commands.length === 1) return commands.map(() => error as Error)
  }
  const results: (Transfer | Error)[] = []
  for (const command of commands) results.push(...(await runWaiting(runOnce, [command], since_ms)))
  return results
}

/** Each conflict in a row doubles the number of batches that lock first, up to this many conflicts. */
const mostConflicts = 6

/**
 * Whether a batch is decided over the rows that earlier batches left, while the last of them is still being committed. The database
 * compares the rows once it has locked them, and a conflict rolls the batch back.
 */
export class Speculation {
  readonly #snapshot = new Snapshot()
  #conflicts = 0
  #pausedFor = 0

  /** The accounts and clients to decide over; undefined if they have to be locked and read first. Do not change them. */
  ownersFor(commands: readonly Command[], plan: Plan): Owners | undefined {
    if (!isIndependent(commands, plan)) return undefined
    const owners = this.find(plan.accounts)
    return owners?.accounts.some(({ managed }) => managed) ? undefined : owners
  }

  find(keys: readonly Key[]): Owners | undefined {
    if (this.#pausedFor === 0) return this.#snapshot.find(keys)
    this.#pausedFor--
    return undefined
  }

  keep(owners: Owners, locked: ReadonlySet<string>): void {
    this.#snapshot.keep(owners, locked)
  }

  /** The batch may not have committed. */
  forget(): void {
    this.#snapshot.clear()
  }

  /** Where others change the same accounts all the time, speculation only costs time. */
  conflicted(): void {
    this.forget()
    this.#conflicts = Math.min(this.#conflicts + 1, mostConflicts)
    this.#pausedFor = 2 ** this.#conflicts
  }

  confirmed(): void {
    this.#conflicts = 0
  }
}

/** Whether the commands are creates that depend only on their accounts and clients. */
function isIndependent(commands: readonly Command[], { transfers, parents, wholeAccounts }: Plan): boolean {
  if (transfers.length + parents.length + wholeAccounts.length > 0) return false
  return commands.every((command) => command.kind === 'create' && command.order.mandate_id == null)
}
