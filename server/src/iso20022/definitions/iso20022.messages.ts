// The messages that are written and read here, each in one version.
import { camt053, camt054 } from './iso20022.camt.ts'
import { camt029, camt056, pacs002, pacs003, pacs004, pacs008, pacs028 } from './iso20022.pacs.ts'
import { pain001, pain008 } from './iso20022.pain.ts'
import type { Definition } from './iso20022.shared.ts'

export const definitions = {
  'pain.001.001.09': pain001,
  'pain.008.001.08': pain008,
  'pacs.002.001.10': pacs002,
  'pacs.003.001.08': pacs003,
  'pacs.004.001.09': pacs004,
  'pacs.008.001.08': pacs008,
  'pacs.028.001.03': pacs028,
  'camt.029.001.09': camt029,
  'camt.053.001.08': camt053,
  'camt.054.001.08': camt054,
  'camt.056.001.08': camt056,
} as const

export type MessageType = keyof typeof definitions

/** The plain object for a message of this type. */
export type Message<Type extends MessageType> = NonNullable<(typeof definitions)[Type]['fields']>

export const messageTypes = Object.keys(definitions) as readonly MessageType[]

export function definitionOf(type: MessageType): Definition {
  return definitions[type]
}

const namespaceStart = 'urn:iso:std:iso:20022:tech:xsd:'

export function namespaceOf(type: MessageType): string {
  return namespaceStart + type
}

/** The type whose messages are in this namespace; undefined if it is not one of ours. */
export function findTypeOf(namespace: string): MessageType | undefined {
  return messageTypes.find((type) => namespaceOf(type) === namespace)
}
