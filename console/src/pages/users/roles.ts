// What the roles at the bank may do.
import type { NewBankInvitation } from '@vostro/sdk'

export const roles = {
  admin: 'Everything, with ventures, policies, keys and users.',
  operator: 'The daily work: cases, approvals, payments, jobs.',
  auditor: 'Reads everything and changes nothing.',
} satisfies Record<NewBankInvitation['role'], string>

export type Role = keyof typeof roles
