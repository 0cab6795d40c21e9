// ISO 20022: the messages that banks send to each other and to account holders, as plain objects and as XML. Pure: it knows neither the
// database nor transfers, reads no clock and creates no ids.
import { boundsOf } from './definitions/iso20022.camt.ts'
import { type Message, type MessageType, messageTypes } from './definitions/iso20022.messages.ts'
import { creditorIdScheme } from './definitions/iso20022.shared.ts'
import { addressIncomplete, type GivenAddress, type HybridAddress, hybridAddress, needsAddress } from './iso20022.address.ts'
import {
  isReasonCode,
  meaningOf,
  type ReasonCode,
  type ReasonUse,
  reasonCodes,
  reasonOf,
  reasonWords,
  type StatusCode,
  type StatusMeaning,
  servesFor,
  statusCodes,
} from './iso20022.reasons.ts'
import {
  endToEndIdOf,
  isSepaReference,
  isSepaText,
  messageIdOf,
  type SepaText,
  sepaName,
  sepaRemittance,
  sepaText,
  txIdOf,
} from './iso20022.text.ts'
import { type BusinessHeader, enveloped } from './xml/iso20022.envelope.ts'
import { type FaultReason, faults, MessageFault } from './xml/iso20022.faults.ts'
import { limits } from './xml/iso20022.limits.ts'
import type { ReadMessage } from './xml/iso20022.read.ts'
import { MessageReader } from './xml/iso20022.reader.ts'
import { schemaOf } from './xml/iso20022.schema.ts'
import { findTransactionFault, writeMessage } from './xml/iso20022.write.ts'

export type {
  BusinessHeader,
  FaultReason,
  GivenAddress,
  HybridAddress,
  Message,
  MessageType,
  ReadMessage,
  ReasonCode,
  ReasonUse,
  SepaText,
  StatusCode,
  StatusMeaning,
}
export {
  addressIncomplete,
  boundsOf,
  creditorIdScheme,
  endToEndIdOf,
  enveloped,
  faults,
  findTransactionFault,
  hybridAddress,
  isReasonCode,
  isSepaReference,
  isSepaText,
  limits,
  MessageFault,
  MessageReader,
  meaningOf,
  messageIdOf,
  messageTypes,
  needsAddress,
  reasonCodes,
  reasonOf,
  reasonWords,
  schemaOf,
  sepaName,
  sepaRemittance,
  sepaText,
  servesFor,
  statusCodes,
  txIdOf,
  writeMessage,
}

/** One payment, direct debit, return or answer of a message. */
export type CreditTransfer = Message<'pacs.008.001.08'>['transactions'][number]
export type DirectDebit = Message<'pacs.003.001.08'>['transactions'][number]
export type Return = Message<'pacs.004.001.09'>['transactions'][number]
export type StatusReport = Message<'pacs.002.001.10'>['transactions'][number]
export type StatusRequest = Message<'pacs.028.001.03'>['transactions'][number]
export type RecallRequest = Message<'camt.056.001.08'>['transactions'][number]
export type RecallAnswer = Message<'camt.029.001.09'>['transactions'][number]
export type Statement = Message<'camt.053.001.08'>['statements'][number]
export type Notification = Message<'camt.054.001.08'>['notifications'][number]
export type StatementEntry = Statement['entries'][number]
export type EntryDetail = NonNullable<StatementEntry['details']>[number]['transactions'][number]

type Typed<Type> = { payment_type?: Type | undefined }

/** The type of a payment. Some clearing systems state it once for all payments of a message. */
export function paymentTypeOf<Type>(message: Typed<Type>, payment: Typed<Type>): Type | undefined {
  return payment.payment_type ?? message.payment_type
}
