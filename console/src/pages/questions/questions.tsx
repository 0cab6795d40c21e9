// The questions of the bank to the venture.
import type { ListQuestionsQuery, Question } from '@vostro/sdk'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { beginningOf, dayOf, minuteOf } from '../../ui/words.ts'
import { questionStates } from '../../values.made.ts'

const columns: readonly Column<Question>[] = [
  { label: 'Question', cell: ({ text }) => beginningOf(text) },
  { label: 'State', cell: ({ state }) => <Status value={state} /> },
  { label: 'Answer due', cell: ({ due_on }) => dayOf(due_on) },
  { label: 'Asked', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [filters] = useFilters()
  const query: ListQuestionsQuery = filters
  return (
    <Frame title="Questions">
      <FilterBar filters={[{ name: 'state', label: 'State', choices: questionStates }]} />
      <List
        label="Questions"
        name={[venture, 'questions', filters]}
        read={(cursor) => api.questions.list({ ...query, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/questions/${id}`}
        live="case"
        empty={
          Object.keys(filters).length > 0 ? (
            <Empty title="No matching questions.">Clear the filters to see all questions.</Empty>
          ) : (
            <Empty title="No questions yet.">If the bank needs to know something about a payment or a client, it asks here.</Empty>
          )
        }
      />
    </Frame>
  )
}
