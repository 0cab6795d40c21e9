// Step 6, without an answer. A delivered pack without an answer in time becomes UNKNOWN: its payments wait as SOME_PROBLEMS, the clearing
// system is asked about them (pacs.028), and people get a case. Instant payments have time limits of their own.
import { openFirstCase } from '../../cases/cases.ts'
import { messageIdOf } from '../../iso20022/iso20022.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Participation, rails } from '../../schemes/schemes.ts'
import type { StandingNow } from '../../transfers/transfers.ts'
import { todayUtc } from '../../values/calendar.ts'
import { fromNumeric } from '../../values/money.ts'
import { houseId } from '../../ventures/ventures.ts'
import { sealMessage } from '../rails.messages.ts'
import { messageOf } from './rails.kinds.ts'
import { nextNumber } from './rails.pack.ts'
import { inParts, movingPayment, type Packing, standingsOf, walkTransfer } from './rails.packing.ts'
import {
  changedPack,
  lockPack,
  type PackRow,
  type PaymentRow,
  selectOverdue,
  selectPaymentsOf,
  writePack,
  writeStatesOf,
} from './rails.packs.sql.ts'

/** Returns how many packs became UNKNOWN. */
export async function questionOverdue(packing: Packing): Promise<number> {
  const at = packing.now()
  const book = await packing.transfers.participations.current()
  const due = rails.map((rail) => ({ rail, before: new Date(at.getTime() - patienceOf(packing, book.inForce(rail, at))).toISOString() }))
  let done = 0
  for (const pack of await selectOverdue(packing.database, due)) if (await questionPack(packing, pack)) done++
  return done
}

const hour_ms = 3_600_000

/** How long a delivered pack waits for its answer: as the terms of its rail say, or the setting of the service. */
function patienceOf({ answer_ms }: Packing, terms: Participation | undefined): number {
  const hours = terms?.answer_hours ?? undefined
  return hours === undefined ? answer_ms : hours * hour_ms
}

async function questionPack(packing: Packing, pack: PackRow): Promise<boolean> {
  const unanswered = await selectPaymentsOf(packing.database, pack.id, ['SENT'])
  await inParts(
    unanswered.filter(({ walks }) => walks),
    async (part) => (await Promise.all((await standingsFor(packing, part)).map((one) => holdBack(packing, one)))).filter(Boolean).length,
  )
  return packing.database.transaction((tx) => concludePack(packing, tx, pack))
}

type Standing = { payment: PaymentRow; standing: StandingNow }

async function standingsFor(packing: Packing, payments: readonly PaymentRow[]): Promise<Standing[]> {
  const standings = await standingsOf(packing, payments)
  return payments.flatMap((payment) => {
    const standing = standings.get(payment.transfer_id)
    return standing === undefined ? [] : [{ payment, standing }]
  })
}

/** A payment that is being cancelled already waits for its end, so its transfer stays. */
async function holdBack(packing: Packing, { payment, standing: { transfer } }: Standing): Promise<boolean> {
  if (transfer.status !== 'SENT_TO_CLEAR') return false
  const move = movingPayment({ ...payment, from: ['SENT'], to: 'UNKNOWN', reason: 'no_answer', now: packing.now().toISOString() })
  const reason = { status_reason: 'The clearing system has not answered in time.', status_reason_code: 'no_answer' }
  return (await walkTransfer(packing, transfer, { steps: ['SOME_PROBLEMS'], reason }, [move])) === 'moved'
}

/** The pack, its inquiry and its case are one transaction. The inquiry leaves out what was answered meanwhile. */
async function concludePack(packing: Packing, tx: Tx, { id }: PackRow): Promise<boolean> {
  const { transfers, now } = packing
  const pack = await lockPack(tx, id)
  if (pack?.state !== 'DELIVERED' && pack?.state !== 'ACKNOWLEDGED') return false
  const open = await selectPaymentsOf(tx, id, ['SENT', 'UNKNOWN'])
  if (open.length === 0) {
    if (pack.state !== 'ACKNOWLEDGED') writePack(tx, changedPack(pack, { state: 'ACKNOWLEDGED' }, now().toISOString()))
    return false
  }
  // A walk that could not be made now is made in the next round.
  if (open.some(({ state, walks }) => state === 'SENT' && walks)) {
    const standings = await standingsOf(packing, open)
    if (open.some(({ state, transfer_id }) => state === 'SENT' && standings.get(transfer_id)?.transfer.status === 'SENT_TO_CLEAR'))
      return false
  }
  const at = now()
  writeStatesOf(tx, id, { from: 'SENT', to: 'UNKNOWN', now: at.toISOString() })
  const { bic } = transfers.bank
  const message_id = messageIdOf({ bic, date: todayUtc(at), rail: 'Q', number: await nextNumber(tx) })
  sealMessage(tx, {
    type: 'pacs.028.001.03',
    message: questionOf(pack, open, { message_id, bic, now: at }),
    envelope: (await transfers.participations.current(tx)).envelopeOf(pack),
    sender: bic,
    now: at,
    pack_id: id,
  })
  writePack(tx, changedPack(pack, { state: 'UNKNOWN', reason: 'no_answer' }, at.toISOString()))
  const payload = { message_id: pack.message_id, question: message_id, unanswered: open.length }
  openFirstCase(tx, { venture_id: houseId, kind: 'delivery', resource_id: id, payload, due_h: 24 })
  return true
}

/** About the whole message if none of its payments was answered, otherwise about the unanswered ones. */
function questionOf(pack: PackRow, open: readonly PaymentRow[], { message_id, bic, now }: { message_id: string; bic: string; now: Date }) {
  const original = {
    original_message_id: pack.message_id,
    original_message_type: messageOf(pack),
    original_created_at: pack.created_at,
  }
  const header = { message_id, created_at: now.toISOString(), instructing_bic: bic }
  if (open.length === pack.count)
    return { ...header, group: { ...original, original_count: pack.count, original_sum: fromNumeric(pack.total) }, transactions: [] }
  const transactions = open.map(({ end_to_end_id, tx_id }, index) => ({
    status_request_id: `${message_id}-${index + 1}`.slice(-35),
    ...original,
    original_end_to_end_id: end_to_end_id,
    original_tx_id: tx_id,
  }))
  return { ...header, transactions }
}
