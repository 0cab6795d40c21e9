// What people of the bank decide about its participations and calendars.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeRail } from '../testing/testing.participations.ts'
import { openBanker } from '../testing/testing.sessions.ts'
import { Caller, type Loose, openBank } from '../testing/testing.ts'
import { checkInvariants } from '../verify/verify.ts'
import { firstParticipations, RailBook } from './schemes.book.ts'
import { Participations } from './schemes.copy.ts'

const bank = await openBank({ fourEyes: true })
/** With four-eyes approval off, so that one person's change is made at once. */
const admin = new Caller(await bank.openInstance({ fourEyes: false }), bank.admin.headers)
const [carol, dan] = [await openBanker(bank, 'operator'), await openBanker(bank, 'operator')]

const path = '/operator/participations'
const list = async (): Promise<Loose[]> => (await admin.get(path)).body
const of = async (rail: string): Promise<Loose[]> => (await list()).filter((one) => one['rail'] === rail)
const change = (fields: object) => admin.post(path, { rail: 'SDD', ...fields })
const approve = async ({ body, text }: { body: Loose; text: string }) => {
  assert.equal(body['state'], 'PENDING', text)
  return dan.post(`/operator/approvals/${body['id']}/approve`)
}
const inTwoMinutes_ms = 120_000

test('the migration has written the rails as they were', async () => {
  const known = (all: readonly object[]) => all.map((one) => ({ ...one, id: null, created_at: null }))
  assert.deepEqual(known(await list()), known(firstParticipations))
})

test('a change is a new version, in force two minutes later', async () => {
  const asked_ms = Date.now()
  const { status, body, text } = await change({ cut_offs: ['15:30', '09:00', '09:00'], zone: 'Europe/Berlin' })
  assert.equal(status, 200, text)
  assert.deepEqual(
    [body.version, body.state, body.cut_offs, body.zone, body.calendar],
    [2, 'ACTIVE', ['09:00', '15:30'], 'Europe/Berlin', 'TARGET'],
  )
  assert.ok(Date.parse(body.effective_at) >= asked_ms + inTwoMinutes_ms, body.effective_at)
  assert.deepEqual(
    (await of('SDD')).map(({ version, zone }) => [version, zone]),
    [
      [1, 'UTC'],
      [2, 'Europe/Berlin'],
    ],
  )
  const book = await bank.services.participations.read()
  assert.equal(book.inForce('SDD', new Date(Date.parse(body.effective_at) - 1))?.version, 1)
  assert.equal(book.inForce('SDD', new Date(body.effective_at))?.version, 2)
})

test('a change that changes nothing adds no version', async () => {
  assert.equal((await change({ cut_offs: ['09:00', '15:30'] })).body.version, 2)
  assert.equal((await change({})).body.version, 2)
})

test('a change builds on the newest version, and may be for later', async () => {
  const effective_at = new Date(Date.now() + 86_400_000).toISOString()
  const { body } = await change({ lead_days: 2, effective_at })
  assert.deepEqual([body.version, body.lead_days, body.zone, body.effective_at], [3, 2, 'Europe/Berlin', effective_at])
  const { status, problem } = await change({ lead_days: 3, effective_at: new Date(Date.now() + 60_000).toISOString() })
  assert.deepEqual([status, problem.code, problem.errors[0].field], [400, 'invalid_request', 'effective_at'])
})

test('a participation that makes no sense is refused', async () => {
  const before = await bank.count('participations')
  for (const [field, fields] of [
    ['zone', { zone: 'Mars/Olympus' }],
    ['calendar', { calendar: 'NOWHERE' }],
    ['smallest', { smallest: '0' }],
    ['largest', { largest: '0.001' }],
    ['smallest', { smallest: '10.00', largest: '9.99' }],
    ['envelope.clearing_system', { envelope: { clearing_code: 'ST2', clearing_system: 'STEP2', instructed_bic: null, header: null } }],
  ] as const) {
    const { status, problem } = await change(fields)
    assert.deepEqual([status, problem?.code, problem?.errors[0].field], [422, 'participation_invalid', field], JSON.stringify(fields))
  }
  for (const fields of [
    { rail: 'SWIFT' },
    { state: 'SUSPENDED' },
    { cut_offs: ['24:00'] },
    { lead_days: 11 },
    { currency: 'USD' },
    { calendar: 'target' },
    { envelope: { clearing_code: 'ST2' } },
  ])
    assert.equal((await change(fields)).problem?.code, 'invalid_request', JSON.stringify(fields))
  assert.equal(await bank.count('participations'), before)
})

test('versions are kept', async () => {
  for (const table of ['participations', 'calendar_years']) await assert.rejects(bank.owner.query(`delete from ${table}`))
})

