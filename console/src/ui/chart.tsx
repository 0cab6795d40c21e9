// A line chart. The chart library loads with the first chart; a table has the same data for people who cannot see it.
import { Text, useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { pointAt, type Series } from './chart.points.ts'
import { Rows } from './list.tsx'
import { dayOf, grouped } from './words.ts'

type Options = {
  /** The title, such as "Balance by day". */
  label: string
  series: readonly Series[]
  /** The unit of the values, such as a currency. */
  unit?: string
  height?: number
}

type Row = { time: string; index: number }

export function Chart({ label, series, unit = '', height = 220 }: Options) {
  const scheme = useComputedColorScheme('light')
  const place = useRef<HTMLDivElement>(null)
  const [pointed, setPointed] = useState<number>()
  const times = series[0]?.points.map(({ at }) => at) ?? []
  const last = times.length - 1
  useEffect(() => {
    const element = place.current
    if (element === null) return
    let stop: (() => void) | undefined
    let isOver = false
    void import('./chart.plot.ts').then(({ draw }) => {
      if (!isOver) stop = draw(element, { series, scheme, height, onPoint: setPointed })
    })
    return () => {
      isOver = true
      stop?.()
    }
  }, [series, scheme, height])
  const at = pointed ?? last
  const written = (index: number) =>
    series.map((one) => `${series.length === 1 ? '' : `${one.label} `}${grouped(pointAt(one, index))} ${unit}`.trim()).join(' · ')
  if (last < 0) return null
  return (
    <figure className="chart">
      <Text size="sm" c="dimmed" className="amount">
        {dayOf(times[at] ?? '')}: {written(at)}
      </Text>
      <div
        ref={place}
        role="img"
        aria-label={`${label}, ${dayOf(times[0] ?? '')} to ${dayOf(times[last] ?? '')}. At the end: ${written(last)}.`}
        // Reserves the height, or the page would jump when the chart is drawn.
        style={{ minHeight: height }}
      />
      <details>
        <summary>The same as a table</summary>
        <div className="chart-table">
          <Rows
            label={label}
            rows={times.map((time, index): Row => ({ time, index })).toReversed()}
            idOf={({ time }) => time}
            columns={[
              { label: 'Day', cell: ({ time }) => dayOf(time) },
              ...series.map((one) => ({
                label: one.label,
                align: 'right' as const,
                cell: ({ index }: Row) => `${grouped(pointAt(one, index))} ${unit}`.trim(),
              })),
            ]}
          />
        </div>
      </details>
    </figure>
  )
}
