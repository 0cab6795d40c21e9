import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { firstBook } from '../../schemes/schemes.ts'
import { type Answer, openBank, type VentureCaller } from '../../testing/testing.ts'
import { screening, sending, walk } from '../../testing/testing.walks.ts'
import { transferMethods } from '../life/transfers.status.ts'
import type { BatchAccount, BatchBeneficiary, BatchClient } from './transfers.batch.ts'
import { derive } from './transfers.derive.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const stranger = await bank.registerVenture()

const account = await venture.openAccount({ balance: '1000.00' })
const dollars = await venture.openAccount({ currency: 'USD', client_id: account.client_id })
const neighbour = await venture.openAccount()
const foreign = await stranger.openAccount()

const ibans = { german: 'DE89370400440532013000', swiss: 'CH9300762011623852957', emirati: 'AE070331234567890123456' }
const beneficiaries = {
  german: await venture.addBeneficiary(account.client_id, { iban: ibans.german, bic: 'COBADEFFXXX', bank_name: 'Commerzbank' }),
  swiss: await venture.addBeneficiary(account.client_id, { iban: ibans.swiss }),
  swissWithBic: await venture.addBeneficiary(account.client_id, { iban: ibans.swiss, bic: 'UBSWCHZH80A' }),
  emirati: await venture.addBeneficiary(account.client_id, { iban: ibans.emirati }),
  american: await venture.addBeneficiary(account.client_id, { account_number: '12345678', routing_number: '021000021' }),
  wired: await venture.addBeneficiary(account.client_id, { account_number: '12345678', swift_code: 'CHASUS33' }),
  bare: await venture.addBeneficiary(account.client_id, { account_number: '12345678' }),
  routed: await venture.addBeneficiary(account.client_id, { iban: ibans.german, routing_number: '021000021' }),
  neighbour: await venture.addBeneficiary(account.client_id, { iban: neighbour.account_number }),
  self: await venture.addBeneficiary(account.client_id, { iban: account.account_number }),
  dollars: await venture.addBeneficiary(account.client_id, { iban: dollars.account_number }),
  foreign: await venture.addBeneficiary(account.client_id, { iban: foreign.account_number }),
}

const minimal = { account_id: account.id, beneficiary_id: beneficiaries.german.id, debit_amount: '1.00' }
const inbound = { account_id: account.id, direction: 'INBOUND', credit_amount: '1.00' }
const order = (more: object = {}) => ({ unique_reference: randomUUID(), ...minimal, ...more })

afterEach(async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
})

/** Everything that a create can write. */
async function snapshot(): Promise<object> {
  const { rows } = await bank.owner.query(`
    select (select count(*) from transfers) as transfers, (select count(*) from transfer_references) as claimed,
      (select count(*) from transfer_moves) as moves, (select count(*) from entries) as entries, (select count(*) from events) as events,
      (select string_agg(accounts::text, E'\\n' order by id) from accounts) as accounts`)
  return rows[0]
}

/** Sends an order that must be refused without changing anything, claims and limits included. */
async function refused(request: object | string, code: string, caller: VentureCaller = venture): Promise<Answer> {
  const before = await snapshot()
  const answer = await caller.post('/transfers', request)
  assert.equal(answer.problem?.code, code, `${JSON.stringify(request)}: ${answer.text}`)
  assert.deepEqual(await snapshot(), before)
  return answer
}

// ——— Derived fields ———

test('an outbound transfer needs only four fields, and the rest is derived', async () => {
  const request = order()
  const { status, headers, body } = await venture.post('/transfers', request)
  assert.equal(status, 201)
  assert.equal(headers['location'], `/api/v1/transfers/${body.id}`)
  const { id, settlement_date, created_at, updated_at, ...rest } = body
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(settlement_date, /^\d{4}-\d\d-\d\d$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    account_id: account.id,
    unique_reference: request.unique_reference,
    direction: 'OUTBOUND',
    method: 'SEPA',
    transfer_type: 'PAYMENT',
    status: 'CREATED',
    is_instant: false,
    mandate_id: null,
    authentication: null,
    approval_id: null,
    purpose: null,
    credit_amount: '1.00',
    debit_amount: '1.00',
    credit_currency: 'EUR',
    debit_currency: 'EUR',
    exchange_rate: null,
    fx_fee_amount: null,
    cr_name: 'Charles Babbage',
    cr_iban: ibans.german,
    cr_bank_bic: 'COBADEFFXXX',
    cr_account_id: null,
    cr_address: null,
    cr_bank_name: 'Commerzbank',
    cr_city: null,
    cr_country_code: null,
    cr_postal_code: null,
    dr_name: 'Ada Lovelace',
    dr_iban: account.account_number,
    dr_bank_bic: bank.config.bank.bic,
    dr_account_id: null,
    dr_address: '1 rue de la Paix',
    dr_bank_name: bank.config.bank.name,
    dr_city: 'Paris',
    dr_country_code: 'FRA',
    dr_postal_code: '75002',
    beneficiary_id: beneficiaries.german.id,
    parent_transaction_id: null,
    category_purpose_code: null,
    purpose_code: null,
    structured_reference: null,
    structured_reference_issuer: null,
    bank_partner_id: null,
    bank_partner_trx_id: null,
    signed_at: null,
    status_reason: null,
    status_reason_code: null,
    third_party_status: null,
    third_party_status_code: null,
    third_party_status_reason: null,
  })
  assert.deepEqual((await venture.get(`/transfers/${id}`)).body, body)
})

test('an inbound transfer has the account on its credit side and the debtor fields of the request', async () => {
  const sent = { dr_name: 'Grace Hopper', dr_iban: ibans.german.toLowerCase(), dr_bank_bic: 'cobadeffxxx', dr_country_code: 'deu' }
  const { body } = await venture.post('/transfers', { unique_reference: randomUUID(), ...inbound, ...sent })
  assert.deepEqual(
    [
      body.cr_name,
      body.cr_iban,
      body.cr_bank_bic,
      body.cr_address,
      body.cr_bank_name,
      body.cr_city,
      body.cr_country_code,
      body.cr_postal_code,
    ],
    ['Ada Lovelace', account.account_number, bank.config.bank.bic, '1 rue de la Paix', bank.config.bank.name, 'Paris', 'FRA', '75002'],
  )
  assert.deepEqual(
    [body.dr_name, body.dr_iban, body.dr_bank_bic, body.dr_country_code, body.dr_address, body.dr_bank_name, body.beneficiary_id],
    ['Grace Hopper', ibans.german, 'COBADEFFXXX', 'DEU', null, null, null],
  )
  assert.deepEqual([body.debit_amount, body.debit_currency, body.credit_amount, body.credit_currency], ['1.00', 'EUR', '1.00', 'EUR'])
})

test('fields of the request are stored unchanged, and an outbound transfer may name another debtor', async () => {
  const sent = {
    transfer_type: 'PAYMENT',
    method: 'SEPA',
    direction: 'OUTBOUND',
    purpose: 'Rent',
    settlement_date: '2030-02-28',
    debit_currency: 'EUR',
    credit_currency: 'EUR',
    credit_amount: '1.00',
    exchange_rate: '1',
    fx_fee_amount: '0.00',
    cr_name: 'C. Babbage',
    cr_iban: ibans.german,
    cr_bank_bic: 'DEUTDEFF',
    cr_address: 'Somewhere 1',
    cr_bank_name: 'Another',
    cr_city: 'Berlin',
    cr_country_code: 'DEU',
    cr_postal_code: '10115',
    dr_name: 'On behalf of',
    dr_iban: 'FR1420041010050500013M02606',
    dr_bank_bic: 'BNPAFRPPXXX',
    dr_address: 'Elsewhere 2',
    dr_bank_name: 'BNP',
    dr_city: 'Lyon',
    dr_country_code: 'FRA',
    dr_postal_code: '69001',
    category_purpose_code: 'SALA',
    purpose_code: 'RENT',
    structured_reference: 'RF18539007547034',
    structured_reference_issuer: 'ISO',
  }
  const { id } = await venture.createTransfer(order(sent))
  const { body } = await venture.get(`/transfers/${id}`)
  for (const [field, value] of Object.entries(sent)) assert.equal(body[field], value, field)
})

