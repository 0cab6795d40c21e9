// Watch lists over HTTP: importing a version and activating it are separate acts, and a broken file leaves the active version as it is.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createLog } from '../platform/log.ts'
import { formOf, someList, TestList } from '../testing/testing.lists.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { type Answer, type Bank, type Loose, openBank } from '../testing/testing.ts'
import { eventually } from '../testing/testing.waits.ts'
import { ActiveLists } from './screening.active.ts'
import { provideSandboxList } from './screening.watchlists.ts'

const bank = await openBank({ watchlistLimit_mb: 1 })
const sandbox = readFileSync(new URL('./lists/screening.sandbox.csv', import.meta.url))

const numbered = (count: number, first = 0) => Array.from({ length: count }, (_, number) => `Nobody ${number + first}th`)
const refusalOf = ({ status, problem }: Answer) => [status, problem?.code]
const stored = async () => [await bank.count('watchlist_versions'), await bank.count('watchlist_entries')]

test('a list is created once under its name', async () => {
  const name = `list-${randomUUID()}`
  const { status, body, headers } = await bank.admin.post('/operator/watchlists', { name, format: 'EU' })
  assert.deepEqual([status, headers['location']], [201, `/api/v1/operator/watchlists/${body.id}`])
  assert.deepEqual([body.name, body.format, body.purpose, body.active_version_id], [name, 'EU', 'SANCTIONS', null])
  assert.deepEqual((await bank.admin.get(`/operator/watchlists/${body.id}`)).body, body)
  assert.ok((await bank.admin.get('/operator/watchlists')).body.some(({ id }: Loose) => id === body.id))
  assert.deepEqual(refusalOf(await bank.admin.post('/operator/watchlists', { name, format: 'UN' })), [409, 'watchlist_name_used'])
  for (const bad of [{ name: 'Upper' }, { name: '-a' }, { name: '' }, { format: 'PDF' }, { purpose: 'FUN' }, { entries: [] }]) {
    const answer = await bank.admin.post('/operator/watchlists', { name: `x${randomUUID()}`, format: 'UN', ...bad })
    assert.deepEqual(refusalOf(answer), [400, 'invalid_request'], JSON.stringify(bad))
  }
  assert.deepEqual(refusalOf(await bank.admin.get(`/operator/watchlists/${randomUUID()}`)), [404, 'watchlist_not_found'])
})

test('a publication is imported whole, and is not active', async () => {
  const list = await TestList.open(bank)
  const { status, body } = await list.send({ list: sandbox })
  assert.equal(status, 201)
  const { id: _, sha256, imported_at: __, ...version } = body
  assert.match(sha256, /^[0-9a-f]{64}$/)
  assert.deepEqual(version, {
    watchlist_id: list.list.id,
    entries: 200,
    names: body.names,
    unknown_countries: [],
    imported_by: 'operator',
    imported_by_id: null,
    activated_at: null,
    replaced_at: null,
    deleted_at: null,
    active: false,
  })
  const { rows } = await bank.owner.query('select * from watchlist_entries where version_id = $1 and entry_id = $2', [
    body.id,
    'sandbox-demo-1',
  ])
  const { hash, version_id: ___, ...entry } = rows[0]
  assert.match(hash, /^[0-9a-f]{64}$/)
  assert.deepEqual(entry, {
    entry_id: 'sandbox-demo-1',
    kind: 'person',
    topics: ['sanction', 'SANDBOX'],
    names: ['Mortimer Grimshade', 'Mortimer J. Grimshade', 'Мортимер Гримшейд'].map((name) => ({ name, weak: false })),
    birth_dates: ['1961-04-13'],
    countries: ['CY'],
    identifiers: ['XX-GRIM-0001'],
  })
  assert.equal(await list.activeVersion(), null)
  assert.deepEqual(await bank.admin.get(`${list.path}/versions`).then(({ body }) => body), [body])
})

test('a list of several files is one publication', async () => {
  const list = await TestList.open(bank, { format: 'OFAC' })
  const nothing = '-0- '
  const sdn = `7,"GRIMSHADE, Mortimer","individual","TEAPOT"${`,${nothing}`.repeat(8)}\r\n`
  const alt = `7,1,"aka","GRIM, Mort",${nothing}\r\n`
  const { status, body, text } = await list.send({ sdn, alt })
  assert.deepEqual([status, body?.entries, body?.names], [201, 1, 2], text)
  assert.deepEqual(refusalOf(await list.send({ alt })), [422, 'watchlist_refused'])
})

