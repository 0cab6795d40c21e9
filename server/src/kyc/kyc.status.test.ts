import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { kycStatuses } from '../clients/clients.schemas.ts'
import { conclude, kycEventTypes, nextKycStatuses, type RecordedEvent, walkTo } from './kyc.status.ts'

const start = fc.constantFrom('NOT_STARTED', 'CREATED', 'PROCESSING') as fc.Arbitrary<'NOT_STARTED' | 'CREATED' | 'PROCESSING'>

const event: fc.Arbitrary<RecordedEvent> = fc.record({
  id: fc.uuid(),
  type: fc.constantFrom(...kycEventTypes),
  sequence: fc.option(fc.nat(20)),
  created_at: fc.integer({ min: 0, max: 50 }).map((second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString()),
  data: fc.record({ risk_level: fc.constantFrom('Low', 'Medium', 'High'), note: fc.string({ minLength: 1 }) }, { requiredKeys: [] }),
})
const events = fc.uniqueArray(event, { selector: ({ id }) => id, maxLength: 12 })

test('any permutation of the same events leads to the same conclusion', () => {
  fc.assert(
    fc.property(
      start,
      events.chain((series) => fc.tuple(fc.constant(series), fc.shuffledSubarray(series, { minLength: series.length }))),
      (from, [series, shuffled]) => {
        assert.deepEqual(conclude(from, shuffled), conclude(from, series))
      },
    ),
    { numRuns: 2_000 },
  )
})

test('whatever arrives next, observers see only moves of the table', () => {
  fc.assert(
    fc.property(start, events, (from, series) => {
      let seen: (typeof kycStatuses)[number] = from
      for (let count = 1; count <= series.length; count++) {
        for (const next of walkTo(seen, conclude(from, series.slice(0, count)).status)) {
          assert.ok(nextKycStatuses[seen].includes(next), `${seen} to ${next}`)
          seen = next
        }
      }
      assert.equal(seen, conclude(from, series).status)
    }),
    { numRuns: 2_000 },
  )
})

test('a decision counts whatever came before, and the last one wins', () => {
  for (const from of kycStatuses) {
    const at = (sequence: number, type: RecordedEvent['type']): RecordedEvent => ({
      id: String(sequence),
      type,
      sequence,
      created_at: '2026-01-01T00:00:00Z',
      data: {},
    })
    assert.equal(conclude(from, [at(1, 'verification.approved')]).status, 'VALIDATED')
    assert.equal(conclude(from, [at(2, 'verification.declined'), at(1, 'verification.approved')]).status, 'DECLINED')
    assert.equal(conclude(from, [at(1, 'watchlist.hit')]).status, from)
  }
})

test('the walk between two statuses is the shortest one in the table', () => {
  assert.deepEqual(walkTo('CREATED', 'VALIDATED'), ['PROCESSING', 'VALIDATED'])
  assert.deepEqual(walkTo('VALIDATED', 'DECLINED'), ['PENDING_REVIEW', 'DECLINED'])
  assert.deepEqual(walkTo('CREATED', 'CREATED'), [])
  assert.throws(() => walkTo('CREATED', 'NOT_STARTED'))
})
