import assert from 'node:assert/strict'
import { test } from 'node:test'
import { somePerson } from '../testing/testing.people.ts'
import { openBank } from '../testing/testing.ts'
import { Client } from './clients.schemas.ts'

const bank = await openBank()
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

/** A date of birth exactly `years` ago (UTC), shifted by `days`. */
function bornYearsAgo(years: number, days = 0): string {
  const now = new Date()
  return new Date(Date.UTC(now.getUTCFullYear() - years, now.getUTCMonth(), now.getUTCDate() + days)).toISOString().slice(0, 10)
}

test('a registered person has every field, defaults for absent ones, and verification started', async () => {
  const venture = await bank.registerVenture()
  const person = somePerson()
  const { status, headers, body } = await venture.post('/clients/person', person)
  assert.equal(status, 201)
  assert.equal(headers['location'], `/api/v1/clients/${body.id}`)
  assert.deepEqual(Object.keys(body), Object.keys(Client.properties))
  const { id: _, created_at, updated_at, ...rest } = body
  assert.equal(created_at, updated_at)
  assert.deepEqual(rest, {
    ...person,
    middle_name: null,
    gender: null,
    state_province: null,
    second_email: null,
    mobile_phone_number: null,
    second_mobile_phone_number: null,
    external_client_code: null,
    planned_income: null,
    planned_expenditure: null,
    kyc_level: 'FULL_KYC',
    kyc_status: 'CREATED',
    kyc_note: null,
    risk_level: 'Low',
    blocked: false,
    is_blacklisted: false,
    blacklisted_comment: null,
  })
  assert.deepEqual((await venture.get(`/clients/${body.id}`)).body, body)
  assert.deepEqual(await bank.eventTypes(venture), ['client.created'])
})

test('every field is stored in its canonical form', async () => {
  const venture = await bank.registerVenture()
  const { body } = await venture.post(
    '/clients/person',
    somePerson({
      first_name: 'Zoe\u0308',
      middle_name: 'B.',
      gender: 'female',
      nationality: 'deu',
      state_province: 'Île-de-France',
      second_email: 'Second@Example.com',
      mobile_phone_number: '+33 6 12 34 56 78',
      second_mobile_phone_number: null,
      external_client_code: 'C-1',
      planned_income: '1000',
      planned_expenditure: '900',
      kyc_level: 'NOT_REQUIRED',
      risk_level: 'High',
    }),
  )
  assert.equal(body.first_name, 'Zo\u00eb')
  assert.equal(body.nationality, 'DEU')
  assert.equal(body.mobile_phone_number, '+33612345678')
  assert.equal(body.second_email, 'Second@Example.com')
  assert.equal(body.kyc_status, 'NOT_STARTED')
  assert.deepEqual([body.gender, body.risk_level, body.kyc_level], ['female', 'High', 'NOT_REQUIRED'])
})

test('a person can register on the eighteenth birthday and not a day before', async () => {
  const venture = await bank.registerVenture()
  assert.equal((await venture.post('/clients/person', somePerson({ date_of_birth: bornYearsAgo(18) }))).status, 201)
  for (const [date_of_birth, age] of [
    [bornYearsAgo(18, 1), 17],
    [bornYearsAgo(0), 0],
    ['2999-01-01', 0],
  ] as const) {
    const refused = await venture.post('/clients/person', somePerson({ date_of_birth }))
    assert.equal(refused.status, 422, date_of_birth)
    assert.equal(refused.problem.code, 'client_underage')
    assert.equal(refused.problem.detail, `A client must be at least 18 years old; according to date_of_birth, this one is ${age}.`)
  }
})

test('an email is unique across ventures, ignoring case, and the refusal reveals nothing about the other client', async () => {
  const [first, second] = [await bank.registerVenture(), await bank.registerVenture()]
  const { email } = await first.registerClient()
  const before = await bank.count('clients')
  const own = await first.post('/clients/person', somePerson({ email: email.toUpperCase() }))
  const foreign = await second.post('/clients/person', somePerson({ email: email.toUpperCase() }))
  assert.equal(own.status, 409)
  assert.equal(own.problem.code, 'email_used')
  assert.deepEqual({ ...foreign.problem, request_id: '' }, { ...own.problem, request_id: '' })
  assert.equal(await bank.count('clients'), before)
})

test('of many concurrent registrations with one email, exactly one succeeds, and others in the batch are not affected', async () => {
  const venture = await bank.registerVenture()
  const { email } = somePerson()
  const [same, others] = await Promise.all([
    Promise.all(Array.from({ length: 50 }, () => venture.post('/clients/person', somePerson({ email })))),
    Promise.all(Array.from({ length: 50 }, () => venture.post('/clients/person', somePerson()))),
  ])
  assert.equal(same.filter(({ status }) => status === 201).length, 1)
  assert.equal(same.filter(({ problem }) => problem?.code === 'email_used').length, 49)
  assert.ok(others.every(({ status }) => status === 201))
  assert.equal((await bank.eventTypes(venture)).length, 51)
})

