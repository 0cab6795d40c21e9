// The pairs between the words of one query and the words of the list. They are numbered, so that a few numbers are looked up for a name instead of
// comparing its words.
import type { Matched } from './screening.score.ts'

/** All words of the list that make a pair with a word of the query: how similar they are, in how many names they stand, the largest weight. */
export type Similar = { words: Uint32Array; similarities: Float64Array; postings: number; largest: number }

/** A word of the query. */
export type Expanded = { similar: Similar; weight: number }

export class Pairs {
  readonly #weightsOfList: Float64Array
  /** The number of each word of the list that makes a pair, from 1; 0 for the others, and for all between queries. */
  readonly numbers: Uint32Array
  /** By number: the most that the word can add to the sum of the formula, and its weight. Both are zero for number 0. */
  most = new Float64Array(1)
  weights = new Float64Array(1)
  /** By number and word of the query: their similarity, or 0. */
  #similarities = new Float64Array(0)
  #expanded: readonly Expanded[] = []

  constructor(weights: Float64Array) {
    this.#weightsOfList = weights
    this.numbers = new Uint32Array(weights.length)
  }

  begin(expanded: readonly Expanded[]): void {
    this.#expanded = expanded
    const asked = expanded.length
    this.#reserve(1 + expanded.reduce((total, { similar }) => total + similar.words.length, 0), asked)
    const { numbers, most, weights } = this
    const similarities = this.#similarities
    let last = 0
    for (let i = 0; i < asked; i++) {
      const { similar, weight } = expanded[i] as Expanded
      for (let at = 0; at < similar.words.length; at++) {
        const word = similar.words[at] as number
        const similarity = similar.similarities[at] as number
        let number = numbers[word] as number
        if (number === 0) {
          number = ++last
          numbers[word] = number
          most[number] = 0
          weights[number] = this.#weightsOfList[word] as number
          similarities.fill(0, number * asked, (number + 1) * asked)
        }
        similarities[number * asked + i] = similarity
        most[number] = Math.max(most[number] as number, similarity * (weight + (weights[number] as number)))
      }
    }
  }

  end(): void {
    for (const { similar } of this.#expanded) for (const word of similar.words) this.numbers[word] = 0
    this.#expanded = []
  }

  /** The pairs of a name with these words. */
  of(words: Uint32Array): Matched[] {
    const asked = this.#expanded.length
    const pairs: Matched[] = []
    for (let j = 0; j < words.length; j++) {
      const number = this.numbers[words[j] as number] as number
      if (number === 0) continue
      for (let i = 0; i < asked; i++) {
        const similarity = this.#similarities[number * asked + i] as number
        if (similarity > 0) pairs.push({ i, j, similarity })
      }
    }
    return pairs
  }

  #reserve(numbers: number, asked: number): void {
    if (this.most.length < numbers) {
      this.most = new Float64Array(numbers * 2)
      this.weights = new Float64Array(numbers * 2)
    }
    if (this.#similarities.length < numbers * asked) this.#similarities = new Float64Array(numbers * asked * 2)
  }
}
