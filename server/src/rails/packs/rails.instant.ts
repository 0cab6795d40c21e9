// Instant payments do not wait for a cycle: each is sent alone, and its walk to SENT_TO_CLEAR, its pack and its sealed message are one transaction.
import { now } from '../../platform/clock.ts'
import { type CompanionKind, companion } from '../../platform/companions.ts'
import { activeRailsIn, instantRails, isInstant, type Rail, type RailBook, railOf } from '../../schemes/schemes.ts'
import type { StandingNow } from '../../transfers/transfers.ts'
import { Refusal } from '../../values/refusals.ts'
import { insertSealed, type SealedMessage, sealedOf } from '../rails.messages.ts'
import { composeAll, findReachable, invalidate, paymentOf } from './rails.collect.ts'
import { execution_ms, receivedAt } from './rails.contents.ts'
import { writePack } from './rails.kinds.ts'
import { newPack, nextNumber, settlesOn, tellMissing } from './rails.pack.ts'
import { mayLeave, type Packing, readRails, walkTransfer } from './rails.packing.ts'
import { insertPack, insertPayments, type PackRow, type PaymentRow, selectLastAttempts } from './rails.packs.sql.ts'
import { nextAttempt } from './rails.payments.ts'

/** Sent now, it could not be answered in time. The account is whole again, and the payment can be ordered anew. */
const timeOver = { code: 'time_over', reason: 'The bank could not send the instant payment in time.' }

type Instant = { payment: PaymentRow; pack: PackRow; message: SealedMessage; now: Date }

const instants: CompanionKind<Instant, unknown> = {
  name: 'rail_instants',
  /** Nobody can suspend a rail between this and the commit. */
  async acquire(tx, rows, wait) {
    const active = await activeRailsIn(tx, { wait, moment: now() })
    if (active === undefined) return rows.map(() => 'held')
    return rows.map(({ pack: { rail } }) => (active.has(rail) ? 'granted' : new Refusal('rail_suspended')))
  },
  write(tx, granted) {
    for (const { row } of granted) {
      insertPack(tx, row.pack)
      insertSealed(tx, row.message, row.now)
    }
    insertPayments(
      tx,
      granted.map(({ row }) => row.payment),
    )
  },
}

/** Whether a transfer is an instant payment that rails send now. */
export function isInstantToSend({ method, status, on_us }: StandingNow['transfer']): boolean {
  const rail = railOf(method)
  return rail !== undefined && isInstant(rail) && !on_us && (status === 'READY_TO_CLEAR' || status === 'TO_RESEND')
}

/** Sends what may leave. Returns the ids of the sealed messages, and how many payments became INVALID. */
export async function sendInstant(packing: Packing, standings: readonly StandingNow[]): Promise<{ messages: string[]; ended: number }> {
  const ready = standings.filter((standing) => isInstantToSend(standing.transfer) && mayLeave(standing))
  if (ready.length === 0) return { messages: [], ended: 0 }
  const book = await readRails(packing)
  const free = ready.filter(({ transfer }) => book.isActive(transfer.method as Rail, packing.now()))
  const transfers = free.map(({ transfer }) => transfer)
  const [attempts, reachable, timeouts] = await Promise.all([
    selectLastAttempts(packing.database, transfers),
    findReachable(packing, instantRails),
    packing.timeoutsOf([...new Set(transfers.map(({ venture_id }) => venture_id))]),
  ])
  const composed = await composeAll(packing, transfers, reachable)
  let ended = 0
  const sent = await Promise.all(
    transfers.map(async (transfer) => {
      const [result, attempt] = [composed.get(transfer.id), nextAttempt(attempts.get(transfer.id))]
      if (result === undefined || typeof attempt !== 'number') return undefined
      const isOver =
        timeouts.get(transfer.venture_id) === 'restore' && packing.now().getTime() - Date.parse(receivedAt(transfer)) > execution_ms
      const fault = 'fault' in result ? result.fault : isOver ? timeOver : undefined
      if (fault !== undefined || !('content' in result)) {
        if (fault !== undefined && (await invalidate(packing, transfer, fault))) ended++
        return undefined
      }
      const instant = await sealInstant(packing, book, paymentOf(transfer, result.content, attempt, packing.now().toISOString()))
      if (instant === undefined) return undefined
      const walked = await walkTransfer(packing, transfer, { steps: ['SENT_TO_CLEAR'] }, [companion(instants, instant)])
      return walked === 'moved' ? instant.message.id : undefined
    }),
  )
  return { messages: sent.flatMap((id) => id ?? []), ended }
}

/** The rows that commit the payment. A number that is not used is skipped. */
async function sealInstant(
  { database, transfers, reader, now }: Packing,
  book: RailBook,
  collected: PaymentRow,
): Promise<Instant | undefined> {
  const at = now()
  const { bic } = transfers.bank
  const { rail, kind, settlement_date, amount } = collected
  const terms = book.inForce(rail, at)
  if (terms === undefined) return undefined
  const days = book.daysOf(terms)
  const day = settlesOn(settlement_date, { ...terms, days, instant: true }, at)
  if (day === undefined) {
    await tellMissing({ database, now }, terms, days)
    return undefined
  }
  const open = newPack({ rail, kind, cycle: null, terms, settlement_date: day, bic, number: await nextNumber(database), now: at })
  const pack: PackRow = { ...open, state: 'SEALED', count: 1, total: amount }
  const payment: PaymentRow = { ...collected, pack_id: pack.id, position: 1, state: 'SENT' }
  const { type, bytes } = writePack(pack, { bic, envelope: terms.envelope }, [payment])
  await reader.validate(bytes)
  return { payment, pack, message: { ...sealedOf({ type, message_id: pack.message_id, body: bytes }, bic), pack_id: pack.id }, now: at }
}
