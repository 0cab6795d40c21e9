// SQL statements that lock the rows of a batch and read what decides. A statement with an empty list is not sent.
import type { Reader, Tx } from '../../platform/database/database.ts'
import { Columns, fixed, read } from '../../platform/database/sql.ts'
import { fromNumeric } from '../../values/money.ts'
import type { BatchAccount, BatchClient } from '../deciding/transfers.batch.ts'
import { reviewKinds } from '../life/transfers.cases.ts'
import { failedStatuses } from '../life/transfers.sets.ts'
import { ids, type Key, ventures } from './transfers.keys.ts'

const undecidedKinds = [...reviewKinds, 'suspended']

/** The ids of the transfers with an undecided case. */
export async function findUndecided(reader: Reader, keys: readonly Key[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await reader.rows(read<{ resource_id: string }>`
    select resource_id from cases
    where venture_id = any(${ventures(keys)}) and resource_id = any(${ids(keys)}) and state = 'OPEN' and kind = any(${undecidedKinds})`)
  return new Set(rows.map(({ resource_id }) => resource_id))
}

/** The ids of the mandates already used by a transfer that has not failed. */
export async function findUsedMandates(reader: Reader, keys: readonly Key[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await reader.rows(read<{ mandate_id: string }>`
    select distinct mandate_id from transfers
    where (venture_id, mandate_id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))
      ${reader.placement.narrow(fixed`venture_id`, keys)}
      and status <> all(${failedStatuses})`)
  return new Set(rows.map(({ mandate_id }) => mandate_id))
}

/** Locks in the order of the ids. With `wait`, waits for rows that another instance has locked; without, skips them. */
export async function lockAccounts(tx: Tx, keys: readonly Key[], wait: boolean): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const [ventureIds, rowIds] = [ventures(keys), ids(keys)]
  const locked = wait
    ? await tx.rows(read<{ id: string }>`
        select id from accounts where (venture_id, id) in (select * from unnest(${ventureIds}::uuid[], ${rowIds}::uuid[]))
          ${tx.placement.narrow(fixed`venture_id`, keys)}
        order by id for no key update`)
    : await tx.rows(read<{ id: string }>`
        select id from accounts where (venture_id, id) in (select * from unnest(${ventureIds}::uuid[], ${rowIds}::uuid[]))
          ${tx.placement.narrow(fixed`venture_id`, keys)}
        order by id for no key update skip locked`)
  return new Set(locked.map(({ id }) => id))
}

export async function lockTransfers(tx: Tx, keys: readonly Key[], wait: boolean): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const [ventureIds, rowIds] = [ventures(keys), ids(keys)]
  const locked = wait
    ? await tx.rows(read<{ id: string }>`
        select id from transfers where (venture_id, id) in (select * from unnest(${ventureIds}::uuid[], ${rowIds}::uuid[]))
          ${tx.placement.narrow(fixed`venture_id`, keys)}
        order by id for no key update`)
    : await tx.rows(read<{ id: string }>`
        select id from transfers where (venture_id, id) in (select * from unnest(${ventureIds}::uuid[], ${rowIds}::uuid[]))
          ${tx.placement.narrow(fixed`venture_id`, keys)}
        order by id for no key update skip locked`)
  return new Set(locked.map(({ id }) => id))
}

type AccountColumns = Record<'current_balance' | 'reserved_balance' | 'debt' | 'used_day' | 'used_month' | 'used_year', string> &
  Record<'daily_limit' | 'monthly_limit' | 'yearly_limit', string | null>

type StoredAccount = Omit<
  BatchAccount,
  'current' | 'reserved' | 'debt' | 'used_day' | 'used_month' | 'used_year' | 'daily_limit' | 'monthly_limit' | 'yearly_limit'
> &
  AccountColumns

type StoredOwner = StoredAccount & Omit<BatchClient, 'venture_id' | 'id'>

