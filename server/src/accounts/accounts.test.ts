import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Database } from '../platform/database/database.ts'
import { type Answer, Caller, openBank, type VentureCaller } from '../testing/testing.ts'
import { lockRow, untilBlocked } from '../testing/testing.waits.ts'
import { findTransferInSuspense } from '../transfers/transfers.ts'
import { parseIban } from '../values/iban.ts'
import { Account, AccountEntry } from './accounts.schemas.ts'
import { type AccountAction, type AccountStatus, accountStatuses } from './accounts.status.ts'
import { createAccount, getAccount, openAccounts } from './accounts.ts'

const bank = await openBank()
const unknownId = '0198c6f2-0000-7000-8000-000000000000'
const declared = Object.keys(Account.properties)

type Changes = Record<string, unknown>

/** A venture with a client who needs no verification, and a minimal request for an account. */
async function openVenture(changes: Changes = {}) {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED', ...changes })
  const minimal = { client_id: client.id as string, account_name: 'Main', account_type: 'CURRENT', currency: 'EUR' }
  return { venture, client, minimal }
}

async function create(venture: VentureCaller, body: object) {
  const answer = await venture.post('/accounts', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

/** Creates an account and brings it into a status with actions. */
async function createIn(status: AccountStatus, venture: VentureCaller, body: object) {
  const { id } = await create(venture, body)
  const paths: Record<AccountStatus, AccountAction[]> = {
    PENDING: [],
    ACTIVE: ['activate'],
    SUSPENDED: ['activate', 'freeze'],
    CLOSED: ['activate', 'close'],
  }
  for (const action of paths[status]) assert.equal((await act(venture, id, action)).status, 200)
  return (await venture.get(`/accounts/${id}`)).body
}

const act = (venture: VentureCaller, id: string, action: AccountAction) => venture.post(`/accounts/${id}/${action}`)

/** Sets balances directly in the database. */
async function setBalances(id: string, current: string, reserved: string) {
  await bank.owner.query('update accounts set current_balance = $2, reserved_balance = $3 where id = $1', [id, current, reserved])
}

async function rowOf(id: string) {
  return (await bank.owner.query('select *, used_on::text as used_on from accounts where id = $1', [id])).rows[0]
}

async function eventsOf(id: string) {
  const { rows } = await bank.owner.query('select type, sequence, data from events where resource_id = $1 order by sequence', [id])
  return rows
}

const stored = async () => [await bank.count('accounts'), await bank.count('events')]

/** A response without the request id and the path. */
function withoutRequestId({ status, text, problem }: Answer) {
  return { status, text: text.replace(problem.request_id, '').replace(problem.instance, '') }
}

function assertNames(answer: Answer, field: string, hint: string) {
  assert.equal(answer.status, 400, `${hint}: ${answer.text}`)
  assert.equal(answer.problem.code, 'invalid_request')
  assert.ok(
    answer.problem.errors.some((error: { field: string }) => error.field === field),
    `${hint}: ${answer.text}`,
  )
}

test('a new account is PENDING and empty, has every field, and emits an event', async () => {
  const { venture, minimal } = await openVenture()
  const today = new Date().toISOString().slice(0, 10)
  const answer = await venture.post('/accounts', minimal)
  assert.equal(answer.status, 201, answer.text)
  const { id, account_number, created_at, ...rest } = answer.body
  assert.deepEqual(Object.keys(answer.body), declared)
  assert.equal(answer.headers['location'], `/api/v1/accounts/${id}`)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.match(account_number, /^LT\d\d99990\d{11}$/)
  assert.equal(parseIban(account_number), account_number)
  assert.deepEqual(rest, {
    ...minimal,
    available_balance: '0.00',
    current_balance: '0.00',
    reserved_balance: '0.00',
    status: 'PENDING',
    opened_date: created_at,
    closed_date: null,
    last_activity_date: null,
    daily_limit: null,
    monthly_limit: null,
    yearly_limit: null,
    description: null,
    external_account_id: null,
    updated_at: created_at,
  })
  assert.equal((await venture.get(`/accounts/${id}`)).text, answer.text)
  assert.equal((await venture.get(`/accounts/${id.toUpperCase()}`)).text, answer.text)
  const [event, ...more] = await eventsOf(id)
  assert.deepEqual([event.type, event.sequence, more.length], ['account.created', 1, 0])
  assert.deepEqual(event.data, { object: answer.body, previous_status: null })
  assert.deepEqual(Object.keys(event.data.object), declared)
  const { used_on, used_day, used_month, used_year, sequence, venture_id } = await rowOf(id)
  assert.deepEqual([used_day, used_month, used_year, sequence], ['0.00', '0.00', '0.00', 1])
  assert.ok(used_on >= today && used_on <= new Date().toISOString().slice(0, 10))
  assert.equal(venture_id, venture.venture.id)
})

test('every field is stored in its canonical form, and null is the same as absent', async () => {
  const { venture, client, minimal } = await openVenture()
  const input = {
    client_id: client.id.toUpperCase(),
    account_name: 'Zoe\u0308',
    account_type: 'ESCROW',
    currency: 'usd',
    daily_limit: '0',
    monthly_limit: '1000.5',
    yearly_limit: '999999999999999.99',
    description: 'for the house',
    external_account_id: 'E-1',
  }
  const account = await create(venture, input)
  for (const [field, value] of Object.entries({
    ...input,
    client_id: client.id,
    account_name: 'Zo\u00eb',
    currency: 'USD',
    daily_limit: '0.00',
    monthly_limit: '1000.50',
  })) {
    assert.equal(account[field], value, field)
  }
  assert.deepEqual((await venture.get(`/accounts/${account.id}`)).body, account)
  const nulls = { daily_limit: null, monthly_limit: null, yearly_limit: null, description: null, external_account_id: null }
  const bare = await create(venture, { ...minimal, ...nulls })
  for (const field of Object.keys(nulls)) assert.equal(bare[field], null, field)
  for (const account_type of ['CURRENT', 'SAVINGS', 'ESCROW'])
    assert.equal((await create(venture, { ...minimal, account_type })).account_type, account_type)
})

test('balances and limits have exactly the decimals of their currency', async () => {
  const { venture, minimal } = await openVenture()
  for (const [currency, zero, input, limit, balances] of [
    ['JPY', '0', '10', '10', ['7', '10', '3']],
    ['KWD', '0.000', '10.5', '10.500', ['9.998', '10.000', '0.002']],
    ['EUR', '0.00', '10', '10.00', ['9999999999999.98', '10000000000000.00', '0.02']],
    ['CLF', '0.0000', '0.0001', '0.0001', ['0.0001', '0.0003', '0.0002']],
  ] as const) {
    const { id, ...account } = await create(venture, { ...minimal, currency, daily_limit: input })
    assert.deepEqual(
      [account.available_balance, account.current_balance, account.reserved_balance, account.daily_limit],
      [zero, zero, zero, limit],
      currency,
    )
    assert.equal((await rowOf(id)).used_year, zero)
    const [available, current, reserved] = balances
    await setBalances(id, current, reserved)
    for (const read of [(await venture.get(`/accounts/${id}`)).body, (await venture.get('/accounts?limit=1')).body[0]]) {
      assert.deepEqual([read.available_balance, read.current_balance, read.reserved_balance, read.daily_limit], [...balances, limit])
    }
    assert.equal((await venture.put(`/accounts/${id}`, { account_name: 'x' })).body.available_balance, available)
  }
})

const limits = ['daily_limit', 'monthly_limit', 'yearly_limit']
const badDecimals = [
  '1e5',
  '-0',
  '-1',
  '+1',
  '.5',
  '5.',
  '0x10',
  'NaN',
  'Infinity',
  '1_0',
  '١٠',
  '１０',
  '',
  ' 1',
  '1\n',
  '01',
  '1,5',
  '1.000',
  '1.00000',
  '9'.repeat(30),
  '9'.repeat(16),
  10,
  0,
  true,
  ['1'],
  {},
]

test('a limit that is not a decimal of the currency is refused by field, in creates and updates, and changes nothing', async () => {
  const { venture, minimal } = await openVenture()
  const { id } = await create(venture, { ...minimal, daily_limit: '5' })
  const { id: yen } = await create(venture, { ...minimal, currency: 'JPY' })
  const before = [...(await stored()), await rowOf(id)]
  for (const field of limits) {
    for (const value of badDecimals) {
      const hint = `${field}: ${JSON.stringify(value)}`
      assertNames(await venture.post('/accounts', { ...minimal, [field]: value }), field, hint)
      assertNames(await venture.put(`/accounts/${id}`, { [field]: value }), field, hint)
    }
    for (const value of ['1.5', '1.0']) {
      assertNames(await venture.post('/accounts', { ...minimal, currency: 'JPY', [field]: value }), field, `JPY ${value}`)
      assertNames(await venture.put(`/accounts/${yen}`, { [field]: value }), field, `JPY ${value}`)
    }
    assertNames(await venture.post('/accounts', { ...minimal, currency: 'KWD', [field]: '1.0000' }), field, 'KWD')
  }
  assert.deepEqual([...(await stored()), await rowOf(id)], before)
})

test('invalid input is refused by field and stores nothing', async () => {
  const { venture, minimal } = await openVenture()
  const before = await stored()
  const taken = [...Object.keys(minimal), ...limits, 'description', 'external_account_id']
  const wrong: [string, unknown][] = [
    ...Object.keys(minimal).flatMap((field): [string, unknown][] => [
      [field, undefined],
      [field, null],
      [field, 7],
    ]),
    ...['EU', 'EURO', 'XXX', 'XAU', 'ſEK', 'ıSK', 'E\u212aR', 'EUR ', '978', ''].map((value): [string, unknown] => ['currency', value]),
    ['account_type', 'current'],
    ['account_type', 'LOAN'],
    ['client_id', 'x'],
    ['account_name', ''],
    ['account_name', ' '],
    ['account_name', 'a'.repeat(141)],
    ['account_name', 'a\u0000'],
    ['account_name', 'a\u202e'],
    ['description', 'a'.repeat(256)],
    ['description', ''],
    ['external_account_id', 'a'.repeat(256)],
    ['external_account_id', 7],
    ...[...declared, 'venture_id', 'sequence', 'used_on', 'used_day']
      .filter((field) => !taken.includes(field))
      .map((field): [string, unknown] => [field, field.endsWith('balance') ? '5.00' : 'ACTIVE']),
  ]
  for (const [field, value] of wrong) {
    assertNames(await venture.post('/accounts', { ...minimal, [field]: value }), field, `${field}: ${JSON.stringify(value)}`)
  }
  assert.deepEqual(await stored(), before)
})

test('account numbers are valid IBANs, unique and not in order', async () => {
  const { venture, minimal } = await openVenture()
  const numbers: string[] = []
  for (let batch = 0; batch < 10; batch++) {
    const made = await Promise.all(Array.from({ length: 20 }, () => create(venture, minimal)))
    numbers.push(...made.map(({ account_number }) => account_number))
  }
  assert.equal(new Set(numbers).size, 200)
  for (const number of numbers) assert.equal(parseIban(number), number)
  const own = numbers.map((number) => Number(number.slice(9)))
  const rising = own.filter((value, index) => index > 0 && value > (own[index - 1] ?? 0)).length
  assert.ok(rising > 60 && rising < 140, `${rising} of 199 were above the one before`)
  const near = own.filter((value, index) => index > 0 && Math.abs(value - (own[index - 1] ?? 0)) < 1_000_000)
  assert.ok(near.length < 3, 'numbers lie too close to each other')
  for (let place = 9; place < 20; place++) {
    assert.ok(new Set(numbers.map((number) => number[place])).size >= 8, `the digit at ${place} hardly changes`)
  }
})

test('a bank in another country uses account numbers of that country', async () => {
  const { venture, minimal } = await openVenture()
  for (const [country, code, pattern] of [
    ['GB', 'VOST', /^GB\d\dVOST\d{14}$/],
    ['MU', 'VOST', /^MU\d\dVOST\d{19}[A-Z]{3}$/],
  ] as const) {
    const app = await bank.openInstance({ bank: { ...bank.config.bank, country, code } })
    const { status, body } = await new Caller(app, venture.headers).post('/accounts', minimal)
    assert.equal(status, 201)
    assert.match(body.account_number, pattern)
    assert.equal(parseIban(body.account_number), body.account_number)
  }
})

test('a taken number is replaced a few times, and then nothing is stored', async () => {
  const { venture, minimal } = await openVenture()
  const accounts = openAccounts(bank.database, bank.config.bank, findTransferInSuspense)
  const { account_number: taken } = await create(venture, minimal)
  const fresh = accounts.makeNumber()
  const queue = [taken, taken, fresh]
  const input = { ...minimal, account_type: 'CURRENT' as const }
  const made = await createAccount({ ...accounts, makeNumber: () => queue.shift() ?? taken }, venture.venture.id, input)
  assert.equal(made.account_number, fresh)
  const before = await stored()
  await assert.rejects(createAccount({ ...accounts, makeNumber: () => taken }, venture.venture.id, input), /were taken/)
  assert.deepEqual(await stored(), before)
})

test('the refusals for an unknown client and for another venture’s client are identical', async () => {
  const { venture, minimal } = await openVenture()
  const other = await openVenture()
  const before = await stored()
  const unknown = await venture.post('/accounts', { ...minimal, client_id: unknownId })
  const foreign = await venture.post('/accounts', { ...minimal, client_id: other.client.id })
  assert.deepEqual([unknown.status, unknown.problem.code], [404, 'client_not_found'])
  assert.deepEqual(withoutRequestId(foreign), withoutRequestId(unknown))
  assert.deepEqual(await stored(), before)
})

test('every operation treats another venture’s account exactly like one that does not exist', async () => {
  const { venture, minimal } = await openVenture()
  const other = await openVenture()
  const { id } = await createIn('ACTIVE', venture, minimal)
  const before = await rowOf(id)
  const calls: ((id: string) => Promise<Answer>)[] = [
    (id) => other.venture.get(`/accounts/${id}`),
    (id) => other.venture.put(`/accounts/${id}`, { account_name: 'Mine' }),
    (id) => other.venture.put(`/accounts/${id}`, { daily_limit: '1.23' }),
    (id) => other.venture.post(`/accounts/${id}/activate`),
    (id) => other.venture.post(`/accounts/${id}/freeze`),
    (id) => other.venture.post(`/accounts/${id}/close`),
    (id) => other.venture.get(`/accounts/${id}/entries`),
  ]
  for (const call of calls) {
    const [unknown, foreign] = [await call(unknownId), await call(id)]
    assert.deepEqual([unknown.status, unknown.problem.code], [404, 'account_not_found'])
    assert.deepEqual(withoutRequestId(foreign), withoutRequestId(unknown))
    assertNames(await call('7'), 'account_id', 'not an id')
  }
  assert.deepEqual(await rowOf(id), before)
  assert.deepEqual((await other.venture.get('/accounts')).body, [])
  assert.deepEqual((await other.venture.get(`/accounts?client_id=${minimal.client_id}`)).body, [])
  assert.deepEqual((await other.venture.get(`/accounts?after=ffffffff-ffff-7fff-8fff-ffffffffffff`)).body, [])
})

test('the list is newest first, filters, searches and pages', async () => {
  const { venture, minimal } = await openVenture()
  const second = await venture.registerClient({ kyc_level: 'NOT_REQUIRED' })
  const one = await createIn('ACTIVE', venture, { ...minimal, account_name: '100%_Fun', external_account_id: 'Ext\\7' })
  const two = await create(venture, { ...minimal, currency: 'USD', account_type: 'SAVINGS' })
  const three = await create(venture, { ...minimal, client_id: second.id, account_type: 'ESCROW' })
  const ids = async (query: string) => {
    const { status, body, text } = await venture.get(`/accounts${query}`)
    assert.equal(status, 200, text)
    return body.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual((await venture.get('/accounts')).body, [three, two, one])
  assert.deepEqual(await ids(`?client_id=${second.id.toUpperCase()}`), [three.id])
  assert.deepEqual(await ids(`?client_id=${unknownId}`), [])
  assert.deepEqual(await ids('?status=ACTIVE'), [one.id])
  assert.deepEqual(await ids('?status=CLOSED'), [])
  assert.deepEqual(await ids('?currency=usd'), [two.id])
  assert.deepEqual(await ids('?account_type=ESCROW'), [three.id])
  assert.deepEqual(await ids('?search=0%25_fUN'), [one.id])
  assert.deepEqual(await ids('?search=%25%25'), [])
  assert.deepEqual(await ids('?search=ext%5C7'), [one.id])
  assert.deepEqual(await ids(`?search=${two.account_number.slice(4).toLowerCase()}`), [two.id])
  assert.deepEqual(await ids(`?client_id=${minimal.client_id}&status=PENDING&currency=USD&account_type=SAVINGS&search=main`), [two.id])
  assert.deepEqual(await ids('?limit=1&offset=1'), [two.id])
  const first = await venture.get('/accounts?limit=2&search=LT')
  assert.equal(first.headers['link'], `</api/v1/accounts?limit=2&search=LT&after=${two.id}>; rel="next"`)
  const rest = await venture.get(`/accounts?limit=2&search=LT&after=${two.id}`)
  assert.deepEqual([rest.body, rest.headers['link']], [[one], undefined])
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e9',
    'offset=-1',
    'status=OPEN',
    'status=active',
    'currency=XXX',
    'currency=EURO',
    'account_type=LOAN',
    'client_id=7',
    'search=',
    'surprise=1',
    'daily_limit=1',
    `offset=1&after=${two.id}`,
    'after=7',
  ]) {
    assert.equal((await venture.get(`/accounts?${query}`)).problem?.code, 'invalid_request', query)
  }
})

test('an update changes only the fields sent, null clears, and an update without changes emits no event', async () => {
  const { venture, minimal } = await openVenture()
  const account = await create(venture, { ...minimal, description: 'old', daily_limit: '1', monthly_limit: '2', yearly_limit: '3' })
  const path = `/accounts/${account.id}`
  const { status, body } = await venture.put(path, { account_name: 'New', description: null, daily_limit: '0.5', monthly_limit: null })
  assert.equal(status, 200)
  assert.deepEqual(body, {
    ...account,
    account_name: 'New',
    description: null,
    daily_limit: '0.50',
    monthly_limit: null,
    updated_at: body.updated_at,
  })
  assert.ok(body.updated_at >= account.updated_at)
  assert.deepEqual((await venture.get(path)).body, body)
  for (const same of [{}, { account_name: 'New' }, { daily_limit: '0.5', monthly_limit: null, description: null, yearly_limit: '3.00' }]) {
    assert.deepEqual((await venture.put(path, same)).body, body)
  }
  const cleared = (await venture.put(path, { daily_limit: null, yearly_limit: null })).body
  assert.deepEqual([cleared.daily_limit, cleared.monthly_limit, cleared.yearly_limit], [null, null, null])
  const events = await eventsOf(account.id)
  assert.deepEqual(
    events.map(({ type, sequence }) => [type, sequence]),
    [
      ['account.created', 1],
      ['account.updated', 2],
      ['account.updated', 3],
    ],
  )
  assert.deepEqual(events[1].data, { object: body, previous_status: null })
})

test('an update refuses all other fields, such as status, balance and owner', async () => {
  const { venture, minimal } = await openVenture()
  const account = await create(venture, minimal)
  const taken = ['account_name', 'description', ...limits]
  const wrong: [string, unknown][] = [
    ...[...declared, 'venture_id', 'sequence', 'used_on', 'used_day', 'surprise']
      .filter((field) => !taken.includes(field))
      .map((field): [string, unknown] => [field, account[field] ?? 'x']),
    ['account_name', null],
    ['account_name', ''],
    ['account_name', 'a'.repeat(141)],
    ['description', 'a'.repeat(256)],
    ['description', 'a\u0007'],
  ]
  for (const [field, value] of wrong)
    assertNames(await venture.put(`/accounts/${account.id}`, { account_name: 'New', [field]: value }), field, field)
  assert.deepEqual((await venture.get(`/accounts/${account.id}`)).body, account)
  assert.equal((await eventsOf(account.id)).length, 1)
})

test('an account in any status can be renamed and keeps its status', async () => {
  const { venture, minimal } = await openVenture()
  for (const status of accountStatuses) {
    const account = await createIn(status, venture, minimal)
    const { body } = await venture.put(`/accounts/${account.id}`, { account_name: 'Renamed', daily_limit: '5' })
    assert.deepEqual(body, { ...account, account_name: 'Renamed', daily_limit: '5.00', updated_at: body.updated_at })
  }
})

// The specification's table, copied by hand.
const table: Record<AccountStatus, Record<AccountAction, AccountStatus | undefined>> = {
  PENDING: { activate: 'ACTIVE', freeze: undefined, close: undefined },
  ACTIVE: { activate: undefined, freeze: 'SUSPENDED', close: 'CLOSED' },
  SUSPENDED: { activate: 'ACTIVE', freeze: undefined, close: 'CLOSED' },
  CLOSED: { activate: undefined, freeze: undefined, close: undefined },
}
const reachable: Record<AccountStatus, AccountStatus[]> = {
  PENDING: ['ACTIVE'],
  ACTIVE: ['SUSPENDED', 'CLOSED'],
  SUSPENDED: ['ACTIVE', 'CLOSED'],
  CLOSED: [],
}
const eventOf: Record<AccountAction, string> = { activate: 'account.activated', freeze: 'account.frozen', close: 'account.closed' }

for (const status of accountStatuses) {
  for (const action of ['activate', 'freeze', 'close'] as const) {
    const to = table[status][action]
    test(`${action} from ${status} ${to === undefined ? 'is refused' : `leads to ${to}`}`, async () => {
      const { venture, minimal } = await openVenture()
      const account = await createIn(status, venture, minimal)
      const before = await eventsOf(account.id)
      const answer = await act(venture, account.id, action)
      const events = (await eventsOf(account.id)).slice(before.length)
      if (to === undefined) {
        assert.equal(answer.status, 409)
        assert.equal(answer.problem.code, 'account_transition_not_allowed')
        assert.deepEqual([answer.problem.current_status, answer.problem.allowed], [status, reachable[status]])
        const attempted = { activate: 'ACTIVE', freeze: 'SUSPENDED', close: 'CLOSED' }[action]
        const way = status === 'CLOSED' ? 'A closed account stays closed.' : `Allowed now: ${reachable[status].join(' or ')}.`
        assert.equal(answer.problem.detail, `The account is ${status} and cannot become ${attempted}. ${way}`)
        assert.deepEqual((await venture.get(`/accounts/${account.id}`)).body, account)
        assert.deepEqual(events, [])
        return
      }
      assert.equal(answer.status, 200, answer.text)
      const { updated_at, closed_date } = answer.body
      assert.equal(closed_date, to === 'CLOSED' ? updated_at : null)
      assert.deepEqual(answer.body, { ...account, status: to, updated_at, closed_date })
      assert.equal((await venture.get(`/accounts/${account.id}`)).text, answer.text)
      const data = { object: answer.body, previous_status: status }
      assert.deepEqual(events, [{ type: eventOf[action], sequence: before.length + 1, data }])
    })
  }
}

test('an action refuses a body and accepts an empty one of any kind', async () => {
  const { venture, minimal } = await openVenture()
  const { id } = await create(venture, minimal)
  assert.equal((await venture.post(`/accounts/${id}/activate`, { status: 'CLOSED' })).problem?.code, 'invalid_request')
  const empty = await venture.send({
    method: 'POST',
    url: `/api/v1/accounts/${id}/activate`,
    headers: { 'content-type': 'application/json' },
  })
  assert.equal(empty.status, 200, empty.text)
})

test('the first activation requires compliance, and a reactivation does not', async () => {
  const { venture, client, minimal } = await openVenture({ kyc_level: 'FULL_KYC' })
  const { id } = await create(venture, minimal)
  const expect = async (code: string | undefined, detail = /./) => {
    const { problem } = await act(venture, id, 'activate')
    assert.equal(problem?.code, code)
    if (problem) assert.deepEqual([problem.status, detail.test(problem.detail)], [409, true], problem.detail)
  }
  const setKyc = (status: string) => bank.owner.query('update clients set kyc_status = $2 where id = $1', [client.id, status])
  const before = (await venture.get(`/accounts/${id}`)).body
  for (const status of ['NOT_STARTED', 'CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW', 'DECLINED']) {
    await setKyc(status)
    await expect('compliance_pending', new RegExp(`kyc_status is ${status}\\. It must be VALIDATED`))
  }
  assert.deepEqual((await venture.get(`/accounts/${id}`)).body, before)
  await setKyc('VALIDATED')
  await venture.put(`/clients/${client.id}`, { blocked: true })
  await expect('compliance_pending', /blocked/)
  await venture.put(`/clients/${client.id}`, { blocked: false, is_blacklisted: true })
  await expect('compliance_pending', /blacklisted/)
  await venture.put(`/clients/${client.id}`, { is_blacklisted: false })
  await expect(undefined)
  // A wrong status is reported before compliance.
  await venture.put(`/clients/${client.id}`, { blocked: true })
  await expect('account_transition_not_allowed')
  assert.equal((await act(venture, id, 'freeze')).status, 200, 'freezing requires nothing of the client')
  await expect(undefined)
  await venture.put(`/clients/${client.id}`, { blocked: false, is_blacklisted: true })
  assert.equal((await act(venture, id, 'freeze')).status, 200)
  await expect(undefined)
  await venture.put(`/clients/${client.id}`, { is_blacklisted: false })
  for (const status of ['NOT_STARTED', 'CREATED', 'PROCESSING', 'ABORTED', 'PENDING_REVIEW', 'DECLINED']) {
    await setKyc(status)
    assert.equal((await act(venture, id, 'freeze')).status, 200)
    await expect(undefined)
  }
  assert.deepEqual(
    (await eventsOf(id)).map(({ type, data }) => [type, data.previous_status]),
    [
      ['account.created', null],
      ['account.activated', 'PENDING'],
      ...Array.from({ length: 8 }, () => [
        ['account.frozen', 'ACTIVE'],
        ['account.activated', 'SUSPENDED'],
      ]).flat(),
    ],
  )
})

test('an account can be closed only if its balance is zero and nothing is reserved', async () => {
  const { venture, minimal } = await openVenture()
  for (const status of ['ACTIVE', 'SUSPENDED'] as const) {
    const { id } = await createIn(status, venture, minimal)
    for (const [current, reserved] of [
      ['0.01', '0.00'],
      ['10.00', '10.00'],
      ['10.00', '4.00'],
    ] as const) {
      await setBalances(id, current, reserved)
      const { status: code, problem } = await act(venture, id, 'close')
      assert.deepEqual([code, problem.code], [409, 'account_not_empty'])
      assert.deepEqual([problem.current_balance, problem.reserved_balance], [current, reserved])
      assert.equal(problem.detail, `The account has ${current} EUR, of which ${reserved} EUR is reserved. Both must be zero.`)
      assert.equal((await venture.get(`/accounts/${id}`)).body.status, status)
    }
    await setBalances(id, '0.00', '0.00')
    assert.equal((await act(venture, id, 'close')).body.status, 'CLOSED')
  }
  const { id } = await create(venture, minimal)
  await setBalances(id, '1.00', '0.00')
  assert.equal((await act(venture, id, 'close')).problem.code, 'account_transition_not_allowed', 'the status is reported first')
})

test('an account can be closed only if no money is in suspense for it, and the refusal names the transfer', async () => {
  const { venture, minimal } = await openVenture()
  const other = await createIn('ACTIVE', venture, minimal)
  for (const status of ['ACTIVE', 'SUSPENDED'] as const) {
    const { id } = await createIn('ACTIVE', venture, minimal)
    const transfer = await venture.createTransfer({ account_id: id, direction: 'INBOUND', credit_amount: '5.00' })
    const moveTo = async (next: string) =>
      assert.equal((await venture.put(`/transfers/${transfer.id}`, { status: next })).status, 200, next)
    await moveTo('RECEIVED')
    if (status === 'SUSPENDED') await act(venture, id, 'freeze')
    const before = [await rowOf(id), await stored()]
    const { status: code, problem } = await act(venture, id, 'close')
    assert.deepEqual([code, problem.code, problem.transfer_id], [409, 'account_not_empty', transfer.id])
    assert.deepEqual([problem.current_balance, problem.reserved_balance], ['0.00', '0.00'])
    assert.ok(problem.detail.startsWith(`Money is held in suspense for the transfer ${transfer.id} of the account.`), problem.detail)
    assert.deepEqual([await rowOf(id), await stored()], before)
    await moveTo('TO_RETURN')
    assert.equal((await act(venture, id, 'close')).problem?.transfer_id, transfer.id)
    await moveTo('REJECTED')
    assert.equal((await act(venture, id, 'close')).body.status, 'CLOSED')
  }
  assert.equal((await act(venture, other.id, 'close')).status, 200, 'what is in suspense for another account does not matter')
})

test('of several concurrent closes, exactly one succeeds', async () => {
  const { venture, minimal } = await openVenture()
  for (let round = 0; round < 10; round++) {
    const { id } = await createIn('ACTIVE', venture, minimal)
    const answers = await Promise.all(Array.from({ length: round === 0 ? 20 : 2 }, () => act(venture, id, 'close')))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { problem } of answers.filter(({ status }) => status !== 200)) {
      assert.deepEqual([problem.code, problem.current_status, problem.allowed], ['account_transition_not_allowed', 'CLOSED', []])
    }
    assert.deepEqual(
      (await eventsOf(id)).map(({ type }) => type),
      ['account.created', 'account.activated', 'account.closed'],
    )
  }
})

