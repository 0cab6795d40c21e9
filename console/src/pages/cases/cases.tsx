import { Group } from '@mantine/core'
import type { Case, ListCasesQuery } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { kinds, kindWords } from '../../ui/cases.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { PersonName, useVentureChoices, VentureName } from '../../ui/names.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useSession } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { useView, Views } from '../../ui/view.tsx'
import { caseSeverities } from '../../values.made.ts'
import { decisionWords, summaryOf } from './cases.words.ts'
import { Due } from './due.tsx'
import { OpenCase } from './open-case.tsx'

const columns: readonly Column<Case>[] = [
  { label: 'Case', cell: ({ kind }) => kindWords(kind) },
  {
    label: 'State',
    cell: ({ kind, state, severity, decision }) =>
      state === 'OPEN' ? (
        <Status value={severity === 'URGENT' ? 'URGENT' : 'OPEN'} />
      ) : (
        <Status value={decision === null ? state : decisionWords(kind, decision).label} tone="quiet" />
      ),
  },
  { label: 'About', wide: true, cell: summaryOf },
  { label: 'Venture', wide: true, cell: ({ venture_id }) => <VentureName id={venture_id} /> },
  { label: 'Assignee', wide: true, cell: ({ assignee_id }) => <PersonName id={assignee_id} nobody="Unassigned" /> },
  { label: 'Due', cell: (of) => <Due of={of} isShort /> },
]

const views = [
  ['open', 'Open'],
  ['mine', 'Mine'],
  ['free', 'Unassigned'],
  ['decided', 'Decided'],
] as const

export function Page() {
  const { user } = useSession()
  const [{ view: _, ...filters }] = useFilters()
  const view = useView(['open', 'mine', 'free', 'decided'])
  const query: ListCasesQuery = {
    ...filters,
    state: view === 'decided' ? 'DECIDED' : 'OPEN',
    ...(view === 'mine' && { assignee_id: user.id }),
    ...(view === 'free' && { assignee_id: 'none' }),
  }
  return (
    <Frame title="Cases" actions={<OpenCase />}>
      <Group gap="xs">
        <Views label="Which cases" views={views} />
        <FilterBar
          filters={[
            { name: 'kind', label: 'Kind', choices: Object.keys(kinds), written: kindWords },
            { name: 'severity', label: 'Severity', choices: caseSeverities },
            { name: 'venture_id', label: 'Venture', ...useVentureChoices() },
          ]}
        />
      </Group>
      <List
        label="Cases"
        name={['bank', 'cases', view, filters]}
        read={(cursor) => api.operator.cases.list({ ...query, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/cases/${id}`}
        empty={
          <Empty title={view === 'mine' ? 'No cases assigned to you.' : 'No cases to decide.'}>
            {view === 'mine' ? 'Pick an unassigned case.' : 'A case opens when a payment, a name or a statement needs a human decision.'}
          </Empty>
        }
      />
    </Frame>
  )
}
