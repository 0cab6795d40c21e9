// Moves over HTTP: real moves reach every status of every flow, and from each status every other status is tried.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { queryEvents, shownEvents } from '../../testing/testing.events.ts'
import { type Answer, Caller, openBank, type VentureCaller } from '../../testing/testing.ts'
import { walk } from '../../testing/testing.walks.ts'
import { design, designAfter, designBlock, designMoves, designNext } from './transfers.design.ts'
import type { Kind } from './transfers.flows.ts'
import type { Circumstances, MovingTransfer, Standing } from './transfers.guards.ts'
import type { TransferStatus } from './transfers.status.ts'

const bank = await openBank()

const allStatuses = [...designMoves.keys()] as TransferStatus[]
const ordinary: Circumstances = {
  third_party_status_given: false,
  account_closed: false,
  receiver_closed: false,
  client_blocked: false,
  account_frozen: false,
  signed_on_request: false,
  uncleared: false,
}
const withThirdPartyStatus: Circumstances = { ...ordinary, third_party_status_given: true }
const hasEnded = ({ status }: Standing) => designMoves.get(status) === 'terminal'

// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test check the shape of a response.
type Loose = any

type Fixture = { venture: VentureCaller; account: Loose; receiver: Loose; beneficiary: Loose }

/** A venture with an account and a beneficiary outside the venture or, for book transfers, inside it. */
async function openFixture({ balance, inside = false }: { balance?: string; inside?: boolean } = {}): Promise<Fixture> {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount(balance === undefined ? {} : { balance })
  const receiver = inside ? await venture.openAccount() : undefined
  const beneficiary = await venture.addBeneficiary(account.client_id, inside ? { iban: receiver.account_number } : undefined)
  return { venture, account, receiver, beneficiary }
}

function orderOf({ account, beneficiary }: Fixture, { direction, method, transfer_type }: Kind, cents: number) {
  const amount = (cents / 100).toFixed(2)
  const side = direction === 'OUTBOUND' ? { beneficiary_id: beneficiary.id, debit_amount: amount } : { credit_amount: amount }
  return { account_id: account.id, direction, method, transfer_type, ...side }
}

/** The size of a batch; further commands would wait for the next one. */
const batchSize = 256

/** Processes the items, `size` at a time. Items processed at the same time share batches. */
async function inParallel<Item>(items: readonly Item[], size: number, work: (item: Item, index: number) => Promise<void>): Promise<void> {
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index)
  }
  await Promise.all(Array.from({ length: size }, worker))
}

async function events(id: string): Promise<Loose[]> {
  const { rows } = await queryEvents(
    bank.owner,
    `select type, sequence, data from ${shownEvents} where resource_id = $1 order by sequence`,
    [id],
  )
  return rows
}

async function history(venture: VentureCaller, id: string): Promise<Loose[]> {
  const { status, body, text } = await venture.get(`/transfers/${id}/history`)
  assert.equal(status, 200, text)
  return body
}

/** The balance of every system account of a venture, in cents. */
async function systemCents({ venture }: VentureCaller): Promise<Record<string, number>> {
  const { rows } = await bank.owner.query(
    'select system_account, (sum(amount) * 100)::int as cents from entries where venture_id = $1 and system_account is not null group by 1',
    [venture.id],
  )
  return Object.fromEntries(rows.map(({ system_account, cents }) => [system_account, cents]))
}

// ——— All pairs ———

/** The sums over the transfers of a run, in cents. */
type Sums = { held: number; completed: number; arrived: number; returned: number }

type FlowCase = { kind: Kind; inside?: boolean; system(sums: Sums): Record<string, number> }

const flowCases: Record<string, FlowCase> = {
  sending: {
    kind: { direction: 'OUTBOUND', method: 'SEPA', transfer_type: 'PAYMENT' },
    system: ({ completed }) => ({ 'settlement:SEPA:EUR': completed }),
  },
  receiving: {
    kind: { direction: 'INBOUND', method: 'INST', transfer_type: 'PAYMENT' },
    system: ({ arrived, completed, returned }) => ({
      'settlement:INST:EUR': returned - arrived,
      'suspense:EUR': arrived - completed - returned,
    }),
  },
  book: {
    kind: { direction: 'OUTBOUND', method: 'INTERNAL', transfer_type: 'PAYMENT' },
    inside: true,
    system: () => ({}),
  },
  'book, exempt': {
    kind: { direction: 'OUTBOUND', method: 'SEPA', transfer_type: 'FEE' },
    system: ({ completed }) => ({ 'fees:EUR': completed }),
  },
  'book, exempt credit': {
    kind: { direction: 'INBOUND', method: 'SEPA', transfer_type: 'ADJUSTMENT' },
    system: ({ completed }) => ({ 'adjustments:EUR': -completed }),
  },
  collected: {
    kind: { direction: 'OUTBOUND', method: 'SDD', transfer_type: 'PAYMENT' },
    system: ({ completed }) => ({ 'settlement:SDD:EUR': completed }),
  },
  collecting: {
    kind: { direction: 'INBOUND', method: 'SDD', transfer_type: 'PAYMENT' },
    system: ({ completed }) => ({ 'settlement:SDD:EUR': -completed }),
  },
}

type Move = { to: TransferStatus; needs_third_party_status: boolean }
type Reachable = { standing: MovingTransfer; moves: Move[] }

function newTransfer(kind: Kind): MovingTransfer {
  const facts = { scanned: false, screened: false, held: false, sent: false, received: false }
  return { ...kind, status: 'CREATED', on_hold_from: null, ...facts }
}

/** Every standing reachable from CREATED according to the design's tables, each with a shortest list of moves. */
function reachableFrom(kind: Kind): Reachable[] {
  const start = newTransfer(kind)
  const reachable = new Map<string, Reachable>([[JSON.stringify(start), { standing: start, moves: [] }]])
  // Iterating over a Map includes entries added during the iteration.
  for (const { standing, moves } of reachable.values()) {
    for (const to of allStatuses) {
      if (designBlock(standing, to, withThirdPartyStatus) !== undefined) continue
      const next = { ...kind, ...designAfter(standing, to) }
      const key = JSON.stringify({ ...start, ...next })
      const move = { to, needs_third_party_status: designBlock(standing, to, ordinary) !== undefined }
      if (!reachable.has(key)) reachable.set(key, { standing: next, moves: [...moves, move] })
    }
  }
  return [...reachable.values()]
}

