// The first start of a fresh clone: nothing is built yet. The printed link shows the console as soon as it is built, without a manual reload.
import assert from 'node:assert/strict'
import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { openBrowser, skipped, Visitor } from '../testing/testing.browser.ts'
import { makeDataFolder } from '../testing/testing.folders.ts'
import { ServiceProcess, stopProcesses } from '../testing/testing.process.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const clone = makeDataFolder('clone')
let browser: Browser

before(async () => {
  if (skipped !== false) return
  // The files of a clone after `npm ci`, without what was built or installed here.
  const isMade = (path: string) => ['node_modules', 'dist', 'data'].includes(basename(path))
  for (const name of ['server', 'sdk', 'console', 'docs', 'package.json', 'package-lock.json', 'tsconfig.json', 'README.md', 'SECURITY.md'])
    cpSync(join(root, name), join(clone, name), { recursive: true, filter: (path) => !isMade(path) })
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'))
  browser = await openBrowser()
})

after(async () => {
  await stopProcesses()
  await browser?.close()
  rmSync(clone, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
})

test('the first start prints a link that leads into the console as soon as it is built', { skip: skipped }, async (t) => {
  const service = new ServiceProcess({ DATA_DIR: join(clone, 'data'), PORT: '0', LOG_LEVEL: 'warn' }, { checkout: clone })
  const url = await service.ready()
  assert.ok(service.stdout.includes(`\n  Console      ${url}/console/\n`), service.stdout)
  const [, link = ''] = /^ {2}Set-up link {2}(\S+)$/m.exec(service.stdout) ?? []
  assert.ok(link.startsWith(`${url}/console/set-up#`), service.stdout)
  const visitor = await Visitor.open(browser, url)
  const first = await visitor.page.goto(link)
  // A machine may be fast or busy.
  t.diagnostic(first?.status() === 503 ? 'it was being built' : 'it was built at once')
  await visitor.page.getByRole('heading', { name: 'Set up the bank' }).waitFor()
  await visitor.page.getByLabel('Email').fill('you@bank.example')
  await visitor.page.getByLabel('Name').fill('Your name')
  await visitor.page.getByLabel('Password').fill('seven otters swim north')
  await visitor.page.getByRole('button', { name: 'Set up the bank' }).click()
  await visitor.page.locator('h1.page-title').waitFor()
  await visitor.leave()
  assert.ok(existsSync(join(clone, 'console/dist/current')))
  assert.equal(service.stderr, '')
})
