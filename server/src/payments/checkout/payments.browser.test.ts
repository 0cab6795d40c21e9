// Payers with a real browser against the real service process: from the link through the card form and 3-D Secure to the receipt.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { texts as gatewayTexts } from '../../sandbox/gateway/sandbox.gateway.texts.ts'
import { openBrowser, skipped, Visitor } from '../../testing/testing.browser.ts'
import { someOnboarding, somePerson } from '../../testing/testing.people.ts'
import { fetchPatiently, ServiceProcess, stopProcesses } from '../../testing/testing.process.ts'
import { findTestServer, urlOf } from '../../testing/testing.server.ts'
import { openBank } from '../../testing/testing.ts'
import { eventually } from '../../testing/testing.waits.ts'
import { type Language, languages } from '../payments.schemas.ts'
import { texts } from './payments.texts.ts'

// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of an answer.
type Loose = any

const cards = { secure: '4111 1111 1111 1111', plain: '5555 5555 5555 4444', insufficient: '4000 0000 0000 9995' }

const bank = await openBank()
const server = findTestServer()
const venture = await bank.registerVenture('Librairie El Ijtihad')
let browser: Browser
let origin: string

function startService(changes: Record<string, string> = {}): Promise<string> {
  return new ServiceProcess({
    DATABASE_URL: urlOf(server.serviceUrl, bank.owner.database ?? ''),
    MIGRATION_DATABASE_URL: urlOf(server.ownerUrl, bank.owner.database ?? ''),
    DATABASE_WAIT_MS: '60000',
    SANDBOX: 'true',
    LOG_LEVEL: 'silent',
    PORT: '0',
    ...changes,
  }).ready()
}

before(async () => {
  if (skipped) return
  ;[origin, browser] = await Promise.all([startService(), openBrowser()])
})

after(async () => {
  await browser?.close()
  await stopProcesses()
})

async function api(path: string, body?: object): Promise<Loose> {
  const headers = { 'x-api-key': venture.venture.api_key, 'content-type': 'application/json' }
  const request = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) }
  const answer = await fetchPatiently(`${origin}/api/v1${path}`, request)
  assert.ok(answer.ok, `${path}: ${answer.status}`)
  return answer.json()
}

const descriptions: Record<Language, string> = { FR: 'Deux livres de poche', EN: 'Two paperbacks', AR: 'كتابان' }

function createLink(language: Language, changes: object = {}): Promise<Loose> {
  return api('/payment-links', { amount: '1250.00', currency: 'DZD', description: descriptions[language], language, ...changes })
}

function paymentsOf(link: Loose): Promise<Loose> {
  return api(`/payments?payment_link_id=${link.id}`)
}

async function statusesOf(link: Loose): Promise<string[]> {
  return (await paymentsOf(link)).map(({ status }: { status: string }) => status)
}

/** Lets a visitor act, and checks afterwards that no request went to another origin. */
async function visit(act: (visitor: Visitor) => Promise<void>, ...elsewhere: string[]): Promise<void> {
  const visitor = await Visitor.open(browser, origin, ...elsewhere)
  await act(visitor)
  await visitor.leave()
}

const main = (page: Page) => page.locator('button.main')

async function enterCard(page: Page, language: Language, number: string): Promise<void> {
  const words = gatewayTexts[language.toLowerCase() as Lowercase<Language>]
  await page.getByLabel(words.number).fill(number)
  await page.getByLabel(words.expiry).fill('12/39')
  await page.getByLabel(words.cvv).fill('123')
  await main(page).click()
}

const cancel = (page: Page) => page.locator('button[value=cancel]').click()

async function assertResult(page: Page, language: Language, status: 'PAID' | 'REFUSED' | 'CANCELED' | 'PENDING'): Promise<void> {
  await page.waitForURL(/\/pay\/[^/]+\/[^/]+/)
  assert.equal(await page.locator('h1').textContent(), texts[language].result[status].title)
}

