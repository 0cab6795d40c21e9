import { useQuery } from '@tanstack/react-query'
import type { VentureAuditEntry } from '@vostro/sdk'
import { Copyable } from '../../ui/copyable.tsx'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { useMay, useVenture, useVentureApi } from '../../ui/session.ts'
import { secondOf, shortId } from '../../ui/words.ts'
import { actionOf, whoOf } from './told.ts'

const actors: Record<string, string> = { user: 'The team', venture: 'Keys', operator: 'The bank', service: 'The service' }

const filterFields = [
  { name: 'actor', label: 'By', choices: Object.keys(actors), written: (actor: string) => actors[actor] ?? actor },
  { name: 'action', label: 'Operation' },
  { name: 'resource', label: 'Resource id' },
  { name: 'date_from', label: 'From', type: 'date' },
  { name: 'date_to', label: 'To', type: 'date' },
] as const

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const may = useMay()
  const [filters] = useFilters()
  const people = useQuery({ queryKey: [venture, 'users'], queryFn: () => api.venture.listUsers({ limit: 100 }).toArray() })
  const keys = useQuery({
    queryKey: [venture, 'keys'],
    enabled: may('listKeys'),
    queryFn: () => api.venture.listKeys({ limit: 100 }).toArray(),
  })
  const columns: readonly Column<VentureAuditEntry>[] = [
    { label: 'Action', cell: ({ action }) => <span title={action}>{actionOf(action)}</span> },
    { label: 'Who', cell: (entry) => whoOf(entry, people.data ?? [], keys.data ?? []) },
    { label: 'When', wide: true, cell: ({ at }) => secondOf(at) },
    {
      label: 'About',
      wide: true,
      cell: ({ resource }) => resource !== null && <Copyable text={resource} shown={`…${shortId(resource)}`} label="Copy the id" />,
    },
    {
      label: 'Fields',
      wide: true,
      cell: ({ fields }) =>
        fields.length > 0 && (
          <span className="clipped" title={fields.join(', ')}>
            {fields.join(', ')}
          </span>
        ),
    },
    { label: 'Address', wide: true, cell: ({ address }) => address },
  ]
  return (
    <Frame title="Audit">
      <FilterBar filters={filterFields} />
      <List
        label="Audit log"
        name={[venture, 'audit-log', filters]}
        read={(cursor) => api.venture.listAuditLog({ ...filters, ...cursor, limit: 50 } as never).page()}
        columns={columns}
        idOf={({ id }) => id}
        empty={
          <Empty title="The log is empty.">
            The log records changes by people, and every change of keys, secrets, limits and compliance fields.
          </Empty>
        }
      />
    </Frame>
  )
}
