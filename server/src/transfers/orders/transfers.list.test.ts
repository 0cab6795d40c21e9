import assert from 'node:assert/strict'
import { test } from 'node:test'
import { read } from '../../platform/database/sql.ts'
import { given, pageWith } from '../../platform/http/lists.ts'
import { pageOfIndex, pageWithCommon } from '../../platform/http/pieces.ts'
import { findTestServer, notOnCluster, urlOf } from '../../testing/testing.server.ts'
import { fillTransfers, type Payer } from '../../testing/testing.transfers.ts'
import { openBank } from '../../testing/testing.ts'
import type { Transfer } from '../life/transfers.schemas.ts'
import { transferStatuses } from '../life/transfers.status.ts'
import { listingOf } from './transfers.list.ts'

const bank = await openBank()
const venture = await bank.registerVenture()
const other = await bank.registerVenture()
const count = 20_000

const accounts: Payer[] = []
for (let number = 0; number < 5; number++) {
  const account = await venture.openAccount()
  const beneficiary = await venture.addBeneficiary(account.client_id)
  accounts.push({ venture_id: venture.venture.id, account_id: account.id, beneficiary_id: beneficiary.id })
}
const { rows: current } = await bank.owner.query('select current_database() as name')
await fillTransfers(urlOf(findTestServer().ownerUrl, current[0].name), accounts, count)
const [first] = accounts
const account_id = first?.account_id ?? ''

/** All transfers of the venture, newest first, read directly from the database. */
const { rows: all } = await bank.owner.query<Transfer & { created_at: Date }>(
  'select * from transfers where venture_id = $1 order by id desc',
  [venture.venture.id],
)

async function ids(path: string): Promise<string[]> {
  const { status, body, text } = await venture.get(path)
  assert.equal(status, 200, text)
  return body.map(({ id }: Transfer) => id)
}

const matching = (matches: (transfer: Transfer & { created_at: Date }) => boolean, limit = 50) =>
  all
    .filter(matches)
    .slice(0, limit)
    .map(({ id }) => id)

test('each filter returns the newest fifty matches and nothing else', async () => {
  const rare = 'TO_RETURN'
  const words = ({ unique_reference, purpose, cr_name, dr_name }: Transfer) =>
    [unique_reference, purpose, cr_name, dr_name].map((text) => text?.toLowerCase() ?? '')
  const cases: Record<string, (transfer: Transfer & { created_at: Date }) => boolean> = {
    '': () => true,
    [`account_id=${account_id}`]: (transfer) => transfer.account_id === account_id,
    [`beneficiary_id=${first?.beneficiary_id}`]: (transfer) => transfer.beneficiary_id === first?.beneficiary_id,
    'direction=INBOUND': ({ direction }) => direction === 'INBOUND',
    [`status=${rare}`]: ({ status }) => status === rare,
    'status=COMPLETED': ({ status }) => status === 'COMPLETED',
    'transfer_type=PAYMENT_RETURN': ({ transfer_type }) => transfer_type === 'PAYMENT_RETURN',
    'method=CARD': ({ method }) => method === 'CARD',
    'currency=chf': ({ debit_currency, credit_currency }) => debit_currency === 'CHF' || credit_currency === 'CHF',
    'date_from=2026-10-01': ({ created_at }) => created_at >= new Date('2026-10-01'),
    'date_to=9999-12-31': () => true,
    'date_to=9999-12-31T23:59:59.9999Z': () => true,
    'date_from=0001-01-01': () => true,
    'date_to=2025-11-05': ({ created_at }) => created_at < new Date('2025-11-06'),
    'date_from=2026-02-01T12:00:00Z&date_to=2026-02-03': ({ created_at }) =>
      created_at >= new Date('2026-02-01T12:00:00Z') && created_at < new Date('2026-02-04'),
    'search=INVOICE%20777': ({ purpose }) => purpose?.includes('Invoice 777') ?? false,
    'search=fill-1999': ({ unique_reference }) => unique_reference.includes('fill-1999'),
    'search=creditor%20c4': (transfer) => words(transfer).some((text) => text.includes('creditor c4')),
    'search=%25': (transfer) => words(transfer).some((text) => text.includes('%')),
    'search=_': (transfer) => words(transfer).some((text) => text.includes('_')),
    'search=%5C': (transfer) => words(transfer).some((text) => text.includes('\\')),
    'method=CARD&direction=INBOUND&status=COMPLETED&currency=EUR&search=invoice': ({ method, direction, status, debit_currency }) =>
      method === 'CARD' && direction === 'INBOUND' && status === 'COMPLETED' && debit_currency === 'EUR',
  }
  for (const [query, matches] of Object.entries(cases)) assert.deepEqual(await ids(`/transfers?${query}`), matching(matches), query)
})

