// Two tabs of the console look at a list of transfers while 3,000 are created: frames, requests and seconds.
//   npm run console:live
//   npm run console:live -- --creates 500
import { parseArgs } from 'node:util'
import { redraw } from '../../server/src/platform/progress.ts'
import { openBrowser, skipped } from '../../server/src/testing/testing.browser.ts'
import { globalSetup, globalTeardown } from '../../server/src/testing/testing.setup.ts'
import { ConsoleBank } from './console.bank.ts'
import { isBounded, ordersOf, Tabs } from './console.tabs.ts'

const help = `Two tabs of the console look at the transfers of a venture while many are created. There is at most one frame a second on the stream, the tabs
answer keys all the while, and in the end they show what the service has.

  npm run console:live                        3,000 transfers
  npm run console:live -- --creates 500       another number, from 1 to 3,500`

function fail(message: string): never {
  console.error(message)
  process.exit(2)
}

const { values } = parseArgs({ options: { creates: { type: 'string', default: '3000' }, help: { type: 'boolean' } } })
if (values.help === true) {
  console.log(help)
  process.exit(0)
}
const creates = Number(values.creates)
if (!Number.isInteger(creates) || creates < 1 || creates > 3_500) fail('--creates is a whole number from 1 to 3,500.')
if (skipped !== false) fail(skipped)

await globalSetup()
redraw('filling the demo bank')
const bank = await ConsoleBank.open({ demo: 'small' })
const browser = await openBrowser()
redraw(`creating ${creates} transfers`)
const orders = await ordersOf(bank)
const tabs = await Tabs.open(browser, bank, orders.venture)
const seen = await tabs.watch(orders, creates)
await tabs.leave()
redraw('')
await browser.close()
await bank.stop()
await globalTeardown()
const { frames, seconds, creating_s, requests } = seen
console.log(
  `${creates} transfers created in ${creating_s.toFixed(1)} s; ${frames} frames in ${seconds.toFixed(1)} s; ${requests} requests of two tabs.`,
)
console.log(
  isBounded(seen) ? 'Both tabs answered keys all the while and show what the service has.' : '✖ That is more than one frame a second.',
)
process.exit(isBounded(seen) ? 0 : 1)
