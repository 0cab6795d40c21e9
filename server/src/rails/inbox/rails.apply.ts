// How a transaction of a message is applied once: everything that follows from it is written in one database transaction, together with its
// row in rail_applied.
import { hash } from 'node:crypto'
import { decidedToo, findOpenCases, type NewCase } from '../../cases/cases.ts'
import { now } from '../../platform/clock.ts'
import { coalesce } from '../../platform/coalesce.ts'
import { accompanied, type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { tryLocks, waitForLocks } from '../../platform/idempotency/idempotency.sql.ts'
import type { Logger } from '../../platform/log.ts'
import { connector, type ScreenArriving } from '../../processing/processing.ts'
import { isInstant } from '../../schemes/schemes.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { findStandings, type Key, type Transfers } from '../../transfers/transfers.ts'
import type { Money } from '../../values/money.ts'
import { Refusal, type RefusalCode, refuse } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import type { InstantRules } from '../instants/rails.instants.ts'
import { type Attempt, findAttempts, findByEndToEndId, type Named, type RailPayment } from '../packs/rails.attempts.sql.ts'
import type { Facts } from '../rails.facts.ts'
import { type Problem, problems } from './rails.answers.ts'
import {
  type Applied,
  findAppliedOf,
  insertApplied,
  type Outcome,
  type StoredMessage,
  writeOutcome,
  writePackState,
} from './rails.inbox.sql.ts'

/**
 * `creditBound`: a larger amount from a file is credited only when a statement shows it; undefined: no bound. `instant`: how the bank takes part in instant
 * payments. `screenArriving`: whether an instant payment may be accepted. `clock`: counts the messages that came from the future.
 */
type Foundation = {
  database: Database
  transfers: Transfers
  facts: Facts
  creditBound: Money | undefined
  instant: InstantRules
  screenArriving: ScreenArriving
  clock: { off: number }
  log: Logger
}

/** What appliers work with. The transactions of a message are applied concurrently, so their look-ups share queries. */
export type Applying = Foundation & {
  /** All attempts of a payment by its transaction id, the newest first. */
  findAttempts(tx_id: string): Promise<Attempt[] | undefined>
  /** A transfer as it is now, read without a lock: to move it, name the sequence it had. */
  findTransfer(key: Key): Promise<TransferRow | undefined>
}

export function openApplying(foundation: Foundation): Applying {
  const { database, transfers } = foundation
  const options = { concurrency: 2, wait_ms: database.limits.answer_ms }
  const attemptsOf = coalesce<string, Attempt[]>(
    async (tx_ids) => Map.groupBy(await findAttempts(database, tx_ids), ({ tx_id }) => tx_id),
    options,
  )
  const transferOf = coalesce<string, TransferRow>(async (names) => {
    const standings = await findStandings(transfers, names.map(keyIn))
    return new Map(standings.map(({ transfer }) => [nameOfKey(transfer), transfer]))
  }, options)
  return { ...foundation, findAttempts: attemptsOf, findTransfer: (key) => transferOf(nameOfKey(key)) }
}

const nameOfKey = ({ venture_id, id }: Key): string => `${venture_id}/${id}`

function keyIn(name: string): Key {
  const [venture_id = '', id = ''] = name.split('/')
  return { venture_id, id }
}

/** The newest attempt that an answer can mean, if any. */
export async function findNamed(
  { database, findAttempts: find }: Applying,
  { message_id, tx_id, end_to_end_id }: Named,
): Promise<RailPayment | undefined> {
  if (tx_id !== undefined) {
    return (await find(tx_id))?.find(
      (attempt) =>
        (message_id === undefined || attempt.message_id === message_id) &&
        (end_to_end_id === undefined || attempt.end_to_end_id === end_to_end_id),
    )
  }
  if (message_id === undefined || end_to_end_id === undefined) return undefined
  return findByEndToEndId(database, message_id, end_to_end_id)
}

/**
 * A transaction of a message. `again`: a person has decided to apply it again, and these rows belong to the decision. `about`: its
 * transfer, as soon as that is known. `closes`: cases that have nothing left to decide once it is applied.
 */
export type Place = {
  message: StoredMessage
  position: number
  again: readonly Companion[] | undefined
  about?: string
  closes?: readonly Companion[]
}

/** A part of a message that is applied on its own. The order within a message makes no difference, except that `last` ones come last. */
export type Unit = { position: number; last?: boolean; apply(place: Place): Promise<void> }

type Row = Applied & { about: string | null; again: boolean; also: ((tx: Tx, now: string) => void) | undefined }

const nameOf = ({ message_id, position }: Pick<Applied, 'message_id' | 'position'>): string => `${message_id} ${position}`

const lockNumber = (row: Row): string =>
  hash('sha256', `applied ${nameOf(row)}`, 'buffer')
    .readBigInt64BE(0)
    .toString()

/** Another instance may apply the same message: the lock comes first, because only a later statement sees what the other one has written. */
const appliedOnce: CompanionKind<Row, unknown> = {
  name: 'rail_applied',
  async acquire(tx, rows, wait) {
    const numbers = rows.map(lockNumber)
    const [locked, found] = await Promise.all([wait ? waitForLocks(tx, numbers) : tryLocks(tx, numbers), findAppliedOf(tx, rows)])
    const outcomes = new Map(found.map((applied) => [nameOf(applied), applied.outcome]))
    const taken = new Set<string>()
    return rows.map((row, index) => {
      const name = nameOf(row)
      const outcome = outcomes.get(name)
      if (taken.has(name) || (row.again ? outcome !== 'case' : outcome !== undefined))
        return new Refusal('resource_changed', { detail: 'The transaction has been applied meanwhile.' })
      if (locked !== undefined && !locked.has(numbers[index] ?? '')) return 'held'
      taken.add(name)
      return 'granted'
    })
  },
  write(tx, granted) {
    const moment = now().toISOString()
    const rows = granted.map(({ row, result }) => ({ ...row, transfer_id: row.about, booked_id: bookedIn(result, row.about) }))
    const first = rows.filter(({ again }) => !again)
    if (first.length > 0) insertApplied(tx, first, moment)
    for (const row of rows) {
      if (row.again) writeOutcome(tx, row)
      row.also?.(tx, moment)
    }
  },
}

/** The id of what a command created for a transaction; null if that is the row that the transaction is about. */
function bookedIn(result: unknown, about: string | null): string | null {
  const { id } = result as { id?: string }
  return id === undefined || id === about ? null : id
}

/** What to write with the effect of a transaction. `also`: sends more rows of the rails, together with COMMIT. */
export function applied(place: Place, outcome: Outcome, also?: (tx: Tx, now: string) => void): Companion[] {
  const { message, position, again, about, closes = [] } = place
  const row: Row = { message_id: message.id, position, outcome, about: about ?? null, again: again !== undefined, also }
  return [companion(appliedOnce, row), ...(again ?? []), ...(outcome === 'applied' || outcome === 'break' ? closes : [])]
}

/** The case in which people wait for the answer to an instant payment, which is alone in its pack. */
async function silenceEnds({ database }: Applying, { rail, kind, state, pack_id }: RailPayment): Promise<Companion[]> {
  if (state !== 'UNKNOWN' || !isInstant(rail) || kind === 'RETURN' || pack_id === null) return []
  const open = await findOpenCases({ database }, { venture_id: houseId, resource_id: pack_id, kinds: ['delivery'] })
  return [companion(answeredPacks, pack_id), ...open.map((one) => decidedToo(one, 'close', connector, 'The other bank has answered.'))]
}

/** The place of a transaction that answers a payment. */
export async function placeAbout(context: Applying, place: Place, payment: RailPayment): Promise<Place> {
  return { ...place, about: payment.transfer_id, closes: await silenceEnds(context, payment) }
}

const answeredPacks: CompanionKind<string, unknown> = {
  name: 'rail_answered_packs',
  acquire: async (_tx, ids) => ids.map(() => 'granted' as const),
  write(tx, granted) {
    for (const { row: id } of granted) writePackState(tx, { id, state: 'ACKNOWLEDGED', reason: null, now: now().toISOString() })
  },
}

/** Concludes a transaction that moves no money. */
export async function conclude(
  { database }: Applying,
  place: Place,
  outcome: Outcome,
  also?: (tx: Tx, now: string) => void,
  companions: readonly Companion[] = [],
): Promise<void> {
  await database.transaction((tx) => accompanied(tx, [...applied(place, outcome, also), ...companions], async () => ({})))
}

/** The case about a message, or about one of its transactions. */
export const messageCase = 'message'

/** The id of a transaction's case: always the same, and unique to it. */
export function idOfPlace(message_id: string, position: number): string {
  return idFrom(`transaction ${message_id} ${position}`)
}

/** A UUID of version 8, derived from a text. */
export function idFrom(text: string): string {
  const digits = hash('sha256', text)
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-8${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20, 32)}`
}

/** A transaction that cannot be applied becomes a case. If a person has retried it, the retry is refused instead. */
export async function openProblem(
  context: Applying,
  place: Place,
  problem: Problem,
  { detail = problems[problem], about = {} }: { detail?: string; about?: object } = {},
): Promise<void> {
  if (place.again !== undefined) refuse('message_not_applied', { detail: `${problems[problem]} ${detail}`.trim(), problem })
  const { message, position } = place
  const { type, message_id, sender } = message
  const newCase: NewCase = {
    venture_id: houseId,
    kind: messageCase,
    resource_id: idOfPlace(message.id, position),
    payload: { rail_message_id: message.id, position, type, message_id, sender, problem, detail, ...about },
  }
  await conclude(context, place, 'case', (tx) => context.transfers.openCase(tx, newCase))
}

/** Something read without a lock has changed, or the database did not answer. */
const overtaken: ReadonlySet<RefusalCode> = new Set<RefusalCode>(['resource_changed', 'case_decided', 'unavailable', 'outcome_unknown'])

const attempts = 8

/** Applies a transaction unless it has been applied. If another instance is faster, looks at it again. */
export async function applyOnce(context: Applying, place: Place, unit: Unit): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await unit.apply(place)
    } catch (error) {
      const isOvertaken = error instanceof Refusal && overtaken.has(error.code)
      if (!isOvertaken || place.again !== undefined || attempt === attempts) throw error
    }
    const { message, position } = place
    const [done] = await findAppliedOf(context.database, [{ message_id: message.id, position }])
    if (done !== undefined) return
  }
}
