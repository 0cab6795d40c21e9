// Known parties are screened again: when they are created or changed, and when a list changes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { policyOf } from '../policies/policies.ts'
import { TestList } from '../testing/testing.lists.ts'
import { ManagedVenture, toSent } from '../testing/testing.managed.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Bank, type Loose, openBank } from '../testing/testing.ts'
import { findStandings } from '../transfers/transfers.ts'
import { beginRuns } from './processing.runs.ts'
import { openScreener } from './processing.screener.ts'

const bank = await openBank()
const venture = await ManagedVenture.open(bank)
const { id: venture_id } = venture.venture

const casesOf = async (resource_id: string, of: Bank = bank): Promise<Loose[]> =>
  (await of.admin.get(`/operator/cases?resource_id=${resource_id}`)).body

const kindsOf = async (resource_id: string) => (await casesOf(resource_id)).map(({ kind, state }) => `${kind} ${state}`)

async function hitsOf(subject_id: string): Promise<Loose[]> {
  const { rows } = await bank.owner.query(
    `select hit.*, screening.cause, screening.subject_kind from screening_hits hit
     join screenings screening on screening.venture_id = hit.venture_id and screening.id = hit.screening_id where subject_id = $1 order by hit.id`,
    [subject_id],
  )
  return rows
}

const listed = (changes: object = {}) => venture.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade', ...changes })

test('without any active list nobody is compared, and the first list compares everybody', async () => {
  const fresh = await openBank()
  const own = await ManagedVenture.open(fresh)
  const client = await own.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade' })
  await fresh.runJobs()
  assert.deepEqual([await fresh.count('screenings'), await fresh.count('jobs')], [0, 0])
  await fresh.lists.refresh()
  await fresh.runJobs()
  const [found] = await casesOf(client.id, fresh)
  assert.equal(found?.kind, 'name_hit')
  assert.equal(await fresh.count('jobs'), 0)
})

test('a list that the policy was waiting for compares with the others, too', async () => {
  const own = await ManagedVenture.open(bank)
  await bank.lists.refresh()
  const [first, second] = [await TestList.open(bank), await TestList.open(bank)]
  await first.publish('Ambrose Fennimore')
  const { status } = await bank.admin.put(`/ventures/${own.venture.id}/policy`, { lists: [first.list.name, second.list.name] })
  assert.equal(status, 200)
  const client = await own.registerClient({ first_name: 'Ambrose', last_name: 'Fennimore' })
  await bank.runJobs()
  assert.deepEqual(await hitsOf(client.id), [])
  await second.publish('Somebody Else')
  await bank.runJobs()
  assert.deepEqual(
    (await hitsOf(client.id)).map(({ cause, watchlist_id }) => [cause, watchlist_id]),
    [['list', first.list.id]],
  )
})

test('a client is compared after the registration, and nobody waits for it', async () => {
  await bank.lists.refresh()
  await bank.runJobs()
  const [client, other] = [await listed(), await venture.registerClient()]
  await bank.runJobs()
  assert.deepEqual(
    (await hitsOf(client.id)).map(({ party, cause, subject_kind, entry_id }) => [party, cause, subject_kind, entry_id]),
    [['client', 'created', 'client', 'sandbox-demo-1']],
  )
  assert.deepEqual([await kindsOf(client.id), await kindsOf(other.id)], [['name_hit OPEN'], []])
  const { body } = await bank.admin.get(`/ventures/${venture_id}/screenings?subject_id=${other.id}`)
  assert.deepEqual(
    body.map(({ outcome, cause }: Loose) => [outcome, cause]),
    [['CLEAR', 'created']],
  )
  const [found] = await casesOf(client.id)
  const { body: whole } = await bank.admin.get(`/operator/cases/${found.id}`)
  assert.deepEqual(whole.allowed_decisions, ['clear', 'freeze'])
  assert.deepEqual([whole.subject.kind, whole.subject.hits[0].explanation.inputs.listed.name], ['client', 'Mortimer Grimshade'])
})

