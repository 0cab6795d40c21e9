// Lists of transfers: newest first, by any combination of filters, and a search over the words of a transfer.
import type { Database } from '../platform/database/database.ts'
import { columnsOf, type Fragment, fragment, type Read, read } from '../platform/database/sql.ts'
import { between, pageOf } from '../platform/http/lists.ts'
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
    ...between(fragment`created_at`, { date_from, date_to }),
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
