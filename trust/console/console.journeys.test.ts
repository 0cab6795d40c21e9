// Everyday journeys with the keyboard alone, in a real browser, from opening a page to the result.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { verifyWebhook } from '../../sdk/src/webhooks.ts'
import { openBrowser, skipped } from '../../server/src/testing/testing.browser.ts'
import { openReceiver } from '../../server/src/testing/testing.receiver.ts'
import { eventually } from '../../server/src/testing/testing.waits.ts'
import { ConsoleBank } from './console.bank.ts'
import { isBounded, ordersOf, Tabs } from './console.tabs.ts'
import { Typist } from './console.typist.ts'

// biome-ignore lint/suspicious/noExplicitAny: readers of a response know its shape.
type Loose = any

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

async function openTypist(): Promise<Typist> {
  const typist = await Typist.open(browser, bank)
  await typist.page.goto(`${bank.origin}/console/`)
  return typist
}

/** A transfer that a rule of the bank stops: a large amount for a payee that was never paid before, whose account is at this bank, too. */
async function orderWatched(): Promise<{ id: string; reference: string; payee: string }> {
  const member = await bank.signIn('venture operator')
  const accounts = await member('GET', '/accounts?status=ACTIVE&currency=EUR&limit=100', undefined, bank.venture)
  const payer = accounts.find(({ available_balance }: { available_balance: string }) => Number(available_balance) > 6_000)
  const payee = accounts.find(({ client_id }: { client_id: string }) => client_id !== payer.client_id)
  const { id: beneficiary_id } = await member(
    'POST',
    '/beneficiaries',
    { client_id: payer.client_id, name: 'Pia Paper', beneficiary_type: 'PERSON', iban: payee.account_number },
    bank.venture,
  )
  const reference = 'JOURNEY-2024/7'
  const order = { account_id: payer.id, beneficiary_id, unique_reference: reference, debit_amount: '5200.00', purpose: 'A piano' }
  const { id } = await member('POST', '/transfers', order, bank.venture)
  await eventually(async () => (await statusOf(id)) === 'REVIEW')
  return { id, reference, payee: payee.id }
}

const statusOf = async (id: string): Promise<string> => (await bank.get(`/transfers/${id}`, bank.venture)).status
const balanceOf = async (id: string): Promise<number> => Number((await bank.get(`/accounts/${id}`, bank.venture)).current_balance)

test('somebody finds a transfer by its reference and decides its case, a second person agrees, and the money arrives', {
  skip: skipped,
}, async () => {
  const { id, reference, payee } = await orderWatched()
  const before = await balanceOf(payee)
  const typist = await openTypist()
  await typist.signIn('bank operator')
  await typist.find(reference, reference)
  await typist.tabTo('link', 'Monitoring rule')
  await typist.press('Enter')
  await typist.isAt('heading', 'Monitoring rule')
  await typist.settle()
  await typist.tabTo('radio', '')
  await typist.choose('Approve')
  await typist.tabTo('textbox', 'Reason')
  await typist.type('The invoice for the piano was shown.')
  await typist.press('Control+Enter')
  await typist.reads('A second person must approve')
  await typist.isAt('button', 'Next case')
  assert.deepEqual([await statusOf(id), await balanceOf(payee)], ['REVIEW', before], 'one person is not enough')
  await typist.signOut()

  await typist.signIn('bank admin')
  await typist.find('Approvals', 'Approvals')
  await typist.tabTo('link', 'Decide a case')
  await typist.press('Enter')
  await typist.isAt('heading', 'Decide a case')
  await typist.tabTo('button', 'Approve')
  await typist.openDialog('Approve', 'button', 'Approve')
  await typist.press('Enter')
  await typist.reads('Approved and carried out.')
  // The button that was pressed is gone.
  await typist.isAt('heading', 'Decide a case')
  await eventually(async () => (await statusOf(id)) === 'COMPLETED')
  assert.equal(await balanceOf(payee), before + 5_200)
  await typist.leave()
})

