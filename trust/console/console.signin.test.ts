// Signing in with a passkey, in a real browser with its own authenticator: registering it, using it, and an admin's response to a lost laptop.
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { freePort } from '../../server/src/platform/embedded/embedded.postmaster.ts'
import { openBrowser, skipped, Visitor } from '../../server/src/testing/testing.browser.ts'
import { servicePorts } from '../../server/src/testing/testing.ports.ts'
import { ConsoleBank, type Role } from './console.bank.ts'

let browser: Browser
let bank: ConsoleBank

before(async () => {
  if (skipped !== false) return
  browser = await openBrowser()
  // Passkeys belong to a name, not to an address.
  const port = await freePort(servicePorts)
  bank = await ConsoleBank.open({ demo: undefined, changes: { passkeysRequired: true, port, consoleUrl: `http://localhost:${port}` } })
})

after(async () => {
  await browser?.close()
  await bank?.stop()
})

/** A browser on a device with a fingerprint reader, and its user. */
async function openVisitor(): Promise<Visitor> {
  const visitor = await Visitor.open(browser, bank.origin)
  const device = await visitor.page.context().newCDPSession(visitor.page)
  await device.send('WebAuthn.enable')
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return visitor
}

async function typeIn({ page }: Visitor, role: Role): Promise<void> {
  const { email, password } = bank.people[role]
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

test('whose role needs a passkey registers one after the first sign-in, and gets to the page that was wanted', {
  skip: skipped,
}, async () => {
  const visitor = await openVisitor()
  const { page } = visitor
  const wanted = `${bank.origin}/console/v/${bank.venture}/accounts`
  await page.goto(wanted)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await visitor.look('console-sign-in')
  await typeIn(visitor, 'venture operator')
  await page.getByRole('heading', { name: 'Your passkey' }).waitFor()
  await visitor.look('console-passkey-new')
  // No other page is open.
  await page.goto(`${bank.origin}/console/you`)
  await page.getByRole('heading', { name: 'Your passkey' }).waitFor()
  await page.goto(`${bank.origin}/console/passkey?to=/console/v/${bank.venture}/accounts`)
  await page.getByLabel('Name of the passkey').fill('My laptop')
  await page.getByRole('button', { name: 'Register a passkey' }).click()
  await page.waitForURL(wanted)
  await page.getByRole('heading', { name: 'Accounts' }).waitFor()

  // The password alone is not enough from now on.
  await page.getByRole('button', { name: /your sign-in/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await typeIn(visitor, 'venture operator')
  await page.getByRole('button', { name: 'Use your passkey' }).waitFor()
  await visitor.look('console-passkey-use')
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await page.waitForURL(/\/console\/v\//)
  await page.goto(`${bank.origin}/console/you`)
  await page.getByText('My laptop').waitFor()
  await page.getByText('A passkey', { exact: true }).first().waitFor()
  await page.getByText('Passkey added').waitFor()
  await visitor.look('console-you')
  await visitor.leave()
})

test('signing in with the passkey alone opens the app at once; somebody who only reads needs none', { skip: skipped }, async () => {
  const visitor = await openVisitor()
  const { page } = visitor
  await page.goto(`${bank.origin}/console/`)
  await typeIn(visitor, 'bank admin')
  await page.getByRole('button', { name: 'Register a passkey' }).click()
  await page.waitForURL(/\/console\/bank\//)
  await page.goto(`${bank.origin}/console/sign-in`)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL(/\/console\/bank\//)
  await visitor.leave()

  const reader = await openVisitor()
  await reader.page.goto(`${bank.origin}/console/`)
  await typeIn(reader, 'venture viewer')
  await reader.page.waitForURL(/\/console\/v\//)
  await reader.leave()
})

test('an admin signs somebody out everywhere', { skip: skipped }, async () => {
  const [admin, viewer] = [await openVisitor(), await openVisitor()]
  await viewer.page.goto(`${bank.origin}/console/`)
  await typeIn(viewer, 'venture viewer')
  await viewer.page.waitForURL(/\/console\/v\//)
  await admin.page.goto(`${bank.origin}/console/v/${bank.venture}/team`)
  await typeIn(admin, 'venture admin')
  await admin.page.getByRole('button', { name: 'Register a passkey' }).click()
  await admin.page.waitForURL(/\/team/)
  await admin.page.setViewportSize({ width: 1280, height: 800 })
  const row = admin.page.getByRole('row').filter({ hasText: bank.people['venture viewer'].email })
  await row.getByRole('button', { name: /^Sign out .* everywhere$/ }).click()
  await admin.page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await admin.page.getByText('is signed out everywhere.', { exact: false }).last().waitFor()
  // The open page notices by itself, and no other page opens either.
  await viewer.page.waitForURL(/\/console\/sign-in\?to=/)
  await viewer.page.goto(`${bank.origin}/console/you`)
  await viewer.page.waitForURL(/\/console\/sign-in\?to=.*you/)
  await viewer.page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await admin.leave()
  await viewer.leave()
})
