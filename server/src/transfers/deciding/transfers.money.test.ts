import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { openBank, type VentureCaller } from '../../testing/testing.ts'
import { refusedMove, refusedOrder, screening, sending, walk } from '../../testing/testing.walks.ts'

const bank = await openBank()

// After every test, verify the whole database.
afterEach(async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
})

const booking = `RESERVED ${screening} COMPLETED`

type Row = { id: string }

async function journalsOf({ id }: Row): Promise<number> {
  const { rows } = await bank.owner.query('select count(distinct journal_id)::int as count from entries where cause_id = $1', [id])
  return rows[0].count
}

async function statusOf(venture: VentureCaller, { id }: Row): Promise<string> {
  return (await venture.get(`/transfers/${id}`)).body.status
}

async function childrenOf(venture: VentureCaller, { id }: Row) {
  const { body } = await venture.get('/transfers?limit=100')
  return body.filter((transfer: { parent_transaction_id: string }) => transfer.parent_transaction_id === id)
}

async function open(balance?: string, changes: object = {}) {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ ...(balance === undefined ? {} : { balance }), ...changes })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id }
  return { venture, account, beneficiary, order }
}

/** A payment between two currencies, which may have a fee. */
const intoDollars = { credit_currency: 'USD', exchange_rate: '1.1' }

const inbound = ({ id }: Row, more: object = {}) => ({
  account_id: id,
  direction: 'INBOUND',
  dr_name: 'Grace Hopper',
  dr_iban: 'DE89370400440532013000',
  dr_bank_bic: 'COBADEFFXXX',
  ...more,
})

test('a hold covers amount and fee, and can use exactly the available balance', async () => {
  const { venture, account, order } = await open('100.00')
  const first = await venture.createTransfer({ ...order, ...intoDollars, debit_amount: '40.00', fx_fee_amount: '0.50' })
  await walk(venture, first, 'RESERVED')
  assert.deepEqual(await venture.balances(account), ['100.00', '40.50', '59.50'])
  const over = await venture.createTransfer({ ...order, debit_amount: '59.51' })
  const problem = await refusedMove(venture, over, 'RESERVED', 'insufficient_funds')
  assert.deepEqual([problem.needed, problem.available], ['59.51', '59.50'])
  assert.equal(problem.detail, 'Insufficient funds: 59.51 EUR needed, 59.50 EUR available.')
  const feeOver = await venture.createTransfer({ ...order, ...intoDollars, debit_amount: '59.50', fx_fee_amount: '0.01' })
  await refusedMove(venture, feeOver, 'RESERVED', 'insufficient_funds')
  assert.deepEqual([await statusOf(venture, over), await statusOf(venture, feeOver)], ['CREATED', 'CREATED'])
  assert.deepEqual(await venture.balances(account), ['100.00', '40.50', '59.50'])
  const exact = await venture.createTransfer({ ...order, debit_amount: '59.50' })
  await walk(venture, exact, 'RESERVED')
  assert.deepEqual(await venture.balances(account), ['100.00', '100.00', '0.00'])
  assert.equal(await journalsOf(exact), 0)
})

test('a refused move to RESERVED leaves no move, no event and no hold', async () => {
  const { venture, order } = await open()
  const transfer = await venture.createTransfer({ ...order, debit_amount: '0.01' })
  const before = await bank.eventTypes(venture)
  await refusedMove(venture, transfer, 'RESERVED', 'insufficient_funds')
  assert.deepEqual(await bank.eventTypes(venture), before)
  assert.equal((await venture.get(`/transfers/${transfer.id}/history`)).body.length, 1)
})

test('a completed payment debits its amount and credits it to the system account of its method', async () => {
  const { venture, account, order } = await open('100.00')
  const transfer = await venture.createTransfer({ ...order, debit_amount: '40.00' })
  await walk(venture, transfer, `${sending} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['60.00', '0.00', '60.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-60.00' })
  assert.equal(await journalsOf(transfer), 1)
})

test('a payment in another currency debits amount and fee, and goes through both exchange accounts', async () => {
  const { venture, account, order } = await open('100.00')
  const transfer = await venture.createTransfer({
    ...order,
    method: 'SWIFT',
    debit_amount: '40.00',
    credit_currency: 'USD',
    exchange_rate: '1.1',
    fx_fee_amount: '0.50',
  })
  await walk(venture, transfer, `${sending} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['59.50', '0.00', '59.50'])
  assert.deepEqual(await bank.systemBalances(venture), {
    'settlement:SEPA:EUR': '-100.00',
    'settlement:SWIFT:USD': '44.00',
    'fees:EUR': '0.50',
    'fx:EUR': '40.00',
    'fx:USD': '-44.00',
  })
  assert.equal(await journalsOf(transfer), 1)
})

