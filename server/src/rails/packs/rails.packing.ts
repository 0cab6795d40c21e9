// What all steps of sending share: their dependencies, the walks of transfers together with the state of their payments, and how a payment
// leaves its pack.
import type { MessageReader } from '../../iso20022/iso20022.ts'
import { type Companion, type CompanionKind, companion } from '../../platform/companions.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/log.ts'
import { connector, handOver, type Walk, walkOf } from '../../processing/processing.ts'
import type { RailBook } from '../../schemes/schemes.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { findStandings, type Key, type StandingNow, type Transfers, updateTransfer } from '../../transfers/transfers.ts'
import { Refusal, type RefusalCode } from '../../values/refusals.ts'
import type { FileExchange } from '../exchange/rails.exchange.ts'
import type { CollectionMandate, Composed } from './rails.contents.ts'
import {
  lockPayments,
  type PackRow,
  type PaymentChange,
  type PaymentKey,
  type PaymentRow,
  selectSent,
  writePayments,
} from './rails.packs.sql.ts'
import type { PaymentState } from './rails.payments.ts'

/** What other folders know about payments that are to be sent, keyed by the id of the transfer. A payment without an entry is not sent yet. */
export type Sources = {
  mandatesOf(collections: readonly TransferRow[]): Promise<ReadonlyMap<string, CollectionMandate>>
  returnsOf(returns: readonly TransferRow[]): Promise<ReadonlyMap<string, Composed<'RETURN'>>>
}

export type Packing = {
  database: Database
  transfers: Transfers
  /** Without an exchange, nothing is collected. */
  exchange: FileExchange | undefined
  reader: Pick<MessageReader, 'validate'>
  sources: Sources
  log: Logger
  now(): Date
  /** How long a delivered pack waits for its answer. */
  answer_ms: number
  timeoutsOf: TimeoutsOf
}

/** The rails as the database has them now. A suspension by another instance counts at once. */
export function readRails({ transfers: { participations } }: Packing): Promise<RailBook> {
  return participations.read()
}

/** The packs that may go on: those of suspended rails wait. */
export async function activePacks(packing: Packing, packs: readonly PackRow[]): Promise<readonly PackRow[]> {
  if (packs.length === 0) return []
  const [book, now] = [await readRails(packing), packing.now()]
  return packs.filter(({ rail }) => book.isActive(rail, now))
}

/** hold: the money is kept until there is an answer. restore: the client gets it back when the scheme's time is over. */
export type InstantTimeout = 'hold' | 'restore'

/** What the bank has agreed with ventures about instant payments that get no answer. */
export type TimeoutsOf = (venture_ids: readonly string[]) => Promise<ReadonlyMap<string, InstantTimeout>>

/** How many transfers are walked at a time: the size of a batch. */
export const most = 256

export async function inParts<Item>(items: readonly Item[], work: (part: readonly Item[]) => Promise<number>): Promise<number> {
  let done = 0
  for (let at = 0; at < items.length; at += most) done += await work(items.slice(at, at + most))
  return done
}

export const transferKey = ({ venture_id, transfer_id: id }: PaymentKey): Key => ({ venture_id, id })

/** Keyed by the id of the transfer. */
export async function standingsOf({ transfers }: Packing, payments: readonly PaymentKey[]): Promise<Map<string, StandingNow>> {
  const standings = await findStandings(transfers, payments.map(transferKey))
  return new Map(standings.map((standing) => [standing.transfer.id, standing]))
}

/** Whether it may leave the bank now: its venture is active, and neither its account nor its client is blocked. */
export function mayLeave({ transfer, circumstances, account: { venture_active } }: StandingNow): boolean {
  // Asked as if it were in a pack: the rule is the same wherever a payment leaves from.
  return handOver({ transfer: { ...transfer, status: 'PACKED' }, circumstances, venture_active }) !== undefined
}

/** A payment that must be in one of some states, and gets another one together with a move of its transfer. */
export type PaymentMove = PaymentKey & {
  from: readonly PaymentState[]
  /** It must be in this pack. */
  pack_id: string | null
  to: PaymentState
  reason?: string | null
  settled_on?: string | null
  now: string
}

const nameOf = ({ venture_id, transfer_id, attempt }: PaymentKey) => `${venture_id} ${transfer_id} ${attempt}`

const paymentMoves: CompanionKind<PaymentMove, unknown> = {
  name: 'rail_payments',
  async acquire(tx, moves, wait) {
    const locked = new Map((await lockPayments(tx, moves, wait)).map((row) => [nameOf(row), row]))
    const taken = new Set<string>()
    return moves.map((move) => {
      const name = nameOf(move)
      const row = locked.get(name)
      if (row === undefined) return wait ? changed() : 'held'
      if (taken.has(name) || !move.from.includes(row.state) || row.pack_id !== move.pack_id) return changed()
      taken.add(name)
      return 'granted'
    })
  },
  write(tx, granted) {
    writePayments(
      tx,
      granted.map(({ row }) => changeOf(row)),
    )
  },
}

const changed = () => new Refusal('resource_changed', { detail: 'The payment has changed on its rail meanwhile.' })

function changeOf({ venture_id, transfer_id, attempt, to, reason = null, settled_on = null, now }: PaymentMove): PaymentChange {
  return { venture_id, transfer_id, attempt, state: to, reason, settled_on, updated_at: now }
}

/** Changes the state of a payment if and only if its transfer moves. The row is locked before the move is decided. */
export function movingPayment(move: PaymentMove): Companion {
  return companion(paymentMoves, move)
}

/** Nothing was decided, because another instance was faster or the database did not answer: the step is repeated. */
const undecided: readonly RefusalCode[] = ['resource_changed', 'unavailable', 'outcome_unknown']

export type Walked = 'moved' | 'again' | 'refused'

/** Walks a transfer together with its companions. */
export async function walkTransfer(
  { transfers, log }: Packing,
  transfer: TransferRow,
  walk: Walk,
  companions: readonly Companion[],
): Promise<Walked> {
  try {
    await updateTransfer(transfers, { ...walkOf(transfer, walk, connector), companions })
    return 'moved'
  } catch (error) {
    const { id: transfer_id, venture_id } = transfer
    if (!(error instanceof Refusal)) {
      log.warn({ err: error, transfer_id, venture_id }, 'a payment could not be processed')
      return 'again'
    }
    if (undecided.includes(error.code)) return 'again'
    log.info({ transfer_id, venture_id, code: error.code }, 'a payment could not be processed')
    return 'refused'
  }
}

/**
 * Takes payments out of their pack. The lock on a payment keeps it from being committed to the pack meanwhile; one that was committed
 * before stays. Returns how many were dropped.
 */
export async function dropPayments({ database, now }: Packing, payments: readonly PaymentRow[], reason: string): Promise<number> {
  if (payments.length === 0) return 0
  return database.transaction(async (tx) => {
    const locked = await lockPayments(tx, payments, true)
    const sent = await selectSent(tx, locked.map(transferKey))
    const dropped = locked.filter(
      ({ state, transfer_id }) => (state === 'COLLECTED' || state === 'PACKED') && sent.get(transfer_id) !== true,
    )
    const updated_at = now().toISOString()
    writePayments(
      tx,
      dropped.map(({ venture_id, transfer_id, attempt }) => ({
        venture_id,
        transfer_id,
        attempt,
        state: 'DROPPED',
        reason,
        settled_on: null,
        updated_at,
      })),
    )
    return dropped.length
  })
}