test('null is the same as absent in every optional field', async () => {
  const [plain, full] = [order(), order()]
  const optional = [
    'direction',
    'method',
    'transfer_type',
    'is_instant',
    'purpose',
    'settlement_date',
    'credit_amount',
    'credit_currency',
    'debit_currency',
    'exchange_rate',
    'fx_fee_amount',
    'parent_transaction_id',
    'category_purpose_code',
    'purpose_code',
    'structured_reference',
    'structured_reference_issuer',
    ...['name', 'iban', 'bank_bic', 'address', 'bank_name', 'city', 'country_code', 'postal_code'].flatMap((field) => [
      `cr_${field}`,
      `dr_${field}`,
    ]),
  ]
  const nulls = Object.fromEntries(optional.map((field) => [field, null]))
  const [{ body: a }, { body: b }] = [await venture.post('/transfers', plain), await venture.post('/transfers', { ...full, ...nulls })]
  const own = ['id', 'unique_reference', 'created_at', 'updated_at']
  const common = (body: object) => Object.fromEntries(Object.entries(body).filter(([field]) => !own.includes(field)))
  assert.deepEqual(common(b), common(a))
})

test('without a direction, a transfer is inbound if cr_iban is the account, and outbound otherwise', async () => {
  const into = {
    account_id: account.id,
    unique_reference: randomUUID(),
    cr_iban: account.account_number.toLowerCase(),
    credit_amount: '1.00',
  }
  assert.equal((await venture.post('/transfers', into)).body.direction, 'INBOUND')
  assert.equal((await venture.createTransfer(order({ cr_iban: ibans.german }))).direction, 'OUTBOUND')
  assert.equal((await venture.createTransfer({ ...inbound, dr_iban: ibans.german })).direction, 'INBOUND')
  await refused({ ...into, unique_reference: randomUUID(), direction: 'OUTBOUND' }, 'beneficiary_required')
})

const to = (name: keyof typeof beneficiaries, more: object = {}) => order({ beneficiary_id: beneficiaries[name].id, ...more })
const intoDollars = { credit_currency: 'USD', exchange_rate: '1.1' }

test('the method is derived from is_instant, the receiver, the currency and the beneficiary, in this order', async () => {
  const table: [order: object, method: string, is_instant: boolean][] = [
    [to('german'), 'SEPA', false],
    [to('foreign'), 'SEPA', false],
    [to('routed'), 'SEPA', false],
    [to('emirati'), 'SWIFT', false],
    [to('american'), 'SWIFT', false],
    [to('american', intoDollars), 'DOMESTIC', false],
    [to('american', { account_id: dollars.id }), 'DOMESTIC', false],
    [to('wired'), 'SWIFT', false],
    [to('wired', intoDollars), 'SWIFT', false],
    // Outside the EEA, SEPA also needs a BIC.
    [to('swissWithBic'), 'SEPA', false],
    [to('swiss'), 'SWIFT', false],
    [to('swiss', { is_instant: true }), 'SWIFT', false],
    [to('swiss', { method: 'SDD' }), 'SDD', false],
    [to('neighbour'), 'INTERNAL', false],
    [to('neighbour', { is_instant: true }), 'INST', true],
    [to('german', { is_instant: true }), 'INST', true],
    [to('german', { is_instant: false }), 'SEPA', false],
    [to('german', { method: 'INST', is_instant: false }), 'INST', true],
    [to('german', { method: 'SWIFT' }), 'SWIFT', false],
    // A transfer is instant only if its method is.
    [to('german', { method: 'SWIFT', is_instant: true }), 'SWIFT', false],
    [to('wired', { is_instant: true }), 'SWIFT', false],
    [to('german', { is_instant: true, ...intoDollars }), 'SWIFT', false],
    // Amounts too large for SEPA.
    [to('german', { debit_amount: '999999999.99' }), 'SEPA', false],
    [to('german', { debit_amount: '1000000000.00' }), 'SWIFT', false],
    [to('german', { debit_amount: '1000000000.00', is_instant: true }), 'SWIFT', false],
    [to('neighbour', { debit_amount: '1000000000.00', is_instant: true }), 'INTERNAL', false],
    [to('neighbour', { method: 'SEPA' }), 'SEPA', false],
    [to('neighbour', { method: 'SDD_INTERNAL' }), 'SDD_INTERNAL', false],
    [to('german', { method: 'SDD' }), 'SDD', false],
    [to('bare', { transfer_type: 'CARD_AUTH' }), 'CARD', false],
    // SEPA carries only euros from an account in euros.
    [to('german', intoDollars), 'SWIFT', false],
    [to('german', { account_id: dollars.id }), 'SWIFT', false],
    [to('german', { account_id: dollars.id, credit_currency: 'EUR', exchange_rate: '0.9' }), 'SWIFT', false],
    [to('german', { account_id: dollars.id, credit_currency: 'EUR', exchange_rate: '0.9', method: 'SDD' }), 'SDD', false],
    // Bookings are exempt from the rules of a method, but are never internal.
    [to('bare', { transfer_type: 'FEE' }), 'SWIFT', false],
    [to('german', { transfer_type: 'FEE' }), 'SEPA', false],
    [to('neighbour', { transfer_type: 'ADJUSTMENT' }), 'SEPA', false],
    [to('bare', { transfer_type: 'FEE', method: 'SEPA' }), 'SEPA', false],
    [to('german', { transfer_type: 'CCY_EXCHANGE', method: 'SEPA', ...intoDollars }), 'SEPA', false],
    [{ unique_reference: randomUUID(), ...inbound }, 'SEPA', false],
    [{ unique_reference: randomUUID(), ...inbound, dr_iban: ibans.german }, 'SEPA', false],
    [{ unique_reference: randomUUID(), ...inbound, dr_iban: ibans.emirati }, 'SWIFT', false],
    [{ unique_reference: randomUUID(), ...inbound, dr_iban: 'NOTANIBAN' }, 'SWIFT', false],
    [{ unique_reference: randomUUID(), ...inbound, is_instant: true }, 'INST', true],
    [{ unique_reference: randomUUID(), ...inbound, is_instant: true, dr_iban: ibans.emirati }, 'SWIFT', false],
    [{ unique_reference: randomUUID(), ...inbound, credit_amount: '1000000000.00' }, 'SWIFT', false],
    [{ unique_reference: randomUUID(), ...inbound, debit_currency: 'USD', debit_amount: '1.10' }, 'SWIFT', false],
    [{ unique_reference: randomUUID(), ...inbound, account_id: dollars.id }, 'SWIFT', false],
  ]
  for (const [request, method, is_instant] of table) {
    const { body, text } = await venture.post('/transfers', request)
    assert.deepEqual([body.method, body.is_instant], [method, is_instant], `${JSON.stringify(request)}: ${text}`)
  }
})

test('the creditor of an outbound transfer is the beneficiary, by IBAN or by account number', async () => {
  const wired = await venture.createTransfer(order({ beneficiary_id: beneficiaries.wired.id }))
  assert.deepEqual([wired.cr_iban, wired.cr_account_id, wired.cr_bank_bic], [null, '12345678', 'CHASUS33'])
  const details = { iban: ibans.german, address: 'A 1', city: 'Bonn', postal_code: '53111', country_code: 'DEU', bank_name: 'B' }
  const { id } = await venture.addBeneficiary(account.client_id, details)
  const body = await venture.createTransfer(order({ beneficiary_id: id }))
  assert.deepEqual(
    [body.cr_address, body.cr_city, body.cr_postal_code, body.cr_country_code, body.cr_bank_name],
    ['A 1', 'Bonn', '53111', 'DEU', 'B'],
  )
})

