// Reads an amount that somebody has typed. A point and a comma are both understood, and nothing is guessed: what could mean two numbers is a question,
// and what cannot be meant is refused with a sentence.
import { digitSystems, notationOf } from './amount.notation.ts'

export type Reading =
  | { kind: 'empty' }
  /** Plain digits, with a point before the decimals and no zeros at the end: `1500.5`. */
  | { kind: 'amount'; amount: string }
  /** It can mean each of these, so the person chooses; also where there is only one, and the person is used to another notation. */
  | { kind: 'question'; meanings: readonly string[] }
  | { kind: 'refused'; why: string }

export type Expected = {
  /** Of the person: how they write numbers. */
  locale: string
  /** The most that may be written, which is what the currency has. */
  decimals: number
  /** What has so many decimals, in a sentence: `EUR`. */
  unit: string
  isZeroAllowed?: boolean
}

/** An amount that was typed and is not understood yet. The service refuses it, so no form can send it by mistake. */
export const notRead = '?'

/** Whether an amount that may be left out can be sent. */
export const isRead = (amount: string): boolean => amount !== notRead

const mostDigits = 15

/** What may stand between thousands, and the decimal marks it goes with. */
const groupings: Readonly<Record<string, string>> = { ',': '.', '.': ',', ' ': '.,', "'": '.,', '٬': '٫.' }
const decimalMarks = '.,٫'

/** A comma before the last three digits, and before every two digits to the left of them. */
const asInIndia = /^[1-9]\d?(,\d\d)+,\d{3}$/

/** Each of these is refused, whatever else there is. */
const foreign: readonly (readonly [RegExp, string])[] = [
  [/[\p{Cc}\p{Cf}]/u, 'There is an invisible character in it. Type it again.'],
  [/[\p{Pd}+−±]/u, 'Write it without a sign.'],
  [/[\p{L}\p{M}\p{Sc}]/u, 'Write it in digits alone, without letters or a currency sign.'],
]

export function readAmount(typed: string, { locale, decimals, unit, isZeroAllowed = false }: Expected): Reading {
  if (typed.trim() === '') return { kind: 'empty' }
  for (const [form, why] of foreign) if (form.test(typed)) return refused(why)
  const text = inLatinDigits(withPlainMarks(typed.trim()))
  if (text === undefined) return refused('Write it in digits of one kind, with a point or a comma before the decimals.')
  if (/^\D/.test(text)) return refused('Write a digit before the mark, such as 0.50.')
  if (/\D$/.test(text)) return refused('Write the decimals after the mark, or leave it out.')
  if (/^0\d/.test(text)) return refused('Write it without a zero at the beginning.')
  const { whole, fraction } = partsOf(text)
  if (whole === undefined && fraction === undefined)
    return refused('Its marks are not where thousands or decimals begin. Write it as 1234.56.')
  if ([whole, fraction?.split('.', 1)[0]].some((digits) => (digits?.length ?? 0) > mostDigits)) return refused('It is too large.')
  const exact = fraction === undefined ? undefined : withoutZeros(fraction)
  const isExactPossible = exact !== undefined && decimalsOf(exact) <= decimals
  if (whole !== undefined) {
    if (isExactPossible) return { kind: 'question', meanings: [whole, exact] }
    // Whoever is used to this mark before decimals has written too many of them, more likely than a thousand.
    const isUsual = exact === undefined || groupMarkOf(locale) === markOf(text)
    return isUsual ? amountOf(whole, isZeroAllowed) : { kind: 'question', meanings: [whole] }
  }
  if (exact === undefined || decimalsOf(fraction ?? '') > decimals) return refused(tooPrecise(unit, decimals))
  return amountOf(exact, isZeroAllowed)
}

const refused = (why: string): Reading => ({ kind: 'refused', why })

const amountOf = (amount: string, isZeroAllowed: boolean): Reading =>
  amount === '0' && !isZeroAllowed ? refused('It has to be more than zero.') : { kind: 'amount', amount }

const tooPrecise = (unit: string, decimals: number): string =>
  decimals === 0 ? `${unit} has no decimals.` : `${unit} has at most ${decimals} ${decimals === 1 ? 'decimal' : 'decimals'}.`

const decimalsOf = (amount: string): number => amount.split('.')[1]?.length ?? 0

const withoutZeros = (amount: string): string => amount.replace(/\.?0*$/, '')

/** The spaces and apostrophes of all languages as one of each. */
const withPlainMarks = (text: string): string => text.replaceAll(/[ \u00a0\u2007\u2009\u202f]/g, ' ').replaceAll(/['’]/g, "'")

/** Undefined if the digits are not of one system that is known here, or if there is anything but digits and marks. */
function inLatinDigits(text: string): string | undefined {
  const found = Object.values(digitSystems).find((digits) =>
    [...text].every((one) => digits.includes(one) || one in groupings || decimalMarks.includes(one)),
  )
  return found && [...text].map((one) => (found.includes(one) ? String(found.indexOf(one)) : one)).join('')
}

const markOf = (text: string): string | undefined => /\D/.exec(text)?.[0]

/** A text of digits and marks as a whole number whose marks stand between thousands, and as a number whose last mark stands before decimals. */
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

/** `1,234,567` as `1234567`, and `12,34,567` too; undefined if the marks differ, or stand elsewhere. */
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
