// Matching: each rule, their precedence, and each kind of break. And whether a statement is the next one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { entryOf, statementOf } from '../testing/testing.nostros.ts'
import { fromNumeric } from '../values/money.ts'
import { type Candidates, decideItems, type Row } from './reconciliation.matching.ts'
import { type Item, itemsOf, newStatement, refusalOf } from './reconciliation.statement.ts'

const day = '2026-11-16'
const noRow: Row = {
  venture_id: 'v',
  id: '',
  attempt: 1,
  rail: 'SEPA',
  amount: 0n,
  isBooked: true,
  isMatched: false,
  missing: null,
  expected_on: day,
  pack_id: null,
  message_id: null,
  references: [],
  counterparty_name: null,
  counterparty_iban: null,
}
const noItem: Item = {
  amount: 0n,
  booked_on: day,
  value_on: day,
  servicer_reference: null,
  part: 0,
  message_id: null,
  tx_id: null,
  end_to_end_id: null,
  counterparty_name: null,
  counterparty_iban: null,
  transaction_code: null,
  information: null,
}

type GivenRow = Partial<Omit<Row, 'amount'>> & { id: string; amount: string }
type GivenItem = Partial<Omit<Item, 'amount'>> & { amount: string }

const rowOf = ({ amount, ...given }: GivenRow): Row => ({ ...noRow, references: [given.id], ...given, amount: fromNumeric(amount) })
const itemOf = ({ amount, ...given }: GivenItem): Item => ({ ...noItem, ...given, amount: fromNumeric(amount) })

function candidatesOf(rows: readonly Row[]): Candidates {
  return {
    pack: (message_id) => rows.filter((row) => row.message_id === message_id),
    named: (reference) => rows.filter(({ references }) => references.includes(reference)),
    alike: () => rows,
  }
}

/** For each item its payments, how they were found, and its break with the difference. */
function decide(rows: readonly GivenRow[], items: readonly GivenItem[]): string[] {
  return decideItems(items.map(itemOf), candidatesOf(rows.map(rowOf))).map(({ rows: found, by, broken }) =>
    [
      found.map(({ id }) => id).join('+'),
      by,
      broken && `${broken.kind} ${Number(broken.difference) / 10_000} ${broken.row?.id ?? broken.pack_id ?? ''}`.trim(),
    ]
      .filter((word) => word !== null && word !== '')
      .join(' '),
  )
}

const inPack = { message_id: 'M', pack_id: 'P' }
const alike = { counterparty_iban: 'DE1', expected_on: day }

