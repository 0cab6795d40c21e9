// Views a page of the console as a given person, in a state, on a screen.
import assert from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { schemes, Visitor } from '../../server/src/testing/testing.browser.ts'
import type { ConsoleBank, Role } from './console.bank.ts'
import { type PageToLookAt, strangerOf, viewerOf } from './console.pages.ts'

export const states = ['full', 'empty', 'error', 'forbidden'] as const
export type State = (typeof states)[number]

export const screens = { 360: { width: 360, height: 740 }, 768: { width: 768, height: 900 }, 1280: { width: 1280, height: 860 } } as const
export const views = Object.values(screens).flatMap((viewport) => schemes.map((colorScheme) => ({ viewport, colorScheme })))
export type View = (typeof views)[number]

export type Banks = { full: ConsoleBank; empty: ConsoleBank }

/** A signed-in person at a bank. */
export class Colleague {
  readonly visitor: Visitor
  readonly bank: ConsoleBank
  readonly #failures: string[] = []

  private constructor(visitor: Visitor, bank: ConsoleBank) {
    this.visitor = visitor
    this.bank = bank
    visitor.page.on('pageerror', (error) => this.#failures.push(String(error)))
  }

  static async open(browser: Browser, bank: ConsoleBank, role: Role, locale = 'en'): Promise<Colleague> {
    const colleague = new Colleague(await Visitor.openIn(locale, browser, bank.origin), bank)
    await colleague.signIn(role)
    return colleague
  }

  get page() {
    return this.visitor.page
  }

  async signIn(role: Role): Promise<void> {
    const { email, password } = this.bank.people[role]
    await this.page.goto(`${this.bank.origin}/console/sign-in`)
    await this.page.getByLabel('Email').fill(email)
    await this.page.getByLabel('Password').fill(password)
    await this.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await this.page.locator('h1.page-title').waitFor()
  }

  /** Opens a page and waits until it has loaded its data. */
  async open(address: string): Promise<void> {
    await this.page.goto(`${this.bank.origin}/console${address}`)
    await this.settle()
  }

  async settle(): Promise<void> {
    await this.page.locator('h1.page-title').first().waitFor()
    const waiting = this.page.getByLabel('Loading', { exact: true })
    while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: 'detached' })
  }

  /** From now on the service answers whatever the page asks for, except for the session, with this. */
  async answerAll(status: number, code: string): Promise<void> {
    const problem = {
      type: `/docs/errors#${code}`,
      title: 'Out of order',
      status,
      detail: 'This is a test.',
      code,
      request_id: 'test-request',
    }
    await this.page.route(/\/api\/v1\/(?!session$)/, (route) =>
      route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
    )
  }

  async answerAsUsual(): Promise<void> {
    await this.page.unrouteAll({ behavior: 'wait' })
  }

  /** Page errors, foreign requests and policy violations since the last call. */
  takeFailures(): string[] {
    return [...this.#failures.splice(0).map((error) => `an error in the page: ${error}`), ...this.visitor.takeOffences()]
  }

  async leave(): Promise<void> {
    await this.visitor.leave()
    assert.deepEqual(this.takeFailures(), [])
  }
}

/** One person per bank and role, signed in once. */
export class Colleagues {
  readonly #browser: Browser
  readonly #known = new Map<string, Promise<Colleague>>()

  constructor(browser: Browser) {
    this.#browser = browser
  }

  of(bank: ConsoleBank, role: Role): Promise<Colleague> {
    const name = `${bank.origin} ${role}`
    const known = this.#known.get(name) ?? Colleague.open(this.#browser, bank, role)
    this.#known.set(name, known)
    return known
  }

  async leave(): Promise<void> {
    for (const colleague of this.#known.values()) await (await colleague).leave()
  }
}

/** Something wrong with a page in a state; `where` are the screens and schemes, if it is about how the page looks. */
export type Finding = { page: string; state: State; what: string; where: string[] }

type Looking = { state: State; banks: Banks; colleagues: Colleagues; on: readonly View[]; screenshots?: string }

/** Views a page in a state on the given screens. Returns the problems, or undefined if there is nothing to view. */
export async function lookAt(page: PageToLookAt, { state, banks, colleagues, on, screenshots }: Looking): Promise<Finding[] | undefined> {
  const bank = state === 'empty' ? banks.empty : banks.full
  const address = await page.address(bank)
  if (address === undefined) return undefined
  const colleague = await colleagues.of(bank, state === 'forbidden' ? strangerOf(page) : viewerOf(page))
  if (state === 'error') await colleague.answerAll(500, 'internal_error')
  if (state === 'forbidden') await colleague.answerAll(403, 'forbidden')
  const found = new Map<string, string[]>()
  const find = (what: string, where: string[] = []) => found.set(what, [...(found.get(what) ?? []), ...where])
  try {
    const [first] = on
    if (first !== undefined) await colleague.page.setViewportSize(first.viewport)
    await colleague.open(address)
    if (state === 'full' || state === 'empty') for (const alert of await alertsOf(colleague)) find(`an alert: ${alert}`)
    const seen = new Set<number>()
    for (const { viewport, colorScheme } of on) {
      const [where, name] = [
        `${viewport.width} ${colorScheme}`,
        `${page.name.replaceAll('/', '-')}-${state}-${viewport.width}-${colorScheme}`,
      ]
      // Schemes differ in nothing but colours.
      const onlyColours = seen.has(viewport.width)
      const findings = await colleague.visitor.findingsAt(`${screenshots ?? ''}${name}`, {
        viewport,
        colorScheme,
        onlyColours,
        ...(screenshots !== undefined && { screenshot: true }),
      })
      for (const what of findings) find(what, [where])
      seen.add(viewport.width)
    }
  } catch (error) {
    find((error as Error).message)
  } finally {
    await colleague.answerAsUsual()
  }
  for (const what of colleague.takeFailures()) find(what)
  return [...found].map(([what, where]) => ({ page: page.name, state, what, where }))
}

function alertsOf({ page }: Colleague): Promise<string[]> {
  return page.getByRole('alert').allTextContents()
}
