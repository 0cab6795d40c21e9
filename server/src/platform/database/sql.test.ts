// How values reach the database.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { openBank } from '../../testing/testing.ts'
import { copierOf, sharedJsonOf } from './database.rows.ts'
import { fragment, read } from './sql.ts'

const { database } = await openBank()

const special = [
  '',
  'null',
  'NULL',
  '{}',
  '{',
  '}',
  ',',
  '"',
  '\\',
  '\\"',
  ' ',
  '\t',
  '\n',
  'a b',
  '{"a": [1, "\\\\"]}',
  "it's",
  '£',
  '\u00a0',
  '\u3000',
]

test('an array of texts arrives as it is, whatever they contain', async () => {
  const rows = await database.rows(read<{ texts: string[] }>`select ${special}::text[] as texts`)
  assert.deepEqual(rows[0]?.texts, special)
  const text = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom(...special)).filter((value) => !value.includes('\0'))
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(text, fc.constant(null))), async (texts) => {
      const found = await database.first(read<{ texts: (string | null)[] }>`select ${texts}::text[] as texts`)
      assert.deepEqual(found?.texts, texts)
    }),
    { numRuns: 300 },
  )
})

test('an array of ids has as many elements as it was given, or is refused', async () => {
  const ids = [randomUUID(), randomUUID()]
  const count = (given: readonly (string | null)[]) =>
    database.rows(read<{ id: string | null }>`select id from unnest(${given}::uuid[]) with ordinality as given (id, place) order by place`)
  assert.deepEqual(await count(ids), [{ id: ids[0] }, { id: ids[1] }])
  assert.deepEqual(await count([ids[0] ?? '', null]), [{ id: ids[0] }, { id: null }])
  assert.deepEqual(await count([]), [])
  const padded = (text: string) => text.padEnd(36, 'a')
  for (const odd of [...special, ids.join(','), ...special.map(padded), `${ids[0]?.replaceAll('-', '')},abc`]) {
    await assert.rejects(count([odd]), { code: '22P02' }, odd)
    await assert.rejects(count([ids[0] ?? '', odd]), { code: '22P02' }, odd)
  }
})

test('arrays of numbers and booleans, of nothing, and in statements that are composed', async () => {
  const found = await database.first(read<object>`
    select ${[1, -2.5, null]}::numeric[]::text as numbers, ${[true, false, undefined]}::boolean[]::text as marks, ${[]}::uuid[]::text as ids`)
  assert.deepEqual(found, { numbers: '{1,-2.5,NULL}', marks: '{t,f,NULL}', ids: '{}' })
  const composed = await database.first(read<object>`select ${fragment`${['a', 'b c']}::text[]`} as texts`)
  assert.deepEqual(composed, { texts: ['a', 'b c'] })
})

test('what is neither text, number nor boolean is left to the driver', async () => {
  const found = await database.first(read<object>`
    select ${[Buffer.from('ab')]}::bytea[]::text as bytes, ${[[1, 2]]}::int[]::text as nested, ${[new Date(0)]}::timestamptz[]::text as times`)
  assert.deepEqual(found, { bytes: '{"\\\\x6162"}', nested: '{{1,2}}', times: '{"1970-01-01 00:00:00+00"}' })
})

test('a copy for JSON has the columns in their order, converted, and leaves out nulls', () => {
  type Row = { id: string; hold: bigint; name: string | null; more: string }
  const copy = copierOf<Row>(['name', 'id', 'hold'], { hold: (value) => `${value}.00` })
  assert.equal(JSON.stringify(copy({ id: 'a', hold: 5n, name: null, more: 'b' })), '{"id":"a","hold":"5.00"}')
  assert.equal(JSON.stringify(copy({ id: '', hold: 0n, name: '"', more: 'b' })), '{"name":"\\"","id":"","hold":"0.00"}')
})

type Texts = { venture_id: string; id: string; others: string[] | null; words: string }

test('of rows for JSON, what all have in common is there once', () => {
  type Row = { id: string; hold: bigint; note: string | null; open: boolean }
  const json = sharedJsonOf<Row>(['id', 'hold', 'note', 'open'], { hold: (value) => `${value}.00` })
  const rows = [
    { id: 'a', hold: 0n, note: null, open: false },
    { id: 'b', hold: 0n, note: 'x', open: false },
  ]
  assert.deepEqual(json(rows), { common: '{"hold":"0.00","open":false}', rest: '[{"id":"a"},{"id":"b","note":"x"}]' })
  assert.deepEqual(json([...rows, { id: 'c', hold: 1n, note: null, open: false }]), {
    common: '{"open":false}',
    rest: '[{"id":"a","hold":"0.00"},{"id":"b","hold":"0.00","note":"x"},{"id":"c","hold":"1.00"}]',
  })
  assert.deepEqual(json(rows.slice(0, 1)), { common: '{"id":"a","hold":"0.00","open":false}', rest: '[{}]' })
  assert.deepEqual(json([]), { common: '{}', rest: '[]' })
})

test('rows may differ in more sets of columns than are remembered', () => {
  const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  type Row = Record<string, number>
  const json = sharedJsonOf<Row>(columns, {})
  for (let set = 0; set < 256; set++) {
    const none = Object.fromEntries(columns.map((column) => [column, 0]))
    const some = Object.fromEntries(columns.map((column, bit) => [column, (set >> bit) & 1]))
    const { common, rest } = json([none, some])
    assert.deepEqual(
      (JSON.parse(rest) as Row[]).map((own) => ({ ...JSON.parse(common), ...own })),
      [none, some],
    )
  }
})

test('the database gives every row what is common, and its own values, nulls among them', async () => {
  const [venture_id, one, other] = [randomUUID(), randomUUID(), randomUUID()]
  const rows: Texts[] = [
    { venture_id, id: one, others: null, words: 'a' },
    { venture_id, id: other, others: [one], words: 'b' },
  ]
  const { common, rest } = sharedJsonOf<Texts>(['venture_id', 'id', 'others', 'words'], {})(rows)
  const found = await database.rows(read<Texts>`
    select venture_id, id, others, words from json_populate_recordset(json_populate_record(null::transfer_texts, ${common}), ${rest})`)
  assert.deepEqual(found, rows)
})
