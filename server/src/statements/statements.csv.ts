// Statements for spreadsheets: RFC 4180 in UTF-8, with a byte order mark, without which Excel garbles accented letters.

import { type PaymentParty, TransferDetails } from '../transfers/life/transfers.details.ts'
import type { StatementHead, StatementLine } from './statements.schemas.ts'
import type { Statement } from './statements.ts'

type Row = Pick<StatementLine, 'balance'> & Partial<StatementLine> & { kind: 'OPENING_BALANCE' | 'LINE' | 'CLOSING_BALANCE' }

/** `text`: other people may have written it. Dates, amounts and our own words cannot be formulas and stay unchanged. */
type Column = { name: string; kind: 'text' | 'plain'; of(row: Row, head: StatementHead): string | null | undefined }

const columns: readonly Column[] = [
  { name: 'kind', kind: 'plain', of: ({ kind }) => kind },
  { name: 'booking_date', kind: 'plain', of: ({ booking_date }) => booking_date },
  { name: 'value_date', kind: 'plain', of: ({ value_date }) => value_date },
  { name: 'counterparty_name', kind: 'text', of: ({ counterparty_name }) => counterparty_name },
  { name: 'counterparty_account', kind: 'text', of: (row) => row.counterparty_iban ?? row.counterparty_account_id },
  { name: 'counterparty_bic', kind: 'text', of: ({ counterparty_bic }) => counterparty_bic },
  { name: 'purpose', kind: 'text', of: ({ purpose }) => purpose },
  { name: 'structured_reference', kind: 'text', of: ({ structured_reference }) => structured_reference },
  { name: 'unique_reference', kind: 'text', of: ({ unique_reference }) => unique_reference },
  { name: 'method', kind: 'plain', of: ({ method }) => method },
  { name: 'transfer_type', kind: 'plain', of: ({ transfer_type }) => transfer_type },
  { name: 'amount', kind: 'plain', of: ({ amount }) => amount },
  { name: 'fee_amount', kind: 'plain', of: ({ fee_amount }) => fee_amount },
  { name: 'exchanged_amount', kind: 'plain', of: ({ exchanged_amount }) => exchanged_amount },
  { name: 'exchanged_currency', kind: 'plain', of: ({ exchanged_currency }) => exchanged_currency },
  { name: 'exchange_rate', kind: 'plain', of: ({ exchange_rate }) => exchange_rate },
  { name: 'balance', kind: 'plain', of: ({ balance }) => balance },
  { name: 'currency', kind: 'plain', of: (_row, { currency }) => currency },
  { name: 'booked_at', kind: 'plain', of: ({ booked_at }) => booked_at },
  { name: 'transfer_id', kind: 'plain', of: ({ transfer_id }) => transfer_id },
  { name: 'id', kind: 'plain', of: ({ id }) => id },
]

/** Only accounts whose transfers the bank processes have these columns. */
const detailColumns: readonly Column[] = (Object.keys(TransferDetails.properties) as (keyof TransferDetails)[]).map((name) => ({
  name,
  kind: 'text',
  of: ({ details }) => wordsOf(details?.[name]),
}))

/** A party or a bank by its name, several texts on a line each. */
function wordsOf(value: TransferDetails[keyof TransferDetails]): string | undefined {
  if (value === undefined || typeof value === 'string') return value
  const all = (Array.isArray(value) ? value : [value]) as readonly (string | PaymentParty)[]
  return all.map((one) => (typeof one === 'string' ? one : (one.name ?? one.bic ?? one.lei))).join('\n')
}

export async function* csvOf({ head, managed, pages }: Statement): AsyncIterable<string> {
  const all = managed ? [...columns, ...detailColumns] : columns
  const lineOf = (row: Row) => joined(all.map(({ kind, of }) => cell(kind, of(row, head) ?? '')))
  const { from, to, opening_balance, closing_balance } = head
  yield byteOrderMark + joined(all.map(({ name }) => name))
  yield lineOf({ kind: 'OPENING_BALANCE', booking_date: from.slice(0, 10), balance: opening_balance })
  for await (const lines of pages()) yield lines.map((line) => lineOf({ kind: 'LINE', ...line })).join('')
  yield lineOf({ kind: 'CLOSING_BALANCE', booking_date: to.slice(0, 10), balance: closing_balance })
}

const byteOrderMark = '\uFEFF'

const joined = (cells: readonly string[]): string => `${cells.join(',')}\r\n`

function cell(kind: 'text' | 'plain', value: string): string {
  const text = kind === 'text' ? harmless(value) : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/**
 * Spreadsheets take a text for a formula if it begins with one of these characters or their full-width forms. An apostrophe in front prevents that.
 */
export function harmless(text: string): string {
  return /^\s*[=+\-@＝＋－＠]/.test(text) ? `'${text}` : text
}
