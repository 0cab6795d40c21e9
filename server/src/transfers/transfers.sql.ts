// SQL statements for batches of transfers.

import { rowsByVenture } from '../platform/database/database.placement.ts'
import { copierOf, sharedJsonOf } from '../platform/database/database.rows.ts'
import { findNames } from '../platform/database/database.shards.ts'
import type { Reader, Tx } from '../platform/database/database.ts'
import { Columns, changesOf, fixed, read, write } from '../platform/database/sql.ts'
import { fromNumeric, toNumeric } from '../values/money.ts'
import { failedStatuses } from './deciding/transfers.activity.ts'
import type { BatchAccount, BatchClient, NewMove } from './deciding/transfers.batch.ts'
import { terminalStatuses } from './life/transfers.status.ts'
import { changingColumns, conversions, type TransferRow, transferColumns } from './transfers.columns.ts'

export type Key = { venture_id: string; id: string }

const columns = new Columns(transferColumns)

// A statement with an empty list is not sent: a batch of one command needs only a few of these statements.

const ventures = (keys: readonly Key[]) => keys.map(({ venture_id }) => venture_id)
const ids = (keys: readonly Key[]) => keys.map(({ id }) => id)

/** The other rows that a move of a transfer needs. They never change. The origin is the parent of the parent. */
export type Relations = Key & {
  account_id: string
  receiver_account_id: string | null
  parent_transaction_id: string | null
  origin_transaction_id: string | null
}

export async function findRelations(reader: Reader, keys: readonly Key[]): Promise<Relations[]> {
  if (keys.length === 0) return []
  return reader.rows(read<Relations>`
    select transfer.venture_id, transfer.id, transfer.account_id, transfer.receiver_account_id, transfer.parent_transaction_id,
      parent.parent_transaction_id as origin_transaction_id
    from transfers transfer left join transfers parent
      on parent.venture_id = transfer.venture_id and parent.id = transfer.parent_transaction_id
    where (transfer.venture_id, transfer.id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))
      ${reader.placement.narrow(fixed`transfer.venture_id`, keys)}`)
}

/** `managed`: the bank processes the transfers of the account. */
export type Receiver = Key & { account_id: string; holder_id: string; managed: boolean }

/**
 * For each beneficiary whose IBAN belongs to an account: the account and its venture. The join uses only the account number, which has
 * its own index. If it also used the venture, the planner would scan all accounts of the venture until it has statistics.
 * `beneficiaries`: the same ones, which are read at the same time.
 */
export async function findReceivers(
  reader: Reader,
  keys: readonly Key[],
  beneficiaries: Promise<readonly (Key & { iban: string | null })[]>,
): Promise<Receiver[]> {
  if (keys.length === 0) return []
  return reader.placement.either({
    together: () =>
      reader.rows(read<Receiver>`
        select beneficiary.venture_id, beneficiary.id, account.id as account_id, account.venture_id as holder_id, account.managed
        from beneficiaries beneficiary join accounts account on account.account_number = beneficiary.iban
        where (beneficiary.venture_id, beneficiary.id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))`),
    apart: async () => findReceiversByClaims(reader, await beneficiaries),
  })
}

/** The account may be on another server than the beneficiary: the claim on its number says in which venture it is. */
async function findReceiversByClaims(reader: Reader, beneficiaries: readonly (Key & { iban: string | null })[]): Promise<Receiver[]> {
  const ibans = new Set(beneficiaries.flatMap(({ iban }) => (iban === null ? [] : [iban])))
  const holders = await findNames(reader, 'account_number', [...ibans])
  const wanted = [...holders].map(([account_number, venture_id]) => ({ venture_id, account_number }))
  const accounts = await rowsByVenture(reader, wanted, (part) =>
    reader.rows(read<Key & { account_number: string; managed: boolean }>`
      select venture_id, id, account_number, managed from accounts
      where venture_id = ${part[0]?.venture_id} and account_number = any(${part.map(({ account_number }) => account_number)})`),
  )
  const found = new Map(accounts.map((account) => [account.account_number, account]))
  return beneficiaries.flatMap(({ venture_id, id, iban }) => {
    const account = found.get(iban ?? '')
    return account === undefined
      ? []
      : [{ venture_id, id, account_id: account.id, holder_id: account.venture_id, managed: account.managed }]
  })
}

/**
 * Finds a transfer of a locked account with money in suspense, if any. Money enters and leaves suspense under the same lock, so a
 * statement after the locking one sees the current state; the locking statement itself would see the state before it waited.
 */
export function findTransferInSuspense(tx: Tx, { venture_id, id }: Key): Promise<{ id: string } | undefined> {
  return tx.first(read<{ id: string }>`
    select id from transfers where venture_id = ${venture_id} and account_id = ${id} and suspended > 0 limit 1`)
}

