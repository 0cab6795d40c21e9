// The health of the instances, based on their metrics.
import type { MetricValue } from 'prom-client'
import { type Gap, type OperatorHealth, type RouteLatency, roundsEndWithin_s } from './health.schemas.ts'
import type { Metrics } from './metrics.ts'

export async function getOperatorHealth(metrics: Metrics, missing: Gap[]): Promise<OperatorHealth> {
  const { registry, recent } = await metrics.together()
  const valuesOf = async (name: string): Promise<readonly Measured[]> => {
    const metric = registry.getSingleMetric(name)
    return metric === undefined ? [] : ((await metric.get()).values as readonly Measured[])
  }
  const [
    durations,
    pool,
    deliveries,
    oldestDelivery,
    jobs,
    oldestJobs,
    waiting,
    dropped,
    oldestFile,
    lastRound,
    refused,
    vop,
    vopAnswered,
    vopRefused,
  ] = await Promise.all([
    valuesOf('http_request_duration_seconds'),
    valuesOf('database_pool_connections'),
    valuesOf('webhook_deliveries'),
    valuesOf('webhook_oldest_due_seconds'),
    valuesOf('jobs'),
    valuesOf('jobs_oldest_due_seconds'),
    valuesOf('request_log_waiting'),
    valuesOf('request_log_dropped_total'),
    valuesOf('exchange_oldest_file_seconds'),
    valuesOf('exchange_last_round_seconds'),
    valuesOf('exchange_refused_files_total'),
    valuesOf('vop_certificate_expires_seconds'),
    valuesOf('vop_answered_total'),
    valuesOf('vop_refused_total'),
  ])
  const oldestOf = new Map(oldestJobs.map(({ labels, value }) => [labels['kind'], value]))
  const kinds = [...new Set(jobs.map(({ labels }) => String(labels['kind'])))].sort()
  const listener = vop.find(({ labels }) => labels['of'] === 'listener') ?? null
  return {
    status: valueIn(lastRound) > roundsEndWithin_s || hasExpired(listener) || missing.length > 0 ? 'RED' : 'GREEN',
    missing,
    requests_last_minute: recent,
    routes: latenciesIn(durations),
    pool: { busy: valueIn(pool, { state: 'busy' }), idle: valueIn(pool, { state: 'idle' }), waiting: valueIn(pool, { state: 'waiting' }) },
    deliveries: {
      pending: valueIn(deliveries, { status: 'PENDING' }),
      failed: valueIn(deliveries, { status: 'FAILED' }),
      oldest_due_s: valueIn(oldestDelivery),
    },
    jobs: kinds.map((kind) => ({
      kind,
      ready: valueIn(jobs, { kind, state: 'ready' }),
      dead: valueIn(jobs, { kind, state: 'dead' }),
      oldest_due_s: oldestOf.get(kind) ?? 0,
    })),
    request_log: { waiting: valueIn(waiting), dropped: valueIn(dropped) },
    exchange:
      lastRound.length === 0
        ? null
        : {
            oldest_file_s: valueIn(oldestFile),
            last_round_s: valueIn(lastRound),
            refused_files: sumOf(refused),
          },
    vop: listener && { answered: sumOf(vopAnswered), refused: sumOf(vopRefused), certificate_expires_s: listener.value },
  }
}

type Measured = MetricValue<string> & { labels: Record<string, string | number | undefined>; metricName?: string }

const sumOf = (values: readonly Measured[]): number => values.reduce((sum, { value }) => sum + value, 0)

const hasExpired = (certificate: Measured | null): boolean => certificate !== null && certificate.value <= 0

function valueIn(values: readonly Measured[], labels: Record<string, string> = {}): number {
  const matches = (value: Measured) => Object.entries(labels).every(([name, label]) => value.labels[name] === label)
  return values.find(matches)?.value ?? 0
}

type Histogram = { method: string; route: string; count: number; sum: number; buckets: Map<number, number> }

/** The latencies of a route over all statuses, the most frequent route first. */
function latenciesIn(values: readonly Measured[]): RouteLatency[] {
  const routes = new Map<string, Histogram>()
  for (const { labels, metricName = '', value } of values) {
    const [method, route] = [String(labels['method']), String(labels['route'])]
    const known = routes.get(`${method} ${route}`) ?? { method, route, count: 0, sum: 0, buckets: new Map<number, number>() }
    routes.set(`${method} ${route}`, known)
    if (metricName.endsWith('_sum')) known.sum += value
    else if (metricName.endsWith('_count')) known.count += value
    else {
      const bound = labels['le'] === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels['le'])
      known.buckets.set(bound, (known.buckets.get(bound) ?? 0) + value)
    }
  }
  return [...routes.values()]
    .sort((a, b) => b.count - a.count)
    .map(({ method, route, count, sum, buckets }) => ({
      method,
      route,
      count,
      mean_ms: round((sum / count) * 1000),
      p50_ms: quantile(buckets, count, 0.5),
      p99_ms: quantile(buckets, count, 0.99),
    }))
}

/** The bound of the bucket that contains the quantile, which is all that a histogram knows; null beyond the largest bound. */
function quantile(buckets: ReadonlyMap<number, number>, count: number, share: number): number | null {
  const bounds = [...buckets.keys()].sort((a, b) => a - b)
  const bound = bounds.find((each) => (buckets.get(each) ?? 0) >= count * share)
  return bound === undefined || bound === Number.POSITIVE_INFINITY ? null : round(bound * 1000)
}

function round(value_ms: number): number {
  return Math.round(value_ms * 100) / 100
}
