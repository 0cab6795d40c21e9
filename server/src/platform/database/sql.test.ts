// How values reach the database.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openBank } from '../../testing/testing.ts'
import { copierOf } from './database.rows.ts'
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