/** One transfer, with its expected standing and its expected history according to the design. */
class Walker {
  readonly fixture: Fixture
  readonly cents: number
  readonly expectedMoves: { from: TransferStatus | null; to: TransferStatus; third_party_status: string | null }[] = []
  standing: MovingTransfer
  shown: Loose

  constructor(fixture: Fixture, kind: Kind, cents: number) {
    this.fixture = fixture
    this.cents = cents
    this.standing = newTransfer(kind)
  }

  get path(): string {
    return `/transfers/${this.shown.id}`
  }

  get about(): string {
    return `${JSON.stringify(this.standing)}, by ${this.expectedMoves.map(({ to }) => to).join(' ')}`
  }

  async createAndWalk(moves: readonly Move[]): Promise<void> {
    this.shown = await this.fixture.venture.createTransfer(orderOf(this.fixture, this.standing, this.cents))
    assert.equal(this.shown.status, 'CREATED')
    this.expectedMoves.push({ from: null, to: 'CREATED', third_party_status: null })
    for (const move of moves) await this.move(move)
  }

  async move({ to, needs_third_party_status }: Move): Promise<void> {
    const answer = await this.send(to, needs_third_party_status)
    assert.equal(answer.status, 200, `to ${to}: ${this.about}: ${answer.text}`)
    const third_party_status = needs_third_party_status ? 'RJCT' : null
    const known = third_party_status ?? this.shown.third_party_status
    const { updated_at } = answer.body
    // The service records when a transfer was signed.
    const signed_at = to === 'SIGNED' ? (this.shown.signed_at ?? updated_at) : this.shown.signed_at
    assert.deepEqual(answer.body, { ...this.shown, status: to, third_party_status: known, signed_at, updated_at })
    this.expectedMoves.push({ from: this.standing.status, to, third_party_status })
    this.standing = { ...this.standing, ...designAfter(this.standing, to) }
    this.shown = answer.body
  }

  send(status: TransferStatus, needs_third_party_status: boolean): Promise<Answer> {
    return this.fixture.venture.put(this.path, needs_third_party_status ? { status, third_party_status: 'RJCT' } : { status })
  }

  async isRefused(to: TransferStatus, circumstances: Circumstances): Promise<void> {
    const code = designBlock(this.standing, to, circumstances)
    const { status, problem } = await this.send(to, circumstances.third_party_status_given)
    const allowed = designNext(this.standing).filter((next) => designBlock(this.standing, next, circumstances) === undefined)
    assert.deepEqual(
      { status, code: problem?.code, current_status: problem?.current_status, allowed: problem?.allowed?.toSorted() },
      { status: 409, code, current_status: this.standing.status, allowed: allowed.toSorted() },
      `to ${to}: ${this.about}`,
    )
  }

  /** Sorted by status. */
  async transitions(): Promise<Loose[]> {
    const { status, body, text } = await this.fixture.venture.get(`${this.path}/transitions`)
    assert.equal(status, 200, text)
    return body.toSorted(byStatus)
  }

  get wasReturned(): boolean {
    const last = this.expectedMoves.at(-1)
    return last?.from === 'TO_RETURN' && last.to === 'REJECTED'
  }
}

/** The expected response of GET …/transitions. */
function transitionsOf(standing: MovingTransfer, circumstances: Circumstances) {
  const withStatus = { ...circumstances, third_party_status_given: true }
  const moves = designNext(standing).map((status) => {
    const block = designBlock(standing, status, circumstances)
    const needs_third_party_status = block !== undefined && designBlock(standing, status, withStatus) === undefined
    return { status, allowed: block === undefined, blocked_by: block ?? null, needs_third_party_status }
  })
  return moves.sort(byStatus)
}

const byStatus = (a: { status: string }, b: { status: string }) => a.status.localeCompare(b.status)

function eventOf({ from, to }: { from: string | null; to: string }): string {
  if (from === null) return 'transfer.created'
  if (to === 'COMPLETED') return 'transfer.completed'
  if (from === 'TO_RETURN' && to === 'REJECTED') return 'transfer.returned'
  return designMoves.get(to) === 'terminal' ? 'transfer.failed' : 'transfer.status_changed'
}

function sumUp(walkers: readonly Walker[]): Sums {
  const sum = (matches: (walker: Walker) => boolean) => walkers.filter(matches).reduce((total, { cents }) => total + cents, 0)
  return {
    held: sum(({ standing }) => standing.held && !hasEnded(standing)),
    completed: sum(({ standing }) => standing.status === 'COMPLETED'),
    arrived: sum(({ standing }) => standing.received),
    returned: sum((walker) => walker.wasReturned),
  }
}

async function listAll(venture: VentureCaller, account_id: string): Promise<Map<string, Loose>> {
  const found = new Map<string, Loose>()
  for (let after = ''; ; ) {
    const { body } = await venture.get(`/accounts/${account_id}/transfers?limit=100${after}`)
    for (const transfer of body) found.set(transfer.id, transfer)
    if (body.length < 100) return found
    after = `&after=${body.at(-1).id}`
  }
}

/** Facts, events and history of the transfers must match the moves that were made. Refused moves must leave no trace. */
async function checkRecords(venture: VentureCaller, walkers: readonly Walker[]): Promise<void> {
  const ids = walkers.map(({ shown }) => shown.id)
  const rowsOf = async (text: string) => {
    const { rows } = await queryEvents(bank.owner, text, [venture.venture.id, ids])
    return Map.groupBy(rows, ({ of }) => of)
  }
  const emitted = await rowsOf(
    `select resource_id as of, type, sequence, data->>'previous_status' as previous, data->'object'->>'status' as status
     from ${shownEvents} where venture_id = $1 and resource_id = any($2) order by sequence`,
  )
  const recorded = await rowsOf(
    `select transfer_id as of, from_status, to_status, actor, third_party_status
     from transfer_moves where venture_id = $1 and transfer_id = any($2) order by id`,
  )
  const facts = await rowsOf(
    `select id as of, status, on_hold_from, scanned, screened, held, sent, received from transfers where venture_id = $1 and id = any($2)`,
  )
  for (const { expectedMoves, standing, shown, about } of walkers) {
    const { direction: _, method: _1, transfer_type: _2, ...kept } = standing
    assert.deepEqual(facts.get(shown.id), [{ of: shown.id, ...kept }], about)
    assert.deepEqual(
      emitted.get(shown.id)?.map(({ type, sequence, previous, status }) => [type, sequence, previous, status]),
      expectedMoves.map((move, index) => [eventOf(move), index + 1, move.from, move.to]),
      about,
    )
    assert.deepEqual(
      recorded
        .get(shown.id)
        ?.map(({ from_status, to_status, actor, third_party_status }) => [from_status, to_status, actor, third_party_status]),
      expectedMoves.map(({ from, to, third_party_status }) => [from, to, 'venture', third_party_status]),
      about,
    )
  }
}

