// Writes seals, once a minute. Any number of instances may do it: if two seal the same rows, the second finds the number of its seal taken.
import { startEra } from '../events/events.ts'
import type { Anchors } from '../platform/anchors.ts'
import { now } from '../platform/clock.ts'
import { type Strand, Strands } from '../platform/database/database.strands.ts'
import type { Database, Lists } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import type { Logger } from '../platform/log.ts'
import { Rounds } from '../platform/rounds.ts'
import {
  beginningsIn,
  countOf,
  endBefore,
  inTheirOrder,
  isUpto,
  type KnownRanges,
  lastPlace,
  laterTransactions,
  listedIn,
  listOf,
  type Place,
  type Ranges,
  restOfTransaction,
  rootOf,
  type Seal,
  sealedTables,
  selectLastSeal,
  tableOf,
} from './verify.seals.ts'

type Options = {
  database: Database
  log: Logger
  /** Where the root of each seal is written outside the database. */
  anchors?: Anchors
  every_ms: number
  /** The most rows of each table in one seal. Of a shard, of which there are many, a fifth. */
  most?: number
}

/** Of a strand: the rows that the next seal covers, up to where, and whether they are all there are. */
type Found = { strand: Strand; bytes: Buffer; end: Place; isAll: boolean; servers: string[] }

/** The pause between two seals of a backlog, for other work. */
const pause_ms = 20

/** The server of a shard counts from below the place that seals have reached. Rows that it has written before another era begins are in no seal, and are named. */
class NumbersStartOver extends Error {
  constructor(strand: string) {
    super(`the server of ${strand} has not reached the numbers of its rows: its shard was moved without "npm run distribute -- move"`)
  }
}

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
    const { number: before, ranges, root: previous_root, beginnings, era } = await this.#last()
    const reached = JSON.parse(ranges) as KnownRanges
    let found: Found[]
    try {
      // Read by the connections of lists, so that other requests find theirs free.
      found = await this.#database.list(bankId, (lists) => this.#rowsAfter(lists, reached, beginningsIn(beginnings), era))
    } catch (error) {
      if (!(error instanceof NumbersStartOver)) throw error
      this.#log.error({ err: error }, 'another era begins, so that rows can be sealed again')
      await startEra(this.#database, { isNeeded: async (tx) => (await tx.first(selectLastSeal))?.era === era })
      return true
    }
    const rows = found.reduce((sum, { bytes }) => sum + countOf(bytes), 0)
    // Rows that were read before a failover may be gone after it.
    const servers = new Set(found.flatMap(({ servers }) => servers))
    if (rows === 0 || servers.size > 1) return false
    const ends = new Map(found.map(({ strand, bytes, end }) => [strand.name, { rows: countOf(bytes), ...end }]))
    // A strand that has no rows today stays where it is.
    const ended = Object.entries(reached).map(([name, place]) => [name, { ...place, rows: 0 }] as const)
    const all = new Map<string, unknown>([...ended, ...ends])
    const contents = {
      number: before + 1,
      at: now().toISOString(),
      rows,
      ranges: JSON.stringify(Object.fromEntries(inTheirOrder(all.keys()).map((name) => [name, all.get(name)]))),
      previous_root,
    }
    const covered = Object.fromEntries(found.map(({ strand, bytes }) => [strand.name, bytes]))
    const seal: Seal = { ...contents, root: rootOf(contents, covered), list: await listOf(covered) }
    const written = await this.#write(seal, [...servers][0] ?? '')
    if (written) await this.#anchor(seal, covered['audit_log'] ?? Buffer.alloc(0))
    return written && found.some(({ isAll }) => !isAll)
  }

  /**
   * Rows after the places that strands have reached, and where they end: at the last of them if there may be more, and otherwise where transactions still
   * run, so that no row can be put before that place later.
   */
  async #rowsAfter(lists: Lists, reached: KnownRanges, first: Ranges, era: number): Promise<Found[]> {
    const strands = await Strands.find((query) => lists.rows(query), sealedTables, this.#database.placement)
    const found = strands.all.map((strand): Found & { place: Place; most: number } => {
      // A shard continues where the table was when it was distributed.
      const place = reached[strand.name] ?? reached[strand.table]
      if (place === undefined) throw new Error(`no seal says where ${strand.table} begins`)
      const most = strand.name === strand.table ? this.#most : Math.ceil(this.#most / 5)
      return { strand, place, most, bytes: Buffer.alloc(0), end: place, isAll: false, servers: [] }
    })
    const isInMigration = ({ strand, place }: (typeof found)[number]) => {
      const beginning = first[tableOf(strand.name)]
      return place.era === beginning.era && place.xid === beginning.xid
    }
    const read = async (some: typeof found, ask: typeof restOfTransaction, isLast: boolean) => {
      const open = some.filter(({ bytes, most }) => countOf(bytes) < most)
      const answers = await strands.read(open.map(({ strand, place, bytes, most }) => ask(strand, place, most - countOf(bytes))))
      for (const [index, one] of open.entries()) {
        const [answer] = answers[index] ?? []
        if (answer === undefined) throw new Error(`the rows of ${one.strand.name} were not answered`)
        one.isAll = isLast && countOf(answer.bytes ?? Buffer.alloc(0)) < one.most - countOf(one.bytes)
        if (answer.bytes !== null) one.bytes = Buffer.concat([one.bytes, answer.bytes])
        if (answer.server !== undefined) one.servers.push(answer.server)
        if (one.isAll) one.end = endBefore(answer, era)
        else if (one.bytes.length > 0) one.end = lastPlace(one.bytes)
        if (!isUpto(one.place, one.end)) throw new NumbersStartOver(one.strand.name)
      }
    }
    await read(found.filter(isInMigration), restOfTransaction, false)
    await read(found, (strand, place, most) => laterTransactions(strand, place, most, era), true)
    return found
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
