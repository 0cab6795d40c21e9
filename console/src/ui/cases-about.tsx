// The cases of a resource, open and decided.
import { useQuery } from '@tanstack/react-query'
import { api } from './api.ts'
import { kindWords } from './cases.ts'
import { Rows } from './list.tsx'
import { Answered, Block } from './page.tsx'
import { useMay } from './session.ts'
import { Status } from './status.tsx'
import { dayOf, minuteOf, words } from './words.ts'

/** Shows nothing if there are none. */
export function CasesAbout({ id }: { id: string }) {
  const may = useMay()
  const cases = useQuery({
    queryKey: ['bank', 'cases', 'about', id],
    enabled: may('listCases'),
    queryFn: async () => (await api.operator.cases.list({ resource_id: id, limit: 20 }).page()).items,
  })
  if (cases.error === null && (cases.data === undefined || cases.data.length === 0)) return null
  return (
    <Block title="Cases" note="The decision of the case determines the next step.">
      <Answered query={cases}>
        <Rows
          label="Cases"
          rows={cases.data ?? []}
          idOf={(one) => one.id}
          to={(one) => `/bank/cases/${one.id}`}
          columns={[
            { label: 'About', cell: ({ kind }) => kindWords(kind) },
            { label: 'State', cell: ({ state, decision }) => <Status value={decision ?? state} tone={decision ? 'quiet' : 'attention'} /> },
            { label: 'Severity', wide: true, cell: ({ severity }) => words(severity) },
            { label: 'Opened', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
            { label: 'Due', cell: ({ state, due_at }) => (state === 'OPEN' ? dayOf(due_at) : '') },
          ]}
        />
      </Answered>
    </Block>
  )
}
