// The days on which money settles. A calendar is a rule, or the years that people of the bank have entered.
import { addDays, isTargetDay, remembering } from '../values/calendar.ts'
import type { CalendarYear } from './schemes.schemas.ts'

/** The calendars that are rules, which nobody can change. */
export const calendarRules = { TARGET: isTargetDay, FED: isFedDay, ALWAYS: () => true } as const satisfies Record<
  string,
  (date: string) => boolean
>

/** On which days a currency itself settles. Of other currencies only the calendar of the rail is known. */
const currencyCalendars: Readonly<Record<string, keyof typeof calendarRules>> = { EUR: 'TARGET', USD: 'FED' }

export const isRule = (calendar: string): calendar is keyof typeof calendarRules => Object.hasOwn(calendarRules, calendar)

const weekdayOf = (date: string): number => new Date(date).getUTCDay()

/** `01-05`: this weekday for the nth time in the month. */
const nth = (date: string, weekday: number, times: number): boolean =>
  weekdayOf(date) === weekday && Math.ceil(Number(date.slice(8)) / 7) === times

const [sunday, monday, thursday, saturday] = [0, 1, 4, 6]

const fixedHolidays = ['01-01', '06-19', '07-04', '11-11', '12-25']

function isFedHoliday(date: string): boolean {
  const month = date.slice(5, 7)
  if (fixedHolidays.includes(date.slice(5))) return true
  if (month === '01' || month === '02') return nth(date, monday, 3)
  if (month === '05') return weekdayOf(date) === monday && Number(date.slice(8)) > 24
  if (month === '09') return nth(date, monday, 1)
  if (month === '10') return nth(date, monday, 2)
  return month === '11' && nth(date, thursday, 4)
}

/** Whether the Federal Reserve is open. A holiday on a Sunday moves to the Monday after it; one on a Saturday does not move. */
function isFedDay(date: string): boolean {
  const weekday = weekdayOf(date)
  if (weekday === sunday || weekday === saturday || isFedHoliday(date)) return false
  return weekday !== monday || !isFedHoliday(addDays(date, -1))
}

/** ISO 8601 counts Sunday as the seventh day. */
const isWeekend = ({ weekend }: Pick<CalendarYear, 'weekend'>, date: string): boolean => weekend.includes(weekdayOf(date) || 7)

/** The days of one year on which a calendar is closed. */
export function closedDays(isOpen: (date: string) => boolean, year: number): string[] {
  const closed: string[] = []
  for (let day = `${year}-01-01`; day.startsWith(`${year}-`); day = addDays(day, 1)) if (!isOpen(day)) closed.push(day)
  return closed
}

export type Openings = (date: string) => boolean | undefined

/** Whether a calendar is open on a date; undefined if its year has not been entered. `years`: the newest version of each. */
export function openingsOf(calendar: string, years: readonly CalendarYear[]): Openings {
  if (isRule(calendar)) return calendarRules[calendar]
  const own = new Map(years.filter((one) => one.calendar === calendar).map((one) => [one.year, { ...one, closed: new Set(one.closed) }]))
  return (date) => {
    const year = own.get(Number(date.slice(0, 4)))
    return year === undefined ? undefined : !isWeekend(year, date) && !year.closed.has(date)
  }
}

/** An open day is never farther away: a year that has no open day in so many is refused. */
export const farthest_days = 31

/** The days on which a rail settles. */
export class Days {
  readonly #openings: readonly Openings[]
  readonly #next: (date: string) => string
  readonly #previous: (date: string) => string

  /** The rail and the currency must both be open. An instant rail settles by its own calendar alone. */
  constructor({ calendar, currency, instant }: { calendar: string; currency: string; instant: boolean }, years: readonly CalendarYear[]) {
    const second = instant ? undefined : currencyCalendars[currency]
    const names = new Set(second === undefined ? [calendar] : [calendar, second])
    this.#openings = [...names].map((name) => openingsOf(name, years))
    const towards = (step: number) => (date: string) => {
      let day = addDays(date, step)
      for (let far = 1; far < farthest_days && !this.isOpen(day); far++) day = addDays(day, step)
      return day
    }
    this.#next = remembering(towards(1))
    this.#previous = remembering(towards(-1))
  }

  /** Undefined if the year of a calendar is missing. */
  isKnownOpen(date: string): boolean | undefined {
    const found = this.#openings.map((isOpen) => isOpen(date))
    if (found.includes(false)) return false
    return found.includes(undefined) ? undefined : true
  }

  /** A day of a missing year counts as open from Monday to Friday: an order may name it, but nothing is packed for it. */
  isOpen(date: string): boolean {
    return this.isKnownOpen(date) ?? ![sunday, saturday].includes(weekdayOf(date))
  }

  /** The first open day from this date on. */
  firstFrom(date: string): string {
    return this.isOpen(date) ? date : this.#next(date)
  }

  /** The same, or undefined if that depends on a year that is missing. */
  firstKnownFrom(date: string): string | undefined {
    for (let far = 0, day = date; far < farthest_days; far++, day = addDays(day, 1)) {
      const isOpen = this.isKnownOpen(day)
      if (isOpen !== false) return isOpen === undefined ? undefined : day
    }
    return undefined
  }

  /** The year of the nearest day that is unknown; undefined if all days around this date are known. */
  missingYear(date: string): number | undefined {
    for (let far = 0; far <= farthest_days; far++)
      for (const day of [addDays(date, -far), addDays(date, far)]) if (this.isKnownOpen(day) === undefined) return Number(day.slice(0, 4))
    return undefined
  }

  /** The open day this many open days later; for none, the first from this date on. */
  after(date: string, days: number): string {
    let later = days === 0 ? this.firstFrom(date) : date
    for (let day = 0; day < days; day++) later = this.#next(later)
    return later
  }

  /** The open day this many open days earlier. */
  before(date: string, days: number): string {
    let earlier = date
    for (let day = 0; day < days; day++) earlier = this.#previous(earlier)
    return earlier
  }
}
