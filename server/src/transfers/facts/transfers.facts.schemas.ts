// The schemas of what the bank's side reports: payments that have arrived, payments that came back, debits that nobody can refuse.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CountryCode,
  Decimal,
  Formed,
  Id,
  Name,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
} from '../../platform/http/schemas.ts'
import { receivingMethods } from '../life/transfers.methods.ts'
import { transferMethods } from '../life/transfers.status.ts'

const Text = Nullable(Type.String())
const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })
const Iban = Formed('^[A-Za-z0-9]{1,34}$', 'must have 1 to 34 letters and digits, without spaces', { transform: 'upper' })
const Bic = Formed('^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', { transform: 'upper' })
const Currency = Type.String({ format: 'currency', transform: 'upper', description: 'ISO 4217 code.' })
const Rail = Choice(receivingMethods)

/** One name for each kind of message, so that no message is booked again under another spelling or version of its kind. */
const messageKinds = [
  ...(['pacs.003', 'pacs.004', 'pacs.007', 'pacs.008', 'camt.054'] as const),
  ...(['card.clearing', 'card.reversal', 'chargeback'] as const),
] as const

/** What identifies a message over all doors. */
const message = {
  sender: Formed('^ *[A-Za-z0-9]{8}([A-Za-z0-9]{3})? *$', 'must be a BIC of 8 or 11 characters', {
    description: 'The BIC of the bank that sent the message.',
    transform: 'trimmed_upper',
  }),
  kind: Choice(messageKinds, { description: 'The kind of message, without its version.' }),
  tx_id: Formed('^ *[!-~]([ -~]{0,126}[!-~])? *$', 'must have 1 to 128 printable ASCII characters', {
    description:
      'The id of the transaction in the message, without spaces around it. The bank books a message once, whichever way it arrives.',
    transform: 'trim',
  }),
}

/** A payment comes by one kind of message only. */
const paymentMessage = { ...message, kind: Choice(['pacs.008'], { description: 'The kind of message: a customer credit transfer.' }) }

export const InboundReport = Body('InboundPaymentReport', {
  ...paymentMessage,
  iban: { ...Iban, description: 'The IBAN that the payment names as its creditor.' },
  amount: Decimal,
  currency: Currency,
  rail: Rail,
  purpose: OptionalField(Name),
  dr_name: OptionalField(Name),
  dr_iban: OptionalField(Iban),
  dr_bank_bic: OptionalField(Bic),
  dr_address: OptionalField(ShortText),
  dr_city: OptionalField(ShortText),
  dr_country_code: OptionalField(CountryCode),
  dr_postal_code: OptionalField(ShortText),
})
export type InboundReport = Static<typeof InboundReport>

const returnTypes = ['PAYMENT_RETURN', 'PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION', 'CARD_REVERSAL'] as const

export const ReturnReport = Body('ReturnedPaymentReport', {
  ...message,
  venture_id: Id,
  transfer_id: { ...Id, description: 'The outbound transfer whose money came back.' },
  transfer_type: Type.Optional(Choice(returnTypes)),
  amount: OptionalField({ ...Decimal, description: 'What came back, in the currency in which it left; everything if absent.' }),
})
export type ReturnReport = Static<typeof ReturnReport>

const debitTypes = ['ADJUSTMENT', 'FEE', 'CARD_CLEARING', ...returnTypes] as const

export const ForcedDebitReport = Body('ForcedDebitReport', {
  ...message,
  venture_id: Id,
  account_id: Id,
  amount: Decimal,
  transfer_type: Choice(debitTypes),
  method: OptionalField(Choice(transferMethods)),
  parent_transaction_id: OptionalField(Id),
  explanation: ShortText,
})
export type ForcedDebitReport = Static<typeof ForcedDebitReport>

export const PayoutOrder = Body('BlockedClientPayoutOrder', {
  venture_id: Id,
  account_id: Id,
  beneficiary_id: { ...Id, description: "A beneficiary of the client with the client's own name: the client's account elsewhere." },
  purpose: OptionalField(Name),
})
export type PayoutOrder = Static<typeof PayoutOrder>

/** What a second person approves: the balance that the account had when the first one asked. */
export type AgreedPayout = PayoutOrder & { amount: string; currency: string }

