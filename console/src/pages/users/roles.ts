// What the roles at the bank may do.
import type { NewBankInvitation } from '@vostro/sdk'

export const roles = {
  admin: 'Full access, including ventures, policies, keys and users.',
  operator: 'Daily operations: cases, approvals, payments, jobs.',
  auditor: 'Read-only access to everything.',
} satisfies Record<NewBankInvitation['role'], string>

export type Role = keyof typeof roles
