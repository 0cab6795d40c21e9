// Watches a page with hostile texts: whether one runs, becomes an element or a link, or reaches another place.
import assert from 'node:assert/strict'
import type { BrowserContext, Frame, Page } from 'playwright-core'
import { mark, trace } from './attacks.payloads.ts'

/** What a payload would have turned itself into. */
const foreign = [
  'img[src="x"]',
  '[onerror]',
  '[onload]',
  'svg[onload]',
  'iframe',
  'script:not([src])',
  'link[href*="outside.invalid"]',
  'object',
  'embed',
  'meta[http-equiv="refresh"]',
  'form[action*="outside.invalid"]',
  'input[name="password"]:not([type="password"])',
  's',
  'base',
].join(', ')

type Seen = { ran: boolean; elements: string[]; links: string[]; openers: string[]; shows: boolean }

const look = `(() => {
  const links = [...document.querySelectorAll('a[href], area[href], [formaction], form[action]')]
  return {
    ran: ${JSON.stringify(trace)} in window,
    elements: [...document.querySelectorAll(${JSON.stringify(foreign)})].map((one) => one.outerHTML.slice(0, 200)),
    links: links.map((one) => one.href ?? one.formAction ?? one.action).filter((url) => !/^(https?:|mailto:|tel:|$)/.test(String(url))),
    openers: [...document.querySelectorAll('[target=_blank]')].filter((one) => !/noopener|noreferrer/.test(one.rel)).map((one) => one.outerHTML),
    shows: (document.body.innerText + [...document.querySelectorAll('input, textarea')].map((one) => one.value).join()).includes(${JSON.stringify(mark)}),
  }
})()`

export class Watch {
  readonly #context: BrowserContext
  readonly #origins: readonly string[]
  readonly #broken: string[] = []
  /** Third-party scripts of a page, such as the API reference's own start-up code, which the policy allows by hash. */
  readonly #ownScripts: boolean
  shown = 0

  /** Before a page is opened. */
  constructor(context: BrowserContext, origins: readonly string[], { ownScripts = false } = {}) {
    this.#context = context
    this.#origins = origins
    this.#ownScripts = ownScripts
    context.on('request', (request) => {
      const url = request.url()
      if (!/^(data|blob|about):/.test(url) && !origins.includes(new URL(url).origin)) this.#broken.push(`a request to ${url}`)
    })
    context.on('console', (message) => {
      if (/Content.Security.Policy/.test(message.text())) this.#broken.push(message.text())
    })
    context.on('dialog', (dialog) => {
      this.#broken.push(`a dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
  }

  /** The problems on the current page. */
  async faultsOf(page: Page): Promise<string[]> {
    const seen = await Promise.all(page.frames().map((frame: Frame) => frame.evaluate<Seen>(look)))
    const place = new URL(page.url())
    if (seen.some(({ shows }) => shows)) this.shown++
    const faults = [
      ...seen.flatMap(({ ran }) => (ran ? ['a text has run as a script'] : [])),
      ...seen.flatMap(({ elements }) =>
        elements.filter((one) => !(this.#ownScripts && one.startsWith('<script'))).map((one) => `an element: ${one}`),
      ),
      ...seen.flatMap(({ links }) => links.map((one) => `a link: ${one}`)),
      ...seen.flatMap(({ openers }) => openers.map((one) => `a page that may steer this one: ${one}`)),
      ...(this.#context.pages().length > 1 ? ['another page has opened'] : []),
      ...(this.#origins.includes(place.origin) ? [] : [`the page has gone to ${place}`]),
      ...this.#broken.splice(0),
    ]
    return faults.map((fault) => `${place.pathname}: ${fault}`)
  }

  async check(page: Page): Promise<void> {
    assert.deepEqual(await this.faultsOf(page), [])
  }
}
