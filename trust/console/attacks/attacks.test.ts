// Attacks on people of the console, in a real browser: from pages of other origins, with cookies and links that others have planted, and after they
// have left. None may work, and nothing may change.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openBrowser, patience_ms, skipped } from '../../../server/src/testing/testing.browser.ts'
import { goodPassword, openMember, type PersonCaller } from '../../../server/src/testing/testing.sessions.ts'
import { type Bank, openBank, type VentureCaller } from '../../../server/src/testing/testing.ts'
import { changedIn, Storage } from '../../fuzz/fuzz.storage.ts'
import { openDoor } from './attacks.bank.ts'
import { openSite, type Site, sendEverything, type Wanted } from './attacks.site.ts'

const bank = await openBank({ consoleUrl: undefined })
const origin = await bank.listen()
const storage = new Storage(bank.owner)
let [browser, site]: [Browser | undefined, Site | undefined] = [undefined, undefined]
let [door, venture]: [Bank, VentureCaller] = [bank, undefined as unknown as VentureCaller]

before(async () => {
  await storage.open()
  door = await openDoor(bank)
  venture = await bank.registerVenture()
  site = await openSite()
  if (skipped === false) browser = await openBrowser()
})

after(async () => {
  await browser?.close()
  await site?.close()
})

type Visit = { context: BrowserContext; page: Page; victim: PersonCaller }

/** A browser with a session. */
async function visit(role: 'admin' | 'operator' | 'viewer', act: (visit: Visit) => Promise<void>): Promise<void> {
  const victim = await openMember(door, venture.venture.id, role)
  const context = await (browser as Browser).newContext({ locale: 'en', reducedMotion: 'reduce' })
  context.setDefaultTimeout(patience_ms)
  await context.addCookies([{ name: 'vostro', value: victim.token, url: origin, httpOnly: true, sameSite: 'Strict' }])
  try {
    await act({ context, page: await context.newPage(), victim })
  } finally {
    await context.close()
  }
}

async function wantedBy(victim: PersonCaller): Promise<Wanted[]> {
  const { id } = venture.venture
  const client = await venture.registerClient()
  return [
    { method: 'POST', path: '/api/v1/clients/person', body: { first_name: 'Eve' }, venture: id },
    { method: 'POST', path: '/api/v1/venture/keys', body: { name: 'Eve', scopes: ['read'] }, venture: id },
    { method: 'POST', path: '/api/v1/venture/users', body: { email: 'eve@example.com', role: 'admin' }, venture: id },
    { method: 'PUT', path: `/api/v1/clients/${client.id}`, body: { city: 'Evetown' }, venture: id },
    { method: 'POST', path: `/api/v1/sandbox/clients/${client.id}/verification`, body: { outcome: 'APPROVED' }, venture: id },
    { method: 'POST', path: '/api/v1/session', body: { email: victim.person.email, password: goodPassword } },
    { method: 'PUT', path: '/api/v1/session/password', body: { new_password: 'nine loud mountains 17' } },
    { method: 'POST', path: '/api/v1/session/reauthentication', body: { password: goodPassword } },
    { method: 'DELETE', path: '/api/v1/session' },
    { method: 'GET', path: '/api/v1/session' },
    { method: 'GET', path: `/api/v1/clients?vostro-venture=${id}`, venture: id },
    { method: 'GET', path: '/console/stream', venture: id },
  ]
}

for (const kind of ['neighbour', 'stranger'] as const) {
  test(`a page of a ${kind} sends requests in every way there is with the victim’s cookie, reads nothing and changes nothing`, {
    skip: skipped,
  }, async (t) => {
    await visit('admin', async ({ context, page, victim }) => {
      const wanted = await wantedBy(victim)
      const answers: { url: string; status: number }[] = []
      const sent: Promise<boolean>[] = []
      context.on('response', (response) => {
        if (response.url().startsWith(origin))
          answers.push({ url: `${response.request().method()} ${response.url()}`, status: response.status() })
      })
      context.on('request', (request) => {
        if (request.url().startsWith(origin))
          sent.push(
            request.allHeaders().then(
              ({ cookie = '' }) => cookie.includes(victim.token),
              () => false,
            ),
          )
      })
      await page.goto((site as Site)[kind])
      const before = await storage.print()
      assert.deepEqual(await page.evaluate(sendEverything(origin, wanted)), [], 'what the page could read')
      // Beacons are sent later, and new windows are not frames.
      for (const { path } of wanted.filter(({ method }) => method === 'GET')) {
        const opened = context.waitForEvent('page')
        await page.evaluate(`void open(${JSON.stringify(origin + path)})`)
        await (await opened).waitForLoadState()
      }
      assert.deepEqual(changedIn(before, await storage.print()), [], 'what was stored')
      assert.deepEqual(
        answers.filter(({ status }) => status < 400),
        [],
        'what was answered',
      )
      const withCookie = (await Promise.all(sent)).filter(Boolean).length
      t.diagnostic(`${answers.length} answers, ${withCookie} requests with the cookie`)
      // Another port of the same host is the same site, so that SameSite does not help there.
      assert.ok(kind === 'neighbour' ? withCookie > 20 : withCookie === 0, `${withCookie} requests had the cookie`)
      assert.ok(answers.length >= 60, `only ${answers.length} answers`)
      // The victim is still signed in, and the same request from the bank's own origin works.
      await page.goto(`${origin}/console/sign-in`)
      const [first] = wanted
      const works = await page.evaluate(`fetch(${JSON.stringify(origin + first?.path)}, { method: 'POST', body: '{}', headers: {
        'content-type': 'application/json', 'x-vostro-console': '1', 'vostro-venture': ${JSON.stringify(venture.venture.id)} } }).then(({ status }) => status)`)
      assert.equal(works, 400, 'a request of the bank’s own pages is refused for its body alone')
    })
  })
}

