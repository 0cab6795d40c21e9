// The schemas of onboarding details in requests and responses.
import { type Static, Type } from 'typebox'
import { Body, Choice, Id, Nullable, OptionalField, Resource, ShortText, Timestamp } from '../platform/http/schemas.ts'
import { accountPurposes, monthlyVolumes, occupationSectors, occupations, sourcesOfFunds } from './onboarding.values.ts'

const answers = {
  expected_monthly_incoming_volume: Choice(monthlyVolumes),
  expected_monthly_outgoing_volume: Choice(monthlyVolumes),
  occupation: Choice(occupations),
  occupation_sector: Choice(occupationSectors),
  source_of_funds: Choice(sourcesOfFunds),
  is_us_person: Type.Boolean(),
}

export const OnboardingDetails = Resource('OnboardingDetails', {
  id: Id,
  account_purposes: Type.Array(Choice(accountPurposes)),
  ...answers,
  funds_origin_country_id: Nullable(Type.Integer()),
  other_occupation: Nullable(Type.String()),
  other_source_of_funds: Nullable(Type.String()),
  tax_identification_number: Nullable(Type.String()),
  kyc_application_id: Nullable(Id),
  kyc_link: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type OnboardingDetails = Static<typeof OnboardingDetails>

export const OnboardingSubmission = Body('OnboardingSubmission', {
  account_purposes_input: Type.Array(Choice(accountPurposes), { maxItems: accountPurposes.length, uniqueItems: true }),
  ...answers,
  funds_origin_country_id: OptionalField(Type.Integer({ minimum: 0, maximum: 2_147_483_647 })),
  other_occupation: OptionalField(ShortText),
  other_source_of_funds: OptionalField(ShortText),
  tax_identification_number: OptionalField(ShortText),
})
export type OnboardingSubmission = Static<typeof OnboardingSubmission>
