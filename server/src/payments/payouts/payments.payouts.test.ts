// Payouts over HTTP: what they move, what they refuse, and concurrent requests.

import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFirstCase } from '../../cases/cases.ts'
import { createLog } from '../../platform/log.ts'
import { sandboxGatewayCredentials } from '../../sandbox/gateway/sandbox.gateway.ts'
import { expect, Shop } from '../../testing/testing.shop.ts'
import { Caller, type Loose, openBank } from '../../testing/testing.ts'
import { lockRow, untilBlocked } from '../../testing/testing.waits.ts'
import { openTransfers } from '../../transfers/transfers.ts'
import { addDays, todayUtc } from '../../values/calendar.ts'
import { bpcGateway } from '../gateway/payments.gateway.bpc.ts'
import { GatewayProxy } from '../payments.testing.ts'
import type { PayoutPolicy } from './payments.payouts.funds.ts'
import { makePayout, planPayout } from './payments.payouts.ts'

const proxy = await GatewayProxy.open()
const gateway = bpcGateway({ ...sandboxGatewayCredentials, url: () => proxy.url, timeout_ms: 60_000 })
const policy: PayoutPolicy = { card_fee: '0', payout_delay_days: 0 }
const bank = await openBank({}, { gateway, policy })
proxy.target = `${await bank.listen()}/sandbox/gateway`

afterEach(async () => {
  await proxy.heal()
  Object.assign(policy, { card_fee: '0', payout_delay_days: 0 })
  assert.deepEqual(await bank.wrongBooks(), [])
})

const payoutsOf = async ({ venture }: Shop) => expect(await venture.get('/payouts'), 200)

test('a venture names its payout account, another one, and none', async () => {
  const shop = await Shop.open(bank)
  assert.deepEqual(expect(await shop.venture.get('/payout-settings'), 200), { payout_account_id: null })
  const [one, other] = [await shop.venture.openAccount(), await shop.venture.openAccount()]
  for (const payout_account_id of [one.id, other.id, null]) {
    assert.deepEqual(expect(await shop.venture.put('/payout-settings', { payout_account_id }), 200), { payout_account_id })
    assert.deepEqual(expect(await shop.venture.get('/payout-settings'), 200), { payout_account_id })
  }
})

test('an account that does not exist, belongs to another venture or is not ACTIVE cannot be named', async () => {
  const [shop, other] = [await Shop.open(bank), await Shop.open(bank)]
  const { id: foreign } = await other.venture.openAccount()
  const { id: client_id } = await shop.venture.registerClient()
  const pending = { client_id, account_name: 'New', account_type: 'CURRENT', currency: 'EUR' }
  const { id: unopened } = expect(await shop.venture.post('/accounts', pending), 201)
  const [{ id: frozen }, { id: closed }] = [await shop.venture.openAccount(), await shop.venture.openAccount()]
  expect(await shop.venture.post(`/accounts/${frozen}/freeze`), 200)
  expect(await shop.venture.post(`/accounts/${closed}/close`), 200)
  const name = (payout_account_id: unknown) => shop.venture.put('/payout-settings', { payout_account_id })
  for (const id of [foreign, randomUUID()]) expect(await name(id), 404, 'account_not_found')
  for (const [id, status] of [
    [unopened, 'PENDING'],
    [frozen, 'SUSPENDED'],
    [closed, 'CLOSED'],
  ]) {
    const { detail, current_status } = expect(await name(id), 409, 'account_not_active')
    assert.equal(current_status, status)
    assert.match(detail, new RegExp(`is ${status}`))
  }
  expect(await name('no id'), 400, 'invalid_request')
  expect(await shop.venture.put('/payout-settings', {}), 400, 'invalid_request')
  const { rows } = await bank.owner.query('select from payout_settings where venture_id = $1', [shop.venture.venture.id])
  assert.equal(rows.length, 0)
})

test('a payout needs an account, and money that is payable in its currency', async () => {
  const shop = await Shop.open(bank)
  await shop.sell('25.00')
  expect(await shop.payOut(), 422, 'payout_account_missing')
  await shop.name(await shop.venture.openAccount({ currency: 'USD' }))
  assert.match(expect(await shop.payOut(), 422, 'nothing_to_pay_out').detail, /No card money in USD/)
  assert.deepEqual(await payoutsOf(shop), [])
  const card = { description: 'Card 5555 5555 5555 4444' }
  expect(await shop.venture.post('/payouts', card), 400, 'invalid_request')
  expect(await shop.venture.post('/payouts', { amount: '1.00' }), 400, 'invalid_request')
  expect(await shop.venture.get(`/payouts/${randomUUID()}`), 404, 'payout_not_found')
  assert.deepEqual(await shop.balance(), ['25.00', '25.00', '0.00', '0.00'])
})

