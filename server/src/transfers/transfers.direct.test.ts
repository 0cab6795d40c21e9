// Batches that go straight to the worker of their venture. On a single PostgreSQL the tests stand a worker in by the same database, which is distributed only
// as far as its service can tell; on a cluster they use its workers.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, mock, suite, test } from 'node:test'
import pg from 'pg'
import { openFirstCase } from '../cases/cases.ts'
import { beginEra } from '../events/events.ts'
import { theService } from '../platform/actor.ts'
import { now } from '../platform/clock.ts'
import { type Companion, companion } from '../platform/companions.ts'
import { NotOnShard, Shard } from '../platform/database/database.placed.ts'
import { aloneKey, Database, NotFree, Tx } from '../platform/database/database.ts'
import { type Place, Workers } from '../platform/database/database.workers.ts'
import { read } from '../platform/database/sql.ts'
import { move } from '../platform/distribute/distribute.move.ts'
import { tablesAt } from '../platform/distribute/distribute.tables.ts'
import { hashOf, idempotencyKeys } from '../platform/idempotency/idempotency.ts'
import { uuidv7 } from '../platform/ids.ts'
import { TcpProxy } from '../testing/testing.proxy.ts'
import { findTestServer, urlOf, wantsCluster } from '../testing/testing.server.ts'
import { openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'
import { screening, walk } from '../testing/testing.walks.ts'
import { Refusal } from '../values/refusals.ts'
import { selectVenture } from '../ventures/ventures.sql.ts'
import { runBatch } from './transfers.batches.ts'
import { Direct, NotDirect } from './transfers.direct.ts'
import { previewTransfer } from './transfers.preview.ts'
import { attemptOf, claimAhead, claimFree, deleteUnused, findClaims, referencesIn } from './transfers.references.ts'
import type { TransferOrder } from './transfers.schemas.ts'
import { createTransfer, openTransfers } from './transfers.ts'

const bank = await openBank()
const onCluster = wantsCluster()
const notHere = 'A stand-in for what a cluster has, or has not.'

const opened: { close(): unknown }[] = []
after(async () => {
  for (const each of opened) await each.close()
})

const openDatabase = (url: string) => {
  const database = new Database({ url, wait_ms: 60_000 })
  opened.push(database)
  return database
}

const database = openDatabase(bank.database.url)
// Only the service can tell: the tables that a distributed database has besides are not needed here.
database.distributed = true

const warnings: string[] = []
const log = { warn: (_: unknown, text?: string) => void warnings.push(String(text)) } as unknown as ConstructorParameters<
  typeof Workers
>[0]['log']

/** A worker that has the same tables under the same names, because it is the coordinator. */
function standIn(open: (url: string) => Database): Workers {
  const tables = [...tablesAt('shards'), ...tablesAt('everywhere')]
  const shard = new Shard('1', new Map(tables.map((table) => [table, table])))
  const worker: Place['worker'] = { node: { name: 'here', port: 0, group: 1 }, database: open(bank.database.url), state: 'usable' }
  const places = new Map<string, Place>()
  const workers = {
    placeOf: async (venture_id: string) => {
      if (worker.state !== 'usable') return undefined
      const place = places.get(venture_id) ?? { shard, worker }
      places.set(venture_id, place)
      return place
    },
    transaction: <T>(_: Place, work: (tx: Tx) => Promise<T>, since_ms: number) =>
      worker.database.transaction(work, since_ms, { shard, elsewhere: database }),
    findMoved: async () => new Set(),
    rest: () => {
      worker.state = 'resting'
    },
  }
  return workers as unknown as Workers
}

function openWorkers(open = openDatabase): Workers {
  return onCluster ? new Workers({ coordinator: database, open, log }) : standIn(open)
}

const workers = openWorkers()
const direct = new Direct(database, workers)
const straight = openTransfers(database, bank.config.bank, openFirstCase, workers)
const throughCoordinator = openTransfers(database, bank.config.bank, openFirstCase)
const ways = { straight, 'through the coordinator': throughCoordinator }

async function openPayer() {
  const venture = await bank.registerVenture()
  const account = await venture.openAccount()
  const venture_id = venture.venture.id
  const order = (unique_reference: string, more: object = {}) =>
    ({ account_id: account.id, unique_reference, direction: 'INBOUND', credit_amount: '1.00', ...more }) as unknown as TransferOrder
  const create = (unique_reference: string, { by = straight, more = {}, companions }: Ordered = {}) =>
    createTransfer(by, {
      venture_id,
      actor: theService,
      order: order(unique_reference, more),
      ...(companions === undefined ? {} : { companions }),
    })
  return { venture, venture_id, account, order, create }
}

type Payer = Awaited<ReturnType<typeof openPayer>>
type Ordered = { by?: typeof straight; more?: object; companions?: readonly Companion[] }

const [acme, other] = [await openPayer(), await openPayer()]

/** As a caller does who is told to try again in a moment. On a busy machine the service may lose its patience. */
async function patiently<T>(act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!(error instanceof Refusal && error.code === 'unavailable')) throw error
    }
  }
}

