// When a delivery that failed is tried again, and when an endpoint that fails is given up.

const [second, minute, hour] = [1_000, 60_000, 3_600_000]

/** The wait before each attempt. After the last one the delivery has failed. */
const delays_ms = [0, 5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]

/** How long to wait after this many failed tries, give or take a tenth, so that not everything comes back at once; undefined: no more. */
export function waitAfter(tries: number, random = Math.random()): number | undefined {
  const delay_ms = delays_ms[tries]
  return delay_ms === undefined ? undefined : Math.round(delay_ms * (0.9 + 0.2 * random))
}

/** A run of failures with a longer pause in it is not one run. */
export const longestDelay_ms = 30 * hour

/** An endpoint at which every attempt has failed for this long is disabled. */
export const patience_ms = 5 * 24 * hour

/** After a rotation deliveries carry a signature of the old secret too, for this long. */
export const rotation_ms = 24 * hour
