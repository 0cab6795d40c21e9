// Payments that processing has stopped, and who decides about them: one person freezes or keeps, two people release.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCase } from '../cases/cases.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank } from '../testing/testing.ts'
import { checkInvariants } from '../verify/verify.ts'
import type { ScreeningOutcome } from './processing.planner.ts'

/** The screening outcome by the name of a party. Viktor stands for our client, Boris for the other party. */
const listed = new Map<string, ScreeningOutcome>([
  ['Viktor Hit', 'HIT'],
  ['Viktor Block', 'BLOCK'],
  ['Boris Hit', 'HIT'],
  ['Boris Block', 'BLOCK'],
])

const bank = await openBank(
  { fourEyes: true },
  {
    screener: {
      screen: async (payments) =>
        payments.map(({ transfer: { cr_name, dr_name } }) => ({
          outcome: listed.get(cr_name ?? '') ?? listed.get(dr_name ?? '') ?? 'CLEAR',
          hits_client: [cr_name, dr_name].some((name) => name?.startsWith('Viktor')),
          companions: [],
        })),
    },
  },
)
const venture = await ManagedVenture.open(bank)
const venture_id = venture.venture.id
const [ann, bob] = [await openBanker(bank, 'admin'), await openBanker(bank, 'operator')]
/** Changes the policy without four-eyes approval. */
const alone = new Caller(await bank.openInstance({ fourEyes: false }), bank.admin.headers)

type Payer = { account: Loose; pay(name: string, changes?: object): Promise<Loose> }

async function openPayer(): Promise<Payer> {
  const account = await venture.openAccount({ balance: '1000.00' })
  const pay = async (name: string, changes: object = {}) => {
    const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { name, iban: 'DE89370400440532013000' })
    return venture.createTransfer({ account_id: account.id, beneficiary_id, debit_amount: '10.00', ...changes })
  }
  return { account, pay }
}

const statusOf = async ({ id }: { id: string }): Promise<string> => (await venture.get(`/transfers/${id}`)).body.status

const statuses = (transfers: readonly { id: string }[]) => Promise.all(transfers.map(statusOf))

async function caseOf({ id }: { id: string }): Promise<Loose> {
  const { body } = await ann.get(`/operator/cases?resource_id=${id}&state=OPEN`)
  assert.equal(body.length, 1)
  return (await ann.get(`/operator/cases/${body[0].id}`)).body
}

const decide = (by: Caller, { id }: Loose, decision: string): Promise<Answer> => by.post(`/operator/cases/${id}/decisions`, { decision })

/** Two people decide. */
async function decideTogether(of: Loose, decision: string): Promise<Loose> {
  const asked = await decide(ann, of, decision)
  assert.equal(asked.status, 202, asked.text)
  const approved = await bob.post(`/operator/approvals/${asked.body.id}/approve`)
  assert.equal(approved.body?.state, 'APPROVED', approved.text)
  return approved.body
}

/** A payment that arrives from a named payer. */
async function receive(account: Loose, dr_name: string): Promise<Loose> {
  const order = {
    account_id: account.id,
    direction: 'INBOUND' as const,
    credit_amount: '30.00',
    dr_iban: 'DE89370400440532013000',
    dr_name,
  }
  return venture.process(await venture.order(order), 'RECEIVED')
}

