// Companions of transfers, with a table of names that each may be claimed once. It stands in for approvals, messages and the like.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openFirstCase } from '../../cases/cases.ts'
import { theService } from '../../platform/actor.ts'
import { type CompanionKind, companion, rehearse } from '../../platform/companions.ts'
import { Database } from '../../platform/database/database.ts'
import { read, write } from '../../platform/database/sql.ts'
import { withCheck } from '../../platform/distribute/distribute.checking.ts'
import { findTestServer, urlOf } from '../../testing/testing.server.ts'
import { openBank } from '../../testing/testing.ts'
import { lockRow, untilBlocked } from '../../testing/testing.waits.ts'
import { Refusal } from '../../values/refusals.ts'
import type { Transfer } from '../life/transfers.schemas.ts'
import { createTransfer, openTransfers, updateTransfer } from '../orders/transfers.orders.ts'
import type { TransferCompanions } from './transfers.plan.ts'

const bank = await openBank()
await bank.owner.query(`
  create table claimed_names (
    name text primary key, token uuid not null, transfer_id uuid, note text, constraint no_canaries check (note <> 'canary'));
  grant select, insert, update, delete on claimed_names to vostro_service`)

const { databasePoolSize: poolSize, databaseWait_ms: wait_ms } = bank.config
const second = new Database({ url: urlOf(findTestServer().serviceUrl, bank.owner.database ?? ''), poolSize, wait_ms })
await second.findPlacement()
after(() => second.close())
/** Two instances of the service on one database. */
const instances = [
  openTransfers(bank.database, bank.config.bank, openFirstCase),
  openTransfers(second, bank.config.bank, openFirstCase),
] as const
const [transfers] = instances

type NameClaim = { name: string; token: string; note: string }

const claimedNames: CompanionKind<NameClaim, Transfer> = {
  name: 'claimed_names',
  async acquire(tx, rows, wait) {
    const wanted = rows.map(({ name }) => name)
    const locking = wait
      ? tx.rows(read<{ name: string }>`
          select name from (select name from unnest(${wanted}::text[]) as name order by name offset 0) as sorted
          where pg_advisory_xact_lock(hashtextextended(name, 0)) is not null`)
      : tx.rows(read<{ name: string }>`
          select name from unnest(${wanted}::text[]) as name where pg_try_advisory_xact_lock(hashtextextended(name, 0))`)
    const inserting = tx.rows(write<{ token: string }>`
      insert into claimed_names (name, token)
      select name, token from unnest(${wanted}::text[], ${rows.map(({ token }) => token)}::uuid[]) as new (name, token)
      where pg_try_advisory_xact_lock(hashtextextended(name, 0))
      order by name on conflict do nothing returning token`)
    const [locked, inserted] = await Promise.all([locking, inserting])
    const [names, tokens] = [new Set(locked.map(({ name }) => name)), new Set(inserted.map(({ token }) => token))]
    return rows.map(({ name, token }) => {
      if (tokens.has(token)) return 'granted'
      return names.has(name) ? new Refusal('forbidden', { detail: `The name ${name} is taken.` }) : 'held'
    })
  },
  release(tx, granted) {
    tx.send(write`delete from claimed_names where token = any(${granted.map(({ row }) => row.token)})`)
  },
  write(tx, granted) {
    tx.send(write`
      update claimed_names set transfer_id = new.transfer_id, note = new.note
      from unnest(
        ${granted.map(({ row }) => row.token)}::uuid[],
        ${granted.map(({ result }) => result.id)}::uuid[],
        ${granted.map(({ row }) => row.note)}::text[]) as new (token, transfer_id, note)
      where claimed_names.token = new.token`)
  },
}

function claim(name: string, note = ''): TransferCompanions {
  return [companion(claimedNames, { name, token: randomUUID(), note })]
}

const venture = await bank.registerVenture()
const venture_id = venture.venture.id
const account = await venture.openAccount()

const orderFor = (account_id: string) => ({
  account_id,
  unique_reference: randomUUID(),
  direction: 'INBOUND' as const,
  credit_amount: '1.00',
})

function create(companions: TransferCompanions, { account_id = account.id, at = transfers } = {}): Promise<Transfer> {
  return createTransfer(at, { venture_id, order: orderFor(account_id), actor: theService, companions })
}

