import type { Session } from '@vostro/sdk'

/** The start page: the bank, the only venture, or the choice of a venture. */
export function homeOf({ bank_role, memberships }: Pick<Session, 'bank_role' | 'memberships'>): string {
  if (bank_role !== null) return '/bank/ventures'
  const [only, ...others] = memberships
  return only !== undefined && others.length === 0 ? `/v/${only.venture_id}/overview` : '/choose-venture'
}
