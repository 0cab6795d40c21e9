// Waiting in tests without a limit of their own.
import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until the condition holds; a test that never sees it fails by the runner's time-out. */
export async function eventually(condition: () => boolean): Promise<void> {
  while (!condition()) await sleep(5)
}
