// SQL statements for accounts. Transfers compute balances and the usage of limits; this folder writes them.
import type { Client } from '../clients/clients.ts'
import type { Holder } from '../ledger/ledger.ts'
import { rowsByVenture } from '../platform/database/database.placement.ts'
import type { Database, Reader, Tx } from '../platform/database/database.ts'
import { Columns, columnsOf, fixed, fragment, read, write } from '../platform/database/sql.ts'
import { contains, equals, type Filters } from '../platform/http/lists.ts'
import { readList } from '../platform/http/pieces.ts'
import { formatMoney, type Money } from '../values/money.ts'
import { Account, AccountEntry, type AccountList, type EntryList } from './accounts.schemas.ts'
import type { AccountStatus } from './accounts.status.ts'

/** The stored fields of an account, without the computed ones. */
export type StoredAccount = Omit<Account, 'available_balance'>

/** An account as stored, with the venture, the number of events and the usage of the limits. */
export type AccountRow = StoredAccount & {
  venture_id: string
  sequence: number
  /** How many of its events only changed its name, description or limits. */
  notes: number
  /** How much the reserved balance exceeds the current one. */
  debt: string
  /** The day of the last counted transfer, and the sums of its day, month and year. */
  used_on: string
  used_day: string
  used_month: string
  used_year: string
  /** Whether the bank processes its transfers, copied from the venture. */
  managed: boolean
  frozen_by_bank: boolean
}

/** Includes the venture, because the id alone could be that of another venture's account. */
export type AccountKey = { venture_id: string; id: string }

const storedFields = Object.keys(Account.properties).filter((field) => field !== 'available_balance')
const columns = new Columns(storedFields)

/** The columns of an AccountRow. */
export const accountColumns = new Columns([
  ...storedFields,
  'venture_id',
  'sequence',
  'notes',
  'debt',
  'used_on',
  'used_day',
  'used_month',
  'used_year',
  'managed',
  'frozen_by_bank',
])

/** Returns the existing accounts without duplicates, in no particular order, with one statement for all keys. */
export function findAccounts(reader: Reader, all: readonly AccountKey[]): Promise<AccountRow[]> {
  return rowsByVenture(reader, all, (keys) =>
    reader.rows(read<AccountRow>`
      select ${accountColumns} from accounts where (venture_id, id) in (
        select * from unnest(${keys.map(({ venture_id }) => venture_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[])
      ) ${reader.placement.narrow(fixed`venture_id`, keys)}`),
  )
}

const filters: Filters<AccountList> = {
  client_id: equals(fragment`client_id`),
  status: equals(fragment`status`),
  currency: equals(fragment`currency`),
  account_type: equals(fragment`account_type`),
  search: contains([fragment`account_name`, fragment`account_number`, fragment`external_account_id`]),
}

export function selectAccounts(database: Database, venture_id: string, query: AccountList): Promise<StoredAccount[]> {
  return readList(database, {
    venture_id,
    query,
    filters,
    columns,
    select: (what, rest) => fragment`select ${what} from accounts where venture_id = ${venture_id} and ${rest}`,
    ordered: ['client_id'],
    needsPieces: query.search !== undefined,
  })
}

/** Locks the row against other changes and transfers, but not against foreign keys that refer to it. */
export function lockAccount(tx: Tx, { venture_id, id }: AccountKey): Promise<AccountRow | undefined> {
  return tx.first(read<AccountRow>`
    select ${accountColumns} from accounts where venture_id = ${venture_id} and id = ${id} for no key update`)
}

/** Locks all accounts of a client, and optionally one more, in the order of their ids. */
export function lockAccountsOf(
  tx: Tx,
  { venture_id, client_id, also = null }: { venture_id: string; client_id: string; also?: string | null },
): Promise<AccountRow[]> {
  return tx.rows(read<AccountRow>`
    select ${accountColumns} from accounts where venture_id = ${venture_id} and (client_id = ${client_id} or id = ${also})
    order by id for no key update`)
}

type Compliance = Pick<Client, 'blocked' | 'is_blacklisted' | 'kyc_level' | 'kyc_status'>

/** The client's compliance state, locked until the transaction ends. Accounts are always locked before clients. */
export function lockCompliance(tx: Tx, { venture_id, client_id }: AccountRow): Promise<Compliance | undefined> {
  return tx.first(read<Compliance>`
    select blocked, is_blacklisted, kyc_level, kyc_status from clients where venture_id = ${venture_id} and id = ${client_id} for share`)
}