/** The same visit in each language, concurrently. */
async function visitInEach(act: (visitor: Visitor, language: Language) => Promise<void>): Promise<void> {
  await Promise.all(languages.map((language) => visit((visitor) => act(visitor, language))))
}

test('the form shows what is missing and keeps what the payer typed', { skip: skipped }, async () => {
  await visitInEach(async (visitor, language) => {
    const { page } = visitor
    const { fields } = texts[language]
    const link = await createLink(language, { ask_name: true, ask_email: true, ask_phone: true })
    await page.goto(link.url)
    await visitor.look(`${language}-1-link`)
    await main(page).click()
    assert.equal(await page.locator('[aria-invalid]').count(), 3)
    assert.equal(await page.evaluate('document.activeElement.id'), 'name')
    await visitor.look(`${language}-2-missing`)
    await page.getByLabel(fields.name.label).fill('Zoé Benali')
    await page.getByLabel(fields.email.label).fill('zoe@example.com')
    await page.getByLabel(fields.phone.label).fill('+213 551 23 45 67')
    await main(page).click()
    await page.waitForURL(`${origin}/sandbox/gateway/form/*`)
    await enterCard(page, language, cards.plain)
    await assertResult(page, language, 'PAID')
    const [{ status, customer_name, customer_email, customer_phone }] = await paymentsOf(link)
    assert.deepEqual([status, customer_name, customer_email, customer_phone], ['PAID', 'Zoé Benali', 'zoe@example.com', '+213551234567'])
  })
})

test('a payer pays with 3-D Secure and gets a receipt', { skip: skipped }, async () => {
  await visitInEach(async (visitor, language) => {
    const { page } = visitor
    const link = await createLink(language)
    await page.goto(link.url)
    await main(page).click()
    await page.waitForURL(`${origin}/sandbox/gateway/form/*`)
    await visitor.look(`${language}-3-card`)
    await enterCard(page, language, cards.secure)
    await page.waitForURL(`${origin}/sandbox/gateway/acs/*`)
    await visitor.look(`${language}-4-bank`)
    await main(page).click()
    await assertResult(page, language, 'PAID')
    const [{ gateway_order_number }] = await paymentsOf(link)
    for (const text of ['Librairie El Ijtihad', 'Visa •••• 1111', gateway_order_number]) {
      assert.ok(await page.locator('dd', { hasText: text }).isVisible(), text)
    }
    await visitor.look(`${language}-5-paid`)
  })
})

test('after a declined card, another one is accepted on the same form', { skip: skipped }, async () => {
  await visitInEach(async (visitor, language) => {
    const { page } = visitor
    const link = await createLink(language)
    await page.goto(link.url)
    await main(page).click()
    await enterCard(page, language, cards.insufficient)
    await page.getByRole('alert').waitFor()
    await visitor.look(`${language}-6-declined`)
    await enterCard(page, language, cards.plain)
    await assertResult(page, language, 'PAID')
    assert.deepEqual(await statusesOf(link), ['PAID'])
  })
})

test('a payer who gives up after a declined card sees that, and can start again', { skip: skipped }, async () => {
  await visitInEach(async (visitor, language) => {
    const { page } = visitor
    const { tryAgain, notices } = texts[language]
    const link = await createLink(language, { max_uses: 1 })
    await page.goto(link.url)
    await main(page).click()
    await enterCard(page, language, cards.insufficient)
    await page.getByRole('alert').waitFor()
    await cancel(page)
    await assertResult(page, language, 'REFUSED')
    await visitor.look(`${language}-7-refused`)
    await page.getByRole('link', { name: tryAgain }).click()
    await main(page).click()
    await enterCard(page, language, cards.plain)
    await assertResult(page, language, 'PAID')
    await page.goto(link.url)
    assert.equal(await page.locator('h1').textContent(), notices.used_up.title)
    await visitor.look(`${language}-8-used-up`)
    assert.deepEqual(await statusesOf(link), ['PAID', 'REFUSED'])
  })
})