test('the default settlement date is today, the next TARGET day or two TARGET days later, depending on the method', () => {
  const batch: BatchAccount = {
    venture_id: 'v',
    id: 'a',
    client_id: 'c',
    account_number: 'LT121000011101001000',
    currency: 'EUR',
    status: 'ACTIVE',
    current: 0n,
    reserved: 0n,
    debt: 0n,
    last_activity_date: null,
    daily_limit: null,
    monthly_limit: null,
    yearly_limit: null,
    used_on: '2026-01-01',
    used_day: 0n,
    used_month: 0n,
    used_year: 0n,
    managed: false,
    frozen_by_bank: false,
    venture_active: true,
  }
  const client: BatchClient = {
    venture_id: 'v',
    id: 'c',
    first_name: 'Ada',
    last_name: 'Lovelace',
    address: 'a',
    city: 'b',
    postcode: 'c',
    country_code: 'FRA',
    blocked: false,
    is_blacklisted: false,
    stopped_by_bank: false,
    kyc_status: 'VALIDATED',
  }
  const beneficiary = {
    ...beneficiaries.american,
    iban: ibans.german,
    venture_id: 'v',
    sequence: 1,
    receiver_account_id: 'r',
  } as BatchBeneficiary
  const receiver = { ...batch, id: 'r' }
  const settles = (method: (typeof transferMethods)[number], today: string, settlement_date?: string) => {
    const request = {
      account_id: 'a',
      unique_reference: 'r',
      debit_amount: '1.00',
      beneficiary_id: 'b',
      method,
      ...(method === 'DOMESTIC' ? intoDollars : {}),
      ...(method === 'CARD' ? { transfer_type: 'CARD_AUTH' as const } : {}),
      ...(settlement_date ? { settlement_date } : {}),
    }
    const quotes = { rates: [], holdOf: () => 60 }
    const sides = {
      account: batch,
      client,
      bank: { bic: 'VOSTLT21XXX', name: 'Bank' },
      beneficiary,
      receiver,
      parent: undefined,
      quotes,
      rails: firstBook,
    }
    return derive(request, sides, { id: 'i', now: new Date(`${today}T23:59:59Z`), today, ordered_by_bank: false }).settlement_date
  }
  const table: [today: string, next: string, second: string][] = [
    ['2026-11-16', '2026-11-17', '2026-11-18'],
    ['2026-11-13', '2026-11-16', '2026-11-17'],
    ['2026-11-14', '2026-11-16', '2026-11-17'],
    ['2026-04-02', '2026-04-07', '2026-04-08'],
    ['2026-12-24', '2026-12-28', '2026-12-29'],
    ['2026-12-31', '2027-01-04', '2027-01-05'],
    ['2026-04-30', '2026-05-04', '2026-05-05'],
  ]
  for (const [today, next, second] of table) {
    for (const method of ['INST', 'INTERNAL', 'SDD_INTERNAL', 'CARD'] as const)
      assert.equal(settles(method, today), today, `${method} ${today}`)
    for (const method of ['SEPA', 'SDD'] as const) assert.equal(settles(method, today), next, `${method} ${today}`)
    for (const method of ['SWIFT', 'DOMESTIC'] as const) assert.equal(settles(method, today), second, `${method} ${today}`)
  }
  for (const method of transferMethods) assert.equal(settles(method, '2026-11-13', '2026-11-14'), '2026-11-14', method)
})

// ——— Amounts ———

const amountsOf = (body: Record<string, string>) => [
  body['debit_amount'],
  body['debit_currency'],
  body['credit_amount'],
  body['credit_currency'],
  body['exchange_rate'],
]

test('amounts and currencies default to each other, and a rate connects two currencies', async () => {
  const into = (more: object) => ({ unique_reference: randomUUID(), account_id: account.id, direction: 'INBOUND', ...more })
  const table: [order: object, amounts: (string | null)[]][] = [
    [order({ debit_amount: '5' }), ['5.00', 'EUR', '5.00', 'EUR', null]],
    [order({ debit_amount: '5.5', credit_amount: '5.50' }), ['5.50', 'EUR', '5.50', 'EUR', null]],
    [order({ debit_amount: null, credit_amount: '5' }), ['5.00', 'EUR', '5.00', 'EUR', null]],
    [order({ debit_amount: '5', exchange_rate: '1.0' }), ['5.00', 'EUR', '5.00', 'EUR', '1']],
    [order({ debit_currency: 'eur' }), ['1.00', 'EUR', '1.00', 'EUR', null]],
    [order({ debit_amount: '40', credit_currency: 'usd', exchange_rate: '1.1000' }), ['40.00', 'EUR', '44.00', 'USD', '1.1']],
    [
      order({ debit_amount: '40', credit_currency: 'USD', credit_amount: '44.01', exchange_rate: '1.1' }),
      ['40.00', 'EUR', '44.01', 'USD', '1.1'],
    ],
    [
      order({ debit_amount: '40', credit_currency: 'USD', credit_amount: '43.99', exchange_rate: '1.1' }),
      ['40.00', 'EUR', '43.99', 'USD', '1.1'],
    ],
    [order({ debit_amount: '3', credit_currency: 'USD', credit_amount: '1' }), ['3.00', 'EUR', '1.00', 'USD', '0.3333333333']],
    [order({ debit_amount: '10', credit_currency: 'JPY', exchange_rate: '162.55' }), ['10.00', 'EUR', '1626', 'JPY', '162.55']],
    [order({ debit_amount: '10', credit_currency: 'JPY', exchange_rate: '162.45' }), ['10.00', 'EUR', '1624', 'JPY', '162.45']],
    [order({ debit_amount: '10', credit_currency: 'KWD', exchange_rate: '0.33' }), ['10.00', 'EUR', '3.300', 'KWD', '0.33']],
    [order({ debit_amount: '10', credit_currency: 'KWD', credit_amount: '3.125' }), ['10.00', 'EUR', '3.125', 'KWD', '0.3125']],
    [into({ credit_amount: '5' }), ['5.00', 'EUR', '5.00', 'EUR', null]],
    [into({ debit_amount: '5' }), ['5.00', 'EUR', '5.00', 'EUR', null]],
    [into({ credit_amount: '100', debit_amount: '110', debit_currency: 'USD' }), ['110.00', 'USD', '100.00', 'EUR', '0.9090909091']],
    [
      into({ credit_amount: '99', debit_amount: '110', debit_currency: 'USD', exchange_rate: '0.9' }),
      ['110.00', 'USD', '99.00', 'EUR', '0.9'],
    ],
    [into({ credit_amount: '6.15', debit_amount: '1000', debit_currency: 'JPY' }), ['1000', 'JPY', '6.15', 'EUR', '0.00615']],
  ]
  for (const [request, amounts] of table) {
    const { body, text } = await venture.post('/transfers', request)
    assert.deepEqual(amountsOf(body), amounts, `${JSON.stringify(request)}: ${text}`)
    assert.deepEqual(amountsOf((await venture.get(`/transfers/${body.id}`)).body), amounts)
  }
})

test('the receiving account decides the credit currency of an internal transfer', async () => {
  const request = order({ beneficiary_id: beneficiaries.dollars.id, exchange_rate: '1.1', debit_amount: '10' })
  assert.deepEqual(amountsOf((await venture.post('/transfers', request)).body), ['10.00', 'EUR', '11.00', 'USD', '1.1'])
  const euros = await refused(order({ beneficiary_id: beneficiaries.dollars.id, credit_currency: 'EUR' }), 'currency_mismatch')
  assert.equal(euros.problem.detail, 'The receiving account is in USD, so credit_currency must be USD, not EUR.')
  await refused(order({ beneficiary_id: beneficiaries.neighbour.id, credit_currency: 'USD', exchange_rate: '1.1' }), 'currency_mismatch')
  await refused(order({ beneficiary_id: beneficiaries.dollars.id }), 'amount_mismatch')
})

