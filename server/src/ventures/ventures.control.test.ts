// Who processes a venture's transfers: how this is set, and that it can change only while nothing depends on it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { createLog } from '../platform/log.ts'
import { openServices } from '../services.ts'
import { ManagedVenture, operator } from '../testing/testing.managed.ts'
import { somePerson } from '../testing/testing.people.ts'
import { turnTriggersOff, wantsCluster } from '../testing/testing.server.ts'
import { type Bank, Caller, openBank, VentureCaller } from '../testing/testing.ts'
import { lockRow, untilBlocked } from '../testing/testing.waits.ts'
import { checkInvariants } from '../verify/verify.ts'
import { ventureApprovals } from './ventures.ts'

const bank = await openBank()

const register = async (body: object, of: Bank = bank) => of.admin.post('/ventures', { name: 'Acme', ...body })
const change = (id: string, control: string) => bank.admin.put(`/ventures/${id}`, { control })

async function copies(id: string): Promise<boolean[]> {
  const { rows } = await bank.owner.query(
    `select managed from accounts where venture_id = $1 union all select managed from transfers where venture_id = $1`,
    [id],
  )
  return rows.map(({ managed }) => managed)
}

test('a venture is OPEN unless it is registered as MANAGED, and shows which it is', async () => {
  assert.equal((await register({})).body.control, 'OPEN')
  const { status, body } = await register({ control: 'MANAGED' })
  assert.deepEqual([status, body.control], [201, 'MANAGED'])
  const own = await new VentureCaller(bank.app, body).get('/venture')
  assert.equal(own.body.control, 'MANAGED')
  assert.equal((await bank.admin.get(`/ventures/${body.id}`)).body.control, 'MANAGED')
  assert.equal((await register({ control: 'CLOSED' })).problem.code, 'invalid_request')
})

test('DEFAULT_CONTROL decides what a registration without control means', async () => {
  const managing = await openBank({ defaultControl: 'MANAGED' })
  assert.equal((await register({}, managing)).body.control, 'MANAGED')
  assert.equal((await register({ control: 'OPEN' }, managing)).body.control, 'OPEN')
})

test('outside the sandbox, the bank processes for a venture only with four eyes', async () => {
  const real = await openBank({ sandbox: false, fourEyes: false })
  const open = (await register({}, real)).body
  const before = await real.count('ventures')
  const refused = [
    await register({ control: 'MANAGED' }, real),
    await real.admin.put(`/ventures/${open.id}`, { control: 'MANAGED' }),
    await new Caller(await real.openInstance({ defaultControl: 'MANAGED' }), real.admin.headers).post('/ventures', { name: 'Acme' }),
  ]
  for (const { status, problem } of refused) assert.deepEqual([status, problem?.code], [409, 'four_eyes_off'])
  assert.deepEqual([await real.count('ventures'), (await real.admin.get(`/ventures/${open.id}`)).body.control], [before, 'OPEN'])
  // With four-eyes approval; in the sandbox, without.
  const together = new Caller(await real.openInstance({ fourEyes: true }), real.admin.headers)
  const { status, body } = await together.post('/ventures', { name: 'Acme', control: 'MANAGED' })
  assert.deepEqual([status, body.control], [201, 'MANAGED'])
  // A MANAGED venture may become OPEN and may be renamed.
  assert.equal((await real.admin.put(`/ventures/${body.id}`, { name: 'Acme Europe' })).status, 200)
  assert.equal((await real.admin.put(`/ventures/${body.id}`, { control: 'OPEN' })).body.control, 'OPEN')
})

test('control changes with one event, and what is made afterwards follows it', async () => {
  const venture = await bank.registerVenture()
  const { status, body } = await change(venture.venture.id, 'MANAGED')
  assert.deepEqual([status, body.control], [200, 'MANAGED'])
  const ofVenture = async () => (await bank.eventTypes(venture)).filter((type) => type.startsWith('venture.'))
  assert.deepEqual(await ofVenture(), ['venture.updated'])
  await change(venture.venture.id, 'MANAGED')
  assert.equal((await ofVenture()).length, 1)
  assert.equal((await venture.post('/clients/person', somePerson({ kyc_level: 'NOT_REQUIRED' }))).problem.code, 'reserved_to_bank')
  await change(venture.venture.id, 'OPEN')
  await venture.openAccount()
  assert.deepEqual(await copies(venture.venture.id), [false])
})

test('an account and a transfer have the control of their venture', async () => {
  const managed = await ManagedVenture.open(bank)
  const account = await managed.openAccount({ balance: '10.00' })
  assert.deepEqual(await copies(managed.venture.id), [true, true])
  const beneficiary = await managed.addBeneficiary(account.client_id)
  const paid = await managed.createTransfer({ account_id: account.id, beneficiary_id: beneficiary.id, debit_amount: '1.00' })
  assert.equal('managed' in paid, false)
  assert.deepEqual(await copies(managed.venture.id), [true, true, true])
})

test('control stays once the venture has a client, and nothing is changed', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED' })
  const stays = async () => {
    const { status, problem } = await change(venture.venture.id, 'MANAGED')
    assert.deepEqual([status, problem?.code], [409, 'venture_has_books'])
    assert.equal((await venture.get('/venture')).body.control, 'OPEN')
  }
  await stays()
  const account = await venture.openAccount({ client_id: client['id'] })
  await stays()
  await venture.createTransfer({ account_id: account.id, direction: 'INBOUND', credit_amount: '1.00' })
  await stays()
  assert.deepEqual(await copies(venture.venture.id), [false, false])
  assert.equal((await bank.admin.put(`/ventures/${venture.venture.id}`, { name: 'Renamed', control: 'OPEN' })).status, 200)
  const managed = await ManagedVenture.open(bank)
  await managed.registerClient()
  assert.equal((await change(managed.venture.id, 'OPEN')).problem.code, 'venture_has_books')
})

