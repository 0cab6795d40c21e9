// Actions of the console that no journey takes: each is clicked in a real browser, and what has come of it is asked of the service.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipped } from '../../server/src/testing/testing.browser.ts'
import { unzip } from '../../server/src/testing/testing.zip.ts'
import { ConsoleBank, type Role } from './console.bank.ts'
import { Colleague } from './console.look.ts'
import { Typist } from './console.typist.ts'

let browser: Browser
let bank: ConsoleBank

before(async () => {
  if (skipped !== false) return
  browser = await openBrowser()
  bank = await ConsoleBank.open({ demo: 'small' })
})

after(async () => {
  await browser?.close()
  await bank?.stop()
})

/** Somebody with a mouse, who looks at a page. */
async function visit(role: Role, path: string): Promise<Typist> {
  const visitor = await Typist.open(browser, bank)
  await visitor.page.goto(`${bank.origin}/console/`)
  await visitor.signIn(role)
  await visitor.page.goto(`${bank.origin}/console/${path}`)
  await visitor.page.locator('h1.page-title').waitFor()
  await visitor.settle()
  return visitor
}

test('everything about a client is downloaded, by the venture and by the bank', { skip: skipped }, async () => {
  const [client] = await bank.get('/clients?limit=1', bank.venture)
  for (const [role, sees] of [
    ['venture viewer', 'venture'],
    ['bank auditor', 'bank'],
  ] as const) {
    const visitor = await visit(role, `v/${bank.venture}/clients/${client.id}`)
    const button = visitor.page.getByRole('button', { name: 'Download the archive' })
    const [file] = await Promise.all([visitor.page.waitForEvent('download'), button.click()])
    assert.equal(file.suggestedFilename(), `client-${client.id}.zip`)
    const files = unzip(await readFile(await file.path()))
    const about = JSON.parse(files.get('about.json') ?? '')
    assert.deepEqual([about.client_id, about.seen_by], [client.id, sees])
    assert.equal(JSON.parse(files.get('clients.json') ?? '')[0].email, client.email)
    assert.equal(files.has('screenings.json'), sees === 'bank')
    await visitor.leave()
  }
})

test('an admin asks for a key of the bank, which waits for a second person, and revokes one alone', { skip: skipped }, async () => {
  const visitor = await visit('bank admin', 'bank/keys')
  const { page } = visitor
  await page.getByRole('button', { name: 'Create a key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('The new importer')
  await dialog.getByRole('button', { name: 'Create a key' }).click()
  await page.getByRole('link', { name: 'Show the approval that waits' }).waitFor()
  const [asked] = await bank.get('/operator/approvals?action=create-bank-key')
  assert.deepEqual([asked.state, asked.payload], ['PENDING', { name: 'The new importer', scope: 'lists' }])

  const stateOf = async () => {
    const keys: { name: string; revoked_at: string | null }[] = await bank.get('/operator/keys')
    return keys.find(({ name }) => name === 'The payees connector')?.revoked_at
  }
  assert.equal(await stateOf(), null)
  const row = page.getByRole('row', { name: /The payees connector/ })
  await row.getByRole('button', { name: 'Revoke' }).click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await row.getByText('Revoked').waitFor()
  assert.notEqual(await stateOf(), null)
  await visitor.leave()
})

test('the first page of the bank tells everybody of a start for a bank that is locked out, and of admins who are missing', {
  skip: skipped,
}, async () => {
  const colleague = await Colleague.open(browser, bank, 'bank auditor')
  const { page, visitor } = colleague
  const told = { may: 'NOTHING', admins_with_passkey: 3, admins_needed: 3, steps: [], scopes: [], set_up_reopened: [] as string[] }
  // As outside the sandbox.
  await page.route(/\/api\/v1\/session$/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), clock_ahead_s: null } })
  })
  await page.route(/\/api\/v1\/operator\/admin-key$/, (route) => route.fulfill({ json: told }))
  const notice = page.getByRole('status').filter({ hasText: 'Show the users' })
  await colleague.open('/bank/ventures')
  assert.equal(await notice.count(), 0)

  told.set_up_reopened = [new Date().toISOString()]
  await colleague.open('/bank/ventures')
  await notice.getByText('The admin key could let in another admin').waitFor()
  assert.match(await notice.innerText(), /started with ADMIN_API_KEY_SCOPE=set-up/)
  await visitor.look('admin-key-reopened')

  Object.assign(told, { may: 'THIRD_ADMIN', admins_with_passkey: 2, set_up_reopened: [] })
  await colleague.open('/bank/ventures')
  await notice.getByText('The bank needs 1 more admin with a passkey').waitFor()
  await visitor.look('admin-key-two-admins')
  await colleague.leave()
})