/** The result of each command, or the code of its refusal. */
async function outcomes(commands: readonly Promise<Transfer>[]): Promise<(Transfer | string)[]> {
  return (await Promise.allSettled(commands)).map((outcome) => {
    if (outcome.status === 'fulfilled') return outcome.value
    return outcome.reason instanceof Refusal ? outcome.reason.code : 'error'
  })
}

const made = (results: readonly (Transfer | string)[]) => results.flatMap((result) => (typeof result === 'string' ? [] : [result.id]))

async function claimedBy(name: string): Promise<string | null | undefined> {
  return (await bank.owner.query('select transfer_id from claimed_names where name = $1', [name])).rows[0]?.transfer_id
}

// In every outcome, each name belongs to the transfer that was made with it, and no reference is left behind.
afterEach(async () => {
  const text = `
    select 'a name without its transfer' as wrong, name from claimed_names
      where transfer_id is null or not exists (select from transfers where id = claimed_names.transfer_id)
    union all select 'a reference without its transfer', unique_reference from transfer_references
      where not exists (select from transfers where id = transfer_references.transfer_id)`
  assert.deepEqual(await withCheck(bank.owner, (check) => check({ text, values: [] })), [])
  assert.deepEqual(await bank.wrongBooks(), [])
})

test('a companion that is taken refuses its command, and the neighbours in the batch are carried out', async () => {
  const [first] = made(await outcomes([create(claim('taken'))]))
  const results = await outcomes(
    Array.from({ length: 40 }, (_, n) => create(n % 4 === 0 ? claim('taken') : n % 4 === 1 ? undefined : claim(`n${n}`))),
  )
  assert.deepEqual(
    results.map((result, n) => (typeof result === 'string' ? result : n % 4 === 1 || result.status)),
    Array.from({ length: 40 }, (_, n) => (n % 4 === 0 ? 'forbidden' : n % 4 === 1 || 'CREATED')),
  )
  assert.equal(await claimedBy('taken'), first)
  for (const n of [2, 3, 38, 39]) assert.equal(await claimedBy(`n${n}`), (results[n] as Transfer).id)
})

test('of two equal companions in one batch, one command is carried out', async () => {
  const results = await outcomes([create(claim('twice')), create(claim('twice')), create(claim('twice'))])
  assert.deepEqual(
    results.filter((result) => typeof result === 'string'),
    ['forbidden', 'forbidden'],
  )
  assert.equal(await claimedBy('twice'), made(results)[0])
})

test('a refused command leaves no companion, and its name is free for the next command', async () => {
  const refused = create(claim('free again'), { account_id: randomUUID() })
  assert.deepEqual(await outcomes([refused, create(undefined)]).then(([first]) => first), 'account_not_found')
  assert.equal(await claimedBy('free again'), undefined)
  const [id] = made(await outcomes([create(claim('free again'))]))
  assert.equal(await claimedBy('free again'), id)
})

test('a move may carry a companion too, and is made once', async () => {
  const { id: transfer_id } = await create(undefined)
  const move = (name: string) =>
    updateTransfer(transfers, { venture_id, transfer_id, update: { status: 'RECEIVED' }, actor: theService, companions: claim(name) })
  await create(claim('move taken'))
  assert.deepEqual(await outcomes([move('move taken')]), ['forbidden'])
  const results = await outcomes([move('first move'), move('second move')])
  assert.deepEqual(
    results.map((result) => (typeof result === 'string' ? result : result.status)),
    ['RECEIVED', 'transfer_transition_not_allowed'],
  )
  assert.deepEqual([await claimedBy('first move'), await claimedBy('second move')], [transfer_id, undefined])
})

test('two instances race for names: each is won once, by no more than one of them, without a deadlock', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `race ${n}`)
  const orders = Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? names : names.toReversed()))
  const results = await outcomes(
    orders.flatMap((order, n) => order.map((name) => create(claim(name), { at: instances[n % 2] ?? transfers }))),
  )
  assert.equal(made(results).length, names.length, JSON.stringify(results.filter((result) => typeof result === 'string')))
  assert.equal(results.filter((result) => result === 'forbidden').length, 5 * names.length)
  for (const name of names) assert.ok(made(results).includes((await claimedBy(name)) ?? ''), name)
})

