import assert from 'node:assert/strict'
import { test } from 'node:test'
import { envelopeOf, fieldsOf, givenEnvelope, givenTerms, spanOf, type Terms } from './terms.ts'

const before: Terms = {
  calendar: 'TARGET',
  zone: 'UTC',
  cut_offs: ['09:00', '15:30'],
  lead_days: 1,
  answer_hours: null,
  smallest: null,
  largest: '999999999.99',
  prefers: 10,
}

test('a form that nobody has changed sends nothing', () => {
  assert.deepEqual(givenTerms(fieldsOf({ ...before, currency: 'EUR' }), before), {})
})

test('only what differs is sent, and an empty field is no value', () => {
  const fields = { ...fieldsOf({ ...before, currency: 'EUR' }), zone: 'Europe/Berlin', cut_offs: '12:00', largest: '', answer_hours: '4' }
  assert.deepEqual(givenTerms({ ...fields, effective_at: '2027-01-01T00:00:00Z' }, before), {
    zone: 'Europe/Berlin',
    cut_offs: ['12:00'],
    answer_hours: 4,
    largest: null,
    effective_at: '2027-01-01T00:00:00Z',
  })
  assert.deepEqual(givenTerms({ ...fields, lead_days: 'two' }, before).lead_days, 'two')
})

test('an envelope without a root has no header', () => {
  const none = { clearing_code: null, clearing_system: null, instructed_bic: null, header: null }
  assert.deepEqual(givenEnvelope(envelopeOf(none)), none)
  const header = { root: 'Message', from_bic: null, to_bic: 'CSMXDEFFXXX', business_service: 'sct' }
  const whole = { clearing_code: null, clearing_system: 'STEP2', instructed_bic: 'CSMXDEFFXXX', header }
  assert.deepEqual(givenEnvelope(envelopeOf(whole)), whole)
})

test('the amounts in words', () => {
  const written = (amount: string) => `${amount} EUR`
  assert.equal(spanOf({ smallest: null, largest: null }, written), 'Any that the scheme carries')
  assert.equal(spanOf({ smallest: '1.00', largest: '5.00' }, written), 'from 1.00 EUR up to 5.00 EUR')
})