test('concurrent freeze and close: the account ends closed, and its status changes form one sequence', async () => {
  const { venture, minimal } = await openVenture()
  for (let round = 0; round < 10; round++) {
    const { id } = await createIn('ACTIVE', venture, minimal)
    const actions = round % 2 === 0 ? (['freeze', 'close'] as const) : (['close', 'freeze'] as const)
    const answers = Object.fromEntries(await Promise.all(actions.map(async (action) => [action, await act(venture, id, action)] as const)))
    assert.equal(answers['close']?.status, 200)
    assert.equal((await venture.get(`/accounts/${id}`)).body.status, 'CLOSED')
    const moves = (await eventsOf(id)).slice(1).map(({ data, sequence }) => [data.previous_status, data.object.status, sequence])
    const frozen = answers['freeze']?.status === 200
    if (!frozen) assert.equal(answers['freeze']?.problem.current_status, 'CLOSED')
    assert.deepEqual(
      moves,
      frozen
        ? [
            ['PENDING', 'ACTIVE', 2],
            ['ACTIVE', 'SUSPENDED', 3],
            ['SUSPENDED', 'CLOSED', 4],
          ]
        : [
            ['PENDING', 'ACTIVE', 2],
            ['ACTIVE', 'CLOSED', 3],
          ],
    )
  }
})

