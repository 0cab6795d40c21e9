import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { isSecret, makeSecret, sign, verify } from './standard-webhooks.ts'

const now = 1_760_000_000_000
const timestamp = now / 1000

function signed(secret: string, body: string, at = timestamp) {
  return { id: 'msg_1', timestamp: String(at), signature: sign(secret, { id: 'msg_1', timestamp: at, body }) }
}

test('our signatures match those of the public package, and each accepts the other’s', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (body) => {
      const secret = makeSecret()
      const public_ = new Webhook(secret).sign('msg_1', new Date(now), body)
      assert.equal(sign(secret, { id: 'msg_1', timestamp, body }), public_)
      assert.ok(verify([secret], { id: 'msg_1', timestamp: String(timestamp), signature: public_ }, Buffer.from(body), now))
    }),
  )
})

test('a changed byte, another id, another time, a truncated or wrong signature are not accepted', () => {
  const secret = makeSecret()
  const body = '{"a":1}'
  const right = signed(secret, body)
  const check = (headers: typeof right, text = body, at = now) => verify([secret], headers, Buffer.from(text), at)
  assert.ok(check(right))
  assert.ok(!check(right, '{"a": 1}'))
  assert.ok(!check({ ...right, id: 'msg_2' }))
  assert.ok(!check({ ...right, timestamp: String(timestamp + 1) }))
  for (const signature of [
    '',
    'v1,',
    right.signature.slice(0, -1),
    right.signature.slice(0, 10),
    right.signature.replace('v1', 'v2'),
    `${right.signature}=`,
  ]) {
    assert.ok(!check({ ...right, signature }), signature)
  }
  assert.ok(!verify([makeSecret()], right, Buffer.from(body), now))
  assert.ok(!verify([], right, Buffer.from(body), now))
})

test('times more than five minutes away, or not written as seconds, are not accepted', () => {
  const secret = makeSecret()
  for (const [offset, fits] of [
    [-300, true],
    [300, true],
    [-301, false],
    [301, false],
  ] as const) {
    assert.equal(verify([secret], signed(secret, 'x', timestamp + offset), Buffer.from('x'), now), fits, String(offset))
  }
  for (const text of ['', 'soon', '1e9', '-1', '0x10', ' 1']) {
    assert.ok(!verify([secret], { ...signed(secret, 'x'), timestamp: text }, Buffer.from('x'), now), text)
  }
})

test('several signatures and two secrets are accepted, for rotation', () => {
  const [old, fresh] = [makeSecret(), makeSecret()]
  const headers = { ...signed(fresh, 'x'), signature: `v1,bm9uc2Vuc2U= ${signed(fresh, 'x').signature}` }
  assert.ok(verify([old, fresh], headers, Buffer.from('x'), now))
})

test('only a well-formed secret is accepted', () => {
  assert.ok(isSecret(makeSecret()))
  for (const text of ['', 'whsec_', 'whsec_c2hvcnQ=', `whsec_${'!'.repeat(40)}`, makeSecret().slice(6)]) assert.ok(!isSecret(text), text)
})
