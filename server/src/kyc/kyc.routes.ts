// The routes of verification: the verifier's events, and the operator's list of those that match no client.
import { Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import { reads, readsAtBank } from '../platform/http/access.ts'
import { exampleIds } from '../platform/http/examples.ts'
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
        config: {
          access: { door: 'verifier', reads: false, scopes: ['clients'] },
          audit: 'people',
          refusals: ['invalid_signature', 'kyc_event_conflict'],
          rawBody: true,
          envelope: Envelope,
          createsNothing: 'Events have ids, which identify a repeated one.',
          example: {
            body: {
              id: 'evt-1001',
              type: 'verification.approved',
              created_at: '2026-11-15T09:30:00Z',
              client_id: exampleIds.client_id,
              data: { risk_level: 'Low' },
            },
            isSigned: true,
          },
        },
        schema: {
          operationId: 'receiveKycEvent',
          tags: ['Verification'],
          summary: 'Receive a signed verification event',
          description:
            'The body is the signed envelope, or one JSON string that contains it. It is verified byte for byte against the headers `webhook-id`, ' +
            '`webhook-timestamp` and `webhook-signature`, as defined by Standard Webhooks. A repeated event gets the same response; an event with the id ' +
            'of a recorded one but other content is refused and kept for the operator.',
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
      config: { access: reads('clients'), refusals: ['client_not_found'] },
      schema: {
        operationId: 'listKycHistory',
        tags: ['Verification'],
        summary: 'List the verification history of a client, oldest first',
        description:
          "Every verification status since the registration, with who set it, when, and why. The verifier's own messages are not shown.",
        params: PathId('client_id'),
        response: { 200: Type.Array(KycMove) },
      },
    },
    async (request) => listKycHistory(services.database, request.venture.id, request.params.client_id),
  )

  app.get(
    '/kyc/unmatched-events',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listUnmatchedKycEvents',
        tags: ['Verification (bank)'],
        summary: 'List verification events that match no client, newest first',
        description:
          'They name a client or an application that the service does not know. Check whether the verifier is configured for another service.',
        querystring: OperatorList,
        response: { 200: Type.Array(UnmatchedEvent) },
      },
    },
    async (request) => listUnmatchedKycEvents(services.database, request.query),
  )

  app.get(
    '/kyc/conflicting-events',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listConflictingKycEvents',
        tags: ['Verification (bank)'],
        summary: 'List verification events that reuse the id of a recorded event with other content, newest first',
        description: 'A working verifier never sends two different events with the same id. Check whether its secret has leaked.',
        querystring: OperatorList,
        response: { 200: Type.Array(ConflictingEvent) },
      },
    },
    async (request) => listConflictingKycEvents(services.database, request.query),
  )
}
