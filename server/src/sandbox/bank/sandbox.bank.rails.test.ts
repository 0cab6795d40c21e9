// Every behaviour of the simulated bank, from the order of a payment to its end: through packs, XML files and the inbox.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { type Loose, openBank } from '../../testing/testing.ts'
import { checkInvariants } from '../../verify/verify.ts'
import type { behaviours } from './sandbox.bank.behaviours.ts'
import { nostroId, provideSandboxNostro } from './sandbox.bank.nostro.ts'
import { countTransactions } from './sandbox.bank.sql.ts'

const bank = await openBank({}, { files: 'simulated bank' })
const { admin, owner, services } = bank
await provideSandboxNostro(bank.database)
const venture = await ManagedVenture.open(bank)
const account = await venture.openAccount({ balance: '100000.00' })
const rows = async (sql: string, ...values: unknown[]): Promise<Loose[]> => (await owner.query(sql, values)).rows

afterEach(async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
  const broken = (await checkInvariants(owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(broken, [])
})

/** Runs everything that follows by itself, until nothing has happened for two rounds. */
async function settle(): Promise<void> {
  for (let idle = 0; idle < 2; idle++) {
    await bank.runProcessing()
    await bank.runSending()
    if ((await services.simulatedBank?.cycle()) !== 0) idle = -1
    await bank.runInbox()
    await bank.runProcessing()
    await bank.runJobs()
  }
}

const advance = async (by: string | number): Promise<void> => {
  const { status, text } = await admin.post('/sandbox/clock', { advance: by })
  assert.equal(status, 200, text)
}

const show = async ({ id }: { id: string }): Promise<Loose> => (await venture.get(`/transfers/${id}`)).body
const casesOf = (kind: string) => rows(`select payload from cases where kind = $1 and state = 'OPEN' order by id`, kind)
const attemptsOf = async ({ id }: { id: string }): Promise<string[]> =>
  (await rows('select attempt, state from rail_payments where transfer_id = $1 order by attempt', id)).map(({ state }) => state)

async function pay(
  debit_amount: string,
  { name = 'Charles Babbage', ...changes }: { name?: string; method?: string } = {},
): Promise<Loose> {
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { name, iban: 'DE89370400440532013000' })
  return venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount, ...changes })
}

/** The status of a payment after what the bank does by itself, after an inquiry, and at the end, and the reason. */
type Row = { first: string; asked?: string; end?: string; reason?: string; rail: readonly string[] }
type Cents = keyof typeof behaviours | '00'

const open = 'SENT_TO_CLEAR'
const expected: Record<Cents, Row> = {
  '00': { first: 'COMPLETED', rail: ['SETTLED'] },
  '01': { first: 'REJECTED', reason: 'AC01', rail: ['REJECTED'] },
  '02': { first: 'REJECTED', reason: 'AC04', rail: ['REJECTED'] },
  '03': { first: 'REJECTED', reason: 'AM02', rail: ['REJECTED'] },
  '05': { first: 'COMPLETED', rail: ['RETURNED'] },
  '07': { first: open, asked: 'COMPLETED', rail: ['SETTLED'] },
  '08': { first: open, asked: 'REJECTED', reason: 'AC06', rail: ['REJECTED'] },
  '09': { first: open, asked: 'SOME_PROBLEMS', rail: ['UNKNOWN'] },
  '10': { first: 'COMPLETED', rail: ['SETTLED'] },
  '11': { first: open, asked: 'COMPLETED', rail: ['SETTLED'] },
  '12': { first: open, asked: 'COMPLETED', rail: ['SETTLED'] },
  '13': { first: open, asked: 'SOME_PROBLEMS', end: 'COMPLETED', rail: ['SETTLED'] },
  '14': { first: 'COMPLETED', rail: ['REFUSED', 'SETTLED'] },
  '15': { first: open, asked: 'COMPLETED', rail: ['SETTLED'] },
  '16': { first: 'COMPLETED', rail: ['SETTLED'] },
  '17': { first: 'COMPLETED', rail: ['SETTLED'] },
}
/** An instant payment that is refused is not sent again. */
const instantly: Partial<Record<Cents, Row>> = { '14': { first: 'REJECTED', reason: 'FF01', rail: ['REJECTED'] } }

async function statusesOf(paid: ReadonlyMap<string, Loose>): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all([...paid].map(async ([cents, transfer]) => [cents, (await show(transfer)).status] as const)))
}

const endOf = ({ first, asked = first, end = asked }: Row) => end
const of = (table: Record<string, Row>, which: (row: Row) => string) =>
  Object.fromEntries(Object.entries(table).map(([cents, row]) => [cents, which(row)]))

/** The tests move the clock, and every day all clients are compared. */
const clientsAreCompared = () =>
  owner.query(
    `insert into screening_runs (venture_id, id, started_at, ended_at, compared) values ($1, gen_random_uuid(), now(), now() + interval '30 days', 1)`,
    [venture.venture.id],
  )
