// The console in a real browser, in short: each page once, on a screen and in a scheme that change from page to page. `npm run console:pages` looks at
// every page in every state, on every screen.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipped } from '../../server/src/testing/testing.browser.ts'
import { ConsoleBank } from './console.bank.ts'
import { Colleagues, lookAt, states, views } from './console.look.ts'
import { allPages, idsOf } from './console.pages.ts'

let browser: Browser | undefined
let banks: { full: ConsoleBank; empty: ConsoleBank }
let colleagues: Colleagues

before(async () => {
  if (skipped !== false) return
  browser = await openBrowser()
  banks = { full: await ConsoleBank.open({ demo: 'small' }), empty: await ConsoleBank.open({ demo: undefined }) }
  colleagues = new Colleagues(browser)
})

after(async () => {
  await browser?.close()
  await banks?.full.stop()
  await banks?.empty.stop()
})

test('every page of one thing has something to show, and nothing else is listed', () => {
  const needed = allPages.filter(({ entry }) => entry.path.includes('$')).map(({ name }) => name)
  assert.deepEqual(Object.keys(idsOf).toSorted(), needed.toSorted())
})

for (const [index, page] of allPages.entries()) {
  test(`the page ${page.name}`, { skip: skipped }, async () => {
    const view = views[index % views.length] as (typeof views)[number]
    // Undefined: the demo bank has nothing for this page.
    assert.deepEqual(await lookAt(page, { state: 'full', banks, colleagues, on: [view] }), [])
    const other = states[1 + (index % 3)] as (typeof states)[number]
    const on = [views[(index + 3) % views.length] as (typeof views)[number]]
    assert.deepEqual((await lookAt(page, { state: other, banks, colleagues, on })) ?? [], [])
  })
}

test('no page has asked for anything from outside, broken the policy, or failed', { skip: skipped }, () => colleagues.leave())
