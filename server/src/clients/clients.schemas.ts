// The schemas of clients in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  CalendarDate,
  Choice,
  CountryCode,
  CreatedAt,
  described,
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
  UpdatedAt,
} from '../platform/http/schemas.ts'

export const kycStatuses = ['NOT_STARTED', 'CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW', 'VALIDATED', 'DECLINED'] as const
export type KycStatus = (typeof kycStatuses)[number]

const Gender = Choice(['male', 'female'], { description: 'The gender in the identity document; null if it was not given.' })
const KycLevel = Choice(['FULL_KYC', 'DOC_ONLY', 'NOT_REQUIRED'], {
  description:
    'How the client is verified. FULL_KYC (the default): the full check of the verifier. DOC_ONLY: documents only. NOT_REQUIRED: not at all; in MANAGED ventures, only the bank may choose this.',
})
export const KycStatus = Choice(kycStatuses, {
  description:
    'The progress of the verification. NOT_STARTED: none is needed. CREATED: waiting for the client. PROCESSING: the verifier is working on it. PENDING_REVIEW: a person is reviewing it. VALIDATED and DECLINED: the result. ABORTED: the client gave up and may start again.',
})
export const RiskLevel = Choice(['Low', 'Medium', 'High'], {
  description: 'How risky the client is, as the venture, the bank or the verifier assesses it. The default is Low.',
})
const OrganizationId = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  description: "The number of the client's organization in the venture's own systems. The service does not interpret it.",
})

export const Client = Resource(
  'Client',
  {
    id: described(Id, 'The id of the client. The service assigns it.'),
    first_name: Type.String({ description: 'The first name, as in the identity document.' }),
    middle_name: Nullable(Type.String({ description: 'Middle names, as in the identity document; null if there are none.' })),
    last_name: Type.String({ description: 'The last name, as in the identity document.' }),
    date_of_birth: described(CalendarDate, 'The date of birth, as YYYY-MM-DD.'),
    gender: Nullable(Gender),
    nationality: Type.String({ description: 'The nationality, as an ISO 3166-1 alpha-3 code.' }),
    birth_country: Type.String({ description: 'The country of birth, as an ISO 3166-1 alpha-3 code.' }),
    country_of_tax_residence: Type.String({ description: 'The country where the client pays taxes, as an ISO 3166-1 alpha-3 code.' }),
    country_code: Type.String({ description: 'The country of the address, as an ISO 3166-1 alpha-3 code.' }),
    address: Type.String({ description: 'Street and house number.' }),
    city: Type.String({ description: 'The city of the address.' }),
    postcode: Type.String({ description: 'The postcode of the address.' }),
    state_province: Nullable(Type.String({ description: 'The state or province of the address, or null.' })),
    email: Type.String({ description: 'The email address. It is unique across all clients.' }),
    second_email: Nullable(Type.String({ description: 'Another email address, or null.' })),
    mobile_phone_number: Nullable(
      Type.String({ description: 'The mobile phone number in the form of E.164, such as `+33612345678`, or null.' }),
    ),
    second_mobile_phone_number: Nullable(Type.String({ description: 'Another phone number in the form of E.164, or null.' })),
    organization_id: Type.Integer({ description: "The number of the client's organization in the venture's own systems." }),
    external_client_code: Nullable(
      Type.String({ description: "The id of the client in the venture's own systems, or null. The service does not interpret it." }),
    ),
    planned_income: Nullable(Type.String({ description: 'What the client expects to receive, in the words of the venture, or null.' })),
    planned_expenditure: Nullable(Type.String({ description: 'What the client expects to spend, in the words of the venture, or null.' })),
    kyc_level: KycLevel,
    kyc_status: KycStatus,
    kyc_note: Nullable(Type.String({ description: 'A note about the verification by the venture, the bank or the verifier, or null.' })),
    risk_level: RiskLevel,
    blocked: Type.Boolean({ description: 'Whether the client is blocked, so that no account can be activated and no money can be sent.' }),
    is_blacklisted: Type.Boolean({
      description:
        'Whether the client is blacklisted. This stops everything that `blocked` stops, and also payments of a remaining balance.',
    }),
    blacklisted_comment: Nullable(Type.String({ description: 'Why the client is blacklisted, or null.' })),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  'A person whom the venture serves.',
)
export type Client = Static<typeof Client>

/** Identity cannot be changed after registration. */
const identity = {
  first_name: described(Name, 'The first name, as in the identity document.'),
  middle_name: OptionalField(described(Name, 'Middle names, as in the identity document.')),
  last_name: described(Name, 'The last name, as in the identity document.'),
  date_of_birth: described(CalendarDate, 'The date of birth, as YYYY-MM-DD. Clients are at least 18 years old.'),
  gender: OptionalField(Gender),
  nationality: described(CountryCode, 'The nationality, as an ISO 3166-1 alpha-3 code.'),
  birth_country: described(CountryCode, 'The country of birth, as an ISO 3166-1 alpha-3 code.'),
  country_of_tax_residence: described(CountryCode, 'The country where the client pays taxes, as an ISO 3166-1 alpha-3 code.'),
}

const contact = {
  address: described(ShortText, 'Street and house number.'),
  city: described(ShortText, 'The city of the address.'),
  postcode: described(ShortText, 'The postcode of the address.'),
  country_code: described(CountryCode, 'The country of the address, as an ISO 3166-1 alpha-3 code.'),
  email: described(Email, 'The email address. It is unique across all clients, ignoring case.'),
  state_province: OptionalField(described(ShortText, 'The state or province of the address.')),
  second_email: OptionalField(described(Email, 'Another email address.')),
  mobile_phone_number: OptionalField(described(Phone, 'The mobile phone number in international format, such as `+33612345678`.')),
  second_mobile_phone_number: OptionalField(described(Phone, 'Another phone number in international format.')),
  external_client_code: OptionalField(described(ShortText, 'The id of the client in your own systems. The service does not interpret it.')),
  planned_income: OptionalField(described(ShortText, 'What the client expects to receive, in your own words.')),
  planned_expenditure: OptionalField(described(ShortText, 'What the client expects to spend, in your own words.')),
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
  kyc_note: OptionalField(described(ShortText, 'A note about the verification; null removes it.')),
  blocked: Type.Optional(Type.Boolean({ description: 'Blocks the client, or lifts the block. Only the bank can lift its own block.' })),
  is_blacklisted: Type.Optional(
    Type.Boolean({ description: 'Blacklists the client, or lifts the blacklisting. Only the bank can lift its own.' }),
  ),
  blacklisted_comment: OptionalField(described(ShortText, 'Why the client is blacklisted; null removes it.')),
})
export type ClientUpdate = Static<typeof ClientUpdate>

export const identityFields = Object.keys(identity) as (keyof typeof identity)[]

export const ClientList = Query({
  ...Paging,
  kyc_status: Type.Optional(described(KycStatus, 'Returns only clients with this verification status.')),
  search: Search,
})
export type ClientList = Static<typeof ClientList>