test('a payout credits the account by a completed transfer of the service', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  await shop.sell('10.00')
  const answer = await shop.venture.post('/payouts', { description: 'Sales of May' })
  const payout = expect(answer, 201)
  assert.equal(answer.headers['location'], `/api/v1/payouts/${payout.id}`)
  const { id, transfer_id, created_at, ...rest } = payout
  assert.deepEqual(rest, {
    account_id: account.id,
    payment_id: null,
    currency: 'EUR',
    amount: '35.00',
    fee_amount: '0.00',
    net_amount: '35.00',
    description: 'Sales of May',
  })
  assert.deepEqual(expect(await shop.venture.get(`/payouts/${id}`), 200), payout)
  assert.deepEqual(await payoutsOf(shop), [payout])
  const transfer = expect(await shop.venture.get(`/transfers/${transfer_id}`), 200)
  const { direction, method, transfer_type, status, credit_amount, debit_amount, purpose, unique_reference, account_id } = transfer
  assert.deepEqual(
    { direction, method, transfer_type, status, credit_amount, debit_amount, purpose, unique_reference, account_id },
    {
      direction: 'INBOUND',
      method: 'CARD',
      transfer_type: 'PAYMENT',
      status: 'COMPLETED',
      credit_amount: '35.00',
      debit_amount: '35.00',
      purpose: 'Sales of May',
      unique_reference: transfer_id,
      account_id: account.id,
    },
  )
  const [move] = expect(await shop.venture.get(`/transfers/${transfer_id}/history`), 200)
  assert.deepEqual([move.from_status, move.to_status, move.actor], [null, 'COMPLETED', 'service'])
  assert.deepEqual(await shop.venture.balances(account), ['35.00', '0.00', '35.00'])
  const [entry] = expect(await shop.venture.get(`/accounts/${account.id}/entries`), 200)
  assert.deepEqual([entry.transfer_id, entry.amount, entry.balance], [transfer_id, '35.00', '35.00'])
  assert.deepEqual(await bank.systemBalances(shop.venture), { 'settlement:CARD:EUR': '-35.00' })
  assert.deepEqual(await shop.balance(), ['0.00', '0.00', '35.00', '0.00'])
  const types = await bank.eventTypes(shop.venture)
  assert.deepEqual(
    types.filter((type) => type.startsWith('payout.')),
    ['payout.created'],
  )
  const [event] = expect(await shop.venture.get('/events?type=payout.created'), 200)
  assert.deepEqual([event.data.object, event.sequence], [payout, 1])
  expect(await shop.payOut(), 422, 'nothing_to_pay_out')
})

test('payouts are listed newest first, page by page', async () => {
  const { shop } = await Shop.openWithAccount(bank)
  const made: string[] = []
  for (const amount of ['1.00', '2.00', '3.00']) {
    await shop.sell(amount)
    made.unshift(expect(await shop.payOut(), 201).id)
  }
  const first = await shop.venture.get('/payouts?limit=2')
  assert.deepEqual(
    first.body.map(({ id }: Loose) => id),
    made.slice(0, 2),
  )
  assert.equal(first.headers['link'], `</api/v1/payouts?limit=2&after=${made[1]}>; rel="next"`)
  assert.deepEqual(
    (await shop.venture.get(`/payouts?limit=2&after=${made[1]}`)).body.map(({ id }: Loose) => id),
    made.slice(2),
  )
})

test('no order can be what only the service records', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const order = { unique_reference: randomUUID(), account_id: account.id, direction: 'INBOUND', method: 'CARD', credit_amount: '1.00' }
  expect(await shop.venture.post('/transfers', order), 422, 'transfer_method_invalid')
})

test('a payout cannot be returned by a transfer', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  const { transfer_id } = expect(await shop.payOut(), 201)
  const beneficiary = await shop.venture.addBeneficiary(account.client_id)
  for (const transfer_type of ['PAYMENT_RETURN', 'CARD_REVERSAL']) {
    const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00', transfer_type }
    const { status, problem, text } = await shop.venture.post('/transfers', {
      unique_reference: randomUUID(),
      parent_transaction_id: transfer_id,
      ...order,
    })
    assert.ok(status === 422 && problem.code === 'parent_invalid', text)
  }
})

