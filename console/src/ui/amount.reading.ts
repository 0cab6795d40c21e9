// Parses amounts. Point and comma are both accepted, and nothing is guessed: an ambiguous text becomes a question, and an invalid one
// is refused with a sentence.
import { digitSystems, notationOf } from './amount.notation.ts'

export type Reading =
  | { kind: 'empty' }
  /** Plain digits with a decimal point and no trailing zeros: `1500.5`. */
  | { kind: 'amount'; amount: string }
  /** The possible meanings, for the person to choose from. There may be only one, if it is not in the person's own notation. */
  | { kind: 'question'; meanings: readonly string[] }
  | { kind: 'refused'; why: string }

export type Expected = {
  /** The person's locale. */
  locale: string
  /** The maximum number of decimals, given by the currency. */
  decimals: number
  /** The name of the unit in a sentence: `EUR`. */
  unit: string
  isZeroAllowed?: boolean
}

/** Marks a text that has not been parsed yet. The service refuses this value, so no form can send it by mistake. */
export const notRead = '?'

/** Whether an optional amount is empty or valid. */
export const isRead = (amount: string): boolean => amount !== notRead

const mostDigits = 15

/** Thousands separators, and the decimal marks that can go with each. */
const groupings: Readonly<Record<string, string>> = { ',': '.', '.': ',', ' ': '.,', "'": '.,', '٬': '٫.' }
const decimalMarks = '.,٫'

/** Groups of two digits with a comma before the last three. */
const asInIndia = /^[1-9]\d?(,\d\d)+,\d{3}$/

/** Always refused. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/[\p{Cc}\p{Cf}]/u, 'It contains an invisible character. Type it again.'],
  [/[\p{Pd}+−±]/u, 'Write it without a sign.'],
  [/[\p{L}\p{M}\p{Sc}]/u, 'Use digits only, without letters or a currency sign.'],
]

export function readAmount(typed: string, { locale, decimals, unit, isZeroAllowed = false }: Expected): Reading {
  if (typed.trim() === '') return { kind: 'empty' }
  for (const [form, why] of foreign) if (form.test(typed)) return refused(why)
  const text = inLatinDigits(withPlainMarks(typed.trim()))
  if (text === undefined) return refused('Use one kind of digits, with a point or comma before the decimals.')
  if (/^\D/.test(text)) return refused('Add a digit before the decimal mark, such as 0.50.')
  if (/\D$/.test(text)) return refused('Add decimals after the mark, or remove it.')
  if (/^0\d/.test(text)) return refused('Remove the leading zero.')
  const { whole, fraction } = partsOf(text)
  if (whole === undefined && fraction === undefined) return refused('The separators are misplaced. Write it as 1234.56.')
  if ([whole, fraction?.split('.', 1)[0]].some((digits) => (digits?.length ?? 0) > mostDigits)) return refused('It is too large.')
  const exact = fraction === undefined ? undefined : withoutZeros(fraction)
  const isExactPossible = exact !== undefined && decimalsOf(exact) <= decimals
  if (whole !== undefined) {
    if (isExactPossible) return { kind: 'question', meanings: [whole, exact] }
    // In the person's own notation this mark is a decimal mark, so too many decimals are more likely than a thousand.
    const isUsual = exact === undefined || groupMarkOf(locale) === markOf(text)
    return isUsual ? amountOf(whole, isZeroAllowed) : { kind: 'question', meanings: [whole] }
  }
  if (exact === undefined || decimalsOf(fraction ?? '') > decimals) return refused(tooPrecise(unit, decimals))
  return amountOf(exact, isZeroAllowed)
}

const refused = (why: string): Reading => ({ kind: 'refused', why })

const amountOf = (amount: string, isZeroAllowed: boolean): Reading =>
  amount === '0' && !isZeroAllowed ? refused('It must be greater than zero.') : { kind: 'amount', amount }

const tooPrecise = (unit: string, decimals: number): string =>
  decimals === 0 ? `${unit} has no decimals.` : `${unit} has at most ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}.`

const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0

const withoutZeros = (amount: string): string => amount.replace(/\.?0*$/, '')

/** Normalizes spaces and apostrophes. */
const withPlainMarks = (text: string): string => text.replaceAll(/[ \u00a0\u2007\u2009\u202f]/g, ' ').replaceAll(/['’]/g, "'")

/** Converts digits to Latin; undefined if they mix systems or if there is anything but digits and separators. */
function inLatinDigits(text: string): string | undefined {
  const found = Object.values(digitSystems).find((digits) =>
    [...text].every((one) => digits.includes(one) || one in groupings || decimalMarks.includes(one)),
  )
  return found && [...text].map((one) => (found.includes(one) ? String(found.indexOf(one)) : one)).join('')
}

const markOf = (text: string): string | undefined => /\D/.exec(text)?.[0]

/** The two readings of a text: as a whole number with thousands separators, and with its last mark before the decimals. */
function partsOf(text: string): { whole?: string; fraction?: string } {
  const at = text.search(/\D\d*$/)
  if (at === -1) return { whole: text }
  const whole = withoutGroups(text)
  const mark = text[at] ?? ''
  const before = text.slice(0, at)
  const group = markOf(before)
  const isDecimal = decimalMarks.includes(mark) && (group === undefined || groupings[group]?.includes(mark) === true)
  const thousands = isDecimal ? withoutGroups(before) : undefined
  return { ...(whole !== undefined && { whole }), ...(thousands !== undefined && { fraction: `${thousands}.${text.slice(at + 1)}` }) }
}

/** Removes thousands separators, also in the Indian form `12,34,567`; undefined if they are mixed or misplaced. */
function withoutGroups(text: string): string | undefined {
  const mark = markOf(text)
  if (mark === undefined) return text
  if (asInIndia.test(text)) return text.replaceAll(',', '')
  const [first = '', ...groups] = text.split(mark)
  return mark in groupings && /^[1-9]\d{0,2}$/.test(first) && groups.every((group) => /^\d{3}$/.test(group))
    ? first + groups.join('')
    : undefined
}

const groupMarkOf = (locale: string): string =>
  withPlainMarks(
    notationOf(locale, { useGrouping: true, decimals: 1 })
      .formatToParts(1_234_567.8)
      .find(({ type }) => type === 'group')?.value ?? '',
  )