test('amounts in yen have no decimals and amounts in dinars three, on every account', async () => {
  const { venture, account, order } = await open('1000', { currency: 'JPY' })
  const transfer = await venture.createTransfer({ ...order, debit_amount: '500', credit_currency: 'KWD', credit_amount: '1.025' })
  await walk(venture, transfer, `${sending} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['500', '0', '500'])
  const { 'fx:JPY': yen, 'fx:KWD': dinars } = await bank.systemBalances(venture)
  assert.deepEqual([yen, dinars], ['500', '-1.025'])
})

test('every terminal status except COMPLETED releases the hold and books nothing', async () => {
  const walks: Record<string, string> = {
    CANCELLED: 'RESERVED CANCELLED',
    REJECTED: 'RESERVED REJECTED',
    INVALID: `RESERVED ${screening} READY_TO_CLEAR INVALID`,
    AML_REJECTED: 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED',
    MANUAL_REJECTED: 'RESERVED REVIEW MANUAL_REJECTED',
  }
  const { venture, account, order } = await open('10.00')
  for (const [end, statuses] of Object.entries(walks)) {
    const transfer = await venture.createTransfer({ ...order, debit_amount: '10.00' })
    await walk(venture, transfer, 'RESERVED')
    assert.deepEqual(await venture.balances(account), ['10.00', '10.00', '0.00'], end)
    await walk(venture, transfer, statuses.replace('RESERVED ', ''))
    assert.equal(await statusOf(venture, transfer), end)
    assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'], end)
    assert.equal(await journalsOf(transfer), 0, end)
  }
  const sent = await venture.createTransfer({ ...order, debit_amount: '10.00' })
  await walk(venture, sent, `RESERVED ${screening} READY_TO_CLEAR SENT_TO_CLEAR`)
  await refusedMove(venture, sent, 'REJECTED', 'already_sent')
  assert.deepEqual(await venture.balances(account), ['10.00', '10.00', '0.00'])
  await walk(venture, sent, 'REJECTED', { third_party_status: 'RJCT' })
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
})

test('a hold stays during ON_HOLD and is not made twice on the statuses back', async () => {
  const { venture, account, order } = await open('10.00')
  const transfer = await venture.createTransfer({ ...order, debit_amount: '4.00' })
  await walk(venture, transfer, 'RESERVED ON_HOLD RESERVED')
  assert.deepEqual(await venture.balances(account), ['10.00', '4.00', '6.00'])
  await walk(venture, transfer, 'ON_HOLD CANCELLED')
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
})

test('received money stays in suspense until the account is credited', async () => {
  const { venture, account } = await open()
  const transfer = await venture.createTransfer(inbound(account, { credit_amount: '25.00' }))
  assert.deepEqual(await bank.systemBalances(venture), {})
  await walk(venture, transfer, 'RECEIVED')
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-25.00', 'suspense:EUR': '25.00' })
  await walk(venture, transfer, 'CREDIT_TECH_BALANCE')
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
  await walk(venture, transfer, `${screening} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['25.00', '0.00', '25.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-25.00' })
})

test('money received in another currency stays in suspense in that currency and is exchanged when credited', async () => {
  const { venture, account } = await open()
  const order = inbound(account, { method: 'SWIFT', debit_amount: '110.00', debit_currency: 'USD', credit_amount: '100.00' })
  const transfer = await venture.createTransfer(order)
  await walk(venture, transfer, 'RECEIVED')
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SWIFT:USD': '-110.00', 'suspense:USD': '110.00' })
  await walk(venture, transfer, `${screening} COMPLETED`)
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SWIFT:USD': '-110.00', 'fx:USD': '110.00', 'fx:EUR': '-100.00' })
  assert.deepEqual(await venture.balances(account), ['100.00', '0.00', '100.00'])
})

test('received money that is not credited can be neither cancelled nor rejected', async () => {
  const { venture, account } = await open()
  const transfer = await venture.createTransfer(inbound(account, { credit_amount: '25.00' }))
  await walk(venture, transfer, 'RECEIVED')
  for (const status of ['REJECTED', 'INVALID', 'DROPPED']) await refusedMove(venture, transfer, status, 'in_suspense')
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-25.00', 'suspense:EUR': '25.00' })
})

test('returning received money sends it back and records the return, without a second journal', async () => {
  const { venture, account } = await open()
  const order = inbound(account, { method: 'SWIFT', debit_amount: '110.00', debit_currency: 'USD', credit_amount: '100.00' })
  const transfer = await venture.createTransfer(order)
  await walk(venture, transfer, 'RECEIVED TO_RETURN REJECTED')
  assert.deepEqual(await bank.systemBalances(venture), {})
  assert.equal(await journalsOf(transfer), 2)
  const children = await childrenOf(venture, transfer)
  assert.equal(children.length, 1)
  const [child] = children
  assert.deepEqual(
    [child.status, child.transfer_type, child.direction, child.method, child.unique_reference],
    ['COMPLETED', 'PAYMENT_RETURN', 'OUTBOUND', 'SWIFT', child.id],
  )
  assert.deepEqual(
    [child.debit_amount, child.debit_currency, child.credit_amount, child.credit_currency, child.exchange_rate],
    ['110.00', 'USD', '110.00', 'USD', null],
  )
  assert.deepEqual(
    [child.cr_name, child.cr_iban, child.cr_bank_bic, child.dr_iban],
    ['Grace Hopper', 'DE89370400440532013000', 'COBADEFFXXX', account.account_number],
  )
  assert.equal(await journalsOf(child), 0)
  assert.deepEqual((await bank.eventTypes(venture)).slice(-3).sort(), ['transfer.completed', 'transfer.created', 'transfer.returned'])
  const { body: history } = await venture.get(`/transfers/${child.id}/history`)
  assert.deepEqual([history.length, history[0].actor, history[0].to_status], [1, 'service', 'COMPLETED'])
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
})

