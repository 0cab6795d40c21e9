// The dry run says what a create and processing would do, and writes nothing.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { companion } from '../platform/companions.ts'
import { createLog } from '../platform/log.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { changeRail } from '../testing/testing.participations.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Answer, type Caller, type Loose, openBank, VentureCaller } from '../testing/testing.ts'
import { Preview, previewTransfer } from '../transfers/transfers.ts'
import { fromNumeric } from '../values/money.ts'
import type { ScreeningOutcome } from './processing.planner.ts'
import { Processing, type Screener } from './processing.worker.ts'

let outcome: ScreeningOutcome = 'CLEAR'
let kept = 0
const screener: Screener = {
  screen: async (all) => {
    // A dry run must not store what screening would store.
    const acquire = async (_tx: unknown, rows: readonly unknown[]) => {
      kept++
      return rows.map(() => 'granted' as const)
    }
    const keeps = companion({ name: 'screenings', acquire }, {})
    return all.map(() => ({ outcome, companions: [keeps] }))
  },
}
const bank = await openBank({}, { screener })
const venture = await ManagedVenture.open(bank)
const account = await venture.openAccount({ balance: '100.00' })
const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
await bank.admin.put('/operator/rates', { from_currency: 'EUR', to_currency: 'USD', rate: '1.0825', margin: '0.005' })

const agree = async (changes: object) => assert.equal((await bank.admin.put(`/ventures/${venture.venture.id}/policy`, changes)).status, 200)

const orderOf = (changes: object = {}) => ({
  account_id: account.id,
  beneficiary_id,
  debit_amount: '10.00',
  unique_reference: randomUUID(),
  ...changes,
})
const run = (changes: object = {}, caller: Caller = venture): Promise<Answer> => caller.post('/transfers/dry-run', orderOf(changes))

/** Everything in the database that a request could change. */
async function picture(): Promise<string> {
  const { rows } = await bank.owner.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  )
  const counts: object[] = []
  for (const { name } of rows.filter(({ name }) => name !== 'sessions' && name !== 'api_keys')) {
    const { rows: found } = await bank.owner.query(
      `select count(*)::int as count, md5(string_agg(md5(each::text), '' order by each::text)) as content from ${name} each`,
    )
    counts.push([name, found[0]])
  }
  return JSON.stringify(counts)
}

/** A dry run that was answered and wrote nothing. */
async function ran(changes: object = {}, caller: Caller = venture): Promise<Loose> {
  const before = await picture()
  const { status, body, text } = await run(changes, caller)
  assert.equal(status, 200, text)
  assert.equal(await picture(), before, 'something was written')
  assert.equal(kept, 0)
  return body
}

const scan = 'READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED'

test('it derives the transfer as the create does, and says how far it would get', async () => {
  const foreseen = await ran({ purpose: 'Rent' })
  assert.deepEqual([foreseen.accepted, foreseen.refusal, foreseen.stopped_by], [true, null, null])
  assert.equal(foreseen.walk.join(' '), `CREATED RESERVED ${scan} READY_TO_CLEAR SENT_TO_PACK`)
  assert.deepEqual([foreseen.waits_for, foreseen.screening], ['other_bank', 'CLEAR'])
  assert.deepEqual(foreseen.funds, { currency: 'EUR', available: '100.00', needed: '10.00', sufficient: true })
  const made = await venture.createTransfer({ ...orderOf({ purpose: 'Rent' }) })
  const apart = ['id', 'created_at', 'updated_at', 'unique_reference', 'status']
  for (const field of Object.keys(made).filter((name) => !apart.includes(name)))
    assert.deepEqual(foreseen.transfer[field], made[field], field)
  assert.equal('id' in foreseen.transfer, false)
  // Processing then does what was predicted.
  const processing = new Processing({
    database: bank.database,
    transfers: venture.transfers,
    exchange: { carries: () => true, exchange: async (all) => all.map(() => undefined) },
    screener: { screen: async (all) => all.map(() => ({ outcome, companions: [] })) },
    log: createLog('silent'),
    openCaseFor: () => companion({ name: 'nothing', acquire: async (_tx, rows) => rows.map(() => 'granted' as const) }, {}),
  })
  await processing.runDue()
  const { body: moves } = await venture.get(`/transfers/${made.id}/history`)
  const walked = moves.map(({ to_status }: Loose) => to_status).join(' ')
  assert.ok(walked.startsWith(foreseen.walk.join(' ')), walked)
  await venture.move(made.id, { status: 'REJECTED', third_party_status: 'RJCT' })
})

