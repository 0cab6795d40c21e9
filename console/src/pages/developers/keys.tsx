import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ApiKey } from '@vostro/sdk'
import { useBankNow } from '../../ui/clock.ts'
import { RenameKey, RevokeKey, RotateKey } from '../../ui/key-actions.tsx'
import { keyColumns } from '../../ui/keys.columns.tsx'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import type { Shown } from '../../ui/shown-once.tsx'

export function Keys({ onSecret }: { onSecret(shown: Shown): void }) {
  const api = useVentureApi()
  const now_ms = useBankNow()
  const query = useQuery({
    queryKey: [useVenture(), 'keys'],
    queryFn: () => api.venture.listKeys({ limit: 100 }).toArray(),
  })
  const keys = query.data ?? []
  return (
    <Block title="API keys" note="A key acts for the venture. Keep it out of browsers and apps.">
      <Answered query={query}>
        {keys.length === 0 ? (
          <Empty title="No keys yet.">Create a key for each program that uses the API.</Empty>
        ) : (
          <Rows
            label="API keys"
            rows={keys}
            idOf={({ id }) => id}
            columns={keyColumns(now_ms, (key) => <Actions apiKey={key} onSecret={onSecret} />)}
          />
        )}
      </Answered>
    </Block>
  )
}

function Actions({ apiKey, onSecret }: { apiKey: ApiKey; onSecret(shown: Shown): void }) {
  const api = useVentureApi()
  return (
    <Group gap={6} justify="flex-end">
      <RenameKey key={apiKey.name} apiKey={apiKey} />
      <RotateKey apiKey={apiKey} onSecret={onSecret} />
      <RevokeKey apiKey={apiKey} revoke={() => api.venture.revokeKey(apiKey.id)} />
    </Group>
  )
}
