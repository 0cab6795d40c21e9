// SQL statements that find the attempts to send a payment.

import type { Reader } from '../../platform/database/database.ts'
import { Columns, fixed, read } from '../../platform/database/sql.ts'
import type { PaymentRow } from './rails.packs.sql.ts'

/** A payment on its rail. */
export type RailPayment = PaymentRow

const paymentNames = [
  'venture_id',
  'transfer_id',
  'attempt',
  'tx_id',
  'end_to_end_id',
  'rail',
  'kind',
  'pack_id',
  'position',
  'amount',
  'currency',
  'settlement_date',
  'walks',
  'content',
  'state',
  'reason',
  'settled_on',
  'created_at',
  'updated_at',
]
export const paymentColumns = new Columns(paymentNames)
const paymentColumnsOf = new Columns(paymentNames, 'payment')

/** The ids by which an answer names our payment: the message may be missing, and so may one of the others. */
export type Named = { message_id: string | undefined; tx_id: string | undefined; end_to_end_id: string | undefined }

/** An attempt with the id of its message. */
export type Attempt = RailPayment & { message_id: string | null }

const attempts = fixed`select ${paymentColumnsOf}, pack.message_id from rail_payments payment left join rail_packs pack on pack.id = payment.pack_id`

/** All attempts of some payments, newest first. */
export function findAttempts(reader: Reader, tx_ids: readonly string[]): Promise<Attempt[]> {
  return reader.rows(read<Attempt>`${attempts} where payment.tx_id = any(${tx_ids}) order by payment.attempt desc`)
}

/** A payer may use an end-to-end id for several payments, so it identifies one only if it is unique. */
export async function findByEndToEndId(reader: Reader, message_id: string, end_to_end_id: string): Promise<Attempt | undefined> {
  const found = await reader.rows(read<Attempt>`
    ${attempts} where pack.message_id = ${message_id} and payment.end_to_end_id = ${end_to_end_id} limit 2`)
  return found.length === 1 ? found[0] : undefined
}

/** The newest attempt of a transfer. */
export function findPayment(reader: Reader, { venture_id, id }: { venture_id: string; id: string }): Promise<Attempt | undefined> {
  return reader.first(read<Attempt>`
    ${attempts} where payment.venture_id = ${venture_id} and payment.transfer_id = ${id} order by payment.attempt desc limit 1`)
}
