// The schemas of the audit log and of approvals in requests and responses.
import { type Static, Type } from 'typebox'
import {
  ActorShown,
  Body,
  Choice,
  CreatedAt,
  Dates,
  described,
  Id,
  IdOr,
  Nullable,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
} from '../platform/http/schemas.ts'
import { ApprovalSubject } from './audit.subjects.ts'

export const AuditEntry = Resource('AuditEntry', {
  id: described(Id, 'The id of the entry. Later entries have greater ids.'),
  at: described(Timestamp, 'When the request was carried out, in UTC.'),
  actor: ActorShown,
  actor_id: Nullable(described(Id, 'The API key or the person; null for the admin key and the service.')),
  action: Type.String({ description: 'The operationId of the request.' }),
  resource: Nullable(
    Type.String({ description: 'The last resource in the path of the request, or what the request created if the path has none.' }),
  ),
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  request_id: Type.String({ description: 'The id of the request, as in its header `X-Request-Id`.' }),
  address: Type.String({ description: 'The IPv4 address or the /64 network that the request came from.' }),
  fields: Type.Array(Type.String(), {
    description:
      'The names of the fields that the request sent, never their values. For a note, a file, a question or an answer also `sha256:` and its hash.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditList = Query({
  venture_id: Type.Optional(described(Id, 'Returns only entries about this venture. The zero id stands for the bank.')),
  actor: Type.Optional(described(ActorShown, 'Returns only entries of this kind of actor.')),
  actor_id: Type.Optional(described(Id, 'Returns only entries of this key or person.')),
  action: Type.Optional(described(ShortText, 'Returns only entries of this operation, given by its operationId.')),
  resource: Type.Optional(described(ShortText, 'Returns only entries about the resource with this id.')),
  ...Dates,
  ...Paging,
})
export type AuditList = Static<typeof AuditList>

const { venture_id: _ofVenture, address: _addressOf, actor_id: _actorOf, ...shownToVentures } = AuditEntry.properties

/** What the admins of a venture see of the log. */
export const VentureAuditEntry = Resource('VentureAuditEntry', {
  ...shownToVentures,
  actor_id: Nullable(described(Id, "The API key or the person; null for the bank's people, the admin key and the service.")),
  address: Nullable(
    Type.String({ description: "The IPv4 address or the /64 network that the request came from; null for the bank's people." }),
  ),
})
export type VentureAuditEntry = Static<typeof VentureAuditEntry>

const { venture_id: _filter, ...ventureFilters } = AuditList.properties
export const VentureAuditList = Query(ventureFilters)
export type VentureAuditList = Static<typeof VentureAuditList>

export const approvalStates = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'FAILED', 'EXPIRED'] as const

/** The stored fields of an approval. */
export const storedApproval = {
  id: described(Id, 'The id of the approval. The service assigns it.'),
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  action: Type.String({ description: 'The action that is carried out when a second person approves.' }),
  resource_id: described(Id, 'The resource that the action is about.'),
  payload: Type.Object({}, { additionalProperties: true, description: 'The exact contents of the action.' }),
  payload_hash: Type.String({ description: 'The SHA-256 of the payload.' }),
  subject: Nullable(
    described(
      ApprovalSubject,
      'The effect of the payload: who gets how much from where, or what changes. Null if the payload says it all.',
    ),
  ),
  subject_hash: Nullable(
    Type.String({
      description: 'The SHA-256 of the subject. If the subject has a different one when the action is carried out, the approval fails.',
    }),
  ),
  reference: Nullable(
    Type.String({ description: 'The reference that identifies a repeated request, such as the `unique_reference` of an order; or null.' }),
  ),
  sequence: Type.Integer({
    description:
      'The number of changes to the resource when the request was made, not counting notes such as the `status_reason` of a venture. If there are ' +
      'more at the time of the approval, it fails.',
  }),
  maker_id: described(Id, 'The person who made the request.'),
  checker_id: Nullable(described(Id, 'The person who decided it; null until then, and if it expired.')),
  state: Choice(approvalStates, {
    description:
      'PENDING: waiting for a second person. APPROVED: approved and carried out. REJECTED: by a second person. WITHDRAWN: by the maker. FAILED: approved, but it could no longer be carried out. EXPIRED: nobody decided in time.',
  }),
  reason: Nullable(Type.String({ description: 'Why it was rejected or withdrawn, or why it failed.' })),
  reason_code: Nullable(
    Type.String({ description: 'The code of the refusal that made it fail, such as `resource_changed`; null unless it was refused.' }),
  ),
  created_at: CreatedAt,
  expires_at: described(Timestamp, 'The time until which it can be approved, in UTC.'),
  decided_at: Nullable(described(Timestamp, 'When it was decided, in UTC; null until then.')),
}

const approvalFields = {
  ...storedApproval,
  approvers: Nullable(
    Type.Integer({
      description:
        'How many people of the bank could approve it now: people with the right role who are not related to the maker. At 0, it waits ' +
        'until another person joins the bank. Null if it is no longer pending.',
    }),
  ),
}

export const Approval = Resource('Approval', approvalFields)
export type Approval = Static<typeof Approval>
export type StoredApproval = Omit<Approval, 'approvers'>

export const ApprovalWithCode = Resource('ApprovalWithCode', {
  ...approvalFields,
  code: Type.String({
    description: 'The code for the person who will use the link, which works only with this code. It is shown only once.',
  }),
})
export type ApprovalWithCode = Static<typeof ApprovalWithCode>

export const DecidedApproval = Resource('DecidedApproval', {
  ...approvalFields,
  result: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'What the action created or changed. It is shown only here, and may contain a secret that is shown only once.',
  }),
})
export type DecidedApproval = Static<typeof DecidedApproval>

export const ApprovalList = Query({
  state: Type.Optional(
    Choice([...approvalStates, 'CLOSED'], {
      description: 'Returns only approvals in this state. CLOSED stands for every state but PENDING.',
    }),
  ),
  venture_id: Type.Optional(described(Id, 'Returns only approvals about this venture. The zero id stands for the bank.')),
  action: Type.Optional(described(ShortText, 'Returns only approvals of this action.')),
  resource_id: Type.Optional(described(Id, 'Returns only approvals about this resource.')),
  maker_id: Type.Optional(IdOr('others', 'Returns only requests of this person, or with `others`, only requests of other people.')),
  stuck: Type.Optional(
    Type.Boolean({
      description: 'Returns only pending requests that nobody at the bank could approve now, or with `false`, only all other requests.',
    }),
  ),
  ...Paging,
})
export type ApprovalList = Static<typeof ApprovalList>

export const Rejection = Body('Rejection', {
  reason: Type.Optional(described(ShortText, 'The reason, for the person who made the request.')),
})
export type Rejection = Static<typeof Rejection>
