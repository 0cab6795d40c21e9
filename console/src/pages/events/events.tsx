import type { VostroEvent } from '@vostro/sdk'
import { actorWords } from '../../ui/actor.tsx'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { secondOf } from '../../ui/words.ts'
import { eventTypes } from '../../values.made.ts'
import { summaryOf } from './summary.ts'

const columns: readonly Column<VostroEvent>[] = [
  { label: 'Event', cell: ({ type }) => <span className="mono">{type}</span> },
  { label: 'Summary', cell: summaryOf },
  { label: 'By', wide: true, cell: ({ actor }) => (actor === null ? '' : actorWords(actor)) },
  { label: 'When', wide: true, cell: ({ timestamp }) => secondOf(timestamp) },
]

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [filters] = useFilters()
  const isFiltered = Object.keys(filters).length > 0
  return (
    <Frame title="Events">
      <FilterBar
        filters={[
          { name: 'type', label: 'Type', choices: eventTypes, written: (type) => type },
          { name: 'resource_id', label: 'Resource id' },
          { name: 'date_from', label: 'From', type: 'date' },
          { name: 'date_to', label: 'To', type: 'date' },
        ]}
      />
      <List
        label="Events"
        name={[venture, 'events', filters]}
        read={(cursor) => api.events.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/v/${venture}/events/${id}`}
        live={filters['type']?.split('.')[0] ?? '*'}
        empty={
          isFiltered ? (
            <Empty title="No matching events.">Remove some filters.</Empty>
          ) : (
            <Empty title="No events yet." curl="npx vostro trigger transfer.completed">
              Every change in the venture creates an event. In the sandbox, you can trigger one:
            </Empty>
          )
        }
      />
    </Frame>
  )
}
