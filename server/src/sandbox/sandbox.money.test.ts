import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { openBank, type VentureCaller } from '../testing/testing.ts'

const bank = await openBank()

afterEach(async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
})

async function open(balance?: string, changes: object = {}) {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ ...(balance === undefined ? {} : { balance }), ...changes })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id }
  return { venture, account, order }
}

const settle = (venture: VentureCaller, { id }: { id: string }, outcome: string) =>
  venture.post(`/sandbox/transfers/${id}/settle`, { outcome })

const deposit = (venture: VentureCaller, { id }: { id: string }, amount: unknown) =>
  venture.post(`/sandbox/accounts/${id}/deposits`, { amount })

async function childrenOf(venture: VentureCaller, { id }: { id: string }) {
  const { body } = await venture.get('/transfers?limit=100')
  return body.filter((transfer: { parent_transaction_id: string }) => transfer.parent_transaction_id === id)
}

test('a deposit is a real inbound transfer that reaches COMPLETED', async () => {
  const { venture, account } = await open()
  const { status, headers, body } = await deposit(venture, account, '12.5')
  assert.equal(status, 201)
  assert.equal(headers['location'], `/api/v1/transfers/${body.id}`)
  assert.deepEqual(
    [body.status, body.direction, body.method, body.transfer_type, body.credit_amount, body.cr_iban],
    ['COMPLETED', 'INBOUND', 'SEPA', 'PAYMENT', '12.50', account.account_number],
  )
  assert.deepEqual(await venture.balances(account), ['12.50', '0.00', '12.50'])
  const { body: history } = await venture.get(`/transfers/${body.id}/history`)
  assert.deepEqual(
    history.map(({ to_status }: { to_status: string }) => to_status),
    ['CREATED', 'RECEIVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_APPROVED', 'COMPLETED'],
  )
  assert.ok(history.slice(1).every(({ actor }: { actor: string }) => actor === 'service'))
  assert.ok((await bank.eventTypes(venture)).includes('transfer.completed'))
})

test('deposits add up, in the currency of the account', async () => {
  for (const [currency, amount, sum] of [
    ['EUR', '0.01', '0.02'],
    ['JPY', '7', '14'],
    ['KWD', '0.001', '0.002'],
  ]) {
    const { venture, account } = await open(undefined, { currency })
    for (let time = 0; time < 2; time++) assert.equal((await deposit(venture, account, amount)).status, 201)
    assert.equal((await venture.balances(account))[0], sum)
  }
})

test('a deposit with an invalid amount for the currency is refused and leaves nothing behind', async () => {
  const { venture, account } = await open()
  const before = await bank.count('transfers')
  for (const amount of ['0', '0.00', '-1', '1e5', '1.001', 'NaN', '', '1'.repeat(16), 1, null, undefined]) {
    assert.equal((await deposit(venture, account, amount)).problem?.code, 'invalid_request', String(amount))
  }
  assert.equal((await venture.post(`/sandbox/accounts/${account.id}/deposits`, { amount: '1.00', currency: 'EUR' })).status, 400)
  assert.equal(await bank.count('transfers'), before)
})

test('only an active account of the venture accepts a deposit', async () => {
  const { venture, account } = await open()
  const stranger = await bank.registerVenture()
  for (const answer of [await deposit(venture, { id: randomUUID() }, '1.00'), await deposit(stranger, account, '1.00')]) {
    assert.deepEqual([answer.status, answer.problem.code], [404, 'account_not_found'])
  }
  for (const action of ['freeze', 'close']) {
    await venture.post(`/accounts/${account.id}/${action}`)
    const { status, problem } = await deposit(venture, account, '1.00')
    assert.deepEqual([status, problem.code], [409, 'account_not_active'], action)
  }
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
})

