// Which files are accepted, and what becomes of those that no row names.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { openBank } from '../../testing/testing.ts'
import { filesInDatabase } from './files.database.ts'
import { pruneFiles } from './files.retention.ts'
import { checkFile, mostMiB } from './files.ts'

const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
const jpeg = Buffer.from('ffd8ffe000104a46494600', 'hex')
const pdf = Buffer.from('%PDF-1.7\n1 0 obj')
const text = Buffer.from('A note.\r\nÜber zwei Zeilen.\t')
const html = Buffer.from('<!doctype html><script>alert(1)</script>')
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')

const check = (type: string, bytes: Buffer, name = 'a file') => checkFile({ name, type, bytes })

test('a file is a PDF, PNG, JPEG or plain text, and its content is what its type says', () => {
  const good: [string, Buffer][] = [
    ['application/pdf', pdf],
    ['image/png', png],
    ['image/jpeg', jpeg],
    ['text/plain', text],
    ['TEXT/Plain; charset=utf-8', text],
  ]
  for (const [type, bytes] of good) {
    const { type: stored, size, sha256 } = check(type, bytes)
    assert.deepEqual([stored, size, sha256.length], [type.split(';')[0]?.toLowerCase(), bytes.length, 64])
  }
  const bad: [string, Buffer][] = [
    ['text/html', html],
    ['text/plain', html],
    ['text/plain', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf, 0x20, 0x0a]), html])],
    ['text/plain', svg],
    ['image/svg+xml', svg],
    ['image/png', svg],
    ['image/png', jpeg],
    ['image/jpeg', png],
    ['application/pdf', html],
    ['application/pdf', Buffer.concat([html, pdf])],
    ['text/plain', Buffer.from([0xff, 0xfe, 0x41, 0x00])],
    ['text/plain', Buffer.from('a\u0000b')],
    ['text/plain', Buffer.alloc(0)],
    ['application/octet-stream', pdf],
    ['', pdf],
  ]
  for (const [type, bytes] of bad)
    assert.throws(() => check(type, bytes), { code: 'file_type_invalid' }, `${type} ${bytes.subarray(0, 12)}`)
})

test('a file of the limit is accepted, and one byte more is not', () => {
  const most = Buffer.alloc(mostMiB * 2 ** 20, 'a')
  assert.equal(check('text/plain', most).size, most.length)
  assert.throws(() => check('text/plain', Buffer.concat([most, Buffer.from('a')])), { code: 'file_too_large' })
})

test('a name is the last part of a path, without characters that deceive', () => {
  const nameOf = (name: string) => check('text/plain', text, name).name
  assert.equal(nameOf('../../etc/passwd'), 'passwd')
  assert.equal(nameOf('C:\\secret\\a.txt'), 'a.txt')
  assert.equal(nameOf('invoice\u202Efdp.txt\r\n'), 'invoicefdp.txt')
  assert.equal(nameOf('  '), 'file')
  const long = nameOf(`${'𝐚'.repeat(200)}.pdf`)
  assert.ok(long.length <= 140 && long.endsWith('.pdf'), String(long.length))
})

test('files that no row names are deleted after a day, and no others', async () => {
  const bank = await openBank()
  const files = filesInDatabase(bank.database)
  const venture_id = randomUUID()
  const keys = Array.from({ length: 5 }, () => ({ venture_id, id: randomUUID() }))
  for (const key of keys) await files.put(key, text)
  const [named, fresh, ...old] = keys as [(typeof keys)[0], (typeof keys)[0], ...typeof keys]
  assert.deepEqual(await files.get(named), text)
  await bank.owner.query("update stored_files set created_at = now() - interval '25 hours' where id <> $1", [fresh.id])
  const prune = async () => {
    let deleted = 0
    const steps = pruneFiles({ reader: bank.database, files, ventures: [venture_id], named: [async () => [named.id]], step: 2 })
    for await (const count of steps) deleted += count
    return deleted
  }
  assert.equal(await prune(), old.length)
  for (const key of old) assert.equal(await files.get(key), undefined)
  for (const key of [named, fresh]) assert.deepEqual(await files.get(key), text)
  assert.equal(await prune(), 0)
})
