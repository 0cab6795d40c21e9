// SQL statements for questions to ventures.
import type { Reader, Tx } from '../platform/database/database.ts'
import { columnsOf, fragment, read, write } from '../platform/database/sql.ts'
import { equals, type Filters, given, pageWith } from '../platform/http/lists.ts'
import { CaseQuestion, Question, type QuestionList } from './cases.questions.schemas.ts'

export type QuestionRow = CaseQuestion & { case_id: string }

const columns = columnsOf(CaseQuestion)
const shownColumns = columnsOf(Question)

export function insertQuestion(tx: Tx, row: QuestionRow): void {
  tx.send(write`
    insert into case_questions (venture_id, case_id, asked_by, answered_by, ${shownColumns})
    select venture_id, case_id, asked_by, answered_by, ${shownColumns} from json_populate_record(null::case_questions, ${JSON.stringify(row)})`)
}

export const selectQuestionsOf = ({ venture_id, case_id }: { venture_id: string; case_id: string }) => read<CaseQuestion>`
  select ${columns} from case_questions where venture_id = ${venture_id} and case_id = ${case_id} order by id`

type Key = { venture_id: string; id: string }

export const selectQuestion = ({ venture_id, id }: Key) => read<Question>`
  select ${shownColumns} from case_questions where venture_id = ${venture_id} and id = ${id}`

export const lockQuestion = ({ venture_id, id }: Key) => read<QuestionRow>`
  select case_id, ${columns} from case_questions where venture_id = ${venture_id} and id = ${id} for update`

/** Only for a locked question that is OPEN. */
export function writeAnswer(tx: Tx, { venture_id, id, answer, file_ids, answered_by, answered_at }: QuestionRow): void {
  tx.send(write`
    update case_questions set state = 'ANSWERED', answer = ${answer}, file_ids = ${file_ids}, answered_by = ${answered_by},
      answered_at = ${answered_at}
    where venture_id = ${venture_id} and id = ${id} and state = 'OPEN'`)
}

const filters: Filters<QuestionList> = { state: equals(fragment`state`) }

export function selectQuestions(reader: Reader, venture_id: string, query: QuestionList): Promise<Question[]> {
  return reader.rows(read<Question>`
    select ${shownColumns} from case_questions where venture_id = ${venture_id} and ${pageWith(query, given(query, filters))}`)
}
