import assert from 'node:assert/strict'
import { test } from 'node:test'
import { columnsOf, pointAt, tickOf } from './chart.points.ts'

const points = [
  { at: '2026-10-01', value: '10.50' },
  { at: '2026-10-02', value: '-3' },
]

test('a chart is drawn from seconds and numbers', () => {
  const [times, values] = columnsOf([{ label: 'Balance', points }])
  assert.deepEqual(values, [10.5, -3])
  assert.equal((times[1] ?? 0) - (times[0] ?? 0), 86_400)
  assert.deepEqual(columnsOf([]), [[]])
})

test('what is written beside a chart is the text that the service gave', () => {
  assert.equal(pointAt({ label: 'Balance', points }, 0), '10.50')
  assert.equal(pointAt({ label: 'Balance', points }, 7), '')
  assert.equal(tickOf(1500), '1.5k')
  assert.equal(tickOf(-20), '−20')
})