test('control stays once the venture has an entry', async () => {
  const venture = await bank.registerVenture()
  await bank.owner.query('begin')
  await turnTriggersOff(bank.owner)
  await bank.owner.query(
    `insert into entries (venture_id, id, journal_id, cause_kind, cause_id, system_account, currency, amount, created_at)
     values ($1, $2, $2, 'transfer', $2, 'fees:EUR', 'EUR', 1, now()), ($1, $3, $2, 'transfer', $2, 'fx:EUR', 'EUR', -1, now())`,
    [venture.venture.id, randomUUID(), randomUUID()],
  )
  await bank.owner.query('commit')
  assert.equal((await change(venture.venture.id, 'MANAGED')).problem.code, 'venture_has_books')
  await bank.owner.query('begin')
  await turnTriggersOff(bank.owner)
  await bank.owner.query('delete from entries where venture_id = $1', [venture.venture.id])
  await bank.owner.query('commit')
})

test('a client registered while the control changes keeps it or is registered under the new one', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 12; round++) {
    const venture = await bank.registerVenture()
    const other = new VentureCaller(await bank.openInstance(), venture.venture)
    const person = () => somePerson({ kyc_level: 'NOT_REQUIRED' })
    const [changed, ...registered] = await Promise.all([
      change(venture.venture.id, 'MANAGED'),
      venture.post('/clients/person', person()),
      other.post('/clients/person', person()),
    ])
    assert.ok([200, 409].includes(changed.status), changed.text)
    const { control } = (await venture.get('/venture')).body
    assert.equal(control, changed.status === 200 ? 'MANAGED' : 'OPEN')
    for (const { status, problem, text } of registered) {
      const outcome = status === 201 ? 'registered' : problem?.code
      assert.ok((control === 'OPEN' ? ['registered'] : ['reserved_to_bank', 'resource_changed']).includes(outcome), text)
      seen.add(outcome)
    }
  }
  assert.ok(seen.size > 0)
  const broken = (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0)
  assert.deepEqual(broken, [])
})

test('a registration that waits for the change of control is not of the old one', async () => {
  const venture = await bank.registerVenture()
  const { id } = venture.venture
  await bank.owner.query('begin')
  if (wantsCluster()) {
    await bank.owner.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
    await bank.owner.query('select pg_advisory_xact_lock(hashtextextended($1, 2))', [id])
  } else await bank.owner.query('select from ventures where id = $1 for update', [id])
  const registering = venture.post('/clients/person', somePerson({ kyc_level: 'NOT_REQUIRED' }))
  assert.equal(await untilBlocked(bank.owner, registering), true)
  await bank.owner.query(`update ventures set control = 'MANAGED' where id = $1`, [id])
  await bank.owner.query('commit')
  assert.equal((await registering).problem?.code, 'resource_changed')
  assert.equal((await venture.get('/clients')).body.length, 0)
  // Sent again, it is refused like any request of a venture that the bank processes for.
  assert.equal((await venture.post('/clients/person', somePerson({ kyc_level: 'NOT_REQUIRED' }))).problem.code, 'reserved_to_bank')
})

test('a create that waits for the change of control is of the new one', async () => {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount()
  // The change has locked the account and has not ended.
  await bank.owner.query('begin')
  // On a cluster, tables that are on every server are changed over the connections that the other statements use.
  if (wantsCluster()) await bank.owner.query(`set local citus.multi_shard_modify_mode = 'sequential'`)
  await lockRow(bank.owner, 'accounts', account.id, 'no key update')
  const create = venture.post('/transfers', {
    account_id: account.id,
    direction: 'INBOUND',
    credit_amount: '1.00',
    unique_reference: randomUUID(),
  })
  await bank.owner.query('update accounts set managed = true where id = $1', [account.id])
  await bank.owner.query(`update ventures set control = 'MANAGED' where id = $1`, [venture.venture.id])
  await bank.owner.query('commit')
  assert.equal((await create).problem.code, 'reserved_to_bank')
  assert.deepEqual(await copies(venture.venture.id), [true])
})

test('what two people have approved enables a venture and changes its control', async () => {
  const { ventures } = openServices({ config: bank.config, database: bank.database, log: createLog('silent') })
  const venture = await bank.registerVenture()
  const id = venture.venture.id
  await bank.admin.put(`/ventures/${id}`, { status: 'DISABLED' })
  const handlers = Object.fromEntries(ventureApprovals(ventures).map((handler) => [handler.action, handler]))
  const approval = (payload: object, sequence: number) => ({ venture_id: id, resource_id: id, sequence, payload })
  const by = { actor: operator, companions: undefined }
  assert.equal((await handlers['enable-venture']?.carryOut(approval({}, 1), by))?.id, id)
  assert.equal((await venture.get('/venture')).body.status, 'ACTIVE')
  const change = handlers['change-control']
  assert.ok(change)
  await assert.rejects(change.carryOut(approval({ control: 'MANAGED' }, 1), by), { code: 'resource_changed' })
  await change.carryOut(approval({ control: 'MANAGED' }, 2), by)
  assert.equal((await venture.get('/venture')).body.control, 'MANAGED')
})
