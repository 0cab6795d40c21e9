// Event types, grouped for selection.
import type { eventTypes } from '../values.made.ts'

export type EventType = (typeof eventTypes)[number]

/** `transfer` for `transfer.completed`. */
export const kindOf = (type: string): string => type.split('.')[0] ?? type
