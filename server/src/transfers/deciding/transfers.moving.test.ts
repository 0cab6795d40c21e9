// Rules about money when a transfer moves: blocked clients, cards, frozen money, returns, and closed or suspended accounts.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { queryEvents, shownEvents } from '../../testing/testing.events.ts'
import { type Loose, openBank, type VentureCaller } from '../../testing/testing.ts'
import { refusedMove, refusedOrder, screening, sending, walk } from '../../testing/testing.walks.ts'

const bank = await openBank()

// After every test, verify the whole database.
afterEach(async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
})

type Row = { id: string }

async function open(balance?: string, changes: object = {}) {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ ...(balance === undefined ? {} : { balance }), ...changes })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  return { venture, account, order: { account_id: account.id, beneficiary_id: beneficiary.id } }
}

const debtor = { dr_name: 'Grace Hopper', dr_iban: 'DE89370400440532013000', dr_bank_bic: 'COBADEFFXXX' }
const inbound = ({ id }: Row, more: object = {}) => ({ account_id: id, direction: 'INBOUND', ...debtor, ...more })
const dollars = { method: 'SWIFT', debit_amount: '110.00', debit_currency: 'USD', credit_amount: '100.00' }

async function transferOf(venture: VentureCaller, { id }: Row): Promise<Loose> {
  return (await venture.get(`/transfers/${id}`)).body
}

async function blockedBy(venture: VentureCaller, { id }: Row): Promise<Record<string, string | null>> {
  const { body } = await venture.get(`/transfers/${id}/transitions`)
  return Object.fromEntries(body.map((move: Loose) => [move.status, move.blocked_by]))
}

async function eventTypes({ id }: Row): Promise<string[]> {
  const { rows } = await bank.owner.query('select type from events where resource_id = $1 order by sequence', [id])
  return rows.map(({ type }) => type)
}

async function usage({ id }: Row): Promise<string> {
  const { rows } = await bank.owner.query('select used_day::text, used_month::text, used_year::text from accounts where id = $1', [id])
  const { used_day, used_month, used_year } = rows[0]
  assert.deepEqual([used_month, used_year], [used_day, used_day])
  return used_day
}

// ——— Blocked clients ———

const blocks: [name: string, block: string, free: string][] = [
  ['blocked', 'blocked = true', 'blocked = false'],
  ['blacklisted', 'is_blacklisted = true', 'is_blacklisted = false'],
  ['declined', "kyc_status = 'DECLINED'", "kyc_status = 'VALIDATED'"],
]

const change = (client_id: string, assignment: string) => bank.owner.query(`update clients set ${assignment} where id = $1`, [client_id])

for (const [name, block, free] of blocks) {
  test(`an order whose client is ${name} before its money leaves goes no further, and goes on when the client is free again`, async () => {
    const { venture, account, order } = await open('100.00')
    const created = await venture.createTransfer({ ...order, debit_amount: '10.00' })
    const held = await venture.createTransfer({ ...order, debit_amount: '10.00' })
    const ready = await venture.createTransfer({ ...order, debit_amount: '10.00' })
    await walk(venture, held, `RESERVED ${screening}`)
    await walk(venture, ready, `RESERVED ${screening} READY_TO_CLEAR`)
    await change(account.client_id, block)
    const problem = await refusedMove(venture, created, 'RESERVED', 'client_blocked')
    assert.deepEqual([problem.status, problem.current_status], [409, 'CREATED'])
    assert.ok(!problem.allowed.includes('RESERVED') && problem.allowed.includes('CANCELLED'), problem.allowed)
    assert.match(problem.detail, /^The transfer is CREATED and cannot become RESERVED\. A client that is blocked, blacklisted or DECLINED/)
    assert.equal((await blockedBy(venture, created))['RESERVED'], 'client_blocked')
    await refusedMove(venture, held, 'READY_TO_CLEAR', 'client_blocked')
    for (const status of ['SENT_TO_PACK', 'SENT_TO_CLEAR']) await refusedMove(venture, ready, status, 'client_blocked')
    assert.deepEqual(await venture.balances(account), ['100.00', '20.00', '80.00'])
    await walk(venture, held, 'CANCELLED')
    await change(account.client_id, free)
    await walk(venture, created, `${sending} COMPLETED`)
    await walk(venture, ready, 'SENT_TO_PACK PACKED SENT_TO_CLEAR COMPLETED')
    assert.deepEqual(await venture.balances(account), ['80.00', '0.00', '80.00'])
  })
}

