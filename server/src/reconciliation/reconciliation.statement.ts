// A statement of a nostro as plain values: its entries, split into payments where the other bank itemises them, and whether it is the next one. Pure.
import { hash } from 'node:crypto'
import { boundsOf, type EntryDetail, type Notification, type Statement, type StatementEntry } from '../iso20022/iso20022.ts'
import { type Money, moneyText, toNumeric } from '../values/money.ts'

/** A booking of the other bank. `part`: its number among the payments of one entry. */
export type Item = {
  amount: Money
  booked_on: string
  value_on: string
  servicer_reference: string | null
  part: number
  message_id: string | null
  tx_id: string | null
  end_to_end_id: string | null
  counterparty_name: string | null
  counterparty_iban: string | null
  transaction_code: string | null
  information: string | null
}

/** A statement before it is applied. `booked`: its entries that changed the balance. */
export type NewStatement = {
  account: string
  currency: string
  statement_id: string
  sequence: number | undefined
  opening: Money
  closing: Money
  opened_on: string
  closed_on: string
  until: string
  booked: readonly StatementEntry[]
  sha256: string
}

/** Why a statement is not applied. The words are shown with the message. */
export const refusals = {
  nostro_unknown: 'The bank has no nostro with this account.',
  currency_differs: 'The statement is in another currency than the nostro.',
  balances_differ: 'The opening balance and the entries do not add up to the closing balance.',
  sequence_missing: 'The statement has no number.',
  sequence_differs: 'The statement is not the next one.',
  opening_differs: 'The statement does not begin where the one before ended.',
  date_differs: 'The statement ends before the one before.',
  statement_differs: 'Another statement with this number has been applied.',
} as const
export type RefusalReason = keyof typeof refusals

export type Refused = { reason: RefusalReason; detail: string }

/** What is stored about the previous statement. */
export type LastStatement = { sequence: number; closing: Money; closed_on: string }

const unknownReference = 'NOTPROVIDED'

const referenceOf = (text: string | undefined): string | null => (text === undefined || text === unknownReference ? null : text)

export function accountOf({ account }: Pick<Statement | Notification, 'account'>): string {
  return (account.iban ?? account.account ?? '').toUpperCase()
}

export function newStatement(statement: Statement): NewStatement {
  const { opening, closing } = boundsOf(statement)
  // The reader refuses a statement without these balances.
  if (opening === undefined || closing === undefined) throw new Error(`statement ${statement.statement_id} has no balances`)
  const dates = (wanted: readonly string[]) => statement.balances.find(({ type }) => wanted.includes(type ?? ''))?.date ?? ''
  const closed_on = dates(['CLBD'])
  const opened_on = statement.from_time?.slice(0, 10) ?? dates(['OPBD', 'PRCD'])
  const booked = statement.entries.filter(({ status }) => status === 'BOOK')
  return {
    account: accountOf(statement),
    currency: opening.currency,
    statement_id: statement.statement_id,
    sequence: statement.sequence ?? statement.legal_sequence,
    opening: opening.amount,
    closing: closing.amount,
    opened_on: opened_on < closed_on ? opened_on : closed_on,
    closed_on,
    until: statement.to_time ?? `${closed_on}T23:59:59.999Z`,
    booked,
    sha256: hash('sha256', JSON.stringify([opening, closing, closed_on, booked], jsonOf)),
  }
}

const jsonOf = (_name: string, value: unknown) => (typeof value === 'bigint' ? toNumeric(value) : value)

/**
 * Whether a statement is the next one. Banks count statements from 1 in each year, so the first of a later year may be 1 again. The first
 * statement that the bank gets begins with the prefunding of the nostro, whatever its number.
 */
