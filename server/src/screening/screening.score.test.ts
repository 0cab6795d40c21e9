import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { entryKinds, unverifiedSources } from './screening.entries.ts'
import { readName } from './screening.names.ts'
import { initialSimilarity, nicknameSimilarity } from './screening.pairs.ts'
import {
  currentFormula,
  type Explanation,
  explain,
  type Facts,
  type Inputs,
  type Query,
  recompute,
  type Side,
  weightOf,
} from './screening.score.ts'
import { jaroWinkler, similarity } from './screening.similarity.ts'

type Known = Partial<Omit<Query, 'name' | 'words'>>

/** A comparison with a list of a hundred names. Each word is contained in as many as `df` says, or in one. */
function inputs(
  query: string,
  listed: string,
  { query: ofQuery = {}, listed: ofListed = {}, df = {} }: { query?: Known; listed?: Known; df?: Record<string, number> } = {},
): Inputs {
  const side = (name: string, known: Known): Side => {
    const words = readName(name).words.map((word) => ({ word, df: df[word] ?? 1 }))
    return { name, words, kind: 'unknown', birth_dates: [], countries: [], identifiers: [], ...known }
  }
  return {
    names: 100,
    query: { ...side(query, ofQuery), claimed: ofQuery.claimed ?? null },
    listed: { ...side(listed, ofListed), weak: false },
  }
}

const close = (actual: number | null, expected: number) =>
  assert.ok(actual !== null && Math.abs(actual - expected) < 1e-12, `${actual} instead of ${expected}`)

test('a word weighs more the fewer names contain it', () => {
  assert.equal(weightOf(1, 100), 1)
  close(weightOf(100, 100), 0.3 + (0.7 * Math.log(2)) / Math.log(101))
  close(weightOf(10, 100), 0.3 + (0.7 * Math.log(11)) / Math.log(101))
})

test('equal names score 1 in any order', () => {
  for (const name of ['Orlin Vashtree', 'Vashtree, Orlin', 'Dr. Orlin Vashtree', 'Орлин Ваштрее'])
    assert.equal(explain(inputs(name, 'Orlin Vashtree')).score, 1, name)
})

test('the name score is the weighted similarity of the pairs, less what the listed name has besides', () => {
  const df = { orlin: 20 }
  const { ways, pairs, won, score } = explain(inputs('Orlin Vashtree', 'Orlin Vastree Dromgold', { df }))
  const [common, t] = [weightOf(20, 100), similarity('vashtree', 'vastree')]
  const expected = ((2 * common + t * 2) / (common + 1 + common + 1)) * (1 - 0.35 * (1 / (common + 2)))
  close(ways.name, expected)
  assert.deepEqual([ways.subset, won], [null, 'name'])
  close(score, expected)
  assert.deepEqual(
    pairs.map(({ query, listed }) => [query, listed]),
    [
      ['orlin', 'orlin'],
      ['vashtree', 'vastree'],
    ],
  )
  close(pairs[0]?.query_weight ?? null, common)
})

test('a listed name of two words that is contained in the query scores as a subset', () => {
  const { ways, won, score } = explain(inputs('Orlin Kesper Tuvald Vashtree', 'Orlin Vashtree'))
  close(ways.subset, 1 - 0.15 * 0.5)
  assert.equal(won, 'subset')
  close(score, 0.925)
  assert.equal(explain(inputs('Orlin Kesper Vashtree', 'Vashtree')).ways.subset, null, 'one word is not a subset')
  assert.equal(explain(inputs('Orlin Kesper Vashtree', 'Orlin Dromgold')).ways.subset, null, 'a word is missing')
})

test('names written together score as joined if they are alike and about as long', () => {
  const { ways, won } = explain(inputs('Orlinvashtree', 'Orlin Vashtree'))
  close(ways.joined, 0.98)
  assert.equal(won, 'joined')
  // A doubled letter is half an error.
  close(explain(inputs('Orlin Vashtre', 'Orlinvash Tree')).ways.joined, 0.98 * (1 - 0.5 / 13))
  close(
    explain(inputs('Orlin Vashtre', 'Orlinvash Tree'), 'vostro-names-2').ways.joined,
    0.98 * jaroWinkler('orlinvashtre', 'orlinvashtree'),
  )
  // They begin alike, and mean different people.
  const [query, listed] = ['Orlin Kesper Tuvald Al-Harbi', 'Orlin Kesper Tuvald Al-Ghamdi']
  assert.equal(explain(inputs(query, listed)).ways.joined, null)
  assert.ok((explain(inputs(query, listed), 'vostro-names-2').ways.joined ?? 0) > 0.9)
  assert.equal(explain(inputs('Orlinvash', 'Orlin Vashtree')).ways.joined, null)
  assert.equal(explain(inputs('Dromgold', 'Vashtree')).ways.joined, null)
})

