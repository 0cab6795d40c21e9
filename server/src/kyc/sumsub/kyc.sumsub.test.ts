import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../values/refusals.ts'
import type { Envelope } from '../kyc.schemas.ts'
import type { Applicant } from '../kyc.verifier.ts'
import { type Algorithm, type StandinApplicant, SumsubStandin, signedEvent } from './kyc.sumsub.standin.ts'
import { applicationIdOf, sumsubVerifier } from './kyc.sumsub.ts'

const appToken = 'sbx:standin-token'
const secretKey = 'standin-secret-key'
const webhookSecret = 'standin-webhook-secret'
const levelName = { FULL_KYC: "full level's (1)", DOC_ONLY: 'doc-level' }

const sumsub = new SumsubStandin({ appToken, secretKey, webhookSecret, levels: Object.values(levelName) })
before(() => sumsub.start())
after(() => sumsub.stop())
afterEach(() => sumsub.behave())

function verifier(options: Partial<Parameters<typeof sumsubVerifier>[0]> = {}) {
  return sumsubVerifier({ url: sumsub.url, appToken, secretKey, webhookSecrets: [webhookSecret], levelName, ...options })
}

function applicant(given: Partial<Applicant['client']> = {}): Applicant {
  const now = '2026-11-15T09:30:00.000Z'
  const client: Applicant['client'] = {
    id: randomUUID(),
    first_name: 'Zoë',
    middle_name: 'Amélie',
    last_name: 'Ødegård',
    date_of_birth: '1990-02-28',
    gender: 'female',
    nationality: 'NOR',
    birth_country: 'DZA',
    country_of_tax_residence: 'FRA',
    country_code: 'FRA',
    address: '1 rue de la Paix',
    city: 'Paris',
    postcode: '75002',
    state_province: 'Île-de-France',
    email: 'zoe@example.com',
    second_email: null,
    mobile_phone_number: '+33612345678',
    second_mobile_phone_number: null,
    organization_id: 1,
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
    created_at: now,
    updated_at: now,
    ...given,
  }
  // The onboarding details are not sent to Sumsub.
  return { client, details: {} as Applicant['details'] }
}

function keptFor({ client }: Applicant): StandinApplicant {
  const kept = sumsub.applicants.get(client.id)
  assert.ok(kept)
  return kept
}

