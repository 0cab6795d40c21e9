// Every route, with every kind of key, and with own, foreign, random and malformed ids wherever it takes one. A request that is refused
// with one change succeeds at the end without it, which proves that the change was the reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { alone, changes } from '../../platform/http/access.ts'
import type { Route } from '../../platform/http/http.ts'
import { Id } from '../../platform/http/schemas.ts'
import { type Answer, type Caller, openBank } from '../../testing/testing.ts'
import { Case, type World } from './matrix.cases.ts'
import { Fixtures } from './matrix.fixtures.ts'
import { type KeyHolder, openKeys, opens } from './matrix.keys.ts'
import { nameOf } from './matrix.names.ts'
import type { Parts } from './matrix.parts.ts'
import { besides, changed, complete, faultsOf, fieldsOf, malformedLike, randomLike, valueIn, withRandom } from './matrix.requests.ts'
import { rowOf } from './matrix.rows.ts'
import { openWatch } from './matrix.watch.ts'

// With a log that is off, a filter that finds nothing would be refused.
const bank = await openBank({ requestLog: true })
// Payments and verifications reach the sandbox's gateway and verifier over HTTP.
await bank.listen()
const own = await Fixtures.open(bank)
const foreign = await Fixtures.open(bank)
// Foreign rows now lie between own ones, so that a cursor there has rows before and after it.
await own.make()
await bank.othersEnded()
const keys = await openKeys(bank)
const looked = { routes: 0, own: 0, keys: 0, pairs: 0, malformed: 0, labels: 0, claims: 0, cursors: 0, filters: 0, anybodys: 0 }
const world: World = { bank, own, foreign, watch: await openWatch(bank), looked }

async function tryKeys(it: Case, parts: Parts, theirs: Parts): Promise<void> {
  const { door } = it.row
  const entry = it.route.config?.access ?? { door }
  const isForVentures = door === 'venture' || door === 'verifier'
  const another: KeyHolder = { caller: (isForVentures ? theirs.caller : undefined) ?? foreign.caller, as: 'venture' }
  const all = Object.entries({ ...keys, "another venture's key": another })
  await it.untouched(own, async () => {
    for (const [name, { caller, as }] of all.filter(([, holder]) => !opens(entry, holder))) {
      const { status, problem } = await it.sendBy(caller, parts)
      assert.deepEqual([status, problem?.code], as === 'nobody' ? [401, 'unauthorized'] : [403, 'forbidden'], name)
      looked.keys++
    }
    if (isForVentures) await tryOtherVenture(it, parts, theirs)
  })
  if (isForVentures) await tryDeadKeys(it, parts)
  for (const [name, { caller }] of all.filter(([, holder]) => opens(entry, holder) && !(isForVentures && holder.as === 'venture'))) {
    if (it.row.byPerson) {
      const { status, problem } = await it.sendBy(caller, await it.requestOf(own))
      assert.deepEqual([status, problem?.code], [403, 'person_needed'], name)
      continue
    }
    it.assertWorked(await it.sendBy(caller, await it.requestOf(own)), `a right request with ${name}`)
    looked.keys++
  }
}

/** A revoked key does not even give access to its own venture. */
async function tryDeadKeys(it: Case, parts: Parts): Promise<void> {
  const refuses = async (caller: Caller, why: string) => {
    await it.untouched(own, async () => assert.equal((await it.sendBy(caller, parts)).status, 401, why))
    looked.keys++
  }
  await refuses(own.former, "the venture's former key")
  await own.whileDisabled(() => refuses(own.caller, 'the key of a venture that is disabled'))
}

/** Another venture's key is valid, so it gets a response: ids as if they did not exist, otherwise its own data. */
async function tryOtherVenture(it: Case, parts: Parts, theirs: Parts): Promise<void> {
  looked.keys++
  const caller = theirs.caller ?? foreign.caller
  const ids = it.ofKind('theirs', parts)
  if (ids.length > 0) {
    return it.assertAlike(
      await it.sendBy(caller, parts),
      await it.sendBy(caller, withRandom(parts, ids)),
      "an id with another venture's key",
    )
  }
  const answer = await it.sendBy(caller, theirs)
  it.assertWorked(answer, "another venture's own request")
  it.assertNothingOf(own, answer)
}

