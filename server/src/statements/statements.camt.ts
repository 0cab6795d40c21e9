// Statements as camt.053, which accounting programs read. The message is built from the head and the lines alone, and is refused unless
// opening balance and entries add up to the closing balance.
import { type EntryDetail, endToEndIdOf, type StatementEntry, txIdOf, writeMessage } from '../iso20022/iso20022.ts'
import { uuidv7 } from '../platform/ids.ts'
import { methods, type StatementCode } from '../transfers/life/transfers.methods.ts'
import { parseBic } from '../values/bic.ts'
import { parseCreditorReference } from '../values/creditor-reference.ts'
import { parseIban } from '../values/iban.ts'
import { fromNumeric } from '../values/money.ts'
import type { StatementHead, StatementLine } from './statements.schemas.ts'
import type { Statement } from './statements.ts'

export async function camtOf({ head, pages }: Statement): Promise<Buffer> {
  const { account_number: iban, currency, bank_bic: bic } = head
  const entries: StatementEntry[] = []
  for await (const lines of pages()) for (const line of lines) entries.push(entryOf(line, head))
  const until = head.to < head.generated_at ? head.to : head.generated_at
  const balance = (type: 'OPBD' | 'CLBD', amount: string, at: string) => {
    return { type, amount: fromNumeric(amount), currency, date: at.slice(0, 10) }
  }
  return writeMessage('camt.053.001.08', {
    message_id: txIdOf(uuidv7()),
    created_at: head.generated_at,
    statements: [
      {
        statement_id: `${digitsOf(head.from)}-${digitsOf(head.to)}`,
        created_at: head.generated_at,
        from_time: head.from,
        to_time: head.to,
        account: { iban, currency, name: cut(head.account_name, 70), owner: cut(head.holder_name, 140), bic },
        balances: [balance('OPBD', head.opening_balance, head.from), balance('CLBD', head.closing_balance, until)],
        entries,
      },
    ],
  })
}

/** 17 digits, so that an interval fits into the 35 characters of an id. */
const digitsOf = (time: string): string => time.replaceAll(/\D/g, '')

function entryOf(line: StatementLine, head: StatementHead): StatementEntry {
  const amount = fromNumeric(line.amount)
  const [family, subfamily] = codeOf(line)
  const information = informationOf(line, head)
  return {
    entry_id: txIdOf(line.id),
    amount,
    currency: head.currency,
    status: 'BOOK',
    booked_on: line.booking_date,
    value_on: line.value_date,
    ...(line.transfer_id === null ? {} : { servicer_reference: txIdOf(line.transfer_id) }),
    domain: domainOf(line),
    family,
    subfamily,
    details: [{ transactions: [detailOf(line, head, amount)] }],
    ...(information === undefined ? {} : { information }),
  }
}

function detailOf(line: StatementLine, head: StatementHead, signed: bigint): EntryDetail {
  const { transfer_id, purpose, structured_reference: reference } = line
  const isCredit = signed >= 0n
  const other = counterpartyOf(line)
  const own = head.account_number
  const tx_id = transfer_id === null ? undefined : txIdOf(transfer_id)
  return {
    ...(tx_id === undefined ? {} : { tx_id, end_to_end_id: endToEndIdOf(line.unique_reference, tx_id) }),
    amount: isCredit ? signed : -signed,
    currency: head.currency,
    direction: isCredit ? 'CRDT' : 'DBIT',
    ...(isCredit
      ? { debtor: other.party, debtor_iban: other.iban, debtor_account: other.account, debtor_bic: other.bic, creditor_iban: own }
      : { creditor: other.party, creditor_iban: other.iban, creditor_account: other.account, creditor_bic: other.bic, debtor_iban: own }),
    ...(purpose === null ? {} : { remittance: [cut(purpose, 140)] }),
    ...(reference === null || [...reference].length > 35 ? {} : { references: [referenceOf(reference)] }),
  }
}

function referenceOf(text: string) {
  const reference = written(text)
  return parseCreditorReference(text) === undefined ? { reference } : ({ type: 'SCOR', issuer: 'ISO', reference } as const)
}

/** What other banks and OPEN ventures report about an account need not be an IBAN or a BIC. */
function counterpartyOf(line: StatementLine) {
  const { counterparty_name: name, counterparty_iban, counterparty_account_id, counterparty_bic } = line
  const iban = parseIban(counterparty_iban ?? '')
  const account = iban === undefined ? (counterparty_iban ?? counterparty_account_id ?? undefined) : undefined
  return {
    party: name === null ? undefined : { name: cut(name, 140) },
    iban,
    account: account === undefined ? undefined : cut(account, 34),
    bic: parseBic(counterparty_bic ?? ''),
  }
}

function informationOf(line: StatementLine, { currency }: StatementHead): string | undefined {
  const { fee_amount, exchanged_amount, exchanged_currency, exchange_rate } = line
  const parts = [
    ...(fee_amount === null ? [] : [`Fee ${fee_amount} ${currency}`]),
    ...(exchanged_amount === null ? [] : [`Exchanged ${exchanged_amount} ${exchanged_currency} at ${exchange_rate}`]),
  ]
  return parts.length === 0 ? undefined : parts.join('. ')
}

const givesBack = new Set(['PAYMENT_RETURN', 'PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION'])
const exchanges = new Set(['CCY_EXCHANGE', 'FX_POSITION_CLOSING'])
const bookings: Readonly<Record<string, string>> = { FEE: 'CHRG', FEE_CANCELLATION: 'CHRG', ADJUSTMENT: 'ADJT' }

function domainOf({ transfer_type }: StatementLine): string {
  if (transfer_type !== null && exchanges.has(transfer_type)) return 'FORX'
  return transfer_type !== null && transfer_type in bookings ? 'ACMT' : 'PMNT'
}

function codeOf({ method, transfer_type, amount }: StatementLine): StatementCode {
  const isDebit = amount.startsWith('-')
  if (method === null || transfer_type === null) return ['OTHR', 'OTHR']
  if (exchanges.has(transfer_type)) return ['SPOT', 'OTHR']
  const booking = bookings[transfer_type]
  if (booking !== undefined) return [isDebit ? 'MDOP' : 'MCOP', booking]
  const [family, subfamily] = methods[method].codes[isDebit ? 'debit' : 'credit']
  if (!givesBack.has(transfer_type)) return [family, subfamily]
  // Returns are named after the original payment: an incoming return belongs to an issued one, an outgoing return to a received one.
  return subfamily === 'ESDD' ? [isDebit ? 'IDDT' : 'RDDT', 'UPDD'] : [isDebit ? 'RCDT' : 'ICDT', 'RRTN']
}

/** Characters that XML cannot carry. Old texts may contain them, from before they were refused. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be written.
const written = (text: string): string => text.toWellFormed().replaceAll(/[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g, '\uFFFD')

const cut = (text: string, most: number): string => Array.from(written(text)).slice(0, most).join('')
