// Audit: the log of who changed what, and approvals, which let two people act together.
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
import { about, auditOf, concerning, hashed, naming, pruneClientReads } from './audit.log.ts'
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
  hashed,
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

/** Sends what an operation created or changed, or with status 202 the approval that it is waiting for. */
export function sendOrWait<Made extends object>(reply: FastifyReply, made: Made): Made {
  if (isApproval(made)) reply.code(202)
  return made
}

/** Whether the operation has only created a request for a second person so far. */
export function isApproval(made: object): made is Approval {
  return 'payload_hash' in made
}

/** `reference`: identifies a repeated request. */
type Wanted = { venture_id: string; action: string; resource_id: string; payload: object; reference?: string }

/**
 * What nobody at the bank may do alone: with four-eyes approval on, it is requested; with four-eyes approval off, it is carried out immediately. A request is
 * rehearsed first, so that nobody is asked to approve what would be refused, and so that the second person sees what would be done.
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

/** Runs the action with the authority of two people and rolls it back, to find out what it would do. */
async function rehearsed(act: (by: Omit<By, 'actor'>) => Promise<object>): Promise<ApprovalSubject | null> {
  let subject: ApprovalSubject | null = null
  const witness = (seen: object) => {
    subject = seen as ApprovalSubject
  }
  await rehearse((companions) => act({ companions, approved: true, witness }))
  return subject
}

/**
 * For what always takes two people. With four-eyes approval on, it is rehearsed, so that nobody is asked to approve what would be refused, and then
 * requested; otherwise it is carried out immediately.
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
