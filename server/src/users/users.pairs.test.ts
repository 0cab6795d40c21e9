// Pairs of people at the bank: two related people can approve for each other only once a third admin has cleared them.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { acceptLink, openBanker, openMember, type PersonCaller, signIn, someEmail } from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank } from '../testing/testing.ts'
import { checkInvariants } from '../verify/verify.ts'

const bank = await openBank({ fourEyes: true })

/** A person of the bank whom nobody there has invited. */
async function openAdmin(): Promise<PersonCaller> {
  const person = await openBanker(bank, 'operator')
  await bank.owner.query("update memberships set role = 'admin' where user_id = $1", [person.id])
  return person
}

const [alice, bob, carol] = [await openAdmin(), await openAdmin(), await openAdmin()]
const venture = await ManagedVenture.open(bank)

const codeOf = ({ status, problem }: Loose) => [status, problem?.code]
const approve = (approval: { id: string }, by: Caller) => by.post(`/operator/approvals/${approval.id}/approve`)

async function asked(answer: Promise<Loose>): Promise<Loose> {
  const { status, body, text } = await answer
  assert.equal(status, 202, text)
  return body
}

/** Alice requests and Bob approves, so both are related to the person who comes in. */
async function byTwo(answer: Promise<Loose>): Promise<Loose> {
  const { id, code } = await asked(answer)
  return { ...(await approve({ id }, bob)).body.result, code }
}

async function hire(role = 'admin'): Promise<PersonCaller> {
  const link = await byTwo(alice.post('/operator/users', { email: someEmail(), role }))
  return signIn(bank, await acceptLink(bank, link as { url: string }))
}

const reason = 'They have worked here for years.'
const clear = (one: { id: string }, other: { id: string }, by: Caller = carol, more: object = {}) =>
  by.post('/operator/pairs/clearings', { one_id: one.id, other_id: other.id, reason, ...more })
const takeBack = (clearing: { id: string }, by: Caller) => by.post(`/operator/pairs/clearings/${clearing.id}/take-back`)

async function cleared(one: { id: string }, other: { id: string }, by: Caller = carol): Promise<Loose> {
  const { status, body, text } = await clear(one, other, by)
  assert.equal(status, 201, text)
  return body
}

async function requestOf(maker: Caller, payload?: object): Promise<Loose> {
  if (payload !== undefined) return asked(maker.post('/operator/inbound-payments', payload))
  const { id } = (await bank.registerVenture()).venture
  await alice.put(`/ventures/${id}`, { status: 'DISABLED' })
  return asked(maker.put(`/ventures/${id}`, { status: 'ACTIVE' }))
}

async function pairOf(one: { id: string }, other: { id: string }, query = ''): Promise<Loose | undefined> {
  const { body } = await alice.get(`/operator/pairs${query}`)
  return body.find(({ one_id, other_id }: Loose) => [one.id, other.id].sort().join() === [one_id, other_id].join())
}

test('two related people approve for each other once a third admin has cleared them, and no longer once that is taken back', async () => {
  const grace = await hire()
  const [mine, theirs, last] = [await requestOf(alice), await requestOf(grace), await requestOf(grace)]
  assert.deepEqual(codeOf(await approve(mine, grace)), [409, 'related_approval'])
  const before = await bank.count('audit_log')
  const clearing = await cleared(alice, grace)
  const [one_id, other_id] = [alice.id, grace.id].sort()
  assert.deepEqual(
    { ...clearing, id: '', cleared_at: '' },
    { id: '', one_id, other_id, reason, cleared_by: carol.id, cleared_at: '', taken_back_by: null, taken_back_at: null },
  )
  assert.equal(await bank.count('audit_log'), before + 1)
  assert.equal((await approve(mine, grace)).body.state, 'APPROVED')
  assert.equal((await approve(theirs, alice)).body.state, 'APPROVED')
  // Bob has approved the invitation, and nobody has cleared him.
  assert.deepEqual(codeOf(await approve(last, bob)), [409, 'related_approval'])

  // One of the two revokes it, which protects.
  const { status, body } = await takeBack(clearing, alice)
  assert.deepEqual([status, body.taken_back_by, body.taken_back_at !== null], [200, alice.id, true])
  assert.deepEqual(codeOf(await approve(last, alice)), [409, 'related_approval'])
  assert.deepEqual((await takeBack(clearing, carol)).body, body)
  const { body: entries } = await alice.get(`/operator/audit-log?resource=${clearing.id}`)
  assert.deepEqual(
    entries.map(({ action, actor_id, fields }: Loose) => [action, actor_id, fields]),
    [
      ['takeBackPairClearing', carol.id, []],
      ['takeBackPairClearing', alice.id, []],
      ['clearPair', carol.id, ['one_id', 'other_id', 'reason']],
    ],
  )
  // It can be cleared again.
  assert.notEqual((await cleared(grace, alice)).id, clearing.id)
  assert.equal((await approve(last, alice)).body.state, 'APPROVED')
})

