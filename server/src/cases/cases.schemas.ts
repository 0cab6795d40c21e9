// The schemas of cases in requests and responses.
import { type Static, Type } from 'typebox'
import { Body, Choice, Id, Nullable, Paging, Query, Resource, ShortText, Timestamp } from '../platform/http/schemas.ts'

export const caseStates = ['OPEN', 'DECIDED'] as const
export const caseSeverities = ['NORMAL', 'URGENT'] as const

const fields = {
  id: Id,
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  kind: Type.String({ description: 'What the case is about. The kind says which decisions there are.' }),
  resource_id: { ...Id, description: 'What waits for the decision.' },
  payload: Type.Object({}, { additionalProperties: true, description: 'What a person needs to know to decide.' }),
  severity: Choice(caseSeverities, { description: 'URGENT if something should be stopped: the payload then says what it `proposes`.' }),
  due_at: Type.String({ format: 'date-time', description: 'By when somebody should decide.' }),
  state: Choice(caseStates),
  assignee_id: Nullable(Id),
  decision: Nullable(Type.String()),
  comment: Nullable(Type.String()),
  decided_by: Nullable(Type.String({ format: 'uuid', description: 'The person who decided; null if it was the admin key.' })),
  decided_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Case = Resource('Case', fields)
export type Case = Static<typeof Case>

export const CaseWithSubject = Resource('CaseWithSubject', {
  ...fields,
  subject: Type.Unsafe<object | null>({
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'What the case is about, as it is now.',
  }),
  allowed_decisions: Type.Array(Type.String(), {
    description: 'The decisions that fit the subject as it is now; none once the case is decided.',
  }),
})
export type CaseWithSubject = Static<typeof CaseWithSubject>

export const CaseList = Query({
  state: Type.Optional(Choice(caseStates)),
  severity: Type.Optional(Choice(caseSeverities)),
  kind: Type.Optional(ShortText),
  venture_id: Type.Optional(Id),
  resource_id: Type.Optional(Id),
  assignee_id: Type.Optional(Id),
  ...Paging,
})
export type CaseList = Static<typeof CaseList>

export const CaseAssignment = Body('CaseAssignment', { assignee_id: Nullable(Id) })
export type CaseAssignment = Static<typeof CaseAssignment>

export const CaseDecision = Body('CaseDecision', {
  decision: ShortText,
  details: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'What the decision needs besides, such as the account that is credited.' }),
  ),
  comment: Type.Optional(ShortText),
})
export type CaseDecision = Static<typeof CaseDecision>
