import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { someOnboarding } from '../testing/testing.people.ts'
import { openBank } from '../testing/testing.ts'
import { OnboardingDetails } from './onboarding.schemas.ts'
import { accountPurposes, monthlyVolumes, occupationSectors, occupations, sourcesOfFunds } from './onboarding.values.ts'

const bank = await openBank()
const unknownId = '0198c6f2-0000-7000-8000-000000000000'

test('details are submitted once and read back', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient()
  const path = `/clients/${client.id}/onboarding/details`
  const missing = await venture.get(path)
  assert.equal(missing.problem.code, 'onboarding_not_found')
  const { status, headers, body } = await venture.post(path, { ...someOnboarding, other_occupation: 'Poet' })
  assert.equal(status, 201)
  assert.equal(headers['location'], `/api/v1${path}`)
  assert.deepEqual(Object.keys(body), Object.keys(OnboardingDetails.properties))
  assert.deepEqual(body.account_purposes, someOnboarding.account_purposes_input)
  assert.deepEqual([body.other_occupation, body.tax_identification_number, body.kyc_link], ['Poet', null, null])
  assert.deepEqual((await venture.get(path)).body, body)
  const again = await venture.post(path, someOnboarding)
  assert.equal(again.status, 409)
  assert.equal(again.problem.code, 'onboarding_exists')
  assert.deepEqual(await bank.eventTypes(venture), ['client.created', 'onboarding.submitted'])
})

test('fifty concurrent submissions store one, with one job', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient()
  const jobs = await bank.count('jobs')
  const answers = await Promise.all(
    Array.from({ length: 50 }, () => venture.post(`/clients/${client.id}/onboarding/details`, someOnboarding)),
  )
  assert.equal(answers.filter(({ status }) => status === 201).length, 1)
  assert.equal(answers.filter(({ problem }) => problem?.code === 'onboarding_exists').length, 49)
  assert.equal(await bank.count('jobs'), jobs + 1)
})

test('submitting details moves a client without verification to CREATED', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient({ kyc_level: 'NOT_REQUIRED' })
  await venture.post(`/clients/${client.id}/onboarding/details`, { ...someOnboarding, account_purposes_input: [] })
  assert.equal((await venture.get(`/clients/${client.id}`)).body.kyc_status, 'CREATED')
  assert.deepEqual(await bank.eventTypes(venture), ['client.created', 'onboarding.submitted', 'client.kyc_updated'])
})

test('an invalid submission is refused by field and stores nothing', async () => {
  const venture = await bank.registerVenture()
  const client = await venture.registerClient()
  const before = [await bank.count('onboarding_details'), await bank.count('jobs'), await bank.count('events')]
  const wrong: [string, unknown, string?][] = [
    ...Object.keys(someOnboarding).map((field): [string, unknown] => [field, undefined]),
    ['account_purposes_input', 'SALARY'],
    ['account_purposes_input', ['SALARY', 'SALARY']],
    ['account_purposes_input', ['salary'], 'account_purposes_input.0'],
    ['expected_monthly_incoming_volume', 'LOTS'],
    ['expected_monthly_outgoing_volume', 1000],
    ['occupation', 'engineer'],
    ['occupation_sector', ''],
    ['source_of_funds', null],
    ['is_us_person', 'no'],
    ['is_us_person', 0],
    ['funds_origin_country_id', '33'],
    ['funds_origin_country_id', 1.5],
    ['other_occupation', 'a'.repeat(256)],
    ['tax_identification_number', 'a\u0007'],
    ...['id', 'account_purposes', 'kyc_application_id', 'kyc_link', 'created_at', 'updated_at'].map((field): [string, unknown] => [
      field,
      'x',
    ]),
  ]
  for (const [field, value, named = field] of wrong) {
    const answer = await venture.post(`/clients/${client.id}/onboarding/details`, { ...someOnboarding, [field]: value })
    assert.equal(answer.status, 400, `${field}: ${JSON.stringify(value)}`)
    assert.ok(
      answer.problem.errors.some((error: { field: string }) => error.field === named),
      answer.text,
    )
  }
  assert.deepEqual([await bank.count('onboarding_details'), await bank.count('jobs'), await bank.count('events')], before)
})

test('the refusals for an unknown client and for another venture’s client are the same', async () => {
  const [owner, other] = [await bank.registerVenture(), await bank.registerVenture()]
  const client = await owner.registerClient()
  const foreign = await other.post(`/clients/${client.id}/onboarding/details`, someOnboarding)
  const unknown = await other.post(`/clients/${unknownId}/onboarding/details`, someOnboarding)
  assert.equal(foreign.problem.code, 'client_not_found')
  assert.deepEqual({ ...foreign.problem, request_id: '', instance: '' }, { ...unknown.problem, request_id: '', instance: '' })
})

test('the contract lists every choice of every field', async () => {
  const contract = JSON.parse(await readFile(new URL('../../../openapi.json', import.meta.url), 'utf8'))
  const { properties } = contract.components.schemas.OnboardingSubmission
  assert.deepEqual(properties.account_purposes_input.items.enum, accountPurposes)
  assert.deepEqual(properties.expected_monthly_incoming_volume.enum, monthlyVolumes)
  assert.deepEqual(properties.occupation.enum, occupations)
  assert.deepEqual(properties.occupation_sector.enum, occupationSectors)
  assert.deepEqual(properties.source_of_funds.enum, sourcesOfFunds)
  assert.deepEqual(
    [accountPurposes, monthlyVolumes, occupations, occupationSectors, sourcesOfFunds].map((values) => values.length),
    [13, 7, 17, 47, 16],
  )
})
