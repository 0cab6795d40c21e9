// A waiting line: first come, first served. Whoever waits too long is refused. Nothing was done for them, so they may try again.
import { Refusal } from '../values/refusals.ts'

type Place<Item> = { item: Item; since_ms: number; reject(refusal: Refusal): void }

export class Line<Item> {
  readonly #wait_ms: number
  readonly #places: Place<Item>[] = []
  #timer: NodeJS.Timeout | undefined
  #timerDue_ms = 0

  constructor(wait_ms: number) {
    this.#wait_ms = wait_ms
  }

  get length(): number {
    return this.#places.length
  }

  /** `since_ms`: since when one has been waiting. Whoever has waited in another line before goes in front of those who came later. */
  join(item: Item, reject: (refusal: Refusal) => void, since_ms = performance.now()): void {
    const place = this.#places.findLastIndex((other) => other.since_ms <= since_ms) + 1
    this.#places.splice(place, 0, { item, since_ms, reject })
    if (place === 0) this.#watch()
  }

  /** Takes the first ones out of the line. */
  take(most: number): Item[] {
    return this.#places.splice(0, most).map(({ item }) => item)
  }

  /**
   * One timer for the whole line: everybody may wait equally long, so the first in line is the first whose time is up. A timer that
   * rings too early because the first one has left is set again then, which is cheaper than setting it at each change.
   */
  #watch(): void {
    const [first] = this.#places
    if (first === undefined) return
    const due_ms = first.since_ms + this.#wait_ms
    if (this.#timer !== undefined && this.#timerDue_ms <= due_ms) return
    clearTimeout(this.#timer)
    this.#timerDue_ms = due_ms
    // If this process was too busy to look at its sockets, what has arrived meanwhile is served before anybody is refused.
    const look = () => setImmediate(() => this.#refuseLate())
    this.#timer = setTimeout(look, Math.max(1, due_ms - performance.now())).unref()
  }

  #refuseLate(): void {
    this.#timer = undefined
    const latest_ms = performance.now() - this.#wait_ms
    for (let first = this.#places[0]; first !== undefined && first.since_ms <= latest_ms; first = this.#places[0]) {
      this.#places.shift()
      first.reject(new Refusal('unavailable', { retry_after_s: 1 }))
    }
    this.#watch()
  }
}
