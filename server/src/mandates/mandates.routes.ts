// The HTTP routes of mandates.
import { Type } from 'typebox'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Mandate, MandateList, NewMandate } from './mandates.schemas.ts'
import { cancelMandate, createMandate, getMandate, listMandates, type Mandates } from './mandates.ts'

const params = PathId('mandate_id')
const tags = ['Mandates']

export async function mandateRoutes(app: App, { mandates }: { mandates: Mandates }): Promise<void> {
  const { database } = mandates

  app.post(
    '/mandates',
    {
      config: { creates: { answer: 'kept', location: ({ id }) => `/api/v1/mandates/${id}` } },
      schema: {
        operationId: 'createMandate',
        tags,
        summary: 'Register a mandate',
        description:
          'What a debtor has signed: that the client of the account may collect money by SEPA direct debit. A transfer with its `mandate_id` collects ' +
          'money. A mandate that was not used for 36 months expires.',
        body: NewMandate,
        response: { 201: Mandate },
      },
    },
    async ({ venture, body, companions }) => createMandate(mandates, venture.id, body, companions),
  )

  app.get(
    '/mandates',
    {
      schema: {
        operationId: 'listMandates',
        tags,
        summary: 'List mandates, newest first',
        description: 'The mandates that debtors have signed for the accounts of the venture.',
        querystring: MandateList,
        response: { 200: Type.Array(Mandate) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listMandates(database, request.venture.id, request.query)),
  )

  app.get(
    '/mandates/:mandate_id',
    {
      schema: {
        operationId: 'getMandate',
        tags,
        summary: 'Get a mandate',
        description: 'The mandate with its state as it is today.',
        params,
        response: { 200: Mandate },
      },
    },
    async ({ venture, params }) => getMandate(database, { venture_id: venture.id, id: params.mandate_id }),
  )

  app.post(
    '/mandates/:mandate_id/cancel',
    {
      schema: {
        operationId: 'cancelMandate',
        tags,
        summary: 'Cancel a mandate',
        description: 'From ACTIVE, for ever. Nothing can be collected with it any more; what has been sent is not called back.',
        params,
        response: { 200: Mandate },
      },
    },
    async ({ venture, params, companions }) => cancelMandate(database, { venture_id: venture.id, id: params.mandate_id }, companions),
  )
}
