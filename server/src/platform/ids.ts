// Ids contain the time of their creation in their first twelve digits (UUID version 7), by the clock of the service.
import { V7Generator } from 'uuidv7'
import { now } from './clock.ts'

const generator = new V7Generator()

/** Each is greater than the one before, in this process. */
export function uuidv7(): string {
  return generator.generateOrResetWithTs(now().getTime()).toString()
}

/** The smallest id of a time. */
export function firstIdAt(time: Date): string {
  const hex = time.getTime().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}