/** Must fail with this message, which contains neither a secret nor personal data. */
async function assertFails(opening: Promise<unknown>, message: RegExp, { client }: Applicant): Promise<void> {
  await assert.rejects(opening, (error: unknown) => {
    assert.ok(error instanceof Error && !(error instanceof Refusal))
    assert.match(error.message, message)
    const everything = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`
    for (const secret of [appToken, secretKey, webhookSecret, client.id, client.email, client.last_name, client.address]) {
      assert.ok(!everything.includes(secret), `the error reveals ${secret}`)
    }
    return true
  })
}

test('opening creates the applicant with the known data of the client and returns its link', async () => {
  const someone = applicant()
  const application = await verifier().openApplication(someone)
  const { id, inspectionId, ...kept } = keptFor(someone)
  assert.deepEqual(kept, {
    externalUserId: someone.client.id,
    email: 'zoe@example.com',
    phone: '+33612345678',
    levelName: levelName.FULL_KYC,
    fixedInfo: {
      firstName: 'Zoë',
      middleName: 'Amélie',
      lastName: 'Ødegård',
      dob: '1990-02-28',
      gender: 'F',
      nationality: 'NOR',
      countryOfBirth: 'DZA',
      country: 'FRA',
      addresses: [{ country: 'FRA', state: 'Île-de-France', town: 'Paris', postCode: '75002', street: '1 rue de la Paix' }],
    },
  })
  assert.match(id, /^[0-9a-f]{24}$/)
  assert.deepEqual(application, { id: applicationIdOf(id), link: sumsub.links.at(-1)?.url })
  assert.deepEqual(sumsub.links.at(-1), { url: application.link, levelName: levelName.FULL_KYC, ttlInSecs: 604_800 })
})

test('unknown data of the client is omitted', async () => {
  const someone = applicant({ middle_name: null, gender: null, state_province: null, mobile_phone_number: null })
  await verifier().openApplication(someone)
  const { phone, fixedInfo } = keptFor(someone)
  assert.equal(phone, undefined)
  assert.deepEqual(Object.keys(fixedInfo), ['firstName', 'lastName', 'dob', 'nationality', 'countryOfBirth', 'country', 'addresses'])
  assert.deepEqual(Object.keys(fixedInfo.addresses?.[0] ?? {}), ['country', 'town', 'postCode', 'street'])
})

test('the level of the client decides the level at Sumsub', async () => {
  for (const [kyc_level, level] of [
    ['DOC_ONLY', levelName.DOC_ONLY],
    ['FULL_KYC', levelName.FULL_KYC],
    ['NOT_REQUIRED', levelName.FULL_KYC],
  ] as const) {
    const someone = applicant({ kyc_level })
    await verifier().openApplication(someone)
    assert.equal(keptFor(someone).levelName, level)
  }
  const someone = applicant()
  await verifier({ levelName: levelName.DOC_ONLY }).openApplication(someone)
  assert.equal(keptFor(someone).levelName, levelName.DOC_ONLY)
})

test('opening again, once or many times at the same moment, finds the same application', async () => {
  const someone = applicant()
  const before = sumsub.applicants.size
  const applications = await Promise.all(Array.from({ length: 8 }, () => verifier().openApplication(someone)))
  applications.push(await verifier().openApplication(someone))
  assert.deepEqual([...new Set(applications.map(({ id }) => id))], [applicationIdOf(keptFor(someone).id)])
  assert.equal(sumsub.applicants.size, before + 1)
})

test('an applicant whose creation got no answer is found by the next attempt', async () => {
  const someone = applicant()
  sumsub.misbehave('lost', ['create'])
  await assertFails(verifier().openApplication(someone), /^Sumsub: creating an applicant failed: no answer/, someone)
  const { id } = keptFor(someone)
  sumsub.behave()
  sumsub.operations.length = 0
  assert.equal((await verifier().openApplication(someone)).id, applicationIdOf(id))
  assert.deepEqual(sumsub.operations, ['create', 'find', 'link'])
})

test('a link whose answer was lost is created again', async () => {
  const someone = applicant()
  sumsub.misbehave('lost', ['link'])
  await assertFails(verifier().openApplication(someone), /^Sumsub: creating a link failed: no answer/, someone)
  sumsub.behave()
  const application = await verifier().openApplication(someone)
  assert.deepEqual(application, { id: applicationIdOf(keptFor(someone).id), link: sumsub.links.at(-1)?.url })
})

test('requests with a wrong secret or token fail with an error that reveals neither', async () => {
  const someone = applicant()
  const refused = /^Sumsub: creating an applicant failed: status 401, error 4010, correlation [0-9a-f]{32}$/
  await assertFails(verifier({ secretKey: 'another-secret' }).openApplication(someone), refused, someone)
  await assertFails(verifier({ appToken: 'another-token' }).openApplication(someone), refused, someone)
  assert.equal(sumsub.applicants.has(someone.client.id), false)
})

test('a level that Sumsub does not know fails', async () => {
  const someone = applicant()
  await assertFails(verifier({ levelName: 'no-level' }).openApplication(someone), /creating an applicant failed: status 404/, someone)
})

const operations = [
  ['create', 'creating an applicant'],
  ['find', 'finding an applicant'],
  ['link', 'creating a link'],
] as const
const mishaps = [
  ['slow', (what: string) => `^Sumsub: ${what} failed: no answer within 1500 ms$`],
  ['down', (what: string) => `^Sumsub: ${what} failed: no answer \\([A-Z_]+\\)$`],
  ['failing', (what: string) => `^Sumsub: ${what} failed: status 500, `],
  ['redirected', (what: string) => `^Sumsub: ${what} failed: status 302$`],
  ['garbage', (what: string) => `^Sumsub: ${what} failed: unexpected answer$`],
  ['verbose', (what: string) => `^Sumsub: ${what} failed: the answer is longer than 1048576 bytes$`],
] as const

for (const [mishap, message] of mishaps) {
  test(`when Sumsub is ${mishap}, opening fails at any of its steps and works afterwards`, async () => {
    for (const [operation, what] of operations) {
      const someone = applicant()
      if (operation === 'find') await verifier().openApplication(someone)
      sumsub.misbehave(mishap, [operation])
      await assertFails(
        verifier({ timeout_ms: mishap === 'slow' ? 1_500 : 60_000 }).openApplication(someone),
        new RegExp(message(what)),
        someone,
      )
      sumsub.behave()
      assert.equal((await verifier().openApplication(someone)).id, applicationIdOf(keptFor(someone).id))
    }
  })
}

test('if nothing listens at the address, opening fails', async () => {
  const someone = applicant()
  const gone = await new SumsubStandin({ appToken, secretKey, webhookSecret, levels: [] }).start()
  const { url } = gone
  await gone.stop()
  await assertFails(
    verifier({ url }).openApplication(someone),
    /^Sumsub: creating an applicant failed: no answer \(ECONNREFUSED\)$/,
    someone,
  )
})

test('a link that is not a web address and an applicant of another client are refused', async () => {
  const someone = applicant()
  const good = { id: 'a'.repeat(24), externalUserId: someone.client.id }
  const url = 'https://example.com/'
  for (const [created, link, message] of [
    [good, { url: 'javascript:alert(1)' }, /creating a link failed: unexpected answer/],
    [good, { url: `https://example.com/${'a'.repeat(2048)}` }, /creating a link failed: unexpected answer/],
    [good, { url: 1 }, /creating a link failed: unexpected answer/],
    [good, [], /creating a link failed: unexpected answer/],
    [{ ...good, externalUserId: randomUUID() }, { url }, /creating an applicant failed: unexpected answer/],
    [{ ...good, id: '../..' }, { url }, /creating an applicant failed: unexpected answer/],
    [{ ...good, id: null }, { url }, /creating an applicant failed: unexpected answer/],
    [null, { url }, /creating an applicant failed: unexpected answer/],
  ] as const) {
    const server = createServer((request, response) => response.end(JSON.stringify(request.url?.includes('websdkLink') ? link : created)))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const opening = verifier({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }).openApplication(someone)
    await assertFails(opening, message, someone)
    server.closeAllConnections()
    server.close()
  }
})

