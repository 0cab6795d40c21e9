import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bytesOf, meaningOf, railOf, shortType } from './messages.ts'

test('a message is called by its type, its rail and its size', () => {
  assert.equal(shortType('pacs.008.001.08'), 'pacs.008')
  assert.equal(meaningOf('camt.053.001.08'), 'Statement')
  assert.deepEqual(['VOSTLT2120270219I000000000068', 'VOSTLT2120270219Q000000000068', 'X', null].map(railOf), [
    'INST',
    undefined,
    undefined,
    undefined,
  ])
  assert.deepEqual([815, 2439, 12_345_678].map(bytesOf), ['815 B', '2.4 kB', '12.3 MB'])
})
