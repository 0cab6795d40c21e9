import { SegmentedControl, Stack } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Account } from '@vostro/sdk'
import { useMemo, useState } from 'react'
import { Chart } from '../../ui/chart.tsx'
import { Answered } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { daysAfter } from './days.ts'
import { useMonths } from './today.ts'

const spans = {
  '30': { label: '30 days', days: 29, step: 'day' },
  '90': { label: '90 days', days: 89, step: 'day' },
  '365': { label: '1 year', days: 364, step: 'week' },
} as const
type Span = keyof typeof spans

export function Balance({ account: { id, currency } }: { account: Account }) {
  const api = useVentureApi()
  const venture = useVenture()
  const [span, setSpan] = useState<Span>('90')
  const months = useMonths(id)
  const today = months.data?.at(-1)?.to
  const query = useQuery({
    queryKey: [venture, 'balances', id, span, today],
    enabled: today !== undefined,
    queryFn: () => {
      const { days, step } = spans[span]
      const to = today ?? ''
      return api.accounts.listBalances(id, { from: daysAfter(to, -days), to, step })
    },
    placeholderData: keepPreviousData,
  })
  const series = useMemo(
    () => [{ label: 'Balance', points: query.data?.map(({ to, closing_balance }) => ({ at: to, value: closing_balance })) ?? [] }],
    [query.data],
  )
  return (
    <Stack gap="xs">
      <SegmentedControl
        aria-label="Period"
        size="xs"
        className="fit"
        value={span}
        onChange={(value) => setSpan(value as Span)}
        data={Object.entries(spans).map(([value, { label }]) => ({ value, label }))}
      />
      <Answered query={months.error ? months : query}>
        <Chart label="Balance at the end of each day" series={series} unit={currency} />
      </Answered>
    </Stack>
  )
}
