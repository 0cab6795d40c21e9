import assert from 'node:assert/strict'
import { test } from 'node:test'
import { indexStateOf } from './index-state.ts'

test('the metrics say which versions are loaded', () => {
  const metrics = [
    '# TYPE screening_ready gauge',
    'screening_ready 1',
    'screening_lists_loaded{watchlist="sandbox",version="v1"} 1',
    'screening_lists_loaded{watchlist="ofac",version="v2"} 1',
  ].join('\n')
  assert.deepEqual(indexStateOf(metrics), {
    ready: true,
    loaded: [
      { watchlist: 'sandbox', version: 'v1' },
      { watchlist: 'ofac', version: 'v2' },
    ],
  })
  assert.deepEqual(indexStateOf('screening_ready 0\n'), { ready: false, loaded: [] })
  assert.equal(indexStateOf('other 1'), undefined)
})
