import type { ApiKey } from '@vostro/sdk'

export type Scope = ApiKey['scopes'][number]

export const scopes: readonly { scope: Scope; about: string }[] = [
  { scope: 'read', about: 'Reads all areas' },
  { scope: 'clients', about: 'Registers and changes clients' },
  { scope: 'accounts', about: 'Opens and changes accounts' },
  { scope: 'transfers', about: 'Makes transfers and beneficiaries' },
  { scope: 'sign', about: 'Signs transfers' },
  { scope: 'payments', about: 'Takes card payments' },
  { scope: 'webhooks', about: 'Manages webhooks, reads events' },
]

/** A few scopes by name; all of them in a word. */
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
