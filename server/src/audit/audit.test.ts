// The audit log: what it contains, whom it names, and that nobody can change it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { ManagedVenture } from '../testing/testing.managed.ts'
import { someOnboarding, somePerson } from '../testing/testing.people.ts'
import { openBanker, openMember } from '../testing/testing.sessions.ts'
import { type Loose, openBank, type VentureCaller } from '../testing/testing.ts'
import { pruneClientReads } from './audit.ts'

const bank = await openBank()

async function log(query: string): Promise<Loose[]> {
  const { status, body, text } = await bank.admin.get(`/operator/audit-log?${query}`)
  assert.equal(status, 200, text)
  return body
}

const actionsOf = (entries: Loose[]): string[] => entries.map(({ action }) => action)

test('an entry says who, what, about which venture, from where, and which fields, and has no values', async () => {
  const venture = await bank.registerVenture()
  const { id } = await venture.registerClient()
  const person = await openBanker(bank, 'operator', venture.venture.id)
  const secret = 'Rue de la Paix'
  const answer = await person.put(`/clients/${id}`, { city: 'Lyon', address: secret })
  assert.equal(answer.status, 200)
  const [entry] = await log(`venture_id=${venture.venture.id}`)
  assert.deepEqual(
    { ...entry, id: '', at: '' },
    {
      id: '',
      at: '',
      actor: 'operator',
      actor_id: person.id,
      action: 'updateClient',
      resource: id,
      venture_id: venture.venture.id,
      request_id: answer.headers['x-request-id'],
      address: '127.0.0.1',
      fields: ['city', 'address'],
    },
  )
  assert.equal(new Date(entry.at).toISOString(), entry.at)
  const { rows } = await bank.owner.query('select audit_log::text as text from audit_log')
  assert.ok(!rows.some(({ text }) => text.includes(secret)))
})

test("a venture's key is audited for keys, secrets, limits and compliance fields, and for nothing else", async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '10.00' })
  await venture.put(`/accounts/${account.id}`, { description: 'Savings' })
  await venture.put(`/clients/${account.client_id}`, { city: 'Lyon' })
  const mine = `venture_id=${venture.venture.id}`
  assert.deepEqual(await log(mine), [])

  await venture.put(`/accounts/${account.id}`, { description: 'Other', daily_limit: '5.00' })
  await venture.put(`/clients/${account.client_id}`, { blocked: true })
  await venture.put(`/clients/${account.client_id}`, { risk_level: 'High' })
  const endpoint = (await venture.post('/webhook-endpoints', { url: 'https://example.com/hooks' })).body
  await venture.post(`/webhook-endpoints/${endpoint.id}/rotate-secret`)
  await venture.post('/venture/rotate-key')
  const entries = await log(mine)
  assert.deepEqual(actionsOf(entries).reverse(), [
    'updateAccount',
    'updateClient',
    'updateClient',
    'createWebhookEndpoint',
    'rotateWebhookSecret',
    'rotateOwnKey',
  ])
  assert.ok(entries.every(({ actor }) => actor === 'venture'))
  assert.deepEqual(entries.at(-1).fields, ['description', 'daily_limit'])
})

test("a venture's own people are audited for every change, and not for reading", async () => {
  const venture = await bank.registerVenture()
  const { id } = await venture.registerClient()
  const user = await openMember(bank, venture.venture.id, 'operator')
  assert.equal((await user.get(`/clients/${id}`)).status, 200)
  assert.equal((await user.put(`/clients/${id}`, { city: 'Lyon' })).status, 200)
  const entries = await log(`venture_id=${venture.venture.id}&actor=user`)
  assert.deepEqual(
    entries.map(({ actor, actor_id, action }) => [actor, actor_id, action]),
    [
      ['user', user.id, 'updateClient'],
      ['user', user.id, 'useLink'],
    ],
  )
})

