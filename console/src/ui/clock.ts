// The time of the bank, which in the sandbox may be ahead of the time on the wall. What expires does so by it; only sessions go by the real time.
import { useSession } from './session.ts'

/** The time of the bank in milliseconds. */
export function useBankNow(): number {
  return Date.now() + (useSession().clock_ahead_s ?? 0) * 1_000
}
