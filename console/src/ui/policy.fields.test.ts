import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Policy } from '@vostro/sdk'
import { changesOf, changeWords, draftOf, faultOf, fieldWords, percentOf } from './policy.fields.ts'
import { ruleOf, ruleWords } from './policy.rules.ts'

const policy: Policy = {
  venture_id: 'v',
  version: 1,
  card_fee: '0.015',
  payout_delay_days: 2,
  rate_hold_s: 60,
  sign_above: '8000',
  review_above: null,
  signer: 'any',
  screen_threshold: '0.85',
  block_threshold: '0.97',
  lists: null,
  screen_peps: false,
  payee_check: 'off',
  funds_wait_h: 24,
  instant_timeout: 'hold',
  instant_screening: 'clients',
  rules: [{ kind: 'new_payee', above: '5000' }],
  actor: null,
  actor_id: null,
  created_at: null,
}

test('shares are written as percentages, digit by digit', () => {
  assert.equal(percentOf('0'), '0 %')
  assert.equal(percentOf('0.015'), '1.5 %')
  assert.equal(percentOf('0.5'), '50 %')
  assert.equal(percentOf('0.0000000001'), '0.00000001 %')
})

test('fields are said in words', () => {
  assert.equal(fieldWords('sign_above', '8000'), '8,000')
  assert.equal(fieldWords('review_above', null), 'Never')
  assert.equal(fieldWords('payout_delay_days', 1), '1 day')
  assert.equal(fieldWords('lists', ['EU', 'UN']), 'EU, UN')
  assert.equal(fieldWords('screen_peps', false), 'Ignore')
})

test('only what has changed is sent, in the form that the service wants', () => {
  const rules = policy.rules as never[]
  const draft = draftOf(policy)
  assert.deepEqual(changesOf(policy, draft, rules), {})
  const edited = { ...draft, sign_above: '', payout_delay_days: '3', lists: 'EU, UN,', screen_peps: 'true', card_fee: '0.02' }
  const changes = changesOf(policy, edited, [])
  assert.deepEqual(changes, {
    sign_above: null,
    payout_delay_days: 3,
    lists: ['EU', 'UN'],
    screen_peps: true,
    card_fee: '0.02',
    rules: [],
  })
  assert.deepEqual(changeWords(policy, changes).at(-1), {
    label: 'Removed rule',
    before: 'A payment above 5,000 to a new payee account.',
  })
  assert.deepEqual(changeWords(policy, { review_above: '12000', rules: [...rules, { kind: 'amount', above: '9000' }] as never }), [
    { label: 'Review above', before: 'Never', after: '12,000' },
    { label: 'New rule', after: 'A payment above 9,000.' },
  ])
})

test('what cannot be meant is said before it is sent', () => {
  assert.equal(faultOf('card_fee', '1.5'), 'A share such as 0.015, less than 1.')
  assert.equal(faultOf('screen_threshold', '0.3'), 'A score from 0.5 to 1.')
  assert.equal(faultOf('review_above', ''), undefined)
  assert.equal(faultOf('payout_delay_days', '-1'), 'A whole number.')
})

test('rules are made from texts', () => {
  assert.deepEqual(ruleOf('count', { above: '10', days: '7' }), { kind: 'count', above: 10, days: 7 })
  assert.deepEqual(ruleOf('country', { countries: 'cyp, mlt' }), { kind: 'country', countries: ['CYP', 'MLT'] })
  assert.deepEqual(ruleOf('expected_volume', {}), { kind: 'expected_volume' })
  assert.equal(ruleOf('sum', { above: '100' }), undefined)
  assert.equal(ruleWords({ kind: 'sum', above: '10000', days: 1 }), 'Payments totalling more than 10,000 within 1 day.')
})