test('what is broken, truncated or of another format is refused whole, and the active version stays', async () => {
  const list = await TestList.open(bank)
  const active = await list.publish('Orlin Vashtree')
  const before = await stored()
  const whole = someList('Orlin Vashtree', 'Zelda Quillfeather')
  const form = formOf({ list: whole })
  const url = `/api/v1${list.path}/versions`
  const sent = (more: object) => bank.admin.send({ method: 'POST', url, ...form, ...more })
  const bad: [string, Answer, [number, string], RegExp][] = [
    ['cut off inside a line', await list.send({ list: whole.slice(0, -20) }), [422, 'watchlist_refused'], /truncated/],
    ['an id twice', await list.send({ list: `${whole}${whole.split('\n')[1]}\n` }), [422, 'watchlist_refused'], /already used in line 2/],
    ['no entries', await list.send({ list: someList() }), [422, 'watchlist_refused'], /no entries/],
    ['empty', await list.send({ list: '' }), [422, 'watchlist_refused'], /empty/],
    ['not UTF-8', await list.send({ list: Buffer.from([0xff, 0xfe, 0x41]) }), [422, 'watchlist_refused'], /UTF-8/],
    ['another format', await list.send({ list: '<list/>\n' }), [422, 'watchlist_refused'], /header/],
    ['a stray file', await list.send({ list: whole, sdn: whole }), [422, 'watchlist_refused'], /has no file sdn/],
    ['half a form', await sent({ payload: form.payload.subarray(0, -8) }), [422, 'watchlist_refused'], /not complete/],
    ['no boundary', await sent({ headers: { 'content-type': 'multipart/form-data' } }), [422, 'watchlist_refused'], /not complete/],
    ['JSON', await sent({ headers: { 'content-type': 'application/json' } }), [415, 'unsupported_media_type'], /multipart/],
    ['nothing', await bank.admin.send({ method: 'POST', url }), [400, 'malformed_body'], /empty/],
    [
      'too large',
      await list.send({ list: `${whole}${' '.repeat(2 ** 20)}` }),
      [413, 'body_too_large'],
      /limit for the files of a watch list/,
    ],
  ]
  for (const [what, answer, refusal, detail] of bad) {
    assert.deepEqual(refusalOf(answer), refusal, `${what}: ${answer.text}`)
    assert.match(answer.problem.detail, detail, what)
  }
  assert.deepEqual(await stored(), before)
  assert.equal(await list.activeVersion(), active.id)
  const nowhere = new TestList(bank, { id: randomUUID() })
  assert.deepEqual(refusalOf(await nowhere.import('Orlin Vashtree')), [404, 'watchlist_not_found'])
})

test('the same publication is imported once for each list', async () => {
  const [list, other] = [await TestList.open(bank), await TestList.open(bank)]
  const { body: first } = await list.import('Orlin Vashtree')
  const again = await list.import('Orlin Vashtree')
  assert.deepEqual([...refusalOf(again), again.problem.version_id], [409, 'watchlist_version_exists', first.id])
  assert.equal((await other.import('Orlin Vashtree')).status, 201)
})

test('a version is activated as an act of its own, and only once', async () => {
  const list = await TestList.open(bank)
  const [{ body: one }, { body: two }] = [await list.import('Orlin Vashtree'), await list.import('Orlin Vashtree', 'Zelda Quillfeather')]
  const { status, body } = await list.activate(one)
  assert.deepEqual([status, body.id, body.active, body.activated_at !== null], [200, one.id, true, true])
  assert.equal(await list.activeVersion(), one.id)
  const jobs = await bank.count('jobs')
  assert.equal((await list.activate(one)).status, 200)
  assert.equal(await bank.count('jobs'), jobs)
  await list.activate(two)
  const { body: versions } = await bank.admin.get(`${list.path}/versions`)
  assert.deepEqual(
    versions.map(({ id, active }: Loose) => [id, active]),
    [
      [two.id, true],
      [one.id, false],
    ],
  )
  const { headers, body: page } = await bank.admin.get(`${list.path}/versions?limit=1`)
  assert.deepEqual([page.length, /rel="next"/.test(headers['link'] ?? '')], [1, true])
  const other = await TestList.open(bank)
  assert.deepEqual(refusalOf(await other.activate(one)), [404, 'watchlist_version_not_found'])
  assert.deepEqual(refusalOf(await list.activate({ id: randomUUID() })), [404, 'watchlist_version_not_found'])
  assert.deepEqual(refusalOf(await new TestList(bank, { id: randomUUID() }).activate(one)), [404, 'watchlist_not_found'])
  assert.deepEqual(refusalOf(await bank.admin.get(`/operator/watchlists/${randomUUID()}/versions`)), [404, 'watchlist_not_found'])
  assert.deepEqual(refusalOf(await list.activate(one, { force: 'yes' })), [400, 'invalid_request'])
})