test('two people change a participation, and see what changes', async () => {
  const asked = await carol.post(path, { rail: 'INST', largest: '100000.00' })
  assert.equal(asked.status, 202, asked.text)
  assert.deepEqual(asked.body.subject.changes, [{ field: 'largest', from: '999999999.99', to: '100000.00' }])
  assert.equal((await of('INST')).length, 1)
  const approved = await approve(asked)
  assert.equal(approved.body.state, 'APPROVED', approved.text)
  const [, next] = await of('INST')
  assert.deepEqual([next?.['version'], next?.['largest'], next?.['actor']], [2, '100000.00', 'operator'])
})

test('a change that was asked for before another one is not made', async () => {
  const asked = await carol.post(path, { rail: 'INST', prefers: 5 })
  assert.equal((await admin.post(path, { rail: 'INST', smallest: '0.02' })).status, 200)
  assert.equal((await approve(asked)).body.state, 'FAILED')
  assert.equal((await of('INST')).at(-1)?.['prefers'], 20)
})

test('one person suspends a rail at once, and two resume it two minutes later', async () => {
  const suspended = await carol.post(`${path}/SEPA/suspend`)
  assert.deepEqual([suspended.status, suspended.body?.state, suspended.body?.version], [200, 'SUSPENDED', 2], suspended.text)
  assert.equal((await carol.post(`${path}/SEPA/suspend`)).body.version, 2)
  // A clock that is behind does not delay a suspension.
  const book = await bank.services.participations.read()
  assert.equal(book.inForce('SEPA', new Date(Date.now() - 90_000))?.state, 'SUSPENDED')
  const asked = await carol.post(`${path}/SEPA/resume`)
  assert.equal(asked.status, 202, asked.text)
  assert.deepEqual(asked.body.subject.changes, [{ field: 'state', from: 'SUSPENDED', to: 'ACTIVE' }])
  assert.equal((await approve(asked)).body.state, 'APPROVED')
  const resumed = (await of('SEPA')).at(-1)
  assert.deepEqual([resumed?.['version'], resumed?.['state']], [3, 'ACTIVE'])
  assert.equal((await bank.services.participations.read()).isActive('SEPA', new Date()), false)
  assert.equal((await bank.services.participations.read()).isActive('SEPA', new Date(Date.now() + inTwoMinutes_ms)), true)
  assert.equal((await admin.post(`${path}/SEPA/resume`)).body.version, 3)
})

test('a suspension overtakes a version that is not in force yet', async () => {
  const { body } = await admin.post(`${path}/SDD/suspend`)
  assert.deepEqual([body.version, body.state, body.zone, body.lead_days], [4, 'SUSPENDED', 'UTC', 1])
  const book = await bank.services.participations.read()
  assert.equal(book.inForce('SDD', new Date(Date.now() + 2 * 86_400_000))?.version, 4)
})

test('a participation that has ended is neither suspended nor resumed', async () => {
  await changeRail(bank, 'SDD', { state: 'ENDED' })
  for (const act of ['suspend', 'resume']) {
    const { status, problem } = await admin.post(`${path}/SDD/${act}`)
    assert.deepEqual([status, problem?.code], [409, 'rail_ended'], act)
  }
  const again = await change({ state: 'ACTIVE' })
  assert.deepEqual([again.status, again.body?.state], [200, 'ACTIVE'], again.text)
})

test('what is older than one minute is read again, and nothing else is', async () => {
  let statements = 0
  const reader = {
    placement: bank.database.placement,
    rows: (query: never) => {
      statements++
      return bank.database.rows(query)
    },
    first: (query: never) => bank.database.first(query),
  } as never
  const copy = new Participations({ database: bank.database, carriesOthers: true })
  await copy.current(reader)
  assert.equal(statements, 2)
  for (let time = 0; time < 100; time++) await copy.current(reader)
  assert.equal(statements, 2)
  const old = new Participations({ database: bank.database, carriesOthers: true, longest_ms: 0 })
  await old.current(reader)
  await old.current(reader)
  assert.equal(statements, 6)
})

test('a later read is not replaced by an earlier one that took longer', async () => {
  const copy = new Participations({ database: bank.database, carriesOthers: true })
  const waiting = Promise.withResolvers<void>()
  const slow = {
    rows: async (query: never) => {
      const found = await bank.database.rows(query)
      await waiting.promise
      return found
    },
  } as never
  const earlier = copy.read(slow)
  await changeRail(bank, 'SDD', { prefers: 77 })
  await new Promise((resolve) => setTimeout(resolve, 5))
  const later = await copy.read()
  waiting.resolve()
  await earlier
  assert.equal(await copy.current(), later)
  assert.equal(later.inForce('SDD', new Date())?.prefers, 77)
})

test('among rails, the one with the smallest number is preferred, and methods without a rail come last', () => {
  const versions = firstParticipations.map((one) => (one.rail === 'INST' ? { ...one, prefers: 1 } : one))
  const book = new RailBook({ versions, years: [], carriesOthers: true })
  assert.deepEqual(book.preferred(['SWIFT', 'SEPA', 'DOMESTIC', 'INST'], new Date()), ['INST', 'SEPA', 'SWIFT', 'DOMESTIC'])
})

