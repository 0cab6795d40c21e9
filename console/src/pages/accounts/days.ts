// Days of the service's clock. In a sandbox it may be ahead of the real time, so the browser's today is not always the bank's.

/** Adds days to a day; a negative number subtracts. */
export function daysAfter(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`
export const firstOfYear = (day: string): string => `${day.slice(0, 4)}-01-01`

/** Asks for months until far in the future. The answer ends at the service's today, which shows what day that is. */
export function sinceNewYear(browserToday: string): { from: string; to: string; step: 'month' } {
  return { from: firstOfYear(browserToday), to: `${Number(browserToday.slice(0, 4)) + 15}-12-31`, step: 'month' }
}
