import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { afterEach, test } from 'node:test'
import { openFirstCase } from '../../cases/cases.ts'
import { theService } from '../../platform/actor.ts'
import { now } from '../../platform/clock.ts'
import { Database } from '../../platform/database/database.ts'
import { withCheck } from '../../platform/distribute/distribute.checking.ts'
import { uuidv7 } from '../../platform/ids.ts'
import { findTestServer, urlOf, wantsCluster } from '../../testing/testing.server.ts'
import { type Answer, openBank, VentureCaller } from '../../testing/testing.ts'
import { lockRow, untilBlocked } from '../../testing/testing.waits.ts'
import { screening, walk } from '../../testing/testing.walks.ts'
import { Refusal } from '../../values/refusals.ts'
import type { TransferOrder } from '../life/transfers.schemas.ts'
import { createTransfer, openTransfers } from '../orders/transfers.orders.ts'
import { runBatch } from './transfers.run.ts'

const bank = await openBank()
const secondApp = await bank.openInstance()

/** A venture with two callers, one for each instance of the service on the same database. */
async function openVenture(): Promise<[VentureCaller, VentureCaller]> {
  const here = await bank.registerVenture()
  return [here, new VentureCaller(secondApp, here.venture)]
}

// After every race, verify the whole database. The tallies list every response, so a 5xx would show there.
afterEach(async () => {
  assert.deepEqual(await bank.wrongBooks(), [])
  const text = `
    select 'a transfer has no reference of its own' as wrong, id from transfers
      where not exists (select from transfer_references where transfer_id = transfers.id and unique_reference = transfers.unique_reference)
    union all select 'a reference leads nowhere', transfer_id from transfer_references
      where not exists (select from transfers where id = transfer_references.transfer_id)
    union all select 'an entry after closure', entries.id from entries join accounts on accounts.id = account_id
      where closed_date is not null and entries.created_at > closed_date
    union all select 'money in suspense for a closed account', transfers.id from transfers join accounts on accounts.id = account_id
      where closed_date is not null and suspended > 0`
  assert.deepEqual(await withCheck(bank.owner, (check) => check({ text, values: [] })), [])
})

