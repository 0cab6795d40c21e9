import type { Database } from '../platform/database/database.ts'
import { alone, changes, reads } from '../platform/http/access.ts'
import type { App } from '../platform/http/http.ts'
import { PathId } from '../platform/http/schemas.ts'
import { OnboardingDetails, OnboardingSubmission } from './onboarding.schemas.ts'
import { getOnboardingDetails, submitOnboardingDetails } from './onboarding.ts'

const params = PathId('client_id')
type Params = { client_id: string }
const tags = ['Onboarding']

export async function onboardingRoutes(app: App, { database }: { database: Database }): Promise<void> {
  app.post(
    '/clients/:client_id/onboarding/details',
    {
      config: {
        access: changes('clients', alone('It starts the verification of a client.')),
        audit: 'people',
        refusals: ['client_not_found', 'onboarding_exists'],
        creates: { answer: 'kept', location: (_, { client_id }: Params) => `/api/v1/clients/${client_id}/onboarding/details` },
        another: { other_occupation: 'Translator' },
        example: {
          body: {
            account_purposes_input: ['SALARY', 'PAY_BILLS'],
            expected_monthly_incoming_volume: 'BETWEEN1001_AND5000',
            expected_monthly_outgoing_volume: 'BETWEEN1001_AND5000',
            occupation: 'ENGINEER',
            occupation_sector: 'INFORMATIONAL_TECHNOLOGIES',
            source_of_funds: 'SAVINGS_FROM_SALARY',
            is_us_person: false,
          },
        },
        trial: { fresh: 'client' },
      },
      schema: {
        operationId: 'submitOnboardingDetails',
        tags,
        summary: 'Submit onboarding details',
        description:
          'Starts the verification. Possible only once per client. `kyc_application_id` and `kyc_link` are set as soon as the verifier has opened the ' +
          'application: read the details again, or wait for the event `onboarding.updated`.',
        params,
        body: OnboardingSubmission,
        response: { 201: OnboardingDetails },
      },
    },
    async (request) => {
      const { client_id } = request.params
      return submitOnboardingDetails(database, { venture_id: request.venture.id, client_id }, request.body, request.companions)
    },
  )

  app.get(
    '/clients/:client_id/onboarding/details',
    {
      config: { access: reads('clients'), refusals: ['client_not_found', 'onboarding_not_found'] },
      schema: {
        operationId: 'getOnboardingDetails',
        tags,
        summary: 'Get onboarding details',
        description:
          "The client's declarations, with the link to the verifier. The link is null until the service has opened the application, moments after the submission.",
        params,
        response: { 200: OnboardingDetails },
      },
    },
    async (request) => getOnboardingDetails(database, request.venture.id, request.params.client_id),
  )
}
