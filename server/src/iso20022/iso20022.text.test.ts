import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  addressIncomplete,
  endToEndIdOf,
  hybridAddress,
  isReasonCode,
  isSepaReference,
  isSepaText,
  meaningOf,
  messageIdOf,
  needsAddress,
  paymentTypeOf,
  reasonCodes,
  reasonOf,
  reasonWords,
  sepaName,
  sepaRemittance,
  sepaText,
  servesFor,
  statusCodes,
  txIdOf,
} from './iso20022.ts'

test('letters are transliterated, signs replaced by what is like them, and the rest becomes a dot', () => {
  const texts = [
    ["Ada O'Brien-Smith (1)", "Ada O'Brien-Smith (1)"],
    ['Müller & Söhne', 'Muller + Sohne'],
    ['Straße, STRAẞE', 'Strasse, STRASSE'],
    ['Žuvėdra Įmonė Łódź Đurić Øre Æther Œuvre Þór', 'Zuvedra Imone Lodz Duric Ore Aether Oeuvre Thor'],
    ['Şırnak Ağrı', 'Sirnak Agri'],
    ['Иван Жуков, Юлия Щербакова', 'Ivan Zhukov, Yuliya Shterbakova'],
    ['Γιώργος Χρήστου Ψαράς', 'Giorgos Christoy Psaras'],
    ['O’Brien – “Sons”', "O'Brien - .Sons."],
    ['a_b;c[d]{e}|f\\g~h`i', "a-b,c(d)(e)/f/g-h'i"],
    ['10€ @ 5%', '10E . 5.'],
    ['ﬁne ①', 'fine 1'],
    ['Ａｄａ\u00a0Ｌｏｖｅｌａｃｅ', 'Ada Lovelace'],
    ['张三 Li', '.. Li'],
    ['a\u0000b\tc\nd', 'a.b c d'],
    ['  two   spaces  ', 'two spaces'],
    ['e\u0301', 'e'],
    ['😀x', '.x'],
  ]
  for (const [given = '', sent] of texts) assert.deepEqual(sepaText(given, 140), { given, sent }, given)
})

test('what is sent is never longer than allowed and has allowed characters only; what was given is kept', () => {
  const property = fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 1, max: 140 }), (given, most) => {
    const made = sepaText(given, most)
    if (made === undefined) return
    assert.equal(made.given, given)
    assert.ok(made.sent.length >= 1 && made.sent.length <= most)
    assert.ok(isSepaText(made.sent) && made.sent.trim() === made.sent)
    assert.equal(sepaText(made.sent, most)?.sent, made.sent)
  })
  fc.assert(property, { numRuns: 500 })
})

test('names have 70 characters and remittances 140', () => {
  const long = 'word '.repeat(40)
  assert.equal(sepaName(long)?.sent, 'word '.repeat(14).trim())
  assert.equal(sepaRemittance(long)?.sent, 'word '.repeat(28).trim())
  assert.equal(sepaName('ß'.repeat(70))?.sent, 's'.repeat(70))
})

test('a text of which nothing would be left has no other form', () => {
  for (const text of ['', '   ', '张三', '😀', '...', '///']) assert.equal(sepaText(text, 70), undefined, text)
})

test('a reference is sent if banks can carry it, else the transaction id', () => {
  const txId = txIdOf('0198a000-0000-7000-8000-0000000000a1')
  assert.equal(txId, '0198a0000000700080000000000000a1')
  assert.equal(txId.length, 32)
  for (const reference of ['INV-1', 'a/b', 'x'.repeat(35)]) {
    assert.ok(isSepaReference(reference))
    assert.equal(endToEndIdOf(reference, txId), reference)
  }
  for (const reference of ['', '/a', 'a/', 'a//b', 'x'.repeat(36), 'ä', 'a_b', ' a', '...', null, undefined])
    assert.equal(endToEndIdOf(reference, txId), txId, String(reference))
})

