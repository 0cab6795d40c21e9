import type { ApiKey } from '@vostro/sdk'

export type Scope = ApiKey['scopes'][number]

export const scopes: readonly { scope: Scope; about: string }[] = [
  { scope: 'read', about: 'Read everything' },
  { scope: 'clients', about: 'Register and change clients' },
  { scope: 'accounts', about: 'Open and change accounts' },
  { scope: 'transfers', about: 'Create transfers and beneficiaries' },
  { scope: 'sign', about: 'Sign transfers' },
  { scope: 'payments', about: 'Take card payments' },
  { scope: 'webhooks', about: 'Manage webhooks, read events' },
]

/** Up to three scopes by name; all of them as one word. */
export function scopesOf(given: readonly Scope[]): string {
  if (given.length === scopes.length) return 'Everything'
  return given.length <= 3 ? given.join(', ') : `${given.slice(0, 2).join(', ')} and ${given.length - 2} more`
}

export function stateOf(
  { revoked_at, expires_at }: Pick<ApiKey, 'revoked_at' | 'expires_at'>,
  now: number,
): 'ACTIVE' | 'REVOKED' | 'EXPIRED' {
  if (revoked_at !== null) return 'REVOKED'
  return expires_at !== null && Date.parse(expires_at) <= now ? 'EXPIRED' : 'ACTIVE'
}
