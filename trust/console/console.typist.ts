// A console user with a keyboard and no mouse.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { patience_ms, Visitor } from '../../server/src/testing/testing.browser.ts'
import type { ConsoleBank, Role } from './console.bank.ts'
import { screens } from './console.look.ts'

type Kind = 'button' | 'checkbox' | 'combobox' | 'heading' | 'link' | 'radio' | 'textbox' | 'searchbox'

/** More presses of Tab than this are no way to get anywhere. */
const mostTabs = 60

/** The focused element: its role and name, whether the focus is visible, and whether it is in a dialog. */
type Focus = { what: string; isShown: boolean; isInDialog: boolean }

export class Typist {
  readonly page: Page
  readonly bank: ConsoleBank
  readonly #visitor: Visitor
  readonly #failures: string[] = []
  /** The number of pressed keys, without typed text. */
  presses = 0

  private constructor(visitor: Visitor, bank: ConsoleBank) {
    this.#visitor = visitor
    this.page = visitor.page
    this.bank = bank
    this.page.on('pageerror', (error) => this.#failures.push(String(error)))
  }

  static async open(browser: Browser, bank: ConsoleBank): Promise<Typist> {
    const typist = new Typist(await Visitor.open(browser, bank.origin), bank)
    await typist.page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: bank.origin })
    await typist.page.setViewportSize(screens[1280])
    return typist
  }

  async leave(): Promise<void> {
    await this.#visitor.leave()
    assert.deepEqual(this.#failures, [], 'errors in the pages')
  }

  async press(key: string): Promise<void> {
    this.presses++
    await this.page.keyboard.press(key)
  }

  async type(text: string): Promise<void> {
    await this.page.keyboard.type(text)
  }

  /** As if it had been copied elsewhere. */
  async paste(text: string): Promise<void> {
    await this.page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await this.press('Control+v')
  }

  copied(): Promise<string> {
    return this.page.evaluate<string>('navigator.clipboard.readText()')
  }

  /** The focused element as a screen reader announces it: `button "Resend"`. */
  async focus(): Promise<Focus> {
    // A page that is being left cannot be asked.
    const found = await this.page.evaluate<Omit<Focus, 'what'> | null>(focusShown).catch(() => null)
    if (found === null) return { what: 'nothing', isShown: false, isInDialog: false }
    // It may have moved on meanwhile.
    const snapshot = await this.page
      .locator(':focus')
      .ariaSnapshot({ timeout: 2_000 })
      .catch(() => 'nothing')
    return { ...found, what: (snapshot.split('\n', 1)[0] ?? '').replace(/^- /, '').replace(/:$/, '') }
  }

  /** Long enough for a slow machine. */
  async until(condition: () => boolean | Promise<boolean>, otherwise: () => string): Promise<void> {
    const start = performance.now()
    while (!(await condition())) {
      if (performance.now() - start >= patience_ms) assert.fail(`${otherwise()}; ${await this.#saidByPage()}`)
      await this.page.waitForTimeout(20)
    }
  }

  /** Explains why a step is stuck: errors on the page, and what is in front of it. */
  async #saidByPage(): Promise<string> {
    const found = await this.page.locator('[role=alert]:visible, [role=dialog]:visible').allInnerTexts()
    return found.length === 0 ? 'the page complains about nothing' : `the page says: ${found.join(' | ').replaceAll(/\s+/g, ' ')}`
  }

  /** Waits until the page shows exactly this text. */
  async reads(text: string): Promise<void> {
    const found = this.page.getByText(text, { exact: true }).filter({ visible: true })
    await this.until(
      async () => (await found.count()) > 0,
      () => `the page does not say: ${text}`,
    )
  }

  /** Waits until an element has a visible focus. */
  async isAt(kind: Kind, name: string): Promise<Focus> {
    let focus = await this.focus()
    const isThere = async () => {
      focus = await this.focus()
      return isOf(focus, kind, name)
    }
    await this.until(isThere, () => `the focus is on ${focus.what}, and not on ${kind} "${name}"`)
    assert.ok(focus.isShown, `nobody sees that the focus is on ${focus.what}`)
    return focus
  }

  /** Presses Tab until an existing element has the focus. Every stop on the way must be visible. */
  async tabTo(kind: Kind, name: string): Promise<void> {
    const wanted = this.page.getByRole(kind, { name }).first()
    await this.until(
      () => wanted.isVisible(),
      () => `there is no ${kind} "${name}"`,
    )
    const seen: string[] = []
    for (;;) {
      const focus = await this.focus()
      if (focus.what !== 'nothing') assert.ok(focus.isShown, `nobody sees that the focus is on ${focus.what}`)
      if (isOf(focus, kind, name)) return
      seen.push(focus.what)
      assert.ok(seen.length <= mostTabs, `Tab does not lead to ${kind} "${name}", but to ${seen.join(', ')}`)
      await this.press('Tab')
    }
  }

  /** Chooses one of several with the arrows, after Tab has led to the first. */
  async choose(name: string): Promise<void> {
    await this.press('Space')
    for (let tries = 0; !isOf(await this.focus(), 'radio', name); tries++) {
      assert.ok(tries < 20, `the arrows do not lead to ${name}`)
      await this.press('ArrowDown')
    }
  }

  async signIn(role: Role): Promise<void> {
    const { email, password } = this.bank.people[role]
    await this.isAt('textbox', 'Email')
    await this.type(email)
    await this.press('Tab')
    await this.isAt('textbox', 'Password')
    await this.type(password)
    await this.press('Enter')
    await this.page.locator('h1.page-title').waitFor()
  }

  /** Opens the target of a text, or a page by name, using only Ctrl-K and Enter. */
  async find(text: string, heading: string): Promise<void> {
    await this.press('Control+k')
    await this.isAt('textbox', 'Find')
    await this.paste(text)
    await this.press('Enter')
    await this.isAt('heading', heading)
    await this.settle()
  }

  async signOut(): Promise<void> {
    await this.press('Control+k')
    await this.isAt('textbox', 'Find')
    await this.type('sign out')
    await this.press('Enter')
    await this.isAt('textbox', 'Email')
  }

  /**
   * Opens a dialog with the button that has the focus. The focus goes into it and stays there; Escape closes it and takes the focus back to the
   * button; and then it is opened again, and has the focus where it should begin.
   */
  async openDialog(opener: string, kind: Kind, beginning: string): Promise<void> {
    await this.press('Enter')
    await this.#isInDialog(kind, beginning)
    for (let count = 0; count < 12; count++) {
      await this.press('Tab')
      assert.ok((await this.focus()).isInDialog, `Tab leads out of the dialog, to ${(await this.focus()).what}`)
    }
    await this.press('Escape')
    await this.isAt('button', opener)
    await this.dialogIsClosed()
    await this.press('Enter')
    await this.#isInDialog(kind, beginning)
  }

  async dialogIsClosed(): Promise<void> {
    await this.until(
      async () => (await this.page.getByRole('dialog').count()) === 0,
      () => 'the dialog is still there',
    )
  }

  /** The button that opens a dialog may have the same name. */
  async #isInDialog(kind: Kind, name: string): Promise<void> {
    let focus = await this.focus()
    const isThere = async () => {
      focus = await this.focus()
      return focus.isInDialog
    }
    await this.until(isThere, () => `the focus is on ${focus.what}, and not in the dialog`)
    await this.isAt(kind, name)
  }

  /** Waits until the page has loaded its data. */
  async settle(): Promise<void> {
    const waiting = this.page.getByLabel('Loading', { exact: true })
    while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: 'detached' })
  }
}

const isOf = (focus: Focus | undefined, kind: Kind, name: string): boolean => focus?.what.startsWith(`${kind} "${name}`) === true

/** The focus outline of the element or its label, within the window; null if nothing has the focus. */
const focusShown = `(() => {
  const focused = document.activeElement
  if (focused === null || focused === document.body) return null
  const hasOutline = (element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1
  }
  const frames = [focused, ...(focused.labels ?? []), focused.closest('.mantine-PasswordInput-input')]
  const shown = frames.find((frame) => frame !== null && hasOutline(frame))
  const { top, bottom, left, right } = (shown ?? focused).getBoundingClientRect()
  const isInside = bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
  return { isShown: shown !== undefined && isInside, isInDialog: focused.closest('[role=dialog]') !== null }
})()`