test('one person freezes a hit: it is frozen at once, and every other unsent payment of the client is held', async () => {
  const { account, pay } = await openPayer()
  const other = await venture.openAccount({ balance: '50.00', client_id: account.client_id })
  const waiting = await pay('Charles Babbage', { settlement_date: '2099-01-01' })
  const elsewhere = await venture.createTransfer({
    account_id: other.id,
    beneficiary_id: waiting.beneficiary_id,
    debit_amount: '5.00',
    settlement_date: '2099-01-01',
  })
  const sent = await pay('Charles Babbage')
  await bank.runProcessing()
  assert.equal(await statusOf(sent), 'COMPLETED')
  const [hit, second] = [await pay('Viktor Hit'), await pay('Viktor Block')]
  await bank.runProcessing()
  assert.deepEqual(await statuses([hit, second, waiting, elsewhere]), ['REVIEW', 'REVIEW', 'CREATED', 'CREATED'])

  const of = await caseOf(hit)
  assert.deepEqual(
    [of.kind, of.severity, of.allowed_decisions, of.payload.outcome],
    ['hit', 'NORMAL', ['clear', 'decline', 'keep', 'freeze'], 'HIT'],
  )
  const answer = await decide(ann, of, 'freeze')
  assert.deepEqual([answer.status, answer.body.state, answer.body.decided_by], [200, 'DECIDED', ann.id], answer.text)
  assert.equal(await statusOf(hit), 'ON_HOLD')
  assert.deepEqual([(await venture.get(`/accounts/${account.id}`)).body.status], ['SUSPENDED'])
  assert.equal((await venture.get(`/clients/${account.client_id}`)).body.is_blacklisted, true)
  const refused = await venture.post('/transfers', {
    account_id: other.id,
    beneficiary_id: waiting.beneficiary_id,
    debit_amount: '1.00',
    unique_reference: `after ${hit.id}`,
  })
  assert.equal(refused.problem?.code, 'client_blocked')
  await bank.runProcessing()
  assert.deepEqual(await statuses([waiting, elsewhere]), ['CREATED', 'CREATED'], 'nothing goes on before it is held')
  await bank.runJobs()
  assert.deepEqual(await statuses([hit, second, waiting, elsewhere]), ['ON_HOLD', 'ON_HOLD', 'ON_HOLD', 'ON_HOLD'])
  for (const transfer of [hit, second, waiting]) {
    const { problem } = await venture.put(`/transfers/${transfer.id}`, { status: 'CANCELLED' })
    assert.equal(problem?.code, 'reserved_to_bank')
  }
  // The money of the frozen payments is still on hold.
  assert.deepEqual(await venture.balances(account), ['990.00', '20.00', '970.00'])

  // The other hit can still be decided from its hold.
  const urgent = await caseOf(second)
  assert.deepEqual([urgent.severity, urgent.payload.proposes], ['URGENT', 'freeze'])
  assert.ok(urgent.due_at < of.due_at, 'an urgent case is due earlier')
  assert.equal((await decide(bob, urgent, 'freeze')).status, 200)
  assert.equal(await statusOf(second), 'ON_HOLD')
})

test('a hit about the other party keeps this payment alone: nobody can freeze a client who was not hit', async () => {
  const { account, pay } = await openPayer()
  const [arrived, sent] = [await receive(account, 'Boris Block'), await pay('Boris Hit')]
  await bank.runProcessing()
  assert.deepEqual(await statuses([arrived, sent]), ['REVIEW', 'REVIEW'])
  const [urgent, normal] = [await caseOf(arrived), await caseOf(sent)]
  assert.deepEqual([urgent.severity, urgent.payload.proposes, urgent.payload.hits_client], ['URGENT', 'keep', false])
  assert.deepEqual([normal.severity, normal.payload.proposes], ['NORMAL', null])
  for (const one of [urgent, normal]) {
    assert.deepEqual(one.allowed_decisions, ['clear', 'decline', 'keep'])
    const { status, problem } = await decide(ann, one, 'freeze')
    assert.deepEqual([status, problem?.code], [422, 'decision_not_offered'])
  }
  // One person is enough: it protects.
  for (const one of [urgent, normal]) assert.equal((await decide(ann, one, 'keep')).status, 200)
  assert.deepEqual(await statuses([arrived, sent]), ['AML_REJECTED', 'ON_HOLD'])
  const { rows } = await bank.owner.query('select suspended::text from transfers where id = $1', [arrived.id])
  assert.equal(rows[0].suspended, '30.0000')
  assert.equal((await venture.get(`/accounts/${account.id}`)).body.status, 'ACTIVE')
  assert.equal((await venture.get(`/clients/${account.client_id}`)).body.is_blacklisted, false)
  const other = await pay('Charles Babbage')
  await bank.runProcessing()
  await bank.runJobs()
  assert.deepEqual(await statuses([other, sent]), ['COMPLETED', 'ON_HOLD'], 'the client goes on paying, and the kept payment stays')
  assert.equal((await venture.put(`/transfers/${sent.id}`, { status: 'CANCELLED' })).problem?.code, 'reserved_to_bank')
  await bank.runProcessing()
  assert.deepEqual(await venture.balances(account), ['990.00', '10.00', '980.00'])
})

