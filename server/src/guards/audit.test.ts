// Every change by a person or with the admin key leaves exactly one audit entry, in the transaction of the change, and a refused one leaves none. For a
// venture's key, the declaration of the route decides.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { requireRules } from '../audit/audit.hooks.ts'
import type { Route } from '../platform/http/http.ts'
import { bankId } from '../platform/idempotency/idempotency.ts'
import { openBanker, PersonCaller, signIn } from '../testing/testing.sessions.ts'
import { type Answer, type Caller, openBank, VentureCaller } from '../testing/testing.ts'
import { Fixtures } from './matrix/matrix.fixtures.ts'
import { nameOf } from './matrix/matrix.names.ts'
import type { Parts, Row } from './matrix/matrix.parts.ts'
import { complete, fieldsOf, hasWorked, optionsOf, withRandom } from './matrix/matrix.requests.ts'
import { rowOf } from './matrix/matrix.rows.ts'

const bank = await openBank()
// Payments and verifications reach the sandbox's gateway and verifier over HTTP.
await bank.listen()
// A person whom the admin key adds later may not approve the requests of those who were there.
const banker = await openBanker(bank, 'admin')
const own = await Fixtures.open(bank)

const { venture_id } = own.ids
const forVenture = await signIn(bank, banker.person, venture_id)
const ofBank = new Set([banker.id, own.banker.id, (await own.bankAdmin()).id])

const changing = bank.app.routeTable.filter(({ method, key }) => method !== 'GET' && key !== 'none' && key !== 'relay')

/** Operations that no person can carry out. */
const onlyWithKey = new Set(['rotateOwnKey', 'receiveKycEvent'])

/** Operations that work only while the bank has no admin. */
const onlyBeforeAdmins = 'makeSetUpLink'

type Logged = { action: string; actor: string; actor_id: string | null; venture_id: string; resource: string | null; fields: string[] }

/** The audit entries that `work` has written. */
async function logged(work: () => Promise<Answer>): Promise<{ answer: Answer; entries: (Logged & { request_id: string })[] }> {
  const { rows: before } = await bank.owner.query('select id from audit_log')
  const answer = await work()
  const known = before.map(({ id }) => id)
  const { rows: entries } = await bank.owner.query(
    'select action, actor, actor_id, venture_id, resource, fields, request_id from audit_log where id <> all ($1)',
    [known],
  )
  return { answer, entries }
}

function requestOf(route: Route, row: Row): Promise<Parts> {
  const [make] = row.makers
  return complete(route, row, make ?? assert.fail(), own)
}

/** The same request with ids that do not exist, or with a field that does not exist if it has no ids. */
function refusedOf(route: Route, row: Row, parts: Parts): Parts {
  const ids = fieldsOf(route, row, parts).filter(({ place, kind }) => place === 'params' && kind !== 'label')
  if (ids.length > 0) return withRandom(parts, ids)
  if (parts.signed !== undefined) return { ...parts, signed: { ...parts.signed, type: 7 } }
  return { ...parts, body: { ...parts.body, surprise: true } }
}

test('every operation that changes something says when it is audited, and no other does', () => {
  const saying = bank.app.routeTable.filter(({ config }) => config?.audit !== undefined)
  assert.deepEqual(saying.map(nameOf).sort(), changing.map(nameOf).sort())
  const route: Route = {
    method: 'POST',
    url: '/gadgets',
    key: 'venture',
    creates: false,
    bodyLimit_bytes: 65_536,
    schema: { operationId: 'createGadget' },
  }
  assert.throws(() => requireRules([route]), /the routes do not say when to audit createGadget/)
  requireRules([
    { ...route, method: 'GET' },
    { ...route, key: 'none' },
  ])
})

/** The sender of a request: the caller that its row names, or else one that may send it. */
const personFor = ({ config }: Route, { door }: Row, { caller }: Parts): PersonCaller => {
  if (caller instanceof PersonCaller) return caller
  // Some operations are for people of a venture, and not for those of the bank.
  if (config?.access?.bank === undefined && config?.access?.venture !== undefined) return own.person
  return door === 'operator' ? banker : door === 'session' ? own.person : forVenture
}

/** People of the bank are recorded as operators, even when they act for a venture. */
const personActor = ({ id }: PersonCaller) => ({ actor: ofBank.has(id) ? 'operator' : 'user', actor_id: id })

