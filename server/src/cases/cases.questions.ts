// Questions to ventures. The venture sees the question alone, never the case, and a question must not tip off anybody: its text cannot name
// a listed person whom the case is about.
import { concerning, hashed } from '../audit/audit.ts'
import { emit } from '../events/events.ts'
import type { By } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { accompanied } from '../platform/companions.ts'
import type { Tx } from '../platform/database/database.ts'
import type { CheckedFile } from '../platform/files/files.ts'
import { shown } from '../platform/http/shown.ts'
import { uuidv7 } from '../platform/ids.ts'
import { refuse } from '../values/refusals.ts'
import { askedOf, paymentOf } from './cases.added.ts'
import { type CaseQuestion, type NewQuestion, Question, type QuestionFile, type QuestionList } from './cases.questions.schemas.ts'
import { insertQuestion, lockQuestion, type QuestionRow, selectQuestion, selectQuestions, writeAnswer } from './cases.questions.sql.ts'
import { selectCasesOf } from './cases.sql.ts'
import { type CaseRow, type Cases, getRow, refuseField, requireOpen, type Screened } from './cases.ts'
import { selectFilesOf, selectLinks } from './cases.work.sql.ts'
import { sha256Of, storeFile } from './cases.work.ts'

export async function askVenture(cases: Cases, case_id: string, wanted: NewQuestion, { actor, companions }: By): Promise<CaseQuestion> {
  const { database } = cases
  const row = await getRow(cases, case_id)
  requireOpen(row)
  const venture_id = askedOf(row) ?? refuse('question_not_possible')
  const { text, due_on } = wanted
  const at = now().toISOString()
  if (due_on < at.slice(0, 10)) refuseField('due_on', 'must not be in the past')
  if (await cases.namesListed(database, await screenedIn(cases, row), text)) refuse('question_tips_off')
  const question: QuestionRow = {
    id: uuidv7(),
    venture_id,
    case_id,
    text,
    due_on,
    state: 'OPEN',
    answer: null,
    file_ids: [],
    asked_by: actor.id,
    answered_by: null,
    created_at: at,
    answered_at: null,
  }
  const audited = hashed(sha256Of(text), concerning(row.venture_id, companions))
  return database.transaction((tx) =>
    accompanied(tx, audited, async () => {
      insertQuestion(tx, question)
      emit(tx, { venture_id, type: 'case.question', object: shown(Question, question), sequence: 1 })
      return question
    }),
  )
}

/** Everything that a case and the cases linked with it are about. */
async function screenedIn({ database }: Cases, row: CaseRow): Promise<Screened[]> {
  const links = await database.rows(selectLinks({ venture_id: row.venture_id, case_id: row.id }))
  const others = links.length === 0 ? [] : await database.rows(selectCasesOf(links.map(({ other_case_id }) => other_case_id)))
  return [row, ...others].flatMap((one) => [{ venture_id: one.venture_id, id: one.resource_id }, paymentOf(one) ?? []].flat())
}

export function listQuestions({ database }: Cases, venture_id: string, query: QuestionList): Promise<Question[]> {
  return selectQuestions(database, venture_id, query)
}

export async function getQuestion({ database }: Cases, key: Screened): Promise<Question> {
  return (await database.first(selectQuestion(key))) ?? refuse('question_not_found')
}

/** Answers a question once. All files that were sent for it belong to the answer. */
export function answerQuestion({ database }: Cases, key: Screened, answer: string, { actor, companions }: By): Promise<Question> {
  return database.transaction((tx) =>
    accompanied(tx, hashed(sha256Of(answer), companions), async () => {
      const row = (await tx.first(lockQuestion(key))) ?? refuse('question_not_found')
      requireUnanswered(row)
      const files = await tx.rows(selectFilesOf({ venture_id: key.venture_id, question_id: key.id }))
      const file_ids = files.map(({ id }) => id)
      const answered = { ...row, state: 'ANSWERED', answer, file_ids, answered_by: actor.id, answered_at: now().toISOString() } as const
      tx.evidence = selectQuestion(key)
      writeAnswer(tx, answered)
      return shown(Question, answered)
    }),
  )
}

/** The most files for one question. */
const mostFiles = 20

/** Stores a file for an answer that the venture has not given yet. */
export async function addQuestionFile(cases: Cases, key: Screened, file: CheckedFile, { companions }: By): Promise<QuestionFile> {
  const { venture_id, id: question_id } = key
  // Before the bytes are stored.
  requireUnanswered(await getQuestion(cases, key))
  const caseOf = async (tx: Tx): Promise<string> => {
    const row = (await tx.first(lockQuestion(key))) ?? refuse('question_not_found')
    requireUnanswered(row)
    if ((await tx.rows(selectFilesOf({ venture_id, question_id }))).length >= mostFiles) refuse('too_many_files')
    return row.case_id
  }
  return storeFile(cases, { venture_id, question_id, file, caseOf }, { companions, created_by: null })
}

function requireUnanswered({ state }: Pick<Question, 'state'>): void {
  if (state === 'ANSWERED') refuse('question_answered')
}