test('every method settles to COMPLETED by real moves', async () => {
  const { venture, account, order } = await open('100.00')
  const neighbour = await venture.openAccount()
  const near = await venture.addBeneficiary(account.client_id, { iban: neighbour.account_number })
  const far = await venture.addBeneficiary(account.client_id, { account_number: '12345678', routing_number: '021000021' })
  const orders: object[] = [
    ...['SEPA', 'INST', 'SWIFT', 'SDD'].map((method) => ({ ...order, method })),
    { ...order, transfer_type: 'CARD_CLEARING', method: 'CARD' },
    { ...order, beneficiary_id: far.id, method: 'DOMESTIC', credit_currency: 'USD', exchange_rate: '1.1' },
    ...['INTERNAL', 'SDD_INTERNAL'].map((method) => ({ ...order, beneficiary_id: near.id, method })),
    { ...order, transfer_type: 'FEE' },
  ]
  for (const given of orders) {
    const { status, body, text } = await settle(venture, await venture.createTransfer({ ...given, debit_amount: '10.00' }), 'COMPLETED')
    assert.deepEqual([status, body.status], [200, 'COMPLETED'], `${JSON.stringify(given)}: ${text}`)
  }
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
  assert.deepEqual(await venture.balances(neighbour), ['20.00', '0.00', '20.00'])
  const more: Record<string, object> = {
    DOMESTIC: { debit_currency: 'USD', debit_amount: '1.10' },
    CARD: { transfer_type: 'CARD_CLEARING' },
  }
  for (const method of ['SEPA', 'INST', 'SWIFT', 'DOMESTIC', 'SDD', 'CARD']) {
    const into = { account_id: account.id, direction: 'INBOUND', method, credit_amount: '1.00', ...more[method] }
    const transfer = await venture.createTransfer(into)
    assert.equal((await settle(venture, transfer, 'COMPLETED')).body.status, 'COMPLETED', method)
  }
  assert.deepEqual(await venture.balances(account), ['16.00', '0.00', '16.00'])
})

test('a transfer without requirements settles immediately, and every other walks through all its statuses', async () => {
  const { venture, account, order } = await open('100.00')
  const statusesOf = async (given: object) => {
    const transfer = await venture.createTransfer(given)
    const { status, text } = await settle(venture, transfer, 'COMPLETED')
    assert.equal(status, 200, text)
    const { body: history } = await venture.get(`/transfers/${transfer.id}/history`)
    return { id: transfer.id, statuses: history.map(({ to_status }: { to_status: string }) => to_status).join(' ') }
  }
  const into = { account_id: account.id, direction: 'INBOUND', credit_amount: '1.00' }
  const out = { ...order, debit_amount: '1.00' }
  const screening = 'READY_FOR_SCREENING BLACKLIST_SCANNING AML_APPROVED'
  const fee = await statusesOf({ ...out, transfer_type: 'FEE' })
  assert.equal(fee.statuses, 'CREATED RESERVED COMPLETED')
  for (const needless of [
    { ...into, transfer_type: 'FEE_CANCELLATION', parent_transaction_id: fee.id },
    { ...into, transfer_type: 'ADJUSTMENT' },
    { ...into, method: 'CARD', transfer_type: 'CARD_CLEARING' },
  ]) {
    assert.equal((await statusesOf(needless)).statuses, 'CREATED COMPLETED', JSON.stringify(needless))
  }
  assert.equal((await statusesOf(into)).statuses, `CREATED RECEIVED ${screening} COMPLETED`)
  assert.equal((await statusesOf({ ...into, method: 'SDD' })).statuses, `CREATED ${screening} READY_TO_CLEAR SENT_TO_CLEAR COMPLETED`)
  // Any of several shortest walks is fine, as long as no status is skipped.
  const sent = (await statusesOf(out)).statuses.split(' ')
  assert.deepEqual(
    sent.toSorted(),
    `CREATED RESERVED ${screening} READY_TO_CLEAR SENT_TO_CLEAR COMPLETED`.split(' ').toSorted(),
    'held, screened and sent',
  )
  assert.equal(sent.at(-1), 'COMPLETED')
})

test('settling continues from the current status', async () => {
  const { venture, account, order } = await open('10.00')
  const transfer = await venture.createTransfer({ ...order, debit_amount: '4.00' })
  for (const status of ['RESERVED', 'ON_HOLD']) await venture.put(`/transfers/${transfer.id}`, { status })
  assert.equal((await settle(venture, transfer, 'COMPLETED')).body.status, 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['6.00', '0.00', '6.00'])
})

