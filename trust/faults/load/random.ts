// Every choice of the experiments comes from here, so that a seed gives the same choices again. (When they fall is up to the machine.)
import { SeededRandom } from '../../../server/src/platform/random.ts'

export class Random extends SeededRandom {
  readonly #name: string

  constructor(name: string) {
    super(hashOf(name))
    this.#name = name
  }

  /** A source of its own, so that what one client chooses does not depend on how often the others chose before. */
  fork(name: string): Random {
    return new Random(`${this.#name}/${name}`)
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, rank: this.next() }))
      .sort((a, b) => a.rank - b.rank)
      .map(({ item }) => item)
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  return hash
}