test('an activation waits for a concurrent block of the client, and then sees it', async () => {
  const { venture, client, minimal } = await openVenture()
  const { id } = await create(venture, minimal)
  await bank.owner.query('begin')
  await bank.owner.query('update clients set blocked = true where id = $1', [client.id])
  const activation = act(venture, id, 'activate')
  assert.ok(await untilBlocked(bank.owner, activation), 'the command did not wait')
  await bank.owner.query('commit')
  assert.equal((await activation).problem?.code, 'compliance_pending')
  assert.equal((await rowOf(id)).status, 'PENDING')
})

test('a close waits for a concurrent booking, and then sees it', async () => {
  const { venture, minimal } = await openVenture()
  const { id } = await createIn('ACTIVE', venture, minimal)
  await bank.owner.query('begin')
  await setBalances(id, '5.00', '1.00')
  const closing = act(venture, id, 'close')
  assert.ok(await untilBlocked(bank.owner, closing), 'the command did not wait')
  await bank.owner.query('commit')
  const { problem } = await closing
  assert.deepEqual([problem?.code, problem?.current_balance, problem?.reserved_balance], ['account_not_empty', '5.00', '1.00'])
})

test('a close waits for money that is being received into suspense, and then sees it', async () => {
  const { venture, minimal } = await openVenture()
  const { id } = await createIn('ACTIVE', venture, minimal)
  const transfer = await venture.createTransfer({ account_id: id, direction: 'INBOUND', credit_amount: '5.00' })
  await bank.owner.query('begin')
  // Like a batch that receives money: it locks the account but does not change its row.
  await lockRow(bank.owner, 'accounts', id, 'no key update')
  await bank.owner.query("update transfers set status = 'RECEIVED', received = true, suspended = 5 where id = $1", [transfer.id])
  const closing = act(venture, id, 'close')
  assert.ok(await untilBlocked(bank.owner, closing), 'the command did not wait')
  await bank.owner.query('commit')
  const { problem } = await closing
  assert.deepEqual([problem?.code, problem?.transfer_id], ['account_not_empty', transfer.id])
})