export type Owners = { accounts: BatchAccount[]; clients: BatchClient[] }

const accountColumns = new Columns(
  [
    'venture_id',
    'id',
    'client_id',
    'account_number',
    'currency',
    'status',
    'current_balance',
    'reserved_balance',
    'debt',
    'last_activity_date',
    'daily_limit',
    'monthly_limit',
    'yearly_limit',
    'used_on',
    'used_day',
    'used_month',
    'used_year',
    'managed',
    'frozen_by_bank',
  ],
  'account',
)
const clientColumns = new Columns(
  ['first_name', 'last_name', 'address', 'city', 'postcode', 'country_code', 'blocked', 'is_blacklisted', 'kyc_status'],
  'client',
)

const marks = fixed`
  client.blocked_by_bank or client.blacklisted_by_bank as stopped_by_bank, venture.status = 'ACTIVE' as venture_active`

/** Accounts with their clients. */
export async function selectOwners(reader: Reader, keys: readonly Key[]): Promise<Owners> {
  if (keys.length === 0) return ownersOf([])
  return ownersOf(
    await reader.rows(read<StoredOwner>`
      select ${accountColumns}, ${clientColumns}, ${marks}
      from accounts account join clients client on client.venture_id = account.venture_id and client.id = account.client_id
        join ventures venture on venture.id = account.venture_id
      where (account.venture_id, account.id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))
        ${reader.placement.narrow(fixed`account.venture_id`, keys)}`),
  )
}

/**
 * The same with a shared lock on the clients, so that no client can be blocked while a batch decides. One statement can lock the clients
 * and read the accounts: the accounts are already locked, and PostgreSQL returns the new row of a client that changed meanwhile.
 */
export async function lockOwners(tx: Tx, keys: readonly Key[]): Promise<Owners> {
  if (keys.length === 0) return ownersOf([])
  return ownersOf(
    await tx.rows(read<StoredOwner>`
      select ${accountColumns}, ${clientColumns}, ${marks}
      from accounts account join clients client on client.venture_id = account.venture_id and client.id = account.client_id
        join ventures venture on venture.id = account.venture_id
      where (account.venture_id, account.id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))
        and client.venture_id = any(${ventures(keys)}::uuid[]) ${tx.placement.narrow(fixed`account.venture_id`, keys)}
      order by client.id for share of client`),
  )
}

function ownersOf(rows: readonly StoredOwner[]): Owners {
  return { accounts: rows.map(accountOf), clients: rows.map(clientOf) }
}

const nullable = (text: string | null) => (text === null ? null : fromNumeric(text))

function accountOf(row: StoredOwner): BatchAccount {
  const { venture_id, id, client_id, account_number, currency, status, last_activity_date, used_on } = row
  const { managed, frozen_by_bank, venture_active } = row
  return {
    venture_id,
    id,
    client_id,
    account_number,
    currency,
    status,
    last_activity_date,
    used_on,
    managed,
    frozen_by_bank,
    venture_active,
    current: fromNumeric(row.current_balance),
    reserved: fromNumeric(row.reserved_balance),
    debt: fromNumeric(row.debt),
    daily_limit: nullable(row.daily_limit),
    monthly_limit: nullable(row.monthly_limit),
    yearly_limit: nullable(row.yearly_limit),
    used_day: fromNumeric(row.used_day),
    used_month: fromNumeric(row.used_month),
    used_year: fromNumeric(row.used_year),
  }
}

function clientOf(row: StoredOwner): BatchClient {
  const { venture_id, client_id, first_name, last_name, address, city, postcode, country_code } = row
  const { blocked, is_blacklisted, stopped_by_bank, kyc_status } = row
  return {
    venture_id,
    id: client_id,
    first_name,
    last_name,
    address,
    city,
    postcode,
    country_code,
    blocked,
    is_blacklisted,
    stopped_by_bank,
    kyc_status,
  }
}