test('a repeated request with an idempotency key gets the payout of the first, also when its answer was not kept', async () => {
  const { shop } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  const pay = () =>
    shop.venture.send({
      method: 'POST',
      url: '/api/v1/payouts',
      headers: { 'idempotency-key': 'once', 'content-type': 'application/json' },
      payload: '{}',
    })
  const first = await pay()
  expect(first, 201)
  await shop.sell('3.00')
  assert.equal((await pay()).text, first.text)
  await bank.owner.query('update idempotency_keys set status = null, location = null, body = null where venture_id = $1', [
    shop.venture.venture.id,
  ])
  const again = await pay()
  assert.deepEqual([again.status, again.text, again.headers['location']], [201, first.text, first.headers['location']])
  assert.equal((await payoutsOf(shop)).length, 1)
})

test('the fee goes to the bank, rounded half up, and a payout that the fee would use up is not made', async () => {
  policy.card_fee = '0.014'
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.sell('12.50')
  const { amount, fee_amount, net_amount } = expect(await shop.payOut(), 201)
  assert.deepEqual([amount, fee_amount, net_amount], ['12.50', '0.18', '12.32'])
  assert.equal(await shop.balanceOf(account), '12.32')
  assert.deepEqual(await bank.systemBalances(shop.venture), { 'settlement:CARD:EUR': '-12.50', 'fees:EUR': '0.18' })
  assert.deepEqual(await shop.balance(), ['0.00', '0.00', '12.50', '0.18'])
  policy.card_fee = '0.5'
  await shop.sell('0.01')
  expect(await shop.payOut(), 422, 'nothing_to_pay_out')
  assert.deepEqual(await shop.balance(), ['0.01', '0.01', '12.50', '0.18'])
})

test('money is paid out only when it is older than the delay, and a refund of recent money does not touch older money', async () => {
  policy.payout_delay_days = 2
  const { shop, account } = await Shop.openWithAccount(bank)
  const [old, young] = [await shop.sell('25.00'), await shop.sell('40.00')]
  const paidBefore = (hours: number, { id }: Loose) =>
    bank.owner.query(`update payments set paid_at = now() - $1 * interval '1 hour' where id = $2`, [hours, id])
  await paidBefore(47, old)
  expect(await shop.payOut(), 422, 'nothing_to_pay_out')
  assert.deepEqual(await shop.balance(), ['65.00', '0.00', '0.00', '0.00'])
  await paidBefore(49, old)
  assert.deepEqual(await shop.balance(), ['65.00', '25.00', '0.00', '0.00'])
  expect(await shop.refund(young, '30.00'), 200)
  assert.deepEqual(await shop.balance(), ['35.00', '25.00', '0.00', '0.00'])
  assert.equal(expect(await shop.payOut(), 201).amount, '25.00')
  assert.equal(await shop.balanceOf(account), '25.00')
  assert.deepEqual(await shop.balance(), ['10.00', '0.00', '25.00', '0.00'])
})

test('a refund of money that was paid out takes what is not payable back from the payout account, by a completed transfer of the service', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  await shop.sell('4.00')
  expect(await shop.refund(payment, '10.00'), 200)
  assert.deepEqual(await shop.balance(), ['0.00', '0.00', '19.00', '0.00'])
  assert.equal(await shop.balanceOf(account), '19.00')
  const [recovery] = await payoutsOf(shop)
  const { id, transfer_id, created_at, ...rest } = recovery
  assert.deepEqual(rest, {
    account_id: account.id,
    payment_id: payment.id,
    currency: 'EUR',
    amount: '-6.00',
    fee_amount: '0.00',
    net_amount: '-6.00',
    description: null,
  })
  assert.deepEqual(expect(await shop.venture.get(`/payouts/${id}`), 200), recovery)
  const transfer = expect(await shop.venture.get(`/transfers/${transfer_id}`), 200)
  const { direction, method, transfer_type, status, debit_amount, credit_amount, purpose, unique_reference, account_id } = transfer
  assert.deepEqual(
    { direction, method, transfer_type, status, debit_amount, credit_amount, purpose, unique_reference, account_id },
    {
      direction: 'OUTBOUND',
      method: 'CARD',
      transfer_type: 'PAYMENT',
      status: 'COMPLETED',
      debit_amount: '6.00',
      credit_amount: '6.00',
      purpose: 'Refund of card payments',
      unique_reference: transfer_id,
      account_id: account.id,
    },
  )
  const [entry] = expect(await shop.venture.get(`/accounts/${account.id}/entries`), 200)
  assert.deepEqual([entry.transfer_id, entry.amount, entry.balance], [transfer_id, '-6.00', '19.00'])
  const [event] = expect(await shop.venture.get('/events?type=payout.created'), 200)
  assert.deepEqual([event.data.object, event.sequence], [recovery, 1])
  // Money that the account gave back is not taken back from the payer.
  const order = { account_id: account.id, direction: 'INBOUND', transfer_type: 'CARD_REVERSAL', parent_transaction_id: transfer_id }
  const back = await shop.venture.post('/transfers', { ...order, unique_reference: randomUUID(), credit_amount: '6.00' })
  expect(back, 422, 'parent_invalid')
  expect(await shop.payOut(), 422, 'nothing_to_pay_out')
  await shop.sell('7.00')
  assert.equal(expect(await shop.payOut(), 201).amount, '7.00')
})

