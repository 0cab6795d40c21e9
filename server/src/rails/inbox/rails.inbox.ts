// The inbox: every file is read and stored once, and every transaction in it is applied once. A crash at any point loses and repeats
// nothing: a file is put away after it is stored, and what is stored is applied until all of it is.
import type { NewCase } from '../../cases/cases.ts'
import { limits, MessageFault, type MessageReader, type ReadMessage } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import { Rounds } from '../../platform/rounds.ts'
import { houseId } from '../../ventures/ventures.ts'
import { type FileExchange, FileTooLarge, shownName, UnusableFile } from '../exchange/rails.exchange.ts'
import { isStatement, type StatementMessage, unitsOf } from './rails.appliers.ts'
import { type Applying, applyOnce, messageCase, type Unit } from './rails.apply.ts'
import { refusedFile, type Taken, takenFile, unreadFile } from './rails.files.ts'
import {
  concludeMessage,
  evidenceOf,
  findApplied,
  findMessage,
  findNamesake,
  getBody,
  insertReceived,
  type ReceivedFile,
  refuseMessage,
  type StoredMessage,
  selectUnapplied,
} from './rails.inbox.sql.ts'

/** Applies a statement as a whole, once, however often it is called, or returns why it cannot be applied. */
export type ApplyStatement = (
  message: StoredMessage,
  read: StatementMessage,
) => Promise<{ outcome: 'APPLIED' | 'IGNORED' } | { outcome: 'REFUSED'; reason: string; detail: string }>

export type InboxOptions = Applying & {
  exchange: FileExchange
  reader: Pick<MessageReader, 'read'>
  applyStatement: ApplyStatement
  /** The BICs whose messages are accepted. */
  allowedSenders: () => Promise<readonly string[]>
  /** More work for each round. */
  also?: () => Promise<unknown>
  every_ms?: number
  /** How long a sender may take to finish a file. */
  patience_ms?: number
}

/** The figures for monitoring. The times are those of this instance. */
export type InboxFigures = {
  /** How long the oldest file has been waiting. */
  oldest_s: number
  /** How long ago the last complete round was. */
  last_round_s: number
  /** The number of refused files by reason. */
  refused: ReadonlyMap<string, number>
  /** How many instant payments came from the future, so that one of two clocks must be wrong. */
  clock_off: number
}

/** `refused`: the reason, or null. */
type Stored = { isNew: boolean; refused: string | null }
type Fresh = { stored: StoredMessage; read: ReadMessage }
/** Undefined if the file could not be stored. Without `read`, there is nothing to apply. */
type TakenIn = { stored: StoredMessage; read: ReadMessage | undefined } | undefined

/** How many files are read, transactions applied, and messages selected at a time. */
const [files_at_once, units_at_once, messages_at_once] = [16, 256, 100]

/** Files up to this size are read concurrently. Larger ones are read and applied one by one, so that they do not fill the memory. */
const small_bytes = 4 * 1024 * 1024

/** The longest pause before a file that could not be stored or put away is retried. */
const longestPause_ms = 10_000

/** A file that was seen, in the time of this process: since when, how often it failed, and when it is due again. */
type Sighting = { since_ms: number; failures: number; due_ms: number }

export class Inbox {
  readonly #options: InboxOptions
  readonly #rounds: Rounds
  #unwatch: (() => void) | undefined
  #running: Promise<unknown> | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #wakeRequested = false
  readonly #seen = new Map<string, Sighting>()
  readonly #refused = new Map<string, number>()
  #roundEnded_ms = performance.now()

  constructor(options: InboxOptions) {
    this.#options = options
    this.#rounds = new Rounds({ every_ms: options.every_ms ?? 1_000, first: 'at once', work: () => this.#round() })
  }

  get figures(): InboxFigures {
    const moment = performance.now()
    // The files seen first come first.
    const [oldest_ms = moment] = this.#seen.values().map(({ since_ms }) => since_ms)
    return {
      oldest_s: (moment - oldest_ms) / 1000,
      last_round_s: (moment - this.#roundEnded_ms) / 1000,
      refused: this.#refused,
      clock_off: this.#options.clock.off,
    }
  }

  start(): void {
    this.#roundEnded_ms = performance.now()
    this.#unwatch = this.#options.exchange.watch?.(() => this.wake())
    this.#rounds.start()
  }

  /** Begins no other file, and waits for those in progress. */
  async stop(): Promise<void> {
    this.#unwatch?.()
    await this.#rounds.stop()
    await this.#running
  }

  /** Looks for files now. */
  wake(): void {
    this.#wakeRequested = true
    if (this.#running !== undefined || this.#rounds.isStopping) return
    this.#running = this.#drain().finally(() => {
      this.#running = undefined
    })
  }

