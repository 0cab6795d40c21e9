// Draws a chart. A separate file, because it brings in the chart library.
import uPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { columnsOf, type Series, tickOf } from './chart.points.ts'

type Options = {
  series: readonly Series[]
  scheme: 'light' | 'dark'
  height: number
  /** Reports the index of the point under the pointer, or undefined when the pointer leaves. */
  onPoint(index: number | undefined): void
}

const looks = {
  light: { text: '#495057', grid: '#e9ecef', lines: ['#1864ab', '#087f5b', '#a61e4d', '#5f3dc4'] },
  dark: { text: '#c1c2c5', grid: '#373a40', lines: ['#74c0fc', '#63e6be', '#faa2c1', '#b197fc'] },
}

/** Dashes distinguish series for people who cannot tell the colours apart. */
const dashes = [[], [6, 3], [2, 3], [10, 4, 2, 4]]

const day = new Intl.DateTimeFormat('en-GB', { day: '2-digit', month: 'short' })

/** Draws into an element, follows its width, and returns a function that removes the chart. */
export function draw(element: HTMLElement, { series, scheme, height, onPoint }: Options): () => void {
  const { text, grid, lines } = looks[scheme]
  const axis = { stroke: text, grid: { stroke: grid, width: 1 }, ticks: { stroke: grid, width: 1 }, font: '12px system-ui, sans-serif' }
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height,
      legend: { show: false },
      cursor: { y: false, drag: { x: false, y: false } },
      series: [
        {},
        ...series.map(({ label }, index) => ({
          label,
          stroke: lines[index % lines.length] ?? text,
          width: 2,
          dash: dashes[index % dashes.length] ?? [],
          points: { show: false },
          ...(series.length === 1 && { fill: `${lines[0]}22` }),
        })),
      ],
      axes: [
        { ...axis, space: 70, values: (_, ticks) => ticks.map((at) => day.format(at * 1000)) },
        { ...axis, size: 56, values: (_, ticks) => ticks.map(tickOf) },
      ],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? undefined)] },
    },
    columnsOf(series),
    element,
  )
  const resized = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
  resized.observe(element)
  return () => {
    resized.disconnect()
    plot.destroy()
  }
}
