// The routes of verification: the verifier's events, and the operator's list of those that match no client.
import { Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/http.ts'
import { PathId } from '../platform/http/schemas.ts'
import { ConflictingEvent, Envelope, KycEvent, KycMove, OperatorList, UnmatchedEvent } from './kyc.schemas.ts'
import { listConflictingKycEvents, listKycHistory, listUnmatchedKycEvents, receiveKycEvent } from './kyc.ts'
import type { Verifier } from './kyc.verifier.ts'

export async function kycRoutes(app: App, services: { database: Database; verifier: Verifier }): Promise<void> {
  await app.register(async (raw: App) => {
    // The signature covers the bytes as they arrived, so nothing may parse them first.
    raw.removeAllContentTypeParsers()
    raw.addContentTypeParser<Buffer>('*', { parseAs: 'buffer' }, async (_request: unknown, bytes: Buffer) => bytes)
    raw.post(
      '/kyc/webhook',
      {
        config: { key: 'verifier', rawBody: true, envelope: Envelope },
        schema: {
          operationId: 'receiveKycEvent',
          tags: ['Verification'],
          summary: 'Receive a signed verification event',
          description:
            'The body is the signed envelope, or one JSON string that contains it. It is verified byte for byte against the headers `webhook-id`, ' +
            '`webhook-timestamp` and `webhook-signature`, as defined by Standard Webhooks. An event that has been recorded before gets the same response; an event with the id of a recorded one and ' +
            'another content is refused and kept for the operator.',
          response: { 200: KycEvent },
        },
      },
      async (request) => {
        const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
        const sender = request.venture === undefined ? 'relay' : { venture_id: request.venture.id }
        return receiveKycEvent(services, sender, { headers: request.headers, bytes }, request.companions)
      },
    )
  })

  app.get(
    '/clients/:client_id/kyc-history',
    {
      schema: {
        operationId: 'listKycHistory',
        tags: ['Verification'],
        summary: 'List what happened in the verification of a client, oldest first',
        description:
          'The status of verification from the registration on, with who changed it, when, and why. What the verifier has sent is not shown.',
        params: PathId('client_id'),
        response: { 200: Type.Array(KycMove) },
      },
    },
    async (request) => listKycHistory(services.database, request.venture.id, request.params.client_id),
  )

  app.get(
    '/kyc/unmatched-events',
    {
      config: { key: 'operator' },
      schema: {
        operationId: 'listUnmatchedKycEvents',
        tags: ['Verification (bank)'],
        summary: 'List verification events that match no client, newest first',
        description:
          'They name a client or an application that the service does not know. Check whether the verifier is set up for another service.',
        querystring: OperatorList,
        response: { 200: Type.Array(UnmatchedEvent) },
      },
    },
    async (request) => listUnmatchedKycEvents(services.database, request.query),
  )

  app.get(
    '/kyc/conflicting-events',
    {
      config: { key: 'operator' },
      schema: {
        operationId: 'listConflictingKycEvents',
        tags: ['Verification (bank)'],
        summary: 'List verification events that have the id of a recorded event and another content, newest first',
        description: 'A verifier that works never sends two different events with one id. Check whether somebody else has its secret.',
        querystring: OperatorList,
        response: { 200: Type.Array(ConflictingEvent) },
      },
    },
    async (request) => listConflictingKycEvents(services.database, request.query),
  )
}