  /** Reads and applies everything that is there. For tests, instead of start(). */
  async runDue(): Promise<void> {
    while ((await this.#pass()) > 0);
    await this.#options.also?.()
  }

  async #drain(): Promise<void> {
    while (this.#wakeRequested && !this.#rounds.isStopping) {
      this.#wakeRequested = false
      await this.#guarded(() => this.#pass())
    }
  }

  async #round(): Promise<void> {
    await this.#running
    await this.#guarded(() => this.#pass())
    await this.#guarded(async () => this.#options.also?.())
  }

  async #guarded(work: () => Promise<unknown>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#options.log.warn({ err: error }, 'messages could not be taken in')
    }
  }

  /** One pass at a time: a file is read once, whatever triggers the pass. */
  #pass(): Promise<number> {
    const pass = this.#turn.then(() => this.#lookThrough())
    this.#turn = pass.catch(() => {})
    return pass
  }

  /** Returns how many files were put away and messages applied. */
  async #lookThrough(): Promise<number> {
    const names = this.#look(await this.#options.exchange.list())
    let done = 0
    for (let at = 0; at < names.length && !this.#rounds.isStopping; at += files_at_once) {
      const part = names.slice(at, at + files_at_once)
      const taken = await Promise.all(part.map((name) => this.#take(name, small_bytes)))
      let together: TakenIn[] = []
      for (const [index, one] of taken.entries()) {
        if (one !== 'large') {
          together.push(one)
          continue
        }
        done += await this.#applyTaken(together)
        together = []
        const large = await this.#take(part[index] ?? '', limits.file_bytes)
        if (large !== 'large') done += await this.#applyTaken([large])
      }
      done += await this.#applyTaken(together)
    }
    done += await this.#applyLeft()
    this.#roundEnded_ms = performance.now()
    return done
  }

  /** Remembers the listed files, and returns those to read now. */
  #look(listed: readonly string[]): string[] {
    const moment = performance.now()
    const there = new Set(listed)
    for (const name of this.#seen.keys()) if (!there.has(name)) this.#seen.delete(name)
    return listed.filter((name) => {
      const sighting = this.#seen.get(name) ?? { since_ms: moment, failures: 0, due_ms: moment }
      this.#seen.set(name, sighting)
      return sighting.due_ms <= moment
    })
  }

  /** After the first failure the next round retries the file; later retries wait longer, so that it does not keep the inbox busy. */
  #postpone(name: string): void {
    const sighting = this.#seen.get(name)
    if (sighting === undefined) return
    const pause_ms = Math.min(longestPause_ms, 1_000 * (2 ** sighting.failures - 1))
    sighting.failures++
    sighting.due_ms = performance.now() + pause_ms
  }

  /** Whether the sender has had enough time to finish the file. */
  #isOverdue(name: string): boolean {
    const { since_ms = 0 } = this.#seen.get(name) ?? {}
    return performance.now() - since_ms >= (this.#options.patience_ms ?? 10_000)
  }

  #isAway(name: string, refused: string | null): void {
    this.#seen.delete(name)
    if (refused === null) return
    this.#refused.set(refused, (this.#refused.get(refused) ?? 0) + 1)
    this.#options.log.warn({ file: shownName(name), reason: refused }, 'a message was refused')
  }

  /** Messages give the same books in any order, but statements have to follow each other. Returns how many files were put away. */
  async #applyTaken(taken: readonly TakenIn[]): Promise<number> {
    const fresh = taken.filter((one): one is Fresh => one?.read !== undefined)
    const [statements, others] = [fresh.filter(({ read }) => isStatement(read)), fresh.filter(({ read }) => !isStatement(read))]
    await Promise.all(others.map(({ stored, read }) => this.#apply(stored, read)))
    for (const { stored, read } of statements) await this.#apply(stored, read)
    return taken.filter((one) => one !== undefined).length
  }

  /**
   * Reads, stores and puts away a file, unless it is larger than `most` and has to be read alone. A file that fails delays no other, and is retried.
   */
  async #take(name: string, most: number): Promise<TakenIn | 'large'> {
    const { exchange, log } = this.#options
    try {
      const taken = await this.#read(name, most)
      if (taken === 'large') return taken
      const { file, read } = taken
      const { isNew, refused } = await this.#store(file)
      await exchange.putAway(name, refused === null ? 'taken' : 'failed')
      this.#isAway(name, refused)
      return { stored: file as StoredMessage, read: isNew && refused === null ? read : undefined }
    } catch (error) {
      log.warn({ err: error, file: shownName(name) }, 'a file could not be taken in')
      this.#postpone(name)
      return undefined
    }
  }

  async #read(name: string, most: number): Promise<Taken | 'large'> {
    const { exchange, reader, transfers, allowedSenders } = this.#options
    let bytes: Uint8Array
    try {
      bytes = await exchange.read(name, most)
    } catch (error) {
      if (error instanceof FileTooLarge && most < limits.file_bytes) return 'large'
      const isUnusable = error instanceof UnusableFile && (!error.mayPass || this.#isOverdue(name))
      if (!isUnusable && !(error instanceof FileTooLarge)) throw error
      return { file: unreadFile(name, error), read: undefined }
    }
    const read = await reader.read(bytes).catch((error: unknown) => {
      if (error instanceof MessageFault) return error
      throw error
    })
    return takenFile(name, bytes, read, { bic: transfers.bank.bic, senders: await allowedSenders() })
  }

  /** A refused file gets a case. The same message is stored once; another message with its id is refused. */
  async #store(file: ReceivedFile): Promise<Stored> {
    const { database, transfers } = this.#options
    const isNew = await database.transaction(async (tx) => {
      tx.evidence = evidenceOf(file.id)
      const inserted = await insertReceived(tx, file)
      if (inserted && file.state === 'REFUSED') transfers.openCase(tx, caseAbout(file))
      return inserted
    })
    if (isNew) return { isNew, refused: file.reason }
    const known = await findMessage(database, file.id)
    if (known !== undefined) return { isNew, refused: known.reason }
    const namesake = await findNamesake(database, file)
    if (namesake === undefined) throw new Error(`the message ${file.message_id} has been refused meanwhile`)
    if (namesake.sha256 === file.sha256) return { isNew, refused: null }
    return this.#store(refusedFile(file, 'message_id_reused'))
  }

  /** Applies what an earlier run, here or in another instance, has left. */
  async #applyLeft(): Promise<number> {
    const { database, reader } = this.#options
    let done = 0
    for (const stored of await selectUnapplied(database, messages_at_once)) {
      if (this.#rounds.isStopping) break
      const isDone = await this.#guardedApply(stored, async () => reader.read(await getBody(database, stored.id)))
      if (isDone) done++
    }
    return done
  }

  #apply(stored: StoredMessage, read: ReadMessage): Promise<boolean> {
    return this.#guardedApply(stored, async () => read)
  }

  async #guardedApply(stored: StoredMessage, load: () => Promise<ReadMessage>): Promise<boolean> {
    try {
      return await applyMessage(this.#options, stored, await load())
    } catch (error) {
      this.#options.log.warn({ err: error, file: stored.message_id }, 'a message could not be applied')
      return false
    }
  }
}

