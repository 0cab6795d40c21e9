import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, openBank, type VentureCaller } from '../testing/testing.ts'
import { makeIban } from '../values/iban.ts'
import { findBeneficiaries } from './beneficiaries.ts'

const bank = await openBank()

const unknownId = '0198c6f2-0000-7000-8000-000000000000'
const iban = 'DE89370400440532013000'

const declared = [
  'id',
  'client_id',
  'name',
  'beneficiary_type',
  'display',
  'iban',
  'bic',
  'account_number',
  'routing_number',
  'swift_code',
  'bank_name',
  'bank_address',
  'address',
  'city',
  'postal_code',
  'country_code',
  'created_at',
  'updated_at',
]

let clients = 0

async function registerClient(venture: VentureCaller): Promise<string> {
  const { status, body, text } = await venture.post('/clients/person', {
    address: '1 Rue de Rivoli',
    birth_country: 'FRA',
    city: 'Paris',
    country_code: 'FRA',
    country_of_tax_residence: 'FRA',
    date_of_birth: '1990-04-01',
    email: `payer-${++clients}@example.com`,
    first_name: 'Ada',
    last_name: 'Martin',
    nationality: 'FRA',
    organization_id: 1,
    postcode: '75001',
  })
  assert.equal(status, 201, text)
  return body.id
}

/** A venture with one client, and a minimal request for a beneficiary. */
async function openVenture() {
  const venture = await bank.registerVenture()
  const client_id = await registerClient(venture)
  const minimal = { client_id, name: 'Bob Dupont', beneficiary_type: 'PERSON', iban }
  return { venture, client_id, minimal }
}