test('an activation locks the account before the client, as transfers do', async () => {
  const { venture, client, minimal } = await openVenture()
  const { id } = await create(venture, minimal)
  await bank.owner.query('begin')
  await lockRow(bank.owner, 'accounts', id, 'no key update')
  const activation = act(venture, id, 'activate')
  assert.ok(await untilBlocked(bank.owner, activation), 'the command did not wait')
  await lockRow(bank.owner, 'clients', client.id, 'no key update nowait')
  await bank.owner.query('commit')
  assert.equal((await activation).status, 200)
})

test('concurrent activations and blocks of the client succeed in either order and never fail with an error', async () => {
  const { venture, minimal } = await openVenture()
  await Promise.all(
    Array.from({ length: 10 }, async () => {
      const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED' })
      const { id } = await create(venture, { ...minimal, client_id: client.id })
      const [activation, block] = await Promise.all([act(venture, id, 'activate'), venture.put(`/clients/${client.id}`, { blocked: true })])
      assert.equal(block.status, 200)
      if (activation.status !== 200) assert.equal(activation.problem.code, 'compliance_pending')
      assert.equal((await venture.get(`/accounts/${id}`)).body.status, activation.status === 200 ? 'ACTIVE' : 'PENDING')
    }),
  )
})

test('concurrent updates and actions lose nothing, and every change is one event with the next sequence number', async () => {
  const { venture, minimal } = await openVenture()
  const { id } = await create(venture, minimal)
  const answers = await Promise.all([
    ...Array.from({ length: 20 }, (_, index) => venture.put(`/accounts/${id}`, { account_name: `Name ${index}` })),
    ...limits.map((field, index) => venture.put(`/accounts/${id}`, { [field]: `${index + 1}` })),
    act(venture, id, 'activate'),
  ])
  for (const { status, text } of answers) assert.equal(status, 200, text)
  const { body } = await venture.get(`/accounts/${id}`)
  assert.deepEqual([body.status, body.daily_limit, body.monthly_limit, body.yearly_limit], ['ACTIVE', '1.00', '2.00', '3.00'])
  const events = await eventsOf(id)
  assert.deepEqual(
    events.map(({ sequence }) => sequence),
    Array.from({ length: 25 }, (_, index) => index + 1),
  )
  assert.deepEqual(events.at(-1)?.data.object, body)
})

