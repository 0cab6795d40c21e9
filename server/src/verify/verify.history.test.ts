// Money, and what two people decided about it, cannot be changed afterwards: changes by the owner of the tables to unsealed rows disagree
// with what is sealed, and are reported.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, test } from 'node:test'
import { ManagedVenture, toSent } from '../testing/testing.managed.ts'
import { turnTriggersOff, wantsCluster } from '../testing/testing.server.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Loose, openBank } from '../testing/testing.ts'
import { checkInvariants, checkSeals } from './verify.ts'

const bank = await openBank({ fourEyes: true })
const [alice, bob] = [await openBanker(bank, 'admin'), await openBanker(bank, 'admin')]
const venture = await ManagedVenture.open(bank)
const message = () => ({ sender: 'COBADEFF', kind: 'pacs.008', tx_id: randomUUID() })

type Banker = typeof alice

async function asked(by: Banker, method: 'post' | 'put', path: string, body: object): Promise<string> {
  const answer = await by[method](path, body)
  assert.equal(answer.status, 202, answer.text)
  return answer.body.id
}

async function decided(by: Banker, id: string, decision: 'approve' | 'reject', state: string): Promise<Loose> {
  const answer = await by.post(`/operator/approvals/${id}/${decision}`, {})
  assert.deepEqual([answer.status, answer.body.state], [200, state], answer.text)
  return answer.body
}

let sent: Loose
let booked: Loose
let rate: Loose

