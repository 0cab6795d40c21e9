// Statements as camt.053, which accounting programs read. The message is built from the head and the lines alone, and is refused unless
// opening balance and entries add up to the closing balance.
import { creditorIdScheme, type EntryDetail, endToEndIdOf, type StatementEntry, txIdOf, writeMessage } from '../iso20022/iso20022.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { PaymentParty, TransferDetails } from '../transfers/life/transfers.details.ts'
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
  const { transfer_id, purpose, details = {} } = line
  const isCredit = signed >= 0n
  const other = counterpartyOf(line)
  const own = head.account_number
  const tx_id = transfer_id === null ? undefined : txIdOf(transfer_id)
  const references = referencesOf(line)
  return {
    ...(tx_id === undefined ? {} : { tx_id, end_to_end_id: endToEndIdOf(line.unique_reference, tx_id) }),
    ...saidIn(details),
    amount: isCredit ? signed : -signed,
    currency: head.currency,
    direction: isCredit ? 'CRDT' : 'DBIT',
    ...(isCredit
      ? { debtor: other.party, debtor_iban: other.iban, debtor_account: other.account, debtor_bic: other.bic, creditor_iban: own }
      : {
          creditor: collecting(other.party, details),
          creditor_iban: other.iban,
          creditor_account: other.account,
          creditor_bic: other.bic,
          debtor_iban: own,
        }),
    ...(purpose === null ? {} : { remittance: [cut(purpose, 140)] }),
    ...(references.length === 0 ? {} : { references }),
  }
}

/** What the message said, in the elements that a statement has for it. The ids of the other bank take the place of ours. */
function saidIn({ end_to_end_id, instruction_id, uetr, transaction_id, clearing_reference, mandate_reference, ...said }: TransferDetails) {
  const agent = (role: string) => {
    const found = said.agents?.find((one) => one.role === role)
    return found && { ...(found.bic && { bic: found.bic }), ...(found.name && { name: cut(found.name, 140) }) }
  }
  return given({
    end_to_end_id,
    instruction_id,
    uetr,
    tx_id: transaction_id,
    clearing_reference,
    mandate_reference,
    initiating_party: partyOf(said.initiating_party),
    ultimate_debtor: partyOf(said.ultimate_debtor),
    ultimate_creditor: partyOf(said.ultimate_creditor),
    intermediary_1: agent('intermediary_1'),
    intermediary_2: agent('intermediary_2'),
    intermediary_3: agent('intermediary_3'),
  })
}

/** Without the fields that have no value. */
function given<Fields extends object>(fields: Fields): { [Name in keyof Fields]?: NonNullable<Fields[Name]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}

function partyOf(party: PaymentParty | undefined) {
  if (party === undefined) return undefined
  const { name, bic, lei } = party
  return { ...(name !== undefined && { name: cut(name, 140) }), ...(lei !== undefined ? { lei } : bic !== undefined && { bic }) }
}

/** The creditor of a direct debit has the identifier under which it collects. */
function collecting(creditor: { name: string } | undefined, { creditor_id: id }: TransferDetails) {
  return id === undefined ? creditor : { ...creditor, ids: [{ id, scheme: creditorIdScheme }] }
}

/** The structured reference, and what the payer wrote in addition: at most three lines with each. */
function referencesOf({ structured_reference: text, details: { additional_remittance: lines = [] } = {} }: StatementLine) {
  const named = text === null || [...text].length > 35 ? {} : referenceOf(text)
  const additional = lines.map((line) => cut(line, 140))
  const parts = Array.from({ length: Math.max(1, Math.ceil(additional.length / mostWithReference)) }, (_, part) => {
    const some = additional.slice(part * mostWithReference, (part + 1) * mostWithReference)
    return { ...(part === 0 && named), ...(some.length > 0 && { additional: some }) }
  })
  return parts.filter((part) => Object.keys(part).length > 0)
}

const mostWithReference = 3

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
