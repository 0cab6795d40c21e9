// Real traffic breaks no invariant, and every deliberate damage in the database is found by its invariant.

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { hash, randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openFirstCase } from '../cases/cases.ts'
import { payWith } from '../payments/payments.testing.ts'
import { foreignKeysBetween } from '../platform/database/database.tables.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { applyStatement } from '../reconciliation/reconciliation.ts'
import { sendFileTo } from '../testing/testing.files.ts'
import { ManagedVenture, toSent } from '../testing/testing.managed.ts'
import { insertSent, statementMessage } from '../testing/testing.nostros.ts'
import { findTestServer, turnTriggersOff, urlOf, wantsCluster } from '../testing/testing.server.ts'
import { acceptLink, openBanker, signIn, someEmail } from '../testing/testing.sessions.ts'
import { type Answer, openBank, type VentureCaller } from '../testing/testing.ts'
import { screening, sending, walk } from '../testing/testing.walks.ts'
import { openTransfers, updateTransfer } from '../transfers/transfers.ts'
import { addDays, todayUtc } from '../values/calendar.ts'
import { houseId } from '../ventures/ventures.ts'
import { claimInvariants } from './verify.claims.ts'
import { invariants, references } from './verify.invariants.ts'
import { checkInvariants, type Finding, recordRun, reportOf, verifyDatabase } from './verify.ts'

const bank = await openBank({}, { policy: { card_fee: '0.1', payout_delay_days: 0 } })
// Card payments use the sandbox gateway over HTTP.
await bank.listen()

const sha256 = (text: string) => hash('sha256', text)

async function makeTraffic(): Promise<void> {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '500.00', daily_limit: '1000.00' })
  const other = await venture.openAccount({ currency: 'USD' })
  const outside = await venture.addBeneficiary(account.client_id)
  const inside = await venture.addBeneficiary(account.client_id, { iban: other.account_number })
  const out = { account_id: account.id, beneficiary_id: outside.id, debit_amount: '20.00' }
  const into = {
    account_id: account.id,
    direction: 'INBOUND',
    credit_amount: '30.00',
    dr_name: 'Grace Hopper',
    dr_iban: 'DE89370400440532013000',
  }
  const create = (order: object) => venture.createTransfer(order)

  const sent = await create(out)
  await walk(venture, sent, `${sending} ACCEPTED COMPLETED`)
  const returned = { ...into, credit_amount: '5.00', transfer_type: 'PAYMENT_RETURN', parent_transaction_id: sent.id }
  await walk(venture, await create(returned), `RECEIVED ${screening} COMPLETED`)
  await walk(venture, await create(out), `${sending} REJECTED`, { third_party_status: 'RJCT' })
  await walk(venture, await create(out), 'TO_SIGN ON_HOLD TO_SIGN SIGNED RESERVED')
  const dollars = await create({ ...out, credit_currency: 'USD', exchange_rate: '1.1', fx_fee_amount: '0.75' })
  await walk(venture, dollars, `${sending} COMPLETED`)
  const feeBack = { ...into, credit_amount: '0.25', transfer_type: 'FEE_CANCELLATION', parent_transaction_id: dollars.id }
  await create(feeBack)
  await walk(venture, await create({ ...out, transfer_type: 'FEE', debit_amount: '1.00' }), 'RESERVED')
  const exchanged = { account_id: account.id, beneficiary_id: inside.id, debit_amount: '10.00', exchange_rate: '1.2' }
  await walk(venture, await create(exchanged), `RESERVED ${screening} COMPLETED`)

  await walk(venture, await create(into), 'RECEIVED')
  await walk(venture, await create(into), `RECEIVED TO_RETURN REJECTED`)
  const frozen = await create(into)
  await walk(venture, frozen, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
  const freed = { ...out, debit_amount: '10.00', transfer_type: 'PAYMENT_RETURN', parent_transaction_id: frozen.id }
  await walk(venture, await create(freed), `${sending} COMPLETED`)
  const released = { ...into, credit_amount: '4.00', transfer_type: 'ADJUSTMENT', parent_transaction_id: frozen.id }
  await walk(venture, await create(released), 'COMPLETED')
  const again = await create(out)
  await walk(venture, again, `${sending} COMPLETED`)
  const whole = { ...returned, credit_amount: '20.00', parent_transaction_id: again.id }
  await walk(venture, await create(whole), `RECEIVED ${screening} COMPLETED`)

  const signed = { scheme: 'CORE', sequence_type: 'RCUR', debtor_name: 'Grace Hopper', debtor_iban: into.dr_iban, signed_on: '2026-01-15' }
  const { body: mandate } = await venture.post('/mandates', {
    account_id: account.id,
    reference: 'M-1',
    creditor_id: 'DE98ZZZ09999999999',
    ...signed,
  })
  const collection = { account_id: account.id, mandate_id: mandate.id, credit_amount: '2.00' }
  await walk(venture, await create(collection), 'CANCELLED')
  await create(collection)
  await create(collection)

  const card = { ...out, method: 'CARD', transfer_type: 'CARD_AUTH', debit_amount: '40.00' }
  const authorisation = await create(card)
  await walk(venture, authorisation, 'RESERVED')
  const clearing = { ...card, transfer_type: 'CARD_CLEARING', debit_amount: '25.00', parent_transaction_id: authorisation.id }
  await walk(venture, await create(clearing), 'RESERVED COMPLETED')
  const lessening = { ...card, transfer_type: 'CARD_REVERSAL', debit_amount: '5.00', parent_transaction_id: authorisation.id }
  await walk(venture, await create(lessening), `${screening} COMPLETED`)

  const emptied = await venture.openAccount()
  await walk(venture, await create({ ...into, account_id: emptied.id }), 'CANCELLED')
  assert.equal((await venture.post(`/accounts/${emptied.id}/close`)).status, 200)
  await bank.admin.put(`/ventures/${venture.venture.id}`, { name: 'Renamed' })
  await venture.post('/webhook-endpoints', { url: 'http://localhost/hooks' })
  await makePayments(venture)
  await (await bank.registerVenture()).openAccount({ balance: '1.00' })
  await reportFacts()
  await clearPairs()
}

/** An attempt to send a payment that is not committed. */
const insertPack = ({ participation = 1, currency = 'EUR' }: { participation?: number; currency?: string }): string => `
  insert into rail_packs (id, rail, kind, message_id, participation, settlement_date, state, count, total, currency, created_at, updated_at, sequence)
  values (gen_random_uuid(), 'SEPA', 'CREDIT_TRANSFER', 'P1', ${participation}, '2026-11-17', 'DROPPED', 0, 0, '${currency}', now(), now(), 1)`

function insertRailPayment(attempt: number, state: string): string {
  return `insert into rail_payments (venture_id, transfer_id, attempt, tx_id, end_to_end_id, rail, kind, amount, currency, settlement_date, walks,
      content, state, created_at, updated_at)
    select '${houseId}', '${houseId}', ${attempt}, 'T1', 'E1', 'SEPA', 'CREDIT_TRANSFER', 1, 'EUR', '2026-11-17', true, '{}', '${state}', now(), now()`
}

