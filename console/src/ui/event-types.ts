// The types of events, for choosing among them.
import type { eventTypes } from '../values.made.ts'

export type EventType = (typeof eventTypes)[number]

/** `transfer` of `transfer.completed`. */
export const kindOf = (type: string): string => type.split('.')[0] ?? type
