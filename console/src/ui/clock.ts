// The bank's time. In a sandbox it may be ahead of real time; expiry follows it, except for sessions.
import { useSession } from './session.ts'

/** The bank's time in milliseconds. */
export function useBankNow(): number {
  return Date.now() + (useSession().clock_ahead_s ?? 0) * 1_000
}
