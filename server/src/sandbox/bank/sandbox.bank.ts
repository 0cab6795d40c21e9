// The simulated bank: the clearing system and all other banks in one. It speaks only XML, and only through the exchange of files. Its state
// is in tables, so every instance of the service sees the same bank.
import { MessageFault, MessageReader, type ReadMessage, writeMessage } from '../../iso20022/iso20022.ts'
import { now, onJump } from '../../platform/clock.ts'
import { accompanied, type Companions } from '../../platform/companions.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { read } from '../../platform/database/sql.ts'
import type { Logger } from '../../platform/log.ts'
import { DifferentFile, type FileExchange, FileTooLarge, type OutgoingFile } from '../../rails/rails.ts'
import { todayUtc } from '../../values/calendar.ts'
import { fromNumeric } from '../../values/money.ts'
import { messageRefused } from './sandbox.bank.answers.ts'
import { type BankAnswer, type Circumstances, emptyPlan, type Plan } from './sandbox.bank.payments.ts'
import { concernedBy, cycle_ms, proceed, receive } from './sandbox.bank.rules.ts'
import type { DayEndDone } from './sandbox.bank.schemas.ts'
import {
  type Due,
  type FileFromBank,
  findLastStatement,
  findReceivedFile,
  listWaitingFiles,
  lockDue,
  lockPayments,
  lockRecalls,
  lockUnstated,
  numbersAtOnce,
  putFileAway,
  readFileFromBank,
  sendAnswersAgain,
  sendFile,
  sizeOfFile,
  takeNumbers,
  updatePayments,
  writeEntries,
  writePayments,
  writeRecalls,
  writeReceivedFile,
  writeStatement,
} from './sandbox.bank.sql.ts'
import { balanceText, settlementAccount, statementMessage, statementsOf } from './sandbox.bank.statement.ts'

type Options = {
  database: Database
  log: Logger
  /** Our bank, whose payments the simulated one settles. */
  bank: { bic: string; name: string }
  reader?: MessageReader
}

/** How often the bank looks for payments that became due through another instance. */
const round_ms = 2_000
/** An arbitrary number, the same in all instances. */
const dayEndLock = 7_266_201

