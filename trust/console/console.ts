// Looks at every page of the console in every state, on every screen, light and dark, in a real browser with the full demo bank.
//   npm run console:pages
//   npm run console:pages -- --only transfers --screenshots
import { parseArgs } from 'node:util'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { openBrowser, skipped } from '../../server/src/testing/testing.browser.ts'
import { globalSetup, globalTeardown } from '../../server/src/testing/testing.setup.ts'
import { ConsoleBank } from './console.bank.ts'
import { Colleagues, lookAt, states, views } from './console.look.ts'
import { allPages } from './console.pages.ts'

const help = `Looks at every page of the console: ${states.join(', ')}; 360, 768 and 1280 pixels; light and dark.

  npm run console:pages                          everything
  npm run console:pages -- --only transfers      pages whose name contains a word
  npm run console:pages -- --state empty         one state
  SCREENSHOTS=1 npm run console:pages            leaves pictures in test-output/`

const { values } = parseArgs({ options: { only: { type: 'string' }, state: { type: 'string' }, help: { type: 'boolean' } } })
if (values.help === true) {
  console.log(help)
  process.exit(0)
}
if (skipped !== false) {
  console.error(skipped)
  process.exit(1)
}
const pages = allPages.filter(({ name }) => name.includes(values.only ?? ''))
const chosen = states.filter((state) => values.state === undefined || state === values.state)
if (pages.length === 0 || chosen.length === 0) {
  console.error(pages.length === 0 ? `No page has a name with ${values.only}.` : `There is no state ${values.state}: ${states.join(', ')}.`)
  process.exit(2)
}

await globalSetup()
redraw('filling the demo bank')
const banks = { full: await ConsoleBank.open({ demo: 'full' }), empty: await ConsoleBank.open({ demo: undefined }) }
const browser = await openBrowser()
const colleagues = new Colleagues(browser)
const work = pages.flatMap((page) => chosen.map((state) => ({ page, state })))
const findings: string[] = []
let [done, looked] = [0, 0]
for (const { page, state } of work) {
  redraw(`${barOf({ done: done++, of: work.length })} ${page.name} ${state}`)
  try {
    if (await lookAt(page, { state, banks, colleagues, on: views })) looked += views.length
  } catch (error) {
    findings.push(`${page.name} (${state}): ${(error as Error).message}`)
  }
}
await colleagues.leave().catch((error: Error) => findings.push(error.message))
redraw('')
await browser.close()
await banks.full.stop()
await banks.empty.stop()
await globalTeardown()
for (const finding of findings) console.log(`✖ ${finding}`)
console.log(`${pages.length} pages, ${looked} views, ${findings.length} findings.`)
process.exit(findings.length === 0 ? 0 : 1)
