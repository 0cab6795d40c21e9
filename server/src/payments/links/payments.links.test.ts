import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openBank, type VentureCaller } from '../../testing/testing.ts'

const bank = await openBank()
const url = await bank.listen()

const someLink = { amount: '12.50', currency: 'EUR' }
const shop = { success_url: 'https://shop.example/paid', fail_url: 'https://shop.example/not-paid' }
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

async function create(venture: VentureCaller, changes: object = {}) {
  const { status, body, text } = await venture.post('/payment-links', { ...someLink, ...changes })
  assert.equal(status, 201, text)
  return body
}

async function lastEvent(venture: VentureCaller) {
  return (await venture.get('/events?limit=1')).body[0]
}

test('a link has an unguessable URL, and fields that were not sent have the smallest defaults', async () => {
  const venture = await bank.registerVenture()
  const { status, headers, body } = await venture.post('/payment-links', someLink)
  assert.equal(status, 201)
  assert.equal(headers['location'], `/api/v1/payment-links/${body.id}`)
  const { id, token, created_at, updated_at, ...rest } = body
  assert.match(token, /^[A-Za-z0-9_-]{22}$/)
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    url: `${url}/pay/${token}`,
    active: true,
    amount: '12.50',
    currency: 'EUR',
    description: null,
    language: 'EN',
    success_url: null,
    fail_url: null,
    ask_name: false,
    ask_email: false,
    ask_phone: false,
    max_uses: null,
    uses: 0,
    expires_at: null,
  })
  assert.deepEqual((await venture.get(`/payment-links/${id}`)).body, body)
  const event = await lastEvent(venture)
  assert.deepEqual([event.type, event.sequence, event.data], ['payment_link.created', 1, { object: body, previous_status: null }])
  const tokens = await Promise.all(Array.from({ length: 20 }, async () => (await create(venture)).token))
  assert.equal(new Set(tokens).size, 20)
})

test('every field of a link is stored', async () => {
  const venture = await bank.registerVenture()
  const expires_at = inAnHour()
  const given = {
    amount: '5000',
    currency: 'dzd',
    description: 'Cafe\u0301 crème',
    language: 'AR',
    ...shop,
    ask_name: true,
    ask_email: true,
    ask_phone: true,
    max_uses: 3,
    expires_at: expires_at.replace('Z', '+00:00'),
  }
  const link = await create(venture, given)
  for (const [field, value] of Object.entries({
    ...given,
    amount: '5000.00',
    currency: 'DZD',
    description: 'Café crème',
    expires_at,
  })) {
    assert.deepEqual(link[field], value, field)
  }
  const local = { success_url: 'http://localhost:3000/paid', fail_url: 'http://127.0.0.1/not' }
  assert.equal((await create(venture, local)).success_url, local.success_url)
  assert.equal((await create(venture, { success_url: null, fail_url: null, description: null, max_uses: null })).success_url, null)
})

test('an invalid link is refused, and nothing is stored', async () => {
  const venture = await bank.registerVenture()
  const table: [changes: object, field: string][] = [
    [{ amount: undefined }, 'amount'],
    [{ amount: 10 }, 'amount'],
    ...['0', '0.00', '1.234', '-1', '+1', '.5', '1e5', '١٠', '1'.repeat(30), 'NaN', ''].map((amount): [object, string] => [
      { amount },
      'amount',
    ]),
    [{ amount: '1.5', currency: 'JPY' }, 'amount'],
    [{ currency: undefined }, 'currency'],
    ...['EURO', 'XYZ', 'ſek', ''].map((currency): [object, string] => [{ currency }, 'currency']),
    [{ language: 'DE' }, 'language'],
    [{ language: 'fr' }, 'language'],
    [{ language: null }, 'language'],
    [{ description: '' }, 'description'],
    [{ description: 'a'.repeat(256) }, 'description'],
    [{ description: 'a\u0000b' }, 'description'],
    [{ description: 'a\u202eb' }, 'description'],
    [{ description: 7 }, 'description'],
    [{ success_url: shop.success_url }, 'fail_url'],
    [{ fail_url: shop.fail_url }, 'success_url'],
    [{ ...shop, fail_url: null }, 'fail_url'],
    ...['http://shop.example/', 'javascript:alert(1)', 'shop', '//evil.example', 'https://user:pw@shop.example/', ''].flatMap(
      (address): [object, string][] => [
        [{ ...shop, success_url: address }, 'success_url'],
        [{ ...shop, fail_url: address }, 'fail_url'],
      ],
    ),
    [{ ...shop, fail_url: `https://shop.example/${'a'.repeat(2048)}` }, 'fail_url'],
    ...['ask_name', 'ask_email', 'ask_phone'].flatMap((field): [object, string][] => [
      [{ [field]: 'true' }, field],
      [{ [field]: 1 }, field],
      [{ [field]: null }, field],
    ]),
    ...[0, -1, 1.5, '3', 1_000_000_001].map((max_uses): [object, string] => [{ max_uses }, 'max_uses']),
    [{ expires_at: new Date(Date.now() - 1).toISOString() }, 'expires_at'],
    ...['tomorrow', '2099-02-30T00:00:00Z', '2099-01-01', 4_000_000_000].map((expires_at): [object, string] => [
      { expires_at },
      'expires_at',
    ]),
    ...['id', 'token', 'url', 'active', 'uses', 'created_at', 'updated_at', 'venture_id', 'sequence'].map((field): [object, string] => [
      { [field]: null },
      field,
    ]),
  ]
  for (const [changes, field] of table) {
    const { status, problem } = await venture.post('/payment-links', { ...someLink, ...changes })
    assert.deepEqual([status, problem.code, problem.errors[0].field], [400, 'invalid_request', field], JSON.stringify(changes))
  }
  assert.deepEqual((await venture.get('/payment-links')).body, [])
  assert.deepEqual(await bank.eventTypes(venture), [])
})