test('one person clears a hit: it waits, and the second person sends it; one person alone is refused', async () => {
  const { account, pay } = await openPayer()
  const hit = await pay('Viktor Hit')
  await bank.runProcessing()
  const of = await caseOf(hit)
  const asked = await decide(ann, of, 'clear')
  assert.deepEqual([asked.status, asked.body.action, asked.body.state, asked.body.resource_id], [202, 'decide-case', 'PENDING', hit.id])
  await bank.runProcessing()
  assert.equal(await statusOf(hit), 'REVIEW')
  assert.equal((await caseOf(hit)).state, 'OPEN')
  const alone = await ann.post(`/operator/approvals/${asked.body.id}/approve`)
  assert.deepEqual([alone.status, alone.problem?.code], [409, 'own_approval'])
  assert.equal((await decide(bank.admin, of, 'clear')).problem?.code, 'person_needed')
  assert.equal(await statusOf(hit), 'REVIEW')
  const approved = await bob.post(`/operator/approvals/${asked.body.id}/approve`)
  assert.deepEqual([approved.body.state, approved.body.result.state], ['APPROVED', 'DECIDED'], approved.text)
  assert.equal(await statusOf(hit), 'AML_APPROVED')
  await bank.runProcessing()
  assert.equal(await statusOf(hit), 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['990.00', '0.00', '990.00'])
  const { body: history } = await ann.actingFor(venture_id).get(`/transfers/${hit.id}/history`)
  const decision = history.find(({ to_status }: Loose) => to_status === 'AML_APPROVED')
  assert.deepEqual([decision.from_status, decision.actor, decision.actor_id], ['REVIEW', 'operator', bob.id])
})

test('two people decline a hit: the hold goes back; money that has arrived is returned, credited or kept frozen', async () => {
  const { account, pay } = await openPayer()
  const declined = await pay('Viktor Hit')
  const [returned, cleared, frozen] = [
    await receive(account, 'Viktor Hit'),
    await receive(account, 'Viktor Hit'),
    await receive(account, 'Viktor Block'),
  ]
  await bank.runProcessing()
  assert.deepEqual(await statuses([declined, returned, cleared, frozen]), ['REVIEW', 'REVIEW', 'REVIEW', 'REVIEW'])
  await decideTogether(await caseOf(declined), 'decline')
  assert.equal(await statusOf(declined), 'AML_REJECTED')
  await decideTogether(await caseOf(returned), 'decline')
  const { body: history } = await venture.get(`/transfers/${returned.id}/history`)
  assert.deepEqual(
    history.slice(-2).map(({ to_status }: Loose) => to_status),
    ['TO_RETURN', 'REJECTED'],
  )
  await decideTogether(await caseOf(cleared), 'clear')
  await bank.runProcessing()
  assert.equal(await statusOf(cleared), 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['1030.00', '0.00', '1030.00'])
  assert.equal((await decide(ann, await caseOf(frozen), 'freeze')).status, 200)
  assert.equal(await statusOf(frozen), 'AML_REJECTED')
  assert.equal((await venture.get(`/accounts/${account.id}`)).body.status, 'SUSPENDED')
  const { rows } = await bank.owner.query('select suspended::text from transfers where id = $1', [frozen.id])
  assert.equal(rows[0].suspended, '30.0000')
})