export class SimulatedBank implements FileExchange {
  readonly atOnce = 16
  readonly #options: Options
  readonly #reader: MessageReader
  readonly #watchers = new Set<() => void>()
  readonly #timers = new Set<NodeJS.Timeout>()
  #rounds: NodeJS.Timeout | undefined
  #stopJumps: (() => void) | undefined
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
    this.#reader = options.reader ?? new MessageReader()
  }

  get database(): Database {
    return this.#options.database
  }

  /** Starts automatic cycles. */
  start(): void {
    this.#rounds = setInterval(() => this.#round(), round_ms)
    this.#stopJumps = onJump(() => this.#round())
    this.#round()
  }

  async close(): Promise<void> {
    clearInterval(this.#rounds)
    this.#stopJumps?.()
    for (const timer of this.#timers) clearTimeout(timer)
    await this.#running
    await this.#reader.close()
  }

  // The exchange of files.

  async send({ name, sha256, bytes }: OutgoingFile): Promise<void> {
    const known = await findReceivedFile(this.database, name)
    if (known !== undefined) return requireSame(name, known.sha256, sha256)
    const message = await this.#look(bytes)
    const { plan } = await this.#carryOut(async (tx, circumstances) => ({
      plan: await this.#receive(tx, circumstances, { name, sha256, bytes }, message),
      made: {},
    }))
    if ([...plan.payments, ...plan.changes].some(({ next }) => next !== null)) this.#roundLater()
  }

  async #receive(tx: Tx, circumstances: Circumstances, given: OutgoingFile, message: Looked): Promise<Plan> {
    const { at } = circumstances
    const file = { ...given, type: message.type, message_id: message.message_id, detail: null, number: circumstances.next() }
    if ('fault' in message) {
      await writeReceivedFile(tx, { ...file, state: 'REFUSED', detail: message.fault.message }, at)
      return { ...emptyPlan(), answers: refusalOf(message, circumstances) }
    }
    if (await writeReceivedFile(tx, { ...file, state: 'RECEIVED' }, at)) {
      const { tx_ids, message_ids } = concernedBy(message.read)
      const payments = await lockPayments(tx, tx_ids, message_ids)
      return receive(message.read, { payments, recalls: await lockRecalls(tx, tx_ids) }, circumstances)
    }
    const same = await findReceivedFile(tx, given.name)
    if (same !== undefined) requireSame(given.name, same.sha256, given.sha256)
    else {
      // The id was already used in another file: nothing is settled again, and the earlier answers are repeated.
      await writeReceivedFile(tx, { ...file, state: 'REPEATED' }, at)
      sendAnswersAgain(tx, message.message_id, file.number, at)
    }
    return emptyPlan()
  }

  list(): Promise<readonly string[]> {
    return listWaitingFiles(this.database)
  }

  async read(name: string, limit: number): Promise<Uint8Array> {
    const size = await sizeOfFile(this.database, name)
    if (size !== undefined && size > limit) throw new FileTooLarge(name, limit, String(size))
    const bytes = await readFileFromBank(this.database, name)
    if (bytes === undefined) throw new Error(`the simulated bank has no file ${name}`)
    return bytes
  }

  async putAway(name: string, where: 'taken' | 'failed'): Promise<void> {
    await this.database.transaction((tx) => putFileAway(tx, name, where === 'taken' ? 'TAKEN' : 'FAILED'))
  }

  watch(onFile: () => void): () => void {
    this.#watchers.add(onFile)
    return () => this.#watchers.delete(onFile)
  }

  // Actions that the bank takes on its own, and on request.

  /** Settles and returns everything that waits for a cycle and is due today. Returns how many payments moved. */
  async cycle(companions?: Companions): Promise<number> {
    const at = now()
    // What this cycle itself defers to the next one is due exactly then, and stays.
    const taken = await this.#moveDue({ at, cycleUntil: new Date(at.getTime() + cycle_ms) }, companions)
    if (taken > 0) this.#roundLater()
    return taken
  }

  /** Writes the statement of the account, with all entries that are not on a statement yet: in several parts, if it is long. */
  endDay(companions?: Companions): Promise<DayEndDone> {
    return this.ask(async (tx, circumstances) => {
      const { at } = circumstances
      await tx.rows(read`select pg_advisory_xact_lock(${dayEndLock})`)
      const last = await findLastStatement(tx)
      const opening = last === undefined ? settlementAccount.prefunding : fromNumeric(last.closing)
      const statements = statementsOf(await lockUnstated(tx), { sequence: (last?.sequence ?? 0) + 1, date: todayUtc(at), opening })
      const answers = statements.map((statement) => statementMessage(statement, this.#options.bank.name, circumstances))
      for (const [index, statement] of statements.entries()) writeStatement(tx, statement, answers[index]?.message.message_id ?? '', at)
      const shown = statements.map(({ sequence, date, opening, closing, entries }) => {
        return { sequence, date, opening: balanceText(opening), closing: balanceText(closing), entries: entries.length }
      })
      return { plan: { ...emptyPlan(), answers }, made: { statements: shown } }
    }, companions)
  }

  /** Carries out a request to the bank: a payment to us, a direct debit, a recall, a statement. */
  async ask<Made extends object>(work: Work<Made>, companions?: Companions): Promise<Made> {
    const { plan, made } = await this.#carryOut(work, companions)
    if (plan.payments.some(({ next }) => next !== null)) this.#roundLater()
    return made
  }

  async #moveDue(due: Due, companions?: Companions): Promise<number> {
    let taken = 0
    for (;;) {
      const { plan } = await this.#carryOut(
        async (tx, circumstances) => ({
          plan: proceed(await lockDue(tx, due), { ...circumstances, at: due.at }),
          made: {},
        }),
        taken === 0 ? companions : undefined,
      )
      if (plan.changes.length === 0) return taken
      taken += plan.changes.length
    }
  }

  /** Plans, and writes the whole plan in one transaction; then notifies the watchers of files. */
  async #carryOut<Made extends object>(work: Work<Made>, companions?: Companions): Promise<{ plan: Plan; made: Made }> {
    const { database, bank } = this.#options
    let plan = emptyPlan()
    const made = await database.transaction((tx) =>
      accompanied(tx, companions, async () => {
        const at = now()
        const first = await takeNumbers(tx)
        const circumstances = { at, ours: bank.bic, next: numbersFrom(first) }
        const planned = await work(tx, circumstances)
        plan = planned.plan
        writePayments(tx, plan.payments, first, at)
        updatePayments(tx, plan.changes)
        writeEntries(tx, plan.entries)
        writeRecalls(tx, plan.recalls, at)
        for (const answer of plan.answers) sendFile(tx, fileOf(answer), circumstances.next(), at)
        return planned.made
      }),
    )
    for (const onFile of this.#watchers) onFile()
    return { plan, made }
  }

  /** The message in a file, or why it is not one. */
  async #look(bytes: Uint8Array): Promise<Looked> {
    try {
      const message = await this.#reader.read(bytes)
      return { read: message, type: message.type, message_id: message.message.message_id }
    } catch (error) {
      if (!(error instanceof MessageFault)) throw error
      const text = Buffer.from(bytes.subarray(0, 4_096)).toString()
      return {
        fault: error,
        type: /xmlns="urn:iso:std:iso:20022:tech:xsd:([a-z0-9.]{1,35})"/.exec(text)?.[1] ?? null,
        message_id: /<(?:MsgId|Assgnmt><Id)>([A-Za-z0-9+?/:().,' -]{1,35})</.exec(text)?.[1] ?? null,
      }
    }
  }

  #round(): void {
    this.#running = this.#running
      .then(async () => {
        const at = now()
        await this.#moveDue({ at, cycleUntil: at })
      })
      .catch((error: unknown) => this.#options.log.warn({ err: error }, 'the simulated bank could not finish a round'))
  }

  /** Not before the next cycle. Unless started, nothing follows by itself. */
  #roundLater(): void {
    if (this.#rounds === undefined) return
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#round()
    }, cycle_ms)
    this.#timers.add(timer)
  }
}