test('a cancellation of a paid payment takes the money back like a refund', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  expect(await shop.cancel(payment), 200)
  assert.deepEqual(await shop.balance(), ['0.00', '0.00', '0.00', '0.00'])
  assert.equal(await shop.balanceOf(account), '0.00')
  assert.deepEqual(
    (await payoutsOf(shop)).map(({ payment_id, amount }: Loose) => [payment_id, amount]),
    [
      [payment.id, '-25.00'],
      [null, '25.00'],
    ],
  )
})

test('refunds of money that was paid out and spent gain nothing, however often they are tried', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  for (const [amount, rest] of [
    ['100.00', '100.00'],
    ['300.00', '200.00'],
    ['700.00', '400.00'],
  ] as const) {
    const payment = await shop.sell(amount)
    expect(await shop.payOut(), 201)
    expect(await shop.refund(payment, rest), 200)
    const left = await shop.balanceOf(account)
    if (left !== '0.00') await shop.spend(account, left)
    if (amount !== rest) expect(await shop.refund(payment, '0.01'), 422, 'payable_insufficient')
    assert.equal((await shop.balance())[0], '0.00')
  }
})

test('a refund that the gateway declines leaves its money payable, and the next payout pays it out', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  proxy.always({ says: { errorCode: 5, errorMessage: 'declined' } }, 'refund')
  expect(await shop.refund(payment, '10.00'), 409, 'refund_refused')
  await proxy.heal()
  assert.equal(await shop.balanceOf(account), '15.00')
  assert.deepEqual(await shop.balance(), ['10.00', '10.00', '15.00', '0.00'])
  assert.equal(expect(await shop.payOut(), 201).amount, '10.00')
  assert.equal(await shop.balanceOf(account), '25.00')
})

test('the fee of money that was taken back for a refund or a cancellation that the gateway declines is charged once', async () => {
  policy.card_fee = '0.1'
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  const paidOut = async () => {
    const { amount, fee_amount } = expect(await shop.payOut(), 201)
    return [amount, fee_amount]
  }
  assert.deepEqual(await paidOut(), ['25.00', '2.50'])
  proxy.always({ says: { errorCode: 5, errorMessage: 'declined' } }, 'refund')
  expect(await shop.refund(payment, '10.00'), 409, 'refund_refused')
  assert.deepEqual(await paidOut(), ['10.00', '0.00'])
  proxy.always({ says: { errorCode: 5, errorMessage: 'declined' } }, 'reverse')
  await shop.venture.deposit(account.id, '2.50')
  assert.equal((await shop.cancel(payment)).status, 409)
  assert.equal(await shop.balanceOf(account), '0.00')
  await proxy.heal()
  await shop.sell('10.00')
  assert.deepEqual(await paidOut(), ['35.00', '1.00'], 'the fee of the new money alone')
  // Money that was refunded to the payer is not exempt from the fee.
  expect(await shop.refund(payment, '20.00'), 200)
  await shop.sell('20.00')
  assert.deepEqual(await paidOut(), ['20.00', '2.00'])
})

