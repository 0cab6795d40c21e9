// Amounts in the console's forms, in a real browser: `1,50` is one and a half in every locale, and `1,500` leads to a question in every form.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { openBrowser, skipped } from '../../server/src/testing/testing.browser.ts'
import { ConsoleBank, type Role } from './console.bank.ts'
import { Colleague, Colleagues } from './console.look.ts'

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

/** The form of a new transfer from an account with enough money to a payee of its client. */
async function formOfTransfer(): Promise<string> {
  const accounts = await bank.get('/accounts?status=ACTIVE&currency=EUR&limit=100', bank.venture)
  for (const { id, client_id, available_balance } of accounts) {
    if (Number(available_balance) < 100) continue
    const [beneficiary] = await bank.get(`/beneficiaries?client_id=${client_id}&limit=1`, bank.venture)
    if (beneficiary !== undefined) return `/v/${bank.venture}/transfers/new?account_id=${id}&beneficiary_id=${beneficiary.id}`
  }
  throw new Error('nobody in the demo bank has money and a payee')
}

/** What was sent when the button was pressed. */
async function ordered(colleague: Colleague): Promise<unknown> {
  const { page } = colleague
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === 'POST' && new URL(one.url()).pathname === '/api/v1/transfers'),
    page.getByRole('button', { name: 'Order transfer' }).click(),
  ])
  assert.equal((await request.response())?.status(), 201)
  return request.postDataJSON().debit_amount
}

test('1,50 is ordered as one and a half, and what was understood is shown in words before', { skip: skipped }, async () => {
  for (const [locale, text, shown] of [
    ['de', '1,50', '1,50 EUR, one and a half euros'],
    ['en', '1,50', '1.50 EUR, one and a half euros'],
    ['fr', '1.50', '1,50 EUR, one and a half euros'],
    ['ar-EG', '١٫٥٠', '١٫٥٠ EUR, one and a half euros'],
  ] as const) {
    const colleague = await Colleague.open(browser, bank, 'venture operator', locale)
    await colleague.open(await formOfTransfer())
    await colleague.page.getByLabel('Amount').fill(text)
    await colleague.page.getByText(`Amount: ${shown}`).waitFor()
    if (locale === 'de') await colleague.visitor.look('amount-understood')
    assert.equal(await ordered(colleague), '1.50')
    await colleague.leave()
  }
})

test('1,500 is asked, and nothing is ordered before somebody has chosen', { skip: skipped }, async () => {
  for (const [locale, choice, amount] of [
    ['en', '1.50 EUR', '1.50'],
    ['de', '1,50 EUR', '1.50'],
  ] as const) {
    const colleague = await Colleague.open(browser, bank, 'venture operator', locale)
    const { page } = colleague
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(`${new URL(request.url()).pathname} ${request.postData()}`)
    })
    await colleague.open(await formOfTransfer())
    const field = page.getByLabel('Amount')
    await field.fill('1,500')
    await page.getByText('1,500 — one thousand five hundred, or one and a half?').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Order transfer' }).isDisabled())
    await field.press('Enter')
    if (locale === 'en') await colleague.visitor.look('amount-asked')
    assert.deepEqual(sent, [], 'neither an order nor a dry run')
    const question = page.getByRole('group', { name: '1,500 — one thousand five hundred, or one and a half?' })
    assert.equal(await question.getByRole('button').count(), 2)
    await question.getByRole('button', { name: choice, exact: true }).click()
    await page.getByText(`Amount: ${choice}, one and a half euros`).waitFor()
    await question.waitFor({ state: 'detached' })
    // The pressed button is gone, and the keyboard focus stays in its place.
    assert.equal(await page.evaluate('document.activeElement.value'), '1,500')
    assert.equal(await ordered(colleague), amount)
    await colleague.leave()
  }
})

test('a choice ends with the next key, and what cannot be meant is said', { skip: skipped }, async () => {
  const colleague = await Colleague.open(browser, bank, 'venture operator')
  const { page } = colleague
  await colleague.open(await formOfTransfer())
  const field = page.getByLabel('Amount')
  await field.fill('1,500')
  await page.getByRole('button', { name: '1,500.00 EUR', exact: true }).click()
  await page.getByText('Amount: 1,500.00 EUR, one thousand five hundred euros').waitFor()
  await field.press('End')
  await field.pressSequentially('0')
  await page.getByText('EUR has at most 2 decimals.').waitFor()
  assert.equal(await page.getByText('one thousand five hundred euros').count(), 0)
  await field.fill('-5')
  await page.getByText('Write it without a sign.').waitFor()
  assert.ok(await page.getByRole('button', { name: 'Order transfer' }).isDisabled())
  await colleague.leave()
})