test('a freeze overtakes a request to clear, which then fails', async () => {
  const { pay } = await openPayer()
  const hit = await pay('Viktor Hit')
  await bank.runProcessing()
  const of = await caseOf(hit)
  const asked = await decide(ann, of, 'clear')
  assert.equal((await decide(bob, of, 'freeze')).status, 200)
  const late = await bob.post(`/operator/approvals/${asked.body.id}/approve`)
  assert.deepEqual([late.body.state, await statusOf(hit)], ['FAILED', 'ON_HOLD'])
})

test('two people freeze two payments of a client at the same moment, and nothing of the client slips by', async () => {
  const { account, pay } = await openPayer()
  const second = await venture.openAccount({ balance: '100.00', client_id: account.client_id })
  const friend = await venture.openAccount()
  const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, { name: 'Viktor Hit', iban: friend.account_number })
  const first = await pay('Viktor Block')
  const inside = await venture.createTransfer({ account_id: second.id, beneficiary_id, debit_amount: '1.00' })
  await bank.runProcessing()
  assert.deepEqual(await statuses([first, inside]), ['REVIEW', 'REVIEW'])
  const open = [await caseOf(first), await caseOf(inside)]
  const others = await Promise.all(Array.from({ length: 20 }, () => pay('Charles Babbage')))
  const [answers] = await Promise.all([
    Promise.all([decide(ann, open[0], 'freeze'), decide(bob, open[1], 'freeze')]),
    bank.runProcessing(),
    bank.runProcessing(),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200],
    answers.map(({ text }) => text).join(),
  )
  await bank.runJobs()
  assert.deepEqual(await statuses([first, inside]), ['ON_HOLD', 'ON_HOLD'])
  const { rows } = await bank.owner.query('select distinct frozen_by_bank from accounts where client_id = $1', [account.client_id])
  assert.deepEqual(rows, [{ frozen_by_bank: true }])
  // Payments that were already sent settle; all others are held.
  for (const status of await statuses(others)) assert.ok(['ON_HOLD', 'COMPLETED', 'SENT_TO_CLEAR', 'ACCEPTED'].includes(status), status)
  await bank.runProcessing()
  for (const status of await statuses(others)) assert.ok(['ON_HOLD', 'COMPLETED'].includes(status), status)
})

test('a large amount and a rule are approved or declined by two people, and nobody freezes for them', async () => {
  const { pay } = await openPayer()
  const put = async (changes: object) => assert.equal((await alone.put(`/ventures/${venture_id}/policy`, changes)).status, 200)
  await put({ review_above: '500', rules: [{ kind: 'amount', above: '800' }] })
  const [small, large, huge] = [await pay('A'), await pay('B', { debit_amount: '500.01' }), await pay('C', { debit_amount: '800.01' })]
  await bank.runProcessing()
  // The third has to wait for money, which the account then gets.
  assert.deepEqual(await statuses([small, large, huge]), ['COMPLETED', 'REVIEW', 'TO_RESERVE'])
  await venture.receive((await venture.get(`/accounts/${large.account_id}`)).body, '1000.00')
  await later()
  assert.equal(await statusOf(huge), 'REVIEW')
  const [amount, rule] = [await caseOf(large), await caseOf(huge)]
  assert.deepEqual(
    [amount.kind, amount.payload],
    ['amount', { debit_amount: '500.01', debit_currency: 'EUR', review_above: '500', policy_version: 1 }],
  )
  assert.deepEqual(
    [rule.kind, rule.payload],
    ['rule', { rules: [{ rule: { kind: 'amount', above: '800' }, figures: { amount: '800.0100' } }], policy_version: 1 }],
  )
  for (const one of [amount, rule]) {
    assert.deepEqual(one.allowed_decisions, ['approve', 'decline'])
    const { status, problem } = await decide(ann, one, 'freeze')
    assert.deepEqual([status, problem?.code], [422, 'decision_not_offered'])
  }
  await decideTogether(amount, 'approve')
  await decideTogether(rule, 'decline')
  await bank.runProcessing()
  assert.deepEqual(await statuses([large, huge]), ['COMPLETED', 'AML_REJECTED'])
  await put({ review_above: null, rules: [] })

  /** Waiting transfers are looked at again after a while. */
  async function later(): Promise<void> {
    await bank.owner.query('delete from processing_delays')
    await bank.runProcessing()
  }
})

