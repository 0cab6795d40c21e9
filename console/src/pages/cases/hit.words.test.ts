import assert from 'node:assert/strict'
import { test } from 'node:test'
import { correctionWords, type Explanation, isExplanation, percent, sidesOf, wayWords } from './hit.words.ts'

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
      ['Numbers', 'Unknown', 'quiet'],
    ],
  )
})

test('what the bank has verified is told from what others say, which does not speak against a hit', () => {
  const said = (claimed: Partial<NonNullable<Explanation['inputs']['query']['claimed']>>): Explanation => ({
    ...explanation,
    inputs: {
      ...explanation.inputs,
      query: { name: 'Mort Grimshade', kind: 'unknown', birth_dates: [], countries: ['LV'], claimed: { by: 'venture', ...claimed } },
    },
    corrections: [],
  })
  assert.deepEqual(
    sidesOf(said({ kind: 'organisation', countries: ['NZ'] })).map(({ label, query, verdict }) => [label, query, verdict]),
    [
      ['Kind', [{ text: 'Organisation', source: 'stated by the venture' }], 'Unverified: ignored'],
      ['Born', [], 'Unknown'],
      [
        'Countries',
        [
          { text: 'Latvia', source: 'verified' },
          { text: 'New Zealand', source: 'stated by the venture' },
        ],
        'Ignored',
      ],
      ['Numbers', [], 'Unknown'],
    ],
  )
  assert.equal(sidesOf(said({ by: 'other_bank', kind: 'person' }))[0]?.verdict, 'Same')
  assert.equal(sidesOf(said({ by: 'other_bank', kind: 'person' }))[0]?.query[0]?.source, 'stated by the other bank')
  // An explanation of the version before does not say from whom.
  assert.deepEqual(sidesOf(explanation)[0]?.query, [{ text: 'Person', source: '' }])
})

test('an equal number is said to be the same', () => {
  const numbered = { ...explanation.inputs.query, identifiers: ['xx 1'] }
  const rows = sidesOf({ ...explanation, inputs: { ...explanation.inputs, query: numbered }, won: 'identifier' })
  assert.deepEqual([rows.at(-1)?.label, rows.at(-1)?.verdict, rows.at(-1)?.tone], ['Numbers', 'Same', 'bad'])
})

test('of a long name it is said that only some of its words were compared', () => {
  const named = (name: string, words: number): Explanation => ({
    ...explanation,
    won: 'subset',
    inputs: { ...explanation.inputs, query: { name, words: Array.from({ length: words }, () => ({})) } },
  })
  const whole = 'This name contains every word of the listed name.'
  assert.equal(wayWords(named('Mortimer Edward James William Grimshade', 2)), `${whole} Only some words of the long name were compared.`)
  assert.equal(wayWords(named('Mortimer Edward James William Grimshade', 5)), whole)
  assert.equal(wayWords(named('Dr Mortimer Grimshade', 2)), whole)
})

test('a score that is not all of it is never shown as 100 %', () => {
  assert.equal(percent(1), '100 %')
  assert.equal(percent(0.9999), '99 %')
  assert.equal(percent(0.5), '50 %')
})

test('corrections are said with their sign', () => {
  assert.equal(correctionWords({ reason: 'birth_year_differs', change: -0.1 }), 'Different year of birth: −10 %')
  assert.equal(correctionWords({ reason: 'country_common', change: 0.02 }), 'A country in common: +2 %')
  assert.equal(correctionWords({ reason: 'kind_differs', change: -0.05, from: 'verified' }), 'A person and a company: −5 % (verified)')
})

test('other explanations are told apart', () => {
  assert.equal(isExplanation(explanation), true)
  assert.equal(isExplanation({ country: 'PRK' }), false)
  assert.equal(isExplanation(null), false)
})