async function keyActor({ headers }: Caller) {
  const { rows } = await bank.owner.query('select id from api_keys where key_hash = $1', [hash('sha256', headers['x-api-key'] ?? '')])
  return { actor: 'venture', actor_id: rows[0].id }
}

async function withoutAdmins(work: () => Promise<void>): Promise<void> {
  const become = (status: string) => bank.owner.query('update users set status = $1 where id = any($2)', [status, [...ofBank]])
  await become('DISABLED')
  await work()
  await become('ACTIVE')
}

for (const route of changing) {
  const operation = route.schema.operationId ?? ''
  const row = rowOf(route)
  const rule = route.config?.audit
  const isForVentures = row.door === 'venture' || row.door === 'verifier'

  async function assertOne(parts: Parts, caller: Caller, actor: Pick<Logged, 'actor' | 'actor_id'>): Promise<void> {
    const { answer, entries } = await logged(() => caller.send(optionsOf(bank, route, parts)))
    assert.ok(hasWorked(route, row, answer), answer.text)
    if (rule === 'never') return assert.deepEqual(entries, [])
    assert.equal(entries.length, 1, `${entries.length} entries`)
    const [{ request_id, ...entry }] = entries as [Logged & { request_id: string }]
    assert.equal(request_id, answer.headers['x-request-id'])
    // A request with many orders has an entry for each transfer; this one has a single order.
    const made = answer.body?.results?.[0]?.transfer ?? answer.body
    const resource = Object.values(parts.params ?? {}).at(-1) ?? made?.id ?? (row.door === 'session' ? actor.actor_id : null)
    const [order] = (parts.body?.['transfers'] ?? []) as object[]
    const fields = Object.keys(order ?? parts.body ?? {})
    // The hash of what was written follows the names.
    const named = entry.fields.filter((field) => !/^sha256:[0-9a-f]{64}$/.test(field))
    const expected = { action: operation, ...actor, venture_id: ventureOf(parts, caller, entry), resource, fields }
    assert.deepEqual({ ...entry, fields: named }, expected)
  }

  function ventureOf({ params }: Parts, caller: Caller, entry: Logged): string {
    if (row.door === 'session') return bankId
    // If the path contains no venture, the resource determines it.
    if (!isForVentures) return params?.['venture_id'] ?? entry.venture_id
    return caller instanceof VentureCaller ? caller.venture.id : venture_id
  }

  test(`${operation}: one entry for a person, and none for a refusal`, async () => {
    const parts = await requestOf(route, row)
    const person = personFor(route, row, parts)
    if (rule !== 'never') {
      const { answer, entries } = await logged(() => person.send(optionsOf(bank, route, refusedOf(route, row, parts))))
      assert.ok(!hasWorked(route, row, answer), answer.text)
      assert.deepEqual(entries, [])
    }
    if (!onlyWithKey.has(operation) && operation !== onlyBeforeAdmins) return assertOne(parts, person, personActor(person))
    const { answer: refused, entries: none } = await logged(() => person.send(optionsOf(bank, route, parts)))
    assert.deepEqual([refused.status, none], [onlyWithKey.has(operation) ? 403 : 409, []])
  })

  if (row.door === 'operator' && !row.byPerson) {
    test(`${operation}: one entry for the admin key`, async () => {
      const parts = await requestOf(route, row)
      const work = () => assertOne(parts, bank.admin, { actor: 'operator', actor_id: null })
      await (operation === onlyBeforeAdmins ? withoutAdmins(work) : work())
    })
  }

  if (isForVentures) {
    test(`${operation}: for a venture's key as the table says`, async () => {
      const parts = await requestOf(route, row)
      const isForPeople = parts.caller instanceof PersonCaller
      const caller = isForPeople ? own.caller : (parts.caller ?? own.caller)
      if (isForPeople) {
        const { answer, entries } = await logged(() => caller.send(optionsOf(bank, route, parts)))
        return assert.deepEqual([answer.status, entries], [403, []])
      }
      if (rule === 'always') return assertOne(parts, caller, await keyActor(caller))
      const { answer, entries } = await logged(() => caller.send(optionsOf(bank, route, parts)))
      assert.ok(hasWorked(route, row, answer), answer.text)
      assert.deepEqual(entries, [])
    })
  }
}

test('what concerns no venture is filed under the bank', async () => {
  const { entries } = await logged(() => bank.admin.post('/ventures', { name: 'Another' }))
  assert.deepEqual(
    entries.map(({ venture_id }) => venture_id),
    [bankId],
  )
})
