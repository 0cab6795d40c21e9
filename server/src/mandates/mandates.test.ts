// Mandates over HTTP: registration, cancellation and expiry, and which collections they allow.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { type Answer, type Loose, openBank, type VentureCaller } from '../testing/testing.ts'
import { addMonths } from '../values/calendar.ts'
import { checkInvariants } from '../verify/verify.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const open = await bank.registerVenture()
const account = await venture.openAccount()
const second = await venture.openAccount({ client_id: account.client_id })
const openAccount = await open.openAccount()

const today = new Date().toISOString().slice(0, 10)
const debtor = { debtor_name: 'Charles Babbage', debtor_iban: 'DE89370400440532013000' }
const signed = (changes: object = {}) => ({
  account_id: account.id,
  reference: `M-${randomUUID().slice(0, 18)}`,
  creditor_id: 'DE98ZZZ09999999999',
  scheme: 'CORE',
  sequence_type: 'RCUR',
  ...debtor,
  signed_on: today,
  ...changes,
})

async function register(changes: object = {}, caller: VentureCaller = venture): Promise<Loose> {
  const { status, body, text } = await caller.post('/mandates', signed(changes))
  assert.equal(status, 201, text)
  return body
}

const collect = (mandate: { id: string }, changes: object = {}, caller: VentureCaller = venture): Promise<Answer> =>
  caller.post('/transfers', {
    unique_reference: randomUUID(),
    account_id: account.id,
    mandate_id: mandate.id,
    credit_amount: '12.50',
    ...changes,
  })

async function collected(mandate: { id: string }, changes: object = {}, caller?: VentureCaller): Promise<Loose> {
  const { status, body, text } = await collect(mandate, changes, caller)
  assert.equal(status, 201, text)
  return body
}

/** A refused request stores nothing. */
async function refused(request: () => Promise<Answer>, status: number, code: string, detail: RegExp): Promise<void> {
  const count = async () =>
    (
      await bank.owner.query(
        'select (select count(*) from transfers) + (select count(*) from mandates) + (select count(*) from events) as n',
      )
    ).rows
  const before = await count()
  const answer = await request()
  assert.deepEqual([answer.status, answer.problem?.code], [status, code], answer.text)
  assert.match(answer.problem.detail, detail)
  assert.deepEqual(await count(), before)
}

const age = (mandate: { id: string }, fields: { signed_on?: string; last_used_on?: string | null }) =>
  bank.owner.query('update mandates set signed_on = coalesce($2, signed_on), last_used_on = $3 where id = $1', [
    mandate.id,
    fields.signed_on ?? null,
    fields.last_used_on ?? null,
  ])

test('a mandate is registered as it was signed, and its event says so', async () => {
  const order = signed({ creditor_id: 'de98 zzz09999999999', debtor_iban: 'de89370400440532013000', scheme: 'B2B', sequence_type: 'OOFF' })
  const { status, body, headers } = await venture.post('/mandates', order)
  assert.equal(status, 201)
  assert.equal(headers['location'], `/api/v1/mandates/${body.id}`)
  const { id: _, created_at: _created, updated_at: _updated, ...rest } = body
  assert.deepEqual(rest, {
    ...order,
    creditor_id: 'DE98ZZZ09999999999',
    debtor_iban: 'DE89370400440532013000',
    state: 'ACTIVE',
    last_used_on: null,
    expires_on: addMonths(today, 36),
  })
  assert.deepEqual((await venture.get(`/mandates/${body.id}`)).body, body)
  const { body: events } = await venture.get(`/events?resource_id=${body.id}`)
  assert.deepEqual(
    events.map(({ type, sequence, data }: Loose) => [type, sequence, data.object]),
    [['mandate.created', 1, body]],
  )
})

test('what no debtor can have signed is refused', async () => {
  const rows: [object, string, RegExp][] = [
    [{ creditor_id: 'DE99ZZZ09999999999' }, 'invalid_request', /creditor_id must be a SEPA creditor identifier/],
    [{ debtor_iban: 'DE89370400440532013001' }, 'invalid_iban', /debtor_iban must be a valid IBAN/],
    [{ debtor_iban: 'BR1800360305000010009795493C1' }, 'invalid_iban', /of a SEPA country/],
    [{ signed_on: addMonths(today, 1) }, 'invalid_request', /signed_on must not be in the future/],
    [{ signed_on: addMonths(today, -37) }, 'invalid_request', /within the last 36 months/],
    [{ signed_on: addMonths(today, -37), last_used_on: addMonths(today, -38) }, 'invalid_request', /between signed_on and today/],
    [{ last_used_on: addMonths(today, 1) }, 'invalid_request', /between signed_on and today/],
    [{ sequence_type: 'OOFF', last_used_on: today }, 'invalid_request', /last_used_on must be left out/],
    [{ reference: '/A' }, 'invalid_request', /reference must have/],
    [{ reference: 'A//B' }, 'invalid_request', /reference must have/],
    [{ reference: 'A/' }, 'invalid_request', /reference must have/],
    [{ reference: 'Ä' }, 'invalid_request', /reference must have/],
    [{ reference: 'A'.repeat(36) }, 'invalid_request', /reference must have/],
    [{ sequence_type: 'FRST' }, 'invalid_request', /sequence_type/],
    [{ scheme: 'COR1' }, 'invalid_request', /scheme/],
  ]
  for (const [changes, code, detail] of rows)
    await refused(() => venture.post('/mandates', signed(changes)), code === 'invalid_iban' ? 422 : 400, code, detail)
  await refused(() => venture.post('/mandates', signed({ account_id: randomUUID() })), 404, 'account_not_found', /account/)
  await refused(() => venture.post('/mandates', signed({ account_id: openAccount.id })), 404, 'account_not_found', /account/)
})