test('no page of the service is shown in a frame of another origin', { skip: skipped }, async () => {
  const link = (await venture.post('/payment-links', { amount: '5.00', currency: 'EUR' })).body
  const shop = { success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }
  const payment = (await venture.post('/payments', { amount: '5.00', currency: 'EUR', ...shop })).body
  const paths = [
    '/',
    '/docs/',
    '/docs/errors',
    '/docs/guides',
    '/docs/guides/webhooks',
    '/docs/guides/none',
    '/console/',
    '/console/sign-in',
    '/console/set-up',
    `/console/v/${venture.venture.id}/transfers`,
    `/pay/${link.token}`,
    '/pay/none',
    new URL(payment.form_url).pathname,
    '/sandbox/verifier/none',
    '/api/v1/session',
    '/openapi.json',
  ]
  await visit('admin', async ({ page, victim }) => {
    for (const [from, tag, place] of [
      [(site as Site).neighbour, 'iframe', 'src'],
      [(site as Site).stranger, 'object', 'data'],
    ] as const) {
      await page.goto(from)
      await page.evaluate(`Promise.all(${JSON.stringify(paths)}.map((path) => new Promise((resolve) => {
          const element = document.createElement(${JSON.stringify(tag)})
          element.addEventListener('load', resolve)
          element.addEventListener('error', resolve)
          // Blocked requests may not report an error.
          setTimeout(resolve, 2_000)
          element[${JSON.stringify(place)}] = ${JSON.stringify(origin)} + path
          document.body.append(element)
        })))`)
      const shown = page.frames().filter((frame) => frame.url().startsWith(origin))
      // Other data cannot be clicked; the frame holds only text, and none of it is the victim's.
      const pages = shown.filter((frame) => !/\/(api|openapi)/.test(frame.url()))
      assert.deepEqual(
        pages.map((frame) => frame.url()),
        [],
      )
      for (const frame of shown) assert.ok(!(await frame.content()).includes(victim.person.email), frame.url())
    }
  })
  for (const path of paths.slice(0, -2)) {
    const { headers } = await fetch(origin + path, { headers: { accept: 'text/html' } })
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/, path)
    assert.equal(headers.get('x-frame-options'), 'DENY', path)
  }
})

test('a window that another page has opened is out of its reach', { skip: skipped }, async () => {
  await visit('viewer', async ({ context, page }) => {
    for (const from of [(site as Site).neighbour, (site as Site).stranger]) {
      await page.goto(from)
      const opened = context.waitForEvent('page')
      await page.evaluate(`window.victim = open(${JSON.stringify(`${origin}/console/sign-in`)})`)
      const other = await opened
      await other.getByLabel('Email').waitFor()
      assert.equal(await other.evaluate('opener'), null)
      assert.equal(await page.evaluate('window.victim.closed'), true, 'the opener still holds the window')
      await other.close()
    }
  })
})

