// Transfers, orders, updates and moves, as the API shows them.

import { type Static, Type } from 'typebox'
import { actorKinds } from '../../platform/actor.ts'
import {
  Body,
  CalendarDate,
  Choice,
  CountryCode,
  CreatedAt,
  Decimal,
  described,
  Formed,
  GivenTime,
  Id,
  Name,
  Nullable,
  OptionalField,
  Resource,
  ShortText,
  Timestamp,
  UpdatedAt,
} from '../../platform/http/schemas.ts'
import { OrderDetails, TransferDetails } from './transfers.details.ts'
import { methodMeanings } from './transfers.methods.ts'
import { transferDirections, transferMethods, transferStatuses, transferTypes } from './transfers.status.ts'

/** Who vouches for a payment, besides the venture. */
const authentications = ['BANK'] as const

export const Text = (description: string) => Nullable(Type.String({ description }))
const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })
export const TransferStatus = Choice(transferStatuses, {
  description:
    'Where the transfer is on its way. COMPLETED, REJECTED, CANCELLED, INVALID, DROPPED, AML_REJECTED and MANUAL_REJECTED are ' +
    'terminal. The guide Transfers has all moves; `GET /transfers/{transfer_id}/transitions` says which are possible now.',
})
export const Direction = Choice(transferDirections, {
  description: 'INBOUND: the account receives the money. OUTBOUND: the account pays it.',
})
export const Method = Choice(transferMethods, {
  description: `The rail that carries the transfer. ${methodMeanings}`,
})
export const TransferType = Choice(transferTypes, { description: 'What the transfer is for. PAYMENT for everything that clients order.' })

export const Transfer = Resource(
  'Transfer',
  {
    id: described(Id, 'The id of the transfer. The service assigns it.'),
    account_id: described(Id, 'The account of the client: the debtor of an outbound transfer, the creditor of an inbound one.'),
    unique_reference: Type.String({
      description: 'The reference of the order, unique across all transfers. It is also the idempotency key.',
    }),
    direction: Direction,
    method: Method,
    transfer_type: TransferType,
    status: TransferStatus,
    is_instant: Type.Boolean({ description: 'Whether the transfer goes over SEPA instant.' }),
    purpose: Text('What the payment is for, as the payee sees it, or null.'),
    settlement_date: described(CalendarDate, 'The day on which the money moves between the banks.'),
    credit_amount: described(Amount, 'What the creditor receives, with exactly as many decimals as `credit_currency` has.'),
    debit_amount: described(Amount, 'What the debtor pays, without the fee, with exactly as many decimals as `debit_currency` has.'),
    credit_currency: Type.String({ description: 'The ISO 4217 code of the currency that the creditor receives.' }),
    debit_currency: Type.String({ description: 'The ISO 4217 code of the currency that the debtor pays.' }),
    exchange_rate: Text('The value of one unit of `debit_currency` in `credit_currency`; null within one currency.'),
    fx_fee_amount: Text('The fee for the exchange in `debit_currency`, debited in addition to `debit_amount`; null if there is none.'),
    cr_name: Text('The name of the creditor, or null.'),
    cr_iban: Text('The IBAN of the creditor; null if the creditor has another kind of account number.'),
    cr_bank_bic: Text("The BIC of the creditor's bank, or null."),
    cr_account_id: Text('The account number of the creditor if it has no IBAN; otherwise null.'),
    cr_address: Text('Street and house number of the creditor, or null.'),
    cr_bank_name: Text("The name of the creditor's bank, or null."),
    cr_city: Text('The city of the creditor, or null.'),
    cr_country_code: Text('The country of the creditor, as an ISO 3166-1 alpha-3 code, or null.'),
    cr_postal_code: Text('The postal code of the creditor, or null.'),
    dr_name: Text('The name of the debtor, or null.'),
    dr_iban: Text('The IBAN of the debtor; null if the debtor has another kind of account number.'),
    dr_bank_bic: Text("The BIC of the debtor's bank, or null."),
    dr_account_id: Text('The account number of the debtor if it has no IBAN; otherwise null.'),
    dr_address: Text('Street and house number of the debtor, or null.'),
    dr_bank_name: Text("The name of the debtor's bank, or null."),
    dr_city: Text('The city of the debtor, or null.'),
    dr_country_code: Text('The country of the debtor, as an ISO 3166-1 alpha-3 code, or null.'),
    dr_postal_code: Text('The postal code of the debtor, or null.'),
    beneficiary_id: Nullable(described(Id, 'The beneficiary that is paid; null if the order named none.')),
    parent_transaction_id: Nullable(described(Id, 'The transfer that this one returns, reverses, cancels or clears; null for all others.')),
    mandate_id: Nullable(described(Id, 'The mandate of a collection by direct debit; null for all other transfers.')),
    authentication: Nullable(
      Choice(authentications, {
        description: "BANK: the bank's people ordered it, two of them together with four-eyes approval. Null for all other transfers.",
      }),
    ),
    approval_id: Nullable(described(Id, 'The approval in which two people of the bank agreed on the order; null for all other transfers.')),
    category_purpose_code: Text('The category of the payment, as a code of ISO 20022 such as `SALA`, or null.'),
    purpose_code: Text('The reason for the payment, as a code of ISO 20022 such as `GDDS`, or null.'),
    structured_reference: Text('A machine-readable reference, such as an RF creditor reference, or null.'),
    structured_reference_issuer: Text('The issuer of the format of `structured_reference`, or null.'),
    bank_partner_id: Text('The partner bank that carries the transfer, as noted by the person or program that moved it, or null.'),
    bank_partner_trx_id: Nullable(Type.Integer({ description: 'The number of the transfer at the partner bank, or null.' })),
    signed_at: Nullable(described(Timestamp, 'When the transfer was signed, in UTC; null if it was not.')),
    status_reason: Text('Why the transfer has its status, in words, or null.'),
    status_reason_code: Text('Why the transfer has its status, as a code, or null.'),
    third_party_status: Text("The clearing scheme's answer, such as `ACSC` or `RJCT`; null before it answers."),
    third_party_status_code: Text("The reason code of the scheme's answer, such as `AC04`, or null."),
    third_party_status_reason: Text("The reason of the scheme's answer in words, or null."),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
    details: Type.Optional(Type.Unsafe<TransferDetails | undefined>(TransferDetails)),
  },
  'Money on its way in, out, or between two accounts.',
)
export type Transfer = Static<typeof Transfer>