test('nothing is taken from a payout account that is frozen or closed, or whose client is blocked', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  const refused = async (reason: RegExp) => {
    for (const answer of [await shop.refund(payment, '1.00'), await shop.cancel(payment)]) {
      assert.match(expect(answer, 422, 'payable_insufficient').detail, reason)
    }
  }
  expect(await shop.venture.put(`/clients/${account.client_id}`, { blocked: true }), 200)
  await refused(/The client is blocked/)
  expect(await shop.venture.put(`/clients/${account.client_id}`, { blocked: false }), 200)
  expect(await shop.venture.post(`/accounts/${account.id}/freeze`), 200)
  await refused(/The account is SUSPENDED/)
  expect(await shop.venture.post(`/accounts/${account.id}/activate`), 200)
  await shop.spend(account, '25.00')
  expect(await shop.venture.post(`/accounts/${account.id}/close`), 200)
  await refused(/The account is CLOSED/)
  assert.equal((await payoutsOf(shop)).length, 1)
})

test('what the gateway gives back by itself makes payable negative, and further payments fill it up', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  assert.equal((await shop.byHand('refund', payment, 1_000)).refunded_amount, '10.00')
  assert.deepEqual(await shop.balance(), ['-10.00', '0.00', '25.00', '0.00'])
  expect(await shop.payOut(), 422, 'nothing_to_pay_out')
  await shop.sell('4.00')
  expect(await shop.payOut(), 422, 'nothing_to_pay_out')
  await shop.sell('7.00')
  assert.equal(expect(await shop.payOut(), 201).amount, '1.00')
  assert.equal(await shop.balanceOf(account), '26.00')
})

test('a late payment after a payout is paid out with the next one', async () => {
  const { shop } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  const late = await shop.order('8.00')
  assert.equal((await shop.try(late, 'lost')).status, 'REFUSED')
  expect(await shop.payOut(), 201)
  assert.equal((await shop.try(late)).status, 'PAID')
  assert.equal(expect(await shop.payOut(), 201).amount, '8.00')
})

test('a refund or a reversal beyond payable and the balance of the payout account is refused, and nothing is stored', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  await shop.spend(account, '15.00')
  const problem = expect(await shop.refund(payment, '10.01'), 422, 'payable_insufficient')
  assert.deepEqual([problem.payable, problem.available_balance], ['0.00', '10.00'])
  expect(await shop.cancel(payment), 422, 'payable_insufficient')
  const { rows } = await bank.owner.query('select from payment_refunds where payment_id = $1', [payment.id])
  assert.equal(rows.length, 0)
  const { status, refunded_amount } = await shop.refresh(payment)
  assert.deepEqual([status, refunded_amount], ['PAID', '0.00'])
  expect(await shop.refund(payment, '10.00'), 200)
  assert.deepEqual(await shop.balance(), ['0.00', '0.00', '15.00', '0.00'])
  assert.equal(await shop.balanceOf(account), '0.00')
  expect(await shop.refund(payment, '0.01'), 422, 'payable_insufficient')
  assert.equal((await shop.get(payment)).refunded_amount, '10.00')
  await shop.sell('15.00')
  expect(await shop.refund(payment, '15.00'), 200)
  assert.equal((await shop.get(payment)).status, 'REFUNDED')
})

test('a venture that stops paying out is still held to what it was paid, and an order that was not paid can always be canceled', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  expect(await shop.venture.put('/payout-settings', { payout_account_id: null }), 200)
  assert.equal(await shop.balanceOf(account), '25.00')
  expect(await shop.refund(payment, '1.00'), 422, 'payable_insufficient')
  assert.equal((await shop.byHand('refund', payment, 500)).refunded_amount, '5.00')
  assert.deepEqual(await shop.balance(), ['-5.00', '0.00', '25.00', '0.00'])
  expect(await shop.cancel(await shop.order()), 200)
})

test('the balance of a payout account in another currency covers nothing', async () => {
  const { shop } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  const dollars = await shop.venture.openAccount({ currency: 'USD', balance: '100.00' })
  await shop.name(dollars)
  expect(await shop.refund(payment, '1.00'), 422, 'payable_insufficient')
})

test('a refund under way counts: it is neither paid out nor covered again', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const [payment, other] = [await shop.sell('25.00'), await shop.sell('5.00')]
  proxy.always('cut', 'refund')
  expect(await shop.refund(payment, '20.00'), 503, 'outcome_unknown')
  assert.deepEqual(await shop.balance(), ['30.00', '10.00', '0.00', '0.00'])
  assert.equal(expect(await shop.payOut(), 201).amount, '10.00')
  await shop.spend(account, '10.00')
  expect(await shop.refund(other, '1.00'), 422, 'payable_insufficient')
  await proxy.heal()
  await bank.owner.query(`update payment_refunds set asked_until = now() where status = 'PENDING'`)
  await bank.owner.query(`update jobs set due_at = now() where kind = 'payments.refund'`)
  await bank.runJobs()
  assert.equal((await shop.get(payment)).refunded_amount, '20.00')
  assert.deepEqual(await shop.balance(), ['0.00', '0.00', '10.00', '0.00'])
})