test('a list never contains transfers of another venture, whatever the filter', async () => {
  const stranger = await bank.registerVenture()
  const own = await stranger.openAccount()
  const mine = await stranger.createTransfer({ account_id: own.id, direction: 'INBOUND', credit_amount: '1.00' })
  const [{ id: newest, purpose, beneficiary_id } = { id: '', purpose: '', beneficiary_id: '' }] = all
  for (const query of ['', '?limit=100', '?direction=INBOUND', '?currency=EUR', `?search=${mine.unique_reference}`]) {
    const { body, text } = await stranger.get(`/transfers${query}`)
    assert.deepEqual(
      body?.map(({ id }: Transfer) => id),
      [mine.id],
      `${query}: ${text}`,
    )
  }
  const foreign = [
    `account_id=${account_id}`,
    `beneficiary_id=${beneficiary_id}`,
    `search=${encodeURIComponent(purpose ?? '')}`,
    `after=${newest}`,
  ]
  for (const query of foreign) assert.deepEqual((await stranger.get(`/transfers?${query}`)).body, [], query)
})

test('a search does not match across two fields', async () => {
  assert.deepEqual(await ids('/transfers?search=19999invoice'), [])
})

test('a list that is read in pieces has the same results as any other', async () => {
  const words = ({ unique_reference, purpose, cr_name, dr_name }: Transfer) =>
    [unique_reference, purpose, cr_name, dr_name].join('\n').toLowerCase()
  const contains = (text: string) => (transfer: Transfer) => words(transfer).includes(text)
  const cases: [query: string, matches: (transfer: Transfer & { created_at: Date }) => boolean, offset?: number, limit?: number][] = [
    ['search=q', contains('q')],
    ['search=zz', contains('zz')],
    ['search=E4', contains('e4')],
    ['search=e4&limit=100&offset=1500', contains('e4'), 1_500, 100],
    ['search=%2D7&limit=1', contains('-7'), 0, 1],
    ['search=99&status=TO_RETURN', (transfer) => contains('99')(transfer) && transfer.status === 'TO_RETURN'],
    ['limit=3&offset=15000', () => true, 15_000, 3],
    ['limit=100&offset=19960', () => true, 19_960, 100],
    ['offset=20000', () => true, 20_000],
    ['offset=1000000', () => true, 1_000_000],
    ['method=SEPA&limit=7&offset=10001', ({ method }) => method === 'SEPA', 10_001, 7],
    [
      'search=e4&date_from=2026-02-01&date_to=2026-02-10',
      (transfer) =>
        contains('e4')(transfer) && transfer.created_at >= new Date('2026-02-01') && transfer.created_at < new Date('2026-02-11'),
    ],
  ]
  for (const [query, matches, offset = 0, limit = 50] of cases) {
    const found = all.filter(matches)
    const page = (rows: readonly Transfer[]) => rows.slice(offset, offset + limit).map(({ id }) => id)
    assert.deepEqual(await ids(`/transfers?${query}`), page(found), query)
    const own = found.filter((transfer) => transfer.account_id === account_id)
    assert.deepEqual(await ids(`/accounts/${account_id}/transfers?${query}`), page(own), `of the account: ${query}`)
  }
  const seen: string[] = []
  let path = '/transfers?limit=100&search=f7'
  while (path !== '') {
    const { body, headers } = await venture.get(path)
    seen.push(...body.map(({ id }: Transfer) => id))
    path = /^<\/api\/v1(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? ''
  }
  assert.deepEqual(seen, matching(contains('f7'), count))
})

test('pages by cursor and by offset have no gaps and no duplicates', async () => {
  const seen: string[] = []
  let path = '/transfers?limit=100&method=SEPA'
  for (let page = 0; page < 5; page++) {
    const { body, headers } = await venture.get(path)
    seen.push(...body.map(({ id }: Transfer) => id))
    path = /^<\/api\/v1(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? ''
  }
  assert.deepEqual(
    seen,
    matching(({ method }) => method === 'SEPA', 500),
  )
  assert.deepEqual(
    await ids('/transfers?limit=3&offset=7'),
    all.slice(7, 10).map(({ id }) => id),
  )
})

test('the list of an account accepts the same filters and shows no other account', async () => {
  const own = await ids(`/accounts/${account_id}/transfers?status=COMPLETED`)
  assert.deepEqual(
    own,
    matching((transfer) => transfer.account_id === account_id && transfer.status === 'COMPLETED'),
  )
  assert.deepEqual(await ids(`/accounts/${account_id}/transfers?account_id=${accounts[1]?.account_id}`), [])
  assert.equal((await venture.get(`/accounts/${account_id}/transfers?account_id=${account_id}&limit=1`)).body.length, 1)
  const foreign = await other.get(`/accounts/${account_id}/transfers`)
  const unknown = await other.get('/accounts/0198c6f2-0000-7000-8000-000000000000/transfers')
  assert.equal(foreign.problem.code, 'account_not_found')
  assert.deepEqual({ ...foreign.problem, request_id: '', instance: '' }, { ...unknown.problem, request_id: '', instance: '' })
  assert.deepEqual((await other.get(`/transfers?account_id=${account_id}`)).body, [])
})

test('an invalid filter is refused', async () => {
  for (const query of [
    'status=completed',
    'direction=OUT',
    'method=POST',
    'transfer_type=GIFT',
    'currency=EURO',
    'currency=XXX',
    'account_id=7',
    'beneficiary_id=x',
    'date_from=yesterday',
    'date_to=2026-02-30',
    'date_from=0001-01-01T00:00:00%2B01:00',
    'search=',
    'limit=0',
    'limit=101',
    'offset=-1',
    'after=1',
    'surprise=1',
    'search=a%00',
    // Whichever way the list is read.
    ...['', '&search=zz', '&search=invoice'].flatMap((more) =>
      [1, 20_000].map((offset) => `after=${first?.account_id}&offset=${offset}${more}`),
    ),
  ]) {
    const answer = await venture.get(`/transfers?${query}`)
    assert.equal(answer.problem?.code, 'invalid_request', query)
  }
})

test('a page of any size has as many transfers as it says, and links to the next', async () => {
  for (const limit of [1, 19, 20, 21, 49, 50, 51, 99, 100]) {
    const { body, headers } = await venture.get(`/transfers?limit=${limit}`)
    const expected = matching(() => true, limit)
    assert.deepEqual(
      body.map(({ id }: Transfer) => id),
      expected,
    )
    assert.match(String(headers['link']), new RegExp(`after=${expected.at(-1)}>; rel="next"`))
    const oldest = all.at(-limit - 1)?.id
    const last = await venture.get(`/transfers?limit=${limit}&after=${oldest}`)
    assert.deepEqual([last.body.length, last.headers['link']], [limit, undefined])
  }
})

test('a transfer in a list is byte for byte what a get of it is, whatever it contains', async () => {
  const texts = ['', 'a"b\\c/d', 'äöü €', 'a\u2028\u2029', '😀'.repeat(30), '\u0001\b\t\n\f\r\u001f\u007f\u0085', "<&>'", 'null', '{"a":1}']
  const newest = matching(() => true, texts.length)
  for (const [place, text] of texts.entries())
    await bank.owner.query(
      `update transfers set purpose = $2, cr_name = $2, status_reason = $2, bank_partner_trx_id = 9007199254740991, exchange_rate = '1.10', fx_fee_amount = 0,
         signed_at = '2026-02-03 04:05:06.7+00', updated_at = '2026-02-03 04:05:06+00', is_instant = $3 where id = $1`,
      [newest[place], text, place % 2 === 0],
    )
  const { text, body, headers } = await venture.get('/transfers?limit=60')
  const single = await Promise.all(body.map(async ({ id }: Transfer) => (await venture.get(`/transfers/${id}`)).text))
  assert.equal(text, `[${single.join()}]`)
  assert.equal(headers['content-type'], 'application/json; charset=utf-8')
  const ofAccount = await venture.get(`/accounts/${account_id}/transfers?limit=5`)
  const own = single.filter((one) => one.includes(`"account_id":"${account_id}"`))
  assert.equal(ofAccount.text, `[${own.slice(0, 5).join()}]`)
  assert.equal((await venture.get('/transfers?search=nothing+like+it')).text, '[]')
})

test('no list reads the whole table', { skip: notOnCluster('plans') }, async () => {
  const { id: venture_id } = venture.venture
  const after = all.at(-100)?.id ?? ''
  const queries = [
    {},
    { after },
    { account_id },
    { beneficiary_id: first?.beneficiary_id ?? '' },
    { direction: 'INBOUND' as const },
    ...transferStatuses.map((status) => ({ status })),
    { transfer_type: 'PAYMENT_RETURN' as const },
    { transfer_type: 'CARD_AUTH' as const },
    { method: 'SDD' as const },
    { currency: 'CHF' },
    { currency: 'JPY' },
    { date_from: '2026-01-01', date_to: '2026-01-02' },
    { search: 'invoice 777' },
    { search: 'nothing like it' },
    { account_id, status: 'TO_RETURN' as const, search: 'invoice' },
  ]
  // As on the connections for lists: PostgreSQL would otherwise scan a small table.
  await bank.owner.query('set enable_seqscan = off')
  for (const query of queries) {
    const listing = listingOf(venture_id, query)
    const page = pageWith(listing.query, given(listing.query, listing.filters))
    const pages =
      listing.index === undefined
        ? [listing.select(listing.columns, page)]
        : [pageOfIndex(listing, listing.index.ids), pageWithCommon(listing, listing.index.filter)]
    for (const statement of pages) {
      const { text, values } = read`${statement}`
      const { rows } = await bank.owner.query(`explain ${text}`, values)
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      assert.ok(!plan.includes('Seq Scan'), `${JSON.stringify(query)}\n${plan}`)
      assert.match(plan, /Index/)
    }
  }
})
