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
import { type ApprovalSubject, type Change, changesOf, subjectOf } from './audit.subjects.ts'

export type { ApprovalHandler, ApprovalPeople, Approvals, ApprovedRequest, Change }
export {
  Approval,
  ApprovalWithCode,
  about,
  auditOf,
  changesOf,
  concerning,
  decidingSequence,
  expireRequests,
  getApproval,
  naming,
  pruneClientReads,
  requestApproval,
  requireSequence,
  subjectOf,
  whileNobodyDecides,
  withdrawRequestsOf,
}

/** With what an operation refuses that asks a second person. */
export const fourEyes = ['approval_pending', 'too_many_requests_open', 'person_needed'] as const

/** Sends what an operation made or changed, or the approval that it waits for, with status 202. */
export function sendOrWait<Made extends object>(reply: FastifyReply, made: Made): Made {
  if (isApproval(made)) reply.code(202)
  return made
}

/** Whether an operation has made nothing yet but the request for a second person. */
export function isApproval(made: object): made is Approval {
  return 'payload_hash' in made
}

/** `reference`: by what a repeated request is recognised. */
type Wanted = { venture_id: string; action: string; resource_id: string; payload: object; reference?: string }

/**
 * What nobody at the bank may do alone is requested if four eyes are on, and carried out at once if they are off. It is rehearsed first, so that
 * nobody is asked to approve what would be refused, and so that the second person sees what would be done.
 */
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
    const sequence = Number(error.details['sequence'])
    requirePerson(actor)
    const subject = await rehearsed((rehearsal) => act({ ...rehearsal, actor, sequence }))
    return requestApproval(approvals, { ...wanted, sequence, subject }, { actor, companions })
  }
}

/** What an action would do, with the authority of two people. It is undone. */
async function rehearsed(act: (by: Omit<By, 'actor'>) => Promise<object>): Promise<ApprovalSubject | null> {
  let subject: ApprovalSubject | null = null
  const witness = (seen: object) => {
    subject = seen as ApprovalSubject
  }
  await rehearse((companions) => act({ companions, approved: true, witness }))
  return subject
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
  const subject = await rehearsed((rehearsal) => act({ ...rehearsal, actor }))
  return requestApproval(approvals, { ...request, subject }, { actor, companions })
}
