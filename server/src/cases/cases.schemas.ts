// The schemas of cases in requests and responses.
import { type Static, Type } from 'typebox'
import {
  Body,
  Choice,
  CreatedAt,
  described,
  Id,
  IdOr,
  Nullable,
  Paging,
  Query,
  Resource,
  ShortText,
  Timestamp,
  UpdatedAt,
} from '../platform/http/schemas.ts'

export const caseStates = ['OPEN', 'DECIDED'] as const
export const caseSeverities = ['NORMAL', 'URGENT'] as const

const fields = {
  id: described(Id, 'The id of the case. The service assigns it.'),
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  kind: Type.String({ description: 'What the case is about. The kind says which decisions there are.' }),
  resource_id: { ...Id, description: 'What waits for the decision.' },
  payload: Type.Object({}, { additionalProperties: true, description: 'What a person needs to know to decide.' }),
  severity: Choice(caseSeverities, { description: 'URGENT if something should be stopped: the payload then says what it `proposes`.' }),
  due_at: Type.String({ format: 'date-time', description: 'By when somebody should decide.' }),
  state: Choice(caseStates, { description: 'OPEN: waits for a decision. DECIDED: nothing more can be done.' }),
  assignee_id: Nullable(described(Id, 'The person who works on it; null if nobody does.')),
  decision: Nullable(Type.String({ description: 'What was decided; null until then.' })),
  comment: Nullable(Type.String({ description: 'What whoever decided has noted, or null.' })),
  decided_by: Nullable(Type.String({ format: 'uuid', description: 'The person who decided; null if it was the admin key.' })),
  decided_at: Nullable(described(Timestamp, 'When it was decided, in UTC; null until then.')),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
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
  state: Type.Optional(Choice(caseStates, { description: 'Returns only cases in this state.' })),
  severity: Type.Optional(Choice(caseSeverities, { description: 'Returns only cases of this severity.' })),
  kind: Type.Optional(described(ShortText, 'Returns only cases of this kind.')),
  venture_id: Type.Optional(described(Id, 'Returns only cases of this venture. The zero id stands for the bank.')),
  resource_id: Type.Optional(described(Id, 'Returns only cases about this resource, such as a transfer.')),
  assignee_id: Type.Optional(IdOr('none', 'Returns only cases that this person works on; `none` for those that nobody works on.')),
  ...Paging,
})
export type CaseList = Static<typeof CaseList>

export const CaseAssignment = Body('CaseAssignment', {
  assignee_id: Nullable(described(Id, 'The person of the bank who works on it from now on; null for nobody.')),
})
export type CaseAssignment = Static<typeof CaseAssignment>

export const CaseDecision = Body('CaseDecision', {
  decision: described(ShortText, 'One of the `allowed_decisions` of the case.'),
  details: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'What the decision needs besides, such as the account that is credited.' }),
  ),
  comment: Type.Optional(described(ShortText, 'A note for whoever looks at the case later.')),
})
export type CaseDecision = Static<typeof CaseDecision>
