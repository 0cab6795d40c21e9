// The schemas of packs, messages and rails.
import { type Static, Type } from 'typebox'
import { messageTypes } from '../iso20022/iso20022.ts'
import {
  Body,
  CalendarDate,
  Choice,
  CreatedAt,
  CurrencyShown,
  described,
  Formed,
  Id,
  Nullable,
  Paging,
  Query,
  Resource,
  Timestamp,
  UpdatedAt,
} from '../platform/http/schemas.ts'
import { rails } from '../schemes/schemes.ts'
import { packStates } from './packs/rails.packs.sql.ts'
import { packKinds, paymentStates } from './packs/rails.payments.ts'

const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })
const Sha256 = Type.String({ description: 'SHA-256 of the file, in hexadecimal digits.' })

const pack = {
  id: described(Id, 'The id of the pack. The service assigns it.'),
  rail: Choice(rails, { description: 'The rail of the pack.' }),
  kind: Choice(packKinds, {
    description: 'What its message contains: payments (pacs.008), direct debits (pacs.003) or returns (pacs.004).',
  }),
  message_id: Type.String({ description: 'The id of its message, which is also the name of the file.' }),
  cycle: Nullable(
    Type.String({ format: 'date-time', description: 'The cut-off at which it was packed; null on a rail without cut-offs.' }),
  ),
  participation: Type.Integer({ description: 'The version of the participation by which it was made.' }),
  settlement_date: described(CalendarDate, 'The day on which its payments settle.'),
  state: Choice(packStates, {
    description:
      'OPEN until its message is SEALED, then DELIVERED and ACKNOWLEDGED. UNKNOWN: not answered in time. REFUSED: the scheme refused ' +
      'the whole message. INVALID: the message broke a rule, so it was never made. NOT_SENT: two people declared it not sent, and its ' +
      'payments are sent again. DROPPED: no payments were left in it.',
  }),
  reason: Nullable(Type.String({ description: 'Why the scheme or the service refused it, or null.' })),
  count: Type.Integer({ description: 'How many payments the message contains; 0 until it is sealed.' }),
  total: described(Amount, 'The sum of its payments; 0 until it is sealed.'),
  currency: CurrencyShown,
  created_at: CreatedAt,
  updated_at: UpdatedAt,
  delivered_at: Nullable(described(Timestamp, 'When its file was delivered, in UTC; null until then.')),
}

export const Pack = Resource('Pack', pack)
export type Pack = Static<typeof Pack>

export const RailPayment = Resource('RailPayment', {
  venture_id: described(Id, 'The venture of the transfer.'),
  transfer_id: described(Id, 'The transfer that is sent.'),
  attempt: Type.Integer({ description: 'Rises only after the attempt before was REFUSED.' }),
  tx_id: Type.String({ description: 'The id of the transaction in the message.' }),
  end_to_end_id: Type.String({ description: 'The reference that travels with the payment to the payee.' }),
  position: Nullable(Type.Integer({ description: 'Its position in the pack, from 1; null while it is in none.' })),
  amount: described(Amount, 'The amount that leaves the bank, with exactly as many decimals as the currency has.'),
  currency: CurrencyShown,
  state: Choice(paymentStates, {
    description:
      "COLLECTED, then PACKED, and SENT once the message is sealed; then the scheme's answer. UNKNOWN: not answered in time. REFUSED: " +
      'this attempt did not happen. DROPPED: it left the pack before the pack was sealed.',
  }),
  reason: Nullable(Type.String({ description: "The scheme's reason code, or why it was refused, or null." })),
  settled_on: Nullable(described(CalendarDate, 'The day on which it settled; null until then.')),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})
export type RailPayment = Static<typeof RailPayment>

export const PackWithPayments = Resource('PackWithPayments', {
  ...pack,
  payments: Type.Array(RailPayment, { description: 'The payments of the message, in order.' }),
})
export type PackWithPayments = Static<typeof PackWithPayments>

