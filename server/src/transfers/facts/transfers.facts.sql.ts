// SQL statements for the bookings of the bank's side: claims on messages, unapplied payments and breaks. The last two are in the house's books.
import type { Frozen } from '../../clients/clients.ts'
import type { Actor } from '../../platform/actor.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { columnsOf, fixed, fragment, read, write } from '../../platform/database/sql.ts'
import { equals, type Filters, given, pageWith } from '../../platform/http/lists.ts'
import { fromNumeric, type Money } from '../../values/money.ts'
import { houseId } from '../../ventures/ventures.ts'
import { type TransferStatus, terminalStatuses } from '../life/transfers.status.ts'
import type { Key } from '../writing/transfers.keys.ts'
import { BookedFact, type BookedFactList, Break, type BreakList, type UnappliedList, UnappliedPayment } from './transfers.facts.schemas.ts'

const factColumns = columnsOf(BookedFact)
const unappliedColumns = columnsOf(UnappliedPayment)
const breakColumns = columnsOf(Break)

/** What identifies a message, whichever way it arrives. */
export type Message = Pick<BookedFact, 'sender' | 'kind' | 'tx_id'>

export function findFacts(reader: Reader, messages: readonly Message[]): Promise<BookedFact[]> {
  return reader.rows(read<BookedFact>`
    select ${factColumns} from inbound_claims where (sender, kind, tx_id) in (
      select * from unnest(
        ${messages.map(({ sender }) => sender)}::text[],
        ${messages.map(({ kind }) => kind)}::text[],
        ${messages.map(({ tx_id }) => tx_id)}::text[]))`)
}

/** The messages are locked, and nobody has claimed them. */
export function insertFacts(tx: Tx, facts: readonly BookedFact[]): void {
  tx.send(write`
    insert into inbound_claims (sender, kind, tx_id, id, venture_id, booked_as, created_at)
    select * from unnest(
      ${facts.map(({ sender }) => sender)}::text[],
      ${facts.map(({ kind }) => kind)}::text[],
      ${facts.map(({ tx_id }) => tx_id)}::text[],
      ${facts.map(({ id }) => id)}::uuid[],
      ${facts.map(({ venture_id }) => venture_id)}::uuid[],
      ${facts.map(({ booked_as }) => booked_as)}::text[],
      ${facts.map(({ created_at }) => created_at)}::timestamptz[])`)
}

const factFilters: Filters<BookedFactList> = { booked_as: equals(fragment`booked_as`) }

export function selectFacts(reader: Reader, query: BookedFactList): Promise<BookedFact[]> {
  return reader.rows(read<BookedFact>`select ${factColumns} from inbound_claims where ${pageWith(query, given(query, factFilters))}`)
}

export function findFact(reader: Reader, id: string): Promise<BookedFact | undefined> {
  return reader.first(read<BookedFact>`select ${factColumns} from inbound_claims where id = ${id}`)
}

/** The message that brought a transfer. */
export function findFactOf(reader: Reader, { venture_id, id }: Key): Promise<BookedFact | undefined> {
  return reader.first(read<BookedFact>`select ${factColumns} from inbound_claims where id = ${id} and venture_id = ${venture_id}`)
}

/** An account that the bank's side may book on. */
export type FoundAccount = {
  venture_id: string
  id: string
  client_id: string
  account_number: string
  currency: string
  status: string
  frozen_by_bank: boolean
  sequence: number
  notes: number
  available_balance: string
}

const accountColumns = fixed`
  venture_id, id, client_id, account_number, currency, status, frozen_by_bank, sequence, notes, current_balance - reserved_balance as available_balance`

export function findAccountByNumber(reader: Reader, venture_ids: readonly string[], iban: string): Promise<FoundAccount | undefined> {
  return reader.first(read<FoundAccount>`
    select ${accountColumns} from accounts where venture_id = any(${venture_ids}) and account_number = ${iban}`)
}

