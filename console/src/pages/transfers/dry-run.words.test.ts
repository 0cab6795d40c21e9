import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leaves, textSent } from './dry-run.words.ts'

test('a text is shown as the other bank reads it, with what was typed if that is different', () => {
  assert.deepEqual(textSent({ field: 'cr_name', given: 'Ada Lovelace', sent: 'Ada Lovelace' }), {
    label: 'Payee’s name',
    sent: 'Ada Lovelace',
    note: undefined,
  })
  assert.equal(textSent({ field: 'purpose', given: 'Für Öl', sent: 'Fur Ol' }).note, 'Typed: Für Öl')
  assert.match(textSent({ field: 'purpose', given: 'Rent', sent: null }).note ?? '', /structured reference/)
  assert.match(textSent({ field: 'unique_reference', given: 'x'.repeat(40), sent: null }).note ?? '', /transfer’s id/)
  assert.equal(textSent({ field: 'dr_name', given: 'Ada', sent: null }).note, 'Not sent.')
})

test('a payment leaves with a cut-off or at once', () => {
  assert.match(leaves({ cut_off: '2026-03-04T10:00:00.000Z' }), /^At the cut-off \d\d Mar 2026/)
  assert.equal(leaves({ cut_off: null }), 'At once')
})
