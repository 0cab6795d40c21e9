// Searches of transfers that were created together, which share a row of texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../testing/testing.ts'
import { openBank } from '../testing/testing.ts'
import type { Transfer } from './transfers.schemas.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const other = await bank.registerVenture()

/** Orders that one request creates. Each has a reference and a purpose of its own, and the payee of all of them has the same name. */
async function orderMany(caller: typeof venture, count: number, name: string): Promise<Transfer[]> {
  const account = await caller.openAccount({ balance: '1000.00' })
  const { id: beneficiary_id } = await caller.addBeneficiary(account.client_id, { name, iban: 'DE89370400440532013000' })
  const transfers = Array.from({ length: count }, (_, number) => ({
    ...{ account_id: account.id, beneficiary_id, debit_amount: '1.00' },
    ...{ unique_reference: `${name}/${number}/`, purpose: `Müll-Gebühr №${number}.` },
  }))
  const { status, body, text } = await caller.post('/transfers/bulk', { transfers })
  assert.equal(status, 200, text)
  return body.results.map(({ transfer }: { transfer: Transfer }) => transfer)
}

const idsOf = ({ status, body, text }: Answer): string[] => {
  assert.equal(status, 200, text)
  return body.map(({ id }: Transfer) => id)
}

const search = async (text: string, limit = 100) => idsOf(await venture.get(`/transfers?limit=${limit}&search=${encodeURIComponent(text)}`))

const created = await orderMany(venture, 70, 'Quill Ltd')
await orderMany(other, 3, 'Zephyr Ltd')

test('each of many transfers that were created together is found by its own texts, in any case, and no other with it', async () => {
  for (const [number, { id, unique_reference }] of created.entries()) {
    assert.deepEqual(await search(unique_reference.toUpperCase()), [id])
    assert.deepEqual(await search(`MÜLL-GEBÜHR №${number}.`), [id])
  }
})

test('a word that all of them have finds all of them, newest first, and page by page', async () => {
  const newestFirst = created.map(({ id }) => id).reverse()
  assert.deepEqual(await search('quill'), newestFirst)
  assert.deepEqual(await search('gebühr', 10), newestFirst.slice(0, 10))
  const next = await venture.get(`/transfers?limit=10&search=quill&after=${newestFirst[9]}`)
  assert.deepEqual(idsOf(next), newestFirst.slice(10, 20))
})

test('a word that none of the newest transfers has is found all the same', async () => {
  const [rare] = await orderMany(venture, 1, 'Xylophone Ltd')
  // Enough of them that the search does not see the older ones when it looks at the newest.
  for (let request = 0; request < 2; request++) await orderMany(venture, 100, `Common ${request}`)
  assert.deepEqual(await search('xylophone'), [rare?.id])
  assert.equal((await search('common')).length, 100)
  assert.deepEqual(await search('common 7'), [])
})

test('the texts of another venture are not found', async () => {
  assert.deepEqual(await search('zephyr'), [])
  assert.equal(idsOf(await other.get('/transfers?search=zephyr')).length, 3)
})

test('no more than 32 transfers share a row, and each is in one', async () => {
  const { rows } = await bank.owner.query(
    'select 1 + coalesce(cardinality(others), 0) as count from transfer_texts where venture_id = $1 order by 1 desc',
    [other.venture.id],
  )
  // The one alone is the adjustment that opened the account with money.
  assert.deepEqual(rows, [{ count: 3 }, { count: 1 }])
  const { rows: all } = await bank.owner.query('select max(1 + coalesce(cardinality(others), 0)) as most from transfer_texts')
  assert.deepEqual(all, [{ most: 32 }])
})
