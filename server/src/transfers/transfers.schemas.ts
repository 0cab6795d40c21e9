// The schemas of transfers in requests and responses.
import { type Static, Type } from 'typebox'
import { actorKinds } from '../platform/actor.ts'
import {
  Body,
  CalendarDate,
  Choice,
  CountryCode,
  Dates,
  Decimal,
  Formed,
  GivenTime,
  Id,
  Name,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  Search,
  ShortText,
  Timestamp,
} from '../platform/http/schemas.ts'
import { transferDirections, transferMethods, transferStatuses, transferTypes } from './life/transfers.status.ts'

const Text = Nullable(Type.String())
const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })
export const TransferStatus = Choice(transferStatuses)
const Direction = Choice(transferDirections)
const Method = Choice(transferMethods)
const TransferType = Choice(transferTypes)

export const Transfer = Resource('Transfer', {
  id: Id,
  account_id: Id,
  unique_reference: Type.String(),
  direction: Direction,
  method: Method,
  transfer_type: TransferType,
  status: TransferStatus,
  is_instant: Type.Boolean(),
  purpose: Text,
  settlement_date: CalendarDate,
  credit_amount: Amount,
  debit_amount: Amount,
  credit_currency: Type.String(),
  debit_currency: Type.String(),
  exchange_rate: Text,
  fx_fee_amount: Text,
  cr_name: Text,
  cr_iban: Text,
  cr_bank_bic: Text,
  cr_account_id: Text,
  cr_address: Text,
  cr_bank_name: Text,
  cr_city: Text,
  cr_country_code: Text,
  cr_postal_code: Text,
  dr_name: Text,
  dr_iban: Text,
  dr_bank_bic: Text,
  dr_account_id: Text,
  dr_address: Text,
  dr_bank_name: Text,
  dr_city: Text,
  dr_country_code: Text,
  dr_postal_code: Text,
  beneficiary_id: Nullable(Id),
  parent_transaction_id: Nullable(Id),
  category_purpose_code: Text,
  purpose_code: Text,
  structured_reference: Text,
  structured_reference_issuer: Text,
  bank_partner_id: Text,
  bank_partner_trx_id: Nullable(Type.Integer()),
  signed_at: Nullable(Timestamp),
  status_reason: Text,
  status_reason_code: Text,
  third_party_status: Text,
  third_party_status_code: Text,
  third_party_status_reason: Text,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Transfer = Static<typeof Transfer>

/** Must be ASCII before it is converted to upper case. Only methods that need a valid IBAN check the rest. */
const Iban = Formed('^[A-Za-z0-9]{1,34}$', 'must have 1 to 34 letters and digits, without spaces', { transform: 'upper' })
const Bic = Formed('^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', { transform: 'upper' })
const Currency = Type.String({ format: 'currency', transform: 'upper', description: 'ISO 4217 code.' })
/** Up to ten decimals; an amount has at most four. */
const Rate = Formed(
  '^(0|[1-9]\\d{0,14})(\\.\\d{1,10})?$',
  'must be a decimal number in a string, such as "1.0825", with at most 15 digits before the point and 10 after it',
)

export const TransferOrder = Body('TransferOrder', {
  account_id: Id,
  unique_reference: Formed('^[ -~]{1,128}$', 'must have 1 to 128 printable ASCII characters', {
    description: '1 to 128 printable ASCII characters, unique across all transfers: the idempotency key.',
  }),
  direction: OptionalField(Direction),
  method: OptionalField(Method),
  transfer_type: OptionalField(TransferType),
  is_instant: OptionalField(Type.Boolean()),
  purpose: OptionalField(Name),
  settlement_date: OptionalField(CalendarDate),
  credit_amount: OptionalField(Decimal),
  debit_amount: OptionalField(Decimal),
  credit_currency: OptionalField(Currency),
  debit_currency: OptionalField(Currency),
  exchange_rate: OptionalField(Rate),
  fx_fee_amount: OptionalField(Decimal),
  cr_name: OptionalField(Name),
  cr_iban: OptionalField(Iban),
  cr_bank_bic: OptionalField(Bic),
  cr_address: OptionalField(ShortText),
  cr_bank_name: OptionalField(Name),
  cr_city: OptionalField(ShortText),
  cr_country_code: OptionalField(CountryCode),
  cr_postal_code: OptionalField(ShortText),
  dr_name: OptionalField(Name),
  dr_iban: OptionalField(Iban),
  dr_bank_bic: OptionalField(Bic),
  dr_address: OptionalField(ShortText),
  dr_bank_name: OptionalField(Name),
  dr_city: OptionalField(ShortText),
  dr_country_code: OptionalField(CountryCode),
  dr_postal_code: OptionalField(ShortText),
  beneficiary_id: OptionalField(Id),
  parent_transaction_id: OptionalField(Id),
  category_purpose_code: OptionalField(ShortText),
  purpose_code: OptionalField(ShortText),
  structured_reference: OptionalField(ShortText),
  structured_reference_issuer: OptionalField(ShortText),
  payee_check_accepted: OptionalField(
    Type.Boolean({ description: 'Whether the payer accepts that the name of the payee is not, or not quite, that of the account.' }),
  ),
})
export type TransferOrder = Static<typeof TransferOrder>

export const TransferUpdate = Body('TransferUpdate', {
  status: Type.Optional(TransferStatus),
  status_reason: OptionalField(ShortText),
  status_reason_code: OptionalField(ShortText),
  bank_partner_id: OptionalField(ShortText),
  bank_partner_trx_id: OptionalField(Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })),
  third_party_status: OptionalField(ShortText),
  third_party_status_code: OptionalField(ShortText),
  third_party_status_reason: OptionalField(ShortText),
  signed_at: OptionalField(GivenTime),
  signed_hash: OptionalField(
    Formed('^[0-9a-f]{64}$', 'must be 64 hexadecimal digits in lower case', {
      description: 'Only with the status SIGNED: SHA-256 over what the signer has seen. It must be what the transfer says.',
    }),
  ),
})
export type TransferUpdate = Static<typeof TransferUpdate>

const filters = {
  beneficiary_id: Type.Optional(Id),
  direction: Type.Optional(Direction),
  status: Type.Optional(TransferStatus),
  transfer_type: Type.Optional(TransferType),
  method: Type.Optional(Method),
  currency: Type.Optional(Currency),
  ...Dates,
  search: Search,
}

export const TransferList = Query({ ...Paging, account_id: Type.Optional(Id), ...filters })
export type TransferList = Static<typeof TransferList>

export const TransferMove = Resource('TransferMove', {
  id: Id,
  from_status: Nullable(TransferStatus),
  to_status: TransferStatus,
  actor: Choice(actorKinds),
  actor_id: Nullable(
    Type.String({ format: 'uuid', description: "The key or the person. Null for the bank's people, the service and rails." }),
  ),
  reason: Text,
  reason_code: Text,
  third_party_status: Text,
  created_at: Timestamp,
})
export type TransferMove = Static<typeof TransferMove>

export const Transition = Resource('TransferTransition', {
  status: TransferStatus,
  allowed: Type.Boolean(),
  blocked_by: Nullable(Type.String({ description: 'The error code with which the move would be refused now.' })),
  needs_third_party_status: Type.Boolean({
    description: 'Whether the move needs an answer of the clearing scheme, sent as `third_party_status` in the same request.',
  }),
})
export type Transition = Static<typeof Transition>