const said = (act: Promise<unknown>): Promise<string> =>
  act.then(
    () => 'created',
    (error) => (error instanceof Refusal ? error.code : String(error)),
  )

type StoredClaim = { venture_id: string; transfer_id: string; attempt: string | null }

async function claimOf(reference: string): Promise<StoredClaim | undefined> {
  const text = 'select venture_id, transfer_id, attempt from transfer_references where unique_reference = $1'
  return (await bank.owner.query<StoredClaim>(text, [reference])).rows[0]
}

async function transfersWith(reference: string): Promise<string[]> {
  const { rows } = await bank.owner.query<{ id: string }>('select id from transfers where unique_reference = $1', [reference])
  return rows.map(({ id }) => id)
}

/** Whether a transfer was written by a transaction of a worker. */
const wentStraight = async (reference: string) => typeof (await claimOf(reference))?.attempt === 'string'

async function placeOf(venture_id: string): Promise<Place> {
  return (await workers.placeOf(venture_id)) ?? assert.fail('the worker cannot be used')
}

afterEach(async () => {
  mock.restoreAll()
  assert.deepEqual(await bank.wrongBooks(), [])
  const twice = 'select unique_reference from transfers group by 1 having count(*) > 1'
  assert.deepEqual((await bank.owner.query(twice)).rows, [])
  const without = `select id from transfers except select transfer_id from transfer_references`
  assert.deepEqual((await bank.owner.query(without)).rows, [], 'a transfer without a claim')
})

/** A transaction of the venture's worker that has written a transfer and claimed its reference, and goes on when it is told to. */
async function holdCreate(payer: Payer, reference: string) {
  const written = Promise.withResolvers<void>()
  const end = Promise.withResolvers<'commit' | 'fail'>()
  const command = {
    kind: 'create',
    venture_id: payer.venture_id,
    id: uuidv7(),
    actor: theService,
    order: payer.order(reference),
    now: now(),
  } as const
  const work = async (tx: Tx, references: ReturnType<typeof referencesIn>) => {
    const { results } = await runBatch(tx, bank.config.bank, { commands: [command], goOn: undefined, references }, true)
    written.resolve()
    if ((await end.promise) === 'fail') throw new Error('it fails')
    return results
  }
  const done = direct.transaction(payer.venture_id, work, performance.now())
  done.catch(written.reject)
  await written.promise
  return {
    id: command.id,
    /** Awaits the end as well. */
    end: async (how: 'commit' | 'fail') => {
      end.resolve(how)
      await done.catch((error) => assert.match(String(error), /it fails/))
    },
  }
}

/** A claim that its transaction has left behind. */
async function leaveClaim({ venture_id }: Payer, reference: string, number?: string): Promise<string> {
  const { worker } = await placeOf(venture_id)
  const own = await worker.database.transaction((tx) => tx.number())
  const attempt = attemptOf(number ?? own)
  await database.transaction((tx) => claimAhead(tx, [{ unique_reference: reference, venture_id, transfer_id: uuidv7(), attempt }]))
  return attempt
}

/** Counts how often somebody has looked at a claim. */
function countLooks(): () => number {
  let looks = 0
  for (const reader of [Database.prototype, Tx.prototype]) {
    const rows = reader.rows
    mock.method(reader, 'rows', function (this: Database & Tx, query: Parameters<typeof rows>[0]) {
      if (query.text.includes('from transfer_references where')) looks++
      return rows.call(this, query as never)
    })
  }
  return () => looks
}

