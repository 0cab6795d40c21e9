// The secrets that sign deliveries to the venture's webhook endpoints.
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Rows } from '../../ui/list.tsx'
import { Answered, Block, Empty } from '../../ui/page.tsx'
import { RotateSecret } from '../../ui/rotate-secret.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import type { Shown } from '../../ui/shown-once.tsx'
import { Status } from '../../ui/status.tsx'

export function Secrets({ onSecret }: { onSecret(shown: Shown): void }) {
  const api = useVentureApi()
  const venture = useVenture()
  const query = useQuery({
    queryKey: [venture, 'webhook-endpoints'],
    queryFn: () => api.webhookEndpoints.list({ limit: 100 }).toArray(),
  })
  return (
    <Block title="Webhook secrets" note="Each endpoint has its own secret, which is shown only once, when it is created.">
      <Answered query={query}>
        {query.data?.length === 0 ? (
          <Empty title="No endpoints yet.">
            <Anchor size="sm" underline="always" renderRoot={(props) => <Link {...props} to={`/v/${venture}/webhooks`} />}>
              Add one
            </Anchor>{' '}
            to get its secret.
          </Empty>
        ) : (
          <Rows
            label="Webhook secrets"
            rows={query.data ?? []}
            idOf={({ id }) => id}
            to={({ id }) => `/v/${venture}/webhooks/${id}`}
            columns={[
              { label: 'Endpoint', cell: ({ url, description }) => description ?? url },
              { label: 'Status', wide: true, cell: ({ status }) => <Status value={status} /> },
              {
                label: '',
                align: 'right',
                cell: (endpoint) => <RotateSecret endpoint={endpoint} onSecret={onSecret} button={{ size: 'compact-sm' }} />,
              },
            ]}
          />
        )}
      </Answered>
    </Block>
  )
}
