// The statements about accounts. What transfers make of balances and limits is handed in, and written here.
import type { Client } from '../clients/clients.ts'
import type { Holder } from '../ledger/ledger.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { Columns, columnsOf, fragment, read, write } from '../platform/database/sql.ts'
import { contains, equals, type Filters, given, pageOf } from '../platform/http/lists.ts'
import { formatMoney, type Money } from '../values/money.ts'
import { Account, AccountEntry, type AccountList, type EntryList } from './accounts.schemas.ts'
import type { AccountStatus } from './accounts.status.ts'

/** What is kept of what the API shows: all but what is computed. */
export type KeptAccount = Omit<Account, 'available_balance'>

/** An account as it is kept: whose it is, how many events it has had, and what counts against its limits. */
export type AccountRow = KeptAccount & {
  venture_id: string
  sequence: number
  /** The day on which something last counted, and the sums of its day, month and year. */
  used_on: string
  used_day: string
  used_month: string
  used_year: string
}

/** Names an account: an id alone could be another venture's. */
export type AccountKey = { venture_id: string; id: string }

const kept = Object.keys(Account.properties).filter((field) => field !== 'available_balance')
const columns = new Columns(kept)

/** The columns of an AccountRow. */
export const accountColumns = new Columns([...kept, 'venture_id', 'sequence', 'used_on', 'used_day', 'used_month', 'used_year'])

/** Those of the keys that exist, each once, in no order. One statement, however many keys. */
export function findAccounts(reader: Reader, keys: readonly AccountKey[]): Promise<AccountRow[]> {
  return reader.rows(read<AccountRow>`
    select ${accountColumns} from accounts where (venture_id, id) in (
      select * from unnest(${keys.map(({ venture_id }) => venture_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
    )`)
}

const filters: Filters<AccountList> = {
  client_id: equals(fragment`client_id`),
  status: equals(fragment`status`),
  currency: equals(fragment`currency`),
  account_type: equals(fragment`account_type`),
  search: contains([fragment`account_name`, fragment`account_number`, fragment`external_account_id`]),
}

export function selectAccounts(database: Database, venture_id: string, query: AccountList): Promise<KeptAccount[]> {
  const conditions = [fragment`venture_id = ${venture_id}`, ...given(query, filters)]
  return database.rows(read<KeptAccount>`select ${columns} from accounts ${pageOf(query, conditions)}`)
}

/** Locks the row against other changes and against transfers; foreign keys that point to it are not held up. */
export function lockAccount(tx: Tx, { venture_id, id }: AccountKey): Promise<AccountRow | undefined> {
  return tx.first(read<AccountRow>`
    select ${accountColumns} from accounts where venture_id = ${venture_id} and id = ${id} for no key update`)
}

type Compliance = Pick<Client, 'blocked' | 'is_blacklisted' | 'kyc_level' | 'kyc_status'>

/** What compliance thinks of the client, held so until the transaction ends. Accounts are always locked before clients. */
export function shareCompliance(tx: Tx, { venture_id, client_id }: AccountRow): Promise<Compliance | undefined> {
  return tx.first(read<Compliance>`
    select blocked, is_blacklisted, kyc_level, kyc_status from clients where venture_id = ${venture_id} and id = ${client_id} for share`)
}

/** Tells whether the row was written: it is not when another account has this number. */
export async function insertAccount(tx: Tx, account: AccountRow): Promise<boolean> {
  const written = await tx.run(write`
    insert into accounts select * from json_populate_record(null::accounts, ${JSON.stringify(account)})
    on conflict (account_number) do nothing`)
  return written === 1
}

/** Writes everything of a locked account that an update can change. */
export function writeAccount(tx: Tx, account: AccountRow): void {
  tx.send(write`
    update accounts set
      account_name = new.account_name, description = new.description, daily_limit = new.daily_limit,
      monthly_limit = new.monthly_limit, yearly_limit = new.yearly_limit, updated_at = new.updated_at, sequence = new.sequence
    from json_populate_record(null::accounts, ${JSON.stringify(account)}) as new
    where accounts.venture_id = new.venture_id and accounts.id = new.id`)
}

/** Tells whether the account was still in the status it comes from. */
export async function writeStatus(tx: Tx, from: AccountStatus, account: AccountRow): Promise<boolean> {
  const { venture_id, id, status, closed_date, updated_at, sequence } = account
  const written = await tx.run(write`
    update accounts set status = ${status}, closed_date = ${closed_date}, updated_at = ${updated_at}, sequence = ${sequence}
    where venture_id = ${venture_id} and id = ${id} and status = ${from}`)
  return written === 1
}

/** Writes the balances of locked accounts. */
export function writeBalances(tx: Tx, holders: readonly Holder[]): void {
  if (holders.length === 0) return
  tx.send(write`
    update accounts set current_balance = new.current, reserved_balance = new.reserved, last_activity_date = new.last_activity_date
    from unnest(
      ${holders.map((holder) => holder.venture_id)}::uuid[],
      ${holders.map((holder) => holder.id)}::uuid[],
      ${holders.map((holder) => formatMoney(holder.current, holder.currency))}::numeric[],
      ${holders.map((holder) => formatMoney(holder.reserved, holder.currency))}::numeric[],
      ${holders.map((holder) => holder.last_activity_date)}::timestamptz[]
    ) as new (venture_id, id, current, reserved, last_activity_date)
    where accounts.venture_id = new.venture_id and accounts.id = new.id`)
}

/** What an account has used of its limits: the day on which something last counted, and the sums of its day, month and year. */
export type Usage = AccountKey & { currency: string; used_on: string; used_day: Money; used_month: Money; used_year: Money }

/** Writes what locked accounts have used of their limits. */
export function writeUsage(tx: Tx, usages: readonly Usage[]): void {
  if (usages.length === 0) return
  const money = (field: 'used_day' | 'used_month' | 'used_year') => usages.map((usage) => formatMoney(usage[field], usage.currency))
  tx.send(write`
    update accounts set used_on = new.used_on, used_day = new.used_day, used_month = new.used_month, used_year = new.used_year
    from unnest(
      ${usages.map(({ venture_id }) => venture_id)}::uuid[],
      ${usages.map(({ id }) => id)}::uuid[],
      ${usages.map(({ used_on }) => used_on)}::date[],
      ${money('used_day')}::numeric[],
      ${money('used_month')}::numeric[],
      ${money('used_year')}::numeric[]
    ) as new (venture_id, id, used_on, used_day, used_month, used_year)
    where accounts.venture_id = new.venture_id and accounts.id = new.id`)
}

// The API names the transfer that an entry was booked for.
const { transfer_id: _, ...keptOfEntry } = AccountEntry.properties
const entryColumns = columnsOf({ properties: keptOfEntry })

export function selectEntries(database: Database, { venture_id, id }: AccountKey, page: EntryList): Promise<AccountEntry[]> {
  const conditions = [fragment`venture_id = ${venture_id}`, fragment`account_id = ${id}`]
  return database.rows(
    read<AccountEntry>`select ${entryColumns}, case when cause_kind = 'transfer' then cause_id end as transfer_id from entries ${pageOf(page, conditions)}`,
  )
}
