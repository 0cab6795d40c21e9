// SQL statements for the simulated bank.
import { createHash } from 'node:crypto'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { Columns, read, write } from '../../platform/database/sql.ts'
import { fromNumeric, toNumeric } from '../../values/money.ts'
import type { BankEntry, BankPayment, BankRecall } from './sandbox.bank.payments.ts'
import type { BankStatement } from './sandbox.bank.statement.ts'

/** How many numbers one transaction may use: the increment of the sequence. */
export const numbersAtOnce = 100_000

/** The first of the numbers reserved for the caller. */
export async function takeNumbers(reader: Reader): Promise<bigint> {
  const row = await reader.first(read<{ number: string }>`select nextval('sandbox_bank_numbers')::text as number`)
  return BigInt(row?.number ?? 0)
}

// Files.

export type FileToBank = {
  name: string
  sha256: string
  bytes: Uint8Array
  type: string | null
  message_id: string | null
  state: 'RECEIVED' | 'REPEATED' | 'REFUSED'
  detail: string | null
  number: bigint
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export async function findReceivedFile(reader: Reader, name: string): Promise<{ sha256: string } | undefined> {
  return reader.first(read<{ sha256: string }>`select sha256 from sandbox_bank_files where direction = 'TO_BANK' and name = ${name}`)
}

/** False if a file with this name, or a message with this id, already exists. */
export async function writeReceivedFile(tx: Tx, file: FileToBank, at: Date): Promise<boolean> {
  const { name, sha256, bytes, type, message_id, state, detail, number } = file
  const written = await tx.run(write`
    insert into sandbox_bank_files (direction, name, number, sha256, body, type, message_id, state, detail, created_at)
    values ('TO_BANK', ${name}, ${number.toString()}, ${sha256}, ${bytes}, ${type}, ${message_id}, ${state}, ${detail}, ${at})
    on conflict do nothing`)
  return written > 0
}

export type FileFromBank = { name: string; bytes: Uint8Array; type: string; about: string | null }

export function sendFile(tx: Tx, { name, bytes, type, about }: FileFromBank, number: bigint, at: Date): void {
  tx.send(write`
    insert into sandbox_bank_files (direction, name, number, sha256, body, type, message_id, state, created_at)
    values ('FROM_BANK', ${name}, ${number.toString()}, ${hashOf(bytes)}, ${bytes}, ${type}, ${about}, 'WAITING', ${at})`)
}

/** Sends the answers to a message again, in files with other names. */
export function sendAnswersAgain(tx: Tx, message_id: string, number: bigint, at: Date): void {
  tx.send(write`
    insert into sandbox_bank_files (direction, name, number, sha256, body, type, message_id, state, created_at)
    select 'FROM_BANK', 'again-' || ${number.toString()}::text || '-' || name, ${number.toString()}::bigint, sha256, body, type, message_id,
      'WAITING', ${at}::timestamptz
    from sandbox_bank_files where direction = 'FROM_BANK' and message_id = ${message_id} and name not like 'again-%'`)
}

const mostListed = 10_000

export async function listWaitingFiles(reader: Reader): Promise<string[]> {
  const files = await reader.rows(read<{ name: string }>`
    select name from sandbox_bank_files where state = 'WAITING' order by number limit ${mostListed}`)
  return files.map(({ name }) => name)
}

/** The size comes first: a file that is too large is not read. */
export async function sizeOfFile(reader: Reader, name: string): Promise<number | undefined> {
  const file = await reader.first(read<{ size: number }>`
    select octet_length(body) as size from sandbox_bank_files where direction = 'FROM_BANK' and name = ${name}`)
  return file?.size
}

export async function readFileFromBank(reader: Reader, name: string): Promise<Buffer | undefined> {
  const file = await reader.first(read<{ body: Buffer }>`
    select body from sandbox_bank_files where direction = 'FROM_BANK' and name = ${name}`)
  return file?.body
}

export async function putFileAway(tx: Tx, name: string, state: 'TAKEN' | 'FAILED'): Promise<void> {
  await tx.run(write`
    update sandbox_bank_files set state = ${state} where direction = 'FROM_BANK' and name = ${name} and state = 'WAITING'`)
}

// Payments.

type Stored<Row, Changed extends keyof Row> = Omit<Row, Changed> & { [Name in Changed]: string }

const paymentColumns = [
  'message_id',
  'position',
  'message_count',
  'direction',
  'kind',
  'rail',
  'tx_id',
  'end_to_end_id',
  'original_tx_id',
  'amount',
  'currency',
  'effect',
  'debtor',
  'debtor_iban',
  'creditor',
  'creditor_iban',
  'remittance',
  'due_on',
  'state',
  'reason',
  'settled_on',
  'next',
  'next_at',
]
const columns = new Columns(paymentColumns)

type PaymentRow = Stored<Omit<BankPayment, 'next_at'>, 'amount' | 'effect'> & { next_at: string | null }

function paymentOf({ amount, effect, next_at, ...row }: PaymentRow): BankPayment {
  return { ...row, amount: fromNumeric(amount), effect: fromNumeric(effect), next_at: next_at === null ? null : new Date(next_at) }
}

function rowOf({ amount, effect, ...payment }: BankPayment) {
  return { ...payment, amount: toNumeric(amount), effect: toNumeric(effect) }
}

/** The payments with these transaction ids, their returns, and the payments of these messages, oldest first. They stay locked. */
export async function lockPayments(tx: Tx, tx_ids: readonly string[], message_ids: readonly string[]): Promise<BankPayment[]> {
  if (tx_ids.length === 0 && message_ids.length === 0) return []
  const rows = await tx.rows(read<PaymentRow>`
    select ${columns} from sandbox_bank_payments
    where tx_id = any(${tx_ids}) or original_tx_id = any(${tx_ids}) or message_id = any(${message_ids})
    order by number, message_id, position for update`)
  return rows.map(paymentOf)
}

/** `at`: now. `cycleUntil`: payments whose cycle would come before this time are already due. */
export type Due = { at: Date; cycleUntil: Date }

/** How many messages one transaction moves, with up to 5,000 payments each. */
const messagesAtOnce = 4

/** Due payments of the messages that have waited longest. They stay locked; rows that another instance has locked are skipped. */
export async function lockDue(tx: Tx, { at, cycleUntil }: Due): Promise<BankPayment[]> {
  const rows = await tx.rows(read<PaymentRow>`
    select ${columns} from sandbox_bank_payments
    where message_id in (
        select message_id from sandbox_bank_payments
        where next is not null and (next_at <= ${at} or (next <> 'ANSWER' and next_at < ${cycleUntil}))
        group by message_id order by min(next_at), message_id limit ${messagesAtOnce})
      and next is not null and (next_at <= ${at} or (next <> 'ANSWER' and next_at < ${cycleUntil}))
    order by number, message_id, position for update skip locked`)
  return rows.map(paymentOf)
}

export function writePayments(tx: Tx, payments: readonly BankPayment[], number: bigint, at: Date): void {
  if (payments.length === 0) return
  const rows = payments.map((payment) => ({ ...rowOf(payment), number: Number(number), created_at: at }))
  tx.send(write`
    insert into sandbox_bank_payments (${columns}, number, created_at)
    select ${columns}, number, created_at from json_populate_recordset(null::sandbox_bank_payments, ${JSON.stringify(rows)})`)
}

export function updatePayments(tx: Tx, payments: readonly BankPayment[]): void {
  if (payments.length === 0) return
  const rows = payments.map(({ message_id, position, state, reason, settled_on, next, next_at }) => {
    return { message_id, position, state, reason, settled_on, next, next_at }
  })
  tx.send(write`
    update sandbox_bank_payments payment
    set state = new.state, reason = new.reason, settled_on = new.settled_on, next = new.next, next_at = new.next_at
    from json_populate_recordset(null::sandbox_bank_payments, ${JSON.stringify(rows)}) as new
    where payment.message_id = new.message_id and payment.position = new.position`)
}

export async function findPaymentIn(reader: Reader, tx_id: string): Promise<BankPayment | undefined> {
  const row = await reader.first(read<PaymentRow>`
    select ${columns} from sandbox_bank_payments where tx_id = ${tx_id} and direction = 'IN' and kind <> 'RETURN'`)
  return row && paymentOf(row)
}

export async function listNewestPayments(reader: Reader, most: number): Promise<BankPayment[]> {
  const rows = await reader.rows(read<PaymentRow>`
    select ${columns} from sandbox_bank_payments order by number desc, position desc limit ${most}`)
  return rows.map(paymentOf)
}

export async function countPayments(reader: Reader): Promise<{ state: BankPayment['state']; count: number }[]> {
  return reader.rows(read<{ state: BankPayment['state']; count: number }>`
    select state, count(*)::int as count from sandbox_bank_payments group by state order by state`)
}

/**
 * What the bank has seen of a transaction of ours. `presented`: in how many messages that it did not refuse whole; more than 1 means that
 * it was sent twice.
 */
export type Count = { tx_id: string; presented: number; settled: number; amount: string }

export async function countTransactions(reader: Reader): Promise<Count[]> {
  return reader.rows(read<Count>`
    select tx_id, count(*) filter (where state <> 'REFUSED')::int as presented,
      count(*) filter (where state in ('SETTLED', 'RETURNED'))::int as settled, max(amount)::text as amount
    from sandbox_bank_payments where direction = 'OUT' group by tx_id order by tx_id`)
}

// Entries and statements.

const entryColumns = [
  'number',
  'booked_on',
  'amount',
  'currency',
  'family',
  'subfamily',
  'message_id',
  'count',
  'tx_id',
  'end_to_end_id',
  'debtor',
  'debtor_iban',
  'creditor',
  'creditor_iban',
  'remittance',
  'reason',
]
const ofEntries = new Columns(entryColumns)

type EntryRow = Omit<BankEntry, 'number' | 'amount'> & { number: number; amount: string }

export function writeEntries(tx: Tx, entries: readonly BankEntry[]): void {
  if (entries.length === 0) return
  const rows = entries.map(({ number, amount, ...entry }) => ({ ...entry, number: Number(number), amount: toNumeric(amount) }))
  tx.send(write`
    insert into sandbox_bank_entries (${ofEntries})
    select ${ofEntries} from json_populate_recordset(null::sandbox_bank_entries, ${JSON.stringify(rows)})`)
}

/** Entries that are not on a statement yet. */
export async function lockUnstated(tx: Tx): Promise<BankEntry[]> {
  const rows = await tx.rows(read<EntryRow>`
    select ${ofEntries} from sandbox_bank_entries where statement is null order by number for update`)
  return rows.map(({ number, amount, ...row }) => ({ ...row, number: BigInt(number), amount: fromNumeric(amount) }))
}

export async function findLastStatement(reader: Reader): Promise<{ sequence: number; closing: string } | undefined> {
  return reader.first(read<{ sequence: number; closing: string }>`
    select sequence, closing from sandbox_bank_statements order by sequence desc limit 1`)
}

export function writeStatement(tx: Tx, statement: BankStatement, file: string, at: Date): void {
  const { sequence, date, opening, closing, entries } = statement
  tx.send(write`
    insert into sandbox_bank_statements (sequence, date, opening, closing, entry_count, file, created_at)
    values (${sequence}, ${date}, ${toNumeric(opening)}, ${toNumeric(closing)}, ${entries.length}, ${file}, ${at})`)
  if (entries.length === 0) return
  tx.send(write`
    update sandbox_bank_entries set statement = ${sequence}
    where number = any(${entries.map(({ number }) => number.toString())}::bigint[])`)
}

/** The sum of all entries. */
export async function sumOfEntries(reader: Reader): Promise<string> {
  const row = await reader.first(read<{ sum: string }>`select coalesce(sum(amount), 0)::text as sum from sandbox_bank_entries`)
  return row?.sum ?? '0'
}

// Recalls.

export async function lockRecalls(tx: Tx, tx_ids: readonly string[]): Promise<BankRecall[]> {
  if (tx_ids.length === 0) return []
  return tx.rows(read<BankRecall>`
    select cancellation_id, direction, tx_id, reason, state from sandbox_bank_recalls
    where tx_id = any(${tx_ids}) order by cancellation_id for update`)
}

export function writeRecalls(tx: Tx, recalls: readonly BankRecall[], at: Date): void {
  if (recalls.length === 0) return
  const rows = recalls.map((recall) => ({ ...recall, created_at: at }))
  tx.send(write`
    insert into sandbox_bank_recalls (cancellation_id, direction, tx_id, reason, state, created_at)
    select cancellation_id, direction, tx_id, reason, state, created_at
    from json_populate_recordset(null::sandbox_bank_recalls, ${JSON.stringify(rows)})
    on conflict (cancellation_id) do update set state = excluded.state`)
}
