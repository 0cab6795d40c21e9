// Pace: the long work of one request is done in short stretches, with pauses for other requests.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long other requests may have to wait for one stretch, in addition to a step that cannot be interrupted. */
const stretch_ms = 5

export class Pace {
  #since_ms = performance.now()

  /** Whether this stretch has taken long enough, so the caller should pause. */
  get isDue(): boolean {
    return performance.now() - this.#since_ms >= stretch_ms
  }

  /** Lets everything else that is waiting run. */
  async rest(): Promise<void> {
    await nextTurn()
    this.#since_ms = performance.now()
  }
}
