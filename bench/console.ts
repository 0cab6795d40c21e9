// Measures the time until the console is usable on a first visit: the sign-in page once its field and button work, and the list of
// transfers once it shows rows, at full speed and four times slower. Every load starts with an empty cache. The network is local and
// costs no time.
//   npm run bench:console
//   npm run bench:console -- --loads 21
import type { Browser, CDPSession } from 'playwright-core'
import { barOf, redraw } from '../server/src/platform/progress.ts'
import { openBrowser, skipped } from '../server/src/testing/testing.browser.ts'
import { buildForTests } from '../server/src/testing/testing.console.ts'
import { openBenchAccounts } from './accounts.ts'
import { median } from './figures.ts'
import { fillVisibly } from './fill.ts'
import { flagsOf } from './flags.ts'
import { type Person, signIn } from './people.ts'
import { keepResult, machine } from './results.ts'
import { type Setup, withSetup } from './setup.ts'

const values = flagsOf('npm run bench:console -- [--loads N] [--transfers N]', {
  loads: { type: 'string', default: '11' },
  transfers: { type: 'string', default: '10000' },
})
const loads = Number(values.loads)

/** In milliseconds, by CPU slowdown. */
const aims = { 1: 1_000, 4: 2_500 } as const
const slowdowns = [1, 4] as const

type View = { name: string; path: string; person?: Person; isUsable: string }
type Load = { usable_ms: number; requests: number; bytes: number }

/** When the page becomes usable, measured in the page: the time of the next frame. */
const watcher = (isUsable: string) => `
  window.usable_ms = new Promise((resolve) => {
    const look = () => {
      if (!(${isUsable})) return
      seen.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())))
    }
    const seen = new MutationObserver(look)
    seen.observe(document, { subtree: true, childList: true, attributes: true })
  })`

async function loadOnce(browser: Browser, origin: string, view: View, slowdown: number): Promise<Load> {
  // A new context has an empty cache.
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  try {
    if (view.person !== undefined) {
      const [name = '', value = ''] = view.person.cookie.split('=')
      await context.addCookies([{ name, value, url: origin }])
    }
    await context.addInitScript(watcher(view.isUsable))
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    const received = await countReceived(session)
    await page.goto(origin + view.path)
    return { usable_ms: await page.evaluate<number>('window.usable_ms'), ...received }
  } finally {
    await context.close()
  }
}

async function countReceived(session: CDPSession): Promise<{ requests: number; bytes: number }> {
  const received = { requests: 0, bytes: 0 }
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    received.requests++
    received.bytes += encodedDataLength
  })
  await session.send('Network.enable')
  return received
}

async function viewsOf(setup: Setup): Promise<View[]> {
  const venture = await setup.registerVenture()
  await fillVisibly(setup.postgres.ownerUrl, await openBenchAccounts(setup, venture, 10), Number(values.transfers))
  const canSignIn = `document.querySelector('input[type=email]:enabled') && document.querySelector('button[type=submit]:enabled')`
  return [
    { name: 'sign-in page', path: '/console/sign-in', isUsable: canSignIn },
    {
      name: 'list of transfers',
      path: `/console/v/${venture.id}/transfers`,
      person: await signIn(setup),
      isUsable: `document.querySelectorAll('tbody tr a').length >= 50`,
    },
  ]
}

if (skipped !== false) {
  console.error(skipped)
  process.exit(1)
}
await buildForTests()
await withSetup(async (setup) => {
  const views = await viewsOf(setup)
  const origin = `http://127.0.0.1:${setup.port}`
  const kinds = views.flatMap((view) => slowdowns.map((slowdown) => ({ view, slowdown, taken: [] as Load[] })))
  const browser = await openBrowser()
  try {
    // The first round starts the browser's processes. Kinds take turns, so that disturbances affect all of them.
    for (let round = 0; round <= loads; round++) {
      for (const [at, { view, slowdown, taken }] of kinds.entries()) {
        redraw(`${barOf({ done: round * kinds.length + at, of: (loads + 1) * kinds.length })} ${view.name}`)
        const load = await loadOnce(browser, origin, view, slowdown)
        if (round > 0) taken.push(load)
      }
    }
  } finally {
    await browser.close()
  }
  redraw('')
  let isMet = true
  for (const { view, slowdown, taken } of kinds) {
    const times = taken.map(({ usable_ms }) => usable_ms)
    const aim = aims[slowdown]
    const isSlow = median(times) > aim
    if (isSlow) isMet = false
    const name = `${view.name}${slowdown === 1 ? '' : `, processor ${slowdown} × slower`}`
    const [least, most] = [Math.min(...times), Math.max(...times)]
    const size = `${median(taken.map(({ requests }) => requests))} requests, ${(median(taken.map(({ bytes }) => bytes)) / 1000).toFixed(0)} kB`
    const result = `${median(times).toFixed(0)} ms (${least.toFixed(0)} to ${most.toFixed(0)}, ${loads} loads)`
    console.log(`${name.padEnd(44)} ${result.padEnd(38)} ${size.padEnd(26)} aim ${aim} ms: ${isSlow ? 'failed' : 'met'}`)
  }
  await keepResult('console.json', JSON.stringify({ machine, loads, kinds }, undefined, 2))
  if (!isMet) process.exitCode = 1
})
