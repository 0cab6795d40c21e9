// All ISO 20022 messages sent and received.
import type { RailMessage } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { directions, meaningOf, shortType } from '../../ui/messages.ts'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status } from '../../ui/status.tsx'
import { minuteOf } from '../../ui/words.ts'
import { messageDirections, messageStates, messageTypes } from '../../values.made.ts'

const columns: readonly Column<RailMessage>[] = [
  { label: 'Message', cell: ({ type, file }) => (type === null ? file : shortType(type)) },
  { label: 'State', cell: ({ state }) => <Status value={state} /> },
  { label: 'Direction', cell: ({ direction }) => directions[direction] },
  { label: 'Type', wide: true, cell: ({ type }) => type && meaningOf(type) },
  { label: 'Message id', wide: true, cell: ({ message_id }) => <span className="mono">{message_id}</span> },
  { label: 'From', wide: true, cell: ({ sender }) => <span className="mono">{sender}</span> },
  { label: 'Created', wide: true, cell: ({ created_at }) => minuteOf(created_at) },
]

export function Page() {
  const [filters] = useFilters()
  return (
    <Frame title="Messages">
      <FilterBar
        filters={[
          {
            name: 'direction',
            label: 'Direction',
            choices: messageDirections,
            written: (one) => directions[one as keyof typeof directions],
          },
          { name: 'type', label: 'Type', choices: messageTypes, written: String },
          { name: 'state', label: 'State', choices: messageStates },
        ]}
      />
      <List
        label="Messages"
        name={['bank', 'messages', filters]}
        read={(cursor) => api.operator.messages.list({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => `/bank/messages/${id}`}
        empty={<Empty title="No messages.">Messages that the bank exchanges with other banks are listed here.</Empty>}
      />
    </Frame>
  )
}
