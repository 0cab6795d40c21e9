// Many orders in one request.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openFirstCase } from '../../cases/cases.ts'
import { Database } from '../../platform/database/database.ts'
import { ManagedVenture } from '../../testing/testing.managed.ts'
import { TcpProxy } from '../../testing/testing.proxy.ts'
import { findTestServer, urlOf } from '../../testing/testing.server.ts'
import { openBanker, openMember } from '../../testing/testing.sessions.ts'
import { type Answer, Caller, type Loose, openBank, type VentureCaller } from '../../testing/testing.ts'
import { countBlocked, eventually, lockRow, untilBlocked } from '../../testing/testing.waits.ts'
import { refuse } from '../../values/refusals.ts'
import { checkInvariants } from '../../verify/verify.ts'
import { createTransfers } from './transfers.bulk.ts'
import { openTransfers } from './transfers.orders.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const payer = await openPayer(venture)

async function openPayer(caller: VentureCaller, changes: object = {}) {
  const account = await caller.openAccount({ balance: '1000.00', ...changes })
  const { id: beneficiary_id } = await caller.addBeneficiary(account.client_id)
  const order = (more: object = {}) => ({
    account_id: account.id,
    beneficiary_id,
    unique_reference: randomUUID(),
    debit_amount: '1.00',
    ...more,
  })
  return { account, beneficiary_id, order }
}

type Options = { atomic?: boolean; key?: string; caller?: Caller }

function send(transfers: unknown, { atomic, key, caller = venture }: Options = {}): Promise<Answer> {
  const payload = JSON.stringify({ ...(atomic === undefined ? {} : { atomic }), transfers })
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { 'idempotency-key': key }) }
  return caller.send({ method: 'POST', url: '/api/v1/transfers/bulk', payload, headers })
}

const stored = async (): Promise<number[]> =>
  Promise.all(['transfers', 'transfer_references', 'transfer_moves', 'events', 'idempotency_keys'].map((table) => bank.count(table)))

/** The problem without the fields that differ between two requests. */
const same = ({ request_id: _, instance: __, ...problem }: Loose): Loose => problem

const codesOf = ({ body }: Answer): string[] => body.results.map(({ problem }: Loose) => problem?.code ?? 'created')

test('each order gets its result in its place: the transfer, or the problem that a single create would get', async () => {
  const { order } = payer
  const wrong = [
    { ...order(), account_id: randomUUID() },
    { ...order(), debit_amount: '1.005' },
    { ...order(), debit_amount: 5, nonsense: true },
    { ...order(), purpose: 'a\u202Eb' },
    { ...order(), beneficiary_id: undefined },
    {},
  ]
  const { status, body, headers } = await send([order(), ...wrong, order({ purpose: 'Rent' })], { atomic: false })
  assert.deepEqual([status, body.created, body.refused, headers['location']], [200, 2, wrong.length, undefined])
  assert.deepEqual(
    body.results.map(({ index }: Loose) => index),
    [0, 1, 2, 3, 4, 5, 6, 7],
  )
  for (const [index, one] of wrong.entries()) {
    const single = await venture.post('/transfers', one)
    const { transfer, problem } = body.results[index + 1]
    assert.equal(transfer, undefined)
    assert.deepEqual(same(problem), same(single.problem))
    assert.equal(problem.instance, '/api/v1/transfers/bulk')
  }
  const [first, last] = [body.results.at(0), body.results.at(-1)]
  assert.deepEqual([first.problem, last.problem, last.transfer.purpose], [undefined, undefined, 'Rent'])
  for (const { transfer } of [first, last]) assert.deepEqual((await venture.get(`/transfers/${transfer.id}`)).body, transfer)
})

