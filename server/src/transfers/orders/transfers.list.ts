// Lists of transfers, newest first, with any combination of filters and a text search.
import type { Database } from '../../platform/database/database.ts'
import { Columns, type Fragment, fixed, fragment } from '../../platform/database/sql.ts'
import { between, equals, type Filters } from '../../platform/http/lists.ts'
import { type Listing, readList } from '../../platform/http/pieces.ts'
import { readColumns } from '../life/transfers.columns.ts'
import type { Transfer } from '../life/transfers.schemas.ts'
import { namedInDetails, withDetails } from '../writing/transfers.details.sql.ts'
import type { TransferList } from './transfers.orders.schemas.ts'
import type { FoundTransfer } from './transfers.orders.ts'

const columns = new Columns(readColumns)

export function listTransfers(database: Database, venture_id: string, query: TransferList): Promise<Transfer[]> {
  return readDetailed(database, listingOf(venture_id, query))
}

/** An account's own list is always completed, whatever its filters. */
export function listAccountTransfers(
  database: Database,
  venture_id: string,
  query: TransferList & { account_id: string },
): Promise<Transfer[]> {
  return readDetailed(database, { ...listingOf(venture_id, query), isAlwaysCompleted: true })
}

async function readDetailed(database: Database, listing: Listing<TransferList>): Promise<Transfer[]> {
  return withDetails(database, await readList<FoundTransfer, TransferList>(database, listing))
}

const filtersIn = (venture_id: string): Filters<TransferList> => ({
  account_id: equals(fragment`account_id`),
  beneficiary_id: equals(fragment`beneficiary_id`),
  direction: equals(fragment`direction`),
  status: equals(fragment`status`),
  transfer_type: equals(fragment`transfer_type`),
  method: equals(fragment`method`),
  currency: inCurrency,
  ...between(fragment`created_at`),
  search: (text) => fragment`(transfer_words(unique_reference, purpose, cr_name, dr_name) like ${patternOf(text)}
    or (detailed and id = any(array(${namedInDetails([venture_id], text)}))))`,
})

export function listingOf(venture_id: string, query: TransferList): Listing<TransferList> {
  const { search } = query
  const isByIndex = search !== undefined && isIndexed(search)
  return {
    venture_id,
    sharedAs: 'transfers',
    query,
    filters: filtersIn(venture_id),
    columns,
    select: (what, rest) => fragment`select ${what} from transfers where venture_id = ${venture_id} and ${rest}`,
    ordered: ['account_id'],
    needsPieces: search !== undefined && !isByIndex,
    index: isByIndex ? { filter: 'search', ids: idsByTexts(venture_id, search) } : undefined,
  }
}

/** The ids in those rows of texts that match the search, and those that details name. Every matching transfer is among them. */
function idsByTexts(venture_id: string, search: string): Fragment {
  const words = wordsIn(search)
  const hasWords = words === undefined ? fragment`true` : fragment`${wordsOfTexts} @@ ${words}::tsquery`
  return fragment`select unnest(id || others) from transfer_texts
    where venture_id = ${venture_id} and words like ${patternOf(search)} and ${hasWords}
    union all ${namedInDetails([venture_id], search)}`
}

/** The characters between words. The expression, which is that of the index, turns each of them into a space. */
const betweenWords = /[ \n!-/:-@[-`{-~]/
export const wordsOfTexts = fixed`array_to_tsvector(
  array_remove(string_to_array(translate(words, E'\\n!"#$%&''()*+,-./:;<=>?@[\\\\]^_\`{|}~', '                                 '), ' '), ''))`

/**
 * The words that a text must have if it contains the search. The first word of a search may be the end of a longer one, and the last the
 * beginning of one. Words of one or two letters would match too much.
 */
function wordsIn(search: string): string | undefined {
  const [, ...words] = search.toLowerCase().split(betweenWords)
  const last = words.length - 1
  const wanted = words.flatMap((word, index) => ([...word].length < 3 ? [] : [`'${word}'${index === last ? ':*' : ''}`]))
  return wanted.length === 0 ? undefined : wanted.join(' & ')
}

/** The index of words contains sequences of three letters or digits. */
function isIndexed(search: string): boolean {
  return /[\p{L}\p{N}]{3}/u.test(search)
}

/** Matches either side. The second condition has the form of its partial index, which contains only transfers between two currencies. */
function inCurrency(currency: string): Fragment {
  return fragment`(debit_currency = ${currency} or (credit_currency = ${currency} and credit_currency <> debit_currency))`
}

function patternOf(search: string): string {
  return `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}