/** Counts responses by the code of the refusal, or else by status. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, problem } of answers) {
    const name = String(problem?.code ?? status)
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

const together = <Result>(count: number, act: (n: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

async function countTransfers({ id }: { id: string }): Promise<number> {
  const { rows } = await bank.owner.query('select count(*)::int as count from transfers where account_id = $1', [id])
  return rows[0].count
}

test('A pays B while B pays A on two instances: no caller sees a deadlock and no cent is lost', async () => {
  const [here, there] = await openVenture()
  const [a, b] = [await here.openAccount({ balance: '1000.00' }), await here.openAccount({ balance: '1000.00' })]
  const toB = await here.addBeneficiary(a.client_id, { iban: b.account_number })
  const toA = await here.addBeneficiary(b.client_id, { iban: a.account_number })
  const orders = [
    { account_id: a.id, beneficiary_id: toB.id, debit_amount: '3.00' },
    { account_id: b.id, beneficiary_id: toA.id, debit_amount: '5.00' },
  ]
  await together(48, async (n) => {
    const caller = n % 2 === 0 ? here : there
    const order = orders[Math.floor(n / 2) % 2]
    await walk(caller, await caller.createTransfer({ ...order }), `RESERVED ${screening} COMPLETED`)
  })
  assert.deepEqual(await here.balances(a), ['1048.00', '0.00', '1048.00'])
  assert.deepEqual(await here.balances(b), ['952.00', '0.00', '952.00'])
})

test('one busy account on two instances is never overdrawn and loses no update', async () => {
  const [here, there] = await openVenture()
  const account = await here.openAccount({ balance: '50.00' })
  const beneficiary = await here.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' }
  const transfers = await together(80, (n) => (n % 2 === 0 ? here : there).createTransfer(order))
  const answers = await Promise.all(
    transfers.map(({ id }, n) => (n % 2 === 0 ? there : here).put(`/transfers/${id}`, { status: 'RESERVED' })),
  )
  assert.deepEqual(tally(answers), { 200: 50, insufficient_funds: 30 })
  assert.deepEqual(await here.balances(account), ['50.00', '50.00', '0.00'])
  const freed = await Promise.all(
    transfers.map(({ id }, n) => (n % 3 === 0 ? there : here).put(`/transfers/${id}`, { status: 'CANCELLED' })),
  )
  assert.deepEqual(tally(freed), { 200: 80 })
  assert.deepEqual(await here.balances(account), ['50.00', '0.00', '50.00'])
})

test('one reference used on two instances by two ventures creates one transfer', async () => {
  const [here, there] = await openVenture()
  const [otherHere, otherThere] = await openVenture()
  const [account, other] = [await here.openAccount(), await otherHere.openAccount()]
  for (let round = 0; round < 5; round++) {
    const unique_reference = randomUUID()
    const callers = [here, there, otherHere, otherThere]
    const answers = await together(40, (n) => {
      const account_id = n % 4 < 2 ? account.id : other.id
      const order = { account_id, unique_reference, direction: 'INBOUND', credit_amount: '1.00' }
      return (callers[n % 4] as VentureCaller).post('/transfers', order)
    })
    assert.deepEqual(tally(answers), { 201: 1, unique_reference_used: 39 })
    const [winner] = answers.filter(({ status }) => status === 201)
    const ownVenture = winner?.body.account_id === account.id ? [0, 1] : [2, 3]
    answers.forEach(({ problem }, n) => {
      if (problem !== undefined) assert.equal(problem.existing_transfer_id, ownVenture.includes(n % 4) ? winner?.body.id : undefined)
    })
  }
})

test('of many orders with one reference, the first valid one succeeds, whatever was refused before it', async () => {
  const [here, there] = await openVenture()
  const account = await here.openAccount()
  for (let round = 0; round < 5; round++) {
    const unique_reference = randomUUID()
    const good = { account_id: account.id, unique_reference, direction: 'INBOUND', credit_amount: '1.00' }
    const bad = { ...good, credit_currency: 'USD' }
    const answers = await together(16, (n) => (n % 4 < 2 ? here : there).post('/transfers', n < 8 || n % 2 === 0 ? bad : good))
    const counts = tally(answers)
    assert.equal(counts['201'], 1, JSON.stringify(counts))
    assert.equal((counts['currency_mismatch'] ?? 0) + (counts['unique_reference_used'] ?? 0), 15, JSON.stringify(counts))
    // A transfer named by a refusal must exist.
    for (const { problem } of answers) {
      if (problem?.existing_transfer_id !== undefined) {
        assert.equal((await here.get(`/transfers/${problem.existing_transfer_id}`)).status, 200)
      }
    }
  }
})

test('refused commands do not affect the other commands of their batch', async () => {
  const [venture] = await openVenture()
  const account = await venture.openAccount({ balance: '20.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const good = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' }
  const bad: [code: string, changes: object][] = [
    ['account_not_found', { account_id: randomUUID() }],
    ['beneficiary_invalid', { beneficiary_id: randomUUID() }],
    ['parent_invalid', { parent_transaction_id: randomUUID() }],
    ['currency_mismatch', { debit_currency: 'USD' }],
    ['amount_mismatch', { credit_amount: '2.00' }],
  ]
  const answers = await together(60, (n) => {
    const changes = n % 10 === 5 ? bad[Math.floor(n / 10) % bad.length]?.[1] : {}
    return venture.post('/transfers', { unique_reference: randomUUID(), ...good, ...changes })
  })
  const counts = Object.fromEntries(bad.map(([code]) => [code, 1]))
  assert.deepEqual(tally(answers), { 201: 54, ...counts, account_not_found: 2 })
  const made = answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))
  // There are funds for twenty transfers, and one id does not exist.
  const moves = await Promise.all([...made, randomUUID()].map((id) => venture.put(`/transfers/${id}`, { status: 'RESERVED' })))
  assert.deepEqual(tally(moves), { 200: 20, insufficient_funds: 34, transfer_not_found: 1 })
  assert.deepEqual(await venture.balances(account), ['20.00', '20.00', '0.00'])
})

test('concurrent transfers on two instances cannot exceed a limit, and a restored limit can be used again', async () => {
  const [here, there] = await openVenture()
  const account = await here.openAccount({ daily_limit: '10.00' })
  const beneficiary = await here.addBeneficiary(account.client_id)
  const order = () => ({
    unique_reference: randomUUID(),
    account_id: account.id,
    beneficiary_id: beneficiary.id,
    debit_amount: '1.00',
  })
  const answers = await together(40, (n) => (n % 2 === 0 ? here : there).post('/transfers', order()))
  assert.deepEqual(tally(answers), { 201: 10, limit_exceeded: 30 })
  const made = answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))
  await Promise.all(made.slice(0, 4).map((id, n) => walk(n % 2 === 0 ? here : there, { id }, 'CANCELLED')))
  const again = await together(12, (n) => (n % 2 === 0 ? here : there).post('/transfers', order()))
  assert.deepEqual(tally(again), { 201: 4, limit_exceeded: 8 })
})

test('closing an account while transfers are created: the responses match what happened', async () => {
  const [here, there] = await openVenture()
  for (let round = 0; round < 6; round++) {
    const account = await here.openAccount()
    const beneficiary = await here.addBeneficiary(account.client_id)
    const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' }
    const creating = together(12, (n) => (n % 2 === 0 ? here : there).post('/transfers', { unique_reference: randomUUID(), ...order }))
    const closing = together(2, (n) => (n === 0 ? there : here).post(`/accounts/${account.id}/close`))
    const [created, closed] = [await creating, await closing]
    assert.deepEqual(tally(closed), { 200: 1, account_transition_not_allowed: 1 })
    const { 201: made = 0, account_not_active: refused = 0 } = tally(created)
    assert.equal(made + refused, 12, JSON.stringify(tally(created)))
    assert.equal(await countTransfers(account), made)
    const late = await there.post('/transfers', { unique_reference: randomUUID(), ...order })
    assert.equal(late.problem.code, 'account_not_active')
  }
})

test('closing an account while it is credited: exactly one succeeds', async () => {
  const [here, there] = await openVenture()
  for (let round = 0; round < 10; round++) {
    const account = await here.openAccount()
    // A collecting transfer has no money in suspense, so nothing prevents closing until the account is credited.
    const order = { account_id: account.id, direction: 'INBOUND', method: 'SDD', credit_amount: '5.00' }
    const transfer = await here.createTransfer(order)
    await walk(here, transfer, `${screening} READY_TO_CLEAR SENT_TO_CLEAR`)
    const close = () => there.post(`/accounts/${account.id}/close`)
    const complete = () => here.put(`/transfers/${transfer.id}`, { status: 'COMPLETED' })
    const started = round % 2 === 0 ? close() : undefined
    const [completed, closed] = await Promise.all([complete(), started ?? close()])
    const outcome = `${closed.problem?.code ?? 'closed'}, ${completed.problem?.code ?? 'credited'}`
    assert.ok(['closed, account_closed', 'account_not_empty, credited'].includes(outcome), outcome)
  }
})

test('closing an account while money is received for it, on two instances: exactly one succeeds', async () => {
  const [here, there] = await openVenture()
  for (let round = 0; round < 10; round++) {
    const account = await here.openAccount()
    const transfer = await here.createTransfer({ account_id: account.id, direction: 'INBOUND', credit_amount: '5.00' })
    const close = () => there.post(`/accounts/${account.id}/close`)
    const started = round % 2 === 0 ? close() : undefined
    const [received, closed] = await Promise.all([here.put(`/transfers/${transfer.id}`, { status: 'RECEIVED' }), started ?? close()])
    const outcome = `${closed.problem?.code ?? 'closed'}, ${received.problem?.code ?? 'received'}`
    assert.ok(['closed, account_closed', 'account_not_empty, received'].includes(outcome), outcome)
  }
})

test('closing an account while the last of its frozen money leaves: nothing stays in suspense', async () => {
  const [here, there] = await openVenture()
  for (let round = 0; round < 6; round++) {
    const account = await here.openAccount()
    const beneficiary = await here.addBeneficiary(account.client_id)
    const frozen = await here.createTransfer({ account_id: account.id, direction: 'INBOUND', credit_amount: '5.00' })
    await walk(here, frozen, 'RECEIVED READY_FOR_SCREENING AML_SCANNING AML_REJECTED')
    const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '5.00' }
    const child = await here.createTransfer({ ...order, transfer_type: 'ADJUSTMENT', parent_transaction_id: frozen.id })
    await walk(here, child, 'RESERVED')
    const close = () => there.post(`/accounts/${account.id}/close`)
    const started = round % 2 === 0 ? close() : undefined
    const [freed, closed] = await Promise.all([here.put(`/transfers/${child.id}`, { status: 'COMPLETED' }), started ?? close()])
    assert.equal(freed.status, 200, freed.text)
    assert.ok([undefined, 'account_not_empty'].includes(closed.problem?.code), closed.text)
    if (closed.status !== 200) assert.equal((await close()).status, 200)
  }
})

test('closing the receiver while an internal transfer completes: exactly one succeeds', async () => {
  const [here, there] = await openVenture()
  const from = await here.openAccount({ balance: '50.00' })
  for (let round = 0; round < 6; round++) {
    const to = await here.openAccount()
    const beneficiary = await here.addBeneficiary(from.client_id, { iban: to.account_number })
    const transfer = await here.createTransfer({ account_id: from.id, beneficiary_id: beneficiary.id, debit_amount: '5.00' })
    await walk(here, transfer, `RESERVED ${screening}`)
    const [completed, closed] = await Promise.all([
      here.put(`/transfers/${transfer.id}`, { status: 'COMPLETED' }),
      there.post(`/accounts/${to.id}/close`),
    ])
    const outcome = `${closed.problem?.code ?? 'closed'}, ${completed.problem?.code ?? 'credited'}`
    assert.ok(['closed, account_closed', 'account_not_empty, credited'].includes(outcome), outcome)
  }
})

test('freezing an account while transfers are created: none is created after the freeze', async () => {
  const [here, there] = await openVenture()
  for (let round = 0; round < 6; round++) {
    const account = await here.openAccount()
    const order = { account_id: account.id, direction: 'INBOUND', credit_amount: '1.00' }
    const create = (caller: VentureCaller) => caller.post('/transfers', { unique_reference: randomUUID(), ...order })
    const before = together(6, (n) => create(n % 2 === 0 ? here : there))
    const frozen = await there.post(`/accounts/${account.id}/freeze`)
    assert.equal(frozen.status, 200)
    const after = await together(6, (n) => create(n % 2 === 0 ? here : there))
    assert.deepEqual(tally(after), { account_not_active: 6 })
    const { 201: made = 0, account_not_active: refused = 0 } = tally(await before)
    assert.equal(made + refused, 6)
    assert.equal(await countTransfers(account), made)
  }
})

test('blocking a client while transfers are created: none is created after the block', async () => {
  const [here, there] = await openVenture()
  for (let round = 0; round < 6; round++) {
    const account = await here.openAccount()
    const beneficiary = await here.addBeneficiary(account.client_id)
    const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' }
    const create = (caller: VentureCaller) => caller.post('/transfers', { unique_reference: randomUUID(), ...order })
    const before = together(6, (n) => create(n % 2 === 0 ? here : there))
    const blocked = await there.put(`/clients/${account.client_id}`, { blocked: true })
    assert.equal(blocked.status, 200)
    const after = await together(6, (n) => create(n % 2 === 0 ? here : there))
    assert.deepEqual(tally(after), { client_blocked: 6 })
    const { 201: made = 0, client_blocked: refused = 0 } = tally(await before)
    assert.equal(made + refused, 6)
    assert.equal(await countTransfers(account), made)
  }
})

test('the same move requested many times on two instances is made once', async () => {
  const [here, there] = await openVenture()
  const account = await here.openAccount({ balance: '10.00' })
  const beneficiary = await here.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '4.00' }
  const transfer = await here.createTransfer(order)
  const move = (status: string) => together(12, (n) => (n % 2 === 0 ? here : there).put(`/transfers/${transfer.id}`, { status }))
  assert.deepEqual(tally(await move('RESERVED')), { 200: 1, transfer_transition_not_allowed: 11 })
  assert.deepEqual(await here.balances(account), ['10.00', '4.00', '6.00'])
  await walk(here, transfer, `${screening} READY_TO_CLEAR SENT_TO_CLEAR`)
  assert.deepEqual(tally(await move('COMPLETED')), { 200: 1, transfer_terminal: 11 })
  assert.deepEqual(await here.balances(account), ['6.00', '0.00', '6.00'])
  const { body: history } = await here.get(`/transfers/${transfer.id}/history`)
  assert.equal(history.length, 8)
})

test('concurrent returns on two instances cannot exceed their parent in total', async () => {
  const [here, there] = await openVenture()
  const account = await here.openAccount({ balance: '10.00' })
  const beneficiary = await here.addBeneficiary(account.client_id)
  const sent = await here.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '10.00' })
  await walk(here, sent, `RESERVED ${screening} READY_TO_CLEAR SENT_TO_CLEAR COMPLETED`)
  const order = { account_id: account.id, direction: 'INBOUND', transfer_type: 'PAYMENT_RETURN', parent_transaction_id: sent.id }
  const answers = await together(20, (n) =>
    (n % 2 === 0 ? here : there).post('/transfers', { unique_reference: randomUUID(), ...order, credit_amount: '3.00' }),
  )
  assert.deepEqual(tally(answers), { 201: 3, parent_invalid: 17 })
})

test('concurrent clearings of one authorisation use its hold once', async () => {
  const [here, there] = await openVenture()
  const account = await here.openAccount({ balance: '10.00' })
  const beneficiary = await here.addBeneficiary(account.client_id)
  const order = { account_id: account.id, beneficiary_id: beneficiary.id }
  const auth = await here.createTransfer({ ...order, transfer_type: 'CARD_AUTH', debit_amount: '10.00' })
  await walk(here, auth, 'RESERVED')
  const clearing = { ...order, transfer_type: 'CARD_CLEARING', parent_transaction_id: auth.id, debit_amount: '2.50' }
  const clearings = await together(8, (n) => (n % 2 === 0 ? here : there).createTransfer(clearing))
  const answers = await Promise.all(
    clearings.map(({ id }, n) => (n % 2 === 0 ? there : here).put(`/transfers/${id}`, { status: 'RESERVED' })),
  )
  assert.deepEqual(tally(answers), { 200: 4, insufficient_funds: 4 })
  assert.equal((await here.get(`/transfers/${auth.id}`)).body.status, 'COMPLETED')
  assert.deepEqual(await here.balances(account), ['10.00', '10.00', '0.00'])
})

/** Changes a row in a separate transaction that commits only when `act` waits for it or has finished without waiting. */
async function duringChange(change: string, id: string, act: () => Promise<Answer>): Promise<Answer> {
  await bank.owner.query('begin')
  await bank.owner.query(change, [id])
  const acting = act()
  await untilBlocked(bank.owner, acting)
  await bank.owner.query('commit')
  return acting
}

