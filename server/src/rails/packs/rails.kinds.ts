// One record for each kind of pack: the message that it becomes. A new kind does not compile until it has one.
import type { MessageType } from '../../iso20022/iso20022.ts'
import { type Envelope, type Job, profileOf, type Rail } from '../../schemes/schemes.ts'
import { fromNumeric, type Money, toNumeric } from '../../values/money.ts'
import { type NewMessage, writtenIn } from '../rails.messages.ts'
import type { Contents } from './rails.contents.ts'
import type { PackKind } from './rails.payments.ts'

/** What all payments of a message share. It comes from the row of the pack: the same pack always becomes the same bytes. */
export type PackHeader = { rail: Rail; kind: PackKind; message_id: string; created_at: string; settlement_date: string }

export type PackedPayment = { amount: string; currency: string; content: object }

type PackMessage = Extract<MessageType, 'pacs.008.001.08' | 'pacs.003.001.08' | 'pacs.004.001.09'>

const jobs: Record<PackKind, Job> = { CREDIT_TRANSFER: 'pay', DIRECT_DEBIT: 'collect', RETURN: 'return' }

/** The message of a pack: its rail says which one does the job. */
export function messageOf({ rail, kind }: { rail: Rail; kind: PackKind }): PackMessage {
  const type = profileOf(rail).messages[jobs[kind]]
  if (type === undefined) throw new Error(`${rail} has no message for a ${kind}`)
  return type as PackMessage
}

/** The letter in the id of a message: that of its rail, or one for all returns. */
export function letterOf({ kind, rail }: Pick<PackHeader, 'kind' | 'rail'>): string {
  return kind === 'RETURN' ? 'R' : profileOf(rail).letter
}

/** The amounts of a transaction are big integers, which JSON does not have. */
const isAmount = (field: string): boolean => field.endsWith('amount')

/** A transaction as it is stored. */
export function storedContent<Kind extends PackKind>(content: Contents[Kind]): object {
  return Object.fromEntries(
    Object.entries(content).map(([field, value]) => [field, typeof value === 'bigint' ? toNumeric(value as Money) : value]),
  )
}

function transactionOf({ amount, currency, content }: PackedPayment): object {
  const transaction: Record<string, unknown> = { ...content }
  for (const [field, value] of Object.entries(content)) if (isAmount(field)) transaction[field] = fromNumeric(value)
  return { ...transaction, amount: fromNumeric(amount), currency }
}

/** Reads no clock and creates no ids. Throws a MessageFault for what the scheme would refuse. */
export function writePack(
  header: PackHeader,
  { bic, envelope }: { bic: string; envelope: Envelope | undefined },
  payments: readonly PackedPayment[],
): { type: PackMessage; bytes: Buffer } {
  const type = messageOf(header)
  const message = {
    message_id: header.message_id,
    created_at: header.created_at,
    settlement_date: header.settlement_date,
    settlement_method: 'CLRG',
    instructing_bic: bic,
    transactions: payments.map(transactionOf),
  }
  return { type, bytes: writtenIn(envelope, { type, message } as unknown as NewMessage, bic) }
}
