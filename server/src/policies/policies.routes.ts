// The HTTP routes of the bank's policies.
import { Approval, type Approvals, sendOrWait } from '../audit/audit.ts'
import type { App } from '../platform/http/http.ts'
import { Policy, PolicyUpdate } from './policies.schemas.ts'
import { changePolicies, currentPolicy } from './policies.ts'

const tags = ['Bank']

export async function policyRoutes(app: App, { approvals }: { approvals: Approvals }): Promise<void> {
  app.get(
    '/operator/policies',
    {
      config: { key: 'operator' },
      schema: { operationId: 'getPolicies', tags, summary: "Get the bank's policies", response: { 200: Policy } },
    },
    async () => currentPolicy(approvals.database),
  )

  app.put(
    '/operator/policies',
    {
      config: { key: 'operator' },
      schema: {
        operationId: 'updatePolicies',
        tags,
        summary: "Change the bank's policies",
        description:
          'Absent fields stay as they are. A change is a new version; earlier versions are kept. With four eyes, it needs a second ' +
          'person: the response is then an approval, with status 202.',
        body: PolicyUpdate,
        response: { 200: Policy, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await changePolicies(approvals, request.body, request)),
  )
}