test('a transfer is created on the worker, and its claim names the transaction', async () => {
  const reference = randomUUID()
  const { id } = await acme.create(reference)
  const claim = await claimOf(reference)
  assert.deepEqual([claim?.venture_id, claim?.transfer_id], [acme.venture_id, id])
  assert.match(claim?.attempt ?? '', /^\d+-[0-9a-f]{12}$/)
  assert.equal((await acme.venture.get(`/transfers/${id}`)).body.status, 'CREATED')
  const elsewhere = randomUUID()
  await acme.create(elsewhere, { by: throughCoordinator })
  assert.equal((await claimOf(elsewhere))?.attempt, null)
})

test('a reference is used once, whoever wants it and in whichever way', async () => {
  for (const first of Object.values(ways)) {
    for (const second of Object.values(ways)) {
      for (const [one, two] of [
        [acme, other],
        [other, acme],
        [acme, acme],
      ] as const) {
        const reference = randomUUID()
        const { id } = await one.create(reference, { by: first })
        await assert.rejects(two.create(reference, { by: second }), (error: Refusal) => {
          assert.equal(error.code, 'unique_reference_used')
          assert.equal(error.details['existing_transfer_id'], one === two ? id : undefined)
          return true
        })
        const together = randomUUID()
        const ends = await Promise.all([
          said(patiently(() => one.create(together, { by: first }))),
          said(patiently(() => two.create(together, { by: second }))),
        ])
        assert.deepEqual(ends.sort(), ['created', 'unique_reference_used'])
      }
    }
  }
})

test('a claim whose transaction was not committed leads nowhere, and the next one gets the reference', async () => {
  // Also one from the future: a crash has taken the number back.
  for (const number of [undefined, String(2n ** 40n)]) {
    for (const by of Object.values(ways)) {
      const reference = randomUUID()
      await leaveClaim(acme, reference, number)
      assert.equal((await findClaims(database, [reference])).size, 0)
      const command = {
        kind: 'create',
        venture_id: other.venture_id,
        id: uuidv7(),
        actor: theService,
        order: other.order(reference),
        now: now(),
      } as const
      const preview = await previewTransfer(database, bank.config.bank, command)
      assert.ok(!('refusal' in preview))
      const { id } = await other.create(reference, { by })
      assert.deepEqual(await transfersWith(reference), [id])
      assert.equal((await claimOf(reference))?.transfer_id, id)
    }
  }
})

test('a claim is only taken from the attempt that leads nowhere', async () => {
  const reference = randomUUID()
  const old = await leaveClaim(acme, reference)
  const { transfer_id = '' } = (await claimOf(reference)) ?? {}
  const claim = { unique_reference: reference, venture_id: acme.venture_id, transfer_id }
  const anew = attemptOf('1')
  assert.deepEqual([...(await database.transaction((tx) => claimAhead(tx, [{ ...claim, attempt: anew }])))], [transfer_id])
  assert.equal(await database.transaction((tx) => deleteUnused(tx, [{ ...claim, attempt: old }])), 0)
  assert.equal((await claimOf(reference))?.attempt, anew)
  assert.equal(await database.transaction((tx) => deleteUnused(tx, [{ ...claim, attempt: anew }])), 1)
})

test('whoever wants a reference waits for the transaction that has claimed it, and is told what became of it', async () => {
  for (const by of Object.values(ways)) {
    for (const how of ['commit', 'fail'] as const) {
      const reference = randomUUID()
      const held = await holdCreate(acme, reference)
      const looks = countLooks()
      let isOver = false
      const wanted = said(patiently(() => other.create(reference, { by }))).finally(() => {
        isOver = true
      })
      await eventually(() => isOver || looks() > 1)
      assert.equal(isOver, false, 'it was decided before the transaction had ended')
      await held.end(how)
      assert.equal(await wanted, how === 'commit' ? 'unique_reference_used' : 'created')
      assert.equal((await transfersWith(reference)).length, 1)
      mock.restoreAll()
    }
  }
})

