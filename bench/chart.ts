// A chart of the ratios: a bar for each scenario with a baseline, and a line at 1.
import type { Result } from './figures.ts'

const [row, left, width] = [24, 260, 420]

export function chartOf(results: readonly Result[], machine: string): string {
  const bars = results.flatMap(({ name, ratios, compares }) =>
    Object.entries(ratios).map(([base, ratio]) => ({ label: `${name}, against ${base}`, ratio, compares })),
  )
  const most = Math.max(2, ...bars.map(({ ratio }) => ratio))
  const x = (ratio: number) => left + (ratio / most) * width
  const lines = bars.map(({ label, ratio, compares }, index) => {
    const y = 40 + index * row
    const color = compares === 'p50' ? '#8a93a0' : '#0b57d0'
    return `<text x="${left - 8}" y="${y + 15}" text-anchor="end">${escaped(label)}</text><rect x="${left}" y="${y + 3}" width="${(x(ratio) - left).toFixed(1)}" height="16" fill="${color}"/><text x="${(x(ratio) + 6).toFixed(1)}" y="${y + 15}">${ratio.toFixed(2)} ×</text>`
  })
  const height = 60 + bars.length * row
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 80}" height="${height}" font-family="system-ui,sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/><text x="8" y="20" font-size="13">Throughput as a multiple of its baseline (grey: time). ${escaped(machine)}</text>
${lines.join('\n')}
<line x1="${x(1)}" x2="${x(1)}" y1="36" y2="${height - 16}" stroke="#1b1f24" stroke-dasharray="3 3"/>
</svg>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '')
}
