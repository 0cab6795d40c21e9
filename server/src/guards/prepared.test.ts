// A statement with a composed part is planned again each time it runs. A part that never changes is therefore `fixed`, so that its statements stay
// prepared.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source that has template strings in it.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { source, sourceFiles } from './source/order.ts'

/** The statements of verify run once each, and their plans should fit the data. */
const isOnce = (file: string) => file.startsWith('verify/')

function constantFragments(file: string, code: string): string[] {
  if (isOnce(file)) return []
  return [...code.matchAll(/^(?:export )?const (\w+)[^=\n]*= fragment`/gm)].map(([, name]) => `${file}: ${name}`)
}

test('a part of SQL that never changes keeps its statements prepared', async () => {
  const files = await sourceFiles()
  const found = await Promise.all(files.map(async (file) => constantFragments(file, await readFile(join(source, file), 'utf8'))))
  assert.ok(files.length > 100)
  assert.deepEqual(found.flat(), [], 'use the tag fixed')
})

test('the guard finds a constant that is not fixed', () => {
  const code = 'export const marks = fragment`client.blocked as stopped`\n'
  assert.deepEqual(constantFragments('transfers/writing/transfers.rows.sql.ts', code), ['transfers/writing/transfers.rows.sql.ts: marks'])
  assert.deepEqual(constantFragments('transfers/writing/transfers.rows.sql.ts', code.replace('fragment', 'fixed')), [])
  assert.deepEqual(constantFragments('transfers/writing/transfers.rows.sql.ts', 'const of = (id: string) => fragment`id = ${id}`\n'), [])
})
