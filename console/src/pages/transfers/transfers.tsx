// The list of transfers.
import type { Transfer } from '@vostro/sdk'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { minuteOf, money } from '../../ui/words.ts'

const columns: readonly Column<Transfer>[] = [
  { label: 'Reference', cell: ({ unique_reference }) => unique_reference },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Amount', align: 'right', cell: ({ debit_amount, debit_currency }) => money(debit_amount, debit_currency) },
  { label: 'To', wide: true, cell: ({ cr_name }) => cr_name },
  { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [filters] = useFilters()
  return (
    <Frame title="Transfers">
      <FilterBar filters={[{ name: 'search', label: 'Search' }]} />
      <List
        label="Transfers"
        name={[venture, 'transfers', filters]}
        read={(cursor) => api.transfers.list({ ...filters, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/transfers/${id}`}
        live="transfer"
        empty={<Empty title="There are no transfers yet.">Create one from an account.</Empty>}
      />
    </Frame>
  )
}