test('of a blocked client, what was sent settles, and what was packed is unpacked', async () => {
  const { venture, account, order } = await open('100.00')
  const [sent, packed] = [
    await venture.createTransfer({ ...order, debit_amount: '10.00' }),
    await venture.createTransfer({ ...order, debit_amount: '10.00' }),
  ]
  await walk(venture, sent, sending)
  await walk(venture, packed, `RESERVED ${screening} READY_TO_CLEAR SENT_TO_PACK PACKED`)
  await venture.put(`/clients/${account.client_id}`, { blocked: true })
  await refusedMove(venture, packed, 'SENT_TO_CLEAR', 'client_blocked')
  await walk(venture, packed, 'READY_TO_CLEAR')
  await refusedMove(venture, packed, 'SENT_TO_PACK', 'client_blocked')
  await walk(venture, packed, 'CANCELLED')
  await walk(venture, sent, 'TO_CANCEL SENT_TO_CLEAR ACCEPTED COMPLETED')
  assert.deepEqual(await venture.balances(account), ['90.00', '0.00', '90.00'])
})

test('an internal transfer completes only if both its clients are free, and the money of a blocked receiver goes back', async () => {
  const { venture, account: from } = await open('100.00')
  const to = await venture.openAccount()
  const beneficiary = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
  const transfer = await venture.createTransfer({ account_id: from.id, beneficiary_id: beneficiary.id, debit_amount: '10.00' })
  await walk(venture, transfer, `RESERVED ${screening}`)
  for (const { client_id } of [from, to]) {
    await venture.put(`/clients/${client_id}`, { is_blacklisted: true })
    await refusedMove(venture, transfer, 'COMPLETED', 'client_blocked')
    assert.equal((await blockedBy(venture, transfer))['COMPLETED'], 'client_blocked')
    await venture.put(`/clients/${client_id}`, { is_blacklisted: false })
  }
  await venture.put(`/clients/${to.client_id}`, { blocked: true })
  await walk(venture, transfer, 'CANCELLED')
  assert.deepEqual(await venture.balances(from), ['100.00', '0.00', '100.00'])
  assert.deepEqual(await venture.balances(to), ['0.00', '0.00', '0.00'])
})

test('a fee of a blocked client does not complete, and a credit does', async () => {
  const { venture, account, order } = await open('100.00')
  const fee = await venture.createTransfer({ ...order, transfer_type: 'FEE', debit_amount: '1.00' })
  const credit = await venture.createTransfer(inbound(account, { transfer_type: 'ADJUSTMENT', credit_amount: '2.00' }))
  const received = await venture.createTransfer(inbound(account, { credit_amount: '3.00' }))
  await walk(venture, fee, 'RESERVED')
  await venture.put(`/clients/${account.client_id}`, { blocked: true })
  await refusedMove(venture, fee, 'COMPLETED', 'client_blocked')
  await walk(venture, credit, 'COMPLETED')
  await walk(venture, received, `RECEIVED ${screening} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['105.00', '1.00', '104.00'])
})

test('frozen money of a blacklisted client leaves suspense: it is not the client’s', async () => {
  const { venture, account, order } = await open('7.00')
  const frozen = await venture.createTransfer(inbound(account, { credit_amount: '25.00' }))
  await walk(venture, frozen, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
  const taken = { ...order, transfer_type: 'ADJUSTMENT', parent_transaction_id: frozen.id, debit_amount: '5.00' }
  const early = await venture.createTransfer(taken)
  await venture.put(`/clients/${account.client_id}`, { is_blacklisted: true })
  await refusedOrder(venture, { ...order, transfer_type: 'ADJUSTMENT', debit_amount: '5.00' }, 'client_blocked')
  await walk(venture, early, 'RESERVED COMPLETED')
  const back = { ...order, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: frozen.id, debit_amount: '20.00' }
  await walk(venture, await venture.createTransfer(back), `${sending} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['7.00', '0.00', '7.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-12.00', 'adjustments:EUR': '5.00' })
})

