// Every hostile text in every field: fills the bank in rounds, with another text in each field each time, and opens every page after each round, as
// it is stored and with answers in which every text is a hostile one.
//   npm run console:attacks
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipped } from '../../../server/src/testing/testing.browser.ts'
import { openAttackedBank } from './attacks.bank.ts'
import { fill } from './attacks.fill.ts'
import { readAddresses, readConsole, readFound, readServed } from './attacks.pages.ts'
import { payloads } from './attacks.payloads.ts'

const attacked = await openAttackedBank()
let browser: Browser

before(async () => {
  if (skipped !== false) throw new Error(skipped)
  browser = await openBrowser()
})

after(() => browser?.close())

for (const round of payloads.keys()) {
  test(`round ${round + 1} of ${payloads.length}`, async (t) => {
    const { fields } = await fill(attacked, { from: round })
    await attacked.turn()
    const stored = await readConsole(browser, attacked, { hostile: false })
    const { faults, shown } = await readServed(browser, attacked)
    t.diagnostic(`${fields.size} fields; ${stored.opened.length} pages of the console, ${stored.shown} with texts; ${shown} other pages`)
    assert.deepEqual([...stored.faults, ...faults], [])
  })
}

test('answers in which every text is a hostile one', async () => {
  assert.deepEqual((await readConsole(browser, attacked, { hostile: true })).faults, [])
  assert.deepEqual((await readFound(browser, attacked)).faults, [])
  assert.deepEqual(await readAddresses(browser, attacked), [])
})
