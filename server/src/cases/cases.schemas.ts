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
import { CaseQuestion } from './cases.questions.schemas.ts'
import { CaseFile, CaseLink, CaseNote } from './cases.work.schemas.ts'

export const caseStates = ['OPEN', 'DECIDED'] as const
export const caseSeverities = ['NORMAL', 'URGENT'] as const

const fields = {
  id: described(Id, 'The id of the case. The service assigns it.'),
  venture_id: Type.String({ format: 'uuid', description: 'The venture concerned. The zero id stands for the bank.' }),
  kind: Type.String({ description: 'What the case is about. The kind determines the possible decisions.' }),
  resource_id: { ...Id, description: 'The resource that is waiting for the decision.' },
  payload: Type.Object({}, { additionalProperties: true, description: 'What a person needs to know to decide.' }),
  severity: Choice(caseSeverities, { description: 'URGENT if something should be stopped. The payload then says what it `proposes`.' }),
  due_at: Type.String({ format: 'date-time', description: 'When the case should be decided.' }),
  state: Choice(caseStates, { description: 'OPEN: waiting for a decision. DECIDED: nothing more can be done.' }),
  assignee_id: Nullable(described(Id, 'The person who is working on it; null if nobody is.')),
  decision: Nullable(Type.String({ description: 'What was decided; null until then.' })),
  comment: Nullable(Type.String({ description: 'The note of the person who decided, or null.' })),
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
    description: 'The decisions that are possible for the subject as it is now; none once the case is decided.',
  }),
  notes: Type.Array(CaseNote, { description: 'The notes, oldest first.' }),
  files: Type.Array(CaseFile, { description: 'The files, oldest first, with those that a venture sent with its answers.' }),
  links: Type.Array(CaseLink, { description: 'The cases that people have linked with this one.' }),
  questions: Type.Array(CaseQuestion, { description: 'The questions to the venture, oldest first.' }),
})
export type CaseWithSubject = Static<typeof CaseWithSubject>

export const CaseList = Query({
  state: Type.Optional(Choice(caseStates, { description: 'Returns only cases in this state.' })),
  severity: Type.Optional(Choice(caseSeverities, { description: 'Returns only cases of this severity.' })),
  kind: Type.Optional(described(ShortText, 'Returns only cases of this kind.')),
  venture_id: Type.Optional(described(Id, 'Returns only cases of this venture. The zero id stands for the bank.')),
  resource_id: Type.Optional(described(Id, 'Returns only cases about this resource, such as a transfer.')),
  assignee_id: Type.Optional(IdOr('none', 'Returns only cases assigned to this person; `none` for unassigned cases.')),
  ...Paging,
})
export type CaseList = Static<typeof CaseList>

export const CaseAssignment = Body('CaseAssignment', {
  assignee_id: Nullable(described(Id, 'The person of the bank to whom the case is assigned; null for nobody.')),
})
export type CaseAssignment = Static<typeof CaseAssignment>

export const CaseDecision = Body('CaseDecision', {
  decision: described(ShortText, 'One of the `allowed_decisions` of the case.'),
  details: Type.Optional(
    Type.Object({}, { additionalProperties: true, description: 'Further details of the decision, such as the account to credit.' }),
  ),
  comment: Type.Optional(described(ShortText, 'A note for later readers of the case.')),
})
export type CaseDecision = Static<typeof CaseDecision>
