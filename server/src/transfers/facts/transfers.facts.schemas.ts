// The schemas of the bank side's reports: payments that arrived, payments that came back, debits that cannot be refused.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CountryCode,
  CreatedAt,
  CurrencyShown,
  Decimal,
  described,
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
import { Said } from '../life/transfers.details.ts'
import { methodsOf } from '../life/transfers.methods.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import { transferMethods } from '../life/transfers.status.ts'
import { breakKinds, breakStatuses, unappliedStatuses } from '../life/transfers.unsettled.ts'

const Text = (description: string) => Nullable(Type.String({ description }))
const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })
const Iban = Formed('^[A-Za-z0-9]{1,34}$', 'must have 1 to 34 letters and digits, without spaces', { transform: 'upper' })
const Bic = Formed('^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', { transform: 'upper' })
const Currency = Type.String({ format: 'currency', transform: 'upper', description: 'The ISO 4217 code of the currency, such as `EUR`.' })
const receivingMethods = methodsOf('receiving')

const Rail = Choice(receivingMethods, { description: 'The rail that the money came over.' })

/** One name for each kind of message, so that no message is booked again under another spelling or version. */
const messageKinds = ['pacs.003', 'pacs.004', 'pacs.007', 'pacs.008', 'camt.054', 'card.clearing', 'card.reversal', 'chargeback'] as const

/** What identifies a message, whichever way it arrives. */
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

/** A payment arrives by one kind of message only. */
const paymentMessage = { ...message, kind: Choice(['pacs.008'], { description: 'The kind of message: a customer credit transfer.' }) }

export const InboundReport = Body('InboundPaymentReport', {
  ...paymentMessage,
  iban: { ...Iban, description: 'The IBAN that the payment names as its creditor.' },
  amount: described(Decimal, 'What arrived, such as `30.00`.'),
  currency: Currency,
  rail: Rail,
  purpose: OptionalField(described(Name, "What the payment is for, in the payer's words.")),
  dr_name: OptionalField(described(Name, 'The name of the payer.')),
  dr_iban: OptionalField(described(Iban, 'The IBAN of the payer.')),
  dr_bank_bic: OptionalField(described(Bic, "The BIC of the payer's bank.")),
  dr_address: OptionalField(described(ShortText, 'Street and house number of the payer.')),
  dr_city: OptionalField(described(ShortText, 'The city of the payer.')),
  dr_country_code: OptionalField(described(CountryCode, 'The country of the payer, as an ISO 3166-1 alpha-3 code.')),
  dr_postal_code: OptionalField(described(ShortText, 'The postal code of the payer.')),
})
export type InboundReport = Static<typeof InboundReport>

const returnTypes = ['PAYMENT_RETURN', 'PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION', 'CARD_REVERSAL'] as const

/** Why money came back. */
const returnReason = {
  reason_code: OptionalField(
    described(ShortText, 'Why it came back, as an ISO 20022 code such as MD07. The return and its parent get it as `status_reason_code`.'),
  ),
  reason: OptionalField(described(ShortText, 'Why it came back, in words. The return and its parent get it as `status_reason`.')),
}

export const ReturnReport = Body('ReturnedPaymentReport', {
  ...message,
  venture_id: described(Id, 'The venture of the transfer.'),
  transfer_id: { ...Id, description: 'The outbound transfer whose money came back.' },
  transfer_type: Type.Optional(Choice(returnTypes, { description: 'What kind of return it is. PAYMENT_RETURN if absent.' })),
  amount: OptionalField({ ...Decimal, description: 'What came back, in the currency in which it left; everything if absent.' }),
  ...returnReason,
})
export type ReturnReport = Static<typeof ReturnReport>

const debitTypes = ['ADJUSTMENT', 'FEE', 'CARD_CLEARING', ...returnTypes] as const

export const ForcedDebitReport = Body('ForcedDebitReport', {
  ...message,
  venture_id: described(Id, 'The venture of the account.'),
  account_id: described(Id, 'The account to debit, whatever its balance. If the account is closed, a break is opened instead.'),
  amount: described(Decimal, 'The amount to debit, in the currency of the account.'),
  transfer_type: Choice(debitTypes, { description: 'What the debit is for.' }),
  method: OptionalField(
    Choice(transferMethods, { description: 'The rail that carried the debit. Default: a rail that fits, or that of the parent.' }),
  ),
  parent_transaction_id: OptionalField(described(Id, 'The transfer that the debit takes back or clears; absent or null if there is none.')),
  explanation: described(ShortText, 'Why, in words. Its first 140 characters are the purpose of the transfer.'),
  ...returnReason,
})
export type ForcedDebitReport = Static<typeof ForcedDebitReport>

type Identified = { sender: string; kind: string; tx_id: string }
type Creditor = 'cr_name' | 'cr_iban' | 'cr_bank_bic' | 'cr_address' | 'cr_city' | 'cr_country_code' | 'cr_postal_code'

