import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBrowser, skipped, Visitor } from '../../testing/testing.browser.ts'
import { openBank } from '../../testing/testing.ts'
import { catalogue } from '../../values/refusals.ts'
import { escapeHtml } from '../http/html.ts'

const bank = await openBank()

test('the catalogue says of each code what it is, why it happens and what to do, in whole sentences', () => {
  for (const [code, { status, title, cause, remedy }] of Object.entries(catalogue)) {
    assert.ok(status >= 400 && status < 600, code)
    assert.match(title, /^[\w].*\w$/, code)
    for (const text of [cause, remedy]) {
      assert.match(text, /^[A-Z].*\.$/, code)
      // The text is shown as Markdown, as HTML and in problems, so it must be plain text in all three.
      assert.doesNotMatch(text, /[`<>*]/, code)
    }
  }
})

test('the page of error codes shows status, title, cause and remedy of each code at the anchor to which its problem points', async () => {
  const { text } = await bank.stranger.send({ method: 'GET', url: '/docs/errors' })
  for (const [code, { status, title, cause, remedy }] of Object.entries(catalogue)) {
    const [, section = ''] = new RegExp(`<section id="${code}">(.*?)</section>`, 's').exec(text) ?? []
    // Names of fields inside a sentence are marked as code.
    const plain = section.replace(/<\/?code>/g, '')
    for (const shown of [code, String(status), title, cause, remedy])
      assert.ok(plain.includes(`>${escapeHtml(shown)}<`), `${code}: ${shown}`)
    assert.match(text, new RegExp(`<summary>${status} .*?<a href="#${code}">`, 's'))
  }
  assert.ok(text.includes('once blocked and <code>is_blacklisted</code> are false and <code>kyc_status</code> is not DECLINED,'))
  const { problem } = await bank.stranger.get('/nowhere')
  assert.equal(problem.type, '/docs/errors#route_not_found')
})

test('a refusal without a detail of its own says cause and remedy', async () => {
  const { problem } = await bank.stranger.get('/nowhere')
  assert.equal(problem.title, 'Path not found')
  assert.equal(
    problem.detail,
    'No operation has this path. Check the path against the reference at /docs; the paths of the API begin with /api/v1.',
  )
})

test('on a small phone no error code is broken into two lines', { skip: skipped }, async () => {
  const origin = await bank.listen()
  const browser = await openBrowser()
  const visitor = await Visitor.open(browser, origin)
  await visitor.page.goto(`${origin}/docs/errors#insufficient_funds`)
  assert.equal(await visitor.page.evaluate('innerWidth'), 360)
  const lines = await visitor.page.evaluate("[...document.querySelectorAll('h2 code')].map((code) => code.getClientRects().length)")
  assert.deepEqual(
    lines,
    Object.keys(catalogue).map(() => 1),
  )
  assert.equal(await visitor.page.locator(':target h2').textContent(), 'insufficient_funds')
  await visitor.look('error-codes-at-an-anchor')
  await visitor.leave()
  await browser.close()
})
