// The one way to PostgreSQL: reads by pool, writes in transactions whose outcome is always found out, never guessed.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { refuse } from '../../values/refusals.ts'
import { type Trouble, troubleOf } from './database.errors.ts'
import { rowsOf } from './database.rows.ts'
import { parsers } from './database.types.ts'
import { type Read, read, type Write, write } from './sql.ts'

/** All rights of the service are granted to this role; the login role is only a member of it. */
export const serviceRole = 'vostro_service'

type Options = {
  url: string
  poolSize?: number
  onLost?: (error: Error) => void
  /** How long an unknown outcome is asked about before the caller is told that it is unknown. */
  settling_ms?: number
}

type Outcome = 'committed' | 'aborted' | 'in progress'

type Ending<T> = { result: T; lost: Error | undefined; xid: string | undefined; evidence: Read<object> | undefined }

const attempts = 3
/** For how long after the start a trouble is worth another attempt. PostgreSQL takes a second to find a deadlock. */
const retrying_ms: Record<Trouble, number> = { conflict: 2_500, lost: 500, slow: 0, full: 0 }

const sessionSettings = [
  `role=${serviceRole}`,
  'timezone=UTC',
  // Compiling a statement takes longer than any of ours.
  'jit=off',
  'statement_timeout=2500',
  'lock_timeout=2000',
  'idle_in_transaction_session_timeout=15000',
]

export class Database {
  readonly pool: pg.Pool
  readonly poolSize: number
  readonly #settling_ms: number

  constructor({ url, poolSize = 12, onLost = () => {}, settling_ms = 5_000 }: Options) {
    this.poolSize = poolSize
    this.#settling_ms = settling_ms
    const { address, givenOptions } = splitOptions(url)
    this.pool = new pg.Pool({
      connectionString: address,
      max: poolSize,
      types: parsers,
      // Statements of a transaction travel without waiting for each other's answers: 2.0–2.5 times the throughput.
      pipeline: true,
      application_name: 'vostro',
      options: `${givenOptions} ${sessionSettings.map((setting) => `-c ${setting}`).join(' ')}`,
      // Together these keep the promise that a database that is away is reported within five seconds.
      connectionTimeoutMillis: 1_500,
      query_timeout: 3_000,
      keepAlive: true,
    })
    // An idle connection that breaks is the pool's to replace; without a listener it would end the process.
    this.pool.on('error', onLost)
    // One that breaks while in use fails its statements, which is how we learn of it; but it also needs a listener of its own.
    this.pool.on('connect', (client) => client.on('error', () => {}))
  }

  async rows<Row extends object>(query: Read<Row>): Promise<Row[]> {
    return this.#retrying(() => this.#query(query))
  }

  async first<Row extends object>(query: Read<Row>): Promise<Row | undefined> {
    return (await this.rows(query))[0]
  }

