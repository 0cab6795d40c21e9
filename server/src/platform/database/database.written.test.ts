import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { onOneServer, onSeveralServers } from './database.placement.ts'
import { Tx } from './database.ts'
import { type Read, read, type Write, write } from './sql.ts'

/** The first words of each statement that a transaction with these statements sends. */
function sentBy(statements: readonly (Read<never> | Write<never>)[], { distributed }: { distributed: boolean }): string[] {
  const sent: string[] = []
  const query = async ({ text }: { text: string }) => {
    sent.push(text.trim().split(' ', 3).join(' '))
    return { rows: [], fields: [] }
  }
  const tx = new Tx({ query } as unknown as pg.PoolClient, distributed ? onSeveralServers : onOneServer)
  for (const statement of statements) {
    if (statement.kind === 'write') tx.send(statement)
    else void tx.rows(statement)
  }
  tx.complete()
  return sent
}

const [single, distributed] = [{ distributed: false }, { distributed: true }]
const job = write`insert into jobs (id) values (${1})`
const claim = write`insert into claims (name) values (${'name'})`
const payment = write`update payments set status = ${'PAID'} where venture_id = ${1}`
const event = write`insert into events (id) select * from unnest(${[1]}::uuid[])`
const look = read<never>`select id from payments where venture_id = ${1} for update`
const prepares = 'insert into idempotency_keys'

test('a transaction that writes on the coordinator and on a worker is prepared before it is committed', () => {
  for (const here of [job, claim]) {
    assert.deepEqual(sentBy([here, payment], distributed).at(-1), prepares)
    assert.deepEqual(sentBy([payment, here, look], distributed).at(-1), prepares)
  }
  const both = write`with done as (delete from cases returning id) update payments set status = ${'PAID'} where venture_id = ${1}`
  assert.deepEqual(sentBy([both], distributed).at(-1), prepares)
})

test('nothing more is sent where one server does everything, or where Citus prepares the transaction by itself', () => {
  const plain: [Parameters<typeof sentBy>[0], typeof single][] = [
    [[job, payment], single],
    [[], distributed],
    [[look], distributed],
    [[job, claim, look], distributed],
    [[payment, look], distributed],
    [[job, payment, event], distributed],
  ]
  for (const [statements, shape] of plain) {
    const sent = sentBy(statements, shape)
    assert.equal(sent.length, statements.length, sent.join())
    assert.ok(!sent.includes(prepares))
  }
})

test('events that are only removed do not make Citus prepare a transaction', () => {
  const removed = write`delete from events where venture_id = ${1}`
  assert.deepEqual(sentBy([job, removed], distributed).at(-1), prepares)
})
