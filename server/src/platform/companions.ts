// Companions: rows that a caller wants written if and only if a command is carried out, in the same transaction. The code that opens the
// transaction knows nothing about these rows: each kind of companion acquires, writes and releases its own. A companion that cannot be
// acquired refuses its own command and no other command of the batch.
import { Refusal } from '../values/refusals.ts'
import type { Tx } from './database/database.ts'

/**
 * `held`: another transaction has the row, so the command is tried again with `wait`. A refusal says why the command cannot be carried out.
 */
export type AcquireResult = 'granted' | 'held' | Refusal

/**
 * What a folder does with its companions. The statements of all kinds are sent together, before the other locks of the transaction, so a
 * kind must not wait for one of its results before it has sent all of its statements.
 */
export type CompanionKind<Row, Result> = {
  /** Kinds are acquired one by one in the order of their names, so that two transactions cannot deadlock. */
  name: string
  /** Whether each command of a bulk request has its own companion. If not, the whole request has one. */
  ofEach?: boolean
  /**
   * Locks or reserves the rows, in sorted order, before the commands are decided. Returns a result for each row; two equal rows cannot both
   * be granted. Without `wait`, it must not wait for another transaction; with `wait`, it must not return `held`.
   */
  acquire(tx: Tx, rows: readonly Row[], wait: boolean): Promise<readonly AcquireResult[]>
  /**
   * Releases granted rows of commands that are not carried out. Without a refusal, the command will be tried again in another transaction.
   */
  release?(tx: Tx, granted: readonly { row: Row; refusal: Refusal | undefined }[]): void
  /** Writes what depends on the results of the commands. It is sent together with COMMIT. */
  write?(tx: Tx, granted: readonly { row: Row; result: Result }[]): void
}

/** A kind and one of its rows. Only `companion` makes it, so the two always match. */
export type Companion = { readonly kind: CompanionKind<unknown, unknown>; readonly row: unknown }

export function companion<Row, Result>(kind: CompanionKind<Row, Result>, row: Row): Companion {
  return { kind: kind as CompanionKind<unknown, unknown>, row }
}

export type Companions = readonly Companion[] | undefined

/** Splits the companions of a bulk request into those that each of its commands gets, and those that the whole request has. */
export function shareOut(companions: Companions = []): { ofEach: readonly Companion[]; ofAll: readonly Companion[] } {
  const { ofEach = [], ofAll = [] } = Object.groupBy(companions, ({ kind }) => (kind.ofEach ? 'ofEach' : 'ofAll'))
  return { ofEach, ofAll }
}

/** A command that may carry companions. It is carried out only if all of them are granted. */
export type Accompanied = { readonly companions?: Companions }

type Asked = { index: number; row: unknown; result: AcquireResult }
type Group = { kind: CompanionKind<unknown, unknown>; asked: Asked[] }

/** The outcome of a command: its result, a refusal, or undefined if it will be tried again in another transaction. */
type OutcomeOf = (index: number) => unknown

/** The companions of a batch, granted or not. */
export class Acquired {
  readonly #groups: readonly Group[]
  readonly #blocks = new Map<number, Refusal | 'held'>()

  constructor(groups: readonly Group[]) {
    this.#groups = groups
    for (const { index, result } of groups.flatMap(({ asked }) => asked)) {
      // A refusal is final, so it takes precedence over a row that is only held.
      if (result !== 'granted' && !(this.#blocks.get(index) instanceof Refusal)) this.#blocks.set(index, result)
    }
  }

  /** Why the command cannot be carried out in this transaction; undefined if its companions do not prevent it. */
  blockOf(index: number): Refusal | 'held' | undefined {
    return this.#blocks.get(index)
  }

  /** The same for companions acquired with `wait`, so none of them is held. */
  refusalOf(index: number): Refusal | undefined {
    const block = this.#blocks.get(index)
    if (block === 'held') throw new Error('a companion did not wait for its rows')
    return block
  }

  /** After the commands are decided: writes the companions of those that are carried out, and releases the others. */
  conclude(tx: Tx, outcomeOf: OutcomeOf): void {
    for (const { kind, asked } of this.#groups) {
      const granted = asked.filter(({ result }) => result === 'granted').map(({ index, row }) => ({ row, outcome: outcomeOf(index) }))
      const [refused, done] = [granted.filter(isNotDone), granted.filter((each) => !isNotDone(each))]
      if (refused.length > 0)
        kind.release?.(
          tx,
          refused.map(({ row, outcome }) => ({ row, refusal: outcome as Refusal | undefined })),
        )
      if (done.length > 0)
        kind.write?.(
          tx,
          done.map(({ row, outcome: result }) => ({ row, result })),
        )
    }
  }
}

const isNotDone = ({ outcome }: { outcome: unknown }): boolean => outcome === undefined || outcome instanceof Refusal

const nothing = new Acquired([])

/** Acquires the companions of all commands of a batch. Sends no statement if there are none. */
export async function acquireCompanions(tx: Tx, commands: readonly Accompanied[], wait: boolean): Promise<Acquired> {
  const groups = groupsOf(commands)
  if (groups.length === 0) return nothing
  const results = await Promise.all(
    groups.map(({ kind, asked }) =>
      kind.acquire(
        tx,
        asked.map(({ row }) => row),
        wait,
      ),
    ),
  )
  return new Acquired(
    groups.map(({ kind, asked }, group) => ({
      kind,
      asked: asked.map((each, index) => ({ ...each, result: results[group]?.[index] ?? missing(kind.name) })),
    })),
  )
}

function missing(name: string): never {
  throw new Error(`the companions of the kind ${name} returned too few results`)
}

function groupsOf(commands: readonly Accompanied[]): Group[] {
  const groups = new Map<string, Group>()
  commands.forEach(({ companions = [] }, index) => {
    for (const { kind, row } of companions) {
      const group = groups.get(kind.name) ?? { kind, asked: [] }
      groups.set(kind.name, group)
      group.asked.push({ index, row, result: 'held' })
    }
  })
  return [...groups.values()].sort((one, other) => (one.kind.name < other.kind.name ? -1 : 1))
}

/**
 * Runs `work` in a transaction with a single command, once its companions are granted. If `work` refuses, the transaction is rolled back.
 */
export async function accompanied<Result extends object>(tx: Tx, companions: Companions, work: () => Promise<Result>): Promise<Result> {
  if (companions === undefined) return work()
  const acquired = await acquireCompanions(tx, [{ companions }], true)
  const refusal = acquired.refusalOf(0)
  if (refusal !== undefined) throw refusal
  const result = await work()
  acquired.conclude(tx, () => result)
  return result
}

/** Ends a rehearsal's transaction. It is not a refusal, so other commands in the same transaction are run again without it. */
class Rehearsed extends Error {}

const rehearsals: CompanionKind<object, unknown> = {
  name: 'rehearsals',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write() {
    throw new Rehearsed('the rehearsal succeeded and is rolled back')
  },
}

/** Runs `work` and rolls it back, so that it refuses what would be refused. `work` passes the companions to its transaction. */
export async function rehearse(work: (companions: Companions) => Promise<unknown>): Promise<void> {
  try {
    await work([companion(rehearsals, {})])
  } catch (error) {
    if (error instanceof Rehearsed) return
    throw error
  }
  throw new Error('the companions were not passed on, so the rehearsal was carried out')
}
