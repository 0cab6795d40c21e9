// The schemas of questions to ventures.
import { type Static, Type } from 'typebox'
import {
  Body,
  CalendarDate,
  Choice,
  CreatedAt,
  described,
  Id,
  Nullable,
  Paging,
  Query,
  Resource,
  Timestamp,
} from '../platform/http/schemas.ts'
import { LongText } from './cases.work.schemas.ts'

export const questionStates = ['OPEN', 'ANSWERED'] as const

const fields = {
  id: described(Id, 'The id of the question. The service assigns it.'),
  text: Type.String({ description: 'The question.' }),
  due_on: described(CalendarDate, 'The day by which the bank needs the answer.'),
  state: Choice(questionStates, { description: 'OPEN: waiting for an answer. ANSWERED: answered once, for good.' }),
  answer: Nullable(Type.String({ description: 'The answer; null until then.' })),
  file_ids: Type.Array(Type.String({ format: 'uuid' }), { description: 'The files that belong to the answer; none until then.' }),
  created_at: CreatedAt,
  answered_at: Nullable(described(Timestamp, 'When it was answered, in UTC; null until then.')),
}

/** What the venture sees: the question alone, and nothing of the case. */
export const Question = Resource('Question', fields, 'A question of the bank.')
export type Question = Static<typeof Question>

export const CaseQuestion = Resource(
  'CaseQuestion',
  {
    ...fields,
    venture_id: described(Id, 'The venture that was asked.'),
    asked_by: Nullable(Type.String({ format: 'uuid', description: 'The person who asked; null if it was the admin key.' })),
    answered_by: Nullable(Type.String({ format: 'uuid', description: 'The key or person of the venture that answered; null until then.' })),
  },
  'A question to a venture, as the bank sees it.',
)
export type CaseQuestion = Static<typeof CaseQuestion>

export const NewQuestion = Body('NewQuestion', {
  text: described(LongText, 'The question. It must not name a listed person whom the case is about.'),
  due_on: described(CalendarDate, 'The day by which the bank needs the answer.'),
})
export type NewQuestion = Static<typeof NewQuestion>

export const QuestionList = Query({
  state: Type.Optional(Choice(questionStates, { description: 'Returns only questions in this state.' })),
  ...Paging,
})
export type QuestionList = Static<typeof QuestionList>

export const QuestionAnswer = Body('QuestionAnswer', {
  answer: described(LongText, 'The answer. All files that were sent for the question belong to it.'),
})
export type QuestionAnswer = Static<typeof QuestionAnswer>

/** A file that a venture has sent for a question. */
export const QuestionFile = Resource('QuestionFile', {
  id: described(Id, 'The id of the file. The service assigns it.'),
  name: Type.String({ description: 'The name of the file.' }),
  type: Type.String({ description: 'The media type of the file.' }),
  size: Type.Integer({ description: 'The size of the file in bytes.' }),
  sha256: Type.String({ description: 'The SHA-256 of the file in hexadecimal.' }),
  created_at: CreatedAt,
})
export type QuestionFile = Static<typeof QuestionFile>