test('what is not an order is a problem of its place', async () => {
  const odd = [5, null, 'order', [], [payer.order()]]
  const { status, body } = await send([...odd, payer.order()], { atomic: false })
  assert.deepEqual([status, body.created], [200, 1])
  for (const [index, one] of odd.entries()) {
    const single = await venture.post('/transfers', JSON.stringify(one))
    assert.deepEqual(same(body.results[index].problem), same(single.problem), JSON.stringify(one))
  }
})

for (const atomic of [true, undefined]) {
  test(`with atomic ${atomic ?? 'left out'}, one refused order refuses all, and says which and why`, async () => {
    const { order } = payer
    const before = await stored()
    const bad = order({ account_id: randomUUID() })
    const one = await send([order(), bad, order()], { ...(atomic === undefined ? {} : { atomic }), key: randomUUID() })
    assert.deepEqual([one.status, one.problem?.code], [422, 'bulk_refused'], one.text)
    const { problem: alone } = await venture.post('/transfers', bad)
    assert.deepEqual(
      one.problem.refused.map(({ index, problem }: Loose) => [index, same(problem)]),
      [[1, same(alone)]],
    )
    assert.equal(one.problem.detail, `None of the 3 orders was carried out, because the order at index 1 was refused. ${alone.detail}`)
    const two = await send([order(), bad, order({ account_id: randomUUID() })])
    assert.deepEqual(
      two.problem.refused.map(({ index, problem }: Loose) => [index, problem.code]),
      [
        [1, 'account_not_found'],
        [2, 'account_not_found'],
      ],
    )
    assert.match(
      two.problem.detail,
      /^None of the 3 orders was carried out, because 2 of them were refused\. The first of these is at index 1\. /,
    )
    // Invalid fields are found before anything is decided.
    const shape = await send([order(), order({ debit_amount: 'much' })])
    assert.deepEqual([shape.problem.code, shape.problem.refused[0].index], ['bulk_refused', 1])
    assert.deepEqual(await stored(), before)

    const all = await send([order(), order(), order()], atomic === undefined ? {} : { atomic })
    assert.deepEqual([all.status, all.body.created, all.body.refused], [200, 3, 0])
  })
}

test('the orders are carried out one after the other: each counts towards the limits of the next', async () => {
  const { account, order } = await openPayer(venture, { daily_limit: '50.00' })
  const limited = await send([order({ debit_amount: '30.00' }), order({ debit_amount: '30.00' }), order({ debit_amount: '20.00' })], {
    atomic: false,
  })
  assert.deepEqual(codesOf(limited), ['created', 'limit_exceeded', 'created'])
  const over = await send([order({ debit_amount: '0.01' })])
  assert.deepEqual([over.problem.code, over.problem.refused[0].problem.code], ['bulk_refused', 'limit_exceeded'])
  assert.deepEqual(await venture.balances(account), ['1000.00', '0.00', '1000.00'])
})

test('an atomic request that is refused uses up no limit and no reference', async () => {
  const { order } = await openPayer(venture, { daily_limit: '50.00' })
  const orders = [order({ debit_amount: '30.00' }), order({ debit_amount: '20.00' })]
  assert.equal((await send([...orders, order({ debit_amount: '0.01' })])).status, 422)
  assert.equal((await send(orders)).body.created, 2)
})

test('of two orders with the same reference the second is refused, and a refused order leaves its reference to the next', async () => {
  const { order } = payer
  const [twice, taken] = [randomUUID(), randomUUID()]
  const before = (await venture.post('/transfers', order({ unique_reference: taken }))).body
  const orders = [
    order({ unique_reference: twice }),
    order({ unique_reference: twice }),
    order({ unique_reference: taken }),
    order({ unique_reference: 'left', account_id: randomUUID() }),
    order({ unique_reference: 'left' }),
  ]
  const answer = await send(orders, { atomic: false })
  const used = 'unique_reference_used'
  assert.deepEqual(codesOf(answer), ['created', used, used, 'account_not_found', 'created'])
  const [first, second, third] = answer.body.results
  assert.equal(second.problem.existing_transfer_id, first.transfer.id)
  assert.equal(third.problem.existing_transfer_id, before.id)
  const again = await send([order({ unique_reference: 'b' }), order({ unique_reference: 'a' }), order({ unique_reference: 'b' })])
  assert.deepEqual(
    again.problem.refused.map(({ index, problem }: Loose) => [index, problem.code]),
    [[2, used]],
  )
})

