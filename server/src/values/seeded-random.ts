// A seeded pseudorandom generator for repeatable runs: the same seed gives the same choices (mulberry32). Not for secrets.

export class SeededRandom {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 (included) to 1 (excluded). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** A whole number from 0 (included) to `bound` (excluded). */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  /** A whole number from `least` to `most`, both included. */
  integer(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<Item>(items: readonly Item[]): Item {
    if (items.length === 0) throw new RangeError('there is nothing to pick from')
    return items[this.below(items.length)] as Item
  }
}
