// What a chart is drawn from.
import { timeOf } from './words.ts'

/** Points are in the order of time, and all series of a chart have points at the same times. */
export type Series = { label: string; points: readonly { at: string; value: string }[] }

export const pointAt = ({ points }: Series, index: number): string => points[index]?.value ?? ''

/** Seconds, and then the values of each series. Only what is drawn is a Number, where a pixel is more than what gets lost. */
export function columnsOf(series: readonly Series[]): [number[], ...number[][]] {
  const times = series[0]?.points.map(({ at }) => timeOf(at).getTime() / 1000) ?? []
  return [times, ...series.map(({ points }) => points.map(({ value }) => Number(value)))]
}

const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 2 })

/** What stands at an axis: `1.5k`. */
export const tickOf = (value: number): string => short.format(value).replace('-', '−')
