// The HTTP routes of beneficiaries.
import { Type } from 'typebox'
import type { Database } from '../platform/database/database.ts'
import type { App } from '../platform/http/http.ts'
import { sendPage } from '../platform/http/lists.ts'
import { PathId } from '../platform/http/schemas.ts'
import { Beneficiary, BeneficiaryList, BeneficiaryUpdate, NewBeneficiary } from './beneficiaries.schemas.ts'
import { createBeneficiary, getBeneficiary, listBeneficiaries, updateBeneficiary } from './beneficiaries.ts'

const params = PathId('beneficiary_id')
const tags = ['Beneficiaries']

export async function beneficiaryRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.post(
    '/beneficiaries',
    {
      config: { creates: { answer: 'kept', location: ({ id }) => `/api/v1/beneficiaries/${id}` } },
      schema: {
        operationId: 'createBeneficiary',
        tags,
        summary: 'Create a beneficiary',
        description: 'Takes an IBAN, an account number, or both. Identifiers are stored in upper case.',
        body: NewBeneficiary,
        response: { 201: Beneficiary },
      },
    },
    async (request) => createBeneficiary(database, request.venture, request.body, request.companions),
  )

  app.get(
    '/beneficiaries',
    {
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
      schema: {
        operationId: 'getBeneficiary',
        tags,
        summary: 'Get a beneficiary',
        description: 'The beneficiary with the details of the bank account.',
        params,
        response: { 200: Beneficiary },
      },
    },
    async (request) => getBeneficiary(database, { venture_id: request.venture.id, id: request.params.beneficiary_id }),
  )

  app.put(
    '/beneficiaries/:beneficiary_id',
    {
      schema: {
        operationId: 'updateBeneficiary',
        tags,
        summary: 'Show or hide a beneficiary',
        description: 'Nothing else can be changed. For another bank account, create another beneficiary.',
        params,
        body: BeneficiaryUpdate,
        response: { 200: Beneficiary },
      },
    },
    async (request) =>
      updateBeneficiary(database, { venture_id: request.venture.id, id: request.params.beneficiary_id }, request.body, request.companions),
  )
}
