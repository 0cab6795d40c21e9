// Searches transfers that were created together and share a row of texts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Fragment, read } from '../../platform/database/sql.ts'
import { pageOfIndex, pageWithCommon } from '../../platform/http/pieces.ts'
import { notOnCluster } from '../../testing/testing.server.ts'
import { type Answer, openBank } from '../../testing/testing.ts'
import type { Transfer } from '../life/transfers.schemas.ts'
import { listingOf, wordsOfTexts } from './transfers.list.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const other = await bank.registerVenture()
const third = await bank.registerVenture()

/** Orders that one request creates. Each has its own reference and purpose; all have the same payee name. */
async function orderMany(caller: typeof venture, count: number, name: string): Promise<Transfer[]> {
  const account = await caller.openAccount({ balance: '1000.00' })
  const { id: beneficiary_id } = await caller.addBeneficiary(account.client_id, { name, iban: 'DE89370400440532013000' })
  const transfers = Array.from({ length: count }, (_, number) => ({
    account_id: account.id,
    beneficiary_id,
    debit_amount: '1.00',
    unique_reference: `${name}/${number}/`,
    purpose: `Müll-Gebühr №${number}.`,
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

test('whatever part of its texts somebody searches for, a transfer is found', async () => {
  const tricky = [
    'A-B c1234567,x y',
    "o'Neill & Söhne (2026)",
    'a\\b 99.5% [x]_{y}|~z `q`',
    'Gebühr 12/3#4 "five" <six>',
    'ends with a sign -',
    '  three   spaces',
  ]
  const account = await third.openAccount({ balance: '1000.00' })
  const { id: beneficiary_id } = await third.addBeneficiary(account.client_id, { name: 'Öl & Gas №7', iban: 'DE89370400440532013000' })
  const transfers = tricky.map((purpose, number) => ({
    account_id: account.id,
    beneficiary_id,
    debit_amount: '1.00',
    purpose,
    unique_reference: `ref/${number}-12${number}45:${number}`,
  }))
  const { body, text } = await third.post('/transfers/bulk', { transfers })
  const made: Transfer[] = body.results.map(({ transfer }: { transfer?: Transfer }) => transfer ?? assert.fail(text))
  await fc.assert(
    fc.asyncProperty(fc.nat(made.length - 1), fc.nat(2), fc.nat(200), fc.nat(200), fc.boolean(), async (which, field, from, to, upper) => {
      const { id, unique_reference, purpose, cr_name } = made[which] as Transfer
      const whole = [...([unique_reference, purpose, cr_name][field] ?? '')]
      const [start = 0, end = 0] = [from % whole.length, to % (whole.length + 1)].sort((one, other) => one - other)
      const part = whole.slice(start, end).join('')
      fc.pre(part.trim() !== '')
      const found = idsOf(await third.get(`/transfers?limit=100&search=${encodeURIComponent(upper ? part.toUpperCase() : part)}`))
      assert.ok(found.includes(id), `${JSON.stringify(part)} of ${JSON.stringify(whole.join(''))}`)
    }),
    { numRuns: 300 },
  )
})

test('words of a search are whole but for the first and the last, and together', async () => {
  const [one] = await orderMany(venture, 1, 'Anderson Trading 20467 Ltd')
  const expected = [one?.id]
  assert.deepEqual(await search('son trading 204'), expected)
  assert.deepEqual(await search('anderson trading 20467 l'), expected)
  for (const other of ['anderson tradin 204', 'anderson 20467', 'trading anderson', 'anderson-trading', 'trading 0467', 'trading 20468'])
    assert.deepEqual(await search(other), [], other)
})

test('a word that none of the newest transfers has is found all the same', async () => {
  const [rare] = await orderMany(venture, 1, 'Xylophone Ltd')
  // So many that the search does not see the older ones when it looks at the newest.
  for (let request = 0; request < 2; request++) await orderMany(venture, 100, `Common ${request}`)
  assert.deepEqual(await search('xylophone'), [rare?.id])
  assert.equal((await search('common')).length, 100)
  assert.deepEqual(await search('common 7'), [])
})

test('a word that many transfers have, but none of the newest, is found newest first, page by page and with other filters', async () => {
  await orderMany(venture, 100, 'Newest Ltd')
  const newestFirst = created.map(({ id }) => id).reverse()
  assert.deepEqual(await search('quill'), newestFirst)
  assert.deepEqual(await search('quill', 10), newestFirst.slice(0, 10))
  const list = async (rest: string) => venture.get(`/transfers?limit=10&search=quill&${rest}`)
  const next = await list(`after=${newestFirst[9]}`)
  assert.deepEqual(idsOf(next), newestFirst.slice(10, 20))
  assert.match(String(next.headers['link']), new RegExp(`after=${newestFirst[19]}`))
  assert.deepEqual(idsOf(await list('offset=65')), newestFirst.slice(65))
  assert.deepEqual(idsOf(await list(`status=CREATED&after=${newestFirst[64]}`)), newestFirst.slice(65))
  assert.deepEqual(idsOf(await list('status=COMPLETED')), [])
  assert.deepEqual(idsOf(await list('date_to=2020-01-01')), [])
})

test('of the transfers that have a word, only those of the page are read, whether it is rare or common', {
  skip: notOnCluster('plans'),
}, async () => {
  // As on the connections for lists, and as in a database that has been in use.
  await bank.owner.query('set enable_seqscan = off')
  await bank.owner.query('analyze transfers')
  const rare = listingOf(venture.venture.id, { search: 'quill', limit: 10 })
  const common = listingOf(venture.venture.id, { search: 'gebühr', limit: 10, status: 'CREATED' })
  const ids = rare.index?.ids ?? assert.fail()
  assert.deepEqual(await readsOfTransfers(pageOfIndex(rare, ids)), { rows: 1, loops: 11 })
  assert.deepEqual(await readsOfTransfers(pageWithCommon(common, 'search')), { rows: 11, loops: 1 })
})

/** How many rows of transfers a statement reads, and how often. */
async function readsOfTransfers(page: Fragment): Promise<{ rows: number; loops: number }> {
  const { text, values } = read`explain (analyze, format json) ${page}`
  const { rows } = await bank.owner.query(text, [...values])
  const [, read_rows, loops] =
    /"Relation Name":"transfers".*?"Actual Rows":([\d.]+),"Actual Loops":(\d+)/.exec(JSON.stringify(rows)) ?? assert.fail()
  return { rows: Number(read_rows), loops: Number(loops) }
}

test('the texts of another venture are not found', async () => {
  assert.deepEqual(await search('zephyr'), [])
  assert.equal(idsOf(await other.get('/transfers?search=zephyr')).length, 3)
})

test('no more than 32 transfers share a row, and each is in one', async () => {
  const { rows } = await bank.owner.query(
    'select 1 + coalesce(cardinality(others), 0) as count from transfer_texts where venture_id = $1 order by 1 desc',
    [other.venture.id],
  )
  // The single one is the adjustment that funded the account.
  assert.deepEqual(rows, [{ count: 3 }, { count: 1 }])
  const { rows: all } = await bank.owner.query('select max(1 + coalesce(cardinality(others), 0)) as most from transfer_texts')
  assert.deepEqual(all, [{ most: 32 }])
})

test('one index answers both, for a part of the text and for its words', { skip: notOnCluster('plans') }, async () => {
  // PostgreSQL would otherwise scan a small table.
  await bank.owner.query('set enable_seqscan = off')
  const statement = read`select from transfer_texts where words like '%invoice 4711%' and ${wordsOfTexts} @@ '''4711'':*'::tsquery`
  const { rows } = await bank.owner.query(`explain ${statement.text}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join(' ')
  assert.match(plan, /Bitmap Index Scan on transfer_texts_by_words .* Index Cond: \(\(words ~~ .* AND .* @@ /s)
})

test('a word of more transfers than are worth looking up is found in the order of the list', async () => {
  const flood = await orderMany(other, 3, 'Flood Ltd')
  await orderMany(other, 100, 'Later')
  await bank.owner.query(
    `insert into transfer_texts (venture_id, id, others, words)
     select $1, gen_random_uuid(), array(select gen_random_uuid() from generate_series(1, 30000)), 'flood'`,
    [other.venture.id],
  )
  const listing = listingOf(other.venture.id, { search: 'flood' })
  const statement = read`${pageOfIndex(listing, listing.index?.ids ?? assert.fail())}`
  const { rows } = await bank.owner.query(statement.text, [...statement.values])
  assert.deepEqual([rows.length, rows[0].found, rows[0].id], [1, 30_001, null], 'the index gives up')
  assert.deepEqual(idsOf(await other.get('/transfers?search=flood')), flood.map(({ id }) => id).reverse())
  assert.deepEqual(idsOf(await other.get('/transfers?search=flood&limit=1&offset=2')), [flood[0]?.id])
  assert.deepEqual(idsOf(await other.get('/transfers?search=flood&status=REJECTED')), [])
})
