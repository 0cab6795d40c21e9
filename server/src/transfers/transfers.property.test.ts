// A venture whose transfers the bank processes cannot make money with its key. The key sends random requests over HTTP, most of them
// forbidden, while the bank's side brings money in and sends it out. In each currency, all clients' balances, fees and exchange positions
// together never exceed what the bank's side brought in minus what left. The sandbox is off.
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { somePerson } from '../testing/testing.people.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'
import { formatMoney, fromNumeric, type Money } from '../values/money.ts'
import { Refusal } from '../values/refusals.ts'
import { SeededRandom } from '../values/seeded-random.ts'
import { checkInvariants } from '../verify/verify.ts'
import { walkTo } from './life/transfers.guards.ts'
import type { Transfer } from './life/transfers.schemas.ts'
import { type TransferStatus, transferDirections, transferMethods, transferStatuses, transferTypes } from './life/transfers.status.ts'

const steps = 3_000
const seed = randomInt(2 ** 32)
const dice = new SeededRandom(seed)
const bank = await openBank({ sandbox: false, fourEyes: true })
const venture = await ManagedVenture.open(bank)
const url = await bank.listen()

// With four-eyes approval, two people set rates.
const treasury = new Caller(await bank.openInstance({ fourEyes: false }), bank.admin.headers)
for (const [from_currency, to_currency, rate] of [
  ['EUR', 'USD', '1.0825'],
  ['USD', 'EUR', '0.9'],
  ['EUR', 'JPY', '160.5'],
])
  assert.equal((await treasury.put('/operator/rates', { from_currency, to_currency, rate, margin: '0.0125' })).status, 200)

/** What the bank's side brought in minus what left, in each currency. */
const brought = new Map<string, Money>()
const count = (currency: string, amount: Money) => brought.set(currency, (brought.get(currency) ?? 0n) + amount)

