import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, isApproval, sendOrWait } from '../audit/audit.ts'
import type { Database } from '../platform/database/database.ts'
import { changes, partly, reads } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Client, ClientList, ClientUpdate, PersonRegistration } from './clients.schemas.ts'
import { changeClient, getClient, listClients, openRegistrations, registerByBank, registerPerson } from './clients.ts'

const params = PathId('client_id')
const tags = ['Clients']

/** Changes to these fields are always audited. */
const compliance = ['risk_level', 'kyc_note', 'blocked', 'is_blacklisted', 'blacklisted_comment']

export async function clientRoutes(app: App, { database, approvals }: { database: Database; approvals: Approvals }): Promise<void> {
  const registrations = openRegistrations(database)

  app.post(
    '/clients/person',
    {
      config: {
        access: changes(
          'clients',
          partly('Two people exempt a client from verification. All other clients are verified before an account is activated.'),
        ),
        audit: 'people',
        refusals: ['email_used', 'client_underage', 'reserved_to_bank', 'resource_changed', ...fourEyes],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/clients/${id}`, waits: isApproval },
        another: { first_name: 'Augusta' },
        example: {
          body: {
            first_name: 'Ada',
            last_name: 'Lovelace',
            date_of_birth: '1990-12-10',
            nationality: 'FRA',
            birth_country: 'GBR',
            country_of_tax_residence: 'FRA',
            address: '1 rue de la Paix',
            city: 'Paris',
            postcode: '75002',
            country_code: 'FRA',
            email: 'ada@example.com',
            mobile_phone_number: '+33612345678',
            organization_id: 1,
          },
        },
        trial: { fresh: 'email' },
      },
      schema: {
        operationId: 'registerPerson',
        tags,
        summary: 'Register an individual client',
        description:
          'Creates the client and its person profile, and starts KYC. With four-eyes approval, two people of the bank register a client of a ' +
          'MANAGED venture who needs no verification: the response to the first is then an approval, with status 202.',
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
      config: { access: reads('clients'), refusals: [] },
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
      config: { access: reads('clients'), refusals: ['client_not_found'] },
      schema: {
        operationId: 'getClient',
        tags,
        summary: 'Get a client',
        description: 'The client with its verification status.',
        params,
        response: { 200: Client },
      },
    },
    async (request) => getClient(database, request.venture.id, request.params.client_id),
  )

  app.put(
    '/clients/:client_id',
    {
      config: {
        access: changes(
          'clients',
          partly('Unblocking a client whom the bank blocked or blacklisted and lowering a risk level need two people. Blocking protects.'),
        ),
        audit: { fields: compliance },
        refusals: ['client_not_found', 'email_used', 'identity_field_immutable', 'reserved_to_bank', ...fourEyes],
        example: { body: { address: '2 place Bellecour', city: 'Lyon', postcode: '69002' } },
      },
      schema: {
        operationId: 'updateClient',
        tags,
        summary: 'Update a client',
        description:
          'Absent fields stay as they are; null clears an optional field. Identity fields may be sent with their current values, but not changed. With ' +
          'four-eyes approval, two people unblock a client whom the bank blocked or blacklisted, or lower `risk_level`: the response is then an approval, ' +
          'with status 202.',
        params,
        body: ClientUpdate,
        response: { 200: Client, 202: Approval },
      },
    },
    async (request, reply) =>
      sendOrWait(reply, await changeClient(approvals, request.venture, { id: request.params.client_id, update: request.body }, request)),
  )
}
