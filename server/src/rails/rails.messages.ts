// Messages that leave the bank. A message is sealed together with its cause, in one transaction, and delivered by a job; its bytes never
// change again.
import { hash } from 'node:crypto'
import { enveloped, type Message, type MessageType, messageIdOf, writeMessage } from '../iso20022/iso20022.ts'
import type { Reader, Tx } from '../platform/database/database.ts'
import { read, write } from '../platform/database/sql.ts'
import { uuidv7 } from '../platform/ids.ts'
import type { Envelope } from '../schemes/schemes.ts'

/** A message with its type, its id and its creation time. */
export type NewMessage = { [Type in MessageType]: { type: Type; message: Message<Type> } }[MessageType]

/** `envelope`: that of its rail; undefined if it belongs to none. */
type Enveloped = NewMessage & { envelope: Envelope | undefined }

/** `pack_id`: the pack that it contains or asks about. */
export type SealedMessage = {
  id: string
  type: MessageType
  message_id: string
  sender: string
  file: string
  sha256: string
  body: Buffer
  pack_id?: string | undefined
}

/** The letters of messages outside the rails: inquiries, recalls, answers to recalls, answers to payments. */
export type Letter = 'Q' | 'C' | 'N' | 'A'

/** An id that no other message has. Numbers of messages that were never sealed are skipped. */
export async function makeMessageId(reader: Reader, { bic, letter, now }: { bic: string; letter: string; now: Date }): Promise<string> {
  const row = await reader.first(read<{ number: string }>`select nextval('rail_message_numbers')::text as number`)
  return messageIdOf({ bic, date: now.toISOString().slice(0, 10), rail: letter, number: BigInt(row?.number ?? 0) })
}

/**
 * The bytes of a message as the clearing system wants them: with its name and its BIC in messages that have such fields, and in its envelope. Without an
 * envelope, the message alone.
 */
export function writtenIn(envelope: Envelope | undefined, { type, message }: NewMessage, sender: string): Buffer {
  if (envelope === undefined) return writeMessage(type, message as never)
  const { clearing_code, clearing_system, instructed_bic, header } = envelope
  const given: { message_id: string; created_at: string; settlement_method?: string; instructed_bic?: string | undefined } = message
  const completed = {
    ...given,
    ...(given.settlement_method !== undefined && clearing_code !== null && { clearing_code }),
    ...(given.settlement_method !== undefined && clearing_system !== null && { clearing_system }),
    ...(type.startsWith('pacs.') && instructed_bic !== null && { instructed_bic: given.instructed_bic ?? instructed_bic }),
  }
  const bytes = writeMessage(type, completed as never)
  if (header === null) return bytes
  const { message_id, created_at } = given
  return enveloped(bytes, { ...header, from_bic: header.from_bic ?? sender, message_id, type, created_at })
}

/**
 * Writes a message, so that only the row is left to insert. `id`: the row's id, for a message that may be prepared twice but is sealed
 * once, or that belongs to a recall, whose id it then has.
 */
export function prepareMessage({ envelope, ...written }: Enveloped, sender: string, id?: string): SealedMessage {
  const { type, message } = written
  const sealed = sealedOf({ type, message_id: message.message_id, body: writtenIn(envelope, written, sender) }, sender)
  return id === undefined ? sealed : { ...sealed, id }
}

/** The row of a written message. The file always has the name of the message. */
export function sealedOf({ type, message_id, body }: Pick<SealedMessage, 'type' | 'message_id' | 'body'>, sender: string): SealedMessage {
  return { id: uuidv7(), type, message_id, sender, file: `${message_id}.xml`, sha256: hash('sha256', body), body }
}

/** Inserts a prepared message together with COMMIT. */
export function insertSealed(tx: Tx, { id, type, message_id, sender, file, sha256, body, pack_id }: SealedMessage, now: Date): void {
  tx.send(write`
    insert into rail_messages (era, xid, id, direction, type, message_id, sender, file, pack_id, sha256, body, state, created_at, updated_at)
    values (current_era(), pg_current_xact_id(), ${id}, 'OUT', ${type}, ${message_id}, ${sender}, ${file}, ${pack_id ?? null}, ${sha256}, ${body}, 'SEALED',
      ${now.toISOString()}, ${now.toISOString()})
    on conflict (id) do nothing`)
}

/** Seals a message in the transaction of its cause. */
export function sealMessage(tx: Tx, sealed: Enveloped & { sender: string; now: Date; pack_id?: string }): SealedMessage {
  const { sender, now, pack_id, ...message } = sealed
  const prepared = { ...prepareMessage(message as Enveloped, sender), pack_id }
  insertSealed(tx, prepared, now)
  return prepared
}