test('a request that is repeated with its idempotency key leaves one entry', async () => {
  const venture = await bank.registerVenture()
  const person = await openBanker(bank, 'operator', venture.venture.id)
  const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() }
  const payload = JSON.stringify({ name: 'Acme', beneficiary_type: 'PERSON', iban: 'DE89370400440532013000', client_id: '' })
  const { id } = await venture.registerClient()
  const send = () => person.send({ method: 'POST', url: '/api/v1/beneficiaries', payload: payload.replace('""', `"${id}"`), headers })
  const [first, second] = [await send(), await send()]
  assert.deepEqual([first.status, second.status, second.headers['idempotency-replayed']], [201, 201, 'true'])
  const entries = await log(`venture_id=${venture.venture.id}&action=createBeneficiary`)
  assert.deepEqual(
    entries.map(({ resource }) => resource),
    [first.body.id],
  )
})

test('in a batch, only the commands that are carried out leave an entry', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount({ balance: '10.00' })
  const beneficiary = await venture.addBeneficiary(account.client_id)
  const person = await openBanker(bank, 'operator', venture.venture.id)
  const order = (debit_amount: string) => ({
    account_id: account.id,
    beneficiary_id: beneficiary.id,
    unique_reference: randomUUID(),
    debit_amount,
  })
  const answers = await Promise.all([
    person.post('/transfers', order('1.00')),
    person.post('/transfers', { ...order('1.00'), account_id: randomUUID() }),
    person.post('/transfers', order('2.00')),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [201, 404, 201],
  )
  const entries = await log(`venture_id=${venture.venture.id}&action=createTransfer`)
  assert.deepEqual(entries.map(({ resource }) => resource).sort(), [answers[0]?.body.id, answers[2]?.body.id].sort())
  // The move names the person as well.
  const { body: history } = await person.get(`/transfers/${answers[0]?.body.id}/history`)
  assert.deepEqual([history[0].actor, history[0].actor_id], ['operator', person.id])
})

test('the log is filtered by venture, actor, action, resource and dates, and paged like other lists', async () => {
  const venture = await bank.registerVenture()
  const { id } = venture.venture
  const person = await openBanker(bank, 'admin')
  for (const name of ['One', 'Two', 'Three']) await person.put(`/ventures/${id}`, { name })
  await bank.admin.put(`/ventures/${id}`, { name: 'Four' })
  const mine = `venture_id=${id}`
  assert.equal((await log(mine)).length, 4)
  // Three updates, and the invitation that the person has accepted.
  assert.equal((await log(`actor_id=${person.id}`)).length, 4)
  assert.equal((await log(`${mine}&actor=operator`)).length, 4)
  assert.equal((await log(`${mine}&actor=venture`)).length, 0)
  assert.equal((await log(`resource=${id}&action=updateVenture`)).length, 4)
  assert.equal((await log(`resource=${id}&action=registerVenture`)).length, 1)
  assert.equal((await log(`${mine}&date_to=2020-01-01`)).length, 0)
  assert.equal((await log(`${mine}&date_from=2020-01-01&date_to=2999-01-01`)).length, 4)
  const first = await bank.admin.get(`/operator/audit-log?${mine}&limit=3`)
  const next = /^<\/api\/v1(.+)>; rel="next"$/.exec(first.headers['link'] ?? '')?.[1] ?? assert.fail()
  assert.deepEqual([...first.body, ...(await bank.admin.get(next)).body], await log(mine))
  for (const query of ['venture_id=x', 'actor=nobody', 'surprise=1', 'limit=0', 'date_from=soon']) {
    assert.equal((await bank.admin.get(`/operator/audit-log?${query}`)).status, 400, query)
  }
})

test('nobody can change or delete an entry, not even the owner of the tables', async () => {
  await bank.registerVenture()
  for (const statement of ["update audit_log set action = 'x'", 'delete from audit_log', 'truncate audit_log']) {
    await assert.rejects(bank.owner.query(statement), /rows of audit_log are never changed or deleted/, statement)
    await assert.rejects(
      bank.owner.query(`begin; set local role vostro_service; ${statement}`),
      /permission denied|never changed/,
      statement,
    )
    await bank.owner.query('rollback')
  }
})

