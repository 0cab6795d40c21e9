// How long a mandate lives: until it is cancelled, or until it has not been used for 36 months.
import { addMonths } from '../values/calendar.ts'
import type { Mandate } from './mandates.schemas.ts'

export const unusedFor_months = 36

type Life = Pick<Mandate, 'signed_on' | 'last_used_on'>

/** The last day on which it can be used. */
export function expiresOn({ signed_on, last_used_on }: Life): string {
  return addMonths(last_used_on !== null && last_used_on > signed_on ? last_used_on : signed_on, unusedFor_months)
}

/** `cancelled`: somebody has cancelled it, which stays whatever its age. */
export function stateOn(today: string, { cancelled, ...life }: Life & { cancelled: boolean }): Mandate['state'] {
  if (cancelled) return 'CANCELLED'
  return expiresOn(life) < today ? 'EXPIRED' : 'ACTIVE'
}
