// No text becomes an amount that its author could not have meant. What a text can mean is found here without the code that reads it: every notation
// is tried, and a number is a meaning of the text if it is written so in one of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Reading, readAmount } from './amount.reading.ts'
import { typedForm, written } from './amount.words.ts'

const locales = ['en', 'de', 'fr', 'ar', 'ar-EG', 'en-IN', 'sd'] as const

type Notation = { digits: string; decimal: string; group: string; sizes: readonly number[] }

const digits = ['0123456789', '٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹']
const groups = ['', '.', ',', ' ', '\u00a0', '\u2007', '\u2009', '\u202f', "'", '’', '٬']

/** More notations than are in use: every decimal mark with every thousands separator, also in the Indian form. */
const notations: readonly Notation[] = digits.flatMap((system) =>
  ['.', ',', '٫'].flatMap((decimal) =>
    groups
      .filter((group) => group !== decimal)
      .flatMap((group) => [[3], [3, 2]].map((sizes) => ({ digits: system, decimal, group, sizes }))),
  ),
)

/** `1234567.50` in a notation, which keeps all decimals that it is given. */
function writtenIn(amount: string, { digits: system, decimal, group, sizes }: Notation): string {
  const [whole = '', fraction] = amount.split('.')
  const pieces: string[] = []
  let rest = group === '' ? '' : whole
  for (let at = 0; rest !== ''; at++) {
    const size = sizes[Math.min(at, sizes.length - 1)] ?? 3
    pieces.unshift(rest.slice(-size))
    rest = rest.slice(0, -size)
  }
  const text = `${group === '' ? whole : pieces.join(group)}${fraction === undefined ? '' : `${decimal}${fraction}`}`
  return text.replaceAll(/\d/g, (digit) => system[Number(digit)] ?? '')
}

/** What a text can mean: all numbers with so many decimals that are written like it in a notation. */
function meaningsOf(text: string, decimals: number): Set<string> {
  const found = new Set<string>()
  // A mark that is not in the text makes no difference.
  for (const notation of notations.filter(({ decimal, group }) => text.includes(group) && (decimal !== '٫' || text.includes(decimal)))) {
    const latin = [...text].map((one) => (notation.digits.includes(one) ? String(notation.digits.indexOf(one)) : one)).join('')
    const at = latin.indexOf(notation.decimal)
    const whole = (at === -1 ? latin : latin.slice(0, at)).split(notation.group).join('')
    const fraction = at === -1 ? '' : latin.slice(at + 1)
    if (!/^(0|[1-9]\d*)$/.test(whole) || !/^\d*$/.test(fraction)) continue
    if (writtenIn(at === -1 ? whole : `${whole}.${fraction}`, notation) !== text) continue
    const needed = fraction.replace(/0+$/, '')
    if (needed.length <= decimals) found.add(needed === '' ? whole : `${whole}.${needed}`)
  }
  return found
}

const currencies = { JPY: 0, EUR: 2, KWD: 3, CLF: 4 } as const
type Currency = keyof typeof currencies

const read = (text: string, locale: string, currency: Currency = 'EUR'): Reading =>
  readAmount(text, { locale, decimals: currencies[currency], unit: currency })

const amount = (text: string) => ({ kind: 'amount', amount: text })
const question = (...meanings: string[]) => ({ kind: 'question', meanings })

