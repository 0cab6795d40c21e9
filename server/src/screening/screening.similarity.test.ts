import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type Beginning,
  jaroWinkler,
  leastMatches,
  leastMatchesJoined,
  leastSimilarity,
  matchByPlaces,
  similarity,
  soundOf,
} from './screening.similarity.ts'

const word = fc.string({ unit: fc.constantFrom(...'abcdeilmnorst1'), minLength: 1, maxLength: 12 })
const close = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 5e-4, `${actual} instead of ${expected}`)

/** Jaro-Winkler as in textbooks, as a second opinion. */
function byTheBook(first: string, second: string): number {
  const { matches, displaced } = matchByPlaces(first, second)
  if (matches === 0) return 0
  const jaro = (matches / first.length + matches / second.length + (matches - displaced / 2) / matches) / 3
  let prefix = 0
  while (prefix < 4 && first[prefix] !== undefined && first[prefix] === second[prefix]) prefix++
  return jaro > 0.7 ? jaro + prefix * 0.1 * (1 - jaro) : jaro
}

test('the similarity of Jaro and Winkler has its published values', () => {
  close(jaroWinkler('martha', 'marhta'), 0.9611)
  close(jaroWinkler('dwayne', 'duane'), 0.84)
  close(jaroWinkler('dixon', 'dicksonx'), 0.8133)
  assert.equal(jaroWinkler('abc', 'xyz'), 0)
  assert.equal(jaroWinkler('', 'a'), 0)
  assert.equal(jaroWinkler('a', ''), 0)
})

test('matching by bits and by places agree, for short and long texts', () => {
  const text = fc.string({ unit: fc.constantFrom(...'abcd1'), minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(text, text, (first, second) => {
      if (first !== second) assert.ok(Math.abs(jaroWinkler(first, second) - byTheBook(first, second)) < 1e-12)
      assert.equal(jaroWinkler(first, first), 1)
    }),
    { numRuns: 2000 },
  )
})

test('words of different lengths are less similar, and so are words whose first sounds differ', () => {
  assert.equal(similarity('petrov', 'petrov'), 1)
  close(similarity('petrov', 'petro'), jaroWinkler('petrov', 'petro') * (1 - 0.3 * (1 - 5 / 6)))
  close(similarity('petrov', 'retrov'), jaroWinkler('petrov', 'retrov') * 0.9)
  // p and b sound alike.
  close(similarity('petrov', 'betrov'), jaroWinkler('petrov', 'betrov'))
  close(similarity('petrovskiy', 'petrovskij'), jaroWinkler('petrovskiy', 'petrovskij'))
})

test('words with fewer letters in common than the least are never a pair', () => {
  fc.assert(
    fc.property(word, word, (first, second) => {
      const common = commonLetters(first, second)
      const beginning = beginningOf(first, second)
      if (common < leastMatches(first.length, second.length, beginning)) assert.ok(similarity(first, second) < leastSimilarity)
      if (common < leastMatchesJoined(first.length, second.length, beginning, 0.93)) assert.ok(jaroWinkler(first, second) < 0.93)
    }),
    { numRuns: 5000 },
  )
})

function beginningOf(first: string, second: string): Beginning {
  const equal = [0, 1, 2, 3].findIndex((at) => first[at] === undefined || first[at] !== second[at])
  if (equal > 0) return (equal + 1) as Beginning
  if (equal < 0) return 5
  return soundOf(first.charCodeAt(0)) === soundOf(second.charCodeAt(0)) ? 1 : 0
}

function commonLetters(first: string, second: string): number {
  const rest = [...second]
  let common = 0
  for (const letter of first) {
    const at = rest.indexOf(letter)
    if (at < 0) continue
    rest.splice(at, 1)
    common++
  }
  return common
}