test('what no exchange carries would not be sent', async () => {
  const away = new VentureCaller(await bank.openInstance({ sandbox: false }), venture.venture)
  const foreseen = await ran({ is_instant: true }, away)
  assert.equal(foreseen.walk.join(' '), `CREATED RESERVED ${scan} READY_TO_CLEAR`)
  assert.deepEqual([foreseen.waits_for, foreseen.stopped_by], ['other_bank', null])
  assert.equal((await ran({ is_instant: true })).walk.at(-1), 'SENT_TO_CLEAR')
})

test('an internal transfer would complete', async () => {
  const receiver = await venture.openAccount()
  const inside = await venture.addBeneficiary(account.client_id, { iban: receiver.account_number })
  const foreseen = await ran({ beneficiary_id: inside.id })
  assert.equal(foreseen.walk.join(' '), `CREATED RESERVED ${scan} COMPLETED`)
  assert.deepEqual([foreseen.waits_for, foreseen.transfer.status, foreseen.transfer.method], [null, 'COMPLETED', 'INTERNAL'])
  assert.equal(foreseen.sending_day, foreseen.transfer.settlement_date)
})

test('what would wait says for what', async () => {
  const poor = await ran({ debit_amount: '100.01' })
  assert.deepEqual([poor.walk.join(' '), poor.waits_for], ['CREATED TO_RESERVE', 'funds'])
  assert.deepEqual(poor.funds, { currency: 'EUR', available: '100.00', needed: '100.01', sufficient: false })
  await agree({ funds_wait_h: 0 })
  const ends = await ran({ debit_amount: '100.01' })
  assert.deepEqual([ends.walk.join(' '), ends.waits_for, ends.transfer.status_reason_code], ['CREATED TO_RESERVE REJECTED', null, 'AM04'])
  await agree({ funds_wait_h: 24 })
  const later = await ran({ settlement_date: '2099-01-08' })
  assert.deepEqual([later.walk, later.waits_for, later.sending_day], [['CREATED'], 'sending_day', '2099-01-07'])
  assert.equal(later.waits_until, '2099-01-07T00:00:00.000Z')
  await agree({ sign_above: '5' })
  const signed = await ran()
  assert.deepEqual([signed.walk.join(' '), signed.waits_for], ['CREATED TO_SIGN', 'signature'])
  await agree({ sign_above: null })
  outcome = 'UNLOADED'
  const unloaded = await ran()
  assert.deepEqual([unloaded.walk.at(-1), unloaded.waits_for, unloaded.screening], ['READY_FOR_SCREENING', 'screening', 'NOT_AVAILABLE'])
  outcome = 'CLEAR'
})

test('a hit, a block, a large amount and a rule look the same: under review', async () => {
  const seen: string[] = []
  for (const [next, changes] of [
    ['HIT', {}],
    ['BLOCK', {}],
    ['CLEAR', { review_above: '5' }],
    // The order itself counts, although it is not stored.
    ['CLEAR', { review_above: null, rules: [{ kind: 'sum', above: '9.99', days: 1 }] }],
  ] as const) {
    outcome = next
    await agree(changes)
    const { transfer: _, ...foreseen } = await ran({ unique_reference: 'the same' })
    assert.deepEqual([foreseen.screening, foreseen.waits_for], ['UNDER_REVIEW', 'review'])
    seen.push(JSON.stringify(foreseen))
  }
  assert.equal(new Set(seen).size, 1)
  assert.doesNotMatch(seen[0] ?? '', /SCANNING|hit|rule|score|list/i)
  outcome = 'CLEAR'
  await agree({ rules: [{ kind: 'sum', above: '10', days: 1 }] })
  assert.equal((await ran()).screening, 'CLEAR')
  await agree({ rules: [] })
})

test('fee, rate and what they cost are said before the order', async () => {
  const foreseen = await ran({ debit_amount: '20.00', credit_currency: 'USD' })
  const { exchange_rate, fx_fee_amount, credit_amount } = foreseen.transfer
  assert.deepEqual([exchange_rate, fx_fee_amount, credit_amount], ['1.0825', '0.10', '21.65'])
  assert.equal(foreseen.funds.needed, '20.10')
  const all = await ran({ debit_amount: '100.00', credit_currency: 'USD' })
  assert.deepEqual([all.waits_for, all.funds.needed, all.funds.sufficient], ['funds', '100.50', false])
})

