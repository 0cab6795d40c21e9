import { alone, changes, changesAtBank, reads } from '../platform/http/access.ts'
import { exampleIban } from '../platform/http/examples.ts'
import type { App } from '../platform/http/http.ts'
import { PathId } from '../platform/http/schemas.ts'
import { PayeeAnswer, PayeeQuestion, PayeeRequest, PayeeVerification } from './payees.schemas.ts'
import { answerBank, getVerification, type Payees, verifyPayee } from './payees.ts'

const tags = ['Payees']

export async function payeeRoutes(app: App, { payees }: { payees: Payees }): Promise<void> {
  app.post(
    '/payee-verifications',
    {
      config: {
        access: changes('transfers', alone('It moves no money.')),
        audit: 'people',
        refusals: ['invalid_iban'],
        creates: { answer: 'kept', location: ({ id }) => `/api/v1/payee-verifications/${id}` },
        another: { name: 'Another name' },
        example: { body: { name: 'Charles Babbage', iban: exampleIban } },
      },
      schema: {
        operationId: 'verifyPayee',
        tags,
        summary: 'Verify the holder of an account',
        description:
          'Asks the bank of the account to compare the name with that of the account holder. If the policy of the venture requires it, a transfer needs a ' +
          'result for its `cr_name` and `cr_iban` that is at most 24 hours old: MATCH, NOT_POSSIBLE, or another one that the payer has accepted with ' +
          '`payee_check_accepted`. The `id_result` of an organisation decides nothing about a transfer.',
        body: PayeeQuestion,
        response: { 201: PayeeVerification },
      },
    },
    async ({ venture, body, companions }) => verifyPayee(payees, venture.id, body, companions),
  )

  app.get(
    '/payee-verifications/:payee_verification_id',
    {
      config: { access: reads('transfers'), refusals: ['payee_verification_not_found'] },
      schema: {
        operationId: 'getPayeeVerification',
        tags,
        summary: 'Get the verification of a payee',
        description: 'The stored answer. The other bank is not asked again.',
        params: PathId('payee_verification_id'),
        response: { 200: PayeeVerification },
      },
    },
    async ({ venture, params }) => getVerification(payees, venture.id, params.payee_verification_id),
  )

  app.post(
    '/vop/requests',
    {
      config: {
        access: { ...changesAtBank(alone('It moves no money.')), bankKey: 'payees' },
        audit: 'never',
        refusals: ['invalid_iban'],
        createsNothing: 'It stores nothing.',
        example: { body: { name: 'Ada Lovelace', iban: 'LT121000011101001000' }, own: ['iban'] },
        trial: { fresh: 'managed' },
      },
      schema: {
        operationId: 'answerPayeeRequest',
        tags: ['Payees (bank)'],
        summary: 'Answer another bank that verifies a payee',
        description:
          "For the connector that receives requests from other banks. Covers the accounts of managed ventures; the response contains the holder's name " +
          'only if it is close to the name in the request. Nothing is stored.',
        body: PayeeRequest,
        response: { 200: PayeeAnswer },
      },
    },
    async ({ body }) => answerBank(payees, body),
  )
}