test('a payer who cancels at the bank sees that the payment is canceled', { skip: skipped }, async () => {
  await visitInEach(async (visitor, language) => {
    const { page } = visitor
    const link = await createLink(language)
    await page.goto(link.url)
    await main(page).click()
    await enterCard(page, language, cards.secure)
    await page.waitForURL(`${origin}/sandbox/gateway/acs/*`)
    await cancel(page)
    await page.getByRole('alert').waitFor()
    await cancel(page)
    await assertResult(page, language, 'CANCELED')
    await visitor.look(`${language}-9-canceled`)
    assert.deepEqual(await statusesOf(link), ['CANCELED'])
  })
})

test('a payer who leaves the card form can go back to it', { skip: skipped }, async () => {
  await visitInEach(async (visitor, language) => {
    const { page } = visitor
    const { checkAgain, toCardForm } = texts[language]
    await page.goto((await createLink(language)).url)
    await main(page).click()
    await page.waitForURL(`${origin}/sandbox/gateway/form/*`)
    await cancel(page)
    await assertResult(page, language, 'PENDING')
    await visitor.look(`${language}-10-pending`)
    await page.getByRole('link', { name: checkAgain }).click()
    await assertResult(page, language, 'PENDING')
    await page.getByRole('link', { name: toCardForm }).click()
    await enterCard(page, language, cards.plain)
    await assertResult(page, language, 'PAID')
  })
})

test('a button pressed twice starts one payment', { skip: skipped }, async () => {
  const link = await createLink('EN', { max_uses: 1 })
  await visit(async ({ page }) => {
    await page.goto(link.url)
    await main(page).dblclick()
    // The second submission aborts the first one's navigation, for which waitForURL would fail.
    while (!page.url().startsWith(`${origin}/sandbox/gateway/form/`)) await sleep(50)
    await enterCard(page, 'EN', cards.plain)
    await assertResult(page, 'EN', 'PAID')
  })
  assert.deepEqual(await statusesOf(link), ['PAID'])
})

test('the language that a payer chooses is also that of the card form', { skip: skipped }, async () => {
  const link = await createLink('EN')
  await visit(async ({ page }) => {
    await page.goto(link.url)
    await page.getByRole('link', { name: texts.AR.name }).click()
    assert.equal(await page.locator('html').getAttribute('dir'), 'rtl')
    await main(page).click()
    await page.waitForURL(`${origin}/sandbox/gateway/form/*`)
    assert.equal(await page.locator('html').getAttribute('lang'), 'ar')
    await enterCard(page, 'AR', cards.plain)
    await assertResult(page, 'AR', 'PAID')
    await page.getByRole('link', { name: texts.FR.name }).click()
    await assertResult(page, 'FR', 'PAID')
  })
})

test('everything can be done with the keyboard alone', { skip: skipped }, async () => {
  const link = await createLink('EN', { ask_name: true, ask_email: true })
  await visit(async ({ page }) => {
    const { keyboard } = page
    const focused = () => page.evaluate<string>('document.activeElement.name || document.activeElement.textContent')
    await page.goto(link.url)
    for (const expected of [texts.FR.name, texts.EN.name, texts.AR.name, 'name']) {
      await keyboard.press('Tab')
      assert.equal(await focused(), expected)
      assert.equal(await page.evaluate<string>('getComputedStyle(document.activeElement).outline'), 'rgb(11, 87, 208) solid 3px')
    }
    await keyboard.type('Ada Lovelace')
    await keyboard.press('Tab')
    await keyboard.type('ada@example.com')
    await keyboard.press('Enter')
    await page.waitForURL(`${origin}/sandbox/gateway/form/*`)
    for (const text of [cards.plain, '12/39', '123']) {
      await keyboard.press('Tab')
      await keyboard.type(text)
    }
    await keyboard.press('Enter')
    await assertResult(page, 'EN', 'PAID')
  })
})

