// When each rule of transaction monitoring fires, at its bounds.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fromNumeric } from '../values/money.ts'
import { bandOf, faultsOf, findAlerts, needsOf, ruleKinds, type Seen, windowOf } from './policies.rules.ts'
import type { Rule } from './policies.schemas.ts'

// A Monday; the next two TARGET days are Tuesday and Wednesday.
const today = '2026-11-16'

const money = (text: string) => fromNumeric(text)

function seen(changes: Partial<Seen> = {}): Seen {
  return {
    direction: 'OUTBOUND',
    amount: money('100'),
    currency: 'EUR',
    today,
    settles: today,
    countries: ['DEU'],
    days: [{ day: today, payments: 1, amount: money('100') }],
    paid_before: true,
    expected: null,
    similar: [{ day: today, amount: money('100') }],
    ...changes,
  }
}

const day = (date: string, payments: number, amount: string) => ({ day: date, payments, amount: money(amount) })

/** A rule, what it sees, and the figures that it returns; null if it does not fire. */
const rows: [what: string, rule: Rule, changes: Partial<Seen>, figures: object | null][] = [
  ['an amount at the bound', { kind: 'amount', above: '100' }, {}, null],
  ['an amount above it', { kind: 'amount', above: '99.99' }, {}, { amount: '100.0000' }],
  [
    'a sum of several days at the bound',
    { kind: 'sum', above: '300', days: 3 },
    { days: [day('2026-11-14', 2, '200'), day(today, 1, '100')] },
    null,
  ],
  [
    'a sum above it, with what settles the day after tomorrow',
    { kind: 'sum', above: '300', days: 3 },
    { days: [day('2026-11-14', 2, '200'), day(today, 1, '100'), day('2026-11-18', 1, '0.01')] },
    { sum: '300.0100', payments: 4 },
  ],
  [
    'what settled earlier, or settles later, does not count',
    { kind: 'sum', above: '300', days: 3 },
    { days: [day('2026-11-13', 2, '900'), day(today, 1, '100'), day('2026-11-19', 1, '900')] },
    null,
  ],
  [
    'a sum that is late, with what was to settle before it and since',
    { kind: 'sum', above: '300', days: 3 },
    {
      settles: '2026-10-01',
      days: [day('2026-09-28', 1, '900'), day('2026-09-29', 1, '200'), day('2026-10-01', 1, '100'), day(today, 1, '1')],
    },
    { sum: '301.0000', payments: 3 },
  ],
  ['a count at the bound', { kind: 'count', above: 3, days: 1 }, { days: [day(today, 3, '3')] }, null],
  ['a count above it', { kind: 'count', above: 3, days: 1 }, { days: [day(today, 4, '4')] }, { payments: 4, sum: '4.0000' }],
  ['a known payee', { kind: 'new_payee', above: '99' }, {}, null],
  ['a new payee and a small amount', { kind: 'new_payee', above: '100' }, { paid_before: false }, null],
  ['a new payee and a high amount', { kind: 'new_payee', above: '99' }, { paid_before: false }, { amount: '100.0000' }],
  ['who pays us is no payee', { kind: 'new_payee', above: '99' }, { paid_before: false, direction: 'INBOUND' }, null],
  ['nothing was declared', { kind: 'expected_volume' }, { days: [day(today, 1, '1000000')] }, null],
  ['what was declared', { kind: 'expected_volume' }, { expected: money('1000'), days: [day('2026-10-18', 9, '1000')] }, null],
  [
    'more than was declared, in thirty days',
    { kind: 'expected_volume' },
    { expected: money('1000'), days: [day('2026-10-18', 9, '1000'), day(today, 1, '0.01')] },
    { sum: '1000.0100', payments: 10, expected: '1000.0000', days: 30 },
  ],
  [
    'what is longer ago is another month',
    { kind: 'expected_volume' },
    { expected: money('1000'), days: [day('2026-10-17', 9, '1000'), day(today, 1, '0.01')] },
    null,
  ],
  ['a country that is not in the list', { kind: 'country', countries: ['IRN', 'PRK'] }, {}, null],
  ['a country in the list', { kind: 'country', countries: ['IRN', 'PRK'] }, { countries: ['DEU', 'PRK'] }, { countries: 'PRK' }],
]

for (const [what, rule, changes, figures] of rows) {
  test(`${rule.kind}: ${what}`, () => {
    assert.deepEqual(findAlerts([rule], seen(changes)), figures === null ? [] : [{ rule, figures }])
  })
}

const justBelow = { kind: 'just_below', threshold: '10000', share: '0.1', count: 3, days: 7 } as const

test('just_below: so many payments within the share below the threshold, this one included', () => {
  const like = (amount: string, date = today) => ({ day: date, amount: money(amount) })
  const find = (amount: string, similar: Seen['similar']) => findAlerts([justBelow], seen({ amount: money(amount), similar }))[0]?.figures
  const two = [like('9000', '2026-11-10'), like('10000')]
  assert.deepEqual(find('9999.99', [...two, like('9999.99')]), { payments: 3, least: '9000.0000', most: '10000.0000' })
  assert.equal(find('9999.99', [like('9000', '2026-11-09'), like('10000'), like('9999.99')]), undefined, 'one is too long ago')
  assert.equal(find('9999.99', [like('8999.99'), like('10000.01'), like('9999.99')]), undefined, 'two are not just below')
  assert.equal(find('8999.99', [...two, like('9999.99')]), undefined, 'this one is not just below')
  assert.equal(find('9500', two), undefined, 'too few')
})

test('the window ends with the longest lead of a rail', () => {
  assert.deepEqual(windowOf('2026-11-20', 1), { from: '2026-11-20', until: '2026-11-24' })
  assert.deepEqual(windowOf(today, 31), { from: '2026-10-17', until: '2026-11-18' })
  assert.deepEqual(windowOf(today, 31, '2026-11-01'), { from: '2026-10-02', until: '2026-11-18' })
  assert.deepEqual(windowOf(today, 31, '2026-11-17'), { from: '2026-10-17', until: '2026-11-18' })
  assert.deepEqual(windowOf(today, 31, '0001-01-02'), { from: '0001-01-01', until: '2026-11-18' })
  assert.deepEqual(bandOf({ ...justBelow, threshold: '100', share: '0.333' }, 'JPY'), { least: money('67'), most: money('100') })
})

test('only what a rule needs is looked up', () => {
  assert.deepEqual([...needsOf([])], [])
  const needed = (kind: Rule['kind']) => [...ruleKinds[kind].needs]
  assert.deepEqual(
    (Object.keys(ruleKinds) as Rule['kind'][]).map((kind) => [kind, needed(kind)]),
    [
      ['amount', []],
      ['sum', ['days']],
      ['count', ['days']],
      ['new_payee', ['payee']],
      ['expected_volume', ['days', 'expected']],
      ['country', []],
      ['just_below', ['similar']],
    ],
  )
})

test('rules that make no sense are named by their field', () => {
  const rules: Rule[] = [
    { kind: 'sum', above: '0.00', days: 1 },
    { kind: 'country', countries: ['FRA', 'FRA'] },
    { ...justBelow, threshold: '0' },
    { ...justBelow, share: '0.0' },
    { kind: 'amount', above: '0' },
    { kind: 'amount', above: '0' },
    justBelow,
  ]
  assert.deepEqual(
    faultsOf(rules).map(({ field }) => field),
    ['rules.0.above', 'rules.1.countries', 'rules.2.threshold', 'rules.3.share', 'rules.5'],
  )
})
