// A limit on requests per minute for many keys, counted in the memory of this instance.

const minute_ms = 60_000
/** A sender that invents keys cannot fill the memory: the oldest keys are dropped. */
const mostKeys = 100_000

type Window = { used: number; end_ms: number }

export class RateLimit {
  readonly #perMinute: number
  readonly #mostKeys: number
  /** In the order in which the windows end. */
  readonly #windows = new Map<string, Window>()

  constructor(perMinute: number, { most = mostKeys } = {}) {
    this.#perMinute = perMinute
    this.#mostKeys = most
  }

  /** How many keys are being counted. */
  get size(): number {
    return this.#windows.size
  }

  /** Counts a request. If it exceeds the limit, returns after how many seconds the next one will be accepted. */
  take(key: string, cost = 1, now_ms = performance.now()): number | undefined {
    const { used, left_ms } = this.count(key, cost, now_ms)
    return used <= this.#perMinute ? undefined : Math.max(1, Math.ceil(left_ms / 1_000))
  }

  /** Counts a request. Returns how many have been counted in the current minute, and how long that minute still lasts. */
  count(key: string, cost = 1, now_ms = performance.now()): { used: number; left_ms: number } {
    const window = this.#windowOf(key, now_ms)
    window.used += cost
    return { used: window.used, left_ms: window.end_ms - now_ms }
  }

  #windowOf(key: string, now_ms: number): Window {
    for (const [old, { end_ms }] of this.#windows) {
      if (end_ms > now_ms) break
      this.#windows.delete(old)
    }
    const current = this.#windows.get(key)
    if (current !== undefined) return current
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= this.#mostKeys && oldest !== undefined) this.#windows.delete(oldest)
    const window = { used: 0, end_ms: now_ms + minute_ms }
    this.#windows.set(key, window)
    return window
  }
}
