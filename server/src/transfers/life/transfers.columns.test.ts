import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '../../platform/database/sql.ts'
import { openBank } from '../../testing/testing.ts'
import { changingColumns, transferColumns } from './transfers.columns.ts'

const bank = await openBank()
const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).toSorted()

test('the list of columns matches the table', async () => {
  const columns = await bank.database.rows(read<{ name: string }>`
    select column_name as name from information_schema.columns where table_name = 'transfers'`)
  assert.deepEqual(names(columns), transferColumns.toSorted())
})

test('the service may update exactly the changing columns, and their types match the table', async () => {
  const columns = await bank.database.rows(read<{ name: string; type: string }>`
    select attname as name, format_type(atttypid, null) as type from pg_attribute
    where attrelid = 'transfers'::regclass and attnum > 0 and not attisdropped and has_column_privilege('transfers', attname, 'update')`)
  assert.deepEqual(names(columns), Object.keys(changingColumns).toSorted())
  const longNames: Record<string, string> = { int: 'integer', timestamptz: 'timestamp with time zone' }
  for (const { name, type } of columns) {
    const declared = changingColumns[name as keyof typeof changingColumns]
    assert.equal(longNames[declared] ?? declared, type, name)
  }
})

test('the database refuses references, hashes, account numbers and keys that break their rules', async () => {
  const venture = await bank.registerVenture()
  await venture.openAccount({ balance: '1.00' })
  await bank.owner.query(`
    insert into idempotency_keys (venture_id, owner_id, operation, key, request_hash, resource_id, created_at)
    select id, id, 'createTransfer', 'key', repeat('0', 64), 'id', now() from ventures limit 1`)
  const hash = ['a'.repeat(64), '0123456789abcdef'.repeat(4)]
  const notHash = ['', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), `${'a'.repeat(63)}g`, `${'a'.repeat(63)}\n`]
  const cases: [string, string, readonly string[], readonly string[]][] = [
    ['transfers', 'unique_reference', [' ', '~', 'a'.repeat(128)], ['', 'a'.repeat(129), 'é', 'a\n', '\u007f', 'a\tb']],
    ['transfers', 'signed_hash', hash, notHash],
    [
      'accounts',
      'account_number',
      ['LT1212345678901', `LT12${'A'.repeat(30)}`],
      ['', 'LT121234567890', `LT12${'A'.repeat(31)}`, 'LT1A12345678901', 'L11212345678901', 'LT12a2345678901', 'LT1212345678901 '],
    ],
    ['idempotency_keys', 'key', [' ', '~', 'a'.repeat(255)], ['', 'a'.repeat(256), 'é', 'a\n', '\u007f']],
    ['idempotency_keys', 'request_hash', hash, notHash],
  ]
  for (const [table, column, good, bad] of cases) {
    const set = (value: string) => bank.owner.query(`update ${table} set ${column} = $1`, [value])
    for (const value of good) assert.ok((await set(value)).rowCount, `${table} has no row`)
    for (const value of bad) await assert.rejects(set(value), { code: '23514' }, `${table}.${column}: ${JSON.stringify(value)}`)
  }
})
