import { Type } from 'typebox'
import { alone, changes, reads } from '../../platform/http/access.ts'
import type { App } from '../../platform/http/http.ts'
import { PathId } from '../../platform/http/schemas.ts'
import { Recall, RecallRequest } from './rails.recalls.schemas.ts'
import { listRecalls, type Recalls, recallTransfer } from './rails.recalls.ts'

const params = PathId('transfer_id')
const tags = ['Transfers']
type Params = { transfer_id: string }

export async function recallRoutes(app: App, { recalls }: { recalls: Recalls }): Promise<void> {
  app.post(
    '/transfers/:transfer_id/recalls',
    {
      config: {
        access: changes('transfers', alone('It asks for money back.')),
        audit: 'people',
        refusals: ['transfer_not_found', 'recall_not_possible', 'recall_pending'],
        creates: { answer: 'kept', location: (_, { transfer_id }: Params) => `/api/v1/transfers/${transfer_id}/recalls` },
        another: { reason: 'TECH' },
        example: { body: { reason: 'DUPL', information: 'Sent twice by mistake' } },
        trial: { fresh: 'sent' },
      },
      schema: {
        operationId: 'recallTransfer',
        tags,
        summary: 'Recall a transfer',
        description:
          "Asks the payee's bank to return a payment that was sent over SEPA, for a venture whose transfers the bank processes. The recall has " +
          'its own status, which the answer of the other bank changes; the transfer stays as it is. If the other bank agrees, the money comes ' +
          'back as a return. A payment has at most one open recall.',
        params,
        body: RecallRequest,
        response: { 201: Recall },
      },
    },
    async (request) => {
      const { venture, params, body, companions } = request
      return recallTransfer(recalls, { venture_id: venture.id, id: params.transfer_id }, body, { companions })
    },
  )

  app.get(
    '/transfers/:transfer_id/recalls',
    {
      config: { access: reads('transfers'), refusals: ['transfer_not_found'] },
      schema: {
        operationId: 'listRecalls',
        tags,
        summary: 'List the recalls of a transfer',
        description: 'The recalls of a transfer by the bank and by other banks, oldest first.',
        params,
        response: { 200: Type.Array(Recall) },
      },
    },
    async (request) => listRecalls(recalls, request.venture.id, request.params.transfer_id),
  )
}