test('amounts that do not match are refused, and the detail names them', async () => {
  const into = (more: object) => ({ unique_reference: randomUUID(), ...inbound, ...more })
  const table: [object, string, string][] = [
    [order({ debit_currency: 'USD' }), 'currency_mismatch', 'The account is in EUR, so debit_currency must be EUR, not USD.'],
    [into({ credit_currency: 'USD' }), 'currency_mismatch', 'The account is in EUR, so credit_currency must be EUR, not USD.'],
    [
      order({ credit_amount: '1.01' }),
      'amount_mismatch',
      'debit_amount is 1.00 EUR and credit_amount is 1.01 EUR, but in one currency both must be equal.',
    ],
    [
      into({ debit_amount: '1.01' }),
      'amount_mismatch',
      'debit_amount is 1.01 EUR and credit_amount is 1.00 EUR, but in one currency both must be equal.',
    ],
    [order({ exchange_rate: '1.1' }), 'amount_mismatch', 'Both amounts are in EUR, so exchange_rate must be 1 or left out, not 1.1.'],
    [
      order({ credit_currency: 'USD' }),
      'amount_mismatch',
      'A transfer from EUR to USD needs credit_amount or exchange_rate in addition to debit_amount.',
    ],
    [
      order({ credit_currency: 'USD', debit_amount: null, credit_amount: '1.00', exchange_rate: '1.1' }),
      'amount_mismatch',
      'A transfer from EUR to USD needs debit_amount.',
    ],
    [
      order({ debit_amount: '40', credit_currency: 'USD', credit_amount: '44.02', exchange_rate: '1.1' }),
      'amount_mismatch',
      '40.00 EUR times 1.1 is 44.00 USD, but credit_amount is 44.02 USD.',
    ],
    [
      order({ debit_amount: '40', credit_currency: 'USD', credit_amount: '43.98', exchange_rate: '1.1' }),
      'amount_mismatch',
      '40.00 EUR times 1.1 is 44.00 USD, but credit_amount is 43.98 USD.',
    ],
    [
      order({ debit_amount: '0.01', credit_currency: 'JPY', exchange_rate: '0.0000000001' }),
      'amount_mismatch',
      '0.01 EUR times 0.0000000001 is 0 JPY, which is too small.',
    ],
    [
      order({ debit_amount: '999999999999999', credit_currency: 'USD', exchange_rate: '999999999999999' }),
      'amount_mismatch',
      '999999999999999.00 EUR times 999999999999999 is 999999999999998000000000000001.00 USD, which is too large.',
    ],
    [
      order({ debit_amount: '999999999999999.99', credit_currency: 'JPY', credit_amount: '1' }),
      'amount_mismatch',
      'The rate from 999999999999999.99 EUR to 1 JPY is too small or too large for exchange_rate: check both amounts.',
    ],
    [
      into({ debit_currency: 'USD', exchange_rate: '0.9' }),
      'amount_mismatch',
      'An inbound transfer from USD to EUR needs both debit_amount and credit_amount.',
    ],
  ]
  for (const [request, code, detail] of table) assert.equal((await refused(request, code)).problem.detail, detail)
})

test('an amount must be positive with the decimals of its currency, and only outbound transfers may have a fee', async () => {
  const named = async (request: object, field: string) =>
    assert.equal((await refused(request, 'invalid_request')).problem.errors[0].field, field)
  await named(order({ debit_amount: null }), 'debit_amount')
  for (const zero of ['0', '0.00']) await named(order({ debit_amount: zero }), 'debit_amount')
  await named(order({ credit_amount: '0' }), 'credit_amount')
  await named(order({ debit_amount: '1.001' }), 'debit_amount')
  await named(order({ debit_amount: '1.000' }), 'debit_amount')
  await named(order({ credit_currency: 'JPY', credit_amount: '100.0' }), 'credit_amount')
  await named(order({ credit_currency: 'KWD', credit_amount: '1.0255' }), 'credit_amount')
  await named(order({ fx_fee_amount: '0.001' }), 'fx_fee_amount')
  await named(order({ exchange_rate: '0' }), 'exchange_rate')
  await named({ unique_reference: randomUUID(), ...inbound, fx_fee_amount: '0.01' }, 'fx_fee_amount')
  await named(order({ fx_fee_amount: '0.01' }), 'fx_fee_amount')
  const { problem } = await refused(to('neighbour', { fx_fee_amount: '0.01' }), 'invalid_request')
  assert.equal(problem.errors[0].message, 'is only allowed between two currencies, and both amounts are in EUR')
  assert.equal((await venture.createTransfer(to('german', { fx_fee_amount: '0.01', ...intoDollars }))).fx_fee_amount, '0.01')
  assert.equal((await venture.createTransfer(order({ fx_fee_amount: '0' }))).fx_fee_amount, '0.00')
  assert.equal((await venture.createTransfer(order({ debit_amount: '999999999999999.99' }))).debit_amount, '999999999999999.99')
})

// ——— Refusals and their order ———

test('checks run in a fixed order, and the first failing check is reported', async () => {
  const frozen = await venture.openAccount()
  await venture.post(`/accounts/${frozen.id}/freeze`)
  const blocked = await venture.openAccount()
  const frozenAndBlocked = await venture.openAccount({ client_id: blocked.client_id })
  await venture.post(`/accounts/${frozenAndBlocked.id}/freeze`)
  assert.equal((await venture.put(`/clients/${blocked.client_id}`, { blocked: true })).status, 200)
  const limited = await venture.openAccount({ daily_limit: '5.00' })
  const known = await venture.addBeneficiary(limited.client_id)
  const used = await venture.createTransfer(order())
  const unfinished = { transfer_type: 'PAYMENT_RETURN', parent_transaction_id: used.id }
  const nowhere = { account_id: randomUUID() }
  const taken = { unique_reference: used.unique_reference }
  const parentless = { parent_transaction_id: randomUUID() }
  const nobody = { beneficiary_id: randomUUID() }
  const disagreeing = { credit_amount: '9.99' }
  const pairs: [code: string, order: object][] = [
    ['invalid_request', order({ purpose: '', ...nowhere })],
    ['account_not_found', order({ ...nowhere, ...taken })],
    ['unique_reference_used', order({ ...taken, account_id: frozen.id })],
    ['account_not_active', order({ account_id: frozenAndBlocked.id })],
    ['client_blocked', order({ account_id: blocked.id, ...parentless })],
    ['parent_invalid', order({ ...parentless, ...nobody })],
    ['parent_invalid', order({ ...unfinished, ...nobody })],
    ['parent_invalid', order({ ...unfinished, beneficiary_id: null })],
    ['parent_invalid', order({ transfer_type: 'PAYMENT_RETURN', ...nobody })],
    ['beneficiary_invalid', order({ ...nobody, ...disagreeing })],
    ['beneficiary_required', order({ beneficiary_id: null, ...disagreeing })],
    ['beneficiary_invalid', order({ beneficiary_id: beneficiaries.bare.id, method: 'SEPA', ...disagreeing })],
    ['beneficiary_mismatch', order({ cr_iban: ibans.emirati, ...disagreeing })],
    ['amount_mismatch', order({ account_id: limited.id, beneficiary_id: known.id, debit_amount: '5.01', ...disagreeing })],
    ['currency_mismatch', order({ account_id: limited.id, beneficiary_id: known.id, debit_amount: '5.01', debit_currency: 'USD' })],
    ['limit_exceeded', order({ account_id: limited.id, beneficiary_id: known.id, debit_amount: '5.01' })],
  ]
  for (const [code, request] of pairs) await refused(request, code)
})

test('a create does not check funds', async () => {
  const poor = await venture.openAccount()
  const beneficiary = await venture.addBeneficiary(poor.client_id)
  const transfer = await venture.createTransfer({ account_id: poor.id, beneficiary_id: beneficiary.id, debit_amount: '1000000.00' })
  assert.equal(transfer.status, 'CREATED')
})

