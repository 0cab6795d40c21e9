// The schemas of clients in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  CalendarDate,
  Choice,
  CountryCode,
  Email,
  Id,
  Name,
  Nullable,
  OptionalField,
  Paging,
  Phone,
  Query,
  Resource,
  Search,
  ShortText,
  Timestamp,
} from '../platform/http/schemas.ts'

export const kycStatuses = ['NOT_STARTED', 'CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW', 'VALIDATED', 'DECLINED'] as const
export type KycStatus = (typeof kycStatuses)[number]

const Gender = Choice(['male', 'female'])
const KycLevel = Choice(['FULL_KYC', 'DOC_ONLY', 'NOT_REQUIRED'])
export const KycStatus = Choice(kycStatuses)
export const RiskLevel = Choice(['Low', 'Medium', 'High'])
const OrganizationId = Type.Integer({ minimum: 0, maximum: 2_147_483_647 })

export const Client = Resource('Client', {
  id: Id,
  first_name: Type.String(),
  middle_name: Nullable(Type.String()),
  last_name: Type.String(),
  date_of_birth: CalendarDate,
  gender: Nullable(Gender),
  nationality: Type.String(),
  birth_country: Type.String(),
  country_of_tax_residence: Type.String(),
  country_code: Type.String(),
  address: Type.String(),
  city: Type.String(),
  postcode: Type.String(),
  state_province: Nullable(Type.String()),
  email: Type.String(),
  second_email: Nullable(Type.String()),
  mobile_phone_number: Nullable(Type.String()),
  second_mobile_phone_number: Nullable(Type.String()),
  organization_id: Type.Integer(),
  external_client_code: Nullable(Type.String()),
  planned_income: Nullable(Type.String()),
  planned_expenditure: Nullable(Type.String()),
  kyc_level: KycLevel,
  kyc_status: KycStatus,
  kyc_note: Nullable(Type.String()),
  risk_level: RiskLevel,
  blocked: Type.Boolean(),
  is_blacklisted: Type.Boolean(),
  blacklisted_comment: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Client = Static<typeof Client>

/** Identity cannot be changed after registration. */
const identity = {
  first_name: Name,
  middle_name: OptionalField(Name),
  last_name: Name,
  date_of_birth: CalendarDate,
  gender: OptionalField(Gender),
  nationality: CountryCode,
  birth_country: CountryCode,
  country_of_tax_residence: CountryCode,
}

const contact = {
  address: ShortText,
  city: ShortText,
  postcode: ShortText,
  country_code: CountryCode,
  email: Email,
  state_province: OptionalField(ShortText),
  second_email: OptionalField(Email),
  mobile_phone_number: OptionalField(Phone),
  second_mobile_phone_number: OptionalField(Phone),
  external_client_code: OptionalField(ShortText),
  planned_income: OptionalField(ShortText),
  planned_expenditure: OptionalField(ShortText),
}

export const PersonRegistration = Body('PersonRegistration', {
  ...identity,
  ...contact,
  organization_id: OrganizationId,
  kyc_level: Type.Optional(KycLevel),
  risk_level: Type.Optional(RiskLevel),
})
export type PersonRegistration = Static<typeof PersonRegistration>

export const ClientUpdate = Body('ClientUpdate', {
  ...Type.Partial(Type.Object({ ...identity, ...contact })).properties,
  risk_level: Type.Optional(RiskLevel),
  kyc_note: OptionalField(ShortText),
  blocked: Type.Optional(Type.Boolean()),
  is_blacklisted: Type.Optional(Type.Boolean()),
  blacklisted_comment: OptionalField(ShortText),
})
export type ClientUpdate = Static<typeof ClientUpdate>

export const identityFields = Object.keys(identity) as (keyof typeof identity)[]

export const ClientList = Query({ ...Paging, kyc_status: Type.Optional(KycStatus), search: Search })
export type ClientList = Static<typeof ClientList>
