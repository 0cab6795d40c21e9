// When packs leave. A rail with cut-offs packs at each of them, on the days on which it settles, what was collected before. A rail without cut-offs packs in
// every round. Cut-offs are times of day in the zone of the participation.
import { addDays, todayUtc } from '../values/calendar.ts'
import { type Days, farthest_days } from './schemes.calendars.ts'

const minute_ms = 60_000

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const [number, digits] = ['numeric', '2-digit'] as const
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: number,
    month: digits,
    day: digits,
    hour: digits,
    minute: digits,
    second: digits,
  })
  formats.set(zone, format)
  return format
}

export function isZone(zone: string): boolean {
  try {
    return formatOf(zone) !== undefined
  } catch {
    return false
  }
}

/** What the clocks of a zone show, as if it were UTC. */
function shownAt(zone: string, moment_ms: number): number {
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(moment_ms)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  return Date.UTC(parts.year, parts.month - 1, parts.day, parts.hour, parts.minute, parts.second)
}

/** By how much the clocks of a zone are ahead of UTC. */
const aheadAt = (zone: string, moment_ms: number): number => shownAt(zone, moment_ms) - Math.floor(moment_ms / 1000) * 1000

/** The date in a zone. */
export function dayIn(zone: string, moment: Date): string {
  return zone === 'UTC' ? todayUtc(moment) : todayUtc(new Date(shownAt(zone, moment.getTime())))
}

/** The moment of a time of day. A time that comes twice counts the first time, and one that the clocks leave out when they have moved on. */
export function momentOf(day: string, time: string, zone: string): Date {
  const shown = Date.parse(`${day}T${time}:00Z`)
  if (zone === 'UTC') return new Date(shown)
  const day_ms = 24 * 60 * minute_ms
  const [before, after] = [aheadAt(zone, shown - day_ms), aheadAt(zone, shown + day_ms)]
  const found = [shown - before, shown - after].filter((moment) => shownAt(zone, moment) === shown)
  if (found.length > 0) return new Date(Math.min(...found))
  return new Date(changeBetween(zone, shown - Math.max(before, after), shown - Math.min(before, after)))
}

/** The first minute after the clocks of a zone were changed, somewhere between two moments. */
function changeBetween(zone: string, from_ms: number, until_ms: number): number {
  const earlier = aheadAt(zone, from_ms)
  let [low, high] = [from_ms, until_ms]
  while (high - low > minute_ms) {
    const middle = low + Math.floor((high - low) / 2 / minute_ms) * minute_ms
    if (aheadAt(zone, middle) === earlier) low = middle
    else high = middle
  }
  return high
}

export type Leaving = { cut_offs: readonly string[]; zone: string; days: Days }

/** The year of a calendar is missing, so nobody knows when packs leave. */
export const missing = Symbol('a year of the calendar is missing')

/** The latest cut-off that has passed; undefined if there is none. */
export function lastCutOff({ cut_offs, zone, days }: Leaving, now: Date): Date | undefined | typeof missing {
  const latestFirst = [...cut_offs].sort().reverse()
  const today = dayIn(zone, now)
  for (let back = 0; back < farthest_days; back++) {
    const day = addDays(today, -back)
    const isOpen = days.isKnownOpen(day)
    if (isOpen === undefined) return missing
    const last = isOpen ? latestFirst.map((time) => momentOf(day, time, zone)).find((moment) => moment <= now) : undefined
    if (last !== undefined) return last
  }
  return undefined
}

/** The next cut-off; undefined if the rail has none, so that a payment leaves at once, or if a year of the calendar is missing. */
export function nextCutOff({ cut_offs, zone, days }: Leaving, now: Date): Date | undefined {
  if (cut_offs.length === 0) return undefined
  const earliestFirst = [...cut_offs].sort()
  const today = dayIn(zone, now)
  for (let ahead = 0; ahead < farthest_days; ahead++) {
    const day = addDays(today, ahead)
    const isOpen = days.isKnownOpen(day)
    if (isOpen === undefined) return undefined
    const next = isOpen ? earliestFirst.map((time) => momentOf(day, time, zone)).find((moment) => moment > now) : undefined
    if (next !== undefined) return next
  }
  return undefined
}