const table: [why: string, rows: GivenRow[], items: GivenItem[], expected: string[]][] = [
  [
    'a pack by its message and sum',
    [
      { id: 'a', amount: '-10', ...inPack },
      { id: 'b', amount: '-5', ...inPack },
    ],
    [{ amount: '-15', message_id: 'M' }],
    ['a+b PACK'],
  ],
  ['a payment by the id of its transaction', [{ id: 'a', amount: '-10' }], [{ amount: '-10', tx_id: 'a' }], ['a REFERENCE']],
  [
    'a payment by its end-to-end id',
    [{ id: 'a', amount: '-10', references: ['t', 'e'] }],
    [{ amount: '-10', end_to_end_id: 'e' }],
    ['a REFERENCE'],
  ],
  [
    'a single payment of a pack',
    [
      { id: 'a', amount: '-10', ...inPack },
      { id: 'b', amount: '-5', ...inPack },
    ],
    [{ amount: '-5', message_id: 'M', tx_id: 'b' }],
    ['b REFERENCE'],
  ],
  ['what is alike, if there is one', [{ id: 'a', amount: '7', ...alike }], [{ amount: '7', counterparty_iban: 'DE1' }], ['a LIKENESS']],
  [
    'names without case, accents and punctuation, if an account is not given',
    [{ id: 'a', amount: '7', counterparty_name: 'Žuvėdra & Co.', counterparty_iban: 'DE1' }],
    [{ amount: '7', counterparty_name: 'ZUVEDRA CO' }],
    ['a LIKENESS'],
  ],
  [
    'nothing that is alike, if there are two',
    [
      { id: 'a', amount: '7', ...alike },
      { id: 'b', amount: '7', ...alike },
    ],
    [{ amount: '7', counterparty_iban: 'DE1' }],
    ['UNKNOWN 7'],
  ],
  [
    'not another day',
    [{ id: 'a', amount: '7', ...alike, expected_on: '2026-11-13' }],
    [{ amount: '7', counterparty_iban: 'DE1' }],
    ['UNKNOWN 7'],
  ],
  ['not another counterparty', [{ id: 'a', amount: '7', ...alike }], [{ amount: '7', counterparty_iban: 'DE2' }], ['UNKNOWN 7']],
  ['not without a counterparty', [{ id: 'a', amount: '7' }], [{ amount: '7' }], ['UNKNOWN 7']],
  [
    'a reference before likeness, whatever the order of the entries',
    [{ id: 'a', amount: '7', ...alike }],
    [
      { amount: '7', counterparty_iban: 'DE1' },
      { amount: '7', tx_id: 'a' },
    ],
    ['UNKNOWN 7', 'a REFERENCE'],
  ],
  ['another direction is another payment', [{ id: 'a', amount: '-10' }], [{ amount: '10', tx_id: 'a' }], ['UNKNOWN 10']],
  ['another amount', [{ id: 'a', amount: '-10' }], [{ amount: '-10.11', tx_id: 'a' }], ['a REFERENCE OTHER_AMOUNT -0.11 a']],
  [
    'the right amount before another one',
    [{ id: 'a', amount: '-10' }],
    [
      { amount: '-11', tx_id: 'a' },
      { amount: '-10', tx_id: 'a' },
    ],
    ['DUPLICATE -11 a', 'a REFERENCE'],
  ],
  [
    'twice on one statement',
    [{ id: 'a', amount: '-10' }],
    [
      { amount: '-10', tx_id: 'a' },
      { amount: '-10', tx_id: 'a' },
    ],
    ['a REFERENCE', 'DUPLICATE -10 a'],
  ],
  ['on another statement before', [{ id: 'a', amount: '-10', isMatched: true }], [{ amount: '-10', tx_id: 'a' }], ['DUPLICATE -10 a']],
  ['not booked', [{ id: 'a', amount: '-10', isBooked: false }], [{ amount: '-10', tx_id: 'a' }], ['UNBOOKED -10 a']],
  ['not booked, with another amount', [{ id: 'a', amount: '-10', isBooked: false }], [{ amount: '-9', tx_id: 'a' }], ['UNBOOKED -9 a']],
  ['missing so far', [{ id: 'a', amount: '-10', missing: 'OPEN' }], [{ amount: '-10', tx_id: 'a' }], ['a REFERENCE']],
  ['written off as missing', [{ id: 'a', amount: '-10', missing: 'WRITTEN_OFF' }], [{ amount: '-10', tx_id: 'a' }], ['LATE -10 a']],
  ['a reference that nobody knows', [{ id: 'a', amount: '-10' }], [{ amount: '-10', tx_id: 'x' }], ['UNKNOWN -10']],
  [
    'a second attempt after a first one that was refused',
    [
      { id: 'a', amount: '-10', isBooked: false },
      { id: 'a', attempt: 2, amount: '-10' },
    ],
    [{ amount: '-10', tx_id: 'a' }],
    ['a REFERENCE'],
  ],
  [
    'a pack with another sum',
    [
      { id: 'a', amount: '-10', ...inPack },
      { id: 'b', amount: '-5', ...inPack },
    ],
    [{ amount: '-14', message_id: 'M' }],
    ['a+b PACK OTHER_AMOUNT 1 P'],
  ],
  [
    'a pack twice',
    [{ id: 'a', amount: '-10', ...inPack }],
    [
      { amount: '-10', message_id: 'M' },
      { amount: '-10', message_id: 'M' },
    ],
    ['a PACK', 'DUPLICATE -10 P'],
  ],
  [
    'a pack of which a payment is not booked',
    [
      { id: 'a', amount: '-10', ...inPack },
      { id: 'b', amount: '-5', ...inPack, isBooked: false },
    ],
    [{ amount: '-15', message_id: 'M' }],
    ['UNBOOKED -15 P'],
  ],
  [
    'the rest of a pack',
    [
      { id: 'a', amount: '-10', ...inPack, isMatched: true },
      { id: 'b', amount: '-5', ...inPack },
    ],
    [{ amount: '-5', message_id: 'M' }],
    ['b PACK'],
  ],
  [
    'a pack that was written off',
    [{ id: 'a', amount: '-10', ...inPack, missing: 'WRITTEN_OFF' }],
    [{ amount: '-10', message_id: 'M' }],
    ['LATE -10 P'],
  ],
]

for (const [why, rows, items, expected] of table) {
  test(`an entry stands for: ${why}`, () => {
    assert.deepEqual(decide(rows, items), expected)
  })
}

const whole = () => true
const never = () => false

