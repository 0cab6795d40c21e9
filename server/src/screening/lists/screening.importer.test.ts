import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { Entry } from '../screening.entries.ts'
import { entryOf } from '../screening.testing.ts'
import type { ListFormat } from './screening.formats.ts'
import { type FromImporter, importListInThread, type ToImporter } from './screening.importer.ts'
import { entryHash } from './screening.upload.ts'

const list = readFileSync(new URL('./screening.sandbox.csv', import.meta.url))
const watchlist_id = '0198a000-0000-7000-8000-000000000001'

const from = (format: ListFormat, source: ToImporter['source']) => importListInThread({ format, watchlist_id, source })
const refusalOf = (result: FromImporter) => (result.ok ? '' : result.refusal)

async function upload(parts: readonly [string, Uint8Array<ArrayBuffer>][]) {
  const form = new FormData()
  for (const [name, bytes] of parts) form.append(name, new Blob([bytes]), `${name}.csv`)
  const body = new Response(form)
  return { type: body.headers.get('content-type') ?? '', bytes: new Uint8Array(await body.arrayBuffer()) }
}

test('a list is imported in a thread of its own, or refused', async () => {
  const imported = await from('OPENSANCTIONS', { files: { list } })
  assert.equal(imported.ok && imported.entries, 200)
  const entries = imported.ok ? imported.chunks.flatMap((chunk) => JSON.parse(chunk)) : []
  assert.equal(entries.length, 200)
  assert.equal(
    imported.ok && imported.names,
    entries.reduce((total: number, { names }: Entry) => total + names.length, 0),
  )
  const cut = await from('OPENSANCTIONS', { files: { list: list.subarray(0, -5) } })
  assert.match(refusalOf(cut), /truncated/)
  const foreign = await from('EU', { files: { list } })
  assert.match(refusalOf(foreign), /^xmlFullSanctionsList\.xml, line 1: this is not well-formed XML/)
})

test('files arrive as the parts of a form, and are the same publication in any order', async () => {
  const bytes = new Uint8Array(list)
  const [direct, sent] = await Promise.all([
    from('OPENSANCTIONS', { files: { list } }),
    from('OPENSANCTIONS', { upload: await upload([['list', bytes]]) }),
  ])
  assert.ok(direct.ok && sent.ok)
  assert.deepEqual([sent.sha256, sent.chunks], [direct.sha256, direct.chunks])
})

test('a form that is cut off, has a file twice, or lacks one is refused', async () => {
  const bytes = new Uint8Array(list)
  const whole = await upload([['list', bytes]])
  const cut = { ...whole, bytes: whole.bytes.subarray(0, -10) }
  assert.equal(refusalOf(await from('OPENSANCTIONS', { upload: cut })), 'The body is not complete multipart/form-data.')
  const twice = await upload([
    ['list', bytes],
    ['list', bytes],
  ])
  assert.equal(refusalOf(await from('OPENSANCTIONS', { upload: twice })), 'The body contains the file list twice.')
  const other = await upload([['sdn', bytes]])
  assert.equal(refusalOf(await from('OPENSANCTIONS', { upload: other })), 'A list of the format OPENSANCTIONS needs the file list.')
  const none = await upload([])
  assert.match(refusalOf(await from('OPENSANCTIONS', { upload: none })), /needs the file list|not complete/)
})

test('the hash of an entry changes with everything that is compared, and with nothing else', () => {
  const { id, ...entry } = entryOf({ id: 'a', birth_dates: ['1961'], countries: ['CY', 'MT'] }, 'Orlin Vashtree', 'O. Vashtree')
  const hash = (changes: Partial<Entry> = {}) => entryHash(watchlist_id, id, { ...entry, ...changes })
  const reordered = { names: [...entry.names].reverse(), countries: ['MT', 'CY'], topics: ['other'] }
  assert.equal(hash(reordered), hash())
  const changes: Partial<Entry>[] = [
    { kind: 'person' },
    { names: entry.names.slice(1) },
    { birth_dates: [] },
    { countries: ['CY'] },
    { identifiers: ['A12345'] },
  ]
  const hashes = [hash(), ...changes.map(hash), entryHash(watchlist_id, 'b', entry), entryHash('another list', id, entry)]
  assert.equal(new Set(hashes).size, hashes.length)
})

test('a thread that ends without a result is an error', async () => {
  const wanted: ToImporter = { format: 'OPENSANCTIONS', watchlist_id, source: { files: { list } } }
  const empty = new URL('data:text/javascript,')
  await assert.rejects(importListInThread(wanted, { file: empty }), /ended without a result/)
  const broken = new URL(`data:text/javascript,${encodeURIComponent('throw new Error("broken")')}`)
  await assert.rejects(importListInThread(wanted, { file: broken }), /broken/)
})

test('a thread that does not end is ended, and the list is refused', async () => {
  const wanted: ToImporter = { format: 'OPENSANCTIONS', watchlist_id, source: { files: { list } } }
  const endless = new URL(`data:text/javascript,${encodeURIComponent('for (;;);')}`)
  assert.deepEqual(await importListInThread(wanted, { file: endless, longest_ms: 50 }), {
    ok: false,
    refusal: 'The files could not be read within 5 minutes.',
  })
})

test('a thread that needs too much memory is ended, and the list is refused', async () => {
  const wanted: ToImporter = { format: 'OPENSANCTIONS', watchlist_id, source: { files: { list } } }
  const greedy = new URL(
    `data:text/javascript,${encodeURIComponent('const all = []; for (;;) all.push(Array.from({ length: 1000 }, Object))')}`,
  )
  assert.deepEqual(await importListInThread(wanted, { file: greedy, memory_mb: 32 }), {
    ok: false,
    refusal: 'The files could not be read with 2048 MB of memory.',
  })
})
