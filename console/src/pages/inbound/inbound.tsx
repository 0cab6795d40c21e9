// Incoming payments of other banks and how they were booked, and payments reported by people because no message announced them.
import type { BookedFact } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { VentureName } from '../../ui/names.tsx'
import { ForceDebit } from '../../ui/outside/force-debit.tsx'
import { PayOut } from '../../ui/outside/pay-out.tsx'
import { ReportInbound } from '../../ui/outside/report-inbound.tsx'
import { ReportReturned } from '../../ui/outside/report-returned.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { minuteOf } from '../../ui/words.ts'
import { tones } from './booked.ts'

const columns: readonly Column<BookedFact>[] = [
  { label: 'Transaction', cell: ({ tx_id }) => <span className="mono">{tx_id}</span> },
  { label: 'Booked as', cell: ({ booked_as }) => <Status value={booked_as} tone={tones[booked_as]} /> },
  { label: 'Message', wide: true, cell: ({ kind }) => kind },
  { label: 'From', wide: true, cell: ({ sender }) => <span className="mono">{sender}</span> },
  { label: 'Venture', wide: true, cell: ({ venture_id }) => <VentureName id={venture_id} /> },
  { label: 'Booked', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

export function Page() {
  const [filters] = useFilters()
  return (
    <Frame
      title="Inbound"
      actions={
        <>
          <ReportInbound />
          <ReportReturned />
          <PayOut />
          <ForceDebit />
        </>
      }
    >
      <FilterBar filters={[{ name: 'booked_as', label: 'Booked as', choices: Object.keys(tones) }]} />
      <List
        label="Inbound payments"
        name={['bank', 'inbound', filters]}
        read={(cursor) => api.operator.inboundPayments.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/inbound/${id}`}
        empty={
          <Empty title="No inbound payments.">
            Payments from other banks to managed ventures are listed here, with how they were booked.
          </Empty>
        }
      />
    </Frame>
  )
}
