// The only list of the columns of transfers. The row type and the statements that select, insert and update rows are derived from it.
import { type Static, Type } from 'typebox'
import { CalendarDate, Id, Nullable, Timestamp } from '../../platform/http/schemas.ts'
import { type Money, toNumeric } from '../../values/money.ts'
import { Transfer, TransferStatus } from './transfers.schemas.ts'

const Amount = Type.Unsafe<Money>({ type: 'string' })

/** Columns that the API does not show: the venture, and what the guards and the ledger need. */
const PrivateColumns = Type.Object({
  venture_id: Id,
  sequence: Type.Integer(),
  // How many of the changes counted by the sequence are notes of the venture, which change nothing else.
  notes: Type.Integer(),
  // How many times the bank has found something about it. The sequence does not count these, because the venture must not notice them.
  findings: Type.Integer(),
  on_hold_from: Nullable(TransferStatus),
  scanned: Type.Boolean(),
  screened: Type.Boolean(),
  held: Type.Boolean(),
  sent: Type.Boolean(),
  received: Type.Boolean(),
  // The amount currently on hold for the transfer.
  hold: Amount,
  // The amount currently in suspense, in the currency in which it was received.
  suspended: Amount,
  // The day on which the transfer was counted against the account's limits.
  counted_on: Nullable(CalendarDate),
  // The part of the amount counted on that day that still counts.
  counted_amount: Amount,
  // The counted amount that a clearing took over from its authorisation, and the day on which the authorisation was counted.
  authorised_on: Nullable(CalendarDate),
  authorised_amount: Amount,
  // The edition of the rules under which the transfer was created: `verify` applies later rules to later transfers only.
  edition: Type.Integer(),
  // Whether it books a fact of the bank's side, so that neither a blocked client nor limits stop it.
  exempt: Type.Boolean(),
  // The account that an internal transfer credits.
  receiver_account_id: Nullable(Id),
  // Whether the bank processes the transfer, copied from the account when the transfer is created.
  managed: Type.Boolean(),
  // Whether the bank's side ordered it, and whether the bank's side put it ON_HOLD. In both cases the venture cannot move it.
  ordered_by_bank: Type.Boolean(),
  on_hold_by_bank: Type.Boolean(),
  // Until when its money can be reserved at the bank's rate; null if it did not use the bank's rate.
  rate_until: Nullable(Timestamp),
  // The key or person that ordered it, if the bank processes it; null for the service and rails.
  ordered_by: Nullable(Id),
  // SHA-256 over what was signed, if the bank processes it.
  signed_hash: Nullable(Type.String()),
  // The verification of the payee that the order relied on.
  payee_verification_id: Nullable(Id),
  // Whether it has details, which are in a table of their own.
  detailed: Type.Boolean(),
  // Whether the other account is also in this bank, so that the money does not leave it.
  on_us: Type.Boolean(),
})

/** The edition of the rules that this version applies. */
export const edition = 2

/** A transfer as stored. */
export type TransferRow = Transfer & Static<typeof PrivateColumns>

/** The fields of the API that are columns. */
const shownColumns = Object.keys(Transfer.properties).filter((name) => name !== 'details')

export const transferColumns = [...shownColumns, ...Object.keys(PrivateColumns.properties)] as readonly (keyof TransferRow)[]

/** What is read to show a transfer. `withDetails` adds the details. */
export const readColumns = [...shownColumns, 'venture_id', 'detailed'] as const

/** The columns that can change, with their database types. The service has no right to update others. */
export const changingColumns = {
  status: 'text',
  bank_partner_id: 'text',
  bank_partner_trx_id: 'bigint',
  signed_at: 'timestamptz',
  signed_hash: 'text',
  status_reason: 'text',
  status_reason_code: 'text',
  third_party_status: 'text',
  third_party_status_code: 'text',
  third_party_status_reason: 'text',
  updated_at: 'timestamptz',
  sequence: 'int',
  notes: 'int',
  findings: 'int',
  on_hold_from: 'text',
  on_hold_by_bank: 'boolean',
  scanned: 'boolean',
  screened: 'boolean',
  held: 'boolean',
  sent: 'boolean',
  received: 'boolean',
  hold: 'numeric',
  suspended: 'numeric',
  counted_on: 'date',
  counted_amount: 'numeric',
  authorised_on: 'date',
  authorised_amount: 'numeric',
} as const satisfies Partial<Record<keyof TransferRow, string>>

/** Columns that the database takes in another form than the row has. */
export const conversions = {
  hold: toNumeric,
  suspended: toNumeric,
  counted_amount: toNumeric,
  authorised_amount: toNumeric,
} as const satisfies { [Column in keyof TransferRow]?: (value: TransferRow[Column]) => string }
