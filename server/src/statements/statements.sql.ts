// SQL statements for statements. An entry belongs to the moment of its id: ids never change and are totally ordered, so consecutive
// intervals contain every entry exactly once. The stored balance of an entry is not used, because two instances with different clocks may
// assign ids in another order than they book; balances are sums of amounts, counted back from the current balance.
import type { AccountKey } from '../accounts/accounts.ts'
import { read } from '../platform/database/sql.ts'
import type { TransferDetails } from '../transfers/life/transfers.details.ts'
import type { StatementLine } from './statements.schemas.ts'

/** Ids of entries: the first one included, and the first one excluded. */
export type IdRange = { first: string; before: string }

export type HeadRow = {
  account_id: string
  account_name: string
  account_number: string
  currency: string
  first_name: string
  last_name: string
  managed: boolean
  opening: string
  credits: string
  debits: string
  line_count: number
  ids: string[]
}

/**
 * Everything that must come from one snapshot: the balance before the interval, its sums, and the ids of its entries unless there are more
 * than `most`.
 */
export const selectHead = ({ venture_id, id }: AccountKey, { first, before }: IdRange, most: number) => read<HeadRow>`
  select account.id as account_id, account.account_name, account.account_number, account.currency, account.managed,
    client.first_name, client.last_name,
    account.current_balance - booked.since as opening, booked.credits, booked.debits, booked.line_count,
    array(
      select entry.id from entries entry
      where entry.venture_id = ${venture_id} and entry.account_id = ${id} and entry.id >= ${first} and entry.id < ${before}
        and booked.line_count <= ${most}::int
      order by entry.id) as ids
  from accounts account
  join clients client on client.venture_id = account.venture_id and client.id = account.client_id
  cross join lateral (
    select coalesce(sum(entry.amount), 0) as since,
      coalesce(sum(entry.amount) filter (where entry.id < ${before} and entry.amount > 0), 0) as credits,
      coalesce(-sum(entry.amount) filter (where entry.id < ${before} and entry.amount < 0), 0) as debits,
      count(*) filter (where entry.id < ${before})::int as line_count
    from entries entry
    where entry.venture_id = ${venture_id} and entry.account_id = ${id} and entry.id >= ${first}
  ) as booked
  where account.venture_id = ${venture_id} and account.id = ${id}`

export type LineRow = Omit<StatementLine, 'booked_at' | 'booking_date' | 'balance' | 'details'> & { details: TransferDetails | null }

/**
 * The lines of some entries of the account. Incoming money came from the debtor of its transfer, outgoing money went to the creditor. Only
 * the account that ordered a transfer paid its fee.
 */
export const selectLines = ({ venture_id, id }: AccountKey, ids: readonly string[]) => read<LineRow>`
  select entry.id, transfer.id as transfer_id, transfer.settlement_date as value_date, entry.amount,
    case when transfer.direction = 'OUTBOUND' and transfer.account_id = ${id} and entry.amount < 0 then transfer.fx_fee_amount end as fee_amount,
    case when transfer.debit_currency <> transfer.credit_currency
      then case when entry.amount > 0 then transfer.debit_amount else transfer.credit_amount end end as exchanged_amount,
    case when transfer.debit_currency <> transfer.credit_currency
      then case when entry.amount > 0 then transfer.debit_currency else transfer.credit_currency end end as exchanged_currency,
    case when transfer.debit_currency <> transfer.credit_currency then transfer.exchange_rate end as exchange_rate,
    transfer.method, transfer.transfer_type, transfer.unique_reference,
    case when entry.amount > 0 then transfer.dr_name else transfer.cr_name end as counterparty_name,
    case when entry.amount > 0 then transfer.dr_iban else transfer.cr_iban end as counterparty_iban,
    case when entry.amount > 0 then transfer.dr_account_id else transfer.cr_account_id end as counterparty_account_id,
    case when entry.amount > 0 then transfer.dr_bank_bic else transfer.cr_bank_bic end as counterparty_bic,
    transfer.purpose, transfer.structured_reference,
    case when transfer.detailed then (
      select detail.content from transfer_details detail
      where detail.venture_id = ${venture_id} and detail.transfer_id = transfer.id) end as details
  from entries entry
  left join transfers transfer
    on transfer.venture_id = ${venture_id} and transfer.id = entry.cause_id and entry.cause_kind = 'transfer'
  where entry.venture_id = ${venture_id} and entry.account_id = ${id} and entry.id = any(${ids}::uuid[])
  order by entry.id`

/** `step` counts from 1; bookings after the last bound have the number of bounds. Null if nothing was booked since the first bound. */
export type StepRow = { currency: string; current_balance: string; step: number | null; credits: string | null; debits: string | null }

/** The bookings between the bounds, each the first id of a step, and after the last one. */
export const selectSteps = ({ venture_id, id }: AccountKey, bounds: readonly string[]) => read<StepRow>`
  select account.currency, account.current_balance, booked.step, booked.credits, booked.debits
  from accounts account
  left join lateral (
    select width_bucket(entry.id, ${bounds}::uuid[]) as step,
      coalesce(sum(entry.amount) filter (where entry.amount > 0), 0) as credits,
      coalesce(-sum(entry.amount) filter (where entry.amount < 0), 0) as debits
    from entries entry
    where entry.venture_id = ${venture_id} and entry.account_id = ${id} and entry.id >= ${bounds[0]}
    group by 1
  ) as booked on true
  where account.venture_id = ${venture_id} and account.id = ${id}`