await clientsAreCompared()
// With `restore`, what is not answered in time has ended.
await admin.put(`/ventures/${venture.venture.id}/policy`, { instant_timeout: 'hold' })

for (const [method, table, waits] of [
  ['SEPA', expected, { ask: 'PT24H', late: 'PT3H' }],
  ['INST', { ...expected, ...instantly }, { ask: 11, late: 30 }],
] as const) {
  test(`each behaviour ends as it should: ${method}`, async () => {
    const before = await venture.balances(account)
    const paid = new Map<string, Loose>()
    for (const cents of Object.keys(table)) paid.set(cents, await pay(`10.${cents}`, { method }))
    await settle()
    assert.deepEqual(
      await statusesOf(paid),
      of(table, ({ first }) => first),
    )
    // The bank's mistakes wait for people: another amount, an unknown transaction, and a truncated file.
    const problems = (await casesOf('message')).map(({ payload }) => payload.problem ?? payload.reason)
    assert.deepEqual(problems.slice(-3).sort(), ['malformed', 'other_amount', 'unknown_reference'])

    await advance(waits.ask)
    await settle()
    assert.deepEqual(
      await statusesOf(paid),
      of(table, ({ first, asked = first }) => asked),
    )
    await advance(waits.late)
    await settle()
    assert.deepEqual(await statusesOf(paid), of(table, endOf))

    for (const [cents, row] of Object.entries(table)) {
      const transfer = paid.get(cents)
      // A refused message is refused with all its payments, so all payments of the pack have two attempts.
      const attempts = method === 'SEPA' ? ['REFUSED', row.rail.at(-1)] : row.rail
      assert.deepEqual(await attemptsOf(transfer), attempts, cents)
      if (row.reason) assert.equal((await show(transfer)).status_reason_code, row.reason, cents)
    }
    // Settled money has left the account, minus returns; money of unknown outcome is on hold.
    const settled = Object.keys(table).filter((cents) => endOf(table[cents as Cents]) === 'COMPLETED' && cents !== '05')
    const sum = settled.reduce((total, cents) => total + Number(`10.${cents}`), 0)
    const [current, reserved] = await venture.balances(account)
    assert.equal((Number(before[0]) - Number(current)).toFixed(2), sum.toFixed(2))
    assert.equal((Number(reserved) - Number(before[1])).toFixed(2), '10.09')

    // The bank saw each payment once, except the one that it had refused.
    const counts = new Map((await countTransactions(bank.database)).map((count) => [count.tx_id, count]))
    for (const [cents, { id }] of paid) {
      const count = counts.get(id.replaceAll('-', ''))
      const isSettled = endOf(table[cents as Cents]) === 'COMPLETED'
      const presented = table[cents as Cents].rail.at(-1) === 'REJECTED' && cents === '14' ? 0 : 1
      assert.deepEqual([count?.presented, count?.settled], [presented, isSettled ? 1 : 0], cents)
    }
  })
}

test('what came back is a child of the payment, and the account has the money again', async () => {
  const before = await venture.balances(account)
  const paid = await pay('20.05')
  await settle()
  const { body } = await venture.get('/transfers?limit=100')
  const children = body.filter(({ parent_transaction_id }: Loose) => parent_transaction_id === paid.id)
  assert.deepEqual(
    children.map(({ transfer_type, direction, status, credit_amount, status_reason_code }: Loose) => {
      return [transfer_type, direction, status, credit_amount, status_reason_code]
    }),
    [['PAYMENT_RETURN', 'INBOUND', 'COMPLETED', '20.05', children[0]?.status_reason_code]],
  )
  assert.deepEqual(await venture.balances(account), before)
})

test('a recall ends as the name of the payee has it', async () => {
  const recall = async (name: string, amount: string) => {
    const transfer = await pay(amount, { name })
    await settle()
    const { status, text } = await venture.post(`/transfers/${transfer.id}/recalls`, { reason: 'DUPL' })
    assert.equal(status, 201, text)
    await settle()
    const { body } = await venture.get(`/transfers/${transfer.id}/recalls`)
    const [rail] = await attemptsOf(transfer)
    return [body[0].state, (await show(transfer)).status, rail]
  }
  const before = await venture.balances(account)
  assert.deepEqual(await recall('Recall Yes Ltd', '30.00'), ['ACCEPTED', 'COMPLETED', 'RETURNED'])
  assert.deepEqual(await venture.balances(account), before)
  assert.deepEqual(await recall('Recall No Ltd', '31.00'), ['REFUSED', 'COMPLETED', 'SETTLED'])
  assert.deepEqual(await recall('Recall Silent Ltd', '32.00'), ['REQUESTED', 'COMPLETED', 'SETTLED'])
})

