// The only way to PostgreSQL: reads through a pool, writes in transactions whose outcome is always determined and never guessed.
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { refuse } from '../../values/refusals.ts'
import { Turns } from '../turns.ts'
import { Barrier, barrierStatement } from './database.barrier.ts'
import { type ConnectionOptions, Connections } from './database.connections.ts'
import { type Trouble, troubleOf } from './database.errors.ts'
import type { Limits } from './database.limits.ts'
import { findPlacement, onOneServer, type Placement } from './database.placement.ts'
import { rowsOf } from './database.rows.ts'
import { Snapshot } from './database.snapshot.ts'
import { prepareAll, Written } from './database.written.ts'
import { type Read, read, type Write, write } from './sql.ts'

type Options = Omit<ConnectionOptions, 'forLists'> & {
  /** Overrides `outcome_ms` of the limits. */
  outcome_ms?: number
  /** The maximum number of connections for lists and searches, in addition to the pool. */
  listPoolSize?: number
  /** Whether other instances run on the same machine. */
  hasSiblings?: boolean
}

type Outcome = 'committed' | 'aborted' | 'in progress'

type Ending<T> = { result: T; lost: Error | undefined; xid: string | undefined; evidence: Read<object> | undefined }

const attempts = 3

/** How many lists and searches of one venture may wait for a turn. */
const mostWaitingLists = 64

/**
 * How many snapshots are read at the same time, at most one for each venture. They have their own connections, so that lists keep theirs.
 */
const mostSnapshots = 2

export class Database {
  readonly connections: Connections
  /** For code that needs a connection of its own. */
  readonly url: string
  readonly #barrier: Barrier
  /** Connections for lists and searches only: however slow these are, all other requests still find free connections. */
  readonly #listConnections: Connections
  readonly lists: Turns
  readonly #awaitedLists = new Map<string, Promise<unknown>>()
  readonly #snapshots: Turns
  /** Set by `findPlacement`. */
  placement: Placement = onOneServer
  readonly #hasSiblings: boolean
  readonly #open = new Set<Snapshot>()
  readonly #outcome_ms: number
  /** How long after the start of the first attempt each kind of trouble is retried. */
  readonly #retrying_ms: Record<Trouble, number>

  constructor({ outcome_ms, listPoolSize = 2, hasSiblings = false, ...options }: Options) {
    this.connections = new Connections(options)
    this.url = options.url
    this.#hasSiblings = hasSiblings
    this.#barrier = new Barrier(this.connections)
    this.#listConnections = new Connections({ ...options, poolSize: listPoolSize + mostSnapshots, forLists: true })
    this.lists = new Turns({
      places: listPoolSize,
      // Leaves one place for other ventures, if there is more than one.
      mostOfOne: Math.max(1, listPoolSize - 1),
      mostWaiting: mostWaitingLists,
      wait_ms: this.limits.queue_ms,
    })
    this.#snapshots = new Turns({ places: mostSnapshots, mostOfOne: 1, mostWaiting: mostWaitingLists, wait_ms: this.limits.queue_ms })
    const { conflict_ms, lost_ms } = this.limits
    this.#outcome_ms = outcome_ms ?? this.limits.outcome_ms
    this.#retrying_ms = { conflict: conflict_ms, lost: lost_ms, slow: 0, full: 0 }
  }

  get limits(): Limits {
    return this.connections.limits
  }

  /**
   * Whether large batches are better than early ones: with several servers, a statement is expensive; with siblings, the processors are
   * busy meanwhile.
   */
  get favoursLargeBatches(): boolean {
    return this.placement.isSpread || this.#hasSiblings
  }

  /**
   * Whether a batch may begin while others are committing. Up to three run at a time, which would take every connection of a pool of three.
   */
  get favoursOverlaps(): boolean {
    return !this.favoursLargeBatches && this.connections.size > 3
  }

  /** Determines where rows are stored. */
  async findPlacement(): Promise<void> {
    this.placement = await findPlacement((query) => this.rows(query))
  }

  async rows<Row extends object>(query: Read<Row>): Promise<Row[]> {
    const since_ms = performance.now()
    return this.#inTurn(since_ms, () => this.#query(query, since_ms))
  }

  async first<Row extends object>(query: Read<Row>): Promise<Row | undefined> {
    return (await this.rows(query))[0]
  }

  /**
   * Runs the statements of one list or search in a turn of the venture. A statement that takes too long fails as `slow`; see
   * platform/http/pieces.ts.
   */
  async list<T>(venture_id: string, work: (lists: Lists) => Promise<T>): Promise<T> {
    const turn = this.lists.enter(venture_id)
    return this.#inListTurn(venture_id, turn, work)
  }