/** A direct debit that another bank collects from one of our accounts on a future date. */
export type DebitReport = Identified &
  Pick<TransferOrder, 'purpose' | Creditor> & { iban: string; amount: string; currency: string; due_on: string }

export const PayoutOrder = Body('BlockedClientPayoutOrder', {
  venture_id: described(Id, 'The venture of the account.'),
  account_id: described(Id, 'The suspended account whose whole balance is paid out.'),
  beneficiary_id: { ...Id, description: "A beneficiary of the client with the client's own name: the client's account elsewhere." },
  purpose: OptionalField(described(Name, 'What the payment is for, as the payee sees it.')),
})
export type PayoutOrder = Static<typeof PayoutOrder>

/** What a second person approves: the balance at the time of the request. */
export type AgreedPayout = PayoutOrder & { amount: string; currency: string }

export const bookedAs = ['transfer', 'unapplied', 'break', 'collection'] as const
export type BookedAs = (typeof bookedAs)[number]

export const BookedFact = Resource('BookedFact', {
  id: { ...Id, description: 'The transfer, the unapplied payment, the break or the collection of a break.' },
  sender: Type.String({ description: 'The BIC of the bank that sent the message.' }),
  kind: Type.String({ description: 'The kind of message, without its version.' }),
  tx_id: Type.String({ description: 'The id of the transaction in the message.' }),
  booked_as: Choice(bookedAs, {
    description:
      'What the message became. transfer: a transfer of a client. unapplied: money that no account could take. break: a debit that no account could bear. collection: a payment of what a client owed.',
  }),
  venture_id: { ...Id, description: 'The venture in whose books it is; the house, except for transfers.' },
  created_at: CreatedAt,
})
export type BookedFact = Static<typeof BookedFact>

export const BookedFactList = Query({
  ...Paging,
  booked_as: Type.Optional(Choice(bookedAs, { description: 'Returns only messages that were booked as this.' })),
})
export type BookedFactList = Static<typeof BookedFactList>

export const UnappliedPayment = Resource('UnappliedPayment', {
  id: described(Id, 'The id of the unapplied payment. The service assigns it.'),
  status: Choice(unappliedStatuses, {
    description:
      'OPEN: waits for a decision. APPLIED: credited to an account. RETURNING: on its way back to the payer. PAID_OUT: paid to the ' +
      "client's account at another bank.",
  }),
  reason: Choice(['ACCOUNT_UNKNOWN', 'ACCOUNT_CLOSED', 'CURRENCY_MISMATCH', 'RETURN_REFUSED'], {
    description: 'Why no account could take it. RETURN_REFUSED: the other bank refused its return.',
  }),
  rail: Choice(transferMethods, { description: 'The rail that the money came over.' }),
  amount: Amount,
  currency: CurrencyShown,
  iban: Type.String({ description: 'The IBAN that the payment names, or that of the closed account.' }),
  purpose: Text("What the payment is for, in the payer's words, or null."),
  dr_name: Text('The name of the payer, or null.'),
  dr_iban: Text('The IBAN of the payer, or null.'),
  dr_bank_bic: Text("The BIC of the payer's bank, or null."),
  dr_address: Text('Street and house number of the payer, or null.'),
  dr_city: Text('The city of the payer, or null.'),
  dr_country_code: Text('The country of the payer, as an ISO 3166-1 alpha-3 code, or null.'),
  dr_postal_code: Text('The postal code of the payer, or null.'),
  said: Nullable(described(Said, 'What the message says besides, or null. The transfer gets it when the money is applied.')),
  client_venture_id: Nullable(described(Id, 'The venture of `client_id`, or null.')),
  client_id: Nullable(Type.String({ format: 'uuid', description: 'The client whose money it is, if it came back to a closed account.' })),
  parent_transaction_id: Nullable(described(Id, 'The transfer whose money came back, or null.')),
  applied_venture_id: Nullable(described(Id, 'The venture of the account that was credited; null unless APPLIED.')),
  transfer_id: Nullable(Type.String({ format: 'uuid', description: 'The transfer that credits the money, if it was applied.' })),
  payout_name: Text('The payee of the pay-out; null unless PAID_OUT.'),
  payout_iban: Text('The IBAN of the pay-out; null unless PAID_OUT.'),
  paid_out_over: Nullable(Choice(receivingMethods, { description: 'The rail of the pay-out; null unless PAID_OUT.' })),
  created_at: CreatedAt,
  decided_at: Nullable(described(Timestamp, 'When it was decided, in UTC; null while it is OPEN.')),
})
export type UnappliedPayment = Static<typeof UnappliedPayment>

export const UnappliedList = Query({
  ...Paging,
  status: Type.Optional(Choice(unappliedStatuses, { description: 'Returns only unapplied payments with this status.' })),
})
export type UnappliedList = Static<typeof UnappliedList>