test('a reversal under way counts like a refund', async () => {
  const { shop } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  await shop.sell('5.00')
  proxy.always('cut', 'reverse')
  expect(await shop.cancel(payment), 503, 'outcome_unknown')
  assert.deepEqual(await shop.balance(), ['30.00', '5.00', '0.00', '0.00'])
  assert.equal(expect(await shop.payOut(), 201).amount, '5.00')
})

test('a payout to an account that is no longer ACTIVE is refused, and the money stays payable', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  expect(await shop.venture.post(`/accounts/${account.id}/freeze`), 200)
  assert.equal(expect(await shop.payOut(), 409, 'account_not_active').current_status, 'SUSPENDED')
  assert.deepEqual(await shop.balance(), ['25.00', '25.00', '0.00', '0.00'])
})

test('payouts at the same time, on two instances, pay the money out once', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  const second = new Caller(await bank.openInstance(), shop.venture.headers)
  const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => (n % 2 === 0 ? shop.venture : second).post('/payouts')))
  const made = answers.filter(({ status }) => status === 201)
  assert.equal(made.length, 1, answers.map(({ text }) => text).join('\n'))
  for (const { status, problem } of answers) assert.ok(status === 201 || ['nothing_to_pay_out', 'payout_changed'].includes(problem.code))
  assert.equal(await shop.balanceOf(account), '25.00')
  assert.equal((await payoutsOf(shop)).length, 1)
})

test('of two payouts that were planned for the same money, one is made, in one batch and in two', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const { id: venture_id } = shop.venture.venture
  const open = () => ({
    database: bank.database,
    log: createLog('silent'),
    transfers: openTransfers(bank.database, bank.config.bank, openFirstCase),
    policyOf: async () => policy,
  })
  const [one, other] = [open(), open()]
  for (const instances of [
    [one, one],
    [one, other],
  ]) {
    await shop.sell('25.00')
    const plans = await Promise.all(instances.map((payouts) => planPayout(payouts, { venture_id, order: {}, run_on: null })))
    const made = await Promise.allSettled(plans.map((plan, n) => makePayout(instances[n] ?? one, plan)))
    assert.deepEqual(made.map((result) => (result.status === 'fulfilled' ? 'made' : result.reason.code)).sort(), ['made', 'payout_changed'])
  }
  assert.equal(await shop.balanceOf(account), '50.00')
})

test('refunds, sales and payouts at the same time, on two instances: no deadlock, and never more refunded than is there', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const elsewhere = new Caller(await bank.openInstance(), shop.venture.headers)
  const payments = await Promise.all(Array.from({ length: 6 }, () => shop.sell('10.00')))
  expect(await shop.payOut(), 201)
  await shop.spend(account, '35.00')
  // 25.00 are left: of six refunds of 10.00, two are covered.
  const acts = payments.map(({ id }, n) => (n % 2 === 0 ? shop.venture : elsewhere).post(`/payments/${id}/refund`))
  const others = [elsewhere.post('/payouts'), shop.payOut(), shop.order('1.00')]
  const answers = await Promise.all(acts)
  await Promise.all(others)
  assert.deepEqual(answers.map(({ status, problem }) => problem?.code ?? status).sort(), [
    200,
    200,
    ...Array.from({ length: 4 }, () => 'payable_insufficient'),
  ])
  assert.deepEqual(await shop.balance(), ['0.00', '0.00', '40.00', '0.00'])
  assert.equal(await shop.balanceOf(account), '5.00')
})

const lockSettings = ({ venture }: Shop) =>
  bank.owner.query('select from payout_settings where venture_id = $1 for no key update', [venture.venture.id])

test('a payout waits for a refund that is being stored, and leaves its money', async () => {
  const { shop } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  await bank.owner.query('begin')
  await lockSettings(shop)
  const paying = shop.payOut()
  assert.ok(await untilBlocked(bank.owner, paying), 'it did not wait')
  await bank.owner.query(
    `insert into payment_refunds (venture_id, payment_id, external_refund_id, amount, status, created_at)
     values ($1, $2, 'stored', 20, 'PENDING', now())`,
    [shop.venture.venture.id, payment.id],
  )
  await bank.owner.query('commit')
  assert.equal(expect(await paying, 201).amount, '5.00')
})

