import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyNot } from './moves.ts'

const account = { status: 'ACTIVE', current_balance: '0.00', reserved_balance: '0.00', currency: 'EUR' } as const
const client = { kyc_status: 'VALIDATED', kyc_level: 'FULL_KYC', blocked: false, is_blacklisted: false } as const

test('what is possible has no reason against it', () => {
  assert.equal(whyNot('freeze', account, client), undefined)
  assert.equal(whyNot('close', account, client), undefined)
  assert.equal(whyNot('activate', { ...account, status: 'PENDING' }, client), undefined)
  assert.equal(
    whyNot('activate', { ...account, status: 'PENDING' }, { ...client, kyc_level: 'NOT_REQUIRED', kyc_status: 'NOT_STARTED' }),
    undefined,
  )
})

test('the reason names what is in the way', () => {
  assert.match(whyNot('activate', account, client) ?? '', /is active/)
  assert.match(whyNot('freeze', { ...account, status: 'CLOSED' }, client) ?? '', /permanently/)
  assert.match(whyNot('close', { ...account, status: 'PENDING' }, client) ?? '', /is pending/)
  assert.match(whyNot('close', { ...account, current_balance: '1200.50' }, client) ?? '', /1,200\.50 EUR/)
  assert.match(whyNot('close', { ...account, current_balance: '-3.00' }, client) ?? '', /in debt/)
  assert.match(whyNot('close', { ...account, reserved_balance: '3.00' }, client) ?? '', /reserved/)
  const pending = { ...account, status: 'PENDING' } as const
  assert.match(whyNot('activate', pending, { ...client, blocked: true }) ?? '', /blocked/)
  assert.match(whyNot('activate', pending, { ...client, is_blacklisted: true }) ?? '', /blacklisted/)
  assert.match(whyNot('activate', pending, { ...client, kyc_status: 'PENDING_REVIEW' }) ?? '', /pending review/)
})
