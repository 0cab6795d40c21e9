// What a key may be used for.

/**
 * Each scope except `sign` and `read` names an area in which the key may read and change everything. `sign` is the right to sign transfers.
 * `read` reads all areas.
 */
export const scopes = ['clients', 'accounts', 'transfers', 'sign', 'payments', 'webhooks', 'read'] as const
export type Scope = (typeof scopes)[number]

export function hasAllScopes(given: readonly string[]): boolean {
  return scopes.every((scope) => given.includes(scope))
}
