// The schemas of statements and balances over time.
import { type Static, Type } from 'typebox'
import { CalendarDate, Choice, described, Id, Nullable, Query, Resource, Timestamp } from '../platform/http/schemas.ts'
import { TransferDetails } from '../transfers/life/transfers.details.ts'
import { transferMethods, transferTypes } from '../transfers/life/transfers.status.ts'

const Text = (description: string) => Nullable(Type.String({ description }))
const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })
const Total = (about: string) => Type.String({ description: `${about}, as a number that is not below zero.` })

/** The part of a statement before its lines. */
export const StatementHead = Resource('StatementHead', {
  account_id: described(Id, 'The account.'),
  account_name: Type.String({ description: 'The name of the account.' }),
  account_number: Type.String({ description: 'The IBAN of the account.' }),
  currency: Type.String({ description: 'The ISO 4217 code of the currency of the account.' }),
  holder_name: Type.String({ description: 'The client to whom the account belongs.' }),
  bank_name: Type.String({ description: 'The name of the bank that keeps the account.' }),
  bank_bic: Type.String({ description: 'The BIC of the bank that keeps the account.' }),
  from: described(Timestamp, 'The first moment of the interval, in UTC.'),
  to: Type.String({ format: 'date-time', description: 'The last millisecond of the interval.' }),
  opening_balance: described(Amount, 'The balance just before the interval, with exactly as many decimals as the currency has.'),
  total_credits: Total('The sum of what came in'),
  total_debits: Total('The sum of what went out'),
  closing_balance: Type.String({ description: '`opening_balance` plus the amounts of all lines.' }),
  line_count: Type.Integer({ description: 'How many lines the statement has.' }),
  generated_at: Type.String({
    format: 'date-time',
    description: 'When the statement was made. If the interval has not ended by then, lines may follow.',
  }),
})
export type StatementHead = Static<typeof StatementHead>

export const StatementLine = Resource('StatementLine', {
  id: Type.String({ format: 'uuid', description: 'The id of the ledger entry.' }),
  transfer_id: Nullable(described(Id, 'The transfer that was booked; null for a booking without one.')),
  booked_at: described(Timestamp, 'When it was booked, in UTC.'),
  booking_date: described(CalendarDate, 'The UTC day on which it was booked.'),
  value_date: described(CalendarDate, "The day from which the money counts: the transfer's settlement date."),
  amount: Type.String({ description: 'Positive for money that came in, negative for money that went out.' }),
  balance: Type.String({ description: 'The balance after this line.' }),
  fee_amount: Nullable(Type.String({ description: 'How much of an outgoing amount is a fee.' })),
  exchanged_amount: Nullable(Type.String({ description: 'What the other side received or paid, if in another currency.' })),
  exchanged_currency: Text('The currency of `exchanged_amount`; null within one currency.'),
  exchange_rate: Text('The exchange rate of the transfer; null within one currency.'),
  method: Nullable(Choice(transferMethods, { description: 'The rail of the transfer; null for a booking without one.' })),
  transfer_type: Nullable(Choice(transferTypes, { description: 'The type of the transfer; null for a booking without one.' })),
  unique_reference: Text('The reference of the order; null for a booking without a transfer.'),
  counterparty_name: Text('The name of the payer or payee, or null.'),
  counterparty_iban: Text('The IBAN of the other side, or null.'),
  counterparty_account_id: Nullable(Type.String({ description: "The counterparty's account number, if it has no IBAN." })),
  counterparty_bic: Text('The BIC of the bank of the other side, or null.'),
  purpose: Text('What the payment was for, or null.'),
  structured_reference: Text('The machine-readable reference of the payment, or null.'),
  details: Type.Optional(Type.Unsafe<TransferDetails | undefined>(TransferDetails)),
})
export type StatementLine = Static<typeof StatementLine>

export const StatementDocument = Resource('Statement', {
  ...StatementHead.properties,
  lines: Type.Array(StatementLine, { description: 'What was booked in the interval, oldest first.' }),
})

export const formats = ['json', 'csv', 'pdf', 'camt053'] as const
export type Format = (typeof formats)[number]

export const StatementQuery = Query({
  from: Type.String({
    format: 'day-or-time',
    description: 'The first day, in UTC, or the time with which the statement begins.',
  }),
  to: Type.String({
    format: 'day-or-time',
    description: 'The last day, in UTC, or the last time. A date includes the whole day. At most 366 days after `from`.',
  }),
  format: Type.Optional(Choice(formats, { description: 'Default: json. camt053: XML according to ISO 20022, camt.053.001.08.' })),
})
export type StatementQuery = Static<typeof StatementQuery>

export const steps = ['day', 'week', 'month'] as const
export type Step = (typeof steps)[number]

export const BalancesQuery = Query({
  from: Type.String({ format: 'date', description: 'The first day, in UTC.' }),
  to: Type.String({ format: 'date', description: 'The last day, in UTC.' }),
  step: Type.Optional(Choice(steps, { description: 'Default: day. Weeks begin on Mondays.' })),
})
export type BalancesQuery = Static<typeof BalancesQuery>

export const BalanceStep = Resource('BalanceStep', {
  from: described(CalendarDate, 'The first day of the step.'),
  to: Type.String({ format: 'date', description: 'The last day of the step. The first and the last step end where the interval does.' }),
  opening_balance: described(Amount, 'The balance before the step.'),
  total_credits: Total('The sum of what came in'),
  total_debits: Total('The sum of what went out'),
  closing_balance: described(Amount, 'The balance after the step.'),
})
export type BalanceStep = Static<typeof BalanceStep>
