// The requests of the venture, one by one or grouped by response.
import { SegmentedControl } from '@mantine/core'
import type { LoggedRequest } from '@vostro/sdk'
import { type Column, FilterBar, type Filters, List, useFilters } from '../../ui/list.tsx'
import { Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { secondOf } from '../../ui/words.ts'
import { Answer, RouteName, routeOf } from './answer.tsx'
import { Groups } from './grouped.tsx'
import { NoRequests } from './no-requests.tsx'

const columns: readonly Column<LoggedRequest>[] = [
  { label: 'Request', cell: (request) => <RouteName {...request} /> },
  { label: 'Response', cell: (request) => <Answer {...request} /> },
  { label: 'Duration', wide: true, align: 'right', cell: ({ duration_ms }) => `${duration_ms} ms` },
  {
    label: 'By',
    wide: true,
    cell: ({ key_prefix, actor }) => (key_prefix === null ? byOf(actor) : <span className="mono">{key_prefix}…</span>),
  },
  { label: 'When', wide: true, cell: ({ at }) => secondOf(at) },
]

const byOf = (actor: string | null): string => (actor === 'user' ? 'A team member' : (actor ?? ''))

const filterFields = [
  {
    name: 'status',
    label: 'Status',
    choices: ['2xx', '4xx', '5xx', '400', '401', '403', '404', '409', '422', '429'],
    written: (status: string) => status,
  },
  { name: 'method', label: 'Method', choices: ['GET', 'POST', 'PUT', 'DELETE'], written: (method: string) => method },
  { name: 'code', label: 'Error code' },
  { name: 'route', label: 'Route' },
  { name: 'request_id', label: 'Request id' },
  { name: 'key_prefix', label: 'Key prefix' },
] as const

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [all, change] = useFilters()
  const { view = 'list', ...filters } = all
  const query = queryOf(filters)
  const isFiltered = Object.keys(filters).length > 0
  const name = [venture, 'requests', filters]
  const read = (cursor: { after?: string }) => api.requests.list({ ...query, ...cursor, limit: 100 } as never).page()
  const empty = <NoRequests isFiltered={isFiltered} />
  return (
    <Frame
      title="Requests"
      actions={
        <SegmentedControl
          aria-label="View"
          size="sm"
          value={view}
          onChange={(chosen) => change({ view: chosen === 'list' ? undefined : chosen })}
          data={[
            { value: 'list', label: 'List' },
            { value: 'groups', label: 'Grouped' },
          ]}
        />
      }
    >
      <FilterBar filters={filterFields} />
      {view === 'groups' ? (
        <Groups
          name={name}
          read={read}
          empty={empty}
          onChoose={({ route, code, status, method }) =>
            change({ view: undefined, method, status: String(status), code: code ?? undefined, route: route ?? undefined })
          }
        />
      ) : (
        <List
          label="Requests"
          name={name}
          read={read}
          columns={columns}
          idOf={({ id }) => id}
          to={({ id }) => `/v/${venture}/requests/${id}`}
          empty={empty}
        />
      )}
    </Frame>
  )
}

/** The common prefix of all routes may be left out. */
const queryOf = ({ route, ...others }: Filters): Filters => (route === undefined ? others : { ...others, route: routeOf(route) })
