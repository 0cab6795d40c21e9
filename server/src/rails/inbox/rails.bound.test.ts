// Payments that a file reports are credited up to a bound. Larger ones wait in suspense until a statement shows the money, or two people decide.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type NewEntry, notificationMessage, statementMessage } from '../../testing/testing.nostros.ts'
import { instantly, theirBic } from '../../testing/testing.otherbank.ts'
import { openRails } from '../../testing/testing.rails.ts'
import { openBanker } from '../../testing/testing.sessions.ts'
import { Caller, type Loose } from '../../testing/testing.ts'
import { addDays } from '../../values/calendar.ts'
import { formatMoney, fromNumeric } from '../../values/money.ts'

const rails = await openRails({ railsCreditBound: '1000.00' })
const { other, bank, venture, rows, show, openCases, takeIn, booksAreRight } = rails
const today = new Date().toISOString().slice(0, 10)

const nostro = {
  name: 'Settlement',
  account: 'DE02500105170137075030',
  bic: theirBic,
  currency: 'EUR',
  rails: ['SEPA', 'INST'],
  prefunding: '0.00',
}
assert.equal((await bank.admin.post('/operator/nostros', nostro)).status, 201)
const last = { sequence: 0, closing: '0.00' }

/** The settlement bank sends its next statement, as a file. */
async function state(entries: readonly NewEntry[], date = today): Promise<void> {
  const { closing: opening } = last
  const message = statementMessage({ account: nostro.account, sequence: ++last.sequence, date, opening, entries })
  last.closing = formatMoney(
    entries.reduce((sum, { amount }) => sum + fromNumeric(amount), fromNumeric(opening)),
    'EUR',
  )
  const file = other.send('camt.053.001.08', message)
  await takeIn()
  assert.equal((await rails.messageOf(file)).state, 'APPLIED')
}

type Paid = { tx_id: string; account: Loose }

/** A file reports a payment to an account. */
async function pay(amount: string, account: Loose, { instant = false } = {}): Promise<Paid> {
  const tx_id = other.next('BOUND')
  const payment = {
    tx_id,
    amount: fromNumeric(amount),
    creditor_iban: account.account_number,
    settlement_date: today,
    ...(instant && instantly()),
  }
  other.pay([payment])
  await takeIn()
  return { tx_id, account }
}

const found = async ({ tx_id }: Pick<Paid, 'tx_id'>): Promise<Loose> => {
  const [claim] = await rows('select id, booked_as from inbound_claims where tx_id = $1', tx_id)
  return claim?.booked_as === 'transfer' ? show(claim) : (await bank.admin.get(`/operator/unapplied-payments/${claim?.id}`)).body
}
const statusOf = async (paid: Paid): Promise<string> => (await found(paid)).status
const balanceOf = async ({ account }: Paid): Promise<string> => (await venture.balances(account as { id: string }))[0] as string
const caseOf = async (paid: Paid): Promise<Loose> => {
  const { id } = await found(paid)
  return (await rows('select * from cases where resource_id = $1 order by created_at desc', id))[0]
}

/** Nothing is credited, and the bank's people see why. */
async function waits(paid: Paid): Promise<void> {
  const { status, status_reason_code, status_reason } = await found(paid)
  assert.deepEqual([status, status_reason_code], ['CREDIT_TECH_BALANCE', 'awaits_statement'])
  assert.match(status_reason, /waits for a statement/)
  assert.equal(await balanceOf(paid), '0.00')
  const { state, kind, payload } = await caseOf(paid)
  assert.deepEqual([state, kind, payload.awaits], ['OPEN', 'suspended', 'statement'])
}

async function isCredited(paid: Paid, amount: string): Promise<void> {
  const { status, status_reason_code } = await found(paid)
  assert.deepEqual([status, status_reason_code, await balanceOf(paid)], ['COMPLETED', null, amount])
  await booksAreRight()
}

const openAccount = () => venture.openAccount()

test('what is not larger than the bound is credited at once; an instant payment of any amount when the statement shows it before its confirmation comes', async () => {
  const exact = await pay('1000.00', await openAccount())
  await isCredited(exact, '1000.00')
  const instant = await pay('5000.00', await openAccount(), { instant: true })
  assert.deepEqual([await statusOf(instant), await balanceOf(instant)], ['ACCEPTED', '0.00'])
  await state([
    { amount: '1000.00', tx_id: exact.tx_id },
    { amount: '5000.00', tx_id: instant.tx_id },
  ])
  await isCredited(instant, '5000.00')
  assert.equal((await rows('select state from rail_instants where tx_id = $1', instant.tx_id))[0].state, 'CONFIRMED')
})

