// API requests of all ventures, including those without a valid key.
import { Group } from '@mantine/core'
import type { OperatorLoggedRequest } from '@vostro/sdk'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { bankId, useVentureChoices, VentureName } from '../../ui/names.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { Status, type Tone } from '../../ui/status.tsx'
import { secondOf } from '../../ui/words.ts'

const toneOf = (status: number): Tone => (status >= 500 ? 'bad' : status >= 400 ? 'attention' : 'good')

const columns: readonly Column<OperatorLoggedRequest>[] = [
  {
    label: 'Request',
    cell: ({ method, route }) => (
      <span className="mono clipped wider" title={route ?? ''}>
        {method} {route?.replace('/api/v1', '') ?? '(unknown path)'}
      </span>
    ),
  },
  { label: 'Status', cell: ({ status }) => <Status value={String(status)} tone={toneOf(status)} /> },
  { label: 'Error code', wide: true, cell: ({ code }) => code && <span className="mono">{code}</span> },
  { label: 'Duration', align: 'right', wide: true, cell: ({ duration_ms }) => `${duration_ms} ms` },
  {
    label: 'From',
    wide: true,
    cell: ({ venture_id, actor }) => (venture_id === bankId && actor === null ? 'No valid key' : <VentureName id={venture_id} isLink />),
  },
  { label: 'Key', wide: true, cell: ({ key_prefix }) => key_prefix && <span className="mono">{key_prefix}</span> },
  { label: 'When', cell: ({ at }) => secondOf(at) },
  {
    label: 'Id',
    wide: true,
    cell: ({ request_id }) => <Copyable text={request_id} shown={`…${request_id.slice(-8)}`} label="Copy the request id" />,
  },
]

const same = (text: string): string => text

export function Page() {
  const [filters] = useFilters()
  return (
    <Frame title="Requests">
      <Group gap="xs">
        <FilterBar
          filters={[
            {
              name: 'status',
              label: 'Status',
              choices: ['2xx', '4xx', '5xx', '400', '401', '403', '404', '409', '422', '429', '500', '503'],
              written: same,
            },
            { name: 'method', label: 'Method', choices: ['GET', 'POST', 'PUT', 'DELETE'], written: same, width: 130 },
            { name: 'route', label: 'Path, such as /api/v1/transfers' },
            { name: 'code', label: 'Error code' },
            { name: 'venture_id', label: 'Venture', ...useVentureChoices({ withBank: true }) },
            { name: 'key_prefix', label: 'Key prefix' },
            { name: 'request_id', label: 'Request id' },
            { name: 'date_from', label: 'From', type: 'date' },
            { name: 'date_to', label: 'To', type: 'date' },
          ]}
        />
      </Group>
      <List
        label="Requests"
        name={['bank', 'requests', filters]}
        read={(cursor) => api.operator.requests.listOfAllVentures({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        empty={<Empty title="No matching requests.">Remove some filters. Requests are kept for seven days.</Empty>}
      />
    </Frame>
  )
}
