// Moves over HTTP: every status of every flow is walked to by real moves, and from each every other one is tried.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Answer, Caller, openBank, type VentureCaller } from '../../testing/testing.ts'
import { walk } from '../../testing/testing.walks.ts'
import { design, designAfter, designBlock, designMoves, designNext } from './transfers.design.ts'
import type { Kind } from './transfers.flows.ts'
import type { Circumstances, MovingTransfer, Standing } from './transfers.guards.ts'
import type { TransferStatus } from './transfers.status.ts'

const bank = await openBank()

const allStatuses = [...designMoves.keys()] as TransferStatus[]
const calm: Circumstances = { third_party_status_given: false, account_closed: false, receiver_closed: false }
const word: Circumstances = { ...calm, third_party_status_given: true }
const isOver = ({ status }: Standing) => designMoves.get(status) === 'terminal'

// biome-ignore lint/suspicious/noExplicitAny: the assertions of a test are what checks the shape of an answer.
type Loose = any

type Scene = { venture: VentureCaller; account: Loose; receiver: Loose; beneficiary: Loose }

/** A venture with an account, and a beneficiary elsewhere or, for book transfers, in the venture itself. */
async function openScene({ balance, inside = false }: { balance?: string; inside?: boolean } = {}): Promise<Scene> {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount(balance === undefined ? {} : { balance })
  const receiver = inside ? await venture.openAccount() : undefined
  const beneficiary = await venture.addBeneficiary(account.client_id, inside ? { iban: receiver.account_number } : undefined)
  return { venture, account, receiver, beneficiary }
}

function orderOf({ account, beneficiary }: Scene, { direction, method, transfer_type }: Kind, cents: number) {
  const amount = (cents / 100).toFixed(2)
  const side = direction === 'OUTBOUND' ? { beneficiary_id: beneficiary.id, debit_amount: amount } : { credit_amount: amount }
  return { account_id: account.id, direction, method, transfer_type, ...side }
}

/** As many as a batch carries: more would wait for the next one. */
const crowd = 256

/** Does the work for all items, so many at a time: those at work together share batches. */
async function inCrowds<Item>(items: readonly Item[], size: number, work: (item: Item, index: number) => Promise<void>): Promise<void> {
  const queue = items.entries()
  const worker = async () => {
    for (const [index, item] of queue) await work(item, index)
  }
  await Promise.all(Array.from({ length: size }, worker))
}

async function events(id: string): Promise<Loose[]> {
  const { rows } = await bank.owner.query('select type, sequence, data from events where resource_id = $1 order by sequence', [id])
  return rows
}

async function history(venture: VentureCaller, id: string): Promise<Loose[]> {
  const { status, body, text } = await venture.get(`/transfers/${id}/history`)
  assert.equal(status, 200, text)
  return body
}

async function balances(venture: VentureCaller, { id }: { id: string }): Promise<string[]> {
  const { body } = await venture.get(`/accounts/${id}`)
  return [body.current_balance, body.reserved_balance, body.available_balance]
}

/** What every system account of a venture has, in cents. */
async function systemCents({ venture }: VentureCaller): Promise<Record<string, number>> {
  const { rows } = await bank.owner.query(
    'select system_account, (sum(amount) * 100)::int as cents from entries where venture_id = $1 and system_account is not null group by 1',
    [venture.id],
  )
  return Object.fromEntries(rows.map(({ system_account, cents }) => [system_account, cents]))
}

// ——— All pairs ———

/** The sums of what the transfers of a run come to, in cents. */
type Sums = { held: number; completed: number; arrived: number; returned: number }

type Course = { kind: Kind; inside?: boolean; system(sums: Sums): Record<string, number> }

