import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Approval } from '@vostro/sdk'
import { actionWords, gistOf, placeOf } from './approvals.words.ts'

const approval = {
  action: 'decide-case',
  venture_id: 'v',
  resource_id: 't',
  payload: { case_id: 'c', decision: 'clear' },
} as unknown as Approval

test('an approval says what is asked for', () => {
  assert.equal(actionWords('decide-case'), 'Decide a case')
  assert.equal(actionWords('do-something-new'), 'Do something new')
  assert.equal(gistOf(approval), 'Clear')
  assert.equal(gistOf({ payload: { email: 'a@b.example', role: 'admin' } }), 'a@b.example, admin')
  assert.equal(gistOf({ payload: { amount: '1200.00', currency: 'EUR' } }), '1,200.00 EUR')
})

test('an approval leads to what it is about', () => {
  assert.deepEqual(placeOf(approval), { to: '/bank/cases/c', label: 'Show the case' })
  assert.equal(placeOf({ ...approval, action: 'change-policy' })?.to, '/bank/ventures/v')
  assert.equal(placeOf({ ...approval, action: 'unfreeze-account' })?.to, '/v/v/accounts/t')
  assert.equal(placeOf({ ...approval, action: 'set-rate' }), undefined)
})
