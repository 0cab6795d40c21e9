// The HTTP routes of API keys: for the venture itself and for the operator.
import { Type } from 'typebox'
import { Approval, fourEyes, sendOrWait } from '../audit/audit.ts'
import { adminAtBank, alone, empowering, keysOfVenture, readsOfVenture, sensitive, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { createKey, getKey, listKeys, revokeKey, updateKey } from './ventures.apikeys.ts'
import { ApiKey, ApiKeyList, ApiKeyUpdate, ApiKeyWithSecret, NewApiKey } from './ventures.schemas.ts'
import { createVentureKey, type Ventures } from './ventures.ts'

const tags = ['API keys']
const params = PathId('key_id')

export async function apiKeyRoutes(app: App, { ventures }: { ventures: Ventures }): Promise<void> {
  const { database } = ventures
  const keyOf = (request: { venture: { id: string }; params: { key_id: string } }) => ({
    venture_id: request.venture.id,
    id: request.params.key_id,
  })

  app.post(
    '/venture/keys',
    {
      config: {
        access: empowering(keysOfVenture(together('A new key acts for the venture.'))),
        audit: 'always',
        refusals: ['key_limit', ...fourEyes],
        creates: { answer: 'secret', location: ({ id }) => `/api/v1/venture/keys/${id}` },
        another: { name: 'Another name' },
        example: { body: { name: 'Payment server', scopes: ['accounts', 'transfers'], expires_at: '2030-12-31T00:00:00Z' } },
      },
      schema: {
        operationId: 'createKey',
        tags,
        summary: 'Create an API key',
        description:
          'The response contains the key, which is shown only once. Needs a key with all scopes, or an admin of the venture. A key created with a ' +
          'key that the bank has seen also counts as seen by the bank. With four-eyes approval, an admin of the bank who acts for the venture ' +
          'needs a second person: the response is then an approval, with status 202, and the approver gets the key.',
        body: NewApiKey,
        response: { 201: ApiKeyWithSecret, 202: Approval },
      },
    },
    async (request, reply) => {
      const { venture, body, actor } = request
      const { companions, seen_by_bank } = request
      if (actor.kind !== 'operator') return createKey(ventures, venture.id, body, { companions, seen_by_bank })
      return sendOrWait(reply, await createVentureKey(ventures, venture.id, body, request))
    },
  )

  app.get(
    '/venture/keys',
    {
      config: { access: { ...readsOfVenture, venture: ['admin', 'operator'], scopes: 'all' }, refusals: [] },
      schema: {
        operationId: 'listKeys',
        tags,
        summary: 'List API keys, newest first',
        description: 'Revoked and expired keys stay in the list.',
        querystring: ApiKeyList,
        response: { 200: Type.Array(ApiKey) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listKeys(database, request.venture.id, request.query)),
  )

  app.get(
    '/venture/keys/:key_id',
    {
      config: { access: { ...readsOfVenture, venture: ['admin', 'operator'], scopes: 'all' }, refusals: ['api_key_not_found'] },
      schema: {
        operationId: 'getKey',
        tags,
        summary: 'Get an API key',
        description: "The key's scopes, and when it was last used. The key itself is never shown again.",
        params,
        response: { 200: ApiKey },
      },
    },
    async (request) => getKey(database, keyOf(request)),
  )

  app.put(
    '/venture/keys/:key_id',
    {
      config: {
        access: keysOfVenture(alone('It changes the name of a key, not its rights.')),
        audit: 'always',
        refusals: ['api_key_not_found'],
        example: { body: { name: 'Old payment server' } },
      },
      schema: {
        operationId: 'updateKey',
        tags,
        summary: 'Rename an API key',
        description: 'Changes only the name. For other scopes or another expiry, create another key and revoke this one.',
        params,
        body: ApiKeyUpdate,
        response: { 200: ApiKey },
      },
    },
    async (request) => updateKey(database, keyOf(request), request.body, request.companions),
  )

  app.post(
    '/venture/keys/:key_id/revoke',
    {
      config: {
        access: { ...keysOfVenture(alone('It protects.')), isSensitive: false },
        audit: 'always',
        refusals: ['api_key_not_found'],
        createsNothing: 'A key is revoked once.',
        trial: { fresh: 'key' },
      },
      schema: {
        operationId: 'revokeKey',
        tags,
        summary: 'Revoke an API key',
        description: 'The key stops working at once, and stays in the list.',
        params,
        response: { 200: ApiKey },
      },
    },
    async (request) => revokeKey(database, keyOf(request), request.companions),
  )

  app.post(
    '/ventures/:venture_id/keys',
    {
      config: {
        access: sensitive(adminAtBank(together('A new key acts for the venture.'))),
        audit: 'always',
        refusals: ['venture_not_found', 'key_limit', ...fourEyes],
        creates: { answer: 'secret' },
        another: { name: 'Another name' },
        example: { body: { name: 'Reporting', scopes: ['read'] } },
        trial: { fresh: 'venture' },
      },
      schema: {
        operationId: 'createVentureKey',
        tags: ['Ventures (bank)'],
        summary: 'Create an API key for a venture',
        description:
          'The response contains the key, which is shown only once. The bank sees it, so outside the sandbox it cannot order anything for a ' +
          'MANAGED venture. With four-eyes approval, this needs a second person: the response is then an approval, with status 202, and the ' +
          'approver gets the key.',
        params: PathId('venture_id'),
        body: NewApiKey,
        response: { 201: ApiKeyWithSecret, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await createVentureKey(ventures, request.params.venture_id, request.body, request)),
  )
}
