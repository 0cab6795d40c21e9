// Verification events on the wire.
import { type Static, Type } from 'typebox'
import { RiskLevel } from '../clients/clients.ts'
import { Choice, GivenTime, Id, Nullable, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'

const Key = Type.String({ minLength: 1, maxLength: 255 })

/** Our ids are UUIDs, accepted in either case. */
const Reference = Type.String({ minLength: 1, maxLength: 255, transform: 'lower' })

/** What a verifier signs. Unknown fields are ignored. */
export const Envelope = Type.Object(
  {
    id: Key,
    type: Key,
    created_at: GivenTime,
    application_id: Type.Optional(Nullable(Reference)),
    client_id: Type.Optional(Nullable(Reference)),
    sequence: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))),
    data: Type.Optional(
      Type.Object({
        risk_level: Type.Optional(RiskLevel),
        reason_codes: Type.Optional(Type.Array(Type.String({ maxLength: 255 }), { maxItems: 100 })),
        note: Type.Optional(Type.String({ minLength: 1, maxLength: 255 })),
      }),
    ),
  },
  { title: 'VerificationEvent' },
)
export type Envelope = {
  id: string
  type: string
  created_at: string
  application_id?: string | null
  client_id?: string | null
  sequence?: number | null
  data?: { risk_level?: 'Low' | 'Medium' | 'High'; reason_codes?: string[]; note?: string }
}

export const Verdict = Choice(['APPLIED', 'IGNORED', 'UNMATCHED'])

export const KycEvent = Resource('KycEvent', {
  id: Type.String(),
  type: Type.String(),
  verdict: Verdict,
  client_id: Nullable(Id),
  received_at: Timestamp,
})
export type KycEvent = Static<typeof KycEvent>

export const UnmatchedEvent = Resource('UnmatchedEvent', {
  id: Type.String(),
  type: Type.String(),
  application_id: Nullable(Type.String()),
  subject_id: Nullable(Type.String({ description: 'The client id in the event.' })),
  received_by: Nullable(Id),
  received_at: Timestamp,
})
export type UnmatchedEvent = Static<typeof UnmatchedEvent>

export const ConflictingEvent = Resource('ConflictingEvent', {
  id: Type.String({ description: 'The id that both events have.' }),
  received_by: Nullable(Id),
  body: Type.String({ description: 'The bytes received, with bytes that are not ASCII as octal escapes.' }),
  received_at: Timestamp,
})
export type ConflictingEvent = Static<typeof ConflictingEvent>

export const OperatorList = Query({ limit: Paging.limit })
export type OperatorList = Static<typeof OperatorList>