test('whatever the orders are, the results are those of single creates one after the other', async () => {
  const [one, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const [together, alone] = [await openPayer(one, { daily_limit: '40.00' }), await openPayer(other, { daily_limit: '40.00' })]
  const closed = [await one.openAccount(), await other.openAccount()] as const
  for (const [index, caller] of [one, other].entries()) await caller.post(`/accounts/${closed[index]?.id}/close`)
  const amounts = fc.constantFrom('1.00', '7.50', '30.00', '1.005', 'x')
  const kinds = fc.constantFrom('plain', 'closed', 'unknown', 'no beneficiary', 'not an object')
  const any = fc.array(fc.record({ amount: amounts, kind: kinds, reference: fc.integer({ min: 0, max: 4 }) }), {
    minLength: 1,
    maxLength: 8,
  })
  await fc.assert(
    fc.asyncProperty(any, async (orders) => {
      const run = randomUUID()
      const shaped = ({ order }: typeof together, side: 0 | 1) =>
        orders.map(({ amount, kind, reference }) => {
          if (kind === 'not an object') return null
          const account = kind === 'closed' ? { account_id: closed[side].id } : kind === 'unknown' ? { account_id: run } : {}
          const nobody = kind === 'no beneficiary' ? { beneficiary_id: null } : {}
          return order({ debit_amount: amount, unique_reference: `${side} ${run} ${reference}`, ...account, ...nobody })
        })
      const bulk = await send(shaped(together, 0), { atomic: false, caller: one })
      const singles: Answer[] = []
      for (const order of shaped(alone, 1)) singles.push(await other.post('/transfers', JSON.stringify(order)))
      assert.deepEqual(
        codesOf(bulk),
        singles.map(({ status, problem }) => (status === 201 ? 'created' : problem.code)),
      )
    }),
    { numRuns: 25 },
  )
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})

test('a request with bad content is refused as a whole, with a clear error', async () => {
  const post = (payload: string | Buffer, headers: object = { 'content-type': 'application/json' }) =>
    venture.send({ method: 'POST', url: '/api/v1/transfers/bulk', payload, headers: headers as Record<string, string> })
  const one = JSON.stringify(payer.order())
  const before = await stored()
  const cases: [string | Buffer, number, string, RegExp][] = [
    ['[]', 400, 'invalid_request', /^The body must be an object/],
    ['5', 400, 'invalid_request', /^The body must be an object/],
    ['{}', 400, 'invalid_request', /^transfers is required/],
    ['', 400, 'malformed_body', /^The body is empty/],
    ['{"transfers":[]}', 400, 'invalid_request', /^transfers must not be empty/],
    ['{"transfers":{}}', 400, 'invalid_request', /^transfers must be an array/],
    [`{"transfers":[${one}],"atomic":"yes"}`, 400, 'invalid_request', /^atomic must be true or false/],
    [`{"transfers":[${one}],"dry":true}`, 400, 'invalid_request', /^dry is not a field of this request/],
    [`{"transfers":[${Array(1_001).fill('{}').join()}]}`, 400, 'invalid_request', /^transfers must have at most 1000 items/],
    [`{"transfers":[${Array(1_001).fill('0').join()}]}`, 400, 'invalid_request', /^transfers must have at most 1000 items/],
    [`{"transfers":[${one},]}`, 400, 'malformed_body', /^The body is not valid JSON/],
    [`{"transfers":[{"a":1,"a":2}]}`, 400, 'malformed_body', /^The body has the field "a" twice in one object/],
    [`{"transfers":[],"transfers":[]}`, 400, 'malformed_body', /^The body has the field "transfers" twice/],
    [`{"transfers":[${'['.repeat(30)}${']'.repeat(30)}]}`, 400, 'malformed_body', /^The body is nested deeper than 20 levels/],
    [Buffer.from([0x7b, 0xff, 0x7d]), 400, 'malformed_body', /^The body is not valid UTF-8/],
    [`{"transfers":[${one},{"purpose":"${'x'.repeat(65_536)}"}]}`, 413, 'body_too_large', /^transfers\.1 exceeds 64 KiB/],
    [`{"transfers":[${one}]}`.padEnd(2 * 2 ** 20 + 1), 413, 'body_too_large', /2 MiB/],
  ]
  for (const [payload, status, code, detail] of cases) {
    const { problem, ...answer } = await post(payload)
    assert.deepEqual([answer.status, problem?.code], [status, code], `${payload.slice(0, 60)} ${answer.text}`)
    assert.match(problem.detail, detail)
  }
  const typed = await post(`{"transfers":[${one}]}`, { 'content-type': 'text/plain' })
  assert.deepEqual([typed.status, typed.problem.code], [415, 'unsupported_media_type'])
  assert.equal((await venture.send({ method: 'POST', url: '/api/v1/transfers/bulk' })).problem.code, 'malformed_body')
  assert.deepEqual(await stored(), before)
  // The largest body that is accepted.
  assert.equal((await post(`{"transfers":[${one}]}`.padEnd(2 * 2 ** 20))).body.created, 1)
})

test('a thousand orders are carried out, each with its event, and the books are right', async () => {
  const caller = await bank.registerVenture()
  const { order } = await openPayer(caller)
  const { body } = await send(
    Array.from({ length: 1_000 }, (_, index) => order({ purpose: `Number ${index}` })),
    { caller },
  )
  assert.equal(body.created, 1_000)
  assert.deepEqual(
    body.results.map(({ transfer }: Loose) => transfer.purpose),
    Array.from({ length: 1_000 }, (_, index) => `Number ${index}`),
  )
  const types = (await bank.eventTypes(caller)).filter((type) => type === 'transfer.created')
  // The deposit of the account is a transfer too.
  assert.equal(types.length, 1_001)
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})

test('an Idempotency-Key covers the whole request: a repetition gets the same bytes, and another body is refused', async () => {
  for (const atomic of [true, false]) {
    const key = randomUUID()
    const orders = [payer.order(), ...(atomic ? [] : [payer.order({ account_id: randomUUID() })]), payer.order()]
    const first = await send(orders, { atomic, key })
    const before = await stored()
    const again = await send(orders, { atomic, key })
    assert.deepEqual([first.status, first.headers['idempotency-replayed']], [200, undefined], first.text)
    assert.deepEqual([again.status, again.text, again.headers['content-type']], [200, first.text, first.headers['content-type']])
    assert.equal(again.headers['idempotency-replayed'], 'true')
    const other = await send(orders, { atomic: !atomic, key })
    assert.deepEqual([other.status, other.problem?.code], [422, 'idempotency_key_reused'])
    assert.deepEqual(await stored(), before)
  }
})

test('results that are all refused are kept too, while a refusal of the whole request is not', async () => {
  const [alone, whole] = [randomUUID(), randomUUID()]
  const { account, order } = await openPayer(venture)
  await venture.post(`/accounts/${account.id}/freeze`)
  const orders = [order(), order()]
  const first = await send(orders, { atomic: false, key: alone })
  assert.deepEqual(codesOf(first), ['account_not_active', 'account_not_active'])
  assert.equal((await send(orders, { key: whole })).status, 422)
  await venture.post(`/accounts/${account.id}/activate`)
  assert.equal((await send(orders, { atomic: false, key: alone })).text, first.text)
  assert.equal((await send(orders, { key: whole })).body.created, 2)
})

test('of requests with one key at the same time, one is carried out', async () => {
  const [key, orders] = [randomUUID(), [payer.order(), payer.order()]]
  const answers = await Promise.all([1, 2, 3, 4].map(() => send(orders, { key })))
  const done = answers.filter(({ status }) => status === 200)
  assert.equal(new Set(done.map(({ text }) => text)).size, 1)
  for (const { status, problem } of answers) assert.ok(status === 200 || problem.code === 'idempotency_key_in_use')
  assert.equal(answers.filter(({ status, headers }) => status === 200 && headers['idempotency-replayed'] === undefined).length, 1)
})

test('two requests that want each other’s rows, and single creates between them, do not block each other', async () => {
  const other = await openPayer(venture)
  const mixed = [payer, other, payer, other].map(({ order }) => order)
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) =>
      index % 3 === 0
        ? venture.post('/transfers', (index % 2 === 0 ? payer : other).order())
        : send((index % 2 === 0 ? mixed : mixed.toReversed()).map((order) => order())),
    ),
  )
  for (const { status, text } of answers) assert.ok(status < 300, text)
})