// ——— Cards ———

async function authorise(transfer_type: string, amount: string, balance: string) {
  const fixture = await open(balance)
  const { venture, order } = fixture
  const auth = await venture.createTransfer({ ...order, transfer_type, debit_amount: amount })
  await walk(venture, auth, 'RESERVED')
  const child = (type: string, debit_amount: string) =>
    venture.createTransfer({ ...order, transfer_type: type, parent_transaction_id: auth.id, debit_amount })
  return { ...fixture, auth, child }
}

for (const transfer_type of ['CARD_AUTH', 'CARD_ADVICE']) {
  test(`a ${transfer_type} holds the money, its clearing debits it once, and the service completes it`, async () => {
    const { venture, account, auth, child } = await authorise(transfer_type, '50.00', '60.00')
    assert.deepEqual(await venture.balances(account), ['60.00', '50.00', '10.00'])
    const problem = await refusedMove(venture, auth, 'COMPLETED', 'not_cleared')
    assert.equal(problem.status, 409)
    assert.equal((await blockedBy(venture, auth))['COMPLETED'], 'not_cleared')
    await walk(venture, await child('CARD_CLEARING', '30.00'), 'RESERVED COMPLETED')
    await refusedMove(venture, auth, 'COMPLETED', 'not_cleared')
    await walk(venture, await child('CARD_REVERSAL', '5.00'), 'COMPLETED')
    assert.deepEqual(await venture.balances(account), ['30.00', '15.00', '15.00'])
    await walk(venture, await child('CARD_CLEARING', '15.00'), 'RESERVED COMPLETED')
    assert.equal((await transferOf(venture, auth)).status, 'COMPLETED')
    assert.deepEqual(await venture.balances(account), ['15.00', '0.00', '15.00'])
    assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-60.00', 'settlement:CARD:EUR': '45.00' })
  })

  test(`a late clearing of an ended ${transfer_type} is a debit of its own`, async () => {
    const { venture, account, order, auth, child } = await authorise(transfer_type, '50.00', '60.00')
    await walk(venture, auth, 'CANCELLED')
    const clearing = { ...order, transfer_type: 'CARD_CLEARING', parent_transaction_id: auth.id, debit_amount: '50.00' }
    const { body: late, status, text } = await venture.post('/transfers', { ...clearing, unique_reference: randomUUID() })
    assert.equal(status, 201, text)
    assert.deepEqual(await venture.balances(account), ['60.00', '0.00', '60.00'])
    await walk(venture, late, 'RESERVED')
    assert.deepEqual(await venture.balances(account), ['60.00', '50.00', '10.00'])
    await walk(venture, late, 'COMPLETED')
    await refusedMove(venture, await child('CARD_CLEARING', '10.01'), 'RESERVED', 'insufficient_funds')
    assert.equal((await transferOf(venture, auth)).status, 'CANCELLED')
    assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
  })
}

const movesOf = async (venture: VentureCaller, { id }: Row) =>
  (await venture.get(`/transfers/${id}/history`)).body.map((move: Loose) => `${move.from_status} ${move.to_status} ${move.actor}`)

test('an authorisation ON_HOLD whose hold is used up goes back and completes, by two recorded moves', async () => {
  const { venture, auth, child } = await authorise('CARD_AUTH', '50.00', '50.00')
  await walk(venture, auth, 'ON_HOLD')
  await walk(venture, await child('CARD_CLEARING', '50.00'), 'RESERVED')
  assert.deepEqual((await movesOf(venture, auth)).slice(-3), [
    'RESERVED ON_HOLD venture',
    'ON_HOLD RESERVED service',
    'RESERVED COMPLETED service',
  ])
  assert.deepEqual((await eventTypes(auth)).slice(-2), ['transfer.status_changed', 'transfer.completed'])
})