async function signInAt(page: Page, address: string, { person }: PersonCaller): Promise<void> {
  await page.goto(origin + address)
  await page.getByLabel('Email').fill(person.email)
  await page.getByLabel('Password').fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('signing in leads to a page of the console, whatever the address says', { skip: skipped }, async () => {
  const shop = { success_url: `${(site as Site).stranger}/shop`, fail_url: `${(site as Site).stranger}/shop` }
  const payment = (await venture.post('/payments', { amount: '5.00', currency: 'EUR', ...shop })).body
  const returns = `/console/../api/v1/payments/${payment.id}/return`
  const redirected = await fetch(origin + returns.replace('/console/..', ''), { redirect: 'manual' })
  assert.ok(redirected.headers.get('location')?.startsWith(shop.fail_url), 'there is a page that leads elsewhere')
  await visit('viewer', async ({ context, page, victim }) => {
    for (const to of [returns, returns.replace('..', '%2e%2E'), (site as Site).stranger, '//localhost', 'javascript:alert(1)', '/docs/']) {
      // Without its cookie the page would go to the sign-in in the middle of the test.
      await page.goto('about:blank')
      await context.clearCookies()
      await signInAt(page, `/console/sign-in?${new URLSearchParams({ to })}`, victim)
      await page.locator('h1.page-title').waitFor()
      assert.ok(page.url().startsWith(`${origin}/console/v/`), `${to} led to ${page.url()}`)
    }
  })
})

test('a cookie that was planted before somebody signs in is not their session', { skip: skipped }, async () => {
  await visit('viewer', async ({ context, page, victim }) => {
    const attacker = await openMember(door, venture.venture.id, 'viewer')
    await context.clearCookies()
    // A page of another port of the same host may set cookies for the bank: there are no ports in cookies.
    await page.goto((site as Site).neighbour)
    await page.evaluate(`document.cookie = 'vostro=${attacker.token}; path=/'`)
    await signInAt(page, '/console/sign-in', victim)
    await page.locator('h1.page-title').waitFor()
    const cookies = (await context.cookies(origin)).filter(({ name }) => name === 'vostro')
    assert.equal(cookies.length, 1)
    assert.notEqual(cookies[0]?.value, attacker.token)
    assert.deepEqual([cookies[0]?.httpOnly, cookies[0]?.sameSite], [true, 'Strict'])
    await page.goto(`${origin}/console/you`)
    await page.getByText(victim.person.email).first().waitFor()
    assert.equal((await attacker.get('/session')).status, 401, 'the planted session goes on beside')
  })
})

test('after signing out nothing is left: no way back, no copy of the cookie that works, no stored secret', { skip: skipped }, async () => {
  const client = await venture.registerClient({ last_name: 'Unforgotten' })
  await visit('admin', async ({ context, page, victim }) => {
    await context.clearCookies()
    await signInAt(page, `/console/sign-in?${new URLSearchParams({ to: `/console/v/${venture.venture.id}/clients/${client.id}` })}`, victim)
    await page.getByText('Unforgotten').first().waitFor()
    const [cookie] = await context.cookies(origin)
    const stored = await page.evaluate<string>(`(async () => JSON.stringify([
      { ...localStorage }, { ...sessionStorage }, document.cookie, (await indexedDB.databases?.()) ?? [], await caches.keys(),
      (await navigator.serviceWorker?.getRegistrations())?.length ?? 0
    ]))()`)
    assert.match(stored, /^\[\{("mantine-color-scheme-value":"\w+")?\},\{("tsr-scroll[^}]*")?\},"",\[\],\[\],0\]$/)
    await page.getByRole('button', { name: /your sign-in/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    assert.equal(await page.getByText('Unforgotten').count(), 0)
    const again = await fetch(`${origin}/api/v1/session`, { headers: { cookie: `vostro=${cookie?.value}` } })
    assert.equal(again.status, 401)
  })
})

test('whoever cannot sign out is told so', { skip: skipped }, async () => {
  await visit('viewer', async ({ page }) => {
    await page.goto(`${origin}/console/you`)
    await page.route(/\/api\/v1\/session$/, (route) =>
      route.request().method() === 'DELETE' ? route.fulfill({ status: 500, json: { code: 'internal_error' } }) : route.continue(),
    )
    await page.getByRole('button', { name: /your sign-in/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.getByText('You are still signed in').waitFor()
    assert.equal(page.url(), `${origin}/console/you`)
  })
})

test('a link that was used stays neither in the address nor in the history', { skip: skipped }, async () => {
  const admin = await openMember(door, venture.venture.id, 'admin')
  const invited = await admin.post('/venture/users', { email: 'fresh@example.com', role: 'viewer' })
  const secret = new URL(invited.body.url).hash.slice(1)
  const context = await (browser as Browser).newContext({ locale: 'en', reducedMotion: 'reduce' })
  const asked: string[] = []
  context.on('request', (request) => asked.push(request.url()))
  const page = await context.newPage()
  await page.goto(`${origin}/console/invitation#${secret}`)
  await page.getByLabel('Your name').fill('Grace Hopper')
  await page.getByLabel('Password').fill(goodPassword)
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.locator('h1.page-title').waitFor()
  const debug = await context.newCDPSession(page)
  const { entries } = await debug.send('Page.getNavigationHistory')
  assert.deepEqual(
    entries.filter(({ url }) => url.includes(secret)).map(({ url }) => url),
    [],
  )
  assert.deepEqual(
    asked.filter((url) => url.split('#')[0]?.includes(secret)),
    [],
  )
  await context.close()
})
