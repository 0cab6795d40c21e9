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
  actor_id: Nullable(described(Id, 'The key or the person; null for the admin key and the service.')),
  action: Type.String({ description: 'The operationId of the request.' }),
  resource: Nullable(Type.String({ description: 'What the path of the request names last; else what the request created.' })),
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  request_id: Type.String({ description: 'The id of the request, as in its header `X-Request-Id`.' }),
  address: Type.String({ description: 'The IPv4 address or the /64 network that the request came from.' }),
  fields: Type.Array(Type.String(), { description: 'The names of the fields that the request sent, never their values.' }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditList = Query({
  venture_id: Type.Optional(described(Id, 'Returns only what concerns this venture. The zero id stands for the bank.')),
  actor: Type.Optional(described(ActorShown, 'Returns only what this kind of actor did.')),
  actor_id: Type.Optional(described(Id, 'Returns only what this key or person did.')),
  action: Type.Optional(described(ShortText, 'Returns only requests of this operation: its operationId.')),
  resource: Type.Optional(described(ShortText, 'Returns only requests about the resource with this id.')),
  ...Dates,
  ...Paging,
})
export type AuditList = Static<typeof AuditList>

const { venture_id: _ofVenture, address: _addressOf, actor_id: _actorOf, ...shownToVentures } = AuditEntry.properties

/** What the admins of a venture see of the log. */
export const VentureAuditEntry = Resource('VentureAuditEntry', {
  ...shownToVentures,
  actor_id: Nullable(described(Id, "The key or the person; null for the bank's people, the admin key and the service.")),
  address: Nullable(
    Type.String({ description: "The IPv4 address or the /64 network that the request came from; null for the bank's people." }),
  ),
})
export type VentureAuditEntry = Static<typeof VentureAuditEntry>

const { venture_id: _filter, ...ventureFilters } = AuditList.properties
export const VentureAuditList = Query(ventureFilters)
export type VentureAuditList = Static<typeof VentureAuditList>

export const approvalStates = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'FAILED', 'EXPIRED'] as const

/** What is stored of an approval. */
export const storedApproval = {
  id: described(Id, 'The id of the approval. The service assigns it.'),
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  action: Type.String({ description: 'What is done once a second person approves.' }),
  resource_id: described(Id, 'What it is done to.'),
  payload: Type.Object({}, { additionalProperties: true, description: 'What exactly is done.' }),
  payload_hash: Type.String({ description: 'The SHA-256 of the payload.' }),
  subject: Nullable(
    described(
      ApprovalSubject,
      'What the payload comes to: who gets how much from where, or what changes. Null if the payload says it all.',
    ),
  ),
  subject_hash: Nullable(
    Type.String({ description: 'The SHA-256 of the subject. If what would be done has another one, the approval fails.' }),
  ),
  reference: Nullable(
    Type.String({ description: 'By what a repeated request is recognised, such as the `unique_reference` of an order; or null.' }),
  ),
  sequence: Type.Integer({
    description:
      'How many changes the resource had seen when the request was made, without notes, such as the `status_reason` of a venture. If there are ' +
      'more, the approval fails.',
  }),
  maker_id: described(Id, 'The person who requested it.'),
  checker_id: Nullable(described(Id, 'The person who decided it; null until then, and if it expired.')),
  state: Choice(approvalStates, {
    description:
      'PENDING: waits for a second person. APPROVED: approved and carried out. REJECTED: by a second person. WITHDRAWN: by the maker. FAILED: approved, but it could no longer be carried out. EXPIRED: nobody decided in time.',
  }),
  reason: Nullable(Type.String({ description: 'Why it was rejected or withdrawn, or why it failed.' })),
  reason_code: Nullable(
    Type.String({ description: 'The code of the refusal with which it failed, such as `resource_changed`; null unless it was refused.' }),
  ),
  created_at: CreatedAt,
  expires_at: described(Timestamp, 'Until when it can be approved, in UTC.'),
  decided_at: Nullable(described(Timestamp, 'When it was decided, in UTC; null until then.')),
}

const approvalFields = {
  ...storedApproval,
  approvers: Nullable(
    Type.Integer({
      description:
        'How many people of the bank could approve it now: they have the role for it, and are not related to the person who requested it. At 0 it waits ' +
        'until somebody else joins the bank. Null if it no longer waits.',
    }),
  ),
}

export const Approval = Resource('Approval', approvalFields)
export type Approval = Static<typeof Approval>
export type StoredApproval = Omit<Approval, 'approvers'>

export const ApprovalWithCode = Resource('ApprovalWithCode', {
  ...approvalFields,
  code: Type.String({ description: 'For the person who will use the link, which works only together with it. It is shown only once.' }),
})
export type ApprovalWithCode = Static<typeof ApprovalWithCode>

export const DecidedApproval = Resource('DecidedApproval', {
  ...approvalFields,
  result: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'What the action made or changed. It is shown only here, and may contain a secret that is shown only once.',
  }),
})
export type DecidedApproval = Static<typeof DecidedApproval>

export const ApprovalList = Query({
  state: Type.Optional(
    Choice([...approvalStates, 'CLOSED'], {
      description: 'Returns only approvals in this state. CLOSED stands for every state but PENDING.',
    }),
  ),
  venture_id: Type.Optional(described(Id, 'Returns only what concerns this venture. The zero id stands for the bank.')),
  action: Type.Optional(described(ShortText, 'Returns only requests of this action.')),
  resource_id: Type.Optional(described(Id, 'Returns only what is to be done to this resource.')),
  maker_id: Type.Optional(
    IdOr('others', 'Returns only what this person requested; `others` for what somebody else than the person who asks requested.'),
  ),
  stuck: Type.Optional(
    Type.Boolean({
      description: 'Returns only requests that wait and that nobody at the bank could approve now; with `false`, only others.',
    }),
  ),
  ...Paging,
})
export type ApprovalList = Static<typeof ApprovalList>

export const Rejection = Body('Rejection', { reason: Type.Optional(described(ShortText, 'Why, for the person who made the request.')) })
export type Rejection = Static<typeof Rejection>