export function findAccount(reader: Reader, venture_id: string, id: string): Promise<FoundAccount | undefined> {
  return reader.first(read<FoundAccount>`
    select ${accountColumns} from accounts where venture_id = ${venture_id} and id = ${id}`)
}

export type Payee = { client_id: string; name: string; first_name: string; last_name: string }

/** A beneficiary with its client. */
export function findPayee(reader: Reader, venture_id: string, beneficiary_id: string): Promise<Payee | undefined> {
  return reader.first(read<Payee>`
    select beneficiary.client_id, beneficiary.name, client.first_name, client.last_name
    from beneficiaries beneficiary join clients client on client.venture_id = beneficiary.venture_id and client.id = beneficiary.client_id
    where beneficiary.venture_id = ${venture_id} and beneficiary.id = ${beneficiary_id}`)
}

/** The client of an account. Money of a blacklisted client may be frozen for sanctions. */
export type Owner = { first_name: string; last_name: string; is_blacklisted: boolean }

export function findOwner(reader: Reader, venture_id: string, client_id: string): Promise<Owner | undefined> {
  return reader.first(read<Owner>`
    select first_name, last_name, is_blacklisted from clients where venture_id = ${venture_id} and id = ${client_id}`)
}

const unappliedFilters: Filters<UnappliedList> = { status: equals(fragment`status`) }

export function selectUnapplied(reader: Reader, query: UnappliedList): Promise<UnappliedPayment[]> {
  return reader.rows(read<UnappliedPayment>`
    select ${unappliedColumns} from unapplied_payments
    where venture_id = ${houseId} and ${pageWith(query, given(query, unappliedFilters))}`)
}

export function findUnapplied(reader: Reader, id: string): Promise<UnappliedPayment | undefined> {
  return reader.first(read<UnappliedPayment>`
    select ${unappliedColumns} from unapplied_payments where venture_id = ${houseId} and id = ${id}`)
}

/** How much of a payment has come back, to its account or to the house. Read while the payment is locked. */
export async function sumReturned(tx: Tx, { venture_id, id }: Key): Promise<Money> {
  const sums = await tx.rows(read<{ sum: string }>`
    select coalesce(sum(debit_amount), 0) as sum from transfers
    where venture_id = ${venture_id} and parent_transaction_id = ${id} and direction = 'INBOUND' and status = 'COMPLETED'
      and transfer_type <> 'FEE_CANCELLATION'
    union all
    select coalesce(sum(amount), 0) from unapplied_payments
    where venture_id = ${houseId} and client_venture_id = ${venture_id} and parent_transaction_id = ${id} and reason <> 'RETURN_REFUSED'`)
  return sums.reduce((total, { sum }) => total + fromNumeric(sum), 0n)
}

export function insertUnapplied(tx: Tx, payment: UnappliedPayment): void {
  tx.send(write`
    insert into unapplied_payments (venture_id, ${unappliedColumns})
    select ${houseId}::uuid, ${unappliedColumns} from json_populate_record(null::unapplied_payments, ${JSON.stringify(payment)})`)
}

const breakFilters: Filters<BreakList> = {
  status: equals(fragment`status`),
  kind: equals(fragment`kind`),
  nostro_id: equals(fragment`nostro_id`),
}

export function selectBreaks(reader: Reader, query: BreakList): Promise<Break[]> {
  return reader.rows(read<Break>`
    select ${breakColumns} from breaks where venture_id = ${houseId} and ${pageWith(query, given(query, breakFilters))}`)
}

export function findBreak(reader: Reader, id: string): Promise<Break | undefined> {
  return reader.first(read<Break>`select ${breakColumns} from breaks where venture_id = ${houseId} and id = ${id}`)
}

export function insertBreaks(tx: Tx, rows: readonly Break[]): void {
  if (rows.length === 0) return
  tx.send(write`
    insert into breaks (venture_id, ${breakColumns})
    select ${houseId}::uuid, ${breakColumns} from json_populate_recordset(null::breaks, ${JSON.stringify(rows)})`)
}