  /**
   * The same for a list that others may request at the same time under the same name. Callers that wait for a turn share one reading and
   * its result, which they must not modify. It begins after the last of them has asked, so each of them sees everything written before.
   */
  sharedList<T>(venture_id: string, name: string, work: (lists: Lists) => Promise<T>): Promise<T> {
    const awaited = this.#awaitedLists.get(name)
    if (awaited !== undefined) return awaited as Promise<T>
    const turn = this.lists.enter(venture_id)
    if (turn === undefined) return this.#inListTurn(venture_id, turn, work)
    const forget = () => this.#awaitedLists.delete(name)
    const result = this.#inListTurn(venture_id, turn.finally(forget), work)
    this.#awaitedLists.set(name, result)
    return result
  }

  async #inListTurn<T>(venture_id: string, turn: Promise<void> | undefined, work: (lists: Lists) => Promise<T>): Promise<T> {
    if (turn !== undefined) await turn
    let isFirst = true
    const rows = async <Row extends object>(query: Read<Row>): Promise<Row[]> => {
      const passed = isFirst ? undefined : this.lists.pass(venture_id)
      isFirst = false
      if (passed !== undefined) await passed
      return this.#retry(() => this.#query(query, performance.now(), this.#listConnections), { throwsSlow: true })
    }
    try {
      return await work({ rows })
    } finally {
      this.lists.leave(venture_id)
    }
  }

  /**
   * Opens a snapshot, in which everything read is from the same point in time. The caller must close it. For data that is longer than a
   * list and whose reader may be slow. `first`: a statement that runs before the snapshot is taken, for a lock.
   */
  async snapshot(venture_id: string, first?: Read<object>): Promise<Snapshot> {
    const turn = this.#snapshots.enter(venture_id)
    if (turn !== undefined) await turn
    try {
      const snapshot = await this.#retry(() =>
        Snapshot.open(
          this.#listConnections,
          () => {
            this.#open.delete(snapshot)
            this.#snapshots.leave(venture_id)
          },
          { ...this.#listConnections.limits, first },
        ),
      )
      this.#open.add(snapshot)
      return snapshot
    } catch (error) {
      this.#snapshots.leave(venture_id)
      throw error
    }
  }

  /**
   * Runs `work` in one transaction. When this returns, everything is committed, also on the standby if the database waits for one; when it
   * throws, nothing is. If the outcome cannot be determined, it refuses with `outcome_unknown`. `work` may run more than once. `since_ms`:
   * when the caller started to wait, if earlier than now.
   */
  async transaction<T>(work: (tx: Tx) => Promise<T>, since_ms = performance.now()): Promise<T> {
    return this.#inTurn(since_ms, () => this.#attempt(work, since_ms, beside))
  }

  /** Runs `work` in a transaction while no other transaction of any instance runs: current ones end first, new ones wait. */
  async transactionAlone<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const since_ms = performance.now()
    return this.#inTurn(since_ms, () => this.#attempt(work, since_ms, alone))
  }

  /**
   * Waits for a connection, then runs `act`. Retries what certainly did not happen, a few times and only while the caller can still get a
   * response in time.
   */
  async #inTurn<T>(since_ms: number, act: () => Promise<T>): Promise<T> {
    const turn = this.connections.enter(since_ms)
    if (turn !== undefined) await turn
    try {
      return await this.#retry(act)
    } finally {
      this.connections.leave()
    }
  }

  /** `throwsSlow`: the caller handles a statement that took too long. */
  async #retry<T>(act: () => Promise<T>, { throwsSlow = false } = {}): Promise<T> {
    const start_ms = performance.now()
    for (let attempt = 1; ; attempt++) {
      try {
        return await act()
      } catch (error) {
        const trouble = troubleOf(error) ?? this.#troubleElsewhere(error)
        if (trouble === undefined || (throwsSlow && trouble === 'slow')) throw error
        if (attempt === attempts || performance.now() - start_ms > this.#retrying_ms[trouble]) {
          refuse('unavailable', { retry_after_s: 1, cause: error })
        }
      }
      await sleep(Math.random() * 20 * attempt)
    }
  }

  /**
   * In a distributed database, the transaction may have failed on another server before the statement that reports it. It was rolled back.
   */
  #troubleElsewhere(error: unknown): Trouble | undefined {
    return this.placement.isSpread && (error as pg.DatabaseError).code === '25P02' ? 'conflict' : undefined
  }

  async #attempt<T>(work: (tx: Tx) => Promise<T>, since_ms: number, first: Begin): Promise<T> {
    const { result, lost, xid, evidence } = await this.#untilCommit(work, since_ms, first)
    // The broken connection has left the pool by now, so there is room for the one that asks for the outcome.
    if (lost === undefined || (await this.#wasDone(xid, evidence, since_ms))) return result
    throw lost
  }

  /**
   * Runs `work` and its COMMIT. If the connection breaks during COMMIT, or the wait for the standby is cancelled, `lost` is set and the
   * outcome is open.
   */
  async #untilCommit<T>(work: (tx: Tx) => Promise<T>, since_ms: number, first: Begin): Promise<Ending<T>> {
    const client = await this.connections.connect(since_ms)
    let broken: Error | undefined
    try {
      const begun = client.query('begin')
      const numbered = client.query<unknown[]>(first)
      // Awaited below with the first statement's result; until then a rejection must not count as unhandled.
      begun.catch(() => {})
      numbered.catch(() => {})
      const tx = new Tx(client, this.placement)
      let result: T
      let xid: string | undefined
      try {
        result = await work(tx)
        tx.complete()
        await begun
        xid = rowsOf<{ xid: string }>(await numbered)[0]?.xid
        tx.end()
      } catch (error) {
        tx.end()
        // On a connection that hangs, ROLLBACK would hang as well. The server rolls back on its own when the connection closes.
        if (troubleOf(error) === 'lost') broken = error as Error
        else
          await client.query('rollback').catch((failure: Error) => {
            broken = failure
          })
        throw (await firstFailure([begun, numbered, ...tx.underWay])) ?? error
      }
      try {
        const committing = client.query('commit')
        committing.catch(() => {})
        // If one of these failed, the COMMIT behind it was executed as a ROLLBACK.
        const failure = await firstFailure(tx.underWay)
        if (failure !== undefined) throw failure
        const { command } = await committing
        // COMMIT returns this tag if a statement failed and its error was swallowed.
        if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command} because a failed statement was not reported`)
        if (client.unconfirmed) broken = new Error('the COMMIT is not confirmed by all servers')
      } catch (error) {
        if (troubleOf(error) !== 'lost') throw error
        broken = error as Error
      }
      return { result, lost: broken, xid, evidence: tx.evidence }
    } catch (error) {
      if (troubleOf(error) === 'lost') broken ??= error as Error
      throw error
    } finally {
      this.connections.release(client, broken)
    }
  }

  /**
   * Makes sure that a failover cannot undo the row that `evidence` finds; refuses with `outcome_unknown` if that cannot be proved in time.
   * For a response that acknowledges what an earlier request wrote, whose own caller may have been told that the outcome is unknown.
   */
  async confirm(evidence: Read<object>): Promise<void> {
    const isSafe = await this.#barrier.confirms(evidence, performance.now() + this.#outcome_ms)
    if (!isSafe || (this.placement.isSpread && !(await this.#confirmAtWorkers()))) refuse('outcome_unknown', { retry_after_s: 5 })
  }

  /** A worker's commits wait for the standby of that worker only. */
  async #confirmAtWorkers(): Promise<boolean> {
    const answers = await this.rows(read<{ success: boolean }>`select success from run_command_on_workers(${barrierStatement})`)
    return answers.every(({ success }) => success)
  }

  /** Whether a COMMIT without a clear response succeeded after all; refuses with `outcome_unknown` if that cannot be determined in time. */
  async #wasDone(xid: string | undefined, evidence: Read<object> | undefined, since_ms: number): Promise<boolean> {
    // Even a caller that has waited long gets one look at the database.
    const deadline_ms = Math.max(since_ms + this.#outcome_ms, performance.now() + this.#outcome_ms / 10)
    const late = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => late.resolve(undefined), deadline_ms - performance.now())
    const done = await Promise.race([this.#findOut(xid, evidence, deadline_ms), late.promise]).finally(() => clearTimeout(timer))
    return done ?? refuse('outcome_unknown', { retry_after_s: 5 })
  }

  /**
   * Only the database knows the outcome. The transaction number alone does not prove the commit: after a crash, PostgreSQL may assign it to
   * another transaction. The rows that we wrote prove it, once they are on the standby as well.
   */
  async #findOut(xid: string | undefined, evidence: Read<object> | undefined, deadline_ms: number): Promise<boolean | undefined> {
    while (xid !== undefined && performance.now() < deadline_ms) {
      try {
        const outcome = await this.#outcome(xid)
        if (outcome !== 'in progress') {
          const isThere = evidence !== undefined && (await this.#query(evidence, performance.now())).length > 0
          if (isThere && (await this.#barrier.confirms(evidence, deadline_ms))) return true
          if (!isThere && outcome === 'aborted') return false
          // A server of a distributed database shows committed rows as soon as it has been told.
          if (!isThere && !this.placement.isSpread) return undefined
        }
      } catch (error) {
        // An error that keeps the database from answering, such as a shard that was just moved, says nothing about the outcome.
        if (troubleOf(error) === undefined) return undefined
      }
      await sleep(50)
    }
    return undefined
  }

  async #outcome(xid: string): Promise<Outcome | undefined> {
    try {
      const [row] = await this.#query(read<{ outcome: Outcome }>`select pg_xact_status(${xid}::xid8) as outcome`, performance.now())
      return row?.outcome
    } catch (error) {
      // "transaction ID is in the future": a crash undid the transaction, and the server has not reached its number again.
      // The code 22023 has many other meanings, and the message depends on the server's language.
      if ((error as pg.DatabaseError).routine === 'TransactionIdInRecentPast') return 'aborted'
      throw error
    }
  }

  async #query<Row extends object>(query: Read<Row>, since_ms: number, connections = this.connections): Promise<Row[]> {
    const client = await connections.connect(since_ms)
    let broken: Error | undefined
    try {
      return rowsOf(await client.query<unknown[]>(query))
    } catch (error) {
      if (troubleOf(error) === 'lost') broken = error as Error
      throw error
    } finally {
      connections.release(client, broken)
    }
  }

  async close(): Promise<void> {
    this.#barrier.close()
    await Promise.all([...this.#open].map((snapshot) => snapshot.close()))
    await Promise.all([this.connections.close(), this.#listConnections.close()])
  }
}

type Begin = Write<{ xid: string }>

/** An arbitrary number that every Vostro must share. */
export const aloneKey = 5_648_768

// The first statement of a transaction. A writing transaction gets a number anyway; the query is pipelined with the next statement and
// costs no round trip. The lock is held until the transaction ends, and every later statement sees what was committed before it.
const beside: Begin = write<{ xid: string }>`select pg_current_xact_id()::text as xid, pg_advisory_xact_lock_shared(${aloneKey})`
const alone: Begin = write<{ xid: string }>`select pg_current_xact_id()::text as xid, pg_advisory_xact_lock(${aloneKey})`

/** A failed statement that nobody noticed makes all later ones fail, so its error is the one to report. */
async function firstFailure(answers: readonly Promise<unknown>[]): Promise<unknown> {
  const failed = (await Promise.allSettled(answers)).find(({ status }) => status === 'rejected')
  return failed?.status === 'rejected' ? failed.reason : undefined
}

/** A transaction in progress, and the only thing that accepts writes. */
export class Tx {
  readonly #client: pg.PoolClient
  /** Statements whose results have not been awaited. */
  readonly underWay: Promise<unknown>[] = []
  /** A query that returns a row only if this transaction was committed. */
  evidence: Read<object> | undefined
  readonly placement: Placement
  readonly #written: Written | undefined
  #hasEnded = false

  constructor(client: pg.PoolClient, placement: Placement = onOneServer) {
    this.#client = client
    this.placement = placement
    this.#written = placement.isSpread ? new Written() : undefined
  }

  async rows<Row extends object>(query: Read<Row> | Write<Row>): Promise<Row[]> {
    return rowsOf(await this.#query(query))
  }

  /** Refuses further statements: behind COMMIT or ROLLBACK, they would run outside the transaction. */
  end(): void {
    this.#hasEnded = true
  }

  #query(query: Read<unknown> | Write<unknown>): Promise<pg.QueryResult<unknown[]>> {
    if (this.#hasEnded) return Promise.reject(new Error('a statement was sent after its transaction had ended'))
    if (query.kind === 'write') this.#written?.add(query)
    return this.#client.query<unknown[]>(query)
  }

  /** What must be sent before COMMIT. */
  complete(): void {
    if (this.#written?.needsPreparing) this.send(prepareAll())
  }

  async first<Row extends object>(query: Read<Row> | Write<Row>): Promise<Row | undefined> {
    return (await this.rows(query))[0]
  }

  /**
   * Sends a write without waiting for its result: it is pipelined with the COMMIT. If the write fails, the transaction fails. For the last
   * writes of a transaction, whose results nothing depends on.
   */
  send(query: Write<never>): void {
    this.later(this.#query(query))
  }

  /** Awaits a result together with COMMIT. If it fails, the transaction fails; until then, the rejection must not count as unhandled. */
  later(answer: Promise<unknown>): void {
    answer.catch(() => {})
    this.underWay.push(answer)
  }

  /** Runs a write and returns how many rows it affected. */
  async run(query: Write<never>): Promise<number> {
    return (await this.#query(query)).rowCount ?? 0
  }
}

/** Where the statements of one list or search run, one at a time. */
export type Lists = Pick<Database, 'rows'>

/** Where reads may run: the pool, or a transaction that must see its own writes. */
export type Reader = Pick<Database, 'rows' | 'first' | 'placement'>