test('a case is decided once, and its transfer leaves the review in no other way', async () => {
  const { pay } = await openPayer()
  const hit = await pay('Viktor Hit')
  await bank.runProcessing()
  const of = await caseOf(hit)
  const acting = ann.actingFor(venture_id)
  for (const status of ['AML_APPROVED', 'AML_REJECTED', 'CANCELLED', 'MANUAL_ACTION']) {
    const { status: answered, problem } = await acting.put(`/transfers/${hit.id}`, { status })
    assert.deepEqual([answered, problem?.code], [409, 'decided_by_case'], status)
  }
  const { body: moves } = await acting.get(`/transfers/${hit.id}/transitions`)
  for (const { status, blocked_by } of moves) assert.equal(blocked_by, status === 'ON_HOLD' ? null : 'decided_by_case', status)
  // One person may stop it, and it can still be decided afterwards.
  assert.equal((await acting.put(`/transfers/${hit.id}`, { status: 'ON_HOLD' })).status, 200)
  assert.equal((await acting.put(`/transfers/${hit.id}`, { status: 'CANCELLED' })).problem?.code, 'decided_by_case')
  await decideTogether(await caseOf(hit), 'decline')
  assert.equal(await statusOf(hit), 'AML_REJECTED')
  for (const decision of ['clear', 'freeze']) {
    const { status, problem } = await decide(ann, of, decision)
    assert.deepEqual([status, problem?.code, problem?.decision], [409, 'case_decided', 'decline'])
  }
  const closed = (await ann.get(`/operator/cases/${of.id}`)).body
  assert.deepEqual([closed.allowed_decisions, closed.subject.status], [[], 'AML_REJECTED'])
  assert.equal(closed.subject.history.at(-1).to_status, 'AML_REJECTED')
})

/** A list that changes while a payment is under review opens another case about it. */
function openSecondCase({ id }: Loose): Promise<string> {
  return bank.database.transaction((tx) => openCase(tx, { venture_id, kind: 'rule', resource_id: id, payload: {} }))
}

test('a payment with two cases goes on with the last one that is released, and what ends it ends both', async () => {
  const { pay } = await openPayer()
  const [released, declined, frozen] = [await pay('Viktor Hit'), await pay('Viktor Hit'), await pay('Viktor Hit')]
  await bank.runProcessing()
  for (const transfer of [released, declined, frozen]) await openSecondCase(transfer)
  const casesOf = async ({ id }: Loose) => (await ann.get(`/operator/cases?resource_id=${id}`)).body
  const openOf = async (transfer: Loose, kind: string) => (await casesOf(transfer)).find((one: Loose) => one.kind === kind)
  await decideTogether(await openOf(released, 'hit'), 'clear')
  await bank.runProcessing()
  assert.equal(await statusOf(released), 'REVIEW')
  await decideTogether(await openOf(released, 'rule'), 'approve')
  await bank.runProcessing()
  assert.equal(await statusOf(released), 'COMPLETED')
  await decideTogether(await openOf(declined, 'rule'), 'decline')
  assert.equal((await decide(ann, await openOf(frozen, 'hit'), 'freeze')).status, 200)
  assert.deepEqual(await statuses([declined, frozen]), ['AML_REJECTED', 'ON_HOLD'])
  for (const transfer of [declined, frozen]) for (const { state } of await casesOf(transfer)) assert.equal(state, 'DECIDED')
})

