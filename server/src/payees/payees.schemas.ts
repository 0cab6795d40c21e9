// The schemas of payee verification.
import { type Static, Type } from 'typebox'
import { Body, Choice, CreatedAt, described, Formed, Id, Name, Nullable, Resource, Timestamp } from '../platform/http/schemas.ts'

export const verificationResults = ['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE'] as const

const Result = Choice(verificationResults, {
  description:
    'Whether the account belongs to a holder of this name. CLOSE_MATCH: the holder has a similar name, which is in `matched_name`. NOT_POSSIBLE: ' +
    'it could not be verified; `reason` says why.',
})

/**
 * `account_unknown`: the bank of the account has no such account. `no_directory`: there is no directory to ask. `no_answer`: there was no
 * answer in time.
 */
export const reasons = ['account_unknown', 'no_directory', 'no_answer', 'name_unreadable'] as const

const answer = {
  result: Result,
  matched_name: Nullable(Type.String({ description: 'The name of the holder, only for a close match.' })),
  reason: Nullable(
    Choice(reasons, {
      description:
        'account_unknown: the bank of the account has no such account. no_directory: there is no directory to ask. no_answer: the other bank did not answer ' +
        'in time. name_unreadable: the name cannot be compared.',
    }),
  ),
}

export const PayeeQuestion = Body('PayeeQuestion', {
  name: { ...Name, description: 'The name of the payee, as known to the payer.' },
  iban: Formed('^[A-Za-z0-9]{1,34}$', 'must have 1 to 34 letters and digits, without spaces', {
    transform: 'upper',
    description: 'The IBAN that the payer wants to pay to, without spaces.',
  }),
})
export type PayeeQuestion = Static<typeof PayeeQuestion>

export const PayeeAnswer = Resource('PayeeAnswer', answer)
export type PayeeAnswer = Static<typeof PayeeAnswer>

export const PayeeVerification = Resource('PayeeVerification', {
  id: described(Id, 'The id of the verification. The service assigns it.'),
  name: Type.String({ description: 'The name that was verified.' }),
  iban: Type.String({ description: 'The IBAN that was verified, in upper case.' }),
  ...answer,
  created_at: CreatedAt,
  valid_until: { ...Timestamp, description: 'The time until which transfers can rely on it.' },
})
export type PayeeVerification = Static<typeof PayeeVerification>
