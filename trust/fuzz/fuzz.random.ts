// Seeded random choices: the same seed gives the same requests, as far as the ids in them allow.
import { SeededRandom } from '../../server/src/values/seeded-random.ts'

export class Random extends SeededRandom {
  text(alphabet: readonly string[], length: number): string {
    return Array.from({ length }, () => this.pick(alphabet)).join('')
  }

  uuid(): string {
    const hex = Array.from({ length: 32 }, () => this.integer(0, 15).toString(16)).join('')
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}

/** A generator for one request, so that it can be generated again without the others. */
export function randomOf(seed: number, number: number): Random {
  return new Random(Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(number + 1, 0xc2b2ae35))
}