/** The details of decisions about cases. */
export const Application = Body('UnappliedPaymentApplication', {
  venture_id: described(Id, 'The venture of the account.'),
  account_id: described(Id, 'The account that is credited.'),
})
export type Application = Static<typeof Application>

export const UnappliedPayout = Body('UnappliedPaymentPayout', {
  name: described(Name, "The client's own name."),
  iban: described(Iban, "The client's own account at another bank."),
})
export type UnappliedPayout = Static<typeof UnappliedPayout>

export const Break = Resource('Break', {
  id: described(Id, 'The id of the break. The service assigns it.'),
  status: Choice(breakStatuses, {
    description:
      'OPEN: waits for a decision. WRITTEN_OFF: the bank bears it. COLLECTED: the client has paid it. MATCHED: the entry was matched ' +
      'by hand. OFFSET: another break cancels it. FUNDED: the bank has put money into the nostro, or taken some out.',
  }),
  kind: Choice(breakKinds, {
    description:
      'FORCED_DEBIT: a debit on a closed account, which the client owes. LATE_SETTLEMENT: a payment was settled after the client had ' +
      'got the money back. CONTRADICTED: other banks contradict each other about a payment that has ended. The others compare a ' +
      'nostro with the books. UNKNOWN: on the statement, but matching nothing. UNBOOKED: on the statement, but the payment is not ' +
      'booked. MISSING: booked, but not on the statement of its day. OTHER_AMOUNT: on the statement with another amount. DUPLICATE: ' +
      'on a statement twice. LATE: on a statement after it was written off as missing.',
  }),
  rail: Nullable(Choice(transferMethods, { description: 'The rail of the payment; null if unknown.' })),
  amount: Amount,
  currency: CurrencyShown,
  account_venture_id: Nullable(described(Id, 'The venture of `account_id`; null if no client is concerned.')),
  account_id: Nullable(described(Id, 'The account of the client; null if no client is concerned.')),
  client_id: Nullable(described(Id, 'The client who owes the money; null if no client is concerned.')),
  nostro_id: Nullable(described(Id, 'The nostro that was compared; null for breaks about clients.')),
  entry_id: Nullable(Type.String({ format: 'uuid', description: 'The entry of the statement.' })),
  row_venture_id: Nullable(described(Id, 'The venture of `row_id`, or null.')),
  row_id: Nullable(Type.String({ format: 'uuid', description: 'The transfer, or the other booking of the payment.' })),
  row_attempt: Nullable(Type.Integer({ description: 'The attempt to send the transfer; 0 for incoming payments.' })),
  pack_id: Nullable(Type.String({ format: 'uuid', description: 'The pack that the entry settles.' })),
  difference: Nullable(
    Type.String({ description: 'The amount on the statement minus the amount in the books. Positive: the nostro has more.' }),
  ),
  counter_id: Nullable(Type.String({ format: 'uuid', description: 'The break that cancels this one.' })),
  explanation: Text('What happened, in words, or null.'),
  transfer_id: Nullable(Type.String({ format: 'uuid', description: 'The transfer that takes the money from an account of the client.' })),
  collected_over: Nullable(
    Choice(receivingMethods, { description: 'The rail over which the client has paid; null unless COLLECTED over a rail.' }),
  ),
  collection_id: Nullable(
    Type.String({ format: 'uuid', description: 'What was booked for the message of the payment, if it came over a rail.' }),
  ),
  created_at: CreatedAt,
  decided_at: Nullable(described(Timestamp, 'When it was decided, in UTC; null while it is OPEN.')),
})
export type Break = Static<typeof Break>

export const BreakList = Query({
  ...Paging,
  status: Type.Optional(Choice(breakStatuses, { description: 'Returns only breaks with this status.' })),
  kind: Type.Optional(Choice(breakKinds, { description: 'Returns only breaks of this kind.' })),
  nostro_id: Type.Optional(described(Id, 'Returns only breaks of this nostro.')),
})
export type BreakList = Static<typeof BreakList>

export const Collection = Body('BreakCollection', {
  account_id: OptionalField({ ...Id, description: 'Another account of the client, to be debited.' }),
  rail: OptionalField({
    ...Rail,
    description: 'The rail over which the client has paid. Needs `sender`, `kind` and `tx_id`, the message of the payment.',
  }),
  sender: OptionalField(paymentMessage.sender),
  kind: OptionalField(paymentMessage.kind),
  tx_id: OptionalField(paymentMessage.tx_id),
})
export type Collection = Static<typeof Collection>

/** What another bank says about a payment that ended differently. The message is claimed, so a payment has at most one such break of each kind. */
export type Disagreement = Identified &
  Pick<Break, 'rail' | 'amount' | 'currency' | 'explanation'> & { transfer: { venture_id: string; id: string } }

/** A return that the scheme refused. */
export type RefusedReturn = { message: Identified } & Pick<UnappliedPayment, 'rail' | 'amount' | 'currency' | 'iban'> &
  Partial<UnappliedPayment>
