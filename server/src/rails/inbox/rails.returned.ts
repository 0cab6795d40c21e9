// pacs.004: payments that we sent, or direct debits that we collected, have come back.

import { decidedToo, findOpenCases } from '../../cases/cases.ts'
import { type Message, type Return, reasonOf } from '../../iso20022/iso20022.ts'
import { now } from '../../platform/clock.ts'
import { connector, walkOf } from '../../processing/processing.ts'
import { debitRail } from '../../schemes/schemes.ts'
import type { TransferRow } from '../../transfers/life/transfers.columns.ts'
import { updateTransfer } from '../../transfers/transfers.ts'
import { formatMoney } from '../../values/money.ts'
import { Refusal } from '../../values/refusals.ts'
import { houseId } from '../../ventures/ventures.ts'
import type { RailPayment } from '../packs/rails.attempts.sql.ts'
import { movingPayment } from '../packs/rails.packing.ts'
import { judgeReturn, type Mark, wordsOf } from './rails.answers.ts'
import { type Applying, conclude, findNamed, openProblem, type Place, placeAbout, type Unit } from './rails.apply.ts'
import type { StoredMessage } from './rails.inbox.sql.ts'
import { orKnown, orProblem } from './rails.problems.ts'
import { saidOfReturn } from './rails.said.ts'
import { carrying, carryOut, lateClaim, marking, transferOf } from './rails.statuses.ts'

type Report = Message<'pacs.004.001.09'>

export async function unitsOfReturns(context: Applying, stored: StoredMessage, report: Report): Promise<Unit[]> {
  const { original_message_id, instructing_bic } = report
  return report.transactions.map((said, index) => ({
    position: index + 1,
    apply: (place) => {
      const sender = said.instructing_bic ?? instructing_bic ?? said.original?.creditor_bic ?? stored.sender
      return applyReturn(context, place, { ...said, original_message_id: said.original_message_id ?? original_message_id }, sender)
    },
  }))
}

async function applyReturn(context: Applying, found: Place, said: Return, sender: string): Promise<void> {
  const { original_message_id: message_id, original_tx_id: tx_id, original_end_to_end_id: end_to_end_id } = said
  const payment = await findNamed(context, { message_id, tx_id, end_to_end_id })
  const about = { original_message_id: message_id ?? null, original_tx_id: tx_id ?? null, return_id: said.return_id }
  if (payment === undefined) return openProblem(context, found, 'unknown_reference', { about })
  const place = await placeAbout(context, found, payment)
  const transfer = await transferOf(context, payment)
  const verdict = judgeReturn(said, { payment, transfer })
  switch (verdict.kind) {
    case 'returned': {
      const { completes, amount, mark } = verdict
      if (payment.state === 'RETURNED') return concludeReturned(context, place, { sender, said, about })
      if (completes !== undefined && transfer !== undefined) await complete(context, payment, transfer, completes)
      const completed = completes === undefined ? payment : { ...payment, state: 'SETTLED' as const }
      return bookReturn(
        context,
        place,
        { payment: completed, transfer: transfer as TransferRow, said, sender, about, mark },
        formatMoney(amount, payment.currency),
      )
    }
    case 'returned_late':
      return takeLateReturn(context, place, { payment, said, sender, about, mark: verdict.mark })
    default:
      return carryOut(context, place, { payment, transfer, about }, verdict)
  }
}

/** A payment comes back once: the same return again is already known, and another return needs a person. */
async function concludeReturned(context: Applying, place: Place, { sender, said, about }: Pick<Returning, 'sender' | 'said' | 'about'>) {
  const booked = await context.facts.findBooked({ sender, kind: 'pacs.004', tx_id: said.return_id })
  return booked === undefined ? openProblem(context, place, 'already_returned', { about }) : conclude(context, place, 'known')
}

/** Money can only come back after it left, so the transfer completes first. After a crash in between, the return follows. */
async function complete(context: Applying, payment: RailPayment, transfer: TransferRow, walk: Parameters<typeof walkOf>[1]): Promise<void> {
  const settled = movingPayment({ ...payment, from: [payment.state], to: 'SETTLED', now: now().toISOString() })
  await updateTransfer(context.transfers, { ...walkOf(transfer, walk, connector), companions: [settled] })
}

type Returning = { payment: RailPayment; said: Return; sender: string; about: object; mark: Mark }

function bookReturn(
  context: Applying,
  place: Place,
  { payment, transfer, said, sender, about, mark }: Returning & { transfer: TransferRow },
  amount: string,
): Promise<void> {
  const { facts } = context
  const { venture_id, transfer_id } = payment
  const message = { sender, kind: 'pacs.004' as const, tx_id: said.return_id }
  const by = carrying(place, 'applied', payment, mark)
  const why = { reason: wordsOf(said.reasons), reason_code: reasonOf(said.reasons)?.code ?? null }
  const arrival = { said: saidOfReturn(said) }
  return orKnown(context, place, about, () => {
    if (payment.kind === 'CREDIT_TRANSFER') {
      const report = { ...message, venture_id, transfer_id, transfer_type: 'PAYMENT_RETURN' as const, amount, ...why }
      return facts.reportReturnedPayment(report, by, arrival)
    }
    const { account_id } = transfer
    const debit = {
      venture_id,
      account_id,
      amount,
      transfer_type: 'PAYMENT_RETURN',
      method: debitRail,
      parent_transaction_id: transfer_id,
    } as const
    const explanation = `The direct debit came back. ${why.reason}`.slice(0, 200)
    return facts.forceDebit({ ...message, ...debit, ...why, explanation }, by, arrival)
  })
}

/**
 * The payment was given up, so the client already has the money. If it was settled after all, the house has paid, and now has its money
 * again. If its settlement is still unknown, there is nothing to book.
 */
async function takeLateReturn(context: Applying, place: Place, { payment, said, sender, about, mark }: Returning): Promise<void> {
  const { facts, database } = context
  const booked = await facts.findBooked(lateClaim(context, payment))
  if (booked === undefined) return conclude(context, place, 'applied', undefined, marking(payment, mark))
  const { status } = await facts.getBreak(booked.id)
  if (status !== 'OPEN') return openProblem(context, place, 'already_decided', { about: { ...about, break_id: booked.id } })
  const [open] = await findOpenCases({ database }, { venture_id: houseId, resource_id: booked.id, kinds: ['break'] })
  const collection = { rail: payment.rail, sender, kind: 'pacs.004', tx_id: said.return_id }
  return orProblem(context, place, about, async () => {
    try {
      const { actor, companions } = carrying(place, 'applied', payment, mark)
      const decided = open === undefined ? [] : [decidedToo(open, 'collect', connector)]
      await facts.collectBreak(booked.id, collection as never, { actor, companions: [...companions, ...decided] })
    } catch (error) {
      // It has just been decided: it is looked at again.
      if (error instanceof Refusal && (error.code === 'break_decided' || error.code === 'case_decided'))
        throw new Refusal('resource_changed')
      throw error
    }
  })
}