test('the design has thirty statuses, and each flow reaches exactly its own', () => {
  assert.equal(allStatuses.length, 30)
  for (const { kind } of Object.values(flowCases)) {
    assert.deepEqual(new Set(reachableFrom(kind).map(({ standing }) => standing.status)), design(kind).statuses)
  }
})

for (const [name, { kind, inside, system }] of Object.entries(flowCases)) {
  test(`${name}: from every standing, each status is allowed or refused as in the tables, and a refusal changes nothing`, async (t) => {
    const opening = 1_000_000_00
    const fixture = await openFixture({ balance: '1000000.00', ...(inside ? { inside } : {}) })
    const { venture, account, receiver } = fixture
    const before = await systemCents(venture)
    const reachable = reachableFrom(kind)
    const edges: (Reachable & { move: Move })[] = reachable.flatMap(({ standing, moves }) =>
      designNext(standing)
        .filter((to) => designBlock(standing, to, withThirdPartyStatus) === undefined)
        .map((to) => ({ standing, moves, move: { to, needs_third_party_status: designBlock(standing, to, ordinary) !== undefined } })),
    )
    const tasks: (Reachable & { move?: Move })[] = [...reachable, ...edges]
    const walkers = tasks.map((_, index) => new Walker(fixture, kind, index + 1))
    const tried = new Set<string>()

    // One transfer makes each move that a standing allows.
    await inParallel(tasks, batchSize, async ({ standing, moves, move }, index) => {
      const walker = walkers[index] as Walker
      await walker.createAndWalk(moves)
      assert.deepEqual(walker.standing, standing)
      if (move === undefined) return
      await walker.move(move)
      tried.add(`${standing.status} to ${move.to}`)
    })
    // One more transfer per standing tries all moves that are not allowed, concurrently.
    await inParallel(walkers.slice(0, reachable.length), 8, async (walker) => {
      const { standing, about } = walker
      assert.deepEqual(await walker.transitions(), transitionsOf(standing, ordinary), about)
      const isRefused = (to: TransferStatus, circumstances: Circumstances) => designBlock(standing, to, circumstances) !== undefined
      const refusedMoves = allStatuses.filter((to) => isRefused(to, ordinary))
      // Sending third_party_status allows only the moves that need it.
      const refusedAnyway = designNext(standing).filter((to) => isRefused(to, withThirdPartyStatus))
      await Promise.all([
        ...refusedMoves.map((to) => walker.isRefused(to, ordinary)),
        ...refusedAnyway.map((to) => walker.isRefused(to, withThirdPartyStatus)),
      ])
      for (const to of refusedMoves) tried.add(`${standing.status} to ${to}`)
      assert.deepEqual((await venture.get(walker.path)).body, walker.shown, about)
    })
    assert.equal(tried.size, design(kind).statuses.size * 30)
    t.diagnostic(`${name}: ${reachable.length} standings, ${walkers.length} transfers, ${edges.length} moves at their ends`)

    const listed = await listAll(venture, account.id)
    for (const { shown, about } of walkers) assert.deepEqual(listed.get(shown.id), shown, about)
    const statuses = new Set([...listed.values()].map(({ status }) => status))
    assert.deepEqual(statuses, design(kind).statuses, 'no transfer stands where its flow does not lead')
    await checkRecords(venture, walkers)

    const sums = sumUp(walkers)
    const { held, completed } = sums
    const current = kind.direction === 'OUTBOUND' ? opening - completed : opening + completed
    const text = (cents: number) => (cents / 100).toFixed(2)
    assert.deepEqual(await venture.balances(account), [text(current), text(held), text(current - held)])
    if (receiver !== undefined) assert.deepEqual(await venture.balances(receiver), [text(completed), '0.00', text(completed)])
    const expected = { ...before }
    for (const [account, cents] of Object.entries(system(sums))) expected[account] = (expected[account] ?? 0) + cents
    assert.deepEqual(await systemCents(venture), expected)

    const own = new Set(walkers.map(({ shown }) => shown.id))
    const returns = [...listed.values()].filter(({ parent_transaction_id }) => own.has(parent_transaction_id))
    assert.equal(returns.length, walkers.filter((walker) => walker.wasReturned).length)
    for (const { transfer_type, status } of returns) assert.deepEqual([transfer_type, status], ['PAYMENT_RETURN', 'COMPLETED'])
    assert.equal(listed.size, walkers.length + returns.length + 1, 'there is nothing else but the deposit')
  })
}

for (const [name, { kind, inside }] of Object.entries(flowCases)) {
  test(`${name}: on a closed account nothing is held, received or credited, and other moves still work`, async () => {
    const fixture = await openFixture(inside ? { inside } : {})
    const { venture, account } = fixture
    const reachable = reachableFrom(kind).filter(({ standing }) => !standing.held && !hasEnded(standing))
    const walkers = await walkTo(reachable, fixture, kind)
    const { problem } = await venture.post(`/accounts/${account.id}/close`)
    const inSuspense = design(kind).flow === 'receiving'
    assert.equal(problem?.code, inSuspense ? 'account_not_empty' : undefined)
    // The guards must hold even if an account was closed with money in suspense.
    if (inSuspense) await bank.owner.query("update accounts set status = 'CLOSED', closed_date = now() where id = $1", [account.id])
    await checkBlocked(walkers, 'account_closed', { ...ordinary, account_closed: true })
  })
}

