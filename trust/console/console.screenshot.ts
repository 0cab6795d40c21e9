// Takes the pictures of the console in the README, with the demo bank, in a real browser.
//   npm run console:screenshot
import { mkdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { redraw } from '../../server/src/platform/progress.ts'
import { openBrowser, patience_ms, schemes, skipped } from '../../server/src/testing/testing.browser.ts'
import { globalSetup, globalTeardown } from '../../server/src/testing/testing.setup.ts'
import { ConsoleBank } from './console.bank.ts'

const help = `Takes the pictures of the console in the README: a page of the demo bank, light and dark, into docs/pictures/.

  npm run console:screenshot`

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, 'docs/pictures')

/** Larger pictures make a README slow. */
const most_bytes = 200_000

try {
  if (parseArgs({ options: { help: { type: 'boolean' } } }).values.help === true) {
    console.log(help)
    process.exit(0)
  }
} catch (error) {
  console.error(`${(error as Error).message}\n\n${help}`)
  process.exit(2)
}
if (skipped !== false) {
  console.error(skipped)
  process.exit(1)
}

await globalSetup()
redraw('filling the demo bank')
const bank = await ConsoleBank.open({ demo: 'full' })
const browser = await openBrowser()
redraw('taking the pictures')
const pictures = await takePictures(browser, bank)
redraw('')
await browser.close()
await bank.stop()
await globalTeardown()
for (const { file, bytes } of pictures) console.log(`${relative(root, file)}: ${Math.round(bytes / 1000)} kB`)
const isSmall = pictures.every(({ bytes }) => bytes <= most_bytes)
if (!isSmall) console.error(`A picture has more than ${most_bytes / 1000} kB.`)
process.exit(isSmall ? 0 : 1)

async function takePictures(browser: Browser, { origin, venture, people }: ConsoleBank): Promise<{ file: string; bytes: number }[]> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, deviceScaleFactor: 1.25, reducedMotion: 'reduce' })
  context.setDefaultTimeout(patience_ms)
  const page = await context.newPage()
  const { email, password } = people['venture admin']
  await page.goto(`${origin}/console/sign-in`)
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.locator('h1.page-title').waitFor()
  await page.goto(`${origin}/console/v/${venture}/overview`)
  await page.locator('canvas').first().waitFor()
  const waiting = page.getByLabel('Loading', { exact: true })
  while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: 'detached' })
  mkdirSync(folder, { recursive: true })
  const pictures: { file: string; bytes: number }[] = []
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme })
    const file = join(folder, `console-${colorScheme}.png`)
    await page.screenshot({ path: file })
    pictures.push({ file, bytes: statSync(file).size })
  }
  await context.close()
  return pictures
}
