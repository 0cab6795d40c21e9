import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '../platform/database/sql.ts'
import { openBank } from '../testing/testing.ts'
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