test('limits are shown with the order in them', async () => {
  const limited = await venture.openAccount({ balance: '100.00', daily_limit: '50.00' })
  const payee = await venture.addBeneficiary(limited.client_id)
  const order = { account_id: limited.id, beneficiary_id: payee.id }
  const { limits } = await ran({ ...order, debit_amount: '20.00' })
  assert.deepEqual(limits[0], { period: 'day', limit: '50.00', used: '20.00', left: '30.00' })
  assert.deepEqual([limits[1].limit, limits[1].left], [null, null])
  const over = await ran({ ...order, debit_amount: '50.01' })
  assert.deepEqual([over.accepted, over.refusal.code, over.limits[0].left], [false, 'limit_exceeded', '50.00'])
})

test('an order that would be refused is answered with 200 and the refusal', async () => {
  const used = await venture.createTransfer(orderOf())
  await venture.put(`/transfers/${used.id}`, { status: 'CANCELLED' })
  for (const [changes, code] of [
    [{ unique_reference: used.unique_reference }, 'unique_reference_used'],
    [{ beneficiary_id: null }, 'beneficiary_required'],
    [{ beneficiary_id: randomUUID() }, 'beneficiary_invalid'],
    [{ method: 'DOMESTIC' }, 'beneficiary_invalid'],
    [{ transfer_type: 'FEE' }, 'reserved_to_bank'],
    [{ dr_name: 'Somebody' }, 'reserved_to_bank'],
    [{ credit_currency: 'CHF' }, 'rate_missing'],
  ] as const) {
    const { accepted, refusal, transfer, walk } = await ran(changes)
    assert.deepEqual([accepted, refusal?.code, transfer, walk], [false, code, null, []])
    const created = await venture.post('/transfers', orderOf(changes))
    assert.deepEqual([created.problem?.code, created.problem.detail], [refusal.code, refusal.detail], 'as the create')
  }
})

test('the check of the payee is part of it', async () => {
  await agree({ payee_check: 'require' })
  const missing = await ran()
  assert.deepEqual([missing.refusal.code, missing.payee_check.policy], ['payee_check_required', 'require'])
  const { body } = await venture.post('/payee-verifications', { name: 'Charles Babbage', iban: 'DE89370400440532013000' })
  const { payee_check, accepted } = await ran()
  assert.deepEqual(
    [accepted, payee_check],
    [true, { policy: 'require', result: 'MATCH', matched_name: null, valid_until: body.valid_until }],
  )
  await agree({ payee_check: 'off' })
  assert.equal((await ran()).payee_check.result, null)
})

test('what a move would be refused for is known without a trace', async () => {
  const command = { kind: 'create', venture_id: venture.venture.id, id: randomUUID(), order: orderOf(), now: new Date() } as const
  const preview = await previewTransfer(bank.database, bank.config.bank, { ...command, actor: { kind: 'venture', id: randomUUID() } })
  assert.ok(preview instanceof Preview)
  assert.equal(preview.move(['RESERVED', 'COMPLETED'])?.code, 'screening_required')
  assert.deepEqual([preview.transfer.status, preview.account.reserved], ['CREATED', 0n], 'the first move was undone with the second')
  assert.equal(preview.move(['RESERVED']), undefined)
  assert.deepEqual([preview.transfer.status, preview.account.reserved], ['RESERVED', fromNumeric('10')])
  assert.deepEqual(await venture.balances(account), ['100.00', '0.00', '100.00'])
})

test('an OPEN venture learns what would be derived, and moves its transfers itself', async () => {
  const open = await bank.registerVenture()
  const payer = await open.openAccount({ balance: '50.00' })
  const payee = await open.addBeneficiary(payer.client_id)
  const foreseen = await ran({ account_id: payer.id, beneficiary_id: payee.id }, open)
  assert.deepEqual([foreseen.walk, foreseen.waits_for, foreseen.screening, foreseen.payee_check], [['CREATED'], 'venture', null, null])
})

