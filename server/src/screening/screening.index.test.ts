import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { SeededRandom } from '../values/seeded-random.ts'
import type { Entry } from './screening.entries.ts'
import { type Answer, Index, type Question } from './screening.index.ts'
import { TextsByLetters } from './screening.letters.ts'
import { recompute } from './screening.score.ts'
import { compareWithAll, entryOf } from './screening.testing.ts'

const found = ({ hits }: Answer) => hits.map(({ entry, score }) => [entry.id, score] as const)
const sorted = (answer: Answer) => found(answer).sort(([a], [b]) => a.localeCompare(b))

/** The index must answer as if it had compared every name. */
function assertSame(index: Index, question: Question): number {
  const plain = compareWithAll(index, question)
  assert.deepEqual(sorted(index.search({ ...question, limit: 1_000_000 })), sorted(plain), question.name)
  return plain.hits.length
}

test('the best hits come first, one for each entry, with the name that was matched', () => {
  const index = new Index([
    entryOf({ id: 'a' }, 'Orlin Vashtree', 'Orlin Vashtre'),
    entryOf({ id: 'b' }, 'Kesper Dromgold'),
    entryOf({ id: 'c' }, 'Tuvald Moonfruit', 'Orlyn Vashtree'),
  ])
  const { hits, reading } = index.search({ name: 'ORLIN VASHTREE', threshold: 0.85 })
  assert.equal(reading, 'whole')
  assert.deepEqual(
    hits.map(({ entry, explanation }) => [entry.id, explanation.inputs.listed.name]),
    [
      ['a', 'Orlin Vashtree'],
      ['c', 'Orlyn Vashtree'],
    ],
  )
  assert.equal(hits[0]?.score, 1)
  assert.deepEqual(index.search({ name: 'Orlin Vashtree', threshold: 0.85, limit: 1 }).hits.length, 1)
  assert.deepEqual(index.search({ name: 'Somebody Else', threshold: 0.85 }).hits, [])
})

test('a name in another script is reported as unreadable, and found by an identifier only', () => {
  const index = new Index([entryOf({ id: 'a', identifiers: ['P 1234567'] }, 'علي'), entryOf({ id: 'b' }, 'Orlin Vashtree')])
  assert.deepEqual([index.names, index.unreadable], [1, 1])
  assert.deepEqual(index.search({ name: 'علي', threshold: 0.85 }), { reading: 'none', hits: [] })
  const { hits } = index.search({ name: 'علي', details: { identifiers: ['p1234567'] }, threshold: 0.85 })
  assert.deepEqual(
    hits.map(({ entry, score, explanation }) => [entry.id, score, explanation.won]),
    [['a', 1, 'identifier']],
  )
})

test('an identifier finds an entry whose names are all different', () => {
  const index = new Index([entryOf({ id: 'a', identifiers: ['P1234567'] }, 'Kesper Dromgold', 'Tuvald Moonfruit')])
  const { hits } = index.search({ name: 'Tuvalt Moonfruit', details: { identifiers: ['P-1234567'] }, threshold: 1 })
  assert.deepEqual(
    hits.map(({ explanation }) => [explanation.won, explanation.inputs.listed.name]),
    [['identifier', 'Tuvald Moonfruit']],
  )
})

test('corrections count before the threshold', () => {
  const index = new Index([entryOf({ id: 'a', birth_dates: ['1970-01-01'], countries: ['LV'] }, 'Orlin Vashtree Dromgold')])
  const ask = (details: Question['details'], threshold: number) =>
    index.search({ name: 'Orlin Vashtree', ...(details && { details }), threshold }).hits.length
  const [plain] = index.search({ name: 'Orlin Vashtree', threshold: 0.5 }).hits
  assert.ok(plain)
  const above = plain.score + 0.04
  assert.deepEqual([ask(undefined, above), ask({ birth_date: '1970-01-01', countries: ['LV'] }, above)], [0, 1])
  assert.deepEqual([ask(undefined, plain.score), ask({ birth_date: '1950-01-01' }, plain.score)], [1, 0])
})

test('an empty list answers that there is nothing', () => {
  assert.deepEqual(new Index([]).search({ name: 'Orlin Vashtree', threshold: 0.85 }).hits, [])
})

const syllables = [
  'ka',
  'ro',
  'mi',
  'sha',
  'ven',
  'tor',
  'al',
  'ib',
  'dra',
  'kov',
  'lin',
  'es',
  'ha',
  'mad',
  'mu',
  'jo',
  'pet',
  'ri',
  'z',
  'ch',
]
const letters = 'abcdefghijklmnopqrstuvwxyz'

function inventWord(random: SeededRandom): string {
  return Array.from({ length: random.integer(1, 4) }, () => random.pick(syllables)).join('')
}

function mistype(text: string, random: SeededRandom): string {
  const at = random.below(text.length)
  const letter = random.pick([...letters])
  return random.pick([
    text.slice(0, at) + letter + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + 1),
    text.slice(0, at) + letter + text.slice(at),
    text.slice(0, at) +
      text
        .slice(at, at + 2)
        .split('')
        .reverse()
        .join('') +
      text.slice(at + 2),
  ])
}

/** Forms of the same names. */
const firstNames = ['william', 'bill', 'liam', 'ivan', 'john', 'jan', 'j', 'b']

const initialsOf = (name: string): string =>
  name
    .split(' ')
    .map((word) => word.charAt(0))
    .join('')

