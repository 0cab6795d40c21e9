// A real browser for tests: a Chromium that is on the machine, without a window, on the screen of a small phone.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

const usualPlaces = [
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

/** Why tests with a browser are skipped; false when they are not. */
export const skipped =
  executablePath === undefined &&
  'There is no Chromium here: install the package "chromium", or Google Chrome, or set CHROMIUM_PATH to one.'

export function openBrowser(): Promise<Browser> {
  return chromium.launch(executablePath === undefined ? {} : { executablePath })
}

const screenshots = fileURLToPath(new URL('../../../test-output/', import.meta.url))

/** Somebody with a phone, who looks at pages of certain places and of nowhere else. */
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

  static async open(browser: Browser, ...origins: string[]): Promise<Visitor> {
    const context = await browser.newContext({ viewport: { width: 360, height: 640 }, locale: 'en' })
    context.setDefaultTimeout(60_000)
    return new Visitor(context, await context.newPage(), origins)
  }

  /**
   * Takes a picture and makes sure that everybody can use the page: nothing for axe to find, and nothing beyond the edge of the screen. Axe
   * comes from the debugger and not from the page, whose policy allows no script.
   */
  async look(name: string): Promise<void> {
    await this.page.screenshot({ path: `${screenshots}${name}.png`, fullPage: true })
    const [content, screen] = await this.page.evaluate<[number, number]>('[document.documentElement.scrollWidth, innerWidth]')
    assert.ok(content <= screen, `${name} is ${content} pixels wide`)
    await this.page.evaluate(axe.source)
    const { violations } = await this.page.evaluate<axe.AxeResults>('axe.run()')
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
    assert.deepEqual(found, [], name)
  }

  async leave(): Promise<void> {
    await this.#context.close()
    assert.deepEqual(this.#outside, [], 'requests to elsewhere')
    assert.deepEqual(this.#blocked, [], 'what the policy forbids')
  }
}