test('a printed page has the QR code and the address, and nothing that is useless on paper', { skip: skipped }, async () => {
  const link = await createLink('FR', { ask_name: true })
  await visit(async (visitor) => {
    const { page } = visitor
    await page.goto(link.url)
    assert.equal(await page.locator('figure').isVisible(), false)
    await page.emulateMedia({ media: 'print' })
    assert.ok(await page.locator('figure').isVisible())
    assert.ok((await page.evaluate<number>('document.images[0].naturalWidth')) > 0)
    assert.ok(await page.getByText(link.url).isVisible())
    for (const hidden of ['form', 'nav']) assert.equal(await page.locator(hidden).isVisible(), false)
    await visitor.look('print')
  })
})

test('every outcome of a payment has an accessible page', { skip: skipped }, async () => {
  const link = await createLink('EN', { amount: '12.50', currency: 'EUR' })
  await visit(async (visitor) => {
    const { page } = visitor
    await page.goto(link.url)
    await main(page).click()
    await enterCard(page, 'EN', cards.plain)
    await assertResult(page, 'EN', 'PAID')
    const [{ id }] = await paymentsOf(link)
    // The service asks the gateway once more, ten seconds after the payment's start. After that it does not change the row.
    await eventually(async () => (await bank.owner.query(`select from jobs where payload->>'id' = $1`, [id])).rowCount === 0)
    for (const [language, outcome, changes] of [
      ['EN', 'PAID', `refunded_amount = 5`],
      ['FR', 'REFUNDED', `status = 'REFUNDED', refunded_amount = 12.50`],
      ['AR', 'REVERSED', `status = 'CANCELED', refunded_amount = 0`],
      ['EN', 'EXPIRED', `status = 'EXPIRED', paid_at = null`],
      ['FR', 'FAILED', `status = 'FAILED'`],
    ] as const) {
      await bank.owner.query(`update payments set ${changes} where id = $1`, [id])
      await page.goto(`${link.url}/${id}?lang=${language.toLowerCase()}`)
      assert.equal(await page.locator('h1').textContent(), texts[language].result[outcome].title)
      await visitor.look(`${language}-outcome-${outcome}`)
    }
  })
})

