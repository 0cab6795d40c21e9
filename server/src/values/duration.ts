// Durations in ISO 8601, such as P1Y2M3W4DT5H6M7S, with whole numbers.
import { addMonths, todayUtc } from './calendar.ts'

const pattern =
  /^P(?=\d|T\d)(?:(\d{1,4})Y)?(?:(\d{1,4})M)?(?:(\d{1,4})W)?(?:(\d{1,5})D)?(?:T(?=\d)(?:(\d{1,6})H)?(?:(\d{1,8})M)?(?:(\d{1,9})S)?)?$/

/**
 * The time at which a duration that starts at `from` ends. Years and months are calendar years and months in UTC. Undefined if the text is
 * not a duration.
 */
export function durationEnd(from: Date, text: string): Date | undefined {
  const found = pattern.exec(text)
  if (found === null) return undefined
  const [years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = found.slice(1).map((part) => Number(part ?? 0))
  const date = todayUtc(from)
  const months_ms = Date.parse(addMonths(date, years * 12 + months)) - Date.parse(date)
  const rest_s = (((weeks * 7 + days) * 24 + hours) * 60 + minutes) * 60 + seconds
  return new Date(from.getTime() + months_ms + rest_s * 1000)
}
