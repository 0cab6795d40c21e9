// The schemas of nostros: the bank's accounts at settlement banks.
import { type Static, Type } from 'typebox'
import {
  Body,
  CalendarDate,
  Choice,
  CreatedAt,
  CurrencyShown,
  described,
  Formed,
  Id,
  Name,
  Nullable,
  Paging,
  Query,
  Resource,
  Timestamp,
} from '../platform/http/schemas.ts'
import { transferMethods } from '../transfers/life/transfers.status.ts'

const Text = (description: string) => Nullable(Type.String({ description }))
const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has; it may be negative.' })
const Currency = Type.String({ format: 'currency', transform: 'upper', description: 'The ISO 4217 code of the currency, such as `EUR`.' })
const Rails = Type.Array(Choice(transferMethods), { description: 'The rails that settle on this account.' })

export const NewNostro = Body('NewNostro', {
  name: described(Name, 'A name for people, such as that of the settlement bank.'),
  account: Formed('^[A-Za-z0-9]{1,34}$', 'must have 1 to 34 letters and digits, without spaces', {
    transform: 'upper',
    description: 'The IBAN or another account number, as it appears in statements.',
  }),
  bic: Formed('^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', {
    transform: 'upper',
    description: 'The BIC of the settlement bank.',
  }),
  currency: Currency,
  rails: { ...Rails, minItems: 1, maxItems: transferMethods.length, uniqueItems: true },
  prefunding: Formed('^-?(0|[1-9]\\d{0,14})(\\.\\d{1,4})?$', 'must be a decimal number in a string, such as "250000.00"', {
    description: 'The balance before the first statement.',
  }),
})
export type NewNostro = Static<typeof NewNostro>

export const Nostro = Resource('Nostro', {
  id: described(Id, 'The id of the nostro. The service assigns it.'),
  name: Type.String({ description: 'A name for people, such as that of the settlement bank.' }),
  account: Type.String({ description: 'The IBAN or another account number, as it appears in statements.' }),
  bic: Type.String({ description: 'The BIC of the settlement bank.' }),
  currency: CurrencyShown,
  rails: Rails,
  prefunding: described(Amount, 'The balance before the first statement.'),
  balance: { ...Amount, description: 'The closing balance of the last statement; the prefunding if there is none yet.' },
  last_statement_on: Nullable(Type.String({ format: 'date', description: 'The day of the last statement.' })),
  open_breaks: Type.Integer({ description: 'How many breaks wait for a decision.' }),
  created_at: CreatedAt,
})
export type Nostro = Static<typeof Nostro>

export const NostroList = Query({ ...Paging })
export type NostroList = Static<typeof NostroList>

export const NostroStatement = Resource('NostroStatement', {
  id: described(Id, 'The id of the statement. The service assigns it.'),
  nostro_id: described(Id, 'The nostro.'),
  number: Type.Integer({ description: 'Its number among the applied statements of the nostro, from 1.' }),
  statement_id: Type.String({ description: "The settlement bank's id for it." }),
  sequence: Type.Integer({ description: "The settlement bank's number for it." }),
  opening: described(Amount, 'The opening balance.'),
  closing: described(Amount, 'The closing balance.'),
  opened_on: described(CalendarDate, 'The day of the opening balance.'),
  closed_on: described(CalendarDate, 'The day of the closing balance.'),
  until: described(Timestamp, 'The last moment that it covers, in UTC.'),
  entries: Type.Integer({ description: 'How many entries it has.' }),
  message_id: { ...Id, description: 'The message that contained it.' },
  created_at: CreatedAt,
  ended_at: Nullable(Type.String({ format: 'date-time', description: 'When the end of its day was processed.' })),
})
export type NostroStatement = Static<typeof NostroStatement>

export const NostroStatementList = Query({ ...Paging })
export type NostroStatementList = Static<typeof NostroStatementList>

export const entryStates = ['NOTIFIED', 'MATCHED', 'BREAK', 'RESOLVED'] as const

