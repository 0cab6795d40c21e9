import type { Link } from '@vostro/sdk'

type Dated = Pick<Link, 'used_at' | 'revoked_at' | 'expires_at'>

/** The state of an invitation at the bank's time in milliseconds. */
export function stateOf({ used_at, revoked_at, expires_at }: Dated, now: number): 'ACCEPTED' | 'REVOKED' | 'EXPIRED' | 'OPEN' {
  if (used_at !== null) return 'ACCEPTED'
  if (revoked_at !== null) return 'REVOKED'
  return Date.parse(expires_at) <= now ? 'EXPIRED' : 'OPEN'
}
