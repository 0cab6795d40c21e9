// The schemas of accounts and their entries in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
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
  Search,
  ShortText,
  Timestamp,
  UpdatedAt,
} from '../platform/http/schemas.ts'
import { accountStatuses } from './accounts.status.ts'

const AccountType = Choice(['CURRENT', 'SAVINGS', 'ESCROW'], {
  description: 'What kind of account it is. The service treats all kinds alike.',
})
const AccountStatus = Choice(accountStatuses, {
  description:
    'PENDING: not activated yet. ACTIVE: can be used. SUSPENDED: frozen, so nothing new can be ordered, but payments under way still settle. CLOSED: permanently. Only activate, freeze and close change it.',
})
const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })

export const Account = Resource(
  'Account',
  {
    id: described(Id, 'The id of the account. The service assigns it.'),
    client_id: described(Id, 'The client who holds the account.'),
    account_name: Type.String({ description: "A name for people, for example in the venture's app." }),
    account_number: Type.String({ description: 'The IBAN of the account, assigned by the service. Money for the account is sent to it.' }),
    account_type: AccountType,
    currency: CurrencyShown,
    available_balance: Type.String({ description: '`current_balance` minus `reserved_balance`. Below zero if the account is in debt.' }),
    current_balance: described(Amount, 'The booked balance, including reserved money.'),
    reserved_balance: described(Amount, 'The part of the current balance that is held for transfers that have not ended.'),
    status: AccountStatus,
    opened_date: described(Timestamp, 'When the account was created, in UTC. This is not the time of its activation.'),
    closed_date: Nullable(described(Timestamp, 'When the account was closed, in UTC; null until then.')),
    last_activity_date: Nullable(described(Timestamp, 'When money was last booked on the account, in UTC; null if never.')),
    daily_limit: Nullable(described(Amount, 'The maximum amount that may be sent in a UTC day; null for no limit.')),
    monthly_limit: Nullable(described(Amount, 'The maximum amount that may be sent in a UTC month; null for no limit.')),
    yearly_limit: Nullable(described(Amount, 'The maximum amount that may be sent in a UTC year; null for no limit.')),
    description: Nullable(Type.String({ description: 'A note by the venture, or null.' })),
    external_account_id: Nullable(
      Type.String({ description: "The id of the account in the venture's own systems, or null. The service does not interpret it." }),
    ),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  'An account of a client, with its balances.',
)
export type Account = Static<typeof Account>

/** accounts.ts checks that the currency exists. */
const CurrencyCode = Formed('^[A-Za-z]{3}$', 'must be an ISO 4217 currency code, such as EUR', {
  transform: 'upper',
  description: 'ISO 4217 code, in upper or lower case.',
})

/** Periods are in UTC. The pattern and the database keep limits below 10^15. */
function Limit(period: string) {
  return OptionalField({
    ...Decimal,
    description: `The maximum amount that may be sent in a UTC ${period}, with no more decimals than the currency has; null for no limit.`,
  })
}

const limits = { daily_limit: Limit('day'), monthly_limit: Limit('month'), yearly_limit: Limit('year') }

export const NewAccount = Body('NewAccount', {
  client_id: described(Id, 'The client who will hold the account.'),
  account_name: described(Name, "A name for people, for example in the venture's app. At most 140 characters."),
  account_type: AccountType,
  currency: CurrencyCode,
  ...limits,
  description: OptionalField(described(ShortText, 'A note by the venture.')),
  external_account_id: OptionalField(described(ShortText, 'The id of the account in your own systems. The service does not interpret it.')),
})
export type NewAccount = Static<typeof NewAccount>

export const AccountUpdate = Body('AccountUpdate', {
  account_name: Type.Optional(described(Name, "A name for people, for example in the venture's app. At most 140 characters.")),
  description: OptionalField(described(ShortText, 'A note by the venture; null removes it.')),
  ...limits,
})
export type AccountUpdate = Static<typeof AccountUpdate>

export const limitFields = Object.keys(limits) as (keyof typeof limits)[]

export const AccountList = Query({
  ...Paging,
  client_id: Type.Optional(described(Id, 'Returns only accounts of this client.')),
  status: Type.Optional(described(AccountStatus, 'Returns only accounts with this status.')),
  currency: Type.Optional(described(CurrencyCode, 'Returns only accounts in this currency, an ISO 4217 code.')),
  account_type: Type.Optional(described(AccountType, 'Returns only accounts of this kind.')),
  search: Search,
})
export type AccountList = Static<typeof AccountList>

export const AccountEntry = Resource('AccountEntry', {
  id: described(Id, 'The id of the entry. Later entries of an account have greater ids.'),
  journal_id: Type.String({ format: 'uuid', description: 'The journal that this entry belongs to.' }),
  transfer_id: described(Id, 'The transfer that was booked.'),
  account_id: described(Id, 'The account on which it was booked.'),
  currency: CurrencyShown,
  amount: Type.String({ description: 'Positive for money that came in, negative for money that went out.' }),
  balance: Type.String({ description: 'The current balance after this entry.' }),
  created_at: CreatedAt,
})
export type AccountEntry = Static<typeof AccountEntry>

export const EntryList = Query(Paging)
export type EntryList = Static<typeof EntryList>

export const EpcQr = Query({
  amount: Type.Optional({ ...Decimal, description: 'The amount in euros. If absent, the payer enters it.' } as typeof Decimal),
  purpose: Type.Optional({
    ...Name,
    description: 'The purpose that the payer will send. Cannot be used together with `structured_reference`.',
  } as typeof Name),
  structured_reference: Type.Optional(
    Type.String({
      format: 'creditor-reference',
      description: 'An ISO 11649 creditor reference that identifies the payment. It begins with `RF`.',
    }),
  ),
  purpose_code: Type.Optional(
    Formed('^[A-Z]{4}$', 'must be a purpose code of ISO 20022 with four letters, such as GDDS', {
      description: 'The reason for the payment, as an ISO 20022 purpose code of four letters, such as `GDDS`.',
    }),
  ),
  format: Type.Optional(Choice(['svg', 'text'], { description: 'The image (the default), or the text that it encodes.' })),
})
export type EpcQr = Static<typeof EpcQr>