type Work<Made> = (tx: Tx, circumstances: Circumstances) => Promise<{ plan: Plan; made: Made }>

/** An id derived from a number, in the form of a random one. */
export function idOf(number: bigint): string {
  return `51b00000-0000-4000-8000-${number.toString().padStart(12, '0')}`
}

type Looked =
  | { read: ReadMessage; type: string; message_id: string }
  | { fault: MessageFault; type: string | null; message_id: string | null }

function requireSame(name: string, known: string, given: string): void {
  if (known !== given) throw new DifferentFile(name)
}

/** An invalid message is refused whole if it states its id. */
function refusalOf({ type, message_id }: Omit<Looked, 'read' | 'fault'>, circumstances: Circumstances): BankAnswer[] {
  return type === null || message_id === null ? [] : [messageRefused(circumstances, { message_id, type }, { code: 'FF01' })]
}

function numbersFrom(first: bigint): () => bigint {
  let used = 0
  return () => {
    if (used === numbersAtOnce) throw new Error('the simulated bank has run out of numbers in one transaction')
    return first + BigInt(used++)
  }
}

function fileOf({ type, message, about, breaksOff }: BankAnswer): FileFromBank {
  const whole = writeMessage(type, message as never)
  const bytes = breaksOff ? whole.subarray(0, Math.floor(whole.length / 2)) : whole
  return { name: `${message.message_id}.xml`, bytes, type, about }
}
