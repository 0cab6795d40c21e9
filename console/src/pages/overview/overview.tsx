// The overview of a venture: balances, volumes, transfers by status, and open tasks.
import './overview.css'
import { Group, SegmentedControl, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Statistics } from '@vostro/sdk'
import { useMemo } from 'react'
import { isZero } from '../../ui/amounts.ts'
import { Chart } from '../../ui/chart.tsx'
import { useFilters } from '../../ui/list.tsx'
import { Answered, Block, Empty, Page as Frame } from '../../ui/page.tsx'
import { useVenture, useVentureApi } from '../../ui/session.ts'
import { Status } from '../../ui/status.tsx'
import { counted, dayOf, grouped, money } from '../../ui/words.ts'
import { currenciesOf, isEmpty, isNew, tasksOf, totalOf, volumesOf } from './figures.ts'
import { FirstSteps } from './first-steps.tsx'

const spans = ['7', '30', '90']

export function Page() {
  const api = useVentureApi()
  const venture = useVenture()
  const [filters, change] = useFilters()
  const days = spans.includes(filters['days'] ?? '') ? Number(filters['days']) : 30
  const statistics = useQuery({
    queryKey: [venture, 'statistics', days],
    queryFn: () => api.statistics.get({ days }),
    placeholderData: (before) => before,
    refetchInterval: 60_000,
  })
  const { data } = statistics
  return (
    <Frame
      title="Overview"
      actions={
        <SegmentedControl
          aria-label="Period"
          value={String(days)}
          data={spans.map((value) => ({ value, label: `${value} days` }))}
          onChange={(value) => change({ days: value === '30' ? undefined : value })}
        />
      }
    >
      <Answered query={statistics}>
        {data && isNew(data) && <FirstSteps />}
        {data && !isEmpty(data) && <Shown statistics={data} days={days} />}
      </Answered>
    </Frame>
  )
}

function Shown({ statistics, days }: { statistics: Statistics; days: number }) {
  return (
    <>
      <Balances statistics={statistics} />
      <Attention statistics={statistics} />
      <Volume statistics={statistics} days={days} />
      <ByStatus statistics={statistics} />
    </>
  )
}

function Balances({ statistics: { balances, balances_truncated } }: { statistics: Statistics }) {
  return (
    <Block title="Balances" note={balances_truncated ? 'Newest 10,000 accounts only.' : undefined}>
      {balances.length === 0 && <Empty title="No accounts yet." />}
      <dl className="balances">
        {balances.map(({ currency, accounts, current_balance, reserved_balance, available_balance }) => (
          <div key={currency}>
            <dt>{counted(accounts, 'account')}</dt>
            <dd className="balance amount">{money(current_balance, currency)}</dd>
            <dd>
              <Text size="sm" c="dimmed">
                <span className="amount">{grouped(available_balance)} available</span>
                {!isZero(reserved_balance) && (
                  <>
                    , <span className="amount">{grouped(reserved_balance)} reserved</span>
                  </>
                )}
              </Text>
            </dd>
          </div>
        ))}
      </dl>
    </Block>
  )
}

function Attention({ statistics }: { statistics: Statistics }) {
  const venture = useVenture()
  const tasks = tasksOf(statistics)
  return (
    <Block title="Needs attention">
      {tasks.length === 0 ? (
        <Empty title="Nothing needs attention." />
      ) : (
        <ul className="tasks">
          {tasks.map(({ text, links }) => (
            <li key={text}>
              <Text span>{text}</Text>
              {links.map(({ label, to }) => (
                <Link
                  key={to}
                  to={`/v/${venture}/${to.split('?')[0]}`}
                  search={Object.fromEntries(new URLSearchParams(to.split('?')[1])) as never}
                >
                  {label}
                </Link>
              ))}
            </li>
          ))}
        </ul>
      )}
    </Block>
  )
}

function ByStatus({ statistics: { transfers_by_status, transfers_truncated, since } }: { statistics: Statistics }) {
  const venture = useVenture()
  return (
    <Block title="Transfers by status" note={transfers_truncated ? 'Newest 10,000 only.' : `Created since ${dayOf(since)}`}>
      {transfers_by_status.length === 0 && <Empty title="No transfers in this period." />}
      <ul className="by-status">
        {transfers_by_status.map(({ status, count }) => (
          <li key={status}>
            <Link to={`/v/${venture}/transfers`} search={{ status, date_from: since } as never} className="row-link">
              <Status value={status} />
              <span className="count">{grouped(String(count))}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Block>
  )
}

function Volume({ statistics, days }: { statistics: Statistics; days: number }) {
  const [filters, change] = useFilters()
  const currencies = currenciesOf(statistics)
  const asked = filters['currency'] ?? ''
  const currency = currencies.includes(asked) ? asked : (currencies[0] ?? '')
  // A chart whose series change is drawn anew.
  const series = useMemo(() => volumesOf(statistics, { currency, days }), [statistics, currency, days])
  return (
    <Block
      title="Volume per day"
      note={`${series.map((one) => `${one.label} ${money(totalOf(one), currency)}`).join(' · ')}, completed transfers`}
      actions={
        currencies.length > 1 && (
          <SegmentedControl
            size="xs"
            aria-label="Currency"
            value={currency}
            data={currencies}
            onChange={(value) => change({ currency: value === currencies[0] ? undefined : value })}
          />
        )
      }
    >
      <Group className="legend" gap="md" mb={4}>
        {series.map(({ label }, at) => (
          <Text key={label} size="sm" component="span" className={`legend-${at}`}>
            {label}
          </Text>
        ))}
      </Group>
      <Chart label={`Volume per day in ${currency}`} series={series} unit={currency} />
    </Block>
  )
}