test('more waits for the statement that shows it, and is then credited by itself', async () => {
  const paid = await pay('1000.01', await openAccount())
  await waits(paid)
  await booksAreRight()
  await state([])
  await waits(paid)
  await state([{ amount: '1000.01', tx_id: paid.tx_id }])
  await isCredited(paid, '1000.01')
  const { state: decided, decision, comment, decided_by } = await caseOf(paid)
  assert.deepEqual([decided, decision, decided_by], ['DECIDED', 'apply', null])
  assert.match(comment, /statement has shown/)
})

test('a statement with another amount does not show it', async () => {
  const paid = await pay('8000.00', await openAccount())
  await state([{ amount: '7999.00', tx_id: paid.tx_id }])
  await waits(paid)
  await booksAreRight()
})

test('an entry that the settlement bank announces shows the money as well', async () => {
  const paid = await pay('2000.00', await openAccount())
  const entry = { amount: '2000.00', tx_id: paid.tx_id, servicer_reference: 'BOUND-1' }
  other.send('camt.054.001.08', notificationMessage(nostro.account, today, [entry]))
  await takeIn()
  await isCredited(paid, '2000.00')
  await state([entry])
  await isCredited(paid, '2000.00')
})

test('two people can let it go on before, and one of them cannot', async () => {
  const paid = await pay('3000.00', await openAccount())
  const [maker, checker] = [await openBanker(bank, 'operator'), await openBanker(bank, 'operator')]
  const strict = await bank.openInstance({ fourEyes: true })
  const { id } = await caseOf(paid)
  const asked = await new Caller(strict, maker.headers).post(`/operator/cases/${id}/decisions`, { decision: 'apply' })
  assert.deepEqual([asked.status, asked.body.state], [202, 'PENDING'], asked.text)
  await waits(paid)
  const approved = await new Caller(strict, checker.headers).post(`/operator/approvals/${asked.body.id}/approve`)
  assert.deepEqual([approved.status, approved.body.state], [200, 'APPROVED'], approved.text)
  await isCredited(paid, '3000.00')
  await state([{ amount: '3000.00', tx_id: paid.tx_id }])
  await isCredited(paid, '3000.00')
})

test('money that never comes is missing at the end of its day, and still waits', async () => {
  const paid = await pay('4000.00', await openAccount())
  await state([])
  await state([], addDays(today, 1))
  await waits(paid)
  const { id } = await found(paid)
  assert.deepEqual(await rows(`select kind, status from breaks where row_id = $1`, id), [{ kind: 'MISSING', status: 'OPEN' }])
  await booksAreRight()
  await rails.decided(await caseOf(paid), 'return')
  assert.equal(await statusOf(paid), 'REJECTED')
})

test('once it is shown, money for an account that is not active waits for its account', async () => {
  const paid = await pay('6000.00', await openAccount())
  assert.equal((await venture.post(`/accounts/${paid.account.id}/freeze`)).status, 200)
  await state([{ amount: '6000.00', tx_id: paid.tx_id }], addDays(today, 1))
  assert.equal(await statusOf(paid), 'CREDIT_TECH_BALANCE')
  const { state: decided, severity, payload } = await caseOf(paid)
  assert.deepEqual([decided, severity, payload], ['OPEN', 'URGENT', { account_id: paid.account.id }])
  await booksAreRight()
})

test('money that no account can take does not go back before a statement shows it', async () => {
  const paid = await pay('7000.00', { account_number: 'LT001010012345678999' })
  const small = await pay('10.00', { account_number: 'LT001010012345678999' })
  assert.deepEqual([await statusOf(paid), await statusOf(small)], ['OPEN', 'RETURNING'])
  const { state: open, kind, payload } = await caseOf(paid)
  assert.deepEqual([open, kind, payload.awaits], ['OPEN', 'unapplied', 'statement'])
  await state([{ amount: '7000.00', tx_id: paid.tx_id }], addDays(today, 1))
  assert.equal(await statusOf(paid), 'RETURNING')
  const returned = (await other.payments()).filter(({ message_type }) => message_type === 'pacs.004.001.09').map(({ amount }) => amount)
  assert.ok(returned.includes(fromNumeric('7000.00')))
  assert.deepEqual(await openCases('unapplied'), [])
  await booksAreRight()
})
