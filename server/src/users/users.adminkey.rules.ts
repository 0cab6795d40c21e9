// The admin key is for setting up a bank. Outside the sandbox, it adds the first three admins. Once two of them have a passkey, it can
// only add the third; once three have one, it can do nothing. Each step is recorded and stays, even if a passkey is lost later.

/** Once this many admins have a passkey, the bank no longer needs the admin key. */
export const enoughAdmins = 3

/**
 * For this many days, an admin whom the admin key has added counts as related to everyone who was there, unless the admin is one of the
 * first people of the bank. In the meantime, everyone there can find out who it is.
 */
export const probation_days = 7

/** What the admin key may do at every step, if `ADMIN_API_KEY_SCOPE` names it. */
export const adminKeyScopes = {
  health: ['getOperatorHealth'],
  'ventures:read': ['listVentures', 'getVenture'],
  'set-up': ['makeSetUpLink'],
} as const satisfies Record<string, readonly string[]>

export type AdminKeyScope = keyof typeof adminKeyScopes

/**
 * The steps, in order. `admins`: the number of admins with a passkey from which the step applies. `may`: undefined if the key may do
 * everything that an admin of the bank may do.
 */
export const adminKeySteps = {
  EVERYTHING: { admins: 0, may: undefined },
  THIRD_ADMIN: { admins: enoughAdmins - 1, may: ['inviteBankUser'] },
  NOTHING: { admins: enoughAdmins, may: [] },
} as const satisfies Record<string, { admins: number; may: readonly string[] | undefined }>

export type AdminKeyStep = keyof typeof adminKeySteps
