// The schemas of payee verification.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CreatedAt,
  described,
  Formed,
  Id,
  Name,
  Nullable,
  OptionalField,
  Resource,
  Timestamp,
} from '../platform/http/schemas.ts'

export const verificationResults = ['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE'] as const

export const idResults = ['MATCH', 'NO_MATCH', 'NOT_POSSIBLE'] as const

const Result = Choice(verificationResults, {
  description:
    'Whether the account belongs to a holder of this name. CLOSE_MATCH: the holder has a similar name, which is in `matched_name`. NOT_POSSIBLE: ' +
    'it could not be verified; `reason` says why.',
})

export const reasons = ['account_unknown', 'no_directory', 'no_answer', 'name_unreadable', 'not_applicable'] as const

const answer = {
  result: Result,
  matched_name: Nullable(Type.String({ description: 'The name of the holder, only for a close match.' })),
  reason: Nullable(
    Choice(reasons, {
      description:
        'account_unknown: the bank of the account has no such account. no_directory: there is no directory to ask. no_answer: the other bank did not answer ' +
        'in time. name_unreadable: the name cannot be compared. not_applicable: the bank of the account does not verify this.',
    }),
  ),
}

/**
 * The kinds of ids of organisations: LEI, BIC, and the codes of ISO 20022 for all others, as the European Payments Council lists them for
 * verification of payees.
 */
export const idSchemes = [
  'LEI',
  'BIC',
  'TXID',
  'COID',
  'CINC',
  'SREN',
  'SRET',
  'DUNS',
  'GS1G',
  'BANK',
  'CBID',
  'CHID',
  'CUST',
  'EMPL',
  'BDID',
  'BOID',
] as const

const idFields = {
  scheme: Choice(idSchemes, {
    description:
      'What kind of id it is: `LEI`, `BIC`, or a code of ISO 20022, such as `TXID` for a tax or VAT number or `COID` for a company number.',
  }),
  value: Formed('\\S', 'must not be blank', { minLength: 1, maxLength: 256, nfc: true, description: 'The id itself.' }),
  issuer: OptionalField(
    Formed('\\S', 'must not be blank', { minLength: 1, maxLength: 35, description: 'Who has issued it. Not for an LEI or a BIC.' }),
  ),
}

export const Identification = Body('PayeeIdentification', idFields)
export type Identification = Static<typeof Identification>

const account = {
  name: { ...Name, description: 'The name of the payee, as known to the payer.' },
  iban: Formed('^[A-Za-z0-9]{1,34}$', 'must have 1 to 34 letters and digits, without spaces', {
    transform: 'upper',
    description: 'The IBAN that the payer wants to pay to, without spaces.',
  }),
}

export const PayeeQuestion = Body('PayeeQuestion', {
  ...account,
  bic: OptionalField(
    Formed('^[A-Za-z0-9]{8}([A-Za-z0-9]{3})?$', 'must be a BIC of 8 or 11 characters', {
      transform: 'upper',
      description: 'The BIC of the bank of the account, if known. Without it, the routing service finds the bank by the IBAN.',
    }),
  ),
  identification: OptionalField(
    described(Identification, 'An id of the payee, if it is an organisation. It is verified apart from the name.'),
  ),
})
export type PayeeQuestion = Static<typeof PayeeQuestion>

/** What a connector passes on from another bank. */
export const PayeeRequest = Body('PayeeRequest', account)
export type PayeeRequest = Static<typeof PayeeRequest>

export const PayeeAnswer = Resource('PayeeAnswer', answer)
export type PayeeAnswer = Static<typeof PayeeAnswer>

export const PayeeVerification = Resource('PayeeVerification', {
  id: described(Id, 'The id of the verification. The service assigns it.'),
  name: Type.String({ description: 'The name that was verified.' }),
  iban: Type.String({ description: 'The IBAN that was verified, in upper case.' }),
  ...answer,
  identification: Nullable(
    Type.Object(idFields, { description: 'The id of an organisation that was verified; null if only the name was.' }),
  ),
  id_result: Nullable(
    Choice(idResults, {
      description: 'Whether the account belongs to the holder of this id; null if no id was verified. It never decides about a transfer.',
    }),
  ),
  created_at: CreatedAt,
  valid_until: { ...Timestamp, description: 'The time until which transfers can rely on it.' },
})
export type PayeeVerification = Static<typeof PayeeVerification>
