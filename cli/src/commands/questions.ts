import type { ListQuestionsQuery, Question, QuestionAnswer } from '@vostro/sdk'
import { action, idOf, listing } from '../resources.ts'
import type { Command } from '../table.ts'

const id = idOf('question')

export const questionCommands: readonly Command[] = [
  listing<ListQuestionsQuery, Question>({
    words: ['questions', 'list'],
    summary: 'List the questions of the bank, newest first.',
    filters: { state: 'Only questions in this state (OPEN or ANSWERED).' },
    columns: ['id', 'state', 'due_on', 'text'],
    list: (vostro, query) => vostro.questions.list(query),
  }),
  action({
    words: ['questions', 'get'],
    summary: 'Show a question of the bank, with its answer.',
    args: [id],
    act: (vostro, [id = '']) => vostro.questions.get(id),
  }),
  action({
    words: ['questions', 'answer'],
    summary: 'Answer a question of the bank, once.',
    details: 'For example: vostro questions answer ID answer="The rent for November."',
    args: [id],
    fields: true,
    act: (vostro, [id = ''], fields) => vostro.questions.answer(id, fields as QuestionAnswer),
  }),
]