function inventEntries(size: number, random: SeededRandom): Entry[] {
  // A few words are common, like first names, and some are similar to each other.
  const common = [...Array.from({ length: 30 }, () => inventWord(random)), ...firstNames]
  const rare = Array.from({ length: size }, () => (random.chance(0.5) ? inventWord(random) : mistype(random.pick(common), random)))
  const name = () =>
    Array.from({ length: random.integer(1, 4) }, () => (random.chance(0.4) ? random.pick(common) : random.pick(rare)) || 'x').join(' ')
  return Array.from({ length: size }, (_, id) =>
    entryOf(
      {
        id: String(id),
        kind: random.pick(['person', 'organisation', 'unknown']),
        birth_dates: random.chance(0.5) ? [random.pick(['1970-01-01', '1971', '1990-10-10'])] : [],
        countries: random.chance(0.5) ? [random.pick(['LV', 'EE'])] : [],
        identifiers: random.chance(0.02) ? [`P${random.integer(10_000, 10_050)}`] : [],
      },
      ...Array.from({ length: random.integer(1, 2) }, () => (random.chance(0.1) ? initialsOf(name()) : name())),
    ),
  )
}

test('the index finds what comparing every name finds, with the same scores', () => {
  const random = new SeededRandom(16)
  const index = new Index(inventEntries(3000, random))
  let hits = 0
  for (let round = 0; round < 150; round++) {
    const listed = random.pick(random.pick(index.entries).names).name
    const name = random.pick([
      listed,
      listed.split(' ').reverse().join(' '),
      listed.replaceAll(' ', ''),
      listed
        .split(' ')
        .map((word) => mistype(word, random))
        .join(' '),
      mistype(mistype(listed, random) || 'x', random) || 'x',
      `${listed} ${inventWord(random)}`,
      listed
        .split(' ')
        .map((word) => (random.chance(0.5) ? word.charAt(0) : word))
        .join(' '),
      initialsOf(listed),
      `${random.pick(firstNames)} ${listed.split(' ').at(-1)}`,
      listed.replaceAll('o', '0').replaceAll('i', '1'),
      `${listed.replaceAll('a', 'а')} ${inventWord(random)}`,
      [...listed].join(random.pick(['.', '\u200b'])),
      `${inventWord(random)} ${inventWord(random)}`,
    ])
    const facts = { kind: 'person' as const, birth_date: '1970-01-01', countries: ['LV'] }
    const identifiers = [`P${random.integer(10_000, 10_050)}`]
    const unverified = { by: 'venture' as const, ...facts }
    const details = random.pick<NonNullable<Question['details']>>([
      {},
      { ...facts, identifiers },
      { unverified },
      { countries: ['EE'], unverified: { ...unverified, kind: 'vessel' } },
    ])
    hits += assertSame(index, { name, details, threshold: random.pick([0.75, 0.8, 0.85, 0.92]) })
  }
  assert.ok(hits > 300, `the comparison proves little: ${hits} hits`)
})

test('a name that is disguised is found, with an explanation that can be computed again', () => {
  const index = new Index([entryOf({ id: 'a', kind: 'person' }, 'Mortimer Grimshade'), entryOf({ id: 'b' }, 'Xavier Popov')])
  for (const [name, id] of [
    ['Mor\u200btimer Grim\u00adshade Smith', 'a'],
    ['M0rt1m3r Gr1m5h4d3', 'a'],
    ['Μortimer Grimshadε', 'a'],
    ['Mor-timer Grim-shade and family', 'a'],
    ['🅜🅞rtimer 🅖🅡imshade', 'a'],
    ['Хavier Ророv', 'b'],
  ] as const) {
    const { hits } = index.search({ name, threshold: 0.85 })
    assert.deepEqual(
      hits.map(({ entry, score, explanation }) => [entry.id, recompute(explanation) === score, explanation.inputs.query.name]),
      [[id, true, name]],
      name,
    )
    assertSame(index, { name, threshold: 0.85 })
  }
  assert.deepEqual(index.search({ name: 'Mortimer Grimshade', kinds: ['vessel', 'unknown'], threshold: 0.85 }).hits, [])
  assertSame(index, { name: 'Xavier Popov', kinds: ['vessel', 'unknown'], threshold: 0.85 })
})

test('words that are repeated, very long or made of digits make no difference', () => {
  const long = 'abcdefghij'.repeat(7)
  const index = new Index([
    entryOf({ id: 'a' }, 'Tor Tor'),
    entryOf({ id: 'b' }, `${long} Tor`),
    entryOf({ id: 'c' }, 'Petrel 8'),
    entryOf({ id: 'd' }, 'Petrel 18'),
    entryOf({ id: 'e' }, 'T'),
  ])
  for (const name of ['Tor', 'Tor Tor', 'Tor Tor Tor', `${long}x tor`, `${long.slice(1)} tor`, 'petrel 8', 'petrel 81', 't', 'To'])
    for (const threshold of [0.3, 0.7, 0.85]) assertSame(index, { name, threshold })
})

test('all texts with enough letters in common are found by their letters', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abcdef12'), minLength: 1, maxLength: 14 })
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 40 }), text, fc.integer({ min: 0, max: 3 }), (texts, asked, missing) => {
      // Each text may lack this many letters of the other, whatever their beginnings.
      const fewest = (a: number, b: number) => Math.max(1, Math.max(a, b) - missing)
      const found = new Set(new TextsByLetters(texts, fewest).near(asked))
      for (const [position, other] of texts.entries())
        if (common(asked, other) >= fewest(asked.length, other.length)) assert.ok(found.has(position), other)
    }),
    { numRuns: 500 },
  )
})

function common(first: string, second: string): number {
  const rest = [...second]
  return [...first].filter((letter) => {
    const at = rest.indexOf(letter)
    if (at >= 0) rest.splice(at, 1)
    return at >= 0
  }).length
}
