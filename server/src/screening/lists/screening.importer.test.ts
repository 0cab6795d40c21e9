import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { importListAside } from './screening.importer.ts'

const list = readFileSync(new URL('./screening.sandbox.csv', import.meta.url))

test('a list is imported in a thread of its own, or refused', async () => {
  const imported = await importListAside('OPENSANCTIONS', { list })
  assert.equal(imported.ok && imported.entries.length, 200)
  const cut = await importListAside('OPENSANCTIONS', { list: list.subarray(0, -5) })
  assert.match(cut.ok ? '' : cut.refusal, /truncated/)
  const foreign = await importListAside('EU', { list })
  assert.match(foreign.ok ? '' : foreign.refusal, /^xmlFullSanctionsList\.xml, line 1: this is not well-formed XML/)
})

test('a thread that ends without a result is an error', async () => {
  const empty = new URL('data:text/javascript,')
  await assert.rejects(importListAside('OPENSANCTIONS', { list }, empty), /ended without a result/)
  const broken = new URL(`data:text/javascript,${encodeURIComponent('throw new Error("broken")')}`)
  await assert.rejects(importListAside('OPENSANCTIONS', { list }, broken), /broken/)
})