  /**
   * Runs `work` in one transaction. When it returns, everything was committed; when it throws, nothing was; and when even
   * asking the database afterwards does not tell which, it refuses with `outcome_unknown`. `work` may run more than once.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#retrying(() => this.#attempt(work))
  }

  /** Tries again what is known not to have happened, a few times and only while the caller can still be answered in time. */
  async #retrying<T>(act: () => Promise<T>): Promise<T> {
    const start = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await act()
      } catch (error) {
        const trouble = troubleOf(error)
        if (trouble === undefined) throw error
        if (attempt === attempts || performance.now() - start > retrying_ms[trouble]) {
          refuse('unavailable', { retry_after_s: 1, cause: error })
        }
      }
      await sleep(Math.random() * 20 * attempt)
    }
  }

  async #attempt<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const { result, lost, xid, evidence } = await this.#untilCommit(work)
    // By now the broken connection has left the pool: when all broke at once, asking needs its place.
    if (lost === undefined || (await this.#wasDone(xid, evidence))) return result
    throw lost
  }

  /** Runs `work` and its COMMIT. When the connection broke while COMMIT was under way, `lost` is set and the outcome open. */
  async #untilCommit<T>(work: (tx: Tx) => Promise<T>): Promise<Ending<T>> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    try {
      const begun = client.query('begin')
      const numbered = client.query<unknown[]>(currentXid)
      // Awaited below with the first statement's answer; until then a rejection must not count as unhandled.
      begun.catch(() => {})
      numbered.catch(() => {})
      const tx = new Tx(client)
      let result: T
      let xid: string | undefined
      try {
        result = await work(tx)
        await begun
        xid = rowsOf<{ xid: string }>(await numbered)[0]?.xid
      } catch (error) {
        // A connection that hangs would let the ROLLBACK hang as well; without us, the server takes the transaction back by itself.
        if (troubleOf(error) === 'lost') broken = error as Error
        else
          await client.query('rollback').catch((failure: Error) => {
            broken = failure
          })
        throw (await firstFailure(tx.underWay)) ?? error
      }
      try {
        const committing = client.query('commit')
        committing.catch(() => {})
        // If one of these failed, the COMMIT behind it was carried out as a ROLLBACK.
        const failure = await firstFailure(tx.underWay)
        if (failure !== undefined) throw failure
        const { command } = await committing
        // After a failed statement whose error was swallowed, COMMIT resolves with this tag.
        if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command} because a failed statement was not reported`)
      } catch (error) {
        if (troubleOf(error) !== 'lost') throw error
        broken = error as Error
      }
      return { result, lost: broken, xid, evidence: tx.evidence }
    } catch (error) {
      if (troubleOf(error) === 'lost') broken ??= error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  /**
   * The connection broke while COMMIT was under way, so only the database knows what became of it. The number alone does
   * not prove that it was done: after a crash PostgreSQL may give it to another transaction. What we wrote proves it.
   */
  async #wasDone(xid: string | undefined, evidence: Read<object> | undefined): Promise<boolean> {
    const deadline = performance.now() + this.#settling_ms
    while (xid !== undefined && performance.now() < deadline) {
      try {
        const outcome = await this.#outcome(xid)
        if (outcome !== 'in progress') {
          if (evidence !== undefined && (await this.#query(evidence)).length > 0) return true
          if (outcome === 'aborted') return false
          break
        }
      } catch (error) {
        if (troubleOf(error) === undefined) throw error
      }
      await sleep(50)
    }
    return refuse('outcome_unknown', { retry_after_s: 5 })
  }

  async #outcome(xid: string): Promise<Outcome | undefined> {
    try {
      const [row] = await this.#query(read<{ outcome: Outcome }>`select pg_xact_status(${xid}::xid8) as outcome`)
      return row?.outcome
    } catch (error) {
      // "transaction ID is in the future": a crash took the transaction away, and the server has not come to its number again.
      // The code 22023 has many other meanings, and the words depend on the server's language.
      if ((error as pg.DatabaseError).routine === 'TransactionIdInRecentPast') return 'aborted'
      throw error
    }
  }

  async #query<Row extends object>(query: Read<Row>): Promise<Row[]> {
    const client = await this.pool.connect()
    let broken: Error | undefined
    try {
      return rowsOf(await client.query<unknown[]>(query))
    } catch (error) {
      if (troubleOf(error) === 'lost') broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }

  async close(): Promise<void> {
    // Connections that break now are on their way out anyway.
    this.pool.removeAllListeners('error')
    this.pool.on('error', () => {})
    await this.pool.end()
  }
}

/** Options in the address would take the place of ours, the role of the service among them; this way ours come last and win. */
function splitOptions(url: string): { address: string; givenOptions: string } {
  const address = new URL(url)
  const givenOptions = address.searchParams.get('options') ?? ''
  address.searchParams.delete('options')
  return { address: address.href, givenOptions }
}

// A writing transaction gets its number anyway; asking for it travels with the first statement and costs no round trip.
const currentXid = write<{ xid: string }>`select pg_current_xact_id()::text as xid`

/** A statement that failed unnoticed makes all that follow fail, so it is the one to be told about. */
async function firstFailure(answers: readonly Promise<unknown>[]): Promise<unknown> {
  const failed = (await Promise.allSettled(answers)).find(({ status }) => status === 'rejected')
  return failed?.status === 'rejected' ? failed.reason : undefined
}

/** A transaction under way: the only thing that accepts writes. */
export class Tx {
  readonly #client: pg.PoolClient
  /** Statements whose answers nobody has waited for. */
  readonly underWay: Promise<unknown>[] = []
  /** A query that finds a row only if this transaction was committed. */
  evidence: Read<object> | undefined

  constructor(client: pg.PoolClient) {
    this.#client = client
  }

  async rows<Row extends object>(query: Read<Row> | Write<Row>): Promise<Row[]> {
    return rowsOf(await this.#client.query<unknown[]>(query))
  }

  async first<Row extends object>(query: Read<Row> | Write<Row>): Promise<Row | undefined> {
    return (await this.rows(query))[0]
  }

  /**
   * Sends a write without waiting for its answer: it travels with the COMMIT behind it. If it fails, the transaction fails.
   * For the last writes of a transaction, whose answers nothing depends on.
   */
  send(query: Write<never>): void {
    const answer = this.#client.query<unknown[]>(query)
    answer.catch(() => {})
    this.underWay.push(answer)
  }

  /** Runs a write and tells how many rows it touched. */
  async run(query: Write<never>): Promise<number> {
    return (await this.#client.query<unknown[]>(query)).rowCount ?? 0
  }
}

/** What reads may run on: the pool, or a transaction that must see its own writes. */
export type Reader = Pick<Database, 'rows' | 'first'>
