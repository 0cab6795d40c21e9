// The HTTP routes of the search box: they find a resource by a pasted text.
import { Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import { readsAtBank, readsOfVenture } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { FindQuery, FoundAnywhere, FoundResource } from './desk.find.schemas.ts'
import { find, findInAllVentures } from './desk.find.ts'

export async function findRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.get(
    '/find',
    {
      config: {
        access: { ...readsOfVenture, scopes: 'any' },
        refusals: [],
        example: { query: { text: 'INVOICE-2026-1001' } },
        trial: { fresh: 'text' },
      },
      schema: {
        operationId: 'find',
        tags: ['Overview'],
        summary: 'Find resources by a pasted text',
        description:
          'Takes an id, the `unique_reference`, end-to-end id, UETR or `transaction_id` of a transfer, the `reference` of a mandate, the `order_ref` of a payment, the email of a client, an IBAN, ' +
          'or the beginning of the last name of a client or of the name of a beneficiary. Returns at most ten results. A key finds only resources that ' +
          'its scopes let it list.',
        querystring: FindQuery,
        response: { 200: Type.Array(FoundResource) },
      },
    },
    async ({ venture, scopes, query: { text } }) => find(database, { venture_id: venture.id, scopes, text }),
  )

  app.get(
    '/operator/find',
    {
      config: {
        access: readsAtBank,
        refusals: [],
        example: { query: { text: 'INVOICE-2026-1001' } },
        trial: { fresh: 'text' },
      },
      schema: {
        operationId: 'findInAllVentures',
        tags: ['Overview (bank)'],
        summary: 'Find resources of any venture by a pasted text',
        description:
          'Takes an id, a reference, an email or an IBAN, or the beginning of the name of a venture. Returns at most ten results.',
        querystring: FindQuery,
        response: { 200: Type.Array(FoundAnywhere) },
      },
    },
    async ({ query: { text } }) => findInAllVentures(database, text),
  )
}
