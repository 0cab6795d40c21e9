import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { addTargetDays, ageOn, isDate, isTargetDay, isTimestamp, nextTargetDay, subtractTargetDays, todayUtc } from './calendar.ts'

const dayMs = 86_400_000
const date = fc
  .integer({ min: Date.UTC(1900, 0, 1) / dayMs, max: Date.UTC(2299, 11, 31) / dayMs })
  .map((day) => todayUtc(new Date(day * dayMs)))

test('existing dates are accepted', () => {
  for (const text of ['2026-11-15', '2024-02-29', '2000-02-29', '0001-01-01', '0004-02-29', '9999-12-31']) assert.ok(isDate(text), text)
  fc.assert(fc.property(date, (text) => assert.ok(isDate(text))))
})

test('dates that do not exist are refused', () => {
  const days = [
    '2023-02-29',
    '1900-02-29',
    '2100-02-29',
    '2026-04-31',
    '2026-01-32',
    '2026-01-00',
    '2026-00-10',
    '2026-13-01',
    '0000-01-01',
  ]
  const forms = [
    '',
    '2026-1-1',
    '26-01-01',
    '2026/01/01',
    '20260101',
    '2026-01-01T00:00:00Z',
    ' 2026-01-01',
    '2026-01-01\n',
    '+002026-01-01',
    '٢٠٢٦-٠١-٠١',
  ]
  for (const text of [...days, ...forms]) assert.ok(!isDate(text), JSON.stringify(text))
})

test('a well-formed date is accepted exactly if the calendar has it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(15), fc.nat(35), (year, month, day) => {
      const text = `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`
      const read = new Date(0)
      read.setUTCFullYear(year, month - 1, day)
      assert.equal(isDate(text), read.toISOString().startsWith(`${text}T`), text)
    }),
  )
})

test('timestamps have an existing date, a time and an offset', () => {
  const utc = ['2026-11-15T00:00:00Z', '2026-11-15T23:59:59.999Z', '2026-11-15T23:59:59.123456789Z', '2024-02-29T12:00:00Z']
  for (const text of [...utc, '2026-11-15T12:00:00+01:00', '2026-11-15T12:00:00-23:59', '2026-11-15T12:00:00.5+00:00'])
    assert.ok(isTimestamp(text), text)
})

test('incomplete timestamps are refused', () => {
  const dates = ['2023-02-29T00:00:00Z', '2026-13-01T00:00:00Z', '2026-01-00T00:00:00Z', '0000-01-01T00:00:00Z', '2026-11-15']
  const times = ['2026-11-15T24:00:00Z', '2026-11-15T23:60:00Z', '2026-11-15T23:59:60Z', '2026-11-15T23:59Z', '2026-11-15T23:59:59.Z']
  const offsets = [
    '2026-11-15T12:00:00',
    '2026-11-15T12:00:00z',
    '2026-11-15T12:00:00+0100',
    '2026-11-15T12:00:00+24:00',
    '2026-11-15T12:00:00+01:60',
  ]
  const forms = [
    '2026-11-15t12:00:00Z',
    '2026-11-15 12:00:00Z',
    '2026-11-15T12:00:00,5Z',
    '2026-11-15T12:00:00.1234567890Z',
    '2026-11-15T12:00:00Z\n',
  ]
  for (const text of [...dates, ...times, ...offsets, ...forms]) assert.ok(!isTimestamp(text), JSON.stringify(text))
})

test('today is the date in UTC', () => {
  assert.equal(todayUtc(new Date('2026-11-15T23:59:59.999Z')), '2026-11-15')
  assert.equal(todayUtc(new Date('2026-11-15T23:59:59.999-01:00')), '2026-11-16')
})

test('age is counted in full years of the calendar', () => {
  const table: [dateOfBirth: string, today: string, age: number][] = [
    ['2008-11-15', '2026-11-14', 17],
    ['2008-11-15', '2026-11-15', 18],
    ['2008-11-15', '2026-11-16', 18],
    ['2008-12-31', '2026-01-01', 17],
    ['2008-01-01', '2026-12-31', 18],
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-28', 19],
    ['2008-02-29', '2028-02-29', 20],
    ['1926-11-15', '2026-11-15', 100],
    ['2026-11-15', '2026-11-15', 0],
    ['2026-11-16', '2026-11-15', -1],
  ]
  for (const [dateOfBirth, today, age] of table) assert.equal(ageOn(dateOfBirth, today), age, `${dateOfBirth} on ${today}`)
})

