// The ledger: money moves only through journals, whose entries sum to zero in each currency. Booking a journal changes the balances of the
// accounts passed in; accounts/ writes the balances, and this folder writes the entries.

import type { Tx } from '../platform/database/database.ts'
import { write } from '../platform/database/sql.ts'
import { uuidv7 } from '../platform/ids.ts'
import { formatMoney, fromNumeric, type Money, moneyText } from '../values/money.ts'
import { refuse } from '../values/refusals.ts'

/**
 * The venture's own accounts, which are the counterpart of clients' money. Their balance is not stored, because it is the sum of their
 * entries. `payable` is the card money that the bank owes the venture, `receivable` what clients owe the house, and `breaks` what the house
 * has paid or received without knowing for whom yet.
 */
export type SystemAccount = `settlement:${string}` | 'suspense' | 'fees' | 'fx' | 'adjustments' | 'payable' | 'receivable' | 'breaks'

/** A client's account in the ledger. Only the ledger changes `current` and `reserved`. */
export type Holder = {
  venture_id: string
  id: string
  currency: string
  current: Money
  reserved: Money
  /** The recorded part of what is missing to cover the holds. Only forced commands increase it. */
  debt: Money
  last_activity_date: string | null
}

/** One line of a journal: an account gains the amount, or loses it if it is negative. */
export type Line = { account: Holder | SystemAccount; currency: string; amount: Money }

/** What journals can be booked for. A CHECK in the database has the same list, and `verify` has the table of each kind. */
export const causeKinds = ['transfer', 'payment', 'payout', 'unapplied', 'break'] as const
export type CauseKind = (typeof causeKinds)[number]

/** The row that a journal is booked for. It belongs to the same venture. */
export type Cause = { kind: CauseKind; id: string }

export type Entry = {
  venture_id: string
  id: string
  journal_id: string
  cause_kind: CauseKind
  cause_id: string
  account_id: string | null
  system_account: string | null
  currency: string
  amount: string
  balance: string | null
  created_at: string
}

/** The database limits balances to 1e19. Checking it here refuses one command instead of failing the whole batch. */
const balanceBound = fromNumeric('10000000000000000000')

type Journal = { venture_id: string; cause: Cause; now: string; lines: readonly Line[] }

/** Books a journal: changes the balances of the holders and returns the entries to write. Lines with a zero amount are left out. */
export function book({ venture_id, cause, now, lines }: Journal): Entry[] {
  requireBalance(lines)
  const journal = { venture_id, journal_id: uuidv7(), cause_kind: cause.kind, cause_id: cause.id, created_at: now }
  return lines
    .filter(({ amount }) => amount !== 0n)
    .map(({ account, currency, amount }) => {
      const entry = { ...journal, id: uuidv7(), currency, amount: formatMoney(amount, currency) }
      if (typeof account === 'string') return { ...entry, account_id: null, system_account: `${account}:${currency}`, balance: null }
      if (account.currency !== currency) throw new Error('an entry must be in the currency of its account')
      account.current += amount
      if (account.current >= balanceBound) {
        const balance = moneyText(account.current, currency)
        refuse('balance_too_large', {
          detail: `The balance of the account would become ${balance}, which is more than the service can store.`,
        })
      }
      account.last_activity_date = now
      return { ...entry, account_id: account.id, system_account: null, balance: formatMoney(account.current, currency) }
    })
}

/** The database also refuses unbalanced journals; this check catches them before anything is sent. */
function requireBalance(lines: readonly Line[]): void {
  const sums = new Map<string, Money>()
  for (const { currency, amount } of lines) sums.set(currency, (sums.get(currency) ?? 0n) + amount)
  for (const [currency, sum] of sums) if (sum !== 0n) throw new Error(`a journal is off by ${sum} in ${currency}`)
}

export function available({ current, reserved }: Holder): Money {
  return current - reserved
}

/** An account's debt: the amount by which its holds exceed its balance. */
export function debtOf({ current, reserved }: Pick<Holder, 'current' | 'reserved'>): Money {
  return reserved > current ? reserved - current : 0n
}

export function reserve(holder: Holder, amount: Money): void {
  holder.reserved += amount
}

export function release(holder: Holder, amount: Money): void {
  holder.reserved -= amount
}

export function insertEntries(tx: Tx, entries: readonly Entry[]): void {
  if (entries.length === 0) return
  tx.send(write`
    insert into entries (
      era, xid, venture_id, id, journal_id, cause_kind, cause_id, account_id, system_account, currency, amount, balance, created_at)
    select (select era from event_era), pg_current_xact_id(), * from unnest(
      ${entries.map((entry) => entry.venture_id)}::uuid[],
      ${entries.map((entry) => entry.id)}::uuid[],
      ${entries.map((entry) => entry.journal_id)}::uuid[],
      ${entries.map((entry) => entry.cause_kind)}::text[],
      ${entries.map((entry) => entry.cause_id)}::uuid[],
      ${entries.map((entry) => entry.account_id)}::uuid[],
      ${entries.map((entry) => entry.system_account)}::text[],
      ${entries.map((entry) => entry.currency)}::text[],
      ${entries.map((entry) => entry.amount)}::numeric[],
      ${entries.map((entry) => entry.balance)}::numeric[],
      ${entries.map((entry) => entry.created_at)}::timestamptz[])`)
}