test('a creditor has one mandate of a reference, whatever became of it; another creditor or venture may have the same', async () => {
  const mandate = await register()
  const again = () => venture.post('/mandates', signed({ reference: mandate.reference }))
  await refused(again, 409, 'mandate_exists', /reference/)
  assert.equal((await venture.post(`/mandates/${mandate.id}/cancel`)).status, 200)
  await refused(again, 409, 'mandate_exists', /reference/)
  await register({ reference: mandate.reference, creditor_id: 'DE51ABC12345678901' })
  await register({ reference: mandate.reference, account_id: openAccount.id }, open)
})

test('a mandate that was used at another bank lives on from there', async () => {
  const old = await register({ signed_on: addMonths(today, -100), last_used_on: addMonths(today, -2) })
  assert.deepEqual([old.state, old.expires_on], ['ACTIVE', addMonths(addMonths(today, -2), 36)])
})

test('it is cancelled once and for ever', async () => {
  const mandate = await register()
  const { status, body } = await venture.post(`/mandates/${mandate.id}/cancel`)
  assert.deepEqual([status, body.state], [200, 'CANCELLED'])
  await refused(() => venture.post(`/mandates/${mandate.id}/cancel`), 409, 'mandate_not_active', /is CANCELLED/)
  const { body: events } = await venture.get(`/events?resource_id=${mandate.id}&type=mandate.cancelled`)
  assert.deepEqual(
    events.map(({ sequence, data }: Loose) => [sequence, data.previous_status, data.object]),
    [[2, 'ACTIVE', body]],
  )
  const expired = await register()
  await age(expired, { signed_on: addMonths(today, -37) })
  await refused(() => venture.post(`/mandates/${expired.id}/cancel`), 409, 'mandate_not_active', /is EXPIRED/)
  await refused(() => venture.post(`/mandates/${randomUUID()}/cancel`), 404, 'mandate_not_found', /no mandate/)
  await refused(() => open.post(`/mandates/${mandate.id}/cancel`), 404, 'mandate_not_found', /no mandate/)
  await refused(() => open.get(`/mandates/${mandate.id}`), 404, 'mandate_not_found', /no mandate/)
})

test('lists find mandates by account and by state, which depends on the day', async () => {
  const other = await venture.openAccount()
  const [active, cancelled, expired] = [
    await register({ account_id: other.id }),
    await register({ account_id: other.id }),
    await register({ account_id: other.id }),
  ]
  await venture.post(`/mandates/${cancelled.id}/cancel`)
  await age(expired, { signed_on: addMonths(today, -37) })
  const lastDay = await register({ account_id: other.id, signed_on: addMonths(today, -35) })
  await age(lastDay, { signed_on: '2001-01-01', last_used_on: addMonths(today, -36) })
  const idsOf = async (query: string) =>
    (await venture.get(`/mandates?account_id=${other.id}${query}`)).body.map(({ id, state }: Loose) => [id, state])
  assert.deepEqual(await idsOf(''), [
    [lastDay.id, 'ACTIVE'],
    [expired.id, 'EXPIRED'],
    [cancelled.id, 'CANCELLED'],
    [active.id, 'ACTIVE'],
  ])
  assert.deepEqual(await idsOf('&state=ACTIVE'), [
    [lastDay.id, 'ACTIVE'],
    [active.id, 'ACTIVE'],
  ])
  assert.deepEqual(await idsOf('&state=EXPIRED'), [[expired.id, 'EXPIRED']])
  assert.deepEqual(await idsOf('&state=CANCELLED'), [[cancelled.id, 'CANCELLED']])
  assert.deepEqual((await open.get(`/mandates?account_id=${other.id}`)).body, [])
})

