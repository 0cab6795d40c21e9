import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Caller, openBank } from '../testing/testing.ts'
import { hashOf, isWellFormed, makeKey } from './ventures.keys.ts'
import { houseId } from './ventures.ts'

const bank = await openBank()

const unknownId = '0198c6f2-0000-7000-8000-000000000000'

async function countVentures(): Promise<number> {
  const { rows } = await bank.owner.query('select count(*)::int as count from ventures where id <> $1', [houseId])
  return rows[0].count
}

test('a registered venture is active, and only that response contains its key', async () => {
  const registered = await bank.admin.post('/ventures', { name: 'Acme Payments' })
  assert.equal(registered.status, 201)
  const { id, api_key, ...rest } = registered.body
  assert.equal(registered.headers['location'], `/api/v1/ventures/${id}`)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(api_key, /^vk_test_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/)
  assert.deepEqual(Object.keys(rest).sort(), ['api_key_prefix', 'control', 'created_at', 'name', 'status'])
  assert.equal(rest.api_key_prefix, api_key.slice(0, 12))
  assert.equal(rest.status, 'ACTIVE')
  assert.match(rest.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  const read = await bank.admin.get(`/ventures/${id}`)
  assert.deepEqual(read.body, { id, ...rest })
  const own = await new Caller(bank.app, { 'x-api-key': api_key }).get('/venture')
  assert.deepEqual(own.body, { id, ...rest })
})

test('only the SHA-256 of a key is stored', async () => {
  const { venture } = await bank.registerVenture()
  const { rows } = await bank.owner.query('select api_keys::text as row, key_hash from api_keys where venture_id = $1', [venture.id])
  assert.equal(rows[0].key_hash, createHash('sha256').update(venture.api_key).digest('hex'))
  assert.ok(!rows[0].row.includes(venture.api_key.slice(12)))
})

test('keys have the prefix live outside the sandbox', async () => {
  const live = await bank.openInstance({ sandbox: false })
  const admin = new Caller(live, { 'x-api-key': bank.config.adminApiKey ?? '' })
  assert.match((await admin.post('/ventures', { name: 'Live' })).body.api_key, /^vk_live_/)
})

test('a name is stored in NFC', async () => {
  const { body } = await bank.admin.post('/ventures', { name: 'Cafe\u0301' })
  assert.equal(body.name, 'Caf\u00e9')
})

test('an invalid venture registration is refused by field and stores nothing', async () => {
  const before = await countVentures()
  const refused: [object | string, string, string][] = [
    [{}, 'invalid_request', 'name'],
    [{ name: '' }, 'invalid_request', 'name'],
    [{ name: '   ' }, 'invalid_request', 'name'],
    [{ name: 'a'.repeat(141) }, 'invalid_request', 'name'],
    [{ name: 7 }, 'invalid_request', 'name'],
    [{ name: null }, 'invalid_request', 'name'],
    [{ name: ['a'] }, 'invalid_request', 'name'],
    [{ name: 'a\u0000b' }, 'invalid_request', 'name'],
    [{ name: 'a\u202eb' }, 'invalid_request', 'name'],
    [{ name: 'a\nb' }, 'invalid_request', 'name'],
    ['{"name":"\\ud800"}', 'invalid_request', 'name'],
    [{ name: 'Acme', nmae: 'typo' }, 'invalid_request', 'nmae'],
    ['{"name":"Acme","__proto__":{"status":"DISABLED"}}', 'invalid_request', '__proto__'],
    ...['id', 'status', 'api_key', 'api_key_prefix', 'created_at'].map((field): [object, string, string] => [
      { name: 'Acme', [field]: 'x' },
      'invalid_request',
      field,
    ]),
  ]
  for (const [body, code, field] of refused) {
    const answer = await bank.admin.post('/ventures', body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal(answer.problem.code, code)
    assert.ok(
      answer.problem.errors.some((error: { field: string }) => error.field === field),
      `${JSON.stringify(body)} should name ${field}: ${answer.text}`,
    )
  }
  assert.equal(await countVentures(), before)
})

test('the list is newest first, in pages without gaps', async () => {
  const names = Array.from({ length: 7 }, (_, index) => `Listed ${index}`)
  for (const name of names) await bank.registerVenture(name)
  const listed: string[] = []
  let path = '/ventures?limit=3'
  for (let page = 0; page < 3; page++) {
    const { body, headers } = await bank.admin.get(path)
    listed.push(...body.map(({ name }: { name: string }) => name))
    path = /^<\/api\/v1(.+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1] ?? 'no next page'
  }
  assert.deepEqual(listed.slice(0, 7), names.toReversed())
  const { body } = await bank.admin.get('/ventures?limit=3&offset=2')
  assert.deepEqual(
    body.map(({ name }: { name: string }) => name),
    ['Listed 4', 'Listed 3', 'Listed 2'],
  )
})

test('the last page has no link to a next one', async () => {
  const total = await countVentures()
  assert.ok(total < 100)
  const { body, headers } = await bank.admin.get('/ventures?limit=100')
  assert.equal(body.length, total)
  assert.equal(headers['link'], undefined)
})

test('invalid page parameters are refused', async () => {
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e9',
    'limit=ten',
    'limit=',
    'limit=1.5',
    'limit=1&limit=2',
    'offset=-1',
    'offset=1e12',
    'after=7',
    `after=${unknownId}&offset=1`,
    'surprise=1',
  ]) {
    const answer = await bank.admin.get(`/ventures?${query}`)
    assert.equal(answer.status, 400, query)
    assert.equal(answer.problem.code, 'invalid_request')
    assert.ok(answer.problem.errors.length > 0)
  }
})