test('an unforeseen failure of a companion affects its command only', async () => {
  const results = await outcomes(Array.from({ length: 12 }, (_, n) => create(claim(`half ${n}`, n === 5 ? 'canary' : 'fine'))))
  assert.deepEqual(
    results.flatMap((result, n) => (result === 'error' ? [n] : [])),
    [5],
  )
  assert.equal(made(results).length, 11)
  assert.equal(await claimedBy('half 5'), undefined)
  for (const n of [0, 4, 6, 11]) assert.equal(await claimedBy(`half ${n}`), (results[n] as Transfer).id)
})

test('a command that has to wait for a lock keeps its companion, and its neighbours do not wait', async () => {
  const held = await venture.openAccount()
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'accounts', held.id, 'no key update')
  const waiting = outcomes([create(claim('waits'), { account_id: held.id }), create(claim('waits'), { account_id: held.id })])
  const neighbour = create(claim('does not wait'))
  assert.ok(await untilBlocked(bank.owner, waiting), 'it did not wait')
  assert.equal(await claimedBy('does not wait').then((id) => id?.length), 36)
  await bank.owner.query('rollback')
  const results = await waiting
  assert.deepEqual(results.map((result) => (typeof result === 'string' ? result : result.status)).sort(), ['CREATED', 'forbidden'])
  assert.equal(await claimedBy('waits'), made(results)[0])
  assert.equal(await claimedBy('does not wait'), (await neighbour).id)
})

test('a command whose companion is held by somebody else is tried again and waits, and its neighbours do not', async () => {
  await bank.owner.query('begin')
  await bank.owner.query(`select pg_advisory_xact_lock(hashtextextended('held', 0))`)
  const waiting = create(claim('held'))
  const neighbour = create(claim('not held'))
  assert.ok(await untilBlocked(bank.owner, waiting), 'it did not wait')
  assert.equal(await claimedBy('not held').then((id) => id?.length), 36)
  await bank.owner.query('rollback')
  assert.equal(await claimedBy('held'), undefined)
  assert.equal((await waiting).id, await claimedBy('held'))
  assert.equal((await neighbour).id, await claimedBy('not held'))
})

test('the locks that a companion needs are taken with those of the batch', async () => {
  const other = await venture.openAccount()
  const { id: another } = await create(undefined)
  for (const [table, locks] of [
    ['accounts', { accounts: [other.id] }],
    ['transfers', { transfers: [another] }],
  ] as const) {
    const [id] = Object.values(locks).flat()
    await bank.owner.query('begin')
    await lockRow(bank.owner, table, id, 'no key update')
    const [accompanying] = claim(`locks ${table}`) ?? []
    assert.ok(accompanying)
    const waiting = create([{ ...accompanying, locks }])
    assert.ok(await untilBlocked(bank.owner, waiting), 'it did not wait')
    await bank.owner.query('rollback')
    assert.equal((await waiting).id, await claimedBy(`locks ${table}`))
  }
})

test('a transaction that is killed leaves neither the transfer nor its companion', async () => {
  const held = await venture.openAccount()
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'accounts', held.id, 'no key update')
  let over = false
  const killed = outcomes([create(claim('killed'), { account_id: held.id })]).finally(() => {
    over = true
  })
  while (!over) {
    await bank.owner.query(`
      select pg_terminate_backend(pid) from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))`)
    await sleep(2)
  }
  await bank.owner.query('rollback')
  assert.deepEqual(await killed, ['unavailable'])
  assert.equal(await claimedBy('killed'), undefined)
  const { rows } = await bank.owner.query('select from transfers where account_id = $1', [held.id])
  assert.equal(rows.length, 0)
  assert.equal((await create(claim('killed'), { account_id: held.id })).id, await claimedBy('killed'))
})

test('a rehearsal leaves nothing behind, refuses what would be refused, and the commands that share its transaction are carried out', async () => {
  const [name, taken] = [randomUUID(), randomUUID()]
  await create(claim(taken))
  const before = await bank.count('transfers')
  const rehearsing = (wanted: string) => rehearse((rehearsal) => create([...(claim(wanted) ?? []), ...(rehearsal ?? [])]))
  const [neighbours] = await Promise.all([
    outcomes(Array.from({ length: 5 }, () => create(undefined))),
    rehearsing(name),
    assert.rejects(rehearsing(taken), { code: 'forbidden' }),
    rehearsing(randomUUID()),
  ])
  assert.equal(made(neighbours).length, 5)
  assert.deepEqual([await bank.count('transfers'), await claimedBy(name)], [before + 5, undefined])
  await create(claim(name))
  await assert.rejects(
    rehearse(() => create(undefined)),
    /companions were not passed on/,
  )
})
