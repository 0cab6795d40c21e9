// Looks at a page of the console as somebody, in a state, on a screen.
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

/** Somebody who is signed in at a bank. */
export class Colleague {
  readonly visitor: Visitor
  readonly bank: ConsoleBank
  readonly #failures: string[] = []

  private constructor(visitor: Visitor, bank: ConsoleBank) {
    this.visitor = visitor
    this.bank = bank
    visitor.page.on('pageerror', (error) => this.#failures.push(String(error)))
  }

  static async open(browser: Browser, bank: ConsoleBank, role: Role): Promise<Colleague> {
    const colleague = new Colleague(await Visitor.open(browser, bank.origin), bank)
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

  /** Opens a page and waits until it has what it asked for. */
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

  async leave(): Promise<void> {
    await this.visitor.leave()
    assert.deepEqual(this.#failures, [], 'errors in the pages')
  }
}

/** Somebody for each bank and role, signed in once. */
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

/** Looks at a page in a state on the given screens. Returns false if there is nothing to look at. */
export async function lookAt(
  page: PageToLookAt,
  { state, banks, colleagues, on }: { state: State; banks: Banks; colleagues: Colleagues; on: readonly View[] },
): Promise<boolean> {
  const bank = state === 'empty' ? banks.empty : banks.full
  const address = await page.address(bank)
  if (address === undefined) return false
  const colleague = await colleagues.of(bank, state === 'forbidden' ? strangerOf(page) : viewerOf(page))
  if (state === 'error') await colleague.answerAll(500, 'internal_error')
  if (state === 'forbidden') await colleague.answerAll(403, 'forbidden')
  try {
    const [first] = on
    if (first !== undefined) await colleague.page.setViewportSize(first.viewport)
    await colleague.open(address)
    if (state === 'full' || state === 'empty')
      assert.equal(await colleague.page.getByRole('alert').count(), 0, `${page.name} (${state}): ${await alertsOf(colleague)}`)
    for (const view of on) {
      const name = `${page.name.replaceAll('/', '-')}-${state}-${view.viewport.width}-${view.colorScheme}`
      await colleague.visitor.lookAt(name, view)
    }
  } finally {
    await colleague.answerAsUsual()
  }
  return true
}

async function alertsOf({ page }: Colleague): Promise<string> {
  return (await page.getByRole('alert').allTextContents()).join('; ')
}
