import { counted } from '../../ui/words.ts'

/** Seconds as days, hours and minutes. */
export function aheadOf(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes === 0) return 'Not ahead'
  const parts = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const
  return parts.flatMap(([count, unit]) => (count === 0 ? [] : [counted(count, unit)])).join(', ')
}
