// A database of every earlier migration level, with data, is upgraded: its books verify, and the service starts on it and moves money.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../server/src/config.ts'
import { migrate, readMigrations } from '../../server/src/platform/database/migrate.ts'
import { startService } from '../../server/src/service.ts'
import { somePerson } from '../../server/src/testing/testing.people.ts'
import { dumpRows, loadRows } from '../../server/src/testing/testing.rows.ts'
import { createDatabase, findTestServer, urlOf } from '../../server/src/testing/testing.server.ts'
import { makeKey } from '../../server/src/ventures/ventures.keys.ts'
import { reportOf, verifyDatabase } from '../../server/src/verify/verify.ts'
import { fixtureOf, levelsWithFixture, levelsWithoutFixture } from './upgrade.levels.ts'

const server = findTestServer()
const migrations = await readMigrations()

type Opened = { owner: pg.Client; ownerUrl: string; serviceUrl: string; upgrade(level?: number): Promise<void> }

/** An empty database. */
async function openDatabase(): Promise<Opened> {
  const name = `vostro_upgrade_${randomBytes(8).toString('hex')}`
  const creator = new pg.Client({ connectionString: server.ownerUrl })
  await creator.connect()
  await createDatabase(creator, name)
  const [ownerUrl, serviceUrl] = [urlOf(server.ownerUrl, name), urlOf(server.serviceUrl, name)]
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  after(async () => {
    await owner.end()
    await creator.query(`drop database ${name} with (force)`)
    await creator.end()
  })
  const upgrade = (level = migrations.length) => migrate({ ownerUrl, serviceUrl, migrations: migrations.slice(0, level) })
  return { owner, ownerUrl, serviceUrl, upgrade }
}

async function assertVerified(url: string): Promise<void> {
  const findings = await verifyDatabase(url)
  assert.ok(
    findings.every(({ violations }) => violations === 0),
    reportOf(findings),
  )
}

