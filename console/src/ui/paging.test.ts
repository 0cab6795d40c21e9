import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readKept } from './paging.ts'

const all = [1, 2, 3, 4, 5, 6, 7]

/** Two at a time. */
async function read({ after }: { after?: string }) {
  const from = after === undefined ? 0 : Number(after)
  const next = from + 2 < all.length ? String(from + 2) : undefined
  return { items: all.slice(from, from + 2), next }
}

test('pages without anything to show are passed over', async () => {
  assert.deepEqual(await readKept(read, (n) => n === 4 || n === 7, {}), { items: [4], next: '4' })
  assert.deepEqual(await readKept(read, (n) => n === 4 || n === 7, { after: '4' }), { items: [7], next: undefined })
})

test('what is nowhere ends with the list', async () => {
  assert.deepEqual(await readKept(read, () => false, {}), { items: [], next: undefined })
})

test('a long list is read only so far', async () => {
  let reads = 0
  const endless = async ({ after = '0' }) => {
    reads++
    return { items: [1], next: String(Number(after) + 1) }
  }
  assert.deepEqual(await readKept(endless, () => false, {}), { items: [], next: '10' })
  assert.equal(reads, 10)
})
