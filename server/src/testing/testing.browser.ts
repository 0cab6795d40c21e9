// A real browser for tests: this machine's Chromium, headless. Tests use pages on a small phone, and also check them on a laptop.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** Chromium without windows comes first, because it shows pages in the same way with half of the CPU time. */
const usualPlaces = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

function findChromium(): string | undefined {
  // biome-ignore lint/style/noProcessEnv: no setting of the service, only of these tests.
  const given = process.env['CHROMIUM_PATH']
  return given ?? [...usualPlaces, chromium.executablePath()].find(existsSync)
}

const executablePath = findChromium()

/** Why tests with a browser are skipped; false if they are not. */
export const skipped =
  executablePath === undefined &&
  'There is no Chromium here: install the package "chromium-headless-shell" or "chromium", or Google Chrome, or set CHROMIUM_PATH to one.'

export function openBrowser(): Promise<Browser> {
  return chromium.launch(executablePath === undefined ? {} : { executablePath })
}

const phone = { width: 360, height: 640 }
const screens = { phone, laptop: { width: 1280, height: 800 } }
export const schemes = ['light', 'dark'] as const

type View = {
  viewport: { width: number; height: number }
  colorScheme: (typeof schemes)[number]
  ours?: boolean
  withAxe?: boolean
  /** Checks only what colours can break, for a page that axe has already seen at this width in other colours. */
  onlyColours?: boolean
  screenshot?: boolean
}

/** Screenshots take as long as everything else together, and nothing checks them, so they are only taken on request. */
// biome-ignore lint/style/noProcessEnv: no setting of the service, only of these tests.
const takesScreenshots = process.env['SCREENSHOTS'] !== undefined
export const screenshots = fileURLToPath(new URL('../../../test-output/', import.meta.url))

/** The rules about colours among axe's usual rules. */
const colourRules = ['color-contrast', 'link-in-text-block']

/** After this long, a page counts as hanging. A busy machine may need minutes for a page that is still being built. */
export const patience_ms = 300_000

/** A person with a phone. Requests to any but the given origins fail the test. */
export class Visitor {
  readonly page: Page
  readonly #context: BrowserContext
  readonly #outside: string[] = []
  readonly #blocked: string[] = []

  private constructor(context: BrowserContext, page: Page, origins: readonly string[]) {
    this.#context = context
    this.page = page
    context.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith('data:') && !origins.includes(new URL(url).origin)) this.#outside.push(url)
    })
    context.on('console', (message) => {
      if (/Content.Security.Policy/.test(message.text())) this.#blocked.push(message.text())
    })
  }

  static open(browser: Browser, ...origins: string[]): Promise<Visitor> {
    return Visitor.openIn('en', browser, ...origins)
  }

  /** A visitor whose browser uses a language, such as `de`. */
  static async openIn(locale: string, browser: Browser, ...origins: string[]): Promise<Visitor> {
    const context = await browser.newContext({ viewport: phone, locale, reducedMotion: 'reduce' })
    context.setDefaultTimeout(patience_ms)
    return new Visitor(context, await context.newPage(), origins)
  }

  /**
   * Checks on each screen, light and dark, that nothing extends beyond the edge and that axe finds nothing, and takes screenshots on
   * request. Axe is slow, so it looks at each screen and each scheme once, and not at every combination. A page that is not `ours`, and
   * much longer than a screen, is only checked as far as the screen goes.
   */
  async look(name: string, { ours = true } = {}): Promise<void> {
    for (const [screen, viewport] of Object.entries(screens)) {
      for (const colorScheme of schemes) {
        const withAxe = ours && (viewport === phone) === (colorScheme === 'light')
        await this.lookAt(`${name}-${screen}-${colorScheme}`, { viewport, colorScheme, ours, withAxe })
      }
    }
    await this.page.emulateMedia({ colorScheme: null })
    await this.page.setViewportSize(phone)
  }

  /** The same on one screen and in one scheme. */
  async lookAt(view: string, options: View): Promise<void> {
    assert.deepEqual(await this.findingsAt(view, options), [], view)
  }

  /** What is wrong on one screen and in one scheme. Axe is injected by the debugger and not by the page, whose policy allows no script. */
  async findingsAt(view: string, { viewport, colorScheme, ours = true, withAxe = true, ...more }: View): Promise<string[]> {
    const { onlyColours = false, screenshot = takesScreenshots } = more
    await this.page.setViewportSize(viewport)
    await this.page.emulateMedia({ colorScheme })
    if (screenshot) await this.page.screenshot({ path: `${screenshots}${view}.png`, fullPage: ours })
    const [content, width] = await this.page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
    const tooWide = content > width ? [`the page is ${content} pixels wide, the screen ${width}`] : []
    return withAxe ? [...tooWide, ...(await this.#runAxe(onlyColours))] : tooWide
  }

  /** Runs all of axe's rules, or those about colours. The result types determine for which results axe collects details. */
  async #runAxe(onlyColours: boolean): Promise<string[]> {
    if (!(await this.page.evaluate<boolean>('"axe" in window'))) await this.page.evaluate(axe.source)
    const options = { resultTypes: ['violations'], ...(onlyColours && { runOnly: { type: 'rule', values: colourRules } }) }
    const { violations } = await this.page.evaluate<axe.AxeResults>(`axe.run(${JSON.stringify(options)})`)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }

  /** The requests to other hosts and the policy violations since the last call. */
  takeOffences(): string[] {
    return [
      ...this.#outside.splice(0).map((url) => `a request to elsewhere: ${url}`),
      ...this.#blocked.splice(0).map((text) => `forbidden by the policy: ${text}`),
    ]
  }

  async leave(): Promise<void> {
    await this.#context.close()
    assert.deepEqual(this.takeOffences(), [])
  }
}