test('a point and a comma are both understood before decimals', () => {
  for (const locale of locales) {
    for (const text of ['1,50', '1.50', '1,5', '1.5', '١٫٥', '١٫٥٠', '۱٫۵', '١.٥'])
      assert.deepEqual(read(text, locale), amount('1.5'), text)
    for (const text of [
      '1.234,56',
      '1,234.56',
      '1 234,56',
      '1\u00a0234,56',
      '1\u202f234.56',
      "1'234.56",
      '1’234,56',
      '١٬٢٣٤٫٥٦',
      ' 1234.56 ',
    ])
      assert.deepEqual(read(text, locale), amount('1234.56'), text)
    for (const text of ['1,234,567', '1.234.567', '1 234 567', "1'234'567", '١٬٢٣٤٬٥٦٧', '1234567'])
      assert.deepEqual(read(text, locale), amount('1234567'), text)
    for (const text of ['1 500', "1'500", '١٬٥٠٠', '1500', '1500.00', '1,500.00', '1.500,00'])
      assert.deepEqual(read(text, locale), amount('1500'), text)
    for (const text of ['1,00,000', '1,00,000.00']) assert.deepEqual(read(text, locale), amount('100000'), text)
    assert.deepEqual(read('12,34,567.50', locale), amount('1234567.5'))
    assert.deepEqual(read('١٬٢٣٤.٥٦', locale), amount('1234.56'))
    assert.deepEqual(read('0,50', locale), amount('0.5'))
  }
})

test('what could mean two amounts is asked', () => {
  for (const locale of locales)
    for (const text of ['1,500', '1.500', '١,٥٠٠']) {
      assert.deepEqual(read(text, locale), question('1500', '1.5'))
      assert.deepEqual(read(text, locale, 'KWD'), question('1500', '1.5'))
    }
  assert.deepEqual(read('12,000', 'en'), question('12000', '12'))
  assert.deepEqual(read('1,234', 'en', 'KWD'), question('1234', '1.234'))
  assert.deepEqual(read('1.000', 'de', 'JPY'), question('1000', '1'))
})

test('the decimals of the currency decide what can be meant', () => {
  assert.deepEqual(read('1,234', 'en'), amount('1234'))
  assert.deepEqual(read('1.234', 'de'), amount('1234'))
  assert.deepEqual(read('1,500', 'en', 'JPY'), amount('1500'))
  assert.deepEqual(read('1,5000', 'en', 'CLF'), amount('1.5'))
  assert.deepEqual(read('0,500', 'fr', 'KWD'), amount('0.5'))
  assert.deepEqual(read('1234,500', 'fr', 'KWD'), amount('1234.5'))
  assert.deepEqual(read('1,234.500', 'fr', 'KWD'), amount('1234.5'))
  assert.deepEqual(read('1.505', 'fr', 'KWD'), question('1505', '1.505'))
})

test('a mark that the person does not write between thousands is asked about, even if only thousands are possible', () => {
  assert.deepEqual(read('1.234', 'en'), question('1234'))
  assert.deepEqual(read('1,234', 'de'), question('1234'))
  for (const text of ['1,234', '1.234']) assert.deepEqual(read(text, 'fr'), question('1234'))
})

test('what cannot be meant is refused with a sentence', () => {
  for (const [text, why, currency = 'EUR'] of [
    ['-1', 'Write it without a sign.'],
    ['−1', 'Write it without a sign.'],
    ['+1', 'Write it without a sign.'],
    ['1–2', 'Write it without a sign.'],
    ['1e3', 'Use digits only, without letters or a currency sign.'],
    ['€ 5', 'Use digits only, without letters or a currency sign.'],
    ['5 EUR', 'Use digits only, without letters or a currency sign.'],
    ['ten', 'Use digits only, without letters or a currency sign.'],
    ['1\u200e5', 'It contains an invisible character. Type it again.'],
    ['\u202e15', 'It contains an invisible character. Type it again.'],
    ['1\u200b5', 'It contains an invisible character. Type it again.'],
    ['1\t5', 'It contains an invisible character. Type it again.'],
    ['1٥', 'Use one kind of digits, with a point or comma before the decimals.'],
    ['½', 'Use one kind of digits, with a point or comma before the decimals.'],
    ['1/2', 'Use one kind of digits, with a point or comma before the decimals.'],
    ['५', 'Use one kind of digits, with a point or comma before the decimals.'],
    ['.5', 'Add a digit before the decimal mark, such as 0.50.'],
    ['5,', 'Add decimals after the mark, or remove it.'],
    ['007', 'Remove the leading zero.'],
    ['00,50', 'Remove the leading zero.'],
    ['1.2.3', 'The separators are misplaced. Write it as 1234.56.'],
    ['1,,500', 'The separators are misplaced. Write it as 1234.56.'],
    ['1 50', 'The separators are misplaced. Write it as 1234.56.'],
    ['1.00.000', 'The separators are misplaced. Write it as 1234.56.'],
    ['1,00,00', 'The separators are misplaced. Write it as 1234.56.'],
    ['100,00,000', 'The separators are misplaced. Write it as 1234.56.'],
    ['1,00,000,000', 'The separators are misplaced. Write it as 1234.56.'],
    ['1.234.567.89', 'The separators are misplaced. Write it as 1234.56.'],
    ["1'234 567", 'The separators are misplaced. Write it as 1234.56.'],
    ['1234567890123456', 'It is too large.'],
    ['1234567890123456.5', 'It is too large.'],
    ['0', 'It must be greater than zero.'],
    ['0,00', 'It must be greater than zero.'],
    ['1,2345', 'EUR has at most 2 decimals.'],
    ['0.500', 'EUR has at most 2 decimals.'],
    ['1.50', 'JPY has no decimals.', 'JPY'],
    ['1.00', 'JPY has no decimals.', 'JPY'],
  ] as const)
    assert.deepEqual(read(text, 'en', currency), { kind: 'refused', why }, text)
})