function caseAbout({
  id,
  file,
  type,
  message_id,
  sender,
  reason,
  detail,
}: Omit<ReceivedFile, 'state' | 'body' | 'sha256' | 'created_at'>): NewCase {
  return {
    venture_id: houseId,
    kind: messageCase,
    resource_id: id,
    payload: { rail_message_id: id, file, type, message_id, sender, reason, detail },
  }
}

/** Applies the rest of a message. Returns whether all of it is now applied. */
export async function applyMessage(
  options: Applying & Pick<InboxOptions, 'applyStatement'>,
  stored: StoredMessage,
  read: ReadMessage,
): Promise<boolean> {
  const { database } = options
  if (isStatement(read)) {
    const result = await options.applyStatement(stored, read)
    if (result.outcome === 'REFUSED') return refuseStored(options, stored, result)
  } else {
    const units = await unitsOf(options, stored, read)
    const done = new Set((await findApplied(database, stored.id)).map(({ position }) => position))
    const left = units.filter(({ position }) => !done.has(position))
    if (
      !(await applyUnits(
        options,
        stored,
        left.filter(({ last }) => !last),
      ))
    )
      return false
    if (
      !(await applyUnits(
        options,
        stored,
        left.filter(({ last }) => last),
      ))
    )
      return false
  }
  await database.transaction((tx) => concludeMessage(tx, stored.id, now().toISOString()))
  return true
}

/** A transaction that fails delays no other. */
async function applyUnits(context: Applying, message: StoredMessage, units: readonly Unit[]): Promise<boolean> {
  let whole = true
  for (let at = 0; at < units.length; at += units_at_once) {
    const part = units.slice(at, at + units_at_once)
    const results = await Promise.allSettled(
      part.map((unit) => applyOnce(context, { message, position: unit.position, again: undefined }, unit)),
    )
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') continue
      whole = false
      const { message_id } = message
      context.log.warn({ err: result.reason, message_id, position: part[index]?.position }, 'a transaction could not be applied')
    }
  }
  return whole
}

/** The content of a statement does not fit: nothing of it is applied. */
async function refuseStored(
  { database, transfers }: Applying,
  { id, type, message_id, sender }: StoredMessage,
  { reason, detail }: { reason: string; detail: string },
): Promise<boolean> {
  await database.transaction(async (tx) => {
    const refused = await refuseMessage(tx, { id, reason, detail, now: now().toISOString() })
    if (refused === 1) transfers.openCase(tx, caseAbout({ id, file: message_id, type, message_id, sender, reason, detail }))
  })
  return true
}
