// Differences with clients or with the statements of a nostro.
import type { Break } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, money, words } from '../../ui/words.ts'
import { breakStatuses } from '../../values.made.ts'
import { kinds, meaningOf } from './break-words.ts'

const columns: readonly Column<Break>[] = [
  { label: 'Break', cell: ({ kind }) => words(kind) },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
  { label: 'Difference', wide: true, align: 'right', cell: ({ difference, currency }) => difference && money(difference, currency) },
  { label: 'What was found', wide: true, cell: ({ kind }) => meaningOf(kind) },
  { label: 'Rail', wide: true, cell: ({ rail }) => rail && words(rail) },
  { label: 'Found', wide: true, cell: ({ created_at }) => dayOf(created_at) },
]

export function Page() {
  const [filters] = useFilters()
  return (
    <Frame title="Breaks">
      <FilterBar
        filters={[
          { name: 'status', label: 'Status', choices: breakStatuses },
          { name: 'kind', label: 'Kind', choices: kinds },
          { name: 'nostro_id', label: 'Nostro id' },
        ]}
      />
      <List
        label="Breaks"
        name={['bank', 'breaks', filters]}
        read={(cursor) => api.operator.breaks.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/breaks/${id}`}
        empty={<Empty title="No breaks.">Each difference between a statement and the books becomes a break.</Empty>}
      />
    </Frame>
  )
}
