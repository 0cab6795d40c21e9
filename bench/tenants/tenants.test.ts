import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSetup } from '../setup.ts'
import { measureTenants, statusesOf } from './tenants.measure.ts'

test('forty of the worst searches of one venture leave every get and create of another without a refusal', async () => {
  await withSetup(async (setup) => {
    const { alone, beside } = await measureTenants(setup, { transfers: 10_000, searches: 40, connections: 4, rounds: 1, seconds: 1 })
    const all = [...alone, ...beside]
    assert.deepEqual(Object.keys(statusesOf(all.map(({ gets }) => gets))), ['200'])
    assert.deepEqual(Object.keys(statusesOf(all.map(({ creates }) => creates))), ['201'])
    const searches = statusesOf(beside.map(({ searches }) => searches))
    assert.ok((searches['200'] ?? 0) > 0, JSON.stringify(searches))
    // The searching venture may get 429 for too many requests, and nothing else.
    assert.deepEqual(
      Object.keys(searches).filter((status) => status !== '200' && status !== '429'),
      [],
      JSON.stringify(searches),
    )
  })
})
