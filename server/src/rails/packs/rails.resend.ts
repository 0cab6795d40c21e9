// Payments of a pack that two people declared not sent are sent again, in another message and under a higher attempt. The declaration is one
// transaction; the payments follow one by one, and a crash in between only delays the rest. An instant payment is too late by then: it is rejected.
import { accompanied } from '../../platform/companions.ts'
import { settle, type Walk } from '../../processing/processing.ts'
import { isInstant } from '../../schemes/schemes.ts'
import { type TransferStatus, terminalStatuses } from '../../transfers/life/transfers.status.ts'
import type { StandingNow } from '../../transfers/transfers.ts'
import { inParts, movingPayment, type Packing, standingsOf, walkTransfer } from './rails.packing.ts'
import {
  insertPayments,
  lockPayments,
  type PackRow,
  type PaymentRow,
  selectNotSent,
  selectPaymentsOf,
  writePayments,
} from './rails.packs.sql.ts'
import { type PaymentState, unansweredStates } from './rails.payments.ts'

/** The scheme's answer that a move of a sent payment needs: two people stand in for the scheme. */
export const notSent = 'NOT_SENT'

/** How a payment is freed to be sent again. One that was being cancelled is cancelled. */
const stepsFrom: Partial<Record<TransferStatus, readonly TransferStatus[]>> = {
  SENT_TO_CLEAR: ['TO_RESEND'],
  SOME_PROBLEMS: ['TO_RESEND'],
  TO_CANCEL: ['CANCELLED'],
}

/** Returns how many payments are to be sent again. */
export async function resendPayments(packing: Packing): Promise<number> {
  let done = 0
  for (const pack of await selectNotSent(packing.database)) done += await resendPack(packing, pack)
  return done
}

async function resendPack(packing: Packing, pack: PackRow): Promise<number> {
  const payments = await selectPaymentsOf(packing.database, pack.id, unansweredStates)
  const ended = await collectAgain(
    packing,
    payments.filter(({ walks }) => !walks),
  )
  const walked = await inParts(
    payments.filter(({ walks }) => walks),
    async (part) => {
      const standings = await standingsOf(packing, part)
      return (await Promise.all(part.map((payment) => resend(packing, payment, standings.get(payment.transfer_id))))).filter(Boolean).length
    },
  )
  return ended + walked
}

const reason = { status_reason: 'The message of the payment was not sent.', status_reason_code: null }

type Undone = { walk: Walk | undefined; state: PaymentState }

/** The walk of a payment that was not sent; undefined if its status allows none. */
function undo({ rail, kind }: PaymentRow, { transfer }: StandingNow): Undone | undefined {
  if (isInstant(rail) && kind !== 'RETURN') {
    // The client already has the money back.
    if (terminalStatuses.includes(transfer.status)) return { walk: undefined, state: 'REJECTED' }
    const walk = settle(transfer, { status: 'REJECTED', third_party_status: notSent, reason: reason.status_reason })
    return walk && { walk, state: 'REJECTED' }
  }
  const steps = stepsFrom[transfer.status]
  return steps && { walk: { steps, reason, third_party_status: notSent }, state: 'REFUSED' }
}

async function resend(packing: Packing, payment: PaymentRow, standing: StandingNow | undefined): Promise<boolean> {
  const undone = standing === undefined ? undefined : undo(payment, standing)
  if (standing === undefined || undone === undefined) return false
  const { walk, state: to } = undone
  const move = movingPayment({ ...payment, from: unansweredStates, to, reason: 'declared_not_sent', now: packing.now().toISOString() })
  if (walk !== undefined) return (await walkTransfer(packing, standing.transfer, walk, [move])) === 'moved'
  await packing.database.transaction((tx) => accompanied(tx, [move], async () => ({})))
  return true
}

/** Payments that ended before they were collected are collected again unchanged. */
function collectAgain({ database, now }: Packing, payments: readonly PaymentRow[]): Promise<number> {
  if (payments.length === 0) return Promise.resolve(0)
  return database.transaction(async (tx) => {
    const locked = (await lockPayments(tx, payments, true)).filter(({ state }) => unansweredStates.includes(state))
    const at = now().toISOString()
    writePayments(
      tx,
      locked.map((payment) => ({ ...payment, state: 'REFUSED', reason: 'declared_not_sent', updated_at: at })),
    )
    insertPayments(
      tx,
      locked.map((payment) => ({
        ...payment,
        attempt: payment.attempt + 1,
        pack_id: null,
        position: null,
        state: 'COLLECTED',
        reason: null,
        created_at: at,
        updated_at: at,
      })),
    )
    return locked.length
  })
}