test('only a third admin clears a pair: neither one of the two, nor who is related to them, nor the admin key', async () => {
  const [grace, henry] = [await hire(), await hire()]
  const clearings = await bank.count('pair_clearings')
  for (const person of [alice, grace]) assert.deepEqual(codeOf(await clear(alice, grace, person)), [403, 'pair_not_yours'])
  // Bob has approved Grace's invitation, and Alice and Bob have let Henry in.
  for (const person of [bob, henry]) assert.deepEqual(codeOf(await clear(alice, grace, person)), [403, 'pair_not_yours'])
  assert.deepEqual(codeOf(await clear(alice, grace, bank.admin)), [403, 'person_needed'])
  assert.deepEqual(codeOf(await clear(alice, grace, await openBanker(bank, 'operator'))), [403, 'forbidden'])
  assert.equal(await bank.count('pair_clearings'), clearings)
  // Being cleared with one of the two does not make a person a third person.
  const helper = await cleared(alice, henry)
  assert.deepEqual(codeOf(await clear(alice, grace, henry)), [403, 'pair_not_yours'])
  await takeBack(helper, carol)
  assert.deepEqual(codeOf(await takeBack({ id: randomUUID() }, carol)), [404, 'clearing_not_found'])
})

test('there is nothing to clear between strangers, with oneself, or with somebody who is not at the bank', async () => {
  const member = await openMember(bank, venture.venture.id, 'admin')
  const gone = await hire()
  await alice.put(`/operator/users/${gone.id}`, { status: 'DISABLED' })
  for (const [other, status, code] of [
    [bob, 409, 'pair_not_related'],
    [alice, 400, 'invalid_request'],
    [member, 404, 'user_not_found'],
    [gone, 404, 'user_not_found'],
    [{ id: randomUUID() }, 404, 'user_not_found'],
  ] as const)
    assert.deepEqual(codeOf(await clear(alice, other)), [status, code])
  const grace = await hire()
  assert.deepEqual(codeOf(await clear(alice, grace, carol, { reason: '' })), [400, 'invalid_request'])
  await cleared(alice, grace)
  assert.deepEqual(codeOf(await clear(alice, grace)), [409, 'pair_not_related'])
})

test('a clearing covers what relates two people by then: a later reset makes them count as one again', async () => {
  const grace = await hire()
  const first = await cleared(alice, grace)
  const link = await byTwo(alice.post(`/operator/users/${grace.id}/reset`))
  await acceptLink(bank, link as { url: string })
  const request = await requestOf(alice)
  const again = await signIn(bank, grace.person)
  assert.deepEqual(codeOf(await approve(request, again)), [409, 'related_approval'])
  assert.deepEqual([(await pairOf(alice, grace))?.relation, (await pairOf(alice, grace))?.clearing.id], ['RELATED', first.id])
  // A new clearing replaces the existing one.
  const second = await cleared(alice, grace)
  assert.equal((await approve(request, again)).body.state, 'APPROVED')
  assert.deepEqual([(await pairOf(alice, grace))?.relation, (await pairOf(alice, grace))?.clearing.id], ['CLEARED', second.id])
  assert.equal((await takeBack(first, alice)).body.taken_back_by, carol.id)
})

test('no time frees a pair, and none ends a clearing', async () => {
  const [grace, henry] = [await hire(), await hire()]
  await cleared(alice, henry)
  await bank.owner.query("update links set used_at = used_at - interval '10 years', created_at = created_at - interval '10 years'")
  await bank.owner.query("update pair_clearings set cleared_at = cleared_at - interval '9 years'")
  const request = await requestOf(alice)
  assert.deepEqual(codeOf(await approve(request, grace)), [409, 'related_approval'])
  assert.equal((await approve(request, henry)).body.state, 'APPROVED')
})

