// Returns, reversals and cancellations: the method, the account and the amount.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { type Loose, openBank, type VentureCaller } from '../../testing/testing.ts'
import { refusedOrder, screening, sending, walk } from '../../testing/testing.walks.ts'

const bank = await openBank()

afterEach(async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
})

const ibans = { german: 'DE89370400440532013000', french: 'FR1420041010050500013M02606', swiss: 'CH9300762011623852957' }
const receiving = `RECEIVED ${screening} COMPLETED`
const freezing = 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED'

async function open(balance = '100.00', changes: object = {}) {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance, ...changes })
  const german = await venture.addBeneficiary(account.client_id, { iban: ibans.german })
  const french = await venture.addBeneficiary(account.client_id, { iban: ibans.french })
  return { venture, account, german, french }
}

async function balances(venture: VentureCaller, { id }: { id: string }): Promise<string[]> {
  const { body } = await venture.get(`/accounts/${id}`)
  return [body.current_balance, body.reserved_balance]
}

/** The non-zero balances of the venture's system accounts, without that of the deposit. */
async function systemBalances({ venture }: VentureCaller): Promise<Record<string, string>> {
  const { rows } = await bank.owner.query(
    `select system_account, sum(amount)::text as sum from entries entry join transfers on transfers.venture_id = entry.venture_id and transfers.id = cause_id
     where entry.venture_id = $1 and system_account is not null and purpose is distinct from 'Sandbox deposit'
     group by system_account having sum(amount) <> 0`,
    [venture.id],
  )
  return Object.fromEntries(rows.map(({ system_account, sum }) => [system_account, sum]))
}

/** Money that has arrived. */
async function receive(
  { venture, account }: { venture: VentureCaller; account: Loose },
  more: object = {},
  moves = receiving,
): Promise<Loose> {
  const order = { account_id: account.id, direction: 'INBOUND', credit_amount: '50.00', dr_name: 'Grace Hopper', dr_iban: ibans.german }
  return walk(venture, await venture.createTransfer({ ...order, ...more }), moves)
}

// ——— Method and destination ———

const paymentReturns = ['PAYMENT_RETURN', 'PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION']

test('money goes back only to the account that it came from', async () => {
  const { venture, account, german, french } = await open()
  const parent = await receive({ venture, account })
  for (const transfer_type of paymentReturns) {
    const back = { account_id: account.id, transfer_type, parent_transaction_id: parent.id, debit_amount: '1.00' }
    const { detail } = await refusedOrder(venture, { ...back, beneficiary_id: french.id }, 'beneficiary_mismatch')
    assert.ok(detail.startsWith(`A ${transfer_type} goes back to the debtor of its parent transfer, `), detail)
    const child = await venture.createTransfer({ ...back, beneficiary_id: german.id })
    assert.deepEqual([child.method, child.cr_iban], ['SEPA', ibans.german])
  }
})

test('a transfer without a known debtor cannot be returned by a child', async () => {
  const { venture, account, german } = await open()
  const parent = await receive({ venture, account }, { dr_iban: null })
  const back = { account_id: account.id, beneficiary_id: german.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: parent.id }
  const { detail } = await refusedOrder(venture, { ...back, debit_amount: '1.00' }, 'beneficiary_mismatch')
  assert.equal(
    detail,
    'The parent transfer does not say from which account the money came, so it cannot be taken back by a PAYMENT_RETURN.',
  )
})

test('without an IBAN, account number and bank must be those of the debtor', async () => {
  const { venture, account } = await open('100.00', { currency: 'USD' })
  const from = { method: 'SWIFT', dr_iban: '12345678', dr_bank_bic: 'CHASUS33' }
  const [parent, bankless] = [
    await receive({ venture, account }, from),
    await receive({ venture, account }, { ...from, dr_bank_bic: null }),
  ]
  const to = async (details: object) => (await venture.addBeneficiary(account.client_id, details)).id
  const back = (beneficiary_id: string, { id }: { id: string }) => ({
    account_id: account.id,
    transfer_type: 'PAYMENT_RETURN',
    parent_transaction_id: id,
    beneficiary_id,
    debit_amount: '1.00',
  })
  const same = await to({ account_number: '12-345.678', swift_code: 'CHASUS33XXX' })
  assert.equal((await venture.createTransfer(back(same, parent))).method, 'SWIFT')
  await refusedOrder(venture, back(same, bankless), 'beneficiary_mismatch')
  for (const details of [
    { account_number: '12345679', swift_code: 'CHASUS33' },
    { account_number: '12345678', swift_code: 'CITIUS33' },
    { account_number: '12345678', routing_number: '021000021' },
    { account_number: '12345678', swift_code: 'CHASUS33', iban: ibans.french },
  ])
    await refusedOrder(venture, back(await to(details), parent), 'beneficiary_mismatch')
})

