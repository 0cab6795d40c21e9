// The operator's routes of cases.
import { Type } from 'typebox'
import { Approval, fourEyes, sendOrWait } from '../audit/audit.ts'
import { alone, changesAtBank, readsAtBank } from '../platform/http/access.ts'
import { exampleIds } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { moving } from '../values/refusals.ts'
import { Case, CaseAssignment, CaseDecision, CaseList, CaseWithSubject } from './cases.schemas.ts'
import { assignCase, type Cases, decideCase, deciding, getCase, listCases } from './cases.ts'

const tags = ['Cases (bank)']
const params = PathId('case_id')

export async function caseRoutes(app: App, { cases }: { cases: Cases }): Promise<void> {
  app.get(
    '/operator/cases',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        trial: { kinds: { venture_id: 'filter', resource_id: 'filter', assignee_id: 'filter' } },
      },
      schema: {
        operationId: 'listCases',
        tags,
        summary: 'List cases, newest first',
        description: '`resource_id` finds the case of a transfer, an unapplied payment or a break.',
        querystring: CaseList,
        response: { 200: Type.Array(Case) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listCases(cases, request.query)),
  )

  app.get(
    '/operator/cases/:case_id',
    {
      config: { access: readsAtBank, refusals: ['case_not_found'] },
      schema: {
        operationId: 'getCase',
        tags,
        summary: 'Get a case, with its subject and the possible decisions',
        description: 'The subject shows the resource as it is now, not as it was when the case was opened.',
        params,
        response: { 200: CaseWithSubject },
      },
    },
    async (request) => getCase(cases, request.params.case_id),
  )

  app.put(
    '/operator/cases/:case_id',
    {
      config: {
        access: changesAtBank(alone('It says who works on a case.')),
        audit: 'always',
        refusals: ['case_not_found', 'case_decided', 'assignee_invalid'],
        example: { body: { assignee_id: exampleIds.assignee_id } },
      },
      schema: {
        operationId: 'assignCase',
        tags,
        summary: 'Assign a case to a person',
        description: 'Only an open case can be assigned, and only to an active admin or operator of the bank; null unassigns it.',
        params,
        body: CaseAssignment,
        response: { 200: Case },
      },
    },
    async ({ params: { case_id }, body: { assignee_id }, companions }) => assignCase(cases, case_id, assignee_id, companions),
  )

  app.post(
    '/operator/cases/:case_id/decisions',
    {
      config: {
        access: deciding,
        audit: 'always',
        refusals: [
          'case_not_found',
          'case_decided',
          'decision_not_offered',
          'decision_details_invalid',
          'resource_changed',
          'client_mismatch',
          'client_sanctioned',
          'rail_suspended',
          'unapplied_payment_decided',
          'break_decided',
          'message_not_applied',
          'venture_not_managed',
          'recall_not_possible',
          'inbound_payment_booked',
          'invalid_iban',
          'account_not_found',
          'account_not_active',
          'account_not_empty',
          'beneficiary_invalid',
          ...moving,
          ...fourEyes,
        ],
        createsNothing: 'A case is decided once.',
        example: { body: { decision: 'release', comment: 'The hit is another person: the date of birth differs.' }, own: ['decision'] },
        trial: { fresh: 'case' },
      },
      schema: {
        operationId: 'decideCase',
        tags,
        summary: 'Decide a case',
        description:
          'Carries out the decision. Some decisions need `details`: `apply` of an unapplied payment `{venture_id, account_id}`, `pay_out` `{name, ' +
          'iban}`, `collect` `{account_id}` or `{rail, sender, kind, tx_id}`; the others take none. With four-eyes approval, a decision that ' +
          'releases something needs a second person: the response is then an approval, with status 202, and the case stays open until it is ' +
          'approved.',
        params,
        body: CaseDecision,
        response: { 200: Case, 202: Approval },
      },
    },
    async ({ params: { case_id }, body, actor, companions }, reply) =>
      sendOrWait(reply, await decideCase(cases, case_id, body, { actor, companions })),
  )
}