test('application ids are UUIDs of version 8, always the same for one applicant', () => {
  assert.equal(applicationIdOf('5cb56e8e0a975a35f333cb83'), applicationIdOf('5cb56e8e0a975a35f333cb83'))
  const applicantIds = fc.stringMatching(/^[0-9a-f]{24}$/)
  fc.assert(
    fc.property(applicantIds, applicantIds, (one, other) => {
      assert.match(applicationIdOf(one), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      assert.equal(applicationIdOf(one) === applicationIdOf(other), one === other)
    }),
  )
})

function read(type: string, fields: object = {}): Envelope {
  const { headers, bytes } = sumsub.event(type, fields)
  return verifier().readEvent(headers, bytes)
}

function review(reviewAnswer: string, reviewRejectType?: string): object {
  return { reviewResult: { reviewAnswer, reviewRejectType } }
}

const meanings: [type: string, fields: object, meaning: string][] = [
  ['applicantCreated', {}, 'verification.created'],
  ['applicantPending', {}, 'verification.started'],
  ['applicantOnHold', {}, 'verification.review'],
  ['applicantReset', {}, 'verification.resubmission_requested'],
  ['applicantDeactivated', {}, 'verification.aborted'],
  ['applicantReviewed', review('GREEN'), 'verification.approved'],
  ['applicantReviewed', review('RED', 'FINAL'), 'verification.declined'],
  ['applicantReviewed', review('RED', 'RETRY'), 'verification.resubmission_requested'],
  // Unknown results go to manual review.
  ['applicantReviewed', review('RED'), 'verification.review'],
  ['applicantReviewed', review('RED', 'EXTERNAL'), 'verification.review'],
  ['applicantReviewed', review('YELLOW'), 'verification.review'],
  ['applicantReviewed', review('green'), 'verification.review'],
  ['applicantReviewed', {}, 'verification.review'],
  ['applicantReviewed', { reviewResult: null }, 'verification.review'],
  // A result in an event other than a review decides nothing.
  ['applicantPending', review('GREEN'), 'verification.started'],
  ['applicantAwaitingUser', {}, 'applicantAwaitingUser'],
  ['applicantActionReviewed', review('GREEN'), 'applicantActionReviewed'],
  ['applicantWorkflowCompleted', review('GREEN'), 'applicantWorkflowCompleted'],
  ['applicantActivated', {}, 'applicantActivated'],
  ['applicantDeleted', {}, 'applicantDeleted'],
  ['toString', {}, 'toString'],
]

for (const [type, fields, meaning] of meanings) {
  test(`${type} with ${JSON.stringify(fields)} means ${meaning}`, () => {
    assert.equal(read(type, fields).type, meaning)
  })
}

test('an event becomes an envelope with everything that it says', () => {
  const envelope = read('applicantReviewed', {
    applicantId: '5cb56e8e0a975a35f333cb83',
    inspectionId: '5cb56e8e0a975a35f333cb84',
    correlationId: 'req-a260b669-4f14-4bb5-a4c5-ac0218acb9a4',
    externalUserId: '0199a6f0-7d3c-7000-8000-000000000001',
    createdAtMs: '2026-11-15 09:30:00.123',
    reviewResult: {
      reviewAnswer: 'RED',
      reviewRejectType: 'FINAL',
      rejectLabels: ['FORGERY', 'BLACKLIST'],
      clientComment: ' The document\r\nwas\u0000 made by\u202e hand. ',
      moderationComment: 'Please send a document.',
      buttonIds: [],
    },
  })
  assert.match(envelope.id, /^sumsub-[0-9a-f]{64}$/)
  assert.deepEqual(envelope, {
    id: envelope.id,
    type: 'verification.declined',
    created_at: '2026-11-15T09:30:00.123Z',
    application_id: applicationIdOf('5cb56e8e0a975a35f333cb83'),
    client_id: '0199a6f0-7d3c-7000-8000-000000000001',
    sequence: null,
    data: { note: 'The document was made by hand.', reason_codes: ['FORGERY', 'BLACKLIST'] },
  })
})

test('an event about no applicant is read too', () => {
  const { application_id, client_id, data } = read('kytTxnApproved', { kytTxnId: '1' })
  assert.deepEqual({ application_id, client_id, data }, { application_id: null, client_id: null, data: {} })
  assert.deepEqual(read('applicantCreated', { applicantId: '', externalUserId: '', reviewResult: null }).client_id, null)
})

test('the note is the comment for the venture, else the one for the person, cut to 255 characters', () => {
  const note = (comments: object) => read('applicantReviewed', { reviewResult: { reviewAnswer: 'GREEN', ...comments } }).data?.note
  assert.equal(note({ moderationComment: 'Send it again.' }), 'Send it again.')
  assert.equal(note({ clientComment: ' \n ', moderationComment: 'Send it again.' }), 'Send it again.')
  assert.equal(note({ clientComment: null, moderationComment: null }), undefined)
  assert.equal(note({ clientComment: '' }), undefined)
  assert.equal(note({ clientComment: '😀'.repeat(300) }), '😀'.repeat(255))
})

test('comments and labels of any kind never make an event unreadable', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 600 }), fc.string({ unit: 'grapheme', maxLength: 600 }))
  fc.assert(
    fc.property(text, text, fc.array(text, { maxLength: 120 }), (clientComment, moderationComment, rejectLabels) => {
      const { data } = read('applicantReviewed', {
        reviewResult: { reviewAnswer: 'GREEN', clientComment, moderationComment, rejectLabels },
      })
      assert.ok(Array.from(data?.note ?? '').length <= 255)
    }),
    { numRuns: 50 },
  )
})

