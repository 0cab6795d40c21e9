// The schema of the dry run.
import { type Static, Type } from 'typebox'
import { CalendarDate, Choice, Nullable, Resource, Timestamp } from '../platform/http/schemas.ts'
import { Transfer } from '../transfers/transfers.ts'

const { id: _id, created_at: _created, updated_at: _updated, ...derived } = Transfer.properties

/** A transfer that does not exist. */
export const DerivedTransfer = Resource('DerivedTransfer', derived)

export const waitsFor = ['signature', 'sending_day', 'funds', 'screening', 'review', 'other_bank', 'bank', 'venture'] as const

const Stop = Type.Object({
  code: Type.String({ description: 'The code of the refusal.' }),
  detail: Type.String(),
})
export type Stop = Static<typeof Stop>

const Amount = Type.String({ description: 'A decimal number with exactly as many decimals as the currency has.' })

export const DryRun = Resource('TransferDryRun', {
  accepted: Type.Boolean({ description: 'Whether the order would be accepted.' }),
  refusal: Nullable(Stop),
  transfer: Nullable(DerivedTransfer),
  walk: Type.Array(Transfer.properties.status, {
    description: 'The statuses that the transfer would have one after the other, as things are now.',
  }),
  stopped_by: Nullable(Stop),
  waits_for: Nullable(
    Choice(waitsFor, {
      description:
        'What the transfer would wait for at the end of the walk; null if it has ended. bank: a person at the bank. venture: the venture moves its transfers itself.',
    }),
  ),
  waits_until: Nullable(Timestamp),
  sending_day: Nullable(CalendarDate),
  limits: Type.Array(
    Type.Object({
      period: Choice(['day', 'month', 'year']),
      limit: Nullable(Amount),
      used: Amount,
      left: Nullable(Type.String({ description: 'Null if there is no limit.' })),
    }),
    { description: 'What the account has used of its limits, with the transfer if it would be accepted.' },
  ),
  funds: Type.Object({
    currency: Type.String(),
    available: Type.String({ description: 'Before the transfer.' }),
    needed: Nullable(Type.String({ description: 'With the fee. Null if the order would be refused.' })),
    sufficient: Nullable(Type.Boolean()),
  }),
  screening: Nullable(
    Choice(['CLEAR', 'UNDER_REVIEW', 'NOT_AVAILABLE'], {
      description: 'UNDER_REVIEW: a person at the bank would look at it. NOT_AVAILABLE: it would wait until the bank can screen it.',
    }),
  ),
  payee_check: Nullable(
    Type.Object({
      policy: Choice(['off', 'warn', 'require']),
      result: Nullable(Choice(['MATCH', 'CLOSE_MATCH', 'NO_MATCH', 'NOT_POSSIBLE'])),
      matched_name: Nullable(Type.String()),
      valid_until: Nullable(Timestamp),
    }),
  ),
})
export type DryRun = Static<typeof DryRun>
