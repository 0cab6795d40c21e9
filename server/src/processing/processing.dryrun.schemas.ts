// The schema of the dry run.
import { type Static, Type } from 'typebox'
import { CalendarDate, Choice, described, Nullable, Resource, Timestamp } from '../platform/http/schemas.ts'
import { Transfer } from '../transfers/life/transfers.schemas.ts'
import { transferMethods } from '../transfers/life/transfers.status.ts'

const { id: _id, created_at: _created, updated_at: _updated, ...derived } = Transfer.properties

/** A transfer that does not exist. */
export const DerivedTransfer = Resource('DerivedTransfer', derived)

export const waitsFor = ['signature', 'sending_day', 'funds', 'screening', 'review', 'other_bank', 'bank', 'venture'] as const

const Stop = Type.Object({
  code: Type.String({ description: 'The code of the refusal.' }),
  detail: Type.String({ description: 'What is wrong, with the values, and what to do about it.' }),
})
export type Stop = Static<typeof Stop>

const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })

export const DryRun = Resource('TransferDryRun', {
  accepted: Type.Boolean({ description: 'Whether the order would be accepted.' }),
  refusal: Nullable(described(Stop, 'Why the order would be refused; null if it would be accepted.')),
  transfer: Nullable(
    described(
      DerivedTransfer,
      'The transfer as it would be derived, with the status at the end of the walk; null if the order would be refused.',
    ),
  ),
  walk: Type.Array(Transfer.properties.status, {
    description: 'The statuses that the transfer would pass through, as things are now.',
  }),
  stopped_by: Nullable(described(Stop, 'Why the next move would be refused; null if it would not be.')),
  waits_for: Nullable(
    Choice(waitsFor, {
      description:
        'What the transfer would wait for at the end of the walk; null if it would have ended. bank: a person at the bank. venture: ' +
        'the venture moves its transfers itself.',
    }),
  ),
  waits_until: Nullable(
    described(Timestamp, 'How long the transfer would wait at most, in UTC; null if that is unknown or it would not wait.'),
  ),
  sending_day: Nullable(
    described(
      CalendarDate,
      'The day on which the transfer would start in order to settle on its date: a payment to another bank leaves on it, one within ' +
        'the bank is booked on it. Null if the order would be refused.',
    ),
  ),
  message: Nullable(
    Type.Object(
      {
        rail: Choice(transferMethods, { description: 'The rail that would carry it.' }),
        type: Type.String({ description: 'The type of the ISO 20022 message, such as pacs.008.001.08.' }),
        texts: Type.Array(
          Type.Object({
            field: Choice(['dr_name', 'cr_name', 'purpose', 'structured_reference', 'unique_reference'], {
              description: 'The field of the transfer.',
            }),
            given: Type.String({ description: 'The text of the transfer.' }),
            sent: Nullable(
              Type.String({
                description:
                  'The text as it would be sent, in the characters of the scheme. Null if the message would not carry it: `purpose` ' +
                  'next to a structured reference, or a `unique_reference` that does not fit, which the id of the transfer replaces.',
              }),
            ),
          }),
          {
            description: 'Each text of the transfer, and what the other bank would read. Empty if nothing could be sent, and for returns.',
          },
        ),
        reachable: Nullable(
          Type.Boolean({
            description: "Whether the rail reaches the other bank; null if it reaches every bank, or if only the bank's IBAN is known.",
          }),
        ),
        cut_off: Nullable(
          described(
            Timestamp,
            'The cut-off at which it would leave, in UTC; null if it would leave at once, or if the day is too far off.',
          ),
        ),
        fault: Nullable(described(Stop, 'Why no message could carry it, so that it would become INVALID; null if one could.')),
      },
      {
        description: 'The message to the other bank; null if no message would leave the bank, or if the venture moves the transfer itself.',
      },
    ),
  ),
  limits: Type.Array(
    Type.Object({
      period: Choice(['day', 'month', 'year'], { description: 'The period of the limit, in UTC.' }),
      limit: Nullable(described(Amount, 'The limit of the account; null if there is none.')),
      used: described(Amount, 'How much of the limit is used.'),
      left: Nullable(Type.String({ description: 'How much of the limit is left; null if there is no limit.' })),
    }),
    { description: 'The limits of the account and their use, including the transfer if it would be accepted.' },
  ),
  funds: Type.Object(
    {
      currency: Type.String({ description: 'The ISO 4217 code of the currency of the account.' }),
      available: Type.String({ description: 'The available balance before the transfer.' }),
      needed: Nullable(Type.String({ description: 'The amount including the fee. Null if the order would be refused.' })),
      sufficient: Nullable(Type.Boolean({ description: 'Whether `available` covers `needed`; null if the order would be refused.' })),
    },
    { description: 'Whether the account has the funds.' },
  ),
  screening: Nullable(
    Choice(['CLEAR', 'UNDER_REVIEW', 'NOT_AVAILABLE'], {
      description: 'UNDER_REVIEW: it would wait for a person at the bank. NOT_AVAILABLE: it would wait until the bank can screen it.',
    }),
  ),
  payee_check: Nullable(
    Type.Object(
      {
        policy: Choice(['off', 'warn', 'require'], {
          description: "What the venture's policy requires: nothing, a note, or a result.",
        }),
        result: Nullable(
          Choice(['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE'], {
            description: 'The newest valid result for this name and IBAN; null if there is none.',
          }),
        ),
        matched_name: Nullable(Type.String({ description: "The holder's name in case of a close match; otherwise null." })),
        valid_until: Nullable(described(Timestamp, 'Until when an order can rely on the result, in UTC; null without a result.')),
      },
      { description: 'The payee verification that the order would rely on; null if it needs none.' },
    ),
  ),
})
export type DryRun = Static<typeof DryRun>