before(async () => {
  const account = await venture.openAccount({ balance: '100.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  sent = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '40.00' })
  await venture.process(sent, ...toSent, 'COMPLETED')
  const arrive = () =>
    asked(alice, 'post', '/operator/inbound-payments', {
      ...message(),
      iban: account.account_number,
      amount: '30.00',
      currency: 'EUR',
      rail: 'SEPA',
    })
  booked = (await decided(bob, await arrive(), 'approve', 'APPROVED')).result
  await decided(bob, await arrive(), 'reject', 'REJECTED')
  await decided(alice, await arrive(), 'reject', 'WITHDRAWN')
  const unknown = { ...message(), iban: 'FR1420041010050500013M02606', amount: '3.00', currency: 'EUR', rail: 'SEPA' }
  await decided(bob, await asked(alice, 'post', '/operator/inbound-payments', unknown), 'approve', 'APPROVED')
  const setRate = async (more: object) => {
    const order = { from_currency: 'EUR', to_currency: 'USD', rate: '1.10', margin: '0.005', ...more }
    return (await decided(bob, await asked(alice, 'put', '/operator/rates', order), 'approve', 'APPROVED')).result
  }
  rate = await setRate({})
  await setRate({ to_currency: 'GBP', valid_from: '2030-01-01T00:00:00Z', valid_until: '2031-01-01T00:00:00.5Z' })
  // Still pending.
  await asked(alice, 'put', '/operator/rates', { from_currency: 'EUR', to_currency: 'CHF', rate: '1', margin: '0' })
  await bank.seal()
})

/** The names of the invariants that fail after the owner has changed something with triggers off. The change is undone. */
async function brokenBy(statement: string): Promise<Record<string, string[]>> {
  await bank.owner.query('begin isolation level repeatable read')
  try {
    await turnTriggersOff(bank.owner)
    const { rowCount } = await bank.owner.query(statement)
    assert.ok(rowCount, statement)
    const findings = await checkInvariants(bank.owner)
    return Object.fromEntries(findings.flatMap(({ name, violations, examples }) => (violations > 0 ? [[name, examples]] : [])))
  } finally {
    await bank.owner.query('rollback')
  }
}

test('what two people did together verifies', async () => {
  assert.deepEqual(await brokenBy('select 1'), {})
  if (!wantsCluster()) assert.equal((await checkSeals(bank.owner)).violations, 0)
})

const named = (findings: Record<string, string[]>, name: string): string => (findings[name] ?? []).join('\n')

test('a completed payment cannot get another amount, another payee or another status', async () => {
  const amounts = await brokenBy(`update transfers set debit_amount = 4000, credit_amount = 4000 where id = '${sent.id}'`)
  assert.match(named(amounts, 'entries are what their causes booked'), new RegExp(sent.id))
  const payee = await brokenBy(`update transfers set cr_iban = 'FR1420041010050500013M02606', cr_name = 'Eve' where id = '${sent.id}'`)
  assert.match(named(payee, 'transfers are as their events show them'), new RegExp(`${sent.id}.*"fields":\\["cr_iban","cr_name"\\]`))
  const status = await brokenBy(`update transfers set status = 'REJECTED' where id = '${sent.id}'`)
  assert.match(named(status, 'transfers are as their events show them'), /"fields":\["status"\]/)
})

test('a balanced journal that nothing has caused is named, although it is a new row and the balance fits', async () => {
  const found = await brokenBy(`
    with journal as (select gen_random_uuid() as id), rich as (
      update accounts set current_balance = current_balance + 1000 where id = '${sent.account_id}' returning venture_id, id, current_balance)
    insert into entries (era, xid, venture_id, id, journal_id, cause_kind, cause_id, account_id, system_account, currency, amount, balance, created_at)
    select era, pg_current_xact_id(), rich.venture_id, gen_random_uuid(), journal.id, 'transfer', '${sent.id}', line.account_id, line.system_account, 'EUR',
      line.amount, line.balance, now()
    from event_era, journal, rich, lateral (values (rich.id, null, 1000, current_balance), (null, 'settlement:SEPA:EUR', -1000, null))
      as line (account_id, system_account, amount, balance)`)
  assert.deepEqual(Object.keys(found), ['entries are what their causes booked'])
  assert.match(named(found, 'entries are what their causes booked'), new RegExp(sent.id))
})

test('a claim cannot be renamed so that its message could be booked again', async () => {
  for (const change of [`tx_id = 'renamed'`, `kind = 'pacs.004'`, `sender = 'COBADEFF123'`]) {
    for (const id of [`'${booked.id}'`, "(select id from inbound_claims where booked_as = 'unapplied')"]) {
      const found = await brokenBy(`update inbound_claims set ${change} where id = ${id}`)
      assert.deepEqual(Object.keys(found), ['claims are of the messages that were booked'], change)
    }
  }
  const moved = await brokenBy(`update inbound_claims set id = gen_random_uuid() where id = '${booked.id}'`)
  assert.match(named(moved, 'messages are booked once'), new RegExp(booked.id))
})

test('nobody can change who asked for an approval, what for, or who decided it', async () => {
  const approvals = 'approvals are as two people made them'
  const changes = [
    `update approvals set maker_id = gen_random_uuid() where state = 'PENDING'`,
    `update approvals set maker_id = gen_random_uuid() where state = 'WITHDRAWN'`,
    `update approvals set maker_id = gen_random_uuid() where action = 'set-rate' and state = 'APPROVED'`,
    `update approvals set checker_id = gen_random_uuid() where state = 'REJECTED'`,
    `update approvals set payload = (payload::jsonb || '{"amount": "31.00"}')::json where state = 'REJECTED'`,
    `update approvals set sequence = sequence + 1 where state = 'APPROVED'`,
    `update approvals set resource_id = gen_random_uuid() where state = 'PENDING'`,
    `update approvals set action = 'force-debit' where state = 'REJECTED'`,
    `update approvals set state = 'APPROVED' where state = 'REJECTED'`,
    `update approvals set state = 'EXPIRED', checker_id = null, decided_at = null where state = 'REJECTED'`,
    `delete from approvals where state = 'REJECTED'`,
    `insert into approvals select venture_id, gen_random_uuid(), action, resource_id, payload, payload_hash, sequence, maker_id, checker_id, state, reason,
       created_at, expires_at, decided_at from approvals where state = 'APPROVED' order by id limit 1`,
  ]
  for (const change of changes) assert.ok(approvals in (await brokenBy(change)), change)
})

test('a rate cannot be changed, and one that nobody set is named', async () => {
  const changes = [
    'rate = rate * 2',
    'margin = 0',
    `to_currency = 'CHF'`,
    `valid_from = valid_from - interval '1 day'`,
    `valid_until = valid_from + interval '10 years'`,
  ]
  for (const change of changes) {
    const found = await brokenBy(`update rates set ${change} where id = '${rate.id}'`)
    assert.match(named(found, 'rates are as they were set'), new RegExp(rate.id), change)
  }
  const forged =
    await brokenBy(`insert into rates select gen_random_uuid(), from_currency, to_currency, rate * 2, margin, valid_from, valid_until, actor,
    actor_id, created_at from rates where id = '${rate.id}'`)
  assert.deepEqual(Object.keys(forged), ['rates are as they were set'])
})