test('a transfer that the coordinator has committed, and the worker has not yet, is waited for', async () => {
  for (const by of Object.values(ways)) {
    const [reference, id] = [randomUUID(), uuidv7()]
    await bank.owner.query('insert into transfer_references (unique_reference, venture_id, transfer_id) values ($1, $2, $3)', [
      reference,
      acme.venture_id,
      id,
    ])
    const looks = countLooks()
    let isOver = false
    const wanted = said(patiently(() => other.create(reference, { by }))).finally(() => {
      isOver = true
    })
    await eventually(() => isOver || looks() > 1)
    assert.equal(isOver, false, 'a transfer was named that is not there')
    await createTransfer(straight, { venture_id: acme.venture_id, id, actor: theService, order: acme.order(reference) })
    assert.equal(await wanted, 'unique_reference_used')
    mock.restoreAll()
  }
})

test('a transaction that has its number already sees that a later one still runs', async () => {
  const reference = randomUUID()
  await database
    .transaction(async (tx) => {
      // The rows are on the worker, so it has a number there as well.
      await tx.rows(read`select id from accounts where venture_id = ${acme.venture_id} and id = ${acme.account.id} for no key update`)
      const held = await holdCreate({ ...acme, order: other.order, venture_id: other.venture_id }, reference)
      const looks = countLooks()
      const claim = { unique_reference: reference, venture_id: acme.venture_id, transfer_id: uuidv7() }
      let isOver = false
      const claiming = referencesIn(tx)
        .claim([claim])
        .finally(() => {
          isOver = true
        })
      claiming.catch(() => {})
      await eventually(() => isOver || looks() > 1)
      assert.equal(isOver, false, 'it was decided before the transaction had ended')
      await held.end('commit')
      assert.equal((await claiming).size, 0)
    })
    .catch((error) => {
      // Its patience may end on a busy machine.
      if (!(error instanceof Refusal && error.code === 'unavailable')) throw error
    })
  assert.equal((await transfersWith(reference)).length, 1)
})

test('of those who find a reference free, one gets it, and the others look again', async () => {
  const reference = randomUUID()
  const claim = { unique_reference: reference, venture_id: acme.venture_id, transfer_id: uuidv7() }
  const claimed: string[] = []
  // Each time somebody else is faster, and is rolled back.
  const granted = await claimFree(database, [claim], {
    claim: async () => {
      claimed.push(reference)
      if (claimed.length > 2) return new Set([claim.transfer_id])
      await leaveClaim(other, reference)
      return new Set()
    },
    free: (unused) => database.transaction((tx) => deleteUnused(tx, unused)),
  })
  assert.deepEqual([granted, claimed.length], [new Set([claim.transfer_id]), 3])
})

test('of the orders of a batch with one reference, the first alone claims it, whatever others do meanwhile', async () => {
  const unique_reference = randomUUID()
  const [first, second] = [uuidv7(), uuidv7()]
  const claims = [second, first].map((transfer_id) => ({ unique_reference, venture_id: acme.venture_id, transfer_id }))
  const inserted: unknown[] = []
  const { rows } = Tx.prototype
  mock.method(Tx.prototype, 'rows', function (this: Tx, query: Parameters<typeof rows>[0]) {
    if (query.text.includes('insert into transfer_references')) inserted.push(query.values[2])
    return rows.call(this, query)
  })
  await database.transaction(async (tx) => {
    const references = referencesIn(tx)
    assert.deepEqual([...(await references.claim(claims))], [first])
    references.release(claims)
  })
  assert.deepEqual(inserted, [`{${first}}`])
})

test('a reference that is claimed late, and that somebody else has, fails the transaction', async () => {
  const reference = randomUUID()
  await acme.create(reference)
  const claim = { unique_reference: reference, venture_id: other.venture_id, transfer_id: uuidv7() }
  const late = database.transaction(async (tx) => {
    await referencesIn(tx).claimMore([claim])
  })
  assert.equal(await said(late), 'unavailable')
})

test('a claim that nobody has taken over on one PostgreSQL keeps its reference from being used', {
  skip: onCluster && notHere,
}, async () => {
  const [reference, transfer_id] = [randomUUID(), uuidv7()]
  const claim = { unique_reference: reference, venture_id: acme.venture_id, transfer_id, attempt: attemptOf('1') }
  await database.transaction(async (tx) => void (await claimAhead(tx, [claim])))
  const single = new Database({ url: bank.database.url, wait_ms: 60_000 })
  opened.push(single)
  const by = openTransfers(single, bank.config.bank, openFirstCase)
  for (let order = 0; order < 2; order++) assert.equal(await said(acme.create(reference, { by })), 'unique_reference_used')
  await database.transaction(async (tx) => void (await deleteUnused(tx, [claim])))
})

