import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindWords } from '../../ui/cases.ts'
import { decisionWords, detailsOf, isComplete, nextOf, summaryOf } from './cases.words.ts'

test('a case says what it is about', () => {
  assert.equal(kindWords('hit'), 'Hit on a payment')
  assert.equal(kindWords('something_new'), 'Something new')
  const payload = { debit_amount: '10513.50', debit_currency: 'EUR', review_above: '10000' }
  assert.equal(summaryOf({ kind: 'amount', payload }), '10,513.50 EUR, above 10,000')
  assert.equal(summaryOf({ kind: 'rule', payload: { rules: [{ rule: { kind: 'new_payee' } }] } }), 'New payee')
  assert.equal(summaryOf({ kind: 'hit', payload: { proposes: 'freeze' } }), 'Proposed: freeze')
  assert.equal(summaryOf({ kind: 'manual', payload: { reason: 'A letter.' } }), 'A letter.')
  assert.equal(summaryOf({ kind: 'manual', payload: { reason: 'a'.repeat(2000) } }).length, 80)
  assert.equal(summaryOf({ kind: 'nostro_statement', payload: {} }), '')
})

test('the same decision can need more for one kind than for another', () => {
  assert.equal(detailsOf('suspended', 'apply', {}), undefined)
  assert.equal(isComplete('suspended', 'apply', {}), true)
  assert.equal(isComplete('unapplied', 'apply', { venture_id: 'v' }), false)
  assert.deepEqual(detailsOf('unapplied', 'apply', { venture_id: ' v ', account_id: 'a', other: 'x' }), {
    venture_id: 'v',
    account_id: 'a',
  })
  assert.equal(isComplete('break', 'collect', {}), true)
})

test('what protects needs one person, what releases two', () => {
  assert.equal(decisionWords('hit', 'freeze').needsTwo, false)
  assert.equal(decisionWords('hit', 'keep').needsTwo, false)
  assert.equal(decisionWords('hit', 'clear').needsTwo, true)
  assert.equal(decisionWords('hit', 'unheard_of').needsTwo, true)
})

test('urgent cases come first, then those that are due first; not those of others', () => {
  const made = (id: string, severity: 'NORMAL' | 'URGENT', due_at: string, assignee_id: string | null = null) => ({
    id,
    severity,
    due_at,
    assignee_id,
  })
  const all = [made('a', 'NORMAL', '1'), made('b', 'URGENT', '3', 'other'), made('c', 'URGENT', '4', 'me'), made('d', 'NORMAL', '2')]
  assert.equal(nextOf(all, 'x', 'me')?.id, 'c')
  assert.equal(nextOf(all, 'c', 'me')?.id, 'a')
  assert.equal(nextOf([], 'c', 'me'), undefined)
})