/** Finds a managed transfer of a locked account that was sent and has not ended, if any. */
function findSentTransfer(tx: Tx, { venture_id, id }: Key): Promise<{ id: string } | undefined> {
  return tx.first(read<{ id: string }>`
    select id from transfers where venture_id = ${venture_id} and account_id = ${id} and managed and sent
      and status <> all(${terminalStatuses}) limit 1`)
}

/** Finds a transfer of a locked account that keeps the account from being closed, if any. */
export async function findOpenTransfer(tx: Tx, key: Key): Promise<{ id: string; sent?: boolean } | undefined> {
  const suspended = await findTransferInSuspense(tx, key)
  if (suspended !== undefined) return suspended
  const sent = await findSentTransfer(tx, key)
  return sent === undefined ? undefined : { ...sent, sent: true }
}

/** Whether a venture has a client, a transfer or an entry. */
export async function hasBooks(tx: Tx, venture_id: string): Promise<boolean> {
  const found = await tx.first(read<{ found: boolean }>`
    select exists (select from clients where venture_id = ${venture_id})
      or exists (select from transfers where venture_id = ${venture_id})
      or exists (select from entries where venture_id = ${venture_id}) as found`)
  return found?.found === true
}

/** The open authorisations of a MANAGED venture from before a moment, oldest first, after a given one. */
export const selectOldAuthorisations = (venture_id: string, { before, after, limit }: { before: string; after: string; limit: number }) =>
  read<{ id: string }>`
    select id from transfers
    where venture_id = ${venture_id} and managed and transfer_type = 'CARD_AUTH' and created_at < ${before} and id > ${after}
      and status not in ('COMPLETED', 'CANCELLED', 'REJECTED', 'INVALID', 'DROPPED', 'AML_REJECTED', 'MANUAL_REJECTED')
    order by id limit ${limit}`

/** The kinds of cases about a transfer under review. */
export const reviewKinds = ['hit', 'rule', 'amount'] as const
export type ReviewKind = (typeof reviewKinds)[number]

const caseKinds = [...reviewKinds, 'suspended']

/** The ids of those transfers about which a case has to be decided. */
export async function findUndecided(reader: Reader, keys: readonly Key[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await reader.rows(read<{ resource_id: string }>`
    select resource_id from cases
    where venture_id = any(${ventures(keys)}) and resource_id = any(${ids(keys)}) and state = 'OPEN' and kind = any(${caseKinds})`)
  return new Set(rows.map(({ resource_id }) => resource_id))
}

/** The ids of those mandates that a transfer names which has not failed. */
export async function findUsedMandates(reader: Reader, keys: readonly Key[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set()
  const rows = await reader.rows(read<{ mandate_id: string }>`
    select distinct mandate_id from transfers
    where (venture_id, mandate_id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))
      ${reader.placement.narrow(fixed`venture_id`, keys)}
      and status <> all(${failedStatuses})`)
  return new Set(rows.map(({ mandate_id }) => mandate_id))
}

/** Locks in the order of the ids. With `wait` it waits for rows that another instance has locked; without, it skips them. */
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
    ...['venture_id', 'id', 'client_id', 'account_number', 'currency', 'status', 'current_balance', 'reserved_balance', 'debt'],
    ...['last_activity_date', 'daily_limit', 'monthly_limit', 'yearly_limit', 'used_on', 'used_day', 'used_month', 'used_year'],
    ...['managed', 'frozen_by_bank'],
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
 * The same with a shared lock on the clients, so that none can be blocked while a batch decides. One statement may lock the clients and read
 * the accounts: the accounts are locked already, and of a client that changed meanwhile PostgreSQL returns the new row.
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
    ...{
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
    },
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
    ...{ venture_id, id: client_id, first_name, last_name, address, city, postcode, country_code },
    ...{ blocked, is_blacklisted, stopped_by_bank, kyc_status },
  }
}

type MoneyColumns = 'hold' | 'suspended' | 'counted_amount' | 'authorised_amount'

type StoredTransfer = Omit<TransferRow, MoneyColumns> & Record<MoneyColumns, string> & { counted_amount: string | null }

function withMoney(row: StoredTransfer): TransferRow {
  // Rows of the first edition counted their whole amount and did not say so.
  const counted = row.counted_amount ?? (row.counted_on === null ? '0' : row.debit_amount)
  return {
    ...row,
    hold: fromNumeric(row.hold),
    suspended: fromNumeric(row.suspended),
    counted_amount: fromNumeric(counted),
    authorised_amount: fromNumeric(row.authorised_amount),
  }
}

