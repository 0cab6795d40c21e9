// The operator's routes of the audit log and of approvals.
import { Type } from 'typebox'
import { alone, changesAtBank, readsAtBank, readsOfVenture, sensitive } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { type Approvals, approve, getApproval, listApprovals, reject } from './audit.approvals.ts'
import { listAuditLog, listVentureAuditLog } from './audit.log.ts'
import {
  Approval,
  ApprovalList,
  AuditEntry,
  AuditList,
  DecidedApproval,
  Rejection,
  VentureAuditEntry,
  VentureAuditList,
} from './audit.schemas.ts'

const tags = ['Approvals and audit log (bank)']
const params = PathId('approval_id')

/** `visible`: operations by people of the bank that appear in the venture's own audit log. */
export async function auditRoutes(
  app: App,
  { approvals, visible }: { approvals: Approvals; visible: () => readonly string[] },
): Promise<void> {
  const { database } = approvals

  app.get(
    '/operator/audit-log',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        trial: { kinds: { venture_id: 'filter', actor_id: 'filter' } },
      },
      schema: {
        operationId: 'listAuditLog',
        tags,
        summary: 'List the audit log, newest first',
        description:
          'Contains every change by a person or by the admin key, every change to keys, secrets, limits and compliance fields, and which clients people ' +
          'of the bank have read, once for each person, client and day.',
        querystring: AuditList,
        response: { 200: Type.Array(AuditEntry) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listAuditLog(database, request.query)),
  )

  app.get(
    '/venture/audit-log',
    {
      config: { access: { ...readsOfVenture, venture: ['admin'] }, refusals: [] },
      schema: {
        operationId: 'listVentureAuditLog',
        tags: ['Audit log'],
        summary: 'List the audit log of the venture, newest first',
        description:
          "Contains every change by a person, and every change to keys, secrets, limits and compliance fields. Of the actions of the bank's people, it " +
          'contains those on behalf of the venture, without naming the person.',
        querystring: VentureAuditList,
        response: { 200: Type.Array(VentureAuditEntry) },
      },
    },
    async (request, reply) =>
      sendPage(request, reply, await listVentureAuditLog(database, { venture_id: request.venture.id, visible: visible() }, request.query)),
  )

  app.get(
    '/operator/approvals',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        trial: { kinds: { venture_id: 'filter', resource_id: 'filter', maker_id: 'filter' } },
      },
      schema: {
        operationId: 'listApprovals',
        tags,
        summary: 'List approvals, newest first',
        description: 'Requests by one person that another must approve, including those already decided.',
        querystring: ApprovalList,
        response: { 200: Type.Array(Approval) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listApprovals(approvals, request.query, request.actor)),
  )

  app.get(
    '/operator/approvals/:approval_id',
    {
      config: { access: readsAtBank, refusals: ['approval_not_found'] },
      schema: {
        operationId: 'getApproval',
        tags,
        summary: 'Get an approval',
        description: 'Exactly what would be done, who requested it, and the outcome.',
        params,
        response: { 200: Approval },
      },
    },
    async (request) => getApproval(approvals, request.params.approval_id),
  )

  app.post(
    '/operator/approvals/:approval_id/approve',
    {
      config: {
        access: sensitive(changesAtBank(alone('The approver is the second of two people.'))),
        audit: 'always',
        refusals: ['approval_not_found', 'approval_not_pending', 'own_approval', 'related_approval', 'person_needed', 'resource_changed'],
        createsNothing: 'The state of the approval decides: it is approved once.',
        example: { byPerson: true },
        trial: { fresh: 'approval', answers: { state: 'APPROVED' } },
      },
      schema: {
        operationId: 'approveApproval',
        tags,
        summary: 'Approve what another person has requested',
        description:
          'Needs a role that may carry out the action itself. The action takes effect in the same transaction. If the resource has changed since the request was made, or if the action is refused, the ' +
          'approval ends FAILED with the reason, and nothing else happens.',
        params,
        response: { 200: DecidedApproval },
      },
    },
    async ({ params: { approval_id }, actor, companions }) => approve(approvals, approval_id, { actor, companions }),
  )

  app.post(
    '/operator/approvals/:approval_id/reject',
    {
      config: {
        access: sensitive(changesAtBank(alone('It protects.'))),
        audit: 'always',
        refusals: ['approval_not_found', 'approval_not_pending', 'person_needed'],
        optionalBody: true,
        createsNothing: 'The state of the approval decides: it is rejected once.',
        example: { body: { reason: 'The client has not answered yet.' }, byPerson: true },
        trial: { fresh: 'approval' },
      },
      schema: {
        operationId: 'rejectApproval',
        tags,
        summary: 'Reject what another person has requested, or withdraw your own request',
        description: 'Anyone who may approve some requests may reject all of them. Rejecting your own request withdraws it.',
        params,
        body: Rejection,
        response: { 200: DecidedApproval },
      },
    },
    async ({ params: { approval_id }, body: { reason = null }, actor, companions }) =>
      reject(approvals, approval_id, reason, { actor, companions }),
  )
}