export function refusalOf(
  { currency, prefunding }: { currency: string; prefunding: Money },
  last: LastStatement | undefined,
  statement: Pick<NewStatement, 'currency' | 'sequence' | 'opening' | 'closing' | 'closed_on' | 'booked'>,
): Refused | undefined {
  const { sequence, opening, closing, closed_on } = statement
  const text = (money: Money) => moneyText(money, currency)
  if (statement.currency !== currency)
    return refused('currency_differs', `It is in ${statement.currency}, but the nostro is in ${currency}.`)
  const reached = statement.booked.reduce((sum, { amount }) => sum + amount, opening)
  if (reached !== closing) return refused('balances_differ', `It should close at ${text(reached)}, but states ${text(closing)}.`)
  if (sequence === undefined) return refused('sequence_missing')
  if (last === undefined)
    return opening === prefunding
      ? undefined
      : refused('opening_differs', `It opens at ${text(opening)}, but the prefunding is ${text(prefunding)}.`)
  const isFirstOfYear = sequence === 1 && closed_on.slice(0, 4) > last.closed_on.slice(0, 4)
  if (sequence !== last.sequence + 1 && !isFirstOfYear)
    return refused('sequence_differs', `Its number is ${sequence}, but the next is ${last.sequence + 1}.`)
  if (opening !== last.closing)
    return refused('opening_differs', `It opens at ${text(opening)}, but the previous statement closed at ${text(last.closing)}.`)
  return closed_on >= last.closed_on
    ? undefined
    : refused('date_differs', `It ends on ${closed_on}, but the previous statement ended on ${last.closed_on}.`)
}

export function refused(reason: RefusalReason, detail?: string): Refused {
  return { reason, detail: detail === undefined ? refusals[reason] : `${refusals[reason]} ${detail}` }
}

/** The message that an entry settles as a whole, such as a pack. */
export function messageOf({ details = [] }: StatementEntry): string | undefined {
  const transactions = details.flatMap((detail) => detail.transactions)
  return details.find(({ batch }) => batch?.message_id !== undefined)?.batch?.message_id ?? only(transactions)?.message_id
}

const only = <Value>(values: readonly Value[]): Value | undefined => (values.length === 1 ? values[0] : undefined)

/** The parts of an entry. It stays whole if `isWhole` says so, or if its itemised payments do not add up to it. */
export function itemsOf(entry: StatementEntry, day: string, isWhole: (message_id: string, amount: Money) => boolean): Item[] {
  const { amount, currency, details = [] } = entry
  const transactions = details.flatMap((detail) => detail.transactions)
  const message_id = messageOf(entry)
  const whole = itemOf(entry, only(transactions) ?? {}, day, message_id)
  if (transactions.length < 2 || (message_id !== undefined && isWhole(message_id, amount))) return [whole]
  const parts = transactions.map((detail, part) => ({
    ...itemOf(entry, detail, day, message_id ?? detail.message_id),
    amount: signed(detail, amount),
    part,
  }))
  const sum = parts.reduce((total, part) => total + part.amount, 0n)
  const isComplete =
    sum === amount && transactions.every((detail) => detail.currency === currency) && parts.every((part) => part.amount !== 0n)
  return isComplete ? parts : [whole]
}

function signed({ amount = 0n, direction }: EntryDetail, whole: Money): Money {
  const isDebit = direction === undefined ? whole < 0n : direction === 'DBIT'
  return isDebit ? -amount : amount
}

function itemOf(entry: StatementEntry, detail: EntryDetail, day: string, message_id: string | undefined): Item {
  const { amount, booked_on = entry.value_on ?? day, domain, family, subfamily, proprietary_code } = entry
  const comesIn = signed({ ...detail, amount: detail.amount ?? 1n }, amount) > 0n
  const party = comesIn ? detail.debtor : detail.creditor
  const iban = comesIn ? (detail.debtor_iban ?? detail.debtor_account) : (detail.creditor_iban ?? detail.creditor_account)
  return {
    amount,
    booked_on,
    value_on: entry.value_on ?? booked_on,
    servicer_reference: entry.servicer_reference ?? entry.entry_id ?? null,
    part: 0,
    message_id: referenceOf(message_id),
    tx_id: referenceOf(detail.tx_id),
    end_to_end_id: referenceOf(detail.end_to_end_id),
    counterparty_name: party?.name ?? null,
    counterparty_iban: iban?.toUpperCase() ?? null,
    transaction_code: domain === undefined ? (proprietary_code ?? null) : `${domain}/${family}/${subfamily}`,
    information: detail.information ?? entry.information ?? null,
  }
}