/** Sends one request, which waits for its account, then others, which wait for the first. Returns their answers. */
async function sendWhileOneWaits(
  first: Loose[],
  others: () => Promise<Answer>[],
  meanwhile: () => Promise<void> = async () => {},
): Promise<Answer[]> {
  const { bulks } = bank.services.transfers
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'accounts', payer.account.id, 'update')
  const waiting = send(first)
  await untilBlocked(bank.owner, waiting)
  const behind = others()
  await eventually(() => bulks.running === behind.length + 1)
  // Reading their orders waits for nothing but the event loop.
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  await meanwhile()
  await bank.owner.query('commit')
  return Promise.all([waiting, ...behind])
}

/** How many transactions created the transfers. */
async function transactionsOf(answers: readonly Answer[]): Promise<number> {
  const ids = answers.flatMap(({ body }) => body.results.flatMap(({ transfer }: Loose) => transfer?.id ?? []))
  const { rows } = await bank.owner.query('select distinct xid from events where resource_id = any($1)', [ids])
  return rows.length
}

test('requests that wait share a transaction, and each gets the results of its own orders', async () => {
  const key = randomUUID()
  const requests: { orders: Loose[]; options?: Options }[] = [
    { orders: [payer.order(), payer.order(), payer.order()], options: { key } },
    { orders: [payer.order(), { ...payer.order(), account_id: randomUUID() }, payer.order()], options: { atomic: false } },
  ]
  const [, ...answers] = await sendWhileOneWaits([payer.order()], () => requests.map(({ orders, options }) => send(orders, options)))
  const results = answers.map(({ status, text, body }) => {
    assert.equal(status, 200, text)
    return body.results.map(({ transfer, problem }: Loose) => transfer?.unique_reference ?? problem.code)
  })
  const references = requests.map(({ orders }) => orders.map(({ unique_reference }) => unique_reference))
  references[1]?.splice(1, 1, 'account_not_found')
  assert.deepEqual(results, references)
  assert.equal(await transactionsOf(answers), 1)
  assert.equal((await send(requests[0]?.orders, { key })).text, answers[0]?.text)
})

