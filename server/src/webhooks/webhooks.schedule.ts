// When a failed delivery is retried, and when a failing endpoint is disabled.

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The delay before each attempt. After the last attempt the delivery has failed. */
const delays_ms = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** The delay after this many failed tries, ± 10 %, so that not all deliveries are retried at the same time; undefined after the last try. */
export function waitAfter(tries: number, random = Math.random()): number | undefined {
  const delay_ms = delays_ms[tries]
  return delay_ms === undefined ? undefined : Math.round(delay_ms * (0.9 + 0.2 * random))
}

/** After a longer pause without attempts, a failure starts a new run of failures. */
export const longestDelay_ms = 30 * hour

/** An endpoint is disabled if every attempt has failed for this long. */
export const disableAfter_ms = 5 * 24 * hour

/** For this long after a rotation, deliveries are also signed with the old secret. */
export const rotation_ms = 24 * hour
