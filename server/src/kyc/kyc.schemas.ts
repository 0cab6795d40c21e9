// Verification events on the wire.
import { type Static, Type } from 'typebox'
import { KycStatus, RiskLevel } from '../clients/clients.ts'
import { ActorShown, Choice, described, GivenTime, Id, Nullable, Paging, Query, Resource, Timestamp } from '../platform/http/schemas.ts'

const Key = Type.String({ minLength: 1, maxLength: 255 })

/** Our ids are UUIDs, accepted in either case. */
const Reference = Type.String({ minLength: 1, maxLength: 255, transform: 'lower' })

/** What a verifier signs. Unknown fields are ignored. */
export const Envelope = Type.Object(
  {
    id: described(Key, 'The id of the event at the verifier. An event whose id has already been recorded is not applied again.'),
    type: described(
      Key,
      'What happened, such as `verification.approved`, `verification.declined` or `verification.review`. Unknown types are recorded and ignored.',
    ),
    created_at: described(
      GivenTime,
      'When it happened at the verifier, with any offset. The events of a client are applied in this order, unless all of them have a `sequence`.',
    ),
    application_id: Type.Optional(
      Nullable(described(Reference, 'The application that the event is about. Either this or `client_id` is required.')),
    ),
    client_id: Type.Optional(
      Nullable(described(Reference, 'The client whom the event is about. Either this or `application_id` is required.')),
    ),
    sequence: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: Number.MAX_SAFE_INTEGER,
          description: 'The number of the event. The events of a client are applied in this order if all of them have one.',
        }),
      ),
    ),
    data: Type.Optional(
      Type.Object(
        {
          risk_level: Type.Optional(described(RiskLevel, "The verifier's risk assessment, which becomes the client's.")),
          reason_codes: Type.Optional(
            Type.Array(Type.String({ maxLength: 255 }), {
              maxItems: 100,
              description: "The reasons for the decision, in the verifier's own codes.",
            }),
          ),
          note: Type.Optional(
            Type.String({ minLength: 1, maxLength: 255, description: 'A note for people. It becomes the `kyc_note` of the client.' }),
          ),
        },
        { description: 'The findings of the verifier.' },
      ),
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

export const Verdict = Choice(['APPLIED', 'IGNORED', 'UNMATCHED'], {
  description:
    'The outcome of the event. APPLIED: it counts for the status of its client. IGNORED: its type changes nothing. UNMATCHED: it names no known client or application.',
})

export const KycEvent = Resource('KycEvent', {
  id: Type.String({ description: 'The id of the event at the verifier.' }),
  type: Type.String({ description: 'The type of the event.' }),
  verdict: Verdict,
  client_id: Nullable(described(Id, 'The client whom the event is about; null if it is UNMATCHED.')),
  received_at: described(Timestamp, 'When the service received it, in UTC.'),
})
export type KycEvent = Static<typeof KycEvent>

export const UnmatchedEvent = Resource('UnmatchedEvent', {
  id: Type.String({ description: 'The id of the event at the verifier.' }),
  type: Type.String({ description: 'The type of the event.' }),
  application_id: Nullable(Type.String({ description: 'The application id in the event, or null.' })),
  subject_id: Nullable(Type.String({ description: 'The client id in the event.' })),
  received_by: Nullable(described(Id, "The venture that sent it; null if the verifier's relay did.")),
  received_at: described(Timestamp, 'When the service received it, in UTC.'),
})
export type UnmatchedEvent = Static<typeof UnmatchedEvent>

export const ConflictingEvent = Resource('ConflictingEvent', {
  id: Type.String({ description: 'The id that both events have.' }),
  received_by: Nullable(described(Id, "The venture that sent it; null if the verifier's relay did.")),
  body: Type.String({ description: 'The bytes received, with non-ASCII bytes as octal escapes.' }),
  received_at: described(Timestamp, 'When the service received it, in UTC.'),
})
export type ConflictingEvent = Static<typeof ConflictingEvent>

export const OperatorList = Query({ limit: Paging.limit })
export type OperatorList = Static<typeof OperatorList>

export const KycMove = Resource('KycMove', {
  id: described(Id, 'The id of the corresponding event, `client.created` or `client.kyc_updated`.'),
  from_status: Nullable(described(KycStatus, 'The previous status; null for the registration.')),
  to_status: described(KycStatus, 'The new status.'),
  actor: Nullable(ActorShown),
  actor_id: Nullable(
    described(Id, "The API key or the person who made the change. Null for the bank's people, the service and the verifier."),
  ),
  reason: Nullable(Type.String({ description: 'The `kyc_note` of the client at that time, or null.' })),
  risk_level: described(RiskLevel, 'The risk level of the client at that time.'),
  at: described(Timestamp, 'When the status changed, in UTC.'),
})
export type KycMove = Static<typeof KycMove>