test('a request of another venture waits for none of them', async () => {
  const neighbour = await bank.registerVenture()
  const { order } = await openPayer(neighbour)
  const answers = await sendWhileOneWaits(
    [payer.order()],
    () => [send([payer.order()])],
    async () => {
      assert.equal((await send([order()], { caller: neighbour })).status, 200)
    },
  )
  for (const { status, text } of answers) assert.equal(status, 200, text)
})

test('of requests that wait, one that is refused is not carried out, and the others are', async () => {
  const [fine, key] = [payer.order(), randomUUID()]
  const before = await stored()
  const answers = await sendWhileOneWaits([payer.order()], () => [
    send([payer.order(), payer.order()]),
    send([fine, payer.order({ account_id: randomUUID() })], { key }),
    send([payer.order(), payer.order()]),
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 422, 200],
  )
  assert.deepEqual([answers[2]?.problem.code, answers[2]?.problem.refused[0].index], ['bulk_refused', 1])
  assert.deepEqual(
    await stored(),
    before.map((count, index) => (index === 4 ? count : count + 5)),
  )
  assert.equal((await send([fine], { key })).status, 200, 'its key and its references are free')
})

test('a request that another one would have refused is carried out if that one is not', async () => {
  const { order } = await openPayer(venture, { daily_limit: '50.00' })
  const whole = (amount: string, wrong: object = {}) => [order({ debit_amount: amount }), order({ debit_amount: '1.00', ...wrong })]
  const [, ...answers] = await sendWhileOneWaits([payer.order()], () => [
    send(whole('40.00', { account_id: randomUUID() })),
    send(whole('30.00')),
    send(whole('19.00')),
  ])
  // Either of the last two may go first, and 31 and 20 together are too much.
  assert.equal(answers[0]?.problem.code, 'bulk_refused')
  assert.deepEqual(
    answers
      .slice(1)
      .map(({ status }) => status)
      .sort(),
    [200, 422],
  )
})

