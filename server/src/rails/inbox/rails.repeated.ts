// Whether something that another bank sends has come before, in another message or by a report of people.
import type { Tx } from '../../platform/database/database.ts'
import { fromNumeric } from '../../values/money.ts'
import { Refusal, type RefusalDetails } from '../../values/refusals.ts'
import { amountOf, type Leaving } from '../packs/rails.contents.ts'
import { type Applying, conclude, openProblem, type Place } from './rails.apply.ts'
import { findReceivedByTx, type NewReceived } from './rails.inbox.sql.ts'

/** What is written together with the row of a transaction. */
export type Also = (tx: Tx, at: string) => void

export async function bookedOnce(book: () => Promise<unknown>, otherwise: (booked: RefusalDetails) => Promise<void>): Promise<void> {
  try {
    await book()
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'inbound_payment_booked') throw error
    await otherwise(error.details)
  }
}

type Repeated = { received: NewReceived; about: object; also: Also; booked: RefusalDetails }

/** It was reported by hand, or another message with it was applied at the same moment. Differences have not been booked. */
export async function concludeBooked(context: Applying, place: Place, { received, about, also, booked }: Repeated): Promise<void> {
  const amount = await bookedAmount(context, booked)
  const isSame = amount === undefined || (amount.amount === fromNumeric(received.amount) && amount.currency === received.currency)
  if (isSame) return conclude(context, place, 'known', also)
  return openProblem(context, place, 'other_amount', { detail: 'Another amount has been booked under this id.', about })
}

/** The amount that entered or left the bank; undefined for a client's payment of a break. */
async function bookedAmount({ facts, findTransfer }: Applying, booked: RefusalDetails): Promise<Leaving | undefined> {
  const [id, venture_id] = [String(booked['existing_id']), String(booked['existing_venture_id'])]
  if (booked['booked_as'] === 'unapplied') {
    const { amount, currency } = await facts.getUnapplied(id)
    return { amount: fromNumeric(amount), currency }
  }
  const transfer = booked['booked_as'] === 'transfer' ? await findTransfer({ venture_id, id }) : undefined
  return transfer && amountOf(transfer)
}

/** Whether the same bank has already sent something under this id, and how it differs if it is not the same. */
export async function findRepeated(
  { database }: Applying,
  received: NewReceived,
): Promise<'same' | 'other_amount' | 'other_account' | undefined> {
  const { tx_id, sender, kind, amount, currency } = received
  const before = (await findReceivedByTx(database, tx_id)).find((row) => row.sender === sender && row.message_type.startsWith(kind))
  if (before === undefined) return undefined
  if (fromNumeric(before.amount) !== fromNumeric(amount) || before.currency !== currency) return 'other_amount'
  return accountsOf(before) === accountsOf(received) ? 'same' : 'other_account'
}

function accountsOf({ original }: Pick<NewReceived, 'original'>): string {
  const { debtor_iban = '', creditor_iban = '' } = original as { debtor_iban?: string; creditor_iban?: string }
  return `${debtor_iban} ${creditor_iban}`
}