/** Starts the service, and has it pay from an account of the first venture of the fixture, or from a new one. */
async function moveMoney({ ownerUrl, serviceUrl, owner }: Opened): Promise<void> {
  const adminKey = makeKey('admin')
  const service = await startService(
    readConfig({
      DATABASE_URL: serviceUrl,
      MIGRATION_DATABASE_URL: ownerUrl,
      PORT: '0',
      SANDBOX: 'true',
      ADMIN_API_KEY: adminKey,
      LOG_LEVEL: 'silent',
      DATABASE_WAIT_MS: '60000',
    }),
  )
  try {
    const call = async (key: string, method: string, path: string, body?: object) => {
      const headers = { 'x-api-key': key, ...(body && { 'content-type': 'application/json' }) }
      const answer = await fetch(`${service.url}/api/v1${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
      // biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of an answer.
      const answered = (await answer.json()) as any
      assert.ok(answer.ok, `${method} ${path}: ${JSON.stringify(answered)}`)
      return answered
    }
    const { rows } = await owner.query(`select id from ventures where status = 'ACTIVE' order by id limit 1`)
    const { api_key } = await call(adminKey, 'POST', `/ventures/${rows[0].id}/rotate-key`)
    const [used] = (await call(api_key, 'GET', '/accounts?limit=100')).filter(
      ({ status, currency, current_balance }: Record<string, string>) =>
        status === 'ACTIVE' && currency === 'EUR' && Number(current_balance) > 0,
    )
    const open = async () => {
      const client = await call(api_key, 'POST', '/clients/person', somePerson({ kyc_level: 'NOT_REQUIRED' }))
      const order = { client_id: client.id, account_name: 'New', account_type: 'CURRENT', currency: 'EUR' }
      return call(api_key, 'POST', '/accounts', order).then(({ id }) => call(api_key, 'POST', `/accounts/${id}/activate`))
    }
    const account = used ?? (await open())
    await call(api_key, 'POST', `/sandbox/accounts/${account.id}/deposits`, { amount: '50.00' })
    const payee = { client_id: account.client_id, name: 'Mary', beneficiary_type: 'PERSON', iban: 'FR7630006000011234567890189' }
    const { id: beneficiary_id } = await call(api_key, 'POST', '/beneficiaries', payee)
    const order = { account_id: account.id, unique_reference: 'after the upgrade', beneficiary_id, debit_amount: '30.00' }
    const transfer = await call(api_key, 'POST', '/transfers', order)
    const settled = await call(api_key, 'POST', `/sandbox/transfers/${transfer.id}/settle`, { outcome: 'COMPLETED' })
    assert.equal(settled.status, 'COMPLETED')
    const { current_balance } = await call(api_key, 'GET', `/accounts/${account.id}`)
    assert.equal(Number(current_balance), Number(account.current_balance) + 20)
  } finally {
    await service.stop()
  }
}

for (const level of levelsWithFixture()) {
  test(`a database of level ${level} is upgraded, verifies, and serves a transfer`, async () => {
    const opened = await openDatabase()
    await opened.upgrade(level)
    await loadRows(opened.owner, readFileSync(fixtureOf(level), 'utf8'))
    const { rows } = await opened.owner.query('select count(*)::int as count from ventures')
    assert.ok(rows[0].count >= 2)
    await opened.upgrade()
    await assertVerified(opened.serviceUrl)
    await moveMoney(opened)
    await assertVerified(opened.serviceUrl)
  })
}

test('claims that a cluster of an earlier version has left without a transfer are freed, and no others', async () => {
  const level = 37
  const opened = await openDatabase()
  await opened.upgrade(level)
  await loadRows(opened.owner, readFileSync(fixtureOf(level), 'utf8'))
  const claims = async () => (await opened.owner.query('select unique_reference from transfer_references order by 1')).rows
  const before = await claims()
  await opened.owner.query(`update transfer_references set attempt = '7-f00d'`)
  await opened.owner.query(
    `insert into transfer_references (unique_reference, venture_id, transfer_id, attempt)
     select 'leads nowhere', venture_id, gen_random_uuid(), '8-f00d' from transfer_references limit 1`,
  )
  await opened.upgrade()
  assert.notEqual(before.length, 0)
  assert.deepEqual(await claims(), before)
})

test('what was agreed with a managed venture stays, and new ones begin with a check of the payee', async () => {
  const opened = await openDatabase()
  await opened.upgrade(39)
  await opened.owner.query(
    `insert into ventures (id, name, status, control, created_at)
     select gen_random_uuid(), name, 'ACTIVE', split_part(name, ' ', 1), now() from unnest(array['MANAGED', 'MANAGED agreed', 'OPEN']) as name`,
  )
  await opened.owner.query(
    `insert into policies (era, xid, venture_id, version, card_fee, payout_delay_days, rate_hold_s, payee_check, actor, created_at)
     select (select era from event_era), pg_current_xact_id(), id, 1, 0.01, 0, 60, 'require', 'operator', now()
     from ventures where name = 'MANAGED agreed'`,
  )
  await opened.upgrade()
  await assertVerified(opened.serviceUrl)
  const { rows } = await opened.owner.query(
    `select venture.name, policy.version, policy.payee_check, policy.screen_threshold::float8, policy.lists, policy.rules, policy.actor
     from ventures venture left join policies policy on policy.venture_id = venture.id where venture.name <> 'House' order by 1, 2`,
  )
  const kept = { screen_threshold: 0.85, lists: null, rules: [] }
  assert.deepEqual(rows, [
    { name: 'MANAGED', version: 1, payee_check: 'off', ...kept, actor: 'service' },
    { name: 'MANAGED agreed', version: 1, payee_check: 'require', ...kept, actor: 'operator' },
    { name: 'OPEN', version: null, payee_check: null, screen_threshold: null, lists: null, rules: null, actor: null },
  ])
})

test('every migration level but the newest has a fixture, and no fixture is ahead of the migrations', () => {
  const present = levelsWithFixture()
  assert.deepEqual(levelsWithoutFixture(migrations.length, present), [], 'run "npm run fixture" in a checkout of that level')
  assert.ok((present.at(-1) ?? 0) <= migrations.length, 'a fixture has a level that does not exist')
})

test('a level without a fixture is found, unless it is the newest', () => {
  assert.deepEqual(levelsWithoutFixture(4, [1, 2, 3]), [])
  assert.deepEqual(levelsWithoutFixture(4, [1, 2, 3, 4]), [])
  assert.deepEqual(levelsWithoutFixture(4, [1, 3]), [2])
  assert.deepEqual(levelsWithoutFixture(5, [1, 2, 3]), [4])
})

test('a fixture contains rows of every table that its version writes', async () => {
  const newest = levelsWithFixture().at(-1) ?? 0
  const opened = await openDatabase()
  await opened.upgrade(newest)
  await loadRows(opened.owner, readFileSync(fixtureOf(newest), 'utf8'))
  for (const table of [
    'events',
    'entries',
    'transfer_moves',
    'kyc_events',
    'payments',
    'payment_links',
    'webhook_progress',
    'client_emails',
  ]) {
    assert.notEqual((await opened.owner.query(`select from ${table} limit 1`)).rowCount, 0, table)
  }
  // What is dumped again is the same: nothing is lost on the way.
  assert.equal(await dumpRows(opened.owner), readFileSync(fixtureOf(newest), 'utf8'))
})
