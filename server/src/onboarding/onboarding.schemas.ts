// The schemas of onboarding details in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CreatedAt,
  described,
  Id,
  Nullable,
  OptionalField,
  Resource,
  ShortText,
  UpdatedAt,
} from '../platform/http/schemas.ts'
import { accountPurposes, monthlyVolumes, occupationSectors, occupations, sourcesOfFunds } from './onboarding.values.ts'

const answers = {
  expected_monthly_incoming_volume: Choice(monthlyVolumes, {
    description: 'How much the client expects to receive in a month, as a range. Monitoring applies it in the currency of the account.',
  }),
  expected_monthly_outgoing_volume: Choice(monthlyVolumes, {
    description: 'How much the client expects to pay in a month, as a range. Monitoring applies it in the currency of the account.',
  }),
  occupation: Choice(occupations, { description: 'What the client does for a living. `other_occupation` explains OTHER.' }),
  occupation_sector: Choice(occupationSectors, { description: 'The industry in which the client works.' }),
  source_of_funds: Choice(sourcesOfFunds, { description: "Where the client's money comes from. `other_source_of_funds` explains OTHER." }),
  is_us_person: Type.Boolean({ description: 'Whether the client is a US person for tax purposes (FATCA).' }),
}

export const OnboardingDetails = Resource(
  'OnboardingDetails',
  {
    id: described(Id, 'The id of the details. The service assigns it.'),
    account_purposes: Type.Array(Choice(accountPurposes), { description: 'What the client will use accounts for.' }),
    ...answers,
    funds_origin_country_id: Nullable(
      Type.Integer({ description: "The country that the money comes from, by its number in the venture's own systems, or null." }),
    ),
    other_occupation: Nullable(Type.String({ description: 'The occupation in words, or null.' })),
    other_source_of_funds: Nullable(Type.String({ description: 'The source of funds in words, or null.' })),
    tax_identification_number: Nullable(Type.String({ description: 'The tax identification number of the client, or null.' })),
    kyc_application_id: Nullable(
      described(Id, 'The application at the verifier; null until the service has opened it, shortly after the submission.'),
    ),
    kyc_link: Nullable(
      Type.String({
        description: "The verifier's page, where the client shows documents. Send the client there. Null until the application is open.",
      }),
    ),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  'What a client has declared about money and work.',
)
export type OnboardingDetails = Static<typeof OnboardingDetails>

export const OnboardingSubmission = Body('OnboardingSubmission', {
  account_purposes_input: Type.Array(Choice(accountPurposes), {
    maxItems: accountPurposes.length,
    uniqueItems: true,
    description: 'What the client will use accounts for. May be empty.',
  }),
  ...answers,
  funds_origin_country_id: OptionalField(
    Type.Integer({
      minimum: 0,
      maximum: 2_147_483_647,
      description: 'The country that the money comes from, by its number in your own systems.',
    }),
  ),
  other_occupation: OptionalField(described(ShortText, 'The occupation in words, for OTHER.')),
  other_source_of_funds: OptionalField(described(ShortText, 'The source of funds in words, for OTHER.')),
  tax_identification_number: OptionalField(described(ShortText, 'The tax identification number of the client.')),
})
export type OnboardingSubmission = Static<typeof OnboardingSubmission>
