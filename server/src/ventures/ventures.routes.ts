// The HTTP routes of ventures: for the operator and for the venture itself.
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { Approval, fourEyes, sendOrWait } from '../audit/audit.ts'
import { adminAtBank, alone, partly, readsAtBank, readsOfVenture, sensitive, together } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { refuse } from '../values/refusals.ts'
import { openVenturesByKey } from './ventures.apikeys.ts'
import { Venture, VentureList, VentureRegistration, VentureUpdate, VentureWithKey } from './ventures.schemas.ts'
import {
  findVenture,
  getVenture,
  listVentures,
  registerVenture,
  replaceVentureKey,
  rotateOwnKey,
  updateVenture,
  type Ventures,
} from './ventures.ts'

const params = PathId('venture_id')

export async function ventureRoutes(app: App, { ventures }: { ventures: Ventures }): Promise<void> {
  const { database } = ventures
  const findByKey = openVenturesByKey(database)

  /** One query reads both the key and the whole venture. */
  async function findWithKey(_request: FastifyRequest, key_hash: string) {
    const found = await findByKey(key_hash)
    return found && { venture: found, key_id: found.key_id, scopes: found.scopes, seen_by_bank: found.seen_by_bank }
  }

  app.post(
    '/ventures',
    {
      config: {
        access: sensitive(adminAtBank(alone('A new venture has no clients and no money.'))),
        audit: 'always',
        refusals: ['four_eyes_off'],
        creates: { answer: 'secret', location: ({ id }) => `/api/v1/ventures/${id}` },
        another: { name: 'Another name' },
        example: { body: { name: 'Acme', control: 'MANAGED' } },
      },
      schema: {
        operationId: 'registerVenture',
        tags: ['Ventures (bank)'],
        summary: 'Register a venture',
        description:
          'The response contains the API key, which is shown only once. The bank sees it, so outside the sandbox it cannot order anything for a ' +
          'MANAGED venture: an admin of the venture creates the keys that can.',
        body: VentureRegistration,
        response: { 201: VentureWithKey },
      },
    },
    async (request) => registerVenture(ventures, request.body, request.companions),
  )

  app.get(
    '/ventures',
    {
      config: { access: readsAtBank, refusals: [] },
      schema: {
        operationId: 'listVentures',
        tags: ['Ventures (bank)'],
        summary: 'List ventures, newest first',
        description: 'All ventures of the service, with the prefix of their oldest valid key.',
        querystring: VentureList,
        response: { 200: Type.Array(Venture) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listVentures(database, request.query)),
  )

  app.get(
    '/ventures/:venture_id',
    {
      config: { access: readsAtBank, refusals: ['venture_not_found'] },
      schema: {
        operationId: 'getVenture',
        tags: ['Ventures (bank)'],
        summary: 'Get a venture',
        description: 'The venture with the prefix of its oldest valid key. Keys themselves are never shown again.',
        params,
        response: { 200: Venture },
      },
    },
    async (request) => getVenture(database, request.params.venture_id),
  )

  app.put(
    '/ventures/:venture_id',
    {
      config: {
        access: adminAtBank(partly('Enabling a venture and changing its control release stopped actions. Disabling protects.')),
        audit: 'always',
        refusals: ['venture_not_found', 'venture_has_books', 'four_eyes_off', ...fourEyes],
        example: { body: { name: 'Acme Europe' } },
        trial: { fresh: 'venture' },
      },
      schema: {
        operationId: 'updateVenture',
        tags: ['Ventures (bank)'],
        summary: 'Rename, disable or enable a venture, or change who processes its transfers',
        description:
          'From then on, requests with a key of a disabled venture get 401. `control` can change only while the venture has no client, no ' +
          'transfer and no entry. With four-eyes approval, enabling a venture and changing `control` need a second person: the response is then ' +
          'an approval, with status 202.',
        params,
        body: VentureUpdate,
        response: { 200: Venture, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await updateVenture(ventures, request.params.venture_id, request.body, request)),
  )

  app.post(
    '/ventures/:venture_id/rotate-key',
    {
      config: {
        access: sensitive(adminAtBank(together('A new key acts for the venture.'))),
        audit: 'always',
        refusals: ['venture_not_found', ...fourEyes],
        createsNothing: 'It replaces a key. If the response is lost, replace the key again.',
        trial: { fresh: 'venture' },
      },
      schema: {
        operationId: 'replaceVentureKey',
        tags: ['Ventures (bank)'],
        summary: 'Replace all API keys of a venture with one new key',
        description:
          'For a lost key. All keys of the venture stop working at once. The response contains the new key, which has all scopes and is shown ' +
          'only once. With four-eyes approval, this needs a second person: the response is then an approval, with status 202, and the approver ' +
          'gets the new key.',
        params,
        response: { 200: VentureWithKey, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await replaceVentureKey(ventures, request.params.venture_id, request)),
  )

  app.get(
    '/venture',
    {
      config: {
        access: { ...readsOfVenture, scopes: 'any' },
        refusals: [],
        findWithKey,
        showsVenture: true,
      },
      schema: {
        operationId: 'getOwnVenture',
        tags: ['Venture'],
        summary: 'Get your own venture',
        description: 'The venture of the key. A good first request: it shows that the key works.',
        response: { 200: Venture },
      },
    },
    // A venture that was just enabled may have been found by its key alone.
    async ({ venture }) => (isWhole(venture) ? venture : ((await findVenture(database, venture.id)) ?? refuse('venture_not_found'))),
  )

  app.post(
    '/venture/rotate-key',
    {
      config: {
        access: { door: 'venture', reads: false, scopes: 'any' },
        audit: 'always',
        refusals: [],
        createsNothing: 'A repetition with the old key is refused.',
        trial: { by: 'newVenture' },
      },
      schema: {
        operationId: 'rotateOwnKey',
        tags: ['Venture'],
        summary: 'Rotate your API key',
        description:
          'Replaces the key of this request with a new one that has the same name, scopes and expiry. The old key stops working at once. The ' +
          'response contains the new key, which is shown only once.',
        response: { 200: VentureWithKey },
      },
    },
    async (request) => rotateOwnKey(ventures, { venture_id: request.venture.id, id: request.actor.id ?? '' }, request.companions),
  )
}

function isWhole(venture: Pick<Venture, 'id'>): venture is Venture {
  return 'api_key_prefix' in venture
}