/** Two people of the bank are related to a person whom they let in, and a third one clears the pairs; one clearing is taken back. */
async function clearPairs(): Promise<void> {
  const eyes = { ...bank, app: await bank.openInstance({ fourEyes: true }) }
  const [alice, bob, carol] = [await openBanker(eyes, 'admin'), await openBanker(eyes, 'admin'), await openBanker(eyes, 'admin')]
  const { body: asked } = await alice.post('/operator/users', { email: someEmail(), role: 'operator' })
  const { body: approved } = await bob.post(`/operator/approvals/${asked.id}/approve`)
  const grace = await signIn(eyes, await acceptLink(eyes, { ...approved.result, code: asked.code }))
  const clearings = []
  for (const { id: other_id } of [alice, bob]) {
    const { status, body, text } = await carol.post('/operator/pairs/clearings', { one_id: grace.id, other_id, reason: 'Known for years' })
    assert.equal(status, 201, text)
    clearings.push(body)
  }
  assert.equal((await carol.post(`/operator/pairs/clearings/${clearings[0].id}/take-back`)).status, 200)
}

/** Bookings of the bank's side: an account in debt, partly repaid, and money in the house. */
async function reportFacts(): Promise<void> {
  const venture = await ManagedVenture.open(bank)
  const account = await venture.openAccount()
  const venture_id = venture.venture.id
  const report = async (path: string, body: object) => {
    const answer = await bank.admin.post(`/operator/${path}`, body)
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const message = () => ({ sender: 'COBADEFF', kind: 'pacs.008', tx_id: randomUUID() })
  const debit = {
    venture_id,
    account_id: account.id,
    amount: '12.00',
    transfer_type: 'ADJUSTMENT',
    method: 'SEPA',
    explanation: 'Chargeback',
  }
  await report('forced-debits', { ...message(), ...debit })
  await venture.deposit(account.id, '4.00')
  const arrive = () =>
    report('inbound-payments', { ...message(), iban: 'FR1420041010050500013M02606', amount: '3.00', currency: 'EUR', rail: 'SEPA' })
  const [applied, returned] = [await arrive(), await arrive(), await arrive()]
  const decide = async (resource_id: string, decision: object) => {
    const { body: cases } = await bank.admin.get(`/operator/cases?resource_id=${resource_id}`)
    return report(`cases/${cases[0].id}/decisions`, decision)
  }
  await decide(applied.id, { decision: 'apply', details: { venture_id, account_id: account.id } })
  const { transfer_id } = (await bank.admin.get(`/operator/unapplied-payments/${applied.id}`)).body
  const transfers = openTransfers(bank.database, bank.config.bank, openFirstCase)
  const [status, ...steps] = ['READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED', 'COMPLETED'] as const
  await updateTransfer(transfers, { venture_id, transfer_id, update: { status }, steps, actor: { kind: 'connector', id: null } })
  await decide(returned.id, { decision: 'return' })
  const [suspended, closed] = [await venture.openAccount(), await venture.openAccount()]
  assert.equal((await venture.post(`/accounts/${suspended.id}/freeze`)).status, 200)
  assert.equal((await venture.post(`/accounts/${closed.id}/close`)).status, 200)
  const waiting = { ...message(), iban: suspended.account_number, amount: '3.00', currency: 'EUR', rail: 'SEPA' }
  const decided = await report('inbound-payments', waiting)
  await report('inbound-payments', { ...waiting, ...message() })
  await decide(decided.id, { decision: 'return' })
  const owed = await report('forced-debits', { ...message(), ...debit, account_id: closed.id })
  await report('forced-debits', { ...message(), ...debit, account_id: closed.id })
  await decide(owed.id, { decision: 'write_off' })
  const collected = await report('forced-debits', { ...message(), ...debit, account_id: closed.id })
  await decide(collected.id, { decision: 'collect', details: { rail: 'SEPA', ...message() } })
  const sender = await venture.openAccount({ balance: '5.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(sender.client_id)
  const details = { end_to_end_id: 'INVOICE-7' }
  const sent = await venture.createTransfer({ account_id: sender.id, beneficiary_id, debit_amount: '5.00', details })
  await venture.process(sent, ...toSent, 'COMPLETED')
  assert.equal((await venture.post(`/accounts/${sender.id}/close`)).status, 200)
  await report('returned-payments', { ...message(), venture_id, transfer_id: sent.id, amount: '2.00' })
  await reconcile(venture)
  await addToCase(venture, account.id)
}

/** A case with a note, a file, and a question that the venture has answered with a file. */
async function addToCase(venture: ManagedVenture, resource_id: string): Promise<void> {
  const opened = { venture_id: venture.venture.id, about: 'account', resource_id, reason: 'A letter.' }
  const made = async (answer: Promise<Answer>) => {
    const { status, body, text } = await answer
    assert.ok(status < 300, text)
    return body
  }
  const { id } = await made(bank.admin.post('/operator/cases', opened))
  const letter = { name: 'letter.txt', type: 'text/plain', content: 'The letter.' }
  await made(bank.admin.post(`/operator/cases/${id}/notes`, { text: 'It was signed.' }))
  await made(sendFileTo(bank.admin, `/operator/cases/${id}/files`, letter))
  const asked = await made(bank.admin.post(`/operator/cases/${id}/questions`, { text: 'Who signed it?', due_on: '2099-11-20' }))
  await made(sendFileTo(venture, `/questions/${asked.id}/files`, { ...letter, content: 'Her passport.' }))
  await made(venture.post(`/questions/${asked.id}/answer`, { answer: 'The client.' }))
}

/** Two statements of a nostro, with matching payments, and with breaks that are decided or open. */
async function reconcile(venture: ManagedVenture): Promise<void> {
  const number = 'DE89370400440532013000'
  const nostro = { name: 'Settlement', account: number, bic: 'COBADEFF', currency: 'EUR', rails: ['SEPA'], prefunding: '100.00' }
  assert.equal((await bank.admin.post('/operator/nostros', nostro)).status, 201)
  const account = await venture.openAccount({ balance: '50.00' })
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id)
  const date = todayUtc(new Date())
  const pay = async (amount: string) => {
    const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount: amount })
    await venture.process(transfer, ...toSent, 'COMPLETED')
    const { tx_id } = await insertSent(bank.owner, { venture_id: venture.venture.id, id: transfer.id, amount, date })
    return { amount: `-${amount}`, tx_id }
  }
  const [one, two] = [await pay('7.00'), await pay('8.00')]
  await pay('9.00')
  const entries = [
    one,
    { ...two, amount: '-8.50' },
    { amount: '5.00' },
    { amount: '-5.00' },
    { amount: '6.00' },
    { amount: '-1.00' },
    { amount: '2.00' },
  ]
  const first = { account: number, sequence: 1, date, opening: '100.00', entries }
  const second = { account: number, sequence: 2, date: addDays(date, 1), opening: '91.50', entries: [] }
  const applied = await applyStatement({ database: bank.database }, randomUUID(), statementMessage(first, second))
  assert.deepEqual(applied, { outcome: 'APPLIED' })
  const { body: breaks } = await bank.admin.get('/operator/breaks?kind=UNKNOWN')
  const broken = (difference: string) => breaks.find((one: { difference: string }) => one.difference === difference).id
  const decide = async (resource_id: string, decision: object) => {
    const { body: cases } = await bank.admin.get(`/operator/cases?resource_id=${resource_id}`)
    assert.equal((await bank.admin.post(`/operator/cases/${cases[0].id}/decisions`, decision)).status, 200)
  }
  await decide(broken('5.00'), { decision: 'offset', details: { break_id: broken('-5.00') } })
  await decide(broken('6.00'), { decision: 'fund' })
  await decide(broken('-1.00'), { decision: 'write_off' })
}