test('a command waits for a concurrent block, freeze, close or limit change, and then sees it', async () => {
  const [venture] = await openVenture()
  const account = await venture.openAccount({ balance: '50.00' })
  const [blocked, frozen, limited, receiver, closed] = await together(5, () => venture.openAccount())
  const orderOf = async ({ id, client_id }: { id: string; client_id: string }, to?: string) => ({
    unique_reference: randomUUID(),
    account_id: id,
    beneficiary_id: (await venture.addBeneficiary(client_id, to === undefined ? undefined : { iban: to })).id,
    debit_amount: '1.00',
  })
  const credit = await venture.createTransfer({ account_id: closed.id, direction: 'INBOUND', method: 'SDD', credit_amount: '1.00' })
  await walk(venture, credit, `${screening} READY_TO_CLEAR SENT_TO_CLEAR`)
  const complete = () => venture.put(`/transfers/${credit.id}`, { status: 'COMPLETED' })
  const create = async (order: Promise<object>) => {
    const body = await order
    return () => venture.post('/transfers', body)
  }
  const changes: [change: string, id: string, act: () => Promise<Answer>, code: string][] = [
    ['update clients set blocked = true where id = $1', blocked.client_id, await create(orderOf(blocked)), 'client_blocked'],
    ["update accounts set status = 'SUSPENDED' where id = $1", frozen.id, await create(orderOf(frozen)), 'account_not_active'],
    ['update accounts set daily_limit = 0 where id = $1', limited.id, await create(orderOf(limited)), 'limit_exceeded'],
    [
      "update accounts set status = 'SUSPENDED' where id = $1",
      receiver.id,
      await create(orderOf(account, receiver.account_number)),
      'receiver_not_active',
    ],
    ["update accounts set status = 'CLOSED', closed_date = now() where id = $1", closed.id, complete, 'account_closed'],
  ]
  for (const [change, id, act, code] of changes) {
    const { problem, text } = await duringChange(change, id, act)
    assert.equal(problem?.code, code, `${change}: ${text}`)
  }
})

