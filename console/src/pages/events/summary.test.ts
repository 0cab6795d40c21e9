import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryOf } from './summary.ts'

const told = (object: object, previous_status: string | null = null) =>
  summaryOf({ data: { object: { id: '01a3d1f8-3296-78bf-af39-e697a45a60d5', ...object }, previous_status } } as never)

test('an event is told by what names its object, with the amount as it is and the move', () => {
  assert.equal(
    told({ unique_reference: 'R-1', debit_amount: '1000.10', debit_currency: 'EUR', status: 'COMPLETED' }, 'RESERVED'),
    'R-1 · 1,000.10 EUR · Reserved → Completed',
  )
  assert.equal(told({ description: 'A chair', url: 'https://pay.example/1', amount: '30.00', currency: 'EUR' }), 'A chair · 30.00 EUR')
  assert.equal(told({ name: 'Lumen', status: 'ACTIVE' }), 'Lumen')
  assert.equal(told({ kyc_status: 'APPROVED' }, 'PENDING'), 'a45a60d5 · Pending → Approved')
})
