import assert from 'node:assert/strict'
import { test } from 'node:test'
import { containsPan } from './pan.ts'

test('card numbers are found in text, and other numbers are not', () => {
  for (const text of ['4111 1111 1111 1111', 'my card 5555-5555-5555-4444 please', '4111111111111111@example.com', '378282246310005']) {
    assert.ok(containsPan(text), text)
  }
  for (const text of ['Ada Lovelace', 'Invoice 4111111111111112', 'DE89370400440532013000', '+33612345678', '2026-11-15 09:30:00']) {
    assert.ok(!containsPan(text), text)
  }
})
