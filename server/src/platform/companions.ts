// Companions: rows that a caller wants written if and only if a command is carried out, in the transaction of the command. Whoever opens
// the transaction knows nothing of the rows: each kind of companion acquires, writes and releases its own. A companion that cannot be
// acquired refuses its command and no other command of the batch.
import { Refusal } from '../values/refusals.ts'
import type { Tx } from './database/database.ts'

/** `held`: another transaction has it, so the command is to be tried again with `wait`. A refusal says why the command cannot be carried out. */
export type AcquireResult = 'granted' | 'held' | Refusal

/**
 * What a folder does with its companions. The statements of all kinds are sent in one go, before the other locks of the transaction, so a
 * kind sends its statements without waiting for a result in between.
 */
export type CompanionKind<Row, Result> = {
  /** Kinds are acquired one by one in the order of their names, so that two transactions cannot wait for each other. */
  name: string
  /** Of a request with many commands, each command has its own. Without it, all of them together have one. */
  ofEach?: boolean
  /**
   * Locks or reserves the rows, in sorted order, before the commands are decided. Returns a result for each row; two equal rows cannot both be granted.
   * Without `wait`, it must not wait for another transaction; with `wait`, it must not return `held`.
   */
  acquire(tx: Tx, rows: readonly Row[], wait: boolean): Promise<readonly AcquireResult[]>
  /** Releases granted rows of commands that are not carried out. Without a refusal, the command is tried again in another transaction. */
  release?(tx: Tx, granted: readonly { row: Row; refusal: Refusal | undefined }[]): void
  /** Writes what depends on the results of the commands. Sent together with COMMIT. */
  write?(tx: Tx, granted: readonly { row: Row; result: Result }[]): void
}

/** One kind with one row. Made by `companion`, so that both fit each other. */
export type Companion = { readonly kind: CompanionKind<unknown, unknown>; readonly row: unknown }

export function companion<Row, Result>(kind: CompanionKind<Row, Result>, row: Row): Companion {
  return { kind: kind as CompanionKind<unknown, unknown>, row }
}

export type Companions = readonly Companion[] | undefined

/** The companions of a request with many commands: those that each of its commands gets, and those of all of them together. */
export function shareOut(companions: Companions = []): { ofEach: readonly Companion[]; ofAll: readonly Companion[] } {
  const { ofEach = [], ofAll = [] } = Object.groupBy(companions, ({ kind }) => (kind.ofEach ? 'ofEach' : 'ofAll'))
  return { ofEach, ofAll }
}

/** A command that may carry companions. It is carried out only if all of them are granted. */
export type Accompanied = { readonly companions?: Companions }

type Asked = { index: number; row: unknown; result: AcquireResult }
type Group = { kind: CompanionKind<unknown, unknown>; asked: Asked[] }

/** What became of a command: its result, a refusal, or undefined if it is to be tried again in another transaction. */
type OutcomeOf = (index: number) => unknown

/** The companions of a batch, granted or not. */
export class Acquired {
  readonly #groups: readonly Group[]
  readonly #blocks = new Map<number, Refusal | 'held'>()

  constructor(groups: readonly Group[]) {
    this.#groups = groups
    for (const { index, result } of groups.flatMap(({ asked }) => asked)) {
      // A refusal is final, so it counts more than a row that is worth another try.
      if (result !== 'granted' && !(this.#blocks.get(index) instanceof Refusal)) this.#blocks.set(index, result)
    }
  }

  /** Why the command cannot be carried out in this transaction; undefined if nothing of its companions is in the way. */
  blockOf(index: number): Refusal | 'held' | undefined {
    return this.#blocks.get(index)
  }

  /** The same for companions that waited, so none of them is held. */
  refusalOf(index: number): Refusal | undefined {
    const block = this.#blocks.get(index)
    if (block === 'held') throw new Error('a companion did not wait for its rows')
    return block
  }

  /** After deciding: writes the companions of the commands that are carried out, and releases those of the others. */
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

/** Acquires the companions of all commands of a batch. If no command has any, no statement is sent. */
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
 * For a transaction with a single command: runs `work` once its companions are granted. If `work` refuses, the transaction is
 * rolled back.
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

/** Ends a transaction that was only a rehearsal. It is no refusal, so commands that share the transaction are run again without it. */
class Rehearsed extends Error {}

const rehearsals: CompanionKind<object, unknown> = {
  name: 'rehearsals',
  acquire: async (_tx, rows) => rows.map(() => 'granted' as const),
  write() {
    throw new Rehearsed('everything was granted, and is undone')
  },
}

/** Does everything that `work` does and undoes it, so that what would be refused is refused. `work` passes the companions to its transaction. */
export async function rehearse(work: (companions: Companions) => Promise<unknown>): Promise<void> {
  try {
    await work([companion(rehearsals, {})])
  } catch (error) {
    if (error instanceof Rehearsed) return
    throw error
  }
  throw new Error('the companions were not passed on, so the rehearsal was carried out')
}
