// SQL statements for the inbox.

import type { MessageType } from '../../iso20022/iso20022.ts'
import type { Reader, Tx } from '../../platform/database/database.ts'
import { Columns, listed, read, write } from '../../platform/database/sql.ts'
import { houseId } from '../../ventures/ventures.ts'
import { paymentColumns, type RailPayment } from '../packs/rails.attempts.sql.ts'
import { answerableStates, type PackRow } from '../packs/rails.packs.sql.ts'

/** Finds the message if its transaction was committed. */
export const evidenceOf = (id: string) => read`select id from rail_messages where id = ${id}`

/** A file as it was received. */
export type ReceivedFile = {
  id: string
  file: string
  sha256: string
  body: Uint8Array
  type: MessageType | null
  message_id: string | null
  sender: string | null
  state: 'RECEIVED' | 'REFUSED'
  reason: string | null
  detail: string | null
  created_at: string
}

export type StoredMessage = { id: string; type: MessageType; message_id: string; sender: string; created_at: string }
type KnownMessage = { id: string; state: string; sha256: string }

/** False if the file, or another message with its id, is already stored. */
export async function insertReceived(tx: Tx, file: ReceivedFile): Promise<boolean> {
  const { id, type, message_id, sender, sha256, body, state, reason, detail, created_at } = file
  const inserted = await tx.run(write`
    insert into rail_messages (era, xid, id, direction, type, message_id, sender, file, sha256, body, state, reason, detail, created_at, updated_at)
    values (current_era(), pg_current_xact_id(), ${id}, 'IN', ${type}, ${message_id}, ${sender}, ${file.file}, ${sha256}, ${Buffer.from(body)}, ${state}, ${reason}, ${detail},
      ${created_at}, ${created_at})
    on conflict do nothing`)
  return inserted === 1
}

export function findMessage(
  reader: Reader,
  id: string,
): Promise<(KnownMessage & { reason: string | null; detail: string | null; file: string }) | undefined> {
  return reader.first(read<KnownMessage & { reason: string | null; detail: string | null; file: string }>`
    select id, state, sha256, reason, detail, file from rail_messages where id = ${id} and direction = 'IN'`)
}

export const selectStored = (id: string) => read<StoredMessage>`
  select id, type, message_id, sender, created_at from rail_messages where id = ${id} and direction = 'IN'`

/** The stored message with this id. */
export function findNamesake(
  reader: Reader,
  { sender, type, message_id }: Pick<ReceivedFile, 'sender' | 'type' | 'message_id'>,
): Promise<KnownMessage | undefined> {
  return reader.first(read<KnownMessage>`
    select id, state, sha256 from rail_messages
    where direction = 'IN' and sender = ${sender} and type = ${type} and message_id = ${message_id} and state <> 'REFUSED'`)
}

/** Messages that are not completely applied, oldest first. */
export function selectUnapplied(reader: Reader, limit: number): Promise<StoredMessage[]> {
  return reader.rows(read<StoredMessage>`
    select id, type, message_id, sender, created_at from rail_messages
    where direction = 'IN' and state = 'RECEIVED' order by created_at, id limit ${limit}`)
}

export async function getBody(reader: Reader, id: string): Promise<Uint8Array> {
  const row = await reader.first(read<{ body: Buffer }>`select body from rail_messages where id = ${id}`)
  if (row === undefined) throw new Error(`there is no message ${id}`)
  return row.body
}

/** Everything in the message has been applied. */
export async function concludeMessage(tx: Tx, id: string, now: string): Promise<void> {
  await tx.run(write`
    update rail_messages set state = 'APPLIED', updated_at = ${now} where id = ${id} and direction = 'IN' and state = 'RECEIVED'`)
}

/** For a message whose content is refused after it was stored. Returns how many were refused. */
export function refuseMessage(
  tx: Tx,
  { id, reason, detail, now }: { id: string; reason: string; detail: string; now: string },
): Promise<number> {
  return tx.run(write`
    update rail_messages set state = 'REFUSED', reason = ${reason}, detail = ${detail}, updated_at = ${now}
    where id = ${id} and direction = 'IN' and state = 'RECEIVED'`)
}

/** A refused file that can now be read. Returns how many there were. */
export function readmit(
  tx: Tx,
  { id, type, message_id, sender, now }: Pick<ReceivedFile, 'id' | 'type' | 'message_id' | 'sender'> & { now: string },
): Promise<number> {
  return tx.run(write`
    update rail_messages set state = 'RECEIVED', reason = null, detail = null, type = ${type}, message_id = ${message_id}, sender = ${sender},
      updated_at = ${now}
    where id = ${id} and direction = 'IN' and state = 'REFUSED'`)
}

export type Outcome = 'applied' | 'known' | 'noted' | 'case' | 'break' | 'refused' | 'dropped'

export type Applied = { message_id: string; position: number; outcome: Outcome }

/** `transfer_id`: the transfer it is about. `booked_id`: what was booked for it, if that is something else. */
export type Told = Applied & { transfer_id: string | null; booked_id: string | null }

export function findApplied(reader: Reader, message_id: string): Promise<Omit<Applied, 'message_id'>[]> {
  return reader.rows(read<Omit<Applied, 'message_id'>>`select position, outcome from rail_applied where message_id = ${message_id}`)
}

export function findAppliedOf(reader: Reader, keys: readonly Omit<Applied, 'outcome'>[]): Promise<Applied[]> {
  return reader.rows(read<Applied>`
    select message_id, position, outcome from rail_applied where (message_id, position) in (
      select * from unnest(${keys.map(({ message_id }) => message_id)}::uuid[], ${keys.map(({ position }) => position)}::int[]))`)
}

