// How each type of message is applied. A new type does not compile until it is named here.
import type { Message, MessageType, ReadMessage } from '../../iso20022/iso20022.ts'
import type { Applying, Unit } from './rails.apply.ts'
import { unitsOfDebits, unitsOfPayments } from './rails.inbound.ts'
import type { StoredMessage } from './rails.inbox.sql.ts'
import { unitsOfRecallAnswers, unitsOfRecalls } from './rails.recalled.ts'
import { unitsOfReturns } from './rails.returned.ts'
import { unitsOfStatuses } from './rails.statuses.ts'

type UnitsOf<Type extends MessageType> = (context: Applying, stored: StoredMessage, message: Message<Type>) => Promise<Unit[]>

/** not_expected: other banks do not send it to us. statement: the reconciliation applies it as a whole. */
type Appliers = { readonly [Type in MessageType]: UnitsOf<Type> | 'not_expected' | 'statement' }

const appliers: Appliers = {
  'pain.001.001.09': 'not_expected',
  'pain.008.001.08': 'not_expected',
  'pacs.002.001.10': unitsOfStatuses,
  'pacs.003.001.08': unitsOfDebits,
  'pacs.004.001.09': unitsOfReturns,
  'pacs.008.001.08': unitsOfPayments,
  'pacs.028.001.03': 'not_expected',
  'camt.029.001.09': unitsOfRecallAnswers,
  'camt.053.001.08': 'statement',
  'camt.054.001.08': 'statement',
  'camt.056.001.08': unitsOfRecalls,
}

export function isExpected(type: MessageType): boolean {
  return appliers[type] !== 'not_expected'
}

export type StatementMessage = Extract<ReadMessage, { type: 'camt.053.001.08' | 'camt.054.001.08' }>

export function isStatement(read: ReadMessage): read is StatementMessage {
  return appliers[read.type] === 'statement'
}

/** The parts of a message that are applied one by one. */
export async function unitsOf(context: Applying, stored: StoredMessage, { type, message }: ReadMessage): Promise<Unit[]> {
  const applier = appliers[type]
  if (typeof applier === 'string') throw new Error(`messages of the type ${type} have no parts`)
  return (applier as UnitsOf<MessageType>)(context, stored, message as never)
}
