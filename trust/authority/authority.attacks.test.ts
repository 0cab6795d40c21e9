// npm run authority:attacks: everybody at the bank alone, the admin key, people who are related, and a key that the bank has seen try to bring a client's money out of the bank, by every
// operation that the bank's side may call. The operations come from the tables of the service, so a new one is tried without anybody remembering it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Parts } from '../../server/src/guards/matrix/matrix.parts.ts'
import { complete, optionsOf } from '../../server/src/guards/matrix/matrix.requests.ts'
import { rowOf } from '../../server/src/guards/matrix/matrix.rows.ts'
import type { Route } from '../../server/src/platform/http/http.ts'
import type { Answer } from '../../server/src/testing/testing.ts'
import { gains, pictureOf } from './authority.gains.ts'
import { temptations } from './authority.temptations.ts'
import { type Attacker, openWorld } from './authority.world.ts'

/** How long to run; one round of everything if unset. */
const minutes = Number(process.env['ATTACK_MINUTES'] ?? 0)

const world = await openWorld()
const { bank, fixtures, ids, ventures } = world
const tried = { requests: 0, refused: 0, asked: 0, done: 0 }

/** Everything that changes something and that people of the bank may call. */
const ofBank = bank.services.operations.list().filter(([, { access }]) => access.authority !== undefined)
const routes = new Map(bank.app.routeTable.map((route) => [route.schema.operationId ?? '', route]))

/** The requests from the table of routes, with the data of the world's client, and the insider's own attempts. */
async function* requestsOf(operation: string, route: Route): AsyncGenerator<Parts> {
  const row = rowOf(route)
  const mine = { ids: { ...fixtures.ids, ...ids }, label: fixtures.label, number: fixtures.number } as unknown as typeof fixtures
  for (const make of row.makers) {
    const parts = await make(fixtures)
    yield complete(route, row, async () => parts, mine)
    yield complete(route, row, async () => parts, fixtures)
  }
  for (const parts of temptations[operation]?.(ids) ?? []) yield complete(route, row, async () => parts, mine)
}

/** Sends the request, and lets the partner approve it if it needs a second person. */
async function attack({ caller, partner }: Attacker, route: Route, parts: Parts): Promise<Answer> {
  const { headers: _, caller: _theirs, ...own } = parts
  const answer = await caller.send(optionsOf(bank, route, own))
  tried.requests++
  if (answer.status >= 400) tried.refused++
  else if (answer.status === 202 && answer.body?.payload_hash !== undefined) {
    tried.asked++
    for (const one of [caller, partner]) await one.post(`/operator/approvals/${answer.body.id}/approve`)
    // Open requests are limited, and this one has been tried.
    await bank.owner.query("update approvals set state = 'EXPIRED' where id = $1 and state = 'PENDING'", [answer.body.id])
  } else tried.done++
  return answer
}

async function attackBy(attacker: Attacker): Promise<string[]> {
  const found: string[] = []
  for (const [operation, { access }] of ofBank) {
    if (access.authority?.[0] === 'sandbox') continue
    const route = routes.get(operation)
    assert.ok(route, `${operation} has no route`)
    for await (const parts of requestsOf(operation, route)) {
      const before = await pictureOf(bank, ventures)
      const { status, text } = await attack(attacker, route, parts)
      if (status >= 500) found.push(`${attacker.name} by ${operation}: ${text}`)
      if (status < 400) await world.settle()
      const gained = gains(before, await pictureOf(bank, ventures)).filter(
        (gain) => attacker.has === undefined || !gain.startsWith(attacker.has),
      )
      found.push(...gained.map((gain) => `${attacker.name} by ${operation} ${JSON.stringify(parts.body ?? {}).slice(0, 120)}: ${gain}`))
    }
  }
  return found
}

for (const attacker of world.attackers) {
  test(`${attacker.name}: nothing of a client leaves the bank, nor becomes able to`, async () => {
    assert.deepEqual(await attackBy(attacker), [])
  })
}

test('those who may do more together than alone can do it: the attacks would find a gain', async () => {
  const operations = ofBank.filter(([, { access }]) => access.bank?.includes('admin'))
  const names = ofBank.map(([operation]) => operation)
  for (const operation of Object.keys(temptations)) assert.ok(names.includes(operation), `${operation} is no operation of the bank`)
  assert.ok(operations.length > 60, String(operations.length))
  assert.ok(tried.asked > 20 && tried.refused > 500 && tried.done > 20, JSON.stringify(tried))
})

test('for as long as is asked for, nothing is gained', { skip: minutes === 0 && 'ATTACK_MINUTES is not set' }, async () => {
  const until = Date.now() + minutes * 60_000
  for (let round = 0; Date.now() < until; round++) {
    const attacker = world.attackers[round % world.attackers.length] as Attacker
    assert.deepEqual(await attackBy(attacker), [])
  }
  console.log(JSON.stringify(tried))
})