/** A request of the venture over a real connection. */
async function send(method: string, path: string, body?: object): Promise<Pick<Answer, 'status' | 'body'>> {
  const answer = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: { 'x-api-key': venture.venture.api_key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const result: Loose = await answer.json()
  // Without the sandbox there is no card gateway.
  assert.ok(answer.status < 500 || result.code === 'gateway_missing', `${method} ${path} ${JSON.stringify(body)}: ${answer.status}`)
  return { status: answer.status, body: result }
}

const clients: Loose[] = []
const accounts: Loose[] = []
const beneficiaries: Loose[] = []
const transfers: string[] = []
const statuses = new Map<string, number>()

async function openAccount(currency: string): Promise<void> {
  const account = await venture.openAccount({ currency })
  const { client_id, account_number } = account
  beneficiaries.push(
    await venture.addBeneficiary(client_id),
    await venture.addBeneficiary(client_id, { iban: 'BR1800360305000010009795493C1', swift_code: 'CAIXBRRJ' }),
  )
  for (const other of accounts) {
    beneficiaries.push(await venture.addBeneficiary(client_id, { iban: other.account_number }))
    beneficiaries.push(await venture.addBeneficiary(other.client_id, { iban: account_number }))
  }
  accounts.push(account)
  clients.push({ id: client_id })
}
for (const currency of ['EUR', 'EUR', 'USD', 'JPY']) await openAccount(currency)

/** Removes what stops payments, so that a run whose accounts are frozen or closed early still tests something. */
async function setGoing(): Promise<void> {
  for (const { id } of clients) await send('PUT', `/clients/${id}`, { blocked: false })
  for (const account of [...accounts]) {
    const { status } = (await send('GET', `/accounts/${account.id}`)).body
    if (status === 'SUSPENDED') await send('POST', `/accounts/${account.id}/activate`)
    if (status !== 'CLOSED') continue
    accounts.splice(accounts.indexOf(account), 1)
    await openAccount(account.currency)
  }
}

const amount = (currency: string) => formatMoney(BigInt(1 + dice.below(300)) * (currency === 'JPY' ? 10_000n : 2_500n), currency)
const maybe = (share: number, fields: () => object): object => (dice.chance(share) ? fields() : {})

function anyOrder(): object {
  const account = dice.pick(accounts)
  const own = beneficiaries.filter(({ client_id }) => client_id === account.client_id)
  const plain = {
    account_id: account.id,
    unique_reference: randomUUID(),
    beneficiary_id: dice.pick(own).id,
    debit_amount: amount(account.currency),
    ...maybe(0.3, () => ({ credit_currency: dice.pick(['EUR', 'USD', 'JPY']) })),
  }
  if (dice.chance(0.45)) return plain
  return {
    ...plain,
    ...maybe(0.3, () => ({ direction: dice.pick(transferDirections) })),
    ...maybe(0.4, () => ({ transfer_type: dice.pick(transferTypes) })),
    ...maybe(0.3, () => ({ method: dice.pick(transferMethods) })),
    ...maybe(0.4, () => ({
      parent_transaction_id: transfers.length > 0 ? dice.pick(transfers) : undefined,
      transfer_type: 'PAYMENT_RETURN',
    })),
    ...maybe(0.3, () => ({ credit_amount: amount('USD'), credit_currency: 'USD' })),
    ...maybe(0.1, () => ({ exchange_rate: '1000' })),
    ...maybe(0.1, () => ({ fx_fee_amount: '0.01' })),
    ...maybe(0.1, () => ({ cr_iban: account.account_number })),
    ...maybe(0.1, () => ({ dr_name: 'Somebody' })),
    ...maybe(0.1, () => ({ settlement_date: dice.pick(['2026-01-01', '2099-01-05']) })),
  }
}

const anyUpdate = () => ({
  ...maybe(0.95, () => ({
    status: dice.chance(0.4) ? dice.pick(['SIGNED', 'CANCELLED', 'TO_CANCEL', 'ON_HOLD']) : dice.pick(transferStatuses),
  })),
  ...maybe(0.15, () => ({ third_party_status: 'ACCC' })),
  ...maybe(0.1, () => ({ status_reason: 'because' })),
  ...maybe(0.05, () => ({ bank_partner_id: 'partner' })),
})

/** One random request with the venture's key. */
async function ventureStep(): Promise<void> {
  const roll = dice.next()
  const account = dice.pick(accounts)
  const client = dice.pick(clients)
  let answer: Pick<Answer, 'status' | 'body'>
  if (roll < 0.4) {
    answer = await send('POST', '/transfers', anyOrder())
    if (answer.status === 201) transfers.push(answer.body.id)
  } else if (roll < 0.8 && transfers.length > 0) answer = await send('PUT', `/transfers/${dice.pick(transfers)}`, anyUpdate())
  else if (roll < 0.85) answer = await send('POST', `/accounts/${account.id}/${dice.pick(['activate', 'activate', 'freeze', 'close'])}`)
  else if (roll < 0.88) answer = await send('PUT', `/accounts/${account.id}`, { daily_limit: dice.chance(0.5) ? null : '100000' })
  else if (roll < 0.91)
    answer = await send(
      'PUT',
      `/clients/${client.id}`,
      dice.pick([{ blocked: true }, { blocked: false }, { blocked: false }, { risk_level: 'High' }, { is_blacklisted: true }]),
    )
  else if (roll < 0.93) answer = await send('POST', '/clients/person', somePerson(maybe(0.5, () => ({ kyc_level: 'NOT_REQUIRED' }))))
  else if (roll < 0.95)
    answer = await send('POST', '/accounts', {
      client_id: client.id,
      account_name: 'More',
      account_type: 'CURRENT',
      currency: dice.pick(['EUR', 'USD']),
    })
  else if (roll < 0.97) answer = await send('POST', `/sandbox/accounts/${account.id}/deposits`, { amount: '1000000.00' })
  else if (roll < 0.99 && transfers.length > 0)
    answer = await send('POST', `/sandbox/transfers/${dice.pick(transfers)}/settle`, { outcome: 'COMPLETED' })
  else
    answer = await send('POST', '/payments', {
      amount: '5.00',
      currency: 'EUR',
      success_url: 'https://shop.example/a',
      fail_url: 'https://shop.example/b',
    })
  statuses.set(String(answer.status), (statuses.get(String(answer.status)) ?? 0) + 1)
}

const screening = ['READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED'] as const

/** Counts what a move of the bank's side brings in or lets out, by its own figures. */
function settled(transfer: Transfer): void {
  const { direction, method, status, debit_amount, debit_currency, credit_amount, credit_currency } = transfer
  if (status !== 'COMPLETED' || method === 'INTERNAL') return
  if (direction === 'INBOUND') count(debit_currency, fromNumeric(debit_amount))
  else count(credit_currency, -fromNumeric(credit_amount))
}

async function bankMove(id: string, status: TransferStatus): Promise<boolean> {
  try {
    settled(await venture.move(id, { status, third_party_status: 'ACCC' }))
    return true
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** The bank's side: money arrives, or a transfer of the venture moves a few steps towards an end. */
async function bankStep(): Promise<void> {
  if (transfers.length === 0 || dice.chance(0.25)) {
    const account = dice.pick(accounts)
    const order = {
      account_id: account.id,
      direction: 'INBOUND',
      credit_amount: amount(account.currency),
      dr_iban: 'DE89370400440532013000',
    } as const
    const arrived = await venture.order(order).catch((error: unknown) => {
      if (error instanceof Refusal) return undefined
      throw error
    })
    if (arrived === undefined) return
    transfers.push(arrived.id)
    for (const status of ['RECEIVED', ...screening, 'COMPLETED'] as const) if (!(await bankMove(arrived.id, status))) return
    return
  }
  const { rows } = await bank.owner.query('select * from transfers where id = $1', [dice.pick(transfers.slice(-30))])
  const goal = dice.pick(['COMPLETED', 'COMPLETED', 'COMPLETED', 'REJECTED', 'SENT_TO_CLEAR', 'AML_REJECTED'] as const)
  const free = {
    third_party_status_given: true,
    account_closed: false,
    receiver_closed: false,
    client_blocked: false,
    account_frozen: false,
    signed_on_request: false,
    uncleared: false,
  }
  const walk = walkTo(rows[0], goal, free) ?? []
  for (const status of walk.slice(0, 1 + dice.below(9))) {
    // Only the exchange within the bank completes a payment, after booking its other half; here it does not run.
    if (status === 'COMPLETED' && rows[0].on_us && rows[0].direction === 'OUTBOUND') return
    if (!(await bankMove(rows[0].id, status))) return
  }
}

async function requireNoMoneyMade(step: number): Promise<void> {
  const { rows } = await bank.owner.query<{ currency: string; sum: string }>(
    `select currency, sum(amount)::text as sum from entries
     where venture_id = $1 and (account_id is not null or system_account ~ '^(fees|fx):') group by currency`,
    [venture.venture.id],
  )
  for (const { currency, sum } of rows) {
    const [here, limit] = [fromNumeric(sum), brought.get(currency) ?? 0n]
    assert.ok(here <= limit, `seed ${seed}, step ${step}: ${here} ${currency} are here, and only ${limit} were brought in and stayed`)
  }
  const { rows: balances } = await bank.owner.query<{ currency: string; differs: boolean }>(
    `select currency, sum(current_balance) <> coalesce((select sum(amount) from entries where account_id is not null and venture_id = $1
       and currency = accounts.currency), 0) as differs from accounts where venture_id = $1 group by currency`,
    [venture.venture.id],
  )
  assert.deepEqual(
    balances.filter(({ differs }) => differs),
    [],
    `seed ${seed}, step ${step}`,
  )
}

test(`a few thousand random requests make no money (seed ${seed})`, async () => {
  for (let step = 0; step < steps; step++) {
    if (step % 100 === 99) await setGoing()
    if (dice.chance(0.25)) await bankStep()
    else await ventureStep()
    if (step % 20 === 0) await requireNoMoneyMade(step)
  }
  await requireNoMoneyMade(steps)
  const { rows } = await bank.owner.query(
    `select count(*) filter (where status = 'COMPLETED' and direction = 'OUTBOUND')::int as paid,
       count(*) filter (where status = 'COMPLETED' and direction = 'INBOUND')::int as received,
       count(*) filter (where status = 'COMPLETED' and debit_currency <> credit_currency)::int as exchanged from transfers`,
  )
  const { paid, received, exchanged } = rows[0]
  assert.ok(paid >= 10 && received >= 50 && exchanged >= 1, `too little happened: ${JSON.stringify(rows[0])}, seed ${seed}`)
  for (const status of ['200', '201', '403', '404', '409', '422'])
    assert.ok((statuses.get(status) ?? 0) >= 5, `only ${statuses.get(status) ?? 0} answers with ${status}, seed ${seed}`)
})

test('and no invariant is broken', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})

test('the property can fail: with the key of an OPEN venture, money is made', async () => {
  const open = await bank.registerVenture('Open')
  const client = await open.registerClient({ kyc_level: 'NOT_REQUIRED' })
  const { body: account } = await open.post('/accounts', {
    client_id: client.id,
    account_name: 'Main',
    account_type: 'CURRENT',
    currency: 'EUR',
  })
  await open.post(`/accounts/${account.id}/activate`)
  const { id } = await open.createTransfer({ account_id: account.id, direction: 'INBOUND', credit_amount: '5.00' })
  for (const status of ['RECEIVED', ...screening, 'COMPLETED']) assert.equal((await open.put(`/transfers/${id}`, { status })).status, 200)
  assert.equal((await open.get(`/accounts/${account.id}`)).body.current_balance, '5.00')
})
