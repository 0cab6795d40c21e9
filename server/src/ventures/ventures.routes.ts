// The HTTP routes of ventures: for the operator and for the venture itself.
import { Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import type { KeyKind } from './ventures.keys.ts'
import { Venture, VentureList, VentureRegistration, VentureUpdate, VentureWithKey } from './ventures.schemas.ts'
import { getVenture, listVentures, registerVenture, rotateKey, updateVenture } from './ventures.ts'

const params = PathId('venture_id')

export async function ventureRoutes(app: App, bank: { database: Database; keyKind: KeyKind }): Promise<void> {
  const { database } = bank
  const admin = { config: { key: 'admin' } } as const

  app.post(
    '/ventures',
    {
      config: { key: 'admin', creates: { answer: 'secret', location: ({ id }) => `/api/v1/ventures/${id}` } },
      schema: {
        operationId: 'registerVenture',
        tags: ['Ventures (admin)'],
        summary: 'Register a venture',
        description: 'The response contains the API key. It is shown only once.',
        body: VentureRegistration,
        response: { 201: VentureWithKey },
      },
    },
    async (request) => registerVenture(bank, request.body, request.companions),
  )

  app.get(
    '/ventures',
    {
      ...admin,
      schema: {
        operationId: 'listVentures',
        tags: ['Ventures (admin)'],
        summary: 'List ventures, newest first',
        querystring: VentureList,
        response: { 200: Type.Array(Venture) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listVentures(database, request.query)),
  )

  app.get(
    '/ventures/:venture_id',
    {
      ...admin,
      schema: { operationId: 'getVenture', tags: ['Ventures (admin)'], summary: 'Get a venture', params, response: { 200: Venture } },
    },
    async (request) => getVenture(database, request.params.venture_id),
  )

  app.put(
    '/ventures/:venture_id',
    {
      ...admin,
      schema: {
        operationId: 'updateVenture',
        tags: ['Ventures (admin)'],
        summary: 'Rename, disable or enable a venture',
        description: 'Requests with the key of a disabled venture get 401 from then on.',
        params,
        body: VentureUpdate,
        response: { 200: Venture },
      },
    },
    async (request) => updateVenture(database, request.params.venture_id, request.body),
  )

  app.post(
    '/ventures/:venture_id/rotate-key',
    {
      ...admin,
      schema: {
        operationId: 'replaceVentureKey',
        tags: ['Ventures (admin)'],
        summary: "Replace a venture's API key",
        description:
          'For a key that was lost. The old key stops working at once. The response contains the new key, which is shown only once.',
        params,
        response: { 200: VentureWithKey },
      },
    },
    async (request) => rotateKey(bank, request.params.venture_id, null),
  )

  app.get(
    '/venture',
    { schema: { operationId: 'getOwnVenture', tags: ['Venture'], summary: 'Get your own venture', response: { 200: Venture } } },
    // The key check has already loaded the whole venture.
    async (request) => request.venture as Venture,
  )

  app.post(
    '/venture/rotate-key',
    {
      schema: {
        operationId: 'rotateOwnKey',
        tags: ['Venture'],
        summary: 'Rotate your API key',
        description: 'The old key stops working at once. The response contains the new key, which is shown only once.',
        response: { 200: VentureWithKey },
      },
    },
    async (request) => rotateKey(bank, request.venture.id, request.keyHash),
  )
}
