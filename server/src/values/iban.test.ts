import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { bbanLengthOf, countryOfIban, isEeaIban, isSepaIban, makeIban, parseIban } from './iban.ts'

// The example of the SWIFT registry, release 102, for each of its 89 countries.
const examples = `
  AD1200012030200359100100 AE070331234567890123456 AL47212110090000000235698741 AT611904300234573201 AZ21NABZ00000000137010001944
  BA391290079401028494 BE68539007547034 BG80BNBG96611020345678 BH67BMAG00001299123456 BI4210000100010000332045181
  BR1800360305000010009795493C1 BY13NBRB3600900000002Z00AB00 CH9300762011623852957 CR05015202001026284066
  CY17002001280000001200527600 CZ6508000000192000145399 DE89370400440532013000 DJ2100010000000154000100186 DK5000400440116243
  DO28BAGR00000001212453611324 EE382200221020145685 EG380019000500000000263180002 ES9121000418450200051332 FI2112345600000785
  FK88SC123456789012 FO6264600001631634 FR1420041010050500013M02606 GB29NWBK60161331926819 GE29NB0000000101904917
  GI75NWBK000000007099453 GL8964710001000206 GR1601101250000000012300695 GT82TRAJ01020000001210029690 HN88CABF00000000000250005469
  HR1210010051863000160 HU42117730161111101800000000 IE29AIBK93115212345678 IL620108000000099999999 IQ98NBIQ850123456789012
  IS140159260076545510730339 IT60X0542811101000000123456 JO94CBJO0010000000000131000302 KW81CBKU0000000000001234560101
  KZ86125KZT5004100100 LB62099900000001001901229114 LC55HEMM000100010012001200023015 LI21088100002324013AA LT121000011101001000
  LU280019400644750000 LV80BANK0000435195001 LY83002048000020100120361 MC5811222000010123456789030 MD24AG000225100013104168
  ME25505000012345678951 MK07250120000058984 MN121234123456789123 MR1300020001010000123456753 MT84MALT011000012345MTLCAST001S
  MU17BOMM0101101030300200000MUR NI45BAPR00000013000003558124 NL91ABNA0417164300 NO9386011117947 OM810180000001299123456
  PK36SCBL0000001123456702 PL61109010140000071219812874 PS92PALS000000000400123456702 PT50000201231234567890154
  QA58DOHB00001234567890ABCDEFG RO49AAAA1B31007593840000 RS35260005601001611379 RU0304452522540817810538091310419
  SA0380000000608010167519 SC18SSCB11010000000000001497USD SD2129010501234001 SE4550000000058398257466 SI56263300012039086
  SK3112000000198742637541 SM86U0322509800000000270100 SO211000001001000100141 ST23000100010051845310146
  SV62CENR00000000000000700025 TL380080012345678910157 TN5910006035183598478831 TR330006100519786457841326
  UA213223130000026007233566001 VA59001123000012345678 VG96VPVG0000012345678901 XK051212012345678906 YE15CBYE0001018861234567891234
`
  .trim()
  .split(/\s+/)
const example = fc.constantFrom(...examples)

test('the example of every country in the registry is an IBAN', () => {
  assert.equal(new Set(examples.map(countryOfIban)).size, 89)
  for (const iban of examples) {
    assert.equal(parseIban(iban), iban)
    assert.equal(parseIban(iban.toLowerCase()), iban)
    assert.equal(makeIban(countryOfIban(iban), iban.slice(4)), iban)
    assert.equal(bbanLengthOf(countryOfIban(iban)), iban.length - 4)
  }
})

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

test('a change of one digit or letter is always detected', () => {
  for (const iban of examples) {
    for (const [at, character] of [...iban].entries()) {
      for (const other of digits.includes(character) ? digits : letters) {
        if (other !== character)
          assert.equal(parseIban(iban.slice(0, at) + other + iban.slice(at + 1)), undefined, `${iban} at ${at}: ${other}`)
      }
    }
  }
})

// A letter and a digit can be swapped undetected: B1, M2 and X3 have the same checksum as 1B, 2M and 3X.
test('two swapped neighbouring digits are detected', () => {
  fc.assert(
    fc.property(example, fc.nat(40), (iban, place) => {
      const at = 4 + (place % (iban.length - 5))
      const [first = '', second = ''] = iban.slice(at, at + 2)
      fc.pre(first !== second && digits.includes(first) && digits.includes(second))
      assert.equal(parseIban(iban.slice(0, at) + second + first + iban.slice(at + 2)), undefined)
    }),
  )
})

test('an IBAN that is too short or too long is refused, even with correct check digits', () => {
  for (const iban of examples) {
    for (const text of [iban.slice(0, -1), `${iban}0`, `${iban}A`]) assert.equal(parseIban(text), undefined, text)
    for (const bban of [iban.slice(5), `0${iban.slice(4)}`]) assert.throws(() => makeIban(countryOfIban(iban), bban), RangeError)
  }
})