/**
 * Delays the COMMIT of an order or a move with this purpose until the owner's transaction ends, and then fails it if `fails`. `atOnce`:
 * delays the statement that writes it instead.
 */
async function holdCommits(purpose: string, act: () => Promise<void>, { fails = false, atOnce = false } = {}): Promise<void> {
  await bank.owner.query(`
    create function hold_commit() returns trigger language plpgsql set lock_timeout = 0
      as $$ begin perform pg_advisory_xact_lock(4711); ${fails ? "raise exception 'refused'" : 'return null'}; end $$;
    create constraint trigger hold_commit after insert or update on transfers deferrable initially ${atOnce ? 'immediate' : 'deferred'}
      for each row when (new.purpose = '${purpose}') execute function hold_commit()`)
  await bank.owner.query('begin')
  try {
    await bank.owner.query('select pg_advisory_xact_lock(4711)')
    await act()
  } finally {
    await bank.owner.query('rollback')
    await bank.owner.query('drop trigger hold_commit on transfers; drop function hold_commit')
  }
}

/** Two accounts, the first with a daily limit, and a function that orders 80.00 from one of them. */
async function openPayers() {
  const venture = await bank.registerVenture()
  const [limited, other] = [await venture.openAccount({ daily_limit: '100.00' }), await venture.openAccount()]
  const payees = new Map<string, string>()
  for (const { id, client_id } of [limited, other]) payees.set(id, (await venture.addBeneficiary(client_id)).id)
  const order = ({ id: account_id }: { id: string }, purpose = 'fine') => {
    return { account_id, beneficiary_id: payees.get(account_id), purpose, unique_reference: randomUUID(), debit_amount: '80.00' }
  }
  const pay = (account: { id: string }, purpose?: string) => venture.post('/transfers', order(account, purpose))
  return { venture, venture_id: venture.venture.id, limited, other, order, pay }
}