export async function selectTransferRows(reader: Reader, keys: readonly Key[]): Promise<TransferRow[]> {
  if (keys.length === 0) return []
  const rows = await reader.rows(read<StoredTransfer>`
    select ${columns} from transfers where (venture_id, id) in (select * from unnest(${ventures(keys)}::uuid[], ${ids(keys)}::uuid[]))
      ${reader.placement.narrow(fixed`venture_id`, keys)}`)
  return rows.map(withMoney)
}

export async function selectChildRows(reader: Reader, parents: readonly Key[]): Promise<TransferRow[]> {
  if (parents.length === 0) return []
  const rows = await reader.rows(read<StoredTransfer>`
    select ${columns} from transfers where (venture_id, parent_transaction_id) in (select * from unnest(${ventures(parents)}::uuid[], ${ids(parents)}::uuid[]))
      ${reader.placement.narrow(fixed`venture_id`, parents)}`)
  return rows.map(withMoney)
}

/** Half of the columns are null, and most of the others begin alike. */
const newTransfers = sharedJsonOf<TransferRow>(transferColumns, conversions)

export function insertTransfers(tx: Tx, rows: readonly TransferRow[]): void {
  if (rows.length === 0) return
  const { common, rest } = newTransfers(rows)
  tx.send(write`
    insert into transfers (${columns})
    select ${columns} from json_populate_recordset(json_populate_record(null::transfers, ${common}), ${rest})`)
}

/** So many transfers share a row of texts: enough to have common words once, few enough to look at each of them. */
const mostTogether = 32

/** Writes what searches look through. The database makes it lower case, as it does for the comparison with each transfer. */
export function insertTexts(tx: Tx, rows: readonly TransferRow[]): void {
  if (rows.length === 0) return
  tx.send(write`
    insert into transfer_texts (venture_id, id, others, words)
    select venture_id, id, others, lower(words) from json_populate_recordset(null::transfer_texts, ${JSON.stringify(textsOf(rows))})`)
}

type Texts = Key & { others?: string[]; words: string }

function textsOf(rows: readonly TransferRow[]): Texts[] {
  return [...Map.groupBy(rows, ({ venture_id }) => venture_id)].flatMap(([venture_id, own]) =>
    Array.from({ length: Math.ceil(own.length / mostTogether) }, (_, part) => {
      const some = own.slice(part * mostTogether, (part + 1) * mostTogether)
      const [id = '', ...others] = some.map(({ id }) => id)
      const lines = some.flatMap(({ unique_reference, purpose, cr_name, dr_name }) => [unique_reference, purpose, cr_name, dr_name])
      return { venture_id, id, ...(others.length > 0 && { others }), words: [...new Set(lines.filter((line) => line !== null))].join('\n') }
    }),
  )
}

const { assignments, definitions } = changesOf(changingColumns)
const changedValues = copierOf<TransferRow>(
  ['venture_id', 'id', ...(Object.keys(changingColumns) as (keyof typeof changingColumns)[])],
  conversions,
)

/** Updates all changing columns of locked transfers. */
export function writeTransfers(tx: Tx, rows: readonly TransferRow[]): void {
  if (rows.length === 0) return
  tx.send(write`
    update transfers set ${assignments}
    from json_to_recordset(${JSON.stringify(rows.map(changedValues))}) as new (venture_id uuid, id uuid, ${definitions})
    where transfers.venture_id = new.venture_id and transfers.id = new.id ${tx.placement.narrow(fixed`transfers.venture_id`, rows)}`)
}

export function insertMoves(tx: Tx, moves: readonly NewMove[]): void {
  if (moves.length === 0) return
  tx.send(write`
    insert into transfer_moves (
      era, xid, venture_id, id, transfer_id, from_status, to_status, actor, actor_id, reason, reason_code, third_party_status, created_at, forced,
      debt_change)
    select (select era from event_era), pg_current_xact_id(), * from unnest(
      ${moves.map((move) => move.venture_id)}::uuid[],
      ${moves.map((move) => move.id)}::uuid[],
      ${moves.map((move) => move.transfer_id)}::uuid[],
      ${moves.map((move) => move.from_status)}::text[],
      ${moves.map((move) => move.to_status)}::text[],
      ${moves.map((move) => move.actor)}::text[],
      ${moves.map((move) => move.actor_id)}::uuid[],
      ${moves.map((move) => move.reason)}::text[],
      ${moves.map((move) => move.reason_code)}::text[],
      ${moves.map((move) => move.third_party_status)}::text[],
      ${moves.map((move) => move.created_at)}::timestamptz[],
      ${moves.map((move) => move.forced)}::boolean[],
      ${moves.map((move) => toNumeric(move.debt_change))}::numeric[])`)
}