test('a reference is unique across ventures, and only its own venture gets the id of the existing transfer', async () => {
  const first = await venture.createTransfer(order())
  const { unique_reference } = first
  const own = await refused(order({ unique_reference, debit_amount: '2.00' }), 'unique_reference_used')
  assert.match(own.problem.detail, new RegExp(`^The transfer ${own.problem.existing_transfer_id} has this unique_reference\\. `))
  assert.equal(own.status, 409)
  assert.equal(own.problem.existing_transfer_id, first.id)
  const theirs = { account_id: foreign.id, direction: 'INBOUND', credit_amount: '1.00', unique_reference }
  const other = await refused(theirs, 'unique_reference_used', stranger)
  assert.equal(other.problem.detail, 'Another transfer has this unique_reference. Use another unique_reference.')
  assert.ok(!other.text.includes(first.id) && !('existing_transfer_id' in other.problem))
})

test('a retry gets the id of the existing transfer even if the account has been closed since', async () => {
  const closing = await venture.openAccount()
  const beneficiary = await venture.addBeneficiary(closing.client_id)
  const request = order({ account_id: closing.id, beneficiary_id: beneficiary.id })
  const { id } = (await venture.post('/transfers', request)).body
  await venture.post(`/accounts/${closing.id}/close`)
  assert.equal((await refused(request, 'unique_reference_used')).problem.existing_transfer_id, id)
})

test('a refused create leaves its reference free, for its venture and for any other', async () => {
  const request = order({ beneficiary_id: randomUUID() })
  await refused(request, 'beneficiary_invalid')
  assert.equal((await venture.post('/transfers', { ...request, ...minimal })).status, 201)
  const next = order({ debit_currency: 'USD' })
  await refused(next, 'currency_mismatch')
  const theirs = { account_id: foreign.id, direction: 'INBOUND', credit_amount: '1.00', unique_reference: next.unique_reference }
  assert.equal((await stranger.post('/transfers', theirs)).status, 201)
})

test('references are case-sensitive and keep their spaces', async () => {
  const name = randomUUID()
  for (const unique_reference of [name, name.toUpperCase(), `${name} `, ` ${name}`]) {
    assert.equal((await venture.createTransfer(order({ unique_reference }))).unique_reference, unique_reference)
  }
})

test('an inactive account accepts no transfer in either direction', async () => {
  const client = await venture.registerClient()
  const made = await venture.post('/accounts', { client_id: client.id, account_name: 'New', account_type: 'CURRENT', currency: 'EUR' })
  const closed = await venture.openAccount()
  await venture.post(`/accounts/${closed.id}/close`)
  for (const [id, current_status] of [
    [made.body.id, 'PENDING'],
    [closed.id, 'CLOSED'],
  ]) {
    const { status, problem } = await refused(order({ account_id: id }), 'account_not_active')
    assert.deepEqual([status, problem.current_status], [409, current_status])
    const remedy = current_status === 'CLOSED' ? 'Use another account.' : 'Activate it first.'
    assert.equal(problem.detail, `The account is ${current_status}, not ACTIVE. ${remedy}`)
    await refused({ unique_reference: randomUUID(), ...inbound, account_id: id }, 'account_not_active')
  }
})

test('a blocked, blacklisted or declined client cannot send, nor receive an internal transfer, but can still receive others', async () => {
  for (const [change, why] of [
    ['blocked = true', 'blocked'],
    ['is_blacklisted = true', 'blacklisted'],
    ["kyc_status = 'DECLINED'", 'DECLINED by its verification'],
  ]) {
    const watched = await venture.openAccount()
    const beneficiary = await venture.addBeneficiary(watched.client_id)
    const payer = await venture.addBeneficiary(account.client_id, { iban: watched.account_number })
    await bank.owner.query(`update clients set ${change} where id = $1`, [watched.client_id])
    const answer = await refused(order({ account_id: watched.id, beneficiary_id: beneficiary.id }), 'client_blocked')
    assert.equal(answer.status, 409)
    assert.equal(answer.problem.detail, `The client is ${why} and cannot send money.`)
    const internal = await refused(order({ beneficiary_id: payer.id }), 'client_blocked')
    assert.equal(internal.problem.detail, `The client of the receiving account is ${why} and cannot receive an internal transfer.`)
    const fee = await venture.createTransfer(order({ beneficiary_id: payer.id, transfer_type: 'FEE' }))
    assert.equal(fee.status, 'CREATED', 'a fee does not go to the beneficiary')
    const received = await venture.createTransfer({ ...inbound, account_id: watched.id })
    assert.equal(received.status, 'CREATED')
  }
})

test('an outbound transfer of any type needs a beneficiary of the same client', async () => {
  const theirs = await stranger.addBeneficiary(foreign.client_id)
  const others = await venture.addBeneficiary(neighbour.client_id)
  for (const transfer_type of ['PAYMENT', 'FEE', 'ADJUSTMENT', 'CCY_EXCHANGE', 'CARD_AUTH']) {
    assert.equal((await refused(order({ transfer_type, beneficiary_id: null }), 'beneficiary_required')).status, 422)
    const { problem } = await refused(order({ transfer_type, beneficiary_id: others.id }), 'beneficiary_invalid')
    assert.equal(problem.detail, 'The beneficiary belongs to another client. Create one for the client of the account.')
  }
  const unknown = await refused(order({ beneficiary_id: randomUUID() }), 'beneficiary_invalid')
  const strange = await refused(order({ beneficiary_id: theirs.id }), 'beneficiary_invalid')
  assert.equal(sameBytes(strange), sameBytes(unknown))
  await refused({ unique_reference: randomUUID(), ...inbound, beneficiary_id: others.id }, 'beneficiary_invalid')
})

test("a cr_iban that differs from the beneficiary's IBAN is refused", async () => {
  await refused(order({ cr_iban: ibans.emirati }), 'beneficiary_mismatch')
  await refused(order({ cr_iban: ibans.german, beneficiary_id: beneficiaries.wired.id }), 'beneficiary_mismatch')
  const { cr_iban } = await venture.createTransfer(order({ cr_iban: ibans.german.toLowerCase() }))
  assert.equal(cr_iban, ibans.german)
})

test('a method that cannot reach the beneficiary is refused', async () => {
  const cannot: [name: keyof typeof beneficiaries, method: string][] = [
    ['wired', 'SEPA'],
    ['wired', 'INST'],
    ['wired', 'DOMESTIC'],
    ['german', 'DOMESTIC'],
    ['routed', 'DOMESTIC'],
    ['bare', 'SWIFT'],
    ['bare', 'DOMESTIC'],
    ['german', 'INTERNAL'],
    ['foreign', 'INTERNAL'],
    ['wired', 'SDD_INTERNAL'],
    ['self', 'INTERNAL'],
    ['self', 'SDD_INTERNAL'],
  ]
  for (const [name, method] of cannot) await refused(order({ beneficiary_id: beneficiaries[name].id, method }), 'beneficiary_invalid')
  for (const name of ['bare', 'self'] as const) await refused(order({ beneficiary_id: beneficiaries[name].id }), 'beneficiary_invalid')
  const can: [name: keyof typeof beneficiaries, method: string, more?: object][] = [
    ['american', 'SWIFT'],
    ['american', 'DOMESTIC', intoDollars],
    ['emirati', 'SWIFT'],
    ['wired', 'CARD', { transfer_type: 'CARD_AUTH' }],
  ]
  for (const [name, method, more] of can) assert.equal((await venture.createTransfer(to(name, { method, ...more }))).method, method)
})

