// Every state of a payment with every answer, as a table of outcomes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Return } from '../../iso20022/iso20022.ts'
import type { TransferStatus } from '../../transfers/life/transfers.status.ts'
import type { RailPayment } from '../packs/rails.attempts.sql.ts'
import { type PaymentState, paymentStates } from '../packs/rails.payments.ts'
import { judgeReturn, judgeStatus, type Known, type Verdict } from './rails.answers.ts'

const payment: RailPayment = {
  venture_id: 'v',
  transfer_id: 't',
  attempt: 1,
  tx_id: 'tx',
  end_to_end_id: 'e2e',
  rail: 'SEPA',
  kind: 'CREDIT_TRANSFER',
  pack_id: 'p',
  position: 1,
  amount: '10.00',
  currency: 'EUR',
  settlement_date: '2026-11-16',
  walks: true,
  content: {},
  state: 'SENT',
  reason: null,
  settled_on: null,
  created_at: '',
  updated_at: '',
}

const known = (
  state: PaymentState,
  status: TransferStatus | undefined,
  more: Partial<RailPayment> & { on_hold_from?: TransferStatus } = {},
): Known => {
  const { on_hold_from = null, ...changes } = more
  return {
    payment: { ...payment, state, ...changes },
    transfer: status === undefined ? undefined : { status, method: changes.rail ?? 'SEPA', on_hold_from },
  }
}

/** A verdict in a word or two. */
function told(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'nothing':
      return verdict.outcome
    case 'problem':
      return verdict.problem
    case 'walk':
      return `${verdict.walk.steps.join(' ')} ${verdict.mark.state}`
    case 'mark':
      return `mark ${verdict.mark.state}`
    default:
      return verdict.kind
  }
}

const answers = ['ACSC', 'ACSP', 'RJCT', 'PDNG', 'XXXX'] as const

/** The outcomes of ACSC, ACSP, RJCT, PDNG and an unknown status, by the state of the payment and the status of its transfer. */
const table: [PaymentState, TransferStatus, ...string[]][] = [
  ['COLLECTED', 'SENT_TO_PACK', 'not_sent', 'not_sent', 'not_sent', 'not_sent', 'unknown_status'],
  ['PACKED', 'PACKED', 'not_sent', 'not_sent', 'not_sent', 'not_sent', 'unknown_status'],
  ['DROPPED', 'CANCELLED', 'not_sent', 'not_sent', 'not_sent', 'not_sent', 'unknown_status'],
  ['SENT', 'SENT_TO_CLEAR', 'ACCEPTED COMPLETED SETTLED', 'ACCEPTED ACCEPTED', 'REJECTED REJECTED', 'noted', 'unknown_status'],
  ['ACCEPTED', 'ACCEPTED', 'COMPLETED SETTLED', 'known', 'REJECTED REJECTED', 'noted', 'unknown_status'],
  ['SENT', 'TO_CANCEL', 'COMPLETED SETTLED', 'mark ACCEPTED', 'CANCELLED REJECTED', 'noted', 'unknown_status'],
  ['UNKNOWN', 'SOME_PROBLEMS', 'COMPLETED SETTLED', 'mark ACCEPTED', 'REJECTED REJECTED', 'noted', 'unknown_status'],
  ['UNKNOWN', 'MANUAL_ACTION', 'COMPLETED SETTLED', 'mark ACCEPTED', 'REJECTED REJECTED', 'noted', 'unknown_status'],
  ['SENT', 'COMPLETED', 'mark SETTLED', 'known', 'contradiction', 'noted', 'unknown_status'],
  ['UNKNOWN', 'REJECTED', 'late_settlement', 'known', 'mark REJECTED', 'noted', 'unknown_status'],
  ['SENT', 'CANCELLED', 'late_settlement', 'known', 'mark REJECTED', 'noted', 'unknown_status'],
  ['SETTLED', 'COMPLETED', 'known', 'known', 'contradiction', 'known', 'unknown_status'],
  ['RETURNED', 'COMPLETED', 'known', 'known', 'contradiction', 'known', 'unknown_status'],
  ['REJECTED', 'REJECTED', 'late_settlement', 'known', 'known', 'known', 'unknown_status'],
  ['REFUSED', 'SENT_TO_PACK', 'contradiction', 'known', 'known', 'known', 'unknown_status'],
]

test('what an answer leads to, for every state of a payment', () => {
  for (const [state, status, ...expected] of table) {
    const found = answers.map((answer) => told(judgeStatus({ status: answer }, known(state, status))))
    assert.deepEqual(found, expected, `${state} ${status}`)
  }
  assert.deepEqual([...new Set(table.map(([state]) => state))].sort(), [...paymentStates].sort())
})

test('an answer without a status, with another amount or in another currency changes nothing', () => {
  const sent = known('SENT', 'SENT_TO_CLEAR')
  assert.equal(told(judgeStatus({}, sent)), 'unknown_status')
  assert.equal(told(judgeStatus({ status: 'ACSC', original: { amount: 10_0100n, currency: 'EUR' } }, sent)), 'other_amount')
  assert.equal(told(judgeStatus({ status: 'ACSC', original: { amount: 10_0000n, currency: 'USD' } }, sent)), 'other_currency')
  assert.equal(told(judgeStatus({ status: 'ACSC', original: { amount: 10_0000n, currency: 'EUR' } }, sent)), 'ACCEPTED COMPLETED SETTLED')
})

