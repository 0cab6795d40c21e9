// Pace: long work of one request is done in short stretches, so that other requests have their turn in between.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long other requests may have to wait for one stretch. A step that cannot be interrupted comes on top. */
const stretch_ms = 5

export class Pace {
  #since_ms = performance.now()

  /** Whether this stretch has taken long enough, so that the caller should rest. */
  get isDue(): boolean {
    return performance.now() - this.#since_ms >= stretch_ms
  }

  /** Lets everything else that waits have its turn. */
  async rest(): Promise<void> {
    await nextTurn()
    this.#since_ms = performance.now()
  }
}
