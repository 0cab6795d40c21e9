import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../values/refusals.ts'
import { accompanied, type Companion, type CompanionKind, claimCompanions, companion } from './companions.ts'
import type { Tx } from './database/database.ts'

// No test here uses a database: the kinds only record what they are asked for.
const tx = {} as Tx

type Row = { name: string; claim: 'granted' | 'held' | Refusal }

/** A kind that grants what its rows say, and records everything else. */
function openKind(name: string, log: string[]): CompanionKind<Row, unknown> {
  return {
    name,
    async claim(_tx, rows, wait) {
      log.push(`${name} claims ${rows.map((row) => row.name)}${wait ? ' and waits' : ''}`)
      return rows.map(({ claim }) => claim)
    },
    giveBack(_tx, claims) {
      for (const { row, refusal } of claims) log.push(`${name} gives back ${row.name}: ${refusal?.code ?? 'tried again'}`)
    },
    write(_tx, claims) {
      for (const { row, result } of claims) log.push(`${name} writes ${row.name}: ${JSON.stringify(result)}`)
    },
  }
}

function open() {
  const log: string[] = []
  const [one, two] = [openKind('one', log), openKind('two', log)]
  const made =
    (kind: CompanionKind<Row, unknown>) =>
    (name: string, claim: Row['claim'] = 'granted'): Companion =>
      companion(kind, { name, claim })
  return { log, one: made(one), two: made(two) }
}

test('commands without companions send nothing', async () => {
  const untouchable = new Proxy({}, { get: () => assert.fail('the transaction was used') }) as Tx
  const claims = await claimCompanions(untouchable, [{}, { companions: undefined }, { companions: [] }], false)
  for (const index of [0, 1, 2]) assert.deepEqual([claims.blockOf(index), claims.refusalOf(index)], [undefined, undefined])
  claims.conclude(untouchable, () => ({ id: 'made' }))
  assert.deepEqual(await accompanied(untouchable, undefined, async () => ({ id: 'made' })), { id: 'made' })
})

test('each kind claims all of its rows at once, and the kinds go in the order of their names', async () => {
  const { log, one, two } = open()
  await claimCompanions(tx, [{ companions: [two('a'), one('b')] }, {}, { companions: [one('c')] }, { companions: [two('d')] }], false)
  await claimCompanions(tx, [{ companions: [one('e')] }], true)
  assert.deepEqual(log, ['one claims b,c', 'two claims a,d', 'one claims e and waits'])
})

test('what is carried out is written with its result, everything else is given back with the reason', async () => {
  const { log, one } = open()
  const commands = ['done', 'refused', 'skipped'].map((name) => ({ companions: [one(name)] }))
  const claims = await claimCompanions(tx, commands, false)
  log.length = 0
  claims.conclude(tx, (index) => [{ id: 1 }, new Refusal('email_used'), undefined][index])
  assert.deepEqual(log, ['one gives back refused: email_used', 'one gives back skipped: tried again', 'one writes done: {"id":1}'])
})

test('a refused companion blocks its command only, and the other companions of that command are given back', async () => {
  const { log, one, two } = open()
  const refusal = new Refusal('forbidden')
  const commands = [{ companions: [one('a'), two('b', refusal)] }, { companions: [one('c'), two('d')] }]
  const claims = await claimCompanions(tx, commands, false)
  assert.deepEqual([claims.blockOf(0), claims.blockOf(1)], [refusal, undefined])
  log.length = 0
  claims.conclude(tx, (index) => claims.blockOf(index) ?? { id: index })
  assert.deepEqual(log, ['one gives back a: forbidden', 'one writes c: {"id":1}', 'two writes d: {"id":1}'])
})

test('of a refusal and a claim that another transaction holds, the refusal counts', async () => {
  const { one, two } = open()
  const refusal = new Refusal('forbidden')
  for (const companions of [
    [one('a', 'held'), two('b', refusal)],
    [one('a', refusal), two('b', 'held')],
  ]) {
    assert.equal((await claimCompanions(tx, [{ companions }], false)).blockOf(0), refusal)
  }
  const held = await claimCompanions(tx, [{ companions: [one('a'), two('b', 'held')] }], true)
  assert.equal(held.blockOf(0), 'held')
  assert.throws(() => held.refusalOf(0), /did not wait/)
})

test('a kind that returns too few results is an error', async () => {
  const kind: CompanionKind<string, unknown> = { name: 'short', claim: async () => ['granted'] }
  const commands = [{ companions: [companion(kind, 'a')] }, { companions: [companion(kind, 'b')] }]
  await assert.rejects(claimCompanions(tx, commands, false), /short returned too few results/)
})

test('a single command is not even begun if a companion refuses it', async () => {
  const { log, one } = open()
  const refused = accompanied(tx, [one('a', new Refusal('forbidden'))], () => assert.fail('it was begun'))
  await assert.rejects(refused, { code: 'forbidden' })
  assert.deepEqual(await accompanied(tx, [one('b')], async () => ({ id: 7 })), { id: 7 })
  assert.deepEqual(log, ['one claims a and waits', 'one claims b and waits', 'one writes b: {"id":7}'])
})