test('a repeated delivery has the same id, and every other event another', () => {
  const fields = { applicantId: 'a'.repeat(24), correlationId: 'req-1', createdAtMs: '2026-11-15 09:30:00.123' }
  const same = { ...fields, reviewStatus: 'completed' }
  const ids = [
    read('applicantPending', fields),
    read('applicantReviewed', fields),
    read('applicantReviewed', { ...fields, ...review('GREEN') }),
    read('applicantReviewed', { ...fields, ...review('RED', 'FINAL') }),
    read('applicantReviewed', { ...fields, ...review('RED', 'RETRY') }),
    read('applicantPending', { ...fields, applicantId: 'b'.repeat(24) }),
    read('applicantPending', { ...fields, correlationId: 'req-2' }),
    read('applicantPending', { ...fields, createdAtMs: '2026-11-15 09:30:00.124' }),
  ].map(({ id }) => id)
  assert.equal(read('applicantPending', same).id, ids[0])
  assert.equal(new Set(ids).size, ids.length)
})

test('times are read in every form that Sumsub has used, and others refused', () => {
  const time = (fields: object) => read('applicantPending', fields).created_at
  assert.equal(time({ createdAtMs: '2026-11-15 09:30:00.123' }), '2026-11-15T09:30:00.123Z')
  assert.equal(time({ createdAtMs: '2026-11-15 09:30:00' }), '2026-11-15T09:30:00.000Z')
  assert.equal(time({ createdAtMs: undefined, createdAt: '2026-11-15 09:30:00+0000' }), '2026-11-15T09:30:00.000Z')
  for (const createdAtMs of [
    '',
    'yesterday',
    '2026-02-30 09:30:00',
    '2026-11-15 25:00:00',
    '2026-11-15 09:30:00+0200',
    undefined,
    1_763_199_000_123,
  ]) {
    assert.throws(() => time({ createdAtMs }), { code: 'invalid_request' }, String(createdAtMs))
  }
})

