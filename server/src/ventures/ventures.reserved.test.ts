// What the bank reserves to itself in a MANAGED venture. The venture's key tries everything in the table, and people of the bank try what
// they may not do alone. None of it is stored, and everything else still works.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { accountApprovals, actOnAccount } from '../accounts/accounts.ts'
import { clientApprovals, updateClient } from '../clients/clients.ts'
import { ManagedVenture, operator, toSent } from '../testing/testing.managed.ts'
import { somePerson } from '../testing/testing.people.ts'
import { type Answer, type Loose, openBank } from '../testing/testing.ts'
import { type TransferStatus, transferStatuses } from '../transfers/life/transfers.status.ts'
import { transferApprovals } from '../transfers/transfers.ts'
import { Refusal } from '../values/refusals.ts'
import { checkInvariants } from '../verify/verify.ts'
import { cancellable, debtorFields, holdable, reservations } from './ventures.reserved.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const account = await venture.openAccount({ balance: '1000.00' })
const second = await venture.openAccount({ balance: '100.00', client_id: account.client_id, currency: 'USD' })
const beneficiary = await venture.addBeneficiary(account.client_id)
const inside = await venture.addBeneficiary(account.client_id, { iban: second.account_number })
await bank.admin.put('/operator/rates', { from_currency: 'EUR', to_currency: 'USD', rate: '1.1', margin: '0.01' })

const payment = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '10.00' }
const arriving = { account_id: account.id, direction: 'INBOUND', credit_amount: '10.00' }
const ordered = () => venture.createTransfer(payment)
const today = new Date().toISOString().slice(0, 10)

/** Everything that a refused request could have stored. */
async function picture(): Promise<string> {
  const tables = ['transfers', 'transfer_references', 'transfer_moves', 'entries', 'events', 'clients', 'client_emails', 'accounts']
  const texts = tables.map((name) => `(select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) from ${name} t) as ${name}`)
  const { rows } = await bank.owner.query(`select ${texts.join(', ')}`)
  return JSON.stringify(rows)
}

const tried = new Set<string>()

/** A request that must be refused as reserved, by the expected row of the table, and must leave no trace. */
async function reserved(request: () => Promise<Answer>, what: RegExp): Promise<void> {
  const before = await picture()
  const { status, problem, text } = await request()
  assert.deepEqual([status, problem?.code], [403, 'reserved_to_bank'], text)
  assert.match(problem.reserved, what)
  assert.ok(problem.detail.includes(problem.reason), text)
  assert.equal(await picture(), before)
  tried.add(problem.reserved)
}

const create = (changes: object) => () => venture.post('/transfers', { unique_reference: randomUUID(), ...payment, ...changes })
const createInbound = (changes: object) => () => venture.post('/transfers', { unique_reference: randomUUID(), ...arriving, ...changes })
const update = (id: string, changes: object) => () => venture.put(`/transfers/${id}`, changes)

test('creating what only the bank creates is refused', async () => {
  for (const transfer_type of ['FEE', 'ADJUSTMENT', 'CCY_EXCHANGE', 'FX_POSITION_CLOSING', 'FEE_CANCELLATION']) {
    await reserved(create({ transfer_type }), /^A transfer of type FEE,/)
    await reserved(createInbound({ transfer_type }), /^A transfer of type FEE,/)
  }
  for (const transfer_type of ['CARD_AUTH', 'CARD_ADVICE', 'CARD_CLEARING', 'CARD_REVERSAL'])
    await reserved(create({ transfer_type, method: 'CARD' }), /^A transfer of type CARD_AUTH,/)
  for (const transfer_type of ['PAYMENT_REVERSAL', 'PAYMENT_TECHNICAL_REVERSAL', 'PAYMENT_CANCELLATION']) {
    await reserved(create({ transfer_type }), /^A transfer of type PAYMENT_REVERSAL,/)
    await reserved(createInbound({ transfer_type }), /^A transfer of type PAYMENT_REVERSAL,/)
  }
  await reserved(createInbound({ method: 'SDD' }), /over SDD without `mandate_id`, unless/)
  for (const method of [undefined, 'SEPA', 'INST', 'SWIFT', 'DOMESTIC', 'CARD', 'INTERNAL'])
    await reserved(createInbound({ method }), /^Any other INBOUND/)
  await reserved(
    () =>
      venture.post('/transfers', {
        unique_reference: randomUUID(),
        account_id: account.id,
        cr_iban: account.account_number,
        credit_amount: '1.00',
      }),
    /^Any other INBOUND/,
  )
  for (const method of ['SDD', 'SDD_INTERNAL', 'CARD']) await reserved(create({ method }), /over SDD, SDD_INTERNAL or CARD/)
})