test('settling a finished transfer to the same outcome changes nothing, and to another is refused', async () => {
  const { venture, account, order } = await open('10.00')
  const done = await venture.createTransfer({ ...order, debit_amount: '4.00' })
  const { body: first } = await settle(venture, done, 'COMPLETED')
  const { status, body } = await settle(venture, done, 'COMPLETED')
  assert.deepEqual([status, body], [200, first])
  const refused = await settle(venture, done, 'REJECTED')
  assert.deepEqual([refused.status, refused.problem.code], [409, 'transfer_transition_not_allowed'])
  assert.equal(refused.problem.detail, 'The transfer is COMPLETED and cannot reach REJECTED from there.')
  assert.deepEqual(await venture.balances(account), ['6.00', '0.00', '6.00'])
})

test('REJECTED releases the hold, even after the transfer was sent', async () => {
  const { venture, account, order } = await open('10.00')
  for (const walk of ['', 'RESERVED', 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_CLEAR']) {
    const transfer = await venture.createTransfer({ ...order, debit_amount: '10.00' })
    for (const status of walk.split(' ').filter(Boolean)) await venture.put(`/transfers/${transfer.id}`, { status })
    assert.equal((await settle(venture, transfer, 'REJECTED')).body.status, 'REJECTED', walk)
    assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
  }
  const inbound = await venture.createTransfer({ account_id: account.id, direction: 'INBOUND', credit_amount: '1.00' })
  assert.equal((await settle(venture, inbound, 'REJECTED')).body.status, 'REJECTED')
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
})

test('without funds a transfer does not settle, and stays at the last possible status', async () => {
  const { venture, account, order } = await open('1.00')
  const transfer = await venture.createTransfer({ ...order, debit_amount: '4.00' })
  const { status, problem } = await settle(venture, transfer, 'COMPLETED')
  assert.deepEqual([status, problem.code], [422, 'insufficient_funds'])
  assert.deepEqual(await venture.balances(account), ['1.00', '0.00', '1.00'])
  await deposit(venture, account, '3.00')
  assert.equal((await settle(venture, transfer, 'COMPLETED')).body.status, 'COMPLETED')
})

test('RETURNED sends an outbound transfer and returns it by a child transfer, once', async () => {
  const { venture, account, order } = await open('10.00')
  const transfer = await venture.createTransfer({ ...order, debit_amount: '4.00' })
  const { status, body } = await settle(venture, transfer, 'RETURNED')
  assert.deepEqual([status, body.id, body.status], [200, transfer.id, 'COMPLETED'])
  const [child, ...others] = await childrenOf(venture, transfer)
  assert.equal(others.length, 0)
  assert.deepEqual(
    [child.direction, child.transfer_type, child.status, child.credit_amount, child.method],
    ['INBOUND', 'PAYMENT_RETURN', 'COMPLETED', '4.00', 'SEPA'],
  )
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
  const again = await settle(venture, transfer, 'RETURNED')
  assert.deepEqual([again.status, again.problem.code], [422, 'parent_invalid'])
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
})

test('RETURNED takes back a fee by a cancellation and a clearing by a reversal, and refuses what has nothing to return', async () => {
  const { venture, account, order } = await open('10.00')
  const types = { FEE: 'FEE_CANCELLATION', CARD_CLEARING: 'CARD_REVERSAL' }
  for (const [transfer_type, returned] of Object.entries(types)) {
    const transfer = await venture.createTransfer({ ...order, transfer_type, debit_amount: '4.00' })
    const { status, text } = await settle(venture, transfer, 'RETURNED')
    assert.equal(status, 200, text)
    const [child] = await childrenOf(venture, transfer)
    assert.deepEqual([child.transfer_type, child.method, child.status], [returned, transfer.method, 'COMPLETED'])
  }
  assert.deepEqual(await venture.balances(account), ['10.00', '0.00', '10.00'])
  for (const transfer_type of ['ADJUSTMENT', 'CARD_AUTH']) {
    const transfer = await venture.createTransfer({ ...order, transfer_type, debit_amount: '4.00' })
    const { status, problem } = await settle(venture, transfer, 'RETURNED')
    assert.deepEqual([status, problem.code], [422, 'parent_invalid'])
    assert.equal(problem.detail, `A ${transfer_type} has nothing to return: it cannot be settled as RETURNED.`)
    assert.deepEqual((await venture.get(`/transfers/${transfer.id}`)).body, transfer)
  }
})

test('RETURNED returns the original currency at the value that it had on the account, without the fee', async () => {
  const { venture, account, order } = await open('10.00')
  const given = { ...order, method: 'SWIFT', debit_amount: '3.00', credit_currency: 'USD', credit_amount: '1.00', fx_fee_amount: '0.50' }
  const transfer = await venture.createTransfer(given)
  const { status, text } = await settle(venture, transfer, 'RETURNED')
  assert.equal(status, 200, text)
  assert.deepEqual(await venture.balances(account), ['9.50', '0.00', '9.50'])
})

test('RETURNED sends an inbound transfer back before it is credited', async () => {
  const { venture, account } = await open()
  const order = { account_id: account.id, direction: 'INBOUND', credit_amount: '4.00' }
  const transfer = await venture.createTransfer(order)
  const { status, body } = await settle(venture, transfer, 'RETURNED')
  assert.deepEqual([status, body.status], [200, 'REJECTED'])
  const [child] = await childrenOf(venture, transfer)
  assert.deepEqual([child.direction, child.transfer_type, child.status], ['OUTBOUND', 'PAYMENT_RETURN', 'COMPLETED'])
  assert.deepEqual(await venture.balances(account), ['0.00', '0.00', '0.00'])
  const credited = await deposit(venture, account, '1.00')
  const late = await settle(venture, credited.body, 'RETURNED')
  assert.deepEqual([late.status, late.problem.code], [409, 'transfer_transition_not_allowed'])
})

test('RETURNED is refused for an internal transfer, which is returned from the other side, and leaves it unchanged', async () => {
  const { venture, account } = await open('10.00')
  const neighbour = await venture.openAccount()
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { iban: neighbour.account_number })
  for (const method of ['INTERNAL', 'SDD_INTERNAL']) {
    const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id, method, debit_amount: '1.00' })
    const { status, problem } = await settle(venture, transfer, 'RETURNED')
    assert.deepEqual([status, problem.code], [422, 'transfer_method_invalid'])
    assert.equal(problem.detail, `An ${method} transfer is returned from the receiving account: it cannot be settled as RETURNED here.`)
    assert.deepEqual((await venture.get(`/transfers/${transfer.id}`)).body, transfer)
  }
})

