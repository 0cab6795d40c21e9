// What a key may be used for.

/** Each scope but `read` names an area, in which the key may change and read everything. `sign` is the right to sign transfers. `read` reads all areas. */
export const scopes = ['clients', 'accounts', 'transfers', 'sign', 'payments', 'webhooks', 'read'] as const
export type Scope = (typeof scopes)[number]

export function hasAllScopes(given: readonly string[]): boolean {
  return scopes.every((scope) => given.includes(scope))
}
