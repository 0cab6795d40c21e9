// A case of the matrix: one valid request of a route, variations of it, and checks of the responses.
import assert from 'node:assert/strict'
import type { Route } from '../../platform/http/http.ts'
import type { Kind } from '../../platform/http/trial.ts'
import type { Answer, Bank, Caller } from '../../testing/testing.ts'
import type { Fixtures } from './matrix.fixtures.ts'
import { relayOf } from './matrix.keys.ts'
import type { Maker, Parts, Row } from './matrix.parts.ts'
import { bytesOf, complete, type Field, fieldsOf, hasWorked, optionsOf, showsNothing, valueIn } from './matrix.requests.ts'
import type { Watch } from './matrix.watch.ts'

/** Two ventures that must not learn of each other, and counters of the checks. */
export type World = {
  bank: Bank
  own: Fixtures
  foreign: Fixtures
  watch: Watch
  looked: Record<'routes' | 'own' | 'keys' | 'pairs' | 'malformed' | 'labels' | 'claims' | 'cursors' | 'filters' | 'anybodys', number>
}

export class Case {
  readonly world: World
  readonly route: Route
  readonly row: Row
  /** The filter or cursor under test; undefined if the case tests the path and the body. */
  readonly query: Field | undefined
  readonly #make: Maker

  constructor(world: World, route: Route, { row, make, query }: { row: Row; make: Maker; query: Field | undefined }) {
    this.world = world
    this.route = route
    this.row = row
    this.query = query
    this.#make = make
  }

  /** A valid request, with a new resource if it uses one up. */
  requestOf(fixtures: Fixtures): Promise<Parts> {
    return complete(this.route, this.row, this.#make, fixtures, this.query)
  }

  /** Without fields that are null in the row: another request of the row covers them. */
  fieldsIn(parts: Parts): Field[] {
    return fieldsOf(this.route, this.row, parts)
      .filter(({ place, name }) => place !== 'query' || name === this.query?.name)
      .filter((field) => valueIn(parts, field) !== null)
  }

  ofKind(kind: Kind, parts: Parts): Field[] {
    return this.fieldsIn(parts).filter((field) => field.kind === kind)
  }

  /** Sends with the key that the route requires; for a venture's route, with the key of the own venture. */
  send(parts: Parts, fixtures: Fixtures = this.world.own): Promise<Answer> {
    return this.sendBy(rightCaller(this.row, parts, fixtures), parts)
  }

  async sendBy(caller: Caller, parts: Parts): Promise<Answer> {
    const answer = await caller.send(optionsOf(this.world.bank, this.route, parts))
    await this.row.settled?.(this.world.own)
    return answer
  }

  assertWorked(answer: Answer, why: string): void {
    assert.ok(hasWorked(this.route, this.row, answer), `${why} does not work: ${answer.status} ${answer.text}`)
  }

  assertRefused(answer: Answer, why: string): void {
    assert.ok(!hasWorked(this.route, this.row, answer), `${why} works: ${answer.status} ${answer.text}`)
  }

  assertSameBytes(one: Answer, other: Answer, why: string): void {
    assert.equal(bytesOf(one, this.row), bytesOf(other, this.row), why)
  }

  /** Another venture's id gets the same response as an unknown one: a refusal or an empty list. */
  assertAlike(theirs: Answer, nobodys: Answer, why: string): void {
    this.assertSameBytes(theirs, nobodys, `${why} is answered differently than a random one`)
    assert.ok(showsNothing(this.route, this.row, theirs), `${why} shows something: ${theirs.text}`)
    this.world.looked.pairs++
  }

  assertNothingOf(fixtures: Fixtures, answer: Answer): void {
    const bytes = bytesOf(answer, this.row)
    for (const [name, id] of Object.entries(fixtures.ids))
      assert.ok(!bytes.includes(id), `the answer has another venture's ${name}: ${bytes}`)
  }

  /** Runs `work`, which must not change any row of the fixtures. */
  async untouched(fixtures: Fixtures, work: () => Promise<void>): Promise<void> {
    const { watch } = this.world
    const before = await watch.position()
    await work()
    assert.deepEqual(await watch.changesSince(before, fixtures), [], 'rows that must not change were changed')
  }
}

/** Who may send the request. */
export function rightCaller({ door, byPerson }: Row, { caller }: Parts, fixtures: Fixtures): Caller {
  if (caller !== undefined) return caller
  const { bank } = fixtures
  switch (door) {
    case 'none':
      return bank.stranger
    case 'operator':
    case 'monitor':
      return byPerson ? fixtures.banker : bank.admin
    case 'relay':
      return relayOf(bank)
    case 'session':
      return fixtures.person
    default:
      return fixtures.caller
  }
}