test('an answer is given again only if every worker can confirm what it has committed', { skip: onCluster && notHere }, async () => {
  const evidence = read`select 1 as one`
  const workersSay = (success: boolean) =>
    bank.owner.query(
      `create or replace function run_command_on_workers(command text) returns table (success boolean) language sql as 'select ${success}'`,
    )
  await workersSay(true)
  await database.confirm(evidence)
  await workersSay(false)
  assert.equal(await said(database.confirm(evidence)), 'outcome_unknown')
  await bank.owner.query('drop function run_command_on_workers')
})

test('refused orders leave their references free, for the next order of the same batch, too', async () => {
  const reference = randomUUID()
  assert.equal(await said(acme.create(reference, { more: { credit_currency: 'USD' } })), 'currency_mismatch')
  await eventually(async () => (await claimOf(reference)) === undefined)
  const ends = await Promise.all([
    said(patiently(() => acme.create(reference, { more: { credit_currency: 'USD' } }))),
    said(patiently(() => acme.create(reference))),
  ])
  assert.deepEqual(ends, ['currency_mismatch', 'created'])
  assert.equal((await transfersWith(reference)).length, 1)
})

test('nothing is written where a shard no longer is', async () => {
  const reference = randomUUID()
  let asked = 0
  mock.method(workers, 'findMoved', async (_: Tx, places: readonly Place[]) => {
    asked++
    return new Set(places)
  })
  const work = (tx: Tx, references: ReturnType<typeof referencesIn>) =>
    runBatch(
      tx,
      bank.config.bank,
      {
        commands: [
          { kind: 'create', venture_id: acme.venture_id, id: uuidv7(), actor: theService, order: acme.order(reference), now: now() },
        ],
        goOn: undefined,
        references,
      },
      true,
    )
  await assert.rejects(direct.transaction(acme.venture_id, work, performance.now()), NotDirect)
  // Without a reference to claim, too.
  await assert.rejects(
    direct.transaction(acme.venture_id, async () => {}, performance.now()),
    NotDirect,
  )
  assert.deepEqual([asked, await transfersWith(reference)], [2, []])
  await acme.create(reference)
  assert.equal(await wentStraight(reference), false)
})

test('while somebody runs alone, or waits for that, nothing that goes straight is committed', async () => {
  const reference = randomUUID()
  const alone = new pg.Client({ connectionString: urlOf(findTestServer().ownerUrl, bank.owner.database ?? '') })
  await alone.connect()
  let locking: Promise<unknown> = Promise.resolve()
  const work = async (tx: Tx, references: ReturnType<typeof referencesIn>) => {
    // It has the lock of its own server.
    await tx.number()
    locking = alone.query('begin').then(() => alone.query('select pg_advisory_xact_lock($1)', [aloneKey]))
    const taken = `select from pg_locks where locktype = 'advisory' and objid = $1 and mode = 'ExclusiveLock' and database = (select oid from pg_database where datname = current_database())`
    await eventually(async () => (await bank.owner.query(taken, [aloneKey])).rowCount === 1)
    return references.claim([{ unique_reference: reference, venture_id: acme.venture_id, transfer_id: uuidv7() }])
  }
  try {
    assert.match(await said(direct.transaction(acme.venture_id, work, performance.now())), /^Error: another transaction runs alone$/)
  } finally {
    await locking
    await alone.end()
  }
  assert.equal(await claimOf(reference), undefined)
})

test('a permit that one of many does not get keeps nobody else from theirs', async () => {
  const references = Array.from({ length: 8 }, () => randomUUID())
  const moved = await placeOf(other.venture_id)
  mock.method(workers, 'findMoved', async (_: Tx, asked: readonly Place[]) => new Set(asked.filter((place) => place === moved)))
  await Promise.all(references.map((reference, n) => (n % 2 === 0 ? acme : other).create(reference)))
  for (const [n, reference] of references.entries()) assert.equal(await wentStraight(reference), n % 2 === 0)
})

