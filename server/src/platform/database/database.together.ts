// Statements of one turn of the event loop, sent in one write and answered in one. The driver would put a Sync behind each, and the database would
// write its answer, and wake up the service, for each. It would also ask each time what columns a prepared statement returns.
import type { Socket } from 'node:net'
import pg from 'pg'

type Named = Record<string, string>

/** What the driver has inside a connection, which its type definitions lack. */
export type Connection = {
  stream: Socket
  sync(): void
  describe(message: unknown): void
  submittedNamedStatements: Named
}

type Answered = (error: Error | null, result: unknown) => void

/** The columns of a result, and how the driver reads them. */
type Description = { fields: unknown[]; _parsers: unknown; _prebuiltEmptyResultObject: unknown }

/** A query of the driver. It sends its messages when submitted, and is told of the answers. */
type Query = {
  get name(): string | undefined
  set name(name: string | undefined)
  get text(): string
  set text(text: string)
  queryMode: 'extended' | undefined
  query_timeout?: number | undefined
  callback: Answered
  values: unknown[] | undefined
  _rowMode: string | undefined
  _result: Description
  _results: Description
  _accumulateRows: boolean
  submit(connection: Connection): Error | null
  handleRowDescription(message: unknown): void
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleEmptyQuery(connection: Connection): void
  handleReadyForQuery(connection: Connection): void
  handleError(error: Error, connection: Connection): void
}

const Query = pg.Query as unknown as new (text: string) => Query
const Result = pg.Result as unknown as new (rowMode: string | undefined, types: unknown) => Query['_result']

/** `query_timeout`: after so many ms without an answer to all of the statements, the connection is given up. */
export type Config = pg.QueryConfig & { rowMode?: 'array' | undefined; query_timeout?: number | undefined }

/** A statement with those who wait for its result. */
export type Gathered = { config: Config; resolve: (result: unknown) => void; reject: (error: Error) => void }

function queryOf(config: Config, types: unknown, callback: Answered): Query {
  // The driver would copy a config property by property, which takes as long as all else that it does for a statement.
  const query = new Query(config.text)
  query.name = config.name
  query.values = config.values
  query._rowMode = config.rowMode
  query._result = new Result(config.rowMode, config.types ?? types)
  query._results = query._result
  // Without a name or parameters the driver would use the other protocol, in which every statement ends with a Sync.
  query.queryMode = 'extended'
  query.callback = callback
  return query
}

/** What is known of a connection. */
class Memory {
  /** Of prepared statements. They never change: PostgreSQL refuses to carry one out that would return other columns. */
  readonly descriptions = new Map<string, Description>()
  /** The same connection, on which a query does not ask for its answer, */
  readonly silent: Connection
  /** and neither for its columns. */
  readonly terse: Connection

  constructor(connection: Connection) {
    this.silent = Object.create(connection, { sync: { value: () => {} } })
    this.terse = Object.create(this.silent, { describe: { value: () => {} } })
  }

  remember(name: string, { fields, _parsers, _prebuiltEmptyResultObject }: Description): void {
    if (!this.descriptions.has(name)) this.descriptions.set(name, { fields, _parsers, _prebuiltEmptyResultObject })
  }
}

const memories = new WeakMap<Connection, Memory>()

function memoryOf(connection: Connection): Memory {
  let memory = memories.get(connection)
  if (memory === undefined) {
    memory = new Memory(connection)
    memories.set(connection, memory)
  }
  return memory
}

/**
 * Several statements with one Sync behind them. PostgreSQL skips those behind one that fails, a COMMIT too, and so the transaction is still open then.
 * The driver takes this for one query.
 */
export class Together extends Query {
  readonly #queries: readonly Query[]
  #next = 0
  #failure: Error | null = null

  constructor(gathered: readonly Gathered[], types: unknown) {
    super('')
    this.query_timeout = gathered.map(({ config }) => config.query_timeout).find((timeout_ms) => timeout_ms !== undefined)
    this.#queries = gathered.map(({ config, resolve, reject }) =>
      queryOf(config, types, (error, result) => {
        this.#failure = error
        if (error === null) resolve(result)
        else reject(error)
      }),
    )
    this.callback = () => {}
  }

  // The driver remembers these of a statement that the database has parsed. Its constructor sets them.
  override get name(): string | undefined {
    return this.#current?.name
  }

  override set name(_) {}

  override get text(): string {
    return this.#current?.text ?? ''
  }

  override set text(_) {}

  /** The one whose answer comes next. */
  get #current(): Query | undefined {
    return this.#queries[this.#next]
  }

  override submit(connection: Connection): Error | null {
    const { descriptions, silent, terse } = memoryOf(connection)
    connection.stream.cork()
    for (const query of this.#queries) {
      const known = query.name === undefined ? undefined : descriptions.get(query.name)
      if (known !== undefined) {
        Object.assign(query._result, known)
        query._accumulateRows = true
      }
      const failure = query.submit(known === undefined ? silent : terse) ?? this.#failure
      if (failure === null) continue
      // It cannot be sent, and what is sent already must not be carried out without it.
      connection.stream.destroy(failure)
      return failure
    }
    connection.sync()
    connection.stream.uncork()
    return null
  }

  override handleRowDescription(message: unknown): void {
    this.#current?.handleRowDescription(message)
  }

  override handleDataRow(message: unknown): void {
    this.#current?.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    const query = this.#current
    if (query === undefined) return
    query.handleCommandComplete(message, connection)
    if (query.name !== undefined) memoryOf(connection).remember(query.name, query._result)
    // The last one is complete when the connection is ready for others.
    if (this.#next === this.#queries.length - 1) return
    query.handleReadyForQuery(connection)
    this.#next++
  }

  override handleReadyForQuery(connection: Connection): void {
    this.#current?.handleReadyForQuery(connection)
    this.callback(null, undefined)
  }

  override handleError(error: Error, connection: Connection): void {
    for (const query of this.#queries.slice(this.#next)) {
      // The database has not seen those that it skipped.
      if (query.name !== undefined) delete connection.submittedNamedStatements[query.name]
      query.handleError(error, connection)
    }
    this.#next = this.#queries.length
    this.callback(error, undefined)
  }
}
