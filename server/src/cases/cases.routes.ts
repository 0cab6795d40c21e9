// The operator's routes of cases.
import { Type } from 'typebox'
import { Approval, sendOrWait } from '../audit/audit.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Case, CaseAssignment, CaseDecision, CaseList, CaseWithSubject } from './cases.schemas.ts'
import { assignCase, type Cases, decideCase, getCase, listCases } from './cases.ts'

const tags = ['Cases (bank)']
const params = PathId('case_id')

export async function caseRoutes(app: App, { cases }: { cases: Cases }): Promise<void> {
  app.get(
    '/operator/cases',
    {
      config: { key: 'operator' },
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
      config: { key: 'operator' },
      schema: {
        operationId: 'getCase',
        tags,
        summary: 'Get a case, with its subject and the decisions that fit it',
        description: 'The subject is read anew, so it shows the resource as it is now and not as it was when the case was opened.',
        params,
        response: { 200: CaseWithSubject },
      },
    },
    async (request) => getCase(cases, request.params.case_id),
  )

  app.put(
    '/operator/cases/:case_id',
    {
      config: { key: 'operator' },
      schema: {
        operationId: 'assignCase',
        tags,
        summary: 'Assign a case to a person',
        description:
          'Only an open case can be assigned, and only to an active admin or operator of the bank; null takes it from its assignee.',
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
      config: { key: 'operator' },
      schema: {
        operationId: 'decideCase',
        tags,
        summary: 'Decide a case',
        description:
          'Carries out the decision. Some decisions need `details`: `apply` of an unapplied payment `{venture_id, account_id}`, `pay_out` `{name, ' +
          'iban}`, `collect` `{account_id}` or `{rail, sender, kind, tx_id}`; the others take none. With four eyes, a decision that ' +
          'releases something needs a second person: the response is then an approval, with status 202, and the case stays open until somebody ' +
          'approves.',
        params,
        body: CaseDecision,
        response: { 200: Case, 202: Approval },
      },
    },
    async ({ params: { case_id }, body, actor, companions }, reply) =>
      sendOrWait(reply, await decideCase(cases, case_id, body, { actor, companions })),
  )
}
