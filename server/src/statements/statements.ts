// Statements of accounts. A statement is one plain structure, from which every format is written: a head, and lines in pages. Opening
// balance, sums and line ids come from one snapshot of the database. Entries never change, so the lines can be read later, page by page,
// and a long statement needs little memory however slowly it is downloaded.

import { setTimeout as sleep } from 'node:timers/promises'
import type { AccountKey } from '../accounts/accounts.ts'
import { now } from '../platform/clock.ts'
import type { Database, Lists } from '../platform/database/database.ts'
import { endOf, idAt, startOf, timeOf } from '../platform/http/lists.ts'
import { inTime } from '../platform/http/pieces.ts'
import { addDays, todayUtc } from '../values/calendar.ts'
import { formatMoney, fromNumeric, type Money } from '../values/money.ts'
import { Refusal, refuse, refuseField } from '../values/refusals.ts'
import type { BalanceStep, BalancesQuery, Format, StatementHead, StatementLine, StatementQuery, Step } from './statements.schemas.ts'
import { type HeadRow, type LineRow, selectHead, selectLines, selectSteps } from './statements.sql.ts'

export type Statements = { database: Database; bank: { name: string; bic: string } }

/** `managed`: whether the bank processes the transfers of the account, so that lines may have details. */
export type Statement = { head: StatementHead; managed: boolean; pages(): AsyncIterable<readonly StatementLine[]> }

export const linesPerPage = 500

/** The largest number of lines. PDF and camt.053 are built as a whole; docs/decisions.md has their cost in time and memory. */
export const mostLines: Record<Format, number> = { json: 50_000, csv: 50_000, pdf: 2_000, camt053: 2_000 }

const mostDays = 366
const day_ms = 86_400_000

/** The first page is read immediately, so that every refusal comes before the response begins. */
export async function readStatement({ database, bank }: Statements, key: AccountKey, query: StatementQuery): Promise<Statement> {
  const interval = intervalOf(query)
  const most = mostLines[query.format ?? 'json']
  const range = { first: idAt(interval.from), before: idAt(interval.end) }
  const generated_at = now().toISOString()
  return database.list(key.venture_id, async (lists) => {
    const rows = await inTime(() => lists.rows(selectHead(key, range, most)))
    if (rows === undefined) refuseOld()
    const row = rows[0] ?? refuse('account_not_found')
    if (row.line_count > most) {
      refuse('statement_too_long', {
        detail: `The statement would have ${row.line_count} lines; this format allows at most ${most}.`,
        line_count: row.line_count,
        largest_line_count: most,
      })
    }
    const first = await readLines(lists, key, row.ids.slice(0, linesPerPage))
    const head = headOf(row, { bank, interval, generated_at })
    return { head, managed: row.managed, pages: () => pagesOf(database, key, row, first) }
  })
}

type Interval = { from: string; end: string }

function intervalOf({ from, to }: { from: string; to: string }): Interval {
  const interval = { from: startOf(from), end: endOf(to) }
  const length_ms = Date.parse(interval.end) - Date.parse(interval.from)
  if (length_ms <= 0) refuseField('from', 'must not be after to')
  if (length_ms > mostDays * day_ms) refuseField('to', `must be at most ${mostDays} days after from`)
  return interval
}

type Circumstances = { bank: Statements['bank']; interval: Interval; generated_at: string }

function headOf(row: HeadRow, { bank, interval, generated_at }: Circumstances): StatementHead {
  const { account_id, account_name, account_number, currency, first_name, last_name, line_count } = row
  const amount = (numeric: string) => formatMoney(fromNumeric(numeric), currency)
  return {
    account_id,
    account_name,
    account_number,
    currency,
    line_count,
    generated_at,
    holder_name: `${first_name} ${last_name}`,
    bank_name: bank.name,
    bank_bic: bank.bic,
    from: interval.from,
    to: new Date(Date.parse(interval.end) - 1).toISOString(),
    opening_balance: amount(row.opening),
    total_credits: amount(row.credits),
    total_debits: amount(row.debits),
    closing_balance: formatMoney(closingOf(row), currency),
  }
}

const closingOf = ({ opening, credits, debits }: HeadRow): Money => fromNumeric(opening) + fromNumeric(credits) - fromNumeric(debits)