test('an entry with several payments is taken apart if they add up, and stays whole if it stands for a pack', () => {
  const entry = entryOf(
    {
      amount: '-15',
      message_id: 'M',
      parts: [
        { amount: '-10', tx_id: 'a' },
        { amount: '-5', tx_id: 'b' },
      ],
    },
    day,
  )
  const of = (items: readonly Item[]) =>
    items.map(({ amount, tx_id, message_id, part }) => [Number(amount) / 10_000, tx_id, message_id, part])
  assert.deepEqual(of(itemsOf(entry, day, never)), [
    [-10, 'a', 'M', 0],
    [-5, 'b', 'M', 1],
  ])
  assert.deepEqual(of(itemsOf(entry, day, whole)), [[-15, null, 'M', 0]])
  assert.deepEqual(of(itemsOf({ ...entry, amount: fromNumeric('-16') }, day, never)), [[-16, null, 'M', 0]])
})

test('an entry names the other side, and references that are not provided are none', () => {
  const [out] = itemsOf(entryOf({ amount: '-1', tx_id: 't', end_to_end_id: 'NOTPROVIDED', name: 'Ada', iban: 'DE1' }, day), day, never)
  assert.deepEqual(
    [out?.counterparty_name, out?.counterparty_iban, out?.tx_id, out?.end_to_end_id, out?.transaction_code],
    ['Ada', 'DE1', 't', null, 'PMNT/ICDT/ESCT'],
  )
  const [into] = itemsOf(entryOf({ amount: '1', name: 'Grace', iban: 'de2' }, day), day, never)
  assert.deepEqual([into?.counterparty_name, into?.counterparty_iban], ['Grace', 'DE2'])
  const { booked_on: _booked, value_on: _value, ...undated } = entryOf({ amount: '1' }, day)
  assert.deepEqual(itemsOf(undated, day, never)[0]?.booked_on, day)
  const datesOf = (dates: { booked_on?: string; value_on?: string }) => {
    const [item] = itemsOf({ ...undated, ...dates }, day, never)
    return [item?.booked_on, item?.value_on]
  }
  assert.deepEqual(datesOf({ booked_on: '2026-11-02', value_on: '2026-11-04' }), ['2026-11-02', '2026-11-04'])
  assert.deepEqual(datesOf({ booked_on: '2026-11-02' }), ['2026-11-02', '2026-11-02'])
  assert.deepEqual(datesOf({ value_on: '2026-11-04' }), ['2026-11-04', '2026-11-04'])
  assert.deepEqual(datesOf({}), [day, day])
})

const nostro = { currency: 'EUR', prefunding: fromNumeric('100') }
const last = { sequence: 7, closing: fromNumeric('80'), closed_on: day }
const next = { account: 'DE1', sequence: 8, date: '2026-11-17', opening: '80', entries: [{ amount: '-5' }] }

const sequences: [why: string, given: Partial<typeof next> & { closing?: string }, before: typeof last | undefined, reason?: string][] = [
  ['the next one', {}, last],
  ['the first one begins with the prefunding, whatever its number', { opening: '100', sequence: 33 }, undefined],
  ['the first one begins elsewhere', {}, undefined, 'opening_differs'],
  ['one is left out', { sequence: 9 }, last, 'sequence_differs'],
  ['an older one', { sequence: 7 }, last, 'sequence_differs'],
  ['the first one of a year', { sequence: 1, date: '2027-01-04' }, last],
  ['number 1 in the same year', { sequence: 1 }, last, 'sequence_differs'],
  ['it begins elsewhere', { opening: '81' }, last, 'opening_differs'],
  ['its entries do not lead to its end', { closing: '74' }, last, 'balances_differ'],
  ['it ends before the one before', { date: '2026-11-13' }, last, 'date_differs'],
]

for (const [why, given, before, reason] of sequences) {
  test(`a statement: ${why}`, () => {
    const refused = refusalOf(nostro, before, newStatement(statementOf({ ...next, ...given })))
    assert.equal(refused?.reason, reason, refused?.detail ?? 'not refused')
  })
}

test('a statement without a number, or in another currency, is refused', () => {
  const statement = newStatement(statementOf(next))
  assert.equal(refusalOf(nostro, last, { ...statement, sequence: undefined })?.reason, 'sequence_missing')
  assert.equal(refusalOf(nostro, last, { ...statement, currency: 'USD' })?.reason, 'currency_differs')
  assert.match(refusalOf(nostro, last, { ...statement, sequence: 9 })?.detail ?? '', /number is 9, but the next is 8/)
})
