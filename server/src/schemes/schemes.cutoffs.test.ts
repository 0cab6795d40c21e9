// When packs leave: cut-offs on settlement days, in the zone of the participation, also when its clocks change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Days } from './schemes.calendars.ts'
import { dayIn, isZone, lastCutOff, missing, momentOf, nextCutOff } from './schemes.cutoffs.ts'

const target = new Days({ calendar: 'TARGET', currency: 'EUR', instant: false }, [])
const cut_offs = ['15:30', '09:00']
const leaving = { cut_offs, zone: 'UTC', days: target }
const at = (text: string) => new Date(text)
const shown = (moment: Date | undefined | typeof missing) => (moment instanceof Date ? moment.toISOString() : moment)

for (const [now, last, next] of [
  ['2026-11-16T08:59:59Z', '2026-11-13T15:30:00.000Z', '2026-11-16T09:00:00.000Z'],
  ['2026-11-16T09:00:00Z', '2026-11-16T09:00:00.000Z', '2026-11-16T15:30:00.000Z'],
  ['2026-11-16T15:29:59Z', '2026-11-16T09:00:00.000Z', '2026-11-16T15:30:00.000Z'],
  // A Saturday, and the four closed days of Easter.
  ['2026-11-14T12:00:00Z', '2026-11-13T15:30:00.000Z', '2026-11-16T09:00:00.000Z'],
  ['2026-12-28T01:00:00Z', '2026-12-24T15:30:00.000Z', '2026-12-28T09:00:00.000Z'],
  ['2026-04-06T12:00:00Z', '2026-04-02T15:30:00.000Z', '2026-04-07T09:00:00.000Z'],
] as const)
  test(`the cut-offs before and after ${now}`, () => {
    assert.deepEqual([shown(lastCutOff(leaving, at(now))), shown(nextCutOff(leaving, at(now)))], [last, next])
  })

test('a rail without cut-offs has neither', () => {
  const none = { ...leaving, cut_offs: [] }
  assert.deepEqual([lastCutOff(none, at('2026-11-16T12:00:00Z')), nextCutOff(none, at('2026-11-16T12:00:00Z'))], [undefined, undefined])
})

test('a cut-off is a time of day in the zone of the participation', () => {
  assert.equal(shown(momentOf('2026-07-01', '09:00', 'Europe/Berlin')), '2026-07-01T07:00:00.000Z')
  assert.equal(shown(momentOf('2026-12-01', '09:00', 'Europe/Berlin')), '2026-12-01T08:00:00.000Z')
  assert.equal(shown(momentOf('2026-12-01', '17:30', 'America/New_York')), '2026-12-01T22:30:00.000Z')
  assert.equal(dayIn('Asia/Tokyo', at('2026-11-16T15:00:00Z')), '2026-11-17')
  // Friday evening in New York is Saturday in UTC.
  const fed = new Days({ calendar: 'FED', currency: 'USD', instant: false }, [])
  const evening = { cut_offs: ['19:30'], zone: 'America/New_York', days: fed }
  assert.equal(shown(lastCutOff(evening, at('2026-11-21T01:00:00Z'))), '2026-11-21T00:30:00.000Z')
  assert.equal(shown(nextCutOff(evening, at('2026-11-21T01:00:00Z'))), '2026-11-24T00:30:00.000Z')
})

test('a cut-off in the hour that comes twice counts the first time', () => {
  // On 25 October 2026 clocks in Berlin go back at 03:00 to 02:00, and in New York on 1 November at 02:00 to 01:00.
  assert.equal(shown(momentOf('2026-10-25', '02:30', 'Europe/Berlin')), '2026-10-25T00:30:00.000Z')
  assert.equal(shown(momentOf('2026-10-25', '02:00', 'Europe/Berlin')), '2026-10-25T00:00:00.000Z')
  assert.equal(shown(momentOf('2026-10-25', '03:00', 'Europe/Berlin')), '2026-10-25T02:00:00.000Z')
  assert.equal(shown(momentOf('2026-11-01', '01:30', 'America/New_York')), '2026-11-01T05:30:00.000Z')
})

test('a cut-off in the hour that is left out is at its end', () => {
  assert.equal(shown(momentOf('2026-03-29', '02:30', 'Europe/Berlin')), '2026-03-29T01:00:00.000Z')
  assert.equal(shown(momentOf('2026-03-29', '02:00', 'Europe/Berlin')), '2026-03-29T01:00:00.000Z')
  assert.equal(shown(momentOf('2026-03-29', '03:00', 'Europe/Berlin')), '2026-03-29T01:00:00.000Z')
  assert.equal(shown(momentOf('2026-03-29', '01:59', 'Europe/Berlin')), '2026-03-29T00:59:00.000Z')
  // Clocks move by half an hour on Lord Howe Island.
  assert.equal(shown(momentOf('2026-10-04', '02:10', 'Australia/Lord_Howe')), '2026-10-03T15:30:00.000Z')
})

test('every minute of a day of change is a moment of that day, and they are in order', () => {
  for (const [day, zone] of [
    ['2026-03-29', 'Europe/Berlin'],
    ['2026-10-25', 'Europe/Berlin'],
    ['2026-03-08', 'America/New_York'],
    ['2026-10-04', 'Australia/Lord_Howe'],
  ] as const) {
    let before = Number.NEGATIVE_INFINITY
    for (let minute = 0; minute < 24 * 60; minute++) {
      const time = `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
      const moment = momentOf(day, time, zone)
      assert.equal(dayIn(zone, moment), day, `${day} ${time} in ${zone}`)
      assert.ok(moment.getTime() >= before, `${day} ${time} in ${zone} comes after the minute before it`)
      before = moment.getTime()
    }
  }
})

test('without the year of a calendar, nobody knows when packs leave', () => {
  const days = new Days({ calendar: 'LOCAL', currency: 'CHF', instant: false }, [])
  assert.equal(lastCutOff({ cut_offs, zone: 'UTC', days }, at('2026-11-16T12:00:00Z')), missing)
  assert.equal(nextCutOff({ cut_offs, zone: 'UTC', days }, at('2026-11-16T12:00:00Z')), undefined)
})

test('zones are those of the tz database', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', 'Europe/Vilnius', 'Mars/Olympus', ''].map(isZone), [true, true, true, false, false])
})