function assertUnsigned(
  headers: Record<string, string | undefined>,
  bytes: Uint8Array,
  secrets: readonly string[] = [webhookSecret],
): void {
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
  assert.throws(() => verifier({ webhookSecrets: secrets }).readEvent(given, bytes), { code: 'invalid_signature' })
}

test('SHA-256 and SHA-512 are accepted, SHA-1 and unknown algorithms are not', () => {
  for (const algorithm of ['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'] as const) {
    const { headers, bytes } = sumsub.event('applicantPending', {}, { algorithm })
    assert.equal(verifier().readEvent(headers, bytes).type, 'verification.started')
    const upper = { ...headers, 'x-payload-digest': headers['x-payload-digest'].toUpperCase() }
    assert.equal(verifier().readEvent(upper, bytes).type, 'verification.started')
  }
  const old = sumsub.event('applicantPending', {}, { algorithm: 'HMAC_SHA1_HEX' })
  assertUnsigned(old.headers, old.bytes)
  const { headers, bytes } = sumsub.event('applicantPending')
  for (const algorithm of [
    undefined,
    '',
    'HMAC_SHA512_HEX',
    'hmac_sha256_hex',
    'HMAC_MD5_HEX',
    'none',
    'constructor',
    'HMAC_SHA256_HEX, HMAC_SHA256_HEX',
  ]) {
    assertUnsigned({ ...headers, 'x-payload-digest-alg': algorithm }, bytes)
  }
})

test('a digest that is missing, wrong, truncated, too long or not hexadecimal is refused', () => {
  for (const algorithm of ['HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'] satisfies Algorithm[]) {
    const { headers, bytes } = sumsub.event('applicantPending', {}, { algorithm })
    const digest = headers['x-payload-digest']
    const flipped = (at: number) => `${digest.slice(0, at)}${digest[at] === '0' ? '1' : '0'}${digest.slice(at + 1)}`
    const wrong = [undefined, '', '00', digest.slice(0, -1), digest.slice(0, -2), `${digest}00`, ` ${digest}`, `${digest.slice(0, -1)}g`]
    for (const one of [...wrong, `${digest}, ${digest}`, 'é'.repeat(digest.length), '0'.repeat(digest.length)]) {
      assertUnsigned({ ...headers, 'x-payload-digest': one }, bytes)
    }
    for (let at = 0; at < digest.length; at++) assertUnsigned({ ...headers, 'x-payload-digest': flipped(at) }, bytes)
  }
})