test('pairs are listed with what they have agreed on in 90 days, by the amount in a currency', async () => {
  const account = await venture.openAccount()
  const arrived = (amount: string) => ({
    sender: 'COBADEFF',
    kind: 'pacs.008',
    tx_id: randomUUID(),
    rail: 'SEPA',
    iban: account.account_number,
    amount,
    currency: 'EUR',
  })
  const [dave, erin] = [await openAdmin(), await openAdmin()]
  const agree = async (maker: PersonCaller, checker: PersonCaller, payload?: object) => {
    const { body, text } = await approve(await requestOf(maker, payload), checker)
    assert.equal(body.state, 'APPROVED', `${text}`)
  }
  await agree(dave, erin, arrived('20.50'))
  await agree(erin, dave, arrived('10.25'))
  await agree(dave, erin)
  await agree(dave, carol, arrived('99.00'))
  const [first, second] = [await pairOf(dave, carol), await pairOf(dave, erin)]
  assert.deepEqual([first?.approvals, first?.totals], [1, [{ currency: 'EUR', amount: '99.00' }]])
  assert.deepEqual([second?.approvals, second?.totals, second?.relation], [3, [{ currency: 'EUR', amount: '30.75' }], 'NONE'])
  const { body: pairs } = await bob.get('/operator/pairs')
  const placeOf = (pair: Loose | undefined) =>
    pairs.findIndex(({ one_id, other_id }: Loose) => one_id === pair?.one_id && other_id === pair?.other_id)
  assert.deepEqual([placeOf(first), placeOf(second)], [0, 1])
  // In another currency they have agreed on nothing, so the number of approvals decides.
  const { body: inDollars } = await bob.get('/operator/pairs?currency=USD')
  assert.ok(inDollars[0].approvals >= inDollars[1].approvals)
  assert.equal((await bob.get('/operator/pairs?currency=dollars')).status, 400)

  // Approvals older than 90 days no longer count, and a cleared pair stays in the list.
  const grace = await hire()
  const { id } = await cleared(alice, grace)
  await bank.owner.query("update approvals set decided_at = decided_at - interval '91 days' where state = 'APPROVED'")
  assert.equal(await pairOf(dave, erin), undefined)
  const { approvals, totals, last_approved_at, relation, clearing } = (await pairOf(alice, grace)) ?? {}
  assert.deepEqual([approvals, totals, last_approved_at, relation, clearing.id], [0, [], null, 'CLEARED', id])
})

test('what an approval moves counts by what the second person has seen, whatever its payload is called', async () => {
  const account = await venture.openAccount({ balance: '100.00' })
  const payee = await venture.addBeneficiary(account.client_id, { name: 'Charles Babbage', iban: 'DE89370400440532013000' })
  const [dave, erin] = [await openAdmin(), await openAdmin()]
  const order = { account_id: account.id, beneficiary_id: payee.id, unique_reference: randomUUID(), debit_amount: '12.50', purpose: 'Rent' }
  const request = await asked(dave.actingFor(venture.venture.id).post('/transfers', order))
  assert.deepEqual([request.payload.amount, request.subject.amount], [undefined, '12.50'])
  assert.equal((await approve(request, erin)).body.state, 'APPROVED')
  assert.deepEqual((await pairOf(dave, erin))?.totals, [{ currency: 'EUR', amount: '12.50' }])
})

test('pairs who are related are listed with what relates them, before they have agreed on anything', async () => {
  const grace = await hire()
  const related = await pairOf(alice, grace)
  assert.deepEqual([related?.approvals, related?.relation, related?.related_by, related?.clearing], [0, 'RELATED', ['INVITATION'], null])
  const link = await byTwo(alice.post(`/operator/users/${grace.id}/reset`))
  await acceptLink(bank, link as { url: string })
  await byTwo(alice.put(`/operator/users/${grace.id}`, { bank_role: 'operator' }))
  assert.deepEqual((await pairOf(bob, grace))?.related_by, ['INVITATION', 'RESET', 'ROLE'])
  assert.deepEqual((await cleared(alice, grace)).reason, reason)
  assert.deepEqual([(await pairOf(alice, grace))?.relation, (await pairOf(alice, grace))?.related_by.length], ['CLEARED', 3])
  // Auditors neither request nor approve, nor do people who have left.
  const auditor = await hire('auditor')
  assert.equal(await pairOf(alice, auditor), undefined)
  await alice.put(`/operator/users/${grace.id}`, { status: 'DISABLED' })
  assert.equal(await pairOf(bob, grace), undefined)
})