test('over DOMESTIC the account number decides, whatever IBAN the beneficiary has', async () => {
  const { venture, account } = await open('100.00', { currency: 'USD' })
  const parent = await receive({ venture, account }, { method: 'DOMESTIC', dr_iban: ibans.german, dr_bank_bic: 'CHASUS33' })
  const details = { iban: ibans.german, account_number: '12345678', routing_number: '021000021', swift_code: 'CHASUS33' }
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, details)
  const back = { account_id: account.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: parent.id, beneficiary_id }
  await refusedOrder(venture, { ...back, debit_amount: '1.00' }, 'beneficiary_mismatch')
})

test('a child uses the method of its parent', async () => {
  const { venture, account, german } = await open()
  const instant = await receive({ venture, account }, { is_instant: true })
  const back = { account_id: account.id, beneficiary_id: german.id, transfer_type: 'PAYMENT_RETURN', debit_amount: '1.00' }
  for (const method of ['SEPA', 'SWIFT', 'SDD', 'CARD', 'INTERNAL']) {
    const { detail } = await refusedOrder(venture, { ...back, parent_transaction_id: instant.id, method }, 'transfer_method_invalid')
    assert.equal(detail, `A PAYMENT_RETURN uses the method of its parent transfer, which is INST, not ${method}.`)
  }
  for (const method of [undefined, 'INST'])
    assert.equal((await venture.createTransfer({ ...back, parent_transaction_id: instant.id, method })).method, 'INST')
  const wired = await receive({ venture, account }, { method: 'SWIFT' })
  assert.equal((await venture.createTransfer({ ...back, parent_transaction_id: wired.id })).method, 'SWIFT')
})

test('money that comes back comes from where it went, over the same method, and needs no beneficiary', async () => {
  const { venture, account, german, french } = await open()
  const order = { account_id: account.id, beneficiary_id: german.id, method: 'SWIFT', debit_amount: '10.00' }
  const sent = await walk(venture, await venture.createTransfer(order), `${sending} COMPLETED`)
  const back = { account_id: account.id, direction: 'INBOUND', transfer_type: 'PAYMENT_RETURN', parent_transaction_id: sent.id }
  const returned = await venture.createTransfer({ ...back, credit_amount: '4.00' })
  assert.deepEqual(
    [returned.method, returned.dr_iban, returned.dr_name, returned.cr_iban, returned.beneficiary_id],
    ['SWIFT', ibans.german, 'Charles Babbage', account.account_number, null],
  )
  await refusedOrder(venture, { ...back, method: 'SEPA', credit_amount: '4.00' }, 'transfer_method_invalid')
  await walk(venture, returned, freezing)
  // Frozen money of a return goes back to where it came from.
  const again = { account_id: account.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: returned.id, debit_amount: '4.00' }
  await refusedOrder(venture, { ...again, beneficiary_id: french.id }, 'beneficiary_mismatch')
  assert.equal((await venture.createTransfer({ ...again, beneficiary_id: german.id })).method, 'SWIFT')
})

test('an internal transfer goes back to the account that paid, whichever debtor it named', async () => {
  const { venture, account } = await open()
  const receiver = await venture.openAccount()
  const there = await venture.addBeneficiary(account.client_id, { iban: receiver.account_number })
  const paid = await venture.createTransfer({
    account_id: account.id,
    beneficiary_id: there.id,
    debit_amount: '10.00',
    dr_iban: ibans.french,
  })
  await walk(venture, paid, `RESERVED ${screening} COMPLETED`)
  const { body } = await venture.get(`/accounts/${receiver.id}/transfers`)
  const back = { account_id: receiver.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: body[0].id, debit_amount: '10.00' }
  const third = await venture.openAccount({ client_id: account.client_id })
  for (const iban of [ibans.french, third.account_number]) {
    const elsewhere = await venture.addBeneficiary(receiver.client_id, { iban })
    await refusedOrder(venture, { ...back, beneficiary_id: elsewhere.id }, 'beneficiary_mismatch')
  }
  const payer = await venture.addBeneficiary(receiver.client_id, { iban: account.account_number })
  const returned = await venture.createTransfer({ ...back, beneficiary_id: payer.id })
  await walk(venture, returned, `RESERVED ${screening} COMPLETED`)
  assert.deepEqual(
    [await balances(venture, account), await balances(venture, receiver)],
    [
      ['100.00', '0.00'],
      ['0.00', '0.00'],
    ],
  )
})