test('an event with any one byte changed, added or missing is refused', () => {
  const { headers, bytes } = sumsub.event('applicantReviewed', review('RED', 'FINAL'))
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed.writeUInt8((changed.readUInt8(at) + 1) % 256, at)
    assertUnsigned(headers, changed)
  }
  assertUnsigned(headers, bytes.subarray(1))
  assertUnsigned(headers, bytes.subarray(0, -1))
  assertUnsigned(headers, Buffer.concat([bytes, Buffer.from(' ')]))
  // The same content in other bytes has another signature.
  assertUnsigned(headers, Buffer.from(JSON.stringify(JSON.parse(bytes.toString()))))
  assertUnsigned(headers, Buffer.alloc(0))
})

test('two secrets are accepted during a rotation; without a secret every event is refused', () => {
  const old = sumsub.event('applicantPending')
  const next = sumsub.event('applicantPending', {}, { secret: 'the-next-secret' })
  const both = verifier({ webhookSecrets: ['the-next-secret', webhookSecret] })
  for (const { headers, bytes } of [old, next]) assert.equal(both.readEvent(headers, bytes).type, 'verification.started')
  assertUnsigned(next.headers, next.bytes)
  assertUnsigned(old.headers, old.bytes, ['the-next-secret'])
  assertUnsigned(old.headers, old.bytes, [])
  const open = sumsub.event('applicantPending', {}, { secret: '' })
  assertUnsigned(open.headers, open.bytes, [''])
})

test('nothing is parsed before the digest matches; the body is then parsed strictly', () => {
  const malformed = ['{', '', '{"type":"a","type":"b"}', `${'['.repeat(30)}${']'.repeat(30)}`]
  const misshapen = ['null', '[]', '"applicantPending"', '{}', '{"type":1}', '{"type":"","createdAtMs":"2026-11-15 09:30:00"}']
  const event = { type: 'applicantReviewed', createdAtMs: '2026-11-15 09:30:00' }
  misshapen.push(JSON.stringify({ ...event, reviewResult: { rejectLabels: 'FORGERY' } }), JSON.stringify({ ...event, externalUserId: 7 }))
  misshapen.push(JSON.stringify({ ...event, externalUserId: 'a\u0000b' }), JSON.stringify({ ...event, externalUserId: 'a'.repeat(256) }))
  const cases = [...malformed.map((text) => [text, 'malformed_body']), ...misshapen.map((text) => [text, 'invalid_request'])]
  for (const [text = '', code] of cases) {
    const { headers, bytes } = signedEvent(text, 'HMAC_SHA256_HEX', webhookSecret)
    assert.throws(() => verifier().readEvent(headers, bytes), { code }, text)
    assertUnsigned({ ...headers, 'x-payload-digest': '0'.repeat(64) }, bytes)
  }
})

test('events sent over HTTP are read as they arrive and concern the application that was opened', async () => {
  const someone = applicant()
  const application = await verifier().openApplication(someone)
  const read: Envelope[] = []
  const receiver = createServer(async (request, response) => {
    const bytes = Buffer.concat(await request.toArray())
    read.push(verifier().readEvent(request.headers, bytes))
    response.end()
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  assert.equal(await sumsub.send(url, 'applicantPending', keptFor(someone)), 200)
  assert.equal(await sumsub.send(url, 'applicantReviewed', keptFor(someone), review('GREEN')), 200)
  receiver.closeAllConnections()
  receiver.close()
  assert.deepEqual(
    read.map(({ type, application_id, client_id }) => ({ type, application_id, client_id })),
    ['verification.started', 'verification.approved'].map((type) => ({
      type,
      application_id: application.id,
      client_id: someone.client.id,
    })),
  )
})