test('a refund waits for a payout of the venture, and so does a reversal', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const [payment, other] = [await shop.sell('25.00'), await shop.sell('1.00')]
  for (const act of [() => shop.refund(payment, '1.00'), () => shop.cancel(other)]) {
    await bank.owner.query('begin')
    await lockSettings(shop)
    const acting = act()
    assert.ok(await untilBlocked(bank.owner, acting), 'it did not wait')
    await bank.owner.query('rollback')
    expect(await acting, 200)
  }
  assert.equal(await shop.balanceOf(account), '0.00')
})

test('a venture that names its first payout account waits for a refund that is being stored, and its money is not paid out', async () => {
  const shop = await Shop.open(bank)
  const account = await shop.venture.openAccount()
  const payment = await shop.sell('100.00')
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'payments', payment.id, 'update')
  const refunding = shop.refund(payment, '100.00')
  assert.ok(await untilBlocked(bank.owner, refunding), 'it did not wait')
  const paying = shop.name(account).then(() => shop.payOut())
  await untilBlocked(bank.owner, paying, { behind: true })
  await bank.owner.query('commit')
  expect(await paying, 422, 'nothing_to_pay_out')
  expect(await refunding, 200)
  assert.deepEqual([await shop.balance(), await shop.balanceOf(account)], [['0.00', '0.00', '0.00', '0.00'], '0.00'])
})

test('a refund waits for the holder of the lock on the payout account, and then sees what is left', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const payment = await shop.sell('25.00')
  expect(await shop.payOut(), 201)
  const reserve = (amount: string) => bank.owner.query('update accounts set reserved_balance = $2 where id = $1', [account.id, amount])
  await bank.owner.query('begin')
  await reserve('20.00')
  const refunding = shop.refund(payment, '10.00')
  assert.ok(await untilBlocked(bank.owner, refunding), 'it did not wait')
  await bank.owner.query('commit')
  assert.match(expect(await refunding, 422, 'payable_insufficient').detail, /10\.00 EUR needed, 5\.00 EUR available/)
  const { rows } = await bank.owner.query('select from payment_refunds where payment_id = $1', [payment.id])
  assert.deepEqual([rows.length, (await payoutsOf(shop)).length], [0, 1])
  await reserve('0')
})

test('a payout that finds another account named than the one it was planned for starts again with that one', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  const other = await shop.venture.openAccount()
  await bank.owner.query('begin')
  await lockSettings(shop)
  const paying = shop.payOut()
  assert.ok(await untilBlocked(bank.owner, paying), 'it did not wait')
  await bank.owner.query('update payout_settings set payout_account_id = $2 where venture_id = $1', [shop.venture.venture.id, other.id])
  await bank.owner.query('commit')
  assert.equal(expect(await paying, 201).account_id, other.id)
  assert.deepEqual([await shop.balanceOf(account), await shop.balanceOf(other)], ['0.00', '25.00'])
})

test('a payout that is killed leaves neither a transfer nor a payout', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'accounts', account.id, 'no key update')
  let over = false
  const killed = shop.payOut().finally(() => {
    over = true
  })
  while (!over) {
    await bank.owner.query(`
      select pg_terminate_backend(pid) from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`)
    await sleep(2)
  }
  await bank.owner.query('rollback')
  expect(await killed, 503, 'unavailable')
  assert.deepEqual([await payoutsOf(shop), await shop.balanceOf(account)], [[], '0.00'])
  assert.deepEqual(await shop.balance(), ['25.00', '25.00', '0.00', '0.00'])
  expect(await shop.payOut(), 201)
})

// ——— The daily run ———

const tomorrow = () => addDays(todayUtc(new Date()), 1)

async function jobsOf({ venture }: Shop): Promise<Loose[]> {
  const { rows } = await bank.owner.query(
    `select payload->>'day' as day,
       abs(extract(epoch from due_at - (payload->>'day')::timestamp at time zone 'UTC')) < 60 as at_midnight
     from jobs where kind = 'payments.payout' and venture_id = $1 order by 1`,
    [venture.venture.id],
  )
  return rows
}

