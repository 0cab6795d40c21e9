// Birth dates as the lists write them: 1961-07-04, 04/07/1961, 04 Jul 1961, Jul 1961, 1961, 00/00/1961, circa 1961.

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** An ISO date, shortened to the month or the year if the rest is unknown; undefined if the text is not a date. */
export function dateOf(text: string): string | undefined {
  const bare = text.trim().replace(/^(?:circa|c\.|approximately|about)\s+/i, '')
  const iso = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?(?:T.*|[+-]\d{2}:\d{2}|Z)?$/.exec(bare)
  if (iso) return dateFrom(iso[1], iso[2], iso[3])
  const british = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(bare)
  if (british) return dateFrom(british[3], british[2], british[1])
  const worded = /^(?:(\d{1,2}) )?([A-Za-z]{3})[a-z]* (\d{4})$/.exec(bare)
  const month = months.indexOf(worded?.[2]?.toLowerCase() ?? '') + 1
  return worded && month > 0 ? dateFrom(worded[3], String(month).padStart(2, '0'), worded[1]?.padStart(2, '0')) : undefined
}

function dateFrom(year = '', month = '00', day = '00'): string | undefined {
  if (Number(year) < 1800) return undefined
  if (month === '00') return year
  if (day === '00') return Number(month) <= 12 ? `${year}-${month}` : undefined
  const date = `${year}-${month}-${day}`
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date) ? date : undefined
}

/** A longer range says too little about the year of birth. */
const longestRange = 20

/** Each year of a range. */
export function yearsOf(from: string, to: string): string[] {
  const [first, last] = [Number(from), Number(to)]
  if (!/^\d{4}$/.test(from) || !/^\d{4}$/.test(to) || last < first || last - first > longestRange) return []
  return Array.from({ length: last - first + 1 }, (_, year) => String(first + year))
}
