import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { samples } from '../iso20022.testing.ts'
import { MessageReader, type ReaderOptions } from './iso20022.reader.ts'
import { writeMessage } from './iso20022.write.ts'

const failing = new URL('./iso20022.failing.testing.ts', import.meta.url)

function open(test: TestContext, options: ReaderOptions = {}): MessageReader {
  const reader = new MessageReader(options)
  test.after(() => reader.close())
  return reader
}

const payments = writeMessage('pacs.008.001.08', samples['pacs.008.001.08'])
const expected = { type: 'pacs.008.001.08', message: samples['pacs.008.001.08'] }
/** Reads in the separate process, whatever the size. */
const aside = { large_bytes: 1 }

test('a large file is read aside as a small one is read here, with its amounts and its faults', async (test) => {
  const [here, there] = [open(test), open(test, aside)]
  for (const reader of [here, there]) {
    assert.deepEqual(await reader.read(payments), expected)
    assert.equal(await reader.validate(payments), 'pacs.008.001.08')
  }
  const wrong = Buffer.from(payments.toString().replace('>12.34<', '>12.345<'))
  const [mine, other] = await Promise.all([here, there].map((reader) => reader.read(wrong).catch((error) => error)))
  assert.deepEqual([other.name, other.reason, other.message], [mine.name, mine.reason, mine.message])
  assert.match(other.message, /CdtTrfTxInf\[1\]\/IntrBkSttlmAmt/)
  await assert.rejects(there.validate(Buffer.from('<!DOCTYPE a>')), { name: 'MessageFault', reason: 'doctype' })
  assert.deepEqual(await there.read(payments), expected)
})

test('files that arrive together are read one after the other, each with its own answer', async (test) => {
  const reader = open(test, aside)
  const good = Array.from({ length: 6 }, () => reader.read(payments))
  const bad = reader.read(Buffer.from('<a/>')).catch(({ reason }) => reason)
  for (const read of await Promise.all(good)) assert.deepEqual(read, expected)
  assert.equal(await bad, 'unknown_type')
})

test('a file that ends the process twice is refused, and the next one is read', async (test) => {
  const reader = open(test, { ...aside, file: failing })
  await assert.rejects(reader.read(Buffer.from('crash')), { name: 'MessageFault', reason: 'unreadable' })
  assert.match(String(await reader.validate(Buffer.from('fine'))), /^\d+$/)
})

test('a file that is never answered is refused', async (test) => {
  const reader = open(test, { ...aside, file: failing, timeout_ms: 300 })
  await assert.rejects(reader.read(Buffer.from('silent')), { reason: 'unreadable' })
})

test('a process is used again, unless it has become too large', async (test) => {
  const reader = open(test, { ...aside, file: failing })
  const processOf = async (file: string) => String(await reader.validate(Buffer.from(file)))
  const first = await processOf('fine')
  assert.equal(await processOf('greedy'), first)
  assert.notEqual(await processOf('fine'), first)
})

test('an error of ours is an error, and no fault of the file', async (test) => {
  const reader = open(test, { ...aside, file: failing })
  await assert.rejects(reader.read(Buffer.from('bug')), { name: 'Error', message: 'TypeError: a bug' })
})

test('a reader that is closed refuses large files, after it has answered those that it has', async () => {
  const reader = new MessageReader(aside)
  const last = reader.read(payments)
  await reader.close()
  assert.deepEqual(await last, expected)
  await assert.rejects(reader.read(payments), /closed/)
})

test('a file that is too large for anybody is not copied to another process', async (test) => {
  const reader = open(test, { ...aside, file: failing })
  await assert.rejects(reader.read(Buffer.alloc(65 * 1024 * 1024, 32)), { reason: 'too_large' })
})
