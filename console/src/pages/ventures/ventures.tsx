// The ventures of the bank.
import type { Venture } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, words } from '../../ui/words.ts'

const columns: readonly Column<Venture>[] = [
  { label: 'Name', cell: ({ name }) => name },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Control', cell: ({ control }) => words(control) },
  { label: 'Since', wide: true, cell: ({ created_at }) => dayOf(created_at) },
]

export function Page() {
  const [filters] = useFilters()
  return (
    <Frame title="Ventures">
      <FilterBar filters={[{ name: 'status', label: 'Status', choices: ['ACTIVE', 'DISABLED'] }]} />
      <List
        label="Ventures"
        name={['bank', 'ventures', filters]}
        read={(cursor) => api.ventures.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${id}/overview`}
        empty={<Empty title="There are no ventures yet.">Register the first one with the admin key.</Empty>}
      />
    </Frame>
  )
}
