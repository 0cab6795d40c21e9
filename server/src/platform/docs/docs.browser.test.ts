// Opens the home page, the reference, the guides and the error codes in a real browser.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipped, Visitor } from '../../testing/testing.browser.ts'
import { openBank } from '../../testing/testing.ts'
import { guides, isGuide, pathOf } from './docs.guides.ts'

const bank = await openBank()
const origin = await bank.listen()
const laptop = { width: 1280, height: 800 }
let browser: Browser

before(async () => {
  if (!skipped) browser = await openBrowser()
})

after(() => browser?.close())

/** Opens pages as a reader does, and then checks that nothing came from another host and no policy was violated. */
async function read(act: (visitor: Visitor) => Promise<void>): Promise<void> {
  const visitor = await Visitor.open(browser, origin)
  await act(visitor)
  await visitor.leave()
}

test('from the home page a reader reaches the guides and the error codes, and gets back', { skip: skipped }, async () => {
  await read(async (visitor) => {
    const { page } = visitor
    await page.goto(origin)
    assert.equal(await page.locator('h1').textContent(), 'Vostro')
    await visitor.look('docs-home')
    await page.getByRole('link', { name: /^Guides / }).click()
    assert.equal(await page.locator('h1').textContent(), 'Guides')
    await visitor.look('docs-guides')
    await page.getByRole('link', { name: /^Webhooks / }).click()
    assert.equal(await page.locator('[aria-current=page]').textContent(), 'Webhooks')
    await page.getByRole('link', { name: 'Errors' }).click()
    assert.equal(await page.locator('h1').textContent(), 'Error codes')
    await page.getByRole('link', { name: 'Vostro' }).click()
    await page.waitForURL(`${origin}/`)
  })
})

// One with much code, and one with wide tables.
for (const name of ['webhooks', 'screening'] as const) {
  test(`everybody can read the guide ${name}`, { skip: skipped }, async () => {
    await read(async (visitor) => {
      await visitor.page.goto(origin + pathOf(name))
      await visitor.look(`docs-guide-${name}`)
    })
  })
}

test('no guide is wider than a small phone, and one that does not exist says so', { skip: skipped }, async () => {
  await read(async (visitor) => {
    const { page } = visitor
    for (const name of Object.keys(guides).filter(isGuide)) {
      await page.goto(origin + pathOf(name))
      assert.deepEqual(await page.evaluate('[document.documentElement.scrollWidth, innerWidth]'), [360, 360], name)
    }
    await page.goto(`${origin}/docs/guides/no-such-guide`)
    await visitor.look('docs-guide-unknown')
    await page.getByRole('link', { name: 'All guides' }).click()
    assert.equal(await page.locator('h1').textContent(), 'Guides')
  })
})

/** What the vendor wants readers to use or buy. */
const promotions = /ask ai|\bagent\b|mcp|upload|deploy|share|developer tools|api client|sign ?up|log ?in/i

test('the reference shows the contract and leads to the guides, and has nothing of its vendor to click on', { skip: skipped }, async () => {
  await read(async (visitor) => {
    const { page } = visitor
    await page.goto(`${origin}/docs`)
    await page.getByRole('heading', { name: 'Vostro' }).waitFor()
    await visitor.look('docs-reference', { ours: false })
    await page.setViewportSize(laptop)
    for (const role of ['button', 'link'] as const) {
      assert.ok((await page.getByRole(role).count()) > 0)
      assert.deepEqual(await page.getByRole(role, { name: promotions }).allTextContents(), [], role)
    }
    const guide = page.getByRole('region', { name: 'Introduction' }).getByRole('link', { name: 'Webhooks' })
    assert.equal(await guide.getAttribute('href'), '/docs/guides/webhooks')
    const codes = page.getByRole('link', { name: 'error codes' })
    assert.equal(await codes.getAttribute('href'), '/docs/errors')
  })
})

test('the reference shows a command for an operation, its refusals, and the events', { skip: skipped }, async () => {
  await read(async (visitor) => {
    const { page } = visitor
    await page.setViewportSize(laptop)
    await page.goto(`${origin}/docs/#tag/transfers/POST/api/v1/transfers`)
    await page.getByText('"unique_reference": "INVOICE-2026-1001"').first().waitFor()
    assert.ok((await page.getByText('curl "$VOSTRO_URL/api/v1/transfers"').count()) > 0, 'the command')
    assert.ok((await page.getByText('unique_reference_used').count()) > 0, 'a code')
    await visitor.look('docs-reference-example', { ours: false })
    await page.setViewportSize(laptop)
    // Goes through another page first, because the viewer would put its current section back into the address.
    await page.goto('about:blank')
    await page.goto(`${origin}/docs/#tag/events/webhook/POST/transfer.completed`)
    await page.getByRole('heading', { name: 'transfer.completed' }).first().waitFor()
  })
})

test('in the reference a reader enters a key, for which bearer is chosen already, and sends a request with it', {
  skip: skipped,
}, async () => {
  const { venture } = await bank.registerVenture('Reader')
  await read(async (visitor) => {
    const { page } = visitor
    await page.setViewportSize(laptop)
    await page.goto(`${origin}/docs/#tag/venture/GET/api/v1/venture`)
    await page.getByPlaceholder('Token').first().fill(venture.api_key)
    await page
      .getByRole('button', { name: /Test Request.*\/api\/v1\/venture\b/ })
      .first()
      .click()
    await page.getByRole('button', { name: /^Send get request/ }).click()
    await page.getByText('"Reader"').waitFor()
    for (const role of ['button', 'link'] as const) {
      assert.deepEqual(await page.getByRole(role, { name: promotions }).allTextContents(), [], role)
    }
    await visitor.look('docs-reference-request', { ours: false })
  })
})