test('a message id says whose it is, when and which', () => {
  const id = messageIdOf({ bic: 'VOSTLT21XXX', date: '2026-11-16', rail: 'S', number: 42n })
  assert.equal(id, 'VOSTLT2120261116S000000000042')
  assert.ok(isSepaReference(id))
  for (const wrong of [
    { rail: 'SEPA', number: 1 },
    { rail: 'S', number: 10n ** 12n },
    { rail: 'S', number: -1 },
  ])
    assert.throws(() => messageIdOf({ bic: 'VOSTLT21XXX', date: '2026-11-16', ...wrong }), RangeError)
})

test('the type of a payment may stand in the heading of its message', () => {
  const [own, common] = [{ service_level: 'SEPA', local_instrument: 'INST' }, { service_level: 'SEPA' }]
  assert.equal(paymentTypeOf<object>({ payment_type: common }, { payment_type: own }), own)
  assert.equal(paymentTypeOf({ payment_type: common }, {}), common)
  assert.equal(paymentTypeOf({}, {}), undefined)
})

test('an address is hybrid: town and country in fields, the rest in two lines', () => {
  const berlin = { address: 'Hauptstraße 12', city: 'Köln', postal_code: '50667', country: 'DEU' }
  assert.deepEqual(hybridAddress(berlin), { postal_code: '50667', town: 'Koln', country: 'DE', lines: ['Hauptstrasse 12'] })
  assert.deepEqual(hybridAddress({ city: 'Vilnius', country: 'LTU' }), { town: 'Vilnius', country: 'LT' })
  const long = hybridAddress({ ...berlin, address: `${'Avenue '.repeat(12)}${'Nord '.repeat(20)}` })
  assert.deepEqual(long?.lines?.length, 2)
  for (const line of long?.lines ?? []) assert.ok(line.length <= 70 && line.trim() === line && /^(Avenue|Nord)/.test(line), line)
  assert.deepEqual(hybridAddress({ ...berlin, address: 'x'.repeat(200) })?.lines, ['x'.repeat(70), 'x'.repeat(70)])
})

test('without a town or a country no address is written', () => {
  for (const missing of [
    { city: null, country: 'DEU' },
    { city: '北京', country: 'CHN' },
    { city: 'Berlin', country: null },
    { city: 'Berlin', country: 'XXX' },
    {},
  ])
    assert.equal(hybridAddress({ address: 'Hauptstrasse 12', ...missing }), undefined)
  assert.equal(addressIncomplete, 'address_incomplete')
})

test('an address is needed if a bank is outside the European Economic Area', () => {
  const [lithuania, germany, switzerland] = ['LT601010012345678901', 'DE89370400440532013000', 'CH9300762011623852957']
  assert.equal(needsAddress(lithuania, germany), false)
  assert.equal(needsAddress(lithuania, switzerland), true)
  assert.equal(needsAddress(switzerland, germany), true)
})

test('codes have words, and an unknown code is named', () => {
  for (const [code, { words, uses }] of Object.entries(reasonCodes)) {
    assert.match(code, /^[A-Z0-9]{4}$/)
    assert.match(words, /^[A-Z].*\.$/)
    assert.ok(uses.length > 0)
  }
  assert.equal(reasonWords('AC04'), 'The account is closed.')
  assert.equal(reasonWords('ZZ99'), 'The other bank gave the reason ZZ99.')
  assert.deepEqual(reasonOf([{ information: ['x'] }, { code: 'AC04', information: ['Closed in May'] }]), {
    code: 'AC04',
    words: 'The account is closed. Closed in May',
  })
  assert.deepEqual(reasonOf([{ proprietary: 'NARR' }]), { code: 'NARR', words: 'The other bank gave the reason NARR.' })
  assert.equal(reasonOf([{}]), undefined)
  assert.equal(reasonOf(undefined), undefined)
  assert.ok(isReasonCode('AC04') && !isReasonCode('toString'))
  assert.ok(servesFor('DUPL', 'recall') && !servesFor('AC01', 'recall'))
  for (const { words } of Object.values(statusCodes)) assert.match(words, /^[A-Z].*\.$/)
  assert.deepEqual(['ACSC', 'ACSP', 'RJCT', 'PDNG', 'PART', 'ZZZZ'].map(meaningOf), [
    'settled',
    'accepted',
    'rejected',
    'pending',
    'partly',
    undefined,
  ])
})