export const NostroEntry = Resource('NostroEntry', {
  id: described(Id, 'The id of the entry. The service assigns it.'),
  nostro_id: described(Id, 'The nostro.'),
  number: Nullable(Type.Integer({ description: 'The number of its statement; null while it was only notified.' })),
  position: Type.Integer({ description: 'Its position on the statement, from 0.' }),
  amount: { ...Amount, description: 'Positive for incoming money.' },
  booked_on: described(CalendarDate, 'The day on which the settlement bank booked it.'),
  value_on: described(CalendarDate, 'The day from which the money counts.'),
  servicer_reference: Text("The settlement bank's reference, or null."),
  message_id: Text('The id of the message that the payment was in, or null.'),
  tx_id: Text('The id of the transaction in its message, or null.'),
  end_to_end_id: Text("The payer's reference for the payment, or null."),
  counterparty_name: Text('The name of the payer or payee, or null.'),
  counterparty_iban: Text('The IBAN of the other side, or null.'),
  transaction_code: Text('The bank transaction code of ISO 20022, or null.'),
  information: Text('Further information from the settlement bank, or null.'),
  state: Choice(entryStates, {
    description:
      'NOTIFIED: announced, but not on a statement yet. MATCHED: it matches payments of the bank. BREAK: it waits for a decision. ' +
      'RESOLVED: it was decided in another way.',
  }),
  matched_by: Nullable(
    Choice(['PACK', 'REFERENCE', 'LIKENESS', 'HAND'], {
      description:
        'How the payments were found. PACK: the whole pack. REFERENCE: an id. LIKENESS: amount, day and party. HAND: a person. Null ' +
        'while it is not matched.',
    }),
  ),
  created_at: CreatedAt,
})
export type NostroEntry = Static<typeof NostroEntry>

export const NostroEntryList = Query({
  ...Paging,
  state: Type.Optional(Choice(entryStates, { description: 'Returns only entries in this state.' })),
  number: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'The number of the statement.' })),
})
export type NostroEntryList = Static<typeof NostroEntryList>

export const OfDay = Query({
  date: Type.Optional(Type.String({ format: 'date', description: 'The day of the statement. Default: that of the last one.' })),
})
export type OfDay = Static<typeof OfDay>

export const Reconciliation = Resource('Reconciliation', {
  nostro_id: described(Id, 'The nostro.'),
  date: { ...CalendarDate, description: 'The day of the statement that is compared: the last one up to the requested day.' },
  number: Type.Integer({ description: 'The number of the statement among those of the nostro.' }),
  currency: CurrencyShown,
  closing: described(Amount, 'The closing balance of the statement.'),
  prefunding: { ...Amount, description: "The bank's own money in the account." },
  settlement: {
    ...Amount,
    description: 'The sum of the ledger entries on settlement accounts for payments over this nostro. Outgoing is positive.',
  },
  in_transit: { ...Amount, description: 'Payments that are booked but not on a statement yet. Outgoing is negative.' },
  breaks: { ...Amount, description: 'The differences of open breaks.' },
  difference: { ...Amount, description: 'closing - (prefunding - settlement - in_transit + breaks). Always zero.' },
})
export type Reconciliation = Static<typeof Reconciliation>

export const EndOfDayOrder = Body('EndOfDayOrder', {
  date: Type.Optional(Type.String({ format: 'date', description: 'The day that has ended. Default: today.' })),
})
export type EndOfDayOrder = Static<typeof EndOfDayOrder>

export const EndedDay = Resource('EndedDay', {
  nostro_id: described(Id, 'The nostro.'),
  date: described(CalendarDate, 'The day that has ended.'),
  state: Choice(['ENDED', 'ENDED_BEFORE', 'STATEMENT_MISSING'], {
    description:
      'ENDED: payments missing on the statement were looked for. ENDED_BEFORE: that had already happened. STATEMENT_MISSING: there is ' +
      'no statement of this day.',
  }),
  missing: Type.Integer({ description: 'How many payments should have been on the statement but were not.' }),
})
export type EndedDay = Static<typeof EndedDay>

/** The details of decisions about breaks. */
export const MatchDetails = Body('BreakMatch', {
  venture_id: described(Id, 'The venture in whose books it is.'),
  id: {
    ...Id,
    description: 'The transfer, or the unapplied payment or break, that the entry belongs to. It must be booked, and on no statement yet.',
  },
})
export type MatchDetails = Static<typeof MatchDetails>

export const OffsetDetails = Body('BreakOffset', {
  break_id: { ...Id, description: 'Another open break of the nostro, with the opposite difference.' },
})
export type OffsetDetails = Static<typeof OffsetDetails>