async function create(venture: VentureCaller, body: object) {
  const answer = await venture.post('/beneficiaries', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.body
}

async function stored(venture: VentureCaller): Promise<number> {
  const { rows } = await bank.owner.query('select count(*)::int as count from beneficiaries where venture_id = $1', [venture.venture.id])
  return rows[0].count
}

async function events(venture: VentureCaller) {
  const { rows } = await bank.owner.query(
    `select type, resource_id, sequence, data from events where venture_id = $1 and type like 'beneficiary.%' order by resource_id, sequence`,
    [venture.venture.id],
  )
  return rows
}

/** A response without the request id and the path. */
function withoutRequestId({ status, text, problem }: Answer) {
  return { status, text: text.replace(problem.request_id, '').replace(problem.instance, '') }
}

const namesOf = ({ body }: Answer): string[] => body.map(({ name }: { name: string }) => name)

test('a beneficiary with all fields is stored unchanged, with identifiers in upper case', async () => {
  const { venture, client_id } = await openVenture()
  const text = {
    client_id,
    name: 'Global Trading Ltd',
    beneficiary_type: 'COMPANY',
    display: false,
    iban: 'gb29nwbk60161331926819',
    bic: 'nwbkgb2l',
    account_number: '12-34/ab.9 x',
    routing_number: '021000021',
    swift_code: 'chasus33xxx',
    bank_name: 'NatWest',
    bank_address: '250 Bishopsgate',
    address: '1 High Street',
    city: 'London',
    postal_code: 'EC2M 4AA',
    country_code: 'gbr',
  }
  const answer = await venture.post('/beneficiaries', text)
  assert.equal(answer.status, 201, answer.text)
  const { id, created_at, updated_at, ...rest } = answer.body
  assert.equal(answer.headers['location'], `/api/v1/beneficiaries/${id}`)
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(updated_at, created_at)
  assert.deepEqual(rest, {
    ...text,
    iban: 'GB29NWBK60161331926819',
    bic: 'NWBKGB2L',
    account_number: '12-34/AB.9 X',
    swift_code: 'CHASUS33XXX',
    country_code: 'GBR',
  })
  assert.deepEqual(Object.keys(answer.body), declared)
  assert.deepEqual((await venture.get(`/beneficiaries/${id}`)).text, answer.text)
  assert.deepEqual((await venture.get(`/beneficiaries/${id.toUpperCase()}`)).text, answer.text)
})

test('every declared field is present, and fields left out or sent as null are null', async () => {
  const { venture, client_id, minimal } = await openVenture()
  const optional = declared.filter(
    (field) => !['id', 'client_id', 'name', 'beneficiary_type', 'iban', 'created_at', 'updated_at'].includes(field),
  )
  const nulls = Object.fromEntries(optional.map((field) => [field, null]))
  for (const body of [minimal, { ...minimal, ...nulls }]) {
    const beneficiary = await create(venture, body)
    assert.deepEqual(Object.keys(beneficiary), declared)
    const { id, created_at, updated_at } = beneficiary
    assert.deepEqual(beneficiary, { ...nulls, ...minimal, client_id, display: true, id, created_at, updated_at })
    assert.deepEqual((await venture.get(`/beneficiaries/${id}`)).body, beneficiary)
  }
  const byNumber = await create(venture, { ...minimal, iban: null, account_number: '000123456789' })
  assert.deepEqual([byNumber.iban, byNumber.account_number], [null, '000123456789'])
})

test('IBANs of many countries are accepted in either case, and the country code may differ', async () => {
  const { venture, minimal } = await openVenture()
  for (const text of [
    'AE070331234567890123456',
    'be68539007547034',
    'BR1800360305000010009795493C1',
    'ch9300762011623852957',
    'DO28BAGR00000001212453611324',
    'fr1420041010050500013m02606',
    'GE29NB0000000101904917',
    'mt84malt011000012345mtlcast001s',
    'NL91ABNA0417164300',
    'no9386011117947',
    'PK36SCBL0000001123456702',
    'sa0380000000608010167519',
    'XK051212012345678906',
  ]) {
    const { id } = await create(venture, { ...minimal, iban: text, country_code: 'USA' })
    const { body } = await venture.get(`/beneficiaries/${id}`)
    assert.deepEqual([body.iban, body.country_code], [text.toUpperCase(), 'USA'])
  }
})

test('an invalid identifier is refused with its own code, names the field and stores nothing', async () => {
  const { venture, client_id, minimal } = await openVenture()
  const { iban: _, ...nowhere } = minimal
  const refused: [object, string, string | undefined][] = [
    [nowhere, 'beneficiary_needs_account', undefined],
    [{ ...nowhere, iban: null, account_number: null }, 'beneficiary_needs_account', undefined],
    [{ ...nowhere, bic: 'DEUTDEFF', routing_number: '021000021' }, 'beneficiary_needs_account', undefined],
    ...[
      'DE88370400440532013000',
      'DE8937040044053201300',
      'DE893704004405320130000',
      'DE89 3704 0044 0532 0130 00',
      'US89370400440532013000',
      'DE8937040044053201300O',
      'DE00370400440532013000',
      'x',
      'A'.repeat(255),
      // With ASCII letters instead, these would be valid IBANs.
      'ſE4550000000058398257466',
      'fı2112345600000785',
      'MT84MALT011000012345MTLCAST001ſ',
      'IE29AIB\u212A93115212345678',
      'LV80BAN\u212A0000435195001',
      makeIban('LV', 'PASS0000435195001').replace('SS', 'ß'),
      '\uff24\uff2589370400440532013000',
      'DE8937040044053201300٠',
    ].map((value): [object, string, string] => [{ ...minimal, iban: value }, 'invalid_iban', 'iban']),
    ...(['bic', 'swift_code'] as const).flatMap((field) =>
      [
        'DEUTDEF',
        'DEUTDEFF5',
        'DEUTDEFF50',
        'DEUTDEFF5000',
        'DEUTZZFF',
        'DEUT DEFF',
        'D3UTDEFF',
        '1'.repeat(255),
        'DEUTDEFſ',
        'ſEUTDEFF',
        'NWB\u212AGB2L',
        'ıNGBNL2A',
        'DEUßDEF',
        'DEUTDEß',
        'DEUßDEFF',
      ].map((value): [object, string, string] => [{ ...minimal, [field]: value }, 'invalid_bic', field]),
    ),
    ...['021000022', '02100002', '0210000210', '000000000', '02100002A', ' 021000021', '٠٢١٠٠٠٠٢١', '990000000', '1'.repeat(255)].map(
      (value): [object, string, string] => [{ ...minimal, routing_number: value }, 'invalid_routing_number', 'routing_number'],
    ),
    // An account number does not make up for an invalid IBAN.
    [{ ...minimal, client_id, iban: 'DE88370400440532013000', account_number: '1' }, 'invalid_iban', 'iban'],
  ]
  for (const [body, code, field] of refused) {
    const answer = await venture.post('/beneficiaries', body)
    assert.equal(answer.status, 422, `${JSON.stringify(body)}: ${answer.text}`)
    assert.equal(answer.problem.code, code)
    assert.equal(answer.problem.errors?.[0].field, field)
  }
  assert.equal(await stored(venture), 0)
  assert.deepEqual(await events(venture), [])
})

test('an invalid body is refused by field and stores nothing', async () => {
  const { venture, minimal } = await openVenture()
  const refused: [object | string, string][] = [
    ...(['client_id', 'name', 'beneficiary_type'] as const).flatMap((field): [object, string][] => {
      const { [field]: _, ...rest } = minimal
      return [
        [rest, field],
        [{ ...minimal, [field]: null }, field],
      ]
    }),
    ...['id', 'created_at', 'updated_at', 'venture_id', 'sequence', 'nmae'].map((field): [object, string] => [
      { ...minimal, [field]: 'x' },
      field,
    ]),
    [`${JSON.stringify(minimal).slice(0, -1)},"__proto__":{"display":false}}`, '__proto__'],
    [{ ...minimal, client_id: '7' }, 'client_id'],
    [{ ...minimal, beneficiary_type: 'person' }, 'beneficiary_type'],
    [{ ...minimal, beneficiary_type: 'CHARITY' }, 'beneficiary_type'],
    [{ ...minimal, name: ' ' }, 'name'],
    [{ ...minimal, display: 'true' }, 'display'],
    [{ ...minimal, display: 1 }, 'display'],
    ...['name', 'bank_name'].map((field): [object, string] => [{ ...minimal, [field]: 'a'.repeat(141) }, field]),
    ...['iban', 'bic', 'routing_number', 'swift_code', 'bank_address', 'address', 'city', 'postal_code'].map((field): [object, string] => [
      { ...minimal, [field]: 'A'.repeat(256) },
      field,
    ]),
    ...declared
      .filter((field) => !['id', 'display', 'created_at', 'updated_at'].includes(field))
      .flatMap((field) =>
        ['', 7, ['x'], {}, 'a\u0000b', 'a\nb', 'a\u202eb', 'a\u2066b', 'a\u200fb'].map((value): [object, string] => [
          { ...minimal, [field]: value },
          field,
        ]),
      ),
    [JSON.stringify(minimal).replace('Bob', '\\ud800'), 'name'],
    ...['1'.repeat(35), ' 1', '1 ', '/1', '1-', '-', '1_2', '1\u00a02', '1–2', '١٢', 'ı1', '1ß', '1ſ2', '\u212A', '1%2'].map(
      (value): [object, string] => [{ ...minimal, account_number: value }, 'account_number'],
    ),
    ...['FR', 'XXX', 'FRAN', 'F1A', 'ıTA', 'ſWE', '\u212AEN', 'RUß', 'Rß', 'ＦＲＡ'].map((value): [object, string] => [
      { ...minimal, country_code: value },
      'country_code',
    ]),
  ]
  for (const [body, field] of refused) {
    const answer = await venture.post('/beneficiaries', body)
    assert.equal(answer.status, 400, `${JSON.stringify(body)}: ${answer.text}`)
    assert.equal(answer.problem.code, 'invalid_request')
    assert.ok(
      answer.problem.errors.some((error: { field: string }) => error.field === field),
      `${JSON.stringify(body)} should name ${field}: ${answer.text}`,
    )
  }
  const twice = await venture.post('/beneficiaries', `${JSON.stringify(minimal).slice(0, -1)},"name":"Eve"}`)
  assert.equal(twice.status, 400)
  assert.equal(await stored(venture), 0)
  assert.deepEqual(await events(venture), [])
})

test('strings of the maximum length are stored, names in NFC', async () => {
  const { venture, minimal } = await openVenture()
  const long = {
    name: 'é'.repeat(140),
    bank_name: '銀'.repeat(140),
    bank_address: '😀'.repeat(255),
    address: 'a'.repeat(255),
    city: 'ß'.repeat(255),
    postal_code: '1'.repeat(255),
    account_number: 'z'.repeat(34),
  }
  const { id } = await create(venture, { ...minimal, ...long })
  const { body } = await venture.get(`/beneficiaries/${id}`)
  assert.deepEqual({ ...body, ...long, account_number: 'Z'.repeat(34) }, body)
  assert.equal((await create(venture, { ...minimal, name: 'Cafe\u0301' })).name, 'Caf\u00e9')
})

test("the response for another venture's client is byte for byte that for an unknown one, and nothing is stored", async () => {
  const { venture, minimal } = await openVenture()
  const other = await openVenture()
  const unknown = await venture.post('/beneficiaries', { ...minimal, client_id: unknownId })
  const foreign = await venture.post('/beneficiaries', { ...minimal, client_id: other.client_id })
  assert.equal(unknown.status, 404)
  assert.equal(unknown.problem.code, 'client_not_found')
  assert.deepEqual(withoutRequestId(foreign), withoutRequestId(unknown))
  assert.deepEqual([await stored(venture), await stored(other.venture)], [0, 0])
  assert.deepEqual(await events(venture), [])
})

test("the response for another venture's beneficiary is byte for byte that for an unknown one, and nothing changes", async () => {
  const { venture, client_id, minimal } = await openVenture()
  const stranger = await bank.registerVenture()
  const { id } = await create(venture, minimal)
  for (const ask of [
    (wanted: string) => stranger.get(`/beneficiaries/${wanted}`),
    (wanted: string) => stranger.put(`/beneficiaries/${wanted}`, { display: false }),
    (wanted: string) => stranger.put(`/beneficiaries/${wanted}`, {}),
  ]) {
    const unknown = await ask(unknownId)
    assert.equal(unknown.status, 404)
    assert.equal(unknown.problem.code, 'beneficiary_not_found')
    assert.deepEqual(withoutRequestId(await ask(id)), withoutRequestId(unknown))
    assert.equal((await ask('7')).problem.errors[0].field, 'beneficiary_id')
  }
  for (const query of [(wanted: string) => `client_id=${wanted}`, (wanted: string) => `client_id=${wanted}&display=true`]) {
    const [unknown, foreign] = [
      await stranger.get(`/beneficiaries?${query(unknownId)}`),
      await stranger.get(`/beneficiaries?${query(client_id)}`),
    ]
    assert.deepEqual([unknown.status, unknown.text], [200, '[]'])
    assert.deepEqual([foreign.status, foreign.text], [200, '[]'])
  }
  assert.equal((await stranger.get('/beneficiaries')).text, '[]')
  assert.equal((await stranger.get('/beneficiaries?search=dupont')).text, '[]')
  assert.equal((await venture.get(`/beneficiaries/${id}`)).body.display, true)
})

test('a cursor of another venture shows nothing of that venture', async () => {
  const { venture, minimal } = await openVenture()
  const mine = await create(venture, minimal)
  const other = await openVenture()
  const theirs = await create(other.venture, other.minimal)
  assert.deepEqual((await venture.get(`/beneficiaries?after=${theirs.id}`)).body, [mine])
})

test('the list is newest first, in pages without gaps that keep the filters', async () => {
  const { venture, client_id, minimal } = await openVenture()
  const another = await registerClient(venture)
  const names = Array.from({ length: 7 }, (_, index) => `Listed ${index}`)
  for (const name of names) {
    await create(venture, { ...minimal, name })
    await create(venture, { ...minimal, name: 'Other', client_id: another })
  }
  const listed: string[] = []
  let path = `/beneficiaries?limit=3&client_id=${client_id}`
  for (let page = 0; page < 3; page++) {
    const answer = await venture.get(path)
    listed.push(...namesOf(answer))
    path = /^<\/api\/v1(.+)>; rel="next"$/.exec(answer.headers['link'] ?? '')?.[1] ?? 'no next page'
  }
  assert.equal(path, 'no next page')
  assert.deepEqual(listed, names.toReversed())
  assert.deepEqual(namesOf(await venture.get(`/beneficiaries?limit=2&offset=2&client_id=${client_id}`)), ['Listed 4', 'Listed 3'])
  assert.equal((await venture.get('/beneficiaries')).body.length, 14)
})

test('an invalid query is refused', async () => {
  const venture = await bank.registerVenture()
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1e9',
    'offset=-1',
    'after=7',
    `after=${unknownId}&offset=1`,
    'client_id=7',
    'client_id=',
    `client_id=${unknownId}&client_id=${unknownId}`,
    'display=yes',
    'display=',
    'display=1',
    'search=',
    `search=${'a'.repeat(256)}`,
    'search=%00',
    'search=%E2%80%AE',
    'surprise=1',
  ]) {
    const answer = await venture.get(`/beneficiaries?${query}`)
    assert.equal(answer.status, 400, query)
    assert.equal(answer.problem.code, 'invalid_request')
    assert.ok(answer.problem.errors.length > 0)
  }
})

