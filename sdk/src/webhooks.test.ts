// Webhooks signed by the service or by the reference library are accepted; all others are not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { makeSecret, signedHeaders } from '../../server/src/platform/standard-webhooks.ts'
import { InvalidWebhook, signWebhook, verifyWebhook } from './sdk.ts'

const secret = makeSecret()
const event = { id: 'msg_1', type: 'transfer.completed', data: { object: { id: 'Zoë' } } }
const body = JSON.stringify(event)

/** The headers of the reference library. */
function headersBy(signer: string, { id = 'msg_1', at = new Date(), text = body } = {}): Record<string, string> {
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(signer).sign(id, at, text),
  }
}

test('accepts what the reference library signs, as text and as bytes, and what the service signs', async () => {
  const bytes = new TextEncoder().encode(body)
  for (const given of [body, bytes, bytes.buffer as ArrayBuffer, Buffer.from(`xx${body}`).subarray(2)]) {
    assert.deepEqual(await verifyWebhook(given, headersBy(secret), secret), event)
  }
  const ours = signedHeaders([makeSecret(), secret], { id: 'msg_1', body })
  assert.deepEqual(await verifyWebhook(body, ours, secret), event)
  new Webhook(secret).verify(body, ours)
})

test('signs as the reference library does', async () => {
  for (const given of [body, Buffer.from(body)]) {
    const headers = await signWebhook(given, 'msg_1', secret)
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
    assert.deepEqual(headers, headersBy(secret, { at }))
    new Webhook(secret).verify(body, headers)
    assert.deepEqual(await verifyWebhook(body, headers, secret), event)
  }
  await assert.rejects(signWebhook(body, 'msg_1', 'whsec_'), TypeError)
})

test('takes headers as Node, Express and fetch have them', async () => {
  const headers = headersBy(secret)
  const capital = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.replace(/\b\w/g, (letter) => letter.toUpperCase()), value]),
  )
  for (const given of [headers, capital, new Headers(headers), { ...headers, cookie: ['a', 'b'], host: undefined }]) {
    assert.deepEqual(await verifyWebhook(body, given, secret), event)
  }
})

test('accepts either secret while one is being replaced', async () => {
  const next = makeSecret()
  for (const signer of [secret, next]) assert.deepEqual(await verifyWebhook(body, headersBy(signer), [secret, next]), event)
})

test('refuses another secret, another body, another id or time, and one that is too old or from the future', async () => {
  const headers = headersBy(secret)
  const minutes = (count: number) => headersBy(secret, { at: new Date(Date.now() + count * 60_000) })
  const forged: [name: string, body: string, headers: Record<string, string>][] = [
    ['another secret', body, headersBy(makeSecret())],
    ['another body', body.replace('Zoë', 'Zoe'), headers],
    ['one more byte', `${body} `, headers],
    ['another id', body, { ...headers, 'webhook-id': 'msg_2' }],
    ['another time', body, { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }],
    ['too old', body, minutes(-6)],
    ['from the future', body, minutes(6)],
    ['a time that is no number', body, { ...headers, 'webhook-timestamp': 'NaN' }],
    ['no signature', body, { ...headers, 'webhook-signature': '' }],
    ['an empty signature', body, { ...headers, 'webhook-signature': 'v1,' }],
    ['no base64', body, { ...headers, 'webhook-signature': 'v1,***' }],
    ['another version', body, { ...headers, 'webhook-signature': String(headers['webhook-signature']).replace('v1', 'v1a') }],
    ['no headers', body, {}],
  ]
  for (const [name, text, given] of forged) {
    await assert.rejects(verifyWebhook(text, given, secret), InvalidWebhook, name)
    // The reference library agrees.
    assert.throws(() => new Webhook(secret).verify(text, given), name)
  }
  assert.deepEqual(await verifyWebhook(body, minutes(-4), secret), event)
})

test('a body that was parsed, or read by somebody else before, is refused with the reason', async () => {
  for (const parsed of [event, {}, [], null, undefined, 7, new Request('http://localhost', { method: 'POST', body })]) {
    await assert.rejects(verifyWebhook(parsed as unknown as string, headersBy(secret), secret), {
      name: 'InvalidWebhook',
      message: /^The body is neither text nor bytes: pass it as it arrived/,
    })
  }
})

test('a webhook that was recorded is accepted again within the tolerance under the same id, and under no other', async () => {
  const headers = headersBy(secret)
  // A recorded webhook can be replayed for five minutes, as Standard Webhooks allows; receivers recognise it by its signed id.
  for (const _ of [1, 2]) assert.deepEqual(await verifyWebhook(body, headers, secret), event)
  await assert.rejects(verifyWebhook(body, { ...headers, 'webhook-id': 'msg_9' }, secret), InvalidWebhook)
})

test('a clock that is wrong by less than five minutes does no harm, whichever way', async (t) => {
  const headers = headersBy(secret)
  t.mock.timers.enable({ apis: ['Date'], now: Date.now() })
  for (const [off_s, isAccepted] of [
    [-299, true],
    [298, true],
    [-301, false],
    [302, false],
  ] as const) {
    t.mock.timers.setTime(Number(headers['webhook-timestamp']) * 1_000 + off_s * 1_000)
    const verified = verifyWebhook(body, headers, secret)
    if (isAccepted) assert.deepEqual(await verified, event)
    else await assert.rejects(verified, InvalidWebhook, `${off_s} s`)
  }
})

test('a missing or broken secret is a mistake of the caller, and accepts nothing', async () => {
  for (const wrong of ['', 'whsec_', 'whsec_***', []] as const) {
    await assert.rejects(verifyWebhook(body, headersBy(secret), wrong), TypeError)
  }
})
