// What happened in the venture, newest first.
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
  { label: 'What', cell: summaryOf },
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
          { name: 'resource_id', label: 'Id of a resource' },
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
            <Empty title="No event is like that.">Try fewer filters.</Empty>
          ) : (
            <Empty title="Nothing has happened yet." curl="npx vostro trigger transfer.completed">
              Everything that changes in the venture leaves an event. In the sandbox, you can make one happen:
            </Empty>
          )
        }
      />
    </Frame>
  )
}