test('the list is filtered by client, by display and by text', async () => {
  const { venture, client_id, minimal } = await openVenture()
  const another = await registerClient(venture)
  await create(venture, { ...minimal, name: 'Élodie 100% Bio', bank_name: 'Crédit Agricole' })
  await create(venture, { ...minimal, name: 'Under_score', iban: 'NL91ABNA0417164300', display: false })
  await create(venture, { ...minimal, name: 'Back\\slash', client_id: another, iban: null, account_number: '77-abc.9' })
  const found: [string, string[]][] = [
    [`client_id=${client_id}`, ['Under_score', 'Élodie 100% Bio']],
    [`client_id=${another.toUpperCase()}`, ['Back\\slash']],
    ['display=false', ['Under_score']],
    ['display=true', ['Back\\slash', 'Élodie 100% Bio']],
    [`display=true&client_id=${client_id}`, ['Élodie 100% Bio']],
    ['search=éLODIE', ['Élodie 100% Bio']],
    ['search=E\u0301lodie', ['Élodie 100% Bio']],
    ['search=CRÉDIT', ['Élodie 100% Bio']],
    ['search=abna04', ['Under_score']],
    ['search=77-ABC', ['Back\\slash']],
    ['search=DE8937', ['Élodie 100% Bio']],
    ['search=%', ['Élodie 100% Bio']],
    ['search=_', ['Under_score']],
    ['search=\\', ['Back\\slash']],
    ['search=1%o', []],
    ["search=' or 1=1 --", []],
    // The search covers only four fields.
    ['search=PERSON', []],
    [`search=_&client_id=${another}`, []],
  ]
  for (const [query, names] of found) {
    const encoded = query.replaceAll(/=([^&]*)/g, (_, value) => `=${encodeURIComponent(value)}`)
    assert.deepEqual(namesOf(await venture.get(`/beneficiaries?${encoded}`)), names, query)
  }
})

