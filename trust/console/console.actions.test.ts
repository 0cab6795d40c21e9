// Actions of the console that no journey takes: each is clicked in a real browser, and what has come of it is asked of the service.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipped } from '../../server/src/testing/testing.browser.ts'
import { unzip } from '../../server/src/testing/testing.zip.ts'
import { ConsoleBank, type Role } from './console.bank.ts'
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