const takesTurns = wantsCluster() && 'On a cluster no batch begins before the last one has ended.'

test('a batch begins while the last one is committed, waits for it in the database, and then sees what it has written', {
  skip: takesTurns,
}, async () => {
  const { limited, other, pay } = await openPayers()
  let answers: Promise<Answer>[] = []
  await holdCommits('held', async () => {
    answers = [pay(limited, 'held')]
    assert.ok(await untilBlocked(bank.owner, answers[0]))
    answers.push(pay(limited), pay(other))
    assert.ok(await untilBlocked(bank.owner, Promise.all(answers), { behind: true }), 'the next batch has begun')
    // It waits for its turn. Had it waited for the account, it would already have run once without the orders of that account.
    const waiting = await bank.owner.query<{ locktype: string }>(
      'select locktype from pg_locks where not granted and database = (select oid from pg_database where datname = current_database())',
    )
    assert.deepEqual(waiting.rows, [{ locktype: 'advisory' }, { locktype: 'advisory' }])
  })
  const [held, next] = await Promise.all(answers)
  assert.deepEqual(tally(await Promise.all(answers)), { 201: 2, limit_exceeded: 1 })
  assert.deepEqual([held?.status, next?.problem?.code], [201, 'limit_exceeded'])
})

/** The same with an instance that times out quickly. */
async function openImpatientPayers() {
  const { venture_id, limited, other, order } = await openPayers()
  const impatient = new Database({ url: urlOf(findTestServer().serviceUrl, bank.owner.database ?? ''), wait_ms: 10_000 })
  const transfers = openTransfers(impatient, bank.config.bank, openFirstCase)
  const pay = (account: { id: string }, purpose?: string) =>
    createTransfer(transfers, { venture_id, actor: theService, order: order(account, purpose) as TransferOrder })
  return { limited, other, pay, close: () => impatient.close() }
}