/** One by one, in either case of letters, and all together, because foreign resources have foreign sub-resources. */
async function tryTheirs(it: Case, parts: Parts, theirs: Parts): Promise<void> {
  const ids = it.ofKind('theirs', parts)
  for (const field of ids) {
    const value = String(valueIn(theirs, field))
    const nobodys = String(randomLike(value))
    for (const spell of [(id: string) => id, (id: string) => id.toUpperCase()]) {
      const asTheirs = await it.send(changed(parts, field, spell(value)))
      it.assertAlike(asTheirs, await it.send(changed(parts, field, spell(nobodys))), `a foreign ${field.name} in the ${field.place}`)
    }
  }
  if (ids.length < 2) return
  const all = ids.reduce((sum, field) => changed(sum, field, valueIn(theirs, field)), parts)
  it.assertAlike(await it.send(all), await it.send(withRandom(parts, ids)), `a foreign ${ids.map(({ name }) => name).join(' with its ')}`)
}

/** Each venture may use the same name for something else: it is accepted like any other name. */
async function tryLabels(it: Case, theirs: Parts): Promise<void> {
  for (const field of it.ofKind('label', theirs)) {
    const answers: Answer[] = []
    for (const value of [valueIn(theirs, field), randomLike(valueIn(theirs, field))]) {
      const answer = await it.send(changed(await it.requestOf(own), field, value))
      it.assertWorked(answer, `${field.name} ${value}`)
      if (it.row.door === 'venture') it.assertNothingOf(foreign, answer)
      answers.push(answer)
    }
    const [asTheirs, asAny] = answers.map(({ status, body }) => [status, Object.keys(body)])
    assert.deepEqual(asTheirs, asAny, `a foreign ${field.name} is answered differently than a random one`)
    looked.labels++
  }
}

/** A taken name is refused without revealing who has it. */
async function tryClaims(it: Case, parts: Parts): Promise<void> {
  for (const field of it.ofKind('claimed', parts)) {
    const takenBy = ({ ids }: Fixtures) => changed(parts, field, (ids as Record<string, string>)[field.name])
    it.assertRefused(await it.send(takenBy(own)), `an own ${field.name} that is taken`)
    const answer = await it.send(takenBy(foreign))
    it.assertRefused(answer, `a foreign ${field.name} that is taken`)
    it.assertNothingOf(foreign, answer)
    looked.claims++
  }
}

/** A cursor is a position, so an unknown id shows the same as the foreign one right next to it. */
async function tryCursor(it: Case, parts: Parts, theirs: Parts): Promise<void> {
  const field = it.query
  if (field?.kind !== 'cursor') return
  const { body: list } = await it.send(parts)
  assert.ok(list.length >= 2, 'the list is too short to continue after its first row')
  assert.deepEqual((await it.send(changed(parts, field, list[0].id))).body[0], list[1])
  looked.cursors++
  if (it.row.door !== 'venture') return
  const [{ id }] = (await it.send(theirs, foreign)).body
  const answer = await it.send(changed(parts, field, id))
  it.assertSameBytes(
    answer,
    await it.send(changed(parts, field, besides(id))),
    'a foreign cursor is answered differently than its neighbour',
  )
  it.assertNothingOf(foreign, answer)
}

/** A list over all ventures is empty for an unknown id. */
async function tryFilter(it: Case, parts: Parts): Promise<void> {
  const field = it.query
  if (field?.kind !== 'filter') return
  assert.ok((await it.send(parts)).body.length > 0, `the list by ${field.name} is empty`)
  assert.deepEqual((await it.send(withRandom(parts, [field]))).body, [])
  looked.filters++
}

/** Anyone with access who has the id may use it; ids cannot be guessed. */
async function tryAnybodys(it: Case, parts: Parts): Promise<void> {
  for (const field of it.ofKind('anybodys', parts)) {
    it.assertWorked(await it.send(await it.requestOf(foreign), foreign), `the ${field.name} of any venture`)
    it.assertRefused(await it.send(withRandom(parts, [field])), `a random ${field.name}`)
    looked.anybodys++
  }
}

