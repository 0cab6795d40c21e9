// The keys of the venture.
import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiKey } from '@vostro/sdk'
import { useBankNow } from '../../ui/clock.ts'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import type { Shown } from '../../ui/shown-once.tsx'
import { Status } from '../../ui/status.tsx'
import { dayOf, minuteOf } from '../../ui/words.ts'
import { RenameKey, RevokeKey, RotateKey } from './key-actions.tsx'
import { scopesOf, stateOf } from './keys.ts'

export function Keys({ onSecret }: { onSecret(shown: Shown): void }) {
  const api = useVentureApi()
  const query = useQuery({
    queryKey: [useVenture(), 'keys'],
    queryFn: () => api.venture.listKeys({ limit: 100 }).toArray(),
  })
  const keys = query.data ?? []
  return (
    <Block title="API keys" note="A key acts for the venture: keep it out of browsers and apps.">
      <Answered query={query}>
        {keys.length === 0 ? (
          <Empty title="There is no key yet.">Create one for each program that uses the API.</Empty>
        ) : (
          <Rows
            label="API keys"
            rows={keys}
            idOf={({ id }) => id}
            columns={[
              { label: 'Name', cell: ({ name }) => name },
              { label: 'State', cell: (key) => <State apiKey={key} /> },
              { label: 'Begins with', wide: true, cell: ({ prefix }) => <span className="mono">{prefix}…</span> },
              { label: 'May', wide: true, cell: ({ scopes }) => <span title={scopes.join(', ')}>{scopesOf(scopes)}</span> },
              { label: 'Last used', wide: true, cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : minuteOf(last_used_at)) },
              { label: '', align: 'right', cell: (key) => <Actions apiKey={key} onSecret={onSecret} /> },
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}

function State({ apiKey }: { apiKey: ApiKey }) {
  const state = stateOf(apiKey, useBankNow())
  return (
    <>
      <Status value={state} /> {state === 'ACTIVE' && apiKey.expires_at !== null && <>until {dayOf(apiKey.expires_at)}</>}
    </>
  )
}

function Actions({ apiKey, onSecret }: { apiKey: ApiKey; onSecret(shown: Shown): void }) {
  if (stateOf(apiKey, useBankNow()) !== 'ACTIVE') return null
  return (
    <Group gap={6} justify="flex-end">
      <RenameKey key={apiKey.name} apiKey={apiKey} />
      <RotateKey apiKey={apiKey} onSecret={onSecret} />
      <RevokeKey apiKey={apiKey} />
    </Group>
  )
}