test('a batch that needs what the coordinator has goes through it', async () => {
  const [payer, other] = [await openPayer(), await openPayer()]
  const reference = randomUUID()
  const name = `${randomUUID()}`
  const kind = {
    name: 'test',
    ofVenture: true,
    claim: async (tx: Tx, rows: readonly string[]) => {
      await tx.rows(read`select id from jobs where kind = ${name}`)
      return rows.map(() => 'granted' as const)
    },
  }
  await payer.create(reference, { companions: [companion(kind, name)] })
  assert.equal(await wentStraight(reference), false)
  await assert.rejects(
    direct.transaction(other.venture_id, (tx) => tx.rows(read`select id from jobs where kind = ${name}`), performance.now()),
    (error) => error instanceof NotDirect && !(error instanceof NotOnShard) && !(error instanceof NotFree),
  )
  // It is expected to need the coordinator again, and for a moment nobody tries.
  await assert.rejects(
    direct.transaction(other.venture_id, async () => assert.fail('it was tried'), performance.now()),
    NotDirect,
  )
})

suite('with an idempotency key', () => {
  const attemptFor = ({ venture_id }: Payer, key = randomUUID()) => ({
    ...{ venture_id, owner_id: venture_id, operation: 'createTransfer', key, request_hash: hashOf({}) },
    answerOf: () => undefined,
  })
  const payer = openPayer()

  test('a create goes straight, and its repetition is refused in both ways', async () => {
    const venture = await payer
    const attempt = attemptFor(venture)
    const reference = randomUUID()
    const companions = [companion(idempotencyKeys, attempt)]
    await venture.create(reference, { companions })
    assert.equal(await wentStraight(reference), true)
    for (const by of Object.values(ways))
      assert.equal(await said(venture.create(randomUUID(), { by, companions })), 'idempotency_key_in_use')
  })

  test('the two ways keep each other out while one is under way', async () => {
    const venture = await payer
    const place = await placeOf(venture.venture_id)
    for (const by of Object.values(ways)) {
      const attempt = attemptFor(venture)
      const claim = (tx: Tx) => idempotencyKeys.claim(tx, [attempt], false)
      const during = async (tx: Tx) => {
        assert.deepEqual(await claim(tx), ['granted'])
        return said(venture.create(randomUUID(), { by, companions: [companion(idempotencyKeys, attempt)] }))
      }
      assert.equal(await workers.transaction(place, during, performance.now()), 'idempotency_key_in_use')
      assert.equal(await database.transaction(during), 'idempotency_key_in_use')
    }
  })
})

/** Workers behind proxies, with those who order from them. */
async function openBehindProxies() {
  const { workerUrls = [bank.database.url] } = findTestServer()
  const proxies = new Map<string, TcpProxy>()
  for (const url of workerUrls) proxies.set(new URL(url).port, await TcpProxy.open(url))
  opened.push(...proxies.values())
  const behind = (url: string) => {
    const changed = new URL(url)
    changed.host = new URL((proxies.get(changed.port) ?? assert.fail(`no proxy for ${url}`)).url).host
    return changed.href
  }
  const workers = openWorkers((url) => openDatabase(behind(url)))
  return { proxies: [...proxies.values()], by: openTransfers(database, bank.config.bank, openFirstCase, workers) }
}

test('a connection that breaks during COMMIT leaves one transfer and its claim, or neither', async () => {
  const { proxies, by } = await openBehindProxies()
  await acme.create(randomUUID(), { by })
  for (const loss of ['unsent', 'unanswered', 'late'] as const) {
    const reference = randomUUID()
    for (const proxy of proxies) proxy.loseCommits(loss, { andThen: () => setImmediate(() => proxy.deliver()) })
    const end = await said(acme.create(reference, { by }))
    for (const proxy of proxies) proxy.loseCommits(loss, { times: 0 })
    assert.equal(end, 'created', loss)
    assert.equal(await wentStraight(reference), true, loss)
    assert.equal((await transfersWith(reference)).length, 1, loss)
    for (const other of Object.values(ways)) assert.equal(await said(acme.create(reference, { by: other })), 'unique_reference_used')
  }
})

test('what concerns a worker that cannot be reached any more goes through the coordinator', async () => {
  const { proxies, by } = await openBehindProxies()
  const before = randomUUID()
  await acme.create(before, { by })
  assert.equal(await wentStraight(before), true)
  for (const proxy of proxies) proxy.close()
  for (let n = 0; n < 3; n++) {
    const reference = randomUUID()
    assert.equal(await said(acme.create(reference, { by })), 'created')
    assert.equal(await wentStraight(reference), false)
  }
})

