// The schemas of beneficiaries in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CountryCode,
  CreatedAt,
  described,
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
  UpdatedAt,
} from '../platform/http/schemas.ts'

const BeneficiaryType = Choice(['PERSON', 'COMPANY'], { description: 'Whether the beneficiary is a person or a company.' })

export const Beneficiary = Resource(
  'Beneficiary',
  {
    id: described(Id, 'The id of the beneficiary. The service assigns it.'),
    client_id: described(Id, 'The client who pays the beneficiary.'),
    name: Type.String({ description: "The name of the person or company, as known to the beneficiary's bank." }),
    beneficiary_type: BeneficiaryType,
    display: Type.Boolean({ description: 'Whether apps should show the beneficiary to users.' }),
    iban: Nullable(Type.String({ description: 'The IBAN, in upper case; null if the beneficiary has an account number instead.' })),
    bic: Nullable(Type.String({ description: 'The BIC of the bank, in upper case, or null.' })),
    account_number: Nullable(
      Type.String({ description: 'The number of the account at a bank without IBANs, in upper case; null if there is an IBAN.' }),
    ),
    routing_number: Nullable(Type.String({ description: 'The ABA routing number of a bank in the United States, or null.' })),
    swift_code: Nullable(
      Type.String({ description: 'The SWIFT code (BIC) of the bank for international payments, in upper case, or null.' }),
    ),
    bank_name: Nullable(Type.String({ description: 'The name of the bank, or null.' })),
    bank_address: Nullable(Type.String({ description: 'The address of the bank, or null.' })),
    address: Nullable(Type.String({ description: 'Street and house number of the beneficiary, or null.' })),
    city: Nullable(Type.String({ description: 'The city of the beneficiary, or null.' })),
    postal_code: Nullable(Type.String({ description: 'The postal code of the beneficiary, or null.' })),
    country_code: Nullable(Type.String({ description: 'The country of the beneficiary, as an ISO 3166-1 alpha-3 code, or null.' })),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  'A person or company that a client pays.',
)
export type Beneficiary = Static<typeof Beneficiary>

/** Not normalised to NFC, which would turn the Kelvin sign into an ASCII K before any check. beneficiaries.ts checks the rest. */
function Identifier(description: string) {
  return Type.String({ minLength: 1, maxLength: 255, description })
}

/**
 * Formats of account numbers differ between countries, so this only requires what payment messages can carry: at most 34 characters (ISO
 * 20022), without a slash or space at either end, where it would have another meaning or none.
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
  client_id: described(Id, 'The client who pays the beneficiary.'),
  name: described(Name, "The name of the person or company, as known to the beneficiary's bank. At most 140 characters."),
  beneficiary_type: BeneficiaryType,
  iban: OptionalField(Identifier('Without spaces, in upper or lower case. Required if there is no account number.')),
  bic: OptionalField(Identifier('8 or 11 characters, in upper or lower case.')),
  account_number: OptionalField(AccountNumber),
  routing_number: OptionalField(Identifier('An ABA routing number: nine digits, the last of which is a check digit.')),
  swift_code: OptionalField(Identifier('8 or 11 characters, in upper or lower case.')),
  bank_name: OptionalField(described(Name, 'The name of the bank.')),
  bank_address: OptionalField(described(ShortText, 'The address of the bank.')),
  address: OptionalField(described(ShortText, 'Street and house number of the beneficiary.')),
  city: OptionalField(described(ShortText, 'The city of the beneficiary.')),
  postal_code: OptionalField(described(ShortText, 'The postal code of the beneficiary.')),
  country_code: OptionalField(described(CountryCode, 'The country of the beneficiary, as an ISO 3166-1 alpha-3 code.')),
  display: OptionalField(Type.Boolean({ description: 'Whether apps should show the beneficiary to users. The default is true.' })),
})
export type NewBeneficiary = Static<typeof NewBeneficiary>

export const BeneficiaryUpdate = Body('BeneficiaryUpdate', {
  display: Type.Optional(Type.Boolean({ description: 'Whether apps should show the beneficiary to users.' })),
})
export type BeneficiaryUpdate = Static<typeof BeneficiaryUpdate>

export const BeneficiaryList = Query({
  ...Paging,
  client_id: Type.Optional(described(Id, 'Returns only beneficiaries of this client.')),
  display: Type.Optional(Type.Boolean({ description: 'Returns only beneficiaries that should, or should not, be shown to users.' })),
  search: Search,
})
export type BeneficiaryList = Static<typeof BeneficiaryList>
