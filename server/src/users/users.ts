// People, their keys and sessions, and the check of who may call an operation.
import type { FoundKey } from './users.authentication.ts'
import { bankKeyApproval } from './users.bankkeys.ts'
import { approvalPeople, userApprovals } from './users.people.ts'

export type { FoundKey }
export { approvalPeople, bankKeyApproval, userApprovals }
