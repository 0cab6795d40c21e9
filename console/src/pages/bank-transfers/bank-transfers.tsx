// The transfers of all ventures in one status, where the bank finds those that are stuck.
import type { OperatorTransfer } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { VentureName } from '../../ui/names.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { minuteOf, money, words } from '../../ui/words.ts'
import { phases, transferMethods } from '../../values.made.ts'

/** Statuses that wait for a person come first. */
const { Attention, ...others } = phases
const statuses = [...Attention, ...Object.values(others).flat()]

const columns: readonly Column<OperatorTransfer>[] = [
  { label: 'Reference', cell: ({ unique_reference }) => unique_reference },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Amount', align: 'right', cell: ({ debit_amount, debit_currency }) => money(debit_amount, debit_currency) },
  { label: 'Venture', wide: true, cell: ({ venture_id }) => <VentureName id={venture_id} /> },
  { label: 'Rail', wide: true, cell: ({ method }) => words(method) },
  { label: 'From', wide: true, cell: ({ dr_name }) => dr_name },
  { label: 'To', wide: true, cell: ({ cr_name }) => cr_name },
  { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

export function Page() {
  const [{ status = 'REVIEW', method }] = useFilters()
  const filters = { status, ...(method && { method }) }
  return (
    <Frame title="Transfers">
      <FilterBar
        filters={[
          { name: 'status', label: 'Status', choices: statuses, usual: 'REVIEW' },
          { name: 'method', label: 'Rail', choices: transferMethods },
        ]}
      />
      <List
        label="Transfers"
        name={['bank', 'transfers', filters]}
        read={(cursor) => api.operator.transfers.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ venture_id, id }) => `/v/${venture_id}/transfers/${id}`}
        empty={<Empty title={`No transfers in status ${words(status)}.`}>Choose another status.</Empty>}
      />
    </Frame>
  )
}
