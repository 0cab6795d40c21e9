import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byVenture, onShard, rowsByVenture } from './database.shards.ts'
import { fixed, read } from './sql.ts'

const [single, distributed] = [{ distributed: false }, { distributed: true }]
const rows = [
  { venture_id: 'b', id: 1 },
  { venture_id: 'a', id: 2 },
  { venture_id: 'b', id: 3 },
]

const statement = (shape: { distributed: boolean }, keys: typeof rows) =>
  read`select id from accounts where id = any(${keys.map(({ id }) => id)}) ${onShard(shape, fixed`venture_id`, keys)} limit ${5}`

test('on a single server a statement stays as it is, and keeps its name', () => {
  const [first, second] = [statement(single, rows), statement(single, rows.slice(0, 1))]
  assert.equal(first.text, 'select id from accounts where id = any($1)  limit $2')
  assert.deepEqual(first.values, ['{1,2,3}', 5])
  assert.deepEqual([second.name, second.text, second.values], [first.name, first.text, ['{1}', 5]])
  assert.ok(first.name)
})

test('in a distributed database a statement about one venture is led to its server, and has a name of its own', () => {
  const ofOne = rows.filter(({ venture_id }) => venture_id === 'b')
  for (const _ of [1, 2]) {
    const { name, text, values } = statement(distributed, ofOne)
    assert.equal(text, 'select id from accounts where id = any($1) and venture_id = $2::uuid limit $3')
    assert.deepEqual(values, ['{1,3}', 'b', 5])
    assert.ok(name)
    assert.notEqual(name, statement(single, ofOne).name)
  }
  assert.deepEqual(statement(single, ofOne).values, ['{1,3}', 5])
  // Rows of several ventures are on several servers.
  assert.equal(statement(distributed, rows).text, statement(single, rows).text)
  assert.equal(statement(distributed, []).text, statement(single, []).text)
})

test('rows are taken together on a single server, and by venture, always in the same order, in a distributed database', async () => {
  assert.deepEqual(byVenture(single, rows), [rows])
  assert.deepEqual(byVenture(distributed, rows), [[rows[1]], [rows[0], rows[2]]])
  assert.deepEqual([byVenture(single, []), byVenture(distributed, [])], [[], []])
  const asked: number[][] = []
  const select = async (part: typeof rows | readonly (typeof rows)[number][]) => {
    asked.push(part.map(({ id }) => id))
    return part.map(({ id }) => id)
  }
  assert.deepEqual(await rowsByVenture(single, rows, select), [1, 2, 3])
  assert.deepEqual(await rowsByVenture(distributed, rows, select), [2, 1, 3])
  assert.deepEqual(await rowsByVenture(single, [], select), [])
  assert.deepEqual(asked, [[1, 2, 3], [2], [1, 3]])
})