test('a letter where the country has digits is refused, even with correct check digits', () => {
  const table: [country: string, bban: string][] = [
    ['DE', '37040044053201300A'],
    ['GB', '1WBK60161331926819'],
    ['GE', 'N10000000101904917'],
    ['IE', '1IBK93115212345678'],
    ['VG', '1PVG0000012345678901'],
    ['EG', '001900050000000026318000A'],
    ['VA', '00112300001234567A'],
  ]
  for (const [country, bban] of table) assert.throws(() => makeIban(country, bban), RangeError, country)
  assert.equal(parseIban('DE92370400440532013A00'), undefined)
})

test('letters and digits are accepted wherever the registry allows both', () => {
  const table: [country: string, bban: string][] = [
    ['BY', 'N1RB3600900000002Z00AB00'],
    ['DO', 'B1GR00000001212453611324'],
    ['PK', 'SCBL00000011234567AB'],
    ['PS', 'PALS0000000004001234567AB'],
  ]
  for (const [country, bban] of table) assert.equal(parseIban(makeIban(country, bban)), makeIban(country, bban))
})

test('check digits 00, 01 and 99 are refused although their remainder is correct', () => {
  const found = { '97': '00', '98': '01', '02': '99' }
  for (let account = 0; account < 2_000; account++) {
    const iban = makeIban('DE', String(account).padStart(18, '0'))
    const alias = found[iban.slice(2, 4) as keyof typeof found]
    if (alias !== undefined) assert.equal(parseIban(`DE${alias}${iban.slice(4)}`), undefined)
  }
})

test('spaces, punctuation and text around an IBAN are refused', () => {
  const iban = 'DE89370400440532013000'
  const odd = [
    '',
    'DE',
    'IBAN DE89370400440532013000',
    'DE89 3704 0044 0532 0130 00',
    'DE89-3704-0044-0532-0130-00',
    'DE89.370400440532013000',
  ]
  for (const text of [...odd, ` ${iban}`, `${iban} `, `${iban}\n`, `\u0000${iban}`, `${iban}\u200b`])
    assert.equal(parseIban(text), undefined, JSON.stringify(text))
})

test('non-ASCII letters whose upper case is ASCII, and digits of other scripts, are refused', () => {
  // Each of these would be a valid IBAN after upper-casing or normalising.
  const swaps: [plain: string, odd: string][] = [
    ['I', 'ı'],
    ['S', 'ſ'],
    ['SS', 'ß'],
    ['K', '\u212a'],
    ['A', 'Ａ'],
    ['0', '０'],
    ['0', '٠'],
  ]
  for (const [plain, odd] of swaps) {
    const changed = examples.filter((iban) => iban.includes(plain)).map((iban) => iban.replace(plain, odd))
    assert.ok(changed.length > 0, plain)
    for (const text of changed) assert.equal(parseIban(text), undefined, text)
  }
})

test('countries that are not in the registry have no IBANs', () => {
  for (const country of ['DZ', 'US', 'MA', 'IR', 'AX', 'GF', 'XX', 'de', '', '__proto__']) {
    assert.equal(bbanLengthOf(country), undefined, country)
    assert.throws(() => makeIban(country, '0'.repeat(20)), RangeError)
  }
  assert.equal(parseIban('DZ580002100001113000000570'), undefined)
})

test('SEPA has 41 countries and Gibraltar', () => {
  const members = examples.filter(isSepaIban).map(countryOfIban)
  assert.equal(members.length, 42)
  for (const country of ['AL', 'MD', 'ME', 'MK', 'RS', 'GB', 'CH', 'AD', 'VA', 'GI', 'BG']) assert.ok(members.includes(country), country)
  for (const country of ['XK', 'BA', 'TR', 'UA', 'FO', 'GL', 'GE', 'RU', 'BY', 'TN']) assert.ok(!members.includes(country), country)
})

test('thirty countries of SEPA are in the European Economic Area', () => {
  const outside = examples.filter((iban) => isSepaIban(iban) && !isEeaIban(iban)).map(countryOfIban)
  assert.deepEqual(outside.sort(), ['AD', 'AL', 'CH', 'GB', 'GI', 'MC', 'MD', 'ME', 'MK', 'RS', 'SM', 'VA'])
  const inside = examples.filter(isEeaIban)
  assert.equal(inside.length, 30)
  assert.ok(inside.every(isSepaIban))
})

test('every valid account number makes an IBAN that can be parsed', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{8}[A-Z0-9]{16}$/), (bban) => {
      const iban = makeIban('CY', bban)
      assert.equal(parseIban(iban), iban)
      assert.equal(countryOfIban(iban), 'CY')
    }),
  )
})
