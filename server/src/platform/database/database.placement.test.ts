import assert from 'node:assert/strict'
import { test } from 'node:test'
import { onOneServer, onSeveralServers, type Placement, rowsByVenture } from './database.placement.ts'
import { fixed, read } from './sql.ts'

const [single, several] = [{ placement: onOneServer }, { placement: onSeveralServers }]
const rows = [
  { venture_id: 'b', id: 1 },
  { venture_id: 'a', id: 2 },
  { venture_id: 'b', id: 3 },
]

const statement = ({ placement }: { placement: Placement }, keys: typeof rows) =>
  read`select id from accounts where id = any(${keys.map(({ id }) => id)}) ${placement.narrow(fixed`venture_id`, keys)} limit ${5}`

test('on a single server a statement stays as it is, and keeps its name', () => {
  const [first, second] = [statement(single, rows), statement(single, rows.slice(0, 1))]
  assert.equal(first.text, 'select id from accounts where id = any($1)  limit $2')
  assert.deepEqual(first.values, ['{1,2,3}', 5])
  assert.deepEqual([second.name, second.text, second.values], [first.name, first.text, ['{1}', 5]])
  assert.ok(first.name)
})

test('on several servers a statement about one venture is led to its server, and has a name of its own', () => {
  const ofOne = rows.filter(({ venture_id }) => venture_id === 'b')
  for (const _ of [1, 2]) {
    const { name, text, values } = statement(several, ofOne)
    assert.equal(text, 'select id from accounts where id = any($1) and venture_id = $2::uuid limit $3')
    assert.deepEqual(values, ['{1,3}', 'b', 5])
    assert.ok(name)
    assert.notEqual(name, statement(single, ofOne).name)
  }
  assert.deepEqual(statement(single, ofOne).values, ['{1,3}', 5])
  // Rows of several ventures are on several servers.
  assert.equal(statement(several, rows).text, statement(single, rows).text)
  assert.equal(statement(several, []).text, statement(single, []).text)
})

test('rows are taken together on a single server, and by venture, always in the same order, on several', async () => {
  assert.deepEqual(single.placement.parts(rows), [rows])
  assert.deepEqual(several.placement.parts(rows), [[rows[1]], [rows[0], rows[2]]])
  assert.deepEqual([single.placement.parts([]), several.placement.parts([])], [[], []])
  const asked: number[][] = []
  const select = async (part: typeof rows | readonly (typeof rows)[number][]) => {
    asked.push(part.map(({ id }) => id))
    return part.map(({ id }) => id)
  }
  assert.deepEqual(await rowsByVenture(single, rows, select), [1, 2, 3])
  assert.deepEqual(await rowsByVenture(several, rows, select), [2, 1, 3])
  assert.deepEqual(await rowsByVenture(single, [], select), [])
  assert.deepEqual(asked, [[1, 2, 3], [2], [1, 3]])
})

test('a name is claimed on several servers, where no unique index can keep it', async () => {
  const claim = { kind: 'account_number', name: 'DE02', venture_id: 'a', id: '1' } as const
  const sent: string[] = []
  const send = ({ text }: { text: string }) => void sent.push(text.trim().split(' ', 3).join(' '))
  const writer = (written: number) => ({
    send,
    run: async (query: { text: string }) => {
      send(query)
      return written
    },
  })
  assert.equal(await onOneServer.claimName(writer(0), claim), true)
  onOneServer.sendName(writer(0), claim)
  assert.deepEqual(sent, [])
  assert.equal(await onSeveralServers.claimName(writer(1), claim), true)
  assert.equal(await onSeveralServers.claimName(writer(0), claim), false)
  onSeveralServers.sendName(writer(1), claim)
  assert.deepEqual(sent, ['insert into claims', 'insert into claims', 'insert into claims'])
})
