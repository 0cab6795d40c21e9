// The statistics behind `npm run timing`: they see a difference where there is one, and none where there is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compare } from './timing.statistics.ts'

/** The same numbers at each run. */
function noise(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}

/** Times around 80 ms with some outliers. */
function times(count: number, random: () => number, shift_ms = 0): number[] {
  return Array.from({ length: count }, () => 80 + shift_ms + random() + random() + random() + (random() > 0.97 ? 60 * random() : 0))
}

test('two samples of the same kind do not differ', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = noise(seed * 7_919)
    const { differs, rank_z, trimmed_t } = compare({ known: times(400, random), unknown: times(400, random) })
    assert.ok(!differs, `seed ${seed}: ${rank_z}, ${trimmed_t}`)
  }
})

test('a shift of a quarter of a millisecond is seen among outliers', () => {
  const random = noise(42)
  const { differs, rank_z, trimmed_t } = compare({ known: times(400, random, 0.25), unknown: times(400, random) })
  assert.ok(differs && rank_z > 3.7 && trimmed_t > 3.7, `${rank_z}, ${trimmed_t}`)
})

test('the rank test of a known example', () => {
  // All of one sample above all of the other: U is at its largest, n·m = 9, and its deviation is sqrt(3·3·7/12).
  const { rank_z } = compare({ known: [4, 5, 6], unknown: [1, 2, 3] })
  assert.ok(Math.abs(rank_z - 4.5 / Math.sqrt(5.25)) < 1e-12)
})