test('a limit that is not understood yet is not sent', { skip: skipped }, async () => {
  const colleague = await Colleague.open(browser, bank, 'venture operator')
  const { page } = colleague
  await colleague.open(await anAccount())
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Description').fill('With a limit')
  const send = dialog.getByRole('button', { name: 'Edit', exact: true })
  assert.ok(await send.isEnabled())
  for (const text of ['1,500', '1,', 'much']) {
    await dialog.getByLabel('Limit per day, in EUR').fill(text)
    assert.ok(await send.isDisabled(), text)
  }
  await dialog.getByLabel('Limit per day, in EUR').fill('1500,00')
  await dialog.getByText('Limit per day, in EUR: 1,500.00 EUR, one thousand five hundred euros').waitFor()
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() !== 'GET' && one.url().includes('/accounts/')),
    send.click(),
  ])
  assert.deepEqual(request.postDataJSON(), { description: 'With a limit', daily_limit: '1500.00' })
  await colleague.leave()
})

type Form = {
  role: Role
  /** Where it is. */
  at(): Promise<string>
  /** The button that opens the form, and fields to fill first. */
  opener?: string
  before?(colleague: Colleague): Promise<void>
  fields: readonly string[]
  /** Whether it is viewed on all screens. */
  isLooked?: boolean
}

const aVenture = (path: string) => async () => `/v/${bank.venture}/${path}`
const aBank = (path: string) => async () => `/bank/${path}`
const anAccount = async () => {
  const [account] = await bank.get('/accounts?status=ACTIVE&currency=EUR&limit=1', bank.venture)
  return `/v/${bank.venture}/accounts/${account.id}`
}

/** Every form with an amount. */
const forms: readonly Form[] = [
  { role: 'venture operator', at: formOfTransfer, fields: ['Amount'] },
  { role: 'venture operator', at: anAccount, fields: ['Amount in EUR'] },
  { role: 'venture operator', at: anAccount, opener: 'Deposit', fields: ['Amount in EUR'], isLooked: true },
  {
    role: 'venture operator',
    at: anAccount,
    opener: 'Edit',
    fields: ['Limit per day, in EUR', 'Limit per month, in EUR', 'Limit per year, in EUR'],
  },
  {
    role: 'venture operator',
    at: aVenture('accounts'),
    opener: 'Open an account',
    fields: ['Limit per day', 'Limit per month', 'Limit per year'],
  },
  { role: 'venture operator', at: aVenture('links'), opener: 'Create a link', fields: ['Amount'] },
  { role: 'bank admin', at: aBank('inbound'), opener: 'Report a payment', fields: ['Amount'] },
  { role: 'bank admin', at: aBank('inbound'), opener: 'Report a return', fields: ['Amount'] },
  { role: 'bank admin', at: aBank('inbound'), opener: 'Force a debit', fields: ['Amount'] },
  { role: 'bank admin', at: aBank('rates'), opener: 'Set a rate', fields: ['Rate'] },
  { role: 'bank admin', at: aBank('reconciliation'), opener: 'Add a nostro', fields: ['Prefunding'] },
  { role: 'bank admin', at: aBank('sandbox'), opener: 'Pay in', fields: ['Amount in EUR'] },
  { role: 'bank admin', at: aBank('sandbox'), opener: 'Collect by direct debit', fields: ['Amount in EUR'] },
  {
    role: 'bank admin',
    at: async () => `/bank/ventures/${bank.venture}`,
    fields: ['Signature above', 'Review above', 'Above'],
    isLooked: true,
    before: async ({ page }) => page.getByRole('button', { name: 'Edit the policy' }).click(),
  },
]

test('1,500 is asked in every form', { skip: skipped }, async () => {
  const colleagues = new Colleagues(browser)
  for (const { role, at, opener, before: prepare, fields, isLooked = false } of forms) {
    const colleague = await colleagues.of(bank, role)
    await colleague.open(await at())
    await prepare?.(colleague)
    if (opener !== undefined) await colleague.page.getByRole('button', { name: opener, exact: true }).first().click()
    const place = opener === undefined ? colleague.page.locator('main') : colleague.page.getByRole('dialog')
    for (const label of fields) {
      const field = place.getByRole('textbox', { name: label, exact: true }).first()
      await field.fill('1,500')
      const question = place.getByText('1,500 — one thousand five hundred, or one and a half?')
      await question.waitFor()
      if (isLooked && label === fields[0]) await colleague.visitor.look(`amount-form-${opener ?? 'policy'}`)
      await field.fill('')
      await question.waitFor({ state: 'detached' })
    }
  }
  await colleagues.leave()
})