test('an invalid registration is refused by field and stores nothing', async () => {
  const venture = await bank.registerVenture()
  const before = [await bank.count('clients'), await bank.count('client_emails'), await bank.count('events')]
  const required = ['address', 'birth_country', 'city', 'country_code', 'country_of_tax_residence', 'date_of_birth', 'email', 'first_name']
  const wrong: [string, unknown][] = [
    ...[...required, 'last_name', 'nationality', 'organization_id', 'postcode'].map((field): [string, unknown] => [field, undefined]),
    ...['country_code', 'nationality', 'birth_country', 'country_of_tax_residence'].flatMap((field) =>
      ['FR', 'FRAN', 'XXX', 'ßR', 'ſRA', 'F\u212aA', '123', ''].map((value): [string, unknown] => [field, value]),
    ),
    ...['1990-02-30', '1990-13-01', '90-01-01', '1990-01-01T00:00:00Z', '', 19900101].map((value): [string, unknown] => [
      'date_of_birth',
      value,
    ]),
    ...['', 'a', 'a@b', '@b.co', 'a b@c.de', 'ä@example.com', 'a@b@c.de', `${'a'.repeat(250)}@b.co`].map((value): [string, unknown] => [
      'email',
      value,
    ]),
    ['second_email', 'nobody'],
    ['mobile_phone_number', '0612345678'],
    ['mobile_phone_number', '+33'],
    ['second_mobile_phone_number', 'phone'],
    ['mobile_phone_number', '+49151234567890123'],
    ['gender', 'MALE'],
    ['kyc_level', 'NONE'],
    ['risk_level', 'LOW'],
    ['organization_id', '7'],
    ['organization_id', 7.5],
    ['organization_id', 2 ** 31],
    ['first_name', 'a'.repeat(141)],
    ['first_name', ' '],
    ['last_name', 'a\u0000'],
    ['city', 'a\u202e'],
    ['address', 'a'.repeat(256)],
    ['postcode', 75002],
    ...['id', 'kyc_status', 'kyc_note', 'blocked', 'is_blacklisted', 'blacklisted_comment', 'created_at', 'updated_at', 'venture_id'].map(
      (field): [string, unknown] => [field, 'x'],
    ),
  ]
  for (const [field, value] of wrong) {
    const answer = await venture.post('/clients/person', somePerson({ [field]: value }))
    assert.equal(answer.status, 400, `${field}: ${JSON.stringify(value)}`)
    assert.equal(answer.problem.code, 'invalid_request')
    assert.ok(
      answer.problem.errors.some((error: { field: string }) => error.field === field),
      `${field}: ${answer.text}`,
    )
  }
  assert.deepEqual([await bank.count('clients'), await bank.count('client_emails'), await bank.count('events')], before)
})

test('an update changes contact data and the venture’s own assessment of the client, and null clears a field', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ state_province: 'IDF', planned_income: '10' })
  const { status, body } = await venture.put(`/clients/${client.id}`, {
    city: 'Lyon',
    state_province: null,
    mobile_phone_number: '+33612345678',
    risk_level: 'Medium',
    kyc_note: 'seen',
    blocked: true,
    is_blacklisted: true,
    blacklisted_comment: 'by hand',
    first_name: client.first_name,
  })
  assert.equal(status, 200)
  assert.ok(body.updated_at >= client.updated_at)
  assert.deepEqual(body, {
    ...client,
    city: 'Lyon',
    state_province: null,
    mobile_phone_number: '+33612345678',
    risk_level: 'Medium',
    kyc_note: 'seen',
    blocked: true,
    is_blacklisted: true,
    blacklisted_comment: 'by hand',
    updated_at: body.updated_at,
  })
  assert.deepEqual((await venture.get(`/clients/${client.id}`)).body, body)
  assert.deepEqual(await bank.eventTypes(venture), ['client.created', 'client.updated'])
})

test('identity cannot be changed', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ middle_name: 'B', gender: 'male' })
  const changes: Record<string, unknown> = {
    first_name: 'Eve',
    middle_name: null,
    last_name: 'Else',
    date_of_birth: '1980-01-01',
    gender: 'female',
    nationality: 'DEU',
    birth_country: 'DEU',
    country_of_tax_residence: 'DEU',
  }
  for (const [field, value] of Object.entries(changes)) {
    const answer = await venture.put(`/clients/${client.id}`, { [field]: value, city: 'Lyon' })
    assert.equal(answer.status, 422, field)
    assert.equal(answer.problem.code, 'identity_field_immutable')
    assert.equal(answer.problem.errors[0].field, field)
    assert.ok(answer.problem.detail.startsWith(`${field} cannot be changed after registration.`), answer.problem.detail)
  }
  assert.deepEqual((await venture.get(`/clients/${client.id}`)).body, client)
})