test('nobody waits for a batch that the service has given up', { skip: takesTurns }, async () => {
  const { limited, other, pay, close } = await openImpatientPayers()
  await holdCommits('held', async () => {
    const held = pay(limited, 'held').catch((error: unknown) => error)
    assert.ok(await untilBlocked(bank.owner, held))
    await held
    const next = pay(other)
    assert.equal(await untilBlocked(bank.owner, next, { behind: true }), false)
    assert.equal((await next).account_id, other.id)
  })
  await close()
})

test('a COMMIT that takes longer than a lock may take holds up one batch for that time, and none after it', {
  skip: takesTurns,
}, async () => {
  const { limited, other, pay, close } = await openImpatientPayers()
  let held: Promise<unknown> | undefined
  await holdCommits('held', async () => {
    held = pay(limited, 'held').catch((error: unknown) => error)
    assert.ok(await untilBlocked(bank.owner, held))
    const behind = pay(other)
    assert.ok(await untilBlocked(bank.owner, behind, { behind: true }))
    assert.equal(await behind.then(({ account_id }) => account_id, String), other.id)
    const after = pay(other)
    assert.equal(await untilBlocked(bank.owner, after, { behind: true }), false)
    assert.equal((await after).account_id, other.id)
  })
  // It was committed after all, or the database or the service had given up.
  const end = await held
  assert.ok(!(end instanceof Error) || (end instanceof Refusal && /^(outcome_unknown|unavailable)$/.test(end.code)), String(end))
  await close()
})

test('a batch claims its references before its turn, and locks nothing', { skip: takesTurns }, async () => {
  const { venture_id, limited, order } = await openPayers()
  const command = {
    kind: 'create',
    venture_id,
    id: uuidv7(),
    actor: theService,
    order: order(limited) as TransferOrder,
    now: now(),
  } as const
  const run = { commands: [command], continueNew: undefined, turn: { key: randomUUID(), after: 'nobody', isReached: false } }
  await bank.owner.query('begin')
  await bank.owner.query(`select pg_advisory_xact_lock(hashtextextended('nobody', 0))`)
  const running = bank.database.transaction((tx) => runBatch(tx, bank.config.bank, run, false))
  assert.ok(await untilBlocked(bank.owner, running))
  await lockRow(bank.owner, 'accounts', limited.id, 'no key update nowait')
  await bank.owner.query('rollback')
  const [created] = (await running).results
  assert.equal((created as { id: string }).id, command.id)
})

/** The same, with both accounts in the snapshot because each was in a batch. The limit is unused. */
async function openKnownPayers() {
  const payers = await openPayers()
  const { limited, other, order } = payers
  for (const account of [limited, other]) {
    const refused = await payers.venture.post('/transfers', { ...order(account), debit_currency: 'USD' })
    assert.equal(refused.problem.code, 'currency_mismatch')
  }
  return payers
}

const usedToday = async ({ id }: { id: string }) => {
  const { rows } = await bank.owner.query('select used_day::int from accounts where id = $1', [id])
  return rows[0].used_day
}

/** Whether a transaction that waits behind a waiting one has written transfers. */
const writtenBehind = `
  select from pg_locks as written where mode = 'RowExclusiveLock' and granted and relation = 'transfers'::regclass and pid in (
    select pid from pg_locks where not granted and exists (
      select from unnest(pg_blocking_pids(pid)) as first where pg_backend_pid() = any(pg_blocking_pids(first))))`

test('a batch is written while the last one is committed, and is decided over what that one leaves', { skip: takesTurns }, async () => {
  const { limited, other, pay } = await openKnownPayers()
  let answers: Promise<Answer>[] = []
  await holdCommits('held', async () => {
    answers = [pay(limited, 'held')]
    assert.ok(await untilBlocked(bank.owner, answers[0]))
    answers.push(pay(limited), pay(other))
    assert.ok(await untilBlocked(bank.owner, Promise.all(answers), { behind: true }))
    assert.equal((await bank.owner.query(writtenBehind)).rowCount, 1)
  })
  const said = (await Promise.all(answers)).map(({ status, problem }) => problem?.code ?? status)
  assert.deepEqual(said, [201, 'limit_exceeded', 201])
  assert.equal(await usedToday(limited), 80)
})