async function* pagesOf(database: Database, key: AccountKey, head: HeadRow, first: readonly LineRow[]): AsyncIterable<StatementLine[]> {
  let balance = fromNumeric(head.opening)
  const lineOf = ({ details, ...row }: LineRow): StatementLine => {
    const amount = fromNumeric(row.amount)
    balance += amount
    const { currency } = head
    const booked_at = timeOf(row.id)
    const booking_date = booked_at.slice(0, 10)
    const { exchanged_amount, exchanged_currency } = row
    const fee = row.fee_amount === null ? 0n : fromNumeric(row.fee_amount)
    return {
      ...row,
      booked_at,
      booking_date,
      value_date: row.value_date ?? booking_date,
      amount: formatMoney(amount, currency),
      balance: formatMoney(balance, currency),
      fee_amount: fee === 0n ? null : formatMoney(fee, currency),
      exchanged_amount:
        exchanged_amount === null || exchanged_currency === null ? null : formatMoney(fromNumeric(exchanged_amount), exchanged_currency),
      ...(details && { details }),
    }
  }
  for (let start = 0; start < head.ids.length; start += linesPerPage) {
    const ids = head.ids.slice(start, start + linesPerPage)
    const rows = start === 0 ? first : await patiently(() => database.list(key.venture_id, (lists) => readLines(lists, key, ids)))
    yield rows.map(lineOf)
  }
  if (balance !== closingOf(head)) throw new Error(`the lines of the account ${key.id} do not add up to its closing balance`)
}

async function readLines(lists: Lists, key: AccountKey, ids: readonly string[]): Promise<LineRow[]> {
  if (ids.length === 0) return []
  const rows = (await inTime(() => lists.rows(selectLines(key, ids)))) ?? refuse('unavailable', { retry_after_s: 1 })
  if (rows.length !== ids.length) throw new Error(`an entry of the account ${key.id} is missing`)
  return rows
}

/** Retries while the database is busy: once a response has begun, it can no longer be refused. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt < mostAttempts; attempt++) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      await sleep(pause_ms)
    }
  }
  return act()
}

const mostAttempts = 10
const pause_ms = 500

const mostSteps = 1_000

/** The balances of an account over time, up to today. */
export async function listBalances({ database }: Statements, key: AccountKey, query: BalancesQuery): Promise<BalanceStep[]> {
  if (query.from > query.to) refuseField('from', 'must not be after to')
  const today = todayUtc(now())
  const last = query.to < today ? query.to : today
  const starts = stepsBetween(query.from, last, query.step ?? 'day')
  const end = addDays(last, 1)
  const bounds = [...starts, end].map((date) => idAt(startOf(date)))
  const rows = await inTime(() => database.list(key.venture_id, (lists) => lists.rows(selectSteps(key, bounds))))
  if (rows === undefined) refuseOld()
  const { currency, current_balance } = rows[0] ?? refuse('account_not_found')
  const booked = new Map(
    rows.map(({ step, credits, debits }) => [step, { credits: fromNumeric(credits ?? '0'), debits: fromNumeric(debits ?? '0') }]),
  )
  const changes = bounds.map((_, index) => booked.get(index + 1) ?? { credits: 0n, debits: 0n })
  let balance = changes.reduce((sum, { credits, debits }) => sum - credits + debits, fromNumeric(current_balance))
  return starts.map((from, index) => {
    const { credits = 0n, debits = 0n } = changes[index] ?? {}
    const opening = balance
    balance += credits - debits
    return {
      from,
      to: addDays(starts[index + 1] ?? end, -1),
      opening_balance: formatMoney(opening, currency),
      total_credits: formatMoney(credits, currency),
      total_debits: formatMoney(debits, currency),
      closing_balance: formatMoney(balance, currency),
    }
  })
}

/** Balances are counted back from the current one, so the more was booked since the interval began, the longer it takes. */
function refuseOld(): never {
  refuse('query_too_broad', {
    detail: 'Too much was booked on the account since the interval began, so its balances could not be computed in time. Use a later from.',
  })
}

/** The first days of the steps, beginning with the first day of the interval. */
function stepsBetween(from: string, to: string, step: Step): string[] {
  const starts: string[] = []
  for (let start = from; start <= to; start = nextStep[step](start)) {
    if (starts.length === mostSteps) refuseField('to', `must be at most ${mostSteps} steps after from; use longer steps`)
    starts.push(start)
  }
  return starts
}

/** The first day of the next step after a day. */
const nextStep: Record<Step, (date: string) => string> = {
  day: (date) => addDays(date, 1),
  week: (date) => addDays(date, 7 - ((new Date(date).getUTCDay() + 6) % 7)),
  month: (date) => `${addDays(`${date.slice(0, 8)}28`, 4).slice(0, 8)}01`,
}
