import type { Pair } from '@vostro/sdk'
import { isZero } from '../../ui/amounts.ts'
import { money } from '../../ui/words.ts'

const because: Readonly<Record<Pair['related_by'][number], string>> = {
  INVITATION: 'One invited the other.',
  RESET: 'One reset the other’s sign-in.',
  ROLE: 'One gave the other a role, or restored access.',
  SAME_PERSON: 'The same person, acting alone, invited both to a venture or reset both sign-ins.',
  ADMIN_KEY: 'The admin key recently added one of them while the other was already there.',
}

export const whyRelated = (related_by: Pair['related_by']): string[] => related_by.map((how) => because[how])

/** The amounts that a pair has approved, the chosen currency first. */
export function sumsOf({ totals }: Pick<Pair, 'totals'>, first: string): string[] {
  const chosen = totals.filter(({ currency }) => currency === first)
  const others = totals.filter(({ currency, amount }) => currency !== first && !isZero(amount))
  return [...chosen, ...others].map(({ amount, currency }) => money(amount, currency))
}
