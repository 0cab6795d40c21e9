import assert from 'node:assert/strict'
import { test } from 'node:test'
import { correctionWords, type Explanation, isExplanation, percent, sidesOf } from './hit.words.ts'

const explanation: Explanation = {
  inputs: {
    query: { name: 'Mort Grimshade', kind: 'person', birth_dates: ['1980-01-01'], countries: ['CY'], identifiers: [] },
    listed: { name: 'Mortimer Grimshade', kind: 'person', birth_dates: ['1961-04-13'], countries: ['CY'], identifiers: ['XX-1'] },
  },
  pairs: [],
  won: 'name',
  corrections: [
    { reason: 'birth_year_differs', change: -0.1 },
    { reason: 'country_common', change: 0.02 },
  ],
  score: 0.9,
}

test('what is known of both is put side by side, with what it says', () => {
  assert.deepEqual(
    sidesOf(explanation).map(({ label, verdict, tone }) => [label, verdict, tone]),
    [
      ['Kind', 'Same', 'quiet'],
      ['Born', 'Different', 'good'],
      ['Countries', 'Same', 'bad'],
      ['Numbers', 'Not known', 'quiet'],
    ],
  )
})

test('a score that is not all of it is never shown as 100 %', () => {
  assert.equal(percent(1), '100 %')
  assert.equal(percent(0.9999), '99 %')
  assert.equal(percent(0.5), '50 %')
})

test('corrections are said with their sign', () => {
  assert.equal(correctionWords({ reason: 'birth_year_differs', change: -0.1 }), 'Another year of birth: −10 %')
  assert.equal(correctionWords({ reason: 'country_common', change: 0.02 }), 'A country in common: +2 %')
})

test('other explanations are told apart', () => {
  assert.equal(isExplanation(explanation), true)
  assert.equal(isExplanation({ country: 'PRK' }), false)
  assert.equal(isExplanation(null), false)
})