test('amounts, parties and dates that only the bank sets are refused', async () => {
  await reserved(create({ credit_currency: 'USD', exchange_rate: '2' }), /exchange_rate/)
  await reserved(create({ exchange_rate: '1' }), /exchange_rate/)
  await reserved(create({ credit_currency: 'USD', fx_fee_amount: '0' }), /exchange_rate/)
  await reserved(create({ credit_currency: 'USD', credit_amount: '11.00' }), /^Both amounts/)
  await reserved(create({ beneficiary_id: inside.id, credit_amount: '11.00' }), /^Both amounts/)
  const values: Record<string, string> = { dr_iban: 'DE89370400440532013000', dr_bank_bic: 'COBADEFF', dr_country_code: 'DEU' }
  for (const field of debtorFields) await reserved(create({ [field]: values[field] ?? 'Somebody' }), /dr_\*/)
  await reserved(create({ cr_name: 'Charles' }), /cr_name/)
  await reserved(create({ settlement_date: '2026-01-01' }), /settlement_date/)
})

test('what the venture may order is created, and its own name of the beneficiary is fine', async () => {
  for (const changes of [
    {},
    { method: 'SEPA' },
    { method: 'INST' },
    { method: 'SWIFT' },
    { is_instant: true },
    { cr_name: 'Charles Babbage' },
  ])
    assert.equal((await create(changes)()).status, 201)
  assert.equal((await create({ credit_amount: '10.00' })()).status, 201, 'both amounts in one currency')
  assert.equal((await create({ settlement_date: today, method: 'INST' })()).status, 201)
  const { body } = await create({ beneficiary_id: inside.id })()
  assert.deepEqual([body.method, body.exchange_rate, body.credit_amount, body.fx_fee_amount], ['INTERNAL', '1.1', '11.00', '0.10'])
})

test('a return of what was credited is the venture’s; one of frozen money is not', async () => {
  const arrived = await venture.receive(account, '20.00')
  const back = { parent_transaction_id: arrived.id, transfer_type: 'PAYMENT_RETURN', debit_amount: '5.00' }
  assert.equal((await create(back)()).status, 201)
  const frozen = await venture.order({ ...arriving, direction: 'INBOUND', dr_iban: 'DE89370400440532013000' })
  await venture.process(frozen, 'RECEIVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_REJECTED')
  await reserved(create({ ...back, parent_transaction_id: frozen.id }), /frozen in suspense/)
  const sent = await ordered()
  await venture.process(sent, ...toSent, 'COMPLETED')
  await reserved(
    createInbound({ transfer_type: 'PAYMENT_RETURN', parent_transaction_id: sent.id, credit_amount: '10.00' }),
    /^Any other INBOUND/,
  )
})