test('reading the screening of a client, or the case about it, is a reading of the client', async () => {
  const [auditor, other] = [await openBanker(bank, 'auditor'), await openBanker(bank, 'auditor')]
  const client = await listed()
  await bank.runJobs()
  const path = `/ventures/${venture_id}/screenings`
  const { body } = await auditor.get(`${path}?subject_id=${client.id}`)
  await auditor.get(`${path}/${body[0].id}`)
  const [{ id }] = await casesOf(client.id)
  await other.get(`/operator/cases/${id}`)
  const { rows } = await bank.owner.query(
    'select action, actor_id, venture_id from audit_log where resource = $1 and actor <> $2 order by id',
    [client.id, 'venture'],
  )
  assert.deepEqual(rows, [
    { action: 'listScreenings', actor_id: auditor.id, venture_id },
    { action: 'getCase', actor_id: other.id, venture_id },
  ])
})

test('a client who moves is compared again, and what was raised before is not raised twice', async () => {
  const client = await listed()
  await bank.runJobs()
  await venture.put(`/clients/${client.id}`, { city: 'Lyon' })
  assert.equal(await bank.count('jobs'), 0)
  await venture.put(`/clients/${client.id}`, { country_code: 'CYP' })
  await bank.runJobs()
  const hits = await hitsOf(client.id)
  // With another country it is a new comparison.
  assert.deepEqual(
    hits.map(({ cause }) => cause),
    ['created', 'changed'],
  )
  // The venture says so, but nobody has verified it: another country than the entry's lowers nothing.
  assert.deepEqual(
    hits.map(({ explanation }) => explanation.corrections),
    [[], [{ reason: 'country_common', change: 0.02, from: 'venture' }]],
  )
  await venture.put(`/clients/${client.id}`, { country_code: 'FRA' })
  await bank.runJobs()
  assert.equal((await hitsOf(client.id)).length, 2)
  assert.deepEqual(await kindsOf(client.id), ['name_hit OPEN'])
})

test('an OPEN venture is none of this', async () => {
  const open = await bank.registerVenture()
  const { id } = await open.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade' })
  await open.addBeneficiary(id, { name: 'Mortimer Grimshade', iban: 'DE89370400440532013000' })
  assert.equal(await bank.count('jobs'), 0)
})

test('freezing a client takes effect at once and stops the payments', async () => {
  const client = await listed()
  await bank.owner.query("update clients set kyc_status = 'VALIDATED' where id = $1", [client.id])
  const account = await venture.openAccount({ client_id: client.id, balance: '50.00' })
  const beneficiary = await venture.addBeneficiary(client.id)
  const transfer = await venture.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
  await bank.runJobs()
  const [found] = await casesOf(client.id)
  const { status, text } = await bank.admin.post(`/operator/cases/${found.id}/decisions`, { decision: 'freeze' })
  assert.equal(status, 200, text)
  await bank.runJobs()
  const { body } = await venture.get(`/clients/${client.id}`)
  assert.deepEqual([body.is_blacklisted, body.blacklisted_comment], [true, null])
  assert.equal((await venture.get(`/transfers/${transfer.id}`)).body.status, 'ON_HOLD')
  assert.deepEqual(
    (await hitsOf(client.id)).map(({ state }) => state),
    ['CONFIRMED'],
  )
  const again = await bank.admin.post(`/operator/cases/${found.id}/decisions`, { decision: 'clear' })
  assert.deepEqual([again.status, again.problem.code], [409, 'case_decided'])
})

async function compareNow(id: string): Promise<string | undefined> {
  const [standing] = await findStandings(bank.rescreening.transfers, [{ venture_id, id }])
  const policy = await policyOf(bank.database, venture_id)
  const { transfer } = standing ?? assert.fail()
  const [screened] = await openScreener(bank.database, bank.rescreening.comparison).screen([{ transfer, policy }])
  return screened?.outcome
}

