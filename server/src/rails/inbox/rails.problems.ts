// What follows if the books refuse what a message says: it was booked before, it is retried, or a person has to look at it.
import { Refusal } from '../../values/refusals.ts'
import { type Applying, conclude, openProblem, type Place } from './rails.apply.ts'

/** Treats what was booked before as known. */
export function orKnown(context: Applying, place: Place, about: object, book: () => Promise<unknown>): Promise<void> {
  return orProblem(context, place, about, async () => {
    try {
      await book()
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'inbound_payment_booked') throw error
      await conclude(context, place, 'known')
    }
  })
}

/** Refusals that say nothing about the message: it is retried. */
export const passing: ReadonlySet<string> = new Set([
  'resource_changed',
  'case_decided',
  'unavailable',
  'outcome_unknown',
  'message_not_applied',
])

/** A refusal by the books becomes a case. */
export async function orProblem(context: Applying, place: Place, about: object, book: () => Promise<unknown>): Promise<void> {
  try {
    await book()
  } catch (error) {
    if (!(error instanceof Refusal) || passing.has(error.code)) throw error
    await openProblem(context, place, 'refused', { detail: error.message, about: { ...about, code: error.code } })
  }
}