test('a frozen account settles pending transfers', async () => {
  const { venture, account, order } = await open('10.00')
  const transfer = await venture.createTransfer({ ...order, debit_amount: '4.00' })
  await venture.post(`/accounts/${account.id}/freeze`)
  assert.equal((await settle(venture, transfer, 'COMPLETED')).body.status, 'COMPLETED')
})

test('unknown transfers, transfers of others and unknown outcomes are refused', async () => {
  const { venture, order } = await open('10.00')
  const stranger = await bank.registerVenture()
  const transfer = await venture.createTransfer({ ...order, debit_amount: '4.00' })
  for (const outcome of ['COMPLETED', 'REJECTED', 'RETURNED']) {
    for (const answer of [await settle(venture, { id: randomUUID() }, outcome), await settle(stranger, transfer, outcome)]) {
      assert.deepEqual([answer.status, answer.problem.code], [404, 'transfer_not_found'])
    }
  }
  for (const body of [
    {},
    { outcome: 'completed' },
    { outcome: 'CANCELLED' },
    { outcome: null },
    { outcome: 'COMPLETED', amount: '1.00' },
  ]) {
    assert.equal((await venture.post(`/sandbox/transfers/${transfer.id}/settle`, body)).problem.code, 'invalid_request')
  }
  assert.equal((await venture.get(`/transfers/${transfer.id}`)).body.status, 'CREATED')
})