test('a version with a fifth fewer entries is not activated by mistake', async () => {
  const list = await TestList.open(bank)
  await list.publish(...numbered(10))
  const { body: nine } = await list.import(...numbered(9))
  assert.equal((await list.activate(nine)).status, 200)
  const { body: ten } = await list.import(...numbered(10, 1))
  assert.equal((await list.activate(ten)).status, 200)
  const { body: eight } = await list.import(...numbered(8))
  const refused = await list.activate(eight)
  assert.deepEqual(refusalOf(refused), [409, 'watchlist_shrunk'])
  assert.equal(refused.problem.detail, 'The version has 8 entries, 20 % fewer than the 10 of the active one.')
  assert.equal(await list.activeVersion(), ten.id)
  assert.equal((await list.activate(eight, { force: true })).status, 200)
  assert.equal(await list.activeVersion(), eight.id)
})

test('a version without its aliases is not activated by mistake', async () => {
  const list = await TestList.open(bank, { format: 'OFAC' })
  const nothing = '-0- '
  const sdn = `7,"GRIMSHADE, Mortimer","individual","TEAPOT"${`,${nothing}`.repeat(8)}\r\n`
  const alt = `7,1,"aka","GRIM, Mort",${nothing}\r\n`
  const [{ body: whole }, { body: half }] = [await list.send({ sdn, alt }), await list.send({ sdn })]
  await list.activate(whole)
  const refused = await list.activate(half)
  assert.deepEqual(refusalOf(refused), [409, 'watchlist_shrunk'])
  assert.equal(refused.problem.detail, 'The version has 1 names, 50 % fewer than the 2 of the active one.')
  assert.equal(await list.activeVersion(), whole.id)
  assert.equal((await list.activate(half, { force: true })).status, 200)
})

test('only the bank handles lists, and only its admins activate', async () => {
  const list = await TestList.open(bank)
  const { body: version } = await list.import('Orlin Vashtree')
  const venture = await bank.registerVenture()
  const [operator, auditor] = [await openBanker(bank, 'operator'), await openBanker(bank, 'auditor')]
  const calls: [string, Answer][] = [
    ['venture lists', await venture.get('/operator/watchlists')],
    ['venture creates', await venture.post('/operator/watchlists', { name: 'mine', format: 'UN' })],
    ['venture imports', await list.send({ list: someList('A B') }, venture)],
    ['venture activates', await list.activate(version, {}, venture)],
    ['venture reads screenings', await venture.get(`/ventures/${venture.venture.id}/screenings`)],
    ['venture reads a screening', await venture.get(`/ventures/${venture.venture.id}/screenings/${randomUUID()}`)],
    ['operator creates', await operator.post('/operator/watchlists', { name: 'mine', format: 'UN' })],
    ['operator activates', await list.activate(version, {}, operator)],
    ['auditor imports', await list.send({ list: someList('A B') }, auditor)],
  ]
  for (const [what, answer] of calls) assert.deepEqual(refusalOf(answer), [403, 'forbidden'], what)
  assert.equal((await list.send({ list: someList('A B') }, operator)).status, 201)
  assert.equal((await auditor.get(`${list.path}/versions`)).body.length, 2)
  assert.equal(await list.activeVersion(), null)
})

test('what people do with lists is in the audit log', async () => {
  const list = await TestList.open(bank)
  const { body: version } = await list.import('Orlin Vashtree')
  await list.activate(version, { force: true })
  const { rows } = await bank.owner.query('select action, fields from audit_log where resource = any($1) order by id', [
    [list.list.id, version.id],
  ])
  assert.deepEqual(rows, [
    { action: 'createWatchlist', fields: ['name', 'format'] },
    { action: 'importWatchlistVersion', fields: [] },
    { action: 'activateWatchlistVersion', fields: ['force'] },
  ])
})