test('a worker that does not let the service in is said once, and does without', async () => {
  warnings.length = 0
  const stranger = (url: string) => {
    const changed = new URL(url)
    changed.username = 'nobody'
    return openDatabase(changed.href)
  }
  const by = openTransfers(database, bank.config.bank, openFirstCase, openWorkers(stranger))
  for (let n = 0; n < 3; n++) {
    const reference = randomUUID()
    await acme.create(reference, { by })
    assert.equal(await wentStraight(reference), false)
  }
  if (onCluster) assert.match(warnings.join(), /^a worker cannot be used directly: [^,]*, which is slower$/)
})

test('a worker that is not the one that the coordinator means is not used', {
  skip: !onCluster && 'The stand-in for a worker is not asked who it is.',
}, async () => {
  const reference = randomUUID()
  const by = openTransfers(
    database,
    bank.config.bank,
    openFirstCase,
    openWorkers(() => openDatabase(bank.database.url)),
  )
  await acme.create(reference, { by })
  assert.equal(await wentStraight(reference), false)
})

test('after a move a venture goes straight to its new worker', {
  skip: !onCluster && 'A single PostgreSQL has no shards to move.',
}, async () => {
  const payer = await openPayer()
  await payer.create(randomUUID())
  const { worker } = await placeOf(payer.venture_id)
  const ports = (findTestServer().workerUrls ?? []).map((url) => new URL(url).port)
  const to = `127.0.0.1:${ports.find((port) => Number(port) !== worker.node.port)}`
  const { moved } = await move(
    urlOf(findTestServer().ownerUrl, bank.owner.database ?? ''),
    { venture_id: payer.venture_id, to },
    { beginEra, selectVenture },
  )
  assert.equal(moved, 1)
  const [first, second] = [randomUUID(), randomUUID()]
  await payer.create(first)
  assert.equal(await wentStraight(first), false)
  await payer.create(second)
  assert.equal(await wentStraight(second), true)
  const { name, port } = (await placeOf(payer.venture_id)).worker.node
  assert.equal(`${name}:${port}`, to)
  assert.equal((await bank.owner.query('select from transfers where account_id = $1', [payer.account.id])).rowCount, 3)
})

test('the statements of a batch name the tables of the shard only', async () => {
  const texts = new Set<string>()
  const { place } = Shard.prototype
  mock.method(Shard.prototype, 'place', function (this: Shard, query: Parameters<typeof place>[0]) {
    const placed = place.call(this, query)
    texts.add(placed.text)
    return placed
  })
  await acme.create(randomUUID())
  if (onCluster) {
    const { venture } = await openPayer()
    const account = await venture.openAccount({ balance: '100.00', daily_limit: '90.00' })
    const receiver = await venture.openAccount()
    for (const payee of [undefined, { iban: receiver.account_number }]) {
      const { id: beneficiary_id } = await venture.addBeneficiary(account.client_id, payee)
      const order = { account_id: account.id, beneficiary_id, debit_amount: '3.00' }
      const last = payee === undefined ? 'CANCELLED' : 'COMPLETED'
      await walk(venture, await venture.createTransfer(order), `RESERVED ${screening} ${last}`)
    }
  }
  const names = [...tablesAt('shards'), ...tablesAt('everywhere')].join('|')
  const unplaced = new RegExp(`(?<![.:\\w]|\\bas )(?:${names})\\b(?!\\s*\\.)`)
  for (const text of texts) assert.doesNotMatch(text, unplaced)
  assert.ok(texts.size > (onCluster ? 12 : 5), `${texts.size} only`)
})

test('a statement that is sent after the end of its transaction is refused', async () => {
  let kept: Tx | undefined
  await database.transaction(async (tx) => {
    kept = tx
  })
  await assert.rejects(async () => kept?.rows(read`select 1 as one`), /after its transaction had ended/)
  await assert.rejects(
    database.transaction(async (tx) => {
      kept = tx
      throw new Error('it fails')
    }),
    /it fails/,
  )
  await assert.rejects(async () => kept?.rows(read`select 1 as one`), /after its transaction had ended/)
})
