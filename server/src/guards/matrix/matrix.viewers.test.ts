// People who may only read cannot change anything: they send every changing request exactly as permitted callers do, and nothing is stored. And actions of
// the bank's people for a venture do not reveal to the venture who they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBanker, openMember } from '../../testing/testing.sessions.ts'
import { type Caller, openBank } from '../../testing/testing.ts'
import { Fixtures } from './matrix.fixtures.ts'
import { nameOf } from './matrix.names.ts'
import { complete, hasWorked, optionsOf } from './matrix.requests.ts'
import { rowOf } from './matrix.rows.ts'
import { openWatch } from './matrix.watch.ts'

const bank = await openBank()
// Payments and verifications reach the sandbox's gateway and verifier over HTTP.
await bank.listen()
const own = await Fixtures.open(bank)
const { id: venture_id } = own.caller.venture
const watch = await openWatch(bank)

const routes = bank.app.routeTable.filter(({ url }) => url.startsWith('/api/v1/'))
const changing = routes.filter(({ method, key }) => method !== 'GET' && ['venture', 'operator', 'verifier', 'monitor'].includes(key))

test('viewers and auditors send every changing request as it is right, and it changes nothing', async (t) => {
  const callers: Record<string, Caller> = {
    'a viewer of the venture': await openMember(bank, venture_id, 'viewer'),
    'an auditor of the bank': (await openBanker(bank, 'auditor')).actingFor(venture_id),
  }
  let refused = 0
  for (const route of changing) {
    const row = rowOf(route)
    for (const make of row.makers) {
      const options = optionsOf(bank, route, await complete(route, row, make, own))
      const before = await watch.position()
      for (const [name, caller] of Object.entries(callers)) {
        const { status, problem } = await caller.send(options)
        assert.deepEqual([status, problem?.code], [403, 'forbidden'], `${name}: ${nameOf(route)}`)
        refused++
      }
      assert.deepEqual(await watch.changesSince(before, own), [], nameOf(route))
    }
  }
  t.diagnostic(`${refused} requests for ${changing.length} routes`)
  assert.ok(changing.length >= 75, `only ${changing.length} routes`)
})

test('a venture never learns who of the bank has acted for it, whatever it asks', async (t) => {
  const banker = await openBanker(bank, 'admin')
  const { body: session } = await banker.get('/session')
  const marks = [banker.id, session.user.email, session.id]
  await bank.owner.query("update users set name = 'Ottilie Unheard' where id = $1", [banker.id])
  marks.push('Ottilie', 'Unheard')
  const forVenture = banker.actingFor(venture_id)
  let done = 0
  for (const route of changing) {
    const row = rowOf(route)
    for (const make of row.makers) {
      const parts = await complete(route, row, make, own)
      // Changes with a key of another venture would not show up in this one.
      if (parts.caller !== undefined) continue
      if (hasWorked(route, row, await forVenture.send(optionsOf(bank, route, parts)))) done++
      await row.settled?.(own)
    }
  }
  await bank.runJobs()
  await bank.runDeliveries()
  let asked = 0
  const admin = await openMember(bank, venture_id, 'admin')
  for (const route of routes.filter(({ method, key }) => method === 'GET' && key === 'venture')) {
    const row = rowOf(route)
    for (const make of row.makers) {
      const parts = await complete(route, row, make, own)
      if (parts.caller !== undefined) continue
      for (const caller of [own.caller, admin]) {
        const { text } = await caller.send(optionsOf(bank, route, parts))
        for (const mark of marks) assert.ok(!text.includes(mark), `${nameOf(route)} shows ${mark}: ${text}`)
        asked++
      }
    }
  }
  t.diagnostic(`${done} changes by people of the bank, ${asked} answers to the venture`)
  assert.ok(done >= 40 && asked >= 80, `${done} changes, ${asked} answers`)
})
