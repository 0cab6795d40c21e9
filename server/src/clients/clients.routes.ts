// The HTTP routes of clients.
import { Type } from 'typebox'
import { Approval, type Approvals, isApproval, sendOrWait } from '../audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Client, ClientList, ClientUpdate, PersonRegistration } from './clients.schemas.ts'
import { changeClient, getClient, listClients, openRegistrations, registerByBank, registerPerson } from './clients.ts'

const params = PathId('client_id')
const tags = ['Clients']

export async function clientRoutes(app: App, { database, approvals }: { database: Database; approvals: Approvals }): Promise<void> {
  const registrations = openRegistrations(database)

  app.post(
    '/clients/person',
    {
      config: { creates: { answer: 'kept', location: ({ id }) => `/api/v1/clients/${id}`, waits: isApproval } },
      schema: {
        operationId: 'registerPerson',
        tags,
        summary: 'Register an individual client',
        description:
          'Creates the client and its person profile, and starts KYC. With four eyes, two people of the bank register a client of a MANAGED venture who ' +
          'needs no verification: the response to the first is then an approval, with status 202.',
        body: PersonRegistration,
        response: { 201: Client, 202: Approval },
      },
    },
    async ({ venture, body, actor, companions }, reply) =>
      actor.kind === 'operator'
        ? sendOrWait(reply, await registerByBank(approvals, registrations, venture, body, { actor, companions }))
        : registerPerson(registrations, venture, body, { actor, companions }),
  )

  app.get(
    '/clients',
    {
      schema: {
        operationId: 'listClients',
        tags,
        summary: 'List clients, newest first',
        description: '`search` looks in the names, the email and the external client code.',
        querystring: ClientList,
        response: { 200: Type.Array(Client) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listClients(database, request.venture.id, request.query)),
  )

  app.get(
    '/clients/:client_id',
    {
      schema: {
        operationId: 'getClient',
        tags,
        summary: 'Get a client',
        description: 'The client with the status of the verification.',
        params,
        response: { 200: Client },
      },
    },
    async (request) => getClient(database, request.venture.id, request.params.client_id),
  )

  app.put(
    '/clients/:client_id',
    {
      schema: {
        operationId: 'updateClient',
        tags,
        summary: 'Update a client',
        description:
          'Absent fields stay as they are; null clears an optional field. Identity fields may be sent with their current values, but not changed. ' +
          'With four eyes, two people free what the bank blocked or blacklisted, and lower `risk_level`: the response is then an approval, with status 202.',
        params,
        body: ClientUpdate,
        response: { 200: Client, 202: Approval },
      },
    },
    async (request, reply) =>
      sendOrWait(reply, await changeClient(approvals, request.venture, { id: request.params.client_id, update: request.body }, request)),
  )
}
