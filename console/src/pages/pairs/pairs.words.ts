// What relates two people, in words.
import type { Pair } from '@vostro/sdk'
import { isZero } from '../../ui/amounts.ts'
import { money } from '../../ui/words.ts'

const because: Readonly<Record<Pair['related_by'][number], string>> = {
  INVITATION: 'One of them let the other in.',
  RESET: 'One of them reset the sign-in of the other.',
  ROLE: 'One of them gave the other a role, or access again.',
  SAME_PERSON: 'The same person let both into a venture, or reset both, alone.',
  ADMIN_KEY: 'One of them came in with the admin key lately, while the other was there.',
}

export const whyRelated = (related_by: Pair['related_by']): string[] => related_by.map((how) => because[how])

/** What a pair has agreed on, the chosen currency first. */
export function sumsOf({ totals }: Pick<Pair, 'totals'>, first: string): string[] {
  const chosen = totals.filter(({ currency }) => currency === first)
  const others = totals.filter(({ currency, amount }) => currency !== first && !isZero(amount))
  return [...chosen, ...others].map(({ amount, currency }) => money(amount, currency))
}
