import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { type TestCardName, testCards } from '../../sandbox/gateway/sandbox.gateway.cards.ts'
import { sandboxGatewayCredentials } from '../../sandbox/gateway/sandbox.gateway.ts'
import { decodedQr } from '../../testing/testing.qr.ts'
import { openBank, type VentureCaller } from '../../testing/testing.ts'
import { lockRow, untilBlocked } from '../../testing/testing.waits.ts'
import { languages } from '../payments.schemas.ts'
import { texts } from './payments.texts.ts'

const bank = await openBank()
const url = await bank.listen()
/** An instance that gives up waiting for a lock after two seconds. */
const impatient = await bank.openInstance({ databaseWait_ms: 5_000 })
const formType = { 'content-type': 'application/x-www-form-urlencoded' }

// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of an answer.
type Loose = any

async function create(venture: VentureCaller, changes: object = {}): Promise<Loose> {
  const { status, body, text } = await venture.post('/payment-links', { amount: '12.50', currency: 'EUR', ...changes })
  assert.equal(status, 201, text)
  return body
}

/** Requests a page as a browser does. */
async function open(path: string, app = bank.app) {
  const answer = await app.inject({ method: 'GET', url: path })
  return { status: answer.statusCode, location: answer.headers.location, text: answer.body, headers: answer.headers }
}

async function submit({ token }: { token: string }, form: Record<string, string> | string = {}, { app = bank.app, lang = '' } = {}) {
  const payload = typeof form === 'string' ? form : new URLSearchParams(form).toString()
  const answer = await app.inject({ method: 'POST', url: `/pay/${token}${lang && `?lang=${lang}`}`, payload, headers: formType })
  return { status: answer.statusCode, location: answer.headers.location, text: answer.body, headers: answer.headers }
}

function assertPage({ text, headers }: { text: string; headers: Record<string, unknown> }, language = 'en'): void {
  assert.equal(headers['content-type'], 'text/html; charset=utf-8')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['x-robots-tag'], 'noindex')
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'$/)
  assert.match(text, new RegExp(`^<!doctype html>\n<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`))
  assert.match(text, /<title>[^<]+<\/title>/)
  assert.match(text, /<main>\n<h1[^>]*>[^<]+<\/h1>/)
  assert.doesNotMatch(text, /<script|javascript:|https?:\/\/(?!127\.0\.0\.1)/)
}

const paymentsOf = async (venture: VentureCaller, link: Loose): Promise<Loose[]> =>
  (await venture.get(`/payments?payment_link_id=${link.id}`)).body
const usesOf = async (venture: VentureCaller, link: Loose) => (await venture.get(`/payment-links/${link.id}`)).body.uses

/** Starts a payment, enters a card at the gateway and comes back. Returns the payment after that, and the address to which the payer is sent. */
async function pay(venture: VentureCaller, link: Loose, name: TestCardName | 'none', form: Record<string, string> = {}) {
  const { location } = await submit(link, form)
  const [payment] = await paymentsOf(venture, link)
  assert.equal(location, payment.form_url)
  if (name !== 'none') await enterCard(payment, name)
  const { location: place } = await open(`/api/v1/payments/${payment.id}/return`)
  return { payment: (await venture.get(`/payments/${payment.id}`)).body, place: place ?? '' }
}

async function enterCard({ form_url }: { form_url: string }, name: TestCardName): Promise<void> {
  const number = testCards.find((card) => card.name === name)?.number ?? ''
  const payload = new URLSearchParams({ number, expiry: '12/99', cvv: '777', action: 'pay' }).toString()
  await bank.app.inject({ method: 'POST', url: new URL(form_url).pathname, payload, headers: formType })
}

test('the page says who is paid, how much and for what, and asks for nothing else', async () => {
  const venture = await bank.registerVenture('Librairie « Les Deux »')
  const link = await create(venture, { amount: '1234.50', description: 'Two books' })
  const page = await open(`/pay/${link.token}`)
  assert.equal(page.status, 200)
  assertPage(page)
  assert.match(page.text, /<h1>Payment to \u2068Librairie « Les Deux »\u2069<\/h1>/)
  assert.match(page.text, /<p dir="auto">Two books<\/p>/)
  assert.match(page.text, /Amount <strong>\u2068€1,234\.50\u2069<\/strong>/)
  assert.match(page.text, /<button class="main">Pay \u2068€1,234\.50\u2069<\/button>/)
  assert.deepEqual(
    [...page.text.matchAll(/<input [^>]*name="(\w+)"/g)].map(([, name]) => name),
    ['attempt'],
  )
  assert.equal(await bank.count('payments'), 0)
})

test('the form has the fields that the link asks for, each with its label', async () => {
  const venture = await bank.registerVenture()
  for (const [asks, names] of [
    [{ ask_name: true }, ['name']],
    [{ ask_email: true, ask_phone: true }, ['email', 'phone']],
    [{ ask_name: true, ask_email: true, ask_phone: true }, ['name', 'email', 'phone']],
  ] as const) {
    const { text } = await open(`/pay/${(await create(venture, asks)).token}`)
    assert.deepEqual(
      [...text.matchAll(/<label for="(\w+)"/g)].map(([, name]) => name),
      names,
    )
    for (const name of names) assert.match(text, new RegExp(`<input id="${name}" name="${name}" [^>]*required`))
  }
})

