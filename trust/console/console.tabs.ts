// Two tabs of one browser that look at the transfers of a venture while others create some: how many frames and requests that costs, and whether the
// tabs still answer and are right in the end.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { ConsoleBank } from './console.bank.ts'
import { screens } from './console.look.ts'
import { Typist } from './console.typist.ts'

/** As many as a busy venture sends concurrently. */
const atOnce = 24

/** Orders for small amounts from one account to one payee. */
export type Orders = { venture: string; create(reference: string): Promise<void> }

/** In a venture that moves its transfers itself, so that the measurement covers the tabs and not the processing. */
export async function ordersOf(bank: ConsoleBank): Promise<Orders> {
  const ventures: { id: string; control: string }[] = await bank.get('/ventures')
  for (const { id: venture, control } of ventures) {
    if (control === 'MANAGED') continue
    const accounts = await bank.get('/accounts?status=ACTIVE&currency=EUR&limit=100', venture)
    for (const { id: account_id, client_id, available_balance } of accounts) {
      if (Number(available_balance) < 4_000) continue
      const [payee] = await bank.get(`/beneficiaries?client_id=${client_id}&limit=1`, venture)
      if (payee === undefined) continue
      const order = { account_id, beneficiary_id: payee.id, debit_amount: '1.00', purpose: 'One of many' }
      const create = (unique_reference: string) => bank.post('/transfers', { ...order, unique_reference }, venture)
      return { venture, create }
    }
  }
  throw new Error('No account of the demo bank has enough money for the orders.')
}

/** The time to create everything, and the frames and requests of both tabs until everything was shown. */
export type Seen = { frames: number; seconds: number; creating_s: number; requests: number }

const rounds = 5
const word = 'webhooks'

/** At most one frame a second, and no more requests than frames and searches ask for: on a busy machine, one for each letter. */
export const isBounded = ({ frames, seconds, requests }: Seen): boolean =>
  frames >= 1 && frames <= seconds + 1 && requests <= 2 * frames + rounds * word.length

export class Tabs {
  readonly #typist: Typist
  readonly #pages: readonly [Page, Page]
  readonly #venture: string
  #requests = 0

  private constructor(typist: Typist, second: Page, venture: string) {
    this.#typist = typist
    this.#pages = [typist.page, second]
    this.#venture = venture
    for (const page of this.#pages) page.on('request', () => this.#requests++)
  }

  static async open(browser: Browser, bank: ConsoleBank, venture: string): Promise<Tabs> {
    const typist = await Typist.open(browser, bank)
    await typist.page.context().addInitScript(countFrames)
    const address = `${bank.origin}/console/v/${venture}/transfers`
    await typist.page.goto(address)
    await typist.signIn('bank admin')
    const second = await typist.page.context().newPage()
    await second.setViewportSize(screens[1280])
    await second.goto(address)
    for (const page of [typist.page, second]) {
      await page.getByText('● Live').waitFor()
      await page.getByRole('table', { name: 'Transfers' }).waitFor()
    }
    return new Tabs(typist, second, venture)
  }

  /** Creates one transfer and then many, and checks both tabs. */
  async watch({ create }: Orders, count: number): Promise<Seen> {
    await create('LIVE-FIRST')
    for (const page of this.#pages) await this.#show(page, 'LIVE-FIRST')
    const start = performance.now()
    const [framesBefore, requestsBefore] = [await this.#frames(), this.#requests]
    await Promise.all([this.#createMany(create, count), this.#useMeanwhile()])
    const creating_s = (performance.now() - start) / 1000
    // The newest transfer arrives with the last frame.
    const last = `LIVE-${count}`
    await create(last)
    for (const page of this.#pages)
      await this.#typist.until(
        () => buttonOf(page).isVisible(),
        () => 'a tab does not say that there is something new',
      )
    const requests = this.#requests - requestsBefore
    for (const page of this.#pages) await this.#show(page, last)
    const seconds = (performance.now() - start) / 1000
    const frames = (await this.#frames()) - framesBefore
    for (const page of this.#pages) assert.deepEqual(await this.#shown(page), await this.#listed(), 'the tab shows something else')
    return { frames, seconds, creating_s, requests }
  }

  async leave(): Promise<void> {
    await this.#typist.leave()
  }

  async #createMany(create: Orders['create'], count: number): Promise<void> {
    let next = 0
    const work = async () => {
      while (++next < count) await create(`LIVE-${next}`)
    }
    await Promise.all(Array.from({ length: atOnce }, work))
  }

  /** A tab that hangs answers no key. */
  async #useMeanwhile(): Promise<void> {
    const typist = this.#typist
    for (let count = 0; count < rounds; count++) {
      await typist.press('Control+k')
      await typist.isAt('textbox', 'Find')
      await typist.type(word)
      const found = typist.page.getByRole('dialog').getByText('Webhooks', { exact: true })
      await typist.until(
        () => found.isVisible(),
        () => 'the tab does not answer keys',
      )
      await typist.press('Escape')
      await typist.dialogIsClosed()
    }
  }

  /** By keyboard: new rows wait until they are requested. */
  async #show(page: Page, reference: string): Promise<void> {
    await page.bringToFront()
    const button = buttonOf(page)
    const row = page.getByRole('link', { name: reference, exact: true })
    const isShown = async () => {
      if ((await row.count()) > 0) return true
      if ((await button.count()) === 0) return false
      await button.focus()
      await page.keyboard.press('Enter')
      await page.locator('.row-link:focus').waitFor()
      return (await row.count()) > 0
    }
    await this.#typist.until(isShown, () => `a tab does not show ${reference}`)
  }

  async #frames(): Promise<number> {
    const counts = await Promise.all(this.#pages.map((page) => page.evaluate<number>('window.framesSeen')))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async #shown(page: Page): Promise<string[]> {
    return (await page.locator('.row-link').allTextContents()).map((text) => text.trim())
  }

  async #listed(): Promise<string[]> {
    const listed: { unique_reference: string }[] = await this.#typist.bank.get('/transfers?limit=50', this.#venture)
    return listed.map(({ unique_reference }) => unique_reference)
  }
}

const buttonOf = (page: Page) => page.getByRole('button', { name: /changes?: show$/ })

/** Counts the frames of the stream, whichever tab has it open. */
const countFrames = `(() => {
  window.framesSeen = 0
  const ask = window.fetch
  window.fetch = async (...args) => {
    const response = await ask(...args)
    if (!String(args[0]).startsWith('/console/stream') || response.body === null) return response
    const texts = new TextDecoder()
    let rest = ''
    const counting = new TransformStream({
      transform(chunk, out) {
        const blocks = (rest + texts.decode(chunk, { stream: true })).split('\\n\\n')
        rest = blocks.pop()
        window.framesSeen += blocks.filter((block) => block.startsWith('data: ')).length
        out.enqueue(chunk)
      },
    })
    return new Response(response.body.pipeThrough(counting), response)
  }
})()`
