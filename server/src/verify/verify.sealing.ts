// Writes seals, once a minute. Any number of instances may do it: if two seal the same rows, the second finds the number of its seal taken.
import type { Anchors } from '../platform/anchors.ts'
import { now } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import {
  beginningsIn,
  type Covered,
  countOf,
  endBefore,
  lastPlace,
  laterTransactions,
  listedIn,
  listOf,
  type Place,
  type Ranges,
  restOfTransaction,
  rootOf,
  type Seal,
  type SealedTable,
  sealedTables,
  selectLastSeal,
} from './verify.seals.ts'

type Options = {
  database: Database
  log: Logger
  /** Where the root of each seal is written outside the database. */
  anchors?: Anchors
  every_ms: number
  /** The maximum number of rows of each table in one seal. */
  most?: number
}

/** The pause between two seals of a backlog, for other work. */
const pause_ms = 20

export class Sealing {
  readonly #database: Database
  readonly #log: Logger
  readonly #anchors: Anchors | undefined
  readonly #every_ms: number
  readonly #most: number
  readonly #rounds: Rounds

  constructor({ database, log, anchors, every_ms, most = 5_000 }: Options) {
    this.#database = database
    this.#log = log
    this.#anchors = anchors
    this.#every_ms = every_ms
    this.#most = most
    this.#rounds = new Rounds({ every_ms, first: 'later', work: () => this.#sealAll() })
  }

  start(): void {
    this.#rounds.start()
  }

  /** Begins no more seals and waits for the current one. */
  stop(): Promise<void> {
    return this.#rounds.stop()
  }

  /** Seals everything that can be sealed now. For tests, instead of start(). */
  async runDue(): Promise<void> {
    while (await this.#sealSome());
  }

  async #sealAll(): Promise<void> {
    try {
      if (await this.#wasJustSealed()) return
      while (!this.#rounds.isStopping && (await this.#sealSome())) await this.#rounds.pause(pause_ms)
    } catch (error) {
      this.#log.warn({ err: error }, 'rows could not be sealed')
    }
  }

  /** Whether another instance has just sealed. A time in the future does not count: a clock that was ahead must not stop the seals. */
  async #wasJustSealed(): Promise<boolean> {
    const { at } = await this.#last()
    const age_ms = now().getTime() - Date.parse(at)
    return age_ms >= 0 && age_ms < this.#every_ms / 2
  }

  async #last() {
    const last = await this.#database.first(selectLastSeal)
    if (last === undefined) throw new Error('the first seal is missing')
    return last
  }

  /** Writes one seal, if there is anything to seal. Returns whether there is more. */
  async #sealSome(): Promise<boolean> {
    const { number: before, ranges: reached, root: previous_root, beginnings } = await this.#last()
    const [first, places] = [beginningsIn(beginnings), JSON.parse(reached) as Ranges]
    const covered = {} as Covered
    const ends = {} as Record<SealedTable, Place>
    const servers = new Set<string>()
    for (const table of sealedTables) {
      const { bytes, end } = await this.#rowsAfter(table, places[table], first[table], servers)
      covered[table] = bytes
      ends[table] = end
    }
    const counts = sealedTables.map((table) => countOf(covered[table]))
    const rows = counts.reduce((sum, count) => sum + count, 0)
    // Rows that were read before a failover may be gone after it.
    if (rows === 0 || servers.size > 1) return false
    const number = before + 1
    const ranges = JSON.stringify(
      Object.fromEntries(sealedTables.map((table) => [table, { rows: countOf(covered[table]), ...ends[table] }])),
    )
    const contents = { number, at: now().toISOString(), rows, ranges, previous_root }
    const seal: Seal = { ...contents, root: rootOf(contents, covered), list: await listOf(covered) }
    const written = await this.#write(seal, [...servers][0] ?? '')
    if (written) await this.#anchor(seal, covered.audit_log)
    return written && counts.some((count) => count >= this.#most)
  }

  /**
   * The rows after a place, and how far they reach: to the last of them if there may be more, otherwise to the oldest running transaction,
   * so that no row can appear before that place later. Uses the connections for lists, to leave the others to requests.
   */
  async #rowsAfter(table: SealedTable, place: Place, first: Place, servers: Set<string>): Promise<{ bytes: Buffer; end: Place }> {
    return this.#database.list(bankId, async (lists) => {
      const parts: Buffer[] = []
      let end: Place | undefined
      const isMigration = place.era === first.era && place.xid === first.xid
      for (const select of isMigration ? [restOfTransaction, laterTransactions] : [laterTransactions]) {
        const most = this.#most - parts.reduce((sum, part) => sum + countOf(part), 0)
        if (most <= 0) break
        const [found] = await lists.rows(select(table, place, most))
        if (found === undefined) throw new Error(`the rows of ${table} were not answered`)
        servers.add(found.server)
        if (found.bytes !== null) parts.push(found.bytes)
        const isComplete = select === laterTransactions && countOf(found.bytes ?? Buffer.alloc(0)) < most
        if (isComplete) end = endBefore(found)
      }
      const bytes = Buffer.concat(parts)
      return { bytes, end: end ?? lastPlace(bytes) }
    })
  }

  /** A seal stands even if its anchor is not written: the next anchor covers everything before it. */
  async #anchor({ number, at, rows, root }: Seal, entries: Buffer): Promise<void> {
    const audit_log = listedIn(entries).map(({ venture_id, id }) => ({ venture_id, id }))
    await this.#anchors?.write({ anchor: 'root', number, at, rows, root, audit_log })
  }

  /** Whether the seal was written: another instance may have been faster, or another server may answer now. */
  #write({ number, at, rows, ranges, root, previous_root, list }: Seal, server: string): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      tx.evidence = read`select number from seals where number = ${number} and root = ${root}`
      const inserted = await tx.run(write`
        insert into seals (number, at, rows, ranges, root, previous_root, list)
        select ${number}::bigint, ${at}::timestamptz, ${rows}::int, ${ranges}::json, ${root}, ${previous_root}, ${list}::bytea
        where pg_postmaster_start_time()::text = ${server}
        on conflict do nothing`)
      return inserted === 1
    })
  }
}
