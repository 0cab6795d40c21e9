// What a scenario is, and what is measured.

export type Figures = { perSecond: number; p50_ms: number; p99_ms: number }

/** CPU cores and memory that the service and its database used meanwhile. */
export type Usage = { service_cpu: number; service_mb: number; database_cpu: number; database_mb: number }

export type Run = (seconds: number) => Promise<Figures>

export type Scenario = {
  name: string
  run: Run
  /** Run back to back with the scenario; the reported figure is the ratio to the first one. */
  baselines?: Record<string, Run>
  /** The ratio compares durations, so that smaller is better. */
  compares?: 'throughput' | 'p50'
  /** Runs before each round, so that the remains of one round do not slow down the next. */
  settle?: () => Promise<void>
  /** Whether one round without a warm-up is enough, whatever its length. */
  once?: boolean
  /** Additional remarks. */
  note?: () => string
}

export type Result = Figures &
  Usage & { name: string; ratios: Record<string, number>; compares: 'throughput' | 'p50'; note: string; rounds: number }

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return (low + high) / 2
}
