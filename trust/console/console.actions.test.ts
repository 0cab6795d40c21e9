// Actions of the console outside of the journeys: each is clicked in a real browser, and its result is checked at the service.
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

/** The second admin of the bank. */
const bea = 'bea@bank.example'

before(async () => {
  if (skipped !== false) return
  browser = await openBrowser()
  bank = await ConsoleBank.open({ demo: 'small' })
})

after(async () => {
  await browser?.close()
  await bank?.stop()
})

/** A person with a mouse who looks at a page. */
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
  await page.getByRole('link', { name: 'Add another admin' }).waitFor()
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

test('an admin who is alone is told that nobody can approve what they ask for, and how somebody comes in who can', {
  skip: skipped,
}, async () => {
  const colleague = await Colleague.open(browser, bank, 'bank admin')
  const { page, visitor } = colleague
  const notice = page.getByRole('status').filter({ hasText: 'is not related to the requester' })
  await colleague.open('/bank/users')
  await page.getByRole('button', { name: 'Invite a user' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email').fill('clerk@bank.example')
  await dialog.getByRole('button', { name: 'Invite a user' }).click()
  await page.getByText('nobody else at the bank can approve it yet').waitFor()
  await page.getByRole('button', { name: 'I have copied it' }).click()
  await page.getByRole('link', { name: 'Add another admin' }).click()
  await notice.getByText('Nobody at the bank can approve it').waitFor()
  await colleague.settle()
  await visitor.look('nobody-to-ask-approval')
  for (const address of ['/bank/approvals?view=mine', '/bank/ventures', '/bank/users']) {
    await colleague.open(address)
    await notice.getByText('nobody at the bank can approve').waitFor()
  }
  await notice.getByText('can approve after 7 days').waitFor()
  assert.match(await notice.innerText(), /Add a second admin with the admin key.*can approve after 7 days/s)
  await colleague.open('/bank/approvals?view=mine')
  await notice.locator('.snippet pre').waitFor()
  await visitor.look('nobody-to-ask-approvals')

  // Runs the command's request.
  const command = await notice.locator('.snippet pre').innerText()
  assert.match(command, new RegExp(`^curl .*${bank.origin}/api/v1/operator/users `, 's'))
  const second = await bank.post('/operator/users', { ...JSON.parse(/-d '(.*)'$/s.exec(command)?.[1] ?? ''), email: bea })
  await bank.accept(second, { name: 'Bea Second' })
  await colleague.open('/bank/approvals?view=mine')
  await notice.getByText('Add a third admin').waitFor()
  await bank.query("update links set used_at = used_at - interval '8 days' where email = $1", [bea])
  await colleague.open('/bank/approvals?view=mine')
  await page.getByRole('link', { name: 'Invite a user to the bank' }).waitFor()
  assert.equal(await notice.count(), 0)
  await colleague.leave()
})

test('an admin sees who has approved for whom, clears a pair of related people, and takes it back', { skip: skipped }, async () => {
  const idOf = async (email: string) => (await bank.query('select id from users where email = $1', [email]))[0].id
  const [operator, second] = [await idOf(bank.people['bank operator'].email), await idOf(bea)]
  await bank.query('update links set made_by_id = $1 where email = $2', [operator, bea])
  await bank.query(
    `insert into approvals (venture_id, id, action, resource_id, payload, payload_hash, subject, subject_hash, sequence, maker_id, checker_id, state,
       created_at, expires_at, decided_at)
     select $1, gen_random_uuid(), 'create-transfer', gen_random_uuid(), '{}', repeat('0', 64), json_build_object('amount', sum, 'currency', currency),
       repeat('0', 64), 0, $2, $3, 'APPROVED', bank_now(), bank_now(), bank_now()
     from (values ('12000.00', 'EUR'), ('300.00', 'USD')) as money (sum, currency)`,
    [bank.venture, operator, await idOf(bank.people['bank admin'].email)],
  )
  const colleague = await Colleague.open(browser, bank, 'bank admin')
  const { page, visitor } = colleague
  await page.setViewportSize({ width: 1280, height: 860 })
  await colleague.open('/bank/pairs')
  const [agreed, related] = [
    page.getByRole('row', { name: /12,000\.00 EUR/ }),
    page.getByRole('row', { name: /Bank operator/ }).filter({ hasText: 'Bea Second' }),
  ]
  // Names are fetched after the rows.
  await agreed.filter({ hasText: /Bank \w+ and Bank \w+/ }).waitFor()
  assert.match(await agreed.innerText(), /Bank (admin|operator) and Bank (admin|operator)\s+12,000\.00 EUR\s+300\.00 USD\s+2\s/)
  assert.match(await related.innerText(), /Related\s+One invited the other\./)
  await visitor.look('pairs')
  await page.setViewportSize({ width: 1280, height: 860 })

  await related.getByRole('button', { name: /^Clear / }).click()
  const dialog = page.getByRole('dialog')
  assert.ok(await dialog.getByRole('button', { name: 'Clear', exact: true }).isDisabled(), 'a reason is needed')
  await dialog.getByLabel('Reason').fill('They have worked here for years.')
  await dialog.getByRole('button', { name: 'Clear', exact: true }).click()
  await related.getByText('Cleared', { exact: true }).waitFor()
  await related.getByText('They have worked here for years.').waitFor()
  const clearings = () =>
    bank.query('select reason, taken_back_at is not null as is_over from pair_clearings where $1 in (one_id, other_id)', [second])
  assert.deepEqual(await clearings(), [{ reason: 'They have worked here for years.', is_over: false }])

  await related.getByRole('button', { name: /^Revoke the clearing/ }).click()
  await dialog.getByRole('button', { name: 'Revoke clearing' }).click()
  await related.getByText('Related', { exact: true }).waitFor()
  assert.deepEqual(await clearings(), [{ reason: 'They have worked here for years.', is_over: true }])
  await colleague.leave()
})

test('the form of a new transfer shows what the other bank would read, and when it would leave', { skip: skipped }, async () => {
  const member = await bank.signIn('venture operator')
  const accounts = await member('GET', '/accounts?status=ACTIVE&currency=EUR&limit=100', undefined, bank.venture)
  const payer = accounts.find(({ available_balance }: { available_balance: string }) => Number(available_balance) > 50)
  const payee = { client_id: payer.client_id, name: 'Jürgen Müller', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000' }
  const { id } = await member('POST', '/beneficiaries', payee, bank.venture)
  const colleague = await Colleague.open(browser, bank, 'venture operator')
  const { page, visitor } = colleague
  await colleague.open(`/v/${bank.venture}/transfers/new?account_id=${payer.id}&beneficiary_id=${id}`)
  await page.getByRole('textbox', { name: 'Amount' }).fill('12.50')
  await page.getByLabel('Purpose').fill('Öl für die Tür')
  const panel = page.getByRole('region', { name: 'What would happen' })
  await panel.getByText('Message to the other bank').waitFor()
  await panel.getByText('Typed: Öl für die Tür').waitFor()
  assert.match(await panel.innerText(), /pacs\.008\.001\.08, SEPA.*At once.*Typed: Jürgen Müller/s)
  await visitor.look('dry-run')
  await colleague.leave()
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
  const notice = page.getByRole('status').filter({ hasText: 'Show users' })
  await colleague.open('/bank/ventures')
  assert.equal(await notice.count(), 0)

  told.set_up_reopened = [new Date().toISOString()]
  await colleague.open('/bank/ventures')
  await notice.getByText('The admin key could add another admin').waitFor()
  assert.match(await notice.innerText(), /started with ADMIN_API_KEY_SCOPE=set-up/)
  await visitor.look('admin-key-reopened')

  Object.assign(told, { may: 'THIRD_ADMIN', admins_with_passkey: 2, set_up_reopened: [] })
  await colleague.open('/bank/ventures')
  await notice.getByText('The bank needs 1 more admin with a passkey').waitFor()
  assert.match(await notice.locator('.snippet pre').innerText(), /^curl .*\/operator\/users /)
  await visitor.look('admin-key-two-admins')
  await colleague.open('/bank/users')
  await page.getByRole('status').filter({ hasText: 'To add the next admin' }).locator('.snippet pre').waitFor()

  // A bank without ventures offers the admin key only where it registers one.
  await page.route(/\/api\/v1\/ventures\?/, (route) => route.fulfill({ json: [] }))
  const offer = page.locator('.empty pre').filter({ hasText: '"name": "My first venture"' })
  for (const [may, offered] of [
    ['EVERYTHING', 1],
    ['THIRD_ADMIN', 0],
    ['NOTHING', 0],
  ] as const) {
    told.may = may
    await colleague.open('/bank/ventures')
    await page.getByText(offered === 1 ? 'or with the admin key' : 'Register the first one above.').waitFor()
    await colleague.settle()
    assert.equal(await offer.count(), offered, may)
  }
  await colleague.leave()
})

test('the first person who is invited to a venture is an admin, unless one chooses otherwise', { skip: skipped }, async () => {
  const colleague = await Colleague.open(browser, bank, 'bank admin')
  const { page } = colleague
  const { id } = await bank.post('/ventures', { name: 'Nobody Yet' })
  for (const [venture, role] of [
    [id, 'Admin'],
    [bank.venture, 'Viewer'],
  ]) {
    await colleague.open(`/v/${venture}/team`)
    await colleague.settle()
    await page.getByRole('button', { name: 'Invite a member' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('you may get a code instead').waitFor()
    assert.match(await dialog.getByRole('combobox', { name: 'Role' }).inputValue(), new RegExp(`^${role}`))
    await page.keyboard.press('Escape')
  }
  await colleague.leave()
})