test('with four eyes, a second person has to agree, about the version that both have seen', async () => {
  const strict = await openBank({ fourEyes: true })
  const [maker, checker] = [await openBanker(strict, 'admin'), await openBanker(strict, 'admin')]
  const list = await TestList.open(strict)
  const versions: Loose[] = []
  for (const size of [10, 11, 12, 3]) versions.push((await list.import(...numbered(size))).body)
  const [ten, eleven, twelve, three] = versions
  assert.deepEqual(refusalOf(await list.activate(ten)), [403, 'person_needed'])
  const agree = async (version: Loose, body: object = {}) => {
    const { status, body: approval, text } = await list.activate(version, body, maker)
    assert.equal(status, 202, text)
    return approval
  }
  const approve = ({ id }: Loose) => checker.post(`/operator/approvals/${id}/approve`)
  const first = await agree(ten)
  assert.equal(await list.activeVersion(), null)
  assert.equal((await approve(first)).body.state, 'APPROVED')
  assert.equal(await list.activeVersion(), ten.id)
  // Nobody is asked to approve what is refused anyway.
  assert.deepEqual(refusalOf(await list.activate(three, {}, maker)), [409, 'watchlist_shrunk'])
  const [second, third] = [await agree(eleven), await agree(twelve)]
  assert.equal((await approve(third)).body.state, 'APPROVED')
  const late = await approve(second)
  assert.deepEqual([late.body.state, await list.activeVersion()], ['FAILED', twelve.id])
  const forced = await agree(three, { force: true })
  assert.equal((await approve(forced)).body.state, 'APPROVED')
  assert.equal(await list.activeVersion(), three.id)
})

const gaugesOf = async (one: Bank) => {
  const { text } = await one.admin.send({ method: 'GET', url: '/metrics' })
  return text.split('\n').filter((line) => /^screening_/.test(line))
}

test('a metric says whether the lists are loaded', async () => {
  const fresh = await openBank({ sandbox: false, webhookAllowPrivateNetwork: true })
  assert.deepEqual(await gaugesOf(fresh), ['screening_ready 0'])
  await fresh.lists.refresh()
  assert.deepEqual(await gaugesOf(fresh), ['screening_ready 0'], 'no list is active')
  const list = await TestList.open(fresh, { name: 'eu' })
  const { id } = await list.publish('Orlin Vashtree')
  assert.deepEqual(await gaugesOf(fresh), ['screening_ready 1', `screening_lists_loaded{watchlist="eu",version="${id}"} 1`])
  await fresh.lists.stop()
  assert.deepEqual(await gaugesOf(fresh), ['screening_ready 0'])
})

test('in the sandbox the invented list is there and active from the first start on, once', async () => {
  const fresh = await openBank()
  await Promise.all([provideSandboxList(fresh.database), provideSandboxList(fresh.database), fresh.lists.refresh()])
  await fresh.lists.refresh()
  const { body: lists } = await fresh.admin.get('/operator/watchlists')
  assert.deepEqual(
    lists.map(({ name, active_version_id }: Loose) => [name, active_version_id !== null]),
    [['sandbox', true]],
  )
  const { body: versions } = await fresh.admin.get(`/operator/watchlists/${lists[0].id}/versions`)
  assert.deepEqual(
    versions.map(({ entries, active, imported_by }: Loose) => [entries, active, imported_by]),
    [[200, true, 'service']],
  )
  assert.deepEqual(
    fresh.lists.current.map(({ name }) => name),
    ['sandbox'],
  )
})

test('an instance loads what another one has activated, and drops what was replaced', async () => {
  const list = await TestList.open(bank)
  const other = new ActiveLists({ database: bank.database, log: createLog('silent'), every_ms: 3_600_000 })
  other.start()
  const versionHere = () => other.current.find(({ watchlist_id }) => watchlist_id === list.list.id)?.version_id
  const one = await list.publish('Orlin Vashtree')
  await eventually(() => versionHere() === one.id)
  const ask = (version: Loose) => other.ask(version.id, { name: 'Zelda Quillfeather', threshold: 0.85 })
  assert.equal((await ask(one)).hits.length, 0)
  const two = await list.publish('Orlin Vashtree', 'Zelda Quillfeather')
  await eventually(() => versionHere() === two.id)
  assert.equal((await ask(two)).hits.length, 1)
  await assert.rejects(ask(one), /is not loaded/)
  await other.stop()
  assert.deepEqual(other.current, [])
})
