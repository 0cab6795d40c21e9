import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { emailKey, parseEmail } from './email.ts'

test('common addresses are accepted unchanged', () => {
  const plain = [
    'a@b.co',
    'ada.lovelace@example.com',
    'Ada@Example.COM',
    'ada+bank@mail.example.co.uk',
    "o'brien@example.ie",
    'a_b-c@x-y.example',
  ]
  for (const text of [...plain, 'ada@xn--bcher-kva.example', 'ada@example.xn--p1ai', '1@2.example', `${'l'.repeat(64)}@example.com`]) {
    assert.equal(parseEmail(text), text)
  }
})

test('invalid addresses are refused', () => {
  const shape = [
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'ada@@example.com',
    'a@b@example.com',
    'ada@.com',
    'ada@example.',
    'ada@example..com',
  ]
  const local = [
    '.ada@example.com',
    'ada.@example.com',
    'a..b@example.com',
    'a b@example.com',
    '"ada"@example.com',
    'a,b@example.com',
    'a:b@example.com',
  ]
  const domain = [
    'ada@-example.com',
    'ada@example-.com',
    'ada@exa_mple.com',
    'ada@127.0.0.1',
    'ada@[127.0.0.1]',
    'ada@example.c',
    'ada@localhost',
  ]
  const around = [
    ' ada@example.com',
    'ada@example.com ',
    'ada@example.com\n',
    'Ada <ada@example.com>',
    'mailto:ada@example.com',
    'ada@example.com\r\nBcc: x@y.zz',
  ]
  for (const text of [...shape, ...local, ...domain, ...around]) assert.equal(parseEmail(text), undefined, JSON.stringify(text))
})

test('letters outside ASCII are refused', () => {
  for (const text of [
    'adé@example.com',
    'ada@exämple.com',
    'ſam@example.com',
    'ada@example.\u212aom',
    'ada＠example.com',
    'ada@example。com',
  ]) {
    assert.equal(parseEmail(text), undefined, text)
  }
})

test('an address has at most 64 characters before the @, 63 in a label and 254 in total', () => {
  assert.equal(parseEmail(`${'l'.repeat(65)}@example.com`), undefined)
  assert.ok(parseEmail(`ada@${'d'.repeat(63)}.com`))
  assert.equal(parseEmail(`ada@${'d'.repeat(64)}.com`), undefined)
  const of = (length: number) => `${'l'.repeat(64)}@${'d'.repeat(63)}.${'d'.repeat(63)}.${'d'.repeat(length - 64 - 1 - 64 - 64 - 4)}.com`
  assert.equal(of(254).length, 254)
  assert.ok(parseEmail(of(254)))
  assert.equal(parseEmail(of(255)), undefined)
})

test('addresses that differ only by case have the same key', () => {
  assert.equal(emailKey('Ada@Example.COM'), emailKey('ada@example.com'))
  fc.assert(
    fc.property(fc.emailAddress(), (email) => {
      if (parseEmail(email) === undefined) return
      assert.equal(emailKey(email.toUpperCase()), emailKey(email))
    }),
  )
})

// A backtracking pattern would not terminate on these.
test('a long hostile address is refused', () => {
  for (const text of [`${'a.'.repeat(120)}@`, `a@${'a-'.repeat(120)}`, `a@${'a.'.repeat(120)}1`, 'a'.repeat(1_000_000)]) {
    assert.equal(parseEmail(text), undefined)
  }
})