test('amounts are formatted for the language and the currency', async () => {
  const venture = await bank.registerVenture()
  for (const [language, currency, amount, expected] of [
    ['FR', 'EUR', '1234.50', '1\u202f234,50\u00a0€'],
    ['FR', 'DZD', '1234.50', '1\u202f234,50\u00a0DA'],
    ['FR', 'JPY', '1234', '1\u202f234\u00a0JPY'],
    ['EN', 'EUR', '12.50', '€12.50'],
    ['EN', 'KWD', '0.500', 'KWD\u00a00.500'],
    ['EN', 'DZD', '999999999999999.99', 'DZD\u00a0999,999,999,999,999.99'],
    ['AR', 'DZD', '1234.50', '\u200f1.234,50\u00a0د.ج.\u200f'],
    ['AR', 'EUR', '12.50', '\u200f12,50\u00a0€'],
  ] as const) {
    const link = await create(venture, { amount, currency, language })
    const { text } = await open(`/pay/${link.token}`)
    assert.equal(/<strong>(.*)<\/strong>/.exec(text)?.[1], `\u2068${expected}\u2069`, `${language} ${currency}`)
    assert.ok(text.includes(`${texts[language].pay} \u2068${expected}\u2069</button>`))
  }
})

test('the page is in the language of the link, or in the one the payer chooses', async () => {
  const venture = await bank.registerVenture()
  for (const language of languages) {
    const link = await create(venture, { language, ask_name: true })
    const own = language.toLowerCase()
    assertPage(await open(`/pay/${link.token}`), own)
    for (const lang of ['fr', 'en', 'ar']) {
      const page = await open(`/pay/${link.token}?lang=${lang}`)
      assertPage(page, lang)
      assert.match(page.text, new RegExp(`<a href="\\?lang=${lang}" lang="${lang}" hreflang="${lang}" aria-current="true">`))
      assert.equal(page.text.match(/aria-current=/g)?.length, 1)
      assert.ok(page.text.includes(`<form method="post" action="?lang=${lang}" novalidate>`))
    }
    for (const query of ['lang=de', 'lang=FR', 'lang=', 'lang=fr&lang=ar', 'lang=<script>']) {
      assertPage(await open(`/pay/${link.token}?${query}`), own)
    }
  }
})

test('no text of the pages is empty or has markup in it', () => {
  const walk = (value: unknown): string[] => {
    if (typeof value === 'string') return [value]
    if (typeof value === 'function') return [value('NAME')]
    return typeof value === 'object' && value !== null ? Object.values(value).flatMap(walk) : []
  }
  for (const language of languages) {
    const all = walk(texts[language])
    assert.ok(all.length > 40)
    for (const text of all) assert.doesNotMatch(text, /[&<>"']|^$/, text)
  }
})

test('the form starts a payment with the data it asks for and redirects to the card form', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { description: 'Two books', ask_name: true, ask_email: true, ask_phone: true })
  const form = { name: ' Zoe\u0301 Müller ', email: ' zoe@example.com', phone: '+33 (6) 12 34-56.78' }
  const answer = await submit(link, form, { lang: 'fr' })
  const [payment] = await paymentsOf(venture, link)
  assert.equal(answer.status, 303)
  assert.equal(answer.location, payment.form_url)
  assert.equal(answer.headers['cache-control'], 'no-store')
  assert.equal(answer.headers['referrer-policy'], 'no-referrer')
  assert.match(payment.form_url, new RegExp(`^${url}/sandbox/gateway/form/`))
  const result = `${url}/pay/${link.token}/${payment.id}`
  for (const [field, value] of Object.entries({
    status: 'PENDING',
    amount: '12.50',
    currency: 'EUR',
    language: 'FR',
    description: 'Two books',
    order_ref: null,
    payment_link_id: link.id,
    customer_name: 'Zoé Müller',
    customer_email: 'zoe@example.com',
    customer_phone: '+33612345678',
    success_url: result,
    fail_url: result,
  })) {
    assert.deepEqual(payment[field], value, field)
  }
  assert.match((await open(new URL(payment.form_url).pathname)).text, /<html lang="fr"/)
  assert.deepEqual(await bank.eventTypes(venture), ['payment_link.created', 'payment.created'])
})

test('fields that the link does not ask for are refused and not stored', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { ask_email: true })
  for (const form of [
    { email: 'zoe@example.com', name: 'Zoé' },
    { email: 'zoe@example.com', amount: '0.01' },
    { email: 'zoe@example.com', payment_link_id: link.id },
    { email: 'zoe@example.com', __proto__x: '1' },
  ]) {
    const answer = await submit(link, form)
    assert.equal(answer.status, 400)
    assertPage(answer)
  }
  assert.deepEqual(await paymentsOf(venture, link), [])
  await submit(link, { email: 'zoe@example.com' })
  const [payment] = await paymentsOf(venture, link)
  assert.deepEqual([payment.customer_name, payment.customer_email, payment.customer_phone], [null, 'zoe@example.com', null])
})

