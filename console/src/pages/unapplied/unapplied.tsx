// Money that has arrived and that no account could accept.
import type { UnappliedPayment } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { minuteOf, money, words } from '../../ui/words.ts'
import { unappliedStatuses } from '../../values.made.ts'

const columns: readonly Column<UnappliedPayment>[] = [
  { label: 'From', cell: ({ dr_name, dr_iban, id }) => dr_name ?? dr_iban ?? id },
  { label: 'Status', cell: ({ status }) => <Status value={status} /> },
  { label: 'Amount', align: 'right', cell: ({ amount, currency }) => money(amount, currency) },
  { label: 'Why', wide: true, cell: ({ reason }) => words(reason) },
  { label: 'Rail', wide: true, cell: ({ rail }) => words(rail) },
  { label: 'Purpose', wide: true, cell: ({ purpose }) => purpose },
  { label: 'Arrived', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

export function Page() {
  const [filters] = useFilters()
  return (
    <Frame title="Unapplied payments">
      <FilterBar filters={[{ name: 'status', label: 'Status', choices: unappliedStatuses }]} />
      <List
        label="Unapplied payments"
        name={['bank', 'unapplied', filters]}
        read={(cursor) => api.operator.unappliedPayments.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/unapplied/${id}`}
        empty={
          <Empty title="No unapplied payments.">
            Payments to an account that is unknown, closed or in another currency wait here for a decision.
          </Empty>
        }
      />
    </Frame>
  )
}