/** The outcomes of bulks without commands that share a transaction. */
function submitTogether(concludes: readonly (() => object)[], since_ms = performance.now()): Promise<string[]> {
  const { bulkBatches } = bank.services.transfers
  const { id: venture_id } = venture.venture
  const bulk = (conclude: () => object) => bulkBatches.submit({ venture_id, orders: 1, commands: [], conclude }, since_ms)
  return Promise.all(
    concludes.map((conclude) =>
      bulk(conclude).then(
        () => 'done',
        ({ code, message }) => code ?? message,
      ),
    ),
  )
}

const done = () => ({ id: randomUUID() })
const refused = () => refuse('bulk_refused', { refused: [] })

test('bulks that are refused together are told apart only while their callers can still get an answer', async () => {
  const all = [done, refused, done, refused]
  assert.deepEqual(await submitTogether(all), ['done', 'bulk_refused', 'done', 'bulk_refused'])
  const late = await submitTogether(all, performance.now() - bank.database.limits.queue_ms)
  assert.deepEqual(late, Array(4).fill('unavailable'))
})

test('one bulk that fails unexpectedly does so alone, also if another one is refused', async () => {
  const failing = () => {
    throw new Error('a bug')
  }
  assert.deepEqual(await submitTogether([done, failing, done]), ['done', 'a bug', 'done'])
  // It fails only after the refused ones have been taken out.
  let times = 0
  const failingLater = () => (times++ === 0 ? done() : failing())
  assert.deepEqual(await submitTogether([done, refused, failingLater, done]), ['done', 'bulk_refused', 'a bug', 'done'])
})

test('no more than two ventures have transactions of many orders at a time, so that others have connections', async () => {
  const ventures = await Promise.all(
    [1, 2, 3].map(async () => {
      const caller = await bank.registerVenture()
      return { caller, ...(await openPayer(caller)) }
    }),
  )
  await bank.owner.query('begin')
  for (const { account } of ventures) await lockRow(bank.owner, 'accounts', account.id, 'update')
  const answers = Promise.all(ventures.map(({ caller, order }) => send([order()], { caller })))
  const { bulks } = bank.services.transfers
  await eventually(() => bulks.running === 3)
  await eventually(async () => (await countBlocked(bank.owner)) >= 2)
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(await countBlocked(bank.owner), 2)
  await bank.owner.query('commit')
  for (const { status, text } of await answers) assert.equal(status, 200, text)
})

