// People, their roles, and who may call which operation.
import { access, accessOf, type BankRole, maySee, type VentureRole } from './users.access.ts'
import type { FoundKey } from './users.authentication.ts'
import { bankKeyApproval } from './users.bankkeys.ts'
import { approvalPeople, userApprovals } from './users.people.ts'

export type { BankRole, FoundKey, VentureRole }
export { access, accessOf, approvalPeople, bankKeyApproval, maySee, userApprovals }