test('a beneficiary is compared when it is created, and what was cleared for it is clear in its payments', async () => {
  const payer = await venture.openAccount({ balance: '10.00' })
  const names = ['Zelda Quillfeather', 'Mortimer Grimshade']
  const beneficiaries: Loose[] = []
  for (const name of names) beneficiaries.push(await venture.addBeneficiary(payer.client_id, { name, iban: 'DE89370400440532013000' }))
  await bank.runJobs()
  const transfers: Loose[] = []
  for (const { id } of beneficiaries)
    transfers.push(await venture.createTransfer({ account_id: payer.id, beneficiary_id: id, debit_amount: '1.00' }))
  for (const { id } of transfers) assert.notEqual(await compareNow(id), 'CLEAR')
  const decide = async (resource_id: string, decision: string) => {
    const [found] = await casesOf(resource_id)
    const { allowed_decisions } = (await bank.admin.get(`/operator/cases/${found.id}`)).body
    assert.deepEqual(allowed_decisions, ['clear', 'confirm'])
    return bank.admin.post(`/operator/cases/${found.id}/decisions`, { decision })
  }
  const refused = await decide(beneficiaries[0].id, 'freeze')
  assert.deepEqual([refused.status, refused.problem.code], [422, 'decision_not_offered'])
  assert.equal((await decide(beneficiaries[0].id, 'clear')).status, 200)
  assert.equal((await decide(beneficiaries[1].id, 'confirm')).status, 200)
  assert.equal(await compareNow(transfers[0].id), 'CLEAR')
  assert.equal(await compareNow(transfers[1].id), 'BLOCK')
  assert.deepEqual((await hitsOf(beneficiaries[0].id))[0].state, 'CLEARED')
})

test('with four eyes, clearing takes two people, and nobody clears a hit that the first has not seen', async () => {
  const strict = await openBank({ fourEyes: true })
  const [maker, checker] = [await openBanker(strict, 'admin'), await openBanker(strict, 'admin')]
  await strict.lists.refresh()
  const own = new ManagedVenture(strict, (await strict.admin.post('/ventures', { name: 'Managed', control: 'MANAGED' })).body)
  const register = async () => {
    const { id } = await own.registerClient({ first_name: 'Mortimer', last_name: 'Grimshade' })
    await strict.runJobs()
    return { id, found: (await casesOf(id, strict))[0] }
  }
  const clear = async ({ found }: { found: Loose }) => {
    const { status, body, text } = await maker.post(`/operator/cases/${found.id}/decisions`, { decision: 'clear' })
    assert.equal(status, 202, text)
    return async () => (await checker.post(`/operator/approvals/${body.id}/approve`)).body.state
  }
  const one = await register()
  const approve = await clear(one)
  assert.equal(await strict.count('cleared_pairs'), 0)
  assert.equal(await approve(), 'APPROVED')
  assert.equal(await strict.count('cleared_pairs'), 1)

  const two = await register()
  const approveLate = await clear(two)
  await own.put(`/clients/${two.id}`, { country_code: 'CYP' })
  await strict.runJobs()
  assert.equal(await approveLate(), 'FAILED')
  assert.equal(await strict.count('cleared_pairs'), 1)
})

type Statuses = Parameters<ManagedVenture['move']>[1]['status'][]

const payment = (name: string, ...statuses: Statuses): Promise<string> => paymentOf(venture, name, ...statuses)