// ——— Calendars ———

const calendar = (name: string, year: number) => `/operator/calendars/${name}/${year}`
const local = (body: object, year = 2027) => admin.put(calendar('LOCAL', year), body)

test('TARGET, FED and ALWAYS are rules', async () => {
  const { body } = await admin.get(calendar('FED', 2026))
  assert.deepEqual(
    [body.version, body.actor, body.closed.includes('2026-11-26'), body.closed.includes('2026-11-28')],
    [0, null, true, true],
  )
  assert.deepEqual((await admin.get(calendar('ALWAYS', 2026))).body.closed, [])
  const { status, problem } = await admin.put(calendar('TARGET', 2027), { closed: [] })
  assert.deepEqual([status, problem?.code], [409, 'calendar_is_rule'])
})

test('a year is entered in versions', async () => {
  assert.equal((await admin.get(calendar('LOCAL', 2027))).problem?.code, 'calendar_year_not_found')
  const first = await local({ closed: ['2027-12-25', '2027-01-01'] })
  assert.deepEqual(
    [first.status, first.body?.version, first.body?.closed, first.body?.weekend],
    [200, 1, ['2027-01-01', '2027-12-25'], [6, 7]],
    first.text,
  )
  assert.deepEqual((await admin.get(calendar('LOCAL', 2027))).body, first.body)
  assert.equal((await local({ closed: ['2027-01-01', '2027-12-25'] })).body.version, 1)
  assert.equal((await local({ closed: ['2027-01-01'], weekend: [5, 6] })).body.version, 2)
})

test('days that make no sense are refused', async () => {
  const before = await bank.count('calendar_years')
  const month = Array.from({ length: 31 }, (_, day) => `2027-05-${String(day + 1).padStart(2, '0')}`)
  for (const [field, body] of [
    ['closed.1', { closed: ['2027-01-01', '2028-01-01'] }],
    ['closed', { closed: month }],
    ['closed.0', { closed: ['2027-02-30'] }],
    ['weekend.0', { closed: [], weekend: [8] }],
  ] as const) {
    const { status, problem } = await local(body)
    assert.deepEqual([status, problem?.code, problem?.errors[0].field], [400, 'invalid_request', field], JSON.stringify(body).slice(0, 80))
  }
  assert.equal((await admin.put(calendar('lower', 2027), { closed: [] })).status, 400)
  assert.equal((await admin.put(calendar('LOCAL', 1999), { closed: [] })).status, 400)
  assert.equal(await bank.count('calendar_years'), before)
})

test('two people enter a year, and see which days are opened and closed', async () => {
  const asked = await carol.put(calendar('LOCAL', 2027), { closed: ['2027-04-01'], weekend: [5, 6] })
  assert.equal(asked.status, 202, asked.text)
  assert.deepEqual(asked.body.subject.changes, [
    { field: 'opened', from: null, to: '2027-01-01' },
    { field: 'closed', from: null, to: '2027-04-01' },
  ])
  assert.equal((await approve(asked)).body.state, 'APPROVED')
  assert.equal((await admin.get(calendar('LOCAL', 2027))).body.version, 3)
})

// ——— What ventures see ———

test('ventures see what each scheme carries, and when', async () => {
  const venture = await bank.registerVenture()
  await changeRail(bank, 'SEPA', { state: 'ACTIVE', cut_offs: ['12:00'], smallest: '0.01', largest: '5000.00' })
  const { status, body, text } = await venture.get('/schemes')
  assert.equal(status, 200, text)
  const schemes = Object.fromEntries((body as Loose[]).map((one) => [one['rail'], one])) as Record<string, Loose>
  assert.deepEqual(Object.keys(schemes), ['SEPA', 'INST', 'SDD'])
  const { next_cut_off, value_date, ...sepa } = schemes['SEPA'] ?? {}
  assert.deepEqual(sepa, {
    rail: 'SEPA',
    method: 'SEPA',
    name: 'SEPA credit transfers',
    currency: 'EUR',
    available: true,
    instant: false,
    collects: false,
    smallest: '0.01',
    largest: '5000.00',
    payee_needs: [
      { field: 'iban', when: 'always' },
      { field: 'bic', when: 'iban_outside_eea' },
    ],
  })
  assert.match(next_cut_off, /T12:00:00\.000Z$/)
  assert.equal(value_date, next_cut_off.slice(0, 10))
  assert.deepEqual([schemes['INST']?.['next_cut_off'], schemes['INST']?.['instant'], schemes['SDD']?.['collects']], [null, true, true])
})

test('the books are right', async () => {
  assert.deepEqual(
    (await checkInvariants(bank.owner)).filter(({ violations }) => violations > 0),
    [],
  )
})
