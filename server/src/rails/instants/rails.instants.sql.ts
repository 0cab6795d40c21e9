// SQL statements for the instant payments of other banks.
import type { Reader, Tx } from '../../platform/database/database.ts'
import { Columns, read, write } from '../../platform/database/sql.ts'
import type { InstantState } from './rails.instants.ts'

/** An instant payment of another bank, our answer to it, and what has become of it. `id`: its transfer, or an id of its own if we refused it. */
export type InstantRow = {
  venture_id: string
  id: string
  /** The bank that sent it, and the ids of its message. */
  sender: string
  message_type: string
  message_id: string
  tx_id: string
  end_to_end_id: string
  creditor_iban: string
  amount: string
  currency: string
  /** The id of our message that answers it; null if none was needed. */
  answer_id: string | null
  /** Why we refused it; null if we accepted it. */
  code: string | null
  state: InstantState
  /** Our message that asks what has become of it. */
  question_id: string | null
  created_at: string
  updated_at: string
}

const columns = new Columns([
  'venture_id',
  'id',
  'sender',
  'message_type',
  'message_id',
  'tx_id',
  'end_to_end_id',
  'creditor_iban',
  'amount',
  'currency',
  'answer_id',
  'code',
  'state',
  'question_id',
  'created_at',
  'updated_at',
])

export type NewInstant = Omit<InstantRow, 'venture_id' | 'id' | 'question_id' | 'created_at' | 'updated_at'>

/** For what this transaction books, or an earlier one booked: the claim says what it is. */
export function insertAccepted(tx: Tx, row: NewInstant, now: string): void {
  const { sender, message_type, message_id, tx_id, end_to_end_id, creditor_iban, amount, currency, answer_id, state } = row
  tx.send(write`
    insert into rail_instants (${columns})
    select venture_id, id, sender, ${message_type}, ${message_id}, tx_id, ${end_to_end_id}, ${creditor_iban}, ${amount}::numeric, ${currency}, ${answer_id},
      null, ${state}, null::uuid, ${now}::timestamptz, ${now}::timestamptz
    from inbound_claims where sender = ${sender} and kind = 'pacs.008' and tx_id = ${tx_id}
    on conflict do nothing`)
}

/** For what we refuse. */
export function insertRefused(tx: Tx, { venture_id, id, ...row }: NewInstant & Pick<InstantRow, 'venture_id' | 'id'>, now: string): void {
  const { sender, message_type, message_id, tx_id, end_to_end_id, creditor_iban, amount, currency, answer_id, code } = row
  tx.send(write`
    insert into rail_instants (${columns})
    values (${venture_id}, ${id}, ${sender}, ${message_type}, ${message_id}, ${tx_id}, ${end_to_end_id}, ${creditor_iban}, ${amount}, ${currency},
      ${answer_id}, ${code}, 'REFUSED', null, ${now}, ${now})
    on conflict do nothing`)
}

/** By the transaction id, or by the id of its message or of our answer. Two banks may use the same ids. */
export function findInstants(reader: Reader, { tx_id, message_id }: { tx_id?: string; message_id?: string }): Promise<InstantRow[]> {
  if (tx_id !== undefined)
    return reader.rows(read<InstantRow>`select ${columns} from rail_instants where tx_id = ${tx_id} order by created_at, id`)
  return reader.rows(read<InstantRow>`
    select ${columns} from rail_instants where message_id = ${message_id ?? null} or answer_id = ${message_id ?? null} order by created_at, id`)
}

type Key = { venture_id: string; id: string }

export function findInstant(reader: Reader, { venture_id, id }: Key): Promise<InstantRow | undefined> {
  return reader.first(read<InstantRow>`select ${columns} from rail_instants where venture_id = ${venture_id} and id = ${id}`)
}

/** Which of these payments still wait for the clearing system's word. */
export function findAwaited(reader: Reader, keys: readonly Key[]): Promise<Key[]> {
  if (keys.length === 0) return Promise.resolve([])
  return reader.rows(read<Key>`
    select venture_id, id from rail_instants where state = 'AWAITED' and (venture_id, id) in (
      select * from unnest(${keys.map(({ venture_id }) => venture_id)}::uuid[], ${keys.map(({ id }) => id)}::uuid[]))`)
}

/** Accepted before a time, and neither answered nor asked about. Oldest first. */
export function selectSilent(reader: Reader, before: string, limit: number): Promise<InstantRow[]> {
  return reader.rows(read<InstantRow>`
    select ${columns} from rail_instants
    where state = 'AWAITED' and question_id is null and created_at <= ${before} order by created_at limit ${limit}`)
}

/** Locks a payment. Undefined if another transaction has it and nobody waits. */
export function lockInstant(
  tx: Tx,
  { venture_id, id }: Key,
  wait: boolean,
): Promise<Pick<InstantRow, 'state' | 'question_id'> | undefined> {
  return tx.first(
    wait
      ? read<Pick<InstantRow, 'state' | 'question_id'>>`
          select state, question_id from rail_instants where venture_id = ${venture_id} and id = ${id} for no key update`
      : read<Pick<InstantRow, 'state' | 'question_id'>>`
          select state, question_id from rail_instants where venture_id = ${venture_id} and id = ${id} for no key update skip locked`,
  )
}

export type InstantChange = Key & { state: InstantState; question_id: string | null }

/** Only for a locked payment. */
export function writeInstant(tx: Tx, { venture_id, id, state, question_id }: InstantChange, now: string): void {
  tx.send(write`
    update rail_instants set state = ${state}, question_id = ${question_id}::uuid, updated_at = ${now} where venture_id = ${venture_id} and id = ${id}`)
}
