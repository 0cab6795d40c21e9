// A first-come, first-served queue. An item that waits too long is refused; nothing was done for it, so its caller may try again.
import { Refusal } from '../values/refusals.ts'

type Place<Item> = { item: Item; since_ms: number; reject(refusal: Refusal): void }

export class Queue<Item> {
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

  /** `since_ms`: when the item started to wait. An item that waited in another queue before goes ahead of later ones. */
  join(item: Item, reject: (refusal: Refusal) => void, since_ms = performance.now()): void {
    const place = this.#places.findLastIndex((other) => other.since_ms <= since_ms) + 1
    this.#places.splice(place, 0, { item, since_ms, reject })
    if (place === 0) this.#watch()
  }

  /** Removes and returns as many of the first items as together weigh no more than `most`. */
  take(most: number, weigh: (item: Item) => number = () => 1): Item[] {
    let weight = 0
    const next = this.#places.findIndex(({ item }) => {
      weight += weigh(item)
      return weight > most
    })
    return this.#places.splice(0, next === -1 ? this.#places.length : next).map(({ item }) => item)
  }

  /**
   * One timer serves the whole queue: the limit is the same for all, so the first item is the first to expire. If the timer fires too early
   * because the first item has left, it is set again, which is cheaper than setting it at each change.
   */
  #watch(): void {
    const [first] = this.#places
    if (first === undefined) return
    const due_ms = first.since_ms + this.#wait_ms
    if (this.#timer !== undefined && this.#timerDue_ms <= due_ms) return
    clearTimeout(this.#timer)
    this.#timerDue_ms = due_ms
    // If this process was too busy to read its sockets, whatever has arrived in the meantime is served before anything is refused.
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