export const bookedAs = ['transfer', 'unapplied', 'break', 'collection'] as const
export type BookedAs = (typeof bookedAs)[number]

export const BookedFact = Resource('BookedFact', {
  id: { ...Id, description: 'The transfer, the unapplied payment, the break or the collection of a break.' },
  sender: Type.String(),
  kind: Type.String(),
  tx_id: Type.String(),
  booked_as: Choice(bookedAs),
  venture_id: { ...Id, description: 'The venture in whose books it is; the house for all but transfers.' },
  created_at: Timestamp,
})
export type BookedFact = Static<typeof BookedFact>

export const BookedFactList = Query({ ...Paging, booked_as: Type.Optional(Choice(bookedAs)) })
export type BookedFactList = Static<typeof BookedFactList>

export const unappliedStatuses = ['OPEN', 'APPLIED', 'RETURNING', 'PAID_OUT'] as const

export const UnappliedPayment = Resource('UnappliedPayment', {
  id: Id,
  status: Choice(unappliedStatuses),
  reason: Choice(['ACCOUNT_UNKNOWN', 'ACCOUNT_CLOSED', 'CURRENCY_MISMATCH']),
  rail: Choice(transferMethods),
  amount: Amount,
  currency: Type.String(),
  iban: Type.String({ description: 'The IBAN that the payment names, or that of the closed account.' }),
  purpose: Text,
  dr_name: Text,
  dr_iban: Text,
  dr_bank_bic: Text,
  dr_address: Text,
  dr_city: Text,
  dr_country_code: Text,
  dr_postal_code: Text,
  client_venture_id: Nullable(Id),
  client_id: Nullable(Type.String({ format: 'uuid', description: 'The client whose money it is, if it came back to a closed account.' })),
  parent_transaction_id: Nullable(Id),
  applied_venture_id: Nullable(Id),
  transfer_id: Nullable(Type.String({ format: 'uuid', description: 'The transfer that credits the money, if it was applied.' })),
  payout_name: Text,
  payout_iban: Text,
  created_at: Timestamp,
  decided_at: Nullable(Timestamp),
})
export type UnappliedPayment = Static<typeof UnappliedPayment>

export const UnappliedList = Query({ ...Paging, status: Type.Optional(Choice(unappliedStatuses)) })
export type UnappliedList = Static<typeof UnappliedList>

/** The details of decisions about cases. */
export const Application = Body('UnappliedPaymentApplication', { venture_id: Id, account_id: Id })
export type Application = Static<typeof Application>

export const UnappliedPayout = Body('UnappliedPaymentPayout', { name: Name, iban: Iban })
export type UnappliedPayout = Static<typeof UnappliedPayout>

export const breakStatuses = ['OPEN', 'WRITTEN_OFF', 'COLLECTED'] as const

export const Break = Resource('Break', {
  id: Id,
  status: Choice(breakStatuses),
  kind: Choice(['FORCED_DEBIT']),
  rail: Nullable(Choice(transferMethods)),
  amount: Amount,
  currency: Type.String(),
  account_venture_id: Id,
  account_id: Id,
  client_id: Id,
  explanation: Text,
  transfer_id: Nullable(
    Type.String({ format: 'uuid', description: 'The transfer that collects the money from another account of the client.' }),
  ),
  collected_over: Nullable(Choice(receivingMethods)),
  collection_id: Nullable(
    Type.String({ format: 'uuid', description: 'What was booked for the message of the payment, if it came over a rail.' }),
  ),
  created_at: Timestamp,
  decided_at: Nullable(Timestamp),
})
export type Break = Static<typeof Break>

export const BreakList = Query({ ...Paging, status: Type.Optional(Choice(breakStatuses)) })
export type BreakList = Static<typeof BreakList>

export const Collection = Body('BreakCollection', {
  account_id: OptionalField({ ...Id, description: 'Another account of the client, which is debited.' }),
  rail: OptionalField({
    ...Rail,
    description: 'The rail over which the client has paid. Needs `sender`, `kind` and `tx_id`, the message of the payment.',
  }),
  sender: OptionalField(paymentMessage.sender),
  kind: OptionalField(paymentMessage.kind),
  tx_id: OptionalField(paymentMessage.tx_id),
})
export type Collection = Static<typeof Collection>