test('a payer waits for a late payment, or goes back to the shop', { skip: skipped }, async () => {
  await visit(async (visitor) => {
    const { page } = visitor
    await page.goto((await createLink('AR')).url)
    await main(page).click()
    await page.waitForURL(`${origin}/sandbox/gateway/form/*`)
    // Like the card of the late success, but with enough time to look.
    await bank.owner.query(
      `update sandbox_orders set order_status = 2, action_code = 0, approval_code = '123456', paid_at = now() + interval '1 hour' where id = $1`,
      [new URL(page.url()).pathname.split('/').at(-1)],
    )
    await page.reload()
    await page.getByRole('heading', { name: gatewayTexts.ar.processingTitle }).waitFor()
    await visitor.look('processing')
    await page.getByRole('link', { name: gatewayTexts.ar.checkAgain }).click()
    await page.getByRole('link', { name: gatewayTexts.ar.back }).click()
    await page.waitForURL(/\/pay\//)
  })
})

test('what can be pressed is large enough for a finger', { skip: skipped }, async () => {
  const link = await createLink('EN', { ask_name: true })
  await visit(async ({ page }) => {
    const assertSizes = async (least: number) => {
      const sizes = await page.evaluate<number[]>(
        `[...document.querySelectorAll('nav a, button, .button, input:not([type=hidden])')].map((element) => element.offsetHeight)`,
      )
      assert.ok(sizes.length >= least && sizes.every((size) => size >= 44), String(sizes))
    }
    await page.goto(link.url)
    await assertSizes(5)
    await page.getByLabel(texts.EN.fields.name.label).fill('Ada Lovelace')
    await main(page).click()
    await page.waitForURL(`${origin}/sandbox/gateway/form/*`)
    await assertSizes(5)
    await cancel(page)
    await assertResult(page, 'EN', 'PENDING')
    await assertSizes(5)
  })
})

test('notices are accessible', { skip: skipped }, async () => {
  const expired = await createLink('AR', { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  await bank.owner.query('update payment_links set expires_at = now() where id = $1', [expired.id])
  await visit(async (visitor) => {
    for (const [name, path, notice] of [
      ['unknown', '/pay/AAAAAAAAAAAAAAAAAAAAAA?lang=fr', texts.FR.notices.unknown],
      ['expired', `/pay/${expired.token}`, texts.AR.notices.expired],
      ['malformed', `/pay/${expired.token}?note=%00&lang=en`, texts.EN.notices.malformed],
    ] as const) {
      await visitor.page.goto(origin + path)
      assert.equal(await visitor.page.locator('h1').textContent(), notice.title)
      await visitor.look(name)
    }
    await visitor.page.goto(`${origin}/docs/errors`)
    await visitor.look('error-codes')
  })
})

test('the page of the sandbox verifier is accessible, and ends with what happened', { skip: skipped }, async () => {
  const { id } = await api('/clients/person', somePerson())
  await api(`/clients/${id}/onboarding/details`, someOnboarding)
  let details = await api(`/clients/${id}/onboarding/details`)
  for (; details.kyc_link === null; await sleep(50)) details = await api(`/clients/${id}/onboarding/details`)
  await visit(async (visitor) => {
    const { page } = visitor
    const assertNames = async () => {
      for (const name of ['Librairie El Ijtihad', 'Ada Lovelace']) assert.ok((await page.getByText(name).count()) > 0, name)
    }
    await page.goto(details.kyc_link)
    await assertNames()
    await visitor.look('verifier')
    await page.getByRole('button', { name: 'Send to review' }).click()
    await page.getByRole('heading', { name: 'Application in review' }).waitFor()
    await visitor.look('verifier-review')
    await main(page).click()
    await page.getByRole('heading', { name: 'Application approved' }).waitFor()
    await assertNames()
    assert.ok(await page.getByText('You can close this window.').isVisible())
    assert.equal(await main(page).isVisible(), false)
    await visitor.look('verifier-approved')
    await page.getByText('Choose another outcome').click()
    await page.getByRole('button', { name: 'Decline' }).click()
    await page.getByRole('heading', { name: 'Application declined' }).waitFor()
    await visitor.look('verifier-declined')
    await page.goto(`${origin}/sandbox/verifier/${'a'.repeat(32)}`)
    await page.getByRole('heading', { name: 'Application not found' }).waitFor()
    await visitor.look('verifier-not-found')
  })
})

// Last, because this service would also run the jobs of the other tests, with another gateway.
test('the card form of an external gateway is reached, at the origin that the policy names and at any other', {
  skip: skipped,
}, async () => {
  const forms = await serve(() => '<!doctype html><title>Card form</title>')
  let formsAt = ''
  const gateway = await serve((path) =>
    path.endsWith('.do') ? JSON.stringify({ orderId: randomUUID(), formUrl: `${formsAt}/form` }) : 'Card form',
  )
  const service = await startService({ GATEWAY_URL: gateway, GATEWAY_USER: 'user', GATEWAY_PASSWORD: 'password' })
  const { token } = await createLink('EN')
  for (const place of [gateway, forms]) {
    formsAt = place
    await visit(
      async ({ page }) => {
        await page.goto(`${service}/pay/${token}`)
        await main(page).click()
        await page.waitForURL(`${place}/form`)
      },
      service,
      place,
    )
  }
})

/** A server that answers every request with a text. */
async function serve(answer: (path: string) => string): Promise<string> {
  const server = createServer((request, response) => response.end(answer(request.url ?? '')))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
