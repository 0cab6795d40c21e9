// Writes amounts in the person's notation and in words, so that people can check them before sending.
import { notationOf } from './amount.notation.ts'

/** `1.5` as `1.50`: padded to the currency's decimals. */
export function padded(amount: string, decimals: number): string {
  const [whole = '', fraction = ''] = amount.split('.')
  return decimals === 0 ? whole : `${whole}.${fraction.padEnd(decimals, '0')}`
}

/** `1500.5` as `1,500.50` or `1.500,50`, depending on the locale, without converting to a Number. */
export const written = (amount: string, locale: string): string => format(amount, locale, true)

/** As a person types it: without thousands separators. */
export const typedForm = (amount: string, locale: string): string => format(amount, locale, false)

function format(amount: string, locale: string, useGrouping: boolean): string {
  const decimals = amount.split('.')[1]?.length ?? 0
  return notationOf(locale, { useGrouping, decimals }).format(amount as `${number}`)
}

const upToTwenty = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
  'thirteen',
  'fourteen',
  'fifteen',
  'sixteen',
  'seventeen',
  'eighteen',
  'nineteen',
]
const tens = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety']
const thousands = ['', ' thousand', ' million', ' billion', ' trillion']

function belowThousand(count: number): string {
  if (count >= 100) return `${upToTwenty[Math.floor(count / 100)]} hundred${count % 100 === 0 ? '' : ` ${belowThousand(count % 100)}`}`
  if (count < 20) return upToTwenty[count] ?? ''
  return `${tens[Math.floor(count / 10)]}${count % 10 === 0 ? '' : `-${upToTwenty[count % 10]}`}`
}

function wholeWords(digits: string): string {
  const groups = digits.replace(/\B(?=(\d{3})+$)/g, ' ').split(' ')
  const said = groups.flatMap((group, at) =>
    Number(group) === 0 ? [] : [belowThousand(Number(group)) + thousands[groups.length - 1 - at]],
  )
  return said.length === 0 ? 'zero' : said.join(' ')
}

/** `1500` as `one thousand five hundred`, `1.5` as `one and a half`, and `2.25` as `two and 25/100`. */
export function inWords(amount: string): string {
  const [whole = '', fraction = ''] = amount.split('.')
  if (/^0*$/.test(fraction)) return wholeWords(whole)
  if (/^50*$/.test(fraction) && whole !== '0') return `${wholeWords(whole)} and a half`
  const parts = `${fraction.replace(/^0+/, '')}/1${'0'.repeat(fraction.length)}`
  return whole === '0' ? parts : `${wholeWords(whole)} and ${parts}`
}

/** `1.5` in EUR as `one and a half euros`. */
export function moneyInWords(amount: string, currency: string): string {
  const name = { style: 'currency', currency, currencyDisplay: 'name', minimumFractionDigits: 0 } as const
  const parts = new Intl.NumberFormat('en', name).formatToParts(amount as `${number}`)
  return `${inWords(amount)} ${parts.find(({ type }) => type === 'currency')?.value ?? currency}`
}
