// Looks at every page of the console in every state, on every screen, light and dark, in a real browser with the full demo bank.
//   npm run console:pages
//   npm run console:pages -- --only transfers --state empty
import { parseArgs } from 'node:util'
import { barOf, redraw } from '../../server/src/platform/progress.ts'
import { openBrowser, screenshots, skipped } from '../../server/src/testing/testing.browser.ts'
import { globalSetup, globalTeardown } from '../../server/src/testing/testing.setup.ts'
import { ConsoleBank } from './console.bank.ts'
import { reportOf } from './console.findings.ts'
import { Colleagues, type Finding, lookAt, states, views } from './console.look.ts'
import { allPages } from './console.pages.ts'

const help = `Looks at every page of the console: ${states.join(', ')}; 360, 768 and 1280 pixels; light and dark.

  npm run console:pages                                everything
  npm run console:pages -- --only transfers --only v/  pages whose name contains one of these words
  npm run console:pages -- --state empty               one state
  npm run console:pages -- --no-screenshots            leaves no pictures, which takes half the time

The pictures are in ${screenshots}console/.`

const { values } = parseArgs({
  allowNegative: true,
  options: {
    only: { type: 'string', multiple: true, default: [''] },
    state: { type: 'string' },
    screenshots: { type: 'boolean', default: true },
    help: { type: 'boolean' },
  },
})
if (values.help === true) {
  console.log(help)
  process.exit(0)
}
if (skipped !== false) {
  console.error(skipped)
  process.exit(1)
}
const pages = allPages.filter(({ name }) => values.only.some((word) => name.includes(word)))
const chosen = states.filter((state) => values.state === undefined || state === values.state)
if (pages.length === 0 || chosen.length === 0) {
  console.error(
    pages.length === 0
      ? `No page has a name with ${values.only.join(' or ')}.`
      : `There is no state ${values.state}: ${states.join(', ')}.`,
  )
  process.exit(2)
}

await globalSetup()
redraw('filling the demo bank')
const banks = { full: await ConsoleBank.open({ demo: 'full' }), empty: await ConsoleBank.open({ demo: undefined }) }
const browser = await openBrowser()
const colleagues = new Colleagues(browser)
const work = pages.flatMap((page) => chosen.map((state) => ({ page, state })))
const findings: Finding[] = []
const missing: string[] = []
let [done, looked] = [0, 0]
for (const { page, state } of work) {
  redraw(`${barOf({ done, of: work.length })} ${done} of ${work.length}, ${findings.length} findings: ${page.name} ${state}`)
  const found = await lookAt(page, { state, banks, colleagues, on: views, ...(values.screenshots && { screenshots: 'console/' }) })
  if (found !== undefined) {
    looked += views.length
    findings.push(...found)
  } else if (state === 'full') missing.push(page.name)
  done++
}
redraw('')
await browser.close()
await banks.full.stop()
await banks.empty.stop()
await globalTeardown()
for (const name of missing) findings.push({ page: name, state: 'full', what: 'the demo bank has nothing for this page', where: [] })
console.log(reportOf(findings))
console.log(`${pages.length} pages, ${looked} views, ${findings.length} findings.`)
process.exit(findings.length === 0 ? 0 : 1)