test('a batch that was decided over one which is not committed after all is decided anew', { skip: takesTurns }, async () => {
  const { venture, limited, order, pay } = await openKnownPayers()
  const during = async (first: () => Promise<Answer>) => {
    let answers: Promise<Answer>[] = []
    await holdCommits(
      'held',
      async () => {
        answers = [first()]
        assert.ok(await untilBlocked(bank.owner, answers[0]))
        answers.push(pay(limited))
        assert.ok(await untilBlocked(bank.owner, Promise.all(answers), { behind: true }))
      },
      { fails: true },
    )
    return (await Promise.all(answers)).map(({ status, problem }) => (status === 422 ? problem.code : status))
  }
  assert.deepEqual(await during(() => pay(limited, 'held')), [500, 201], 'the limit was not used')
  assert.equal(await usedToday(limited), 80)
  await bank.owner.query('update accounts set daily_limit = 180 where id = $1', [limited.id])
  const made = await venture.createTransfer({ ...order(limited), purpose: 'held' })
  const cancel = () => venture.put(`/transfers/${made.id}`, { status: 'CANCELLED' })
  assert.deepEqual(await during(cancel), [500, 'limit_exceeded'], 'the limit was not given back')
  assert.equal(await usedToday(limited), 160)
})

test('the connection of a batch breaks after the next one was decided over it: one of them is paid, and not both', {
  skip: takesTurns,
}, async () => {
  const { limited, pay } = await openKnownPayers()
  let answers: Promise<Answer>[] = []
  await holdCommits('held', async () => {
    answers = [pay(limited, 'held')]
    assert.ok(await untilBlocked(bank.owner, answers[0]))
    const { rows } = await bank.owner.query('select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))')
    answers.push(pay(limited))
    assert.ok(await untilBlocked(bank.owner, Promise.all(answers), { behind: true }))
    await bank.owner.query('select pg_terminate_backend($1)', [rows[0].pid])
  })
  assert.deepEqual(tally(await Promise.all(answers)), { 201: 1, limit_exceeded: 1 })
  assert.equal(await usedToday(limited), 80)
})

test('a batch does not overtake the last one, which takes longer to be written', { skip: takesTurns }, async () => {
  const { limited, other, pay } = await openKnownPayers()
  let answers: Promise<Answer>[] = []
  const act = async () => {
    answers = [pay(limited, 'held')]
    assert.ok(await untilBlocked(bank.owner, answers[0]))
    answers.push(pay(other))
    assert.ok(await untilBlocked(bank.owner, answers[1], { behind: true }))
  }
  await holdCommits('held', act, { atOnce: true })
  assert.deepEqual(tally(await Promise.all(answers)), { 201: 2 })
})

test('many overlapping batches over few accounts count each payment once, and no limit is exceeded', async () => {
  const venture = await bank.registerVenture()
  const payers = await together(4, async (n) => {
    const account = await venture.openAccount(n === 0 ? { daily_limit: '100.00' } : {})
    const { id } = await venture.addBeneficiary(account.client_id)
    return { account, beneficiary_id: id }
  })
  const answers = await together(8, async (lane) => {
    const own: Answer[] = []
    for (let round = 0; round < 60; round++) {
      const { account, beneficiary_id } = payers[(lane + round) % 4] as (typeof payers)[number]
      const changes = round % 9 === 4 ? { debit_currency: 'USD' } : {}
      const order = { account_id: account.id, beneficiary_id, debit_amount: '1.00', unique_reference: randomUUID(), ...changes }
      own.push(await venture.post('/transfers', order))
    }
    return own
  })
  const counts = tally(answers.flat())
  const counted = await Promise.all(payers.map(({ account }) => Promise.all([usedToday(account), countTransfers(account)])))
  for (const [used, made] of counted) assert.equal(used, made)
  assert.equal(counted[0]?.[0], 100)
  assert.equal(
    counted.reduce((sum, [used]) => sum + used, 0),
    counts['201'],
  )
  assert.deepEqual(Object.keys(counts).toSorted(), ['201', 'currency_mismatch', 'limit_exceeded'])
})

