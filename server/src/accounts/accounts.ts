// Accounts: what holds a client's money. Their status is moved by actions only, their balances by the ledger only.
import { uuidv7 } from 'uuidv7'
import { getClient } from '../clients/clients.ts'
import { emit } from '../events/events.ts'
import { coalesce } from '../platform/coalesce.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { type Shown, shown } from '../platform/http/shown.ts'
import { todayUtc } from '../values/calendar.ts'
import { parseCurrency } from '../values/currency.ts'
import { decimalsRule, formatMoney, fromNumeric, parseMoney } from '../values/money.ts'
import { either, refuse, refuseField } from '../values/refusals.ts'
import { accountNumbers } from './accounts.number.ts'
import {
  Account,
  type AccountEntry,
  type AccountList,
  type AccountUpdate,
  type EntryList,
  limitFields,
  type NewAccount,
} from './accounts.schemas.ts'
import type { BankConfig } from './accounts.settings.ts'
import {
  type AccountKey,
  type AccountRow,
  findAccounts,
  insertAccount,
  type KeptAccount,
  lockAccount,
  selectAccounts,
  selectEntries,
  shareCompliance,
  writeAccount,
  writeBalances,
  writeStatus,
  writeUsage,
} from './accounts.sql.ts'
import { type AccountAction, type AccountStatus, accountActions, nextStatuses } from './accounts.status.ts'

export type { Account, AccountKey, AccountRow, AccountStatus }
export { writeBalances, writeUsage }

/** The accounts of one bank. */
export type Accounts = {
  database: Database
  /** A number that no account is likely to have. */
  makeNumber(): string
  /** Reads that happen at the same time share one query. */
  find(key: AccountKey): Promise<AccountRow | undefined>
  findInSuspense: FindInSuspense
}

/** Asks what holds money in suspense for a locked account. It is handed in, for accounts know nothing of transfers. */
type FindInSuspense = (tx: Tx, key: AccountKey) => Promise<{ id: string } | undefined>

export function openAccounts(database: Database, bank: BankConfig, findInSuspense: FindInSuspense): Accounts {
  return { database, makeNumber: accountNumbers(bank), find: openFinder(database), findInSuspense }
}

function openFinder(database: Database): Accounts['find'] {
  const find = coalesce<string, AccountRow>(
    async (names) => {
      const rows = await findAccounts(database, names.map(keyOf))
      return new Map(rows.map((row) => [nameOf(row), row]))
    },
    { wait_ms: database.limits.answer_ms },
  )
  return (key) => find(nameOf(key))
}

/** Keys that are equal must be the same value to share a query. */
const nameOf = ({ venture_id, id }: AccountKey): string => `${venture_id}/${id}`

function keyOf(name: string): AccountKey {
  const [venture_id = '', id = ''] = name.split('/')
  return { venture_id, id }
}

/** What is wrong with the request is said first, then what is wrong with the client. */
export async function createAccount({ database, makeNumber }: Accounts, venture_id: string, given: NewAccount): Promise<Account> {
  const account = accountOf(venture_id, given)
  // Clients are never deleted, and the foreign key would notice.
  await getClient(database, venture_id, given.client_id)
  return database.transaction(async (tx) => {
    const row = await insertNumbered(tx, account, makeNumber)
    const object = showAccount(row)
    emit(tx, { venture_id, type: 'account.created', object, sequence: row.sequence })
    return object
  })
}

function accountOf(venture_id: string, given: NewAccount): Omit<AccountRow, 'account_number'> {
  const currency = requireCurrency(given.currency)
  const zero = formatMoney(0n, currency)
  const now = new Date()
  const created_at = now.toISOString()
  return {
    id: uuidv7(),
    client_id: given.client_id,
    account_name: given.account_name,
    account_type: given.account_type,
    currency,
    current_balance: zero,
    reserved_balance: zero,
    status: 'PENDING',
    opened_date: created_at,
    closed_date: null,
    last_activity_date: null,
    daily_limit: null,
    monthly_limit: null,
    yearly_limit: null,
    ...limitsOf(given, currency),
    description: given.description ?? null,
    external_account_id: given.external_account_id ?? null,
    created_at,
    updated_at: created_at,
    venture_id,
    sequence: 1,
    used_on: todayUtc(now),
    used_day: zero,
    used_month: zero,
    used_year: zero,
  }
}

function requireCurrency(text: string): string {
  return parseCurrency(text) ?? refuseField('currency', 'must be an ISO 4217 currency code, such as EUR')
}

type Limits = { [Field in (typeof limitFields)[number]]?: string | null }

/** The limits that were given, as they are kept. */
function limitsOf(given: AccountUpdate, currency: string): Limits {
  const limits: Limits = {}
  for (const field of limitFields) {
    const text = given[field]
    if (text !== undefined) limits[field] = text === null ? null : limitOf(field, text, currency)
  }
  return limits
}

function limitOf(field: string, text: string, currency: string): string {
  const limit = parseMoney(text, currency) ?? refuseField(field, decimalsRule(currency))
  return formatMoney(limit, currency)
}

const mostNumbers = 5

/** A number that is taken is no reason to give up; five in a row are, for then the bank has run out of them. */
async function insertNumbered(tx: Tx, account: Omit<AccountRow, 'account_number'>, makeNumber: () => string): Promise<AccountRow> {
  for (let attempt = 0; attempt < mostNumbers; attempt++) {
    const row = { ...account, account_number: makeNumber() }
    if (await insertAccount(tx, row)) return row
  }
  throw new Error(`${mostNumbers} account numbers in a row were taken`)
}

