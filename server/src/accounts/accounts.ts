// Accounts hold clients' money. Only actions change their status, and only the ledger changes their balances.

import {
  type Approval,
  type ApprovalHandler,
  type Approvals,
  actOrRequest,
  changesOf,
  decidingSequence,
  requireSequence,
  subjectOf,
} from '../audit/audit.ts'
import { enqueueHold, getClient } from '../clients/clients.ts'
import { emit } from '../events/events.ts'
import { type By, isVentures } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { coalesce } from '../platform/coalesce.ts'
import { accompanied, type Companions } from '../platform/companions.ts'
import type { Database, Tx } from '../platform/database/database.ts'
import { type Shown, shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { todayUtc } from '../values/calendar.ts'
import { parseCurrency } from '../values/currency.ts'
import { decimalsRule, formatMoney, fromNumeric, parseMoney } from '../values/money.ts'
import { either, refuse, refuseField } from '../values/refusals.ts'
import { isManaged, requireUnreserved } from '../ventures/ventures.ts'
import { epcText } from './accounts.epc.ts'
import { findAccountsBy } from './accounts.find.ts'
import { accountNumbers } from './accounts.number.ts'
import {
  Account,
  type AccountEntry,
  type AccountList,
  type AccountUpdate,
  type EntryList,
  type EpcQr,
  limitFields,
  type NewAccount,
} from './accounts.schemas.ts'
import type { BankConfig } from './accounts.settings.ts'
import {
  type AccountKey,
  type AccountRow,
  findAccounts,
  insertAccount,
  lockAccount,
  lockAccountsOf,
  lockCompliance,
  type StoredAccount,
  selectAccounts,
  selectEntries,
  writeAccount,
  writeBalances,
  writeOverdrawn,
  writeStatus,
  writeUsage,
} from './accounts.sql.ts'
import { sumBalances } from './accounts.statistics.ts'
import { type AccountAction, type AccountStatus, accountActions, nextStatuses } from './accounts.status.ts'

export type { AccountKey, AccountRow, AccountStatus }
export { Account, findAccounts, findAccountsBy, lockAccountsOf, sumBalances, writeBalances, writeOverdrawn, writeUsage }

export type Accounts = {
  database: Database
  /** Returns a random number that is unlikely to be taken. */
  makeNumber(): string
  /** Concurrent reads share one query. */
  find(key: AccountKey): Promise<AccountRow | undefined>
  findOpenTransfer: FindOpenTransfer
  bank: BankConfig
}

/**
 * Finds a transfer of a locked account whose money may still arrive: it is in suspense, or it was sent and the bank is waiting for its end.
 * Injected, because accounts cannot import transfers.
 */
type FindOpenTransfer = (tx: Tx, key: AccountKey) => Promise<{ id: string; sent?: boolean } | undefined>

export function openAccounts(database: Database, bank: BankConfig, findOpenTransfer: FindOpenTransfer): Accounts {
  return { database, makeNumber: accountNumbers(bank), find: openFinder(database), findOpenTransfer, bank }
}

function openFinder(database: Database): Accounts['find'] {
  const find = coalesce<string, AccountRow>(
    async (texts) => {
      const rows = await findAccounts(database, texts.map(parseKeyText))
      return new Map(rows.map((row) => [keyText(row), row]))
    },
    { wait_ms: database.limits.answer_ms },
  )
  return (key) => find(keyText(key))
}

/** Equal keys need the same text to share a query. */
const keyText = ({ venture_id, id }: AccountKey): string => `${venture_id}/${id}`

function parseKeyText(name: string): AccountKey {
  const [venture_id = '', id = ''] = name.split('/')
  return { venture_id, id }
}

/** Errors in the request are reported before a missing client. */
export async function createAccount(
  { database, makeNumber }: Accounts,
  venture_id: string,
  input: NewAccount,
  companions?: Companions,
): Promise<Account> {
  const account = accountOf(venture_id, input)
  // No lock is needed: clients are never deleted, and there is a foreign key.
  await getClient(database, venture_id, input.client_id)
  return database.transaction((tx) =>
    accompanied(tx, companions, async () => {
      const row = await insertNumbered(tx, { ...account, managed: await isManaged(tx, venture_id) }, makeNumber)
      const object = showAccount(row)
      emit(tx, { venture_id, type: 'account.created', object, sequence: row.sequence })
      return object
    }),
  )
}

function accountOf(venture_id: string, input: NewAccount): Omit<AccountRow, 'account_number' | 'managed'> {
  const currency = requireCurrency(input.currency)
  const zero = formatMoney(0n, currency)
  const at = now()
  const created_at = at.toISOString()
  return {
    id: uuidv7(),
    client_id: input.client_id,
    account_name: input.account_name,
    account_type: input.account_type,
    currency,
    current_balance: zero,
    reserved_balance: zero,
    debt: zero,
    status: 'PENDING',
    opened_date: created_at,
    closed_date: null,
    last_activity_date: null,
    daily_limit: null,
    monthly_limit: null,
    yearly_limit: null,
    ...limitsOf(input, currency),
    description: input.description ?? null,
    external_account_id: input.external_account_id ?? null,
    created_at,
    updated_at: created_at,
    venture_id,
    sequence: 1,
    notes: 0,
    used_on: todayUtc(at),
    used_day: zero,
    used_month: zero,
    used_year: zero,
    frozen_by_bank: false,
  }
}

function requireCurrency(text: string): string {
  return parseCurrency(text) ?? refuseField('currency', 'must be an ISO 4217 currency code, such as EUR')
}

type Limits = { [Field in (typeof limitFields)[number]]?: string | null }

/** The limits in the request, as stored. */
function limitsOf(input: AccountUpdate, currency: string): Limits {
  const limits: Limits = {}
  for (const field of limitFields) {
    const text = input[field]
    if (text !== undefined) limits[field] = text === null ? null : limitOf(field, text, currency)
  }
  return limits
}

function limitOf(field: string, text: string, currency: string): string {
  const limit = parseMoney(text, currency) ?? refuseField(field, decimalsRule(currency))
  return formatMoney(limit, currency)
}

const maxNumberAttempts = 5

/** Tries again if a number is taken. Five taken numbers in a row mean that the bank has run out of numbers. */
async function insertNumbered(tx: Tx, account: Omit<AccountRow, 'account_number'>, makeNumber: () => string): Promise<AccountRow> {
  for (let attempt = 0; attempt < maxNumberAttempts; attempt++) {
    const row = { ...account, account_number: makeNumber() }
    if (await insertAccount(tx, row)) return row
  }
  throw new Error(`${maxNumberAttempts} account numbers in a row were taken`)
}

export async function getAccount({ find }: Accounts, key: AccountKey): Promise<Account> {
  return showAccount((await find(key)) ?? refuse('account_not_found'))
}

/** The text of a QR code for a payment to the account. It contains the holder's name, because other banks verify the payee's name. */
export async function getEpcQr({ database, find, bank }: Accounts, key: AccountKey, query: EpcQr): Promise<string> {
  const account = (await find(key)) ?? refuse('account_not_found')
  const { first_name, last_name } = await getClient(database, key.venture_id, account.client_id)
  return epcText({ ...account, holder_name: `${first_name} ${last_name}`, bic: bank.bic }, query)
}

export async function listAccounts({ database }: Accounts, venture_id: string, query: AccountList): Promise<Account[]> {
  if (query.currency !== undefined) requireCurrency(query.currency)
  return (await selectAccounts(database, venture_id, query)).map(showAccount)
}

/** Newest first. If there are no entries, the account itself may not exist. */
export async function listEntries({ database, find }: Accounts, key: AccountKey, query: EntryList): Promise<AccountEntry[]> {
  const entries = await selectEntries(database, key, query)
  if (entries.length === 0 && (await find(key)) === undefined) refuse('account_not_found')
  return entries
}

const updatedFields = ['account_name', 'description', ...limitFields] as const

/** With four-eyes approval, it takes two people of the bank to raise a limit of an account. */
export function updateAccount(
  accounts: Accounts,
  approvals: Approvals,
  key: AccountKey,
  update: AccountUpdate,
  by: By,
): Promise<Account | Approval> {
  const { venture_id, id } = key
  return actOrRequest(approvals, { venture_id, action: raiseAction, resource_id: id, payload: update }, by, (allowed) =>
    changeAccount(accounts, key, update, allowed),
  )
}

/** An update that changes nothing writes nothing and emits no event. These fields decide nothing, so a change counts as a note. */
function changeAccount({ database }: Accounts, key: AccountKey, update: AccountUpdate, by: By): Promise<Account> {
  const change = async (tx: Tx): Promise<Account> => {
    const row = await requireLocked(tx, key)
    requireSequence(row, by.sequence)
    const next: AccountRow = { ...row, ...update, ...limitsOf(update, row.currency) }
    const raises_limit = limitFields.some((field) => isRaised(row[field], next[field]))
    if (row.managed) requireUnreserved('updateAccount', { raises_limit }, by, decidingSequence(row))
    by.witness?.(subjectOf({ account_id: row.id, changes: changesOf<AccountRow>(updatedFields, row, next) }))
    if (updatedFields.every((field) => next[field] === row[field])) return showAccount(row)
    const saved = { ...next, updated_at: now().toISOString(), sequence: row.sequence + 1, notes: row.notes + 1 }
    const object = showAccount(saved)
    writeAccount(tx, saved)
    emit(tx, { venture_id: key.venture_id, type: 'account.updated', object, sequence: saved.sequence })
    return object
  }
  return database.transaction((tx) => accompanied(tx, by.companions, () => change(tx)))
}

/** Whether more may be paid than before. Without a limit, any amount may. */
function isRaised(from: string | null, to: string | null): boolean {
  return from !== null && (to === null || fromNumeric(to) > fromNumeric(from))
}

/** Changes the status of an account if the status table and the condition of the action allow it. */
export function actOnAccount(accounts: Accounts, key: AccountKey, action: AccountAction, by: By): Promise<Account> {
  return accounts.database.transaction((tx) =>
    accompanied(tx, by.companions, async () => {
      const row = await requireLocked(tx, key)
      requireSequence(row, by.sequence)
      const { event } = accountActions[action]
      const frozen_by_bank = isFrozenByBank(row, action, by)
      const marks = action === 'freeze' && frozen_by_bank && !row.frozen_by_bank && isOnlyMarked(row)
      const to = marks ? row.status : accountActions[action].to
      if (!marks) requireNext(row.status, to)
      if (row.managed) requireAllowed(action, row, by)
      await conditions[action](tx, row, accounts)
      const moved = await saveStatus(tx, row, { status: to, frozen_by_bank })
      const object = showAccount(moved)
      emit(tx, { venture_id: key.venture_id, type: event, object, sequence: moved.sequence, previous_status: row.status })
      return object
    }),
  )
}

/** Writes the status of a locked account and the bank's mark. If the bank has just frozen it, the service holds its unsent transfers. */
async function saveStatus(
  tx: Tx,
  row: AccountRow,
  { status, frozen_by_bank }: Pick<AccountRow, 'status' | 'frozen_by_bank'>,
): Promise<AccountRow> {
  const { venture_id, id: account_id, client_id } = row
  const at = now().toISOString()
  const closed_date = status === 'CLOSED' ? at : null
  const moved = { ...row, status, closed_date, frozen_by_bank, updated_at: at, sequence: row.sequence + 1 }
  if (!(await writeStatus(tx, row.status, moved))) throw new Error('a locked account changed its status')
  if (row.managed && frozen_by_bank && !row.frozen_by_bank) await enqueueHold(tx, { venture_id, client_id, account_id })
  return moved
}

/** Freezes a locked account for the bank, in the transaction of the cause. A closed account stays as it is. */
export async function freezeByBank(tx: Tx, account: AccountRow): Promise<void> {
  if (account.frozen_by_bank || account.status === 'CLOSED') return
  const { to, event } = accountActions.freeze
  const { venture_id, status: previous_status } = account
  const frozen = await saveStatus(tx, account, { status: isOnlyMarked(account) ? previous_status : to, frozen_by_bank: true })
  emit(tx, { venture_id, type: event, object: showAccount(frozen), sequence: frozen.sequence, previous_status })
}

/**
 * Whether a freeze by the bank leaves the status as it is: the venture has already frozen the account, or has not activated it yet and now
 * cannot.
 */
const isOnlyMarked = ({ status, managed }: AccountRow): boolean => status === 'SUSPENDED' || (status === 'PENDING' && managed)

/** Freezing is not reserved to anyone. */
function requireAllowed(action: AccountAction, account: AccountRow, by: By): void {
  if (action === 'activate') requireUnreserved('activateAccount', account, by, decidingSequence(account))
  if (action === 'close') requireUnreserved('closeAccount', account, by, decidingSequence(account))
}

/** Whether the account is frozen by the bank after the action. */
function isFrozenByBank({ frozen_by_bank }: AccountRow, action: AccountAction, { actor }: By): boolean {
  if (action === 'freeze') return frozen_by_bank || !isVentures(actor)
  return action === 'close' && frozen_by_bank
}

/** With four-eyes approval, it takes two people of the bank to activate an account that the bank froze. */
export function activateAccount(accounts: Accounts, approvals: Approvals, key: AccountKey, by: By): Promise<Account | Approval> {
  const { venture_id, id } = key
  return actOrRequest(approvals, { venture_id, action: unfreezeAction, resource_id: id, payload: {} }, by, (allowed) =>
    actOnAccount(accounts, key, 'activate', allowed),
  )
}

/** With four-eyes approval, it takes two people of the bank to close an account that the bank froze. */
export function closeAccount(accounts: Accounts, approvals: Approvals, key: AccountKey, by: By): Promise<Account | Approval> {
  const { venture_id, id } = key
  return actOrRequest(approvals, { venture_id, action: closeAction, resource_id: id, payload: {} }, by, (allowed) =>
    actOnAccount(accounts, key, 'close', allowed),
  )
}

const unfreezeAction = 'unfreeze-account'
const closeAction = 'close-frozen-account'
const raiseAction = 'raise-limits'

/** What the bank's people can do with accounts only together. */
export function accountApprovals(accounts: Accounts): ApprovalHandler[] {
  const handler = (action: string, act: AccountAction, operation: string): ApprovalHandler => ({
    action,
    operations: [operation],
    carryOut: ({ venture_id, resource_id: id, sequence }, by) =>
      actOnAccount(accounts, { venture_id, id }, act, { ...by, approved: true, sequence }),
  })
  return [
    handler(unfreezeAction, 'activate', 'activateAccount'),
    handler(closeAction, 'close', 'closeAccount'),
    {
      action: raiseAction,
      operations: ['updateAccount'],
      carryOut: ({ venture_id, resource_id: id, sequence, payload }, by) =>
        changeAccount(accounts, { venture_id, id }, payload as AccountUpdate, { ...by, approved: true, sequence }),
    },
  ]
}

async function requireLocked(tx: Tx, key: AccountKey): Promise<AccountRow> {
  return (await lockAccount(tx, key)) ?? refuse('account_not_found')
}

function requireNext(current_status: AccountStatus, to: AccountStatus): void {
  const allowed = nextStatuses[current_status]
  if (allowed.includes(to)) return
  const remedy = allowed.length === 0 ? 'A closed account stays closed.' : `Allowed now: ${either(allowed)}.`
  const detail = `The account is ${current_status} and cannot become ${to}. ${remedy}`
  refuse('account_transition_not_allowed', { detail, current_status, allowed })
}

/** The condition of each action in addition to the status table. */
const conditions: Record<AccountAction, (tx: Tx, account: AccountRow, accounts: Accounts) => Promise<void>> = {
  activate: requireCompliance,
  freeze: async () => {},
  close: requireEmpty,
}

/** Reactivation needs no compliance check: transfers of a blocked client are refused anyway, and nobody's balance should be locked in. */
async function requireCompliance(tx: Tx, account: AccountRow): Promise<void> {
  if (account.status === 'SUSPENDED') return
  const client = await lockCompliance(tx, account)
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

async function requireEmpty(tx: Tx, account: AccountRow, { findOpenTransfer }: Accounts): Promise<void> {
  const { current_balance, reserved_balance, debt } = account
  const holdings = { current_balance, reserved_balance }
  if (fromNumeric(current_balance) !== 0n || fromNumeric(reserved_balance) !== 0n) {
    const { currency } = account
    if (fromNumeric(debt) > 0n) {
      refuse('account_not_empty', {
        detail: `The account owes ${debt} ${currency}. The debt must be repaid or written off before the account can be closed.`,
        ...holdings,
      })
    }
    refuse('account_not_empty', {
      detail: `The account has ${current_balance} ${currency}, of which ${reserved_balance} ${currency} is reserved. Both must be zero.`,
      ...holdings,
    })
  }
  // Frozen money leaves through a new transfer of the account, and a closed account cannot have new transfers.
  const transfer = await findOpenTransfer(tx, account)
  if (transfer === undefined) return
  if (transfer.sent) {
    refuse('account_not_empty', {
      detail: `The transfer ${transfer.id} of the account was sent and has not ended, so its money may come back. Wait until it has ended.`,
      ...holdings,
      transfer_id: transfer.id,
    })
  }
  refuse('account_not_empty', {
    detail: `Money is held in suspense for the transfer ${transfer.id} of the account. Credit it, return it or pay it out first.`,
    ...holdings,
    transfer_id: transfer.id,
  })
}

/** The resource as shown by the API: without private columns, with the available balance. */
export function showAccount(row: StoredAccount): Shown<Account> {
  const { currency, current_balance, reserved_balance } = row
  const available_balance = formatMoney(fromNumeric(current_balance) - fromNumeric(reserved_balance), currency)
  return shown(Account, { ...row, available_balance })
}
