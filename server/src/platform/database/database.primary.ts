// Connections that are kept only if the server is a primary: a standby shows old rows and rejects writes.
import type { Socket } from 'node:net'
import pg from 'pg'
import { hostUrls } from '../hosts.ts'
import { StartupError } from '../startup-error.ts'

/** The routine of PostgreSQL that waits for the standby at the end of a COMMIT. Unlike the message, its name is in no language. */
const waitingForStandby = 'SyncRepWaitForLSN'

/** The routines of Citus that warn when a server could not be told that a transaction is committed. It finds out later, and shows its rows then. */
const toldNobody = new Set([
  'FinishRemoteTransactionCommit',
  'WarnAboutLeakedPreparedTransaction',
  'ReportConnectionError',
  'ReportResultError',
])

/** The SQLSTATE of a write on a standby. */
const readOnly = '25006'

/** Properties of pg's client that its type definitions lack. */
export type Inside = {
  /** False while a statement has been sent and its result is incomplete. */
  readyForQuery: boolean
  connection: { stream: Socket }
}

type Callback = ((error: Error) => void) | ((error: null, client: pg.ClientBase) => void)

export class PrimaryClient extends pg.Client {
  /**
   * Somebody cancelled a COMMIT while it waited for the standby. It is done on this server and carries the tag COMMIT, but a failover
   * may still take it back. Or a server of a distributed database has not heard of it yet.
   */
  unconfirmed = false
  readonly #timeout_ms: number

  constructor(config: pg.ClientConfig = {}) {
    super(config)
    this.#timeout_ms = config.connectionTimeoutMillis ?? 0
    this.query = this.#together(this.query.bind(this) as (...statement: unknown[]) => unknown) as typeof this.query
    // A connection that breaks fails its statements, which is where we handle it; but the event also needs a listener.
    this.on('error', () => {})
    this.on('notice', ({ routine }) => {
      if (routine === waitingForStandby || toldNobody.has(routine ?? '')) this.unconfirmed = true
    })
  }

  /** Also rejects, with the code of a write on a standby, if the server is a standby. */
  override connect(): Promise<pg.Client>
  override connect(callback: Callback): void
  override connect(callback?: Callback): Promise<pg.Client> | undefined {
    const connected = super.connect().then(() => this.#requirePrimary())
    if (callback === undefined) return connected
    connected.then(
      () => (callback as (error: null, client: pg.ClientBase) => void)(null, this),
      (error: Error) => (callback as (error: Error) => void)(error),
    )
    return undefined
  }

  /** Statements of one turn of the event loop go out in one write. The driver would write each by itself, and the database would wake up for each. */
  #together(query: (...statement: unknown[]) => unknown): (...statement: unknown[]) => unknown {
    let gathering = false
    return (...statement) => {
      if (!gathering) {
        const { stream } = (this as unknown as Inside).connection
        gathering = true
        stream.cork()
        process.nextTick(() => {
          gathering = false
          stream.uncork()
        })
      }
      return query(...statement)
    }
  }

  async #requirePrimary(): Promise<pg.Client> {
    try {
      const asked = { text: 'select pg_is_in_recovery() as standby', query_timeout: this.#timeout_ms }
      const { rows } = await this.query<{ standby: boolean }>(asked)
      if (rows[0]?.standby) throw Object.assign(new Error('the server is a standby'), { code: readOnly })
      return this
    } catch (error) {
      this.end().catch(() => {})
      throw error
    }
  }
}

/** Opens a connection of a command to the first host that is a primary; throws a StartupError with the reasons of all hosts if none is. */
export async function openPrimary(url: string, application_name: string): Promise<PrimaryClient> {
  const reasons: string[] = []
  try {
    for (const connectionString of hostUrls(url)) {
      // The constructor reads the URL, and files that it may name, so it can throw too.
      const client = new PrimaryClient({ connectionString, application_name, connectionTimeoutMillis: 10_000 })
      try {
        await client.connect()
        return client
      } catch (error) {
        reasons.push(`${client.host}, port ${client.port}: ${reasonOf(error)}`)
      }
    }
  } catch (error) {
    reasons.push(reasonOf(error))
  }
  throw new StartupError(`The database cannot be reached: ${reasons.join('; ')}. Check its URL, and that PostgreSQL is running.`)
}

/** Node reports several failed attempts as one error without a message. No message of a failed connection contains the password. */
function reasonOf(error: unknown): string {
  return (error as Error).message || ((error as NodeJS.ErrnoException).code ?? 'no reason was given')
}