test('a payment that is recalled before it settles is rejected', async () => {
  const transfer = await pay('33.00', { name: 'Recall Yes Ltd' })
  await bank.runProcessing()
  await bank.runSending()
  const { status, text } = await venture.post(`/transfers/${transfer.id}/recalls`, { reason: 'TECH' })
  assert.equal(status, 201, text)
  await settle()
  assert.equal((await show(transfer)).status, 'REJECTED')
})

test('somebody pays us, and wants it back', async () => {
  const paidIn = await venture.openAccount()
  for (const rail of ['SEPA', 'INST']) {
    const { status, body, text } = await admin.post('/sandbox/bank/payments', { iban: paidIn.account_number, amount: '40.00', rail })
    assert.equal(status, 201, text)
    await settle()
    const { body: state } = await admin.get('/sandbox/bank')
    assert.equal(state.payments.find(({ id }: Loose) => id === body.id).state, 'SETTLED', rail)
  }
  assert.equal((await venture.balances(paidIn))[0], '80.00')
})

test('after our yes, the cents decide whether the bank confirms, rejects or says nothing, and only its word or the statement credits', async () => {
  const paidIn = await venture.openAccount()
  const found = async (cents: string) => {
    const [row] = await rows(
      `select status from transfers where account_id = $1 and credit_amount = $2 and transfer_type = 'PAYMENT'`,
      paidIn.id,
      `60.${cents}`,
    )
    return row.status
  }
  const statuses = async () =>
    Object.fromEntries(await Promise.all(['00', '18', '19', '04'].map(async (cents) => [cents, await found(cents)])))
  for (const cents of ['00', '18', '19', '04']) {
    const { status, text } = await admin.post('/sandbox/bank/payments', {
      iban: paidIn.account_number,
      amount: `60.${cents}`,
      rail: 'INST',
    })
    assert.equal(status, 201, text)
  }
  await settle()
  assert.deepEqual(await statuses(), { '00': 'COMPLETED', '18': 'REJECTED', '19': 'ACCEPTED', '04': 'ACCEPTED' })
  await advance(21)
  await settle()
  assert.deepEqual(await statuses(), { '00': 'COMPLETED', '18': 'REJECTED', '19': 'COMPLETED', '04': 'ACCEPTED' })
  assert.equal((await venture.balances(paidIn))[0], '120.19')
  await admin.post('/sandbox/bank/day-end')
  await settle()
  assert.equal(await found('04'), 'COMPLETED')
  assert.equal((await venture.balances(paidIn))[0], '180.23')
})

test('an instant payment for nobody is refused, and nothing settles', async () => {
  const { body: before } = await admin.get('/sandbox/bank')
  const { body } = await admin.post('/sandbox/bank/payments', { iban: 'LT601010012345678901', amount: '41.00', rail: 'INST' })
  await settle()
  const { body: state } = await admin.get('/sandbox/bank')
  assert.equal(state.payments.find(({ id }: Loose) => id === body.id).state, 'REJECTED')
  assert.equal(state.balance, before.balance)
})

test('the statement of the day matches the books, except for the mistakes that the bank makes', async () => {
  await pay('50.00')
  await pay('50.16')
  await pay('50.17')
  const saved = await venture.openAccount()
  await venture.deposit(saved.id, '12.00')
  await settle()
  const { body: ended } = await admin.post('/sandbox/bank/day-end')
  await bank.runInbox()
  const { body: state } = await admin.get('/sandbox/bank')
  const { body: nostro } = await admin.get(`/operator/nostros/${nostroId}`)
  assert.deepEqual([nostro.balance, state.balance], [ended.statements[0].closing, ended.statements[0].closing])

  // Each payment that ends in .17 is on the statement twice, and the second entry matches nothing.
  const { body: wrong } = await admin.get(`/operator/nostros/${nostroId}/entries?state=BREAK`)
  assert.deepEqual(wrong.map(({ amount }: Loose) => amount).sort(), ['-10.17', '-10.17', '-50.17'])
  const { body: right } = await admin.get(`/operator/nostros/${nostroId}/entries?state=MATCHED&limit=100`)
  assert.ok(right.some(({ amount }: Loose) => amount === '12.00'))
  const { body: figures } = await admin.get(`/operator/nostros/${nostroId}/reconciliation?date=${ended.statements[0].date}`)
  assert.equal(figures.difference, '0.00')

  // Each that ends in .16 is missing. It settled before the end of the statement's day.
  await advance('P4D')
  await admin.post('/sandbox/bank/day-end')
  await bank.runInbox()
  const { status, text } = await admin.post('/operator/end-of-day', {})
  assert.equal(status, 200, text)
  const missing = await rows(
    `select amount::text from breaks where nostro_id = $1 and status = 'OPEN' and entry_id is null order by amount`,
    nostroId,
  )
  assert.deepEqual(
    missing.map(({ amount }) => Math.abs(Number(amount))).sort((one, other) => one - other),
    [10.16, 10.16, 50.16],
  )
})