test('requests share a transaction up to as many orders as one of them may have', async () => {
  const many = () => send(Array.from({ length: 501 }, () => payer.order({ debit_amount: '0.01' })))
  const [, ...answers] = await sendWhileOneWaits([payer.order()], () => [many(), many()])
  for (const { status, text } of answers) assert.equal(status, 200, text)
  assert.equal(await transactionsOf(answers), 2)
})

test('accounts, beneficiaries and references of other ventures are as unknown as any', async () => {
  const stranger = await openPayer(await bank.registerVenture())
  const theirs = stranger.order()
  const answer = await send([theirs, payer.order({ beneficiary_id: stranger.beneficiary_id })], { atomic: false })
  assert.deepEqual(codesOf(answer), ['account_not_found', 'beneficiary_invalid'])
})

test('people of the venture send many orders if their role allows it, and each transfer is audited like a single one', async () => {
  const [worker, viewer] = [await openMember(bank, venture.venture.id, 'operator'), await openMember(bank, venture.venture.id, 'viewer')]
  assert.equal((await send([payer.order()], { caller: viewer })).problem.code, 'forbidden')
  const answer = await send([payer.order(), payer.order({ account_id: randomUUID() }), payer.order({ purpose: 'Rent' })], {
    atomic: false,
    caller: worker,
  })
  assert.deepEqual(codesOf(answer), ['created', 'account_not_found', 'created'])
  const { rows } = await bank.owner.query(
    `select resource, actor, actor_id, fields, request_id from audit_log where action = 'createTransfers' order by id`,
  )
  const made = answer.body.results.flatMap(({ transfer }: Loose) => (transfer === undefined ? [] : [transfer.id]))
  const fields = Object.keys(payer.order())
  assert.deepEqual(
    rows.map(({ resource, actor, actor_id }) => [resource, actor, actor_id]),
    made.map((id: string) => [id, 'user', worker.id]),
  )
  assert.deepEqual(
    rows.map((row) => row.fields.toSorted()),
    [fields.toSorted(), [...fields, 'purpose'].toSorted()],
  )
  assert.equal(new Set(rows.map(({ request_id }) => request_id)).size, 1)
})

test('with four eyes, people of the bank order one payment at a time, and without them as many as they like', async () => {
  const managed = await ManagedVenture.open(bank)
  const { account, order } = await openPayer(managed)
  const arriving = { account_id: account.id, unique_reference: randomUUID(), direction: 'INBOUND', credit_amount: '5.00' }
  const asVenture = await send([order(), arriving], { atomic: false, caller: managed })
  assert.deepEqual(codesOf(asVenture), ['created', 'reserved_to_bank'])
  const banker = (await openBanker(bank, 'operator')).actingFor(managed.venture.id)
  const withFourEyes = new Caller(await bank.openInstance({ fourEyes: true }), banker.headers)
  const approvals = await bank.count('approvals')
  const before = await stored()
  for (const [orders, atomic] of [
    [[order(), arriving], false],
    [[order()], true],
  ] as const) {
    const { status, problem } = await send(orders, { atomic, caller: withFourEyes, key: randomUUID() })
    assert.deepEqual([status, problem?.code], [403, 'approval_required'])
    assert.match(problem?.detail, /one payment at a time/)
  }
  assert.deepEqual([await stored(), await bank.count('approvals')], [before, approvals])
  const without = new Caller(await bank.openInstance({ fourEyes: false }), banker.headers)
  assert.deepEqual(codesOf(await send([arriving], { caller: without })), ['created'])
})

test('the bank screens and processes many orders of a managed venture like single ones', async () => {
  const managed = await ManagedVenture.open(bank)
  const { account, order } = await openPayer(managed, { balance: '25.00' })
  const { body } = await send([order({ debit_amount: '10.00' }), order({ debit_amount: '10.00' }), order({ debit_amount: '10.00' })], {
    caller: managed,
  })
  assert.equal(body.created, 3)
  await bank.runProcessing()
  const statuses = await Promise.all(
    body.results.map(async ({ transfer }: Loose) => (await managed.get(`/transfers/${transfer.id}`)).body.status),
  )
  const [first, second, third] = statuses
  assert.deepEqual([first, third], [second, 'TO_RESERVE'])
  assert.notEqual(first, 'CREATED')
  assert.deepEqual((await managed.balances(account))[2], '5.00')
})