test('of two releases at the same moment, the second one goes on or is asked again', async () => {
  const { pay } = await openPayer()
  const hit = await pay('Viktor Hit')
  await bank.runProcessing()
  await openSecondCase(hit)
  const { body: open } = await alone.get(`/operator/cases?resource_id=${hit.id}`)
  const of = (kind: string) => open.find((one: Loose) => one.kind === kind)
  const answers = await Promise.all([decide(alone, of('hit'), 'clear'), decide(alone, of('rule'), 'approve')])
  for (const [index, { status, problem }] of answers.entries()) {
    if (status === 200) continue
    assert.ok(['case_decided', 'resource_changed'].includes(problem?.code), problem?.code)
    assert.equal((await decide(alone, of(index === 0 ? 'hit' : 'rule'), index === 0 ? 'clear' : 'approve')).status, 200)
  }
  await bank.runProcessing()
  assert.equal(await statusOf(hit), 'COMPLETED')
})

test('money that waited for its account is screened before it is credited', async () => {
  const { account } = await openPayer()
  await venture.post(`/accounts/${account.id}/freeze`)
  const arrive = async (dr_name: string) => {
    const report = { sender: 'COBADEFF', kind: 'pacs.008', tx_id: `${dr_name} ${account.id}`, iban: account.account_number, amount: '7.00' }
    const { body, status, text } = await alone.post('/operator/inbound-payments', {
      ...report,
      currency: 'EUR',
      rail: 'SEPA',
      dr_name,
      dr_iban: 'DE89370400440532013000',
    })
    assert.equal(status, 201, text)
    return body
  }
  const [good, bad] = [await arrive('Charles Babbage'), await arrive('Viktor Hit')]
  await bank.runProcessing()
  assert.deepEqual(await statuses([good, bad]), ['CREDIT_TECH_BALANCE', 'CREDIT_TECH_BALANCE'])
  for (const waiting of [good, bad]) await decideTogether(await caseOf(waiting), 'apply')
  assert.deepEqual(await statuses([good, bad]), ['COMPLETED', 'REVIEW'])
  const { body: history } = await venture.get(`/transfers/${good.id}/history`)
  assert.deepEqual(
    history.map(({ to_status }: Loose) => to_status).join(' '),
    'CREATED RECEIVED CREDIT_TECH_BALANCE READY_FOR_SCREENING BLACKLIST_SCANNING AML_SCANNING AML_APPROVED COMPLETED',
  )
  const of = await caseOf(bad)
  assert.equal(of.kind, 'hit')
  // Cleared, it waits for its account again, now screened. Meanwhile a list names another party.
  const clear = async () => {
    await decideTogether(await caseOf(bad), 'clear')
    await bank.runProcessing()
    assert.equal(await statusOf(bad), 'CREDIT_TECH_BALANCE')
    assert.equal((await caseOf(bad)).kind, 'suspended')
  }
  await clear()
  await decideTogether(await caseOf(bad), 'apply')
  assert.deepEqual([await statusOf(bad), (await caseOf(bad)).kind], ['REVIEW', 'hit'])
  await clear()
  // A cleared hit is not raised again.
  listed.delete('Viktor Hit')
  await decideTogether(await caseOf(bad), 'apply')
  assert.equal(await statusOf(bad), 'COMPLETED')
  assert.deepEqual(await venture.balances(account), ['1014.00', '0.00', '1014.00'])
})

test('the machine rejects nobody by itself', async () => {
  const { rows } = await bank.owner.query(`select distinct actor from transfer_moves where to_status = 'AML_REJECTED'`)
  assert.deepEqual(rows, [{ actor: 'operator' }])
})

test('no invariant is broken', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