test('an unknown venture is a 404, a malformed id is a 400, and ids ignore case', async () => {
  const { venture } = await bank.registerVenture()
  assert.equal((await bank.admin.get(`/ventures/${venture.id.toUpperCase()}`)).body.id, venture.id)
  for (const [method, path, body] of [
    ['get', '', undefined],
    ['put', '', { name: 'x' }],
    ['post', '/rotate-key', undefined],
  ] as const) {
    const unknown = await bank.admin[method](`/ventures/${unknownId}${path}`, body)
    assert.equal(unknown.problem.code, 'venture_not_found')
    assert.equal(unknown.status, 404)
    const malformed = await bank.admin[method](`/ventures/7${path}`, body)
    assert.equal(malformed.status, 400)
    assert.equal(malformed.problem.errors[0].field, 'venture_id')
  }
})

test('an update changes only the fields sent', async () => {
  const { venture } = await bank.registerVenture('Before')
  const renamed = await bank.admin.put(`/ventures/${venture.id}`, { name: 'After' })
  assert.equal(renamed.status, 200)
  assert.deepEqual([renamed.body.name, renamed.body.status], ['After', 'ACTIVE'])
  const disabled = await bank.admin.put(`/ventures/${venture.id}`, { status: 'DISABLED' })
  assert.deepEqual([disabled.body.name, disabled.body.status], ['After', 'DISABLED'])
  assert.deepEqual((await bank.admin.put(`/ventures/${venture.id}`, {})).body, disabled.body)
})

test('an update with an invalid value is refused and changes nothing', async () => {
  const { venture } = await bank.registerVenture('Kept')
  for (const body of [
    { status: 'active' },
    { status: 'GONE' },
    { status: null },
    { name: '' },
    { name: null },
    { id: unknownId },
    { api_key: 'x' },
  ]) {
    const answer = await bank.admin.put(`/ventures/${venture.id}`, body)
    assert.equal(answer.problem?.code, 'invalid_request', JSON.stringify(body))
  }
  const { body } = await bank.admin.get(`/ventures/${venture.id}`)
  assert.deepEqual([body.name, body.status], ['Kept', 'ACTIVE'])
})