test('concurrent reads share queries, and each gets its own account', async () => {
  const { venture, minimal } = await openVenture()
  const made = await Promise.all(Array.from({ length: 10 }, () => create(venture, minimal)))
  let queries = 0
  const counted = {
    placement: bank.database.placement,
    limits: bank.database.limits,
    rows: (query: Parameters<Database['rows']>[0]) => {
      queries++
      return bank.database.rows(query)
    },
  } as unknown as Database
  const accounts = openAccounts(counted, bank.config.bank, findTransferInSuspense)
  const venture_id = venture.venture.id
  const keys = Array.from({ length: 100 }, (_, index) => ({ venture_id, id: made[index % 10].id as string }))
  const read = await Promise.all(keys.map((key) => getAccount(accounts, key)))
  assert.deepEqual(
    read,
    keys.map((_, index) => made[index % 10]),
  )
  assert.ok(queries <= 2, `${queries} queries for 100 reads`)
  await assert.rejects(getAccount(accounts, { venture_id: unknownId, id: made[0].id }), { code: 'account_not_found' })
})

/** Books journals directly in the database, each between the account and the settlement account. */
async function book(venture: VentureCaller, account: { id: string; currency: string }, amounts: [string, string][]) {
  const venture_id = venture.venture.id
  const transfer_id = randomUUID()
  await bank.owner.query(
    `insert into transfers (venture_id, id, account_id, unique_reference, direction, method, transfer_type, status, is_instant,
       settlement_date, credit_amount, debit_amount, credit_currency, debit_currency, created_at, updated_at, sequence,
       scanned, screened, held, sent, received, hold, suspended)
     values ($1, $2, $3, $2::uuid::text, 'INBOUND', 'SEPA', 'PAYMENT', 'COMPLETED', false, now(), 1, 1, $4::text, $4::text, now(), now(), 1,
       true, true, false, false, true, 0, 0)`,
    [venture_id, transfer_id, account.id, account.currency],
  )
  const entries = []
  for (const [index, [amount, balance]] of amounts.entries()) {
    const [id, journal_id] = [`0198c6f2-0000-7000-8000-${String(index).padStart(12, '0')}`, randomUUID()]
    await bank.owner.query(
      `insert into entries (venture_id, id, journal_id, cause_kind, cause_id, account_id, system_account, currency, amount, balance, created_at)
       values ($1, $2, $3, 'transfer', $4, $5, null, $6::text, $7::numeric, $8::numeric, '2026-11-15T09:30:00.120Z'),
              ($1, $9, $3, 'transfer', $4, null, 'settlement:SEPA:' || $6::text, $6::text, -$7::numeric, null, '2026-11-15T09:30:00.120Z')`,
      [venture_id, id, journal_id, transfer_id, account.id, account.currency, amount, balance, randomUUID()],
    )
    const created_at = '2026-11-15T09:30:00.120Z'
    entries.unshift({ id, journal_id, transfer_id, account_id: account.id, currency: account.currency, amount, balance, created_at })
  }
  return entries
}

