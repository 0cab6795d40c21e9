// What a scenario is and what is measured of it.

export type Figures = { perSecond: number; p50_ms: number; p99_ms: number }

/** How much of a core, and how much memory, the service and its database used meanwhile. */
export type Usage = { service_cpu: number; service_mb: number; database_cpu: number; database_mb: number }

export type Run = (seconds: number) => Promise<Figures>

export type Scenario = {
  name: string
  run: Run
  /** Run back to back with it; the ratio to the first one is the figure. */
  baselines?: Record<string, Run>
  /** The ratio is one of times, so that smaller is better. */
  compares?: 'throughput' | 'p50'
  /** Done before each round, so that what one leaves behind does not burden the next. */
  settle?: () => Promise<void>
  /** Whatever else it has to tell. */
  note?: () => string
}

export type Result = Figures &
  Usage & { name: string; ratios: Record<string, number>; compares: 'throughput' | 'p50'; note: string; rounds: number }

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = Number.NaN, high = Number.NaN] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return (low + high) / 2
}
