// Days of the service. In a sandbox its clock may be ahead of the real one, so the browser's today is not always the bank's.

/** A day some days later, or earlier. */
export function daysAfter(day: string, count: number): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + count)
  return date.toISOString().slice(0, 10)
}

export const firstOfMonth = (day: string): string => `${day.slice(0, 7)}-01`
export const firstOfYear = (day: string): string => `${day.slice(0, 4)}-01-01`

/** Whoever asks for this much gets what has begun by the service's clock, which shows what its today is. */
export function sinceNewYear(browserToday: string): { from: string; to: string; step: 'month' } {
  return { from: firstOfYear(browserToday), to: `${Number(browserToday.slice(0, 4)) + 15}-12-31`, step: 'month' }
}
