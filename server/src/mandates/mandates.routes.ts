import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, isApproval, sendOrWait } from '../audit/audit.ts'
import { alone, changes, reads, together } from '../platform/http/access.ts'
import { exampleIban, exampleIds } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Mandate, MandateList, NewMandate } from './mandates.schemas.ts'
import { cancelMandate, createMandate, getMandate, listMandates, type Mandates } from './mandates.ts'

const params = PathId('mandate_id')
const tags = ['Mandates']

export async function mandateRoutes(app: App, { mandates, approvals }: { mandates: Mandates; approvals: Approvals }): Promise<void> {
  const { database } = mandates

  app.post(
    '/mandates',
    {
      config: {
        access: changes('transfers', together('It allows collecting money from another person.')),
        audit: 'people',
        refusals: ['account_not_found', 'mandate_exists', 'invalid_iban', ...fourEyes],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/mandates/${id}`, waits: isApproval },
        another: { debtor_name: 'Another name' },
        example: {
          body: {
            account_id: exampleIds.account_id,
            reference: 'MANDATE-1001',
            creditor_id: 'DE98ZZZ09999999999',
            scheme: 'CORE',
            sequence_type: 'RCUR',
            debtor_name: 'Charles Babbage',
            debtor_iban: exampleIban,
            signed_on: '2026-11-02',
          },
        },
        trial: { fresh: 'mandateReference' },
      },
      schema: {
        operationId: 'createMandate',
        tags,
        summary: 'Register a mandate',
        description:
          'A mandate is the signed permission of a debtor to collect money by SEPA direct debit for an account. A transfer with its `mandate_id` ' +
          'collects money. A mandate expires after 36 months without use. With four-eyes approval, two people of the bank register one in a ' +
          'MANAGED venture: the response to the first is then an approval, with status 202.',
        body: NewMandate,
        response: { 201: Mandate, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await createMandate(mandates, approvals, request.venture, request.body, request)),
  )

  app.get(
    '/mandates',
    {
      config: { access: reads('transfers'), refusals: [] },
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
      config: { access: reads('transfers'), refusals: ['mandate_not_found'] },
      schema: {
        operationId: 'getMandate',
        tags,
        summary: 'Get a mandate',
        description: 'The mandate with its current status.',
        params,
        response: { 200: Mandate },
      },
    },
    async ({ venture, params }) => getMandate(database, { venture_id: venture.id, id: params.mandate_id }),
  )

  app.post(
    '/mandates/:mandate_id/cancel',
    {
      config: {
        access: changes('transfers', alone('It protects.')),
        audit: 'people',
        refusals: ['mandate_not_found', 'mandate_not_active'],
        createsNothing: 'A mandate is cancelled once.',
        trial: { fresh: 'mandate' },
      },
      schema: {
        operationId: 'cancelMandate',
        tags,
        summary: 'Cancel a mandate',
        description: 'From ACTIVE, permanently. It allows no further collections; those already sent are not recalled.',
        params,
        response: { 200: Mandate },
      },
    },
    async ({ venture, params, companions }) => cancelMandate(database, { venture_id: venture.id, id: params.mandate_id }, companions),
  )
}