test('book: transfers to a closed receiver cannot complete, and other moves still work', async () => {
  const { kind } = flowCases['book'] as FlowCase
  const fixture = await openFixture({ balance: '1000.00', inside: true })
  const { venture, receiver } = fixture
  const reachable = reachableFrom(kind).filter(({ standing }) => !hasEnded(standing))
  const walkers = await walkTo(reachable, fixture, kind)
  assert.equal((await venture.post(`/accounts/${receiver.id}/close`)).status, 200)
  await checkBlocked(walkers, 'account_closed', { ...ordinary, receiver_closed: true })
  assert.deepEqual(await venture.balances(receiver), ['0.00', '0.00', '0.00'])
})

async function walkTo(reachable: readonly Reachable[], fixture: Fixture, kind: Kind): Promise<Walker[]> {
  const walkers = reachable.map((_, index) => new Walker(fixture, kind, index + 1))
  await inParallel(reachable, batchSize, async ({ moves }, index) => walkers[index]?.createAndWalk(moves))
  return walkers
}

/** Every move that the circumstances block is refused with the code, and another move still works. */
async function checkBlocked(walkers: readonly Walker[], code: string, circumstances: Circumstances): Promise<void> {
  let blockedMoves = 0
  await inParallel(walkers, 64, async (walker) => {
    const { standing, about } = walker
    assert.deepEqual(await walker.transitions(), transitionsOf(standing, circumstances), about)
    const blocked = designNext(standing).filter((to) => designBlock(standing, to, circumstances) === code)
    blockedMoves += blocked.length
    await Promise.all(blocked.map((to) => walker.isRefused(to, circumstances)))
    assert.deepEqual((await walker.fixture.venture.get(walker.path)).body, walker.shown, about)
    const open = designNext(standing).find((to) => designBlock(standing, to, circumstances) === undefined)
    if (open !== undefined) await walker.move({ to: open, needs_third_party_status: false })
  })
  assert.ok(blockedMoves > 0, 'a move is blocked')
}

for (const [name, { kind, inside }] of Object.entries(flowCases)) {
  if (kind.direction === 'INBOUND') continue
  for (const side of inside ? (['account', 'receiver'] as const) : (['account'] as const)) {
    test(`${name}: while the client of the ${side} is blacklisted no money leaves, and other moves still work`, async () => {
      const fixture = await openFixture({ balance: '100000.00', ...(inside ? { inside } : {}) })
      const reachable = reachableFrom(kind).filter(({ standing }) => !hasEnded(standing))
      const walkers = await walkTo(reachable, fixture, kind)
      const before = await fixture.venture.balances(fixture.account)
      const { status } = await fixture.venture.put(`/clients/${fixture[side].client_id}`, { is_blacklisted: true })
      assert.equal(status, 200)
      await checkBlocked(walkers, 'client_blocked', { ...ordinary, client_blocked: true })
      const [current] = await fixture.venture.balances(fixture.account)
      // A transfer that was sent settles.
      const settled = walkers.filter(({ standing }) => standing.status === 'COMPLETED')
      assert.ok(settled.every(({ standing }) => standing.sent || design(kind).flow === 'collected'))
      const cents = settled.reduce((sum, walker) => sum + walker.cents, 0)
      assert.equal(current, (Number(before[0]) - cents / 100).toFixed(2))
    })
  }
}

// ——— History ———

const moveOf = ({ from_status, to_status, actor, reason, reason_code, third_party_status }: Loose) => [
  from_status,
  to_status,
  actor,
  reason,
  reason_code,
  third_party_status,
]

test('the history lists each move once and in order, with actor, reason and third_party_status', async () => {
  const fixture = await openFixture({ balance: '100.00' })
  const { venture } = fixture
  const transfer = await venture.createTransfer(orderOf(fixture, (flowCases['sending'] as FlowCase).kind, 1_00))
  const put = async (update: object) => assert.equal((await venture.put(`/transfers/${transfer.id}`, update)).status, 200)
  await put({ status: 'RESERVED', status_reason: 'Funds are there', status_reason_code: 'R1' })
  await put({ status_reason: 'Not a move', third_party_status: 'PDNG' })
  await put({ status: 'READY_FOR_SCREENING' })
  await put({ status: 'ON_HOLD', status_reason: 'A question', third_party_status: null })
  await put({ status: 'READY_FOR_SCREENING' })
  await put({ status: 'AML_SCANNING' })
  await put({ status: 'AML_APPROVED' })
  await put({ status: 'READY_TO_CLEAR' })
  await put({ status: 'SENT_TO_CLEAR' })
  assert.equal((await venture.put(`/transfers/${transfer.id}`, { status: 'REJECTED', status_reason: 'Refused' })).status, 409)
  await put({ status: 'REJECTED', status_reason_code: 'AC04', third_party_status: 'RJCT', third_party_status_code: 'AC04' })
  const moves = await history(venture, transfer.id)
  assert.deepEqual(moves.map(moveOf), [
    [null, 'CREATED', 'venture', null, null, null],
    ['CREATED', 'RESERVED', 'venture', 'Funds are there', 'R1', null],
    ['RESERVED', 'READY_FOR_SCREENING', 'venture', null, null, null],
    ['READY_FOR_SCREENING', 'ON_HOLD', 'venture', 'A question', null, null],
    ['ON_HOLD', 'READY_FOR_SCREENING', 'venture', null, null, null],
    ['READY_FOR_SCREENING', 'AML_SCANNING', 'venture', null, null, null],
    ['AML_SCANNING', 'AML_APPROVED', 'venture', null, null, null],
    ['AML_APPROVED', 'READY_TO_CLEAR', 'venture', null, null, null],
    ['READY_TO_CLEAR', 'SENT_TO_CLEAR', 'venture', null, null, null],
    ['SENT_TO_CLEAR', 'REJECTED', 'venture', null, 'AC04', 'RJCT'],
  ])
  const { body } = await venture.get(`/transfers/${transfer.id}`)
  assert.deepEqual([moves[0].created_at, moves.at(-1).created_at], [body.created_at, body.updated_at])
  assert.equal(new Set(moves.map(({ id }) => id)).size, moves.length)
})