test('words below the least similarity are no pair, and each word is paired once, with the most similar', () => {
  assert.deepEqual(explain(inputs('Dromgold', 'Vashtree')).pairs, [])
  const { pairs } = explain(inputs('Vashtree', 'Vastree Vashtree'))
  assert.deepEqual(
    pairs.map(({ query, listed, similarity }) => [query, listed, similarity]),
    [['vashtree', 'vashtree', 1]],
  )
})

test('words that are left over on both sides contradict each other, and on one side only they do not', () => {
  const contradicting = explain(inputs('Orlin Kesper Vashtree', 'Orlin Tuvald Vashtree')).ways.name
  close(contradicting, (4 / 5) * (1 - 0.35 / 3) * (1 - currentFormula.contradiction / 3))
  assert.ok(contradicting < explain(inputs('Orlin Vashtree', 'Orlin Tuvald Vashtree')).ways.name)
})

test('an initial stands for a name beside a word that is written out, and says little', () => {
  const { pairs, weights, score } = explain(inputs('O. Vashtree', 'Orlin Vashtree'))
  assert.deepEqual(
    pairs.map(({ query, listed, similarity }) => [query, listed, similarity]),
    [
      ['vashtree', 'vashtree', 1],
      ['o', 'orlin', initialSimilarity],
    ],
  )
  assert.deepEqual(weights.query, [0.3, 1])
  assert.ok(score > 0.85 && score < 0.95, String(score))
  assert.deepEqual(explain(inputs('O. Vashtree', 'Kesper Vashtree')).pairs.length, 1)
  assert.equal(explain(inputs('O. V.', 'Orlin Vashtree')).score, 0, 'initials alone')
  assert.equal(explain(inputs('5 Vashtree', '55 Vashtree')).pairs.length, 1, 'a digit is no initial')
})

test('forms of one first name are a pair', () => {
  const { score } = explain(inputs('Bill Vashtree', 'William Vashtree'))
  close(score, (2 * nicknameSimilarity + 2) / 4)
  assert.ok(explain(inputs('Bill Vashtree', 'Walter Vashtree')).score < 0.7)
  assert.equal(explain(inputs('Aleksandr Vashtree', 'Sasha Vashtree')).pairs.length, 2)
})

test('an acronym stands for a name that is not a person’s', () => {
  const { won, score } = explain(inputs('OVKT', 'Orlin Vashtree Kesper Tuvald'))
  assert.deepEqual([won, score], ['acronym', 0.9])
  assert.equal(explain(inputs('Orlin Vashtree Kesper Tuvald', 'OVKT')).score, 0.9)
  assert.equal(explain(inputs('OVK', 'Orlin Vashtree Kesper')).score, 0.8, 'three letters')
  assert.equal(explain(inputs('OV', 'Orlin Vashtree')).score, 0)
  assert.equal(explain(inputs('OVKT', 'Orlin Vashtree Kesper Tuvald', { listed: { kind: 'person' } })).score, 0)
  assert.equal(explain(inputs('OVKX', 'Orlin Vashtree Kesper Tuvald')).score, 0)
})

test('more errors than words of this length usually have make a pair less similar', () => {
  const similarityOf = (query: string, listed: string) => explain(inputs(query, listed)).pairs[0]?.similarity
  assert.equal(similarityOf('Vashtree', 'Vastree'), similarity('vashtree', 'vastree'), 'one error in eight letters')
  assert.ok((similarityOf('Sancho', 'Sanchez') ?? 0) < similarity('sancho', 'sanchez'), 'two in seven')
})

test('an equal identifier scores 1 whatever else differs, and short or empty ones do not count', () => {
  const differing = { kind: 'person' as const, birth_dates: ['1970-01-01'], countries: ['DE'] }
  const query = { ...differing, identifiers: ['x 12-345 y'] }
  const listed = { kind: 'vessel' as const, birth_dates: ['1990'], countries: ['LV'], identifiers: ['X12345Y'] }
  const { score, won, corrections, ways } = explain(inputs('Dromgold', 'Vashtree', { query, listed }))
  assert.deepEqual([score, won, corrections, ways.identifier], [1, 'identifier', [], 'x 12-345 y'])
  for (const identifier of ['1234', '----', 'ABCDE'])
    assert.equal(
      explain(inputs('Dromgold', 'Vashtree', { query: { identifiers: [identifier] }, listed: { identifiers: [identifier] } })).score,
      0,
    )
})