test('an update changes only display and updated_at', async () => {
  const { venture, minimal } = await openVenture()
  const before = await create(venture, minimal)
  const hidden = await venture.put(`/beneficiaries/${before.id}`, { display: false })
  assert.equal(hidden.status, 200)
  assert.deepEqual(hidden.body, { ...before, display: false, updated_at: hidden.body.updated_at })
  assert.ok(hidden.body.updated_at >= before.updated_at)
  assert.deepEqual(Object.keys(hidden.body), declared)
  assert.deepEqual((await venture.get(`/beneficiaries/${before.id}`)).body, hidden.body)
})

test('an update of any other field is refused, even with its current value, and changes nothing', async () => {
  const { venture, minimal } = await openVenture()
  const before = await create(venture, minimal)
  const fields = [...declared.filter((field) => field !== 'display'), 'venture_id', 'sequence', 'surprise']
  for (const body of [
    ...fields.map((field) => ({ display: false, [field]: before[field] ?? 'x' })),
    { display: null },
    { display: 'false' },
    { display: 0 },
    [],
  ]) {
    const answer = await venture.put(`/beneficiaries/${before.id}`, body)
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.equal(answer.problem.code, 'invalid_request')
  }
  assert.equal((await venture.put(`/beneficiaries/${before.id}`)).status, 400)
  assert.deepEqual((await venture.get(`/beneficiaries/${before.id}`)).body, before)
  assert.equal((await events(venture)).length, 1)
})

