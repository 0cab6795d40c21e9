// The data of a chart.
import { timeOf } from './words.ts'

/** Points are in order of time, and all series have the same times. */
export type Series = { label: string; points: readonly { at: string; value: string }[] }

export const pointAt = ({ points }: Series, index: number): string => points[index]?.value ?? ''

/** Times in seconds, then the values of each series. Numbers are used for drawing only, where rounding is smaller than a pixel. */
export function columnsOf(series: readonly Series[]): [number[], ...number[][]] {
  const times = series[0]?.points.map(({ at }) => timeOf(at).getTime() / 1000) ?? []
  return [times, ...series.map(({ points }) => points.map(({ value }) => Number(value)))]
}

const short = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 2 })

/** The label of an axis tick: `1.5k`. */
export const tickOf = (value: number): string => short.format(value).replace('-', '−')