export async function getAccount({ find }: Accounts, key: AccountKey): Promise<Account> {
  return showAccount((await find(key)) ?? refuse('account_not_found'))
}

export async function listAccounts({ database }: Accounts, venture_id: string, query: AccountList): Promise<Account[]> {
  if (query.currency !== undefined) requireCurrency(query.currency)
  return (await selectAccounts(database, venture_id, query)).map(showAccount)
}

/** Newest first. Where there is none, the account itself may be missing. */
export async function listEntries({ database, find }: Accounts, key: AccountKey, query: EntryList): Promise<AccountEntry[]> {
  const entries = await selectEntries(database, key, query)
  if (entries.length === 0 && (await find(key)) === undefined) refuse('account_not_found')
  return entries
}

const updatedFields = ['account_name', 'description', ...limitFields] as const

/** An update that changes nothing writes nothing and is no event. */
export function updateAccount({ database }: Accounts, key: AccountKey, update: AccountUpdate): Promise<Account> {
  return database.transaction(async (tx) => {
    const row = await requireLocked(tx, key)
    const next: AccountRow = { ...row, ...update, ...limitsOf(update, row.currency) }
    if (updatedFields.every((field) => next[field] === row[field])) return showAccount(row)
    const saved = { ...next, updated_at: new Date().toISOString(), sequence: row.sequence + 1 }
    const object = showAccount(saved)
    writeAccount(tx, saved)
    emit(tx, { venture_id: key.venture_id, type: 'account.updated', object, sequence: saved.sequence })
    return object
  })
}

/** Moves an account to the status to which an action leads, if the table and the action's own condition allow it. */
export function actOnAccount(accounts: Accounts, key: AccountKey, action: AccountAction): Promise<Account> {
  return accounts.database.transaction(async (tx) => {
    const row = await requireLocked(tx, key)
    const { to, event } = accountActions[action]
    requireNext(row.status, to)
    await conditions[action](tx, row, accounts)
    const now = new Date().toISOString()
    const moved = { ...row, status: to, closed_date: to === 'CLOSED' ? now : null, updated_at: now, sequence: row.sequence + 1 }
    const object = showAccount(moved)
    if (!(await writeStatus(tx, row.status, moved))) throw new Error('a locked account changed its status')
    emit(tx, { venture_id: key.venture_id, type: event, object, sequence: moved.sequence, previous_status: row.status })
    return object
  })
}

async function requireLocked(tx: Tx, key: AccountKey): Promise<AccountRow> {
  return (await lockAccount(tx, key)) ?? refuse('account_not_found')
}

function requireNext(current_status: AccountStatus, to: AccountStatus): void {
  const allowed = nextStatuses[current_status]
  if (allowed.includes(to)) return
  const way = allowed.length === 0 ? 'A closed account stays closed.' : `Allowed now: ${either(allowed)}.`
  const detail = `The account is ${current_status} and cannot become ${to}. ${way}`
  refuse('account_transition_not_allowed', { detail, current_status, allowed })
}

/** What must hold besides the table. */
const conditions: Record<AccountAction, (tx: Tx, account: AccountRow, accounts: Accounts) => Promise<void>> = {
  activate: requireCompliance,
  freeze: async () => {},
  close: requireEmpty,
}

async function requireCompliance(tx: Tx, account: AccountRow): Promise<void> {
  const client = await shareCompliance(tx, account)
  if (client === undefined) throw new Error('an account has lost its client')
  const { blocked, is_blacklisted, kyc_level, kyc_status } = client
  if (blocked) refuse('compliance_pending', { detail: 'The client is blocked. Lift the block, then activate the account.' })
  if (is_blacklisted)
    refuse('compliance_pending', { detail: 'The client is blacklisted. Remove it from the blacklist, then activate the account.' })
  if (kyc_level === 'NOT_REQUIRED' || kyc_status === 'VALIDATED') return
  refuse('compliance_pending', {
    detail: `The client's kyc_status is ${kyc_status}. It must be VALIDATED before the account can be activated.`,
  })
}

async function requireEmpty(tx: Tx, account: AccountRow, { findInSuspense }: Accounts): Promise<void> {
  const { current_balance, reserved_balance } = account
  const holdings = { current_balance, reserved_balance }
  if (fromNumeric(current_balance) !== 0n || fromNumeric(reserved_balance) !== 0n) {
    const { currency } = account
    refuse('account_not_empty', {
      detail: `The account has ${current_balance} ${currency}, of which ${reserved_balance} ${currency} is reserved. Both must be zero.`,
      ...holdings,
    })
  }
  // What is frozen leaves by a new transfer of the account, which a closed one cannot have.
  const transfer = await findInSuspense(tx, account)
  if (transfer === undefined) return
  refuse('account_not_empty', {
    detail: `Money is held in suspense for the transfer ${transfer.id} of the account. Credit it, return it or pay it out first.`,
    ...holdings,
    transfer_id: transfer.id,
  })
}

/** The resource, as the API shows it: without what only the database knows, and with what is available. */
export function showAccount(row: KeptAccount): Shown<Account> {
  const { currency, current_balance, reserved_balance } = row
  const available_balance = formatMoney(fromNumeric(current_balance) - fromNumeric(reserved_balance), currency)
  return shown(Account, { ...row, available_balance })
}
