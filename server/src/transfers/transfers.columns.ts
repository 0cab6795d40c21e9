// The columns of a transfer, said once: the type of a row and the statements that read, insert and update rows are made from these lists.
import { type Static, Type } from 'typebox'
import { CalendarDate, Id, Nullable } from '../platform/http/schemas.ts'
import { type Money, toNumeric } from '../values/money.ts'
import { Transfer, TransferStatus } from './transfers.schemas.ts'

const Amount = Type.Unsafe<Money>({ type: 'string' })

/** What is kept besides what the API shows: whose it is, and what the guards and the ledger must remember. */
const Kept = Type.Object({
  venture_id: Id,
  sequence: Type.Integer(),
  on_hold_from: Nullable(TransferStatus),
  scanned: Type.Boolean(),
  screened: Type.Boolean(),
  held: Type.Boolean(),
  sent: Type.Boolean(),
  received: Type.Boolean(),
  // What it holds of the account's money now.
  hold: Amount,
  // What of it lies in suspense now, in the currency in which it came.
  suspended: Amount,
  // The day on which it counted against the account's limits.
  counted_on: Nullable(CalendarDate),
  // The account of this venture that an internal transfer credits.
  receiver_account_id: Nullable(Id),
})

/** A transfer as it is kept. */
export type TransferRow = Transfer & Static<typeof Kept>

export const transferColumns: readonly string[] = [...Object.keys(Transfer.properties), ...Object.keys(Kept.properties)]

/** The columns that can change in the life of a transfer, with their types in the database. The service may update no others. */
export const changingColumns = {
  status: 'text',
  bank_partner_id: 'text',
  bank_partner_trx_id: 'bigint',
  signed_at: 'timestamptz',
  status_reason: 'text',
  status_reason_code: 'text',
  third_party_status: 'text',
  third_party_status_code: 'text',
  third_party_status_reason: 'text',
  updated_at: 'timestamptz',
  sequence: 'int',
  on_hold_from: 'text',
  scanned: 'boolean',
  screened: 'boolean',
  held: 'boolean',
  sent: 'boolean',
  received: 'boolean',
  hold: 'numeric',
  suspended: 'numeric',
  counted_on: 'date',
} as const satisfies Partial<Record<keyof TransferRow, string>>

const moneyColumns = new Set<string>(['hold', 'suspended'] satisfies (keyof TransferRow)[])

/** A column as it travels to the database. */
export function storedValue(column: string, row: TransferRow): unknown {
  const value = row[column as keyof TransferRow]
  return moneyColumns.has(column) ? toNumeric(value as Money) : value
}
