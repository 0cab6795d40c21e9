// The admin key is for the beginning of a bank. Outside the sandbox it lets in the first three admins. Once two of them have a passkey, it may do nothing
// else, and once three have one, nothing at all. Each step is recorded and stays, whoever loses a passkey later.

/** With this many admins the bank needs the admin key no more to let another one in. */
export const enoughAdmins = 3

/**
 * For so many days, somebody whom the admin key has let in counts as related to everybody who was there, unless they are one of the first people of the
 * bank. Meanwhile everybody there can find out who it is.
 */
export const probation_days = 7

/** What the admin key may do whatever its step, if `ADMIN_API_KEY_SCOPE` names it. */
export const adminKeyScopes = {
  health: ['getOperatorHealth'],
  'ventures:read': ['listVentures', 'getVenture'],
  'set-up': ['makeSetUpLink'],
} as const satisfies Record<string, readonly string[]>

export type AdminKeyScope = keyof typeof adminKeyScopes

/** In their order. `admins`: from how many with a passkey on. `may`: undefined for everything that an admin of the bank may do. */
export const adminKeySteps = {
  EVERYTHING: { admins: 0, may: undefined },
  THIRD_ADMIN: { admins: enoughAdmins - 1, may: ['inviteBankUser'] },
  NOTHING: { admins: enoughAdmins, may: [] },
} as const satisfies Record<string, { admins: number; may: readonly string[] | undefined }>

export type AdminKeyStep = keyof typeof adminKeySteps