test('moves made by the service appear in the history with the actor service', async () => {
  const fixture = await openFixture({ balance: '100.00' })
  const { venture, account } = fixture
  const card = (transfer_type: 'CARD_AUTH' | 'CARD_CLEARING') =>
    orderOf(fixture, { direction: 'OUTBOUND', method: 'CARD', transfer_type }, 20_00)
  const authorisation = await venture.createTransfer(card('CARD_AUTH'))
  await walk(venture, authorisation, 'RESERVED')
  const clearing = await venture.createTransfer({ ...card('CARD_CLEARING'), parent_transaction_id: authorisation.id })
  await walk(venture, clearing, 'RESERVED COMPLETED')
  assert.deepEqual((await history(venture, authorisation.id)).map(moveOf), [
    [null, 'CREATED', 'venture', null, null, null],
    ['CREATED', 'RESERVED', 'venture', null, null, null],
    ['RESERVED', 'COMPLETED', 'service', 'Nothing of the hold is left.', null, null],
  ])
  assert.deepEqual(
    (await events(authorisation.id)).map(({ type, sequence, data }) => [type, sequence, data.previous_status, data.object.status]),
    [
      ['transfer.created', 1, null, 'CREATED'],
      ['transfer.status_changed', 2, 'CREATED', 'RESERVED'],
      ['transfer.completed', 3, 'RESERVED', 'COMPLETED'],
    ],
  )

  const arriving = await venture.createTransfer(orderOf(fixture, (flowCases['receiving'] as FlowCase).kind, 5_00))
  await walk(venture, arriving, 'RECEIVED TO_RETURN REJECTED')
  const { body } = await venture.get(`/accounts/${account.id}/transfers?transfer_type=PAYMENT_RETURN`)
  assert.deepEqual(
    body.map((child: Loose) => [child.parent_transaction_id, child.status]),
    [[arriving.id, 'COMPLETED']],
  )
  assert.deepEqual((await history(venture, body[0].id)).map(moveOf), [[null, 'COMPLETED', 'service', null, null, null]])
  assert.deepEqual(
    (await events(body[0].id)).map(({ type, sequence }) => [type, sequence]),
    [
      ['transfer.created', 1],
      ['transfer.completed', 2],
    ],
  )
  assert.deepEqual((await venture.get(`/transfers/${body[0].id}/transitions`)).body, [])
})

// ——— Updates ———

const metadata = {
  status_reason: 'Because',
  status_reason_code: 'B1',
  bank_partner_id: 'partner-7',
  bank_partner_trx_id: 42,
  third_party_status: 'ACSP',
  third_party_status_code: 'T1',
  third_party_status_reason: 'In process',
  signed_at: '2026-03-01T08:00:00.000Z',
}
const allNull = Object.fromEntries(Object.keys(metadata).map((field) => [field, null]))

/** A transfer after these moves, with functions to get and update it. */
async function openTransfer(statuses = '') {
  const fixture = await openFixture({ balance: '100.00' })
  const { venture } = fixture
  const { id } = await venture.createTransfer(orderOf(fixture, (flowCases['sending'] as FlowCase).kind, 1_00))
  if (statuses !== '') await walk(venture, { id }, statuses)
  const get = async () => (await venture.get(`/transfers/${id}`)).body
  const put = (update: object | string) => venture.put(`/transfers/${id}`, update)
  return { ...fixture, id, get, put }
}

test('an update without a status changes only the fields sent, and null clears a field', async () => {
  const { id, get, put } = await openTransfer()
  const before = await get()
  assert.deepEqual({ ...before, ...allNull }, before)
  const all = await put(metadata)
  assert.equal(all.status, 200)
  assert.deepEqual(all.body, { ...before, ...metadata, updated_at: all.body.updated_at })
  assert.deepEqual(await get(), all.body)
  for (const [field, value] of Object.entries(metadata)) {
    const cleared = await put({ [field]: null })
    assert.deepEqual(cleared.body, { ...all.body, [field]: null, updated_at: cleared.body.updated_at }, field)
    assert.deepEqual(await get(), cleared.body, field)
    const again = await put({ [field]: value })
    assert.deepEqual(again.body, { ...all.body, updated_at: again.body.updated_at }, field)
  }
  const none = await put(allNull)
  assert.deepEqual(await get(), { ...before, updated_at: none.body.updated_at })
  const emitted = await events(id)
  assert.deepEqual(
    emitted.map(({ sequence }) => sequence),
    emitted.map((_, index) => index + 1),
  )
  assert.deepEqual(
    emitted.map(({ type }) => type),
    ['transfer.created', ...Array.from({ length: 18 }, () => 'transfer.updated')],
  )
  assert.deepEqual(emitted[1].data, { object: all.body, previous_status: null })
})

test('an update that changes nothing writes nothing and emits no event', async () => {
  const { id, venture, get, put } = await openTransfer()
  await put(metadata)
  const before = await get()
  const { signed_at: _, ...rest } = metadata
  for (const update of [{}, metadata, rest, { signed_at: '2026-03-01T09:00:00+01:00' }, { bank_partner_trx_id: 42 }]) {
    const { status, body } = await put(update)
    assert.equal(status, 200)
    assert.deepEqual(body, before)
  }
  assert.deepEqual(await get(), before)
  assert.equal((await events(id)).length, 2)
  assert.equal((await history(venture, id)).length, 1)
})

test('a move and the fields sent with it are one change with one event', async () => {
  const { id, get, put } = await openTransfer()
  const before = await get()
  const { status, body } = await put({ ...metadata, status: 'SIGNED' })
  assert.equal(status, 200)
  assert.deepEqual(body, { ...before, ...metadata, status: 'SIGNED', updated_at: body.updated_at })
  assert.deepEqual(await get(), body)
  const cleared = await put({ status: 'RESERVED', status_reason: null })
  assert.deepEqual(cleared.body, { ...body, status: 'RESERVED', status_reason: null, updated_at: cleared.body.updated_at })
  const emitted = await events(id)
  assert.deepEqual(
    emitted.map(({ type, sequence, data }) => [type, sequence, data.previous_status]),
    [
      ['transfer.created', 1, null],
      ['transfer.status_changed', 2, 'CREATED'],
      ['transfer.status_changed', 3, 'SIGNED'],
    ],
  )
  assert.deepEqual(emitted[2].data.object, cleared.body)
})

test('a refused move does not write the fields sent with it', async () => {
  const { id, get, put } = await openTransfer('SIGNED')
  const before = await get()
  for (const to of ['SIGNED', 'COMPLETED', 'RECEIVED']) {
    const { status, problem } = await put({ ...metadata, status: to })
    assert.deepEqual([status, problem.code, problem.current_status], [409, 'transfer_transition_not_allowed', 'SIGNED'])
    const allowed = problem.allowed.join(', ').replace(/, (?=\w+$)/, ' or ')
    assert.equal(problem.detail, `The transfer is SIGNED and cannot become ${to}. Allowed now: ${allowed}.`)
  }
  assert.deepEqual(await get(), before)
  assert.equal((await events(id)).length, 2)
})