/** Returns false if another account has this number. */
export async function insertAccount(tx: Tx, account: AccountRow): Promise<boolean> {
  const { venture_id, id, account_number } = account
  if (!(await tx.placement.claimName(tx, { kind: 'account_number', name: account_number, venture_id, id }))) return false
  const written = await tx.run(write`
    insert into accounts select * from json_populate_record(null::accounts, ${JSON.stringify(account)}) on conflict do nothing`)
  return written === 1
}

/** Writes all fields of a locked account that an update can change. */
export function writeAccount(tx: Tx, account: AccountRow): void {
  tx.send(write`
    update accounts set
      account_name = new.account_name, description = new.description, daily_limit = new.daily_limit,
      monthly_limit = new.monthly_limit, yearly_limit = new.yearly_limit, updated_at = new.updated_at, sequence = new.sequence,
      notes = new.notes
    from json_populate_record(null::accounts, ${JSON.stringify(account)}) as new
    where accounts.venture_id = new.venture_id and accounts.id = new.id ${tx.placement.narrow(fixed`accounts.venture_id`, [account])}`)
}

/** Returns false if the account is no longer in the status `from`. */
export async function writeStatus(tx: Tx, from: AccountStatus, account: AccountRow): Promise<boolean> {
  const { venture_id, id, status, closed_date, frozen_by_bank, updated_at, sequence } = account
  const written = await tx.run(write`
    update accounts set status = ${status}, closed_date = ${closed_date}, frozen_by_bank = ${frozen_by_bank}, updated_at = ${updated_at},
      sequence = ${sequence}
    where venture_id = ${venture_id} and id = ${id} and status = ${from}`)
  return written === 1
}

/** Writes the balances of locked accounts. */
export function writeBalances(tx: Tx, holders: readonly Holder[]): void {
  if (holders.length === 0) return
  tx.send(write`
    update accounts set current_balance = new.current, reserved_balance = new.reserved, debt = new.debt,
      last_activity_date = new.last_activity_date
    from unnest(
      ${holders.map((holder) => holder.venture_id)}::uuid[],
      ${holders.map((holder) => holder.id)}::uuid[],
      ${holders.map((holder) => formatMoney(holder.current, holder.currency))}::numeric[],
      ${holders.map((holder) => formatMoney(holder.reserved, holder.currency))}::numeric[],
      ${holders.map((holder) => formatMoney(holder.debt, holder.currency))}::numeric[],
      ${holders.map((holder) => holder.last_activity_date)}::timestamptz[]
    ) as new (venture_id, id, current, reserved, debt, last_activity_date)
    where accounts.venture_id = new.venture_id and accounts.id = new.id ${tx.placement.narrow(fixed`accounts.venture_id`, holders)}`)
}

/** Counts the events of locked accounts that were overdrawn. Their balances are written together with all others. */
export function writeOverdrawn(tx: Tx, accounts: readonly Pick<AccountRow, 'venture_id' | 'id' | 'sequence' | 'updated_at'>[]): void {
  if (accounts.length === 0) return
  tx.send(write`
    update accounts set sequence = new.sequence, updated_at = new.updated_at
    from unnest(
      ${accounts.map(({ venture_id }) => venture_id)}::uuid[],
      ${accounts.map(({ id }) => id)}::uuid[],
      ${accounts.map(({ sequence }) => sequence)}::int[],
      ${accounts.map(({ updated_at }) => updated_at)}::timestamptz[]
    ) as new (venture_id, id, sequence, updated_at)
    where accounts.venture_id = new.venture_id and accounts.id = new.id ${tx.placement.narrow(fixed`accounts.venture_id`, accounts)}`)
}

/** The usage of an account's limits: the day of the last counted transfer, and the sums of its day, month and year. */
export type Usage = AccountKey & { currency: string; used_on: string; used_day: Money; used_month: Money; used_year: Money }

/** Writes the usage of limits of locked accounts. */
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
    where accounts.venture_id = new.venture_id and accounts.id = new.id ${tx.placement.narrow(fixed`accounts.venture_id`, usages)}`)
}

// The API shows the transfer that caused an entry.
const { transfer_id: _, ...storedEntryFields } = AccountEntry.properties
const entryColumns = columnsOf({ properties: storedEntryFields })

export function selectEntries(database: Database, { venture_id, id }: AccountKey, query: EntryList): Promise<AccountEntry[]> {
  return readList(database, {
    venture_id,
    query,
    filters: {},
    columns: fragment`${entryColumns}, case when cause_kind = 'transfer' then cause_id end as transfer_id`,
    select: (what, rest) => fragment`select ${what} from entries where venture_id = ${venture_id} and account_id = ${id} and ${rest}`,
  })
}
