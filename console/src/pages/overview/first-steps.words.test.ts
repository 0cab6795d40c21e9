import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stepsOf, type There } from './first-steps.words.ts'

const none: There = {
  origin: 'https://bank.example',
  isSandbox: true,
  hasVerifier: true,
  isKeyUsed: true,
  venture: { id: '0198c6f2-0000-7000-8000-000000000001', control: 'MANAGED' },
}
const client = { id: 'c', first_name: 'Grace', last_name: 'Hopper', kyc_level: 'FULL_KYC', kyc_status: 'CREATED' } as const
const verified = { ...client, kyc_status: 'VALIDATED' } as const
const account = { id: 'a', account_number: 'LT1', status: 'ACTIVE', current_balance: '5.00', currency: 'EUR' } as const
const beneficiary = { id: 'b', name: 'Jean' }

/** All that the commands of a step say while one after another thing comes. */
function said(name: string, changes: Partial<There>): string {
  const stages: Partial<There>[] = [{}, { client }, { client: verified, account }, { client: verified, account, beneficiary }]
  return stages
    .flatMap((stage) => stepsOf({ ...none, ...stage, ...changes }))
    .filter((step) => step.name === name)
    .flatMap(({ text, commands }) => [text, ...commands])
    .join('\n')
}

const names = ['client', 'verification', 'account', 'money', 'payment']
const invented = /Ada|Lovelace|Babbage|DE89370400440532013000|30\.00|example\.com|ENGINEER"|1990/

test('in the sandbox nothing has to be filled in', () => {
  for (const name of names) assert.doesNotMatch(said(name, {}), /</)
  assert.match(said('client', {}), /Ada/)
})

test('outside the sandbox nobody and no amount is invented, and nothing is asked of the sandbox', () => {
  for (const name of names) {
    assert.doesNotMatch(said(name, { isSandbox: false }), invented, name)
    assert.doesNotMatch(said(name, { isSandbox: false }), /sandbox/i, name)
  }
  assert.match(said('client', { isSandbox: false }), /"first_name": "<first name>".*"date_of_birth": "<YYYY-MM-DD>"/s)
  assert.match(said('verification', { isSandbox: false }), /"is_us_person": <true or false>/)
  const payment = said('payment', { isSandbox: false })
  for (const part of ['"name": "<name of the payee>"', '"iban": "<IBAN of the payee>"', '"debit_amount": "<amount>"'])
    assert.ok(payment.includes(part), part)
})

test('without a verifier the step says so and names the setting', () => {
  const details = { kyc_link: null }
  const [without, by] = [false, true].map((hasVerifier) => said('verification', { isSandbox: false, hasVerifier, client, details })) as [
    string,
    string,
  ]
  assert.match(without, /no verifier.*VERIFIER/)
  assert.doesNotMatch(without, /curl/)
  assert.doesNotMatch(by, /VERIFIER/)
  assert.match(by, /curl .*onboarding\/details/)
})
