/** What each bank role may do. */
export const roles = {
  admin: 'Full access, including ventures, policies, keys and users.',
  operator: 'Daily operations: cases, approvals, payments, jobs.',
  auditor: 'Read-only access to everything.',
} as const

export type Role = keyof typeof roles