test('nothing is nothing, and zero is an amount where it makes sense', () => {
  for (const text of ['', ' ', '\u00a0']) assert.deepEqual(read(text, 'en'), { kind: 'empty' })
  for (const text of ['0', '0,00', '٠'])
    assert.deepEqual(readAmount(text, { locale: 'en', decimals: 2, unit: 'EUR', isZeroAllowed: true }), amount('0'))
})

const currency = fc.constantFrom<Currency>('JPY', 'EUR', 'KWD', 'CLF')
const reader = fc.constantFrom(...locales)

/** Digits and marks as they come, and now and then something else. */
const anyText = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...'0123456789') },
      { weight: 2, arbitrary: fc.constantFrom('000', '500', '234', '00', '50') },
      { weight: 4, arbitrary: fc.constantFrom('.', ',') },
      { weight: 1, arbitrary: fc.constantFrom(...' \u00a0\u202f\u2009', "'", '’', '٫', '٬', '٥', '٠', '۵', '-', 'e', '\u200e', '·', '/') },
    ),
    { minLength: 1, maxLength: 8 },
  )
  .map((parts) => parts.join(''))

test('of 50,000 texts none becomes an amount that it does not mean, and none that means two is taken for one', () => {
  let [amounts, questions] = [0, 0]
  fc.assert(
    fc.property(anyText, reader, currency, (text, locale, money) => {
      const reading = read(text, locale, money)
      const meanings = [...meaningsOf(text.trim(), currencies[money])]
      if (reading.kind === 'amount') assert.deepEqual([reading.amount], meanings)
      if (reading.kind === 'question') assert.deepEqual([...reading.meanings].toSorted(), meanings.toSorted())
      amounts += Number(reading.kind === 'amount')
      questions += Number(reading.kind === 'question')
    }),
    { numRuns: 50_000, seed: 1 },
  )
  assert.ok(amounts > 5_000 && questions > 300, `${amounts} amounts, ${questions} questions`)
})

/** A person who writes an amount in a locale's notation, with any number of trailing zeros. */
const author = fc
  .record({
    locale: fc.constantFrom(...locales, 'de-CH', 'es', 'en-IN', 'ar-MA', 'fa'),
    whole: fc.oneof(fc.nat(9), fc.nat(9_999), fc.nat(99_999_999), fc.constantFrom(1_000, 1_500, 12_000, 100_000)),
    fraction: fc.constantFrom('', '', '', '5', '50', '05', '25', '00', '500', '250', '000', '125', '001', '1250', '0000'),
    isGrouped: fc.boolean(),
  })
  .map(({ locale, whole, fraction, isGrouped }) => {
    const meant = fraction === '' ? String(whole) : `${whole}.${fraction}`
    return { locale, meant, text: formatOf(locale, isGrouped, fraction.length).format(meant as `${number}`) }
  })