test('the entries of an account are visible to its own venture only', async () => {
  const { venture, minimal } = await openVenture()
  const account = await create(venture, minimal)
  await book(venture, account, [['10.00', '10.00']])
  const other = await openVenture()
  const { status, problem, body } = await other.venture.get(`/accounts/${account.id}/entries`)
  assert.deepEqual([status, problem?.code], [404, 'account_not_found'], JSON.stringify(body))
})

test('entries are shown newest first, signed, each with the balance after it, a page at a time', async () => {
  const { venture, minimal } = await openVenture()
  const account = await create(venture, minimal)
  const path = `/accounts/${account.id}/entries`
  const empty = await venture.get(path)
  assert.deepEqual([empty.status, empty.body], [200, []])
  const entries = await book(venture, account, [
    ['10.00', '10.00'],
    ['-2.50', '7.50'],
    ['0.01', '7.51'],
  ])
  const all = await venture.get(path)
  assert.deepEqual(Object.keys(all.body[0]), Object.keys(AccountEntry.properties))
  assert.deepEqual(all.body, entries)
  const page = await venture.get(`${path}?limit=2`)
  assert.deepEqual(page.body, entries.slice(0, 2))
  assert.equal(page.headers['link'], `</api/v1${path}?limit=2&after=${entries[1]?.id}>; rel="next"`)
  assert.deepEqual((await venture.get(`${path}?limit=2&after=${entries[1]?.id}`)).body, entries.slice(2))
  assert.deepEqual((await venture.get(`${path}?offset=2`)).body, entries.slice(2))
  const beyond = await venture.get(`${path}?offset=3`)
  assert.deepEqual([beyond.status, beyond.body], [200, []])
  for (const query of ['limit=0', 'limit=101', 'offset=-1', 'surprise=1', `offset=0&after=${unknownId}`]) {
    assert.equal((await venture.get(`${path}?${query}`)).problem?.code, 'invalid_request', query)
  }
  const sibling = await create(venture, { ...minimal, currency: 'JPY' })
  assert.deepEqual((await venture.get(`/accounts/${sibling.id}/entries`)).body, [])
  const other = await openVenture()
  assert.deepEqual(
    withoutRequestId(await other.venture.get(path)),
    withoutRequestId(await other.venture.get(`/accounts/${unknownId}/entries`)),
  )
  const yen = await book(other.venture, await create(other.venture, { ...other.minimal, currency: 'JPY' }), [['10', '10']])
  assert.deepEqual((await other.venture.get(`/accounts/${yen[0]?.account_id}/entries`)).body, yen)
})