test('a payment is not taken back by a card reversal, a clearing not by a return, and a booking by neither', async () => {
  const { venture, account, german } = await open()
  const out = { account_id: account.id, beneficiary_id: german.id, debit_amount: '5.00' }
  const completed = async (more: object, moves = 'RESERVED COMPLETED') =>
    walk(venture, await venture.createTransfer({ ...out, ...more }), moves)
  const payment = await completed({}, `${sending} COMPLETED`)
  const clearing = await completed({ transfer_type: 'CARD_CLEARING' })
  const back = { account_id: account.id, direction: 'INBOUND', credit_amount: '1.00' }
  const ofPayment = await refusedOrder(
    venture,
    { ...back, transfer_type: 'CARD_REVERSAL', parent_transaction_id: payment.id },
    'parent_invalid',
  )
  assert.equal(ofPayment.detail, 'The parent transfer used the method SEPA, which carries no CARD_REVERSAL.')
  for (const transfer_type of paymentReturns) {
    const { detail } = await refusedOrder(venture, { ...back, transfer_type, parent_transaction_id: clearing.id }, 'parent_invalid')
    assert.equal(detail, `The parent transfer used the method CARD, which carries no ${transfer_type}.`)
  }
  for (const booked of ['FEE', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING']) {
    const parent = await completed({ transfer_type: booked })
    const { detail } = await refusedOrder(
      venture,
      { ...back, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: parent.id },
      'parent_invalid',
    )
    assert.match(detail, new RegExp(`^A ${booked} is booked on the venture's own accounts`))
  }
})

test('a FEE that an older version let pay another client is booked as a fee when it completes', async () => {
  const { venture, account, german } = await open()
  const other = await venture.openAccount()
  const fee = await venture.createTransfer({
    account_id: account.id,
    beneficiary_id: german.id,
    transfer_type: 'FEE',
    debit_amount: '5.00',
  })
  await bank.owner.query(`update transfers set method = 'INTERNAL', receiver_account_id = $2, edition = 1 where id = $1`, [
    fee.id,
    other.id,
  ])
  await walk(venture, fee, 'RESERVED COMPLETED')
  assert.deepEqual([await balances(venture, other), await systemBalances(venture)], [['0.00', '0.00'], { 'fees:EUR': '5.00' }])
  const back = { account_id: account.id, direction: 'INBOUND', transfer_type: 'FEE_CANCELLATION', parent_transaction_id: fee.id }
  await refusedOrder(venture, { ...back, credit_amount: '5.00' }, 'parent_invalid')
})

// ——— How much ———

test('a return is bounded by what left the bank and by what the account gave', async () => {
  const { venture, account, german } = await open('1000.00')
  const out = { account_id: account.id, beneficiary_id: german.id, method: 'SWIFT', debit_amount: '100.00' }
  const sent = await venture.createTransfer({ ...out, credit_currency: 'USD', credit_amount: '108.35' })
  await walk(venture, sent, `${sending} COMPLETED`)
  const back = { account_id: account.id, direction: 'INBOUND', transfer_type: 'PAYMENT_RETURN', parent_transaction_id: sent.id }
  const dollars = (debit_amount: string, credit_amount: string) => ({ ...back, debit_currency: 'USD', debit_amount, credit_amount })
  const more = await refusedOrder(venture, dollars('108.35', '999.00'), 'parent_invalid')
  assert.equal(
    more.detail,
    '999.00 EUR requested on the account, but only 100.00 EUR is left of the 100.00 EUR that the account paid for the parent transfer.',
  )
  await refusedOrder(venture, dollars('108.35', '100.01'), 'parent_invalid')
  await refusedOrder(venture, dollars('108.36', '100.00'), 'parent_invalid')
  const first = await venture.createTransfer(dollars('8.35', '60.00'))
  await refusedOrder(venture, dollars('100.00', '40.01'), 'parent_invalid')
  await walk(venture, first, 'CANCELLED')
  await walk(venture, await venture.createTransfer(dollars('108.35', '100.00')), receiving)
  await refusedOrder(venture, dollars('0.01', '0.01'), 'parent_invalid')
  assert.deepEqual(await balances(venture, account), ['1000.00', '0.00'])
})

test('returning received money is bounded by what entered the bank and by what the account got', async () => {
  const { venture, account, german } = await open('1000.00')
  const parent = await receive(
    { venture, account },
    { method: 'SWIFT', debit_currency: 'USD', debit_amount: '108.35', credit_amount: '100.00' },
  )
  const out = { account_id: account.id, beneficiary_id: german.id, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: parent.id }
  const dollars = (debit_amount: string, credit_amount: string) => ({ ...out, debit_amount, credit_currency: 'USD', credit_amount })
  const more = await refusedOrder(venture, dollars('100.01', '108.35'), 'parent_invalid')
  assert.match(more.detail, /^100\.01 EUR requested on the account, .* that the account got from the parent transfer\.$/)
  await refusedOrder(venture, dollars('100.00', '108.36'), 'parent_invalid')
  await walk(venture, await venture.createTransfer(dollars('100.00', '108.35')), `${sending} COMPLETED`)
  assert.deepEqual(await balances(venture, account), ['1000.00', '0.00'])
})

test('children out of suspense, adjustments in both directions included, are bounded by what is frozen', async () => {
  const { venture, account, german } = await open()
  const frozen = await receive({ venture, account }, { credit_amount: '25.00' }, freezing)
  const child = { account_id: account.id, parent_transaction_id: frozen.id }
  const orders: Record<string, (amount: string) => object> = {
    PAYMENT_RETURN: (debit_amount) => ({ ...child, transfer_type: 'PAYMENT_RETURN', beneficiary_id: german.id, debit_amount }),
    'ADJUSTMENT OUTBOUND': (debit_amount) => ({ ...child, transfer_type: 'ADJUSTMENT', beneficiary_id: german.id, debit_amount }),
    'ADJUSTMENT INBOUND': (credit_amount) => ({ ...child, transfer_type: 'ADJUSTMENT', direction: 'INBOUND', credit_amount }),
  }
  const allRefused = async (amount: string, left: string) => {
    for (const [name, order] of Object.entries(orders)) {
      const { detail } = await refusedOrder(venture, order(amount), 'parent_invalid')
      assert.ok(detail.startsWith(`${amount} EUR requested, but only ${left} EUR is left of the `), `${name}: ${detail}`)
    }
  }
  await allRefused('25.01', '25.00')
  const inward = await venture.createTransfer(orders['ADJUSTMENT INBOUND']?.('10.00') as object)
  await allRefused('15.01', '15.00')
  await walk(venture, inward, 'COMPLETED')
  assert.deepEqual(await balances(venture, account), ['110.00', '0.00'])
  assert.deepEqual(await systemBalances(venture), { 'settlement:SEPA:EUR': '-25.00', 'suspense:EUR': '15.00' })
  await allRefused('15.01', '15.00')
  const outward = await venture.createTransfer(orders['ADJUSTMENT OUTBOUND']?.('5.00') as object)
  await allRefused('10.01', '10.00')
  await walk(venture, outward, 'RESERVED CANCELLED')
  await walk(venture, await venture.createTransfer(orders['PAYMENT_RETURN']?.('15.00') as object), `${sending} COMPLETED`)
  await allRefused('0.01', '0.00')
  assert.deepEqual(await systemBalances(venture), { 'settlement:SEPA:EUR': '-10.00' })
})

test('an inbound adjustment exchanges frozen money of another currency', async () => {
  const { venture, account } = await open()
  const dollars = { method: 'SWIFT', debit_currency: 'USD', debit_amount: '110.00', credit_amount: '100.00' }
  const frozen = await receive({ venture, account }, dollars, freezing)
  const child = { account_id: account.id, direction: 'INBOUND', transfer_type: 'ADJUSTMENT', parent_transaction_id: frozen.id }
  const { detail } = await refusedOrder(venture, { ...child, credit_amount: '100.00' }, 'parent_invalid')
  assert.equal(detail, 'The frozen money is in USD, so this one must be in USD, not EUR.')
  const credited = await venture.createTransfer({ ...child, debit_currency: 'USD', debit_amount: '110.00', credit_amount: '100.00' })
  await walk(venture, credited, 'COMPLETED')
  assert.deepEqual(await balances(venture, account), ['200.00', '0.00'])
  assert.deepEqual(await systemBalances(venture), { 'settlement:SWIFT:USD': '-110.00', 'fx:USD': '110.00', 'fx:EUR': '-100.00' })
})

test('frozen money can be sent back although the client is blocked, because it is not the money of the client', async () => {
  const { venture, account, german } = await open()
  const frozen = await receive({ venture, account }, { credit_amount: '25.00' }, freezing)
  assert.equal((await venture.put(`/clients/${account.client_id}`, { blocked: true })).status, 200)
  const out = { account_id: account.id, beneficiary_id: german.id, debit_amount: '25.00' }
  for (const transfer_type of ['PAYMENT', 'FEE', 'PAYMENT_REVERSAL'])
    await refusedOrder(venture, { ...out, transfer_type, parent_transaction_id: frozen.id }, 'client_blocked')
  await refusedOrder(venture, { ...out, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: randomUUID() }, 'client_blocked')
  const child = await venture.createTransfer({ ...out, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: frozen.id })
  assert.equal(child.status, 'CREATED')
})

// ——— Fees ———

test('an exchange fee is given back by fee cancellations, apart from the amount and up to the fee', async () => {
  const { venture, account, german } = await open()
  const other = await venture.openAccount({ currency: 'USD' })
  const inside = await venture.addBeneficiary(account.client_id, { iban: other.account_number })
  const fee = { fx_fee_amount: '3.00', debit_amount: '10.00', exchange_rate: '1.1' }
  const outward = { account_id: account.id, beneficiary_id: german.id, credit_currency: 'USD', ...fee }
  const parents: [order: object, moves: string, method: string][] = [
    [{ ...outward, method: 'SWIFT' }, `${sending} COMPLETED`, 'SWIFT'],
    [{ ...outward, transfer_type: 'CARD_CLEARING' }, 'RESERVED COMPLETED', 'SEPA'],
    [{ account_id: account.id, beneficiary_id: inside.id, ...fee }, `RESERVED ${screening} COMPLETED`, 'SEPA'],
  ]
  for (const [order, moves, method] of parents) {
    const [before] = await balances(venture, account)
    const parent = await venture.createTransfer(order)
    const back = { account_id: account.id, direction: 'INBOUND', transfer_type: 'FEE_CANCELLATION', parent_transaction_id: parent.id }
    await refusedOrder(venture, { ...back, credit_amount: '1.00' }, 'parent_invalid')
    await walk(venture, parent, moves)
    const { detail } = await refusedOrder(venture, { ...back, credit_amount: '3.01' }, 'parent_invalid')
    assert.equal(detail, '3.01 EUR requested, but only 3.00 EUR is left of the 3.00 EUR of the fee.')
    await refusedOrder(venture, { ...back, credit_amount: '3.00', debit_currency: 'USD', debit_amount: '3.30' }, 'parent_invalid')
    for (const credit_amount of ['1.00', '2.00']) {
      const child = await venture.createTransfer({ ...back, credit_amount })
      assert.equal(child.method, method)
      await walk(venture, child, 'COMPLETED')
    }
    await refusedOrder(venture, { ...back, credit_amount: '0.01' }, 'parent_invalid')
    const [after] = await balances(venture, account)
    assert.equal(Number(before) - Number(after), 10)
  }
  const { 'fees:EUR': left } = await systemBalances(venture)
  assert.equal(left, undefined)
})

test('a fee cancellation does not reduce what can be returned of the amount', async () => {
  const { venture, account, german } = await open()
  const out = { account_id: account.id, beneficiary_id: german.id, method: 'SWIFT', debit_amount: '10.00', fx_fee_amount: '3.00' }
  const sent = await venture.createTransfer({ ...out, credit_currency: 'USD', credit_amount: '11.00' })
  await walk(venture, sent, `${sending} COMPLETED`)
  const back = { account_id: account.id, direction: 'INBOUND', parent_transaction_id: sent.id }
  await venture.createTransfer({ ...back, transfer_type: 'FEE_CANCELLATION', credit_amount: '3.00' })
  const whole = { ...back, transfer_type: 'PAYMENT_RETURN', debit_currency: 'USD', debit_amount: '11.00', credit_amount: '10.00' }
  assert.equal((await venture.createTransfer(whole)).status, 'CREATED')
})

// ——— Children of children ———

test('what took money back is not taken back itself', async () => {
  const { venture, account, german } = await open()
  const other = await venture.openAccount()
  const [toOther, toAccount] = [
    await venture.addBeneficiary(account.client_id, { iban: other.account_number }),
    await venture.addBeneficiary(other.client_id, { iban: account.account_number }),
  ]
  const booking = `RESERVED ${screening} COMPLETED`
  const recordOf = async ({ id }: { id: string }, { id: account_id }: { id: string }): Promise<Loose> =>
    (await venture.get(`/accounts/${account_id}/transfers`)).body.find((one: Loose) => one.parent_transaction_id === id)
  const paid = await venture.createTransfer({ account_id: account.id, beneficiary_id: toOther.id, debit_amount: '50.00' })
  const record = await recordOf(await walk(venture, paid, booking), other)
  const back = { transfer_type: 'PAYMENT_RETURN', debit_amount: '50.00' }
  const returned = await venture.createTransfer({
    ...back,
    account_id: other.id,
    beneficiary_id: toAccount.id,
    parent_transaction_id: record.id,
  })
  const returnedRecord = await recordOf(await walk(venture, returned, booking), account)
  // Otherwise the payment would have been made after all, without counting against the limits.
  const again = { ...back, account_id: account.id, beneficiary_id: toOther.id, parent_transaction_id: returnedRecord.id }
  const { detail } = await refusedOrder(venture, again, 'parent_invalid')
  assert.equal(detail, 'A PAYMENT_RETURN took money back itself and is not taken back by another transfer: send the money as a new one.')

  const sent = await venture.createTransfer({ account_id: account.id, beneficiary_id: german.id, debit_amount: '10.00' })
  await walk(venture, sent, `${sending} COMPLETED`)
  const bounced = await receive(
    { venture, account },
    { ...back, credit_amount: '10.00', debit_amount: null, parent_transaction_id: sent.id },
  )
  for (const transfer_type of paymentReturns) {
    const order = { account_id: account.id, beneficiary_id: german.id, debit_amount: '10.00', parent_transaction_id: bounced.id }
    await refusedOrder(venture, { ...order, transfer_type }, 'parent_invalid')
  }
  assert.deepEqual(await balances(venture, account), ['100.00', '0.00'])
})

test('the reversal of an authorisation released a hold, so reversing it books nothing', async () => {
  const { venture, account, german } = await open()
  const card = { account_id: account.id, beneficiary_id: german.id, debit_amount: '60.00' }
  for (const direction of ['OUTBOUND', 'INBOUND']) {
    const authorisation = await walk(venture, await venture.createTransfer({ ...card, transfer_type: 'CARD_AUTH' }), 'RESERVED')
    const reversal = { account_id: account.id, beneficiary_id: german.id, debit_amount: '60.00', transfer_type: 'CARD_REVERSAL' }
    const done = await venture.createTransfer({ ...reversal, direction, parent_transaction_id: authorisation.id })
    await walk(venture, done, 'COMPLETED')
    const opposite = direction === 'OUTBOUND' ? 'INBOUND' : 'OUTBOUND'
    await refusedOrder(venture, { ...reversal, direction: opposite, parent_transaction_id: done.id }, 'parent_invalid')
  }
  assert.deepEqual(await balances(venture, account), ['100.00', '0.00'])
})

test('a return whose money was frozen has arrived, so it leaves no room for another', async () => {
  const { venture, account, german } = await open()
  const sent = await venture.createTransfer({ account_id: account.id, beneficiary_id: german.id, debit_amount: '50.00' })
  await walk(venture, sent, `${sending} COMPLETED`)
  const back = { transfer_type: 'PAYMENT_RETURN', parent_transaction_id: sent.id }
  const frozen = await receive({ venture, account }, { ...back, credit_amount: '30.00' }, freezing)
  await refusedOrder(venture, { ...back, account_id: account.id, direction: 'INBOUND', credit_amount: '20.01' }, 'parent_invalid')
  await receive({ venture, account }, { ...back, credit_amount: '20.00' })
  const released = { account_id: account.id, direction: 'INBOUND', transfer_type: 'ADJUSTMENT', parent_transaction_id: frozen.id }
  await walk(venture, await venture.createTransfer({ ...released, credit_amount: '30.00' }), 'COMPLETED')
  assert.deepEqual(await balances(venture, account), ['100.00', '0.00'])
  await refusedOrder(venture, { ...back, account_id: account.id, direction: 'INBOUND', credit_amount: '0.01' }, 'parent_invalid')
  // A rejected child leaves its amount available.
  const [other, rejected] = [
    await venture.createTransfer({ account_id: account.id, beneficiary_id: german.id, debit_amount: '5.00' }),
    'REJECTED',
  ]
  await walk(venture, other, `${sending} COMPLETED`)
  const late = { ...back, parent_transaction_id: other.id, credit_amount: '5.00' }
  await receive({ venture, account }, late, rejected)
  await receive({ venture, account }, late)
})