const OwnMessageId = Formed('^[A-Za-z0-9-]{1,36}$', 'must be the id of a message: at most 36 letters, digits and hyphens')

export const PackList = Query({
  state: Type.Optional(Choice(packStates, { description: 'Returns only packs in this state.' })),
  rail: Type.Optional(Choice(rails, { description: 'Returns only packs of this rail.' })),
  message_id: Type.Optional(described(OwnMessageId, 'Returns only the pack whose message has this id.')),
  ...Paging,
})
export type PackList = Static<typeof PackList>

export const messageDirections = ['IN', 'OUT'] as const
export const messageStates = ['SEALED', 'DELIVERED', 'RECEIVED', 'APPLIED', 'REFUSED'] as const
type MessageState = (typeof messageStates)[number]
/** It waits for being handed over, or applied. */
export const openMessageStates: readonly MessageState[] = ['SEALED', 'RECEIVED']
/** What we have written, unless a whole message was refused. */
export const writtenMessageStates: readonly MessageState[] = ['SEALED', 'DELIVERED']

export const RailMessage = Resource('RailMessage', {
  id: described(Id, 'The id of the message within the service, which assigns it.'),
  direction: Choice(messageDirections, { description: 'OUT: sent by the bank. IN: received from another bank.' }),
  type: Nullable(Type.String({ description: 'The type, such as pacs.008.001.08; null if the file could not be read.' })),
  message_id: Nullable(Type.String({ description: 'The id in the message itself; null if the file could not be read.' })),
  sender: Nullable(Type.String({ description: 'The BIC of the sender; null if the file could not be read.' })),
  file: Type.String({ description: 'The name of the file.' }),
  pack_id: Nullable(Type.String({ format: 'uuid', description: 'The pack that the message contains or asks about.' })),
  sha256: Sha256,
  size_bytes: Type.Integer({ description: 'The size of the file, in bytes.' }),
  state: Choice(messageStates, { description: 'OUT: SEALED, then DELIVERED. IN: RECEIVED, then APPLIED; or REFUSED whole.' }),
  reason: Nullable(Type.String({ description: 'Why the whole message was refused, as a code, or null.' })),
  detail: Nullable(Type.String({ description: 'The exact fault, or why the message is held back.' })),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})
export type RailMessage = Static<typeof RailMessage>

export const MessageList = Query({
  direction: Type.Optional(Choice(messageDirections, { description: 'Returns only messages in this direction.' })),
  state: Type.Optional(Choice(messageStates, { description: 'Returns only messages in this state.' })),
  type: Type.Optional(Choice(messageTypes, { description: 'Returns only messages of this type, such as `pacs.008.001.08`.' })),
  pack_id: Type.Optional(described(Id, 'Returns only the message of this pack, and those that ask about it.')),
  transfer_id: Type.Optional(
    described(Id, 'Returns only the messages in which this transfer left or arrived, and those that answer or ask about them.'),
  ),
  ...Paging,
})
export type MessageList = Static<typeof MessageList>

export const RailPath = Type.Object({ rail: Choice(rails, { description: 'The rail.' }) })

const CutOff = Formed('^([01]\\d|2[0-3]):[0-5]\\d$', 'must be a time of day, such as "15:30"')
export const Cycles = Body('RailCycles', {
  cut_offs: Type.Array(CutOff, {
    maxItems: 96,
    description:
      'When packs leave on the days on which the rail settles, in the zone of its participation. A rail without cut-offs sends continuously.',
  }),
})
export type Cycles = Static<typeof Cycles>

const Bic = Formed('^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', { transform: 'upper' })
export const ReachableBanks = Body('ReachableBanks', {
  bics: Type.Array(Bic, {
    maxItems: 20_000,
    description: 'The banks that the rail reaches, with all their branches. An empty list means every bank.',
  }),
})
export type ReachableBanks = Static<typeof ReachableBanks>