test('a move to RESERVED without funds is refused, and the fields sent with it are not written', async () => {
  const fixture = await openFixture({ balance: '0.50' })
  const { venture, account } = fixture
  const transfer = await venture.createTransfer(orderOf(fixture, (flowCases['sending'] as FlowCase).kind, 51))
  const { status, problem } = await venture.put(`/transfers/${transfer.id}`, { ...metadata, status: 'RESERVED' })
  assert.deepEqual([status, problem.code, problem.needed, problem.available], [422, 'insufficient_funds', '0.51', '0.50'])
  assert.deepEqual((await venture.get(`/transfers/${transfer.id}`)).body, transfer)
  assert.deepEqual(await venture.balances(account), ['0.50', '0.00', '0.50'])
  assert.equal((await events(transfer.id)).length, 1)
  await venture.deposit(account.id, '0.01')
  await walk(venture, transfer, 'RESERVED')
})

test('a clearing that exceeds the funds leaves the authorisation’s hold unchanged', async () => {
  const fixture = await openFixture({ balance: '20.00' })
  const { venture, account } = fixture
  const card = (transfer_type: 'CARD_AUTH' | 'CARD_CLEARING', cents: number) =>
    orderOf(fixture, { direction: 'OUTBOUND', method: 'CARD', transfer_type }, cents)
  const authorisation = await venture.createTransfer(card('CARD_AUTH', 15_00))
  await walk(venture, authorisation, 'RESERVED')
  const clearing = await venture.createTransfer({ ...card('CARD_CLEARING', 20_01), parent_transaction_id: authorisation.id })
  const { status, problem } = await venture.put(`/transfers/${clearing.id}`, { status: 'RESERVED' })
  assert.deepEqual([status, problem?.code, problem?.needed, problem?.available], [422, 'insufficient_funds', '5.01', '5.00'])
  assert.deepEqual(await venture.balances(account), ['20.00', '15.00', '5.00'])
  assert.deepEqual((await venture.get(`/transfers/${clearing.id}`)).body, clearing)
  await walk(venture, authorisation, 'CANCELLED')
  assert.deepEqual(await venture.balances(account), ['20.00', '0.00', '20.00'])
})