test('nobody grows younger, and everybody is one year older after each birthday', () => {
  fc.assert(
    fc.property(date, date, (born, today) => {
      const tomorrow = todayUtc(new Date(Date.parse(today) + dayMs))
      const older = ageOn(born, tomorrow) - ageOn(born, today)
      const leapling = born.endsWith('02-29') && tomorrow.endsWith('03-01') && !today.endsWith('02-29')
      assert.equal(older, tomorrow.slice(5) === born.slice(5) || leapling ? 1 : 0)
    }),
  )
})

// Easter Sunday; TARGET is closed on the Friday before it and on the Monday after it.
const easters = [
  '2000-04-23 2004-04-11 2005-03-27 2008-03-23 2010-04-04 2011-04-24 2016-03-27 2018-04-01 2019-04-21 2020-04-12 2021-04-04 2022-04-17',
  '2023-04-09 2024-03-31 2025-04-20 2026-04-05 2027-03-28 2028-04-16 2029-04-01 2030-04-21 2031-04-13 2032-03-28 2033-04-17 2034-04-09',
  '2035-03-25 2036-04-13 2037-04-05 2038-04-25 2039-04-10 2040-04-01 2049-04-18 2076-04-19 2100-03-28 2285-03-22',
].flatMap((line) => line.split(' '))

test('TARGET is closed on Good Friday and Easter Monday and open on the days around them', () => {
  for (const easter of easters) {
    const near = (days: number) => todayUtc(new Date(Date.parse(easter) + days * dayMs))
    assert.deepEqual(
      [-3, -2, -1, 0, 1, 2].map((days) => isTargetDay(near(days))),
      [true, false, false, false, false, true],
      easter,
    )
  }
})

test('TARGET is closed on weekends and four fixed days, and open on national holidays', () => {
  const closed = ['2026-01-01', '2026-05-01', '2025-12-25', '2025-12-26', '2026-11-14', '2026-11-15']
  const open = [
    '2026-01-02',
    '2026-05-04',
    '2026-05-08',
    '2026-05-14',
    '2026-07-14',
    '2026-11-11',
    '2025-12-24',
    '2025-12-31',
    '2026-11-16',
  ]
  for (const day of closed) assert.ok(!isTargetDay(day), day)
  for (const day of open) assert.ok(isTargetDay(day), day)
})

test('TARGET days are counted over weekends and holidays', () => {
  const table: [from: string, days: number, to: string][] = [
    ['2026-11-16', 0, '2026-11-16'],
    ['2026-11-15', 0, '2026-11-15'],
    ['2026-11-16', 1, '2026-11-17'],
    ['2026-11-13', 1, '2026-11-16'],
    ['2026-11-14', 1, '2026-11-16'],
    ['2026-11-13', 2, '2026-11-17'],
    ['2026-04-02', 1, '2026-04-07'],
    ['2026-12-24', 1, '2026-12-28'],
    ['2026-12-31', 1, '2027-01-04'],
    ['2026-04-30', 2, '2026-05-05'],
  ]
  for (const [from, days, to] of table) assert.equal(addTargetDays(from, days), to, `${from} + ${days}`)
})

test('the next TARGET day is open, later, and at most six days away, and every day between is closed', () => {
  fc.assert(
    fc.property(date, (from) => {
      const next = nextTargetDay(from)
      const days = (Date.parse(next) - Date.parse(from)) / dayMs
      assert.ok(isTargetDay(next) && days >= 1 && days <= 6, `${from} → ${next}`)
      for (let day = 1; day < days; day++) assert.ok(!isTargetDay(todayUtc(new Date(Date.parse(from) + day * dayMs))))
    }),
  )
})

test('adding TARGET days in one step or two gives the same date', () => {
  fc.assert(
    fc.property(date, fc.nat(10), fc.nat(10), (from, first, second) =>
      assert.equal(addTargetDays(addTargetDays(from, first), second), addTargetDays(from, first + second)),
    ),
  )
})

test('TARGET days that are added to one and taken away again lead back, however many dates were asked for before', () => {
  fc.assert(
    fc.property(date, fc.nat(10), (from, days) => {
      const open = nextTargetDay(from)
      assert.equal(subtractTargetDays(addTargetDays(open, days), days), open)
    }),
    { numRuns: 1_000 },
  )
})
