// When packs leave. A rail with cut-offs packs at each of them, on TARGET days, what was collected before. A rail without cut-offs packs in
// every round.
import { addDays, isTargetDay, nextTargetDay, todayUtc } from '../../values/calendar.ts'

/** `HH:MM`, in UTC. */
export type CutOff = string

/** How far back to look for a cut-off: TARGET is never closed for this many days. */
const days = 10

/** The latest cut-off that has passed; undefined if there is none. */
export function lastCutOff(cutOffs: readonly CutOff[], now: Date): Date | undefined {
  const latestFirst = [...cutOffs].sort().reverse()
  const today = todayUtc(now)
  for (let back = 0; back < days; back++) {
    const day = addDays(today, -back)
    if (!isTargetDay(day)) continue
    for (const cutOff of latestFirst) {
      const moment = new Date(`${day}T${cutOff.slice(0, 5)}:00Z`)
      if (moment <= now) return moment
    }
  }
  return undefined
}

/** The next cut-off; undefined if the rail has none, so that a payment leaves at once. */
export function nextCutOff(cutOffs: readonly CutOff[], now: Date): Date | undefined {
  if (cutOffs.length === 0) return undefined
  const earliestFirst = [...cutOffs].sort()
  const today = todayUtc(now)
  for (let ahead = 0; ahead < days; ahead++) {
    const day = addDays(today, ahead)
    if (!isTargetDay(day)) continue
    const next = earliestFirst.map((cutOff) => new Date(`${day}T${cutOff.slice(0, 5)}:00Z`)).find((moment) => moment > now)
    if (next !== undefined) return next
  }
  return undefined
}

/** The day on which a payment that is packed now settles: its own date, or the earliest possible one if that has passed. */
export function settlesOn({ settlement_date, instant }: { settlement_date: string; instant: boolean }, now: Date): string {
  const today = todayUtc(now)
  if (instant) return today
  const earliest = isTargetDay(today) ? today : nextTargetDay(today)
  return settlement_date > earliest ? settlement_date : earliest
}