test('a pair says whether the person who asks may clear it, and that is what the service does', async () => {
  const grace = await hire()
  const mayClear = async (by: Caller) => {
    const { body } = await by.get('/operator/pairs')
    const ids = [alice.id, grace.id].sort().join()
    return body.find(({ one_id, other_id }: Loose) => ids === [one_id, other_id].join())?.can_be_cleared
  }
  // Neither of the two, nor Bob, who has approved Grace's invitation, nor the admin key, which is not a person.
  assert.deepEqual(await Promise.all([alice, grace, bob, bank.admin, carol].map(mayClear)), [false, false, false, false, true])
  const clearing = await cleared(alice, grace)
  assert.equal(await mayClear(carol), false, 'it is cleared')
  await approve(await requestOf(alice), grace)
  await takeBack(clearing, carol)
  assert.equal(await mayClear(carol), true)
  // They have agreed, so the pair is still listed, but a person who has left cannot be cleared.
  await alice.put(`/operator/users/${grace.id}`, { status: 'DISABLED' })
  assert.equal(await mayClear(carol), false)
  assert.deepEqual(codeOf(await clear(alice, grace, carol)), [404, 'user_not_found'])
})

test('one person has at most 50 open requests', async () => {
  const maker = await openAdmin()
  const { rows } = await bank.owner.query(
    `insert into approvals (venture_id, id, action, resource_id, payload, payload_hash, sequence, maker_id, state, created_at, expires_at)
     select $1, gen_random_uuid(), 'enable-venture', gen_random_uuid(), '{}', repeat('0', 64), 1, $2, 'PENDING', now(), now() + interval '1 hour'
     from generate_series(1, 48) returning id`,
    [venture.venture.id, maker.id],
  )
  const [fiftieth] = [await requestOf(maker), await requestOf(maker)]
  const before = await bank.count('approvals')
  const invitation = () => maker.post('/operator/users', { email: someEmail(), role: 'operator' })
  const refused = await invitation()
  assert.deepEqual(codeOf(refused), [429, 'too_many_requests_open'])
  assert.equal(await bank.count('approvals'), before)
  // Others are not blocked, and a request that was decided or has expired makes room.
  await requestOf(alice)
  await maker.post(`/operator/approvals/${fiftieth.id}/reject`)
  // Many concurrent requests on two instances: as many as there is room for.
  const elsewhere = new Caller(await bank.openInstance(), maker.headers)
  await bank.owner.query("update approvals set expires_at = now() - interval '1 minute' where id = $1", [rows[0].id])
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? maker : elsewhere).post('/operator/users', { email: someEmail(), role: 'operator' }),
    ),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 202, ...Array(6).fill(429)])
  await bank.owner.query("delete from approvals where maker_id = $1 and state = 'PENDING'", [maker.id])
})

test('verify finds clearings that nobody has made, and those that were changed', async () => {
  const grace = await hire()
  const { id } = await cleared(alice, grace)
  await takeBack(await cleared(bob, grace), carol)
  const brokenBy = async (change: string) => {
    await bank.owner.query('begin')
    await bank.owner.query(change)
    const findings = await checkInvariants(bank.owner)
    await bank.owner.query('rollback')
    // Rows that these tests have changed by hand have no lines for it.
    const broken = findings.filter(({ violations }) => violations > 0).map(({ name }) => name)
    return broken.filter((name) => name !== 'rows that decide are as their last lines say')
  }
  assert.deepEqual(await brokenBy('select 1'), [])
  for (const change of [
    `update pair_clearings set ties = ties || gen_random_uuid() where id = '${id}'`,
    `update pair_clearings set cleared_by = '${bob.id}' where id = '${id}'`,
    `update pair_clearings set other_id = 'ffffffff-ffff-ffff-ffff-ffffffffffff' where id = '${id}'`,
    'update pair_clearings set taken_back_by = null, taken_back_at = null where taken_back_at = (select max(taken_back_at) from pair_clearings)',
    `insert into pair_clearings select venture_id, gen_random_uuid(), '00000000-0000-0000-0000-000000000001', other_id, ties, reason, cleared_by, cleared_at
       from pair_clearings where id = '${id}'`,
  ])
    assert.deepEqual(await brokenBy(change), ['clearings of pairs are as somebody made them'], change)
})