test('an update that changes nothing writes nothing', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient()
  assert.deepEqual((await venture.put(`/clients/${client.id}`, {})).body, client)
  assert.deepEqual((await venture.put(`/clients/${client.id}`, { city: client.city })).body, client)
  assert.deepEqual(await bank.eventTypes(venture), ['client.created'])
})

test('an update refuses fields that it cannot change', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient()
  for (const body of [
    { kyc_status: 'VALIDATED' },
    { kyc_level: 'NOT_REQUIRED' },
    { organization_id: 8 },
    { id: unknownId },
    { created_at: client.created_at },
    { city: null },
    { email: null },
    { blocked: 'yes' },
    { risk_level: null },
  ]) {
    const answer = await venture.put(`/clients/${client.id}`, body)
    assert.equal(answer.problem?.code, 'invalid_request', JSON.stringify(body))
  }
  assert.deepEqual((await venture.get(`/clients/${client.id}`)).body, client)
})

test('a changed email is claimed, the old one becomes free, and another client’s email is refused', async () => {
  const venture = await bank.registerVenture()
  const [one, two] = [await venture.registerClient(), await venture.registerClient()]
  const taken = await venture.put(`/clients/${one.id}`, { email: two.email.toUpperCase() })
  assert.equal(taken.problem.code, 'email_used')
  assert.equal((await venture.get(`/clients/${one.id}`)).body.email, one.email)
  const { email } = somePerson()
  assert.equal((await venture.put(`/clients/${one.id}`, { email })).body.email, email)
  assert.equal((await venture.put(`/clients/${one.id}`, { email: email.toUpperCase() })).body.email, email.toUpperCase())
  await venture.registerClient({ email: one.email })
})

test('two clients that swap their emails concurrently never deadlock and never share an email', async () => {
  const venture = await bank.registerVenture()
  const [one, two] = [await venture.registerClient(), await venture.registerClient()]
  const answers = await Promise.all([
    venture.put(`/clients/${one.id}`, { email: two.email }),
    venture.put(`/clients/${two.id}`, { email: one.email }),
  ])
  assert.ok(answers.every(({ status }) => status === 200 || status === 409))
  const emails = await Promise.all([one, two].map(async ({ id }) => (await venture.get(`/clients/${id}`)).body.email.toLowerCase()))
  assert.equal(new Set(emails).size, 2)
})

test('the list is newest first and filters by status and text', async () => {
  const venture = await bank.registerVenture()
  const ada = await venture.registerClient({ external_client_code: 'A_1%' })
  const bob = await venture.registerClient({ first_name: 'Bob', last_name: 'Stone', kyc_level: 'NOT_REQUIRED' })
  const ids = async (query: string) => (await venture.get(`/clients${query}`)).body.map(({ id }: { id: string }) => id)
  assert.deepEqual(await ids(''), [bob.id, ada.id])
  assert.deepEqual(await ids('?kyc_status=NOT_STARTED'), [bob.id])
  assert.deepEqual(await ids('?kyc_status=VALIDATED'), [])
  assert.deepEqual(await ids('?search=STON'), [bob.id])
  assert.deepEqual(await ids('?search=bob%20stone'), [bob.id])
  assert.deepEqual(await ids(`?search=${encodeURIComponent(ada.email.slice(0, 9))}`), [ada.id])
  assert.deepEqual(await ids('?search=_1%25'), [ada.id])
  assert.deepEqual(await ids('?search=%25%25'), [])
  assert.deepEqual(await ids(`?limit=1&after=${bob.id}`), [ada.id])
  assert.deepEqual(await ids('?limit=1&offset=1'), [ada.id])
  for (const query of ['?kyc_status=NONE', '?search=', '?limit=0', '?limit=101', '?offset=-1', '?surprise=1']) {
    assert.equal((await venture.get(`/clients${query}`)).problem?.code, 'invalid_request', query)
  }
})

test('another venture’s client looks exactly like one that does not exist', async () => {
  const [owner, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const client = await owner.registerClient()
  for (const [method, path, body] of [
    ['get', '', undefined],
    ['put', '', { city: 'Lyon' }],
    ['get', '/onboarding/details', undefined],
  ] as const) {
    const foreign = await other[method](`/clients/${client.id}${path}`, body)
    const unknown = await other[method](`/clients/${unknownId}${path}`, body)
    assert.equal(foreign.status, 404)
    assert.deepEqual({ ...foreign.problem, request_id: '', instance: '' }, { ...unknown.problem, request_id: '', instance: '' })
  }
  assert.deepEqual((await other.get('/clients')).body, [])
  assert.deepEqual((await owner.get(`/clients/${client.id}`)).body, client)
})
