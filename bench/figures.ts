// What a scenario is, and what it measures.

export type Figures = { perSecond: number; p50_ms: number; p99_ms: number }

/** CPU cores and memory used by the service and its database during the run. */
export type Usage = { service_cpu: number; service_mb: number; database_cpu: number; database_mb: number }

export type Run = (seconds: number) => Promise<Figures>

export type Scenario = {
  name: string
  run: Run
  /** Runs back to back with the scenario; the report shows the ratio to the first one. */
  baselines?: Record<string, Run>
  /** The ratio compares durations, so smaller is better. */
  compares?: 'throughput' | 'p50'
  /** Runs before each round, so that leftovers of one round do not slow down the next. */
  settle?: () => Promise<void>
  /** Whether one round without a warm-up is enough. */
  once?: boolean
  /** Remarks for the report. */
  note?: () => string
}

export type Result = Figures &
  Usage & { name: string; ratios: Record<string, number>; compares: 'throughput' | 'p50'; note: string; rounds: number }

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return (low + high) / 2
}
