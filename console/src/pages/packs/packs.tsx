// The packs of all rails. Each leaves the bank as one message.
import type { Pack } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, grouped, minuteOf, money, words } from '../../ui/words.ts'
import { packStates, rails } from '../../values.made.ts'
import { numberOf } from './number.ts'

const columns: readonly Column<Pack>[] = [
  { label: 'Pack', cell: ({ message_id }) => <span className="mono">{numberOf(message_id)}</span> },
  { label: 'State', cell: ({ state }) => <Status value={state} /> },
  { label: 'Total', align: 'right', cell: ({ total, currency }) => money(total, currency) },
  { label: 'Payments', wide: true, align: 'right', cell: ({ count }) => grouped(String(count)) },
  { label: 'Rail', wide: true, cell: ({ rail }) => words(rail) },
  { label: 'Contains', wide: true, cell: ({ kind }) => `${words(kind)}s` },
  { label: 'Settles', wide: true, cell: ({ settlement_date }) => dayOf(settlement_date) },
  { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

export function Page() {
  const [filters] = useFilters()
  return (
    <Frame title="Packs">
      <FilterBar
        filters={[
          { name: 'state', label: 'State', choices: packStates },
          { name: 'rail', label: 'Rail', choices: rails },
        ]}
      />
      <List
        label="Packs"
        name={['bank', 'packs', filters]}
        read={(cursor) => api.operator.packs.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/packs/${id}`}
        empty={
          <Empty title="No packs.">
            At each cut-off, payments of managed ventures over SEPA, INST and SDD are packed and leave the bank in one message.
          </Empty>
        }
      />
    </Frame>
  )
}
