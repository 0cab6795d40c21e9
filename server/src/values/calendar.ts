// Dates and times of the API (ISO 8601, UTC, real dates only), and the days on which euro payments settle.

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/
const timestampPattern = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

export function isDate(text: string): boolean {
  const [, year, month, day] = datePattern.exec(text) ?? []
  if (year === undefined || Number(year) < 1) return false
  // The last day of a month is day 0 of the next one. The year is set separately because Date.UTC reads 0–99 as 1900–1999.
  const last = new Date(0)
  last.setUTCFullYear(Number(year), Number(month), 0)
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last.getUTCDate()
}

export function isTimestamp(text: string): boolean {
  const [, date] = timestampPattern.exec(text) ?? []
  // The year must also be between 0001 and 9999 in UTC.
  return date !== undefined && isDate(date) && /^(?!0000)\d{4}-/.test(new Date(text).toISOString())
}

const day_ms = 86_400_000
let written = { day: 0, text: '1970-01-01' }

/** Called several times per request, but the answer changes once a day. */
export function todayUtc(now: Date): string {
  const day = Math.floor(now.getTime() / day_ms)
  if (written.day !== day) written = { day, text: now.toISOString().slice(0, 10) }
  return written.text
}

/** Full calendar years. A person born on 29 February turns a year older on 1 March in years without a 29th. */
export function ageOn(dateOfBirth: string, today: string): number {
  const years = Number(today.slice(0, 4)) - Number(dateOfBirth.slice(0, 4))
  // Months and days compare as text, because they have a fixed width.
  return today.slice(5) < dateOfBirth.slice(5) ? years - 1 : years
}

/** Whether TARGET, the system in which banks settle euros, is open on this date. */
export function isTargetDay(date: string): boolean {
  const weekday = new Date(date).getUTCDay()
  if (weekday === 0 || weekday === 6) return false
  if (['01-01', '05-01', '12-25', '12-26'].includes(date.slice(5))) return false
  const easter = easterSunday(Number(date.slice(0, 4)))
  return date !== addDays(easter, -2) && date !== addDays(easter, 1)
}

/** The first TARGET day after this date. */
export const nextTargetDay = remembering((date: string): string => {
  const next = addDays(date, 1)
  return isTargetDay(next) ? next : nextTargetDay(next)
})

const previousTargetDay = remembering((date: string): string => {
  const previous = addDays(date, -1)
  return isTargetDay(previous) ? previous : previousTargetDay(previous)
})

/** The orders of a day ask about the same few dates; computing them each time took 3 % of the time of a bulk request. */
export function remembering(dayOf: (date: string) => string): (date: string) => string {
  const known = new Map<string, string>()
  return (date) => {
    const before = known.get(date)
    if (before !== undefined) return before
    const day = dayOf(date)
    if (known.size >= 1_000) known.clear()
    known.set(date, day)
    return day
  }
}

/** The date this many TARGET days later. The start date need not be a TARGET day itself. */
export function addTargetDays(date: string, days: number): string {
  let later = date
  for (let day = 0; day < days; day++) later = nextTargetDay(later)
  return later
}

/** The date this many TARGET days earlier. */
export function subtractTargetDays(date: string, days: number): string {
  let earlier = date
  for (let day = 0; day < days; day++) earlier = previousTargetDay(earlier)
  return earlier
}

export function addDays(date: string, days: number): string {
  const later = new Date(date)
  later.setUTCDate(later.getUTCDate() + days)
  return todayUtc(later)
}

/** The same day this many months later, or the last day of the month if the month is too short. */
export function addMonths(date: string, months: number): string {
  const later = new Date(date)
  const day = later.getUTCDate()
  later.setUTCMonth(later.getUTCMonth() + months)
  if (later.getUTCDate() !== day) later.setUTCDate(0)
  return todayUtc(later)
}

/** The Gregorian Easter, computed by the algorithm of Meeus, Jones and Butcher. */
function easterSunday(year: number): string {
  const golden = year % 19
  const century = Math.floor(year / 100)
  const yearOfCentury = year % 100
  const leapCenturies = Math.floor(century / 4)
  const moonCorrection = Math.floor((century - Math.floor((century + 8) / 25) + 1) / 3)
  const epact = (19 * golden + century - leapCenturies - moonCorrection + 15) % 30
  const weekday = (32 + 2 * (century % 4) + 2 * Math.floor(yearOfCentury / 4) - epact - (yearOfCentury % 4)) % 7
  const lateMoon = Math.floor((golden + 11 * epact + 22 * weekday) / 451)
  const monthAndDay = epact + weekday - 7 * lateMoon + 114
  const month = Math.floor(monthAndDay / 31)
  const day = (monthAndDay % 31) + 1
  return `${String(year).padStart(4, '0')}-0${month}-${String(day).padStart(2, '0')}`
}