export function insertApplied(tx: Tx, rows: readonly Told[], now: string): void {
  tx.send(write`
    insert into rail_applied (message_id, position, outcome, transfer_id, booked_id, created_at)
    select message_id, position, outcome, transfer_id, booked_id, ${now}::timestamptz from unnest(
      ${rows.map(({ message_id }) => message_id)}::uuid[],
      ${rows.map(({ position }) => position)}::int[],
      ${rows.map(({ outcome }) => outcome)}::text[],
      ${rows.map(({ transfer_id }) => transfer_id)}::uuid[],
      ${rows.map(({ booked_id }) => booked_id)}::uuid[]) as applied (message_id, position, outcome, transfer_id, booked_id)`)
}

/** The outcome of a transaction after a decision of its case. */
export function writeOutcome(tx: Tx, { message_id, position, outcome, transfer_id, booked_id }: Told): void {
  tx.send(write`
    update rail_applied set outcome = ${outcome}, transfer_id = coalesce(${transfer_id}, transfer_id), booked_id = ${booked_id}
    where message_id = ${message_id} and position = ${position} and outcome = 'case'`)
}

export type Pack = Pick<PackRow, 'id' | 'rail' | 'kind' | 'message_id' | 'state' | 'count' | 'total'>

export function findPack(reader: Reader, message_id: string): Promise<Pack | undefined> {
  return reader.first(read<Pack>`
    select id, rail, kind, message_id, state, count, total from rail_packs where message_id = ${message_id}`)
}

/** A message of ours that is not a pack. */
export function findSealed(reader: Reader, message_id: string): Promise<{ type: MessageType } | undefined> {
  return reader.first(read<{ type: MessageType }>`
    select type from rail_messages where direction = 'OUT' and message_id = ${message_id} limit 1`)
}

export function selectPaymentsOf(reader: Reader, pack_id: string): Promise<RailPayment[]> {
  return reader.rows(read<RailPayment>`
    select ${paymentColumns} from rail_payments where pack_id = ${pack_id} and state <> 'DROPPED' order by position`)
}

const answerable = listed(answerableStates)

export type PackAnswer = { id: string; state: 'ACKNOWLEDGED' | 'REFUSED'; reason: string | null; now: string }

/** A pack that was already answered stays as it is, unless the scheme has refused it. */
export function writePackState(tx: Tx, { id, state, reason, now }: PackAnswer): void {
  tx.send(write`
    update rail_packs set state = ${state}, reason = ${reason}, updated_at = ${now}, sequence = sequence + 1
    where id = ${id} and state in (${answerable}) and state <> ${state}`)
}

/** A payment or direct debit of another bank, as its message names it. */
export type Received = {
  venture_id: string
  id: string
  rail: string
  message_type: string
  message_id: string
  sender: string
  tx_id: string
  end_to_end_id: string
  amount: string
  currency: string
  settlement_date: string | null
  original: object
  created_at: string
}

const receivedColumns = new Columns([
  'venture_id',
  'id',
  'rail',
  'message_type',
  'message_id',
  'sender',
  'tx_id',
  'end_to_end_id',
  'amount',
  'currency',
  'settlement_date',
  'original',
  'created_at',
])

/** `kind`: the kind in the claim on the message. */
export type NewReceived = Omit<Received, 'venture_id' | 'id' | 'created_at'> & { kind: string }

/** For what this transaction books, or an earlier one booked: the claim says what it is. */
export function insertReceivedPayment(tx: Tx, row: NewReceived, now: string): void {
  const { kind, rail, message_type, message_id, sender, tx_id, end_to_end_id, amount, currency, settlement_date, original } = row
  tx.send(write`
    insert into rail_received (${receivedColumns})
    select venture_id, id, ${rail}, ${message_type}, ${message_id}, sender, tx_id, ${end_to_end_id}, ${amount}::numeric, ${currency},
      ${settlement_date}::date, ${JSON.stringify(original)}::json, ${now}::timestamptz
    from inbound_claims where sender = ${sender} and kind = ${kind} and tx_id = ${tx_id}
    on conflict do nothing`)
}

export function findReceived(reader: Reader, { venture_id, id }: { venture_id: string; id: string }): Promise<Received | undefined> {
  return reader.first(read<Received>`select ${receivedColumns} from rail_received where venture_id = ${venture_id} and id = ${id}`)
}

/**
 * The payment that a refused return was to give back, by the unapplied payment that the return became. Its claim has the id and the attempt
 * of the return, which may itself have been a retried one.
 */
export function findReceivedOfRefused(reader: Reader, unapplied_id: string): Promise<Received | undefined> {
  return reader.first(read<Received>`
    with recursive refused (venture_id, id) as (
      values (${houseId}::uuid, ${unapplied_id}::uuid)
      union
      select payment.venture_id, payment.transfer_id from refused
      join inbound_claims claim on claim.venture_id = refused.venture_id and claim.id = refused.id
      join rail_payments payment on payment.tx_id = split_part(claim.tx_id, '/', 1) and payment.attempt::text = split_part(claim.tx_id, '/', 2)
      where payment.kind = 'RETURN')
    select ${receivedColumns} from rail_received where (venture_id, id) in (select venture_id, id from refused)`)
}

/** By the id from the other bank. Two banks may use the same one. */
export function findReceivedByTx(reader: Reader, tx_id: string): Promise<Received[]> {
  return reader.rows(read<Received>`select ${receivedColumns} from rail_received where tx_id = ${tx_id} order by created_at`)
}