/** Must be ASCII before it is converted to upper case. Only methods that need a valid IBAN check the rest. */
const Iban = Formed('^[A-Za-z0-9]{1,34}$', 'must have 1 to 34 letters and digits, without spaces', { transform: 'upper' })
const Bic = Formed('^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', { transform: 'upper' })
export const Currency = Type.String({
  format: 'currency',
  transform: 'upper',
  description: 'The ISO 4217 code of the currency, such as `EUR`.',
})
/** Up to ten decimals; an amount has at most four. */
const Rate = Formed(
  '^(0|[1-9]\\d{0,14})(\\.\\d{1,10})?$',
  'must be a decimal number in a string, such as "1.0825", with at most 15 digits before the point and 10 after it',
)

export const TransferOrder = Body('TransferOrder', {
  account_id: described(Id, 'The account of your client: the debtor of an outbound transfer, the creditor of an inbound one.'),
  unique_reference: Formed('^[ -~]{1,128}$', 'must have 1 to 128 printable ASCII characters', {
    description: '1 to 128 printable ASCII characters, unique across all transfers. It is also the idempotency key.',
  }),
  direction: OptionalField(Direction),
  method: OptionalField(Method),
  transfer_type: OptionalField(TransferType),
  is_instant: OptionalField(Type.Boolean({ description: 'Asks for SEPA instant if both sides support it. Default: false.' })),
  purpose: OptionalField(described(Name, 'What the payment is for, as the payee sees it. At most 140 characters.')),
  settlement_date: OptionalField(
    described(CalendarDate, 'The day on which the money moves between the banks. Default: the earliest day of the method.'),
  ),
  credit_amount: OptionalField(
    described(
      Decimal,
      'What the creditor receives, such as `30.00`. One of the two amounts is enough: the other follows from it and the exchange rate.',
    ),
  ),
  debit_amount: OptionalField(
    described(Decimal, 'What the debtor pays without the fee, such as `30.00`. One of the two amounts is enough.'),
  ),
  credit_currency: OptionalField(
    described(
      Currency,
      'The currency that the creditor receives, as an ISO 4217 code. Default: that of the account or of the other amount.',
    ),
  ),
  debit_currency: OptionalField(
    described(Currency, 'The currency that the debtor pays, as an ISO 4217 code. Default: that of the account or of the other amount.'),
  ),
  exchange_rate: OptionalField(
    described(
      Rate,
      'The value of one unit of `debit_currency` in `credit_currency`, such as `1.0825`. Only between two currencies; in MANAGED ' +
        'ventures the bank sets it.',
    ),
  ),
  fx_fee_amount: OptionalField(
    described(
      Decimal,
      'The fee for the exchange in `debit_currency`, debited in addition to `debit_amount`. Only for outbound transfers between two ' +
        'currencies; in MANAGED ventures the bank sets it.',
    ),
  ),
  cr_name: OptionalField(described(Name, "The name of the creditor. Default: that of the beneficiary or of the account's client.")),
  cr_iban: OptionalField(
    described(Iban, 'The IBAN of the creditor. For outbound transfers it is that of the beneficiary; any other is refused.'),
  ),
  cr_bank_bic: OptionalField(described(Bic, "The BIC of the creditor's bank. Default: that of the beneficiary's bank or of this bank.")),
  cr_address: OptionalField(described(ShortText, 'Street and house number of the creditor.')),
  cr_bank_name: OptionalField(described(Name, "The name of the creditor's bank.")),
  cr_city: OptionalField(described(ShortText, 'The city of the creditor.')),
  cr_country_code: OptionalField(described(CountryCode, 'The country of the creditor, as an ISO 3166-1 alpha-3 code.')),
  cr_postal_code: OptionalField(described(ShortText, 'The postal code of the creditor.')),
  dr_name: OptionalField(described(Name, "The name of the debtor. Default: that of the account's client or of the mandate.")),
  dr_iban: OptionalField(described(Iban, 'The IBAN of the debtor. Default: that of the account or of the mandate.')),
  dr_bank_bic: OptionalField(described(Bic, "The BIC of the debtor's bank. Default for outbound transfers: that of this bank.")),
  dr_address: OptionalField(described(ShortText, 'Street and house number of the debtor.')),
  dr_bank_name: OptionalField(described(Name, "The name of the debtor's bank.")),
  dr_city: OptionalField(described(ShortText, 'The city of the debtor.')),
  dr_country_code: OptionalField(described(CountryCode, 'The country of the debtor, as an ISO 3166-1 alpha-3 code.')),
  dr_postal_code: OptionalField(described(ShortText, 'The postal code of the debtor.')),
  beneficiary_id: OptionalField(
    described(Id, 'The beneficiary that is paid. Required for outbound transfers; it must belong to the client of the account.'),
  ),
  parent_transaction_id: OptionalField(
    described(Id, 'The transfer that this one returns, reverses, cancels or clears. Required for these types.'),
  ),
  mandate_id: OptionalField({ ...Id, description: 'Makes the transfer a collection by SEPA direct debit from the debtor of the mandate.' }),
  category_purpose_code: OptionalField(described(ShortText, 'The category of the payment, as a code of ISO 20022 such as `SALA`.')),
  purpose_code: OptionalField(described(ShortText, 'The reason for the payment, as a code of ISO 20022 such as `GDDS`.')),
  structured_reference: OptionalField(described(ShortText, 'A machine-readable reference, such as an RF creditor reference.')),
  structured_reference_issuer: OptionalField(described(ShortText, 'The issuer of the format of `structured_reference`.')),
  payee_check_accepted: OptionalField(
    Type.Boolean({
      description: "Whether the payer accepts that the payee's name does not match, or not quite match, that of the account.",
    }),
  ),
  details: OptionalField(described(OrderDetails, 'What the payee is to be told besides. Only in MANAGED ventures.')),
})
export type TransferOrder = Static<typeof TransferOrder>

