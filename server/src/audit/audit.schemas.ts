// The schemas of the audit log and of approvals in requests and responses.
import { type Static, Type } from 'typebox'
import { actorKinds } from '../platform/actor.ts'
import { Body, Choice, Dates, Id, Nullable, Paging, Query, Resource, ShortText, Timestamp } from '../platform/http/schemas.ts'

export const AuditEntry = Resource('AuditEntry', {
  id: Id,
  at: Timestamp,
  actor: Choice(actorKinds),
  actor_id: Nullable(Id),
  action: Type.String({ description: 'The operationId of the request.' }),
  resource: Nullable(Type.String({ description: 'What the path of the request names last; else what the request created.' })),
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  request_id: Type.String(),
  address: Type.String({ description: 'The IPv4 address or the /64 network that the request came from.' }),
  fields: Type.Array(Type.String(), { description: 'The names of the fields that the request sent, never their values.' }),
})
export type AuditEntry = Static<typeof AuditEntry>

export const AuditList = Query({
  venture_id: Type.Optional(Id),
  actor: Type.Optional(Choice(actorKinds)),
  actor_id: Type.Optional(Id),
  action: Type.Optional(ShortText),
  resource: Type.Optional(ShortText),
  ...Dates,
  ...Paging,
})
export type AuditList = Static<typeof AuditList>

export const approvalStates = ['PENDING', 'APPROVED', 'REJECTED', 'WITHDRAWN', 'FAILED', 'EXPIRED'] as const

const approvalFields = {
  id: Id,
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  action: Type.String({ description: 'What is done once a second person approves.' }),
  resource_id: Id,
  payload: Type.Object({}, { additionalProperties: true, description: 'What exactly is done.' }),
  payload_hash: Type.String({ description: 'The SHA-256 of the payload.' }),
  sequence: Type.Integer({
    description:
      'How many changes the resource had seen when the request was made, without notes, such as the `status_reason` of a venture. If there are ' +
      'more, the approval fails.',
  }),
  maker_id: Id,
  checker_id: Nullable(Id),
  state: Choice(approvalStates),
  reason: Nullable(Type.String({ description: 'Why it was rejected or withdrawn, or why it failed.' })),
  created_at: Timestamp,
  expires_at: Timestamp,
  decided_at: Nullable(Timestamp),
}

export const Approval = Resource('Approval', approvalFields)
export type Approval = Static<typeof Approval>

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
  state: Type.Optional(Choice(approvalStates)),
  venture_id: Type.Optional(Id),
  action: Type.Optional(ShortText),
  resource_id: Type.Optional(Id),
  ...Paging,
})
export type ApprovalList = Static<typeof ApprovalList>

export const Rejection = Body('Rejection', { reason: Type.Optional(ShortText) })
export type Rejection = Static<typeof Rejection>
