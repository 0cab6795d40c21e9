import { Group } from '@mantine/core'
import type { AuditEntry } from '@vostro/sdk'
import { access } from '../../access.made.ts'
import { api } from '../../ui/api.ts'
import { Copyable } from '../../ui/copyable.tsx'
import { type Column, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { PersonName, usePeopleChoices, useVentureChoices, VentureName } from '../../ui/names.tsx'
import { Empty, Page as Frame } from '../../ui/page.tsx'
import { operationWords, secondOf, shortId, words } from '../../ui/words.ts'
import { actorKinds } from '../../values.made.ts'

/** The person, key or service that acted. */
function Who({ entry: { actor, actor_id } }: { entry: AuditEntry }) {
  if (actor === 'operator' || actor === 'user') return <PersonName id={actor_id} nobody="The admin key" isLink />
  if (actor === 'venture') return actor_id === null ? 'A key' : `Key …${shortId(actor_id)}`
  return words(actor)
}

const columns: readonly Column<AuditEntry>[] = [
  { label: 'Action', cell: ({ action }) => operationWords(action) },
  { label: 'When', cell: ({ at }) => secondOf(at) },
  { label: 'Who', cell: (entry) => <Who entry={entry} /> },
  { label: 'Venture', wide: true, cell: ({ venture_id }) => <VentureName id={venture_id} isLink /> },
  {
    label: 'Resource',
    wide: true,
    cell: ({ resource }) => resource && <Copyable text={resource} shown={`…${shortId(resource)}`} label="Copy the id" />,
  },
  {
    label: 'Fields',
    wide: true,
    cell: ({ fields }) => (
      <span className="clipped" title={fields.join(', ')}>
        {fields.join(', ')}
      </span>
    ),
  },
  { label: 'From', wide: true, cell: ({ address }) => <span className="mono">{address}</span> },
]

/** Reads are not logged, except for who has looked at clients. */
const actions = Object.keys(access).filter((operation) => !/^(list|get)/.test(operation) || operation === 'getClient')

export function Page() {
  const [filters] = useFilters()
  return (
    <Frame title="Audit log">
      <Group gap="xs">
        <FilterBar
          filters={[
            { name: 'action', label: 'Action', choices: actions, written: operationWords },
            {
              name: 'actor',
              label: 'Actor',
              choices: actorKinds,
              written: actorWords,
            },
            { name: 'actor_id', label: 'Person', ...usePeopleChoices() },
            { name: 'venture_id', label: 'Venture', ...useVentureChoices({ withBank: true }) },
            { name: 'resource', label: 'Resource id' },
            { name: 'date_from', label: 'From', type: 'date' },
            { name: 'date_to', label: 'To', type: 'date' },
          ]}
        />
      </Group>
      <List
        label="Audit log"
        name={['bank', 'audit', filters]}
        read={(cursor) => api.operator.auditLog.list({ ...filters, ...cursor, limit: 50 }).page()}
        columns={columns}
        idOf={({ id }) => id}
        empty={<Empty title="No matching entries.">The log records every change by a person or the admin key. Remove some filters.</Empty>}
      />
    </Frame>
  )
}

const actors: Readonly<Record<string, string>> = {
  operator: 'The bank',
  user: 'A venture user',
  venture: 'A venture key',
  service: 'The service',
  connector: 'A connector',
}

const actorWords = (actor: string): string => actors[actor] ?? words(actor)
