import { Type } from 'typebox'
import { Approval, type Approvals, fourEyes, isApproval, sendOrWait } from '../audit/audit.ts'
import { changes, reads, together } from '../platform/http/access.ts'
import { exampleIban, exampleIds } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Beneficiary, BeneficiaryList, BeneficiaryUpdate, NewBeneficiary } from './beneficiaries.schemas.ts'
import { createBeneficiary, getBeneficiary, listBeneficiaries, updateBeneficiary } from './beneficiaries.ts'

const params = PathId('beneficiary_id')
const tags = ['Beneficiaries']

export async function beneficiaryRoutes(app: App, { approvals }: { approvals: Approvals }): Promise<void> {
  const { database } = approvals

  app.post(
    '/beneficiaries',
    {
      config: {
        access: changes('transfers', together('It makes a later payment possible.')),
        audit: 'people',
        refusals: ['client_not_found', 'beneficiary_needs_account', 'invalid_iban', 'invalid_bic', 'invalid_routing_number', ...fourEyes],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/beneficiaries/${id}`, waits: isApproval },
        another: { name: 'Another name' },
        example: { body: { client_id: exampleIds.client_id, name: 'Charles Babbage', beneficiary_type: 'PERSON', iban: exampleIban } },
      },
      schema: {
        operationId: 'createBeneficiary',
        tags,
        summary: 'Create a beneficiary',
        description:
          'Takes an IBAN, an account number, or both. Identifiers are stored in upper case. With four-eyes approval, two people of the bank ' +
          'create one in a MANAGED venture: the response to the first is then an approval, with status 202.',
        body: NewBeneficiary,
        response: { 201: Beneficiary, 202: Approval },
      },
    },
    async (request, reply) => sendOrWait(reply, await createBeneficiary(approvals, request.venture, request.body, request)),
  )

  app.get(
    '/beneficiaries',
    {
      config: { access: reads('transfers'), refusals: [] },
      schema: {
        operationId: 'listBeneficiaries',
        tags,
        summary: 'List beneficiaries, newest first',
        description: '`search` looks in the name, the IBAN, the account number and the bank name.',
        querystring: BeneficiaryList,
        response: { 200: Type.Array(Beneficiary) },
      },
    },
    async (request, reply) => sendPage(request, reply, await listBeneficiaries(database, request.venture.id, request.query)),
  )

  app.get(
    '/beneficiaries/:beneficiary_id',
    {
      config: { access: reads('transfers'), refusals: ['beneficiary_not_found'] },
      schema: {
        operationId: 'getBeneficiary',
        tags,
        summary: 'Get a beneficiary',
        description: 'The beneficiary with its bank details.',
        params,
        response: { 200: Beneficiary },
      },
    },
    async (request) => getBeneficiary(database, { venture_id: request.venture.id, id: request.params.beneficiary_id }),
  )

  app.put(
    '/beneficiaries/:beneficiary_id',
    {
      config: {
        access: changes('transfers', together('It decides which beneficiaries a client sees.')),
        audit: 'people',
        refusals: ['beneficiary_not_found', ...fourEyes],
        example: { body: { display: false } },
      },
      schema: {
        operationId: 'updateBeneficiary',
        tags,
        summary: 'Show or hide a beneficiary',
        description:
          'Nothing else can be changed. For another bank account, create another beneficiary. With four-eyes approval, two people of the bank do ' +
          'it in a MANAGED venture: the response to the first is then an approval, with status 202.',
        params,
        body: BeneficiaryUpdate,
        response: { 200: Beneficiary, 202: Approval },
      },
    },
    async (request, reply) =>
      sendOrWait(reply, await updateBeneficiary(approvals, request.venture, request.params.beneficiary_id, request.body, request)),
  )
}
