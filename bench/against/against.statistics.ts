// Compares two versions by paired measurements, and decides whether this one is fast enough. Pure functions.
import { median } from '../figures.ts'

export type Side = 'ours' | 'theirs'

/** One version under load for some seconds. */
export type Measurement = { requests: number; perSecond: number; service_s: number; database_s: number }

/** Both versions, measured back to back. */
export type Pair = Record<Side, Measurement>

/** A median with its 95 % confidence interval. */
export type Estimate = { median: number; low: number; high: number }

/** The median of each side, and the ratio ours ÷ theirs. */
export type Comparison = Record<Side, number> & { ratio: Estimate }

export type Verdict = 'met' | 'failed' | 'not decided'

export type ScenarioResult = {
  name: string
  perSecond: Comparison
  /** CPU time per request, in µs. */
  cpu_us: Comparison
  service_us: Comparison
  database_us: Comparison
  /** The share of CPU time that the host gave to other machines. */
  stolen: number
  verdict: Verdict
  because: string
}

/** The thresholds for a pass: minimum throughput, maximum CPU time, and maximum width of the interval. */
export const goal = { throughput: 0.97, cpu: 1.03, halfWidth: 0.05 }

/** ABBA: theirs comes first in every other pair, so that a drifting machine favours neither. */
export function turnsOf(pair: number): readonly [Side, Side] {
  return pair % 2 === 0 ? ['ours', 'theirs'] : ['theirs', 'ours']
}

/**
 * The median and its interval from the order statistics: each value lies below the true median with probability ½ whatever the
 * distribution, so the number of values below it is binomial. With fewer than six values the interval is unbounded, and also if a
 * value is not a number, because the measurement was too short for one tick of CPU time.
 */
export function estimate(values: readonly number[]): Estimate {
  if (!values.every(Number.isFinite)) return { median: Number.NaN, low: -Infinity, high: Infinity }
  const sorted = values.toSorted((a, b) => a - b)
  const rank = lowerRank(values.length)
  return { median: median(sorted), low: sorted[rank - 1] ?? -Infinity, high: sorted[sorted.length - rank] ?? Infinity }
}

/** The largest rank, counted from 1, whose value is above the true median with a probability of at most 2.5 %; 0 if there is none. */
function lowerRank(count: number): number {
  let rank = 0
  let exactly = 0.5 ** count
  for (let atMost = exactly; atMost <= 0.025; atMost += exactly) {
    rank++
    exactly *= (count - rank + 1) / rank
  }
  return rank
}

export function verdictOf(throughput: Estimate, cpu: Estimate): { verdict: Verdict; because: string } {
  const rate = `throughput ${shown(throughput)}`
  const cost = `CPU per request ${shown(cpu)}`
  // Also false for NaN.
  const isNarrow = ({ median, low, high }: Estimate) => high - low <= 2 * goal.halfWidth * median
  const wide = [...(isNarrow(throughput) ? [] : [rate]), ...(isNarrow(cpu) ? [] : [cost])]
  if (wide.length > 0) {
    const below = throughput.high < goal.throughput ? `, although all of the throughput's is below ${goal.throughput} ×` : ''
    return { verdict: 'not decided', because: `the interval is wider than ± ${goal.halfWidth * 100} % (${wide.join(', ')})${below}` }
  }
  const missed = [
    ...(throughput.high >= goal.throughput ? [] : [`${rate} does not reach ${goal.throughput} ×`]),
    ...(cpu.median <= goal.cpu ? [] : [`${cost} is more than ${goal.cpu} ×`]),
  ]
  if (missed.length > 0) return { verdict: 'failed', because: missed.join(' and ') }
  return { verdict: 'met', because: `${rate}, ${cost}` }
}

export function resultOf(name: string, pairs: readonly Pair[], stolen: number): ScenarioResult {
  const compare = (figure: (measurement: Measurement) => number): Comparison => ({
    ours: median(pairs.map(({ ours }) => figure(ours))),
    theirs: median(pairs.map(({ theirs }) => figure(theirs))),
    ratio: estimate(pairs.map(({ ours, theirs }) => figure(ours) / figure(theirs))),
  })
  const perSecond = compare((measurement) => measurement.perSecond)
  const cpu_us = compare(({ service_s, database_s, requests }) => ((service_s + database_s) / requests) * 1e6)
  return {
    name,
    perSecond,
    cpu_us,
    service_us: compare(({ service_s, requests }) => (service_s / requests) * 1e6),
    database_us: compare(({ database_s, requests }) => (database_s / requests) * 1e6),
    stolen,
    ...verdictOf(perSecond.ratio, cpu_us.ratio),
  }
}

/** The figures of a scenario as text. */
export function tableOf({ name, perSecond, cpu_us, service_us, database_us, stolen }: ScenarioResult): string {
  const row = (what: string, unit: string, { ours, theirs, ratio }: Comparison) =>
    `  ${what.padEnd(18)}${number(ours).padStart(9)} ${unit.padEnd(4)}${number(theirs).padStart(9)} ${unit.padEnd(4)}  ${shown(ratio)}`
  return [
    `${name.padEnd(20)}${'ours'.padStart(9)}${'theirs'.padStart(14)}       ours ÷ theirs, 95 % interval`,
    row('throughput', '/s', perSecond),
    row('CPU per request', 'µs', cpu_us),
    row('  of the service', 'µs', service_us),
    row('  of the database', 'µs', database_us),
    `  ${'stolen CPU time'.padEnd(18)}${(stolen * 100).toFixed(1).padStart(9)} %`,
  ].join('\n')
}

/** The verdict on a scenario, in one line. */
export function verdictLineOf({ name, verdict, because }: ScenarioResult): string {
  return `${name}: ≥ ${goal.throughput} × ${verdict}: ${because}`
}

export function shown({ median, low, high }: Estimate): string {
  if (Number.isNaN(median)) return 'too little to measure'
  const interval = low === -Infinity ? 'too few pairs for an interval' : `${low.toFixed(3)} to ${high.toFixed(3)}`
  return `${median.toFixed(3)} × [${interval}]`
}

function number(value: number): string {
  return value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 })
}
