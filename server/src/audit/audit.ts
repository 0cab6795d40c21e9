// Audit: the log of who changed what, and approvals, by which two people act together.
import type { FastifyReply } from 'fastify'
import type { By } from '../platform/actor.ts'
import { rehearse } from '../platform/companions.ts'
import { Refusal } from '../values/refusals.ts'
import { expireRequests, whileNobodyDecides } from './audit.approvals.sql.ts'
import {
  type ApprovalHandler,
  type ApprovalPeople,
  type Approvals,
  type ApprovedRequest,
  decidingSequence,
  getApproval,
  type NewRequest,
  requestApproval,
  requirePerson,
  requireSequence,
  withdrawRequestsOf,
} from './audit.approvals.ts'
import { about, auditOf, concerning, naming, pruneClientReads } from './audit.log.ts'
import { Approval, ApprovalWithCode } from './audit.schemas.ts'

export type { ApprovalHandler, ApprovalPeople, Approvals, ApprovedRequest }
export {
  Approval,
  ApprovalWithCode,
  about,
  auditOf,
  concerning,
  decidingSequence,
  expireRequests,
  getApproval,
  naming,
  pruneClientReads,
  requestApproval,
  requireSequence,
  whileNobodyDecides,
  withdrawRequestsOf,
}

/** Sends what an operation made or changed, or the approval that it waits for, with status 202. */
export function sendOrWait<Made extends object>(reply: FastifyReply, made: Made): Made {
  if (isApproval(made)) reply.code(202)
  return made
}

/** Whether an operation has made nothing yet but the request for a second person. */
export function isApproval(made: object): made is Approval {
  return 'payload_hash' in made
}

type Wanted = { venture_id: string; action: string; resource_id: string; payload: object }

/** What nobody at the bank may do alone is requested if four eyes are on, and carried out at once if they are off. */
export async function actOrRequest<Made extends object>(
  approvals: Approvals,
  wanted: Wanted,
  { actor, companions }: By,
  act: (by: By) => Promise<Made>,
): Promise<Made | Approval> {
  try {
    return await act({ actor, companions, approved: !approvals.fourEyes })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'approval_required') throw error
    return requestApproval(approvals, { ...wanted, sequence: Number(error.details['sequence']) }, { actor, companions })
  }
}

/**
 * For what always needs two people. With four eyes it is rehearsed, so that nobody is asked to approve what would be refused, and then
 * requested; without, it is carried out at once.
 */
export async function actTogether<Made extends object>(
  approvals: Approvals,
  request: NewRequest,
  { actor, companions }: By,
  act: (by: By) => Promise<Made>,
): Promise<Made | Approval> {
  if (!approvals.fourEyes) return act({ actor, companions, approved: true })
  requirePerson(actor)
  await rehearse((rehearsal) => act({ actor, companions: rehearsal, approved: true }))
  return requestApproval(approvals, request, { actor, companions })
}
