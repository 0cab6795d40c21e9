// Transfers that the bank processes: closing their account, old authorisations, disabled ventures, the sandbox, and the bank's rates.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ManagedVenture, operator, toSent } from '../testing/testing.managed.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { checkInvariants } from '../verify/verify.ts'
import type { TransferStatus } from './life/transfers.status.ts'
import { cancelOldAuthorisations } from './orders/transfers.authorisations.ts'
import { listTransitions } from './orders/transfers.standing.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)

async function openPayer(balance = '1000.00') {
  const account = await venture.openAccount({ balance })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const payment = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '10.00' }
  return { account, beneficiary, payment }
}

const historyOf = async ({ id }: { id: string }): Promise<string[][]> =>
  (await venture.get(`/transfers/${id}/history`)).body.map(({ to_status, actor, reason_code }: Loose) => [to_status, actor, reason_code])

test('an account with a transfer that was sent and has not ended is not closed', async () => {
  const { account, payment } = await openPayer('10.00')
  const sent = await venture.createTransfer({ ...payment, method: 'SEPA' })
  await venture.process(sent, ...toSent)
  // A collection has no hold, so only the transfer itself shows that money may still arrive.
  const debited = await openPayer('10.00')
  const back = await venture.order({ ...debited.payment, method: 'SDD', direction: 'OUTBOUND' })
  await venture.process(back, 'RECEIVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'RESERVED', 'COMPLETED')
  const asked = await venture.createTransfer({
    account_id: debited.account.id,
    direction: 'INBOUND',
    transfer_type: 'PAYMENT_RETURN',
    parent_transaction_id: back.id,
    credit_amount: '10.00',
  })
  await venture.process(asked, 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'READY_TO_CLEAR', 'SENT_TO_CLEAR')
  assert.deepEqual(await venture.balances(debited.account), ['0.00', '0.00', '0.00'])
  const { status, problem } = await venture.post(`/accounts/${debited.account.id}/close`)
  assert.deepEqual([status, problem?.code, problem?.transfer_id], [409, 'account_not_empty', asked.id])
  assert.equal((await venture.get(`/accounts/${debited.account.id}`)).body.status, 'ACTIVE')
  await venture.move(asked.id, { status: 'REJECTED', third_party_status: 'RJCT' })
  assert.equal((await venture.post(`/accounts/${debited.account.id}/close`)).status, 200)

  await venture.process(sent, 'COMPLETED')
  assert.equal((await venture.post(`/accounts/${account.id}/close`)).status, 200)
})

test('only rails say that a payment is sent which leaves in a message', async () => {
  const { payment } = await openPayer()
  const [alone, together] = [{ actor: operator }, { actor: operator, approved: true }]
  const ready = toSent.slice(0, -1)
  const packed = await venture.createTransfer({ ...payment, method: 'SEPA' })
  await venture.process(packed, ...ready, 'SENT_TO_PACK', 'PACKED')
  const instant = await venture.createTransfer({ ...payment, method: 'INST' })
  await venture.process(instant, ...ready)
  for (const { id } of [packed, instant]) {
    // No approval is requested that would fail.
    for (const by of [alone, together]) await assert.rejects(venture.move(id, { status: 'SENT_TO_CLEAR' }, by), { code: 'sent_by_rails' })
    const moves = await listTransitions(venture.transfers, venture.venture.id, id, together)
    assert.deepEqual(
      moves.filter(({ blocked_by }) => blocked_by === 'sent_by_rails').map(({ status }) => status),
      ['SENT_TO_CLEAR'],
    )
  }
  // People move what no rail carries, and what was sent.
  const abroad = await venture.createTransfer({ ...payment, method: 'SWIFT' })
  await venture.process(abroad, ...ready)
  await venture.move(abroad.id, { status: 'SENT_TO_CLEAR' }, together)
  await venture.process(packed, 'SENT_TO_CLEAR', 'TO_CANCEL')
  await venture.move(packed.id, { status: 'SENT_TO_CLEAR' }, together)
})

test('an OPEN account closes on two zero balances', async () => {
  const open = await bank.registerVenture()
  const account = await open.openAccount()
  const asked = await open.createTransfer({ account_id: account.id, direction: 'INBOUND', method: 'SDD', credit_amount: '10.00' })
  for (const status of ['READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'READY_TO_CLEAR', 'SENT_TO_CLEAR'])
    assert.equal((await open.put(`/transfers/${asked.id}`, { status })).status, 200)
  assert.equal((await open.post(`/accounts/${account.id}/close`)).status, 200)
})

async function cancelOld(ventures: readonly string[], now: Date): Promise<number> {
  let cancelled = 0
  for await (const count of cancelOldAuthorisations(venture.transfers, { ventures, days: 7, now })) cancelled += count
  return cancelled
}

test('the service cancels a card authorisation after seven days, once', async () => {
  const { account, payment } = await openPayer('50.00')
  const card = { ...payment, method: 'CARD', transfer_type: 'CARD_AUTH' } as const
  const authorisation = await venture.order(card)
  await venture.process(authorisation, 'RESERVED')
  const held = await venture.order({ ...card, debit_amount: '5.00' })
  await venture.process(held, 'RESERVED', 'ON_HOLD')
  const advice = await venture.order({ ...card, transfer_type: 'CARD_ADVICE', debit_amount: '1.00' })
  await venture.process(advice, 'RESERVED')
  const screened = await venture.order({ ...card, debit_amount: '2.00' })
  await venture.process(screened, 'RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING')
  const day_ms = 86_400_000
  const created = Math.max(...[authorisation, held, screened].map(({ created_at }) => Date.parse(created_at)))
  const ids = [venture.venture.id]
  assert.equal(await cancelOld(ids, new Date(Date.parse(authorisation.created_at) + 7 * day_ms)), 0)
  assert.equal(await cancelOld([], new Date(created + 8 * day_ms)), 0)
  assert.equal(await cancelOld(ids, new Date(created + 7 * day_ms + 1)), 2)
  assert.deepEqual((await historyOf(authorisation)).at(-1), ['CANCELLED', 'service', null])
  assert.equal((await venture.get(`/transfers/${held.id}`)).body.status, 'CANCELLED')
  assert.deepEqual(await venture.balances(account), ['50.00', '3.00', '47.00'], 'the advice, and what is being screened')
  assert.equal(await cancelOld(ids, new Date(created + 9 * day_ms)), 0)
  await venture.process(screened, 'AML_APPROVED')
  assert.equal(await cancelOld(ids, new Date(created + 9 * day_ms)), 1)
})

test('an authorisation of an OPEN venture stays', async () => {
  const open = await bank.registerVenture()
  const account = await open.openAccount({ balance: '50.00' })
  const { id: beneficiary_id } = await open.addBeneficiary(account.client_id)
  const card = { account_id: account.id, beneficiary_id, debit_amount: '5.00', method: 'CARD', transfer_type: 'CARD_AUTH' }
  const { id } = await open.createTransfer(card)
  await open.put(`/transfers/${id}`, { status: 'RESERVED' })
  assert.equal(await cancelOld([open.venture.id], new Date(Date.now() + 90 * 86_400_000)), 0)
})

test('nothing that a disabled venture ordered is processed, what was sent settles, and what arrives waits', async () => {
  const disabled = await ManagedVenture.open(bank)
  const account = await disabled.openAccount({ balance: '100.00' })
  const { id: beneficiary_id } = await disabled.addBeneficiary(account.client_id)
  const payment = { account_id: account.id, beneficiary_id, debit_amount: '10.00' }
  const [waiting, packed, sent, held, signing] = await Promise.all([1, 2, 3, 4, 5].map(() => disabled.createTransfer(payment)))
  await disabled.process(signing, 'TO_SIGN')
  await disabled.process(packed, ...toSent.slice(0, -1), 'SENT_TO_PACK')
  await disabled.process(sent, ...toSent)
  await disabled.process(held, 'ON_HOLD')
  const become = (status: string) => bank.admin.put(`/ventures/${disabled.venture.id}`, { status })
  await become('DISABLED')
  const refused = (id: string, status: Parameters<typeof disabled.process>[1]) =>
    assert.rejects(disabled.move(id, { status }), { code: 'venture_disabled' })
  for (const status of ['TO_SIGN', 'TO_RESERVE', 'RESERVED', 'READY_FOR_SCREENING'] as const) await refused(waiting.id, status)
  await refused(signing.id, 'SIGNED')
  await refused(packed.id, 'PACKED')
  await disabled.move(packed.id, { status: 'READY_TO_CLEAR' })
  await refused(packed.id, 'SENT_TO_CLEAR')
  await disabled.move(packed.id, { status: 'ON_HOLD' })
  await disabled.move(sent.id, { status: 'COMPLETED' })
  await disabled.move(held.id, { status: 'CREATED' })
  await disabled.move(held.id, { status: 'CANCELLED' })
  const arriving = await disabled.order({ account_id: account.id, direction: 'INBOUND', credit_amount: '7.00' })
  await disabled.move(arriving.id, { status: 'RECEIVED' })
  await refused(arriving.id, 'READY_FOR_SCREENING')
  await disabled.move(arriving.id, { status: 'CREDIT_TECH_BALANCE' })
  // The bank's own business continues.
  const fee = await disabled.order({ ...payment, transfer_type: 'FEE', debit_amount: '1.00' })
  await disabled.move(fee.id, { status: 'RESERVED' })
  await disabled.move(fee.id, { status: 'COMPLETED' })
  await become('ACTIVE')
  await disabled.process(waiting, 'RESERVED')
  assert.deepEqual(await disabled.balances(account), ['89.00', '20.00', '69.00'])
})

test('the sandbox does not settle what the bank processes', async () => {
  const { payment } = await openPayer()
  const { id } = await venture.createTransfer(payment)
  const { status, problem } = await venture.post(`/sandbox/transfers/${id}/settle`, { outcome: 'COMPLETED' })
  assert.deepEqual([status, problem?.code], [409, 'processed_by_bank'])
  assert.equal((await venture.get(`/transfers/${id}`)).body.status, 'CREATED')
  const missing = await venture.post(`/sandbox/transfers/${randomUUID()}/settle`, { outcome: 'COMPLETED' })
  assert.equal(missing.problem.code, 'transfer_not_found')
})

const setRate = (changes: object) =>
  bank.admin.put('/operator/rates', { from_currency: 'EUR', to_currency: 'USD', margin: '0.005', ...changes })

test('an order in two currencies gets the rate of the bank, and its fee, rounded half up', async () => {
  await setRate({ rate: '1.0825' })
  const { payment } = await openPayer()
  const dollars = { ...payment, credit_currency: 'USD' }
  const { body } = await venture.post('/transfers', { ...dollars, debit_amount: '101.00', unique_reference: randomUUID() })
  assert.deepEqual(
    [body.method, body.exchange_rate, body.debit_amount, body.credit_amount, body.fx_fee_amount],
    // 101.00 × 1.0825 = 109.3325; 101.00 × 0.005 = 0.505
    ['SWIFT', '1.0825', '101.00', '109.33', '0.51'],
  )
  const small = await venture.createTransfer({ ...dollars, debit_amount: '0.90' })
  // 0.90 × 1.0825 = 0.97425
  assert.deepEqual([small.fx_fee_amount, small.credit_amount], ['0.00', '0.97'])
  const cut = await venture.createTransfer({ ...dollars, debit_amount: '101.01' })
  // 101.01 × 1.0825 = 109.343325; 1.17 × 1.0825 = 1.266525
  assert.equal(cut.credit_amount, '109.34')
  assert.equal((await venture.createTransfer({ ...dollars, debit_amount: '1.17' })).credit_amount, '1.26')
  // Changing the rate does not change existing orders.
  await setRate({ rate: '2' })
  assert.equal((await venture.get(`/transfers/${body.id}`)).body.exchange_rate, '1.0825')
  assert.equal((await venture.createTransfer(dollars)).credit_amount, '20.00')
  await setRate({ rate: '1.0825' })
})

test('without a valid rate the order is refused, and the inverse of a rate is not used', async () => {
  await setRate({ rate: '1.0825' })
  const { payment } = await openPayer()
  const dollars = await venture.openAccount({ currency: 'USD', balance: '100.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(dollars.client_id)
  const before = await bank.count('transfers')
  const order = async (changes: object) =>
    (await venture.post('/transfers', { unique_reference: randomUUID(), ...payment, ...changes })).problem
  assert.equal((await order({ credit_currency: 'CHF' }))?.code, 'rate_missing')
  const inverse = await order({ account_id: dollars.id, beneficiary_id, credit_currency: 'EUR' })
  assert.equal(inverse?.code, 'rate_missing')
  // Together with an order in the other direction; both read rates in one query.
  const there = { ...payment, unique_reference: randomUUID(), credit_currency: 'USD' }
  const back = { ...payment, unique_reference: randomUUID(), account_id: dollars.id, beneficiary_id, credit_currency: 'EUR' }
  const both = await venture.post('/transfers/bulk', { transfers: [there, back] })
  assert.deepEqual(
    both.problem?.refused.map(({ index, problem }: Loose) => [index, problem.code]),
    [[1, 'rate_missing']],
  )
  await bank.admin.put('/operator/rates', {
    from_currency: 'EUR',
    to_currency: 'GBP',
    rate: '0.85',
    margin: '0',
    valid_from: '2100-01-01T00:00:00Z',
  })
  assert.equal((await order({ credit_currency: 'GBP' }))?.code, 'rate_missing')
  assert.equal(await bank.count('transfers'), before)
})

test('an order in two currencies is for today', async () => {
  await setRate({ rate: '1.0825' })
  const { payment } = await openPayer()
  const dollars = await venture.createTransfer({ ...payment, credit_currency: 'USD' })
  assert.equal(
    (
      await venture.post('/transfers', {
        ...payment,
        unique_reference: randomUUID(),
        credit_currency: 'USD',
        settlement_date: dollars.settlement_date,
      })
    ).status,
    201,
  )
  const later = { ...payment, unique_reference: randomUUID(), credit_currency: 'USD', settlement_date: '2099-01-05' }
  const { status, problem } = await venture.post('/transfers', later)
  assert.deepEqual([status, problem?.code, problem?.earliest_settlement_date], [422, 'exchange_not_today', dollars.settlement_date])
  assert.equal((await venture.post('/transfers', { ...later, credit_currency: 'EUR' })).status, 201)
})

/** Moves the expiry of the transfer's rate into the past. */
const expire = ({ id }: { id: string }) =>
  bank.owner.query(
    `update transfers set rate_until = (created_at at time zone 'UTC' - interval '1 millisecond') at time zone 'UTC' where id = $1`,
    [id],
  )

const renew = (transfers: readonly { id: string }[]) =>
  bank.owner.query('update transfers set rate_until = $1 where id = any($2)', [
    new Date(Date.now() + 3_600_000),
    transfers.map(({ id }) => id),
  ])

test('an order that reserves its money after its rate has expired is rejected, by the moves of the table', async () => {
  await setRate({ rate: '1.0825' })
  const { account, payment } = await openPayer('100.00')
  const order = () => venture.createTransfer({ ...payment, credit_currency: 'USD' })
  const [created, signed, approved, inTime, waiting] = [await order(), await order(), await order(), await order(), await order()]
  await venture.process(signed, 'TO_SIGN', 'SIGNED')
  await venture.process(approved, 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED')
  await venture.process(waiting, 'TO_RESERVE')
  for (const transfer of [created, signed, approved, waiting]) await expire(transfer)
  const expired = ['REJECTED', 'service', 'rate_expired']
  const paths = { created: [expired], signed: [['TO_RESERVE', 'service', 'rate_expired'], expired], waiting: [expired] }
  for (const transfer of [created, signed, approved, waiting]) {
    const { status, status_reason_code } = await venture.process(transfer, 'RESERVED')
    assert.deepEqual([status, status_reason_code], ['REJECTED', 'rate_expired'])
  }
  assert.deepEqual((await historyOf(created)).slice(1), paths.created)
  assert.deepEqual((await historyOf(signed)).slice(3), paths.signed)
  assert.deepEqual((await historyOf(approved)).slice(4), paths.signed)
  assert.deepEqual((await historyOf(waiting)).slice(2), paths.waiting)
  assert.equal((await venture.process(inTime, 'RESERVED')).status, 'RESERVED')
  assert.deepEqual(await venture.balances(account), ['100.00', '10.05', '89.95'])
  // Reserved money stays reserved, on the way back from ON_HOLD too.
  await expire(inTime)
  assert.equal((await venture.process(inTime, 'ON_HOLD', 'RESERVED')).status, 'RESERVED')
  await renew([inTime])
})

test('a venture that holds an order until its rate has expired does not get the rate', async () => {
  await setRate({ rate: '1.0825' })
  const { account, payment } = await openPayer('100.00')
  const hold = async (statuses: readonly TransferStatus[]) => {
    const transfer = await venture.createTransfer({ ...payment, credit_currency: 'USD' })
    await venture.process(transfer, ...statuses)
    assert.equal((await venture.put(`/transfers/${transfer.id}`, { status: 'ON_HOLD' })).status, 200)
    return transfer
  }
  const walks = [[], ['TO_RESERVE'], ['RESERVED'], ['RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED']] as const
  const held = await Promise.all(walks.map(hold))
  const [inTime, cancelled] = [await hold(['RESERVED']), await hold(['RESERVED'])]
  const back = ({ id }: Loose, status: string) => venture.put(`/transfers/${id}`, { status })
  assert.equal((await back(inTime, 'RESERVED')).body.status, 'RESERVED')
  for (const transfer of [...held, cancelled]) await expire(transfer)
  for (const [index, transfer] of held.entries()) {
    const { body } = await back(transfer, walks[index]?.at(-1) ?? 'CREATED')
    assert.deepEqual([body.status, body.status_reason_code], ['REJECTED', 'rate_expired'])
    const via = walks[index]?.at(-1) === 'TO_RESERVE' ? 'TO_RESERVE' : 'TO_CANCEL'
    assert.deepEqual((await historyOf(transfer)).slice(-2), [
      [via, 'service', 'rate_expired'],
      ['REJECTED', 'service', 'rate_expired'],
    ])
  }
  assert.equal((await back(cancelled, 'CANCELLED')).body.status, 'CANCELLED')
  assert.deepEqual(await venture.balances(account), ['100.00', '10.05', '89.95'])
  // Only the expiry of these transfers' rates was changed.
  await renew([...held, cancelled])
})

test('how long a rate holds is a policy', async () => {
  await setRate({ rate: '1.0825' })
  await bank.admin.put(`/ventures/${venture.venture.id}/policy`, { rate_hold_s: 120 })
  const { payment } = await openPayer()
  const { id } = await venture.createTransfer({ ...payment, credit_currency: 'USD' })
  const { rows } = await bank.owner.query(
    'select extract(epoch from rate_until - created_at)::int as hold_s from transfers where id = $1',
    [id],
  )
  assert.deepEqual(rows, [{ hold_s: 120 }])
  const same = await venture.createTransfer(payment)
  const { rows: none } = await bank.owner.query('select rate_until from transfers where id = $1', [same.id])
  assert.deepEqual(none, [{ rate_until: null }])
})

test('all of this breaks no invariant', async () => {
  const broken = (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(broken, [])
})