test('every change emits one event with the beneficiary after it, and an update without changes emits none', async () => {
  const { venture, minimal } = await openVenture()
  const created = await create(venture, minimal)
  const path = `/beneficiaries/${created.id}`
  assert.deepEqual((await venture.put(path, { display: true })).body, created)
  assert.deepEqual((await venture.put(path, {})).body, created)
  const { body: hidden } = await venture.put(path, { display: false })
  assert.deepEqual((await venture.put(path, { display: false })).body, hidden)
  const { body: displayed } = await venture.put(path, { display: true })
  const event = (type: string, sequence: number, object: object) => ({
    type,
    resource_id: created.id,
    sequence,
    data: { object, previous_status: null },
  })
  const recorded = await events(venture)
  assert.deepEqual(recorded, [
    event('beneficiary.created', 1, created),
    event('beneficiary.updated', 2, hidden),
    event('beneficiary.updated', 3, displayed),
  ])
  for (const { data } of recorded) assert.deepEqual(Object.keys(data.object), declared)
})

test('concurrent updates emit a sequence of events without gaps, and the last event matches the beneficiary', async () => {
  const { venture, minimal } = await openVenture()
  const { id } = await create(venture, minimal)
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => venture.put(`/beneficiaries/${id}`, { display: index % 2 === 1 })),
  )
  assert.ok(answers.every(({ status }) => status === 200))
  const recorded = await events(venture)
  assert.ok(recorded.length > 1)
  for (const [index, { sequence, data }] of recorded.entries()) {
    assert.equal(sequence, index + 1)
    assert.equal(data.object.display, index % 2 === 0)
  }
  assert.deepEqual(recorded.at(-1).data.object, (await venture.get(`/beneficiaries/${id}`)).body)
})

