// The schemas of accounts and their entries in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  Decimal,
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
} from '../platform/http/schemas.ts'
import { accountStatuses } from './accounts.status.ts'

const AccountType = Choice(['CURRENT', 'SAVINGS', 'ESCROW'])
const AccountStatus = Choice(accountStatuses)
const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })

export const Account = Resource('Account', {
  id: Id,
  client_id: Id,
  account_name: Type.String(),
  account_number: Type.String({ description: 'The IBAN of the account.' }),
  account_type: AccountType,
  currency: Type.String(),
  available_balance: Type.String({ description: '`current_balance` minus `reserved_balance`. Below zero if the account is in debt.' }),
  current_balance: Amount,
  reserved_balance: Amount,
  status: AccountStatus,
  opened_date: Timestamp,
  closed_date: Nullable(Timestamp),
  last_activity_date: Nullable(Timestamp),
  daily_limit: Nullable(Amount),
  monthly_limit: Nullable(Amount),
  yearly_limit: Nullable(Amount),
  description: Nullable(Type.String()),
  external_account_id: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
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
    description: `The largest amount that may be sent in a UTC ${period}, with at most as many decimals as the currency has; null for no limit.`,
  })
}

const limits = { daily_limit: Limit('day'), monthly_limit: Limit('month'), yearly_limit: Limit('year') }

export const NewAccount = Body('NewAccount', {
  client_id: Id,
  account_name: Name,
  account_type: AccountType,
  currency: CurrencyCode,
  ...limits,
  description: OptionalField(ShortText),
  external_account_id: OptionalField(ShortText),
})
export type NewAccount = Static<typeof NewAccount>

export const AccountUpdate = Body('AccountUpdate', {
  account_name: Type.Optional(Name),
  description: OptionalField(ShortText),
  ...limits,
})
export type AccountUpdate = Static<typeof AccountUpdate>

export const limitFields = Object.keys(limits) as (keyof typeof limits)[]

export const AccountList = Query({
  ...Paging,
  client_id: Type.Optional(Id),
  status: Type.Optional(AccountStatus),
  currency: Type.Optional(CurrencyCode),
  account_type: Type.Optional(AccountType),
  search: Search,
})
export type AccountList = Static<typeof AccountList>

export const AccountEntry = Resource('AccountEntry', {
  id: Id,
  journal_id: Type.String({ format: 'uuid', description: 'The journal that this entry belongs to.' }),
  transfer_id: Id,
  account_id: Id,
  currency: Type.String(),
  amount: Type.String({ description: 'Positive for money that came in, negative for money that went out.' }),
  balance: Type.String({ description: 'The current balance after this entry.' }),
  created_at: Timestamp,
})
export type AccountEntry = Static<typeof AccountEntry>

export const EntryList = Query(Paging)
export type EntryList = Static<typeof EntryList>
