// The limits per day, month and year, and how much of each is used.
import { Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Account } from '@vostro/sdk'
import { isZero, shareOf, sumOf } from '../../ui/amounts.ts'
import { Answered, Block } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { dayOf, money } from '../../ui/words.ts'
import { firstOfMonth, firstOfYear } from './days.ts'
import { useMonths } from './today.ts'

export function Limits({ account }: { account: Account }) {
  const api = useVentureApi()
  const { id, currency, daily_limit, monthly_limit, yearly_limit, reserved_balance } = account
  const months = useMonths(id)
  const today = months.data?.at(-1)?.to
  const day = useQuery({
    queryKey: [useVenture(), 'balances', id, 'today', today],
    enabled: today !== undefined,
    queryFn: () => api.accounts.listBalances(id, { from: today ?? '', to: today ?? '' }),
  })
  const inYear = months.data?.filter(({ from }) => from >= firstOfYear(today ?? '')) ?? []
  const rows = [
    { name: 'Day', limit: daily_limit, sent: day.data?.at(-1)?.total_debits ?? '0' },
    { name: 'Month', limit: monthly_limit, sent: inYear.findLast(({ from }) => from >= firstOfMonth(today ?? ''))?.total_debits ?? '0' },
    { name: 'Year', limit: yearly_limit, sent: sumOf(inYear.map(({ total_debits }) => total_debits)) },
  ]
  return (
    <Block title="Limits" {...(today && { note: `${dayOf(today)}, UTC` })}>
      <Answered query={months.error ? months : day}>
        <Stack gap="sm">
          {rows.map((row) => (
            <Limit key={row.name} {...row} currency={currency} />
          ))}
          {!isZero(reserved_balance) && (
            <Text size="sm" c="dimmed">
              Booked amounts only. The {money(reserved_balance, currency)} reserved for transfers also counts against the limits.
            </Text>
          )}
        </Stack>
      </Answered>
    </Block>
  )
}

function Limit({ name, limit, sent, currency }: { name: string; limit: string | null; sent: string; currency: string }) {
  return (
    <div>
      <div className="limit-words">
        <span>{name}</span>
        <span className="amount">
          {money(sent, currency)} {limit === null ? 'sent, no limit' : `of ${money(limit, currency)}`}
        </span>
      </div>
      {limit !== null && (
        <meter
          className="limit"
          min={0}
          max={100}
          value={shareOf(sent, limit)}
          aria-label={`Share used of the limit per ${name.toLowerCase()}`}
        />
      )}
    </div>
  )
}