const formats = new Map<string, Intl.NumberFormat>()

/** To make one takes longer than to use it. */
function formatOf(locale: string, useGrouping: boolean, decimals: number): Intl.NumberFormat {
  const key = `${locale} ${useGrouping} ${decimals}`
  const made =
    formats.get(key) ?? new Intl.NumberFormat(locale, { useGrouping, minimumFractionDigits: decimals, maximumFractionDigits: decimals })
  formats.set(key, made)
  return made
}

test('of 50,000 people who mean an amount each is understood, asked or refused, and nobody gets another amount', () => {
  let understood = 0
  fc.assert(
    fc.property(author, reader, currency, ({ locale, meant, text }, used, money) => {
      const wanted = meant.includes('.') ? meant.replace(/\.?0+$/, '') : meant
      const decimals = wanted.split('.')[1]?.length ?? 0
      // Nobody means an amount that the currency does not have.
      fc.pre(decimals <= currencies[money] && wanted !== '0')
      const reading = read(text, used, money)
      if (reading.kind === 'amount') assert.equal(reading.amount, wanted)
      if (reading.kind === 'question') assert.ok(reading.meanings.includes(wanted))
      const isPlain = (meant.split('.')[1]?.length ?? 0) <= currencies[money] && locale === used
      if (isPlain) assert.ok(reading.kind === 'amount' || reading.kind === 'question', `${text} is refused where people write so`)
      understood += Number(reading.kind === 'amount')
    }),
    { numRuns: 50_000, seed: 1 },
  )
  assert.ok(understood > 20_000, `${understood} understood`)
})

/** Every language that is known here, in two letters or three, and places where numbers are written in another way. */
function everyLocale(): string[] {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const two = letters.flatMap((one) => letters.map((other) => one + other))
  const languages = Intl.NumberFormat.supportedLocalesOf([...two, ...two.flatMap((pair) => letters.map((one) => pair + one))])
  const places = ['ar-AE', 'ar-EG', 'ar-MA', 'de-AT', 'de-CH', 'de-LI', 'en-CH', 'en-IN', 'en-ZA', 'es-419', 'es-MX', 'fa-AF', 'ff-Adlm']
  const more = ['fr-CA', 'fr-CH', 'it-CH', 'ks-Deva', 'pa-Arab', 'pt-PT', 'sd-Deva', 'ta-LK', 'ur-IN', 'uz-Arab', 'zh-Hant', 'th-u-nu-thai']
  return [...languages, ...places, ...more]
}

test('in every language, what a form shows is read as the same amount, or asked', () => {
  const known = everyLocale()
  assert.ok(known.length > 200, `${known.length} locales`)
  for (const locale of known)
    for (const [meant, wanted] of [
      ['5', '5'],
      ['1500', '1500'],
      ['123456', '123456'],
      ['12345.67', '12345.67'],
      ['1234567.50', '1234567.5'],
    ] as const)
      for (const money of ['EUR', 'KWD'] as const)
        for (const text of [typedForm(meant, locale), written(meant, locale)]) {
          const reading = read(text, locale, money)
          const meanings = reading.kind === 'amount' ? [reading.amount] : reading.kind === 'question' ? reading.meanings : []
          assert.ok(meanings.includes(wanted), `${text} in ${locale} is ${JSON.stringify(reading)}`)
        }
})

test('what is written for a person is read as the same amount, or asked', () => {
  fc.assert(
    fc.property(fc.nat(99_999_999), fc.constantFrom('', '.50', '.05'), reader, (whole, fraction, locale) => {
      fc.pre(whole > 0)
      const meant = `${whole}${fraction}`
      const reading = read(written(meant, locale), locale)
      const wanted = meant.replace(/\.(\d)0$/, '.$1')
      assert.ok(reading.kind === 'amount' ? reading.amount === wanted : reading.kind === 'question' && reading.meanings.includes(wanted))
    }),
    { numRuns: 2_000, seed: 1 },
  )
})