test('a managed venture collects with a mandate: everything else follows from it', async () => {
  const mandate = await register()
  const transfer = await collected(mandate)
  assert.deepEqual(
    [
      transfer.direction,
      transfer.method,
      transfer.transfer_type,
      transfer.mandate_id,
      transfer.dr_name,
      transfer.dr_iban,
      transfer.cr_iban,
    ],
    ['INBOUND', 'SDD', 'PAYMENT', mandate.id, debtor.debtor_name, debtor.debtor_iban, account.account_number],
  )
  const { body: used } = await venture.get(`/mandates/${mandate.id}`)
  assert.deepEqual(
    [used.state, used.last_used_on, used.expires_on],
    ['ACTIVE', transfer.settlement_date, addMonths(transfer.settlement_date, 36)],
  )
  const named = { direction: 'INBOUND', method: 'SDD', transfer_type: 'PAYMENT', dr_name: debtor.debtor_name, dr_iban: debtor.debtor_iban }
  assert.equal((await collected(mandate, { ...named, dr_bank_bic: 'COBADEFF' })).dr_bank_bic, 'COBADEFF')
  const earlier = await collected(mandate, { settlement_date: transfer.settlement_date })
  assert.equal(earlier.settlement_date, transfer.settlement_date)
})

test('without a mandate collecting stays with the bank', async () => {
  const order = { account_id: account.id, direction: 'INBOUND', method: 'SDD', credit_amount: '1.00' }
  await refused(
    () => venture.post('/transfers', { unique_reference: randomUUID(), ...order }),
    403,
    'reserved_to_bank',
    /without `mandate_id`/,
  )
  const byBank = await venture.order({ ...order, direction: 'INBOUND', method: 'SDD', dr_iban: debtor.debtor_iban })
  assert.equal(byBank.mandate_id, null)
})

test('a mandate allows only what its debtor has signed', async () => {
  const mandate = await register()
  const foreign = await register({ account_id: openAccount.id }, open)
  const cancelled = await register()
  await venture.post(`/mandates/${cancelled.id}/cancel`)
  const expired = await register()
  await age(expired, { signed_on: addMonths(today, -37) })
  const payee = await venture.addBeneficiary(account.client_id)
  const rows: [Loose, object, number, string, RegExp][] = [
    [{ id: randomUUID() }, {}, 422, 'mandate_invalid', /no mandate with this id/],
    [foreign, {}, 422, 'mandate_invalid', /no mandate with this id/],
    [mandate, { account_id: second.id }, 422, 'mandate_invalid', /another account/],
    [mandate, { dr_iban: 'FR1420041010050500013M02606' }, 422, 'mandate_invalid', /dr_iban is not/],
    [mandate, { dr_name: 'Ada Lovelace' }, 422, 'mandate_invalid', /dr_name is not/],
    [cancelled, {}, 409, 'mandate_not_active', /is CANCELLED/],
    [expired, {}, 409, 'mandate_not_active', /is EXPIRED/],
    [
      mandate,
      { direction: 'OUTBOUND', beneficiary_id: payee.id, debit_amount: '1.00', credit_amount: null },
      422,
      'mandate_invalid',
      /for a collection/,
    ],
    [mandate, { method: 'SEPA' }, 403, 'reserved_to_bank', /Any other INBOUND/],
    [mandate, { transfer_type: 'FEE' }, 403, 'reserved_to_bank', /FEE/],
    [mandate, { settlement_date: '2020-01-01' }, 403, 'reserved_to_bank', /settlement_date/],
  ]
  for (const [used, changes, status, code, detail] of rows) await refused(() => collect(used, changes), status, code, detail)
})

test('a mandate for one collection is used once; a collection that failed does not count', async () => {
  const mandate = await register({ sequence_type: 'OOFF' })
  const first = await collected(mandate)
  await refused(() => collect(mandate), 422, 'mandate_invalid', /for one collection/)
  assert.equal((await venture.put(`/transfers/${first.id}`, { status: 'CANCELLED' })).status, 200)
  const answers = await Promise.all(Array.from({ length: 8 }, () => collect(mandate)))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(422)])
})

test('an open venture may name a mandate, which then binds it, or none', async () => {
  const mandate = await register({ account_id: openAccount.id }, open)
  const transfer = await collected(mandate, { account_id: openAccount.id }, open)
  assert.deepEqual([transfer.method, transfer.mandate_id], ['SDD', mandate.id])
  const plain = { account_id: openAccount.id, direction: 'INBOUND', method: 'SDD', dr_iban: debtor.debtor_iban, credit_amount: '3.00' }
  assert.equal((await open.createTransfer(plain)).mandate_id, null)
  await refused(() => collect(mandate, { account_id: openAccount.id, method: 'SEPA' }, open), 422, 'mandate_invalid', /for a collection/)
  await refused(
    () => collect(mandate, { account_id: openAccount.id, transfer_type: 'ADJUSTMENT' }, open),
    422,
    'mandate_invalid',
    /for a collection/,
  )
})

test('the books are right', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