test('birth dates, countries and kinds correct the score', () => {
  const changes = (query: Known, listed: Known) =>
    explain(inputs('Orlin Vashtree', 'Orlin Vastree', { query, listed })).corrections.map(({ reason, change }) => [reason, change])
  const born = (query: string, ...listed: string[]) => changes({ birth_dates: [query] }, { birth_dates: listed })
  assert.deepEqual(born('1970-01-01', '1970-01-01'), [['birth_date_equal', 0.03]])
  assert.deepEqual(born('1970-01-01', '1980-05-05', '1970-01-01'), [['birth_date_equal', 0.03]])
  assert.deepEqual(born('1970-01-01', '1971-12-31'), [])
  assert.deepEqual(born('1970-01-01', '1970'), [])
  assert.deepEqual(born('1970', '1970'), [], 'a year is not a date')
  assert.deepEqual(born('1970-01-01', '1972'), [['birth_year_differs', -0.1]])
  assert.deepEqual(born('1970-01-01', '1972', '1971'), [])
  assert.deepEqual(born('1970-01-01'), [])
  assert.deepEqual(changes({ countries: ['LV', 'EE'] }, { countries: ['EE'] }), [['country_common', 0.02]])
  assert.deepEqual(changes({ countries: ['LV'] }, { countries: ['EE', 'DE'] }), [['country_differs', -0.05]])
  assert.deepEqual(changes({ countries: ['LV'] }, {}), [])
  assert.deepEqual(changes({ kind: 'person' }, { kind: 'vessel' }), [['kind_differs', -0.05]])
  assert.deepEqual(changes({ kind: 'person' }, { kind: 'person' }), [])
  assert.deepEqual(changes({ kind: 'person' }, {}), [])
  const all = { birth_dates: ['1970-01-01'], countries: ['LV'], kind: 'person' as const }
  const { ways, score } = explain(
    inputs('Orlin Vashtree', 'Orlin Vastree', { query: all, listed: { birth_dates: ['1950'], countries: ['EE'], kind: 'vessel' } }),
  )
  close(score, ways.name - 0.2)
})

const claims = (claimed: Partial<Facts>) => ({
  claimed: { by: 'venture' as const, kind: 'unknown' as const, birth_dates: [], countries: [], ...claimed },
})

test('what nobody has verified never lowers a score, and may raise it', () => {
  const listed = { kind: 'person' as const, birth_dates: ['1970-01-01'], countries: ['LV'] }
  const correctionsOf = (query: Known) => explain(inputs('Orlin Vashtree', 'Orlin Vastree', { query, listed })).corrections
  for (const false_ of [{ kind: 'organisation' as const }, { birth_dates: ['1950-01-01'] }, { countries: ['EE'] }])
    assert.deepEqual(correctionsOf(claims(false_)), [], JSON.stringify(false_))
  assert.deepEqual(correctionsOf(claims({ kind: 'person', birth_dates: ['1970-01-01'], countries: ['EE', 'LV'] })), [
    { reason: 'birth_date_equal', change: 0.03, from: 'venture' },
    { reason: 'country_common', change: 0.02, from: 'venture' },
  ])
  // Unverified details of a party can still match the listed person, even if the verified ones differ.
  assert.deepEqual(correctionsOf({ kind: 'person', birth_dates: ['1950-01-01'], countries: ['EE'], ...claims({ countries: ['LV'] }) }), [
    { reason: 'birth_year_differs', change: -0.1, from: 'verified' },
    { reason: 'country_common', change: 0.02, from: 'venture' },
  ])
  assert.deepEqual(correctionsOf({ countries: ['LV'], ...claims({ countries: ['LV'] }) }), [
    { reason: 'country_common', change: 0.02, from: 'verified' },
  ])
})

test('whatever is claimed, the score is at least the one without it', () => {
  fc.assert(
    fc.property(side, claimed, side, (query, claimed, listed) => {
      const scoreOf = (claimed: Query['claimed']) =>
        explain({ names: 1000, query: { ...query, claimed }, listed: { ...listed, weak: false } }).score
      assert.ok(scoreOf(claimed) >= scoreOf(null))
    }),
    { numRuns: 2000 },
  )
})