test('disabling a venture takes effect immediately on every instance, and enabling it restores access', async () => {
  const venture = await bank.registerVenture()
  const elsewhere = new Caller(await bank.openInstance(), venture.headers)
  assert.equal((await elsewhere.get('/venture')).status, 200)
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' })
  assert.equal((await elsewhere.get('/venture')).status, 401)
  assert.equal((await venture.get('/venture')).status, 401)
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'ACTIVE' })
  assert.equal((await elsewhere.get('/venture')).status, 200)
})

test('a rotated key stops working immediately on every instance, and the new one works', async () => {
  const venture = await bank.registerVenture()
  const elsewhere = await bank.openInstance()
  const { status, body } = await venture.post('/venture/rotate-key')
  assert.equal(status, 200)
  assert.notEqual(body.api_key, venture.venture.api_key)
  assert.equal((await new Caller(elsewhere, venture.headers).get('/venture')).status, 401)
  assert.equal((await venture.get('/venture')).status, 401)
  const renewed = new Caller(elsewhere, { 'x-api-key': body.api_key })
  assert.equal((await renewed.get('/venture')).body.api_key_prefix, body.api_key.slice(0, 12))
})

test('of many concurrent rotations with one key, exactly one succeeds and its key works', async () => {
  const venture = await bank.registerVenture()
  const answers = await Promise.all(Array.from({ length: 20 }, () => venture.post('/venture/rotate-key')))
  const done = answers.filter(({ status }) => status === 200)
  assert.equal(done.length, 1)
  assert.ok(answers.every(({ status }) => status === 200 || status === 401))
  assert.equal((await new Caller(bank.app, { 'x-api-key': done[0]?.body.api_key }).get('/venture')).status, 200)
})

test('during constant use of a key, no request that starts after its rotation succeeds', async () => {
  const venture = await bank.registerVenture()
  let rotated = false
  const uses = Array.from({ length: 16 }, async () => {
    for (let use = 0; use < 30; use++) {
      const begunAfter = rotated
      // The first path finds its key together with the venture, the second without.
      const { status } = await venture.get(use % 2 === 0 ? '/venture' : '/clients')
      if (begunAfter) assert.equal(status, 401)
    }
  })
  const answer = await venture.post('/venture/rotate-key')
  rotated = true
  assert.equal(answer.status, 200)
  await Promise.all(uses)
})

test('delaying the end of a request does not keep a disabled key valid', async () => {
  const venture = await bank.registerVenture()
  const app = await bank.openInstance()
  const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  const socket = connect(port, '127.0.0.1')
  const received = once(socket, 'data')
  socket.write(
    `POST /api/v1/clients/person HTTP/1.1\r\nhost: a\r\nx-api-key: ${venture.venture.api_key}\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{`,
  )
  await sleep(200)
  await bank.admin.put(`/ventures/${venture.venture.id}`, { status: 'DISABLED' })
  socket.write('}')
  assert.match(String(await received), /^HTTP\/1.1 401 /)
  socket.destroy()
})

test('the operator can replace a lost key, even of a disabled venture, which stays disabled', async () => {
  const venture = await bank.registerVenture()
  const { id } = venture.venture
  const replaced = await bank.admin.post(`/ventures/${id}/rotate-key`)
  assert.equal(replaced.status, 200)
  assert.equal((await venture.get('/venture')).status, 401)
  assert.equal((await new Caller(bank.app, { 'x-api-key': replaced.body.api_key }).get('/venture')).status, 200)
  await bank.admin.put(`/ventures/${id}`, { status: 'DISABLED' })
  const again = await bank.admin.post(`/ventures/${id}/rotate-key`)
  assert.equal(again.body.status, 'DISABLED')
  assert.equal((await new Caller(bank.app, { 'x-api-key': again.body.api_key }).get('/venture')).status, 401)
})