/** A schema refuses it by name. Without a schema, as on pages, it is an unknown id. */
async function tryMalformed(it: Case, parts: Parts): Promise<void> {
  for (const field of it.fieldsIn(parts)) {
    for (const malformed of malformedLike(field, valueIn(parts, field) ?? own.ids.event_id)) {
      const answer = await it.send(changed(parts, field, malformed))
      const why = `${field.name} ${JSON.stringify(malformed)} in the ${field.place}`
      looked.malformed++
      if (field.schema !== undefined) {
        const { code, errors = [] } = answer.problem ?? {}
        const named = errors.map((error: { field: string }) => error.field)
        assert.deepEqual([answer.status, code, named], [400, 'invalid_request', [field.name]], `${why}: ${answer.text}`)
      } else if (field.kind === 'label' || field.kind === 'claimed') {
        it.assertRefused(answer, why)
      } else {
        it.assertSameBytes(answer, await it.send(withRandom(parts, [field])), `${why} is answered differently than a random one`)
      }
    }
  }
}

async function lookAt(it: Case): Promise<void> {
  const parts = await it.requestOf(own)
  const theirs = await it.requestOf(foreign)
  if (it.query === undefined) await tryKeys(it, parts, theirs)
  await it.untouched(foreign, async () => {
    await tryMalformed(it, parts)
    await tryTheirs(it, parts, theirs)
    await tryClaims(it, parts)
    await tryLabels(it, theirs)
    await tryCursor(it, parts, theirs)
    await tryFilter(it, parts)
  })
  await tryAnybodys(it, parts)
  const answer = await it.send(parts)
  it.assertWorked(answer, 'the valid request')
  if (it.query !== undefined) assert.ok(answer.body.length > 0, `the list by ${it.query.name} is empty`)
  if (it.row.door === 'venture') it.assertNothingOf(foreign, answer)
  looked.own++
}

test('every special row has a route, and rows reach every id', () => {
  assert.deepEqual(faultsOf(bank.app.routeTable), [])
})

test('a row without a route, an id out of reach, one without a fixture and what only the caller knows are all reported', async () => {
  const gadgets = Type.Array(Type.Object({ part_id: Type.String() }))
  const body = Type.Object({ gadget_id: Type.String(), gadgets, owners: Type.Array(Id) })
  const config = { access: changes('transfers', alone('It moves nothing.')), example: { body: { secret: 'x' }, own: ['secret'] } }
  const route: Route = {
    method: 'POST',
    url: '/gadgets',
    key: 'venture',
    creates: false,
    bodyLimit_bytes: 65_536,
    schema: { body },
    config,
  }
  const faults = faultsOf([route])
  assert.ok(faults.includes('GET /pay/* is a row without a route: remove it from matrix.special.ts'))
  assert.deepEqual(faults.slice(-2), [
    'POST /gadgets takes the id part_id inside its body: extend matrix.requests.ts to reach it',
    'POST /gadgets takes the id owners inside its body: extend matrix.requests.ts to reach it',
  ])
  const completed = complete(route, rowOf(route), () => ({}), own)
  await assert.rejects(completed, /POST \/gadgets takes the id gadget_id in its body, and nothing gives one: let the trial/)
  const [make = () => ({})] = rowOf(route).makers
  await assert.rejects(async () => make(own), /only the caller knows secret: let the trial of the route make it/)
})

for (const route of bank.app.routeTable) {
  const row = rowOf(route)
  test(nameOf(route), async () => {
    looked.routes++
    const filters = fieldsOf(route, row, {}).filter(({ place }) => place === 'query')
    for (const make of row.makers) {
      for (const query of [undefined, ...filters]) await lookAt(new Case(world, route, { row, make, query }))
    }
  })
}

test('the matrix has checked as much as it should', (t) => {
  t.diagnostic(`looked at: ${JSON.stringify(looked)}`)
  const least = { own: 105, keys: 1_050, pairs: 160, malformed: 350, labels: 12, claims: 2, cursors: 15, filters: 7, anybodys: 18 }
  assert.equal(looked.routes, bank.app.routeTable.length)
  for (const [what, count] of Object.entries(least)) {
    assert.ok(looked[what as keyof typeof least] >= count, `${what}: looked at fewer than ${count}: ${JSON.stringify(looked)}`)
  }
})
