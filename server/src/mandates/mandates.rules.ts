// How long a mandate is valid: until it is cancelled, or until it has not been used for 36 months.
import { addMonths } from '../values/calendar.ts'
import type { Mandate } from './mandates.schemas.ts'

export const unusedFor_months = 36

type Life = Pick<Mandate, 'signed_on' | 'last_used_on'>

/** The last day on which the mandate can be used. */
export function expiresOn({ signed_on, last_used_on }: Life): string {
  return addMonths(last_used_on !== null && last_used_on > signed_on ? last_used_on : signed_on, unusedFor_months)
}

/** `cancelled`: it was cancelled, which takes precedence over its age. */
export function stateOn(today: string, { cancelled, ...life }: Life & { cancelled: boolean }): Mandate['state'] {
  if (cancelled) return 'CANCELLED'
  return expiresOn(life) < today ? 'EXPIRED' : 'ACTIVE'
}
