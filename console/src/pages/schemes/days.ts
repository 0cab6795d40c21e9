// Weekdays, as ISO 8601 counts them from Monday.
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const

/** The numbers of weekdays that are named; undefined if a word is none. */
export function weekendOf(text: string): number[] | undefined {
  const names = text.split(/[\s,;]+/).filter((word) => word !== '')
  const numbers = names.map((name) => weekdays.findIndex((day) => day.toLowerCase() === name.toLowerCase()) + 1)
  return numbers.includes(0) ? undefined : [...new Set(numbers)]
}