type Locked = { id: string; status: string }

/** Locks rows of the house in the order of their ids. Without `wait`, skips rows that another transaction has locked. */
export function lockUnapplied(tx: Tx, ids: readonly string[], wait: boolean): Promise<Locked[]> {
  return wait
    ? tx.rows(read<Locked>`
        select id, status from unapplied_payments where venture_id = ${houseId} and id = any(${ids}) order by id for update`)
    : tx.rows(read<Locked>`
        select id, status from unapplied_payments where venture_id = ${houseId} and id = any(${ids}) order by id for update skip locked`)
}

export function lockBreaks(tx: Tx, ids: readonly string[], wait: boolean): Promise<Locked[]> {
  return wait
    ? tx.rows(read<Locked>`select id, status from breaks where venture_id = ${houseId} and id = any(${ids}) order by id for update`)
    : tx.rows(read<Locked>`
        select id, status from breaks where venture_id = ${houseId} and id = any(${ids}) order by id for update skip locked`)
}

export type Decided = { id: string; actor: Actor; decided_at: string }

export type UnappliedDecision = Decided &
  Pick<UnappliedPayment, 'status' | 'applied_venture_id' | 'transfer_id' | 'payout_name' | 'payout_iban' | 'paid_out_over'>

export function decideUnapplied(tx: Tx, { id, actor, decided_at, ...decision }: UnappliedDecision): void {
  tx.send(write`
    update unapplied_payments set status = ${decision.status}, applied_venture_id = ${decision.applied_venture_id},
      transfer_id = ${decision.transfer_id}, payout_name = ${decision.payout_name}, payout_iban = ${decision.payout_iban},
      paid_out_over = ${decision.paid_out_over}, actor = ${actor.kind}, actor_id = ${actor.id}, decided_at = ${decided_at}
    where venture_id = ${houseId} and id = ${id} and status = 'OPEN'`)
}

export type BreakDecision = Decided & Pick<Break, 'status' | 'transfer_id' | 'collected_over' | 'collection_id' | 'counter_id'>

export function decideBreak(tx: Tx, { id, actor, decided_at, ...decision }: BreakDecision): void {
  tx.send(write`
    update breaks set status = ${decision.status}, transfer_id = ${decision.transfer_id}, collected_over = ${decision.collected_over},
      collection_id = ${decision.collection_id}, counter_id = ${decision.counter_id}, actor = ${actor.kind}, actor_id = ${actor.id}, decided_at = ${decided_at}
    where venture_id = ${houseId} and id = ${id} and status = 'OPEN'`)
}

/** Selects a row that exists only if its transaction committed. */
export const selectEntry = (id: string) => read`select id from entries where venture_id = ${houseId} and id = ${id}`

export type UnsentTransfer = { id: string; status: TransferStatus }

/**
 * The unsent, unended transfers of a client, or of one account, that the bank processes and does not hold yet. Of exempt ones only
 * pay-outs, and only if the client is blacklisted.
 */
export function selectUnsent(
  reader: Reader,
  { venture_id, client_id, account_id = null }: Omit<Frozen, 'account_id'> & { account_id?: string | null },
): Promise<UnsentTransfer[]> {
  return reader.rows(read<UnsentTransfer>`
    select transfer.id, transfer.status
    from transfers transfer join accounts account on account.venture_id = transfer.venture_id and account.id = transfer.account_id
      join clients client on client.venture_id = account.venture_id and client.id = account.client_id
    where transfer.venture_id = ${venture_id} and account.venture_id = ${venture_id} and account.client_id = ${client_id}
      and (${account_id}::uuid is null or account.id = ${account_id}) and transfer.managed
      and transfer.direction = 'OUTBOUND' and not transfer.sent and not transfer.on_hold_by_bank
      and (not transfer.exempt
        or (client.is_blacklisted and transfer.transfer_type = 'PAYMENT' and transfer.beneficiary_id is not null))
      and transfer.status <> all(${terminalStatuses})
    order by transfer.id`)
}
