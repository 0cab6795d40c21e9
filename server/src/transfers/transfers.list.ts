// Lists of transfers: newest first, by any combination of filters, and a search over the words of a transfer.
import type { Database } from '../platform/database.ts'
import { pageOf } from '../platform/lists.ts'
import { columnsOf, type Fragment, fragment, type Read, read } from '../platform/sql.ts'
import { isDate } from '../values/calendar.ts'
import { Transfer, type TransferList } from './transfers.schemas.ts'

const columns = columnsOf(Transfer)

export function listTransfers(database: Database, venture_id: string, query: TransferList): Promise<Transfer[]> {
  return database.rows(selectPage(venture_id, query))
}

export function selectPage(venture_id: string, { limit, offset, after, ...filters }: TransferList): Read<Transfer> {
  const page = {
    ...(limit === undefined ? {} : { limit }),
    ...(offset === undefined ? {} : { offset }),
    ...(after === undefined ? {} : { after }),
  }
  const conditions = [fragment`venture_id = ${venture_id}`, ...conditionsOf(filters)]
  return read<Transfer>`select ${columns} from transfers ${pageOf(page, conditions)}`
}

type Filters = Omit<TransferList, 'limit' | 'offset' | 'after'>

function conditionsOf(filters: Filters): Fragment[] {
  const { account_id, beneficiary_id, direction, status, transfer_type, method, currency, date_from, date_to, search } = filters
  return [
    account_id === undefined ? undefined : fragment`account_id = ${account_id}`,
    beneficiary_id === undefined ? undefined : fragment`beneficiary_id = ${beneficiary_id}`,
    direction === undefined ? undefined : fragment`direction = ${direction}`,
    status === undefined ? undefined : fragment`status = ${status}`,
    transfer_type === undefined ? undefined : fragment`transfer_type = ${transfer_type}`,
    method === undefined ? undefined : fragment`method = ${method}`,
    currency === undefined ? undefined : inCurrency(currency),
    date_from === undefined ? undefined : fragment`created_at >= ${startOf(date_from)} and id >= ${idAt(startOf(date_from), -grace_ms)}`,
    date_to === undefined ? undefined : fragment`created_at < ${endOf(date_to)} and id < ${idAt(endOf(date_to), grace_ms)}`,
    search === undefined ? undefined : fragment`transfer_words(unique_reference, purpose, cr_name, dr_name) like ${patternOf(search)}`,
  ].filter((condition) => condition !== undefined)
}

/** On either side. The second half is written as its index is, which has only transfers between two currencies. */
function inCurrency(currency: string): Fragment {
  return fragment`(debit_currency = ${currency} or (credit_currency = ${currency} and credit_currency <> debit_currency))`
}

function patternOf(search: string): string {
  return `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

function startOf(text: string): string {
  return isDate(text) ? `${text}T00:00:00.000Z` : new Date(text).toISOString()
}

/** A date includes its whole day; a time includes its own millisecond. */
function endOf(text: string): string {
  const end = isDate(text) ? Date.parse(`${text}T00:00:00Z`) + 86_400_000 : new Date(text).getTime() + 1
  // Beyond the last day that can be written there is nothing to leave out.
  return new Date(Math.min(end, lastTime_ms)).toISOString()
}

const lastTime_ms = Date.parse('9999-12-31T23:59:59.999Z')

/** Ids are made within moments of their row's time; this much is allowed for, also for clocks that are set back a little. */
const grace_ms = 60_000

/**
 * A UUIDv7 of a moment. Ids begin with their time, so a span of time is, give or take the grace, a span of ids, which the
 * primary key finds without looking at the rows before and after it; the exact bounds are those of `created_at`.
 */
function idAt(time: string, offset_ms: number): string {
  const hex = Math.max(0, Date.parse(time) + offset_ms)
    .toString(16)
    .padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