test('a key with one changed character is malformed and never causes a query', () => {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'
  fc.assert(
    fc.property(fc.constantFrom('live', 'test', 'admin'), fc.nat(48), fc.constantFrom(...alphabet), (kind, place, character) => {
      const key = makeKey(kind)
      assert.ok(isWellFormed(key))
      const at = key.length - 49 + place
      const changed = key.slice(0, at) + character + key.slice(at + 1)
      assert.equal(isWellFormed(changed), changed === key)
    }),
  )
  assert.equal(hashOf('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('no log line contains a key', async () => {
  const venture = await bank.registerVenture()
  await venture.get('/venture')
  await bank.stranger.send({ method: 'GET', url: `/api/v1/venture?key=${venture.venture.api_key}` })
  const rotated = await venture.post('/venture/rotate-key')
  const lines = bank.logLines.join('\n')
  assert.ok(lines.includes('/api/v1/venture'))
  for (const key of [venture.venture.api_key, rotated.body.api_key, bank.config.adminApiKey ?? '']) assert.ok(!lines.includes(key))
})

test('the refusal of a key explains how to send it, and never reveals why it is invalid', async () => {
  const { venture } = await bank.registerVenture()
  const disabled = await bank.registerVenture()
  await bank.admin.put(`/ventures/${disabled.venture.id}`, { status: 'DISABLED' })
  const owner = new Caller(bank.app, { 'x-api-key': venture.api_key })
  const newKey = async () => (await owner.post('/venture/keys', { name: 'Another', scopes: ['read'] })).body
  const [revoked, expired] = [await newKey(), await newKey()]
  await owner.post(`/venture/keys/${revoked.id}/revoke`)
  await bank.owner.query("update api_keys set expires_at = now() - interval '1 second' where id = $1", [expired.id])
  const unknown = 'The API key is unknown, has expired, or was revoked or rotated, or its venture is disabled.'
  for (const [headers, path, detail] of [
    [{}, '/venture', 'The API key is missing. Send it in the header Authorization (Bearer) or X-API-Key.'],
    [{ 'x-api-key': `${venture.api_key.slice(0, -1)}!` }, '/venture', unknown],
    [{ 'x-api-key': disabled.venture.api_key }, '/venture', unknown],
    [{ 'x-api-key': revoked.api_key }, '/venture', unknown],
    [{ 'x-api-key': expired.api_key }, '/venture', unknown],
    [{ authorization: venture.api_key }, '/venture', 'The header Authorization must be the word Bearer, a space and the API key.'],
    [
      { authorization: `Bearer ${venture.api_key}`, 'x-api-key': disabled.venture.api_key },
      '/venture',
      'The headers Authorization and X-API-Key have different API keys. Send one of them.',
    ],
    [{ 'x-api-key': venture.api_key }, '/ventures', 'This operation needs the admin key.'],
    [{ 'x-api-key': bank.config.adminApiKey ?? '' }, '/venture', "This operation needs a venture's key."],
  ] as const) {
    const { problem, text } = await new Caller(bank.app, headers).get(path)
    assert.equal(problem.detail, detail)
    assert.ok(!text.includes('vk_'))
  }
})

test('the house is no venture of anybody: it is not listed, read, changed or given a key', async () => {
  const { rows } = await bank.owner.query('select name, status from ventures where id = $1', [houseId])
  assert.deepEqual(rows, [{ name: 'House', status: 'ACTIVE' }])
  const { body } = await bank.admin.get('/ventures?limit=100')
  assert.ok(body.length > 0 && body.every(({ id }: { id: string }) => id !== houseId))
  const answers = [
    await bank.admin.get(`/ventures/${houseId}`),
    await bank.admin.put(`/ventures/${houseId}`, { name: 'Mine' }),
    await bank.admin.post(`/ventures/${houseId}/rotate-key`),
  ]
  for (const { status, problem } of answers) assert.deepEqual([status, problem.code], [404, 'venture_not_found'])
  const { rows: after } = await bank.owner.query('select name from ventures where id = $1', [houseId])
  assert.deepEqual(after, [{ name: 'House' }])
  const { rows: keys } = await bank.owner.query('select 1 from api_keys where venture_id = $1', [houseId])
  assert.deepEqual(keys, [])
})
