// Rows that decide get a line for each change. So every column of their tables is said to decide or not, and every statement that writes one that does is
// `stated`.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { type StatedTable, statedTables, states } from '../platform/database/database.states.ts'
import { openBank } from '../testing/testing.ts'
import { folderOf, outsideTheOrder, source, sourceFiles } from './source/order.ts'
import { sqlTexts, usesOf } from './source/sql.ts'

const tables: ReadonlySet<string> = new Set(statedTables)

/** Whether a statement changes nothing but columns that decide nothing. */
function isHarmless(text: string, table: StatedTable): boolean {
  const [, assignments] =
    new RegExp(`^\\s*update ${table}(?: (?:as )?[a-z_]+)? set\\s+([\\s\\S]*?)(?:\\sfrom\\s|\\swhere\\s|$)`).exec(text) ?? []
  if (assignments === undefined) return false
  // Without what is in parentheses, each assignment begins the text or follows a comma.
  let flat = assignments
  while (/\([^()]*\)/.test(flat)) flat = flat.replace(/\([^()]*\)/g, '')
  return flat.split(',').every((assignment) => states[table].rest.includes(assignment.split('=')[0]?.trim() ?? ''))
}

type Seen = { faults: string[]; stated: Set<string> }

function look(file: string, code: string): Seen {
  const seen: Seen = { faults: [], stated: new Set() }
  for (const { kind, isStated, line, text } of sqlTexts(code)) {
    const written = usesOf(text, tables).flatMap(({ table, writes }) => (writes ? [table as StatedTable] : []))
    for (const table of written) {
      if (isStated) seen.stated.add(table)
      else if (kind !== 'read' && !isHarmless(text, table)) seen.faults.push(`${file}:${line} changes ${table} and is not stated`)
    }
    if (isStated && !/^\s*(?:insert into|update|delete from) [a-z_]+/.test(text))
      seen.faults.push(`${file}:${line} does not begin with what it changes`)
    if (isStated && written.length !== 1) seen.faults.push(`${file}:${line} is stated, but changes no such table, or several`)
  }
  return seen
}

test('every statement that changes what decides writes its lines', async () => {
  const files = (await sourceFiles()).filter((file) => !file.endsWith('.test.ts') && !outsideTheOrder.has(folderOf(file)))
  const seen = await Promise.all(files.map(async (file) => look(file, await readFile(join(source, file), 'utf8'))))
  assert.deepEqual(
    seen.flatMap(({ faults }) => faults),
    [],
  )
  assert.deepEqual([...new Set(seen.flatMap(({ stated }) => [...stated]))].sort(), [...statedTables].sort())
})

test('every column of these tables is said to decide or not', async () => {
  const { owner } = await openBank()
  for (const table of statedTables) {
    const { rows } = await owner.query('select column_name as name from information_schema.columns where table_name = $1', [table])
    const { id, venture, decides, rest } = states[table]
    const named = [...new Set([id, ...(venture === undefined ? [] : [venture]), ...Object.keys(decides), ...rest])]
    assert.deepEqual(named.sort(), rows.map(({ name }) => name).sort(), `say in database.states.ts which columns of ${table} decide`)
    assert.deepEqual(
      rest.filter((column) => column in decides),
      [],
      table,
    )
  }
})

test('the guard finds a statement that is not stated', () => {
  const broken = [
    'write`update users set status = ${status} where id = ${id}`',
    'write`update users set updated_at = ${at}, status = ${status} where id = ${id}`',
    'write`update users set sequence = greatest(sequence, 1), password_hash = ${hash}`',
    'write`insert into api_keys (key_hash) values (${hash})`',
    'write`delete from passkeys where user_id = ${id}`',
    'write<ApiKey>`update api_keys set name = ${name} where id = ${id} returning id`',
    'stated`with gone as (select 1) delete from passkeys using gone`',
    'stated`update clients set blocked = true`',
  ]
  for (const code of broken) assert.equal(look('users/users.sql.ts', code).faults.length > 0, true, code)
  const allowed = [
    'stated`update users set status = ${status} where id = ${id}`',
    'write`update users set sequence = sequence + 1 where id = ${id}`',
    'write`update passkeys set counter = ${counter}, last_used_at = greatest(last_used_at, ${at}) where id = ${id}`',
    'write`update api_keys set last_used_at = greatest(last_used_at, used.at) from unnest(${a}::text[]) as used (key_hash, at) where true`',
    'read`select id from users for update`',
    'write`update clients set blocked = true`',
  ]
  for (const code of allowed) assert.deepEqual(look('users/users.sql.ts', code).faults, [], code)
})