test('a key is created and copied, and does what it may and nothing else', { skip: skipped }, async () => {
  const typist = await openTypist()
  await typist.signIn('venture admin')
  await typist.find('Developers', 'Developers')
  await typist.tabTo('button', 'Create a key')
  await typist.openDialog('Create a key', 'textbox', 'Name')
  await typist.type('Bookkeeping')
  await typist.tabTo('checkbox', 'webhooks')
  await typist.press('Space')
  await typist.tabTo('button', 'Create a key')
  await typist.press('Enter')
  assert.ok((await typist.isAt('button', 'Copy')).isInDialog)
  await typist.press('Enter')
  await typist.reads('Copied')
  const key = await typist.copied()
  await typist.tabTo('button', 'I have copied it')
  await typist.press('Enter')
  await typist.dialogIsClosed()
  await typist.isAt('button', 'Create a key')
  const ask = (method: string, path: string, body?: object) =>
    fetch(`${bank.origin}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  const own = await ask('GET', '/venture')
  assert.deepEqual([own.status, ((await own.json()) as { id: string }).id], [200, bank.venture])
  assert.equal((await ask('POST', '/webhook-endpoints', { url: 'http://127.0.0.1:9/hooks' })).status, 201)
  assert.equal((await ask('POST', '/transfers', {})).status, 403)
  await typist.leave()
})

test('a statement is downloaded, and says what the service says', { skip: skipped }, async () => {
  const accounts: { last_activity_date: string }[] = await bank.get('/accounts?status=ACTIVE&currency=EUR&limit=100', bank.venture)
  const account = accounts.toSorted((one, other) => (one.last_activity_date < other.last_activity_date ? 1 : -1))[0] as Loose
  const typist = await openTypist()
  await typist.signIn('venture viewer')
  await typist.find(account.account_number, account.account_name)
  const download = async (format: string): Promise<{ name: string; content: Buffer }> => {
    await typist.tabTo('button', `Download as ${format}`)
    const [file] = await Promise.all([typist.page.waitForEvent('download'), typist.press('Enter')])
    await typist.isAt('button', `Download as ${format}`)
    return { name: file.suggestedFilename(), content: await readFile(await file.path()) }
  }
  assert.match(String((await download('PDF')).content.subarray(0, 8)), /^%PDF-1/)
  const { name, content } = await download('CSV')
  const [, from = '', to = ''] = /^\w+ (\S+) to (\S+)\.csv$/.exec(name) ?? []
  const { lines, closing_balance } = await bank.get(`/accounts/${account.id}/statements?from=${from}&to=${to}`, bank.venture)
  const rows = String(content).trimEnd().split('\r\n')
  const kinds = rows.map((row) => row.split(',', 1)[0]?.replace('\uFEFF', ''))
  assert.deepEqual(kinds, ['kind', 'OPENING_BALANCE', ...lines.map(() => 'LINE'), 'CLOSING_BALANCE'])
  for (const [index, { id }] of lines.entries()) assert.ok(rows[index + 2]?.endsWith(`,${id}`), rows[index + 2] ?? '')
  assert.ok(rows.at(-1)?.includes(`,${closing_balance},`), rows.at(-1) ?? '')
  await typist.leave()
})

test('a failed delivery is sent again, and the receiver gets it, signed', { skip: skipped }, async () => {
  const receiver = await openReceiver()
  receiver.status = 500
  const endpoint = await bank.post('/webhook-endpoints', { url: receiver.url, event_types: ['client.created'] }, bank.venture)
  await bank.post(`/webhook-endpoints/${endpoint.id}/test`, {}, bank.venture)
  const path = `/webhook-endpoints/${endpoint.id}/deliveries?limit=1`
  await eventually(async () => {
    const [delivery] = await bank.get(path, bank.venture)
    if (delivery?.status === 'PENDING' && delivery.next_attempt_at !== null) {
      const { now } = await bank.get('/sandbox/clock')
      const left_s = Math.ceil((Date.parse(delivery.next_attempt_at) - Date.parse(now)) / 1000)
      if (left_s > 0) await bank.post('/sandbox/clock', { advance: left_s })
    }
    return delivery?.status === 'FAILED'
  })
  const sent = receiver.arrivals.length
  receiver.status = 200

  const typist = await openTypist()
  await typist.signIn('venture operator')
  await typist.find('Webhooks', 'Webhooks')
  await typist.tabTo('searchbox', 'Resource id')
  await typist.paste(endpoint.id)
  await eventually(() => typist.page.url().includes(endpoint.id))
  await typist.settle()
  await typist.tabTo('link', 'webhook_endpoint.test')
  await typist.press('Enter')
  await typist.isAt('heading', 'webhook_endpoint.test')
  await typist.reads('Failed')
  await typist.tabTo('button', 'Resend')
  await typist.openDialog('Resend', 'button', 'Resend')
  assert.equal(receiver.arrivals.length, sent, 'to look at the dialog sends nothing')
  await typist.press('Enter')
  await typist.reads('The event is being sent again.')
  await typist.isAt('button', 'Resend')
  // The page shows the delivery without a reload.
  await typist.reads('Delivered')
  assert.equal(receiver.arrivals.length, sent + 1)
  const arrival = receiver.arrivals.at(-1)
  const event = await verifyWebhook(arrival?.body ?? '', arrival?.headers ?? {}, endpoint.secret)
  assert.equal(event.type, 'webhook_endpoint.test')
  await typist.leave()
})

test('two tabs see a new transfer without a reload, and stay usable while very many are created', { skip: skipped }, async () => {
  const orders = await ordersOf(bank)
  const tabs = await Tabs.open(browser, bank, orders.venture)
  const seen = await tabs.watch(orders, 300)
  assert.ok(isBounded(seen), JSON.stringify(seen))
  await tabs.leave()
})
