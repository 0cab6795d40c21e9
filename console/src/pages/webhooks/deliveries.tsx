import { Stack, Text } from '@mantine/core'
import type { Page, WebhookDelivery } from '@vostro/sdk'
import { deliveryColumns, pathOfDelivery } from '../../ui/deliveries.tsx'
import { type Filter, FilterBar, List, useFilters } from '../../ui/list.tsx'
import { Empty } from '../../ui/page.tsx'
import { useVenture } from '../../ui/session.ts'
import { deliveryStatuses } from '../../values.made.ts'

type Options = {
  /** One endpoint, or all. */
  of: string
  filters: readonly Filter[]
  read(query: never): Promise<Page<WebhookDelivery>>
  /** Set if there are several endpoints. */
  nameOf?(endpoint_id: string): string
  /** The hint for an empty list. */
  children: string
}

export function Deliveries({ of, filters, read, nameOf, children }: Options) {
  const venture = useVenture()
  const [given] = useFilters()
  return (
    <Stack gap="xs" component="section" aria-label="Deliveries">
      <Text component="h2" fw={700} size="lg" mt="xs">
        Deliveries
      </Text>
      <FilterBar filters={[{ name: 'status', label: 'Status', choices: deliveryStatuses }, ...filters]} />
      <List
        label="Deliveries"
        name={[venture, 'deliveries', of, given]}
        read={(cursor) => read({ ...given, ...cursor, limit: 50 } as never)}
        columns={deliveryColumns(nameOf)}
        idOf={({ id }) => id}
        to={(delivery) => pathOfDelivery(venture, delivery)}
        live="*"
        empty={<Empty title="No deliveries.">{children}</Empty>}
      />
    </Stack>
  )
}
