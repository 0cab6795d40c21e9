// A transaction of a distributed database that writes on several servers is there with all of its parts, or not at all.
import { type Kind, kindOf, places } from './database.tables.ts'
import { type Write, write } from './sql.ts'

type Targets = { coordinator: boolean; shards: boolean; prepares: boolean }

// There are a few hundred statements that write.
const targets = new Map<string, Targets>()

/** Not every word behind `update` is a table. */
const isAt = (kind: Kind, table: string): boolean => places[table] !== undefined && kindOf(table) === kind

/** Also words that are no tables. A guard compares them with what every statement writes. */
export const writtenIn = (text: string): string[] =>
  [...text.matchAll(/\b(?:insert into|update|delete from) ([a-z_]+)/g)].map(([, table = '']) => table)

function targetsOf(text: string): Targets {
  const known = targets.get(text)
  if (known !== undefined) return known
  const tables = writtenIn(text)
  const found = {
    // The claims on names are there only in a distributed database.
    coordinator: tables.some((table) => table === 'claims' || isAt('coordinator', table)),
    shards: tables.some((table) => isAt('shards', table)),
    // The coordinator cannot know on which worker the rows of `unnest` belong, so new events pass through it, and Citus prepares whatever does.
    prepares: /\binsert into events\b.*\bselect\b.*\bfrom unnest\(/s.test(text),
  }
  targets.set(text, found)
  return found
}

/**
 * Where a transaction of a distributed database has written. Citus does not know that the tables of the coordinator take part in a transaction. If one
 * worker takes part as well, it is told to commit before the coordinator does, and a crash in between would leave one half of the transaction.
 */
export class Written {
  readonly #targets: Targets = { coordinator: false, shards: false, prepares: false }

  add({ text }: Write<unknown>): void {
    const { coordinator, shards, prepares } = targetsOf(text)
    this.#targets.coordinator ||= coordinator
    this.#targets.shards ||= shards
    this.#targets.prepares ||= prepares
  }

  /** Whether the worker has to prepare the transaction before the coordinator commits it, and Citus would not ask it to. */
  get needsPreparing(): boolean {
    const { coordinator, shards, prepares } = this.#targets
    return coordinator && shards && !prepares
  }
}

/** No rows that pass through the coordinator on their way to the workers: all workers on which the transaction has written prepare it. */
export const prepareAll = (): Write<never> => write`
  insert into idempotency_keys select * from json_populate_recordset(null::idempotency_keys, '[]')`