test('many beneficiaries are found by one statement, without duplicates and only with their own venture', async () => {
  const { venture, minimal } = await openVenture()
  const other = await openVenture()
  const venture_id = venture.venture.id
  const first = await create(venture, minimal)
  const second = await create(venture, { ...minimal, display: false })
  const theirs = await create(other.venture, other.minimal)
  const found = await findBeneficiaries(bank.database, [
    { venture_id, id: first.id },
    { venture_id, id: first.id },
    { venture_id, id: second.id },
    { venture_id, id: theirs.id },
    { venture_id, id: unknownId },
    { venture_id: other.venture.venture.id, id: theirs.id },
  ])
  assert.deepEqual(
    found.toSorted((one, two) => (one.id < two.id ? -1 : 1)),
    [
      { ...first, venture_id, sequence: 1 },
      { ...second, venture_id, sequence: 1 },
      { ...theirs, venture_id: other.venture.venture.id, sequence: 1 },
    ],
  )
  assert.deepEqual(await findBeneficiaries(bank.database, []), [])
})

test('the database enforces the rules too: no foreign client, no missing account, no change of the account', async () => {
  const { venture, minimal } = await openVenture()
  const other = await openVenture()
  const { id } = await create(venture, minimal)
  const copy = (changes: object) =>
    bank.owner.query(`insert into beneficiaries select (json_populate_record(b, $2)).* from beneficiaries b where id = $1`, [
      id,
      JSON.stringify({ id: unknownId, ...changes }),
    ])
  await assert.rejects(copy({ client_id: other.client_id }), { code: '23503' })
  await assert.rejects(copy({ venture_id: other.venture.venture.id }), { code: '23503' })
  for (const changes of [
    { iban: null },
    { iban: 'de89370400440532013000' },
    { bic: 'DEUTDEFF5' },
    { swift_code: 'DEUTDEFF5' },
    { account_number: 'a' },
    { routing_number: '02100002' },
    { country_code: 'FR' },
    { beneficiary_type: 'CHARITY' },
    { name: 'a'.repeat(141) },
    { city: '' },
    { sequence: 0 },
  ]) {
    await assert.rejects(copy(changes), { code: '23514' }, JSON.stringify(changes))
  }
  for (const statement of [
    `update beneficiaries set iban = 'NL91ABNA0417164300'`,
    'update beneficiaries set client_id = id',
    'delete from beneficiaries',
  ]) {
    await assert.rejects(bank.database.connections.pool.query(statement), { code: '42501' }, statement)
  }
})
