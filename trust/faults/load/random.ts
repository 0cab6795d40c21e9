// The source of every choice of the experiments, so that a seed reproduces the choices (but not their timing).
import { SeededRandom } from '../../../server/src/values/seeded-random.ts'

export class Random extends SeededRandom {
  readonly #name: string

  constructor(name: string) {
    super(hashOf(name))
    this.#name = name
  }

  /** An independent source, so that the choices of one client do not depend on how many choices others made before. */
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