/** Runs the planned daily payout as if its day had come. */
async function runDay({ venture }: Shop): Promise<void> {
  await bank.owner.query(`update jobs set due_at = now() where kind = 'payments.payout' and venture_id = $1`, [venture.venture.id])
  await bank.runJobs()
}

test('naming an account plans a payout for the next day, which plans the one after it', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.name(account)
  assert.deepEqual(
    (await jobsOf(shop)).map(({ day, at_midnight }) => [day, at_midnight]),
    [[tomorrow(), true]],
  )
  await shop.sell('25.00')
  await runDay(shop)
  const [payout] = await payoutsOf(shop)
  assert.deepEqual([payout.amount, payout.description], ['25.00', null])
  assert.equal(expect(await shop.venture.get(`/transfers/${payout.transfer_id}`), 200).purpose, 'Card payments')
  assert.deepEqual(
    (await jobsOf(shop)).map(({ day }) => day),
    [addDays(tomorrow(), 1)],
  )
  await runDay(shop)
  assert.equal((await payoutsOf(shop)).length, 1)
  assert.deepEqual(
    (await jobsOf(shop)).map(({ day }) => day),
    [addDays(tomorrow(), 2)],
  )
})

test('a daily run that is repeated, twice at once or after a crash, pays out once and plans one next run', async () => {
  const { shop } = await Shop.openWithAccount(bank)
  const { id: venture_id } = shop.venture.venture
  const repeat = `insert into jobs (id, kind, venture_id, payload, due_at)
    select gen_random_uuid(), 'payments.payout', $1, json_build_object('venture_id', $1::uuid, 'day', $2::text), now() from generate_series(1, 4)`
  await shop.sell('25.00')
  await bank.owner.query(repeat, [venture_id, tomorrow()])
  await runDay(shop)
  assert.deepEqual([(await payoutsOf(shop)).length, (await jobsOf(shop)).length], [1, 1])
  // The process died after the payout: the day is still planned, and there is money again.
  await shop.sell('3.00')
  await bank.owner.query('update payout_settings set next_run_on = $2 where venture_id = $1', [venture_id, tomorrow()])
  await bank.owner.query('delete from jobs where venture_id = $1', [venture_id])
  await bank.owner.query(repeat, [venture_id, tomorrow()])
  await bank.runJobs()
  assert.deepEqual([(await payoutsOf(shop)).length, (await jobsOf(shop)).map(({ day }) => day)], [1, [addDays(tomorrow(), 1)]])
})

test('naming the account again plans a run if the planned one was lost', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await bank.owner.query(`delete from jobs where kind = 'payments.payout' and venture_id = $1`, [shop.venture.venture.id])
  await shop.name(account)
  assert.deepEqual(await jobsOf(shop), [])
  await bank.owner.query('update payout_settings set next_run_on = $2 where venture_id = $1', [
    shop.venture.venture.id,
    addDays(todayUtc(new Date()), -1),
  ])
  await shop.name(account)
  assert.deepEqual(
    (await jobsOf(shop)).map(({ day }) => day),
    [tomorrow()],
  )
})

test('without an account the daily runs end, and naming one starts them again', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  await shop.sell('25.00')
  expect(await shop.venture.put('/payout-settings', { payout_account_id: null }), 200)
  await runDay(shop)
  assert.deepEqual([await payoutsOf(shop), await jobsOf(shop)], [[], []])
  await shop.name(account)
  assert.equal((await jobsOf(shop)).length, 1)
})

test('a frozen account or a disabled venture gets nothing, and the next day is planned', async () => {
  const { shop, account } = await Shop.openWithAccount(bank)
  const { id } = shop.venture.venture
  await shop.sell('25.00')
  expect(await bank.admin.put(`/ventures/${id}`, { status: 'DISABLED' }), 200)
  await runDay(shop)
  expect(await bank.admin.put(`/ventures/${id}`, { status: 'ACTIVE' }), 200)
  assert.deepEqual([await payoutsOf(shop), (await jobsOf(shop)).length], [[], 1])
  expect(await shop.venture.post(`/accounts/${account.id}/freeze`), 200)
  await runDay(shop)
  assert.deepEqual([await payoutsOf(shop), (await jobsOf(shop)).length], [[], 1])
  assert.ok(bank.logLines.some((line) => line.includes('card money could not be paid out') && line.includes(id)))
  expect(await shop.venture.post(`/accounts/${account.id}/activate`), 200)
  await runDay(shop)
  assert.equal((await payoutsOf(shop)).length, 1)
})
