// Lists of transfers, newest first, with any combination of filters and a text search.
import type { Database } from '../platform/database/database.ts'
import { columnsOf, type Fragment, fragment, type Read, read } from '../platform/database/sql.ts'
import { between, equals, type Filters, pageOf } from '../platform/http/lists.ts'
import { Transfer, type TransferList } from './transfers.schemas.ts'

const columns = columnsOf(Transfer)

export function listTransfers(database: Database, venture_id: string, query: TransferList): Promise<Transfer[]> {
  return database.rows(selectPage(venture_id, query))
}

const filters: Filters<TransferList> = {
  account_id: equals(fragment`account_id`),
  beneficiary_id: equals(fragment`beneficiary_id`),
  direction: equals(fragment`direction`),
  status: equals(fragment`status`),
  transfer_type: equals(fragment`transfer_type`),
  method: equals(fragment`method`),
  currency: inCurrency,
  ...between(fragment`created_at`),
  search: (text) => fragment`transfer_words(unique_reference, purpose, cr_name, dr_name) like ${patternOf(text)}`,
}

export function selectPage(venture_id: string, query: TransferList): Read<Transfer> {
  const own = fragment`venture_id = ${venture_id}`
  return read<Transfer>`select ${columns} from transfers ${pageOf(query, filters, own)}`
}

/** Matches either side. The second condition has the form of its partial index, which contains only transfers between two currencies. */
function inCurrency(currency: string): Fragment {
  return fragment`(debit_currency = ${currency} or (credit_currency = ${currency} and credit_currency <> debit_currency))`
}

function patternOf(search: string): string {
  return `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}