test('an invalid field has its message next to it, in the language of the page, and keeps what was typed', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { ask_name: true, ask_email: true, ask_phone: true })
  const right = { name: 'Zoé', email: 'zoe@example.com', phone: '+33612345678' }
  const table: [field: keyof typeof right, value: string | undefined, error: 'missing' | 'malformed'][] = [
    ['name', '', 'missing'],
    ['name', '   ', 'missing'],
    ['name', undefined, 'missing'],
    ['name', 'a'.repeat(141), 'malformed'],
    ['name', 'a\u0000b', 'malformed'],
    ['name', 'a\nb', 'malformed'],
    ['name', 'a\u202eb', 'malformed'],
    ['email', '', 'missing'],
    ['email', 'zoe', 'malformed'],
    ['email', 'zoé@example.com', 'malformed'],
    ['email', `${'a'.repeat(250)}@example.com`, 'malformed'],
    ['phone', '', 'missing'],
    ['phone', '0612345678', 'malformed'],
    ['phone', '+33', 'malformed'],
    ['phone', '+٣٣٦١٢٣٤٥٦٧٨', 'malformed'],
  ]
  for (const [field, value, error] of table) {
    const { [field]: _, ...others } = right
    for (const language of languages) {
      const lang = language.toLowerCase()
      const page = await submit(link, value === undefined ? others : { ...right, [field]: value }, { lang })
      assert.equal(page.status, 422)
      assertPage(page, lang)
      const words = texts[language]
      assert.ok(page.text.includes(`<p id="${field}-error" class="error">${words.fields[field][error]}</p>`), `${field} ${value}`)
      assert.ok(page.text.includes(`<p role="alert" class="error">${words.wrong}</p>`))
      assert.match(
        page.text,
        new RegExp(`<input id="${field}" [^>]*aria-describedby="[^"]*${field}-error"[^>]*aria-invalid="true"[^>]*autofocus`),
      )
      assert.equal(page.text.match(/aria-invalid="/g)?.length, 1)
      for (const [name, typed] of Object.entries<string>(others)) {
        assert.match(page.text, new RegExp(`<input id="${name}" [^>]*value="${RegExp.escape(typed)}"`))
      }
    }
  }
  const strange = await submit(link, { name: 'a\u202eb', email: 'zoe', phone: '7' })
  assert.equal(strange.text.match(/aria-invalid="/g)?.length, 3)
  const nothing = await submit(link)
  assert.equal(nothing.text.match(/aria-invalid="/g)?.length, 3)
  assert.equal(nothing.text.match(/autofocus/g)?.length, 1)
  assert.deepEqual(await paymentsOf(venture, link), [])
})

test('whatever a venture or a payer writes is text and never markup', async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&amp;`
  const venture = await bank.registerVenture(hostile)
  const link = await create(venture, { description: hostile, ask_name: true, ask_email: true, ask_phone: true })
  const typed = { name: hostile, email: hostile, phone: hostile }
  const begun = await create(venture, { description: hostile, ask_name: true })
  const { payment } = await pay(venture, begun, 'none', { name: hostile })
  assert.equal(payment.customer_name, hostile)
  for (const page of [
    await open(`/pay/${link.token}`),
    await submit(link, typed),
    await open(`/pay/${begun.token}/${payment.id}`),
    await open(`/pay/${hostile}`),
    await open(`/pay/${link.token}/${encodeURIComponent(hostile)}`),
    await open(`/pay/${link.token}?lang=${encodeURIComponent(hostile)}`),
  ]) {
    assertPage(page)
    assert.doesNotMatch(page.text, /<script|<img src=x|onerror='/)
  }
  assert.ok((await open(`/pay/${link.token}`)).text.includes('&quot;&gt;&lt;script&gt;alert(1)'))
})

test('a body that is not a proper form is answered with a page and starts no payment', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { ask_name: true, language: 'FR' })
  const send = async (payload: string | Buffer, headers: Record<string, string> = formType) => {
    const answer = await bank.app.inject({ method: 'POST', url: `/pay/${link.token}?lang=fr`, payload, headers })
    return { status: answer.statusCode, text: answer.body, headers: answer.headers }
  }
  for (const [expected, answer] of [
    [422, await send('')],
    [422, await send(`name=${'a'.repeat(10_000)}`)],
    [400, await send('name=Ada&name=Eve')],
    [400, await send('name=%ff')],
    [400, await send(Buffer.from([0x6e, 0x61, 0x6d, 0x65, 0x3d, 0xff]))],
    [400, await send('name=%')],
    [413, await send(`name=${'a'.repeat(65 * 1024)}`)],
    [415, await send('{"name":"Ada"}', { 'content-type': 'application/json' })],
    [415, await send('name=Ada', { 'content-type': 'text/plain' })],
    [
      415,
      await send('--x\r\ncontent-disposition: form-data; name="name"\r\n\r\nAda\r\n--x--', {
        'content-type': 'multipart/form-data; boundary=x',
      }),
    ],
  ] as const) {
    assert.equal(answer.status, expected, answer.text)
    assertPage(answer, 'fr')
  }
  assert.deepEqual(await paymentsOf(venture, link), [])
})

test('of many payers at once, only as many start a payment as the link has uses', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 3, ask_name: true })
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => submit(link, { name: `Payer ${index}` })))
  // The others continue one of the payments that nobody has paid yet.
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [303])
  const begun = await paymentsOf(venture, link)
  assert.equal(begun.length, 3)
  assert.deepEqual(begun.map(({ form_url }) => form_url).toSorted(), [...new Set(answers.map(({ location }) => location))].toSorted())
  assert.equal(await usesOf(venture, link), 3)
  for (const payment of begun) await enterCard(payment, 'plain')
  for (const { id } of begun) await open(`/api/v1/payments/${id}/return`)
  assert.deepEqual(
    (await paymentsOf(venture, link)).map(({ status }) => status),
    ['PAID', 'PAID', 'PAID'],
  )
  const refused = await submit(link, { name: 'Late' })
  assert.equal(refused.status, 410)
  assertPage(refused)
})

test('somebody who starts a payment and does not pay keeps nobody else from paying', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1, ask_name: true, ask_email: true })
  for (let n = 0; n < 5; n++) await submit(link, { name: `Stranger ${n}`, email: `stranger${n}@example.com` })
  assert.equal((await open(`/pay/${link.token}`)).status, 200)
  const { payment } = await pay(venture, link, 'plain', { name: 'Ada Lovelace', email: 'ada@example.com' })
  assert.deepEqual(
    (await paymentsOf(venture, link)).map(({ status, customer_name, customer_email }) => [status, customer_name, customer_email]),
    [['PAID', 'Ada Lovelace', 'ada@example.com']],
  )
  // The gateway takes the money for an order once, from anyone who has its form.
  await enterCard(payment, 'plain')
  assert.equal((await submit(link, { name: 'Stranger', email: 'stranger@example.com' })).status, 410)
  assert.equal((await venture.get(`/payments/${payment.id}`)).body.customer_name, 'Ada Lovelace')
  assert.equal(await usesOf(venture, link), 1)
  assert.deepEqual(
    (await bank.eventTypes(venture)).filter((type) => type.startsWith('payment.')),
    ['payment.created', 'payment.paid'],
  )
})

/** Moves the start of the payment a quarter of an hour into the past. */
const makeLate = (payment: { id: string }) =>
  bank.owner.query(`update payments set session_until = now() + interval '4 minutes' where id = $1`, [payment.id])

test('an unpaid payment with little time left makes room, and can no longer be paid', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1 })
  const { payment: first } = await pay(venture, link, 'none')
  await makeLate(first)
  const { payment: second } = await pay(venture, link, 'none')
  assert.notEqual(second.id, first.id)
  assert.equal((await venture.get(`/payments/${first.id}`)).body.status, 'CANCELED')
  await enterCard(first, 'plain')
  await open(`/api/v1/payments/${first.id}/return`)
  assert.equal((await venture.get(`/payments/${first.id}`)).body.status, 'CANCELED')
  assert.equal((await pay(venture, link, 'plain')).payment.id, second.id)
  assert.equal(await usesOf(venture, link), 1)
})

test('a payment that was paid in its last minutes is neither reversed nor followed by another', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1 })
  const { payment } = await pay(venture, link, 'none')
  await makeLate(payment)
  // Its payer has not come back yet, so the service does not know about it.
  await enterCard(payment, 'plain')
  assert.equal((await submit(link)).status, 410)
  assert.deepEqual(
    (await paymentsOf(venture, link)).map(({ status }) => status),
    ['PAID'],
  )
  await makeLate(payment)
  assert.equal((await submit(link)).status, 410)
  assert.equal((await venture.get(`/payments/${payment.id}`)).body.status, 'PAID')
})

test('a payment that is paid at the moment when another payer comes stays what it is', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1, ask_name: true })
  const { payment } = await pay(venture, link, 'none', { name: 'Ada' })
  await bank.owner.query('begin')
  await bank.owner.query(`update payments set status = 'PAID', paid_at = now() where id = $1`, [payment.id])
  const coming = submit(link, { name: 'Eve' })
  await untilBlocked(bank.owner, coming)
  await bank.owner.query('commit')
  assert.equal((await coming).status, 410)
  const [paid, ...others] = await paymentsOf(venture, link)
  assert.deepEqual([paid.status, paid.customer_name, others], ['PAID', 'Ada', []])
})

test('while the gateway does not decline a late payment, no other starts', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1 })
  const { payment } = await pay(venture, link, 'none')
  await makeLate(payment)
  const away = await bank.openInstance({ gateway: { url: 'http://127.0.0.1:1', user: 'u', password: 'p' } })
  const page = await submit(link, {}, { app: away })
  assert.equal(page.status, 503)
  assert.ok(page.text.includes(texts.EN.notices.unanswered.text))
  assert.equal((await paymentsOf(venture, link)).length, 1)
  assert.equal((await submit(link)).status, 303)
  assert.deepEqual(
    (await paymentsOf(venture, link)).map(({ status }) => status),
    ['PENDING', 'CANCELED'],
  )
})

test('one address that sends a link too many requests gets a page that says so, in its language', async () => {
  const venture = await bank.registerVenture()
  const [link, other] = [await create(venture, { language: 'FR' }), await create(venture)]
  const gateway = { ...sandboxGatewayCredentials, url: `${url}/sandbox/gateway` }
  const app = await bank.openInstance({ gateway, payPageLimitPerMinute: 10, trustedProxies: ['10.0.0.0/8'] })
  const visit = (remoteAddress: string, { method = 'GET' as 'GET' | 'POST', path = link.token, headers = {} } = {}) =>
    app.inject({ method, url: `/pay/${path}`, remoteAddress, headers, ...(method === 'POST' ? { payload: '', headers: formType } : {}) })
  // A start counts as five requests.
  assert.equal((await visit('203.0.113.7', { method: 'POST' })).statusCode, 303)
  for (let n = 0; n < 5; n++) assert.equal((await visit('203.0.113.7')).statusCode, 200)
  const begun = await paymentsOf(venture, link)
  for (const language of languages) {
    const code = language.toLowerCase()
    const asked = [
      await visit('203.0.113.7', { path: `${link.token}?lang=${code}` }),
      await visit('203.0.113.7', { headers: { 'accept-language': `de, ${code};q=0.8, zh` } }),
      await visit('203.0.113.7', { path: `${link.token}/qr.svg?lang=${code}` }),
      await visit('203.0.113.7', { method: 'POST', path: `${link.token}?lang=${code}` }),
    ]
    for (const answer of asked) {
      assert.equal(answer.statusCode, 429)
      assert.match(String(answer.headers['retry-after']), /^([1-9]|[1-5]\d|60)$/)
      assertPage({ text: answer.body, headers: answer.headers }, code)
      assert.ok(answer.body.includes(texts[language].notices.too_many.text))
    }
  }
  assert.deepEqual(await paymentsOf(venture, link), begun, 'nothing was started')
  // Another link, another address, and another address behind a trusted proxy are counted separately.
  assert.equal((await visit('203.0.113.7', { path: other.token })).statusCode, 200)
  assert.equal((await visit('203.0.113.8')).statusCode, 200)
  assert.equal((await visit('203.0.113.8', { headers: { 'x-forwarded-for': '203.0.113.7' } })).statusCode, 200)
  assert.equal((await visit('10.0.0.1', { headers: { 'x-forwarded-for': '203.0.113.9' } })).statusCode, 200)
  assert.equal((await visit('10.0.0.1', { headers: { 'x-forwarded-for': '203.0.113.7' } })).statusCode, 429)
})

test('pressing the button twice starts one payment, even while the first request is in progress', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1, ask_name: true })
  const { text } = await open(`/pay/${link.token}`)
  const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec(text) ?? []
  const presses = await Promise.all(Array.from({ length: 10 }, () => submit(link, { attempt, name: 'Ada' })))
  const [payment, ...others] = await paymentsOf(venture, link)
  assert.deepEqual(others, [])
  for (const { status, location } of presses) assert.deepEqual([status, location], [303, payment.form_url])
  assert.equal((await submit(link, { attempt, name: 'Ada' })).location, payment.form_url)
  // Another name or another attempt would be another payment, for which the link has no place.
  assert.equal((await submit(link, { attempt, name: 'Eve' })).location, payment.form_url)
  assert.equal((await submit(link, { name: 'Ada' })).location, payment.form_url)
  assert.equal((await paymentsOf(venture, link)).length, 1)
})

test('an invented attempt, or one of another link, is treated like any other', async () => {
  const venture = await bank.registerVenture()
  const [link, other] = [await create(venture), await create(venture)]
  for (const attempt of ['', 'x', 'a'.repeat(60_000), (await pay(venture, link, 'none')).payment.id]) {
    for (const one of [link, other]) {
      const before = await paymentsOf(venture, one)
      assert.equal((await submit(one, { attempt })).status, 303)
      assert.equal((await submit(one, { attempt })).status, 303)
      const [newest, ...rest] = await paymentsOf(venture, one)
      assert.deepEqual(rest, before)
      assert.match(newest.gateway_order_number, /^[A-Z0-9]{10}$/)
    }
  }
})

test('a payment takes a use while it is paid or pending, and gives it back otherwise', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1 })
  const refused = await pay(venture, link, 'insufficient_funds')
  assert.equal(refused.payment.status, 'REFUSED')
  assert.equal(await usesOf(venture, link), 0)
  const open1 = await pay(venture, link, 'none')
  assert.equal(open1.payment.status, 'PENDING')
  assert.equal(await usesOf(venture, link), 1)
  assert.equal((await open(`/pay/${link.token}`)).status, 200)
  assert.equal((await venture.post(`/payments/${open1.payment.id}/cancel`)).body.status, 'CANCELED')
  const paid = await pay(venture, link, 'plain')
  assert.equal(paid.payment.status, 'PAID')
  assert.equal(await usesOf(venture, link), 1)
  assert.equal((await open(`/pay/${link.token}`)).status, 410)
  assert.equal((await submit(link)).status, 410)
  assert.equal((await venture.post(`/payments/${paid.payment.id}/refund`, {})).body.status, 'REFUNDED')
  assert.equal(await usesOf(venture, link), 1)
  assert.equal((await venture.put(`/payment-links/${link.id}`, { max_uses: 2 })).body.uses, 1)
  assert.equal((await open(`/pay/${link.token}`)).status, 200)
})

test('a closed link says why, in the language of the link', async () => {
  const venture = await bank.registerVenture()
  const disabled = await bank.registerVenture()
  const inactive = await create(venture, { language: 'FR' })
  await venture.put(`/payment-links/${inactive.id}`, { active: false })
  const expired = await create(venture, { language: 'AR', expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  await bank.owner.query(`update payment_links set expires_at = now() where id = $1`, [expired.id])
  const usedUp = await create(venture, { max_uses: 1, ask_name: true })
  await pay(venture, usedUp, 'plain', { name: 'Ada' })
  const ofDisabled = await create(disabled)
  await bank.admin.put(`/ventures/${disabled.venture.id}`, { status: 'DISABLED' })
  const before = await bank.count('payments')
  for (const [link, language, notice] of [
    [inactive, 'FR', 'inactive'],
    [expired, 'AR', 'expired'],
    [usedUp, 'EN', 'used_up'],
    [ofDisabled, 'EN', 'inactive'],
  ] as const) {
    for (const page of [await open(`/pay/${link.token}`), await submit(link), await submit(link, link === usedUp ? { name: 'Eve' } : {})]) {
      assert.equal(page.status, 410)
      assertPage(page, language.toLowerCase())
      assert.ok(page.text.includes(`<h1>${texts[language].notices[notice].title}</h1>\n<p>${texts[language].notices[notice].text}</p>`))
      assert.doesNotMatch(page.text, /<form|12[.,]50/)
    }
    assertPage(await open(`/pay/${link.token}?lang=fr`), 'fr')
  }
  assert.equal(await bank.count('payments'), before)
})

test('an unknown address is answered with a page', async () => {
  const venture = await bank.registerVenture()
  const { token } = await create(venture)
  const unknown = 'AAAAAAAAAAAAAAAAAAAAAA'
  const id = '01a1de8a-c9c0-7000-8000-000000000000'
  for (const path of [
    `/pay/${unknown}`,
    `/pay/${token.slice(1)}`,
    `/pay/${token}A`,
    `/pay/${token.toLowerCase().replace(/^./, '!')}`,
    `/pay/${token}/`,
    '/pay/',
    `/pay/${unknown}/qr.svg`,
    `/pay/${unknown}/${id}`,
    `/pay/${token}/${id}`,
    `/pay/${token}/7`,
    `/pay/${token}/${id}/more`,
    `/pay/${token}/qr.svg/more`,
    "/pay/' or 1=1 --",
    '/pay/..%2f..%2fhealthz',
  ]) {
    const page = await open(path.replaceAll(' ', '%20'))
    assert.equal(page.status, 404, path)
    assertPage(page)
    assert.ok(page.text.includes(texts.EN.notices.unknown.text))
  }
  assert.equal((await submit({ token: unknown })).status, 404)
  assertPage(await open(`/pay/${unknown}?lang=ar`), 'ar')
  const strange = await open(`/pay/${token}?note=%00`)
  assert.equal(strange.status, 400)
  assertPage(strange)
})

test('a link with success_url and fail_url sends its payers there', async () => {
  const venture = await bank.registerVenture()
  const shop = { success_url: 'https://shop.example/paid?cart=7', fail_url: 'https://shop.example/not-paid' }
  const link = await create(venture, shop)
  const paid = await pay(venture, link, 'plain')
  assert.equal(paid.place, `${shop.success_url}&payment_id=${paid.payment.id}&status=PAID`)
  const refused = await pay(venture, link, 'lost')
  assert.equal(refused.place, `${shop.fail_url}?payment_id=${refused.payment.id}&status=REFUSED`)
})

test('a link without them shows its payers the result of the payment', async () => {
  const venture = await bank.registerVenture('Acme')
  const link = await create(venture, { description: 'Two books', language: 'FR' })
  const words = texts.FR
  const again = `<a class="button main" href="../${link.token}?lang=fr">${words.tryAgain}</a>`
  for (const [card, status, action] of [
    ['plain', 'PAID', undefined],
    ['insufficient_funds', 'REFUSED', again],
    ['secure_canceled', 'CANCELED', again],
    ['session_expired', 'EXPIRED', again],
    ['none', 'PENDING', words.checkAgain],
  ] as const) {
    const { payment, place } = await pay(venture, link, card)
    assert.equal(payment.status, status)
    assert.equal(place, `${url}/pay/${link.token}/${payment.id}?payment_id=${payment.id}&status=${status}`)
    const page = await open(new URL(place).pathname + new URL(place).search)
    assert.equal(page.status, 200)
    assertPage(page, 'fr')
    assert.ok(page.text.includes(`>${words.result[status].title}</h1>`), status)
    assert.ok(page.text.includes(`<p role="status">${words.result[status].text('\u2068Acme\u2069')}</p>`))
    assert.ok(page.text.includes('Two books') && page.text.includes('12,50') && page.text.includes(payment.gateway_order_number))
    if (action === undefined) assert.doesNotMatch(page.text, /class="button/)
    else assert.ok(page.text.includes(action))
    if (status === 'PENDING') {
      assert.ok(page.text.includes(`<a class="button main" href="${payment.form_url}">${words.toCardForm}</a>`))
      assert.ok(page.text.includes(`href="${url}/api/v1/payments/${payment.id}/return"`))
    }
    // Nothing else in the address has an effect.
    const { pathname } = new URL(place)
    assert.equal((await open(`${pathname}?status=PAID&payment_id=7&lang=fr`)).text, page.text)
    assertPage(await open(`${pathname}?lang=ar`), 'ar')
  }
})

test('a payment that was refunded, reversed or has failed does not offer to pay again', async () => {
  const venture = await bank.registerVenture('Acme')
  const link = await create(venture)
  const refunded = await pay(venture, link, 'plain')
  await venture.post(`/payments/${refunded.payment.id}/refund`, {})
  const reversed = await pay(venture, link, 'plain')
  assert.equal((await venture.post(`/payments/${reversed.payment.id}/cancel`)).body.status, 'CANCELED')
  const failed = await pay(venture, link, 'none')
  await bank.owner.query(`update payments set status = 'FAILED' where id = $1`, [failed.payment.id])
  for (const [{ payment }, status] of [
    [refunded, 'REFUNDED'],
    [reversed, 'REVERSED'],
    [failed, 'FAILED'],
  ] as const) {
    const page = await open(`/pay/${link.token}/${payment.id}`)
    assertPage(page)
    assert.ok(page.text.includes(texts.EN.result[status].text('\u2068Acme\u2069')))
    assert.doesNotMatch(page.text, /class="button/)
  }
})

test('every page of a link names the merchant, also when something goes wrong', async () => {
  const venture = await bank.registerVenture('Café Zoé')
  const link = await create(venture, { ask_name: true, max_uses: 1 })
  const broken = (payload: string, type: string) =>
    bank.app.inject({ method: 'POST', url: `/pay/${link.token}`, payload, headers: { 'content-type': type } })
  const away = await bank.openInstance({ gateway: { url: 'http://127.0.0.1:1', user: 'u', password: 'p' } })
  const pages = [
    await open(`/pay/${link.token}`),
    await open(`/pay/${link.token}?note=%00`),
    await open(`/pay/${link.token}/7`),
    await submit(link),
    await submit(link, { other: 'x' }),
    await submit(link, { name: 'Ada' }, { app: away }),
    ...[await broken('{}', 'application/json'), await broken(`name=${'a'.repeat(66_000)}`, formType['content-type'])].map((answer) => ({
      status: answer.statusCode,
      text: answer.body,
    })),
  ]
  const { payment } = await pay(venture, link, 'none', { name: 'Ada' })
  pages.push(
    await open(new URL(payment.form_url).pathname),
    await open(`/pay/${link.token}/${payment.id}`),
    await open(`/pay/${link.token}`),
  )
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'payment_links', link.id, 'update')
  pages.push(await submit(link, { name: 'Eve' }, { app: impatient }))
  await bank.owner.query('rollback')
  await venture.put(`/payment-links/${link.id}`, { active: false })
  pages.push(await open(`/pay/${link.token}`))
  assert.deepEqual(
    pages.map(({ status }) => status),
    [200, 400, 404, 422, 400, 503, 415, 413, 200, 200, 200, 503, 410],
  )
  for (const { status, text } of pages) {
    assert.match(text, /<body>.*(<bdi>Café Zoé<\/bdi>|<h1>Payment to \u2068Café Zoé\u2069)/s, `the page of status ${status}`)
  }
})

test('the page for a malformed request links back to the payment link', async () => {
  const link = await create(await bank.registerVenture())
  for (const page of [await submit(link, { other: 'x' }, { lang: 'fr' }), await open(`/pay/${link.token}?note=%00&lang=fr`)]) {
    assert.equal(page.status, 400)
    assert.ok(page.text.includes(`<a class="button main" href="?lang=fr">${texts.FR.openLink}</a>`))
  }
  assert.doesNotMatch((await open('/pay/AAAAAAAAAAAAAAAAAAAAAA?note=%00')).text, /class="button/)
})

test('a payer who has paid sees a receipt', async () => {
  const venture = await bank.registerVenture('Acme')
  const link = await create(venture, { description: 'Two books' })
  const { payment } = await pay(venture, link, 'plain')
  await bank.owner.query(`update payments set paid_at = '2026-03-05T14:07:09Z' where id = $1`, [payment.id])
  for (const [language, amount, date] of [
    ['EN', '€12.50', '5 Mar 2026, 14:07 UTC'],
    ['FR', '12,50\u00a0€', '5 mars 2026, 14:07 UTC'],
    ['AR', '\u200f12,50\u00a0€', '5 مارس 2026، 14:07 UTC'],
  ] as const) {
    const words = texts[language]
    const { text } = await open(`/pay/${link.token}/${payment.id}?lang=${language.toLowerCase()}`)
    assert.deepEqual(detailsOf(text), {
      [words.payee]: '<bdi>Acme</bdi>',
      [words.description]: '<bdi>Two books</bdi>',
      [words.amount]: `\u2068${amount}\u2069`,
      [words.date]: `<time datetime="2026-03-05T14:07:09.000Z">${date}</time>`,
      [words.card]: '<bdi dir="ltr">Mastercard <span aria-hidden="true">••••</span> 4444</bdi>',
      [words.reference]: `<bdi dir="ltr">${payment.gateway_order_number}</bdi>`,
    })
    assert.ok(text.includes(words.canClose))
    assert.ok(text.includes(`<a href="../${link.token}?lang=${language.toLowerCase()}">${words.backToLink}</a>`))
  }
})

test('a receipt shows what was refunded, and omits what the gateway did not send', async () => {
  const venture = await bank.registerVenture('Acme')
  const link = await create(venture, { max_uses: 1 })
  const { payment } = await pay(venture, link, 'plain')
  await venture.post(`/payments/${payment.id}/refund`, { amount: '5.00', external_refund_id: 'part' })
  const { text } = await open(`/pay/${link.token}/${payment.id}`)
  assert.equal(detailsOf(text)['Refunded'], '\u2068€5.00\u2069')
  assert.ok(text.includes(texts.EN.canClose) && !text.includes(texts.EN.backToLink), 'the link is used up')
  for (const [brand, pan, expected] of [
    ['CIB', '628058**1234', '<bdi dir="ltr">CIB <span aria-hidden="true">••••</span> 1234</bdi>'],
    [null, '628058**1234', '<bdi dir="ltr"> <span aria-hidden="true">••••</span> 1234</bdi>'],
    ['VISA', null, undefined],
  ]) {
    await bank.owner.query('update payments set card_brand = $2, masked_pan = $3 where id = $1', [payment.id, brand, pan])
    assert.equal(detailsOf((await open(`/pay/${link.token}/${payment.id}`)).text)['Card'], expected)
  }
})

test('a payment that is not paid has no date and no card', async () => {
  const venture = await bank.registerVenture('Acme')
  const link = await create(venture)
  const { payment } = await pay(venture, link, 'insufficient_funds')
  const { text } = await open(`/pay/${link.token}/${payment.id}`)
  assert.deepEqual(Object.keys(detailsOf(text)), ['Merchant', 'Amount', 'Reference'])
})

test('the result of a link with a shop leads back to the shop', async () => {
  const venture = await bank.registerVenture('Acme')
  const link = await create(venture, { success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/not-paid' })
  const { tryAgain, toCardForm, checkAgain, backToShop, backToLink } = texts.EN
  for (const [card, status, address, labels] of [
    ['plain', 'PAID', 'https://shop.example/paid', [backToShop]],
    ['lost', 'REFUSED', 'https://shop.example/not-paid', [tryAgain, backToShop]],
    ['none', 'PENDING', 'https://shop.example/not-paid', [toCardForm, checkAgain, backToShop]],
  ] as const) {
    const { payment } = await pay(venture, link, card)
    const { text } = await open(`/pay/${link.token}/${payment.id}`)
    const buttons = [...text.matchAll(/<a class="button(?: main)?" href="([^"]+)">([^<]+)<\/a>/g)]
    assert.deepEqual(
      buttons.map(([, , label]) => label),
      labels,
    )
    assert.equal(buttons.at(-1)?.[1], `${address}?payment_id=${payment.id}&amp;status=${status}`)
    assert.ok(!text.includes(backToLink))
  }
})

test("a result is shown under the payment's own link only, and stays when the link is closed", async () => {
  const venture = await bank.registerVenture()
  const [link, other] = [await create(venture, { ask_name: true }), await create(venture)]
  const foreign = await create(await bank.registerVenture())
  const { payment } = await pay(venture, link, 'plain', { name: 'Ada Lovelace' })
  for (const { token } of [other, foreign]) assert.equal((await open(`/pay/${token}/${payment.id}`)).status, 404)
  const order = { amount: '1', currency: 'EUR', success_url: 'https://shop.example/', fail_url: 'https://shop.example/' }
  const direct = (await venture.post('/payments', order)).body
  assert.equal((await open(`/pay/${link.token}/${direct.id}`)).status, 404)
  await venture.put(`/payment-links/${link.id}`, { active: false })
  const page = await open(`/pay/${link.token}/${payment.id}`)
  assert.equal(page.status, 200)
  assert.doesNotMatch(page.text, /Ada Lovelace|411111|555555/)
})

test('while the gateway does not answer, the page says so and the use is not lost', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1, ask_name: true })
  const app = await bank.openInstance({ gateway: { url: 'http://127.0.0.1:1', user: 'u', password: 'p' } })
  for (let time = 0; time < 2; time++) {
    const page = await submit(link, { name: 'Ada' }, { app, lang: 'fr' })
    assert.equal(page.status, 503)
    assertPage(page, 'fr')
    assert.ok(page.text.includes(texts.FR.notices.unanswered.text))
    assert.ok(page.text.includes(`<a class="button main" href="">${texts.FR.tryAgain}</a>`))
    assert.equal(await usesOf(venture, link), 0)
  }
  const { payment } = await pay(venture, link, 'plain', { name: 'Ada' })
  assert.deepEqual(
    (await paymentsOf(venture, link)).map(({ status }) => status),
    ['PAID', 'CANCELED', 'CANCELED'],
  )
  assert.equal(payment.status, 'PAID')
})

test('the same attempt can be sent again after the gateway did not answer it', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1 })
  const app = await bank.openInstance({ gateway: { url: 'http://127.0.0.1:1', user: 'u', password: 'p' } })
  const [, attempt = ''] = /name="attempt" value="([^"]+)"/.exec((await open(`/pay/${link.token}`)).text) ?? []
  assert.equal((await submit(link, { attempt }, { app })).status, 503)
  assert.equal((await submit(link, { attempt })).status, 303)
  assert.deepEqual(
    (await paymentsOf(venture, link)).map(({ status }) => status),
    ['PENDING', 'CANCELED'],
  )
})

test('an order that the gateway refuses takes no use', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { max_uses: 1 })
  const app = await bank.openInstance({ gateway: { url: `${url}/sandbox/gateway`, user: 'sandbox', password: 'wrong' } })
  const page = await submit(link, {}, { app })
  assert.equal(page.status, 503)
  assertPage(page)
  assert.deepEqual(
    (await paymentsOf(venture, link)).map(({ status }) => status),
    ['FAILED'],
  )
  assert.equal(await usesOf(venture, link), 0)
})

test('a card form at an unexpected origin is reached through a page, because the policy does not let the form go there', async () => {
  const formUrl = 'https://cards.example/form?order=1&lang="fr"'
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ orderId: 'order-1', formUrl }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const app = await bank.openInstance({ gateway: { url: `${origin}/rbs`, user: 'u', password: 'p' } })
  const link = await create(await bank.registerVenture())
  const policy = (headers: Record<string, unknown>) => /form-action ([^;]*);/.exec(String(headers['content-security-policy']))?.[1]
  assert.equal(policy((await open(`/pay/${link.token}`)).headers), `'self' ${url}`)
  assert.equal(policy((await open(`/pay/${link.token}`, app)).headers), `'self' ${origin}`)
  const page = await submit(link, {}, { app })
  assert.equal(page.status, 200)
  assert.equal(page.location, undefined)
  const escaped = 'https://cards.example/form?order=1&amp;lang=%22fr%22'
  assert.ok(page.text.includes(`<meta http-equiv="refresh" content="0; url=${escaped}">`))
  assert.ok(page.text.includes(`<a class="button main" href="${escaped}">`))
})

test('while the database is not available, the page says so', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture)
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'payment_links', link.id, 'update')
  const page = await submit(link, {}, { app: impatient, lang: 'ar' })
  await bank.owner.query('rollback')
  assert.equal(page.status, 503)
  assertPage(page, 'ar')
  assert.ok(page.text.includes(texts.AR.notices.unavailable.text))
  assert.deepEqual(await paymentsOf(venture, link), [])
})

test('the QR code holds the address of the link', async () => {
  const link = await create(await bank.registerVenture())
  const page = await open(`/pay/${link.token}`)
  assert.ok(page.text.includes(`<img src="${link.token}/qr.svg"`) && page.text.includes(`<bdi dir="ltr">${link.url}</bdi>`))
  const image = await open(`/pay/${link.token}/qr.svg`)
  assert.equal(image.status, 200)
  assert.equal(image.headers['content-type'], 'image/svg+xml')
  assert.equal(image.headers['x-content-type-options'], 'nosniff')
  assert.equal(decodedQr(image.text), link.url)
})

/** The names and values of a page's list. */
function detailsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/<dt>([^<]*)<\/dt><dd>(.*)<\/dd>/g)].map(([, name, value]) => [name, value]))
}