test('who may not order may not ask, and nobody learns of what is not theirs', async () => {
  assert.equal((await run({}, bank.stranger)).status, 401)
  const { body: key } = await venture.post('/venture/keys', { name: 'Reader', scopes: ['read'] })
  assert.equal((await run({}, new VentureCaller(bank.app, { ...venture.venture, api_key: key.api_key }))).status, 403)
  const other = await ManagedVenture.open(bank)
  for (const account_id of [account.id, randomUUID()]) assert.equal((await run({ account_id }, other)).problem?.code, 'account_not_found')
  assert.equal((await run({ surprise: 1 })).problem?.code, 'invalid_request')
  assert.equal((await run({ debit_amount: 'much' })).problem?.code, 'invalid_request')
  const banker = await openBanker(bank, 'operator', venture.venture.id)
  const byBank = await ran({}, banker)
  assert.deepEqual([byBank.accepted, byBank.waits_for], [true, 'other_bank'])
})

const [german, french] = ['DE89370400440532013000', 'FR1420041010050500013M02606']

const sendTo = async (iban: string, name: string, more: object = {}): Promise<string> =>
  (await venture.addBeneficiary(account.client_id, { iban, name, ...more })).id

test('it shows each text as it was written and as it will be sent', async () => {
  const order = { beneficiary_id: await sendTo(german, 'Zoë Müller & Söhne'), purpose: 'Rent № 5 for „Haus“' }
  const { message } = await ran(order)
  assert.deepEqual([message.rail, message.type, message.fault], ['SEPA', 'pacs.008.001.08', null])
  const textOf = (name: string) => message.texts.find(({ field }: Loose) => field === name)
  assert.deepEqual(textOf('cr_name'), { field: 'cr_name', given: 'Zoë Müller & Söhne', sent: 'Zoe Muller + Sohne' })
  assert.equal(textOf('purpose').given, order.purpose)
})

test('a reference that does not fit into a message is replaced, and a structured one takes the place of the purpose', async () => {
  const beneficiary_id = await sendTo(french, 'Paul Martin')
  const { message } = await ran({ beneficiary_id, unique_reference: `${'x'.repeat(40)}-${randomUUID()}` })
  assert.equal(message.texts.find(({ field }: Loose) => field === 'unique_reference').sent, null)
  const structured = (await ran({ beneficiary_id, purpose: 'Invoice', structured_reference: 'RF18539007547034' })).message
  const sent = Object.fromEntries(structured.texts.map(({ field, sent }: Loose) => [field, sent])) as Loose
  assert.deepEqual([sent.structured_reference, sent.purpose], ['RF18539007547034', null])
})

test('it says whether the rail reaches the bank, and what no message could carry stops it', async () => {
  const beneficiary_id = await sendTo(german, 'Grace Hopper', { bic: 'COBADEFFXXX' })
  assert.equal((await ran({ beneficiary_id })).message.reachable, null)
  const reach = (bics: string[]) => bank.admin.put('/operator/rails/SEPA/reachable-banks', { bics })
  await reach(['COBADEFF'])
  assert.equal((await ran({ beneficiary_id })).message.reachable, true)
  await reach(['MARKDEFF'])
  const { message, stopped_by, waits_for } = await ran({ beneficiary_id })
  assert.deepEqual(
    [message.reachable, message.fault?.code, stopped_by?.code, waits_for],
    [false, 'bank_unreachable', 'bank_unreachable', null],
  )
  await reach([])
  const nameless = await ran({ beneficiary_id: await sendTo(german, '東京') })
  assert.deepEqual([nameless.message.fault.code, nameless.message.texts, nameless.stopped_by.code], ['name_missing', [], 'name_missing'])
})

test('it says with which cut-off it would leave', async () => {
  const beneficiary_id = await sendTo(german, 'Grace Hopper')
  assert.equal((await ran({ beneficiary_id })).message.cut_off, null)
  const cut_offs = ['09:00', '15:30']
  await changeRail(bank, 'SEPA', { cut_offs })
  const { message } = await ran({ beneficiary_id })
  assert.ok(Date.parse(message.cut_off) > Date.now() - 60_000, message.cut_off)
  assert.ok(cut_offs.includes(message.cut_off.slice(11, 16)), message.cut_off)
  const later = await ran({ beneficiary_id, settlement_date: '2099-01-08' })
  assert.equal(later.message.cut_off, '2099-01-07T09:00:00.000Z')
  assert.equal((await ran({ beneficiary_id, is_instant: true })).message.cut_off, null)
  await changeRail(bank, 'SEPA', { cut_offs: [] })
})

test('what would not leave the bank has no message', async () => {
  const receiver = await venture.openAccount()
  const inside = await venture.addBeneficiary(account.client_id, { iban: receiver.account_number })
  assert.equal((await ran({ beneficiary_id: inside.id })).message, null)
})