test('SEPA needs an IBAN of a SEPA country, and a BIC outside the EEA', async () => {
  const outside = 'its IBAN is not of a SEPA country'
  const withoutBic = 'it has no BIC, and its IBAN is of a country outside the EEA'
  const table: [name: keyof typeof beneficiaries, method: string, missing: string][] = [
    ['emirati', 'SEPA', outside],
    ['emirati', 'INST', outside],
    ['emirati', 'SDD', outside],
    ['swiss', 'SEPA', withoutBic],
    ['swiss', 'INST', withoutBic],
  ]
  for (const [name, method, missing] of table) {
    const { problem } = await refused(to(name, { method }), 'beneficiary_invalid')
    assert.equal(problem.detail, `${method} cannot reach this beneficiary: ${missing}.`)
  }
})

test('a method carries only its own currencies, and SEPA and INST no exchange', async () => {
  const into = { unique_reference: randomUUID(), account_id: account.id, direction: 'INBOUND', credit_amount: '1.00' }
  const fromDollars = { debit_currency: 'USD', debit_amount: '1.10' }
  const table: [order: object, detail: string][] = [
    [to('german', { method: 'SEPA', ...intoDollars }), 'SEPA carries EUR on both sides, not EUR to USD.'],
    [to('german', { method: 'SEPA', account_id: dollars.id }), 'SEPA carries EUR on both sides, not USD.'],
    [
      to('german', { method: 'INST', account_id: dollars.id, credit_currency: 'EUR', exchange_rate: '0.9' }),
      'INST carries EUR on both sides, not USD to EUR.',
    ],
    [to('german', { method: 'SDD', account_id: dollars.id }), 'SDD carries EUR, not USD.'],
    [to('dollars', { method: 'SDD_INTERNAL', exchange_rate: '1.1' }), 'SDD_INTERNAL carries EUR, not EUR to USD.'],
    [to('american', { method: 'DOMESTIC' }), 'DOMESTIC carries USD, not EUR.'],
    [{ ...into, method: 'SEPA', ...fromDollars }, 'SEPA carries EUR on both sides, not USD to EUR.'],
    [{ ...into, method: 'INST', ...fromDollars }, 'INST carries EUR on both sides, not USD to EUR.'],
    [{ ...into, method: 'SDD', ...fromDollars }, 'SDD carries EUR, not USD to EUR.'],
    [{ ...into, method: 'DOMESTIC' }, 'DOMESTIC carries USD, not EUR.'],
  ]
  for (const [request, detail] of table) assert.equal((await refused(request, 'transfer_method_invalid')).problem.detail, detail)
  for (const method of ['SWIFT', 'DOMESTIC']) {
    const { body } = await venture.post('/transfers', { ...into, unique_reference: randomUUID(), method, ...fromDollars })
    assert.equal(body.method, method)
  }
})

test('SEPA methods carry at most 999,999,999.99 in one transfer', async () => {
  for (const [name, method] of [
    ['german', 'SEPA'],
    ['german', 'INST'],
    ['german', 'SDD'],
    ['neighbour', 'SDD_INTERNAL'],
  ] as const) {
    const { problem } = await refused(to(name, { method, debit_amount: '1000000000.00' }), 'transfer_method_invalid')
    assert.equal(problem.detail, `${method} carries at most 999999999.99 EUR in one transfer.`)
    assert.equal((await venture.createTransfer(to(name, { method, debit_amount: '999999999.99' }))).method, method)
  }
})

test('over a SEPA method, inbound money comes from a SEPA country', async () => {
  for (const method of ['SEPA', 'INST', 'SDD']) {
    const request = { unique_reference: randomUUID(), ...inbound, method, dr_iban: ibans.emirati }
    const { problem } = await refused(request, 'transfer_method_invalid')
    assert.equal(problem.detail, `${method} carries no money from an account outside the SEPA countries.`)
  }
})