/** How many orders one request may have. */
export const mostOrders = 1_000

export const TransferUpdate = Body('TransferUpdate', {
  status: Type.Optional(described(TransferStatus, 'The status to move to. Without it, the other fields are stored and the status stays.')),
  status_reason: OptionalField(described(ShortText, 'Why the transfer has its status, in words; null removes it.')),
  status_reason_code: OptionalField(described(ShortText, 'Why the transfer has its status, as a code; null removes it.')),
  bank_partner_id: OptionalField(
    described(ShortText, 'The partner bank that carries the transfer; null removes it. The service does not interpret it.'),
  ),
  bank_partner_trx_id: OptionalField(
    Type.Integer({
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'The number of the transfer at the partner bank; null removes it. The service does not interpret it.',
    }),
  ),
  third_party_status: OptionalField(
    described(ShortText, "The clearing scheme's answer, such as `ACSC`. Some moves need it in the same request."),
  ),
  third_party_status_code: OptionalField(described(ShortText, "The reason code of the scheme's answer, such as `AC04`; null removes it.")),
  third_party_status_reason: OptionalField(described(ShortText, "The reason of the scheme's answer in words; null removes it.")),
  signed_at: OptionalField(described(GivenTime, 'When the client signed. In MANAGED ventures the service sets it.')),
  signed_hash: OptionalField(
    Formed('^[0-9a-f]{64}$', 'must be 64 hexadecimal digits in lower case', {
      description: 'SHA-256 over what the signer has seen. Only with the status SIGNED. It must match the transfer.',
    }),
  ),
})
export type TransferUpdate = Static<typeof TransferUpdate>

export const TransferMove = Resource('TransferMove', {
  id: described(Id, 'The id of the move. Later moves of a transfer have greater ids.'),
  from_status: Nullable(described(TransferStatus, 'The status before; null for the creation.')),
  to_status: described(TransferStatus, 'The status after.'),
  actor: Choice(actorKinds, {
    description: 'The actor: a key of the venture, a user of the venture, the operator, the service itself, or a connector of a rail.',
  }),
  actor_id: Nullable(
    Type.String({ format: 'uuid', description: "The API key or the person. Null for the bank's people, the service and rails." }),
  ),
  reason: Text('The `status_reason` at that time, or null.'),
  reason_code: Text('The `status_reason_code` at that time, or null.'),
  third_party_status: Text("The clearing scheme's answer that came with the move, or null."),
  created_at: CreatedAt,
})
export type TransferMove = Static<typeof TransferMove>