const readsOf = async (venture: VentureCaller) =>
  (await log(`venture_id=${venture.venture.id}`)).map(({ action, actor_id, resource }) => [action, actor_id, resource])

test("a bank person's reading of a client is audited once for each person, client and day, also over several instances", async () => {
  const venture = await bank.registerVenture()
  const [one, other] = [await venture.registerClient(), await venture.registerClient()]
  const person = await openBanker(bank, 'operator', venture.venture.id)
  const elsewhere = await bank.openInstance()
  for (let time = 0; time < 3; time++) {
    assert.equal((await person.get(`/clients/${one.id}`)).status, 200)
    assert.equal((await elsewhere.inject({ url: `/api/v1/clients/${one.id}`, headers: person.headers })).statusCode, 200)
  }
  assert.deepEqual(await readsOf(venture), [['getClient', person.id, one.id]])
  // A list also shows clients; the client that was already read is not recorded again.
  assert.equal((await person.get('/clients')).body.length, 2)
  assert.deepEqual(await readsOf(venture), [
    ['listClients', person.id, other.id],
    ['getClient', person.id, one.id],
  ])
  const second = await openBanker(bank, 'operator', venture.venture.id)
  await Promise.all([second.get(`/clients/${one.id}`), second.get(`/clients/${one.id}`)])
  assert.equal((await log(`actor_id=${second.id}&action=getClient`)).length, 1)
  // Another day gets another entry.
  await bank.owner.query('update client_reads set day = day - 3 where reader_id = $1', [second.id])
  const fresh = await bank.openInstance()
  await fresh.inject({ url: `/api/v1/clients/${one.id}`, headers: second.headers })
  assert.equal((await log(`actor_id=${second.id}&action=getClient`)).length, 2)
})

test('a statement shows a client: people of the bank who read one are audited, in every format, and a venture is not', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount()
  const path = `/accounts/${account.id}/statements?from=2026-01-01&to=2026-01-31`
  assert.equal((await venture.get(path)).status, 200)
  assert.deepEqual(await readsOf(venture), [])
  const people: string[] = []
  for (const format of ['json', 'csv', 'pdf', 'camt053']) {
    const person = await openBanker(bank, 'auditor', venture.venture.id)
    people.unshift(person.id)
    assert.equal((await person.send({ method: 'HEAD', url: `/api/v1${path}&format=${format}` })).status, 200)
    assert.equal((await readsOf(venture)).length, people.length - 1)
    for (let time = 0; time < 2; time++) assert.equal((await person.get(`${path}&format=${format}`)).status, 200)
    assert.deepEqual(
      await readsOf(venture),
      people.map((id) => ['getStatement', id, account.client_id]),
    )
    assert.equal((await person.get(`/accounts/${venture.venture.id}/statements?from=2026-01-01&to=2026-01-31`)).status, 404)
  }
  assert.equal((await readsOf(venture)).length, people.length)
})

test('events show clients too: reading them is audited for each client whose data they carry', async () => {
  const venture = await bank.registerVenture()
  const { id: venture_id } = venture.venture
  const [one, other] = [await venture.registerClient(), await venture.registerClient()]
  const person = await openBanker(bank, 'operator', venture_id)
  const { body: events } = await venture.get('/events')
  const eventOf = (id: string) => events.find(({ data }: Loose) => data.object.id === id).id
  for (let time = 0; time < 2; time++) assert.equal((await person.get(`/events/${eventOf(one.id)}`)).status, 200)
  assert.deepEqual(await readsOf(venture), [['getEvent', person.id, one.id]])
  await bank.othersEnded()
  assert.equal((await person.get('/events?since=start')).body.length, 2)
  assert.deepEqual(await readsOf(venture), [
    ['listEvents', person.id, other.id],
    ['getEvent', person.id, one.id],
  ])
  // Onboarding details concern a client but do not name them.
  const second = await openBanker(bank, 'operator', venture_id)
  assert.equal((await venture.post(`/clients/${other.id}/onboarding/details`, someOnboarding)).status, 201)
  const [submitted] = (await second.get('/events?type=onboarding.submitted')).body
  assert.equal((await second.get(`/events/${submitted.id}`)).status, 200)
  const [read, ...before] = await log(`actor_id=${second.id}`)
  assert.deepEqual([read?.action, read?.resource, before.map(({ action }) => action)], ['listEvents', other.id, ['useLink']])
  // Neither the venture itself nor events about other resources.
  const third = await openBanker(bank, 'operator', venture_id)
  await third.get('/events?type=account.created')
  assert.deepEqual(
    (await log(`actor_id=${third.id}`)).map(({ action }) => action),
    ['useLink'],
  )
  assert.equal((await readsOf(venture)).length, 3)
})