test('listeners for managed transfers are told of those in a request with many orders', async () => {
  const managed = await ManagedVenture.open(bank)
  const { order } = await openPayer(managed)
  const told: string[] = []
  const watch = (changed: readonly { id: string }[]) => void told.push(...changed.map(({ id }) => id))
  bank.services.transfers.watchers.add(watch)
  const { body } = await send([order(), order()], { caller: managed })
  bank.services.transfers.watchers.delete(watch)
  assert.deepEqual(
    told,
    body.results.map(({ transfer }: Loose) => transfer.id),
  )
})

test('a request counts towards the rate limit as many times as it has orders', async () => {
  const caller = await bank.registerVenture()
  const { order } = await openPayer(caller)
  const limited = new Caller(await bank.openInstance({ rateLimitPerMinute: 5 }), caller.headers)
  const first = await send([order(), order(), order()], { caller: limited })
  assert.deepEqual([first.status, first.headers['ratelimit-remaining']], [200, '4'])
  assert.equal((await limited.get('/venture')).headers['ratelimit-remaining'], '1')
  // It is admitted because the limit is not used up yet.
  assert.equal((await send([order(), order()], { caller: limited })).status, 200)
  const { status, problem } = await limited.get('/venture')
  assert.deepEqual([status, problem.code], [429, 'too_many_requests'])
})

test('requests with many orders take turns, and one that gets no turn is told to try again', async () => {
  const { bulks } = bank.services.transfers
  const { id } = venture.venture
  const turns = Array.from({ length: 69 }, () => bulks.enter(id))
  assert.deepEqual([bulks.running, bulks.waiting], [5, 64])
  const { status, problem, headers } = await send([payer.order()])
  assert.deepEqual([status, problem.code, headers['retry-after']], [503, 'unavailable', '1'])
  for (const turn of turns) {
    await turn
    bulks.leave(id)
  }
  assert.equal((await send([payer.order()])).status, 200)
  // A refusal ends the turn as well.
  for (let time = 0; time < 3; time++) assert.equal((await send('nothing')).status, 400)
  assert.deepEqual([bulks.running, bulks.waiting], [0, 0])
})

test('if the answer to COMMIT is lost, the outcome is found out, or said to be unknown and never repeated', async () => {
  const proxy = await TcpProxy.open(urlOf(findTestServer().serviceUrl, bank.owner.database ?? ''))
  const { databasePoolSize: poolSize, databaseWait_ms: wait_ms } = bank.config
  const database = new Database({ url: proxy.url, poolSize, wait_ms, outcome_ms: 1_000 })
  await database.findPlacement()
  after(async () => {
    await database.close()
    proxy.close()
  })
  const transfers = openTransfers(database, bank.config.bank, openFirstCase)
  const bulk = (orders: object[]) =>
    createTransfers(transfers, {
      venture_id: venture.venture.id,
      bytes: Buffer.from(JSON.stringify({ transfers: orders })),
      actor: { kind: 'venture', id: null },
      approved: false,
      companions: undefined,
      onRead: () => {},
      problemOf: () => assert.fail(),
    })
  proxy.loseCommits('unanswered')
  assert.equal((await bulk([payer.order(), payer.order()])).created, 2)
  proxy.loseCommits('unsent')
  assert.equal((await bulk([payer.order(), payer.order()])).created, 2)
  assert.equal(proxy.lostCommits, 2)
  const unique_reference = randomUUID()
  proxy.loseCommits('late')
  await assert.rejects(bulk([payer.order(), payer.order({ unique_reference })]), { code: 'outcome_unknown' })
  proxy.deliver()
})
