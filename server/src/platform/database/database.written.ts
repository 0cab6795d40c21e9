// Makes a distributed transaction that writes on several servers commit completely or not at all.
import { type Kind, kindOf, places } from './database.tables.ts'
import { type Write, write } from './sql.ts'

type Targets = { coordinator: boolean; shards: boolean; prepares: boolean }

// There are only a few hundred statements that write.
const targets = new Map<string, Targets>()

/** Not every word behind `update` is a table. */
const isAt = (kind: Kind, table: string): boolean => places[table] !== undefined && kindOf(table) === kind

/** Includes words that are not tables. A guard compares the result with what every statement writes. */
export const writtenIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:insert into|update|delete from) ([a-z_]+)/g)].map(([, table = '']) => table)

function targetsOf(text: string): Targets {
  const known = targets.get(text)
  if (known !== undefined) return known
  const tables = writtenIn(text)
  const found = {
    // Claims exist only in a distributed database.
    coordinator: tables.some((table) => table === 'claims' || isAt('coordinator', table)),
    shards: tables.some((table) => isAt('shards', table)),
    // The coordinator cannot know to which worker the rows of `unnest` belong, so new events pass through it, and Citus prepares such
    // transactions.
    prepares: /\binsert into events\b.*\bselect\b.*\bfrom unnest\(/s.test(text),
  }
  targets.set(text, found)
  return found
}

/**
 * Where a transaction of a distributed database has written. Citus does not know that tables of the coordinator take part in the
 * transaction. If only one worker takes part as well, Citus tells it to commit before the coordinator does, and a crash in between would
 * leave half of the transaction.
 */
export class Written {
  readonly #targets: Targets = { coordinator: false, shards: false, prepares: false }

  add({ text }: Write<unknown>): void {
    const { coordinator, shards, prepares } = targetsOf(text)
    this.#targets.coordinator ||= coordinator
    this.#targets.shards ||= shards
    this.#targets.prepares ||= prepares
  }

  /** Whether the worker must prepare the transaction before the coordinator commits it, although Citus would not ask it to. */
  get needsPreparing(): boolean {
    const { coordinator, shards, prepares } = this.#targets
    return coordinator && shards && !prepares
  }
}

/**
 * A write of no rows that pass through the coordinator on their way to the workers, which makes all participating workers prepare the
 * transaction.
 */
export const prepareAll = (): Write<never> => write`
  insert into idempotency_keys select * from json_populate_recordset(null::idempotency_keys, '[]')`