test('approvals show clients too: reading what was asked for about one is audited, also in a list of several ventures', async () => {
  const strict = await openBank({ fourEyes: true })
  const reads = async (person: { id: string }) =>
    (await strict.admin.get(`/operator/audit-log?actor_id=${person.id}`)).body
      .filter(({ action }: Loose) => action !== 'useLink')
      .map(({ action, resource, venture_id }: Loose) => [action, resource, venture_id])
  const operator = await openBanker(strict, 'operator')
  const asked: Loose[] = []
  for (let count = 0; count < 2; count++) {
    const { id } = (await ManagedVenture.open(strict)).venture
    const { status, body, text } = await operator.actingFor(id).post('/clients/person', somePerson({ kyc_level: 'NOT_REQUIRED' }))
    assert.deepEqual([status, body.action, body.venture_id], [202, 'register-client', id], text)
    asked.push(body)
  }
  const entryOf = (action: string, approval?: Loose) => [action, approval?.['resource_id'], approval?.['venture_id']]
  const [one, other] = [await openBanker(strict, 'auditor'), await openBanker(strict, 'auditor')]
  for (let time = 0; time < 2; time++) assert.equal((await one.get(`/operator/approvals/${asked[0]?.['id']}`)).status, 200)
  assert.deepEqual(await reads(one), [entryOf('getApproval', asked[0])])
  assert.equal((await other.get('/operator/approvals')).body.length, 2)
  assert.deepEqual((await reads(other)).sort(), asked.map((approval) => entryOf('listApprovals', approval)).sort())
  // Nor approvals about other resources.
  const admin = await openBanker(strict, 'admin')
  const { body: rate } = await admin.put('/operator/rates', { from_currency: 'EUR', to_currency: 'SEK', rate: '11.5', margin: '0.01' })
  assert.equal((await admin.get(`/operator/approvals/${rate.id}`)).body.action, 'set-rate')
  assert.equal(
    (await reads(admin)).some(([action]: string[]) => action === 'getApproval'),
    false,
  )
})

test('what nobody of the bank reads is not audited: refusals, other resources, and the venture itself', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount()
  const person = await openBanker(bank, 'operator', venture.venture.id)
  await venture.get(`/clients/${account.client_id}`)
  await person.get(`/accounts/${account.id}`)
  assert.equal((await person.get(`/clients/${randomUUID()}`)).status, 404)
  assert.deepEqual(await readsOf(venture), [])
})

test('the notes of who read what are deleted after two days, and the log stays', async () => {
  const venture = await bank.registerVenture()
  const { id } = await venture.registerClient()
  const person = await openBanker(bank, 'operator', venture.venture.id)
  await person.get(`/clients/${id}`)
  const count = async () => {
    const { rows } = await bank.owner.query('select count(*)::int as count from client_reads where client_id = $1', [id])
    return rows[0].count
  }
  const prune = async () => {
    for await (const _ of pruneClientReads(bank.database));
  }
  await prune()
  assert.equal(await count(), 1)
  await bank.owner.query('update client_reads set day = day - 3 where client_id = $1', [id])
  await prune()
  assert.equal(await count(), 0)
  assert.equal((await log(`resource=${id}&action=getClient`)).length, 1)
})

test('the audit log of the bank contains registrations under the zero id', async () => {
  const { venture } = await bank.registerVenture()
  const [entry] = await log(`venture_id=${bankId}&resource=${venture.id}`)
  assert.equal(entry.action, 'registerVenture')
})
