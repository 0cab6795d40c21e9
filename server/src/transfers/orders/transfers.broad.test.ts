// Slow lists: a slow function stands in for millions of transfers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findTestServer, notOnCluster, urlOf } from '../../testing/testing.server.ts'
import { fillTransfers, type Payer } from '../../testing/testing.transfers.ts'
import { openBank, VentureCaller } from '../../testing/testing.ts'

const bank = await openBank()
const searching = await bank.registerVenture()
const other = await bank.registerVenture()
const accounts: Payer[] = []
for (let number = 0; number < 4; number++) {
  const account = await searching.openAccount()
  const beneficiary = await searching.addBeneficiary(account.client_id)
  accounts.push({ venture_id: searching.venture.id, account_id: account.id, beneficiary_id: beneficiary.id })
}
const { rows: current } = await bank.owner.query('select current_database() as name')
await fillTransfers(urlOf(findTestServer().ownerUrl, current[0].name), accounts, 8_000)
// One millisecond for each transfer that a search looks at.
await bank.owner.query(`
  create or replace function transfer_words(unique_reference text, purpose text, cr_name text, dr_name text) returns text
    language plpgsql immutable parallel safe as $$ begin perform pg_sleep(0.001); return unique_reference; end $$`)

/** An instance that allows a list five seconds, and each of its statements one. */
const app = await bank.openInstance({ databaseWait_ms: 5_000 })
const hasty = new VentureCaller(app, searching.venture)
const neighbour = new VentureCaller(app, other.venture)
// On a busy machine a connection may take too long to open. Both ventures at once open both connections for lists.
for (const caller of [hasty, neighbour, hasty, neighbour]) while ((await caller.get('/transfers?limit=1')).status !== 200);
const [first] = accounts

test('a list that would take too long is refused, with a remedy', async () => {
  for (const [query, parameters] of [
    ['search=zz&direction=INBOUND&limit=7', ['direction', 'search']],
    ['search=zz&offset=20', ['offset', 'search']],
  ] as const) {
    const { status, problem } = await hasty.get(`/transfers?${query}`)
    assert.deepEqual([status, problem?.code, problem?.parameters?.toSorted()], [422, 'query_too_broad', parameters])
    assert.match(problem.detail, /date_from.*three letters.*offset/)
  }
})

test("an account's own list is completed, however long it takes", async () => {
  const { status, body, text } = await hasty.get(`/accounts/${first?.account_id}/transfers?search=zz`)
  assert.equal(status, 200, text)
  assert.deepEqual(body, [])
  const found = await hasty.get(`/accounts/${first?.account_id}/transfers?search=-7&offset=3`)
  const { rows } = await bank.owner.query(
    `select id from transfers where account_id = $1 and unique_reference like '%-7%' order by id desc limit 50 offset 3`,
    [first?.account_id],
  )
  assert.deepEqual(
    found.body.map(({ id }: { id: string }) => id),
    rows.map(({ id }) => id),
  )
})

test('searches of one venture that take all of its time leave the lists, gets and creates of another alone', async () => {
  const account = await neighbour.openAccount({ balance: '100.00' })
  const { id: beneficiary_id } = await neighbour.addBeneficiary(account.client_id)
  let isOver = false
  const outcomes = new Set<string>()
  // Each search is different, because callers who wait for the same list share one read.
  const search = async (_: unknown, number: number) => {
    while (!isOver) {
      const { status, problem, headers } = await hasty.get(`/transfers?search=zz&limit=${number + 1}`)
      outcomes.add(`${status} ${problem?.code} ${headers['retry-after']}`)
      await sleep(50)
    }
  }
  const searches = Array.from({ length: 80 }, search)
  for (let n = 0; n < 5; n++) {
    const order = { account_id: account.id, beneficiary_id, unique_reference: `beside-${n}`, debit_amount: '1.00' }
    const created = await neighbour.post('/transfers', order)
    assert.equal(created.status, 201, created.text)
    assert.equal((await neighbour.get(`/transfers/${created.body.id}`)).status, 200)
    const listed = await neighbour.get(`/transfers?search=beside-${n}`)
    assert.deepEqual([listed.status, listed.body?.length], [200, 1], listed.text)
  }
  isOver = true
  await Promise.all(searches)
  // One runs until it times out, sixty-four wait, and the others are refused at once.
  assert.deepEqual([...outcomes].toSorted(), ['422 query_too_broad undefined', '429 too_many_lists 1'])
})

test('a follower of events whose filter takes too long is told so', { skip: notOnCluster('views') }, async () => {
  await bank.owner.query(`
    create function slow_type(text) returns text language plpgsql stable as $$ begin perform pg_sleep(0.6); return $1; end $$;
    alter table events rename to stored_events;
    create view events as select venture_id, id, slow_type(type) as type, resource_id, sequence, timestamp, data, era, xid, actor, actor_id from stored_events;
    grant select on events to vostro_service`)
  const { status, problem } = await hasty.get('/events?since=start&type=transfer.created')
  assert.deepEqual([status, problem?.code, problem?.parameters], [422, 'query_too_broad', ['since', 'type']])
})