test('an authorisation that is under review when its hold is used up completes when it leaves the review', async () => {
  for (const [before, after, last] of [
    ['REVIEW', 'MANUAL_ACTION', 'MANUAL_ACTION'],
    ['READY_FOR_SCREENING AML_SCANNING', 'AML_APPROVED', 'AML_APPROVED'],
    ['READY_FOR_SCREENING', 'SOME_PROBLEMS', 'SOME_PROBLEMS'],
    ['REVIEW ON_HOLD', 'REVIEW TO_CANCEL', 'TO_CANCEL'],
  ] as const) {
    const { venture, account, auth, child } = await authorise('CARD_AUTH', '50.00', '50.00')
    await walk(venture, auth, before)
    await walk(venture, await child('CARD_REVERSAL', '50.00'), 'COMPLETED')
    assert.equal((await transferOf(venture, auth)).status, before.split(' ').at(-1))
    assert.equal((await walk(venture, auth, after)).status, 'COMPLETED')
    assert.equal((await movesOf(venture, auth)).at(-1), `${last} COMPLETED service`)
    assert.deepEqual(await venture.balances(account), ['50.00', '0.00', '50.00'])
  }
  const { venture, auth, child } = await authorise('CARD_AUTH', '50.00', '50.00')
  await walk(venture, auth, 'REVIEW')
  await walk(venture, await child('CARD_REVERSAL', '50.00'), 'COMPLETED')
  await walk(venture, await child('CARD_CLEARING', '50.00'), 'RESERVED COMPLETED')
  assert.equal((await walk(venture, auth, 'CANCELLED')).status, 'CANCELLED')
})