test('a score stays between 0 and 1', () => {
  const query = { birth_dates: ['1970-01-01'], countries: ['LV'] }
  assert.equal(explain(inputs('Orlin Vashtree', 'Orlin Vashtree', { query, listed: query })).score, 1)
  assert.equal(explain(inputs('Dromgold', 'Vashtree', { query, listed: { countries: ['EE'] } })).score, 0)
})

const word = fc.record({
  word: fc.string({ unit: fc.constantFrom(...'aeklmnorstv'), minLength: 1, maxLength: 9 }),
  df: fc.integer({ min: 1, max: 500 }),
})
const facts = {
  kind: fc.constantFrom(...entryKinds),
  birth_dates: fc.array(fc.constantFrom('1970-01-01', '1970', '1971-05', '1980-02-03'), { maxLength: 2 }),
  countries: fc.array(fc.constantFrom('LV', 'EE', 'DE'), { maxLength: 2 }),
}
const side = fc.record({
  name: fc.string(),
  words: fc.array(word, { minLength: 1, maxLength: 5 }),
  ...facts,
  identifiers: fc.array(fc.constantFrom('P12345', 'p-123 45', 'Z99999', '12'), { maxLength: 2 }),
})

const claimed = fc.option(fc.record({ by: fc.constantFrom(...unverifiedSources), ...facts }))

test('a score is computed again from its explanation to the same number, also after it was stored as JSON', () => {
  fc.assert(
    fc.property(fc.integer({ min: 500, max: 40_000 }), side, claimed, side, fc.boolean(), (names, query, claimed, listed, weak) => {
      const explanation = explain({ names, query: { ...query, claimed }, listed: { ...listed, weak } })
      assert.ok(explanation.score >= 0 && explanation.score <= 1)
      const stored = JSON.parse(JSON.stringify(explanation)) as Explanation
      assert.equal(recompute(stored), explanation.score)
      assert.deepEqual(explain(stored.inputs), stored)
    }),
    { numRuns: 2000 },
  )
})

test('the explanation adds up: its figures alone give the score', () => {
  fc.assert(
    fc.property(side, claimed, side, (query, claimed, listed) => {
      const inputs = { names: 1000, query: { ...query, claimed }, listed: { ...listed, weak: false } }
      const { weights, pairs, ways, won, corrections, score } = explain(inputs)
      const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
      const found = sum(pairs.map(({ listed_weight }) => listed_weight))
      const got = sum(pairs.map(({ similarity, query_weight, listed_weight }) => similarity * (query_weight + listed_weight)))
      const left = 1 - found / sum(weights.listed)
      const both = Math.min(left, 1 - sum(pairs.map(({ query_weight }) => query_weight)) / sum(weights.query))
      const name = (got / (sum(weights.query) + found)) * (1 - 0.35 * left) * (1 - currentFormula.contradiction * both)
      assert.ok(Math.abs(name - ways.name) < 1e-9)
      const best = won === 'identifier' ? 1 : (ways[won] as number)
      assert.ok(Math.abs(Math.min(1, Math.max(0, best + sum(corrections.map(({ change }) => change)))) - score) < 1e-9)
    }),
  )
})

test('a score of an earlier version is computed again from its explanation, by its own formula', () => {
  const stored = {
    algorithm: 'vostro-names-1',
    won: 'name',
    score: 0.9,
    inputs: {
      names: 268,
      query: {
        name: 'Zelda Quillfeather',
        kind: 'organisation',
        birth_dates: [],
        countries: ['DE'],
        identifiers: [],
        words: [
          { word: 'zelda', df: 2 },
          { word: 'quillfeather', df: 1 },
        ],
      },
      listed: {
        name: 'Zelda Quillfeather',
        weak: false,
        kind: 'person',
        birth_dates: ['1975'],
        countries: ['MT', 'LV'],
        identifiers: [],
        words: [
          { word: 'zelda', df: 2 },
          { word: 'quillfeather', df: 1 },
        ],
      },
    },
  } as unknown as Explanation
  close(recompute(stored), stored.score)
  const contradicting = explain(inputs('Orlin Kesper Vashtree', 'Orlin Tuvald Vashtree'), 'vostro-names-2')
  close(recompute(contradicting), (4 / 5) * (1 - 0.35 / 3))
})

test('an explanation of another version of the formula is not computed again', () => {
  const explanation = { ...explain(inputs('Orlin', 'Orlin')), algorithm: 'vostro-names-0' }
  assert.throws(() => recompute(explanation), /vostro-names-0/)
})