/** A payment to a named payee that the bank's side has moved through these statuses. */
async function paymentOf(from: ManagedVenture, name: string, ...statuses: Statuses): Promise<string> {
  const payer = await from.openAccount({ balance: '10.00' })
  const beneficiary = await from.addBeneficiary(payer.client_id, { name, iban: 'DE89370400440532013000' })
  const { id } = await from.createTransfer({ account_id: payer.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
  for (const status of statuses) await from.move(id, { ...(status && { status }) })
  return id
}

const historyOf = async (id: string): Promise<string> =>
  (await venture.get(`/transfers/${id}/history`)).body.map(({ to_status }: Loose) => to_status).join(' ')

test('a new entry stops the payments that have not been sent, and opens a case about those that have', async () => {
  const [list, name] = [await TestList.open(bank), 'Barnaby Thistlewick']
  await list.publish('Somebody Unimportant', 'Zelda Quillfeather')
  await bank.runJobs()
  const scan = ['RESERVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_SCANNING', 'AML_APPROVED'] as const
  const ways: [string, string[], string][] = [
    ['approved', [...scan], 'ON_HOLD REVIEW'],
    ['ready', [...scan, 'READY_TO_CLEAR'], 'ON_HOLD REVIEW'],
    ['in a pack', [...scan, 'READY_TO_CLEAR', 'SENT_TO_PACK'], 'READY_TO_CLEAR ON_HOLD REVIEW'],
    ['packed', [...scan, 'READY_TO_CLEAR', 'SENT_TO_PACK', 'PACKED'], 'READY_TO_CLEAR ON_HOLD REVIEW'],
    ['on hold', [...scan, 'READY_TO_CLEAR', 'ON_HOLD'], 'REVIEW'],
    ['looked at', [...scan.slice(0, 3), 'REVIEW'], 'REVIEW'],
    ['looked at and on hold', [...scan.slice(0, 3), 'REVIEW', 'ON_HOLD'], 'REVIEW ON_HOLD'],
    ['by hand', [...scan, 'READY_TO_CLEAR', 'MANUAL_ACTION'], 'READY_FOR_SCREENING REVIEW'],
  ]
  const stopped: string[] = []
  for (const [, statuses] of ways) stopped.push(await payment(name, ...(statuses as never[])))
  const sent = await payment(name, ...toSent)
  const done = await payment(name, ...toSent, 'COMPLETED')
  const waiting = await payment(name, 'RESERVED')
  const other = await payment('Charles Babbage', ...scan, 'READY_TO_CLEAR')
  await bank.runJobs()
  await list.publish('Somebody Unimportant', 'Zelda Quillfeather', name)
  await bank.runJobs()
  for (const [at, [what, , end]] of ways.entries()) {
    const id = stopped[at] as string
    assert.ok((await historyOf(id)).endsWith(` ${end}`), `${what}: ${await historyOf(id)}`)
    assert.deepEqual(await kindsOf(id), ['hit OPEN'], what)
    assert.deepEqual(
      (await hitsOf(id)).map(({ cause, party }) => [cause, party]),
      [['list', 'creditor']],
      what,
    )
  }
  assert.deepEqual([await kindsOf(sent), (await hitsOf(sent)).length], [['name_hit OPEN'], 1])
  const [late] = await casesOf(sent)
  assert.deepEqual((await bank.admin.get(`/operator/cases/${late.id}`)).body.allowed_decisions, ['clear', 'confirm'])
  assert.equal((await bank.admin.post(`/operator/cases/${late.id}/decisions`, { decision: 'confirm' })).status, 200)
  assert.equal((await hitsOf(sent))[0].state, 'CONFIRMED')
  assert.deepEqual([await kindsOf(done), await kindsOf(waiting), await kindsOf(other)], [[], [], []])
  assert.equal((await historyOf(waiting)).endsWith('RESERVED'), true, 'it will be compared with the new version anyway')

  const before = await bank.count('screening_hits')
  await list.publish('Somebody Unimportant', 'Zelda Quillfeather', name, 'One More')
  await bank.runJobs()
  assert.equal(await bank.count('screening_hits'), before, 'the entry is known')
})

test('money that waits for its account is not credited once a new entry names its payer, and no case is left over', async () => {
  const fresh = await openBank({}, { screener: { screen: (all) => screener.screen(all) } })
  const screener = openScreener(fresh.database, fresh.rescreening.comparison)
  const own = await ManagedVenture.open(fresh)
  const [list, dr_name] = [await TestList.open(fresh), 'Peregrine Oakenshaw']
  await list.publish('Somebody Unimportant')
  await fresh.runJobs()
  const account = await own.openAccount()
  const { body: arrived } = await fresh.admin.post('/operator/inbound-payments', {
    sender: 'COBADEFF',
    kind: 'pacs.008',
    tx_id: randomUUID(),
    iban: account.account_number,
    amount: '7.00',
    currency: 'EUR',
    rail: 'SEPA',
    dr_name,
    dr_iban: 'DE89370400440532013000',
  })
  assert.equal((await own.post(`/accounts/${account.id}/freeze`)).status, 200)
  await fresh.runProcessing()
  assert.deepEqual(
    (await casesOf(arrived.id, fresh)).map(({ kind }) => kind),
    ['suspended'],
  )
  await list.publish('Somebody Unimportant', dr_name)
  await fresh.runJobs()
  const decide = async (kind: string, decision: string) => {
    const { id } = (await casesOf(arrived.id, fresh)).find((one) => one.kind === kind && one.state === 'OPEN') ?? assert.fail(kind)
    const { status, text } = await fresh.admin.post(`/operator/cases/${id}/decisions`, { decision })
    assert.equal(status, 200, text)
  }
  await decide('suspended', 'apply')
  assert.equal((await own.get(`/transfers/${arrived.id}`)).body.status, 'REVIEW')
  await decide('hit', 'clear')
  await fresh.runProcessing()
  await decide('suspended', 'apply')
  assert.equal((await own.get(`/transfers/${arrived.id}`)).body.status, 'COMPLETED')
  await decide('name_hit', 'clear')
  for (const { state } of await casesOf(arrived.id, fresh)) assert.equal(state, 'DECIDED')
})

test('nobody approves a hit of a payment that the first of two people has not seen, and the venture learns nothing of it', async () => {
  const strict = await openBank({ fourEyes: true })
  const [maker, checker] = [await openBanker(strict, 'admin'), await openBanker(strict, 'admin')]
  const { body: registered } = await strict.admin.post('/ventures', { name: 'Managed', control: 'MANAGED' })
  const own = new ManagedVenture(strict, registered)
  const list = await TestList.open(strict)
  const publish = async (...names: string[]) => {
    const { body: version } = await list.import(...names)
    const { status, body, text } = await list.activate(version, { force: true }, maker)
    assert.equal(status, 202, text)
    assert.equal((await checker.post(`/operator/approvals/${body.id}/approve`)).body.state, 'APPROVED')
    await strict.lists.refresh()
    await strict.runJobs()
  }
  await publish('Somebody Unimportant')
  const id = await paymentOf(own, 'Barnaby Thistlewick Alderney', 'RESERVED', 'READY_FOR_SCREENING', 'BLACKLIST_SCANNING', 'AML_APPROVED')
  await strict.runJobs()
  await publish('Somebody Unimportant', 'Barnaby Thistlewick')
  const [found] = await casesOf(id, strict)
  assert.equal(found.kind, 'hit')
  const clear = async () => {
    const { status, body, text } = await maker.post(`/operator/cases/${found.id}/decisions`, { decision: 'clear' })
    assert.equal(status, 202, text)
    return async () => (await checker.post(`/operator/approvals/${body.id}/approve`)).body.state
  }
  const seen = async () => [(await own.get(`/transfers/${id}`)).text, (await own.get(`/events?resource_id=${id}`)).text]
  const before = await seen()
  const approve = await clear()
  await publish('Somebody Unimportant', 'Barnaby Thistlewick', 'Thistlewick Alderney')
  assert.deepEqual(await seen(), before)
  assert.equal(await approve(), 'FAILED')
  assert.equal(await strict.count('cleared_pairs'), 0)
  assert.equal((await own.get(`/transfers/${id}`)).body.status, 'REVIEW')
  assert.equal(await (await clear())(), 'APPROVED', 'now both have seen it')
  assert.equal(await strict.count('cleared_pairs'), 2)
})

test('an open case becomes urgent with a hit that proposes to stop something, and is not asked twice', async () => {
  const list = await TestList.open(bank)
  await list.publish('Ottilie Quillfeather')
  const [first_name, last_name] = ['Ottilie', 'Quilfether']
  const client = await venture.registerClient({ first_name, last_name })
  const payment = await paymentOf(venture, `${first_name} ${last_name}`, 'RESERVED', 'READY_FOR_SCREENING', 'AML_SCANNING', 'AML_APPROVED')
  await bank.runJobs()
  await beginRuns(bank.rescreening)
  await bank.runJobs()
  const urgencyOf = async (id: string) => {
    const found = await casesOf(id)
    assert.equal(found.length, 1)
    const [{ severity, payload, due_at, created_at }] = found
    return [severity, payload.outcome, payload.proposes, (Date.parse(due_at) - Date.parse(created_at)) / 3_600_000 < 5]
  }
  for (const id of [client.id, payment]) assert.deepEqual(await urgencyOf(id), ['NORMAL', 'HIT', null, false])
  await list.publish('Ottilie Quillfeather', 'Ottilie Quilfether')
  await bank.runJobs()
  assert.deepEqual(await urgencyOf(client.id), ['URGENT', 'BLOCK', 'freeze', true])
  assert.deepEqual(await urgencyOf(payment), ['URGENT', 'BLOCK', 'keep', true], 'the payee was hit, not the client')
})

test('only the entries that are new or changed are compared with clients and beneficiaries', async () => {
  const list = await TestList.open(bank)
  const [cosima, dorian] = [
    { name: 'Cosima Wintergale', id: 'c' },
    { name: 'Dorian Marshwiggle', id: 'd' },
  ]
  await list.publish(cosima)
  await bank.runJobs()
  const clients: Loose[] = []
  for (const last_name of ['Wintergale', 'Marshwiggle'])
    clients.push(await venture.registerClient({ first_name: last_name === 'Wintergale' ? 'Cosima' : 'Dorian', last_name }))
  const [first, second] = clients
  // As if the pair had never been raised.
  await bank.owner.query("delete from jobs where kind = 'screening.subject'")
  await list.publish(cosima, dorian)
  await bank.runJobs()
  assert.deepEqual([await kindsOf(first.id), await kindsOf(second.id)], [[], ['name_hit OPEN']])
  await list.publish({ ...cosima, countries: 'fr' }, dorian)
  await bank.runJobs()
  assert.deepEqual([await kindsOf(first.id), (await hitsOf(second.id)).length], [['name_hit OPEN'], 1])
  const jobs = async () => (await bank.owner.query("select payload from jobs where kind = 'screening.list'")).rows
  await list.publish(dorian)
  assert.equal((await jobs()).length, 1)
  await bank.runJobs()
  assert.deepEqual(await jobs(), [])
})

test('a version that replaces another before the comparison is over does not let anybody through', async () => {
  const list = await TestList.open(bank)
  await list.publish('Somebody Unimportant')
  await bank.runJobs()
  const client = await venture.registerClient({ first_name: 'Euphemia', last_name: 'Larkspur' })
  await bank.runJobs()
  await list.publish('Somebody Unimportant', 'Euphemia Larkspur')
  await list.publish('Somebody Unimportant', 'Euphemia Larkspur', 'One More')
  await bank.runJobs()
  assert.deepEqual(await kindsOf(client.id), ['name_hit OPEN'])
})

test('a job whose list is not loaded yet is tried again', async () => {
  const list = await TestList.open(bank)
  const { body: version } = await list.import(`Nobody ${randomUUID()}`)
  await list.activate(version)
  await bank.runJobs()
  const { rows } = await bank.owner.query("select last_error from jobs where kind = 'screening.list' and payload->>'venture_id' = $1", [
    venture_id,
  ])
  assert.match(rows[0]?.last_error ?? '', /not loaded/)
  await bank.lists.refresh()
  await bank.owner.query("update jobs set due_at = now() where kind = 'screening.list'")
  await bank.runJobs()
  assert.equal(await bank.count('jobs'), 0)
})
