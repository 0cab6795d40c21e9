// The figures of the overview, from the venture's statistics.
import type { Statistics } from '@vostro/sdk'
import { sumOf } from '../../ui/amounts.ts'
import type { Series } from '../../ui/chart.points.ts'
import { counted } from '../../ui/words.ts'

const day_ms = 86_400_000

/** Every day since the first one. Days are in UTC, as in the service. */
export function daysFrom(since: string, count: number): string[] {
  const first = Date.parse(`${since}T00:00:00Z`)
  return Array.from({ length: count }, (_, at) => new Date(first + at * day_ms).toISOString().slice(0, 10))
}

/** The currencies of volumes and balances, the most used first. */
export function currenciesOf({ volumes, balances }: Pick<Statistics, 'volumes' | 'balances'>): string[] {
  const counts = new Map<string, number>(balances.map(({ currency }) => [currency, 0]))
  for (const { currency, count } of volumes) counts.set(currency, (counts.get(currency) ?? 0) + count)
  return [...counts].toSorted(([, a], [, b]) => b - a).map(([currency]) => currency)
}

type Wanted = { currency: string; days: number }

/** Incoming and outgoing volume per day, with zeros for days without any. */
export function volumesOf({ since, volumes }: Pick<Statistics, 'since' | 'volumes'>, { currency, days }: Wanted): Series[] {
  const amountOn = (date: string, direction: string) =>
    volumes.find((each) => each.date === date && each.currency === currency && each.direction === direction)?.amount ?? '0'
  const points = (direction: string) => daysFrom(since, days).map((at) => ({ at, value: amountOn(at, direction) }))
  return [
    { label: 'In', points: points('INBOUND') },
    { label: 'Out', points: points('OUTBOUND') },
  ]
}

export const totalOf = ({ points }: Series): string => sumOf(points.map(({ value }) => value))

/** Counts stop at 100. */
export const atLeast = (count: number, one: string, many?: string): string =>
  count >= 100 ? `100 or more ${many ?? `${one}s`}` : counted(count, one, many)

export type Task = { text: string; links: readonly { label: string; to: string }[] }

/** Open tasks, with links to where they are done. */
export function tasksOf({ attention }: Pick<Statistics, 'attention'>): Task[] {
  const { transfers, transfers_to_sign, failed_deliveries, disabled_endpoints, clients_in_verification } = attention
  const tasks: (Task & { count: number })[] = [
    {
      count: transfers,
      text: `${atLeast(transfers, 'transfer')} stuck`,
      links: [
        { label: 'Review', to: 'transfers?status=REVIEW' },
        { label: 'On hold', to: 'transfers?status=ON_HOLD' },
        { label: 'Manual action', to: 'transfers?status=MANUAL_ACTION' },
        { label: 'Some problems', to: 'transfers?status=SOME_PROBLEMS' },
      ],
    },
    {
      count: transfers_to_sign,
      text: `${atLeast(transfers_to_sign, 'transfer')} to sign`,
      links: [{ label: 'Show', to: 'transfers?status=TO_SIGN' }],
    },
    {
      count: failed_deliveries,
      text: `${atLeast(failed_deliveries, 'webhook delivery', 'webhook deliveries')} failed`,
      links: [{ label: 'Show', to: 'webhooks?status=FAILED' }],
    },
    {
      count: disabled_endpoints,
      text: `${atLeast(disabled_endpoints, 'webhook endpoint')} disabled`,
      links: [{ label: 'Show', to: 'webhooks' }],
    },
    {
      count: clients_in_verification,
      text: `${atLeast(clients_in_verification, 'client')} in verification`,
      links: [
        { label: 'Created', to: 'clients?kyc_status=CREATED' },
        { label: 'Processing', to: 'clients?kyc_status=PROCESSING' },
        { label: 'Pending review', to: 'clients?kyc_status=PENDING_REVIEW' },
      ],
    },
  ]
  return tasks.filter(({ count }) => count > 0).map(({ text, links }) => ({ text, links }))
}

export const isEmpty = ({ balances, transfers_by_status }: Pick<Statistics, 'balances' | 'transfers_by_status'>): boolean =>
  balances.length === 0 && transfers_by_status.length === 0

/** With at most one account, the first steps are shown. */
export const isNew = ({ balances }: Pick<Statistics, 'balances'>): boolean => balances.reduce((sum, { accounts }) => sum + accounts, 0) <= 1