for (const transfer_type of ['PAYMENT_RETURN', 'ADJUSTMENT']) {
  test(`frozen money leaves suspense by a ${transfer_type}, once, and without touching the client's money`, async () => {
    const { venture, account, order } = await open('7.00')
    const frozen = await venture.createTransfer(inbound(account, { credit_amount: '25.00' }))
    await walk(venture, frozen, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
    assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-32.00', 'suspense:EUR': '25.00' })
    const out = { ...order, transfer_type, parent_transaction_id: frozen.id }
    await refusedOrder(venture, { ...out, debit_amount: '25.01' }, 'parent_invalid')
    const child = await venture.createTransfer({ ...out, debit_amount: '25.00' })
    await refusedOrder(venture, { ...out, debit_amount: '0.01' }, 'parent_invalid')
    await walk(venture, child, transfer_type === 'ADJUSTMENT' ? 'RESERVED COMPLETED' : `${sending} COMPLETED`)
    const left: Record<string, string> =
      transfer_type === 'ADJUSTMENT' ? { 'settlement:SEPA:EUR': '-32.00', 'adjustments:EUR': '25.00' } : { 'settlement:SEPA:EUR': '-7.00' }
    assert.deepEqual(await bank.systemBalances(venture), left)
    assert.deepEqual(await venture.balances(account), ['7.00', '0.00', '7.00'])
    await refusedOrder(venture, { ...out, debit_amount: '0.01' }, 'parent_invalid')
  })
}

test('frozen money is not paid to an account of the venture', async () => {
  const { venture, account } = await open()
  const other = await venture.openAccount()
  const beneficiary = await venture.addBeneficiary(account.client_id, { iban: other.account_number })
  const frozen = await venture.createTransfer(inbound(account, { credit_amount: '25.00' }))
  await walk(venture, frozen, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
  const out = { account_id: account.id, beneficiary_id: beneficiary.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: frozen.id }
  await refusedOrder(venture, { ...out, debit_amount: '25.00' }, 'beneficiary_mismatch')
  await refusedOrder(venture, { ...out, transfer_type: 'ADJUSTMENT', method: 'INTERNAL', debit_amount: '25.00' }, 'transfer_method_invalid')
  const adjustment = await venture.createTransfer({ ...out, transfer_type: 'ADJUSTMENT', debit_amount: '25.00' })
  await walk(venture, adjustment, 'RESERVED COMPLETED')
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-25.00', 'adjustments:EUR': '25.00' })
  assert.deepEqual(await venture.balances(other), ['0.00', '0.00', '0.00'])
})

test('after a child fails, the next one can take the frozen money', async () => {
  const { venture, account, order } = await open()
  const frozen = await venture.createTransfer(inbound(account, { credit_amount: '25.00' }))
  await walk(venture, frozen, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
  const out = { ...order, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: frozen.id, debit_amount: '25.00' }
  await walk(venture, await venture.createTransfer(out), 'RESERVED CANCELLED')
  await walk(venture, await venture.createTransfer(out), `${sending} COMPLETED`)
  assert.deepEqual(await bank.systemBalances(venture), {})
})

test('an adjustment created before its parent was frozen cannot take money that is not in suspense', async () => {
  const { venture, account, order } = await open('50.00')
  const dollars = inbound(account, { method: 'SWIFT', debit_amount: '110.00', debit_currency: 'USD', credit_amount: '100.00' })
  const parent = await venture.createTransfer(dollars)
  const early = await venture.createTransfer({
    ...order,
    transfer_type: 'ADJUSTMENT',
    parent_transaction_id: parent.id,
    debit_amount: '50.00',
  })
  await walk(venture, early, 'RESERVED')
  await walk(venture, parent, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
  const { detail } = await refusedMove(venture, early, 'COMPLETED', 'parent_invalid')
  assert.equal(detail, `The frozen money is in USD and belongs to the account ${account.id}, so this transfer must too.`)
  await walk(venture, early, 'CANCELLED')
  assert.deepEqual(await venture.balances(account), ['50.00', '0.00', '50.00'])
})

test('a collecting transfer credits the account directly from settlement, after it was sent', async () => {
  const { venture, account } = await open()
  const transfer = await venture.createTransfer(inbound(account, { method: 'SDD', credit_amount: '12.00' }))
  await walk(venture, transfer, `${screening} READY_TO_CLEAR SENT_TO_CLEAR`)
  assert.deepEqual(await bank.systemBalances(venture), {})
  await walk(venture, transfer, 'COMPLETED')
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SDD:EUR': '-12.00' })
  assert.deepEqual(await venture.balances(account), ['12.00', '0.00', '12.00'])
})

test('a collected transfer books nothing when it is received, and debits the held money when it completes', async () => {
  const { venture, account, order } = await open('20.00')
  const transfer = await venture.createTransfer({ ...order, method: 'SDD', debit_amount: '12.00' })
  await walk(venture, transfer, `RECEIVED ${screening}`)
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-20.00' })
  await refusedMove(venture, transfer, 'COMPLETED', 'reservation_required')
  await walk(venture, transfer, 'RESERVED')
  assert.deepEqual(await venture.balances(account), ['20.00', '12.00', '8.00'])
  await walk(venture, transfer, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['8.00', '0.00', '8.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-20.00', 'settlement:SDD:EUR': '12.00' })
})

for (const method of ['INTERNAL', 'SDD_INTERNAL']) {
  test(`${method}: one journal between two clients, and a record for the receiver in the same transaction`, async () => {
    const { venture, account: from } = await open('50.00')
    const to = await venture.openAccount()
    const beneficiary = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
    const order = { account_id: from.id, beneficiary_id: beneficiary.id, method, debit_amount: '20.00' }
    const transfer = await venture.createTransfer({ ...order, purpose: 'Rent' })
    await walk(venture, transfer, booking)
    assert.deepEqual(await venture.balances(from), ['30.00', '0.00', '30.00'])
    assert.deepEqual(await venture.balances(to), ['20.00', '0.00', '20.00'])
    assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-50.00' })
    assert.equal(await journalsOf(transfer), 1)
    const [mirror, ...others] = await childrenOf(venture, transfer)
    assert.equal(others.length, 0)
    assert.deepEqual(
      [mirror.account_id, mirror.direction, mirror.method, mirror.status, mirror.unique_reference],
      [to.id, 'INBOUND', method, 'COMPLETED', mirror.id],
    )
    assert.deepEqual([mirror.purpose, mirror.fx_fee_amount, mirror.beneficiary_id, mirror.credit_amount], ['Rent', null, null, '20.00'])
    assert.equal(await journalsOf(mirror), 0)
    await refusedMove(venture, mirror, 'CANCELLED', 'transfer_terminal')
    const events = await bank.eventTypes(venture)
    assert.equal(events.filter((type) => type === 'transfer.completed').length, 3)
    const { body: entries } = await venture.get(`/accounts/${to.id}/entries`)
    assert.deepEqual([entries.length, entries[0].amount, entries[0].balance, entries[0].transfer_id], [1, '20.00', '20.00', transfer.id])
  })
}

test('an internal transfer between accounts in two currencies is exchanged', async () => {
  const { venture, account: from } = await open('50.00')
  const to = await venture.openAccount({ currency: 'JPY' })
  const beneficiary = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
  const order = { account_id: from.id, beneficiary_id: beneficiary.id, debit_amount: '10.00', exchange_rate: '162.55' }
  const transfer = await venture.createTransfer({ ...order, fx_fee_amount: '1.00' })
  assert.deepEqual([transfer.method, transfer.credit_amount, transfer.credit_currency], ['INTERNAL', '1626', 'JPY'])
  await walk(venture, transfer, booking)
  assert.deepEqual(await venture.balances(from), ['39.00', '0.00', '39.00'])
  assert.deepEqual(await venture.balances(to), ['1626', '0', '1626'])
  const expected = { 'settlement:SEPA:EUR': '-50.00', 'fees:EUR': '1.00', 'fx:EUR': '10.00', 'fx:JPY': '-1626' }
  assert.deepEqual(await bank.systemBalances(venture), expected)
  const [mirror] = await childrenOf(venture, transfer)
  assert.equal(mirror.fx_fee_amount, null)
})

test('an internal transfer is returned from the receiving account, and only once', async () => {
  const { venture, account: from } = await open('50.00')
  const to = await venture.openAccount()
  const there = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
  const back = await venture.addBeneficiary(to.client_id, { iban: from.account_number })
  const transfer = await venture.createTransfer({ account_id: from.id, beneficiary_id: there.id, debit_amount: '20.00' })
  await walk(venture, transfer, booking)
  const [mirror] = await childrenOf(venture, transfer)
  const order = { account_id: to.id, beneficiary_id: back.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: mirror.id }
  const returned = await venture.createTransfer({ ...order, debit_amount: '20.00' })
  await refusedOrder(venture, { ...order, debit_amount: '0.01' }, 'parent_invalid')
  await walk(venture, returned, booking)
  assert.deepEqual(await venture.balances(from), ['50.00', '0.00', '50.00'])
  assert.deepEqual(await venture.balances(to), ['0.00', '0.00', '0.00'])
})

test('fees, adjustments and exchanges use their own system account in both directions', async () => {
  const counterparts = { FEE: 'fees', ADJUSTMENT: 'adjustments', CCY_EXCHANGE: 'fx', FX_POSITION_CLOSING: 'fx' }
  for (const [transfer_type, counterpart] of Object.entries(counterparts)) {
    const { venture, account, order } = await open('10.00')
    const out = await venture.createTransfer({ ...order, transfer_type, debit_amount: '3.00' })
    await refusedMove(venture, out, 'COMPLETED', 'transfer_transition_not_allowed')
    await walk(venture, out, 'RESERVED COMPLETED')
    assert.deepEqual(await venture.balances(account), ['7.00', '0.00', '7.00'], transfer_type)
    assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-10.00', [`${counterpart}:EUR`]: '3.00' }, transfer_type)
    const back = await venture.createTransfer(inbound(account, { transfer_type, credit_amount: '1.00' }))
    await refusedMove(venture, back, 'RESERVED', 'transfer_transition_not_allowed')
    await walk(venture, back, 'COMPLETED')
    assert.deepEqual(await venture.balances(account), ['8.00', '0.00', '8.00'], transfer_type)
    assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-10.00', [`${counterpart}:EUR`]: '2.00' }, transfer_type)
  }
})

test('a fee cancellation is paid from the fees account, up to the amount of the fee', async () => {
  const { venture, account, order } = await open('10.00')
  const fee = await venture.createTransfer({ ...order, transfer_type: 'FEE', debit_amount: '3.00' })
  const cancellation = inbound(account, { transfer_type: 'FEE_CANCELLATION', parent_transaction_id: fee.id })
  await walk(venture, fee, 'RESERVED')
  await refusedOrder(venture, { ...cancellation, credit_amount: '3.00' }, 'parent_invalid')
  await walk(venture, fee, 'COMPLETED')
  await refusedOrder(venture, { ...cancellation, credit_amount: '3.01' }, 'parent_invalid')
  const parts = ['COMPLETED', 'TO_SIGN SIGNED COMPLETED', 'REVIEW MANUAL_ACTION COMPLETED']
  for (const statuses of parts) await walk(venture, await venture.createTransfer({ ...cancellation, credit_amount: '1.00' }), statuses)
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-10.00' })
  await refusedOrder(venture, { ...cancellation, credit_amount: '0.01' }, 'parent_invalid')
})

async function authorised(amount: string, balance: string) {
  const { venture, account, order } = await open(balance)
  const auth = await venture.createTransfer({ ...order, transfer_type: 'CARD_AUTH', debit_amount: amount })
  assert.equal(auth.method, 'CARD')
  await walk(venture, auth, 'RESERVED')
  const child = (transfer_type: string, debit_amount: string) =>
    venture.createTransfer({ ...order, transfer_type, parent_transaction_id: auth.id, debit_amount })
  return { venture, account, order, auth, child }
}

test('clearings take over the hold of a card authorisation in parts, until the service completes the authorisation', async () => {
  const { venture, account, order, auth, child } = await authorised('50.00', '50.00')
  assert.deepEqual(await venture.balances(account), ['50.00', '50.00', '0.00'])
  const first = await child('CARD_CLEARING', '20.00')
  await walk(venture, first, 'RESERVED')
  assert.deepEqual(await venture.balances(account), ['50.00', '50.00', '0.00'])
  await walk(venture, first, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['30.00', '30.00', '0.00'])
  assert.equal(await statusOf(venture, auth), 'RESERVED')
  const second = await child('CARD_CLEARING', '30.00')
  await walk(venture, second, 'RESERVED')
  assert.equal(await statusOf(venture, auth), 'COMPLETED')
  const { body: history } = await venture.get(`/transfers/${auth.id}/history`)
  assert.deepEqual([history.at(-1).actor, history.at(-1).to_status, history.at(-2).actor], ['service', 'COMPLETED', 'venture'])
  await walk(venture, second, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
  assert.deepEqual(await bank.systemBalances(venture), { 'settlement:SEPA:EUR': '-50.00', 'settlement:CARD:EUR': '50.00' })
  assert.equal(await journalsOf(auth), 0)
  const late = { ...order, transfer_type: 'CARD_CLEARING', parent_transaction_id: auth.id, debit_amount: '1.00' }
  await refusedMove(venture, await venture.createTransfer(late), 'RESERVED', 'insufficient_funds')
})

test('a clearing above the hold needs additional funds', async () => {
  const { venture, account, auth, child } = await authorised('50.00', '55.00')
  const tooMuch = await child('CARD_CLEARING', '55.01')
  const problem = await refusedMove(venture, tooMuch, 'RESERVED', 'insufficient_funds')
  assert.deepEqual([problem.needed, problem.available], ['5.01', '5.00'])
  assert.deepEqual([await statusOf(venture, auth), await venture.balances(account)], ['RESERVED', ['55.00', '50.00', '5.00']])
  const exact = await child('CARD_CLEARING', '55.00')
  await walk(venture, exact, 'RESERVED COMPLETED')
  assert.deepEqual([await statusOf(venture, auth), await venture.balances(account)], ['COMPLETED', ['0.00', '0.00', '0.00']])
})

test('a cancelled clearing releases the hold that it had taken over', async () => {
  const { venture, account, auth, child } = await authorised('50.00', '50.00')
  const clearing = await child('CARD_CLEARING', '20.00')
  await walk(venture, clearing, 'RESERVED CANCELLED')
  assert.deepEqual([await statusOf(venture, auth), await venture.balances(account)], ['RESERVED', ['50.00', '30.00', '20.00']])
})

test('a completed reversal reduces the hold without a journal, and the last one completes the authorisation', async () => {
  const { venture, account, order, auth, child } = await authorised('50.00', '50.00')
  const part = await child('CARD_REVERSAL', '20.00')
  assert.deepEqual(await venture.balances(account), ['50.00', '50.00', '0.00'])
  await refusedMove(venture, part, 'RESERVED', 'transfer_transition_not_allowed')
  await walk(venture, part, 'REVIEW MANUAL_ACTION COMPLETED')
  assert.deepEqual([await statusOf(venture, auth), await venture.balances(account)], ['RESERVED', ['50.00', '30.00', '20.00']])
  const over = { ...order, transfer_type: 'CARD_REVERSAL', parent_transaction_id: auth.id, debit_amount: '30.01' }
  await refusedOrder(venture, over, 'parent_invalid')
  const rest = await child('CARD_REVERSAL', '30.00')
  await walk(venture, rest, 'REVIEW MANUAL_ACTION COMPLETED')
  assert.deepEqual([await statusOf(venture, auth), await venture.balances(account)], ['COMPLETED', ['50.00', '0.00', '50.00']])
  assert.deepEqual([await journalsOf(part), await journalsOf(rest), await journalsOf(auth)], [0, 0, 0])
})

test('an INBOUND reversal releases the hold too, and neither direction needs more than one move', async () => {
  const { venture, account, auth, child } = await authorised('50.00', '50.00')
  const order = inbound(account, { transfer_type: 'CARD_REVERSAL', parent_transaction_id: auth.id, credit_amount: '20.00' })
  await walk(venture, await venture.createTransfer(order), 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['50.00', '30.00', '20.00'])
  await walk(venture, await child('CARD_REVERSAL', '30.00'), 'COMPLETED')
  assert.deepEqual([await statusOf(venture, auth), await venture.balances(account)], ['COMPLETED', ['50.00', '0.00', '50.00']])
})

test('cancelling an authorisation releases the part of the hold that no clearing has taken', async () => {
  const { venture, account, auth, child } = await authorised('50.00', '50.00')
  const clearing = await child('CARD_CLEARING', '20.00')
  await walk(venture, clearing, 'RESERVED')
  await walk(venture, auth, 'CANCELLED')
  assert.deepEqual(await venture.balances(account), ['50.00', '20.00', '30.00'])
  await walk(venture, clearing, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['30.00', '0.00', '30.00'])
})

test('an inbound reversal takes back a clearing, and an outbound reversal needs funds', async () => {
  const { venture, account, order, child } = await authorised('50.00', '50.00')
  const clearing = await child('CARD_CLEARING', '50.00')
  await walk(venture, clearing, 'RESERVED COMPLETED')
  const back = inbound(account, { transfer_type: 'CARD_REVERSAL', parent_transaction_id: clearing.id, credit_amount: '50.00' })
  const reversal = await venture.createTransfer(back)
  await walk(venture, reversal, 'REVIEW MANUAL_ACTION COMPLETED')
  assert.deepEqual(await venture.balances(account), ['50.00', '0.00', '50.00'])
  const refund = await venture.createTransfer(inbound(account, { transfer_type: 'CARD_CLEARING', credit_amount: '50.00' }))
  await walk(venture, refund, 'COMPLETED')
  await walk(venture, await venture.createTransfer({ ...order, debit_amount: '50.00' }), 'RESERVED')
  const again = { ...order, transfer_type: 'CARD_REVERSAL', parent_transaction_id: refund.id, debit_amount: '50.00' }
  const taking = await venture.createTransfer(again)
  await walk(venture, await venture.createTransfer({ ...order, debit_amount: '0.01' }), 'RESERVED')
  await refusedMove(venture, taking, 'COMPLETED', 'insufficient_funds')
  await walk(venture, taking, 'REVIEW MANUAL_ACTION')
  await refusedMove(venture, taking, 'COMPLETED', 'insufficient_funds')
})

test('returns cannot exceed the sent amount in total, in the currency that was sent, and a failed return does not count', async () => {
  const { venture, account, order } = await open('100.00')
  const swift = { ...order, method: 'SWIFT', debit_amount: '100.00', credit_currency: 'USD', exchange_rate: '1.1' }
  const sent = await venture.createTransfer(swift)
  await walk(venture, sent, `${sending} COMPLETED`)
  const back = { account_id: account.id, direction: 'INBOUND', method: 'SWIFT', transfer_type: 'PAYMENT_RETURN' }
  const part = (debit_amount: string, credit_amount: string) => ({
    ...back,
    parent_transaction_id: sent.id,
    debit_currency: 'USD',
    debit_amount,
    credit_amount,
  })
  await refusedOrder(venture, { ...back, parent_transaction_id: sent.id, credit_amount: '1.00' }, 'parent_invalid')
  await refusedOrder(venture, part('110.01', '100.00'), 'parent_invalid')
  const first = await venture.createTransfer(part('60.00', '54.00'))
  await refusedOrder(venture, part('50.01', '45.00'), 'parent_invalid')
  await walk(venture, first, 'CANCELLED')
  const whole = await venture.createTransfer(part('110.00', '99.00'))
  await walk(venture, whole, `RECEIVED ${screening} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['99.00', '0.00', '99.00'])
  await refusedOrder(venture, part('0.01', '0.01'), 'parent_invalid')
})

async function usage({ id }: Row): Promise<string[]> {
  const { rows } = await bank.owner.query('select used_day::text, used_month::text, used_year::text from accounts where id = $1', [id])
  return [rows[0].used_day, rows[0].used_month, rows[0].used_year]
}

test('creating a transfer uses the limits, which can be reached but not exceeded, and the refusal names the period', async () => {
  for (const [field, period] of Object.entries({ daily_limit: 'day', monthly_limit: 'month', yearly_limit: 'year' })) {
    const { venture, account, order } = await open('10.00', { [field]: '100.00' })
    await venture.createTransfer({ ...order, ...intoDollars, debit_amount: '60.00', fx_fee_amount: '9.00' })
    const problem = await refusedOrder(venture, { ...order, debit_amount: '40.01' }, 'limit_exceeded')
    assert.deepEqual([problem.limit, problem.period, problem.used], ['100.00', period, '60.00'])
    const name = { day: 'Daily', month: 'Monthly', year: 'Yearly' }[period]
    assert.equal(problem.detail, `${name} limit exceeded: 40.01 EUR requested, 40.00 EUR left of 100.00 EUR.`)
    await venture.createTransfer({ ...order, debit_amount: '40.00' })
    assert.deepEqual(await usage(account), ['100.00', '100.00', '100.00'])
    await refusedOrder(venture, { ...order, debit_amount: '0.01' }, 'limit_exceeded')
    await venture.createTransfer({ ...order, transfer_type: 'FEE', debit_amount: '5.00' })
    await venture.createTransfer(inbound(account, { credit_amount: '500.00' }))
    assert.deepEqual(await usage(account), ['100.00', '100.00', '100.00'])
  }
})

test('if several limits are exceeded, the shortest period is reported', async () => {
  const { venture, order } = await open(undefined, { daily_limit: '10.00', monthly_limit: '10.00', yearly_limit: '10.00' })
  assert.equal((await refusedOrder(venture, { ...order, debit_amount: '10.01' }, 'limit_exceeded')).period, 'day')
})

test('a transfer that ends without completion restores its limit once, and a completed one does not', async () => {
  const { venture, account, order } = await open('100.00', { daily_limit: '100.00' })
  const failed = await venture.createTransfer({ ...order, debit_amount: '60.00' })
  const done = await venture.createTransfer({ ...order, debit_amount: '40.00' })
  await walk(venture, failed, 'RESERVED CANCELLED')
  assert.deepEqual(await usage(account), ['40.00', '40.00', '40.00'])
  await walk(venture, done, `${sending} COMPLETED`)
  assert.deepEqual(await usage(account), ['40.00', '40.00', '40.00'])
  await venture.createTransfer({ ...order, debit_amount: '60.00' })
  await refusedOrder(venture, { ...order, debit_amount: '0.01' }, 'limit_exceeded')
})

test('usage starts at zero on a new day, month or year', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const [year, month] = [Number(today.slice(0, 4)), today.slice(5, 7)]
  const lastYear = `${year - 1}-${month}-01`
  const { venture, account, order } = await open(undefined, { daily_limit: '100.00', monthly_limit: '150.00', yearly_limit: '180.00' })
  const old = await venture.createTransfer({ ...order, debit_amount: '100.00' })
  const moveUsageTo = async (date: string) => {
    await bank.owner.query('update accounts set used_on = $2 where id = $1', [account.id, date])
    await bank.owner.query('update transfers set counted_on = $2 where id = $1', [old.id, date])
  }
  await refusedOrder(venture, { ...order, debit_amount: '0.01' }, 'limit_exceeded')
  // Another day of the same month; every month has one.
  await moveUsageTo(today.endsWith('-01') ? `${today.slice(0, 8)}02` : `${today.slice(0, 8)}01`)
  assert.equal((await refusedOrder(venture, { ...order, debit_amount: '50.01' }, 'limit_exceeded')).period, 'month')
  assert.deepEqual(await usage(account), ['100.00', '100.00', '100.00'])
  const again = await venture.createTransfer({ ...order, debit_amount: '50.00' })
  assert.deepEqual(await usage(account), ['50.00', '150.00', '150.00'])
  // A transfer that was counted on another day of the month restores the month and the year, but not today.
  await walk(venture, old, 'CANCELLED')
  assert.deepEqual(await usage(account), ['50.00', '50.00', '50.00'])
  await walk(venture, again, 'CANCELLED')
  assert.deepEqual(await usage(account), ['0.00', '0.00', '0.00'])
  const ofLastYear = await venture.createTransfer({ ...order, debit_amount: '100.00' })
  await bank.owner.query('update accounts set used_on = $2 where id = $1', [account.id, lastYear])
  await bank.owner.query('update transfers set counted_on = $2 where id = $1', [ofLastYear.id, lastYear])
  await venture.createTransfer({ ...order, debit_amount: '70.00' })
  assert.deepEqual(await usage(account), ['70.00', '70.00', '70.00'])
  await walk(venture, ofLastYear, 'CANCELLED')
  assert.deepEqual(await usage(account), ['70.00', '70.00', '70.00'])
})

test('transfers that the service creates itself use no limit', async () => {
  const { venture, account: from } = await open('50.00')
  const to = await venture.openAccount({ daily_limit: '1.00' })
  const beneficiary = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
  const transfer = await venture.createTransfer({ account_id: from.id, beneficiary_id: beneficiary.id, debit_amount: '20.00' })
  await walk(venture, transfer, booking)
  const received = await venture.createTransfer(inbound(to, { credit_amount: '30.00' }))
  await walk(venture, received, 'RECEIVED TO_RETURN REJECTED')
  assert.deepEqual(await usage(to), ['0.00', '0.00', '0.00'])
})

test('a suspended account completes pending transfers and accepts no new ones', async () => {
  const { venture, account, order } = await open('50.00')
  const out = await venture.createTransfer({ ...order, debit_amount: '20.00' })
  const into = await venture.createTransfer(inbound(account, { credit_amount: '5.00' }))
  await venture.post(`/accounts/${account.id}/freeze`)
  const problem = await refusedOrder(venture, { ...order, debit_amount: '1.00' }, 'account_not_active')
  assert.equal(problem.current_status, 'SUSPENDED')
  await refusedOrder(venture, inbound(account, { credit_amount: '1.00' }), 'account_not_active')
  await walk(venture, out, `${sending} COMPLETED`)
  await walk(venture, into, `RECEIVED ${screening} COMPLETED`)
  assert.deepEqual(await venture.balances(account), ['35.00', '0.00', '35.00'])
})

test('a closed account allows no hold, no money into suspense and no credit, and pending transfers can still end', async () => {
  const { venture, account, order } = await open()
  const out = await venture.createTransfer({ ...order, debit_amount: '20.00' })
  const into = await venture.createTransfer(inbound(account, { credit_amount: '5.00' }))
  const collected = await venture.createTransfer({ ...order, method: 'SDD', debit_amount: '5.00' })
  const collecting = await venture.createTransfer(inbound(account, { method: 'SDD', credit_amount: '5.00' }))
  const booked = await venture.createTransfer(inbound(account, { transfer_type: 'ADJUSTMENT', credit_amount: '5.00' }))
  assert.equal((await venture.post(`/accounts/${account.id}/close`)).status, 200)
  await refusedOrder(venture, { ...order, debit_amount: '1.00' }, 'account_not_active')
  const { detail, allowed } = await refusedMove(venture, out, 'RESERVED', 'account_closed')
  assert.ok(detail.startsWith('The transfer is CREATED and cannot become RESERVED. The move would book money on a closed account'), detail)
  assert.ok(detail.endsWith(`Allowed now: ${allowed.slice(0, -1).join(', ')} or ${allowed.at(-1)}.`), detail)
  await refusedMove(venture, into, 'RECEIVED', 'account_closed')
  await walk(venture, collected, `RECEIVED ${screening}`)
  await refusedMove(venture, collected, 'RESERVED', 'account_closed')
  await walk(venture, collected, 'CANCELLED')
  await walk(venture, collecting, `${screening} READY_TO_CLEAR SENT_TO_CLEAR`)
  await refusedMove(venture, collecting, 'COMPLETED', 'account_closed')
  await refusedMove(venture, booked, 'COMPLETED', 'account_closed')
  for (const pending of [out, into, booked]) await walk(venture, pending, 'REJECTED')
  await walk(venture, collecting, 'REJECTED', { third_party_status: 'RJCT' })
  assert.deepEqual(await bank.systemBalances(venture), {})
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
})

test('an account cannot be closed until all of its frozen money has left suspense', async () => {
  const { venture, account, order } = await open()
  const frozen = await venture.createTransfer(inbound(account, { credit_amount: '25.00' }))
  const close = () => venture.post(`/accounts/${account.id}/close`)
  const out = { ...order, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: frozen.id }
  const isRefused = async () => {
    const { status, problem } = await close()
    assert.deepEqual([status, problem?.code, problem?.transfer_id], [409, 'account_not_empty', frozen.id])
  }
  await walk(venture, frozen, 'RECEIVED READY_FOR_SCREENING AML_SCANNING')
  await isRefused()
  await walk(venture, frozen, 'AML_REJECTED')
  await isRefused()
  await walk(venture, await venture.createTransfer({ ...out, debit_amount: '10.00' }), `${sending} COMPLETED`)
  await isRefused()
  const last = await venture.createTransfer({ ...out, debit_amount: '15.00' })
  await walk(venture, last, sending.replace(' COMPLETED', ''))
  await isRefused()
  await walk(venture, last, 'COMPLETED')
  assert.equal((await close()).status, 200)
  assert.deepEqual(await bank.systemBalances(venture), {})
})

test('an internal transfer can complete to a suspended receiver but not to a closed one', async () => {
  const { venture, account: from } = await open('50.00')
  const [frozen, closed] = [await venture.openAccount(), await venture.openAccount()]
  const pay = async (to: { account_number: string }) => {
    const beneficiary = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
    const transfer = await venture.createTransfer({ account_id: from.id, beneficiary_id: beneficiary.id, debit_amount: '20.00' })
    await walk(venture, transfer, `RESERVED ${screening}`)
    return transfer
  }
  const [toFrozen, toClosed] = [await pay(frozen), await pay(closed)]
  await venture.post(`/accounts/${frozen.id}/freeze`)
  await venture.post(`/accounts/${closed.id}/close`)
  await walk(venture, toFrozen, 'COMPLETED')
  assert.deepEqual(await venture.balances(frozen), ['20.00', '0.00', '20.00'])
  await refusedMove(venture, toClosed, 'COMPLETED', 'account_closed')
  assert.deepEqual(await venture.balances(from), ['30.00', '20.00', '10.00'])
  await walk(venture, toClosed, 'CANCELLED')
  assert.deepEqual(await venture.balances(from), ['30.00', '0.00', '30.00'])
})

test('a balance that is too large to store is refused, and nothing is booked', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '1.00' })
  const storeBalance = (balance: string) =>
    bank.owner.query('update accounts set current_balance = $1 where id = $2', [balance, account.id])
  await storeBalance('9999999999999999999.00')
  const { problem } = await venture.post(`/sandbox/accounts/${account.id}/deposits`, { amount: '1.00' })
  assert.deepEqual([problem.status, problem.code], [422, 'balance_too_large'])
  assert.match(problem.detail, /^The balance of the account would become 10000000000000000000\.00 EUR/)
  assert.equal((await venture.get(`/accounts/${account.id}`)).body.current_balance, '9999999999999999999.00')
  await storeBalance('1.00')
})
