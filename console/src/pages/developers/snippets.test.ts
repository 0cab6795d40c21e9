import assert from 'node:assert/strict'
import { test } from 'node:test'
import { snippetsFor } from './snippets.ts'

const own = { origin: 'https://bank.example', account: 'acc-1', beneficiary: 'ben-1', transfer: 'tra-1' }

test('the lines have the address and the ids of the venture', () => {
  const curl = snippetsFor('curl', own).map(({ text }) => text)
  assert.ok(curl.every((text) => text.includes('https://bank.example/api/v1/')))
  assert.ok(curl.some((text) => text.includes('"account_id": "acc-1",\n  "beneficiary_id": "ben-1"')))
  assert.ok(snippetsFor('sdk', own).some(({ text }) => text.includes(`vostro.accounts.get('acc-1')`)))
  assert.ok(snippetsFor('cli', own).some(({ text }) => text.includes('transfers get tra-1')))
})

test('what a new venture does not have yet is a name to be replaced', () => {
  const lines = snippetsFor('curl', { origin: own.origin, account: undefined, beneficiary: undefined, transfer: undefined })
  assert.ok(lines.some(({ text }) => text.includes('/accounts/ACCOUNT_ID')))
})
