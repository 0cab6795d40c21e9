// Opens pages that show hostile texts, as the people who see them: pages of the console, of payers, and of people who are verified.
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { patience_ms } from '../../../server/src/testing/testing.browser.ts'
import { allPages, type PageToLookAt } from '../console.pages.ts'
import { answerHostile } from './attacks.answers.ts'
import type { AttackedBank } from './attacks.bank.ts'
import { mark, payloads } from './attacks.payloads.ts'
import { Watch } from './attacks.watch.ts'

export type Reader = { context: BrowserContext; page: Page; watch: Watch }

/** A browser with a session. */
export async function openReader(browser: Browser, { origin }: AttackedBank, token: string): Promise<Reader> {
  const context = await browser.newContext({ locale: 'en', reducedMotion: 'reduce', viewport: { width: 1280, height: 860 } })
  context.setDefaultTimeout(patience_ms)
  await context.addCookies([{ name: 'vostro', value: token, url: origin, httpOnly: true, sameSite: 'Strict' }])
  const watch = new Watch(context, [origin])
  return { context, page: await context.newPage(), watch }
}

/** Waits until the page has loaded its data. */
async function settled(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  const waiting = page.getByLabel('Loading', { exact: true })
  while ((await waiting.count()) > 0) await waiting.first().waitFor({ state: 'detached' })
}

export type Looked = { opened: string[]; missing: string[]; faults: string[]; shown: number }

/** `hostile`: every text in every answer is replaced, whatever is stored. */
export async function readConsole(
  browser: Browser,
  attacked: AttackedBank,
  { hostile, pages = allPages, tell }: { hostile: boolean; pages?: readonly PageToLookAt[]; tell?(page: string): void },
): Promise<Looked> {
  const { people, origin, world } = attacked
  const looked: Looked = { opened: [], missing: [], faults: [], shown: 0 }
  const readers = {
    venture: await openReader(browser, attacked, people.member.token),
    bank: await openReader(browser, attacked, people.banker.token),
  }
  if (hostile) for (const { page } of Object.values(readers)) await answerHostile(page)
  const open = async (reader: Reader, name: string, address: string) => {
    tell?.(name)
    await reader.page.goto(`${origin}/console${address}`)
    await settled(reader.page)
    looked.opened.push(name)
    looked.faults.push(...(await reader.watch.faultsOf(reader.page)).map((fault) => `${name}: ${fault}`))
  }
  for (const page of pages) {
    const reader = page.side === 'bank' ? readers.bank : readers.venture
    const address = await page.address(attacked.placeOf(world.venture.id))
    if (address === undefined) looked.missing.push(page.name)
    else await open(reader, page.name, address)
  }
  looked.shown = readers.venture.watch.shown + readers.bank.watch.shown
  for (const { context } of Object.values(readers)) await context.close()
  return looked
}

/** Addresses made up by others, and search texts. */
export async function readAddresses(browser: Browser, attacked: AttackedBank): Promise<string[]> {
  const { people, origin, world } = attacked
  const { page, watch, context } = await openReader(browser, attacked, people.member.token)
  const faults: string[] = []
  const texts = payloads.filter((text) => !/[/%]/.test(text)).slice(-4)
  for (const text of texts) {
    const [part, query] = [encodeURIComponent(text), new URLSearchParams({ search: text, status: text, to: text, after: text, tab: text })]
    for (const address of [
      `/console/find/${part}`,
      `/console/v/${world.venture.id}/transfers?${query}`,
      `/console/v/${part}/transfers`,
      `/console/v/${world.venture.id}/clients/${part}`,
      `/console/${part}?${query}#${part}`,
      `/console/sign-in?${query}`,
      `/console/invitation#${part}`,
      `/docs/guides/${part}?${query}`,
      `/pay/${part}?lang=${part}`,
    ]) {
      await page.goto(origin + address)
      if (address.startsWith('/console/')) await settled(page)
      faults.push(...(await watch.faultsOf(page)))
    }
  }
  await context.close()
  return faults
}

/** The results of Ctrl-K. */
export async function readFound(browser: Browser, attacked: AttackedBank): Promise<{ faults: string[]; shown: number }> {
  const { people, origin, world } = attacked
  const { page, watch, context } = await openReader(browser, attacked, people.member.token)
  await answerHostile(page)
  await page.goto(`${origin}/console/v/${world.venture.id}/overview`)
  await settled(page)
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Search pages, ids, references, emails or IBANs').fill(world.pools.clients[0] ?? '')
  await page.getByRole('dialog').getByText(mark).first().waitFor()
  const before = watch.shown
  const faults = await watch.faultsOf(page)
  const shown = watch.shown - before
  await context.close()
  return { faults, shown }
}

/** The service's own pages, without scripts: for payers, for verification, and the sandbox's gateway. */
export async function readServed(browser: Browser, attacked: AttackedBank): Promise<{ faults: string[]; shown: number }> {
  const { origin, world, bank, people } = attacked
  const { page, watch, context } = await openReader(browser, attacked, people.member.token)
  const faults: string[] = []
  const headers = { 'x-api-key': world.venture.api_key }
  const read = async (path: string) => (await fetch(`${origin}/api/v1${path}`, { headers })).json()
  const links = (await read('/payment-links?limit=30')) as { token: string; id: string }[]
  const payments = (await read('/payments?limit=30')) as { id: string; form_url: string | null; payment_link_id: string | null }[]
  const { rows } = await bank.owner.query<{ token: string }>('select token from sandbox_applications')
  const addresses = [
    ...links.flatMap(({ token, id }) => [
      `/pay/${token}`,
      ...payments.filter(({ payment_link_id }) => payment_link_id === id).map((payment) => `/pay/${token}/${payment.id}`),
    ]),
    ...payments.slice(0, 8).flatMap(({ form_url }) => (form_url === null ? [] : [new URL(form_url).pathname])),
    ...rows.map(({ token }) => `/sandbox/verifier/${token}`),
    '/',
    '/docs/errors',
    '/docs/guides',
  ]
  for (const address of addresses) {
    // After paying, the payer is redirected to the venture and sees nothing here.
    const { status } = await fetch(origin + address, { redirect: 'manual' })
    if (status >= 300 && status < 400) continue
    await page.goto(origin + address)
    faults.push(...(await watch.faultsOf(page)))
  }
  await context.close()
  return { faults, shown: watch.shown }
}
