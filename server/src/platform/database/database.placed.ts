// Statements for the tables of one shard, as the worker that has it knows them.
import { kindOf, places } from '../distribute/distribute.tables.ts'
import type { Read, Write } from './sql.ts'

/** A statement is about what the worker does not have. */
export class NotOnShard extends Error {
  constructor(what: string) {
    super(`${what} is on the coordinator`)
  }
}

/** Words that may follow a table which has no other name in its statement. */
const noAlias =
  'set|where|on|join|left|right|inner|full|cross|natural|order|group|having|limit|offset|for|returning|values|select|union|except|intersect|using|default|window|tablesample'

/**
 * Behind `from`, `join` and `using`, a word in front of a parenthesis is a function, and one in front of a full stop belongs to something else; what is
 * distinct is so from a value. A guard looks whether any statement names a table in another way.
 */
const tablesIn = new RegExp(
  String.raw`\b(?:((?<!\bdistinct\s+)from|join|using)\s+([a-z_]+)\b(?!\s*[(.])|(into|update)\s+([a-z_]+)\b)((?:\s+as)?\s+(?!(?:${noAlias})\b)[a-z_]+)?`,
  'g',
)

export class Shard {
  readonly id: string
  /** The names of its tables, by those of the distributed ones. */
  readonly #tables: ReadonlyMap<string, string>
  readonly #texts = new Map<string, string>()

  constructor(id: string, tables: ReadonlyMap<string, string>) {
    this.id = id
    this.#tables = tables
  }

  /** The same statement for this shard. Plans are kept by the name of a statement, so each shard has names of its own. */
  place<Query extends Read<unknown> | Write<unknown>>(query: Query): Query {
    const { name, text } = query
    if (name === undefined) return { ...query, text: this.#textOf(text) }
    let placed = this.#texts.get(name)
    if (placed === undefined) {
      placed = this.#textOf(text)
      this.#texts.set(name, placed)
    }
    return placed === text ? query : { ...query, name: `${name}_${this.id}`, text: placed }
  }

  #textOf(text: string): string {
    let isOfShard = false
    const placed = text.replace(tablesIn, (...match: unknown[]) => {
      const [all, from, read = '', into, written = '', alias, at] = match as [string, string?, string?, string?, string?, string?, number?]
      const table = read || written
      const isWritten = into !== undefined || /delete\s+$/i.test(text.slice(0, at))
      if (isWritten && places[table] !== undefined && kindOf(table) === 'everywhere')
        throw new NotOnShard(`every other copy of ${table}, which is to be changed,`)
      if (table === 'claims' || (places[table] !== undefined && kindOf(table) === 'coordinator')) throw new NotOnShard(`the table ${table}`)
      const shard = this.#tables.get(table)
      if (shard === undefined) return all
      isOfShard = true
      return `${from ?? into} public.${shard}${alias ?? ` as ${table}`}`
    })
    // Others would take the same lock on the coordinator.
    if (!isOfShard && placed.includes('advisory')) throw new NotOnShard('a lock')
    return placed
  }
}
