/** What the roles at the bank may do. */
export const roles = {
  admin: 'Everything, with ventures, policies, keys and users.',
  operator: 'The daily work: cases, approvals, payments, jobs.',
  auditor: 'Reads everything and changes nothing.',
} as const

export type Role = keyof typeof roles