test('a direct debit can be asked back for eight weeks', async () => {
  const debited = await venture.order({ ...payment, method: 'SDD', direction: 'OUTBOUND' })
  await venture.process(debited, 'RECEIVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'RESERVED', 'COMPLETED')
  const back = { ...arriving, transfer_type: 'PAYMENT_RETURN', parent_transaction_id: debited.id, credit_amount: '4.00' }
  const settledOn = (date: string) => bank.owner.query('update transfers set settlement_date = $2 where id = $1', [debited.id, date])
  const daysAgo = (days: number) => new Date(Date.parse(today) - days * 86_400_000).toISOString().slice(0, 10)
  await settledOn(daysAgo(56))
  const { status, body, text } = await createInbound(back)()
  assert.deepEqual([status, body.method, body.direction], [201, 'SDD', 'INBOUND'], text)
  await reserved(update(body.id, { status: 'READY_FOR_SCREENING' }), /^Every move except SIGNED/)
  await settledOn(daysAgo(57))
  await reserved(createInbound({ ...back, credit_amount: '1.00' }), /^Any other INBOUND/)
  // The day never changes, and rules depend on it.
  await settledOn(debited.settlement_date)
})

test('fields that only the bank sets are refused, on a transfer that has ended too, and null as well', async () => {
  const transfer = await ordered()
  const ended = await ordered()
  await venture.put(`/transfers/${ended.id}`, { status: 'CANCELLED' })
  for (const { id } of [transfer, ended]) {
    for (const field of ['third_party_status', 'third_party_status_code', 'third_party_status_reason']) {
      await reserved(update(id, { [field]: 'ACCC' }), /third_party_status/)
      await reserved(update(id, { [field]: null }), /third_party_status/)
    }
    await reserved(update(id, { bank_partner_id: 'partner' }), /bank_partner_id/)
    await reserved(update(id, { bank_partner_trx_id: 7 }), /bank_partner_id/)
    await reserved(update(id, { status_reason_code: 'AC04' }), /status_reason_code/)
    await reserved(update(id, { signed_at: '2026-01-01T00:00:00Z' }), /signed_at/)
  }
  await reserved(update(transfer.id, { status: 'SIGNED', signed_at: '2026-01-01T00:00:00Z' }), /signed_at/)
  const { status, body } = await venture.put(`/transfers/${transfer.id}`, { status_reason: 'A note' })
  assert.deepEqual([status, body.status_reason], [200, 'A note'])
})

/** Statuses that a transfer can be brought to, with the moves of the bank's side that lead there. */
const positions: Record<string, readonly TransferStatus[]> = {
  CREATED: [],
  TO_SIGN: ['TO_SIGN'],
  SIGNED: ['TO_SIGN', 'SIGNED'],
  TO_RESERVE: ['TO_RESERVE'],
  RESERVED: ['RESERVED'],
  READY_FOR_SCREENING: ['RESERVED', 'READY_FOR_SCREENING'],
  AML_SCANNING: ['RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING'],
  REVIEW: ['RESERVED', 'REVIEW'],
  AML_APPROVED: ['RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED'],
  READY_TO_CLEAR: [...toSent.slice(0, -1)],
  SENT_TO_PACK: [...toSent.slice(0, -1), 'SENT_TO_PACK'],
  PACKED: [...toSent.slice(0, -1), 'SENT_TO_PACK', 'PACKED'],
  SENT_TO_CLEAR: [...toSent],
  ACCEPTED: [...toSent, 'ACCEPTED'],
  SOME_PROBLEMS: [...toSent, 'SOME_PROBLEMS'],
  MANUAL_ACTION: [...toSent.slice(0, -1), 'MANUAL_ACTION'],
  ON_HOLD: ['ON_HOLD'],
}

test('from every status, every move but the venture’s own is refused', async () => {
  for (const [from, walk] of Object.entries(positions)) {
    const transfer = await ordered()
    await venture.process(transfer, ...walk)
    const own = [
      ...(holdable.includes(from) ? ['ON_HOLD'] : []),
      ...(cancellable.includes(from) ? ['CANCELLED', 'TO_CANCEL'] : []),
      'SIGNED',
      from,
    ]
    for (const to of transferStatuses.filter((status) => !own.includes(status)))
      await reserved(update(transfer.id, { status: to }), /^Every move except SIGNED/)
    const { body } = await venture.get(`/transfers/${transfer.id}/transitions`)
    for (const { status, allowed, blocked_by } of body) {
      assert.equal(blocked_by === 'reserved_to_bank', !own.includes(status), `${from} ${status} ${blocked_by}`)
      assert.ok(!allowed || own.includes(status))
    }
  }
})

test('the venture signs, cancels and holds', async () => {
  for (const from of cancellable) {
    const walk = positions[from] ?? []
    const cancelled = await ordered()
    await venture.process(cancelled, ...walk)
    const to = from === 'SENT_TO_PACK' || from === 'PACKED' ? 'TO_CANCEL' : 'CANCELLED'
    assert.equal((await venture.put(`/transfers/${cancelled.id}`, { status: to })).status, 200, from)
    if (!holdable.includes(from)) continue
    const held = await ordered()
    await venture.process(held, ...walk)
    assert.equal((await venture.put(`/transfers/${held.id}`, { status: 'ON_HOLD' })).status, 200, from)
    assert.equal((await venture.put(`/transfers/${held.id}`, { status: from })).status, 200, from)
  }
  const signed = await ordered()
  const early = await venture.put(`/transfers/${signed.id}`, { status: 'SIGNED' })
  assert.deepEqual([early.status, early.problem.code], [409, 'signature_not_requested'])
  await venture.process(signed, 'TO_SIGN')
  const { body } = await venture.put(`/transfers/${signed.id}`, { status: 'SIGNED' })
  assert.ok(body.signed_at)
})

test('out of ON_HOLD only where the venture itself put it there, and then not to where only the bank goes', async () => {
  const own = await ordered()
  await venture.put(`/transfers/${own.id}`, { status: 'ON_HOLD' })
  for (const status of ['REVIEW', 'MANUAL_ACTION', 'MANUAL_REJECTED']) await reserved(update(own.id, { status }), /^Every move except/)
  const { body } = await venture.put(`/transfers/${own.id}`, { status: 'CANCELLED' })
  assert.equal(body.status, 'CANCELLED')

  const banks = await ordered()
  await venture.process(banks, 'ON_HOLD')
  for (const status of ['CREATED', 'CANCELLED', 'TO_CANCEL', 'REVIEW']) await reserved(update(banks.id, { status }), /^Every move except/)
  // The bank releases it, and then the venture's own hold is its own again.
  await venture.process(banks, 'CREATED')
  await venture.put(`/transfers/${banks.id}`, { status: 'ON_HOLD' })
  assert.equal((await venture.put(`/transfers/${banks.id}`, { status: 'CREATED' })).status, 200)
})

test('the venture moves nothing that the bank ordered', async () => {
  const fee = await venture.order({ ...payment, transfer_type: 'FEE', debit_amount: '1.00' })
  const paidOut = await venture.order({ ...payment, debit_amount: '2.00' })
  for (const { id } of [fee, paidOut]) {
    for (const status of ['CANCELLED', 'SIGNED', 'ON_HOLD']) await reserved(update(id, { status }), /that the bank ordered/)
  }
})

test('what has ended is refused as such', async () => {
  const transfer = await ordered()
  await venture.put(`/transfers/${transfer.id}`, { status: 'CANCELLED' })
  for (const status of ['CANCELLED', 'COMPLETED'])
    assert.equal((await venture.put(`/transfers/${transfer.id}`, { status })).problem.code, 'transfer_terminal')
})

test('clients: no exemption from verification, no risk level, no blacklist', async () => {
  await reserved(() => venture.post('/clients/person', somePerson({ kyc_level: 'NOT_REQUIRED' })), /NOT_REQUIRED/)
  await reserved(() => venture.post('/clients/person', somePerson({ risk_level: 'Low' })), /^`risk_level`/)
  const client = await venture.registerClient({ kyc_level: 'DOC_ONLY' })
  const put = (changes: object) => () => venture.put(`/clients/${client.id}`, changes)
  await reserved(put({ risk_level: 'High' }), /change of `risk_level`/)
  await reserved(put({ is_blacklisted: true }), /is_blacklisted/)
  await reserved(put({ blacklisted_comment: 'A rumour' }), /is_blacklisted/)
  const same = await venture.put(`/clients/${client.id}`, { risk_level: 'Low', is_blacklisted: false, city: 'Lyon' })
  assert.deepEqual([same.status, same.body.city], [200, 'Lyon'])
  for (const blocked of [true, false]) assert.equal((await venture.put(`/clients/${client.id}`, { blocked })).body.blocked, blocked)
})

const byOperator = { actor: operator }
const owner = { id: venture.venture.id, control: 'MANAGED' as const }

/** The request for an approval of an action on a resource as it is now. */
async function approval(table: 'accounts' | 'clients' | 'transfers', resource_id: string, payload: object = {}) {
  const { rows } = await bank.owner.query(`select sequence from ${table} where id = $1`, [resource_id])
  return { venture_id: owner.id, resource_id, sequence: rows[0].sequence as number, payload }
}
const by = { actor: operator, companions: undefined }

/** What one person of the bank may not do alone. `code`: another code, if two people may not do it either. */
async function needsTwo(act: () => Promise<unknown>, code = 'approval_required'): Promise<void> {
  const before = await picture()
  await assert.rejects(act, (error) => error instanceof Refusal && error.code === code)
  assert.equal(await picture(), before)
}

test('what the bank blocked, only two people at the bank unblock', async () => {
  const client = await venture.registerClient()
  const act = (changes: object) => updateClient(bank.database, owner, client.id, changes, byOperator)
  // The venture had already blocked the client, but it still counts as the bank's block.
  await venture.put(`/clients/${client.id}`, { blocked: true })
  await act({ blocked: true })
  await reserved(() => venture.put(`/clients/${client.id}`, { blocked: false }), /whom the bank blocked/)
  await needsTwo(() => act({ blocked: false }))
  const [unblock] = clientApprovals(bank.database)
  await unblock?.carryOut(await approval('clients', client.id, { blocked: false }), by)
  assert.equal((await venture.get(`/clients/${client.id}`)).body.blocked, false)
  // A new block is the venture's own.
  await venture.put(`/clients/${client.id}`, { blocked: true })
  assert.equal((await venture.put(`/clients/${client.id}`, { blocked: false })).status, 200)
  await venture.put(`/clients/${client.id}`, { blocked: true })
  assert.equal((await act({ blocked: false })).blocked, false, 'the venture’s block, lifted by one person')

  await act({ is_blacklisted: true, blacklisted_comment: 'A hit' })
  await needsTwo(() => act({ is_blacklisted: false }))
  await unblock?.carryOut(await approval('clients', client.id, { is_blacklisted: false }), by)
  assert.equal((await venture.get(`/clients/${client.id}`)).body.is_blacklisted, false)
  assert.equal((await act({ risk_level: 'High' })).risk_level, 'High')
})

test('what the bank froze, only two people at the bank activate again or close', async () => {
  const opened = await venture.openAccount()
  const key = { venture_id: owner.id, id: opened.id as string }
  const act = (action: 'freeze' | 'activate' | 'close') => actOnAccount(venture.accounts, key, action, byOperator)
  // The venture had already frozen the account, but it still counts as the bank's freeze.
  assert.equal((await venture.post(`/accounts/${opened.id}/freeze`)).status, 200)
  const frozenAgain = act('freeze')
  await assert.doesNotReject(frozenAgain)
  assert.equal((await frozenAgain).status, 'SUSPENDED')
  await reserved(() => venture.post(`/accounts/${opened.id}/activate`), /Activating/)
  await reserved(() => venture.post(`/accounts/${opened.id}/close`), /Closing/)
  await needsTwo(() => act('activate'))
  await needsTwo(() => act('close'))
  await assert.rejects(act('freeze'), { code: 'account_transition_not_allowed' })
  const [unfreeze, close] = accountApprovals(venture.accounts)
  await unfreeze?.carryOut(await approval('accounts', opened.id), by)
  assert.equal((await venture.get(`/accounts/${opened.id}`)).body.status, 'ACTIVE')
  // A new freeze is the venture's own.
  await venture.post(`/accounts/${opened.id}/freeze`)
  assert.equal((await venture.post(`/accounts/${opened.id}/activate`)).status, 200)
  await act('freeze')
  await unfreeze?.carryOut(await approval('accounts', opened.id), by)
  assert.equal((await venture.post(`/accounts/${opened.id}/close`)).status, 200)
  const frozen = await venture.openAccount()
  await actOnAccount(venture.accounts, { venture_id: owner.id, id: frozen.id }, 'freeze', byOperator)
  await close?.carryOut(await approval('accounts', frozen.id), by)
  assert.equal((await venture.get(`/accounts/${frozen.id}`)).body.status, 'CLOSED')
})

test('an account that the bank freezes before its first activation is activated by two people at the bank', async () => {
  const client = await venture.verifiedClient()
  const order = { client_id: client.id, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' }
  const [{ body: opened }, { body: unverified }] = [
    await venture.post('/accounts', order),
    await venture.post('/accounts', { ...order, client_id: (await venture.registerClient()).id }),
  ]
  const act = ({ id }: Loose, action: 'freeze' | 'activate') =>
    actOnAccount(venture.accounts, { venture_id: owner.id, id }, action, byOperator)
  assert.equal((await venture.post(`/accounts/${opened.id}/freeze`)).problem.code, 'account_transition_not_allowed')
  for (const account of [opened, unverified]) {
    const frozen = act(account, 'freeze')
    await assert.doesNotReject(frozen, 'the bank can freeze a PENDING account')
    assert.equal((await frozen).status, 'PENDING')
  }
  await assert.rejects(act(opened, 'freeze'), { code: 'account_transition_not_allowed' })
  await reserved(() => venture.post(`/accounts/${opened.id}/activate`), /Activating/)
  await needsTwo(() => act(opened, 'activate'))
  const [unfreeze] = accountApprovals(venture.accounts)
  await unfreeze?.carryOut(await approval('accounts', opened.id), by)
  assert.equal((await venture.get(`/accounts/${opened.id}`)).body.status, 'ACTIVE')
  const missing = unfreeze?.carryOut(await approval('accounts', unverified.id), by)
  await assert.rejects(missing ?? assert.fail(), { code: 'compliance_pending' }, 'a freeze does not replace the verification')
})

test('the venture moves nothing unsent of an account that the bank froze', async () => {
  const frozen = await venture.openAccount({ balance: '10.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(frozen.client_id)
  const transfer = await venture.createTransfer({ account_id: frozen.id, beneficiary_id, debit_amount: '1.00' })
  await actOnAccount(venture.accounts, { venture_id: owner.id, id: frozen.id }, 'freeze', byOperator)
  for (const status of ['SIGNED', 'CANCELLED', 'ON_HOLD']) await reserved(update(transfer.id, { status }), /^Any move of an OUTBOUND/)
})

test('what has changed since an approval was requested is not carried out', async () => {
  const transfer = await ordered()
  const client = await venture.registerClient()
  const opened = await venture.openAccount()
  await actOnAccount(venture.accounts, { venture_id: owner.id, id: opened.id }, 'freeze', byOperator)
  await updateClient(bank.database, owner, client.id, { blocked: true }, byOperator)
  const requests = [
    { handler: transferApprovals(venture.transfers)[1], asked: await approval('transfers', transfer.id, { status: 'RESERVED' }) },
    { handler: clientApprovals(bank.database)[0], asked: await approval('clients', client.id, { blocked: false }) },
    { handler: accountApprovals(venture.accounts)[0], asked: await approval('accounts', opened.id) },
  ]
  await venture.put(`/transfers/${transfer.id}`, { status: 'ON_HOLD' })
  await venture.put(`/clients/${client.id}`, { city: 'Lyon' })
  await actOnAccount(venture.accounts, { venture_id: owner.id, id: opened.id }, 'activate', { ...by, approved: true })
  await actOnAccount(venture.accounts, { venture_id: owner.id, id: opened.id }, 'freeze', byOperator)
  const before = await picture()
  for (const { handler, asked } of requests) {
    assert.ok(handler)
    await assert.rejects(handler.carryOut(asked, by), { code: 'resource_changed' })
  }
  assert.equal(await picture(), before)
})

test('every row of the table has refused something', () => {
  const binding = reservations.filter(({ binds }) => binds !== 'people').map(({ what }) => what)
  assert.deepEqual(
    binding.filter((what) => !tried.has(what)),
    [],
  )
})

test('people at the bank order nothing that is reserved, and move as the venture may, unless two agree', async () => {
  await needsTwo(() => venture.order({ ...arriving, direction: 'INBOUND' }, byOperator))
  await needsTwo(() => venture.order({ ...payment, transfer_type: 'FEE' }, byOperator))
  await needsTwo(() => venture.order({ ...payment, dr_name: 'Somebody' }, byOperator))
  await needsTwo(() => venture.order(payment, byOperator))

  for (const [from, walk] of Object.entries(positions)) {
    const transfer = await ordered()
    await venture.process(transfer, ...walk)
    const may = [
      'ON_HOLD',
      from,
      ...(cancellable.includes(from) ? ['CANCELLED', 'TO_CANCEL'] : []),
      ...(from === 'REVIEW' || from === 'ON_HOLD' ? [] : ['MANUAL_ACTION']),
    ]
    const isSent = walk.includes('SENT_TO_CLEAR')
    for (const status of transferStatuses.filter((each) => !may.includes(each))) {
      const codes: Partial<Record<TransferStatus, string>> = {
        SIGNED: 'not_yours_to_sign',
        ...(isSent ? {} : { SENT_TO_CLEAR: 'sent_by_rails' }),
      }
      await needsTwo(() => venture.move(transfer.id, { status }, byOperator), codes[status])
    }
  }
  const sent = await ordered()
  await venture.process(sent, ...toSent)
  await needsTwo(() => venture.move(sent.id, { third_party_status: 'ACCC' }, byOperator))
  await needsTwo(() => venture.move(sent.id, { bank_partner_id: 'x' }, byOperator))
  await needsTwo(() => venture.move(sent.id, { signed_at: '2026-01-01T00:00:00Z' }, byOperator))
  assert.equal((await venture.move(sent.id, { status_reason_code: 'AM05' }, byOperator)).status_reason_code, 'AM05')
  const moved = await ordered()
  await venture.process(moved, ...toSent.slice(0, -1))
  assert.equal((await venture.move(moved.id, { status: 'MANUAL_ACTION' }, byOperator)).status, 'MANUAL_ACTION')
  const reviewed = await ordered()
  await venture.process(reviewed, 'RESERVED', 'REVIEW')
  assert.equal((await venture.move(reviewed.id, { status: 'ON_HOLD' }, byOperator)).status, 'ON_HOLD')
  await needsTwo(() => venture.move(reviewed.id, { status: 'REVIEW' }, byOperator))
  // A hold of the venture's own: nobody at the bank alone releases what the venture has stopped.
  const held = await ordered()
  await venture.put(`/transfers/${held.id}`, { status: 'ON_HOLD' })
  await needsTwo(() => venture.move(held.id, { status: 'CREATED' }, byOperator))
  assert.equal((await venture.move(held.id, { status: 'CREATED' }, { ...byOperator, approved: true })).status, 'CREATED')
})

test('nobody at the bank signs what the venture has ordered, neither alone nor together', async () => {
  const waiting = await ordered()
  await venture.process(waiting, 'TO_SIGN')
  for (const approved of [false, true])
    await needsTwo(() => venture.move(waiting.id, { status: 'SIGNED' }, { ...byOperator, approved }), 'not_yours_to_sign')
  const { body: transitions } = await venture.get(`/transfers/${waiting.id}/transitions`)
  assert.equal(transitions.find(({ status }: Loose) => status === 'SIGNED').allowed, true)
  assert.equal((await venture.put(`/transfers/${waiting.id}`, { status: 'SIGNED' })).body.status, 'SIGNED')
  // The bank may end its own hold of a signed order. The signature remains the venture's.
  await venture.move(waiting.id, { status: 'ON_HOLD' }, byOperator)
  const released = await venture.move(waiting.id, { status: 'SIGNED' }, { ...byOperator, approved: true })
  assert.deepEqual([released.status, released.signed_at], ['SIGNED', (await venture.get(`/transfers/${waiting.id}`)).body.signed_at])
})

test('what two people have approved is carried out', async () => {
  const handlers = Object.fromEntries(transferApprovals(venture.transfers).map((handler) => [handler.action, handler]))
  const order = { ...arriving, unique_reference: randomUUID() }
  const asksFor = (payload: object) => ({ venture_id: owner.id, resource_id: randomUUID(), sequence: 0, payload })
  const { id = '' } = (await handlers['create-transfer']?.carryOut(asksFor(order), by)) ?? {}
  const asked = await approval('transfers', id, { status: 'RECEIVED', third_party_status: 'ACCC' })
  await handlers['move-transfer']?.carryOut(asked, by)
  const { body } = await venture.get(`/transfers/${id}`)
  assert.deepEqual([body.status, body.third_party_status], ['RECEIVED', 'ACCC'])
  const { body: history } = await venture.get(`/transfers/${id}/history`)
  assert.deepEqual(
    history.map(({ actor }: Loose) => actor),
    ['operator', 'operator'],
  )
})

test('an OPEN venture does all of this itself', async () => {
  const open = await bank.registerVenture()
  const own = await open.openAccount({ balance: '100.00' })
  const known = await open.addBeneficiary(own.client_id)
  const transfer = await open.createTransfer({
    account_id: own.id,
    beneficiary_id: known.id,
    debit_amount: '1.00',
    dr_name: 'Somebody',
    cr_name: 'Else',
  })
  for (const status of [...toSent, 'COMPLETED'])
    assert.equal((await open.put(`/transfers/${transfer.id}`, { status, third_party_status: 'ACCC', bank_partner_id: 'x' })).status, 200)
  await actOnAccount(venture.accounts, { venture_id: open.venture.id, id: own.id }, 'freeze', byOperator)
  assert.equal((await open.post(`/accounts/${own.id}/activate`)).status, 200)
  assert.equal((await open.put(`/clients/${own.client_id}`, { risk_level: 'High', is_blacklisted: true })).status, 200)
  assert.equal((await open.put(`/clients/${own.client_id}`, { is_blacklisted: false })).status, 200)
  const { body } = await open.get(`/transfers/${transfer.id}/transitions`)
  assert.deepEqual(body, [])
})

test('every status that the table names exists', () => {
  for (const status of cancellable) assert.ok((transferStatuses as readonly string[]).includes(status), status)
})

test('all of this breaks no invariant', async () => {
  const broken = (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(broken, [])
})
