import type { Session } from '@vostro/sdk'

/** Where somebody begins: at the bank, in the venture, or with the question which of their ventures. */
export function homeOf({ bank_role, memberships }: Pick<Session, 'bank_role' | 'memberships'>): string {
  if (bank_role !== null) return '/bank/ventures'
  const [only, ...others] = memberships
  return only !== undefined && others.length === 0 ? `/v/${only.venture_id}/overview` : '/choose-venture'
}
