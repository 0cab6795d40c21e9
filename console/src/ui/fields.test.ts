import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changesOf, filledIn } from './fields.ts'

test('empty fields are left out', () => {
  assert.deepEqual(filledIn({ name: ' Ada ', city: '  ', code: '' }), { name: 'Ada' })
})

test('only what was changed is sent, and what was emptied is cleared', () => {
  const before = { city: 'Vilnius', email: 'ada@example.com', state_province: null, phone: '+37060000000' }
  assert.deepEqual(changesOf({ city: 'Kaunas', email: 'ada@example.com', state_province: '', phone: ' ' }, before), {
    city: 'Kaunas',
    phone: null,
  })
})
