// On which days money settles: the rules, the years that people entered, and the currency beside the rail.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calendarRules, closedDays, Days } from './schemes.calendars.ts'
import type { CalendarYear } from './schemes.schemas.ts'

const weekend = (date: string) => [0, 6].includes(new Date(date).getUTCDay())
const holidays = (calendar: keyof typeof calendarRules, year: number) =>
  closedDays(calendarRules[calendar], year).filter((day) => !weekend(day))

test('FED is closed on the holidays of the Federal Reserve', () => {
  // The Fourth of July 2026 is a Saturday, which does not move.
  assert.deepEqual(holidays('FED', 2026), [
    '2026-01-01',
    '2026-01-19',
    '2026-02-16',
    '2026-05-25',
    '2026-06-19',
    '2026-09-07',
    '2026-10-12',
    '2026-11-11',
    '2026-11-26',
    '2026-12-25',
  ])
  // Independence Day 2027 and Juneteenth 2022 are Sundays, so the Mondays after them are closed.
  assert.ok(holidays('FED', 2027).includes('2027-07-05'))
  assert.ok(holidays('FED', 2022).includes('2022-06-20'))
  // New Year's Day of 2028 is a Saturday.
  assert.ok(!holidays('FED', 2027).includes('2027-12-31'))
})

test('TARGET has six holidays, and ALWAYS none', () => {
  assert.deepEqual(holidays('TARGET', 2026), ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-01', '2026-12-25'])
  assert.deepEqual(closedDays(calendarRules.ALWAYS, 2026), [])
})

const entered = (year: number, closed: string[], changes: Partial<CalendarYear> = {}): CalendarYear => ({
  id: null,
  calendar: 'LOCAL',
  year,
  weekend: [6, 7],
  closed,
  version: 1,
  actor: 'operator',
  actor_id: null,
  created_at: null,
  ...changes,
})
const local = (currency: string, years: CalendarYear[]) => new Days({ calendar: 'LOCAL', currency, instant: false }, years)

test('the rail and the currency must both be open', () => {
  const days = local('EUR', [entered(2026, ['2026-11-17'])])
  assert.deepEqual(
    ['2026-11-16', '2026-11-17', '2026-11-21', '2026-12-25'].map((day) => days.isKnownOpen(day)),
    [true, false, false, false],
  )
  // Nothing is known about the days of other currencies.
  assert.equal(local('CHF', [entered(2026, [])]).isKnownOpen('2026-12-25'), true)
  assert.equal(new Days({ calendar: 'ALWAYS', currency: 'USD', instant: false }, []).isKnownOpen('2026-11-26'), false)
})

test('an instant rail settles by its own calendar alone', () => {
  const days = new Days({ calendar: 'ALWAYS', currency: 'EUR', instant: true }, [])
  assert.equal(days.firstKnownFrom('2026-12-25'), '2026-12-25')
  assert.equal(days.after('2026-12-25', 0), '2026-12-25')
})

test('days are counted over what is closed', () => {
  const days = local('EUR', [entered(2026, ['2026-11-17', '2026-11-18'])])
  assert.deepEqual(
    [days.after('2026-11-16', 1), days.after('2026-11-17', 0), days.before('2026-11-19', 1)],
    ['2026-11-19', '2026-11-19', '2026-11-16'],
  )
})

test('a missing year is unknown where it matters, and otherwise counts from Monday to Friday', () => {
  const days = local('EUR', [entered(2026, [])])
  assert.equal(days.isKnownOpen('2027-01-04'), undefined)
  // TARGET is closed whatever the calendar of the rail says.
  assert.equal(days.isKnownOpen('2027-01-01'), false)
  assert.equal(days.firstKnownFrom('2026-12-31'), '2026-12-31')
  assert.equal(days.firstKnownFrom('2027-01-01'), undefined)
  assert.equal(days.after('2026-12-31', 1), '2027-01-04')
  assert.deepEqual([days.missingYear('2026-12-10'), days.missingYear('2026-06-01')], [2027, undefined])
})

test('a weekend need not be Saturday and Sunday', () => {
  const days = local('ILS', [entered(2026, [], { weekend: [5, 6] })])
  assert.deepEqual([days.isKnownOpen('2026-11-20'), days.isKnownOpen('2026-11-22')], [false, true])
})