async function makePayments(venture: VentureCaller): Promise<void> {
  const made = async (path: string, body: object) => {
    const answer = await venture.post(path, body)
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  const shop = { amount: '25.00', currency: 'EUR', success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/failed' }
  const payment = await made('/payments', shop)
  await payWith(bank.app, payment, '5555555555554444')
  assert.equal((await bank.stranger.get(`/payments/${payment.id}/return`)).status, 302)
  await made(`/payments/${payment.id}/refund`, { amount: '10.00', external_refund_id: 'part' })
  await made(`/payments/${(await made('/payments', shop)).id}/cancel`, {})
  const dollars = await made('/payments', { ...shop, currency: 'USD' })
  await payWith(bank.app, dollars, '5555555555554444')
  assert.equal((await bank.stranger.get(`/payments/${dollars.id}/return`)).status, 302)
  const { id: payout_account_id } = await venture.openAccount({ currency: 'USD' })
  assert.equal((await venture.put('/payout-settings', { payout_account_id })).status, 200)
  assert.deepEqual((await made('/payouts', {})).fee_amount, '2.50')
  await made(`/payments/${dollars.id}/refund`, { amount: '4.00', external_refund_id: 'taken-back' })
  const once = { 'idempotency-key': 'link', 'content-type': 'application/json' }
  const order = JSON.stringify({ amount: '5.00', currency: 'EUR' })
  const { body: link } = await venture.send({ method: 'POST', url: '/api/v1/payment-links', headers: once, payload: order })
  const { id: account_id } = await venture.openAccount()
  const bulk = JSON.stringify({
    atomic: false,
    transfers: ['in', 'out'].map((unique_reference) => ({
      account_id,
      unique_reference,
      credit_amount: '1.00',
      direction: unique_reference === 'in' ? 'INBOUND' : 'OUTBOUND',
    })),
  })
  const { body: many } = await venture.send({ method: 'POST', url: '/api/v1/transfers/bulk', headers: once, payload: bulk })
  assert.deepEqual([many.created, many.refused], [1, 1])
  const headers = { 'content-type': 'application/x-www-form-urlencoded' }
  await bank.app.inject({ method: 'POST', url: `/pay/${link.token}`, headers, payload: '' })
  assert.equal((await venture.get(`/payments?payment_link_id=${link.id}`)).body.length, 1)
}

before(makeTraffic)

const broken = (findings: readonly Finding[]): string[] => findings.flatMap(({ name, violations }) => (violations === 0 ? [] : [name]))

test('real traffic breaks no invariant, and progress is reported', async () => {
  const { ownerUrl, serviceUrl } = findTestServer()
  const { rows } = await bank.owner.query('select current_database() as name')
  const reported: string[] = []
  const findings = await verifyDatabase(urlOf(serviceUrl, rows[0].name), ({ done, of, name }) => reported.push(`${done}/${of} ${name}`))
  assert.deepEqual(broken(findings), [], reportOf(findings))
  // The seals are checked after the invariants with a query, to which a cluster adds the claims.
  const steps = invariants.length + (wantsCluster() ? claimInvariants.length : 0) + 1
  assert.equal(reported[0], `0/${steps} journals balance`)
  assert.equal(reported.at(-1), `${steps - 1}/${steps} seals fit`)
  assert.equal(reported.length, steps)
  assert.match(reportOf(findings), /All \d+ invariants hold\.$/)
  // The owner of the tables can verify too.
  assert.deepEqual(broken(await verifyDatabase(urlOf(ownerUrl, rows[0].name))), [])
})

test('a database of another version is not verified, and the refusal says which version to use', async () => {
  const url = urlOf(findTestServer().serviceUrl, bank.owner.database ?? '')
  const { rows } = await bank.owner.query('select count(*)::int as count from migrations')
  const add = `insert into migrations (number, name, checksum) values (9999, '9999_later.sql', 'x')`
  await bank.owner.query(add)
  const ahead = `The database has ${rows[0].count + 1} migrations, but this version of Vostro has ${rows[0].count}: use the version that applied them.`
  await assert.rejects(verifyDatabase(url), { message: ahead })
  await bank.owner.query('delete from migrations where number = 9999')
  const { rows: last } = await bank.owner.query('delete from migrations where number = $1 returning *', [rows[0].count])
  const behind = `The database has ${rows[0].count - 1} migrations, but this version of Vostro has ${rows[0].count}: start this version once to apply the others.`
  await assert.rejects(verifyDatabase(url), { message: behind })
  await bank.owner.query('insert into migrations select * from json_populate_record(null::migrations, $1)', [JSON.stringify(last[0])])
})

test('a database without Vostro’s tables is refused instead of reported as broken', async () => {
  await assert.rejects(
    verifyDatabase(urlOf(findTestServer().ownerUrl, 'postgres')),
    /does not contain the tables of Vostro: check DATABASE_URL\.$/,
  )
  await assert.rejects(verifyDatabase('postgres://nobody@127.0.0.1:1/nothing'), /cannot be reached/)
})

test('the list of references matches the composite foreign keys of the database, and where there is none, nothing can be deleted', async () => {
  const { rows } = await bank.owner.query(`
    select source.relname as "table", attribute.attname as "column", target.relname as "to"
    from pg_constraint key
    join pg_class source on source.oid = key.conrelid
    join pg_class target on target.oid = key.confrelid
    join pg_attribute attribute on attribute.attrelid = source.oid and attribute.attnum = key.conkey[2]
    where key.contype = 'f' and source.relnamespace = 'public'::regnamespace`)
  const named = (list: readonly { table: string; column: string; to: string }[]) =>
    list.map((row) => `${row.table}.${row.column} ${row.to}`)
  // Damage within tables that are not divided by venture.
  const undivided = [
    'kyc_event_conflicts.id kyc_events',
    'nostro_entries.number nostro_statements',
    'watchlists.active_version_id watchlist_versions',
  ]
  // A cluster has none between its servers.
  const between = wantsCluster() ? foreignKeysBetween.map(({ table }) => table) : []
  const withKey = references.filter(({ table, hasKey = true }) => hasKey && !between.includes(table))
  assert.deepEqual([...named(withKey), ...undivided].sort(), named(rows).sort())
  for (const { to } of references.filter(({ hasKey = true }) => !hasKey))
    for (const statement of [`delete from ${to}`, `truncate ${to} cascade`])
      await assert.rejects(bank.owner.query(statement), /are never changed or deleted/, statement)
})

/** Inserts rows that the traffic does not create, so that every reference can be broken. */
const needed: Record<string, string> = {
  'onboarding_details.client_id': `insert into onboarding_details (venture_id, client_id, id, account_purposes, expected_monthly_incoming_volume,
    expected_monthly_outgoing_volume, occupation, occupation_sector, source_of_funds, is_us_person, created_at, updated_at, sequence)
    select venture_id, id, id, '{}', '', '', '', '', '', false, now(), now(), 1 from clients order by id limit 1`,
  'account_payees.account_id':
    "delete from account_payees; insert into account_payees (venture_id, account_id, payee) select venture_id, id, 'somebody' from accounts order by id limit 1",
  'kyc_conclusions.client_id': 'insert into kyc_conclusions (venture_id, client_id) select venture_id, id from clients order by id limit 1',
  'kyc_events.client_id': `insert into kyc_events (received_by, id, type, created_at, data, raw, headers, received_at, verdict, venture_id, client_id)
    select venture_id, 'e', 't', now(), '{}', '', '{}', now(), 'APPLIED', venture_id, id from clients order by id limit 1`,
}

const someHit = `insert into screenings (venture_id, id, subject_kind, subject_id, cause, parties, versions, algorithm, policy_version, screen_threshold,
    block_threshold, outcome, created_at)
    select venture_id, id, 'client', id, 'created', '[]', '{}', '1', 0, 0.85, 0.97, 'HIT', now() from clients order by id limit 1;
  insert into screening_hits (venture_id, id, screening_id, party, party_hash, reason, entry_hash, state)
    select venture_id, id, id, 'client', repeat('0', 64), 'unreadable', repeat('0', 64), 'OPEN' from screenings`
needed['screening_hits.screening_id'] = someHit
needed['cleared_pairs.hit_id'] = `${someHit};
  insert into cleared_pairs (venture_id, party_hash, entry_hash, hit_id, cleared_at)
    select venture_id, party_hash, entry_hash, id, now() from screening_hits`

const brokenReferences = references.map(({ table, column }) =>
  [needed[`${table}.${column}`] ?? '', `update ${table} set ${column} = gen_random_uuid() where ${column} is not null`].join(';'),
)

/** Statements that break each invariant. They also drop constraints that would prevent the damage. */
const damages: Record<string, string[]> = {
  'rows that decide are as their last lines say': [
    "update api_keys set scopes = array['read']",
    'update api_keys set revoked_at = now() where revoked_at is null',
    "update beneficiaries set iban = 'NL91ABNA0417164300' where iban is not null",
    'delete from beneficiaries',
    'insert into beneficiaries select (jsonb_populate_record(one, jsonb_build_object($$id$$, gen_random_uuid()))).* from beneficiaries one limit 1',
    `insert into users (id, email, name, password_hash, status, created_at, updated_at)
     values (gen_random_uuid(), 'eve@example.com', 'Eve', '$argon2id$', 'ACTIVE', now(), now())`,
    "update row_states set hash = null where table_name = 'beneficiaries'",
    "delete from row_states where table_name = 'api_keys'",
  ],
  'journals balance': ["update entries set amount = amount + 1 where id = (select id from entries where system_account = 'fees:EUR')"],
  'entries are in the currency of their account': [
    "update entries set currency = 'USD' where system_account = 'fees:EUR'",
    "update entries set currency = 'GBP' where account_id is not null",
  ],
  'current balances': ['update accounts set current_balance = current_balance + 0.01 where current_balance > 400'],
  'running balances': [
    'update entries set balance = balance + 1 where id = (select max(id::text)::uuid from entries where account_id is not null)',
    'update entries set balance = balance + 1 where id = (select min(id::text)::uuid from entries where account_id is not null)',
  ],
  'reserved balances': [
    'update accounts set reserved_balance = reserved_balance - 0.01 where reserved_balance > 0',
    'update transfers set hold = hold + 1 where hold > 0',
  ],
  'nothing is overdrawn': [
    "alter table accounts drop constraint accounts_check; update accounts set reserved_balance = current_balance + 1 where status = 'ACTIVE' and debt = 0",
    'alter table accounts drop constraint accounts_check; update accounts set debt = debt - 1 where debt > 0',
    "alter table accounts drop constraint accounts_reserved_balance_check; update accounts set reserved_balance = -1 where status = 'ACTIVE' and debt = 0",
  ],
  'debt is what moves recorded': [
    'update transfer_moves set debt_change = debt_change - 1 where debt_change > 0',
    'delete from transfer_moves where debt_change <> 0',
    'update accounts set current_balance = current_balance - 1, debt = debt + 1 where debt > 0',
  ],
  'only the bank forces': [
    'alter table transfer_moves drop constraint transfer_moves_debt_check; update transfer_moves set forced = false where debt_change > 0',
    "alter table transfer_moves drop constraint transfer_moves_forced_check; update transfer_moves set actor = 'venture' where forced",
    'update transfers set managed = false, exempt = false where exempt',
  ],
  'facts are booked for the bank': [
    "update transfer_moves set actor = 'venture' where from_status is null and not forced",
    'alter table transfers drop constraint transfers_exempt_check; update transfers set managed = false where exempt',
  ],
  'suspense of each unapplied payment': [
    "update unapplied_payments set amount = amount + 1 where status = 'OPEN'",
    "update unapplied_payments set status = 'OPEN', decided_at = null, actor = null where status = 'RETURNING'",
    "delete from entries where cause_kind = 'unapplied'",
  ],
  'unapplied payments were sent': [
    'update unapplied_payments set amount = amount + 4 where parent_transaction_id is not null',
    "update transfers set transfer_type = 'PAYMENT_RETURN' where id in (select parent_transaction_id from unapplied_payments)",
    "update transfers set transfer_type = 'FEE' where id in (select parent_transaction_id from unapplied_payments)",
    "update transfers set direction = 'INBOUND' where id in (select parent_transaction_id from unapplied_payments)",
    "update transfers set status = 'REJECTED' where id in (select parent_transaction_id from unapplied_payments)",
    'delete from transfers where id in (select parent_transaction_id from unapplied_payments)',
  ],
  'payments are sent once': [`${insertRailPayment(1, 'SENT')}; ${insertRailPayment(2, 'SENT')}`, insertRailPayment(2, 'COLLECTED')],
  'sent payments have a message': [insertRailPayment(1, 'ACCEPTED')],
  'packs contain their payments': [
    `with pack as (
       insert into rail_packs (id, rail, kind, message_id, settlement_date, state, count, total, currency, created_at, updated_at, sequence)
       values (gen_random_uuid(), 'SEPA', 'CREDIT_TRANSFER', 'M1', '2026-11-17', 'DELIVERED', 1, 5, 'EUR', now(), now(), 1) returning id)
     insert into rail_messages (id, direction, type, message_id, sender, file, pack_id, sha256, body, state, created_at, updated_at)
     select gen_random_uuid(), 'OUT', 'pacs.008.001.08', 'M1', 'VOSTLT21XXX', 'M1.xml', id, repeat('0', 64), '<a/>', 'DELIVERED', now(), now() from pack`,
  ],
  'packs have a participation': [
    insertPack({ participation: 99 }),
    insertPack({ currency: 'USD' }),
    `${insertPack({})}; update participations set state = 'ENDED'`,
  ],
  'sent payments are committed': [insertRailPayment(1, 'UNKNOWN')],
  'instant payments are final': [
    ...['AWAITED', 'REJECTED', 'REFUSED'].map(
      (
        state,
      ) => `insert into rail_instants (venture_id, id, sender, message_type, message_id, tx_id, end_to_end_id, creditor_iban, amount, currency, code,
          state, created_at, updated_at)
        select venture_id, id, 'COBADEFFXXX', 'pacs.008.001.08', 'M1', 'T1', 'E1', 'LT1', 1, 'EUR', ${state === 'REFUSED' ? `'AC01'` : 'null'},
          '${state}', now(), now() from transfers where status = 'COMPLETED' and direction = 'INBOUND' order by id limit 1`,
    ),
    `insert into rail_received (venture_id, id, rail, message_type, message_id, sender, tx_id, end_to_end_id, amount, currency, original, created_at)
     select venture_id, id, 'INST', 'pacs.008.001.08', 'M1', 'COBADEFFXXX', 'T1', 'E1', 1, 'EUR', '{}', now()
     from transfers where status = 'COMPLETED' and direction = 'INBOUND' order by id limit 1`,
  ],
  'messages have the bytes of their hash': [
    "update rail_messages set body = body || 'more'",
    "update rail_messages set sha256 = repeat('0', 64)",
  ],
  'receivables are open breaks': [
    `insert into breaks (venture_id, id, status, kind, amount, currency, account_venture_id, account_id, client_id, created_at)
     select '${houseId}', gen_random_uuid(), 'OPEN', 'FORCED_DEBIT', 1, currency, venture_id, id, client_id, now() from accounts order by id limit 1`,
    "update entries set system_account = 'receivable:EUR' where system_account = 'fees:EUR'",
  ],
  'what waits has a case': [
    "delete from cases where kind = 'suspended' and state = 'OPEN'",
    "delete from cases where kind = 'unapplied' and state = 'OPEN'",
    "delete from cases where kind = 'break' and state = 'OPEN'",
    "delete from cases where kind = 'reconciliation' and state = 'OPEN'",
    "update cases set state = 'OPEN', decision = null, decided_at = null where kind = 'reconciliation'",
    "update cases set state = 'OPEN', decision = null, decided_at = null where kind = 'suspended'",
    "update cases set state = 'OPEN', decision = null, decided_at = null where kind = 'unapplied'",
    "update cases set state = 'OPEN', decision = null, decided_at = null where kind = 'break'",
    "update cases set kind = 'unapplied' where kind = 'break' and state = 'OPEN'",
    "drop index cases_open; insert into cases select venture_id, gen_random_uuid(), kind, resource_id, payload, state, assignee_id, decision, comment, decided_by, decided_at, created_at, updated_at, sequence, severity, due_at from cases where state = 'OPEN'",
  ],
  'reviews wait': [
    `insert into cases (venture_id, id, kind, resource_id, payload, severity, due_at, state, created_at, updated_at, sequence)
     select venture_id, gen_random_uuid(), 'hit', id, '{}', 'NORMAL', now(), 'OPEN', now(), now(), 1 from transfers where status = 'COMPLETED' order by id limit 1`,
    `insert into cases (venture_id, id, kind, resource_id, payload, severity, due_at, state, created_at, updated_at, sequence)
     values ('${randomUUID()}', '${randomUUID()}', 'rule', '${randomUUID()}', '{}', 'NORMAL', now(), 'OPEN', now(), now(), 1)`,
  ],
  'what was added to cases stays': [
    "update case_notes set text = 'Another note.'",
    `update case_notes set text = 'Another note.', sha256 = '${sha256('Another note.')}'`,
    "update stored_files set bytes = 'Another letter.'",
    'delete from stored_files',
    'update case_files set question_id = null where question_id is not null',
    "update case_questions set text = 'Another question?'",
    "update case_questions set answer = 'Another answer.'",
    `insert into case_notes values ('${bankId}', gen_random_uuid(), gen_random_uuid(), 'New.', '${sha256('New.')}', null, now())`,
  ],
  'rules look at what was paid': [
    'update account_activity set times = times + 1',
    'update account_activity set amount = amount + 0.01',
    'delete from account_activity',
    'insert into account_activity select venture_id, account_id, direction, day - 1, 1, 1 from account_activity order by account_id, direction, day limit 1',
  ],
  'messages are booked once': [
    `update inbound_claims set id = '${randomUUID()}'`,
    "update inbound_claims set booked_as = 'break' where booked_as = 'unapplied'",
    'delete from inbound_claims',
    "delete from inbound_claims where booked_as = 'transfer' and id in (select id from transfers where direction = 'INBOUND')",
    'update breaks set collection_id = gen_random_uuid() where collection_id is not null',
    "insert into inbound_claims select sender, 'another', tx_id, id, venture_id, booked_as, created_at from inbound_claims",
  ],
  'claims are of the messages that were booked': [
    "update inbound_claims set tx_id = 'renamed' where tx_id = (select min(tx_id) from inbound_claims where booked_as = 'transfer')",
    "update inbound_claims set kind = 'camt.054'",
    "update inbound_claims set sender = 'COBADEFF123'",
  ],
  // Requests of real people are tested in another file.
  'approvals are as two people made them': [
    `insert into approvals (venture_id, id, action, resource_id, payload, payload_hash, sequence, maker_id, checker_id, state, created_at, expires_at, decided_at)
     values ('${houseId}', gen_random_uuid(), 'set-rate', gen_random_uuid(), '{}', repeat('0', 64), 0, gen_random_uuid(), gen_random_uuid(), 'APPROVED',
       now(), now(), now())`,
  ],
  'clearings of pairs are as somebody made them': [
    "update pair_clearings set reason = 'Another'",
    'update pair_clearings set ties = ties || gen_random_uuid()',
    "delete from audit_log where action = 'clearPair'",
    "update audit_log set actor_id = gen_random_uuid() where action = 'clearPair'",
    'update pair_clearings set taken_back_at = null, taken_back_by = null',
    'delete from pair_clearings where taken_back_at is not null',
    `insert into pair_clearings (venture_id, id, one_id, other_id, ties, reason, cleared_by, cleared_at)
     values ('${bankId}', gen_random_uuid(), '00000000-0000-0000-0000-000000000001', '00000000-0000-0000-0000-000000000002', array[gen_random_uuid()], 'None', gen_random_uuid(), now())`,
  ],
  'rates are as they were set': [
    `insert into rates (id, from_currency, to_currency, rate, margin, valid_from, actor, created_at)
     values (gen_random_uuid(), 'GBP', 'CHF', 2, 0, now(), 'operator', now())`,
  ],
  'decided money left the house': [
    `update unapplied_payments set transfer_id = '${randomUUID()}' where status = 'APPLIED'`,
    `update unapplied_payments set applied_venture_id = '${randomUUID()}' where status = 'APPLIED'`,
    `insert into breaks (venture_id, id, status, kind, amount, currency, account_venture_id, account_id, client_id, transfer_id, actor, created_at, decided_at)
     select '${houseId}', gen_random_uuid(), 'COLLECTED', 'FORCED_DEBIT', 1, currency, venture_id, id, client_id, gen_random_uuid(), 'operator', now(), now()
     from accounts order by id limit 1`,
  ],
  'holds end with their transfers': [
    "alter table transfers drop constraint transfers_check; update transfers set status = 'CANCELLED' where hold > 0",
  ],
  'suspense balances': [
    'update transfers set suspended = suspended - 1 where suspended > 0',
    "delete from entries where system_account = 'suspense:EUR' and amount > 0",
    "insert into entries select venture_id, gen_random_uuid(), gen_random_uuid(), cause_id, null, 'suspense:CHF', 'CHF', 1, null, now(), cause_kind from entries order by id limit 1",
  ],
  'statements of nostros follow each other': [
    'update nostro_statements set opening = opening + 1 where number = 2',
    'update nostro_statements set closing = closing + 1 where number = 1',
    'update nostros set prefunding = prefunding + 1',
    'update nostro_entries set amount = amount + 1 where position = 0',
    'delete from nostro_entries where position = 0',
    'update nostro_statements set number = 3 where number = 2',
  ],
  'entries of nostros are explained': [
    'update nostro_matches set amount = amount + 1',
    'delete from nostro_matches',
    "update breaks set difference = difference + 1, amount = abs(difference + 1) where kind = 'OTHER_AMOUNT'",
    "update nostro_entries set state = 'MATCHED' where state = 'BREAK'",
    "update nostro_entries set state = 'BREAK' where state = 'MATCHED'",
    "update nostro_entries set state = 'MATCHED' where state = 'RESOLVED'",
  ],
  'payments are on statements as they were booked': [
    'update nostro_matches set amount = amount + 1',
    'update nostro_matches set id = gen_random_uuid()',
    "update entries set amount = amount * 2 where system_account = 'settlement:SEPA:EUR'",
  ],
  'breaks that cancel each other': [
    "update breaks set difference = difference * 2, amount = amount * 2 where status = 'OFFSET' and difference > 0",
    `update breaks set counter_id = '${randomUUID()}' where status = 'OFFSET' and difference > 0`,
    `update breaks set nostro_id = '${randomUUID()}' where status = 'OFFSET' and difference > 0`,
  ],
  'nostros add up': [
    "update entries set amount = amount * 2 where system_account = 'settlement:SEPA:EUR' and cause_kind = 'break'",
    "update breaks set difference = difference + 1, amount = abs(difference + 1) where kind = 'MISSING'",
    "update breaks set status = 'MATCHED', decided_at = now(), actor = 'service' where kind = 'UNKNOWN' and status = 'OPEN'",
    "update breaks set status = 'OPEN', decided_at = null, actor = null where status = 'WRITTEN_OFF' and nostro_id is not null",
    "delete from breaks where status = 'FUNDED'",
    'update nostro_statements set closing = closing + 1 where number = 2',
    'delete from nostro_matches',
    'delete from rail_payments',
  ],
  'only received money is in suspense': [
    "update transfers set suspended = 1 where status = 'COMPLETED' and direction = 'OUTBOUND'",
    "update transfers set suspended = 1 where status = 'REJECTED'",
    "update transfers set suspended = 31 where status = 'AML_REJECTED'",
    "update transfers set suspended = 0 where status = 'RECEIVED'",
  ],
  'suspense of each transfer': [
    // The sum over the venture stays the same.
    "update transfers set suspended = suspended + case status when 'RECEIVED' then 1 else -1 end where suspended > 0",
    "update entries set cause_id = (select id from transfers where status = 'RECEIVED') where system_account = 'suspense:EUR' and amount < 0",
  ],
  'money within the bank adds up': [
    "update entries set system_account = 'settlement:ON_US:EUR' where system_account = 'settlement:SEPA:EUR'",
  ],
  'what is sent within the bank is received': [
    `insert into inbound_claims (sender, kind, tx_id, id, venture_id, booked_as, created_at)
     select 'VOSTLT21XXX', 'ON_US', 'nobody', id, venture_id, 'transfer', now() from transfers order by id limit 1`,
  ],
  'what was signed is what is stored': [
    "update transfers set signed_hash = repeat('0', 64) where status = 'RESERVED'",
    "update transfers set managed = true, signed_hash = repeat('0', 64) where status = 'RESERVED'",
  ],
  'collections are allowed by their mandates': [
    "update mandates set debtor_iban = 'FR1420041010050500013M02606'",
    "update mandates set account_id = (select id from accounts where currency = 'USD' and venture_id = mandates.venture_id limit 1)",
    "update mandates set sequence_type = 'OOFF'",
    "update transfers set direction = 'OUTBOUND' where mandate_id is not null",
    'update transfers set managed = true, mandate_id = null where mandate_id is not null',
  ],
  'authorisations book nothing': [
    `update entries set cause_id = (select id from transfers where transfer_type = 'CARD_AUTH')
     where cause_id in (select id from transfers where transfer_type = 'CARD_CLEARING')`,
    "update transfers set transfer_type = 'CARD_ADVICE' where transfer_type = 'CARD_CLEARING'",
  ],
  'children stay within their parent': [
    "update transfers set debit_amount = 20.01 where transfer_type = 'PAYMENT_RETURN' and direction = 'INBOUND'",
    "update transfers set credit_amount = 31 where transfer_type = 'PAYMENT_RETURN' and direction = 'OUTBOUND'",
  ],
  'returned transfers say so': [
    "update transfers set debit_amount = 20 where transfer_type = 'PAYMENT_RETURN' and direction = 'INBOUND'",
    "delete from events where type = 'transfer.returned'",
    "update events set type = 'transfer.returned' where type = 'transfer.updated' or type = 'transfer.completed'",
  ],
  'details of transfers are as they were said': [
    'delete from transfer_details',
    `update transfer_details set content = content || '{"end_to_end_id": "another"}'`,
    'update transfers set detailed = not detailed',
    `update transfer_details set transfer_id = gen_random_uuid()`,
  ],
  'searches find every transfer': [
    'delete from transfer_texts where id = (select min(id::text)::uuid from transfer_texts)',
    'update transfer_texts set id = gen_random_uuid() where id = (select min(id::text)::uuid from transfer_texts)',
    'update transfer_texts set others = others || id where id = (select min(id::text)::uuid from transfer_texts)',
    "update transfer_texts set words = replace(words, 'ada', 'eve') where id = (select min(id::text)::uuid from transfer_texts where words like '%ada%')",
    'update transfer_texts set others = others || gen_random_uuid() where id = (select min(id::text)::uuid from transfer_texts)',
  ],
  'one transfer for each reference': [
    "update transfers set unique_reference = 'stolen' where status = 'RESERVED'",
    "insert into transfer_references select 'left behind', venture_id, transfer_id from transfer_references order by unique_reference limit 1",
    'delete from transfer_references where unique_reference = (select min(unique_reference) from transfer_references)',
    `update transfer_references set venture_id = '${randomUUID()}'`,
  ],
  'closed accounts are empty': [
    "alter table accounts drop constraint accounts_check2; update accounts set current_balance = 1 where status = 'CLOSED'",
    "alter table accounts drop constraint accounts_check1; update accounts set closed_date = null where status = 'CLOSED'",
    "update transfers set account_id = (select id from accounts where status = 'CLOSED' order by id limit 1) where suspended > 0",
  ],
  'closed accounts stay closed': [
    `insert into entries select venture_id, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), id, null, currency, 1, 1, closed_date + interval '1 hour', 'transfer'
     from accounts where status = 'CLOSED'`,
  ],
  'moves are edges of the table': [
    "update transfer_moves set from_status = 'CREATED' where to_status = 'COMPLETED' and from_status is not null",
    // A move in the table, but not in this flow.
    "update transfer_moves set from_status = 'CREATED', to_status = 'RECEIVED' where from_status = 'CREATED' and to_status = 'RESERVED'",
    "update transfer_moves set actor = 'service' where from_status is null and to_status = 'CREATED'",
    "update transfer_moves set actor = 'venture' where from_status is null and to_status = 'COMPLETED'",
    "update transfer_moves set to_status = 'SIGNED' where from_status = 'ON_HOLD'",
    "update transfer_moves set from_status = 'CANCELLED' where to_status = 'COMPLETED' and from_status is not null",
  ],
  'moves lead to the status': [
    "update transfers set status = 'SIGNED' where status = 'RESERVED'",
    "delete from transfer_moves where from_status = 'SIGNED'",
    'delete from transfer_moves where from_status is null',
  ],
  'no row points across ventures': brokenReferences,
  'entries name their cause': [
    `update entries set cause_id = '${randomUUID()}' where system_account = 'fees:EUR'`,
    'update entries set cause_id = account_id where account_id is not null',
    // An existing transfer of another venture.
    `update entries set cause_id = (select id from transfers where venture_id <> entries.venture_id order by id limit 1) where system_account = 'fees:EUR'`,
    "alter table entries drop constraint entries_cause_kind_check; update entries set cause_kind = 'rumour' where system_account = 'fees:EUR'",
  ],
  'entries are what their causes booked': [
    // Changes the amount of a payment without its bookings, so that more could come back than was sent.
    "update transfers set debit_amount = 4000, credit_amount = 4000 where transfer_type = 'PAYMENT' and direction = 'OUTBOUND' and status = 'COMPLETED'",
    "update transfers set debit_amount = debit_amount + 1 where status = 'RECEIVED'",
    'update transfers set fx_fee_amount = fx_fee_amount + 1 where fx_fee_amount > 0',
    // Balanced journals without a cause: on an account, between the accounts of a venture, and in the house.
    `with journal as (select gen_random_uuid() as id), paid as (select * from transfers where status = 'COMPLETED' and method = 'SEPA' order by id limit 1)
     insert into entries (era, xid, venture_id, id, journal_id, cause_kind, cause_id, account_id, system_account, currency, amount, balance, created_at)
     select era, pg_current_xact_id(), paid.venture_id, gen_random_uuid(), journal.id, 'transfer', paid.id, line.account_id, line.system_account, 'EUR',
       line.amount, line.balance, now()
     from event_era, journal, paid cross join lateral (
       select id, null, 1000, current_balance + 1000 from accounts where venture_id = paid.venture_id and id = paid.account_id
       union all select null, 'settlement:SEPA:EUR', -1000, null) as line (account_id, system_account, amount, balance);
     update accounts set current_balance = current_balance + 1000 where id = (
       select account_id from transfers where status = 'COMPLETED' and method = 'SEPA' order by id limit 1)`,
    ...['transfers transfer', 'payouts payout', 'unapplied_payments unapplied', 'breaks break'].map((cause) => {
      const [table, kind] = cause.split(' ')
      return `with journal as (select gen_random_uuid() as id)
        insert into entries (era, xid, venture_id, id, journal_id, cause_kind, cause_id, system_account, currency, amount, created_at)
        select era, pg_current_xact_id(), cause.venture_id, gen_random_uuid(), journal.id, '${kind}', cause.id, system_account, 'EUR', amount, now()
        from event_era, journal, (select venture_id, id from ${table} order by id limit 1) as cause, (values ('settlement:SEPA:EUR', -7), ('fees:EUR', 7)) as line (system_account, amount)`
    }),
    "delete from entries where cause_kind = 'break'",
    'update payouts set fee_amount = fee_amount + 0.01 where payment_id is null',
    "update breaks set collected_over = 'INST' where collected_over is not null",
    'update breaks set amount = amount + 1 where difference is null',
    "update breaks set difference = -2 * amount, amount = 2 * amount where status = 'WRITTEN_OFF' and difference is not null",
    "update unapplied_payments set amount = amount + 1 where status = 'RETURNING'",
    'update transfers set receiver_account_id = null where receiver_account_id is not null',
    "update transfers set account_id = (select id from accounts where id <> transfers.account_id order by id limit 1) where status = 'COMPLETED'",
  ],
  'transfers are as their events show them': [
    "update transfers set cr_iban = 'FR1420041010050500013M02606', cr_name = 'Somebody else' where status = 'COMPLETED' and direction = 'OUTBOUND'",
    "update transfers set debit_amount = debit_amount + 1 where status = 'COMPLETED'",
    "update transfers set status = 'SIGNED' where status = 'RESERVED'",
    "update transfers set status_reason = 'because' where status = 'COMPLETED'",
    "update transfers set account_id = (select id from accounts where id <> transfers.account_id order by id limit 1) where status = 'COMPLETED'",
  ],
  'every row is of a venture that exists': [
    `update clients set venture_id = '${randomUUID()}'`,
    `update events set venture_id = '${randomUUID()}' where type = 'client.created'`,
    `update api_keys set venture_id = '${randomUUID()}'`,
    `with person as (
       insert into users (id, email, name, password_hash, status, created_at, updated_at)
       values (gen_random_uuid(), 'ada@example.com', 'Ada', '$argon2id$', 'ACTIVE', now(), now()) returning id)
     insert into memberships select id, '${randomUUID()}', 'viewer', now() from person`,
  ],
  'events have no gaps': [
    "delete from events where type = 'transfer.created'",
    "update events set sequence = 100 where type = 'transfer.completed'",
    'update events set sequence = 2 where sequence = 3 and resource_id in (select resource_id from events where sequence = 4)',
  ],
  'events are of an era that has begun': [
    "update events set era = 2 where type = 'transfer.completed'",
    "update events set era = 0 where type = 'transfer.completed'",
    'update webhook_progress set era = 2',
    'update event_era set era = 2; update webhook_progress set since_era = 2',
    'delete from event_era',
  ],
  'every change has its event': [
    'update transfers set sequence = sequence + 1',
    'update ventures set sequence = sequence + 1',
    "update payments set sequence = sequence + 1 where status = 'PAID'",
    'update payment_links set sequence = sequence + 1',
    "delete from events where type = 'payment.refunded'",
    "delete from events where type = 'account.closed'",
  ],
  'one client for each email': [
    "update clients set email = 'someone.else@example.com' where email = (select min(email) from clients)",
    "insert into client_emails select 'left.behind@example.com', venture_id, client_id from client_emails order by email limit 1",
    'delete from client_emails',
  ],
  'limits count what transfers count': [
    'update accounts set used_day = used_day + 1 where used_day > 0',
    'update accounts set used_month = used_month - 1 where used_month > 0',
    'update accounts set used_year = 0 where used_year > 0',
    'update transfers set counted_amount = counted_amount + 1 where counted_on is not null',
    'update transfers set authorised_on = null where authorised_on is not null',
  ],
  'bookings stay in the books': [
    "update transfers set transfer_type = 'FEE' where method = 'INTERNAL' and direction = 'OUTBOUND'",
    "update transfers set receiver_account_id = (select id from accounts order by id limit 1) where transfer_type = 'FEE'",
  ],
  'methods carry their transfers': [
    "update transfers set method = 'CARD' where transfer_type = 'PAYMENT' and method = 'SEPA'",
    "update transfers set method = 'INTERNAL' where transfer_type = 'FEE'",
    "update transfers set method = 'INST' where transfer_type = 'PAYMENT' and credit_currency = 'USD'",
    "update transfers set method = 'DOMESTIC' where transfer_type = 'PAYMENT' and credit_currency = 'EUR' and method = 'SEPA'",
    "update transfers set credit_amount = 1e9, debit_amount = 1e9 where transfer_type = 'PAYMENT' and method = 'SEPA'",
  ],
  'exchange fees need an exchange': [
    'update transfers set credit_currency = debit_currency where fx_fee_amount > 0',
    "update transfers set fx_fee_amount = 1 where direction = 'INBOUND'",
  ],
  'returns go back where the money came from': [
    "update transfers set method = 'SWIFT' where transfer_type = 'PAYMENT_RETURN'",
    "update transfers set cr_iban = 'FR1420041010050500013M02606' where transfer_type = 'PAYMENT_RETURN' and direction = 'OUTBOUND'",
  ],
  'returns are not returned': [
    `update transfers set transfer_type = 'PAYMENT_REVERSAL' where id in (
       select parent_transaction_id from transfers where transfer_type = 'PAYMENT_RETURN' and direction = 'INBOUND')`,
  ],
  'children stay within what the account gave or got': [
    `update transfers set credit_amount = 20.01, status = 'AML_REJECTED', received = true
     where transfer_type = 'PAYMENT_RETURN' and direction = 'INBOUND'`,
    "update transfers set credit_amount = 20.01 where transfer_type = 'PAYMENT_RETURN' and direction = 'INBOUND'",
    "update transfers set credit_amount = 0.76 where transfer_type = 'FEE_CANCELLATION'",
  ],
  'everything is managed as its venture is': [
    "update ventures set control = 'MANAGED'",
    "update transfers set managed = true where status = 'RESERVED'",
    "update accounts set managed = true where status = 'ACTIVE'",
  ],
  'ventures make only their own moves': [
    "update ventures set control = 'MANAGED'; update accounts set managed = true; update transfers set managed = true",
    "update transfers set managed = true, ordered_by_bank = true where status = 'CANCELLED'",
  ],
  'expired rates reserve nothing': ["update transfers set rate_until = created_at - interval '1 hour' where hold > 0"],
  'marks of the bank stand': [
    "alter table accounts drop constraint accounts_check3; update accounts set frozen_by_bank = true where status = 'ACTIVE'",
    'alter table clients drop constraint clients_check; update clients set blocked_by_bank = true',
    'alter table clients drop constraint clients_check1; update clients set blacklisted_by_bank = true',
  ],
  'payments are booked': [
    "update payments set refunded_amount = refunded_amount + 1 where status = 'PAID' and currency = 'EUR'",
    "update entries set cause_id = (select id from payments where status = 'CANCELED' order by id limit 1) where cause_kind = 'payment' and currency = 'USD'",
    "update entries set system_account = 'suspense:USD' where system_account = 'payable:USD' and cause_kind = 'payment'",
    "update entries set system_account = 'settlement:SEPA:USD' where system_account = 'settlement:CARD:USD'",
    "delete from entries where cause_kind = 'payment'",
  ],
  'payable balances': [
    'update payouts set amount = amount + 1',
    "insert into entries select venture_id, gen_random_uuid(), gen_random_uuid(), id, null, 'payable:CHF', 'CHF', 1, null, now(), 'payout' from payouts",
    "delete from entries where system_account = 'payable:USD' and amount < 0",
    'delete from payouts',
  ],
  'payouts have their transfer': [
    'update payouts set fee_amount = fee_amount + 0.01 where payment_id is null',
    "update transfers set direction = 'INBOUND' where method = 'CARD' and transfer_type = 'PAYMENT' and direction = 'OUTBOUND'",
    "update transfers set status = 'CANCELLED' where method = 'CARD' and transfer_type = 'PAYMENT'",
    "update transfers set transfer_type = 'PAYMENT', method = 'CARD' where method = 'INTERNAL' and direction = 'INBOUND'",
    "update entries set amount = amount + 1 where cause_kind = 'payout' and system_account = 'fees:USD'",
    "update entries set system_account = 'payable:EUR' where system_account = 'fees:EUR' and cause_kind = 'transfer'",
    'delete from payouts',
  ],
  'idempotency keys have their effect': [
    `update idempotency_keys set resource_id = '${randomUUID()}' where operation = 'createPaymentLink'`,
    `update idempotency_keys set venture_id = '${randomUUID()}' where operation = 'createPaymentLink'`,
    `delete from payment_links`,
    `update idempotency_keys set status = 202 where operation = 'createPaymentLink'`,
    `insert into idempotency_keys select venture_id, operation, 'another', request_hash, resource_id, status, location, body, created_at, owner_id
     from idempotency_keys where operation = 'createPaymentLink'`,
    `update idempotency_keys set body = regexp_replace(body, '"transfer":{"id":"[^"]*"', '"transfer":{"id":"${randomUUID()}"')
     where operation = 'createTransfers'`,
  ],
}

/** The SQLSTATE of a statement that is not possible over the shards of a cluster. */
const unsupported = '0A000'

/** Checks the invariants after a damage and rolls it back. */
async function findingsAfter(damage: string): Promise<Finding[]> {
  await bank.owner.query('begin')
  try {
    await turnTriggersOff(bank.owner)
    await bank.owner.query(damage)
    return await checkInvariants(bank.owner)
  } finally {
    await bank.owner.query('rollback')
  }
}

test('every invariant has a damage that must be found', () => {
  assert.deepEqual(Object.keys(damages).sort(), invariants.map(({ name }) => name).sort())
})

for (const [name, statements] of Object.entries(damages)) {
  test(`broken and found: ${name}`, async (t) => {
    let found = 0
    for (const statement of statements) {
      const findings = await findingsAfter(statement).catch((error: { code?: string }) => {
        if (!wantsCluster() || error.code !== unsupported) throw error
      })
      if (findings === undefined) {
        t.diagnostic(`a cluster cannot be damaged so: ${statement}`)
        continue
      }
      assert.ok(broken(findings).includes(name), `${statement}: found only ${broken(findings).join(', ') || 'nothing'}`)
      const { meaning, examples = [] } = findings.find((each) => each.name === name) ?? {}
      assert.ok(examples.length > 0 && examples.length <= 5)
      assert.ok(reportOf(findings).includes(`! ${name}: ${meaning}\n    ${examples[0]}`))
      found++
    }
    if (found === 0) t.skip('A cluster cannot be damaged so.')
  })
}

test('the damages leave no trace', async () => {
  assert.deepEqual(broken(await checkInvariants(bank.owner)), [])
})

test('the command reports its findings in a table and in its exit code', async () => {
  const { rows } = await bank.owner.query('select current_database() as name')
  const verify = () =>
    spawnSync(process.execPath, [fileURLToPath(new URL('verify.ts', import.meta.url))], {
      env: { DATABASE_URL: urlOf(findTestServer().serviceUrl, rows[0].name) },
      encoding: 'utf8',
    })
  const clean = verify()
  assert.equal(clean.status, 0, clean.stderr)
  assert.match(clean.stdout, /All \d+ invariants hold\./)
  assert.match(clean.stderr, /^ 1 of \d+ {2}journals balance$/m)
  // This damage stays, so this is the last test of the file.
  await bank.owner.query('update accounts set current_balance = current_balance + 1 where current_balance > 400')
  const damaged = verify()
  assert.equal(damaged.status, 1)
  assert.match(damaged.stdout, /^! current balances +1 /m)
  assert.match(damaged.stdout, /1 of \d+ invariants are broken\./)
})

test('each run is kept for the operator, with the names of the invariants that were broken, by the login of the service or the owner', async () => {
  const { serviceUrl, ownerUrl } = findTestServer()
  const { rows } = await bank.owner.query<{ name: string }>('select current_database() as name')
  const finding = { meaning: '', examples: [], seconds: 0 }
  const findings = [
    { ...finding, name: 'one that holds', violations: 0 },
    { ...finding, name: 'one that is broken', violations: 3 },
  ]
  const started = new Date()
  await recordRun(urlOf(ownerUrl, rows[0]?.name ?? ''), started, findings.slice(0, 1))
  await recordRun(urlOf(serviceUrl, rows[0]?.name ?? ''), started, findings)
  const { body } = await bank.admin.get('/operator/verifications?limit=2')
  assert.deepEqual(
    body.map(({ started_at, invariants, broken }: { started_at: string; invariants: number; broken: string[] }) => [
      started_at,
      invariants,
      broken,
    ]),
    [
      [started.toISOString(), 2, ['one that is broken']],
      [started.toISOString(), 1, []],
    ],
  )
})
