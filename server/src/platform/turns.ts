// Turns: callers of many ventures share a few places. The waiting ventures are served round robin, so a venture that sends a hundred
// requests delays the first request of another by no more than one turn.
import { Refusal, type RefusalCode } from '../values/refusals.ts'

type Place = { resolve(): void; reject(refusal: Refusal): void; timer: NodeJS.Timeout | undefined }

type Options = {
  /** How many callers may have a turn at the same time. */
  places: number
  /** How many of these may belong to one venture. */
  mostOfOne: number
  /** How many callers of one venture may wait. */
  mostWaiting: number
  /** How long a caller waits before it is refused. */
  wait_ms: number
  /** The code with which it is refused. */
  refusal?: RefusalCode
}

export class Turns {
  readonly #options: Options
  readonly #running = new Map<string, number>()
  /** The waiting callers of each venture, in the order in which the ventures are served. */
  readonly #waiting = new Map<string, Place[]>()
  #free: number

  constructor(options: Options) {
    this.#options = options
    this.#free = options.places
  }

  get running(): number {
    return this.#options.places - this.#free
  }

  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, places) => sum + places.length, 0)
  }

  /** Waits for a turn, which the caller must end with `leave`. Returns undefined if a place was free immediately. */
  enter(venture_id: string): Promise<void> | undefined {
    if (this.#isAdmitted(venture_id)) {
      this.#begin(venture_id)
      return undefined
    }
    const places = this.#waiting.get(venture_id) ?? []
    if (places.length >= this.#options.mostWaiting) throw this.#refusal()
    return new Promise((resolve, reject) => {
      const place: Place = { resolve, reject, timer: undefined }
      // If this process was too busy to read its sockets, whatever has arrived in the meantime is served before anything is refused.
      const expire = () => setImmediate(() => this.#expire(venture_id, place))
      place.timer = setTimeout(expire, this.#options.wait_ms).unref()
      this.#waiting.set(venture_id, [...places, place])
    })
  }

  /**
   * Called between two parts of a turn: lets other ventures go first if any is waiting. The caller then continues before its own venture's
   * next.
   */
  pass(venture_id: string): Promise<void> | undefined {
    const isAlone = [...this.#waiting.keys()].every((other) => other === venture_id)
    if (isAlone) return undefined
    const continued = new Promise<void>((resolve, reject) => {
      const place: Place = { resolve, reject, timer: undefined }
      const others = this.#waiting.get(venture_id) ?? []
      this.#waiting.delete(venture_id)
      this.#waiting.set(venture_id, [place, ...others])
    })
    this.leave(venture_id)
    return continued
  }

  leave(venture_id: string): void {
    const running = (this.#running.get(venture_id) ?? 1) - 1
    if (running === 0) this.#running.delete(venture_id)
    else this.#running.set(venture_id, running)
    this.#free++
    for (const [next, places] of this.#waiting) {
      if (!this.#isAdmitted(next)) continue
      this.#waiting.delete(next)
      const [first, ...others] = places
      // A venture that was served goes to the end of the line.
      if (others.length > 0) this.#waiting.set(next, others)
      clearTimeout(first?.timer)
      this.#begin(next)
      first?.resolve()
      return
    }
  }

  #isAdmitted(venture_id: string): boolean {
    return this.#free > 0 && (this.#running.get(venture_id) ?? 0) < this.#options.mostOfOne
  }

  #begin(venture_id: string): void {
    this.#free--
    this.#running.set(venture_id, (this.#running.get(venture_id) ?? 0) + 1)
  }

  #expire(venture_id: string, place: Place): void {
    const places = this.#waiting.get(venture_id) ?? []
    if (!places.includes(place)) return
    const others = places.filter((other) => other !== place)
    if (others.length > 0) this.#waiting.set(venture_id, others)
    else this.#waiting.delete(venture_id)
    place.reject(this.#refusal())
  }

  #refusal(): Refusal {
    return new Refusal(this.#options.refusal ?? 'too_many_lists', { retry_after_s: 1 })
  }
}