test('an update changes the fields sent, clears those that are null, and is an event', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { description: 'Two books', max_uses: 3, ask_name: true })
  const path = `/payment-links/${link.id}`
  const expires_at = inAnHour()
  const steps: object[] = [
    { active: false },
    { description: 'Three books', max_uses: 5, expires_at },
    { active: true, description: null, max_uses: null },
    { expires_at: null },
  ]
  let expected = link
  for (const [index, step] of steps.entries()) {
    const { status, body } = await venture.put(path, step)
    assert.equal(status, 200)
    expected = { ...expected, ...step, updated_at: body.updated_at }
    assert.deepEqual(body, expected)
    assert.deepEqual((await venture.get(path)).body, expected)
    const event = await lastEvent(venture)
    assert.deepEqual([event.type, event.sequence, event.data.object], ['payment_link.updated', index + 2, expected])
  }
})

test('an update that changes nothing writes nothing', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { description: 'Two books', max_uses: 3, expires_at: inAnHour() })
  const { description, max_uses, expires_at } = link
  for (const update of [{}, { active: true }, { description, max_uses, expires_at }]) {
    assert.deepEqual((await venture.put(`/payment-links/${link.id}`, update)).body, link)
  }
  assert.deepEqual(await bank.eventTypes(venture), ['payment_link.created'])
})

test('expires_at may stay in the past but not be set to a past time', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture, { expires_at: inAnHour() })
  await bank.owner.query(`update payment_links set expires_at = now() - interval '1 minute' where id = $1`, [link.id])
  const { expires_at } = (await venture.get(`/payment-links/${link.id}`)).body
  assert.equal((await venture.put(`/payment-links/${link.id}`, { active: false, expires_at })).status, 200)
  const refused = await venture.put(`/payment-links/${link.id}`, { expires_at: new Date(Date.now() - 1).toISOString() })
  assert.deepEqual([refused.status, refused.problem.errors[0].field], [400, 'expires_at'])
})

test('an invalid update is refused', async () => {
  const venture = await bank.registerVenture()
  const link = await create(venture)
  const table: [update: object, field: string][] = [
    [{ active: null }, 'active'],
    [{ active: 'false' }, 'active'],
    [{ description: '' }, 'description'],
    [{ max_uses: 0 }, 'max_uses'],
    [{ expires_at: 'soon' }, 'expires_at'],
    ...Object.keys(link)
      .filter((field) => !['active', 'description', 'max_uses', 'expires_at'].includes(field))
      .map((field): [object, string] => [{ [field]: link[field] }, field]),
  ]
  for (const [update, field] of table) {
    const { status, problem } = await venture.put(`/payment-links/${link.id}`, update)
    assert.deepEqual([status, problem.errors[0].field], [400, field], JSON.stringify(update))
  }
  assert.deepEqual((await venture.get(`/payment-links/${link.id}`)).body, link)
})

test("another venture's link is as unknown as one that does not exist", async () => {
  const [venture, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const { id } = await create(venture)
  const unknown = '01a1de8a-c9c0-7000-8000-000000000000'
  const asked = async (link_id: string, method: 'get' | 'put') => {
    const { status, problem } = await other[method](`/payment-links/${link_id}`, { active: false })
    const { request_id: _, instance: __, ...said } = problem
    return [status, said]
  }
  for (const method of ['get', 'put'] as const) {
    assert.deepEqual(await asked(id, method), await asked(unknown, method))
    assert.equal((await asked(id, method))[0], 404)
  }
  assert.equal((await other.get(`/payment-links/${unknown}`)).problem.code, 'payment_link_not_found')
  assert.equal((await other.get('/payment-links/7')).status, 400)
  assert.deepEqual((await other.get('/payment-links')).body, [])
  assert.equal((await venture.get(`/payment-links/${id}`)).body.active, true)
})

test('links are listed newest first, in pages, and by whether they are active', async () => {
  const venture = await bank.registerVenture()
  const made = []
  for (let index = 0; index < 5; index++) made.unshift((await create(venture)).id)
  await venture.put(`/payment-links/${made[1]}`, { active: false })
  const idsOf = async (query: string) => (await venture.get(`/payment-links?${query}`)).body.map(({ id }: { id: string }) => id)
  assert.deepEqual(await idsOf(''), made)
  assert.deepEqual(await idsOf('active=false'), [made[1]])
  assert.deepEqual(
    await idsOf('active=true'),
    made.filter((_, index) => index !== 1),
  )
  assert.deepEqual(await idsOf('limit=2&offset=1'), made.slice(1, 3))
  assert.deepEqual(await idsOf(`limit=2&after=${made[2]}`), made.slice(3))
  const { headers } = await venture.get('/payment-links?limit=2&active=true')
  assert.equal(headers['link'], `</api/v1/payment-links?limit=2&active=true&after=${made[2]}>; rel="next"`)
  for (const query of ['limit=0', 'limit=101', 'offset=-1', 'active=maybe', 'color=red', `offset=1&after=${made[0]}`]) {
    assert.equal((await venture.get(`/payment-links?${query}`)).status, 400, query)
  }
})

test('without a card gateway there are no links', async () => {
  const app = await bank.openInstance({ sandbox: false })
  const { venture } = await bank.registerVenture()
  const headers = { 'x-api-key': venture.api_key, 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'POST', url: '/api/v1/payment-links', headers, payload: JSON.stringify(someLink) })
  assert.deepEqual([answer.statusCode, answer.json().code], [503, 'gateway_missing'])
})
