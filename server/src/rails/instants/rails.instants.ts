// Instant payments that other banks send us: how long we may take to answer, and what follows from the clearing system's word about our
// answer. Plain data in, a verdict out.
import type { StatusMeaning } from '../../iso20022/iso20022.ts'

/** How the bank takes part in an instant scheme. The settings of the rails give it; it belongs to the scheme, not to a venture. */
export type InstantRules = {
  /** How long after the time in the message we may accept a payment. */
  answer_s: number
  /** Whether the clearing system confirms that it has settled what we accepted. If not, our answer is final. */
  confirms: boolean
}

/** A message that is further ahead of our clock says that one of the two clocks is wrong. */
const ahead_ms = 2_000

/** How long the clearing system's word about our answer may take before we ask for it. */
export const silence_ms = 20_000

/** Where the scheme's clock stands: `late` is refused, and `ahead` is processed. */
export function timeOf(accepted_at: string, now: Date, { answer_s }: Pick<InstantRules, 'answer_s'>): 'in time' | 'late' | 'ahead' {
  const age_ms = now.getTime() - Date.parse(accepted_at)
  if (age_ms > answer_s * 1_000) return 'late'
  return age_ms < -ahead_ms ? 'ahead' : 'in time'
}

/**
 * AWAITED: accepted, and the clearing system has not said whether it settled. CONFIRMED: it settled. REJECTED: the clearing system has rejected it after our
 * yes. REFUSED: we have refused it, so nothing is booked.
 */
export const instantStates = ['AWAITED', 'CONFIRMED', 'REJECTED', 'REFUSED'] as const
export type InstantState = (typeof instantStates)[number]

/**
 * credit: the money is the client's. end: the money never came. known: nothing is new. contradiction: the clearing system contradicts itself, so
 * nothing is booked. refused: it settled what we have refused, so nothing of ours is in the books.
 */
export type InstantVerdict = 'credit' | 'end' | 'known' | 'contradiction' | 'refused'

const verdicts: Record<InstantState, Record<'settled' | 'rejected', InstantVerdict>> = {
  AWAITED: { settled: 'credit', rejected: 'end' },
  CONFIRMED: { settled: 'known', rejected: 'contradiction' },
  REJECTED: { settled: 'contradiction', rejected: 'known' },
  REFUSED: { settled: 'refused', rejected: 'known' },
}

/** Only a final word decides. */
export function judgeInstant(state: InstantState, meaning: StatusMeaning): InstantVerdict | 'noted' {
  return meaning === 'settled' || meaning === 'rejected' ? verdicts[state][meaning] : 'noted'
}