for (const [end, moves, event] of [
  ['CANCELLED', 'CANCELLED', 'transfer.failed'],
  ['MANUAL_REJECTED', 'TO_SIGN MANUAL_REJECTED', 'transfer.failed'],
  ['COMPLETED', 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_CLEAR COMPLETED', 'transfer.completed'],
] as const) {
  test(`a ${end} transfer accepts updates of all fields except signed_at and status`, async () => {
    const { id, get, put } = await openTransfer(moves)
    const { signed_at, ...rest } = metadata
    const { status, body } = await put(rest)
    assert.equal(status, 200)
    assert.deepEqual([body.status, body.status_reason, body.bank_partner_trx_id], [end, 'Because', 42])
    for (const update of [{ signed_at }, { ...rest, status_reason: 'New', signed_at }]) {
      const { status, problem } = await put(update)
      assert.deepEqual([status, problem.code, problem.current_status, problem.allowed], [409, 'transfer_terminal', end, []])
      assert.equal(problem.detail, `The transfer is ${end}, which is terminal, so signed_at can no longer change.`)
    }
    for (const to of allStatuses) {
      const { status, problem } = await put({ status: to, status_reason: 'New', third_party_status: 'RJCT' })
      assert.deepEqual([status, problem.code, problem.current_status, problem.allowed], [409, 'transfer_terminal', end, []])
      assert.equal(problem.detail, `The transfer is ${end}, which is terminal, so it cannot become ${to}.`)
    }
    assert.deepEqual(await get(), body)
    const emitted = (await events(id)).map(({ type }) => type)
    assert.deepEqual(emitted.slice(-2), [event, 'transfer.updated'])
    assert.equal(emitted.length, moves.split(' ').length + 2)
  })
}

test('an unchanged signed_at does not prevent other updates of a terminal transfer', async () => {
  const { put } = await openTransfer()
  const { signed_at } = metadata
  await put({ status: 'SIGNED', signed_at })
  await put({ status: 'CANCELLED' })
  const { status, body } = await put({ signed_at, status_reason: 'Asked for by the client' })
  assert.deepEqual([status, body?.status_reason, body?.signed_at], [200, 'Asked for by the client', signed_at])
  assert.equal((await put({ signed_at: null })).problem?.code, 'transfer_terminal')
})

test('the service records the time of a signature that the request does not give, and keeps a given one', async () => {
  const { venture, id, get, put } = await openTransfer()
  const signed = await put({ status: 'SIGNED', signed_at: null })
  assert.equal(signed.body.signed_at, signed.body.updated_at)
  await walk(venture, { id }, 'ON_HOLD')
  assert.equal((await put({ signed_at: null })).body.signed_at, null)
  await walk(venture, { id }, 'SIGNED')
  assert.equal((await get()).signed_at, null, 'going back from ON_HOLD is not a signature')
  const given = await openTransfer()
  await given.put({ signed_at: metadata.signed_at })
  assert.equal((await given.put({ status: 'SIGNED' })).body.signed_at, metadata.signed_at)
})

test('a signature more than five minutes in the future is refused, with a move and without one', async () => {
  const { get, put } = await openTransfer()
  const before = await get()
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
  for (const update of [{ signed_at: inMinutes(10) }, { status: 'SIGNED', signed_at: inMinutes(10) }]) {
    const { status, problem } = await put(update)
    assert.deepEqual([status, problem?.code], [400, 'invalid_request'])
    assert.deepEqual(problem?.errors, [{ field: 'signed_at', message: 'must not be more than five minutes in the future' }])
  }
  assert.deepEqual(await get(), before)
  const near = inMinutes(4)
  assert.equal((await put({ status: 'SIGNED', signed_at: near })).body.signed_at, near)
})

test('times are stored in UTC with milliseconds, whatever the offset', async () => {
  const { id, get, put } = await openTransfer()
  for (const [given, kept] of [
    ['2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
    ['2026-02-28T22:30:00.5-03:30', '2026-03-01T02:00:00.500Z'],
    ['2024-02-29T00:00:00.123Z', '2024-02-29T00:00:00.123Z'],
    ['2026-03-01T08:00:00.123456789Z', '2026-03-01T08:00:00.123Z'],
  ]) {
    const { status, body, text } = await put({ signed_at: given })
    assert.equal(status, 200, text)
    assert.equal(body.signed_at, kept)
    assert.deepEqual(await get(), body)
    assert.equal((await events(id)).at(-1).data.object.signed_at, kept)
  }
})

test('bank_partner_trx_id accepts any integer that JSON can represent exactly', async () => {
  const { get, put } = await openTransfer()
  for (const bank_partner_trx_id of [0, 1, 2_147_483_648, 9_007_199_254_740_991]) {
    const { status, text } = await put({ bank_partner_trx_id })
    assert.equal(status, 200, text)
    assert.match(text, new RegExp(`"bank_partner_trx_id":${bank_partner_trx_id},`))
    assert.equal((await get()).bank_partner_trx_id, bank_partner_trx_id)
  }
  for (const number of ['9007199254740992', '9007199254740993', '1e300', '1.5', '"1"', 'true', '[1]']) {
    const { status, problem } = await put(`{"bank_partner_trx_id":${number}}`)
    assert.deepEqual([status, problem?.code, problem?.errors[0].field], [400, 'invalid_request', 'bank_partner_trx_id'], number)
  }
})

test('texts have up to 255 characters and are stored in NFC', async () => {
  const { get, put } = await openTransfer()
  const texts = Object.keys(metadata).filter((field) => !['bank_partner_trx_id', 'signed_at'].includes(field))
  assert.equal(texts.length, 6)
  const longest = Object.fromEntries(texts.map((field) => [field, '€'.repeat(255)]))
  assert.equal((await put(longest)).status, 200)
  const before = await get()
  assert.deepEqual({ ...before, ...longest }, before)
  for (const field of texts) {
    for (const bad of ['x'.repeat(256), '', 7, true, {}, ['x'], 'a\u0000b', 'a\nb', 'a\u202eb']) {
      const { status, problem } = await put({ [field]: bad })
      const about = `${field} ${JSON.stringify(bad)}`
      assert.deepEqual([status, problem?.code], [400, 'invalid_request'], about)
      assert.ok(
        problem.errors.some((error: Loose) => error.field === field),
        about,
      )
    }
  }
  assert.deepEqual(await get(), before)
  assert.equal((await put({ status_reason: 'Cafe\u0301' })).body.status_reason, 'Caf\u00e9')
})

test('an update accepts exactly nine fields and checks the format of each', async () => {
  const { id, get, put } = await openTransfer()
  const before = await get()
  const writable = new Set(['status', ...Object.keys(metadata)])
  const shown = Object.keys(before).filter((field) => !writable.has(field))
  assert.equal(shown.length, Object.keys(before).length - 9)
  for (const field of [...shown, 'reason', 'Status', 'venture_id', 'on_hold_from', 'held', 'sequence']) {
    const { status, problem } = await put({ status_reason: 'New', [field]: before[field] ?? null })
    assert.deepEqual([status, problem?.code, problem?.errors[0].field], [400, 'invalid_request', field], field)
  }
  for (const bad of [null, 'created', 'DONE', '', 7, true, ['CANCELLED']]) {
    const { status, problem } = await put({ status: bad })
    assert.deepEqual([status, problem?.code, problem?.errors[0].field], [400, 'invalid_request', 'status'], JSON.stringify(bad))
  }
  for (const bad of [
    '2026-03-01',
    '2026-02-29T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T08:00:60Z',
    '2026-03-01T08:00:00',
    '9999-12-31T23:59:59-01:00',
    '0001-01-01T00:00:00+01:00',
    '0000-01-01T00:00:00Z',
    'now',
    '',
    1_772_352_000_000,
  ]) {
    const { status, problem } = await put({ signed_at: bad })
    assert.deepEqual([status, problem?.code, problem?.errors?.[0].field], [400, 'invalid_request', 'signed_at'], String(bad))
  }
  for (const bad of ['', 'null', '[]', '"CANCELLED"', '{"status":"CANCELLED","status":"SIGNED"}', '{'])
    assert.equal((await put(bad)).status, 400, bad)
  assert.deepEqual(await get(), before)
  assert.equal((await events(id)).length, 1)
})

test('of many concurrent cancellations, one succeeds', async () => {
  const { id, venture, put } = await openTransfer()
  const answers = await Promise.all(Array.from({ length: 20 }, () => put({ status: 'CANCELLED' })))
  assert.deepEqual(answers.map(({ problem }) => problem?.code ?? 'done').sort(), ['done', ...Array(19).fill('transfer_terminal')])
  assert.equal((await history(venture, id)).length, 2)
  assert.equal((await events(id)).length, 2)
})

test('concurrent updates are all applied, one after the other', async () => {
  const { id, get, put } = await openTransfer()
  const reasons = Array.from({ length: 40 }, (_, index) => `Reason ${index}`)
  await Promise.all(reasons.map((status_reason) => put({ status_reason })))
  const emitted = await events(id)
  assert.deepEqual(
    emitted.map(({ sequence }) => sequence),
    Array.from({ length: 41 }, (_, index) => index + 1),
  )
  assert.deepEqual(new Set(emitted.slice(1).map(({ data }) => data.object.status_reason)), new Set(reasons))
  assert.deepEqual(emitted.at(-1).data.object, await get())
})

test('a returned transfer emits transfer.returned and not transfer.failed', async () => {
  const fixture = await openFixture()
  const { venture } = fixture
  const transfer = await venture.createTransfer(orderOf(fixture, (flowCases['receiving'] as FlowCase).kind, 1_00))
  await walk(venture, transfer, 'RECEIVED TO_RETURN REJECTED')
  assert.deepEqual(
    (await events(transfer.id)).map(({ type, data }) => [type, data.previous_status]),
    [
      ['transfer.created', null],
      ['transfer.status_changed', 'CREATED'],
      ['transfer.status_changed', 'RECEIVED'],
      ['transfer.returned', 'TO_RETURN'],
    ],
  )
})

// ——— On hold ———

for (const [from, flow, moves] of [
  ['CREATED', 'sending', ''],
  ['TO_SIGN', 'sending', 'TO_SIGN'],
  ['TO_RESERVE', 'sending', 'TO_RESERVE'],
  ['RESERVED', 'sending', 'RESERVED'],
  ['READY_FOR_SCREENING', 'sending', 'RESERVED READY_FOR_SCREENING'],
  ['AML_SCANNING', 'sending', 'RESERVED READY_FOR_SCREENING AML_SCANNING'],
  ['AML_APPROVED', 'sending', 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED'],
  ['READY_TO_CLEAR', 'sending', 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED READY_TO_CLEAR'],
  ['SOME_PROBLEMS', 'sending', 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_CLEAR SOME_PROBLEMS'],
  ['CREDIT_TECH_BALANCE', 'receiving', 'RECEIVED CREDIT_TECH_BALANCE'],
  ['TO_RETURN', 'receiving', 'RECEIVED TO_RETURN'],
  ['REVIEW', 'receiving', 'RECEIVED READY_FOR_SCREENING REVIEW'],
] as const) {
  test(`${from}: going ON_HOLD and back leaves money, facts and transitions unchanged`, async () => {
    const fixture = await openFixture({ balance: '100.00' })
    const { venture, account } = fixture
    const { id } = await venture.createTransfer(orderOf(fixture, (flowCases[flow] as FlowCase).kind, 1_00))
    if (moves !== '') await walk(venture, { id }, moves)
    const snapshot = async () => ({
      transitions: (await venture.get(`/transfers/${id}/transitions`)).body,
      balances: await venture.balances(account),
      system: await systemCents(venture),
      facts: (await bank.owner.query('select scanned, screened, held, sent, received, hold, suspended from transfers where id = $1', [id]))
        .rows,
    })
    const before = await snapshot()
    await walk(venture, { id }, 'ON_HOLD')
    const { transitions, ...held } = await snapshot()
    const back = transitions.filter(({ status }: Loose) => status === from)
    assert.deepEqual(back, [{ status: from, allowed: true, blocked_by: null, needs_third_party_status: false }])
    assert.deepEqual({ ...held, transitions: before.transitions }, before)
    await walk(venture, { id }, from)
    assert.deepEqual(await snapshot(), before)
  })
}

test('a transfer goes back from ON_HOLD without guards, even to RESERVED with its existing hold', async () => {
  const fixture = await openFixture({ balance: '1.00' })
  const { venture, account } = fixture
  const transfer = await venture.createTransfer(orderOf(fixture, (flowCases['sending'] as FlowCase).kind, 1_00))
  await walk(venture, transfer, 'RESERVED ON_HOLD RESERVED ON_HOLD RESERVED')
  assert.deepEqual(await venture.balances(account), ['1.00', '1.00', '0.00'])
  await walk(venture, transfer, 'ON_HOLD CANCELLED')
  assert.deepEqual(await venture.balances(account), ['1.00', '0.00', '1.00'])
})

test('from ON_HOLD a transfer goes back only to its previous status', async () => {
  const { venture, id, put } = await openTransfer('TO_SIGN ON_HOLD TO_SIGN SIGNED ON_HOLD')
  assert.equal((await put({ status: 'TO_SIGN' })).problem?.code, 'transfer_transition_not_allowed')
  assert.equal((await put({ status: 'CREATED' })).problem?.code, 'transfer_transition_not_allowed')
  await walk(venture, { id }, 'SIGNED')
})

// ——— Other ventures ———

test('the response for a transfer of another venture is byte for byte that for an unknown one, and nothing changes', async () => {
  const { venture, id, get } = await openTransfer()
  const stranger = await bank.registerVenture()
  const unknownId = randomUUID()
  const before = await get()
  for (const send of [
    (wanted: string) => stranger.get(`/transfers/${wanted}`),
    (wanted: string) => stranger.get(`/transfers/${wanted}/transitions`),
    (wanted: string) => stranger.get(`/transfers/${wanted}/history`),
    (wanted: string) => stranger.put(`/transfers/${wanted}`, {}),
    (wanted: string) => stranger.put(`/transfers/${wanted}`, { status_reason: 'Mine' }),
    (wanted: string) => stranger.put(`/transfers/${wanted}`, { status: 'CANCELLED' }),
    (wanted: string) => stranger.put(`/transfers/${wanted}`, { status: 'CREATED' }),
  ]) {
    const [unknown, foreign] = [await send(unknownId), await send(id)]
    assert.deepEqual([unknown.status, unknown.problem.code], [404, 'transfer_not_found'])
    assert.deepEqual(bytesOf(foreign, id), bytesOf(unknown, unknownId))
    assert.deepEqual([(await send('7')).status, (await send('7')).problem.errors[0].field], [400, 'transfer_id'])
  }
  assert.deepEqual(await get(), before)
  assert.equal((await events(id)).length, 1)
  assert.equal((await history(venture, id)).length, 1)
  assert.equal((await venture.get(`/transfers/${id.toUpperCase()}`)).body.id, id, 'an id may be written in either case')
})

test('a transfer is visible to its own venture only, and not with a disabled or rotated key', async () => {
  const { venture, id } = await openTransfer()
  const paths = ['', '/transitions', '/history'].map((rest) => `/transfers/${id}${rest}`)
  const statuses = async (caller: Caller) => {
    const answers = await Promise.all(paths.map((path) => caller.get(path)))
    return answers.map(({ status }) => status)
  }
  assert.deepEqual(await statuses(venture), [200, 200, 200])
  assert.deepEqual(await statuses(await bank.registerVenture()), [404, 404, 404])
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' })
  assert.deepEqual(await statuses(venture), [401, 401, 401])
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'ACTIVE' })
  const { body } = await venture.post('/venture/rotate-key')
  assert.deepEqual(await statuses(venture), [401, 401, 401])
  assert.deepEqual(await statuses(new Caller(bank.app, { 'x-api-key': body.api_key })), [200, 200, 200])
})

/** A response without the values that always differ: the requested id and the request id. */
function bytesOf({ status, headers, text, problem }: Answer, requestedId: string) {
  const { date: _, 'x-request-id': _1, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(requestedId, 'ID').replaceAll(problem.request_id, 'REQUEST') }
}
