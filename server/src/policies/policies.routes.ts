import { Approval, type Approvals, fourEyes, sendOrWait } from '../audit/audit.ts'
import { adminAtBank, readsAtBank, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Policy, PolicyUpdate } from './policies.schemas.ts'
import { changePolicy, getPolicy } from './policies.ts'

const tags = ['Ventures (bank)']
const params = PathId('venture_id')

export async function policyRoutes(app: App, { approvals }: { approvals: Approvals }): Promise<void> {
  app.get(
    '/ventures/:venture_id/policy',
    {
      config: { access: readsAtBank, refusals: ['venture_not_found'] },
      schema: {
        operationId: 'getPolicy',
        tags,
        summary: 'Get the policy of a venture',
        description: "The latest version, with the bank's defaults for everything that was never changed for this venture.",
        params,
        response: { 200: Policy },
      },
    },
    async (request) => getPolicy(approvals.database, request.params.venture_id),
  )

  app.put(
    '/ventures/:venture_id/policy',
    {
      config: {
        access: adminAtBank(together('It decides what is signed, screened and reviewed.')),
        audit: 'always',
        refusals: ['venture_not_found', 'policy_invalid', 'policy_changed', ...fourEyes],
        example: { body: { sign_above: '1000.00', signer: 'other', review_above: '10000.00' } },
        trial: { fresh: 'venture' },
      },
      schema: {
        operationId: 'updatePolicy',
        tags,
        summary: 'Change the policy of a venture',
        description:
          'Absent fields stay as they are. A change is a new version; earlier versions are kept. With four-eyes approval, a change needs a second ' +
          'person: the response is then an approval, with status 202.',
        params,
        body: PolicyUpdate,
        response: { 200: Policy, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await changePolicy(approvals, request.params.venture_id, request.body, request)),
  )
}
