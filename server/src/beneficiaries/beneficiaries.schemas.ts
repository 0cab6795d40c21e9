// The schemas of beneficiaries in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CountryCode,
  Formed,
  Id,
  Name,
  Nullable,
  OptionalField,
  Paging,
  Query,
  Resource,
  Search,
  ShortText,
  Timestamp,
} from '../platform/http/schemas.ts'

const BeneficiaryType = Choice(['PERSON', 'COMPANY'])

export const Beneficiary = Resource('Beneficiary', {
  id: Id,
  client_id: Id,
  name: Type.String(),
  beneficiary_type: BeneficiaryType,
  display: Type.Boolean(),
  iban: Nullable(Type.String()),
  bic: Nullable(Type.String()),
  account_number: Nullable(Type.String()),
  routing_number: Nullable(Type.String()),
  swift_code: Nullable(Type.String()),
  bank_name: Nullable(Type.String()),
  bank_address: Nullable(Type.String()),
  address: Nullable(Type.String()),
  city: Nullable(Type.String()),
  postal_code: Nullable(Type.String()),
  country_code: Nullable(Type.String()),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Beneficiary = Static<typeof Beneficiary>

/** Not normalised to NFC, which would turn the Kelvin sign into an ASCII K before any check. beneficiaries.ts checks the rest. */
function Identifier(description: string) {
  return Type.String({ minLength: 1, maxLength: 255, description })
}

/**
 * Formats of account numbers differ by country, so this only requires what payment messages can carry: at most 34 characters
 * (ISO 20022), without a slash or space at either end, where it would have another meaning or none.
 */
const AccountNumber = Formed(
  '^[A-Za-z0-9]([A-Za-z0-9./ -]*[A-Za-z0-9])?$',
  'must begin and end with a letter or a digit, and have only letters, digits, hyphens, dots, slashes and spaces between them',
  {
    maxLength: 34,
    transform: 'upper',
    description: 'For banks without IBANs: ASCII letters and digits, with `-`, `.`, `/` and spaces between them. Stored in upper case.',
  },
)

export const NewBeneficiary = Body('NewBeneficiary', {
  client_id: Id,
  name: Name,
  beneficiary_type: BeneficiaryType,
  iban: OptionalField(Identifier('Without spaces, in upper or lower case. Required if there is no account number.')),
  bic: OptionalField(Identifier('8 or 11 characters, in upper or lower case.')),
  account_number: OptionalField(AccountNumber),
  routing_number: OptionalField(Identifier('An ABA routing number: nine digits, the last of which is a check digit.')),
  swift_code: OptionalField(Identifier('8 or 11 characters, in upper or lower case.')),
  bank_name: OptionalField(Name),
  bank_address: OptionalField(ShortText),
  address: OptionalField(ShortText),
  city: OptionalField(ShortText),
  postal_code: OptionalField(ShortText),
  country_code: OptionalField(CountryCode),
  display: OptionalField(Type.Boolean({ description: 'Whether the beneficiary is displayed to users. The default is true.' })),
})
export type NewBeneficiary = Static<typeof NewBeneficiary>

export const BeneficiaryUpdate = Body('BeneficiaryUpdate', { display: Type.Optional(Type.Boolean()) })
export type BeneficiaryUpdate = Static<typeof BeneficiaryUpdate>

export const BeneficiaryList = Query({
  ...Paging,
  client_id: Type.Optional(Id),
  display: Type.Optional(Type.Boolean()),
  search: Search,
})
export type BeneficiaryList = Static<typeof BeneficiaryList>
