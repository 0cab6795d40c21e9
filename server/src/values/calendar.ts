// Dates and times as the API writes them: UTC, ISO 8601, and only ones that exist.

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/
const timestampPattern = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

export function isDate(text: string): boolean {
  const [, year, month, day] = datePattern.exec(text) ?? []
  if (year === undefined || Number(year) < 1) return false
  // The last day of a month is day 0 of the next one; the year is set apart because Date.UTC takes 0–99 for 1900–1999.
  const last = new Date(0)
  last.setUTCFullYear(Number(year), Number(month), 0)
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= last.getUTCDate()
}

export function isTimestamp(text: string): boolean {
  const [, date] = timestampPattern.exec(text) ?? []
  return date !== undefined && isDate(date)
}