test('CARD carries the card types only, so a payment cannot avoid screening over it', async () => {
  for (const transfer_type of ['PAYMENT', 'FEE', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING']) {
    const { problem } = await refused(order({ transfer_type, method: 'CARD' }), 'transfer_method_invalid')
    assert.match(problem.detail, new RegExp(`^A transfer of type ${transfer_type} needs the method SEPA, `))
    await refused({ unique_reference: randomUUID(), ...inbound, transfer_type, method: 'CARD' }, 'transfer_method_invalid')
  }
})

test('fees, adjustments and exchanges cannot be paid to another client of the venture', async () => {
  for (const transfer_type of ['FEE', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING']) {
    for (const method of ['INTERNAL', 'SDD_INTERNAL']) {
      const { problem } = await refused(to('neighbour', { transfer_type, method }), 'transfer_method_invalid')
      assert.equal(
        problem.detail,
        `A transfer of type ${transfer_type} needs the method SEPA, SDD, INST, SWIFT or DOMESTIC, not ${method}.`,
      )
    }
    const before = (await venture.get(`/accounts/${neighbour.id}`)).body
    const booked = await venture.createTransfer(to('neighbour', { transfer_type, debit_amount: '0.01' }))
    await walk(venture, booked, 'RESERVED COMPLETED')
    assert.deepEqual((await venture.get(`/accounts/${neighbour.id}`)).body, before)
  }
})

test('without an IBAN the bank decides, so cr_bank_bic must be that of the beneficiary', async () => {
  for (const cr_bank_bic of ['DEUTDEFF', 'CHASUS33NYC']) {
    const { problem } = await refused(to('wired', { cr_bank_bic }), 'beneficiary_mismatch')
    assert.match(problem.detail, /^The money goes to an account number at the beneficiary's bank, /)
  }
  await refused(to('american', { cr_bank_bic: 'CHASUS33', ...intoDollars }), 'beneficiary_mismatch')
  for (const cr_bank_bic of ['CHASUS33', 'chasus33xxx'])
    assert.equal((await venture.createTransfer(to('wired', { cr_bank_bic }))).cr_bank_bic, cr_bank_bic.toUpperCase())
  assert.equal((await venture.createTransfer(to('german', { cr_bank_bic: 'DEUTDEFF' }))).cr_bank_bic, 'DEUTDEFF')
})

test('an inbound transfer credits the account, so its cr_iban is that of the account', async () => {
  const into = (cr_iban: string) => ({ unique_reference: randomUUID(), ...inbound, cr_iban })
  const { problem } = await refused(into(neighbour.account_number), 'beneficiary_mismatch')
  assert.equal(problem.detail, `An INBOUND transfer credits the account ${account.account_number}: leave cr_iban out, or send this number.`)
  const { body } = await venture.post('/transfers', into(account.account_number.toLowerCase()))
  assert.equal(body.cr_iban, account.account_number)
})

test('internal transfers are created on the paying account, and the receiving account must be active', async () => {
  for (const method of ['INTERNAL', 'SDD_INTERNAL']) {
    const answer = await refused({ unique_reference: randomUUID(), ...inbound, method }, 'transfer_method_invalid')
    assert.equal(answer.status, 422)
    assert.equal(answer.problem.detail, `A transfer over ${method} is created on the account that pays: it must be OUTBOUND.`)
  }
  const receiver = await venture.openAccount()
  const { id } = await venture.addBeneficiary(account.client_id, { iban: receiver.account_number })
  for (const [action, current_status] of [
    ['freeze', 'SUSPENDED'],
    ['close', 'CLOSED'],
  ]) {
    await venture.post(`/accounts/${receiver.id}/${action}`)
    const { status, problem } = await refused(order({ beneficiary_id: id }), 'receiver_not_active')
    assert.deepEqual([status, problem.current_status], [409, current_status])
    const remedy = current_status === 'CLOSED' ? 'Choose another beneficiary.' : 'Activate it, or choose another beneficiary.'
    assert.equal(problem.detail, `The receiving account is ${current_status}, not ACTIVE. ${remedy}`)
  }
})

test('SEPA and instant transfers need valid IBANs, and other methods accept any text', async () => {
  const wrong = 'DE00370400440532013000'
  for (const method of ['SEPA', 'INST']) {
    const into = await refused({ unique_reference: randomUUID(), ...inbound, method, dr_iban: wrong }, 'invalid_iban')
    assert.deepEqual([into.status, into.problem.errors[0].field], [422, 'dr_iban'])
    assert.equal(into.problem.detail, `dr_iban must be a valid IBAN, because the method is ${method}.`)
    await refused(order({ method, dr_iban: wrong }), 'invalid_iban')
  }
  const swift = await venture.createTransfer({ ...inbound, method: 'SWIFT', dr_iban: '0012ab' })
  assert.equal(swift.dr_iban, '0012AB')
})

test('card transfers use the method CARD only', async () => {
  for (const transfer_type of ['CARD_AUTH', 'CARD_ADVICE', 'CARD_CLEARING']) {
    for (const method of ['SEPA', 'INST', 'SWIFT', 'SDD']) {
      const { problem } = await refused(order({ transfer_type, method }), 'transfer_method_invalid')
      assert.equal(problem.detail, `A transfer of type ${transfer_type} needs the method CARD, not ${method}.`)
    }
    assert.equal((await venture.createTransfer(order({ transfer_type, is_instant: false }))).method, 'CARD')
  }
})

// ——— Parents ———

const reclaiming = [
  'PAYMENT_RETURN',
  'PAYMENT_REVERSAL',
  'PAYMENT_TECHNICAL_REVERSAL',
  'PAYMENT_CANCELLATION',
  'FEE_CANCELLATION',
  'CARD_REVERSAL',
]

test('returns, reversals and cancellations need a completed parent of the same account, in the opposite direction and large enough', async () => {
  const theirs = await stranger.createTransfer({ account_id: foreign.id, direction: 'INBOUND', credit_amount: '10.00' })
  await walk(stranger, theirs, `RECEIVED ${screening} COMPLETED`)
  for (const transfer_type of reclaiming) {
    const ofParent: Record<string, string> = { FEE_CANCELLATION: 'FEE', CARD_REVERSAL: 'CARD_CLEARING' }
    const parent = await venture.createTransfer(order({ debit_amount: '10.00', transfer_type: ofParent[transfer_type] ?? 'PAYMENT' }))
    const child = (more: object = {}) => ({
      unique_reference: randomUUID(),
      account_id: account.id,
      direction: 'INBOUND',
      method: transfer_type.startsWith('CARD_') ? 'CARD' : 'SEPA',
      transfer_type,
      credit_amount: '4.00',
      parent_transaction_id: parent.id,
      ...more,
    })
    const assertRefused = async (request: object, detail: string) =>
      assert.equal((await refused(request, 'parent_invalid')).problem.detail, detail)
    assert.equal((await refused(child({ parent_transaction_id: null }), 'parent_invalid')).status, 422)
    await assertRefused(child({ parent_transaction_id: null }), `A ${transfer_type} needs a parent_transaction_id.`)
    const unknown = await refused(child({ parent_transaction_id: randomUUID() }), 'parent_invalid')
    const strange = await refused(child({ parent_transaction_id: theirs.id }), 'parent_invalid')
    assert.equal(sameBytes(strange), sameBytes(unknown))
    await assertRefused(child(), 'The parent transfer is CREATED, not COMPLETED.')
    await walk(venture, parent, transfer_type in ofParent ? 'RESERVED COMPLETED' : `${sending} COMPLETED`)
    await assertRefused(
      child({ account_id: neighbour.id }),
      `The parent transfer belongs to another account: create the transfer on the account ${account.id}.`,
    )
    const left = (asked: string, amount: string) =>
      `${asked} EUR requested, but only ${amount} EUR is left of the 10.00 EUR of the parent transfer.`
    await assertRefused(child({ credit_amount: '10.01' }), left('10.01', '10.00'))
    await assertRefused(
      child({ debit_currency: 'USD', debit_amount: '4.00' }),
      'The parent transfer is in EUR, so this one must be in EUR, not USD.',
    )
    await assertRefused(
      order({ transfer_type, parent_transaction_id: parent.id }),
      'The parent transfer is OUTBOUND, so this one must go in the other direction.',
    )
    await venture.createTransfer(child())
    await assertRefused(child({ credit_amount: '6.01' }), left('6.01', '6.00'))
    await venture.createTransfer(child({ credit_amount: '6.00' }))
    await assertRefused(child({ credit_amount: '0.01' }), left('0.01', '0.00'))
  }
})

test('a parent that booked nothing, is not a fee, or is an internal transfer cannot be taken back', async () => {
  const reclaim = (transfer_type: string, parent: { id: string }) => ({
    ...inbound,
    unique_reference: randomUUID(),
    transfer_type,
    credit_amount: '1.00',
    parent_transaction_id: parent.id,
    ...(transfer_type === 'CARD_REVERSAL' ? { method: 'CARD' } : {}),
  })
  const auth = await venture.createTransfer(order({ transfer_type: 'CARD_AUTH', debit_amount: '10.00' }))
  await walk(venture, auth, 'RESERVED')
  const whole = { transfer_type: 'CARD_REVERSAL', debit_amount: '10.00', parent_transaction_id: auth.id }
  await walk(venture, await venture.createTransfer(order(whole)), 'COMPLETED')
  assert.equal((await venture.get(`/transfers/${auth.id}`)).body.status, 'COMPLETED')
  for (const transfer_type of reclaiming) await refused(reclaim(transfer_type, auth), 'parent_invalid')
  const payment = await venture.createTransfer(order({ debit_amount: '10.00' }))
  await walk(venture, payment, `${sending} COMPLETED`)
  await refused(reclaim('FEE_CANCELLATION', payment), 'parent_invalid')
  const receiver = await venture.openAccount()
  const inside = await venture.addBeneficiary(account.client_id, { iban: receiver.account_number })
  const internal = await venture.createTransfer(order({ beneficiary_id: inside.id, debit_amount: '10.00' }))
  assert.equal(internal.method, 'INTERNAL')
  await walk(venture, internal, `RESERVED ${screening} COMPLETED`)
  await refused(reclaim('PAYMENT_RETURN', internal), 'parent_invalid')
  const fee = await venture.createTransfer(order({ beneficiary_id: inside.id, transfer_type: 'FEE', debit_amount: '1.00' }))
  assert.notEqual(fee.method, 'INTERNAL')
})

test('a long name is never cut within a character', async () => {
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED', first_name: 'a'.repeat(138), last_name: '\u{20bb7}\u91ce' })
  const owned = await venture.openAccount({ client_id: client.id })
  const { cr_name } = await venture.createTransfer({ account_id: owned.id, direction: 'INBOUND', credit_amount: '1.00' })
  assert.equal(cr_name, `${'a'.repeat(138)} \u{20bb7}`)
})

test('children of different types share the amount of their parent', async () => {
  const parent = await venture.createTransfer(order({ debit_amount: '10.00' }))
  await walk(venture, parent, `${sending} COMPLETED`)
  const child = (transfer_type: string, credit_amount: string) => ({
    ...inbound,
    transfer_type,
    credit_amount,
    parent_transaction_id: parent.id,
  })
  await venture.createTransfer(child('PAYMENT_RETURN', '7.00'))
  await refused({ unique_reference: randomUUID(), ...child('PAYMENT_REVERSAL', '3.01') }, 'parent_invalid')
  await venture.createTransfer(child('PAYMENT_REVERSAL', '3.00'))
})

test('any other transfer may name a parent of the same venture', async () => {
  const parent = await venture.createTransfer(order())
  for (const transfer_type of ['PAYMENT', 'FEE', 'ADJUSTMENT']) {
    const child = await venture.createTransfer(order({ transfer_type, parent_transaction_id: parent.id.toUpperCase() }))
    assert.equal(child.parent_transaction_id, parent.id)
    await refused(order({ transfer_type, parent_transaction_id: randomUUID() }), 'parent_invalid')
  }
})

test('the parent of a clearing must be an authorisation of the same account that was reserved or has ended', async () => {
  const auth = await venture.createTransfer(order({ transfer_type: 'CARD_AUTH', debit_amount: '10.00' }))
  const clearing = { transfer_type: 'CARD_CLEARING', parent_transaction_id: auth.id }
  await refused(order(clearing), 'parent_invalid')
  await walk(venture, auth, 'RESERVED')
  await refused(order({ ...clearing, account_id: dollars.id }), 'parent_invalid')
  assert.equal((await venture.createTransfer(order(clearing))).method, 'CARD')
  await walk(venture, auth, 'CANCELLED')
  await refused(order({ ...clearing, account_id: dollars.id }), 'parent_invalid')
  assert.equal((await venture.createTransfer(order(clearing))).status, 'CREATED')
  const payment = await venture.createTransfer(order())
  const { problem } = await refused(order({ ...clearing, parent_transaction_id: payment.id }), 'parent_invalid')
  assert.equal(
    problem.detail,
    'The parent of a CARD_CLEARING must be a CARD_AUTH or a CARD_ADVICE that was RESERVED or has ended; this parent is PAYMENT and CREATED.',
  )
})

// ——— Attacks ———

/** A response without its request id. */
function sameBytes({ text, problem }: Answer): string {
  return text.replaceAll(problem.request_id, '')
}

test("the response for another venture's account is byte for byte that for an unknown account", async () => {
  const unknown = await refused(order({ account_id: randomUUID() }), 'account_not_found')
  const strange = await refused(order({ account_id: foreign.id }), 'account_not_found')
  assert.equal(unknown.status, 404)
  assert.equal(sameBytes(strange), sameBytes(unknown))
})

test('fields that only the service sets are refused in a request', async () => {
  const fields = [
    'id',
    'status',
    'cr_account_id',
    'dr_account_id',
    'bank_partner_id',
    'bank_partner_trx_id',
    'signed_at',
    'status_reason',
    'status_reason_code',
    'third_party_status',
    'third_party_status_code',
    'third_party_status_reason',
    'created_at',
    'updated_at',
    'venture_id',
    'hold',
    'suspended',
    'receiver_account_id',
    'held',
    'screened',
    'sequence',
  ]
  for (const field of fields) {
    const answer = await refused(order({ [field]: null }), 'invalid_request')
    assert.equal(answer.problem.errors[0].field, field)
  }
})

test('a decimal is a string of digits and a point, and anything else is refused', async () => {
  const wrong: unknown[] = [
    '',
    ' ',
    '1e5',
    '-0',
    '-1',
    '+1',
    '.5',
    '5.',
    '0x10',
    'NaN',
    'Infinity',
    '-Infinity',
    '1_0',
    '١٠',
    '１',
    '01',
    '00',
    '1,0',
    ' 1',
    '1 ',
    '1\n',
    '1\u0000',
    '1.00000',
    '1'.repeat(16),
    '9'.repeat(30),
    `0.${'0'.repeat(29)}1`,
    '1.0.0',
    '1/2',
    'null',
    1,
    1.5,
    -0,
    true,
    [],
    ['1'],
    {},
  ]
  for (const field of ['debit_amount', 'credit_amount', 'fx_fee_amount']) {
    for (const value of wrong) await refused(order({ [field]: value }), 'invalid_request')
  }
  for (const value of wrong.filter((value) => value !== '1.00000')) await refused(order({ exchange_rate: value }), 'invalid_request')
  await refused(order({ exchange_rate: '1.00000000001' }), 'invalid_request')
  for (const text of ['1e400', '-1', 'NaN']) {
    const body = JSON.stringify(order()).replace('"1.00"', text)
    assert.ok((await venture.post('/transfers', body)).status === 400, text)
  }
})

test('non-ASCII letters whose upper case is ASCII are refused in codes', async () => {
  const fields: Record<string, string[]> = {
    cr_iban: ['DE8937040044053201300ı', 'ſE3550000000054910000003', 'DEß9370400440532013000', 'DE89 3704 0044 0532 0130 00', ''],
    dr_iban: ['\u212aW81CBKU0000000000001234560101', 'ＤE89370400440532013000', `DE${'1'.repeat(33)}`],
    cr_bank_bic: ['COBADEFſ', 'COBAıTMM', 'COB\u212aDEFF', 'COBADEß', 'COBADEFFX', 'COBADEF'],
    dr_bank_bic: ['COBADEFſXXX', 'ıOBADEFF'],
    credit_currency: ['UſD', 'ıNR', '\u212aWD', 'ß', 'US', 'USDD', 'XXX', 'ＵSD'],
    debit_currency: ['EUR ', 'ſEK', ''],
    cr_country_code: ['ıTA', '\u212aOR', 'RUß', 'uſa', 'DE', 'XXX'],
    dr_country_code: ['ıND', 'FR'],
  }
  for (const [field, values] of Object.entries(fields)) {
    for (const value of values) await refused(order({ [field]: value }), 'invalid_request')
  }
})

const names = ['purpose', 'cr_name', 'dr_name', 'cr_bank_name', 'dr_bank_name']
const texts = [
  'cr_address',
  'cr_city',
  'cr_postal_code',
  'dr_address',
  'dr_city',
  'dr_postal_code',
  'category_purpose_code',
  'purpose_code',
  'structured_reference',
  'structured_reference_issuer',
]

test('control and bidi characters are refused in every text', async () => {
  for (const field of [...names, ...texts]) {
    for (const character of ['\u0000', '\u0007', '\n', '\u007f', '\u0085', '\u202e', '\u2066', '\u200f', '\ud800']) {
      const { status, text } = await venture.post('/transfers', order({ [field]: `a${character}b` }))
      assert.equal(status, 400, `${field} ${JSON.stringify(character)}: ${text}`)
    }
    await refused(order({ [field]: 7 }), 'invalid_request')
  }
})

test('names are limited to 140 characters and other texts to 255', async () => {
  const sizes = [...names.map((field) => [field, 140] as const), ...texts.map((field) => [field, 255] as const)]
  for (const [field, most] of sizes) {
    await refused(order({ [field]: 'x'.repeat(most + 1) }), 'invalid_request')
    await refused(order({ [field]: '' }), 'invalid_request')
  }
  const longest = Object.fromEntries(sizes.map(([field, most]) => [field, 'x'.repeat(most)]))
  const body = await venture.createTransfer(order(longest))
  for (const [field, value] of Object.entries(longest)) assert.equal(body[field], value, field)
})

test('a reference is 1 to 128 printable ASCII characters', async () => {
  for (const unique_reference of ['', 'x'.repeat(129), 'é', 'ı', 'a\nb', 'a\u0000', '\u202e', '\u007f', '１', null, 7]) {
    await refused({ ...minimal, unique_reference }, 'invalid_request')
  }
  await refused({ ...minimal }, 'invalid_request')
  for (const unique_reference of ['~', `${randomUUID()}`.padEnd(128, 'x'), `"'\\;--%_ ${randomUUID()}`]) {
    assert.equal((await venture.createTransfer(order({ unique_reference }))).unique_reference, unique_reference)
  }
})

test('choices, ids, dates and booleans are never coerced', async () => {
  const wrong: Record<string, unknown[]> = {
    account_id: [null, '', 'x', 7, `${account.id}0`],
    beneficiary_id: ['', 'x', 7],
    parent_transaction_id: ['', 'x'],
    direction: ['', 'outbound', 'BOTH', 1],
    method: ['', 'sepa', 'WIRE'],
    transfer_type: ['', 'payment', 'GIFT'],
    is_instant: ['true', 1, 0, 'false'],
    settlement_date: ['2026-02-29', '2026-13-01', '01-01-2026', '2026-01-01T00:00:00Z', '', 20260101],
  }
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values) await refused(order({ [field]: value }), 'invalid_request')
  }
  const twice = JSON.stringify(order()).replace('{', '{"debit_amount":"9.00",')
  for (const body of [twice, '[]', 'null', '"x"', '{', '{"__proto__":{"account_id":"x"}}']) {
    const before = await snapshot()
    assert.equal((await venture.post('/transfers', body)).status, 400, body)
    assert.deepEqual(await snapshot(), before)
  }
})
