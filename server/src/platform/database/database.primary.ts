// Connections that are kept only if the server is a primary: a standby shows old rows and rejects writes.
import type { Socket } from 'node:net'
import pg from 'pg'
import { hostUrls } from '../hosts.ts'
import { StartupError } from '../startup-error.ts'

/** The PostgreSQL routine that waits for the standby at the end of a COMMIT. Unlike the message, its name is never translated. */
const waitingForStandby = 'SyncRepWaitForLSN'

/**
 * The Citus routines that warn when a server could not be told that a transaction has committed. That server finds out later, and shows the
 * rows then.
 */
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
   * The wait for the standby was cancelled during COMMIT. The transaction is committed on this server and has the tag COMMIT, but a
   * failover may still undo it. In a distributed database, it can also mean that a server has not been told yet.
   */
  unconfirmed = false
  readonly #timeout_ms: number

  constructor(config: pg.ClientConfig = {}) {
    super(config)
    this.#timeout_ms = config.connectionTimeoutMillis ?? 0
    this.query = this.#together(this.query.bind(this) as (...statement: unknown[]) => unknown) as typeof this.query
    // The statements of a broken connection fail, and that is where it is handled. The event still needs a listener.
    this.on('error', () => {})
    this.on('notice', ({ routine }) => {
      if (routine === waitingForStandby || toldNobody.has(routine ?? '')) this.unconfirmed = true
    })
  }

  /** Also rejects if the server is a standby, with the code of a write on a standby. */
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

  /**
   * Sends all statements of an event loop turn in one write. The driver would write each of them separately, and the database would wake up
   * for each.
   */
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

/** Opens a command's connection to the first host that is a primary. Throws a StartupError with the reasons of all hosts if none is. */
export async function openPrimary(url: string, application_name: string): Promise<PrimaryClient> {
  const reasons: string[] = []
  try {
    for (const connectionString of hostUrls(url)) {
      // The constructor reads the URL and any files it refers to, so it can throw too.
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

/** Node reports several failed attempts as one error without a message. Messages of failed connections never contain the password. */
function reasonOf(error: unknown): string {
  return (error as Error).message || ((error as NodeJS.ErrnoException).code ?? 'no reason was given')
}
