import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Refusal } from '../values/refusals.ts'
import { accompanied, acquireCompanions, type Companion, type CompanionKind, companion } from './companions.ts'
import type { Tx } from './database/database.ts'

// No test here uses a database: the kinds only record the calls.
const tx = {} as Tx

type Row = { name: string; answer: 'granted' | 'held' | Refusal }

/** A kind that grants or refuses rows as their contents say, and records everything. */
function openKind(name: string, log: string[]): CompanionKind<Row, unknown> {
  return {
    name,
    async acquire(_tx, rows, wait) {
      log.push(`${name} acquires ${rows.map((row) => row.name)}${wait ? ' and waits' : ''}`)
      return rows.map(({ answer }) => answer)
    },
    release(_tx, granted) {
      for (const { row, refusal } of granted) log.push(`${name} releases ${row.name}: ${refusal?.code ?? 'tried again'}`)
    },
    write(_tx, granted) {
      for (const { row, result } of granted) log.push(`${name} writes ${row.name}: ${JSON.stringify(result)}`)
    },
  }
}

function open() {
  const log: string[] = []
  const [one, two] = [openKind('one', log), openKind('two', log)]
  const made =
    (kind: CompanionKind<Row, unknown>) =>
    (name: string, answer: Row['answer'] = 'granted'): Companion =>
      companion(kind, { name, answer })
  return { log, one: made(one), two: made(two) }
}

test('commands without companions send nothing', async () => {
  const untouchable = new Proxy({}, { get: () => assert.fail('the transaction was used') }) as Tx
  const acquired = await acquireCompanions(untouchable, [{}, { companions: undefined }, { companions: [] }], false)
  for (const index of [0, 1, 2]) assert.deepEqual([acquired.blockOf(index), acquired.refusalOf(index)], [undefined, undefined])
  acquired.conclude(untouchable, () => ({ id: 'made' }))
  assert.deepEqual(await accompanied(untouchable, undefined, async () => ({ id: 'made' })), { id: 'made' })
})

test('each kind acquires all of its rows at once, and the kinds go in the order of their names', async () => {
  const { log, one, two } = open()
  await acquireCompanions(tx, [{ companions: [two('a'), one('b')] }, {}, { companions: [one('c')] }, { companions: [two('d')] }], false)
  await acquireCompanions(tx, [{ companions: [one('e')] }], true)
  assert.deepEqual(log, ['one acquires b,c', 'two acquires a,d', 'one acquires e and waits'])
})

test('what is carried out is written with its result, everything else is given back with the reason', async () => {
  const { log, one } = open()
  const commands = ['done', 'refused', 'skipped'].map((name) => ({ companions: [one(name)] }))
  const acquired = await acquireCompanions(tx, commands, false)
  log.length = 0
  acquired.conclude(tx, (index) => [{ id: 1 }, new Refusal('email_used'), undefined][index])
  assert.deepEqual(log, ['one releases refused: email_used', 'one releases skipped: tried again', 'one writes done: {"id":1}'])
})

test('a refused companion blocks its command only, and the other companions of that command are given back', async () => {
  const { log, one, two } = open()
  const refusal = new Refusal('forbidden')
  const commands = [{ companions: [one('a'), two('b', refusal)] }, { companions: [one('c'), two('d')] }]
  const acquired = await acquireCompanions(tx, commands, false)
  assert.deepEqual([acquired.blockOf(0), acquired.blockOf(1)], [refusal, undefined])
  log.length = 0
  acquired.conclude(tx, (index) => acquired.blockOf(index) ?? { id: index })
  assert.deepEqual(log, ['one releases a: forbidden', 'one writes c: {"id":1}', 'two writes d: {"id":1}'])
})

test('of a refusal and a row that another transaction holds, the refusal counts', async () => {
  const { one, two } = open()
  const refusal = new Refusal('forbidden')
  for (const companions of [
    [one('a', 'held'), two('b', refusal)],
    [one('a', refusal), two('b', 'held')],
  ]) {
    assert.equal((await acquireCompanions(tx, [{ companions }], false)).blockOf(0), refusal)
  }
  const held = await acquireCompanions(tx, [{ companions: [one('a'), two('b', 'held')] }], true)
  assert.equal(held.blockOf(0), 'held')
  assert.throws(() => held.refusalOf(0), /did not wait/)
})

test('a kind that returns too few results is an error', async () => {
  const kind: CompanionKind<string, unknown> = { name: 'short', acquire: async () => ['granted'] }
  const commands = [{ companions: [companion(kind, 'a')] }, { companions: [companion(kind, 'b')] }]
  await assert.rejects(acquireCompanions(tx, commands, false), /short returned too few results/)
})

test('a single command is not even begun if a companion refuses it', async () => {
  const { log, one } = open()
  const refused = accompanied(tx, [one('a', new Refusal('forbidden'))], () => assert.fail('it was begun'))
  await assert.rejects(refused, { code: 'forbidden' })
  assert.deepEqual(await accompanied(tx, [one('b')], async () => ({ id: 7 })), { id: 7 })
  assert.deepEqual(log, ['one acquires a and waits', 'one acquires b and waits', 'one writes b: {"id":7}'])
})