const courses: Record<string, Course> = {
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

type Step = { to: TransferStatus; asks_word: boolean }
type Place = { standing: MovingTransfer; way: Step[] }

function newcomer(kind: Kind): MovingTransfer {
  const facts = { scanned: false, screened: false, held: false, sent: false, received: false }
  return { ...kind, status: 'CREATED', on_hold_from: null, ...facts }
}

/** Every standing that the design's tables lead to from CREATED, each with a shortest way there. */
function placesOf(kind: Kind): Place[] {
  const start = newcomer(kind)
  const places = new Map<string, Place>([[JSON.stringify(start), { standing: start, way: [] }]])
  // A Map is walked to its growing end.
  for (const { standing, way } of places.values()) {
    for (const to of allStatuses) {
      if (designBlock(standing, to, word) !== undefined) continue
      const next = { ...kind, ...designAfter(standing, to) }
      const key = JSON.stringify({ ...start, ...next })
      const step = { to, asks_word: designBlock(standing, to, calm) !== undefined }
      if (!places.has(key)) places.set(key, { standing: next, way: [...way, step] })
    }
  }
  return [...places.values()]
}

/** One transfer on its way, with what the design makes of it: the standing, and everything that must be on record. */
class Walker {
  readonly scene: Scene
  readonly cents: number
  readonly record: { from: TransferStatus | null; to: TransferStatus; third_party_status: string | null }[] = []
  standing: MovingTransfer
  seen: Loose

  constructor(scene: Scene, kind: Kind, cents: number) {
    this.scene = scene
    this.cents = cents
    this.standing = newcomer(kind)
  }

  get path(): string {
    return `/transfers/${this.seen.id}`
  }

  get about(): string {
    return `${JSON.stringify(this.standing)}, by ${this.record.map(({ to }) => to).join(' ')}`
  }

  async go(way: readonly Step[]): Promise<void> {
    this.seen = await this.scene.venture.createTransfer(orderOf(this.scene, this.standing, this.cents))
    assert.equal(this.seen.status, 'CREATED')
    this.record.push({ from: null, to: 'CREATED', third_party_status: null })
    for (const step of way) await this.move(step)
  }

  async move({ to, asks_word }: Step): Promise<void> {
    const answer = await this.ask(to, asks_word)
    assert.equal(answer.status, 200, `to ${to}: ${this.about}: ${answer.text}`)
    const third_party_status = asks_word ? 'RJCT' : null
    const known = third_party_status ?? this.seen.third_party_status
    assert.deepEqual(answer.body, { ...this.seen, status: to, third_party_status: known, updated_at: answer.body.updated_at })
    this.record.push({ from: this.standing.status, to, third_party_status })
    this.standing = { ...this.standing, ...designAfter(this.standing, to) }
    this.seen = answer.body
  }

  ask(status: TransferStatus, asks_word: boolean): Promise<Answer> {
    return this.scene.venture.put(this.path, asks_word ? { status, third_party_status: 'RJCT' } : { status })
  }

  async isRefused(to: TransferStatus, circumstances: Circumstances): Promise<void> {
    const code = designBlock(this.standing, to, circumstances)
    const { status, problem } = await this.ask(to, circumstances.third_party_status_given)
    const allowed = designNext(this.standing).filter((next) => designBlock(this.standing, next, circumstances) === undefined)
    assert.deepEqual(
      { status, code: problem?.code, current_status: problem?.current_status, allowed: problem?.allowed?.toSorted() },
      { status: 409, code, current_status: this.standing.status, allowed: allowed.toSorted() },
      `to ${to}: ${this.about}`,
    )
  }

  /** In the order of their names. */
  async transitions(): Promise<Loose[]> {
    const { status, body, text } = await this.scene.venture.get(`${this.path}/transitions`)
    assert.equal(status, 200, text)
    return body.toSorted(byStatus)
  }

  get wasReturned(): boolean {
    const last = this.record.at(-1)
    return last?.from === 'TO_RETURN' && last.to === 'REJECTED'
  }
}

/** What GET …/transitions must say of a standing. */
function transitionsOf(standing: MovingTransfer, circumstances: Circumstances) {
  const given = { ...circumstances, third_party_status_given: true }
  const moves = designNext(standing).map((status) => {
    const block = designBlock(standing, status, circumstances)
    const needs_third_party_status = block !== undefined && designBlock(standing, status, given) === undefined
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
  const sum = (holds: (walker: Walker) => boolean) => walkers.filter(holds).reduce((total, { cents }) => total + cents, 0)
  return {
    held: sum(({ standing }) => standing.held && !isOver(standing)),
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

/** Everything that is on record of these transfers is what the moves that were made come to, and nothing is of those refused. */
async function checkRecords(venture: VentureCaller, walkers: readonly Walker[]): Promise<void> {
  const ids = walkers.map(({ seen }) => seen.id)
  const rowsOf = async (text: string) => {
    const { rows } = await bank.owner.query(text, [venture.venture.id, ids])
    return Map.groupBy(rows, ({ of }) => of)
  }
  const told = await rowsOf(
    `select resource_id as of, type, sequence, data->>'previous_status' as previous, data->'object'->>'status' as status
     from events where venture_id = $1 and resource_id = any($2) order by sequence`,
  )
  const made = await rowsOf(
    `select transfer_id as of, from_status, to_status, actor, third_party_status
     from transfer_moves where venture_id = $1 and transfer_id = any($2) order by id`,
  )
  const facts = await rowsOf(
    `select id as of, status, on_hold_from, scanned, screened, held, sent, received from transfers where venture_id = $1 and id = any($2)`,
  )
  for (const { record, standing, seen, about } of walkers) {
    const { direction: _, method: _1, transfer_type: _2, ...kept } = standing
    assert.deepEqual(facts.get(seen.id), [{ of: seen.id, ...kept }], about)
    assert.deepEqual(
      told.get(seen.id)?.map(({ type, sequence, previous, status }) => [type, sequence, previous, status]),
      record.map((move, index) => [eventOf(move), index + 1, move.from, move.to]),
      about,
    )
    assert.deepEqual(
      made
        .get(seen.id)
        ?.map(({ from_status, to_status, actor, third_party_status }) => [from_status, to_status, actor, third_party_status]),
      record.map(({ from, to, third_party_status }) => [from, to, 'venture', third_party_status]),
      about,
    )
  }
}

test('the design has thirty statuses, and each flow leads to exactly those of its own', () => {
  assert.equal(allStatuses.length, 30)
  for (const { kind } of Object.values(courses)) {
    assert.deepEqual(new Set(placesOf(kind).map(({ standing }) => standing.status)), design(kind).statuses)
  }
})

for (const [name, { kind, inside, system }] of Object.entries(courses)) {
  test(`${name}: from every standing, every status is given or refused as the tables say, and a refusal leaves no trace`, async (t) => {
    const opening = 1_000_000_00
    const scene = await openScene({ balance: '1000000.00', ...(inside ? { inside } : {}) })
    const { venture, account, receiver } = scene
    const before = await systemCents(venture)
    const places = placesOf(kind)
    const edges: (Place & { step: Step })[] = places.flatMap(({ standing, way }) =>
      designNext(standing)
        .filter((to) => designBlock(standing, to, word) === undefined)
        .map((to) => ({ standing, way, step: { to, asks_word: designBlock(standing, to, calm) !== undefined } })),
    )
    const errands: (Place & { step?: Step })[] = [...places, ...edges]
    const walkers = errands.map((_, index) => new Walker(scene, kind, index + 1))
    const tried = new Set<string>()

    // Each move that a standing allows is made by a transfer of its own …
    await inCrowds(errands, crowd, async ({ standing, way, step }, index) => {
      const walker = walkers[index] as Walker
      await walker.go(way)
      assert.deepEqual(walker.standing, standing)
      if (step === undefined) return
      await walker.move(step)
      tried.add(`${standing.status} to ${step.to}`)
    })
    // … and one more is asked for all that it does not allow, at once.
    await inCrowds(walkers.slice(0, places.length), 8, async (walker) => {
      const { standing, about } = walker
      assert.deepEqual(await walker.transitions(), transitionsOf(standing, calm), about)
      const isRefused = (to: TransferStatus, circumstances: Circumstances) => designBlock(standing, to, circumstances) !== undefined
      const without = allStatuses.filter((to) => isRefused(to, calm))
      // The scheme's word opens what it opens and nothing else.
      const despite = designNext(standing).filter((to) => isRefused(to, word))
      await Promise.all([...without.map((to) => walker.isRefused(to, calm)), ...despite.map((to) => walker.isRefused(to, word))])
      for (const to of without) tried.add(`${standing.status} to ${to}`)
      assert.deepEqual((await venture.get(walker.path)).body, walker.seen, about)
    })
    assert.equal(tried.size, design(kind).statuses.size * 30)
    t.diagnostic(`${name}: ${places.length} standings, ${walkers.length} transfers, ${edges.length} moves at their ends`)

    const listed = await listAll(venture, account.id)
    for (const { seen, about } of walkers) assert.deepEqual(listed.get(seen.id), seen, about)
    const statuses = new Set([...listed.values()].map(({ status }) => status))
    assert.deepEqual(statuses, design(kind).statuses, 'no transfer stands where its flow does not lead')
    await checkRecords(venture, walkers)

    const sums = sumUp(walkers)
    const { held, completed } = sums
    const current = kind.direction === 'OUTBOUND' ? opening - completed : opening + completed
    const text = (cents: number) => (cents / 100).toFixed(2)
    assert.deepEqual(await balances(venture, account), [text(current), text(held), text(current - held)])
    if (receiver !== undefined) assert.deepEqual(await balances(venture, receiver), [text(completed), '0.00', text(completed)])
    const expected = { ...before }
    for (const [account, cents] of Object.entries(system(sums))) expected[account] = (expected[account] ?? 0) + cents
    assert.deepEqual(await systemCents(venture), expected)

    const own = new Set(walkers.map(({ seen }) => seen.id))
    const returns = [...listed.values()].filter(({ parent_transaction_id }) => own.has(parent_transaction_id))
    assert.equal(returns.length, walkers.filter((walker) => walker.wasReturned).length)
    for (const { transfer_type, status } of returns) assert.deepEqual([transfer_type, status], ['PAYMENT_RETURN', 'COMPLETED'])
    assert.equal(listed.size, walkers.length + returns.length + 1, 'there is nothing else but the deposit')
  })
}

for (const [name, { kind, inside }] of Object.entries(courses)) {
  test(`${name}: on a closed account nothing is reserved, taken in or credited, and the rest goes on as before`, async () => {
    const scene = await openScene(inside ? { inside } : {})
    const { venture, account } = scene
    const places = placesOf(kind).filter(({ standing }) => !standing.held && !isOver(standing))
    const walkers = await sendTo(places, scene, kind)
    const { problem } = await venture.post(`/accounts/${account.id}/close`)
    const inSuspense = design(kind).flow === 'receiving'
    assert.equal(problem?.code, inSuspense ? 'account_not_empty' : undefined)
    // The guards must hold even on an account that was closed over what is in suspense.
    if (inSuspense) await bank.owner.query("update accounts set status = 'CLOSED', closed_date = now() where id = $1", [account.id])
    await checkClosed(walkers, { ...calm, account_closed: true })
  })
}

test('book: to a closed receiver nothing is completed, and the rest goes on as before', async () => {
  const { kind } = courses['book'] as Course
  const scene = await openScene({ balance: '1000.00', inside: true })
  const { venture, receiver } = scene
  const places = placesOf(kind).filter(({ standing }) => !isOver(standing))
  const walkers = await sendTo(places, scene, kind)
  assert.equal((await venture.post(`/accounts/${receiver.id}/close`)).status, 200)
  await checkClosed(walkers, { ...calm, receiver_closed: true })
  assert.deepEqual(await balances(venture, receiver), ['0.00', '0.00', '0.00'])
})

async function sendTo(places: readonly Place[], scene: Scene, kind: Kind): Promise<Walker[]> {
  const walkers = places.map((_, index) => new Walker(scene, kind, index + 1))
  await inCrowds(places, crowd, async ({ way }, index) => walkers[index]?.go(way))
  return walkers
}

async function checkClosed(walkers: readonly Walker[], circumstances: Circumstances): Promise<void> {
  let stopped = 0
  await inCrowds(walkers, 64, async (walker) => {
    const { standing, about } = walker
    assert.deepEqual(await walker.transitions(), transitionsOf(standing, circumstances), about)
    const blocked = designNext(standing).filter((to) => designBlock(standing, to, circumstances) === 'account_closed')
    stopped += blocked.length
    await Promise.all(blocked.map((to) => walker.isRefused(to, circumstances)))
    assert.deepEqual((await walker.scene.venture.get(walker.path)).body, walker.seen, about)
    const open = designNext(standing).find((to) => designBlock(standing, to, circumstances) === undefined)
    if (open !== undefined) await walker.move({ to: open, asks_word: false })
  })
  assert.ok(stopped > 0, 'something would have been booked')
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

test('history tells each move once and in order, with who made it, why, and what the scheme said', async () => {
  const scene = await openScene({ balance: '100.00' })
  const { venture } = scene
  const transfer = await venture.createTransfer(orderOf(scene, (courses['sending'] as Course).kind, 1_00))
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

test('what the service does by itself is in the history as its own', async () => {
  const scene = await openScene({ balance: '100.00' })
  const { venture, account } = scene
  const card = (transfer_type: 'CARD_AUTH' | 'CARD_CLEARING') =>
    orderOf(scene, { direction: 'OUTBOUND', method: 'CARD', transfer_type }, 20_00)
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

  const arriving = await venture.createTransfer(orderOf(scene, (courses['receiving'] as Course).kind, 5_00))
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
const nothing = Object.fromEntries(Object.keys(metadata).map((field) => [field, null]))

/** A transfer in the status to which these moves lead, and a way to update it. */
async function openTransfer(statuses = '') {
  const scene = await openScene({ balance: '100.00' })
  const { venture } = scene
  const { id } = await venture.createTransfer(orderOf(scene, (courses['sending'] as Course).kind, 1_00))
  if (statuses !== '') await walk(venture, { id }, statuses)
  const get = async () => (await venture.get(`/transfers/${id}`)).body
  const put = (update: object | string) => venture.put(`/transfers/${id}`, update)
  return { ...scene, id, get, put }
}

test('an update without a status writes what is said, leaves what is not, and null clears', async () => {
  const { id, get, put } = await openTransfer()
  const before = await get()
  assert.deepEqual({ ...before, ...nothing }, before)
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
  const none = await put(nothing)
  assert.deepEqual(await get(), { ...before, updated_at: none.body.updated_at })
  const told = await events(id)
  assert.deepEqual(
    told.map(({ sequence }) => sequence),
    told.map((_, index) => index + 1),
  )
  assert.deepEqual(
    told.map(({ type }) => type),
    ['transfer.created', ...Array.from({ length: 18 }, () => 'transfer.updated')],
  )
  assert.deepEqual(told[1].data, { object: all.body, previous_status: null })
})

test('an update that changes nothing writes nothing and is no event', async () => {
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

test('a move writes what is said with it, as one change with one event', async () => {
  const { id, get, put } = await openTransfer()
  const before = await get()
  const { status, body } = await put({ ...metadata, status: 'SIGNED' })
  assert.equal(status, 200)
  assert.deepEqual(body, { ...before, ...metadata, status: 'SIGNED', updated_at: body.updated_at })
  assert.deepEqual(await get(), body)
  const cleared = await put({ status: 'RESERVED', status_reason: null })
  assert.deepEqual(cleared.body, { ...body, status: 'RESERVED', status_reason: null, updated_at: cleared.body.updated_at })
  const told = await events(id)
  assert.deepEqual(
    told.map(({ type, sequence, data }) => [type, sequence, data.previous_status]),
    [
      ['transfer.created', 1, null],
      ['transfer.status_changed', 2, 'CREATED'],
      ['transfer.status_changed', 3, 'SIGNED'],
    ],
  )
  assert.deepEqual(told[2].data.object, cleared.body)
})

test('a refused move writes nothing of what was said with it', async () => {
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

test('a reservation without the funds is refused, and what was said with it is forgotten', async () => {
  const scene = await openScene({ balance: '0.50' })
  const { venture, account } = scene
  const transfer = await venture.createTransfer(orderOf(scene, (courses['sending'] as Course).kind, 51))
  const { status, problem } = await venture.put(`/transfers/${transfer.id}`, { ...metadata, status: 'RESERVED' })
  assert.deepEqual([status, problem.code, problem.needed, problem.available], [422, 'insufficient_funds', '0.51', '0.50'])
  assert.deepEqual((await venture.get(`/transfers/${transfer.id}`)).body, transfer)
  assert.deepEqual(await balances(venture, account), ['0.50', '0.00', '0.50'])
  assert.equal((await events(transfer.id)).length, 1)
  await venture.deposit(account.id, '0.01')
  await walk(venture, transfer, 'RESERVED')
})

test('a clearing that asks for more than there is leaves the authorisation’s hold whole', async () => {
  const scene = await openScene({ balance: '20.00' })
  const { venture, account } = scene
  const card = (transfer_type: 'CARD_AUTH' | 'CARD_CLEARING', cents: number) =>
    orderOf(scene, { direction: 'OUTBOUND', method: 'CARD', transfer_type }, cents)
  const authorisation = await venture.createTransfer(card('CARD_AUTH', 15_00))
  await walk(venture, authorisation, 'RESERVED')
  const clearing = await venture.createTransfer({ ...card('CARD_CLEARING', 20_01), parent_transaction_id: authorisation.id })
  const { status, problem } = await venture.put(`/transfers/${clearing.id}`, { status: 'RESERVED' })
  assert.deepEqual([status, problem?.code, problem?.needed, problem?.available], [422, 'insufficient_funds', '5.01', '5.00'])
  assert.deepEqual(await balances(venture, account), ['20.00', '15.00', '5.00'])
  assert.deepEqual((await venture.get(`/transfers/${clearing.id}`)).body, clearing)
  await walk(venture, authorisation, 'CANCELLED')
  assert.deepEqual(await balances(venture, account), ['20.00', '0.00', '20.00'])
})

for (const [end, way, event] of [
  ['CANCELLED', 'CANCELLED', 'transfer.failed'],
  ['MANUAL_REJECTED', 'TO_SIGN MANUAL_REJECTED', 'transfer.failed'],
  ['COMPLETED', 'RESERVED READY_FOR_SCREENING AML_SCANNING AML_APPROVED READY_TO_CLEAR SENT_TO_CLEAR COMPLETED', 'transfer.completed'],
] as const) {
  test(`a ${end} transfer takes what is said about it, but no signature and no status`, async () => {
    const { id, get, put } = await openTransfer(way)
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
    const told = (await events(id)).map(({ type }) => type)
    assert.deepEqual(told.slice(-2), [event, 'transfer.updated'])
    assert.equal(told.length, way.split(' ').length + 2)
  })
}

test('a signature that a transfer has already does not stop what else is said after its end', async () => {
  const { put } = await openTransfer()
  const { signed_at } = metadata
  await put({ status: 'SIGNED', signed_at })
  await put({ status: 'CANCELLED' })
  const { status, body } = await put({ signed_at, status_reason: 'Asked for by the client' })
  assert.deepEqual([status, body?.status_reason, body?.signed_at], [200, 'Asked for by the client', signed_at])
  assert.equal((await put({ signed_at: null })).problem?.code, 'transfer_terminal')
})

test('times are kept in UTC with milliseconds, whatever the offset', async () => {
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

test('a partner’s number is any integer that JSON can carry exactly', async () => {
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

test('texts have up to 255 characters and are kept in NFC', async () => {
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

test('an update takes its own nine fields and no others, each in its own form', async () => {
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

test('of many who cancel at once, one does', async () => {
  const { id, venture, put } = await openTransfer()
  const answers = await Promise.all(Array.from({ length: 20 }, () => put({ status: 'CANCELLED' })))
  assert.deepEqual(answers.map(({ problem }) => problem?.code ?? 'done').sort(), ['done', ...Array(19).fill('transfer_terminal')])
  assert.equal((await history(venture, id)).length, 2)
  assert.equal((await events(id)).length, 2)
})

test('updates that arrive together are all counted, one after the other', async () => {
  const { id, get, put } = await openTransfer()
  const reasons = Array.from({ length: 40 }, (_, index) => `Reason ${index}`)
  await Promise.all(reasons.map((status_reason) => put({ status_reason })))
  const told = await events(id)
  assert.deepEqual(
    told.map(({ sequence }) => sequence),
    Array.from({ length: 41 }, (_, index) => index + 1),
  )
  assert.deepEqual(new Set(told.slice(1).map(({ data }) => data.object.status_reason)), new Set(reasons))
  assert.deepEqual(told.at(-1).data.object, await get())
})

test('a returned transfer is told as such, and not as failed', async () => {
  const scene = await openScene()
  const { venture } = scene
  const transfer = await venture.createTransfer(orderOf(scene, (courses['receiving'] as Course).kind, 1_00))
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

for (const [from, flow, way] of [
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
  test(`${from}: on hold and back, and all is as it was: money, facts and what may come next`, async () => {
    const scene = await openScene({ balance: '100.00' })
    const { venture, account } = scene
    const { id } = await venture.createTransfer(orderOf(scene, (courses[flow] as Course).kind, 1_00))
    if (way !== '') await walk(venture, { id }, way)
    const look = async () => ({
      transitions: (await venture.get(`/transfers/${id}/transitions`)).body,
      balances: await balances(venture, account),
      system: await systemCents(venture),
      facts: (await bank.owner.query('select scanned, screened, held, sent, received, hold, suspended from transfers where id = $1', [id]))
        .rows,
    })
    const before = await look()
    await walk(venture, { id }, 'ON_HOLD')
    const { transitions, ...held } = await look()
    const back = transitions.filter(({ status }: Loose) => status === from)
    assert.deepEqual(back, [{ status: from, allowed: true, blocked_by: null, needs_third_party_status: false }])
    assert.deepEqual({ ...held, transitions: before.transitions }, before)
    await walk(venture, { id }, from)
    assert.deepEqual(await look(), before)
  })
}

test('a transfer goes back from ON_HOLD without a guard, even to RESERVED on what was reserved before', async () => {
  const scene = await openScene({ balance: '1.00' })
  const { venture, account } = scene
  const transfer = await venture.createTransfer(orderOf(scene, (courses['sending'] as Course).kind, 1_00))
  await walk(venture, transfer, 'RESERVED ON_HOLD RESERVED ON_HOLD RESERVED')
  assert.deepEqual(await balances(venture, account), ['1.00', '1.00', '0.00'])
  await walk(venture, transfer, 'ON_HOLD CANCELLED')
  assert.deepEqual(await balances(venture, account), ['1.00', '0.00', '1.00'])
})

test('from ON_HOLD a transfer goes back only to where it came from last', async () => {
  const { venture, id, put } = await openTransfer('TO_SIGN ON_HOLD TO_SIGN SIGNED ON_HOLD')
  assert.equal((await put({ status: 'TO_SIGN' })).problem?.code, 'transfer_transition_not_allowed')
  assert.equal((await put({ status: 'CREATED' })).problem?.code, 'transfer_transition_not_allowed')
  await walk(venture, { id }, 'SIGNED')
})

// ——— Whose it is ———

test('a transfer of another venture gives the same bytes as one that does not exist, and is not changed', async () => {
  const { venture, id, get } = await openTransfer()
  const stranger = await bank.registerVenture()
  const unknownId = randomUUID()
  const before = await get()
  for (const ask of [
    (wanted: string) => stranger.get(`/transfers/${wanted}`),
    (wanted: string) => stranger.get(`/transfers/${wanted}/transitions`),
    (wanted: string) => stranger.get(`/transfers/${wanted}/history`),
    (wanted: string) => stranger.put(`/transfers/${wanted}`, {}),
    (wanted: string) => stranger.put(`/transfers/${wanted}`, { status_reason: 'Mine' }),
    (wanted: string) => stranger.put(`/transfers/${wanted}`, { status: 'CANCELLED' }),
    (wanted: string) => stranger.put(`/transfers/${wanted}`, { status: 'CREATED' }),
  ]) {
    const [unknown, foreign] = [await ask(unknownId), await ask(id)]
    assert.deepEqual([unknown.status, unknown.problem.code], [404, 'transfer_not_found'])
    assert.deepEqual(bytesOf(foreign, id), bytesOf(unknown, unknownId))
    assert.deepEqual([(await ask('7')).status, (await ask('7')).problem.errors[0].field], [400, 'transfer_id'])
  }
  assert.deepEqual(await get(), before)
  assert.equal((await events(id)).length, 1)
  assert.equal((await history(venture, id)).length, 1)
  assert.equal((await venture.get(`/transfers/${id.toUpperCase()}`)).body.id, id, 'an id may be written in either case')
})

test('a transfer is shown to its own venture only, and not to a key that is disabled or rotated away', async () => {
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

/** An answer without what differs by nature: the id that was asked for, and the number of the request. */
function bytesOf({ status, headers, text, problem }: Answer, asked: string) {
  const { date: _, 'x-request-id': _1, ...rest } = headers
  return { status, headers: rest, text: text.replaceAll(asked, 'ID').replaceAll(problem.request_id, 'REQUEST') }
}