test('an error in a command that had to wait affects that command only', async () => {
  const venture = await bank.registerVenture()
  const [free, held] = [await venture.openAccount(), await venture.openAccount()]
  const [toPay, alsoToPay] = [await venture.addBeneficiary(free.client_id), await venture.addBeneficiary(held.client_id)]
  await bank.owner.query(`alter table transfers add constraint no_canaries check (purpose <> 'canary')`)
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'accounts', held.id, 'no key update')
  const create = (account_id: string, beneficiary_id: string, purpose: string) =>
    venture.post('/transfers', { account_id, beneficiary_id, purpose, unique_reference: randomUUID(), debit_amount: '1.00' })
  const answers = Promise.all([
    ...Array.from({ length: 6 }, () => create(free.id, toPay.id, 'fine')),
    create(held.id, alsoToPay.id, 'canary'),
    ...Array.from({ length: 3 }, () => create(held.id, alsoToPay.id, 'fine')),
  ])
  await untilBlocked(bank.owner, answers)
  await bank.owner.query('rollback')
  const statuses = (await answers).map(({ status }) => status)
  await bank.owner.query('alter table transfers drop constraint no_canaries')
  assert.deepEqual(statuses, [...Array(6).fill(201), 500, ...Array(3).fill(201)])
  assert.equal((await venture.get('/transfers')).body.length, 9)
})

test('completing an internal transfer waits for a concurrent change of its receiver, and then sees it', async () => {
  const [venture] = await openVenture()
  const [from, to] = [await venture.openAccount({ balance: '50.00' }), await venture.openAccount()]
  const beneficiary = await venture.addBeneficiary(from.client_id, { iban: to.account_number })
  const transfer = await venture.createTransfer({ account_id: from.id, beneficiary_id: beneficiary.id, debit_amount: '5.00' })
  await walk(venture, transfer, `RESERVED ${screening}`)
  const close = "update accounts set status = 'CLOSED', closed_date = now() where id = $1"
  const { problem, text } = await duringChange(close, to.id, () => venture.put(`/transfers/${transfer.id}`, { status: 'COMPLETED' }))
  assert.equal(problem?.code, 'account_closed', text)
  assert.deepEqual(await venture.balances(from), ['50.00', '5.00', '45.00'])
})

test('a move waits for a concurrent block of the client who pays or is paid, and then sees it', async () => {
  const [venture] = await openVenture()
  const [from, to] = [await venture.openAccount({ balance: '50.00' }), await venture.openAccount()]
  const [inside, outside] = [
    await venture.addBeneficiary(from.client_id, { iban: to.account_number }),
    await venture.addBeneficiary(from.client_id),
  ]
  const create = (beneficiary_id: string) => venture.createTransfer({ account_id: from.id, beneficiary_id, debit_amount: '5.00' })
  const [internal, sent, packed] = [await create(inside.id), await create(outside.id), await create(outside.id)]
  await walk(venture, internal, `RESERVED ${screening}`)
  await walk(venture, packed, `RESERVED ${screening} READY_TO_CLEAR`)
  const block = 'update clients set is_blacklisted = true where id = $1'
  const moves: [client: string, transfer: { id: string }, status: string][] = [
    [to.client_id, internal, 'COMPLETED'],
    [from.client_id, sent, 'RESERVED'],
    [from.client_id, packed, 'SENT_TO_PACK'],
  ]
  for (const [client_id, { id }, status] of moves) {
    const { problem, text } = await duringChange(block, client_id, () => venture.put(`/transfers/${id}`, { status }))
    assert.equal(problem?.code, 'client_blocked', text)
    await bank.owner.query('update clients set is_blacklisted = false where id = $1', [client_id])
  }
  assert.deepEqual(await venture.balances(from), ['50.00', '10.00', '40.00'])
})

test('commands in one batch cannot see the data of other ventures', async () => {
  const [[here], [other]] = [await openVenture(), await openVenture()]
  const open = async (venture: VentureCaller) => {
    const account = await venture.openAccount({ balance: '10.00' })
    const beneficiary = await venture.addBeneficiary(account.client_id)
    const order = { account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' }
    return { order, transfer: await venture.createTransfer(order) }
  }
  const [mine, theirs] = [await open(here), await open(other)]
  const { account_id, beneficiary_id } = mine.order
  const post = (venture: VentureCaller, order: object) => venture.post('/transfers', { unique_reference: randomUUID(), ...order })
  // Sent at the same time, so one batch contains rows of both ventures.
  const answers = await Promise.all([
    post(here, { ...mine.order, parent_transaction_id: mine.transfer.id }),
    here.put(`/transfers/${mine.transfer.id}`, { status_reason: 'Ours' }),
    post(other, { ...theirs.order, account_id }),
    post(other, { ...theirs.order, beneficiary_id }),
    post(other, { ...theirs.order, parent_transaction_id: mine.transfer.id }),
    other.put(`/transfers/${mine.transfer.id}`, { status: 'CANCELLED' }),
  ])
  assert.deepEqual(
    answers.map(({ status, problem }) => problem?.code ?? status),
    [201, 200, 'account_not_found', 'beneficiary_invalid', 'parent_invalid', 'transfer_not_found'],
  )
  assert.equal((await here.get(`/transfers/${mine.transfer.id}`)).body.status, 'CREATED')
})