test('an INBOUND authorisation books nothing, and its clearing credits the account', async () => {
  const { venture, account } = await open()
  const auth = await venture.createTransfer(inbound(account, { transfer_type: 'CARD_ADVICE', credit_amount: '5.00' }))
  await walk(venture, auth, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
  const clearing = inbound(account, { transfer_type: 'CARD_CLEARING', parent_transaction_id: auth.id, credit_amount: '5.00' })
  await walk(venture, await venture.createTransfer(clearing), 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['5.00', '0.00', '5.00'])
})

test('a CARD_ADVICE of an older version, which books the money itself, keeps its life', async () => {
  const { venture, account, order } = await open('60.00')
  const advice = await venture.createTransfer({ ...order, transfer_type: 'CARD_ADVICE', debit_amount: '50.00' })
  await bank.owner.query('update transfers set edition = 1 where id = $1', [advice.id])
  await walk(venture, advice, 'RESERVED')
  const clearing = { ...order, transfer_type: 'CARD_CLEARING', parent_transaction_id: advice.id, debit_amount: '50.00' }
  await refusedOrder(venture, clearing, 'parent_invalid')
  await walk(venture, advice, 'COMPLETED')
  const { detail } = await refusedOrder(venture, clearing, 'parent_invalid')
  assert.equal(detail, 'An older version created this CARD_ADVICE. It debits the account itself, so it has no clearing.')
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
  const back = inbound(account, { transfer_type: 'CARD_REVERSAL', parent_transaction_id: advice.id, credit_amount: '50.00' })
  await walk(venture, await venture.createTransfer(back), 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['60.00', '0.00', '60.00'])
})

test('a PAYMENT over CARD of an older version that is still under way is screened', async () => {
  const { venture, account, order } = await open('60.00')
  const payment = await venture.createTransfer({ ...order, debit_amount: '50.00' })
  await bank.owner.query("update transfers set method = 'CARD', edition = 1, counted_amount = null where id = $1", [payment.id])
  await walk(venture, payment, 'RESERVED')
  await refusedMove(venture, payment, 'COMPLETED', 'screening_required')
  await walk(venture, payment, `${screening} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
})

test('the hold of a blocked client is released, and a clearing waits until the client is free', async () => {
  const { venture, account, auth, child } = await authorise('CARD_AUTH', '50.00', '50.00')
  const [reversal, clearing] = [await child('CARD_REVERSAL', '20.00'), await child('CARD_CLEARING', '30.00')]
  await venture.put(`/clients/${account.client_id}`, { blocked: true })
  await refusedMove(venture, clearing, 'RESERVED', 'client_blocked')
  await walk(venture, reversal, 'COMPLETED')
  const back = inbound(account, { transfer_type: 'CARD_REVERSAL', parent_transaction_id: auth.id, credit_amount: '30.00' })
  await walk(venture, await venture.createTransfer(back), 'COMPLETED')
  assert.equal((await transferOf(venture, auth)).status, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['50.00', '0.00', '50.00'])
})

// ——— Frozen money ———

async function freeze(order: object = { credit_amount: '25.00' }, balance?: string) {
  const fixture = await open(balance)
  const { venture, account } = fixture
  const frozen = await venture.createTransfer(inbound(account, order))
  await walk(venture, frozen, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
  const release = (amounts: object) => inbound(account, { transfer_type: 'ADJUSTMENT', parent_transaction_id: frozen.id, ...amounts })
  return { ...fixture, frozen, release }
}

test('an INBOUND adjustment releases frozen money to the account, and all ways out share what is frozen', async () => {
  const { venture, account, order, frozen, release } = await freeze(undefined, '7.00')
  await refusedOrder(venture, release({ credit_amount: '25.01' }), 'parent_invalid')
  const first = await venture.createTransfer(release({ credit_amount: '10.00' }))
  const out = { ...order, transfer_type: 'ADJUSTMENT', parent_transaction_id: frozen.id }
  const { detail } = await refusedOrder(venture, { ...out, debit_amount: '15.01' }, 'parent_invalid')
  assert.equal(detail, '15.01 EUR requested, but only 15.00 EUR is left of the 25.00 EUR of the frozen money.')
  await walk(venture, first, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['17.00', '0.00', '17.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-32.00', 'suspense:EUR': '15.00' })
  await walk(venture, await venture.createTransfer({ ...out, debit_amount: '15.00' }), 'RESERVED COMPLETED')
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-32.00', 'adjustments:EUR': '15.00' })
  for (const more of [release({ credit_amount: '0.01' }), { ...out, debit_amount: '0.01' }])
    await refusedOrder(venture, more, 'parent_invalid')
  assert.deepEqual(await venture.balances(account), ['17.00', '0.00', '17.00'])
})

test('adjustments that are older than the freeze cannot take out more than is frozen when they complete', async () => {
  const { venture, account, order } = await open('50.00')
  const parent = await venture.createTransfer(inbound(account, { credit_amount: '25.00' }))
  const early = { transfer_type: 'ADJUSTMENT', parent_transaction_id: parent.id }
  const [credit, again, debit] = [
    await venture.createTransfer(inbound(account, { ...early, credit_amount: '20.00' })),
    await venture.createTransfer(inbound(account, { ...early, credit_amount: '20.00' })),
    await venture.createTransfer({ ...order, ...early, debit_amount: '20.00' }),
  ]
  await walk(venture, parent, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
  await refusedOrder(venture, inbound(account, { ...early, credit_amount: '0.01' }), 'parent_invalid')
  await walk(venture, credit, 'COMPLETED')
  const { detail } = await refusedMove(venture, again, 'COMPLETED', 'parent_invalid')
  assert.equal(detail, '20.00 EUR requested, but only 5.00 EUR of the parent transfer is still in suspense.')
  await walk(venture, debit, 'RESERVED')
  await refusedMove(venture, debit, 'COMPLETED', 'parent_invalid')
  for (const child of [again, debit]) await walk(venture, child, 'CANCELLED')
  await walk(venture, await venture.createTransfer(inbound(account, { ...early, credit_amount: '5.00' })), 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['75.00', '0.00', '75.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-75.00' })
})

test('frozen money in another currency is released at most for what it would have credited', async () => {
  const { venture, account, release } = await freeze(dollars)
  const part = (debit_amount: string, credit_amount: string) => release({ debit_currency: 'USD', debit_amount, credit_amount })
  await refusedOrder(venture, release({ credit_amount: '1.00' }), 'parent_invalid')
  await refusedOrder(venture, part('10.00', '100.01'), 'parent_invalid')
  await walk(venture, await venture.createTransfer(part('10.00', '9.00')), 'COMPLETED')
  const { detail } = await refusedOrder(venture, part('100.00', '91.01'), 'parent_invalid')
  assert.equal(
    detail,
    '91.01 EUR requested on the account, but only 91.00 EUR is left of the 100.00 EUR that the account would have got from the parent transfer.',
  )
  await walk(venture, await venture.createTransfer(part('100.00', '91.00')), 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['100.00', '0.00', '100.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SWIFT:USD': '-110.00', 'fx:USD': '110.00', 'fx:EUR': '-100.00' })
})

// ——— Returns ———

test('returns, reversals and cancellations give limits back, up to what was counted', async () => {
  const { venture, account, order } = await open('100.00', { daily_limit: '100.00' })
  const sent = await venture.createTransfer({ ...order, debit_amount: '60.00' })
  await walk(venture, sent, `${sending} COMPLETED`)
  const back = (transfer_type: string, credit_amount: string) =>
    venture.createTransfer(inbound(account, { transfer_type, parent_transaction_id: sent.id, credit_amount }))
  const [first, failed] = [await back('PAYMENT_RETURN', '20.00'), await back('PAYMENT_REVERSAL', '10.00')]
  assert.equal(await usage(account), '60.00')
  await walk(venture, first, `RECEIVED ${screening} COMPLETED`)
  await walk(venture, failed, 'CANCELLED')
  assert.equal(await usage(account), '40.00')
  await walk(venture, await back('PAYMENT_CANCELLATION', '15.00'), `RECEIVED ${screening} COMPLETED`)
  assert.equal(await usage(account), '25.00')
  assert.ok(!(await eventTypes(sent)).includes('transfer.returned'))
  await walk(venture, await back('PAYMENT_REVERSAL', '25.00'), `RECEIVED ${screening} COMPLETED`)
  assert.equal(await usage(account), '0.00')
  await venture.createTransfer({ ...order, debit_amount: '100.00' })
  await refusedOrder(venture, { ...order, debit_amount: '0.01' }, 'limit_exceeded')
})

test('a return gives back no more than its payment counted, and nothing of a period that is over', async () => {
  const { venture, account, order } = await open('100.00')
  const swift = { ...order, method: 'SWIFT', debit_amount: '50.00', credit_currency: 'USD', exchange_rate: '1.1' }
  const [sent, other] = [await venture.createTransfer(swift), await venture.createTransfer({ ...order, debit_amount: '5.00' })]
  await walk(venture, sent, `${sending} COMPLETED`)
  const back = { method: 'SWIFT', transfer_type: 'PAYMENT_RETURN', parent_transaction_id: sent.id, debit_currency: 'USD' }
  // The exchange rate has changed: less of the account's currency comes back than was counted.
  const child = await venture.createTransfer(inbound(account, { ...back, debit_amount: '55.00', credit_amount: '48.00' }))
  await walk(venture, child, `RECEIVED ${screening} COMPLETED`)
  assert.equal(await usage(account), '7.00')
  await walk(venture, other, 'CANCELLED')
  assert.equal(await usage(account), '2.00')

  const { venture: elsewhere, account: old, order: again } = await open('100.00')
  const before = await elsewhere.createTransfer({ ...again, debit_amount: '30.00' })
  await walk(elsewhere, before, `${sending} COMPLETED`)
  const lastYear = `${new Date().getUTCFullYear() - 1}-06-15`
  await bank.owner.query('update accounts set used_on = $2 where id = $1', [old.id, lastYear])
  await bank.owner.query('update transfers set counted_on = $2 where id = $1', [before.id, lastYear])
  await elsewhere.createTransfer({ ...again, debit_amount: '20.00' })
  assert.equal(await usage(old), '20.00')
  const late = inbound(old, { transfer_type: 'PAYMENT_RETURN', parent_transaction_id: before.id, credit_amount: '30.00' })
  await walk(elsewhere, await elsewhere.createTransfer(late), `RECEIVED ${screening} COMPLETED`)
  assert.equal(await usage(old), '20.00')
})

test('a reversal gives back what its clearing took over from the authorisation, and what the clearing counted itself', async () => {
  const { venture, account, order } = await open('100.00')
  const auth = await venture.createTransfer({ ...order, transfer_type: 'CARD_AUTH', debit_amount: '50.00' })
  await walk(venture, auth, 'RESERVED')
  const clearing = { ...order, transfer_type: 'CARD_CLEARING', parent_transaction_id: auth.id, debit_amount: '60.00' }
  const cleared = await venture.createTransfer(clearing)
  await walk(venture, cleared, 'RESERVED COMPLETED')
  assert.equal(await usage(account), '60.00')
  const back = (credit_amount: string) =>
    venture.createTransfer(inbound(account, { transfer_type: 'CARD_REVERSAL', parent_transaction_id: cleared.id, credit_amount }))
  await walk(venture, await back('15.00'), 'COMPLETED')
  assert.equal(await usage(account), '45.00')
  await walk(venture, await back('45.00'), 'COMPLETED')
  assert.equal(await usage(account), '0.00')
  assert.equal((await eventTypes(cleared)).at(-1), 'transfer.returned')
})

test('a transfer that has been returned in full says so once, and keeps its status', async () => {
  const { venture, account, order } = await open('100.00')
  const sent = await venture.createTransfer({ ...order, debit_amount: '60.00' })
  await walk(venture, sent, `${sending} COMPLETED`)
  const before = await transferOf(venture, sent)
  const back = (credit_amount: string) =>
    venture.createTransfer(inbound(account, { transfer_type: 'PAYMENT_RETURN', parent_transaction_id: sent.id, credit_amount }))
  const [first, second] = [await back('20.00'), await back('40.00')]
  for (const child of [second, first]) {
    assert.ok(!(await eventTypes(sent)).includes('transfer.returned'))
    await walk(venture, child, `RECEIVED ${screening} COMPLETED`)
  }
  const { rows } = await queryEvents(
    bank.owner,
    `select type, sequence, data from ${shownEvents} where resource_id = $1 order by sequence`,
    [sent.id],
  )
  const [completed, returned] = rows.slice(-2)
  assert.deepEqual([completed.type, returned.type, returned.sequence], ['transfer.completed', 'transfer.returned', completed.sequence + 1])
  assert.deepEqual(returned.data, { object: before, previous_status: null })
  assert.deepEqual(await transferOf(venture, sent), before)
  assert.equal((await eventTypes(sent)).filter((type) => type === 'transfer.returned').length, 1)
})

test('frozen money that was sent back in full has been returned, and not if a part was kept or released', async () => {
  for (const [part, returned] of [
    ['PAYMENT_RETURN', true],
    ['ADJUSTMENT', false],
  ] as const) {
    const { venture, order, frozen } = await freeze()
    const out = { ...order, parent_transaction_id: frozen.id }
    const back = await venture.createTransfer({ ...out, transfer_type: 'PAYMENT_RETURN', debit_amount: '15.00' })
    const rest = await venture.createTransfer({ ...out, transfer_type: part, debit_amount: '10.00' })
    await walk(venture, rest, part === 'ADJUSTMENT' ? 'RESERVED COMPLETED' : `${sending} COMPLETED`)
    await walk(venture, back, `${sending} COMPLETED`)
    assert.equal((await eventTypes(frozen)).includes('transfer.returned'), returned)
    assert.equal((await transferOf(venture, frozen)).status, 'AML_REJECTED')
  }
})

test('a reversal of the whole hold completes the authorisation, which has not been returned', async () => {
  const { venture, auth, child } = await authorise('CARD_AUTH', '50.00', '50.00')
  await walk(venture, await child('CARD_REVERSAL', '50.00'), 'COMPLETED')
  assert.deepEqual((await eventTypes(auth)).slice(-1), ['transfer.completed'])
})

test('the return of an internal transfer gives the payer’s limits back, and both records say that it was returned', async () => {
  const { venture, account: from } = await open('100.00', { daily_limit: '100.00' })
  const to = await venture.openAccount()
  const forth = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
  const home = await venture.addBeneficiary(to.client_id, { iban: from.account_number })
  const paid = await venture.createTransfer({ account_id: from.id, beneficiary_id: forth.id, debit_amount: '60.00' })
  await walk(venture, paid, `RESERVED ${screening} COMPLETED`)
  const { body } = await venture.get(`/accounts/${to.id}/transfers`)
  const [mirror] = body
  assert.deepEqual([mirror.parent_transaction_id, mirror.status], [paid.id, 'COMPLETED'])
  const back = { account_id: to.id, beneficiary_id: home.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: mirror.id }
  const part = async (debit_amount: string) =>
    walk(venture, await venture.createTransfer({ ...back, debit_amount }), `RESERVED ${screening} COMPLETED`)
  await part('20.00')
  assert.equal(await usage(from), '40.00')
  assert.ok(![...(await eventTypes(paid)), ...(await eventTypes(mirror))].includes('transfer.returned'))
  await part('40.00')
  assert.equal(await usage(from), '0.00')
  for (const record of [paid, mirror]) assert.equal((await eventTypes(record)).at(-1), 'transfer.returned')
  assert.deepEqual(await venture.balances(from), ['100.00', '0.00', '100.00'])
})

// ——— Accounts ———

test('the balance of a suspended account is never locked in: whatever its client’s verification says, it can be paid out', async () => {
  const { venture, account, order } = await open('30.00')
  assert.equal((await venture.post(`/accounts/${account.id}/freeze`)).status, 200)
  await change(account.client_id, "kyc_status = 'PENDING_REVIEW', kyc_level = 'FULL_KYC'")
  await refusedOrder(venture, { ...order, debit_amount: '30.00' }, 'account_not_active')
  assert.equal((await venture.post(`/accounts/${account.id}/activate`)).status, 200)
  await walk(venture, await venture.createTransfer({ ...order, debit_amount: '30.00' }), `${sending} COMPLETED`)
  assert.equal((await venture.post(`/accounts/${account.id}/close`)).status, 200)
})

/** Closes an account with money in suspense, as versions before 0010_suspense.sql did. */
async function closeAsBefore({ id }: Row): Promise<void> {
  await bank.owner.query(
    `update accounts set status = 'CLOSED', closed_date = (select applied_at from migrations where number = 10) - interval '1 day' where id = $1`,
    [id],
  )
}

for (const client of ['free', 'blacklisted']) {
  test(`money in suspense for an account that an older version closed has a way out, also if the client is ${client}`, async () => {
    const { venture, account, order, frozen, release } = await freeze()
    const waiting = await venture.createTransfer(inbound(account, { credit_amount: '5.00' }))
    const scanned = await venture.createTransfer(inbound(account, { credit_amount: '6.00' }))
    await walk(venture, waiting, 'RECEIVED')
    await walk(venture, scanned, `RECEIVED ${screening}`)
    const released = await venture.createTransfer(release({ credit_amount: '1.00' }))
    await closeAsBefore(account)
    if (client === 'blacklisted') await change(account.client_id, 'is_blacklisted = true')
    assert.deepEqual(await bank.wrongBooks(), [], 'the books of the older version are right')

    // Nothing is booked on the closed account.
    await refusedMove(venture, scanned, 'COMPLETED', 'account_closed')
    await refusedMove(venture, released, 'COMPLETED', 'account_closed')
    await refusedOrder(venture, release({ credit_amount: '1.00' }), 'account_not_active')
    await refusedOrder(venture, { ...order, debit_amount: '1.00' }, 'account_not_active')
    await walk(venture, released, 'CANCELLED')

    await walk(venture, waiting, 'TO_RETURN REJECTED')
    await walk(venture, scanned, 'ON_HOLD TO_RETURN REJECTED')
    const out = { ...order, parent_transaction_id: frozen.id }
    await refusedOrder(venture, { ...out, transfer_type: 'PAYMENT_RETURN', debit_amount: '25.01' }, 'parent_invalid')
    const back = await venture.createTransfer({ ...out, transfer_type: 'PAYMENT_RETURN', debit_amount: '20.00' })
    await walk(venture, back, `${sending} COMPLETED`)
    await walk(venture, await venture.createTransfer({ ...out, transfer_type: 'ADJUSTMENT', debit_amount: '5.00' }), 'RESERVED COMPLETED')
    assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-5.00', 'adjustments:EUR': '5.00' })
    assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
    assert.equal((await venture.get(`/accounts/${account.id}`)).body.status, 'CLOSED')
  })
}