test('a refusal as a repetition ends the first attempt, and no later one', () => {
  const refusal = { status: 'RJCT', reasons: [{ code: 'AM05' }] }
  assert.equal(told(judgeStatus(refusal, known('SENT', 'SENT_TO_CLEAR'))), 'REJECTED REJECTED')
  assert.equal(told(judgeStatus(refusal, known('SENT', 'SENT_TO_CLEAR', { attempt: 2 }))), 'repetition')
  assert.equal(told(judgeStatus(refusal, known('SENT', undefined, { kind: 'RETURN', walks: false, attempt: 2 }))), 'repetition')
  const other = { status: 'RJCT', reasons: [{ code: 'AC04' }] }
  assert.equal(told(judgeStatus(other, known('SENT', 'SENT_TO_CLEAR', { attempt: 2 }))), 'REJECTED REJECTED')
})

test('what somebody holds goes back to where it was held, and on from there', () => {
  const held = known('UNKNOWN', 'ON_HOLD', { on_hold_from: 'SOME_PROBLEMS' })
  assert.equal(told(judgeStatus({ status: 'ACSC' }, held)), 'SOME_PROBLEMS COMPLETED SETTLED')
  assert.equal(told(judgeStatus({ status: 'ACSP' }, held)), 'mark ACCEPTED')
})

test('an instant payment completes without having been accepted', () => {
  assert.equal(told(judgeStatus({ status: 'ACSC' }, known('SENT', 'SENT_TO_CLEAR', { rail: 'INST' }))), 'COMPLETED SETTLED')
})

test('returns of the house have no transfer to move', () => {
  for (const status of [undefined, 'REJECTED'] as const) {
    const back = { kind: 'RETURN', walks: false } as const
    assert.equal(told(judgeStatus({ status: 'ACSC' }, known('SENT', status, back))), 'mark SETTLED')
    assert.equal(told(judgeStatus({ status: 'ACSP' }, known('SENT', status, back))), 'mark ACCEPTED')
    assert.equal(told(judgeStatus({ status: 'ACSP' }, known('ACCEPTED', status, back))), 'known')
    assert.equal(told(judgeStatus({ status: 'RJCT' }, known('SENT', status, back))), 'return_refused')
    assert.equal(told(judgeStatus({ status: 'RJCT' }, known('REJECTED', status, back))), 'known')
  }
  const credited = { kind: 'RETURN', walks: true } as const
  assert.equal(told(judgeStatus({ status: 'RJCT' }, known('SENT', 'SENT_TO_CLEAR', credited))), 'REJECTED REJECTED')
  assert.equal(told(judgeStatus({ status: 'ACSC' }, known('REJECTED', 'REJECTED', { kind: 'DIRECT_DEBIT', rail: 'SDD' }))), 'contradiction')
})

test('what a return leads to', () => {
  const back: Return = { return_id: 'R', amount: 10_0000n, currency: 'EUR', reasons: [{ code: 'MD07' }] }
  const rows: [Known, Partial<Return>, string][] = [
    [known('SENT', 'SENT_TO_CLEAR'), {}, 'returned after ACCEPTED COMPLETED'],
    [known('UNKNOWN', 'SOME_PROBLEMS'), {}, 'returned after COMPLETED'],
    [known('SENT', 'TO_CANCEL'), {}, 'returned after COMPLETED'],
    [known('SETTLED', 'COMPLETED'), {}, 'returned'],
    [known('RETURNED', 'COMPLETED'), {}, 'returned'],
    [known('REJECTED', 'REJECTED'), {}, 'returned_late'],
    [known('UNKNOWN', 'REJECTED'), {}, 'returned_late'],
    [known('UNKNOWN', 'REJECTED'), { amount: 9_0000n, charges: [{ amount: 1_0000n, currency: 'EUR' }] }, 'other_amount'],
    [known('REJECTED', 'REJECTED', { kind: 'DIRECT_DEBIT', rail: 'SDD' }), {}, 'contradiction'],
    [known('SENT', 'ACCEPTED', { kind: 'DIRECT_DEBIT', rail: 'SDD' }), {}, 'returned after COMPLETED'],
    [known('SENT', undefined, { kind: 'CREDIT_TRANSFER', walks: false }), {}, 'return_refused'],
    [
      known('SENT', undefined, { kind: 'CREDIT_TRANSFER', walks: false }),
      { amount: 9_0000n, charges: [{ amount: 1_0000n, currency: 'EUR' }] },
      'other_amount',
    ],
    [known('RETURNED', undefined, { kind: 'CREDIT_TRANSFER', walks: false }), {}, 'known'],
    [known('SETTLED', undefined, { kind: 'RETURN', walks: false }), {}, 'unexpected'],
    [known('PACKED', 'PACKED'), {}, 'not_sent'],
    [known('REFUSED', 'SENT_TO_PACK'), {}, 'not_sent'],
    [known('SETTLED', 'COMPLETED'), { amount: 10_0100n }, 'other_amount'],
    [known('SETTLED', 'COMPLETED'), { amount: 9_0000n }, 'other_amount'],
    [known('SETTLED', 'COMPLETED'), { amount: 9_0000n, charges: [{ amount: 1_0000n, currency: 'EUR' }] }, 'returned'],
    [known('SETTLED', 'COMPLETED'), { amount: 9_0000n, charges: [{ amount: 1_0000n, currency: 'USD' }] }, 'other_amount'],
    [known('SETTLED', 'COMPLETED'), { original_amount: 11_0000n, original_currency: 'EUR' }, 'other_amount'],
    [known('SETTLED', 'COMPLETED'), { currency: 'USD' }, 'other_currency'],
  ]
  for (const [standing, changes, expected] of rows) {
    const verdict = judgeReturn({ ...back, ...changes }, standing)
    const steps = verdict.kind === 'returned' && verdict.completes !== undefined ? ` after ${verdict.completes.steps.join(' ')}` : ''
    assert.equal(
      told(verdict) + steps,
      expected,
      `${standing.payment.kind} ${standing.payment.state} ${standing.transfer?.status} ${expected}`,
    )
  }
})
